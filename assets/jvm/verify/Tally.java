package rewright.verify;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.Serializable;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * What rows add up to: counts, and per class the worst case and the first few. Of bounded size whatever the number of rows;
 * two of them merge into the same, in whichever order partitions end.
 */
final class Tally implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Longest text of one cell that is kept. */
  static final int LONGEST_TEXT = 300;

  long rows;
  long different;
  /** Of those, rows in which the policy accepts every mismatch. */
  long accepted;
  long originalValues;
  long rewriteValues;
  long originalThrew;
  long rewriteThrew;
  /** Whether it ended before its partition did, because enough rows differ. */
  boolean stopped;
  /** The class of what the rewrite threw where rows cannot be taken apart; the run is then of no use. */
  String threw;
  final TreeMap<String, PerClass> classes = new TreeMap<>();

  /** A mismatch with the place and the arguments of its row. */
  static final class Sample implements Serializable, Comparable<Sample> {
    private static final long serialVersionUID = 1L;

    final int partition;
    final long row;
    final Mismatch mismatch;
    final String[] args;

    Sample(int partition, long row, Mismatch mismatch, String[] args) {
      this.partition = partition;
      this.row = row;
      this.mismatch = mismatch;
      this.args = args;
    }

    @Override
    public int compareTo(Sample o) {
      return partition != o.partition ? Integer.compare(partition, o.partition) : Long.compare(row, o.row);
    }
  }

  /** The rows of one class. */
  static final class PerClass implements Serializable {
    private static final long serialVersionUID = 1L;

    long rows;
    long accepted;
    Sample worst;
    /** The smallest bounds that would pass; null where a mismatch has no such distance. */
    Long ulp;
    Double abs;
    Double rel;
    List<Sample> first = new ArrayList<>();

    private PerClass(Sample s) {
      worst = s;
      ulp = s.mismatch.ulp;
      abs = s.mismatch.abs;
      rel = s.mismatch.rel;
    }

    private void worst(Sample s) {
      boolean worse = s.mismatch.worseThan(worst.mismatch);
      // Equally bad: the first in order, so that the result does not depend on which partition ends first.
      if (worse || (!worst.mismatch.worseThan(s.mismatch) && s.compareTo(worst) < 0)) {
        worst = s;
      }
    }

    private void bound(Long u, Double a, Double r) {
      ulp = ulp == null || u == null ? null : Long.compareUnsigned(ulp, u) >= 0 ? ulp : u;
      abs = abs == null || a == null ? null : Double.valueOf(Math.max(abs, a));
      rel = rel == null || r == null ? null : Double.valueOf(Math.max(rel, r));
    }
  }

  /** Counts a differing row; asks for the texts of its arguments only if it is kept. */
  void differs(List<Mismatch> found, int partition, long row, Supplier<String[]> args, int samples) {
    different++;
    Map<String, Boolean> seen = new HashMap<>();
    for (Mismatch m : found) {
      PerClass c = classes.get(m.id);
      boolean first = c == null || c.first.size() < samples;
      if (first || m.worseThan(c.worst.mismatch)) {
        Sample s = new Sample(partition, row, m.shown(), args.get());
        if (c == null) {
          c = new PerClass(s);
          classes.put(m.id, c);
        }
        if (first && samples > 0) {
          c.first.add(s);
        }
        if (m.worseThan(c.worst.mismatch)) {
          c.worst = s;
        }
      }
      c.bound(m.ulp, m.abs, m.rel);
      seen.merge(m.id, m.accepted, Boolean::logicalAnd);
    }
    seen.forEach((id, ok) -> {
      classes.get(id).rows++;
      classes.get(id).accepted += ok ? 1 : 0;
    });
    accepted += seen.containsValue(false) ? 0 : 1;
  }

  /** Adds what another part came to. */
  void add(Tally other, int samples) {
    rows += other.rows;
    different += other.different;
    accepted += other.accepted;
    originalValues += other.originalValues;
    rewriteValues += other.rewriteValues;
    originalThrew += other.originalThrew;
    rewriteThrew += other.rewriteThrew;
    stopped |= other.stopped;
    other.classes.forEach((id, c) -> {
      PerClass mine = classes.get(id);
      if (mine == null) {
        classes.put(id, c);
        return;
      }
      mine.rows += c.rows;
      mine.accepted += c.accepted;
      mine.worst(c.worst);
      mine.bound(c.ulp, c.abs, c.rel);
      List<Sample> both = new ArrayList<>(mine.first);
      both.addAll(c.first);
      both.sort(null);
      mine.first = new ArrayList<>(both.subList(0, Math.min(samples, both.size())));
    });
  }

  /** Rows that differ and that the policy does not accept. */
  long refused() {
    return different - accepted;
  }

  /** As the report takes it. */
  void into(ObjectNode json) {
    json.put("rows", rows).put("different_rows", different).put("accepted_rows", accepted);
    json.put("original_values", originalValues).put("rewrite_values", rewriteValues);
    json.put("original_threw", originalThrew).put("rewrite_threw", rewriteThrew).put("stopped", stopped);
    ObjectNode all = json.putObject("classes");
    classes.forEach((id, c) -> {
      ObjectNode to = all.putObject(id);
      to.put("rows", c.rows).put("accepted", c.accepted);
      put(to, "max_ulp", c.ulp);
      put(to, "max_abs", c.abs);
      put(to, "max_rel", c.rel);
      sample(to.putObject("worst"), c.worst);
      ArrayNode first = to.putArray("sample");
      c.first.forEach(s -> sample(first.addObject(), s));
    });
  }

  private static void sample(ObjectNode to, Sample s) {
    Mismatch m = s.mismatch;
    to.put("partition", s.partition).put("row", s.row).put("path", m.path).put("class", m.id);
    to.put("original", m.original).put("rewrite", m.rewrite);
    put(to, "ulp", m.ulp);
    put(to, "abs", m.abs);
    put(to, "rel", m.rel);
    to.put("accepted", m.accepted);
    ArrayNode args = to.putArray("args");
    for (String a : s.args) {
      args.add(a);
    }
  }

  /** Distances in ULP are unsigned. */
  static void put(ObjectNode to, String name, Long unsigned) {
    if (unsigned == null) {
      to.putNull(name);
    } else {
      to.put(name, new BigInteger(Long.toUnsignedString(unsigned)));
    }
  }

  /** JSON has no infinities. */
  static void put(ObjectNode to, String name, Double value) {
    if (value == null || Double.isNaN(value) || Double.isInfinite(value)) {
      to.putNull(name);
    } else {
      to.put(name, value);
    }
  }
}
