package rewright.verify;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** Runs the cases of a folder through the application's comparer; prints what is wrong and how many cases there were. */
public final class Golden {
  private Golden() {}

  public static void main(String[] args) throws Exception {
    int count = 0;
    int wrong = 0;
    List<Path> files;
    try (Stream<Path> all = Files.list(Paths.get(args[0]))) {
      files = all.filter(f -> f.toString().endsWith(".jsonl")).collect(Collectors.toList());
    }
    for (Path file : files) {
      for (String line : Files.readAllLines(file)) {
        JsonNode c = Events.JSON.readTree(line);
        String told = problem(c);
        count++;
        if (told != null) {
          wrong++;
          System.out.println(file.getFileName() + ": " + c.get("name") + ": " + told);
        }
      }
    }
    System.out.println(count + " cases, " + wrong + " wrong");
    System.exit(wrong == 0 ? 0 : 1);
  }

  private static String problem(JsonNode c) {
    DataType original = DataType.fromDDL(c.get("type").asText());
    DataType candidate = DataType.fromDDL(c.path("candidate_type").asText(c.get("type").asText()));
    Object a = value(c.get("original"), original);
    Object b = value(c.get("candidate"), candidate);
    String errorA = c.get("original").path("threw").asText(null);
    String errorB = c.get("candidate").path("threw").asText(null);
    boolean wide = false;
    for (JsonNode arg : c.path("args")) {
      wide |= arg.asText().codePoints().anyMatch(p -> p > 0xffff);
    }
    Comparer comparer = new Comparer(original, candidate);
    boolean same = comparer.same(a, errorA, b, errorB);
    List<Mismatch> found = same ? new ArrayList<>() : comparer.differences(a, errorA, b, errorB, wide);
    JsonNode expected = c.get("expect");
    if (same != (expected.size() == 0) || found.size() != expected.size()) {
      return "same " + same + ", " + found.size() + " mismatches";
    }
    for (int i = 0; i < found.size(); i++) {
      Mismatch m = found.get(i).shown();
      JsonNode e = expected.get(i);
      String is = m.path + " " + m.id + " " + (m.ulp == null ? "null" : Long.toUnsignedString(m.ulp)) + " " + m.abs + " " + m.rel;
      String should = e.get("path").asText() + " " + e.get("class").asText() + " " + e.get("ulp").asText() + " "
          + number(e.get("abs")) + " " + number(e.get("rel"));
      if (!is.equals(should)) {
        return is + ", not " + should;
      }
    }
    return null;
  }

  private static Double number(JsonNode n) {
    return n.isNull() ? null : n.asDouble();
  }

  private static Object value(JsonNode v, DataType type) {
    if (v == null || v.isNull() || v.has("threw")) {
      return null;
    }
    if (type instanceof ArrayType) {
      List<Object> items = new ArrayList<>();
      v.forEach(i -> items.add(value(i, ((ArrayType) type).elementType())));
      return new GenericArrayData(items.toArray());
    } else if (type instanceof StructType) {
      List<Object> fields = new ArrayList<>();
      for (int i = 0; i < v.size(); i++) {
        fields.add(value(v.get(i), ((StructType) type).fields()[i].dataType()));
      }
      return new GenericInternalRow(fields.toArray());
    } else if (type instanceof MapType) {
      List<Object> keys = new ArrayList<>();
      List<Object> values = new ArrayList<>();
      v.forEach(pair -> {
        keys.add(value(pair.get(0), ((MapType) type).keyType()));
        values.add(value(pair.get(1), ((MapType) type).valueType()));
      });
      return new ArrayBasedMapData(new GenericArrayData(keys.toArray()), new GenericArrayData(values.toArray()));
    } else if (type instanceof DecimalType) {
      DecimalType d = (DecimalType) type;
      return Decimal.apply(new BigDecimal(v.asText()), d.precision(), d.scale());
    }
    switch (type.typeName()) {
      case "boolean":
        return v.asBoolean();
      case "byte":
        return (byte) v.asInt();
      case "short":
        return (short) v.asInt();
      case "integer":
      case "date":
        return v.asInt();
      case "float":
        return v.asText().startsWith("bits:")
            ? Float.intBitsToFloat(Integer.parseUnsignedInt(v.asText().substring(7), 16))
            : Float.parseFloat(v.asText());
      case "double":
        return v.asText().startsWith("bits:")
            ? Double.longBitsToDouble(Long.parseUnsignedLong(v.asText().substring(7), 16))
            : Double.parseDouble(v.asText());
      case "string":
        return UTF8String.fromString(v.asText());
      case "binary":
        byte[] bytes = new byte[v.asText().length() / 2 - 1];
        for (int i = 0; i < bytes.length; i++) {
          bytes[i] = (byte) Integer.parseInt(v.asText().substring(2 * i + 2, 2 * i + 4), 16);
        }
        return bytes;
      default:
        return v.asLong();
    }
  }
}
