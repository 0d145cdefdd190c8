package rewright.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Takes requests apart and hands them to whoever does the work; keeps the compilers warm and the programs compiled. */
final class Desk {
  /** Programs kept; an older one is compiled again when it is asked for. */
  private static final int KEPT = 16;

  private ScalaCompiler scala;
  private JavaCompiler java;
  private final Query query = new Query();
  private long last;
  private final Map<Long, Program> programs = new LinkedHashMap<>();

  /** The program of a text, so that a text that was not changed is not compiled again. */
  private final Map<String, Long> numbers = new HashMap<>();

  static ObjectNode hello() {
    ObjectNode hello = Main.JSON.createObjectNode();
    hello.put("java", System.getProperty("java.version"));
    hello.put("vendor", System.getProperty("java.vendor"));
    hello.put("spark", String.valueOf(Interop.call(Interop.module("org.apache.spark.package"), "SPARK_VERSION")));
    hello.put("scala", String.valueOf(Interop.call(Interop.module("scala.util.Properties"), "versionNumberString")));
    hello.put("threads", Runtime.getRuntime().availableProcessors());
    return hello;
  }

  void handle(JsonNode request, ObjectNode reply) {
    switch (request.path("op").asText()) {
      case "compile":
        compile(request, reply);
        break;
      case "prepare":
        Rows.prepare(program(request), new Settings(request), request, reply);
        break;
      case "eval":
        Rows.eval(program(request), new Settings(request), request, reply);
        break;
      case "query":
        query.udf(program(request), request, reply);
        break;
      case "reference":
        query.reference(program(request), request, reply);
        break;
      case "sql":
        query.sql(request, reply);
        break;
      case "jars":
        Jars.write(program(request), request, reply);
        break;
      case "warm":
        warm();
        break;
      default:
        throw new Failure("internal", "there is no request " + request.path("op"));
    }
  }

  private void compile(JsonNode request, ObjectNode reply) {
    long start = System.nanoTime();
    String name = request.path("name").asText();
    String text = request.path("text").asText();
    String key = request.path("language") + "\n" + request.path("returns") + "\n" + name + "\n" + text;
    Long known = numbers.get(key);
    if (known == null || !programs.containsKey(known)) {
      Map<String, byte[]> classes = request.path("language").asText().equals("java")
          ? java().compile(name, text)
          : scala().compile(name, text);
      if (!request.path("entry").asText().isEmpty()) {
        known = ++last;
        programs.put(known, new Program(request, classes));
        programs.keySet().removeIf(k -> k <= last - KEPT);
        numbers.values().retainAll(programs.keySet());
        numbers.put(key, known);
      }
    }
    if (known != null) {
      reply.put("program", known);
    }
    reply.put("ms", (System.nanoTime() - start) / 1_000_000);
  }

  /** Loads what the first request would wait for: the compiler, Spark's types and encoders. */
  private void warm() {
    String text = "object Warm { def apply(): Any = org.apache.spark.sql.functions.udf((a: Double, b: String) => "
        + "if (b == null) Option.empty[Double] else Some(a + b.length)) }";
    ObjectNode request = Main.JSON.createObjectNode();
    request.put("name", "Warm.scala").put("entry", "Warm");
    Program program = new Program(request, scala().compile("Warm.scala", text));
    StructType schema = new StructType().add("a", DataTypes.DoubleType).add("b", DataTypes.StringType);
    new Settings(request).in(() -> Bound.of(program, schema));
  }

  private Program program(JsonNode request) {
    Program program = programs.get(request.path("program").asLong());
    if (program == null) {
      throw new Failure("forgotten", "the program is no longer kept");
    }
    return program;
  }

  private ScalaCompiler scala() {
    if (scala == null) {
      scala = new ScalaCompiler(System.getProperty("java.class.path"));
    }
    return scala;
  }

  private JavaCompiler java() {
    if (java == null) {
      java = new JavaCompiler(System.getProperty("java.class.path"));
    }
    return java;
  }
}
