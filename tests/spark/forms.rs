//! Forms of UDFs that take some reaching: what the `jvm` oracle and the `spark` oracle give for them. The values are plain from
//! the source.

use std::sync::Arc;

use arrow::array::{Array, AsArray, Int32Array, RecordBatch};
use arrow::datatypes::Int32Type;
use rewright::error::{Error, ErrorKind};
use rewright::run::spark::{JvmOracle, Server};
use rewright::run::{Cancel, Evaluator, Outcome, Settings};
use rewright::source::{Language, SourceFile};

fn run(name: &str, text: &str, udf: &str, columns: usize, through_session: bool) -> Result<Outcome, Error> {
    let language = if name.ends_with(".java") {
        Language::Java
    } else {
        Language::Scala
    };
    let source = SourceFile::from_text(name, language, text);
    let found = rewright::find::find(&source);
    let udf = found
        .by_name(udf)
        .unwrap_or_else(|| panic!("{udf} of {:?}, {:?}", found.udfs.len(), found.refused));
    let mut oracle = JvmOracle::new(&source, udf, Settings::default(), &[])?;
    if through_session {
        oracle = oracle.through_session();
    }
    let column = |i: usize| -> Arc<dyn Array> { Arc::new(Int32Array::from(vec![Some(i as i32 + 1), Some(7)])) };
    let batch = RecordBatch::try_from_iter((0..columns).map(|i| (format!("c{i}"), column(i)))).unwrap();
    oracle.prepare(batch.schema_ref())?;
    oracle.eval(&batch, &Cancel::default())
}

fn int(outcome: &Outcome, row: usize) -> i32 {
    outcome.values.as_primitive::<Int32Type>().value(row)
}

