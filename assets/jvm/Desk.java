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

  /** Uses what a UDF uses: options, patterns, text, lists, a class. */
  private static final String WARM = String.join("\n",
      "package warm",
      "import org.apache.spark.sql.functions.udf",
      "class Scale(by: Double) extends (java.lang.Double => java.lang.Double) with Serializable {",
      "  override def apply(x: java.lang.Double): java.lang.Double = if (x == null) null else x * by + 0.5",
      "}",
      "object Words {",
      "  private val Pair = \"(\\\\w+)=(\\\\d+)\".r",
      "  def value(text: String): Option[Int] = Option(text).map(_.trim).collect {",
      "    case Pair(key, n) if key.nonEmpty => n.toInt",
      "    case \"\" => 0",
      "  }",
      "  def longest(text: String): Int = text.split(',').toList.map(_.length).foldLeft(0)((a, b) => math.max(a, b))",
      "}",
      "object Warm {",
      "  def apply(): Any = udf((a: Double, b: String) =>",
      "    if (b == null) Option.empty[Double] else Words.value(b).map(_ + new Scale(2)(a) + Words.longest(b)))",
      "}");

  /** A compilation within this time needs no further preparation. */
  private static final long WARM_NS = 250_000_000;
  private static final int MOST_ROUNDS = 12;

  private ScalaCompiler scala;
  private int rounds;
  private JavaCompiler java;
  private final Query query = new Query();
  private final Timed timed = new Timed();
  private final Columnar columnar = new Columnar();
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
      case "time":
        timed.sample(program(request), query, request, reply);
        break;
      case "reference":
        query.reference(program(request), request, reply);
        break;
      case "sql":
        query.sql(request, reply);
        break;
      case "open":
        columnar.open(request, reply);
        break;
      case "call":
        columnar.call(program(request), request, reply);
        break;
      case "time-call":
        columnar.time(program(request), request, reply);
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
    String key = request.path("language") + "\n" + request.path("kept") + request.path("returns") + "\n" + name + "\n" + text;
    Long known = numbers.get(key);
    if (known == null || !programs.containsKey(known)) {
      Map<String, byte[]> classes = request.path("language").asText().equals("java")
          ? java().compile(name, text)
          : scala().compile(name, text);
      if (!request.path("entry").asText().isEmpty() || request.path("kept").asBoolean()) {
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
    // The compiler takes one core for seconds; Spark's classes can be read on another.
    Thread types = new Thread(() -> new Settings(Main.JSON.createObjectNode()).in(() -> Bound.warm()), "types");
    types.setDaemon(true);
    types.start();
    compileAndBind();
    rounds = MOST_ROUNDS;
  }

  /** Whether the compiler is still being compiled itself, and may go on with that while nobody waits. */
  boolean canGetWarmer() {
    return rounds > 0;
  }

  /** One more compilation of something that a user might write. */
  void getWarmer() {
    long start = System.nanoTime();
    compileAndBind();
    boolean warm = System.nanoTime() - start < WARM_NS;
    rounds = warm ? 0 : rounds - 1;
  }

  private void compileAndBind() {
    ObjectNode request = Main.JSON.createObjectNode();
    request.put("name", "Warm.scala").put("entry", "Warm");
    Program program = new Program(request, scala().compile("Warm.scala", WARM));
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
