package rewright.verify;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Compares two outcomes of one row: values as Catalyst holds them, nulls and exceptions. Arrays in order, maps as maps, structs
 * by position; every difference has its path. Never runs anything.
 */
final class Comparer implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Longest list for which the order is looked at; beyond it elements are compared in place only. */
  private static final int LONGEST_PERMUTATION = 1000;

  private final DataType original;
  private final DataType rewrite;
  private final boolean alike;

  Comparer(DataType original, DataType rewrite) {
    this.original = original;
    this.rewrite = rewrite;
    this.alike = original.equals(rewrite);
  }

  /** Whether two outcomes are the same; an outcome with an error has no value. */
  boolean same(Object a, String errorA, Object b, String errorB) {
    if (errorA != null || errorB != null) {
      return errorA != null && errorA.equals(errorB);
    }
    if (a == null || b == null) {
      return a == b;
    }
    if (alike) {
      // The cases that almost every row is.
      if (a instanceof Double) {
        return Leaf.sameDouble((Double) a, (Double) b);
      } else if (a instanceof Float) {
        return Float.floatToIntBits((Float) a) == Float.floatToIntBits((Float) b);
      } else if (a instanceof Number || a instanceof Boolean || a instanceof org.apache.spark.unsafe.types.UTF8String) {
        return a.equals(b);
      } else if (a instanceof byte[]) {
        return Arrays.equals((byte[]) a, (byte[]) b);
      }
    }
    return sameCell(a, original, b, rewrite);
  }

  /** Every differing leaf. */
  List<Mismatch> differences(Object a, String errorA, Object b, String errorB, boolean beyondBmp) {
    List<Mismatch> found = new ArrayList<>();
    if (errorA == null && errorB == null) {
      visit(a, original, b, rewrite, "value", (path, decided, x, y) -> {
        Classify c = decided != null ? Classify.of(decided) : Classify.of(x, y, beyondBmp);
        found.add(new Mismatch(path, c, x, y));
        return true;
      });
      return found;
    }
    if (errorA != null && errorA.equals(errorB)) {
      return Collections.emptyList();
    }
    String id;
    if (errorA != null && errorB != null) {
      id = "exception-class";
    } else {
      id = (errorA != null ? b : a) == null ? "null-vs-throw" : "throw-vs-value";
    }
    String left = errorA != null ? "threw " + errorA : Text.cell(a, original);
    String right = errorB != null ? "threw " + errorB : Text.cell(b, rewrite);
    int most = Tally.LONGEST_TEXT;
    found.add(new Mismatch("error", Classify.of(id), Text.cut(left, most), Text.cut(right, most)));
    return found;
  }

  /** Takes a path, a class that the structure itself decided (or null) and both leaves; says whether to go on. */
  private interface OnDifference {
    boolean differs(String path, String decided, Leaf a, Leaf b);
  }

  private static boolean sameCell(Object a, DataType s, Object b, DataType t) {
    return visit(a, s, b, t, null, (path, decided, x, y) -> false);
  }

  /** False as soon as the callback does not want to go on. Without a path none are made. */
  private static boolean visit(Object a, DataType s, Object b, DataType t, String path, OnDifference on) {
    if (a == null || b == null) {
      return a == b || on.differs(path, null, shallow(a, s), shallow(b, t));
    }
    boolean listA = s instanceof ArrayType;
    boolean listB = t instanceof ArrayType;
    if (listA && listB) {
      return lists((ArrayData) a, (ArrayType) s, (ArrayData) b, (ArrayType) t, path, on);
    }
    if (listA || listB) {
      return on.differs(path, "type", shallow(a, s), shallow(b, t));
    }
    if (s instanceof MapType && t instanceof MapType) {
      return maps((MapData) a, (MapType) s, (MapData) b, (MapType) t, path, on);
    }
    if (s instanceof StructType && t instanceof StructType && ((StructType) s).size() == ((StructType) t).size()) {
      StructField[] fields = ((StructType) s).fields();
      StructField[] others = ((StructType) t).fields();
      for (int i = 0; i < fields.length; i++) {
        DataType p = fields[i].dataType();
        DataType q = others[i].dataType();
        String below = path == null ? null : path + "." + fields[i].name();
        if (!visit(((InternalRow) a).get(i, p), p, ((InternalRow) b).get(i, q), q, below, on)) {
          return false;
        }
      }
      return true;
    }
    Leaf x = shallowLeaf(a, s);
    Leaf y = shallowLeaf(b, t);
    return Leaf.same(x, y) || on.differs(path, null, x, y);
  }

  private static Leaf shallowLeaf(Object value, DataType type) {
    boolean nested = type instanceof MapType || type instanceof StructType || type instanceof ArrayType;
    return nested ? Leaf.other(type.catalogString()) : Leaf.of(value, type);
  }

  /** A nested value as one leaf, for a difference that concerns it as a whole. */
  private static Leaf shallow(Object value, DataType type) {
    if (value == null) {
      return Leaf.NULL;
    }
    Leaf leaf = shallowLeaf(value, type);
    return leaf.kind == Leaf.Kind.OTHER ? Leaf.other(Text.cell(value, type)) : leaf;
  }

  private static boolean lists(ArrayData x, ArrayType s, ArrayData y, ArrayType t, String path, OnDifference on) {
    DataType p = s.elementType();
    DataType q = t.elementType();
    int n = x.numElements();
    if (n != y.numElements()) {
      return on.differs(path, "array-length", whole(x, s), whole(y, t));
    }
    int first = 0;
    while (first < n && sameCell(x.get(first, p), p, y.get(first, q), q)) {
      first++;
    }
    if (first == n) {
      return true;
    }
    if (path != null && permutation(x, p, y, q)) {
      return on.differs(path, "unordered-output", whole(x, s), whole(y, t));
    }
    for (int i = first; i < n; i++) {
      if (!visit(x.get(i, p), p, y.get(i, q), q, path == null ? null : path + "[" + i + "]", on)) {
        return false;
      }
    }
    return true;
  }

  private static Leaf whole(ArrayData items, ArrayType type) {
    return Leaf.other(Text.cell(items, type));
  }

  private static boolean permutation(ArrayData x, DataType p, ArrayData y, DataType q) {
    int n = x.numElements();
    if (n > LONGEST_PERMUTATION) {
      return false;
    }
    List<Object> free = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      free.add(y.get(i, q));
    }
    for (int i = 0; i < n; i++) {
      Object item = x.get(i, p);
      int at = 0;
      while (at < free.size() && !sameCell(item, p, free.get(at), q)) {
        at++;
      }
      if (at == free.size()) {
        return false;
      }
      free.set(at, free.get(free.size() - 1));
      free.remove(free.size() - 1);
    }
    return true;
  }

  private static boolean maps(MapData a, MapType s, MapData b, MapType t, String path, OnDifference on) {
    ArrayData xk = a.keyArray();
    ArrayData yk = b.keyArray();
    DataType p = s.keyType();
    DataType q = t.keyType();
    DataType v = s.valueType();
    DataType w = t.valueType();
    Leaf missing = Leaf.other("no such key");
    for (int k = 0; k < xk.numElements(); k++) {
      Object key = xk.get(k, p);
      if (position(xk, p, key, p) != k) {
        continue;
      }
      String below = path == null ? null : path + "[" + Text.cell(key, p) + "]";
      int n = position(yk, q, key, p);
      Object mine = a.valueArray().get(k, v);
      boolean more = n >= 0
          ? visit(mine, v, b.valueArray().get(n, w), w, below, on)
          : on.differs(below, "map-keys", shallow(mine, v), missing);
      if (!more) {
        return false;
      }
    }
    for (int k = 0; k < yk.numElements(); k++) {
      Object key = yk.get(k, q);
      if (position(xk, p, key, q) < 0) {
        String below = path == null ? null : path + "[" + Text.cell(key, q) + "]";
        if (!on.differs(below, "map-keys", missing, shallow(b.valueArray().get(k, w), w))) {
          return false;
        }
      }
    }
    return true;
  }

  /** The last entry of a key counts, as in a JVM map; -1 if there is none. */
  private static int position(ArrayData keys, DataType type, Object key, DataType of) {
    for (int n = keys.numElements() - 1; n >= 0; n--) {
      if (sameCell(keys.get(n, type), type, key, of)) {
        return n;
      }
    }
    return -1;
  }
}
