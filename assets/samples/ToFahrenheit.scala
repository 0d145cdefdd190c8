package weather.stations

/**
 * Station readings arrive in Celsius; a missing reading stays missing.
 */
class ToFahrenheit extends Function1[java.lang.Double, java.lang.Double] with Serializable {

  override def apply(celsius: java.lang.Double): java.lang.Double =
    if (celsius == null) null
    else celsius * 9.0 / 5.0 + 32.0
}
