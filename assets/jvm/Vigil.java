package rewright.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Runs a query of a program and does not wait for ever: Spark gives no sign of which row its tasks are in. A query that takes long
 * goes on while the rows are run a second time beside it, where each is watched; if one of them does not end, neither will
 * the query.
 */
final class Vigil {
  /** Times the limit of a row before the rows are looked at. */
  private static final int PATIENCE = 3;

  private volatile Throwable failed;
  private volatile Failure endless;

  /** Runs it to its end, or throws that it has none. */
  static void over(Program program, JsonNode request, Runnable query) {
    new Vigil().run(program, request, query);
  }

  private void run(Program program, JsonNode request, Runnable query) {
    Thread work = start("query", () -> {
      try {
        query.run();
      } catch (Throwable t) {
        failed = t;
      }
    });
    long until = System.nanoTime() + PATIENCE * request.path("row_limit_ms").asLong(10_000) * 1_000_000L;
    Thread watch = null;
    while (work.isAlive()) {
      try {
        work.join(50);
      } catch (InterruptedException e) {
        throw new Failure("internal", "interrupted while a query ran");
      }
      if (watch == null && System.nanoTime() > until) {
        watch = start("rows beside the query", () -> look(program, request));
      }
      if (endless != null) {
        throw endless;
      }
    }
    if (failed != null) {
      throw Interop.unchecked(failed);
    }
  }

  private void look(Program program, JsonNode request) {
    ObjectNode again = request.deepCopy();
    again.put("output", request.path("output").asText() + ".watched");
    try {
      Rows.eval(program, new Settings(request), again, Main.JSON.createObjectNode());
    } catch (Failure f) {
      // What else is wrong with the rows the query says itself.
      endless = f.kind.equals("endless") ? f : null;
    } catch (RuntimeException e) {
      System.err.println("the rows cannot be watched: " + e);
    }
  }

  private static Thread start(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
