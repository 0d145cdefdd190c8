package rewright.worker;

import java.util.function.Predicate;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

/** What a plan holds that makes it prove nothing. In: a plan or an expression; out: the first such call, innermost first, or null. */
public final class Nodes {
  private Nodes() {}

  /** The first call of a plan that runs someone's code. */
  public static Expression udf(LogicalPlan plan) {
    return first(plan, Nodes::isUdf);
  }

  /** The same of an expression. */
  public static Expression udf(Expression e) {
    return first(e, Nodes::isUdf);
  }

  /**
   * The first call of an analysed plan that gives something else for the same row when it is asked again: random numbers,
   * counters, calls by reflection, clocks. The optimizer puts literals in place of clocks, so that its plan tells less.
   */
  public static Expression unsteady(LogicalPlan plan) {
    return first(plan, e -> !e.deterministic() || isClock(e));
  }

  /** Anywhere in a plan: Spark 4 computes what an expression needs twice in a projection of its own. */
  private static Expression first(LogicalPlan plan, Predicate<Expression> wanted) {
    for (Object e : Interop.items(plan.expressions())) {
      Expression found = first((Expression) e, wanted);
      if (found != null) {
        return found;
      }
    }
    for (Object child : Interop.items(plan.children())) {
      Expression found = first((LogicalPlan) child, wanted);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static Expression first(Expression e, Predicate<Expression> wanted) {
    for (Object child : Interop.items(e.children())) {
      Expression found = first((Expression) child, wanted);
      if (found != null) {
        return found;
      }
    }
    return wanted.test(e) ? e : null;
  }

  private static boolean isUdf(Expression e) {
    String name = e.getClass().getSimpleName();
    return name.contains("UDF") || name.contains("UserDefined") || name.startsWith("HiveSimple")
        || name.startsWith("HiveGeneric");
  }

  private static boolean isClock(Expression e) {
    switch (e.getClass().getSimpleName()) {
      case "CurrentDate":
      case "CurrentTime":
      case "CurrentTimestamp":
      case "CurrentBatchTimestamp":
      case "LocalTimestamp":
      case "Now":
        return true;
      default:
        return false;
    }
  }
}
