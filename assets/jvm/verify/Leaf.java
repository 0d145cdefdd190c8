package rewright.verify;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.unsafe.types.UTF8String;

/** A scalar of a result, widened so that results of near types compare by value; and when two of them are the same. */
final class Leaf {
  /** What a leaf holds. */
  enum Kind { NULL, BOOL, INT, FLOAT, DOUBLE, DECIMAL, TEXT, BYTES, DATE, TIMESTAMP, OTHER }

  static final Leaf NULL = new Leaf(Kind.NULL, 0, 0, 0, null, null, null);
  private static final BigDecimal BEYOND_LONG = new BigDecimal("9.3e18");

  final Kind kind;
  /** Of a BOOL (0 or 1), an INT, a DATE in days, a TIMESTAMP in microseconds. */
  final long integer;
  /** Bits of an INT; scale of a DECIMAL. */
  final int width;
  /** Of a DOUBLE or a FLOAT, which widens without loss. */
  final double real;
  /** Of a DECIMAL. */
  final BigInteger unscaled;
  /** Of a TEXT or an OTHER. */
  final String text;
  /** Of a BYTES or a TEXT. */
  final byte[] bytes;

  private Leaf(Kind kind, long integer, int width, double real, BigInteger unscaled, String text, byte[] bytes) {
    this.kind = kind;
    this.integer = integer;
    this.width = width;
    this.real = real;
    this.unscaled = unscaled;
    this.text = text;
    this.bytes = bytes;
  }

  private static Leaf of(Kind kind, long integer, int width) {
    return new Leaf(kind, integer, width, 0, null, null, null);
  }

  /** Something that is compared as a whole only; its text is what a report shows. */
  static Leaf other(String text) {
    return new Leaf(Kind.OTHER, 0, 0, 0, null, text, null);
  }

  /** The scalar of a Catalyst value. */
  static Leaf of(Object value, DataType type) {
    if (value == null) {
      return NULL;
    } else if (type instanceof BooleanType) {
      return of(Kind.BOOL, (Boolean) value ? 1 : 0, 1);
    } else if (type instanceof ByteType) {
      return of(Kind.INT, (Byte) value, 8);
    } else if (type instanceof ShortType) {
      return of(Kind.INT, (Short) value, 16);
    } else if (type instanceof IntegerType) {
      return of(Kind.INT, (Integer) value, 32);
    } else if (type instanceof LongType) {
      return of(Kind.INT, (Long) value, 64);
    } else if (type instanceof FloatType) {
      return new Leaf(Kind.FLOAT, 0, 0, (Float) value, null, null, null);
    } else if (type instanceof DoubleType) {
      return new Leaf(Kind.DOUBLE, 0, 0, (Double) value, null, null, null);
    } else if (type instanceof DecimalType) {
      BigDecimal d = ((Decimal) value).toJavaBigDecimal();
      // The scale is that of the type; a value that does not fit it keeps its own.
      int scale = Math.max(d.scale(), ((DecimalType) type).scale());
      return new Leaf(Kind.DECIMAL, 0, scale, 0, d.setScale(scale).unscaledValue(), null, null);
    } else if (type instanceof StringType) {
      UTF8String s = (UTF8String) value;
      return new Leaf(Kind.TEXT, 0, 0, 0, null, s.toString(), s.getBytes());
    } else if (type instanceof BinaryType) {
      return new Leaf(Kind.BYTES, 0, 0, 0, null, null, (byte[]) value);
    } else if (type instanceof DateType) {
      return of(Kind.DATE, (Integer) value, 32);
    } else if (type instanceof TimestampType || type instanceof TimestampNTZType) {
      return of(Kind.TIMESTAMP, (Long) value, 64);
    }
    return other("(" + type.catalogString() + ")");
  }

