import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.functions.udf

/** Names that one of the target languages keeps for itself, takes for another, or does not take at all. */
object Names {
  val counts = udf((rows: Double, row: Double) => rows + row)
  val keywords = udf((inline: Double, double: Int) => inline + double)
  val clauses = udf((select: Int, from: Int, `null`: Int) => select + from + `null`)
  val resources = udf((args: Int, open: Int, use: Int) => args + open + use)
  val numbered = udf((numRows: Int, c1: Int) => numRows + c1 * 7)
  val capital = udf((Base: Int, a: Int) => Base + a * 2)
  val quoted = udf((`my col`: Int, type_ : Int) => `my col` + type_)
  val outputs = udf((valid: Boolean, out: Int, cx: Int, t1: Int) => if (valid) out + cx else t1)
  val locals = udf((x: Int) => { val sin = x + 1; val new_ = sin * 2; val float = new_ - x; float + sin })
  val functions = udf((current_date: Int, `case`: Int, `true`: Boolean) => if (`true`) current_date else `case`)
  val caseless = udf((A: Int, a: Int) => A + a * 2)

  def register(spark: SparkSession): Unit = {
    spark.udf.register("fma", (x: Double) => x * 2)
    spark.udf.register("inline", (x: Double) => x * 2)
    spark.udf.register("double", (x: Double) => x * 2)
    spark.udf.register("main", (x: Double) => x * 2)
    spark.udf.register("exp", (x: Double) => x * 2)
    spark.udf.register("2x-y", (x: Double) => x * 2)
    spark.udf.register("größe", (x: Double) => x * 2)
    spark.udf.register("threadIdx", (x: Double) => x * 2)
  }
}
