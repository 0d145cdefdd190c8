package rewright.verify;

import java.lang.reflect.InvocationTargetException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import rewright.worker.Bound;
import rewright.worker.Failure;
import rewright.worker.Interop;

/**
 * The user's function as Spark calls it: its casts, its null rule, its conversions. Made anew in every task from the classes
 * that were shipped, so that nothing of it has to be serialisable.
 */
final class Original {
  final DataType type;
  private final Expression call;

  private Original(Expression call) {
    this.call = call;
    this.type = call.dataType();
  }

  static Original of(Spec spec, StructType columns) {
    return new Original(Bound.bind(function(spec), columns));
  }

  /** Calls it for the first columns of a row; what it throws comes through. */
  Object eval(InternalRow row) {
    return call.eval(row);
  }

  private static Object function(Spec spec) {
    Object made;
    try {
      ClassLoader loader = Thread.currentThread().getContextClassLoader();
      made = Class.forName(spec.entry, true, loader).getMethod("apply").invoke(null);
    } catch (InvocationTargetException e) {
      Throwable root = e.getCause();
      if (root instanceof ExceptionInInitializerError && root.getCause() != null) {
        root = root.getCause();
      }
      throw new Failure("raised", "making the function threw " + Failure.describe(root, spec.file));
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new Failure("internal", "the compiled function cannot be reached: " + e);
    }
    if (spec.returns.isEmpty()) {
      return made;
    }
    if (spec.params.size() > 10) {
      throw new Failure("unsupported", "a UDF" + spec.params.size() + " can only be registered by name");
    }
    return Interop.call(functions.class, "udf", made, DataType.fromDDL(spec.returns));
  }
}