  /** Whether two leaves are the same: floats by bits but every NaN alike, numbers of different types by value. */
  static boolean same(Leaf a, Leaf b) {
    if (a.kind == Kind.OTHER || b.kind == Kind.OTHER) {
      return false;
    }
    if (a.kind == b.kind) {
      return sameKind(a, b);
    }
    if (a.kind == Kind.INT || b.kind == Kind.INT) {
      Leaf integer = a.kind == Kind.INT ? a : b;
      Leaf number = a.kind == Kind.INT ? b : a;
      if (number.kind == Kind.DECIMAL) {
        return sameDecimal(BigInteger.valueOf(integer.integer), 0, number.unscaled, number.width);
      }
      return number.isFloat() && intIsFloat(integer.integer, number.real);
    }
    return a.isFloat() && b.isFloat() && sameDouble(a.real, b.real);
  }

  private static boolean sameKind(Leaf a, Leaf b) {
    switch (a.kind) {
      case NULL:
        return true;
      case FLOAT:
      case DOUBLE:
        return sameDouble(a.real, b.real);
      case DECIMAL:
        return sameDecimal(a.unscaled, a.width, b.unscaled, b.width);
      case TEXT:
      case BYTES:
        return Arrays.equals(a.bytes, b.bytes);
      default:
        return a.integer == b.integer;
    }
  }

  boolean isFloat() {
    return kind == Kind.FLOAT || kind == Kind.DOUBLE;
  }

  /** Bits alike, every NaN the same. */
  static boolean sameDouble(double a, double b) {
    return Double.doubleToLongBits(a) == Double.doubleToLongBits(b);
  }

  private static boolean intIsFloat(long x, double y) {
    // -0.0 is no integer: its sign would be lost.
    if (Double.isNaN(y) || Double.isInfinite(y) || (y == 0 && 1 / y < 0)) {
      return false;
    }
    BigDecimal exact = new BigDecimal(y);
    return exact.abs().compareTo(BEYOND_LONG) < 0 && exact.compareTo(BigDecimal.valueOf(x)) == 0;
  }

  private static boolean sameDecimal(BigInteger x, int s, BigInteger y, int t) {
    if (s == t) {
      return x.equals(y);
    }
    int top = Math.max(s, t);
    BigInteger p = up(x, top - s);
    BigInteger q = up(y, top - t);
    return p != null && p.equals(q);
  }

  /** Times a power of ten; null beyond 128 bits, where nothing can be equal to a decimal. */
  private static BigInteger up(BigInteger v, int by) {
    if (by > 38) {
      return null;
    }
    BigInteger scaled = v.multiply(BigInteger.TEN.pow(by));
    return scaled.bitLength() <= 127 ? scaled : null;
  }

  /** Whether it has a place on the number line. */
  boolean isNumber() {
    return isFloat() || kind == Kind.INT || kind == Kind.DECIMAL;
  }

  /** A number's value as a float, for distances. */
  double number() {
    switch (kind) {
      case INT:
        return (double) integer;
      case DECIMAL:
        return unscaled.doubleValue() / powerOfTen(width);
      default:
        return real;
    }
  }

  /** By squaring, as compiled code does it: above 10^22 the way decides about the last bit. */
  private static double powerOfTen(int n) {
    double result = 1;
    double factor = 10;
    for (int left = n; ; factor *= factor) {
      if ((left & 1) == 1) {
        result *= factor;
      }
      left >>= 1;
      if (left == 0) {
        return result;
      }
    }
  }

  /** Distance in units in the last place, unsigned; neither is NaN. */
  static long ulp(double a, double b) {
    long x = key(Double.doubleToRawLongBits(a));
    long y = key(Double.doubleToRawLongBits(b));
    return x >= y ? x - y : y - x;
  }

  /** As {@link #ulp(double, double)}, for binary32. */
  static long ulp(float a, float b) {
    return Math.abs(key(Float.floatToRawIntBits(a)) - key(Float.floatToRawIntBits(b)));
  }

  /** Maps bits so that neighbouring floats are neighbouring integers; both zeros fall together. */
  private static long key(long bits) {
    return bits < 0 ? Long.MIN_VALUE - bits : bits;
  }

  private static long key(int bits) {
    return bits < 0 ? Integer.MIN_VALUE - bits : bits;
  }
}
