package org.example.collections;

import java.util.*;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;

/** Collections and streams. */
public class CollectionRules {
    private static final Map<String, Integer> PORTS = new HashMap<>();
    private static final List<String> STOP = Arrays.asList("a", "an", "the");
    private static final Set<Character> MARKS = new HashSet<>(Arrays.asList('.', ',', '!'));
    private static final Map<String, String> COUNTRY = Map.of("de", "Germany", "fr", "France", "it", "Italy");

    static {
        PORTS.put("http", 80);
        PORTS.put("https", 443);
        PORTS.put("ssh", 22);
    }

    public static final UDF1<String, Integer> PORT = s -> PORTS.getOrDefault(s, -1);

    public static final UDF1<String, String> COUNTRY_NAME = s -> s == null ? null : COUNTRY.get(s.toLowerCase());

    public static final UDF1<String, String> MOST_FREQUENT = s -> {
        if (s == null) return null;
        Map<Character, Integer> counts = new HashMap<>();
        for (char c : s.toCharArray()) {
            counts.put(c, counts.getOrDefault(c, 0) + 1);
        }
        char best = 0;
        int most = 0;
        for (Map.Entry<Character, Integer> e : counts.entrySet()) {
            if (e.getValue() > most) {
                best = e.getKey();
                most = e.getValue();
            }
        }
        return most == 0 ? "" : best + "=" + most;
    };

    public static final UDF1<String, String> HASH_ORDER = s -> {
        Map<String, Integer> m = new HashMap<>();
        for (String w : s.split(" ")) {
            m.merge(w, 1, Integer::sum);
        }
        StringBuilder sb = new StringBuilder();
        for (String k : m.keySet()) {
            sb.append(k).append(':').append(m.get(k)).append(';');
        }
        return sb.append(m).toString();
    };

    public static final UDF1<String, String> TREE = s -> {
        Map<String, Integer> m = new TreeMap<>();
        for (String w : s.split("[^a-zA-Z]+")) {
            m.merge(w.toLowerCase(), w.length(), Integer::sum);
        }
        return m.toString();
    };

    public static final UDF1<String, String> LINKED = s -> {
        Set<String> seen = new LinkedHashSet<>();
        for (String w : s.split(",")) {
            seen.add(w.trim());
        }
        return String.join("|", seen);
    };

    public static final UDF1<String, String> STREAM_WORDS = s -> s == null ? null
            : Arrays.stream(s.split(" "))
                    .map(String::trim)
                    .filter(w -> !w.isEmpty() && !STOP.contains(w.toLowerCase()))
                    .map(w -> w.substring(0, 1).toUpperCase() + w.substring(1))
                    .collect(Collectors.joining(" "));

    public static final UDF1<String, Integer> STREAM_SUM = s -> Stream.of(s.split(","))
            .map(String::trim)
            .filter(t -> t.matches("-?\\d{1,6}"))
            .mapToInt(Integer::parseInt)
            .sum();

    public static final UDF1<String, Long> STREAM_COUNT = s -> s.chars().filter(Character::isUpperCase).count();

    public static final UDF1<Integer, Integer> RANGE_SUM = n -> IntStream.rangeClosed(1, Math.floorMod(n, 100)).filter(i -> i % 3 == 0).map(i -> i * i).sum();

    public static final UDF1<String, String> STREAM_SORTED = s -> Arrays.stream(s.split("")).distinct().sorted(Comparator.reverseOrder()).limit(5).collect(Collectors.joining());

    public static final UDF1<String, String> OPTIONAL = s -> Optional.ofNullable(s).map(String::trim).filter(t -> !t.isEmpty()).orElse("empty");

    public static final UDF1<String, Integer> OPTIONAL_GET = s -> Optional.ofNullable(s).map(String::length).orElseThrow();

    public static final UDF1<String, Boolean> STREAM_MATCH = s -> Arrays.asList(s.split(" ")).stream().anyMatch(w -> w.length() > 4);

    public static final UDF1<String, Integer> LIST_OPS = s -> {
        List<Integer> xs = new ArrayList<>();
        for (int i = 0; i < s.length(); i++) {
            xs.add((int) s.charAt(i));
        }
        Collections.sort(xs);
        if (xs.size() > 2) {
            xs.remove(0);
            xs.set(0, 7);
            xs.add(1, 9);
        }
        int h = 0;
        for (Integer x : xs) {
            h = 31 * h + x;
        }
        return h + xs.indexOf(9) + (xs.contains(100) ? 1 : 0);
    };

    public static final UDF1<String, String> STACK = s -> {
        Deque<Character> stack = new ArrayDeque<>();
        for (char c : s.toCharArray()) {
            if (c == '(' || c == '[') {
                stack.push(c);
            } else if (c == ')' || c == ']') {
                if (stack.isEmpty()) return "extra";
                char open = stack.pop();
                if ((c == ')') != (open == '(')) return "mismatch";
            }
        }
        return stack.isEmpty() ? "ok" : "open " + stack.size();
    };

    public static final UDF1<String, String> GROUPED = s -> {
        Map<Integer, List<String>> groups = new TreeMap<>();
        for (String w : s.split(" ")) {
            groups.computeIfAbsent(w.length(), k -> new ArrayList<>()).add(w);
        }
        return groups.toString();
    };

    public static final UDF1<String, String> ITERATOR = s -> {
        List<String> xs = new ArrayList<>(Arrays.asList(s.split("")));
        Iterator<String> it = xs.iterator();
        while (it.hasNext()) {
            if (it.next().isBlank()) {
                it.remove();
            }
        }
        return xs.toString();
    };

    public static final UDF1<String, Integer> MODIFIED = s -> {
        List<String> xs = new ArrayList<>(Arrays.asList(s.split(" ")));
        int n = 0;
        for (String x : xs) {
            if (x.equals("b")) {
                xs.add("c");
            }
            n++;
        }
        return n;
    };

    public static final UDF2<String, Integer, String> NTH = (s, n) -> Arrays.asList(s.split(" ")).get(n);

    public static final UDF1<String, String> SORT_LENGTH = s -> {
        List<String> ws = new ArrayList<>(List.of(s.split(" ")));
        ws.sort(Comparator.comparing(String::length).thenComparing(Comparator.naturalOrder()));
        return String.join(" ", ws);
    };

    public static final UDF1<String, Integer> PUNCTUATION = s -> {
        int n = 0;
        for (int i = 0; i < s.length(); i++) {
            if (MARKS.contains(s.charAt(i))) n++;
        }
        return n;
    };

    public static final UDF1<String, String> COLLECT_LIST = s -> {
        List<Integer> lengths = Arrays.stream(s.split(" ")).map(String::length).collect(Collectors.toList());
        return lengths + " max " + Collections.max(lengths);
    };

    public static final UDF1<String, Double> AVERAGE = s -> Arrays.stream(s.split(" ")).mapToInt(String::length).average().orElse(0.0);

    public static final UDF1<String, String> REDUCE = s -> Stream.of(s.split(" ")).reduce("", (a, b) -> b + a);
}
