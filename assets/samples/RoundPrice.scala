package shop.pricing

import org.apache.spark.sql.functions.udf

/** Prices are shown with two decimals. The product is rounded in binary, so that 1.005 becomes 1.0 and not 1.01. */
object RoundPrice {

  val roundPrice = udf((price: Double) => math.round(price * 100) / 100.0)
}
