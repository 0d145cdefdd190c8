package rewright.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.execution.arrow.ArrowWriter;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.ArrowUtils;
import org.apache.spark.sql.vectorized.ArrowColumnVector;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Runs a bound UDF over the rows of an Arrow stream. Every range of rows has a thread, a copy of the program and an output
 * file of its own; the files in order are the result.
 */
final class Rows {
  /** Below this a second thread costs more than it saves. */
  private static final int SMALLEST_RANGE = 8192;

  static final RootAllocator MEMORY = new RootAllocator(Long.MAX_VALUE);

  private Rows() {}

  /** One range of rows. */
  private static final class Range implements Runnable {
    final Program program;
    final Settings settings;
    final VectorSchemaRoot input;
    final StructType schema;
    final int from;
    final int to;
    final Path out;
    Throwable failed;
    /** The row that runs; -1 while the thread gets ready. */
    volatile int at = -1;
    volatile boolean done;
    Thread thread;

    Range(Program program, Settings settings, VectorSchemaRoot input, StructType schema, int from, int to, Path out) {
      this.program = program;
      this.settings = settings;
      this.input = input;
      this.schema = schema;
      this.from = from;
      this.to = to;
      this.out = out;
    }

    @Override
    public void run() {
      try {
        settings.in(() -> {
          work();
          return null;
        });
      } catch (Throwable t) {
        failed = t;
      }
      done = true;
    }

    private void work() {
      String key = settings.zone + " " + settings.ansi + " " + schema.json();
      Bound free = program.take(key);
      Bound bound = free != null ? free : Bound.of(program, schema);
      Thread.currentThread().setContextClassLoader(bound.loader());
      ColumnVector[] columns = new ColumnVector[input.getFieldVectors().size()];
      int i = 0;
      for (FieldVector v : input.getFieldVectors()) {
        columns[i++] = new ArrowColumnVector(v);
      }
      ColumnarBatch batch = new ColumnarBatch(columns, input.getRowCount());
      try (VectorSchemaRoot result = VectorSchemaRoot.create(resultSchema(bound.type, settings.zone), MEMORY)) {
        ArrowWriter writer = ArrowWriter.create(result);
        GenericInternalRow row = new GenericInternalRow(2);
        for (int r = from; r < to; r++) {
          at = r;
          one(bound, batch.getRow(r), row);
          writer.write(row);
        }
        writer.finish();
        write(result, out);
      }
      program.give(key, bound);
    }

    private void one(Bound bound, InternalRow input, GenericInternalRow row) {
      try {
        row.update(0, bound.eval(input));
        row.update(1, null);
      } catch (Throwable t) {
        row.update(0, null);
        row.update(1, UTF8String.fromString(Failure.simpleName(Failure.root(t))));
      }
    }
  }

  static Schema resultSchema(DataType type, String zone) {
    StructType fields = new StructType().add("value", type, true).add("error", DataTypes.StringType, true);
    Object utils = Interop.module("org.apache.spark.sql.util.ArrowUtils");
    return (Schema) Interop.call(utils, "toArrowSchema", fields, zone, false, false);
  }

