package logistics.routes

import org.apache.spark.sql.functions.udf

/** A 32-bit FNV-1a over the route key: state that is carried from character to character. */
object RouteChecksum {

  val routeChecksum = udf((route: String) => {
    var hash = 0x811c9dc5
    var i = 0
    while (i < route.length) {
      hash = (hash ^ route.charAt(i)) * 16777619
      i += 1
    }
    hash
  })
}
