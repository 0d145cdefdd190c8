import java.util.Arrays;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.expressions.UserDefinedFunction;
import org.apache.spark.sql.functions;

/** Makes the rows of the benchmark, or runs Spark's own UDF and Spark's own expression over them once each, rows thrown away. */
public final class VerifyScale {
  private VerifyScale() {}

  public static void main(String[] args) throws Exception {
    SparkSession session = SparkSession.builder().getOrCreate();
    if (args[0].equals("make")) {
      session.range(0, Long.parseLong(args[2]), 1, 16)
          .selectExpr("if(id % 1000 = 7, NULL, (id % 1000000) * 0.1D - 4993.71D) AS celsius")
          .write().parquet(args[1]);
    } else {
      Dataset<Row> input = session.read().parquet(args[1]);
      Object udf = Class.forName("BenchEntry").getMethod("apply").invoke(null);
      long a = run(input, ((UserDefinedFunction) udf).apply(functions.col("celsius")));
      long b = run(input, functions.expr(args[2]));
      System.out.println("{\"udf_ms\":" + a + ",\"sql_ms\":" + b + "}");
    }
    session.stop();
  }

  private static long run(Dataset<Row> input, Column value) {
    long start = System.nanoTime();
    input.select(value).write().format("noop").mode("overwrite").save();
    return (System.nanoTime() - start) / 1_000_000;
  }
}
