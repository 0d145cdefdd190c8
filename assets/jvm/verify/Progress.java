package rewright.verify;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.scheduler.AccumulableInfo;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorMetricsUpdate;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.util.LongAccumulator;
import rewright.worker.Interop;

/**
 * How far each partition is: finished ones from their results, running ones from the executors' heartbeats. Also counts what
 * was lost on the way. Says so twice a second.
 */
final class Progress extends SparkListener {
  private static final long EVERY_MS = 500;

  private final Events events;
  private final TreeMap<Integer, long[]> changed = new TreeMap<>();
  private final Map<Integer, long[]> running = new HashMap<>();
  private final Map<Long, Integer> partitionOf = new HashMap<>();
  private long rowsId = -1;
  private long differentId = -1;
  private int partitions;
  private int done;
  private long rows;
  private long different;
  private int lostExecutors;
  private int failedTasks;
  private boolean quiet = true;

  Progress(Events events) {
    this.events = events;
    Thread teller = new Thread(this::tell, "progress");
    teller.setDaemon(true);
    teller.start();
  }

  /** A run begins, maybe again. */
  synchronized void begin(int partitions, LongAccumulator rows, LongAccumulator different) {
    this.partitions = partitions;
    this.rowsId = rows.id();
    this.differentId = different.id();
    this.rows = this.different = this.done = 0;
    changed.clear();
    running.clear();
    partitionOf.clear();
    quiet = false;
  }

  /** A partition's result arrived. */
  synchronized void finished(int partition, Tally tally) {
    done++;
    rows += tally.rows;
    different += tally.different;
    running.remove(partition);
    changed.put(partition, new long[] {tally.rows, tally.different, 1});
  }

  /** The run is over. */
  synchronized void end() {
    say();
    quiet = true;
  }

  synchronized void into(ObjectNode evidence) {
    evidence.put("lost_executors", lostExecutors).put("failed_tasks", failedTasks);
  }

  @Override
  public synchronized void onTaskStart(SparkListenerTaskStart start) {
    partitionOf.put(start.taskInfo().taskId(), start.taskInfo().index());
  }

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
    Integer partition = partitionOf.remove(end.taskInfo().taskId());
    if (end.taskInfo().failed() && partition != null) {
      failedTasks++;
      running.remove(partition);
      ObjectNode event = Events.event("task-failed");
      event.put("partition", partition).put("attempt", end.taskInfo().attemptNumber());
      String reason = String.valueOf(end.reason());
      int line = reason.indexOf('\n');
      events.send(event.put("reason", Text.cut(line < 0 ? reason : reason.substring(0, line), Tally.LONGEST_TEXT)));
    }
  }

  @Override
  public synchronized void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
    // Spark gives idle executors back when it may choose their number.
    if (quiet || removed.reason().contains("idle")) {
      return;
    }
    lostExecutors++;
    ObjectNode event = Events.event("executor-lost").put("executor", removed.executorId());
    events.send(event.put("reason", Text.cut(removed.reason(), Tally.LONGEST_TEXT)));
  }

  @Override
  public synchronized void onExecutorMetricsUpdate(SparkListenerExecutorMetricsUpdate update) {
    for (Object tuple : Interop.items(update.accumUpdates())) {
      Integer partition = partitionOf.get((Long) Interop.call(tuple, "_1"));
      if (partition == null) {
        continue;
      }
      long[] now = new long[3];
      for (Object o : Interop.items(Interop.call(tuple, "_4"))) {
        AccumulableInfo info = (AccumulableInfo) o;
        if (info.id() == rowsId || info.id() == differentId) {
          Object value = info.update().isDefined() ? info.update().get() : 0L;
          now[info.id() == rowsId ? 0 : 1] = value instanceof Long ? (Long) value : 0;
        }
      }
      if (now[0] > 0) {
        running.put(partition, now);
        changed.putIfAbsent(partition, now);
        if (changed.get(partition)[2] == 0) {
          changed.put(partition, now);
        }
      }
    }
  }

  private void tell() {
    try {
      while (true) {
        Thread.sleep(EVERY_MS);
        synchronized (this) {
          say();
        }
      }
    } catch (InterruptedException e) {
      // Nobody interrupts it but the end of the JVM.
      Thread.currentThread().interrupt();
    }
  }

  private void say() {
    if (quiet || changed.isEmpty()) {
      return;
    }
    long rowsNow = rows;
    long differentNow = different;
    for (long[] r : running.values()) {
      rowsNow += r[0];
      differentNow += r[1];
    }
    ObjectNode event = Events.event("progress");
    event.put("rows", rowsNow).put("different", differentNow).put("done", done).put("partitions", partitions);
    ArrayNode parts = event.putArray("parts");
    changed.forEach((p, n) ->
        parts.addObject().put("partition", p).put("rows", n[0]).put("different", n[1]).put("done", n[2] == 1));
    changed.clear();
    events.send(event);
  }
}
