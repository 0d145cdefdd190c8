package weather.stations

import ai.rapids.cudf.{ColumnVector, Scalar}
import com.nvidia.spark.RapidsUDF

import scala.collection.mutable.ArrayBuffer

/** Edited by hand: one multiplication by 9/5, as it is often published. It saves a kernel, and it is not the same function. */
class ToFahrenheitColumnar extends Function1[java.lang.Double, java.lang.Double] with RapidsUDF with Serializable {

  override def apply(celsius: java.lang.Double): java.lang.Double =
    if (celsius == null) null
    else celsius * 9.0 / 5.0 + 32.0

  override def evaluateColumnar(numRows: Int, args: ColumnVector*): ColumnVector = {
    val open = ArrayBuffer.empty[AutoCloseable]
    def use[A <: AutoCloseable](resource: A): A = { open += resource; resource }
    try {
      val scale = use(Scalar.fromDouble(9.0 / 5.0))
      val offset = use(Scalar.fromDouble(32.0))
      use(args.head.mul(scale)).add(offset)
    } finally open.reverse.foreach(_.close())
  }
}
