package ai.rapids.cudf;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** How this installation fails, if it does. */
final class Mode {
  static final String NAME = read();

  private Mode() {}

  private static String read() {
    try (InputStream in = Mode.class.getClassLoader().getResourceAsStream("mode.properties")) {
      Properties found = new Properties();
      if (in != null) {
        found.load(in);
      }
      return found.getProperty("mode", "");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
