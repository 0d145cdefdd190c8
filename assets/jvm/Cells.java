package rewright.worker;

import java.nio.charset.StandardCharsets;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.vectorized.ArrowColumnVector;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * The cells of Arrow columns: as Spark's rows, and, for numbers, booleans and text, as the objects that a function takes, without
 * a row between them. One instance serves one thread.
 */
final class Cells {
  /** Gives the value of a row, or null. */
  interface Get {
    Object get(int row);
  }

  /** A column whose values are numbers, booleans or text. */
  static final class Column {
    private final FieldVector vector;
    private final boolean noNulls;
    private final Get get;

    private Column(FieldVector vector, Get get) {
      this.vector = vector;
      this.noNulls = vector.getNullCount() == 0;
      this.get = get;
    }

    boolean isNull(int row) {
      return !noNulls && vector.isNull(row);
    }

    Object get(int row) {
      return isNull(row) ? null : get.get(row);
    }
  }

  private final Column[] columns;
  private final ColumnarBatch batch;

  Cells(VectorSchemaRoot input) {
    int width = input.getFieldVectors().size();
    columns = new Column[width];
    ColumnVector[] vectors = new ColumnVector[width];
    for (int i = 0; i < width; i++) {
      FieldVector v = input.getVector(i);
      Get get = plain(v);
      columns[i] = get == null ? null : new Column(v, get);
      vectors[i] = new ArrowColumnVector(v);
    }
    batch = new ColumnarBatch(vectors, input.getRowCount());
  }

  /** A row as Spark takes it. */
  InternalRow row(int r) {
    return batch.getRow(r);
  }

  /** The columns at these places; null if one of them is not plain. */
  Column[] plain(int[] places) {
    Column[] chosen = new Column[places.length];
    for (int i = 0; i < places.length; i++) {
      chosen[i] = columns[places[i]];
      if (chosen[i] == null) {
        return null;
      }
    }
    return chosen;
  }

  /** Reads values that are there. */
  private static Get plain(FieldVector vector) {
    if (vector instanceof Float8Vector) {
      Float8Vector v = (Float8Vector) vector;
      return r -> v.get(r);
    } else if (vector instanceof BigIntVector) {
      BigIntVector v = (BigIntVector) vector;
      return r -> v.get(r);
    } else if (vector instanceof IntVector) {
      IntVector v = (IntVector) vector;
      return r -> v.get(r);
    } else if (vector instanceof VarCharVector) {
      VarCharVector v = (VarCharVector) vector;
      return r -> new String(v.get(r), StandardCharsets.UTF_8);
    } else if (vector instanceof Float4Vector) {
      Float4Vector v = (Float4Vector) vector;
      return r -> v.get(r);
    } else if (vector instanceof BitVector) {
      BitVector v = (BitVector) vector;
      return r -> v.get(r) != 0;
    } else if (vector instanceof SmallIntVector) {
      SmallIntVector v = (SmallIntVector) vector;
      return r -> v.get(r);
    } else if (vector instanceof TinyIntVector) {
      TinyIntVector v = (TinyIntVector) vector;
      return r -> v.get(r);
    }
    return null;
  }
}
