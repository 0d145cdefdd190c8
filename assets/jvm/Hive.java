package rewright.worker;

import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Expression;

/** A Hive function: the simple kind with {@code evaluate}, or the generic kind. Called by Spark's own Hive expressions. */
final class Hive {
  private final Class<?> type;

  Hive(Class<?> type) {
    this.type = type;
  }

  /** Whether an object is a Hive function's class. */
  static boolean is(Object made) {
    return made instanceof Class && kind((Class<?>) made) != null;
  }

  /** The expression that calls it; the context class loader must know the class. */
  Expression call(scala.collection.immutable.List<Expression> args) {
    Object wrapper = Interop.make("org.apache.spark.sql.hive.HiveShim$HiveFunctionWrapper", type.getName(), null, null);
    return (Expression) Interop.make(kind(type), type.getSimpleName(), wrapper, args);
  }

  /** Makes it known to a session without a Hive catalog. */
  void register(SparkSession spark, String name) {
    Object registry = Interop.call(Interop.call(spark, "sessionState"), "functionRegistry");
    scala.Function1<Object, Object> builder = new scala.runtime.AbstractFunction1<Object, Object>() {
      @Override
      public Object apply(Object args) {
        return call(Interop.<Expression>of(expressions(args)));
      }
    };
    Interop.call(registry, "createOrReplaceTempFunction", name, builder, "scala_udf");
  }

  private static java.util.List<Expression> expressions(Object args) {
    java.util.List<Expression> result = new java.util.ArrayList<>();
    for (Object e : Interop.items(args)) {
      result.add((Expression) e);
    }
    return result;
  }

  private static String kind(Class<?> type) {
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      switch (c.getName()) {
        case "org.apache.hadoop.hive.ql.exec.UDF":
          return "org.apache.spark.sql.hive.HiveSimpleUDF";
        case "org.apache.hadoop.hive.ql.udf.generic.GenericUDF":
          return "org.apache.spark.sql.hive.HiveGenericUDF";
        default:
      }
    }
    return null;
  }
}
