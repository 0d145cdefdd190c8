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

  def twice(x: Double): Double = x * 2
  def register(spark: SparkSession): Unit = {
    spark.udf.register("fma", twice _)
    spark.udf.register("inline", twice _)
    spark.udf.register("double", twice _)
    spark.udf.register("main", twice _)
    spark.udf.register("exp", twice _)
    spark.udf.register("2x-y", twice _)
    spark.udf.register("größe", twice _)
    spark.udf.register("threadIdx", twice _)
  }
}
