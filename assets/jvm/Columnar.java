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
    as(program, request, () -> library().call(
        program.sharedLoader(), program.classes.keySet(), program.file, request, reply));
  }

  void time(Program program, JsonNode request, ObjectNode reply) {
    as(program, request, () -> library().time(
        program.sharedLoader(), program.classes.keySet(), program.file, request, reply));
  }

  /** With the candidate's classes and the session's settings in force on this thread. */
  private static void as(Program program, JsonNode request, Runnable work) {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    Thread.currentThread().setContextClassLoader(program.sharedLoader());
    try {
      new Settings(request).in(() -> {
        work.run();
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
