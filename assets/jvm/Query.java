package rewright.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ArrowColumnVector;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Queries of a real local Spark session over a Parquet file: an SQL expression, or a registered UDF.
 *
 * <p>A query that fails tells of one row only. Then every row is evaluated by itself, with the expression of the optimized
 * plan, and the query is run again over the rows that do not raise.
 */
final class Query {
  private static final String ROW = "rewright__row";
  private static final String VIEW = "rewright__input";
  private static final String NAME = "rewright__udf";

  private SparkSession session;
  private ClassLoader sessionLoader;

  /** What a query reads and asks. */
  private static final class Question {
    final Dataset<Row> asked;
    final DataType type;
    final Stages value;

    Question(Dataset<Row> asked, DataType type, Stages value) {
      this.asked = asked;
      this.type = type;
      this.value = value;
    }
  }

  /** Runs an SQL expression; the plan is part of the reply. */
  void sql(JsonNode request, ObjectNode reply) {
    run(request, reply, request.path("expression").asText(), null);
  }

  /** Runs a program through a query. */
  void udf(Program program, JsonNode request, ObjectNode reply) {
    Vigil.over(program, request, () -> run(request, reply, null, program));
  }

  /**
   * The differential test as it would be written in Spark: both columns in one query, collected and compared row by row. What
   * a test by the worker is measured against, so Spark gets the best of it: its table is in memory before the clock starts.
   */
  void reference(Program program, JsonNode request, ObjectNode reply) {
    SparkSession spark = session(program.sharedLoader());
    set(spark, new Settings(request));
    String call = register(spark, program, schema(request));
    Dataset<Row> table = spark.read().parquet(request.path("table").asText()).cache();
    table.count();
    table.createOrReplaceTempView(VIEW);
    long start = System.nanoTime();
    String query = "SELECT " + call + " AS a, (" + request.path("expression").asText() + ") AS b FROM " + VIEW;
    List<Row> rows = spark.sql(query).collectAsList();
    int different = 0;
    for (Row row : rows) {
      different += java.util.Objects.equals(row.get(0), row.get(1)) ? 0 : 1;
    }
    reply.put("different", different).put("rows", rows.size()).put("ns", System.nanoTime() - start);
    table.unpersist(true);
  }

  private void run(JsonNode request, ObjectNode reply, String expression, Program program) {
    Settings settings = new Settings(request);
    SparkSession spark = session(program == null ? null : program.sharedLoader());
    set(spark, settings);
    String text = expression;
    StructType schema = schema(request);
    if (program != null) {
      text = register(spark, program, schema);
    }
    spark.read().parquet(request.path("table").asText()).createOrReplaceTempView(VIEW);
    Question question = ask(spark, text, "");
    reply.put("type", question.type.catalogString());
    reply.put("plan", question.asked.queryExecution().executedPlan().toString());
    reply.put("optimized", String.valueOf(question.value));
    reply.put("reads_columns", !question.value.columns().isEmpty());
    reply.put("calls_udf", Nodes.udf(question.asked.queryExecution().optimizedPlan()) != null);
    if (program == null) {
      Expression unsteady = Nodes.unsteady(question.asked.queryExecution().analyzed());
      reply.put("unsteady", unsteady == null ? null : unsteady.sql());
    }
    if (!request.path("output").asText().isEmpty()) {
      Path out = Paths.get(request.path("output").asText());
      int rows = answer(spark, question, text, request, settings, out);
      reply.putArray("files").add(out.toString());
      reply.put("raised", rows);
    }
  }

  /** Releases of Spark differ in what they take where nothing is set. */
  static void set(SparkSession spark, Settings settings) {
    java.util.TimeZone.setDefault(java.util.TimeZone.getTimeZone(settings.zone));
    spark.conf().set("spark.sql.ansi.enabled", String.valueOf(settings.ansi));
    spark.conf().set("spark.sql.session.timeZone", settings.zone);
  }

  private Question ask(SparkSession spark, String text, String where) {
    String query = "SELECT " + ROW + ", (" + text + "\n) AS value FROM " + VIEW + where;
    Dataset<Row> asked;
    try {
      asked = spark.sql(query);
    } catch (Exception e) {
      if (Failure.isAnalysis(e)) {
        throw new Failure("compile", e.getMessage());
      }
      throw Interop.unchecked(e);
    }
    DataType type = asked.schema().fields()[1].dataType();
    return new Question(asked, type, Stages.of(asked.queryExecution().optimizedPlan(), 1));
  }

  /** Writes the outcome of every row; the number of rows that raise. */
  private int answer(
      SparkSession spark, Question question, String text, JsonNode request, Settings settings, Path out) {
    int rows = request.path("rows").asInt();
    Object[] values = new Object[rows];
    String[] errors = new String[rows];
    List<Integer> raising = new ArrayList<>();
    try {
      collect(question, values);
    } catch (Throwable whole) {
      raising = oneByOne(question, request, settings, errors);
      if (raising.isEmpty()) {
        throw new Failure("raised", "the query failed: " + Failure.describe(Failure.root(whole), ""));
      }
      java.util.Arrays.fill(values, null);
      if (raising.size() < rows) {
        collect(ask(spark, text, without(raising)), values);
      }
    }
    try (Results results = new Results(question.type, settings.zone, rows)) {
      for (int i = 0; i < rows; i++) {
        if (errors[i] == null) {
          results.add(values[i]);
        } else {
          results.threw(errors[i]);
        }
      }
      results.write(out);
    }
    return raising.size();
  }

