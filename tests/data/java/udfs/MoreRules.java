package org.example.more;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.*;
import java.util.function.*;
import java.util.regex.*;
import java.util.stream.*;

import org.apache.spark.sql.api.java.*;

public class MoreRules {
    private static final char[] HEX = "0123456789abcdef".toCharArray();
    private static final int[] WEIGHTS = {7, 3, 1};
    private static final Map<String, BigDecimal> RATES;
    private static final Set<String> TRUE = Set.of("y", "yes", "true", "1");
    private static final long MASK = ~0L >>> 1;

    static {
        Map<String, BigDecimal> m = new LinkedHashMap<>();
        m.put("a", new BigDecimal("1.10"));
        m.put("b", BigDecimal.TEN);
        RATES = Collections.unmodifiableMap(m);
    }

    enum Op implements java.io.Serializable {
        PLUS, MINUS, TIMES;

        int apply(int a, int b) {
            switch (this) {
                case PLUS: return a + b;
                case MINUS: return a - b;
                default: return a * b;
            }
        }
    }

    interface Shape {
    }

    public static final UDF1<String, String> MD5 = s -> {
        if (s == null) return null;
        byte[] bytes = MessageDigest.getInstance("MD5").digest(s.getBytes(StandardCharsets.UTF_8));
        StringBuilder sb = new StringBuilder();
        for (byte b : bytes) {
            sb.append(HEX[(b >> 4) & 0xf]).append(HEX[b & 0xf]);
        }
        return sb.toString();
    };

