package rewright.worker;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * A call without Spark's encoders, where these would do nothing but box numbers and make strings: every argument is a column
 * of exactly the parameter's type, numbers, booleans and text only. Any other expression is left to Spark.
 */
final class Direct {
  /** A value that is not of the declared type; Spark says what becomes of it. */
  static final Object MISFIT = new Object();

  private final Object function;
  private final int[] columns;
  private final DataType[] types;
  private final int[] checked;
  private final boolean text;

  private Direct(Object function, int[] columns, DataType[] types, int[] checked, boolean text) {
    this.function = function;
    this.columns = columns;
    this.types = types;
    this.checked = checked;
    this.text = text;
  }

  /** The direct form of an expression that Spark's analyzer made; null if it does more than call the function. */
  static Direct of(Expression e) {
    List<Integer> checked = new ArrayList<>();
    if (e instanceof If) {
      If choice = (If) e;
      boolean nullFirst = choice.trueValue() instanceof Literal && ((Literal) choice.trueValue()).value() == null;
      if (!nullFirst || !nullChecks(choice.predicate(), checked)) {
        return null;
      }
      e = choice.falseValue();
    }
    if (!(e instanceof ScalaUDF) || !plain(e.dataType())) {
      return null;
    }
    ScalaUDF udf = (ScalaUDF) e;
    List<Object> children = Interop.items(udf.children());
    List<Object> encoders = Interop.items(udf.inputEncoders());
    if (children.size() > 4 || children.isEmpty() || !plainClass(udf.outputEncoder())) {
      return null;
    }
    int[] columns = new int[children.size()];
    DataType[] types = new DataType[columns.length];
    for (int i = 0; i < columns.length; i++) {
      Expression child = (Expression) children.get(i);
      if (child.getClass().getSimpleName().equals("KnownNotNull")) {
        child = (Expression) Interop.items(child.children()).get(0);
      }
      boolean known = encoders.isEmpty() || plainClass(encoders.get(i));
      if (!(child instanceof BoundReference) || !plain(child.dataType()) || !known) {
        return null;
      }
      columns[i] = ((BoundReference) child).ordinal();
      types[i] = child.dataType();
    }
    int[] nulls = checked.stream().mapToInt(Integer::intValue).toArray();
    return new Direct(udf.function(), columns, types, nulls, e.dataType() == DataTypes.StringType);
  }

  private static boolean nullChecks(Expression e, List<Integer> columns) {
    if (e instanceof Or) {
      return nullChecks(((Or) e).left(), columns) && nullChecks(((Or) e).right(), columns);
    }
    if (e instanceof IsNull && ((IsNull) e).child() instanceof BoundReference) {
      return columns.add(((BoundReference) ((IsNull) e).child()).ordinal());
    }
    return false;
  }

  private static boolean plain(DataType t) {
    return t == DataTypes.DoubleType || t == DataTypes.FloatType || t == DataTypes.LongType || t == DataTypes.IntegerType
        || t == DataTypes.ShortType || t == DataTypes.ByteType || t == DataTypes.BooleanType || t == DataTypes.StringType;
  }

  /** Whether an encoder is that of a number, a boolean or a text; an untyped function has none and gets the same values. */
  private static boolean plainClass(Object encoder) {
    if (encoder instanceof scala.Option) {
      if (((scala.Option<?>) encoder).isEmpty()) {
        return true;
      }
      encoder = ((scala.Option<?>) encoder).get();
    }
    Object type = Interop.call(Interop.call(encoder, "clsTag"), "runtimeClass");
    Class<?> c = (Class<?>) type;
    return c == String.class || c == Boolean.class || c == boolean.class
        || c.isPrimitive() && c != char.class && c != void.class
        || Number.class.isAssignableFrom(c) && c.getName().startsWith("java.lang.");
  }

  /** What Spark's expression would give for the row. */
  Object eval(InternalRow row) {
    for (int c : checked) {
      if (row.isNullAt(c)) {
        return null;
      }
    }
    int n = columns.length;
    Object a = argument(row, 0);
    Object b = n > 1 ? argument(row, 1) : null;
    Object c = n > 2 ? argument(row, 2) : null;
    return call(a, b, c, n > 3 ? argument(row, 3) : null);
  }

  /** The same straight from columns, without a row; null if they are of kinds that a row has to be made of. */
  Over over(Cells cells) {
    Cells.Column[] arguments = cells.plain(columns);
    Cells.Column[] looked = cells.plain(checked);
    return arguments == null || looked == null ? null : new Over(arguments, looked);
  }

  /** Calls over the rows of columns. */
  final class Over {
    private final Cells.Column[] arguments;
    private final Cells.Column[] looked;

    private Over(Cells.Column[] arguments, Cells.Column[] looked) {
      this.arguments = arguments;
      this.looked = looked;
    }

    Object eval(int row) {
      for (Cells.Column c : looked) {
        if (c.isNull(row)) {
          return null;
        }
      }
      int n = arguments.length;
      Object a = arguments[0].get(row);
      Object b = n > 1 ? arguments[1].get(row) : null;
      Object c = n > 2 ? arguments[2].get(row) : null;
      return call(a, b, c, n > 3 ? arguments[3].get(row) : null);
    }
  }

  @SuppressWarnings("unchecked")
  private Object call(Object a, Object b, Object c, Object d) {
    Object value;
    switch (columns.length) {
      case 1:
        value = ((scala.Function1<Object, Object>) function).apply(a);
        break;
      case 2:
        value = ((scala.Function2<Object, Object, Object>) function).apply(a, b);
        break;
      case 3:
        value = ((scala.Function3<Object, Object, Object, Object>) function).apply(a, b, c);
        break;
      default:
        value = ((scala.Function4<Object, Object, Object, Object, Object>) function).apply(a, b, c, d);
        break;
    }
    if (!text || value == null) {
      return value;
    }
    return value instanceof String ? UTF8String.fromString((String) value) : MISFIT;
  }

  private Object argument(InternalRow row, int i) {
    int c = columns[i];
    if (row.isNullAt(c)) {
      return null;
    }
    DataType t = types[i];
    if (t == DataTypes.DoubleType) {
      return row.getDouble(c);
    } else if (t == DataTypes.StringType) {
      return row.getUTF8String(c).toString();
    } else if (t == DataTypes.IntegerType) {
      return row.getInt(c);
    } else if (t == DataTypes.LongType) {
      return row.getLong(c);
    } else if (t == DataTypes.FloatType) {
      return row.getFloat(c);
    } else if (t == DataTypes.BooleanType) {
      return row.getBoolean(c);
    } else if (t == DataTypes.ShortType) {
      return row.getShort(c);
    }
    return row.getByte(c);
  }
}
