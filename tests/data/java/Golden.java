import java.io.PrintStream;
import java.lang.reflect.*;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.*;

import org.apache.spark.sql.api.java.*;

/**
 * Calls every UDF of the files in `udfs` with edge inputs and prints what it gave: one JSON object per function, then one
 * array per row: the arguments, the value, the exception's class. Doubles are bits in hexadecimal.
 */
public class Golden {
    static final Map<String, List<Object>> INPUTS = new HashMap<>();

    static {
        INPUTS.put("Integer", Arrays.asList(null, 0, 1, 2, 3, 5, 6, 7, 10, 15, 127, 128, -1, -128, -129, 400, 1000, 1994, 3999, 100000, Integer.MAX_VALUE, Integer.MIN_VALUE, -7, 54321));
        INPUTS.put("Long", Arrays.asList(null, 0L, 1L, 2L, 97L, 100L, 1023L, 1024L, 1536L, -1L, 99991L, 5000000000L, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 40));
        INPUTS.put("Double", Arrays.asList(null, 0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 0.1, 1.005, 9.999999, 1e6, 123456.789, 1e19, -1e19, 1e300, Double.MIN_VALUE, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY));
        INPUTS.put("String", Arrays.asList(null, "", " ", "a", "b", "10", "42", " 17 ", "-5", "abc", "Hello World", "the quick brown fox jumps", "a,b , c,,a", "1, 2,x,30,-4", "racecar", "noon", "aaabbbccd", "Tom.O'Neil Smith-Jones", "a b b c b", "b x b", "jane.doe@Example.COM, x", "/usr/local/bin", "a/b/", "(a[b]c)", "([)]", "((", "Straße Äpfel", "\ud83d\ude00x", "HTTP", "https", "DE", "low", "Mid", "12/02/2024", "31/02/2024", "2024-02-29", "1e3", "NaN", "0x10", "2147483648", "4539 1488 0343 6467", "x\ty\nz", "The THE the!", "zeta Alpha beta gamma delta epsilon eta theta iota kappa lambda mu nu"));
        INPUTS.put("BigDecimal", Arrays.asList(null, new BigDecimal("0.00"), new BigDecimal("1.00"), new BigDecimal("-1.25"), new BigDecimal("99.99"), new BigDecimal("0.05"), new BigDecimal("123456789.13")));
        INPUTS.put("Date", Arrays.asList(null, java.sql.Date.valueOf("2024-02-29"), java.sql.Date.valueOf("1970-01-01"), java.sql.Date.valueOf("1999-12-31"), java.sql.Date.valueOf("2023-10-07"), java.sql.Date.valueOf("2023-10-08"), java.sql.Date.valueOf("2000-01-31")));
        INPUTS.put("Timestamp", Arrays.asList(null, java.sql.Timestamp.valueOf("2024-02-29 13:45:10.5"), java.sql.Timestamp.valueOf("1970-01-01 00:00:00"), java.sql.Timestamp.valueOf("1969-12-31 23:59:59.9")));
        INPUTS.put("Boolean", Arrays.asList(null, true, false));
    }

    static PrintStream out;

    public static void main(String[] args) throws Exception {
        TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
        Locale.setDefault(Locale.US);
        out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        for (String name : args) {
            Class<?> c = Class.forName(name);
            String file = c.getSimpleName() + ".java";
            for (Field f : c.getFields()) {
                if (f.getType().getSimpleName().matches("UDF\\d+") && f.getGenericType() instanceof ParameterizedType) {
                    function(file, f.getName(), f.get(null), ((ParameterizedType) f.getGenericType()).getActualTypeArguments());
                }
            }
            for (Class<?> inner : c.getDeclaredClasses()) {
                for (Type t : inner.getGenericInterfaces()) {
                    if (t instanceof ParameterizedType && ((Class<?>) ((ParameterizedType) t).getRawType()).getSimpleName().matches("UDF\\d+")) {
                        function(file, inner.getSimpleName(), inner.getDeclaredConstructor().newInstance(), ((ParameterizedType) t).getActualTypeArguments());
                    }
                }
            }
            if (c.getSuperclass().getSimpleName().equals("UDF")) {
                int n = 0;
                Method[] methods = c.getDeclaredMethods();
                Arrays.sort(methods, Comparator.comparing((Method m) -> order(c, m)));
                for (Method m : methods) {
                    n++;
                    hive(file, c.getSimpleName() + (n > 1 ? "#" + n : ""), c.getDeclaredConstructor().newInstance(), m);
                }
            }
            if (c.getSuperclass().getSimpleName().equals("GenericUDF")) {
                generic(file, c);
            }
        }
        out.flush();
    }

    /** Methods in the order of the source. */
    static int order(Class<?> c, Method m) {
        String[] text = {"(Text)", "(Text,IntWritable)", "(String,Integer,Long)", "(LongWritable)"};
        StringBuilder sb = new StringBuilder("(");
        for (Class<?> p : m.getParameterTypes()) sb.append(sb.length() > 1 ? "," : "").append(p.getSimpleName());
        return Arrays.asList(text).indexOf(sb.append(")").toString());
    }

    interface Call {
        Object run(Object[] args) throws Throwable;
    }

