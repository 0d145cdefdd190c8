package rewright.verify;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.regex.Pattern;

/** Which class a differing leaf belongs to, and how far apart its sides are; the ids are those of every report. */
final class Classify {
  /** Largest distance that still counts as a difference in the last digits. */
  private static final long LAST_ULPS = 4;
  private static final long QUARTER_HOUR = 900_000_000L;
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(\\d+\\.?\\d*([eE][+-]?\\d+)?|\\.\\d+([eE][+-]?\\d+)?|(?i:inf|infinity|nan))");
  private static final Pattern INTEGER = Pattern.compile("[+-]?\\d+");

  final String id;
  /** Distance in units in the last place, unsigned; null where there is none. */
  final Long ulp;
  final Double abs;
  final Double rel;

  private Classify(String id, Long ulp, Double abs, Double rel) {
    this.id = id;
    this.ulp = ulp;
    this.abs = abs;
    this.rel = rel;
  }

  /** A difference without distances. */
  static Classify of(String id) {
    return new Classify(id, null, null, null);
  }

  /** Classifies two leaves that are not the same. */
  static Classify of(Leaf a, Leaf b, boolean beyondBmp) {
    if (a.kind == Leaf.Kind.NULL || b.kind == Leaf.Kind.NULL) {
      return of("null-vs-value");
    }
    if (a.kind == b.kind) {
      switch (a.kind) {
        case BOOL:
          return of("boolean-value");
        case DOUBLE:
          return real(a.real, b.real, false);
        case FLOAT:
          return real(a.real, b.real, true);
        case INT:
          return withDistance(integer(a.integer, b.integer, Math.min(a.width, b.width), beyondBmp), a, b);
        case DECIMAL:
          return withDistance(decimal(a, b), a, b);
        case TEXT:
          return of(text(a.text, b.text, beyondBmp));
        case BYTES:
          return of("binary-value");
        case DATE:
          return of(Math.abs(a.integer - b.integer) == 1 ? "off-by-one" : "date-value");
        case TIMESTAMP:
          return of(timestamp(a.integer, b.integer));
        default:
          return of("type");
      }
    }
    return a.isNumber() && b.isNumber() ? real(a.number(), b.number(), false) : of("type");
  }

  private static Classify withDistance(String id, Leaf a, Leaf b) {
    double x = a.number();
    double y = b.number();
    return new Classify(id, null, Math.abs(x - y), relative(x, y));
  }

  /** Relative to the original; unknown where that is zero. */
  private static Double relative(double x, double y) {
    double rel = Math.abs((x - y) / x);
    return Double.isNaN(rel) || Double.isInfinite(rel) ? null : rel;
  }

  private static Classify real(double x, double y, boolean single) {
    if (Double.isNaN(x) || Double.isNaN(y)) {
      return of("nan-vs-number");
    }
    if (Double.isInfinite(x) || Double.isInfinite(y)) {
      return of("infinity");
    }
    if (x == 0 && y == 0) {
      return of("negative-zero-sign");
    }
    long ulp = single ? Leaf.ulp((float) x, (float) y) : Leaf.ulp(x, y);
    String id = Long.compareUnsigned(ulp, LAST_ULPS) <= 0 ? "last-ulp" : oneUnitApart(x, y) ? "round-half" : "float-value";
    return new Classify(id, ulp, Math.abs(x - y), relative(x, y));
  }

  /** Whether both have few decimals and differ by one unit of the last of them: 1.02 and 1.03, never 1.5 and 2.5 alone. */
  private static boolean oneUnitApart(double x, double y) {
    // Counting decimals is slow: most differences are no power of ten at all.
    double power = Math.log10(Math.abs(x - y));
    if (!(power > -9.5 && power < -0.5) || Math.abs(power - Math.rint(power)) > 1e-3) {
      return false;
    }
    int k = Math.max(places(x), places(y));
    if (k < 1 || k > 9) {
      return false;
    }
    double unit = 1 / Math.pow(10, k);
    return Math.abs(Math.abs(x - y) / unit - 1) < 1e-3;
  }

  private static int places(double v) {
    return v == 0 ? 0 : Math.max(0, Text.shortest(v).scale());
  }

