package rewright.verify;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TimeZone;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.util.LongAccumulator;
import rewright.worker.Failure;
import rewright.worker.Interop;
import rewright.worker.Stages;
import scala.collection.Iterator;
import scala.reflect.ClassTag;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/**
 * A Spark application that runs the original and a rewrite over a whole input on a cluster and compares them row by row. In: a
 * file that says what; out: what happens and the result, one JSON object per line. The driver sees tallies of partitions, never
 * rows.
 */
public final class Verify {
  private static final String GROUP = "rewright";

  private final Spec spec;
  private final Events events;
  private final SparkSession session;
  private final SparkContext context;
  private final Progress progress;
  private final ObjectNode evidence = Events.JSON.createObjectNode();

  private Verify(Spec spec, Events events) {
    this.spec = spec;
    this.events = events;
    this.progress = new Progress(events);
    this.session = SparkSession.builder().appName("rewright verify").getOrCreate();
    this.context = session.sparkContext();
    context.addSparkListener(progress);
    TimeZone.setDefault(TimeZone.getTimeZone(zone()));
  }

  public static void main(String[] args) throws Exception {
    Events events = Events.take();
    Verify app = null;
    int code = 0;
    try {
      app = new Verify(Spec.read(args[0]), events);
      app.run();
    } catch (Failure f) {
      code = 3;
      events.send(Events.event("failed").put("kind", f.kind).put("message", f.getMessage()));
    } catch (Throwable t) {
      code = 3;
      t.printStackTrace();
      Throwable root = Failure.root(t);
      String message = Text.cut(String.valueOf(root.getMessage()), 2000);
      events.send(Events.event("failed").put("kind", "job").put("message", Failure.simpleName(root) + ": " + message));
    }
    if (app != null) {
      app.progress.end();
      app.session.stop();
    }
    // User code may have left threads running; nothing waits for them.
    Runtime.getRuntime().halt(code);
  }

  private String zone() {
    return session.conf().get("spark.sql.session.timeZone");
  }

  private void run() {
    Dataset<Row> columns = Input.open(session, spec);
    DataType originalType = spec.original(columns.schema()).type;
    Candidate candidate = Candidate.of(session, columns, spec);
    StructField[] fields = candidate.rows.schema().fields();
    DataType rewriteType = fields[fields.length - 1].dataType();
    for (DataType t : new DataType[] {originalType, rewriteType}) {
      if (!Input.compares(t)) {
        throw new Failure("unsupported", "values of the type " + t.catalogString() + " are not compared");
      }
    }
    describe(columns, originalType, rewriteType, candidate);
    long start = System.nanoTime();
    Tally result = null;
    if (candidate.isInPlan) {
      result = run(columns, candidate.rows, originalType, rewriteType, null);
      evidence.put("rewrite_ran", "in Spark's plan");
    }
    if (result == null || result.threw != null) {
      String why = result == null ? "Spark's plan does not compute it for each row" : "it throws " + result.threw;
      events.send(Events.event("again").put("reason", why));
      evidence.put("rewrite_ran", "row by row through Spark's generated code, because " + why);
      result = run(columns, columns, originalType, rewriteType, candidate.expression);
    }
    progress.into(evidence);
    evidence.put("run_ms", (System.nanoTime() - start) / 1_000_000);
    evidence.put("peak_heap_bytes", peakHeap());
    ObjectNode event = Events.event("result");
    result.into(event);
    event.set("evidence", evidence);
    events.send(event);
  }

  private Tally run(Dataset<Row> columns, Dataset<Row> rows, DataType original, DataType rewrite, Stages.ByPlace guarded) {
    @SuppressWarnings("unchecked")
    RDD<InternalRow> rdd = (RDD<InternalRow>) Interop.call(Interop.call(rows, "queryExecution"), "toRdd");
    LongAccumulator seen = context.longAccumulator("rewright rows");
    LongAccumulator different = context.longAccumulator("rewright different rows");
    int partitions = rdd.getNumPartitions();
    evidence.put("partitions", partitions);
    events.send(Events.event("started").put("partitions", partitions).set("evidence", evidence.deepCopy()));
    progress.begin(partitions, seen, different);
    propagate();
    Task task = new Task(spec, columns.schema(), original, rewrite, zone(), seen, different, guarded);
    Collect collect = new Collect();
    List<Object> numbers = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      numbers.add(i);
    }
    context.setJobGroup(GROUP, "rewright verify " + spec.file, true);
    try {
      submit(rdd, task, numbers, collect);
    } catch (Throwable t) {
      // Cancelling the rest is how an early end looks from here.
      if (!collect.ended) {
        throw Interop.unchecked(t);
      }
    } finally {
      context.clearJobGroup();
      progress.end();
    }
    return collect.total;
  }

  private void submit(RDD<InternalRow> rdd, Task task, List<Object> partitions, Collect collect) {
    AbstractFunction2<Object, Tally, BoxedUnit> handler = new AbstractFunction2<Object, Tally, BoxedUnit>() {
      @Override
      public BoxedUnit apply(Object partition, Tally tally) {
        collect.add((Integer) partition, tally);
        return BoxedUnit.UNIT;
      }
    };
    ClassTag<Tally> tag = scala.reflect.ClassTag$.MODULE$.apply(Tally.class);
    context.<InternalRow, Tally>runJob(rdd, task, Interop.list(partitions), handler, tag);
  }

  /** Puts results together as they arrive, each partition once, and ends the job when there is no need to go on. */
  private final class Collect {
    final Tally total = new Tally();
    boolean ended;

    synchronized void add(int partition, Tally tally) {
      if (tally.threw != null) {
        total.threw = tally.threw;
        end();
        return;
      }
      total.add(tally, spec.samples);
      progress.finished(partition, tally);
      if (spec.maxMismatches > 0 && total.refused() >= spec.maxMismatches) {
        total.stopped = true;
        end();
      }
    }

    private void end() {
      if (!ended) {
        ended = true;
        context.cancelJobGroup(GROUP);
      }
    }
  }

  /** Executors read the session's settings from the job's properties, as in a query of Spark's own. */
  private void propagate() {
    for (Object entry : Interop.items(session.conf().getAll())) {
      String key = (String) Interop.call(entry, "_1");
      if (key.startsWith("spark.")) {
        context.setLocalProperty(key, (String) Interop.call(entry, "_2"));
      }
    }
  }

  private void describe(Dataset<Row> columns, DataType original, DataType rewrite, Candidate candidate) {
    evidence.put("spark", context.version()).put("java", System.getProperty("java.version"));
    evidence.put("scala", String.valueOf(Interop.call(Interop.module("scala.util.Properties"), "versionNumberString")));
    evidence.put("master", context.master()).put("application", context.applicationId());
    evidence.put("time_zone", zone()).put("ansi", Boolean.parseBoolean(session.conf().get("spark.sql.ansi.enabled")));
    evidence.put("original_type", original.catalogString()).put("rewrite_type", rewrite.catalogString());
    ObjectNode names = evidence.putObject("columns");
    for (StructField f : columns.schema().fields()) {
      names.put(f.name(), f.dataType().catalogString());
    }
    Input.evidence(session, columns, evidence.putObject("input").put("name", spec.input));
    evidence.put("plan", Text.cut(candidate.plan(), 20_000));
  }

  /** The most that each part of the heap held, garbage included. */
  private static long peakHeap() {
    long peak = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getType() == MemoryType.HEAP) {
        peak += pool.getPeakUsage().getUsed();
      }
    }
    return peak;
  }
}
