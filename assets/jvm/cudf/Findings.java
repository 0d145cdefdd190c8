package rewright.worker.cudf;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.Set;

/** What was noticed beside the values, each once, with its line in the candidate's file. */
final class Findings {
  private final ArrayNode into;
  private final Set<String> said = new HashSet<>();

  Findings(ObjectNode reply) {
    into = reply.putArray("findings");
  }

  /** Line 0 is no line. */
  void add(String id, String message, int line) {
    if (said.add(id + " " + message + " " + line)) {
      ObjectNode one = into.addObject().put("id", id).put("message", message);
      if (line > 0) {
        one.put("line", line);
      }
    }
  }

  /** The innermost line of the file in a stack; 0 if it is not part of it. */
  static int line(StackTraceElement[] stack, String file) {
    for (StackTraceElement e : stack) {
      if (file.equals(e.getFileName()) && e.getLineNumber() > 0) {
        return e.getLineNumber();
      }
    }
    return 0;
  }
}
