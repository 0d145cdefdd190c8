package rewright.worker.cudf;

import ai.rapids.cudf.ColumnVector;
import com.nvidia.spark.RapidsUDF;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import rewright.worker.Failure;

/** An instance of the candidate's class and how this release of the accelerator calls it. */
final class Candidate {
  static final Class<?> INTERFACE = RapidsUDF.class;

  private static final Method WITH_ROWS = method(int.class, ColumnVector[].class);
  private static final Method COLUMNS_ONLY = method(ColumnVector[].class);

  private final Object udf;
  /** What stack traces call the candidate's text. */
  final String file;

  Candidate(Object udf, String file) {
    this.udf = udf;
    this.file = file;
  }

  /** What the call gives or throws. */
  ColumnVector evaluate(int rows, ColumnVector[] columns) throws Throwable {
    try {
      if (WITH_ROWS != null) {
        return (ColumnVector) WITH_ROWS.invoke(udf, rows, columns);
      }
      if (COLUMNS_ONLY != null) {
        return (ColumnVector) COLUMNS_ONLY.invoke(udf, (Object) columns);
      }
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    throw new Failure("unsupported", "RapidsUDF of this release has no evaluateColumnar");
  }

  /** Older releases pass the columns alone. */
  private static Method method(Class<?>... parameters) {
    try {
      return RapidsUDF.class.getMethod("evaluateColumnar", parameters);
    } catch (NoSuchMethodException e) {
      return null;
    }
  }
}
