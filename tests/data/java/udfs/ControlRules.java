package org.example.control;

import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.types.DataTypes;

/** Enums, records, switches. */
public class ControlRules {
    enum Level {
        LOW(1, "l"), MID(5, "m"), HIGH(10, "h");

        private final int weight;
        private final String code;

        Level(int weight, String code) {
            this.weight = weight;
            this.code = code;
        }

        int weight() {
            return weight;
        }

        static Level of(int n) {
            for (Level l : values()) {
                if (n <= l.weight) {
                    return l;
                }
            }
            return HIGH;
        }
    }

    record Range(int from, int to) {
        Range {
            if (from > to) {
                throw new IllegalArgumentException("empty range");
            }
        }

        int size() {
            return to - from + 1;
        }

        boolean has(int v) {
            return v >= from && v <= to;
        }
    }

    static final class Money {
        private final long cents;
        private final String currency;

        Money(double amount, String currency) {
            this.cents = Math.round(amount * 100);
            this.currency = currency == null ? "EUR" : currency;
        }

        Money plus(long more) {
            return new Money((cents + more) / 100.0, currency);
        }

        String show() {
            return cents / 100 + "." + String.format("%02d", Math.abs(cents % 100)) + " " + currency;
        }
    }

    public static final UDF1<Integer, String> LEVEL = n -> n == null ? null : Level.of(n).name().toLowerCase();

    public static final UDF1<Integer, Integer> LEVEL_WEIGHT = n -> {
        Level l = Level.of(n);
        switch (l) {
            case LOW:
                return l.ordinal();
            case MID:
                return l.weight() * 2;
            default:
                break;
        }
        return l.weight + l.code.length();
    };

    public static final UDF1<String, String> LEVEL_PARSE = s -> {
        try {
            return Level.valueOf(s.toUpperCase()).code;
        } catch (IllegalArgumentException e) {
            return "?";
        }
    };

    public static final UDF2<Integer, Integer, String> RANGE = (a, b) -> {
        Range r = new Range(a, b);
        return r + " " + r.size() + " " + r.has(5) + " " + r.equals(new Range(a, b));
    };

    public static final UDF2<Double, String, String> MONEY = (d, c) -> new Money(d, c).plus(250).show();

    public static final UDF1<Integer, String> DAY = n -> {
        String name;
        switch (n) {
            case 1: name = "mon"; break;
            case 2: name = "tue"; break;
            case 6:
            case 7: name = "weekend"; break;
            default: name = "other";
        }
        return name;
    };

    public static final UDF1<Integer, Integer> FALL = n -> {
        int r = 0;
        switch (Math.floorMod(n, 5)) {
            case 0:
                r += 1;
            case 1:
                r += 10;
            case 2:
                r += 100;
                break;
            case 3:
                if (n > 10) {
                    break;
                }
                r += 1000;
        }
        return r;
    };

    public static final UDF1<String, Integer> ARROW = s -> switch (s) {
        case "a", "b" -> 1;
        case "10" -> {
            int x = s.length();
            yield x * 7;
        }
        case "" -> throw new IllegalStateException("empty");
        default -> s.length() > 3 ? -1 : 0;
    };

    public static final UDF1<Integer, String> ARROW_INT = n -> {
        String kind = switch (n % 4) {
            case 0 -> "zero";
            case 1, -1 -> "one";
            default -> {
                if (n > 100) {
                    yield "big";
                }
                yield "few";
            }
        };
        return kind + n;
    };

    public static final UDF1<Object, String> UNUSED = o -> String.valueOf(o);

    public static final UDF1<Integer, Integer> COMPOSED = n -> {
        Function<Integer, Integer> inc = x -> x + 1;
        BiFunction<Integer, Integer, Integer> mul = (x, y) -> x * y;
        IntUnaryOperator half = x -> x / 2;
        Supplier<Integer> seven = () -> 7;
        return half.applyAsInt(mul.apply(inc.apply(n), seven.get()));
    };

    public static final UDF2<Integer, Integer, Integer> VARARGS = (a, b) -> sum(a, b, 3) + sum() + sum(a) + sum(new int[]{b, b});

    static int sum(int... xs) {
        int s = 0;
        for (int x : xs) s += x;
        return s;
    }

    static String describe(int x) {
        return "int" + x;
    }

    static String describe(long x) {
        return "long" + x;
    }

    static String describe(Object x) {
        return "obj" + x;
    }

    static String describe(Integer x) {
        return "box" + x;
    }

    public static final UDF1<Integer, String> OVERLOADS = n -> describe(n) + describe((int) n) + describe(n + 1L) + describe((short) 3) + describe("s");

    public static final UDF1<Integer, Integer> DO_WHILE = n -> {
        int i = 0;
        int v = Math.abs(n % 1000);
        do {
            v -= i * i;
            i++;
            if (i > 50) break;
        } while (v > 0);
        return i;
    };

    public static final UDF1<Double, String> TERNARY = d -> {
        Object o = d == null ? "none" : d > 0 ? (Object) 1 : Double.valueOf(-1.5);
        return o.toString() + (d != null && d > 5 ? 'x' : "y") + (true ? 1 : 2.0) + (d == null ? null : 'c');
    };

    public static final UDF1<String, String> INSTANCE = s -> {
        Object o = s == null ? Integer.valueOf(3) : s;
        if (o instanceof String t && t.length() > 2) {
            return "long " + t;
        }
        if (!(o instanceof Integer i)) {
            return "short";
        }
        return "int " + (i + 1);
    };

    public static final UDF1<String, Integer> RETHROW = s -> {
        try {
            if (s.isEmpty()) {
                throw new IllegalArgumentException("empty");
            }
            return Integer.valueOf(s);
        } catch (NumberFormatException e) {
            throw new IllegalStateException("bad: " + e.getMessage(), e);
        }
    };

    public static final UDF1<String, String> MESSAGE = s -> {
        try {
            Object o = s;
            Integer n = (Integer) o;
            return "n" + n;
        } catch (ClassCastException e) {
            return "cast";
        }
    };

    public static void register(SparkSession spark) {
        spark.udf().register("shout", (UDF1<String, String>) s -> s == null ? null : s.toUpperCase() + "!", DataTypes.StringType);
        spark.udf().register("twice", new UDF1<Integer, Long>() {
            @Override
            public Long call(Integer n) {
                return n == null ? null : 2L * n;
            }
        }, DataTypes.LongType);
    }
}
