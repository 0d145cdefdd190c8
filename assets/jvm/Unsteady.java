package rewright.worker;

import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

/**
 * What gives something else for the same row when it is asked again: random numbers, counters, calls by reflection, clocks. A
 * test of it says nothing of the next run. In: an analysed plan, since the optimizer puts literals in place of clocks; out: the
 * SQL of the first such call, or null.
 */
public final class Unsteady {
  private Unsteady() {}

  /** The first one of a plan. */
  public static String in(LogicalPlan plan) {
    for (Object e : Interop.items(plan.expressions())) {
      String found = in((Expression) e);
      if (found != null) {
        return found;
      }
    }
    for (Object child : Interop.items(plan.children())) {
      String found = in((LogicalPlan) child);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static String in(Expression e) {
    for (Object child : Interop.items(e.children())) {
      String found = in((Expression) child);
      if (found != null) {
        return found;
      }
    }
    return !e.deterministic() || isClock(e) ? e.sql() : null;
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