    public static final UDF1<String, Integer> WEIGHTED = s -> {
        int sum = 0;
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            int v = c >= '0' && c <= '9' ? c - '0' : Character.isLetter(c) ? Character.toUpperCase(c) - 'A' + 10 : 0;
            sum += v * WEIGHTS[i % WEIGHTS.length];
        }
        return sum % 10;
    };

    public static final UDF2<String, Integer, BigDecimal> RATE = (k, n) -> {
        BigDecimal r = RATES.get(k);
        if (r == null) return BigDecimal.ZERO;
        return r.multiply(BigDecimal.valueOf(n)).setScale(1, RoundingMode.HALF_EVEN);
    };

    public static final UDF1<String, Boolean> IS_TRUE = s -> s != null && TRUE.contains(s.trim().toLowerCase());

    public static final UDF3<Integer, Integer, Integer, Integer> OPS = (a, b, o) -> Op.values()[Math.floorMod(o, 3)].apply(a, b);

    public static final UDF1<Integer, String> BINARY = n -> {
        StringBuilder sb = new StringBuilder();
        int v = n;
        do {
            sb.insert(0, (char) ('0' + (v & 1)));
        } while ((v >>>= 1) != 0);
        return sb.toString();
    };

    public static final UDF1<Long, Long> HASH = v -> {
        long h = v;
        h ^= h >>> 33;
        h *= 0xff51afd7ed558ccdL;
        h ^= h >>> 33;
        return h & MASK;
    };

    public static final UDF1<Integer, Integer> SHORTS = n -> {
        short s = (short) (n * 3);
        byte b = (byte) (s >> 2);
        int i = b & 0xFF;
        s++;
        b--;
        return i + s - b + (int) 'z' + (char) 97;
    };

    public static final UDF1<Double, String> DOUBLE_TEXT = d -> d + "|" + (float) (double) d + "|" + (long) (double) d + "|" + (int) (char) (double) d;

    public static final UDF2<Double, Double, String> COMPARE = (a, b) -> Double.compare(a, b) + ":" + (a < b) + (a == (double) b) + a.equals(b) + Math.min(a, b) + Math.max(a, b) + (a % b);

    public static final UDF2<Integer, Integer, Integer> INC = (a, b) -> {
        int i = a;
        int j = i++ + ++i - b--;
        int[] xs = {1, 2, 3};
        int k = 0;
        xs[k++] += k * 10;
        xs[k] <<= ++k;
        return j + xs[0] * 100 + xs[1] * 10 + xs[2] + k + i + b;
    };

    public static final UDF1<String, String> SPLIT_MAP = s -> {
        Map<String, String> m = new LinkedHashMap<>();
        for (String kv : s.split(",")) {
            String[] p = kv.split("=", 2);
            if (p.length == 2) {
                m.put(p[0].trim(), p[1]);
            } else {
                m.putIfAbsent(kv, "-");
            }
        }
        StringJoinerLike j = new StringJoinerLike(";");
        String out = "";
        for (Map.Entry<String, String> e : m.entrySet()) {
            out = j.join(out, e.getKey() + "->" + e.getValue());
        }
        return out + m.size();
    };

    static class StringJoinerLike {
        final String sep;

        StringJoinerLike(String sep) {
            this.sep = sep;
        }

        String join(String a, String b) {
            return a.isEmpty() ? b : a + sep + b;
        }
    }

    public static final UDF1<String, Integer> NESTED_TRY = s -> {
        int r = 0;
        try {
            try {
                r += Integer.parseInt(s);
            } finally {
                r += 1000;
            }
        } catch (NumberFormatException e) {
            r += s == null ? 1 : 2;
        }
        return r;
    };

    public static final UDF1<Integer, Integer> LABELS = n -> {
        int count = 0;
        loop:
        while (true) {
            switch (count % 4) {
                case 0:
                    count += 2;
                    continue loop;
                case 2:
                    if (count > Math.abs(n % 30)) break loop;
                    count++;
                    break;
                default:
                    count += 3;
            }
            if (count > 100) break;
        }
        return count;
    };

    public static final UDF1<String, String> REGEX = s -> {
        Pattern p = Pattern.compile("(\\w)(\\d+)?");
        Matcher m = p.matcher(s);
        StringBuilder sb = new StringBuilder();
        while (m.find()) {
            sb.append(m.start()).append(m.group(1)).append(m.group(2)).append(m.end()).append(',');
            if (sb.length() > 40) break;
        }
        return sb + s.replaceFirst("(.)(.)", "$2$1");
    };

    public static final UDF1<String, Integer> RECURSIVE = MoreRules::depth;

    private static int depth(String s) {
        if (s == null || s.length() < 2) return 0;
        return 1 + depth(s.substring(1, s.length() - 1));
    }

    public static final UDF2<String, String, String> LCS = (a, b) -> {
        if (a == null || b == null) return "";
        String best = "";
        for (int i = 0; i < a.length(); i++) {
            for (int j = i + 1; j <= Math.min(a.length(), i + 6); j++) {
                String part = a.substring(i, j);
                if (part.length() > best.length() && b.contains(part)) best = part;
            }
        }
        return best;
    };

    public static final UDF1<Integer, String> BIG = n -> {
        BigInteger f = BigInteger.ONE;
        for (int i = 2; i <= Math.floorMod(n, 30); i++) {
            f = f.multiply(BigInteger.valueOf(i));
        }
        return f.toString();
    };

    public static final UDF1<String, String> GROUP_STREAM = s -> {
        Map<Integer, Long> m = Arrays.stream(s.split(" ")).collect(Collectors.groupingBy(String::length, Collectors.counting()));
        return m.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).collect(Collectors.joining(",", "{", "}"));
    };

    public static final UDF1<String, String> TO_MAP = s -> {
        try {
            return Arrays.stream(s.split("")).collect(Collectors.toMap(c -> c, c -> 1)).toString();
        } catch (IllegalStateException e) {
            return e.getMessage();
        }
    };

    public static final UDF1<String, Integer> LAMBDA_CAPTURE = s -> {
        int base = s.length();
        int[] total = {0};
        Consumer<String> add = w -> total[0] += w.length() * base;
        for (String w : s.split(" ")) add.accept(w);
        Runnable r = () -> {
            if (total[0] > 50) {
                total[0] = 50;
                return;
            }
            total[0]++;
        };
        r.run();
        return total[0];
    };

    public static final UDF1<Integer, String> SWITCH_STRING = n -> {
        String k = n % 2 == 0 ? "even" : n > 0 ? "odd" : null;
        switch (k) {
            case "even": {
                int h = n / 2;
                return "e" + h;
            }
            case "odd":
                return "o";
        }
        return "none";
    };

    public static final UDF1<String, String> CHARS = s -> {
        String out = "";
        for (char c = 'a'; c <= 'e'; c++) {
            out += c;
            if (s.indexOf(c) >= 0) out += (char) (c - 32);
        }
        char x = 'a';
        x += 1.7;
        return out + x + (x + 1) + (char) (x + 1) + 'q' + 1 + 2L + 1.5f + null + true;
    };

    public static final UDF2<Integer, Integer, String> MATH = (a, b) -> Math.abs(a) + "," + Math.floorDiv(a, 7) + "," + Math.hypot(3, 4) + "," + Integer.compare(a, b) + "," + Integer.toBinaryString(b) + "," + Integer.toHexString(a) + "," + Long.MAX_VALUE / (b == 0 ? 1 : b) + "," + Integer.MIN_VALUE % -1;

    public static final UDF1<Long, String> TIME_TEXT = ms -> {
        if (ms == null) return "-";
        long s = Math.abs(ms / 1000) % 86400;
        return String.format("%02d:%02d:%02d.%03d", s / 3600, s / 60 % 60, s % 60, Math.abs(ms % 1000));
    };

    public static final UDF1<String, String> WORD_WRAP = s -> {
        StringBuilder line = new StringBuilder();
        List<String> lines = new ArrayList<>();
        for (String w : s.split("\\s+")) {
            if (line.length() + w.length() + 1 > 12 && line.length() > 0) {
                lines.add(line.toString());
                line.setLength(0);
            }
            if (line.length() > 0) line.append(' ');
            line.append(w);
        }
        lines.add(line.toString());
        Collections.reverse(lines);
        return lines.toString();
    };

    public static final UDF1<String, Integer> SET_OPS = s -> {
        Set<String> a = new HashSet<>(Arrays.asList(s.split("")));
        Set<String> b = new TreeSet<>(Arrays.asList("a", "b", "c", " "));
        a.retainAll(b);
        int n = a.size() * 10;
        b.removeAll(a);
        b.addAll(List.of("x", "y"));
        return n + b.size() + (b.contains("x") ? 100 : 0);
    };

    public static final UDF1<String, String> HASHSET_ORDER = s -> {
        Set<Integer> xs = new HashSet<>();
        for (String w : s.split("")) xs.add(w.hashCode() * 31);
        Set<String> ws = new HashSet<>(Arrays.asList(s.split("[ ,]")));
        return xs + "" + ws;
    };

    public static final UDF1<Integer, Boolean> LEAP = y -> y % 4 == 0 && (y % 100 != 0 || y % 400 == 0);

    public static final UDF1<Boolean, String> BOOL = b -> b == null ? "?" : b ? "yes" : "no";

    public static final UDF2<Boolean, Boolean, Boolean> XOR = (a, b) -> a ^ b | !a & b;

    public static final UDF1<Integer, Integer> INTEGER_CACHE = n -> {
        Integer a = n;
        Integer b = n;
        Integer c = 100, d = 100;
        return (a == b ? 1 : 0) + (c == d ? 10 : 0) + (a.equals(c) ? 100 : 0);
    };

    public static final UDF1<String, Long> CRC = s -> {
        long crc = 0xFFFFFFFFL;
        for (byte b : s.getBytes(StandardCharsets.UTF_8)) {
            crc ^= b & 0xff;
            for (int k = 0; k < 8; k++) crc = (crc & 1) != 0 ? (crc >>> 1) ^ 0xEDB88320L : crc >>> 1;
        }
        return crc ^ 0xFFFFFFFFL;
    };

    public static final UDF1<Double, Double> STATS = x -> {
        double[] xs = {x, x / 2, -x, 1.0};
        double mean = 0;
        for (double v : xs) mean += v;
        mean /= xs.length;
        double var = 0;
        for (int i = 0; i < xs.length; i++) var += (xs[i] - mean) * (xs[i] - mean);
        return Math.sqrt(var / (xs.length - 1));
    };
}
