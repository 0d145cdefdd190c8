package rewright.verify;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Says what happens, one JSON object per line on standard output, which belongs to it alone. */
final class Events {
  static final ObjectMapper JSON = new ObjectMapper();

  private final OutputStream out = new FileOutputStream(FileDescriptor.out);

  /** Takes the standard streams: what anyone prints goes to standard error from here on. */
  static Events take() {
    Events events = new Events();
    FileInputStream in = new FileInputStream(FileDescriptor.in);
    System.setOut(System.err);
    System.setIn(new ByteArrayInputStream(new byte[0]));
    Thread watch = new Thread(() -> endWith(in), "caller");
    watch.setDaemon(true);
    watch.start();
    return events;
  }

  /** Ends this JVM when the caller is gone, so that no application runs on for nobody. */
  private static void endWith(FileInputStream in) {
    try {
      while (in.read() >= 0) {
        continue;
      }
    } catch (IOException e) {
      System.err.println("the caller cannot be watched: " + e);
      return;
    }
    System.exit(130);
  }

  static ObjectNode event(String name) {
    return JSON.createObjectNode().put("event", name);
  }

  synchronized void send(ObjectNode event) {
    try {
      out.write((JSON.writeValueAsString(event) + "\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
    } catch (IOException e) {
      Runtime.getRuntime().halt(1);
    }
  }
}
