package rewright.worker;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;

/**
 * How an optimized plan computes one of its columns: projections one above the other, since Spark 4 computes in a projection of
 * its own what an expression needs more than once. In: a plan; out: the expressions, lowest projection first, and their value
 * for a row. Each projection is computed whole before the next one, as the plan does it, so that what raises there raises here.
 */
public final class Stages {
  /** The expressions of each projection, as far as the next one reads them; the last has the column alone. */
  private final List<List<Expression>> expressions = new ArrayList<>();
  /** What each of them reads, in order: the columns of the input, then what the projection below computes. */
  private final List<List<Attribute>> reads = new ArrayList<>();
  /** What the lowest projection stands on. */
  public final LogicalPlan below;

  private Stages(LogicalPlan plan, int column) {
    List<Attribute> wanted = new ArrayList<>();
    wanted.add((Attribute) Interop.items(plan.output()).get(column));
    LogicalPlan at = plan;
    do {
      List<Expression> computed = new ArrayList<>();
      for (Attribute a : wanted) {
        computed.add(at instanceof Project ? definition((Project) at, a) : a);
      }
      wanted = referred(computed);
      expressions.add(0, computed);
      reads.add(0, wanted);
      at = at instanceof Project ? ((Project) at).child() : at;
    } while (at instanceof Project);
    below = at;
  }

  /** How a plan computes its column at a place. */
  public static Stages of(LogicalPlan plan, int column) {
    return new Stages(plan, column);
  }

  private static Expression definition(Project project, Attribute wanted) {
    for (Object e : Interop.items(project.projectList())) {
      if (((NamedExpression) e).exprId().equals(wanted.exprId())) {
        return e instanceof Alias ? ((Alias) e).child() : (Expression) e;
      }
    }
    throw new Failure("internal", "the plan has no column " + wanted);
  }

  private static List<Attribute> referred(List<Expression> expressions) {
    Map<Object, Attribute> found = new LinkedHashMap<>();
    for (Expression e : expressions) {
      for (Object a : Interop.items(e.references())) {
        found.putIfAbsent(((Attribute) a).exprId(), (Attribute) a);
      }
    }
    return new ArrayList<>(found.values());
  }

  /** Every expression. */
  public List<Expression> all() {
    List<Expression> all = new ArrayList<>();
    expressions.forEach(all::addAll);
    return all;
  }

  /** The expression of the column itself. */
  public Expression value() {
    return expressions.get(expressions.size() - 1).get(0);
  }

  /** The columns of the input that the value depends on. */
  public List<Attribute> columns() {
    return Collections.unmodifiableList(reads.get(0));
  }

  /** Whether the same row gives the same value each time. */
  public boolean isDeterministic() {
    return all().stream().allMatch(Expression::deterministic);
  }

  /** The same by position, over rows with these columns. */
  public ByPlace over(List<? extends Attribute> input) {
    List<? extends Attribute> given = input;
    Expression[][] bound = new Expression[expressions.size()][];
    for (int s = 0; s < bound.length; s++) {
      Object seq = Interop.make("org.apache.spark.sql.catalyst.expressions.package$AttributeSeq", Interop.of(given));
      Object binder = Interop.module("org.apache.spark.sql.catalyst.expressions.BindReferences");
      List<Expression> here = expressions.get(s);
      bound[s] = new Expression[here.size()];
      for (int i = 0; i < bound[s].length; i++) {
        bound[s][i] = (Expression) Interop.call(binder, "bindReference", here.get(i), seq, false);
      }
      given = s + 1 < bound.length ? reads.get(s + 1) : given;
    }
    return new ByPlace(bound);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(String.valueOf(value()));
    for (int s = expressions.size() - 2; s >= 0; s--) {
      for (int i = 0; i < expressions.get(s).size(); i++) {
        Expression e = expressions.get(s).get(i);
        if (!(e instanceof Attribute)) {
          text.append(", ").append(reads.get(s + 1).get(i)).append(" = ").append(e);
        }
      }
    }
    return text.toString();
  }

  /** Stages that read their columns by position; they can be sent to executors. */
  public static final class ByPlace implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Lowest first. */
    public final Expression[][] stages;

    private ByPlace(Expression[][] stages) {
      this.stages = stages;
    }

    /** The value for a row, without generated code; what it raises comes through. */
    Object eval(InternalRow row) {
      InternalRow at = row;
      for (int s = 0; s + 1 < stages.length; s++) {
        Object[] values = new Object[stages[s].length];
        for (int i = 0; i < values.length; i++) {
          values[i] = stages[s][i].eval(at);
        }
        at = new GenericInternalRow(values);
      }
      return stages[stages.length - 1][0].eval(at);
    }
  }
}
