package rewright.worker.cudf;

import ai.rapids.cudf.MemoryCleaner;
import java.lang.reflect.Field;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a call leaves behind. The library lists everything that holds memory, and with {@code ai.rapids.refcount.debug} where each
 * reference was taken and given back; both are private, so a release that keeps them elsewhere only shows bytes.
 */
final class Ledger {
  private static final Map<?, ?> ALL = read(null, field(MemoryCleaner.class, "all"), Map.class);
  private static final AtomicLong COLLECTED = read(null, field(MemoryCleaner.class, "leakCount"), AtomicLong.class);

  private final Set<Object> known = new HashSet<>();
  private final long collected;

  /** What is there now is nobody's fault later. */
  Ledger() {
    if (ALL != null) {
      known.addAll(ALL.keySet());
    }
    collected = COLLECTED == null ? 0 : COLLECTED.get();
  }

  /** One thing that still holds memory. */
  static final class Open {
    final String kind;
    final int line;

    Open(String kind, int line) {
      this.kind = kind;
      this.line = line;
    }
  }

  /** What was made since and still holds memory, with the line of the file where it was made; 0 is no line. */
  List<Open> open(String file) {
    Map<Object, Open> found = new TreeMap<>();
    if (ALL == null) {
      return List.of();
    }
    ALL.forEach((id, reference) -> {
      Object cleaner = cleaner(reference);
      if (!known.contains(id) && cleaner instanceof MemoryCleaner.Cleaner && isDevices(cleaner)) {
        if (!((MemoryCleaner.Cleaner) cleaner).isClean()) {
          found.put(id, new Open(kind(cleaner), line(cleaner, "INC", file, true)));
        }
      }
    });
    return List.copyOf(found.values());
  }

  /** How many were made and collected as garbage without having been closed. */
  long collected() {
    if (COLLECTED == null || ALL == null) {
      return 0;
    }
    // Others are collected meanwhile: read first, none of them can count as new.
    long now = COLLECTED.get();
    long older = known.stream().filter(id -> !ALL.containsKey(id)).count();
    return Math.max(0, now - collected - older);
  }

  /** What was said about a column already is not said again. */
  void told(Object column) {
    Object cleaner = read(column, field(column.getClass(), "offHeap"), Object.class);
    if (cleaner instanceof MemoryCleaner.Cleaner) {
      known.add(((MemoryCleaner.Cleaner) cleaner).id);
    }
  }

  /** The line where a column's last reference was given back, as far as the file did it; 0 is no line. */
  static int closedAt(Object column, String file) {
    Object cleaner = read(column, field(column.getClass(), "offHeap"), Object.class);
    return cleaner == null ? 0 : line(cleaner, "DEC", file, false);
  }

  /** The line where a reference was taken beside the one that the caller holds; 0 is no line. */
  static int retainedAt(Object column, String file) {
    Object cleaner = read(column, field(column.getClass(), "offHeap"), Object.class);
    return cleaner == null ? 0 : line(cleaner, "INC", file, false);
  }

  private static Object cleaner(Object reference) {
    return read(reference, field(reference.getClass(), "cleaner"), Object.class);
  }

  /** Host buffers are the worker's own; views of buffers hold nothing. */
  private static boolean isDevices(Object cleaner) {
    String name = cleaner.getClass().getName();
    return !name.contains("Host") && !name.contains("Mmap");
  }

  private static String kind(Object cleaner) {
    String name = cleaner.getClass().getName();
    String owner = name.substring(name.lastIndexOf('.') + 1);
    owner = owner.contains("$") ? owner.substring(0, owner.indexOf('$')) : owner;
    return owner.equals("ColumnView") ? "ColumnVector" : owner;
  }

  /** The line of the file in the first or the last entry of a kind that the file is part of. */
  private static int line(Object cleaner, String op, String file, boolean first) {
    List<?> history = read(cleaner, field(MemoryCleaner.Cleaner.class, "refCountDebug"), List.class);
    int line = 0;
    if (history == null) {
      return line;
    }
    for (Object item : history.toArray()) {
      StackTraceElement[] stack = read(item, field(item.getClass(), "stackTrace"), StackTraceElement[].class);
      String what = read(item, field(item.getClass(), "op"), String.class);
      int here = op.equals(what) && stack != null ? Findings.line(stack, file) : 0;
      if (here > 0) {
        line = here;
        if (first) {
          return line;
        }
      }
    }
    return line;
  }

  private static Field field(Class<?> of, String name) {
    for (Class<?> c = of; c != null; c = c.getSuperclass()) {
      try {
        Field f = c.getDeclaredField(name);
        f.setAccessible(true);
        return f;
      } catch (NoSuchFieldException e) {
        continue;
      } catch (RuntimeException e) {
        return null;
      }
    }
    return null;
  }

  private static <T> T read(Object of, Field field, Class<T> as) {
    try {
      Object value = field == null ? null : field.get(of);
      return as.isInstance(value) ? as.cast(value) : null;
    } catch (IllegalAccessException e) {
      return null;
    }
  }
}