  private static String integer(long x, long y, int width, boolean beyondBmp) {
    // Unsigned: two longs are less than 2^64 apart.
    long distance = x >= y ? x - y : y - x;
    if (beyondBmp && Long.compareUnsigned(distance, 1 << 20) < 0) {
      return "utf16-index";
    }
    if (distance == 1) {
      return "off-by-one";
    }
    boolean wraps32 = (distance & 0xffff_ffffL) == 0;
    if (extreme(x, width) != extreme(y, width) && !wraps32) {
      return "float-to-int-saturate";
    }
    boolean wraps = width <= 16 ? (distance & ((1L << width) - 1)) == 0 : wraps32;
    return wraps ? "int-overflow-wrap" : "integer-value";
  }

  private static boolean extreme(long v, int width) {
    return v == Long.MIN_VALUE || v == Long.MAX_VALUE || v == Integer.MIN_VALUE || v == Integer.MAX_VALUE
        || (width < 32 && (v == -128 || v == 127 || v == -32768 || v == 32767));
  }

  private static String decimal(Leaf a, Leaf b) {
    boolean one = a.width == b.width && a.unscaled.subtract(b.unscaled).abs().equals(BigInteger.ONE);
    return one ? "round-half" : "decimal-value";
  }

  private static String timestamp(long x, long y) {
    long distance = x >= y ? x - y : y - x;
    boolean quarters = Long.remainderUnsigned(distance, QUARTER_HOUR) == 0;
    return quarters && Long.compareUnsigned(distance, 96 * QUARTER_HOUR) <= 0 ? "timezone-dst" : "date-value";
  }

  private static String text(String x, String y, boolean beyondBmp) {
    if (fold(x).equals(fold(y))) {
      return "case-map-special";
    }
    if (beyondBmp) {
      return "utf16-index";
    }
    if (trimmedOtherwise(x, y)) {
      return "trim-charset";
    }
    Double p = parse(x);
    Double q = parse(y);
    if (p != null && q != null && (p.doubleValue() == q.doubleValue() || (p.isNaN() && q.isNaN()))) {
      return "number-text";
    }
    return lastDigitApart(x, y) ? "round-half" : "string-value";
  }

  private static String fold(String s) {
    return s.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
  }

  /**
   * Whether only the ends differ, in white space that not every trim removes: a plain blank tells of no set of characters,
   * and white space inside is not trimmed.
   */
  private static boolean trimmedOtherwise(String x, String y) {
    boolean first = x.length() > y.length();
    String wide = first ? x : y;
    String narrow = first ? y : x;
    int at = wide.indexOf(narrow);
    if (at < 0 || (narrow.isEmpty() && !wide.codePoints().allMatch(Classify::blank))) {
      return false;
    }
    String ends = wide.substring(0, at) + wide.substring(at + narrow.length());
    return ends.codePoints().allMatch(Classify::blank) && ends.codePoints().anyMatch(c -> c != ' ');
  }

  /** Unicode's white space, and what the JVM's {@code trim} removes. */
  private static boolean blank(int c) {
    return c <= ' ' || c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028
        || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
  }

  private static Double parse(String s) {
    if (!NUMBER.matcher(s).matches()) {
      return null;
    }
    String body = s.startsWith("+") || s.startsWith("-") ? s.substring(1) : s;
    double sign = s.startsWith("-") ? -1 : 1;
    if (Character.isLetter(body.charAt(0))) {
      return body.equalsIgnoreCase("nan") ? Double.NaN : sign * Double.POSITIVE_INFINITY;
    }
    return sign * Double.parseDouble(body);
  }

  /** Whether two texts are numbers of the same number of decimals, one unit in the last place apart: "1.00", "1.01". */
  private static boolean lastDigitApart(String x, String y) {
    BigDecimal p = digits(x);
    BigDecimal q = digits(y);
    return p != null && q != null && p.scale() == q.scale()
        && p.unscaledValue().subtract(q.unscaledValue()).abs().equals(BigInteger.ONE);
  }

  /** All digits as one integer, with the number of those after the point as its scale. */
  private static BigDecimal digits(String s) {
    int point = s.indexOf('.');
    if (point < 0) {
      return null;
    }
    String fraction = s.substring(point + 1);
    String all = (s.substring(0, point) + fraction).replace(",", "");
    if (!INTEGER.matcher(all).matches()) {
      return null;
    }
    BigInteger value = new BigInteger(all);
    int places = fraction.getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
    return value.bitLength() <= 127 ? new BigDecimal(value, places) : null;
  }
}
