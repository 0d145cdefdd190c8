package rewright.worker;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** A request that cannot be answered, with its reason; becomes a reply, never ends the worker. */
public final class Failure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** {@code compile}, {@code unsupported}, {@code raised}, {@code endless} or {@code internal}. */
  public final String kind;

  /** Messages of a compiler with their places; null if it is about something else. */
  transient ArrayNode messages;

  public Failure(String kind, String message) {
    super(message);
    this.kind = kind;
  }

  Failure with(ArrayNode messages) {
    this.messages = messages;
    return this;
  }

  void into(ObjectNode reply) {
    reply.put("ok", false).put("kind", kind).put("message", getMessage());
    if (messages != null) {
      reply.set("messages", messages);
    }
  }

  /** The exception that the user's code threw: Spark wraps it, and so does reflection. */
  public static Throwable root(Throwable t) {
    while (t.getCause() != null && t.getCause() != t && wraps(t)) {
      t = t.getCause();
    }
    return t;
  }

  private static boolean wraps(Throwable t) {
    String name = t.getClass().getName();
    return t instanceof java.lang.reflect.InvocationTargetException
        || name.equals("org.apache.spark.SparkException")
        || name.equals("org.apache.spark.SparkRuntimeException")
        || name.equals("java.util.concurrent.ExecutionException")
        || name.equals("java.lang.reflect.UndeclaredThrowableException")
        // Hive's, around what a method threw that it called; one that the function throws itself stays.
        || name.equals("org.apache.hadoop.hive.ql.metadata.HiveException")
            && t.getCause() instanceof java.lang.reflect.InvocationTargetException;
  }

  /** The simple name of a class as it is written in source; anonymous classes have that of their parent. */
  public static String simpleName(Throwable t) {
    Class<?> c = t.getClass();
    while (c.isAnonymousClass()) {
      c = c.getSuperclass();
    }
    String name = c.getName();
    return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
  }

  /** The exception in one line, with the line of the user's file where it arose. */
  public static String describe(Throwable t, String file) {
    String at = "";
    for (StackTraceElement e : t.getStackTrace()) {
      if (file.equals(e.getFileName())) {
        at = " at line " + e.getLineNumber();
        break;
      }
    }
    String message = t.getMessage() == null ? "" : ": " + t.getMessage();
    return simpleName(t) + message + at;
  }
}
