package rewright.worker;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.SimpleAnalyzer$;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression$;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation$;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * A UDF bound to columns by Spark's own analyzer: its casts, its null rule, its encoders. Evaluated without generated code;
 * one instance serves one thread.
 */
public final class Bound {
  /** What it gives. */
  public final DataType type;
  private final Expression expression;
  private final Direct direct;
  private final Class<?> boxed;
  private final ClassLoader loader;

  private Bound(Expression expression, ClassLoader loader) {
    this.expression = expression;
    this.direct = Direct.of(expression);
    this.boxed = boxed(expression.dataType());
    this.type = expression.dataType();
    this.loader = loader;
  }

  /** Binds a fresh copy of the program; the settings must be in force. */
  static Bound of(Program program, StructType schema) {
    Program.Loader loader = program.loader();
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      return new Bound(bind(program.function(loader), schema), loader);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** Binds a UDF whose classes the thread's own loader has, as on an executor that they were sent to. */
  public static Bound of(String entry, String returns, int arity, String file, StructType schema) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return new Bound(bind(Program.function(loader, entry, returns, arity, file), schema), loader);
  }

  /** Binds something, so that Spark's analyzer and types are loaded. */
  static Expression warm() {
    StructType schema = new StructType().add("x", DataTypes.DoubleType);
    UDF1<Double, Double> same = x -> x;
    return bind(functions.udf(same, DataTypes.DoubleType), schema);
  }

  private static Expression bind(Object function, StructType schema) {
    List<Attribute> columns = new ArrayList<>();
    for (StructField f : schema.fields()) {
      columns.add(attribute(f));
    }
    Expression call = call(function, Interop.<Expression>of(columns));
    NamedExpression named = new Alias(call, "value", NamedExpression$.MODULE$.newExprId(),
        Interop.<String>list(Collections.<String>emptyList()), scala.Option.<Metadata>empty(),
        Interop.<String>list(Collections.<String>emptyList()));
    LogicalPlan relation = LocalRelation$.MODULE$.apply(Interop.<Attribute>of(columns));
    LogicalPlan plan = new Project(Interop.list(Collections.singletonList(named)), relation);
    LogicalPlan analyzed;
    try {
      analyzed = SimpleAnalyzer$.MODULE$.execute(plan);
      SimpleAnalyzer$.MODULE$.checkAnalysis(analyzed);
    } catch (Exception e) {
      if (Failure.isAnalysis(e)) {
        throw new Failure("unsupported", "Spark cannot call it with these columns: " + e.getMessage());
      }
      throw Interop.unchecked(e);
    }
    Project project = (Project) analyzed;
    Expression value = ((Alias) project.projectList().head()).child();
    Object input = Interop.make("org.apache.spark.sql.catalyst.expressions.package$AttributeSeq",
        Interop.call(project.child(), "output"));
    Object binder = Interop.module("org.apache.spark.sql.catalyst.expressions.BindReferences");
    return (Expression) Interop.call(binder, "bindReference", value, input, false);
  }

  static Attribute attribute(StructField f) {
    return new AttributeReference(f.name(), f.dataType(), true, Metadata.empty(), NamedExpression$.MODULE$.newExprId(),
        Interop.<String>list(Collections.<String>emptyList()));
  }

  /** The expression that calls the UDF. */
  private static Expression call(Object function, scala.collection.immutable.List<Expression> args) {
    if (function instanceof Hive) {
      return ((Hive) function).call(args);
    }
    try {
      return (Expression) Interop.call(function, "createScalaUDF", args);
    } catch (Failure before4) {
      Object utils = Interop.module("org.apache.spark.sql.classic.UserDefinedFunctionUtils");
      return (Expression) Interop.call(utils, "toScalaUDF", function, args);
    }
  }

  /** The class loader that the user's code expects on its thread. */
  ClassLoader loader() {
    return loader;
  }

  /** Calls it for one row; what it throws comes through. */
  public Object eval(InternalRow row) {
    Object value = direct == null ? Direct.MISFIT : direct.eval(row);
    return checked(value == Direct.MISFIT ? expression.eval(row) : value);
  }

  /** The same over columns; serves one thread like this. */
  Over over(Cells cells) {
    return new Over(cells);
  }

  /** Calls over the rows of columns. */
  final class Over {
    private final Cells cells;
    private final Direct.Over plain;

    private Over(Cells cells) {
      this.cells = cells;
      this.plain = direct == null ? null : direct.over(cells);
    }

    /** Calls it for one row; what it throws comes through. */
    Object eval(int row) {
      Object value = plain == null ? Direct.MISFIT : plain.eval(row);
      return checked(value == Direct.MISFIT ? expression.eval(cells.row(row)) : value);
    }
  }

  private Object checked(Object value) {
    if (value != null && boxed != null && value.getClass() != boxed) {
      throw new ClassCastException(value.getClass() + " is declared to be " + type.catalogString());
    }
    return value;
  }

  /** The class of a number's values; a function may be declared to give another than it does. */
  private static Class<?> boxed(DataType type) {
    switch (type.typeName()) {
      case "boolean":
        return Boolean.class;
      case "byte":
        return Byte.class;
      case "short":
        return Short.class;
      case "integer":
        return Integer.class;
      case "long":
        return Long.class;
      case "float":
        return Float.class;
      case "double":
        return Double.class;
      default:
        return null;
    }
  }
}
