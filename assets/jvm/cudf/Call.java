package rewright.worker.cudf;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.CudaException;
import ai.rapids.cudf.Rmm;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import rewright.worker.Failure;

/**
 * One call of a candidate, as the accelerator makes it: the columns are the caller's, who closes them afterwards, and the result
 * is handed over. In: an Arrow stream; out: the result as an Arrow stream, or what came instead, and what was noticed.
 */
final class Call {
  private final Candidate candidate;
  private final JsonNode request;
  private final ObjectNode reply;
  private final Findings findings;
  private final Ledger ledger = new Ledger();
  private final List<ColumnVector> inputs = new ArrayList<>();
  private ColumnVector result;
  private String when = "";
  /** Whether what holds more memory than before has been named. */
  private boolean named;

  Call(Candidate candidate, JsonNode request, ObjectNode reply) {
    this.candidate = candidate;
    this.request = request;
    this.reply = reply;
    this.findings = new Findings(reply);
  }

  void run() {
    long before = Rmm.getTotalBytesAllocated();
    try {
      int rows = columns();
      try {
        evaluate(rows);
      } finally {
        giveBack();
      }
    } catch (OutOfMemoryError e) {
      throw new Failure("memory", Natives.why(e));
    } catch (CudaException e) {
      throw new Failure("fatal", Natives.why(e));
    } finally {
      inputs.clear();
    }
    long after = Rmm.getTotalBytesAllocated();
    left(after - before);
    reply.putArray("device_bytes").add(before).add(after);
  }

  private int columns() {
    try {
      ToDevice.columns(request.path("input").asText(), inputs::add);
    } catch (Failure | OutOfMemoryError f) {
      inputs.forEach(ColumnVector::close);
      throw f;
    }
    return request.path("rows").asInt();
  }

  private void evaluate(int rows) {
    try {
      result = candidate.evaluate(rows, inputs.toArray(new ColumnVector[0]));
    } catch (OutOfMemoryError | CudaException | Failure e) {
      throw e;
    } catch (ExceptionInInitializerError e) {
      threw(e.getCause() == null ? e : e.getCause());
      return;
    } catch (LinkageError e) {
      throw new Failure("unsupported", "this release of the library lacks what the candidate calls: " + e);
    } catch (Throwable t) {
      threw(t);
      return;
    }
    if (result == null) {
      reply.put("returned", "null");
    } else if (result.getRefCount() <= 0) {
      reply.put("returned", "closed").put("line", Ledger.closedAt(result, candidate.file));
    } else if (result.getRowCount() != rows) {
      reply.put("returned", "rows").put("rows", result.getRowCount());
    } else {
      reply.put("type", result.getType().toString());
      ToHost.write(result, Paths.get(request.path("output").asText()));
      reply.put("returned", "column");
    }
  }

  /** An exception is what the call came to; one that tells of a wrong use of columns is a finding as well. */
  private void threw(Throwable t) {
    // What the device says late must not be taken for the next call's: if it is lost, this raises.
    Cuda.DEFAULT_STREAM.sync();
    int line = Findings.line(t.getStackTrace(), candidate.file);
    String message = t.getMessage() == null ? "" : t.getMessage();
    if (message.startsWith("Close called too many times")) {
      findings.add("double-close", "a column or scalar is closed twice", line);
    } else if (isUseOfClosed(t, message)) {
      findings.add("use-after-close", "a column or scalar is used after it was closed", line);
    }
    String thrown = Failure.simpleName(t);
    findings.add("raised", message.isEmpty() ? thrown : thrown + ": " + message, line);
    reply.put("returned", "threw").put("error", thrown);
    when = " when " + thrown + " is thrown";
  }

  /** Native code is handed no address for what was closed; null in the candidate's own hand raises in Java. */
  private static boolean isUseOfClosed(Throwable t, String message) {
    StackTraceElement[] stack = t.getStackTrace();
    boolean handed = t instanceof NullPointerException && stack.length > 0 && stack[0].isNativeMethod()
        && stack[0].getClassName().startsWith("ai.rapids.cudf.");
    return handed || t instanceof IllegalStateException && message.endsWith("is already closed");
  }

  /** Closes the result and the arguments as their owner does. */
  private void giveBack() {
    int returned = -1;
    for (int i = 0; i < inputs.size(); i++) {
      returned = inputs.get(i) == result ? i : returned;
    }
    if (returned >= 0 && inputs.get(returned).getRefCount() == 1) {
      findings.add("input-returned", "an argument is returned without incRefCount(); it will be closed twice", 0);
    } else if (result != null && result.getRefCount() > 0) {
      result.close();
    }
    for (ColumnVector input : inputs) {
      int references = input.getRefCount();
      if (references < 1) {
        int line = Ledger.closedAt(input, candidate.file);
        findings.add("input-closed", "an argument is closed; it belongs to the caller", line);
      } else if (references > 1) {
        int line = Ledger.retainedAt(input, candidate.file);
        findings.add("leak", "a reference to an argument is taken and never closed" + when, line);
      }
      for (int i = 0; i < references; i++) {
        input.close();
      }
    }
    if (result != null && returned < 0 && result.getRefCount() > 0) {
      ledger.told(result);
      named = true;
      int line = Ledger.retainedAt(result, candidate.file);
      findings.add("leak", "a second reference to the result is never closed", line);
    }
  }

  private void left(long bytes) {
    for (Ledger.Open open : ledger.open(candidate.file)) {
      String where = open.line > 0 ? " of line " + open.line : "";
      findings.add("leak", "the " + open.kind + where + " is never closed" + when, open.line);
      named = true;
    }
    long collected = ledger.collected();
    if (collected > 0) {
      findings.add("leak", collected + " columns or scalars were left to the garbage collector, not closed" + when, 0);
    } else if (bytes > 0 && !named) {
      findings.add("leak", bytes + " bytes of device memory are held that were not before" + when, 0);
    }
  }
}
