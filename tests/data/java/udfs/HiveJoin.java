package org.example.hive;

import org.apache.hadoop.hive.ql.exec.UDFArgumentException;
import org.apache.hadoop.hive.ql.exec.UDFArgumentLengthException;
import org.apache.hadoop.hive.ql.metadata.HiveException;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.IntObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.PrimitiveObjectInspectorFactory;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.StringObjectInspector;

public class HiveJoin extends GenericUDF {
    private StringObjectInspector textInspector;
    private IntObjectInspector countInspector;

    @Override
    public ObjectInspector initialize(ObjectInspector[] args) throws UDFArgumentException {
        if (args.length != 2) {
            throw new UDFArgumentLengthException("two arguments");
        }
        textInspector = (StringObjectInspector) args[0];
        countInspector = (IntObjectInspector) args[1];
        return PrimitiveObjectInspectorFactory.javaStringObjectInspector;
    }

    @Override
    public Object evaluate(DeferredObject[] args) throws HiveException {
        Object text = args[0].get();
        if (text == null || args[1].get() == null) {
            return null;
        }
        String s = textInspector.getPrimitiveJavaObject(text);
        int n = countInspector.get(args[1].get());
        StringBuilder sb = new StringBuilder();
        for (int i = 0; i < n && i < 5; i++) {
            if (i > 0) sb.append('-');
            sb.append(s);
        }
        return sb.toString();
    }

    @Override
    public String getDisplayString(String[] children) {
        return "join";
    }
}
