package rewright.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/**
 * Times the original inside the JVM, one sample a request: the function called row by row on one thread or on all, or a query of
 * a local Spark over a table in memory. Reading columns, starting threads and caching the table come before the clock; what the
 * function gives is kept alive and then dropped.
 */
final class Timed {
  /** Values are put here, so that no compiler can see that nobody wants them. */
  private static final int KEPT = 1024;

  private String key = "";
  private Lane[] lanes = new Lane[0];
  private ArrowStreamReader reader;
  private Dataset<Row> table;
  private String query;

  /** One thread's range of rows. */
  private static final class Lane {
    private final Bound bound;
    private final Bound.Over over;
    private final int from;
    private final int to;
    private final Object[] kept = new Object[KEPT];

    Lane(Program program, StructType schema, VectorSchemaRoot input, int from, int to) {
      this.bound = Bound.of(program, schema);
      this.over = bound.over(new Cells(input));
      this.from = from;
      this.to = to;
    }

    void run() {
      Thread.currentThread().setContextClassLoader(bound.loader());
      for (int r = from; r < to; r++) {
        try {
          kept[r & KEPT - 1] = over.eval(r);
        } catch (Throwable t) {
          // A row that throws is a row.
        }
      }
    }
  }

  /** Takes one sample; the first one of a lane gets everything ready. */
  void sample(Program program, Query queries, JsonNode request, ObjectNode reply) {
    Settings settings = new Settings(request);
    String asked = request.path("program") + " " + request.path("threads") + " " + request.path("input").asText();
    boolean spark = request.path("threads").asInt() == 0;
    if (!asked.equals(key)) {
      close();
      if (spark) {
        cache(program, queries, request, settings);
      } else {
        load(program, settings, request);
      }
      key = asked;
    }
    long start = System.nanoTime();
    if (spark) {
      queries.session(program.sharedLoader()).sql(query).write().format("noop").mode("overwrite").save();
      reply.put("ns", System.nanoTime() - start);
    } else {
      reply.put("ns", run(settings));
    }
  }

  private void load(Program program, Settings settings, JsonNode request) {
    try {
      reader = new ArrowStreamReader(Rows.open(request), Rows.MEMORY);
      VectorSchemaRoot input = reader.getVectorSchemaRoot();
      reader.loadNextBatch();
      StructType schema = Rows.columns(input);
      int rows = input.getRowCount();
      int threads = Math.max(1, Math.min(request.path("threads").asInt(), rows));
      lanes = new Lane[threads];
      settings.in(() -> {
        for (int i = 0; i < threads; i++) {
          int from = (int) ((long) rows * i / threads);
          int to = (int) ((long) rows * (i + 1) / threads);
          lanes[i] = new Lane(program, schema, input, from, to);
        }
        return null;
      });
    } catch (IOException e) {
      throw new Failure("internal", "the columns cannot be read: " + e);
    }
  }

  /** Runs all lanes at once; nanoseconds from the common start to the end of the last. */
  private long run(Settings settings) {
    CountDownLatch ready = new CountDownLatch(lanes.length);
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(lanes.length);
    for (Lane lane : lanes) {
      Thread thread = new Thread(() -> settings.in(() -> {
        ready.countDown();
        try {
          go.await();
          lane.run();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        } finally {
          done.countDown();
        }
        return null;
      }), "timed-" + lane.from);
      thread.setDaemon(true);
      thread.start();
    }
    try {
      ready.await();
      long start = System.nanoTime();
      go.countDown();
      done.await();
      return System.nanoTime() - start;
    } catch (InterruptedException e) {
      throw new Failure("internal", "interrupted while the rows ran");
    }
  }

  /** Puts the table into the session's memory and registers the function. */
  private void cache(Program program, Query queries, JsonNode request, Settings settings) {
    SparkSession spark = queries.session(program.sharedLoader());
    Query.set(spark, settings);
    String call = Query.register(spark, program, Query.schema(request));
    table = spark.read().parquet(request.path("table").asText()).cache();
    table.count();
    table.createOrReplaceTempView("rewright__timed");
    query = "SELECT " + call + " AS value FROM rewright__timed";
  }

  private void close() {
    key = "";
    lanes = new Lane[0];
    if (table != null) {
      table.unpersist(true);
      table = null;
    }
    if (reader != null) {
      try {
        reader.close();
      } catch (IOException e) {
        System.err.println("columns could not be closed: " + e);
      }
      reader = null;
    }
  }
}
