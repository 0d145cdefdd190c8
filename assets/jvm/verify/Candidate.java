package rewright.verify;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.functions;
import rewright.worker.Failure;
import rewright.worker.Interop;
import rewright.worker.Nodes;
import rewright.worker.Stages;

/**
 * The rewrite in Spark's own plan, and what that plan says about it. In: the columns and the text; out: the rows with its
 * values, and the expression alone for rows that have to be guarded. Refuses what would prove nothing.
 */
final class Candidate {
  private static final String NAME = "rewright candidate";

  /** The columns, then the value of the rewrite. */
  final Dataset<Row> rows;
  /** Over the columns by position; optimised as Spark does it. */
  final Stages.ByPlace expression;
  /** Whether Spark's plan computes it for each row. */
  final boolean isInPlan;

  private Candidate(Dataset<Row> rows, Stages.ByPlace expression, boolean isInPlan) {
    this.rows = rows;
    this.expression = expression;
    this.isInPlan = isInPlan;
  }

  static Candidate of(SparkSession session, Dataset<Row> columns, Spec spec) {
    Dataset<Row> rows = with(columns, spec);
    // The same over columns that the optimizer cannot look into: what is left of the rewrite there does not depend on the data.
    Object plan = Interop.call(columns, "queryExecution");
    Object opaque = Interop.call(session, "internalCreateDataFrame", Interop.call(plan, "toRdd"), columns.schema(), false);
    @SuppressWarnings("unchecked")
    Dataset<Row> probe = with((Dataset<Row>) opaque, spec);
    LogicalPlan optimized = optimized(probe);
    Stages value = Stages.of(optimized, spec.params.size());
    if (!value.below.children().isEmpty()) {
      throw new Failure("unsupported", "the candidate is not an expression over the columns of one row");
    }
    for (Expression e : value.all()) {
      Expression udf = Nodes.udf(e);
      if (udf != null) {
        throw new Failure("unproven", "the candidate's plan still calls a UDF (" + udf.getClass().getSimpleName() + ")");
      }
    }
    Expression unsteady = Nodes.unsteady((LogicalPlan) Interop.call(Interop.call(probe, "queryExecution"), "analyzed"));
    if (unsteady != null) {
      throw new Failure("unproven", "the candidate gives something else for the same row each time: " + unsteady.sql());
    }
    if (value.columns().isEmpty() && !spec.params.isEmpty()) {
      throw new Failure("unproven", "the candidate was folded to " + value + ", which reads no column");
    }
    List<Attribute> input = new ArrayList<>();
    for (Object a : Interop.items(value.below.output())) {
      input.add((Attribute) a);
    }
    return new Candidate(rows, value.over(input), isInPlan(optimized(rows), spec));
  }

  /** Whether a plan computes the rewrite for each row instead of having folded it away. */
  private static boolean isInPlan(LogicalPlan plan, Spec spec) {
    return plan instanceof Project && !(Stages.of(plan, spec.params.size()).value() instanceof Literal);
  }

  private static Dataset<Row> with(Dataset<Row> columns, Spec spec) {
    org.apache.spark.sql.Column[] all = new org.apache.spark.sql.Column[spec.params.size() + 1];
    for (int i = 0; i < spec.params.size(); i++) {
      all[i] = Input.column(spec.params.get(i));
    }
    try {
      all[all.length - 1] = functions.expr(spec.candidate).as(NAME);
      return columns.select(all);
    } catch (Exception e) {
      throw Input.explained(e, "compile", "");
    }
  }

  private static LogicalPlan optimized(Dataset<Row> rows) {
    return (LogicalPlan) Interop.call(Interop.call(rows, "queryExecution"), "optimizedPlan");
  }

  /** Spark's executed plan. */
  String plan() {
    return String.valueOf(Interop.call(Interop.call(rows, "queryExecution"), "executedPlan"));
  }
}