const HIVE: &str = "import org.apache.hadoop.hive.ql.exec.UDF;
public class Half extends UDF {
  public Integer evaluate(Integer n) {
    if (n == 7) throw new IllegalArgumentException(\"seven\");
    return n * 2;
  }
}
";

#[test]
fn what_a_hive_function_throws_is_told_without_the_wrapper() {
    let Some(_alone) = crate::corpus::alone() else { return };
    for through_session in [false, true] {
        let outcome = run("Half.java", HIVE, "Half", 1, through_session).unwrap();
        assert_eq!(
            (int(&outcome, 0), outcome.error(1)),
            (2, Some("IllegalArgumentException"))
        );
    }
}

const ENUM: &str = "import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
public enum Rules {
  STRICT, LAX;
  static final int STEP = 3;
  static void register(SparkSession spark) {
    spark.udf().register(\"stepped\", (UDF1<Integer, Integer>) n -> n + STEP, DataTypes.IntegerType);
  }
}
";

#[test]
fn a_udf_in_an_enum_is_reached() {
    let Some(_alone) = crate::corpus::alone() else { return };
    let outcome = run("Rules.java", ENUM, "stepped", 1, false).unwrap();
    assert_eq!((int(&outcome, 0), int(&outcome, 1)), (4, 10));
}

#[test]
fn a_udf_of_more_than_ten_parameters_is_called() {
    let Some(_alone) = crate::corpus::alone() else { return };
    let params: Vec<String> = (0..12).map(|i| format!("Integer c{i}")).collect();
    let sum: Vec<String> = (0..12).map(|i| format!("c{i}")).collect();
    let text = format!(
        "import org.apache.spark.sql.api.java.UDF12;\npublic class Sum implements UDF12<{}> {{\n  \
         public Integer call({}) throws Exception {{\n    if (c0 == 7) throw new java.io.IOException(\"seven\");\n    \
         return {};\n  }}\n}}\n",
        vec!["Integer"; 13].join(", "),
        params.join(", "),
        sum.join(" + ")
    );
    for through_session in [false, true] {
        let outcome = run("Sum.java", &text, "Sum", 12, through_session).unwrap();
        assert_eq!((int(&outcome, 0), outcome.error(1)), (78, Some("IOException")));
    }
}

#[test]
fn a_class_with_parameters_is_made_where_each_has_a_default() {
    let Some(_alone) = crate::corpus::alone() else { return };
    let text = |parameter: &str| {
        format!(
            "import org.apache.spark.sql.functions.udf\nclass Tools({parameter}) extends Serializable {{\n  \
             val scaled = udf((x: Int) => x * rate)\n}}\n"
        )
    };
    let outcome = run("Tools.scala", &text("rate: Int = 3"), "scaled", 1, false).unwrap();
    assert_eq!(int(&outcome, 1), 21);
    // Nobody here knows the rate; the file compiles, so that it is no fault of the user's.
    let unknown = run("Tools.scala", &text("rate: Int"), "scaled", 1, false).unwrap_err();
    assert_eq!(
        (unknown.kind, unknown.location.is_none()),
        (ErrorKind::NotProven, true),
        "{unknown}"
    );
    assert!(unknown.to_string().contains("cannot be reached"), "{unknown}");
    assert!(unknown.to_string().contains("made with `rate`"), "{unknown}");
}

const ANONYMOUS: &str = "import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
public class Jobs {
  static final UDF1<Integer, Integer> FIELD = new UDF1<Integer, Integer>() {
    private final int by = 3;
    @Override public Integer call(Integer n) { return n * by; }
  };
  private final int own = 100;
  static abstract class Step implements Runnable {
    int base = 1000;
    abstract String title();
  }
  static Runnable inside(SparkSession spark, String title) {
    int factor = 2;
    return new Step() {
      final int more = factor + 1;
      final UDF1<Integer, Integer> kept = new UDF1<Integer, Integer>() {
        public Integer call(Integer n) { return n * more + base; }
      };
      String title() { return title; }
      public void run() {
        spark.udf().register(\"given\", (UDF1<Integer, Integer>) n -> n + more, DataTypes.IntegerType);
        spark.udf().register(\"kept\", kept, DataTypes.IntegerType);
      }
    };
  }
  class Inner {
    void register(SparkSession spark) {
      final int one = 1;
      class Plus implements UDF1<Integer, Integer> {
        public Integer call(Integer n) { return n + one + own; }
      }
      spark.udf().register(\"plus\", new Plus(), DataTypes.IntegerType);
      spark.udf().register(\"direct\", new UDF1<Integer, Integer>() {
        int times(int n) { return n * 10; }
        public Integer call(Integer n) { return times(n) + own; }
      }, DataTypes.IntegerType);
    }
  }
}
";

#[test]
fn anonymous_and_local_classes_are_reached() {
    let Some(_alone) = crate::corpus::alone() else { return };
    let expected = [
        ("FIELD", [3, 21]),
        ("given", [4, 10]),
        ("kept", [1003, 1021]),
        ("plus", [102, 108]),
        ("direct", [110, 170]),
    ];
    for (name, values) in expected {
        let outcome = run("Jobs.java", ANONYMOUS, name, 1, false).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!([int(&outcome, 0), int(&outcome, 1)], values, "{name}");
    }
}

#[test]
fn a_java_class_that_is_only_made_with_a_value_is_refused_by_the_name_of_its_parameter() {
    let Some(_alone) = crate::corpus::alone() else { return };
    let text = "import org.apache.spark.sql.api.java.UDF1;
public class Scale implements UDF1<Integer, Integer> {
  private final int by;
  public Scale(int by) { this.by = by; }
  public Integer call(Integer n) { return n * by; }
}
";
    let error = run("Scale.java", text, "Scale", 1, false).unwrap_err();
    assert!(
        error.location.is_none() && error.kind == ErrorKind::NotProven,
        "{error}"
    );
    assert!(error.to_string().contains("`Scale` is made with `by`"), "{error}");
    let broken = text.replace("n * by", "n * bye");
    let error = run("Scale.java", &broken, "Scale", 1, false).unwrap_err();
    assert!(
        error.kind == ErrorKind::Compile && error.to_string().starts_with("Scale.java:5:"),
        "{error}"
    );
}

/// A table's arrays may hold nulls, whatever the function's element type says; Spark looks before it reads an `Int`.
#[test]
fn a_null_among_primitive_elements_raises_as_in_a_table() {
    use arrow::array::{ListArray, StringArray};
    let Some(_alone) = crate::corpus::alone() else { return };
    let text = "import org.apache.spark.sql.functions.udf\nobject S { val sum = udf((xs: Seq[Int]) => if (xs == null) -1 else xs.sum) }\n";
    let source = SourceFile::from_text("S.scala", Language::Scala, text);
    let found = rewright::find::find(&source);
    let udf = found.by_name("sum").expect("found");
    let rows = vec![Some(vec![Some(1), Some(2)]), Some(vec![Some(1), None]), None];
    let lists = ListArray::from_iter_primitive::<Int32Type, _, _>(rows);
    let table = RecordBatch::try_from_iter([("xs", Arc::new(lists) as Arc<dyn Array>)]).unwrap();
    let bound = rewright::inputs::bind(udf, &table, std::path::Path::new("table")).expect("binds");
    // Spark's assertion has an exception of its own since 4.0.
    let raised = match Server::of(&[]).expect("a Spark").kit().spark.version.starts_with("3.") {
        true => "NullPointerException",
        false => "SparkRuntimeException",
    };
    for through_session in [false, true] {
        let mut oracle = JvmOracle::new(&source, udf, Settings::default(), &[]).expect("an oracle");
        if through_session {
            oracle = oracle.through_session();
        }
        oracle.prepare(bound.args.schema_ref()).expect("prepares");
        let outcome = oracle.eval(&bound.args, &Cancel::default()).expect("runs");
        let errors: Option<&StringArray> = outcome.errors.as_ref();
        let errors = errors.expect("one row raises");
        assert_eq!((int(&outcome, 0), int(&outcome, 2)), (3, -1));
        assert_eq!((errors.is_null(0), errors.value(1)), (true, raised));
    }
}
