package rewright.worker;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.execution.arrow.ArrowWriter;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/**
 * The outcomes of a range of rows, in order, and the Arrow stream that they become: a column {@code value} and, if a row threw, a
 * column {@code error} with the simple name of what it threw.
 */
public final class Results implements AutoCloseable {
  private final VectorSchemaRoot root;
  private final FieldVector vector;
  /** Writes values of any type; null where the vector takes them itself. */
  private final ArrowWriter writer;
  private final GenericInternalRow row = new GenericInternalRow(1);
  private final int rows;
  private int at;
  private String[] errors;

  Results(DataType type, String zone, int rows) {
    this.rows = rows;
    root = VectorSchemaRoot.create(schema(type, zone), Rows.MEMORY);
    vector = root.getVector(0);
    boolean plain = vector instanceof Float8Vector || vector instanceof BigIntVector || vector instanceof IntVector;
    if (plain) {
      vector.setInitialCapacity(rows);
      vector.allocateNew();
    }
    writer = plain ? null : ArrowWriter.create(root);
  }

  private static Schema schema(DataType type, String zone) {
    Object utils = Interop.module("org.apache.spark.sql.util.ArrowUtils");
    return (Schema) Interop.callWithFlags(utils, "toArrowSchema", new StructType().add("value", type, true), zone);
  }

  /** The next row gave a value, as Catalyst holds it, or null. */
  void add(Object value) {
    int i = at++;
    if (writer != null) {
      row.update(0, value);
      writer.write(row);
    } else if (value == null) {
      vector.setNull(i);
    } else if (vector instanceof Float8Vector) {
      ((Float8Vector) vector).set(i, (Double) value);
    } else if (vector instanceof BigIntVector) {
      ((BigIntVector) vector).set(i, (Long) value);
    } else {
      ((IntVector) vector).set(i, (Integer) value);
    }
  }

  /** The next row threw. */
  void threw(String error) {
    if (errors == null) {
      errors = new String[rows];
    }
    errors[at] = error;
    add(null);
  }

  /** Writes all rows as an Arrow stream. */
  void write(Path to) {
    if (writer != null) {
      writer.finish();
    }
    vector.setValueCount(rows);
    List<FieldVector> columns = new ArrayList<>(Collections.singletonList(vector));
    try (VarCharVector threw = new VarCharVector("error", Rows.MEMORY)) {
      if (errors != null) {
        fill(threw);
        columns.add(threw);
      }
      write(new VectorSchemaRoot(columns), to);
    }
  }

  private void fill(VarCharVector threw) {
    threw.allocateNew(rows);
    for (int i = 0; i < rows; i++) {
      if (errors[i] != null) {
        threw.setSafe(i, errors[i].getBytes(StandardCharsets.UTF_8));
      }
    }
    threw.setValueCount(rows);
  }

  /** Writes one batch as a stream. */
  public static void write(VectorSchemaRoot root, Path to) {
    // Straight from Arrow's memory into the file: a stream between them would copy every byte in small pieces.
    try (FileChannel out = FileChannel.open(
            to, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
        ArrowStreamWriter writer = new ArrowStreamWriter(root, null, out)) {
      writer.writeBatch();
      writer.end();
    } catch (IOException e) {
      throw new Failure("internal", "the results cannot be written: " + e);
    }
  }

  @Override
  public void close() {
    root.close();
  }
}
