package rewright.worker;

import com.fasterxml.jackson.databind.JsonNode;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.internal.SQLConf$;
import scala.Function0;
import scala.runtime.AbstractFunction0;

/** The settings of the user's session that change what a row means. */
final class Settings {
  final boolean ansi;
  final String zone;

  Settings(JsonNode request) {
    ansi = request.path("ansi").asBoolean();
    zone = request.path("zone").asText("UTC");
  }

  SQLConf conf() {
    SQLConf conf = new SQLConf();
    conf.setConfString("spark.sql.ansi.enabled", String.valueOf(ansi));
    conf.setConfString("spark.sql.session.timeZone", zone);
    return conf;
  }

  /** Runs something with these settings in force on this thread; the JVM's zone is the session's, as Spark advises. */
  <T> T in(java.util.function.Supplier<T> work) {
    java.util.TimeZone.setDefault(java.util.TimeZone.getTimeZone(zone));
    Function0<T> body = new AbstractFunction0<T>() {
      @Override
      public T apply() {
        return work.get();
      }
    };
    return SQLConf$.MODULE$.withExistingConf(conf(), body);
  }
}
