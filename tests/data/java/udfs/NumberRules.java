package org.example.numbers;

import java.math.BigDecimal;
import java.math.RoundingMode;

import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.api.java.UDF3;

/** Functions over numbers. */
public class NumberRules {
    static final int LIMIT = 1_000;
    private static final double EPS = 1e-9;

    public static class Clamp implements UDF3<Integer, Integer, Integer, Integer> {
        @Override
        public Integer call(Integer v, Integer lo, Integer hi) throws Exception {
            return Math.max(lo, Math.min(v, hi));
        }
    }

    public static class Gcd implements UDF2<Integer, Integer, Integer> {
        @Override
        public Integer call(Integer a, Integer b) {
            return gcd(Math.abs(a), Math.abs(b));
        }

        private int gcd(int a, int b) {
            return b == 0 ? a : gcd(b, a % b);
        }
    }

    public static class Collatz implements UDF1<Integer, Integer> {
        public Integer call(Integer n) {
            if (n == null || n <= 0 || n > LIMIT) return null;
            int steps = 0;
            int x = n;
            while (x != 1) {
                x = (x & 1) == 0 ? x >> 1 : 3 * x + 1;
                steps++;
            }
            return steps;
        }
    }

    public static final UDF1<Integer, String> ROMAN = n -> {
        if (n == null || n < 1 || n > 3999) return "";
        int[] values = {1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1};
        String[] marks = {"M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"};
        StringBuilder sb = new StringBuilder();
        int rest = n;
        for (int i = 0; i < values.length; i++) {
            while (rest >= values[i]) {
                rest -= values[i];
                sb.append(marks[i]);
            }
        }
        return sb.toString();
    };

    public static final UDF1<Integer, Integer> NARROW = n -> {
        byte b = (byte) (int) n;
        b += 100;
        short s = b;
        s *= 300;
        char c = (char) s;
        c++;
        int i = c;
        i <<= 33;
        i ^= n >>> 3;
        return i;
    };

    public static final UDF2<Integer, Integer, Double> RATIO = (a, b) -> a == null || b == null || b == 0 ? null : 100.0 * a / b;

    public static final UDF2<Integer, Integer, Integer> MIXED = (a, b) -> {
        int x = a;
        int y = b;
        x += y++ + ++y;
        y -= x-- * 2;
        long l = x;
        l += 0.5;
        x %= 7;
        return (int) (l ^ y) + x;
    };

    public static final UDF1<Double, Long> ROUND_HALF = d -> Math.round(d);

    public static final UDF1<Double, Integer> TRUNC = d -> d == null ? -1 : d.intValue();

    public static final UDF1<Double, String> BAND = d -> {
        if (d == null) return "missing";
        if (d.isNaN()) return "nan";
        return d < 0 ? "negative" : d < 10 ? "small" : d < 1e6 ? "medium" : "large";
    };

    public static final UDF2<Double, Double, Boolean> CLOSE = (a, b) -> Math.abs(a - b) < EPS * Math.max(1.0, Math.abs(a));

    public static final UDF1<Long, Integer> BITS = v -> {
        int n = 0;
        long x = v;
        while (x != 0) {
            n += (int) (x & 1L);
            x >>>= 1;
        }
        return n + Long.numberOfTrailingZeros(v) * 100;
    };

    public static final UDF1<Long, Boolean> PRIME = v -> {
        if (v == null || v < 2 || v > 100000L) return false;
        for (long d = 2; d * d <= v; d++) {
            if (v % d == 0) return false;
        }
        return true;
    };

    public static final UDF2<Long, Long, Long> SAFE_ADD = (a, b) -> {
        try {
            return Math.addExact(a, b);
        } catch (ArithmeticException e) {
            return a > 0 ? Long.MAX_VALUE : Long.MIN_VALUE;
        }
    };

    public static final UDF1<BigDecimal, BigDecimal> VAT = amount -> amount == null ? null
            : amount.multiply(new BigDecimal("0.19")).setScale(2, RoundingMode.HALF_UP);

    public static final UDF1<BigDecimal, String> SIGN = d -> {
        switch (d.signum()) {
            case -1:
                return "-";
            case 0:
                return "0";
            default:
                return "+";
        }
    };

    public static final UDF2<Integer, Integer, Boolean> BOXED = (a, b) -> a == b || (a != null && a.equals(b));

    public static final UDF1<Integer, String> FIZZ = n -> {
        String out = "";
        if (n % 3 == 0) out += "Fizz";
        if (n % 5 == 0) out += "Buzz";
        return out.isEmpty() ? "" + n : out;
    };

    public static final UDF1<Integer, Long> FACTORIAL = n -> {
        long f = 1;
        for (int i = 2; i <= Math.floorMod(n, 25); i++) f *= i;
        return f;
    };

    public static final UDF2<Integer, Integer, Integer> GRID = (a, b) -> {
        int hits = 0;
        outer:
        for (int i = 0; i < 10; i++) {
            for (int j = 0; j < 10; j++) {
                if (i * j == Math.abs(a % 50)) {
                    continue outer;
                }
                if (i + j > Math.abs(b % 20)) {
                    break outer;
                }
                hits++;
            }
        }
        return hits;
    };

    public static final UDF1<Double, Double> POLY = x -> ((2.5 * x - 3) * x + 1) * x - 0.125;

    public static final UDF1<Integer, Double> HALF = n -> (double) (n / 2) + n / 2.0f;

    public static final UDF2<Double, Integer, Double> ROUND_TO = (d, n) -> {
        if (d == null || n == null || d.isNaN() || d.isInfinite()) return d;
        double f = Math.pow(10, Math.min(4, Math.abs((long) n)));
        return Math.floor(d * f + 0.5) / f;
    };

    public static final UDF1<Integer, Integer> DIGITS_REVERSED = n -> {
        int sign = n < 0 ? -1 : 1;
        int r = 0;
        for (int x = Math.abs(n); x > 0; x /= 10) {
            r = r * 10 + x % 10;
        }
        return sign * r;
    };

    public static final UDF1<String, Integer> PARSE = s -> {
        int value;
        try {
            value = Integer.parseInt(s.trim());
        } catch (NumberFormatException | NullPointerException e) {
            value = -1;
        }
        return value * 2;
    };

    public static final UDF1<String, Double> PARSE_STRICT = s -> Double.parseDouble(s);

    public static final UDF1<Integer, Integer> FINALLY = n -> {
        int x = 0;
        try {
            x = 10 / n;
            return x;
        } catch (ArithmeticException e) {
            x = -5;
            return x;
        } finally {
            x = 99;
        }
    };
}
