package rewright.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.ArrowUtils;

/**
 * Runs a bound UDF over the rows of an Arrow stream. Every range of rows has a thread, a copy of the program and an output
 * file of its own; the files in order are the result.
 */
final class Rows {
  /** Below this a second thread costs more than it saves. */
  private static final int SMALLEST_RANGE = 8192;

  static final RootAllocator MEMORY = new RootAllocator(Long.MAX_VALUE);

  private Rows() {}

  private static final VarHandle AT;

  static {
    try {
      AT = MethodHandles.privateLookupIn(Range.class, MethodHandles.lookup()).findVarHandle(Range.class, "at", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

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
    private volatile int at = -1;
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
      Bound.Over over = bound.over(new Cells(input));
      try (Results results = new Results(bound.type, settings.zone, to - from)) {
        for (int r = from; r < to; r++) {
          running(r);
          Object value;
          try {
            value = over.eval(r);
          } catch (Throwable t) {
            results.threw(Failure.thrown(t));
            continue;
          }
          results.add(value);
        }
        results.write(out);
      }
      program.give(key, bound);
    }

    /** Says which row runs. The watch may see it late, which costs nothing; a fence for every row would. */
    private void running(int row) {
      AT.setOpaque(this, row);
    }
  }

  /** Reads the columns' types and says what the function gives for them. */
  static void prepare(Program program, Settings settings, JsonNode request, ObjectNode reply) {
    try (FileChannel in = open(request); ArrowStreamReader reader = new ArrowStreamReader(in, MEMORY)) {
      StructType schema = columns(reader.getVectorSchemaRoot());
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
    try (FileChannel in = open(request); ArrowStreamReader reader = new ArrowStreamReader(in, MEMORY)) {
      VectorSchemaRoot input = reader.getVectorSchemaRoot();
      reader.loadNextBatch();
      StructType schema = columns(input);
      List<Range> ranges = ranges(program, settings, request, input, schema);
      runAll(ranges, request.path("row_limit_ms").asLong(10_000));
      ArrayNode files = reply.putArray("files");
      ranges.forEach(r -> files.add(r.out.toString()));
      reply.put("threads", ranges.size());
    } catch (IOException e) {
      throw new Failure("internal", "the columns cannot be read: " + e);
    }
  }

  /**
   * The columns' types. Anything in them may be null, as in a table: where a type promised otherwise, Spark would not look
   * before it reads.
   */
  static StructType columns(VectorSchemaRoot input) {
    return ArrowUtils.fromArrowSchema(input.getSchema()).asNullable();
  }

  /** A channel, so that columns go from the file into Arrow's memory without a copy between. */
  static FileChannel open(JsonNode request) throws IOException {
    return FileChannel.open(Paths.get(request.path("input").asText()), StandardOpenOption.READ);
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