  static void write(VectorSchemaRoot root, Path to) {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(to), 1 << 20);
        ArrowStreamWriter writer = new ArrowStreamWriter(root, null, Channels.newChannel(out))) {
      writer.writeBatch();
      writer.end();
    } catch (IOException e) {
      throw new Failure("internal", "the results cannot be written: " + e);
    }
  }

  /** Reads the columns' types and says what the function gives for them. */
  static void prepare(Program program, Settings settings, JsonNode request, ObjectNode reply) {
    try (InputStream in = open(request); ArrowStreamReader reader = new ArrowStreamReader(in, MEMORY)) {
      StructType schema = ArrowUtils.fromArrowSchema(reader.getVectorSchemaRoot().getSchema());
      String key = settings.zone + " " + settings.ansi + " " + schema.json();
      settings.in(() -> {
        Bound free = program.take(key);
        Bound bound = free != null ? free : Bound.of(program, schema);
        reply.put("type", bound.type.catalogString());
        program.give(key, bound);
        return null;
      });
    } catch (IOException e) {
      throw new Failure("internal", "the columns cannot be read: " + e);
    }
  }

  /** Runs it over all rows. */
  static void eval(Program program, Settings settings, JsonNode request, ObjectNode reply) {
    try (InputStream in = open(request); ArrowStreamReader reader = new ArrowStreamReader(in, MEMORY)) {
      VectorSchemaRoot input = reader.getVectorSchemaRoot();
      reader.loadNextBatch();
      StructType schema = ArrowUtils.fromArrowSchema(input.getSchema());
      List<Range> ranges = ranges(program, settings, request, input, schema);
      runAll(ranges, request.path("row_limit_ms").asLong(10_000));
      ArrayNode files = reply.putArray("files");
      ranges.forEach(r -> files.add(r.out.toString()));
      reply.put("threads", ranges.size());
    } catch (IOException e) {
      throw new Failure("internal", "the columns cannot be read: " + e);
    }
  }

  private static InputStream open(JsonNode request) throws IOException {
    return new BufferedInputStream(Files.newInputStream(Paths.get(request.path("input").asText())), 1 << 20);
  }

  private static List<Range> ranges(
      Program program, Settings settings, JsonNode request, VectorSchemaRoot input, StructType schema) {
    int rows = input.getRowCount();
    int threads = Math.max(1, Math.min(Runtime.getRuntime().availableProcessors(), rows / SMALLEST_RANGE));
    List<Range> ranges = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int from = (int) ((long) rows * i / threads);
      int to = (int) ((long) rows * (i + 1) / threads);
      Path out = Paths.get(request.path("output").asText() + "." + i);
      ranges.add(new Range(program, settings, input, schema, from, to, out));
    }
    return ranges;
  }

  private static void runAll(List<Range> ranges, long rowLimitMs) {
    for (Range r : ranges) {
      r.thread = new Thread(r, "rows-" + r.from);
      r.thread.setDaemon(true);
      r.thread.start();
    }
    Watch watch = new Watch(ranges, rowLimitMs);
    for (Range r : ranges) {
      while (!r.done) {
        try {
          r.thread.join(50);
        } catch (InterruptedException e) {
          throw new Failure("internal", "interrupted while the rows ran");
        }
        watch.look();
      }
      if (r.failed != null) {
        throw Interop.unchecked(r.failed);
      }
    }
  }

  /**
   * Gives up when one row takes longer than the limit; its thread cannot be stopped, so the worker is of no more use. On a
   * busy machine a thread that only waits for its turn is not endless: half of the limit must have been spent running.
   */
  private static final class Watch {
    /** Times the limit that a row may wait for something without running. */
    private static final int PATIENCE = 6;

    private final List<Range> ranges;
    private final long limit;
    private final int[] seen;
    private final long[] since;
    private final long[] ran;

    Watch(List<Range> ranges, long limitMs) {
      this.ranges = ranges;
      this.limit = limitMs * 1_000_000L;
      this.seen = new int[ranges.size()];
      this.since = new long[ranges.size()];
      this.ran = new long[ranges.size()];
      java.util.Arrays.fill(seen, -1);
    }

    void look() {
      for (int i = 0; i < ranges.size(); i++) {
        Range r = ranges.get(i);
        long running = ManagementFactory.getThreadMXBean().getThreadCpuTime(r.thread.getId());
        if (r.done || r.at < 0 || r.at != seen[i]) {
          seen[i] = r.at;
          since[i] = System.nanoTime();
          ran[i] = running;
          continue;
        }
        long waited = System.nanoTime() - since[i];
        if (waited > limit && running - ran[i] > limit / 2 || waited > PATIENCE * limit) {
          String seconds = String.format("%.1f", waited / 1e9);
          throw new Failure("endless", "row " + r.at + " has been running for " + seconds + " s" + place(r));
        }
      }
    }

    /** Where in the user's file the thread is. */
    private static String place(Range r) {
      for (StackTraceElement e : r.thread.getStackTrace()) {
        if (r.program.file.equals(e.getFileName())) {
          return ", in line " + e.getLineNumber();
        }
      }
      return "";
    }
  }
}
