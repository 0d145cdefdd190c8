package rewright.verify;

import java.io.InterruptedIOException;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.TimeZone;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.apache.spark.util.LongAccumulator;
import rewright.worker.Bound;
import rewright.worker.Failure;
import rewright.worker.Interop;
import rewright.worker.Stages;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction2;

/**
 * The work on one partition, on whichever executor: calls the original for each row and compares with what Spark's own plan
 * gave for the rewrite. Gives back a tally, never rows.
 */
final class Task extends AbstractFunction2<TaskContext, Iterator<InternalRow>, Tally> implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Rows between two reports of progress. */
  private static final int STRIDE = 4096;

  private final Spec spec;
  private final StructType columns;
  private final DataType rewriteType;
  private final Comparer comparer;
  private final String zone;
  private final LongAccumulator rowsSoFar;
  private final LongAccumulator differentSoFar;
  /** The rewrite over the columns, where its rows have to be guarded one by one; else null and the last column is its value. */
  private final Stages.ByPlace guarded;

  Task(Spec spec, StructType columns, DataType originalType, DataType rewriteType, String zone,
      LongAccumulator rows, LongAccumulator different, Stages.ByPlace guarded) {
    this.spec = spec;
    this.columns = columns;
    this.rewriteType = rewriteType;
    this.comparer = new Comparer(originalType, rewriteType);
    this.zone = zone;
    this.rowsSoFar = rows;
    this.differentSoFar = different;
    this.guarded = guarded;
  }

  @Override
  public Tally apply(TaskContext context, Iterator<InternalRow> rows) {
    // The executor belongs to this application; Spark advises that the JVM's zone is the session's.
    TimeZone.setDefault(TimeZone.getTimeZone(zone));
    return new Run(context).over(rows);
  }

  private final class Run {
    private final TaskContext context;
    private final Bound original;
    /** Of the guarded rewrite, lowest first; null where the last column is its value. */
    private final UnsafeProjection[] projections;
    private final int partition;
    private final int width = columns.size();
    private final DataType[] types = new DataType[width];
    private final boolean[] texts = new boolean[width];
    private final Tally tally = new Tally();
    private String originalError;
    private String rewriteError;
    private long reportedDifferent;

    Run(TaskContext context) {
      this.context = context;
      this.partition = context.partitionId();
      this.original = spec.original(columns);
      this.projections = guarded == null ? null : projections();
      for (int i = 0; i < width; i++) {
        types[i] = columns.fields()[i].dataType();
        texts[i] = holdsText(types[i]);
      }
    }

    private UnsafeProjection[] projections() {
      UnsafeProjection[] made = new UnsafeProjection[guarded.stages.length];
      for (int s = 0; s < made.length; s++) {
        made[s] = UnsafeProjection.create(Interop.<Expression>list(Arrays.asList(guarded.stages[s])));
        made[s].initialize(partition);
      }
      return made;
    }

    Tally over(Iterator<InternalRow> rows) {
      while (true) {
        InternalRow row;
        try {
          if (!rows.hasNext()) {
            break;
          }
          row = rows.next();
        } catch (Throwable t) {
          rethrowFatal(t);
          if (guarded != null) {
            throw t;
          }
          // Which row it was cannot be told any more: the driver runs it again, guarded.
          tally.threw = Failure.thrown(t);
          return tally;
        }
        one(row);
        if (tally.rows % STRIDE == 0) {
          report(STRIDE);
        }
        if (spec.maxMismatches > 0 && tally.refused() >= spec.maxMismatches) {
          tally.stopped = true;
          break;
        }
      }
      report(tally.rows % STRIDE);
      return tally;
    }

    private void report(long rows) {
      rowsSoFar.add(rows);
      differentSoFar.add(tally.different - reportedDifferent);
      reportedDifferent = tally.different;
    }

    private void one(InternalRow row) {
      tally.rows++;
      Object a = originalOf(row);
      Object b = rewriteOf(row);
      tally.originalValues += a == null ? 0 : 1;
      tally.rewriteValues += b == null ? 0 : 1;
      tally.originalThrew += originalError == null ? 0 : 1;
      tally.rewriteThrew += rewriteError == null ? 0 : 1;
      if (!comparer.same(a, originalError, b, rewriteError)) {
        differs(row, a, b);
      }
    }

    private Object originalOf(InternalRow row) {
      originalError = null;
      try {
        return original.eval(row);
      } catch (Throwable t) {
        rethrowFatal(t);
        originalError = Failure.thrown(t);
        return null;
      }
    }

    private Object rewriteOf(InternalRow row) {
      rewriteError = null;
      if (projections == null) {
        return row.isNullAt(width) ? null : row.get(width, rewriteType);
      }
      try {
        InternalRow result = row;
        for (UnsafeProjection p : projections) {
          result = p.apply(result);
        }
        return result.isNullAt(0) ? null : result.get(0, rewriteType);
      } catch (Throwable t) {
        rethrowFatal(t);
        rewriteError = Failure.thrown(t);
        return null;
      }
    }

    private void differs(InternalRow row, Object a, Object b) {
      List<Mismatch> found = comparer.differences(a, originalError, b, rewriteError, beyondBmp(row));
      for (Mismatch m : found) {
        m.accepted = spec.policy.accepts(m);
      }
      tally.differs(found, partition, tally.rows - 1, () -> args(row), spec.samples);
    }

    private String[] args(InternalRow row) {
      String[] args = new String[width];
      for (int i = 0; i < width; i++) {
        args[i] = Text.cut(Text.cell(row.get(i, types[i]), types[i]), Tally.LONGEST_TEXT);
      }
      return args;
    }

    private boolean beyondBmp(InternalRow row) {
      for (int i = 0; i < width; i++) {
        if (texts[i] && wide(row.get(i, types[i]), types[i])) {
          return true;
        }
      }
      return false;
    }

    /** What is no outcome of a row: the end of the task, of the executor, of its memory. */
    private void rethrowFatal(Throwable t) {
      boolean fatal = context.isInterrupted() || t instanceof VirtualMachineError && !(t instanceof StackOverflowError);
      for (Throwable c = t; c != null && !fatal; c = c.getCause() == c ? null : c.getCause()) {
        String name = c.getClass().getName();
        fatal = c instanceof InterruptedException || c instanceof InterruptedIOException
            || name.equals("org.apache.spark.TaskKilledException")
            || name.equals("org.apache.spark.shuffle.FetchFailedException");
      }
      if (fatal) {
        throw rewright.worker.Interop.unchecked(t);
      }
    }
  }

  private static boolean holdsText(DataType type) {
    return type instanceof StringType || type instanceof ArrayType && holdsText(((ArrayType) type).elementType());
  }

  /** Whether a text, or a text of a list, holds a character beyond the BMP: it takes four bytes, the first 0xF0 or more. */
  private static boolean wide(Object value, DataType type) {
    if (value == null) {
      return false;
    }
    if (type instanceof ArrayType) {
      ArrayData items = (ArrayData) value;
      DataType of = ((ArrayType) type).elementType();
      for (int i = 0; i < items.numElements(); i++) {
        if (wide(items.get(i, of), of)) {
          return true;
        }
      }
      return false;
    }
    for (byte b : ((UTF8String) value).getBytes()) {
      if ((b & 0xff) >= 0xf0) {
        return true;
      }
    }
    return false;
  }
}
