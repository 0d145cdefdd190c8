package rewright.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Hands requests about columnar candidates to the library's side, which is loaded when the first one comes. */
final class Columnar {
  private static final String IMPLEMENTATION = "rewright.worker.cudf.Library";

  private Accelerator library;

  void open(JsonNode request, ObjectNode reply) {
    library().open(request, reply);
  }

  void call(Program program, JsonNode request, ObjectNode reply) {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    ClassLoader loader = program.sharedLoader();
    Thread.currentThread().setContextClassLoader(loader);
    try {
      new Settings(request).in(() -> {
        library().call(loader, program.classes.keySet(), program.file, request, reply);
        return null;
      });
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  private Accelerator library() {
    if (library == null) {
      try {
        library = (Accelerator) Class.forName(IMPLEMENTATION).getDeclaredConstructor().newInstance();
      } catch (ReflectiveOperationException | LinkageError e) {
        throw new Failure("native", "its classes do not load: " + Failure.root(e));
      }
    }
    return library;
  }
}
