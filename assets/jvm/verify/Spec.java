package rewright.verify;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.StructType;
import rewright.worker.Bound;

/** What is asked for, as it travels to the executors. */
final class Spec implements Serializable {
  private static final long serialVersionUID = 1L;

  /** A path or the name of a table. */
  final String input;
  final boolean isTable;
  /** The UDF's parameters in call order. */
  final List<String> params = new ArrayList<>();
  final String candidate;
  /** The entry point's class, in the jar that was shipped. */
  final String entry;
  /** The user's file, which stack traces name. */
  final String file;
  /** Spark's result type of a {@code UDFn}; empty where the function says it itself. */
  final String returns;
  final Accepted policy;
  /** Rows outside of the policy at which it stops; 0 for never. */
  final long maxMismatches;
  /** Rows kept per class. */
  final int samples;

  private Spec(JsonNode json) {
    input = json.path("input").asText();
    isTable = json.path("table").asBoolean();
    json.path("params").forEach(p -> params.add(p.asText()));
    candidate = json.path("candidate").asText();
    entry = json.path("entry").asText();
    file = json.path("file").asText();
    returns = json.path("returns").asText("");
    policy = new Accepted(json.path("policy"));
    maxMismatches = json.path("max_mismatches").asLong();
    samples = json.path("samples").asInt(10);
  }

  /**
   * The user's function as Spark calls it for such columns: its casts, its null rule, its conversions. Made anew in every task
   * from the classes that were shipped, so that nothing of it has to be serialisable.
   */
  Bound original(StructType columns) {
    return Bound.of(entry, returns, params.size(), file, columns);
  }

  static Spec read(String path) throws IOException {
    return new Spec(Events.JSON.readTree(Files.readAllBytes(Paths.get(path))));
  }
}
