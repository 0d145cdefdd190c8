package org.example.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.api.java.UDF3;

/** Functions over text. */
public final class TextRules {
    private static final Pattern EMAIL = Pattern.compile("([^@\\s]+)@([^@\\s]+\\.[a-z]{2,})", Pattern.CASE_INSENSITIVE);
    private static final Pattern DIGITS = Pattern.compile("\\d+");
    private static final String VOWELS = "aeiouAEIOU";
    private static final String[] UNITS = {"B", "KB", "MB", "GB"};

    public static final UDF1<String, String> TITLE = new UDF1<String, String>() {
        @Override
        public String call(String s) {
            if (s == null || s.isEmpty()) {
                return s;
            }
            return Character.toUpperCase(s.charAt(0)) + s.substring(1).toLowerCase();
        }
    };

    public static final UDF1<String, Integer> VOWEL_COUNT = s -> {
        if (s == null) return 0;
        int n = 0;
        for (char c : s.toCharArray()) {
            if (VOWELS.indexOf(c) >= 0) {
                n++;
            }
        }
        return n;
    };

    public static final UDF1<String, String> REVERSE_WORDS = s -> {
        if (s == null) {
            return null;
        }
        String[] parts = s.trim().split("\\s+");
        StringBuilder sb = new StringBuilder();
        for (int i = parts.length - 1; i >= 0; i--) {
            sb.append(parts[i]);
            if (i > 0) {
                sb.append(' ');
            }
        }
        return sb.toString();
    };

    public static final UDF1<String, Boolean> PALINDROME = s -> {
        int i = 0;
        int j = s.length() - 1;
        while (i < j) {
            if (s.charAt(i++) != s.charAt(j--)) {
                return false;
            }
        }
        return true;
    };

    public static final UDF1<String, String> DOMAIN = s -> {
        if (s == null) return null;
        Matcher m = EMAIL.matcher(s);
        return m.find() ? m.group(2).toLowerCase(Locale.ROOT) : "none";
    };

    public static final UDF1<String, Long> DIGIT_SUM = s -> {
        long sum = 0;
        Matcher m = DIGITS.matcher(s == null ? "" : s);
        while (m.find()) {
            sum += Long.parseLong(m.group());
        }
        return sum;
    };

    public static final UDF2<String, Integer, String> PAD_LEFT = (s, n) -> {
        String t = Objects.toString(s, "");
        StringBuilder out = new StringBuilder(t);
        while (out.length() < Math.min(n, 20)) {
            out.insert(0, '0');
        }
        return out.toString();
    };

    public static final UDF2<String, String, Integer> COMMON_PREFIX = (a, b) -> {
        int max = Math.min(a.length(), b.length());
        int k = 0;
        for (; k < max; k++) {
            if (a.charAt(k) != b.charAt(k)) break;
        }
        return k;
    };

    public static final UDF1<String, String> CAESAR = s -> {
        if (s == null) return null;
        char[] cs = s.toCharArray();
        for (int i = 0; i < cs.length; i++) {
            char c = cs[i];
            if (c >= 'a' && c <= 'z') {
                cs[i] = (char) ((c - 'a' + 13) % 26 + 'a');
            } else if (Character.isUpperCase(c) && c < 128) {
                cs[i] += 1;
            }
        }
        return new String(cs);
    };

    public static final UDF1<String, String> RUNS = s -> {
        if (s == null || s.isEmpty()) return "";
        StringBuilder sb = new StringBuilder();
        char prev = s.charAt(0);
        int count = 1;
        for (int i = 1; i <= s.length(); i++) {
            if (i < s.length() && s.charAt(i) == prev) {
                count++;
            } else {
                sb.append(prev);
                if (count > 1) sb.append(count);
                if (i < s.length()) {
                    prev = s.charAt(i);
                    count = 1;
                }
            }
        }
        return sb.toString();
    };

    public static final UDF1<String, String> INITIALS = s -> {
        if (s == null) return null;
        List<String> out = new ArrayList<>();
        for (String part : s.split("[ .-]")) {
            if (!part.isEmpty()) {
                out.add(part.substring(0, 1).toUpperCase());
            }
        }
        return String.join(".", out);
    };

    public static final UDF1<Long, String> HUMAN_SIZE = bytes -> {
        if (bytes == null || bytes < 0) return "n/a";
        double v = bytes;
        int u = 0;
        while (v >= 1024 && u < UNITS.length - 1) {
            v /= 1024;
            ++u;
        }
        return String.format("%.1f %s", v, UNITS[u]);
    };

    public static final UDF1<String, Integer> CHECK_DIGIT = s -> {
        int sum = 0;
        boolean twice = false;
        for (int i = s.length() - 1; i >= 0; --i) {
            int d = Character.digit(s.charAt(i), 10);
            if (d < 0) {
                continue;
            }
            if (twice) {
                d *= 2;
                if (d > 9) d -= 9;
            }
            sum += d;
            twice = !twice;
        }
        return (10 - sum % 10) % 10;
    };

    public static final UDF2<String, String, Boolean> SAME_TEXT = (a, b) -> a == null ? b == null : a.trim().equalsIgnoreCase(b);

    public static final UDF3<String, Integer, Integer, String> CUT = (s, from, to) -> {
        try {
            return s.substring(from, to);
        } catch (StringIndexOutOfBoundsException e) {
            return "<out>";
        } catch (NullPointerException e) {
            return null;
        }
    };

    public static final UDF1<String, String> SLUG = s -> s == null ? null
            : s.toLowerCase(Locale.ENGLISH).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");

    public static final UDF1<String, Integer> WORDS = s -> s == null || s.isBlank() ? 0 : s.strip().split("\\s+").length;

    public static final UDF1<String, String> HEX = s -> {
        StringBuilder sb = new StringBuilder();
        for (char c : s.toCharArray()) {
            sb.append(String.format("%04x", (int) c));
        }
        return sb.toString();
    };

    public static final UDF1<String, String> SORTED_LETTERS = s -> {
        char[] cs = s.toCharArray();
        Arrays.sort(cs);
        return String.valueOf(cs);
    };

    public static final UDF1<String, String> BLOCK = s -> """
            <row>
              <cell>%s</cell>
            </row>
            """.formatted(s);

    public static final UDF2<String, String, Integer> EDIT_DISTANCE = (a, b) -> {
        if (a == null || b == null) {
            return -1;
        }
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) d[i][0] = i;
        for (int j = 0; j <= b.length(); j++) d[0][j] = j;
        for (int i = 1; i <= a.length(); i++) {
            for (int j = 1; j <= b.length(); j++) {
                int cost = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                d[i][j] = Math.min(Math.min(d[i - 1][j] + 1, d[i][j - 1] + 1), d[i - 1][j - 1] + cost);
            }
        }
        return d[a.length()][b.length()];
    };

    public static final UDF1<String, String> LAST_SEGMENT = TextRules::lastSegment;

    static String lastSegment(String path) {
        if (path == null) return null;
        int at = path.lastIndexOf('/');
        return at < 0 ? path : path.substring(at + 1);
    }

    private TextRules() {
    }
}
