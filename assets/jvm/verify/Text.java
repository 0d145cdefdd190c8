package rewright.verify;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Cells as text: strings in quotes with escapes, floats by the shortest digits that read back, {@code null}. */
final class Text {
  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);

  private Text() {}

  /** One cell, nested or not. */
  static String cell(Object value, DataType type) {
    if (value == null) {
      return "null";
    }
    StringBuilder out = new StringBuilder();
    if (type instanceof ArrayType) {
      ArrayData items = (ArrayData) value;
      DataType of = ((ArrayType) type).elementType();
      for (int i = 0; i < items.numElements(); i++) {
        out.append(i == 0 ? "" : ", ").append(cell(items.get(i, of), of));
      }
      return "[" + out + "]";
    } else if (type instanceof StructType) {
      StructField[] fields = ((StructType) type).fields();
      for (int i = 0; i < fields.length; i++) {
        DataType of = fields[i].dataType();
        out.append(i == 0 ? "" : ", ").append(fields[i].name()).append(": ");
        out.append(cell(((InternalRow) value).get(i, of), of));
      }
      return "{" + out + "}";
    } else if (type instanceof MapType) {
      MapData map = (MapData) value;
      DataType keys = ((MapType) type).keyType();
      DataType values = ((MapType) type).valueType();
      for (int i = 0; i < map.numElements(); i++) {
        out.append(i == 0 ? "" : ", ").append(cell(map.keyArray().get(i, keys), keys)).append(" -> ");
        out.append(cell(map.valueArray().get(i, values), values));
      }
      return "{" + out + "}";
    }
    return leaf(Leaf.of(value, type));
  }

  /** A scalar. */
  static String leaf(Leaf l) {
    switch (l.kind) {
      case NULL:
        return "null";
      case BOOL:
        return l.integer == 1 ? "true" : "false";
      case FLOAT:
        return real(l.real, shortest((float) l.real));
      case DOUBLE:
        return real(l.real, shortest(l.real));
      case DECIMAL:
        return new BigDecimal(l.unscaled, l.width).toPlainString();
      case TEXT:
        return quoted(l.text);
      case BYTES:
        return hex(l.bytes);
      case DATE:
        return LocalDate.ofEpochDay(l.integer).toString();
      case TIMESTAMP:
        return timestamp(l.integer);
      case OTHER:
        return "(" + l.text + ")";
      default:
        return Long.toString(l.integer);
    }
  }

  private static String timestamp(long micros) {
    Instant at = Instant.ofEpochSecond(Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1000);
    int fraction = at.getNano() / 1000;
    String shown = fraction == 0 ? "" : fraction % 1000 == 0
        ? String.format(".%03d", fraction / 1000) : String.format(".%06d", fraction);
    return SECONDS.format(at) + shown + "Z";
  }

  private static String hex(byte[] bytes) {
    StringBuilder out = new StringBuilder("0x");
    for (byte b : bytes) {
      out.append(String.format("%02x", b));
    }
    return out.toString();
  }

  private static String real(double v, BigDecimal shortest) {
    if (Double.isNaN(v)) {
      return "NaN";
    } else if (Double.isInfinite(v)) {
      return v > 0 ? "inf" : "-inf";
    } else if (v == 0) {
      return 1 / v < 0 ? "-0.0" : "0.0";
    }
    double size = Math.abs(v);
    if (size >= 1e16 || size < 1e-4) {
      String digits = shortest.unscaledValue().abs().toString();
      int exponent = digits.length() - 1 - shortest.scale();
      String rest = digits.length() > 1 ? "." + digits.substring(1) : "";
      return (v < 0 ? "-" : "") + digits.charAt(0) + rest + "e" + exponent;
    }
    String plain = shortest.toPlainString();
    return plain.indexOf('.') < 0 ? plain + ".0" : plain;
  }

  /** The shortest decimal that reads back as this double, without zeros at its end; null if it is not finite. */
  static BigDecimal shortest(double v) {
    if (Double.isNaN(v) || Double.isInfinite(v)) {
      return null;
    }
    BigDecimal exact = new BigDecimal(v);
    for (int digits = 1; digits < 17; digits++) {
      BigDecimal short_ = exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
      if (short_.doubleValue() == v) {
        return short_.stripTrailingZeros();
      }
    }
    return exact.round(new MathContext(17, RoundingMode.HALF_EVEN)).stripTrailingZeros();
  }

  private static BigDecimal shortest(float v) {
    if (Float.isNaN(v) || Float.isInfinite(v)) {
      return null;
    }
    BigDecimal exact = new BigDecimal(v);
    for (int digits = 1; digits < 9; digits++) {
      BigDecimal short_ = exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
      if (short_.floatValue() == v) {
        return short_.stripTrailingZeros();
      }
    }
    return exact.round(new MathContext(9, RoundingMode.HALF_EVEN)).stripTrailingZeros();
  }

  private static String quoted(String s) {
    StringBuilder out = new StringBuilder("\"");
    s.codePoints().forEach(c -> {
      switch (c) {
        case '"':
          out.append("\\\"");
          break;
        case '\\':
          out.append("\\\\");
          break;
        case '\n':
          out.append("\\n");
          break;
        case '\r':
          out.append("\\r");
          break;
        case '\t':
          out.append("\\t");
          break;
        case 0:
          out.append("\\0");
          break;
        default:
          if (shows(c)) {
            out.appendCodePoint(c);
          } else {
            out.append("\\u{").append(Integer.toHexString(c)).append('}');
          }
      }
    });
    return out.append('"').toString();
  }

  private static boolean shows(int c) {
    switch (Character.getType(c)) {
      case Character.CONTROL:
      case Character.FORMAT:
      case Character.SURROGATE:
      case Character.PRIVATE_USE:
      case Character.UNASSIGNED:
      case Character.LINE_SEPARATOR:
      case Character.PARAGRAPH_SEPARATOR:
      case Character.NON_SPACING_MARK:
      case Character.ENCLOSING_MARK:
        return false;
      case Character.SPACE_SEPARATOR:
        return c == ' ';
      default:
        return true;
    }
  }

  /** A text cut to a size that a report can hold. */
  static String cut(String s, int most) {
    if (s.length() <= most) {
      return s;
    }
    int at = Character.isHighSurrogate(s.charAt(most - 1)) ? most - 1 : most;
    int bytes = s.getBytes(StandardCharsets.UTF_8).length;
    return s.substring(0, at) + "… (" + bytes + " bytes)";
  }
}
