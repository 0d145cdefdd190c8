package rewright.verify;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import rewright.worker.Failure;

/** The rows to run over: a table or Parquet files, with their columns under the names of the parameters. */
final class Input {
  /** Files that evidence names; of more, the digest speaks. */
  private static final int NAMED_FILES = 20;
  /** Files that are asked for their size and time; where there are more, the digest is over their names. */
  private static final int ASKED_FILES = 2000;

  private Input() {}

  /** Columns that the parameters name; where one has no column of its name, all by position. */
  static Dataset<Row> open(SparkSession session, Spec spec) {
    Dataset<Row> all;
    try {
      all = spec.isTable ? session.table(spec.input) : session.read().parquet(spec.input);
    } catch (Exception e) {
      throw explained(e, "input", "the input " + spec.input + " cannot be read: ");
    }
    String[] names = all.columns();
    int[] chosen = choose(names, spec.params);
    Column[] columns = new Column[chosen.length];
    for (int i = 0; i < chosen.length; i++) {
      columns[i] = column(names[chosen[i]]).as(spec.params.get(i));
    }
    return all.select(columns);
  }

  private static int[] choose(String[] names, List<String> params) {
    int[] chosen = new int[params.size()];
    boolean byName = true;
    for (int i = 0; i < chosen.length && byName; i++) {
      int at = 0;
      while (at < names.length && !names[at].equalsIgnoreCase(params.get(i))) {
        at++;
      }
      chosen[i] = at;
      byName = at < names.length;
    }
    if (byName) {
      return chosen;
    }
    int skip = names.length > 0 && names[0].equals("row") && !params.get(0).equals("row") ? 1 : 0;
    if (skip + params.size() > names.length) {
      throw new Failure("input", "the input has the columns " + Arrays.toString(names)
          + ", the UDF takes " + params + "; name the columns like the parameters, or give them in call order");
    }
    for (int i = 0; i < chosen.length; i++) {
      chosen[i] = skip + i;
    }
    return chosen;
  }

  /** A column by exactly this name, whatever is in it. */
  static Column column(String name) {
    return functions.col("`" + name.replace("`", "``") + "`");
  }

  /** Whether values of a type can be compared: everything but intervals and what a library defines. */
  static boolean compares(DataType type) {
    if (type instanceof ArrayType) {
      return compares(((ArrayType) type).elementType());
    } else if (type instanceof MapType) {
      return compares(((MapType) type).keyType()) && compares(((MapType) type).valueType());
    } else if (type instanceof StructType) {
      return Arrays.stream(((StructType) type).fields()).map(StructField::dataType).allMatch(Input::compares);
    }
    String name = type.typeName();
    return Arrays.asList("boolean", "byte", "short", "integer", "long", "float", "double", "string", "binary", "date",
        "timestamp", "timestamp_ntz", "void").contains(name) || name.startsWith("decimal(");
  }

  /** Which files it is made of: how many, how many bytes, and a digest over their names, sizes and times. */
  static void evidence(SparkSession session, Dataset<Row> input, ObjectNode to) {
    String[] files = input.inputFiles();
    Arrays.sort(files);
    Configuration conf = session.sparkContext().hadoopConfiguration();
    long bytes = 0;
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      List<String> named = new ArrayList<>();
      for (String f : files) {
        Path path = new Path(new java.net.URI(f));
        String line = path.toString();
        if (files.length <= ASKED_FILES) {
          FileStatus status = path.getFileSystem(conf).getFileStatus(path);
          bytes += status.getLen();
          line += " " + status.getLen() + " " + status.getModificationTime();
        }
        digest.update((line + "\n").getBytes(StandardCharsets.UTF_8));
        if (named.size() < NAMED_FILES) {
          named.add(path.toString());
        }
      }
      StringBuilder hex = new StringBuilder();
      for (byte b : digest.digest()) {
        hex.append(String.format("%02x", b));
      }
      to.put("file_count", files.length).put("bytes", bytes).put("digest", files.length == 0 ? "" : hex.toString());
      named.forEach(to.putArray("files")::add);
    } catch (java.io.IOException | java.net.URISyntaxException | NoSuchAlgorithmException e) {
      to.put("file_count", files.length).put("digest", "").put("undigested", String.valueOf(e));
    }
  }

  /** An exception of Spark's analysis as a failure of ours; anything else as it is. */
  static RuntimeException explained(Exception e, String kind, String prefix) {
    if (Failure.isAnalysis(e)) {
      String message = String.valueOf(e.getMessage());
      int plan = message.indexOf(";\n");
      return new Failure(kind, prefix + (plan < 0 ? message : message.substring(0, plan)).trim());
    }
    return rewright.worker.Interop.unchecked(e);
  }
}