  private static String without(List<Integer> raising) {
    StringBuilder where = new StringBuilder(" WHERE " + ROW + " NOT IN (");
    for (int i = 0; i < raising.size(); i++) {
      where.append(i == 0 ? "" : ",").append(raising.get(i));
    }
    return where.append(")").toString();
  }

  /** Runs the query and puts each value where its row belongs, whatever order the rows come in. */
  private static void collect(Question question, Object[] values) {
    for (InternalRow row : execute(question.asked)) {
      Object value = row.isNullAt(1) ? null : row.get(1, question.type);
      values[(int) row.getLong(0)] = value;
    }
  }

  /** Tasks know the session's settings only within an execution. */
  private static InternalRow[] execute(Dataset<Row> asked) {
    scala.Function0<Object> body = new scala.runtime.AbstractFunction0<Object>() {
      @Override
      public Object apply() {
        return asked.queryExecution().executedPlan().executeCollect();
      }
    };
    Object execution = Interop.module("org.apache.spark.sql.execution.SQLExecution");
    Object name = Interop.module("scala.None");
    return (InternalRow[]) Interop.call(execution, "withNewExecutionId", asked.queryExecution(), name, body);
  }

  /** Evaluates each row by itself; the rows that raise, with the class of what they raise. None where that would not tell. */
  private static List<Integer> oneByOne(Question question, JsonNode request, Settings settings, String[] errors) {
    List<Integer> raising = new ArrayList<>();
    if (!question.value.isDeterministic()) {
      return raising;
    }
    try (InputStream in = new BufferedInputStream(Files.newInputStream(Paths.get(request.path("input").asText())));
        ArrowStreamReader reader = new ArrowStreamReader(in, Rows.MEMORY)) {
      VectorSchemaRoot input = reader.getVectorSchemaRoot();
      reader.loadNextBatch();
      ColumnVector[] columns = new ColumnVector[input.getFieldVectors().size()];
      int i = 0;
      for (FieldVector v : input.getFieldVectors()) {
        columns[i++] = new ArrowColumnVector(v);
      }
      ColumnarBatch batch = new ColumnarBatch(columns, input.getRowCount());
      settings.in(() -> {
        Stages.ByPlace bound = bind(question.value, input);
        for (int r = 0; r < input.getRowCount(); r++) {
          try {
            bound.eval(batch.getRow(r));
          } catch (Throwable t) {
            errors[r] = Failure.thrown(t);
            raising.add(r);
          }
        }
        return null;
      });
    } catch (IOException e) {
      throw new Failure("internal", "the columns cannot be read: " + e);
    }
    return raising;
  }

  /** Binds the plan's attributes to the columns of the same names. */
  private static Stages.ByPlace bind(Stages value, VectorSchemaRoot input) {
    List<Attribute> columns = new ArrayList<>();
    for (StructField f : Rows.columns(input).fields()) {
      Attribute found = null;
      for (Attribute a : value.columns()) {
        if (a.name().equals(f.name())) {
          found = a;
        }
      }
      columns.add(found != null ? found : Bound.attribute(f));
    }
    return value.over(columns);
  }

  static StructType schema(JsonNode request) {
    try (InputStream in = Files.newInputStream(Paths.get(request.path("input").asText()));
        ArrowStreamReader reader = new ArrowStreamReader(in, Rows.MEMORY)) {
      return Rows.columns(reader.getVectorSchemaRoot());
    } catch (IOException e) {
      throw new Failure("internal", "the columns cannot be read: " + e);
    }
  }

  /** Registers the program's function and gives the call. */
  static String register(SparkSession spark, Program program, StructType schema) {
    Object function = program.function(program.sharedLoader());
    if (function instanceof Hive) {
      ((Hive) function).register(spark, NAME);
    } else {
      Interop.call(spark.udf(), "register", NAME, function);
    }
    StringBuilder call = new StringBuilder(NAME + "(");
    for (int i = 0; i < schema.fields().length; i++) {
      call.append(i == 0 ? "`" : ", `").append(schema.fields()[i].name().replace("`", "``")).append('`');
    }
    return call.append(")").toString();
  }

  /**
   * The session. Its executor finds classes through the loader that was in force when it started, so another program's
   * classes need another session.
   */
  SparkSession session(ClassLoader loader) {
    if (session != null && loader != null && loader != sessionLoader) {
      session.stop();
      session = null;
    }
    if (session == null) {
      ClassLoader used = loader == null ? Query.class.getClassLoader() : loader;
      Thread.currentThread().setContextClassLoader(used);
      session = SparkSession.builder()
          .master("local[*]")
          .appName("rewright")
          .config("spark.ui.enabled", "false")
          .config("spark.driver.host", "127.0.0.1")
          .config("spark.driver.bindAddress", "127.0.0.1")
          .config("spark.sql.shuffle.partitions", "1")
          .config("spark.sql.warehouse.dir", Paths.get("warehouse").toAbsolutePath().toString())
          .config("spark.local.dir", Paths.get("").toAbsolutePath().toString())
          .config("spark.sql.parquet.datetimeRebaseModeInRead", "CORRECTED")
          .config("spark.sql.parquet.int96RebaseModeInRead", "CORRECTED")
          .config("spark.sql.mapKeyDedupPolicy", "EXCEPTION")
          .getOrCreate();
      sessionLoader = loader;
    }
    Thread.currentThread().setContextClassLoader(sessionLoader == null ? Query.class.getClassLoader() : sessionLoader);
    return session;
  }
}
