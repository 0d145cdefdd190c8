package rewright.verify;

import java.io.Serializable;

/** One differing leaf of one row. */
final class Mismatch implements Serializable {
  private static final long serialVersionUID = 1L;

  final String path;
  final String id;
  String original;
  String rewrite;
  final Long ulp;
  final Double abs;
  final Double rel;
  boolean accepted;
  /** What the texts are made of, only for the few that are kept: making them costs more than comparing. */
  private transient Leaf left;
  private transient Leaf right;

  Mismatch(String path, Classify found, Leaf left, Leaf right) {
    this(path, found, (String) null, null);
    this.left = left;
    this.right = right;
  }

  Mismatch(String path, Classify found, String original, String rewrite) {
    this.path = path;
    this.id = found.id;
    this.original = original;
    this.rewrite = rewrite;
    this.ulp = found.ulp;
    this.abs = found.abs;
    this.rel = found.rel;
  }

  /** Makes the texts, if they are not made yet. */
  Mismatch shown() {
    if (original == null) {
      original = Text.cut(Text.leaf(left), Tally.LONGEST_TEXT);
      rewrite = Text.cut(Text.leaf(right), Tally.LONGEST_TEXT);
    }
    return this;
  }

  /** Whether this is a worse case than another: by ULP, then relative, then absolute distance. */
  boolean worseThan(Mismatch other) {
    if (ulp != null && other.ulp != null && !ulp.equals(other.ulp)) {
      return Long.compareUnsigned(ulp, other.ulp) > 0;
    }
    if (rel != null && other.rel != null && rel.doubleValue() != other.rel.doubleValue()) {
      return rel > other.rel;
    }
    return abs != null && other.abs != null && abs > other.abs;
  }
}
