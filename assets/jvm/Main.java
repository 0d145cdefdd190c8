package rewright.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The worker's side of the protocol: one JSON object per line on standard input, one per line on standard output.
 *
 * <p>The two streams belong to the protocol alone. What the user's code prints goes to standard error, and it reads an empty
 * standard input. The worker ends when its input ends, whatever its other threads do.
 */
public final class Main {
  static final ObjectMapper JSON = new ObjectMapper();

  /** Without a request for so long the worker counts as idle. */
  private static final long IDLE_MS = 300;

  private final OutputStream replies;
  private final LinkedBlockingQueue<String> requests = new LinkedBlockingQueue<>();
  private final Desk desk = new Desk();
  private volatile long current;

  private Main(OutputStream replies) {
    this.replies = replies;
  }

  public static void main(String[] args) throws IOException {
    FileInputStream in = new FileInputStream(FileDescriptor.in);
    Main main = new Main(new FileOutputStream(FileDescriptor.out));
    System.setOut(System.err);
    System.setIn(new ByteArrayInputStream(new byte[0]));
    java.util.Locale.setDefault(java.util.Locale.US);
    Runtime.getRuntime().addShutdownHook(new Thread(main::explainExit));
    Thread reader = new Thread(() -> main.read(in), "requests");
    reader.setDaemon(true);
    reader.start();
    main.send(Desk.hello().put("event", "ready"));
    main.serve();
  }

  private void read(FileInputStream in) {
    try (BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        requests.add(line);
      }
    } catch (IOException e) {
      System.err.println("the requests cannot be read: " + e);
    }
    Runtime.getRuntime().halt(0);
  }

  private void serve() {
    while (true) {
      try {
        answer(JSON.readTree(next()));
      } catch (IOException e) {
        System.err.println("a request is no JSON: " + e);
      } catch (InterruptedException e) {
        // Only the user's code could interrupt this thread; the next request is served as if it had not.
        System.err.println("interrupted between requests");
      }
    }
  }

  /** The next request. While none comes, the compiler gets warmer, so that the first edit is not the slowest. */
  private String next() throws InterruptedException {
    while (desk.canGetWarmer()) {
      String request = requests.poll(IDLE_MS, TimeUnit.MILLISECONDS);
      if (request != null) {
        return request;
      }
      desk.getWarmer();
    }
    return requests.take();
  }

  private void answer(JsonNode request) {
    current = request.path("id").asLong();
    ObjectNode reply = JSON.createObjectNode();
    reply.put("id", current);
    try {
      desk.handle(request, reply);
      reply.put("ok", true);
    } catch (Failure f) {
      f.into(reply);
    } catch (Throwable t) {
      t.printStackTrace();
      Throwable root = Failure.root(t);
      new Failure("internal", Failure.describe(root, "")).into(reply);
    }
    send(reply);
    current = 0;
  }

  private synchronized void send(ObjectNode reply) {
    try {
      replies.write((JSON.writeValueAsString(reply) + "\n").getBytes(StandardCharsets.UTF_8));
      replies.flush();
    } catch (IOException e) {
      Runtime.getRuntime().halt(1);
    }
  }

  /** Says who ended the JVM, if it was code that ran for a request. */
  private void explainExit() {
    if (current == 0) {
      return;
    }
    ObjectNode reply = JSON.createObjectNode();
    reply.put("id", current);
    String message = "the JVM was asked to end";
    for (StackTraceElement[] stack : Thread.getAllStackTraces().values()) {
      for (int i = 0; i + 1 < stack.length; i++) {
        boolean exits = stack[i].getClassName().equals("java.lang.System") && stack[i].getMethodName().equals("exit");
        if (exits) {
          StackTraceElement by = caller(stack, i + 1);
          message = "the UDF called System.exit (" + by.getFileName() + ":" + by.getLineNumber() + ")";
        }
      }
    }
    new Failure("exit", message).into(reply);
    send(reply);
  }

  /** The first frame that is not of Scala's own {@code sys.exit}. */
  private static StackTraceElement caller(StackTraceElement[] stack, int from) {
    for (int i = from; i < stack.length; i++) {
      if (!stack[i].getClassName().startsWith("scala.sys.")) {
        return stack[i];
      }
    }
    return stack[from];
  }
}
