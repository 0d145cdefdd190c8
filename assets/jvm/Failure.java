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

  /**
   * The simple name of what a row threw. What {@code raise_error} and {@code assert_true} raise goes by one name in all releases:
   * Spark 4 gives it a class of its own, which tells no more.
   */
  public static String thrown(Throwable t) {
    Throwable root = root(t);
    return isRaisedOnPurpose(root) ? "RuntimeException" : simpleName(root);
  }

  /** Whether Spark's parser or analyzer refuses something; releases differ in the classes below the common one. */
  public static boolean isAnalysis(Throwable t) {
    for (Class<?> c = t.getClass(); c != null; c = c.getSuperclass()) {
      if (c.getName().equals("org.apache.spark.sql.AnalysisException")) {
        return true;
      }
    }
    return false;
  }

  private static boolean isRaisedOnPurpose(Throwable t) {
    if (!t.getClass().getName().equals("org.apache.spark.SparkRuntimeException")) {
      return false;
    }
    try {
      return "USER_RAISED_EXCEPTION".equals(Interop.call(t, "getErrorClass"));
    } catch (Failure later) {
      return "USER_RAISED_EXCEPTION".equals(Interop.call(t, "getCondition"));
    }
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