    static void function(String file, String name, Object udf, Type[] types) throws Exception {
        String[] names = new String[types.length];
        for (int i = 0; i < types.length; i++) names[i] = ((Class<?>) types[i]).getSimpleName();
        if (Arrays.asList(names).contains("Object")) return;
        rows(file, name, names, a -> {
            switch (a.length) {
                case 1: return ((UDF1) udf).call(a[0]);
                case 2: return ((UDF2) udf).call(a[0], a[1]);
                default: return ((UDF3) udf).call(a[0], a[1], a[2]);
            }
        });
    }

    static String plain(Class<?> c) {
        switch (c.getSimpleName()) {
            case "Text": return "String";
            case "IntWritable": return "Integer";
            case "LongWritable": return "Long";
            default: return c.getSimpleName();
        }
    }

    static Object wrap(Object v, Class<?> c) {
        if (v == null) return null;
        switch (c.getSimpleName()) {
            case "Text": return new org.apache.hadoop.io.Text((String) v);
            case "IntWritable": return new org.apache.hadoop.io.IntWritable((Integer) v);
            case "LongWritable": return new org.apache.hadoop.io.LongWritable((Long) v);
            default: return v;
        }
    }

    static Object unwrap(Object v) {
        if (v instanceof org.apache.hadoop.io.Text) return v.toString();
        if (v instanceof org.apache.hadoop.io.IntWritable) return ((org.apache.hadoop.io.IntWritable) v).get();
        if (v instanceof org.apache.hadoop.io.LongWritable) return ((org.apache.hadoop.io.LongWritable) v).get();
        return v;
    }

    static void hive(String file, String name, Object udf, Method m) throws Exception {
        Class<?>[] ps = m.getParameterTypes();
        String[] names = new String[ps.length + 1];
        for (int i = 0; i < ps.length; i++) names[i] = plain(ps[i]);
        names[ps.length] = plain(m.getReturnType());
        rows(file, name, names, a -> {
            Object[] wrapped = new Object[a.length];
            for (int i = 0; i < a.length; i++) wrapped[i] = wrap(a[i], ps[i]);
            try {
                return unwrap(m.invoke(udf, wrapped));
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    static void generic(String file, Class<?> c) throws Exception {
        var factory = org.apache.hadoop.hive.serde2.objectinspector.primitive.PrimitiveObjectInspectorFactory.class;
        var udf = (org.apache.hadoop.hive.ql.udf.generic.GenericUDF) c.getDeclaredConstructor().newInstance();
        udf.initialize(new org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector[]{
            org.apache.hadoop.hive.serde2.objectinspector.primitive.PrimitiveObjectInspectorFactory.javaStringObjectInspector,
            org.apache.hadoop.hive.serde2.objectinspector.primitive.PrimitiveObjectInspectorFactory.javaIntObjectInspector});
        rows(file, c.getSimpleName(), new String[]{"String", "Integer", "String"}, a -> {
            var deferred = new org.apache.hadoop.hive.ql.udf.generic.GenericUDF.DeferredObject[a.length];
            for (int i = 0; i < a.length; i++) deferred[i] = new org.apache.hadoop.hive.ql.udf.generic.GenericUDF.DeferredJavaObject(a[i]);
            return unwrap(udf.evaluate(deferred));
        });
    }

    static void rows(String file, String name, String[] types, Call call) {
        int arity = types.length - 1;
        List<Object[]> rows = new ArrayList<>();
        List<Object> first = INPUTS.get(types[0]);
        if (arity == 1) {
            for (Object v : first) rows.add(new Object[]{v});
        } else {
            long seed = 12345;
            int total = arity == 2 ? 120 : 150;
            for (int i = 0; i < total; i++) {
                Object[] row = new Object[arity];
                for (int j = 0; j < arity; j++) {
                    List<Object> values = INPUTS.get(types[j]);
                    seed = seed * 6364136223846793005L + 1442695040888963407L;
                    row[j] = values.get((int) ((seed >>> 33) % values.size()));
                }
                rows.add(row);
            }
        }
        StringBuilder head = new StringBuilder("{\"file\":").append(json(file)).append(",\"udf\":").append(json(name)).append(",\"types\":[");
        for (int i = 0; i < types.length; i++) head.append(i > 0 ? "," : "").append(json(types[i]));
        out.println(head.append("]}"));
        for (Object[] row : rows) {
            StringBuilder line = new StringBuilder("[");
            for (Object v : row) line.append(json(v)).append(',');
            try {
                line.append(json(call.run(row.clone()))).append(",null");
            } catch (Throwable e) {
                line.append("null,").append(json(e.getClass().getSimpleName()));
            }
            out.println(line.append("]"));
        }
    }

    static String json(Object v) {
        if (v == null) return "null";
        if (v instanceof Double) return "\"" + Long.toHexString(Double.doubleToRawLongBits((Double) v)) + "\"";
        if (v instanceof Number && !(v instanceof BigDecimal) || v instanceof Boolean) return v.toString();
        if (v instanceof java.sql.Timestamp) return String.valueOf(((java.sql.Timestamp) v).getTime() * 1000);
        if (v instanceof java.sql.Date) return "\"" + v + "\"";
        if (v instanceof BigDecimal) return "\"" + ((BigDecimal) v).toPlainString() + "\"";
        String s = new String(v.toString().getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        StringBuilder sb = new StringBuilder("\"");
        for (char c : s.toCharArray()) {
            if (c == '"' || c == '\\') sb.append('\\').append(c);
            else if (c < 32 || c > 126) sb.append(String.format("\\u%04x", (int) c));
            else sb.append(c);
        }
        return sb.append('"').toString();
    }
}
