package org.example.hive;

import org.apache.hadoop.hive.ql.exec.UDF;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;

/** Overloads over writables. */
public class HiveText extends UDF {
    private final Text result = new Text();
    private IntWritable count = new IntWritable();

    public Text evaluate(Text s) {
        if (s == null) {
            return null;
        }
        String t = s.toString();
        if (t.isEmpty()) {
            result.set("<empty>");
        } else {
            result.set(t.substring(0, 1).toUpperCase());
        }
        return result;
    }

    public IntWritable evaluate(Text s, IntWritable n) {
        if (s == null || n == null) {
            return new IntWritable(-1);
        }
        count.set(s.toString().length() * n.get());
        return count;
    }

    public String evaluate(String s, Integer n, Long m) {
        return s + ":" + (n + m);
    }

    public LongWritable evaluate(LongWritable a) {
        LongWritable out = new LongWritable();
        out.set(a.get() / 2);
        return out;
    }
}
