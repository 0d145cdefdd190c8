//! Other shapes of a kernel give what the original gives, whatever is combined: run on the CPU, and compiled by NVRTC where it is at
//! hand. Without a C++ compiler there is nothing to test.

use std::path::PathBuf;

use rewright::compare::{Policy, Verdict, compare};
use rewright::find::{Udf, find};
use rewright::inputs::generate;
use rewright::propose::cuda::{Axis, propose, variants};
use rewright::run::cuda::{Compiler, CudaEngine, Kind, Nvrtc, compile_check};
use rewright::run::embedded::Embedded;
use rewright::run::{Cancel, Evaluator, Outcome, Settings};
use rewright::source::{Language, SourceFile};

/// Every width of an element, null rules of both kinds, an exception, several columns, a text, a loop.
const SOURCE: &str = r#"
object Shapes {
  val scaled = udf((x: Double) => x * 9.0 / 5.0 + 32.0)
  val boxed = udf((x: java.lang.Double) => if (x == null) null else java.lang.Double.valueOf(x * 2.0))
  val quotient = udf((a: Int, b: Int) => a / b)
  val small = udf((a: Short, b: Byte) => (a + b).toShort)
  val large = udf((a: Long, b: Int, c: Float) => a + b + c.toLong)
  val sign = udf((x: Float) => x > 0f)
  val shown = udf((x: Int) => x.toString)
  val digits = udf((x: Int) => { var n = math.abs(x); var sum = 0; while (n > 0) { sum += n % 10; n /= 10 }; sum })
}
"#;

struct Subject<'a> {
    udf: &'a Udf,
    rows: arrow::array::RecordBatch,
    original: Outcome,
}

impl Subject<'_> {
    /// Runs a text on the CPU and compares.
    fn holds(&self, text: &str, what: &str) {
        if Nvrtc::find(None).is_some()
            && let Err(e) = compile_check(text, &Cancel::default())
        {
            panic!("{}, {what}: {e}\n{text}", self.udf.name);
        }
        let result = self.udf.return_type.clone();
        let mut engine = CudaEngine::new(text, result, Settings::default(), Kind::Host).expect("a kernel");
        let done = engine
            .prepare(self.rows.schema_ref())
            .and_then(|_| engine.eval(&self.rows, &Cancel::default()));
        let outcome = done.unwrap_or_else(|e| panic!("{}, {what}: {e}\n{text}", self.udf.name));
        let verdict = compare(&self.rows, &self.original, &outcome, &Policy::default()).verdict;
        assert_eq!(verdict, Verdict::Equal, "{}, {what}\n{text}", self.udf.name);
    }
}

#[test]
fn every_shape_of_a_kernel_gives_what_the_original_gives() {
    try_shapes(|name| name == "scaled", true);
}

#[test]
fn shapes_hold_for_every_width_and_null_rule() {
    try_shapes(|name| name != "scaled", false);
}

/// Tries the shapes of some of the UDFs: all of them, or the last of each axis.
fn try_shapes(of: impl Fn(&str) -> bool, all: bool) {
    if Compiler::program().is_none() {
        return println!("no C++ compiler: nothing to test");
    }
    let file = SourceFile::from_text(PathBuf::from("Shapes.scala"), Language::Scala, SOURCE);
    let found = find(&file);
    assert_eq!(found.udfs.len(), 8);
    for udf in found.udfs.iter().filter(|u| of(&u.name)) {
        // A number of rows that leaves a part of a thread's, a word's and a block's over.
        let rows = generate(udf, &file, 2_003, 7).expect("rows");
        let mut oracle = Embedded::new(udf, Settings::default()).expect("covered");
        oracle.prepare(rows.schema_ref()).expect("columns");
        let original = oracle.eval(&rows, &Cancel::default()).expect("outcomes");
        let subject = Subject { udf, rows, original };
        let mut text = propose(&file, udf).expect("a proposal").text;
        let short = !matches!(udf.name.as_str(), "shown" | "digits");
        // The next axis goes on from the last variant of the one before: combinations, as a search makes them.
        for axis in Axis::ALL {
            let made = variants(&text, axis);
            let wanted = short || axis == Axis::Block || (axis == Axis::Loads && text.contains("rw::load"));
            let guarded = axis != Axis::Nulls || text.contains("_row.valid) {");
            assert_eq!(!made.is_empty(), wanted && guarded, "{} {axis:?}\n{text}", udf.name);
            let first = if all { 0 } else { made.len().saturating_sub(1) };
            for v in &made[first..] {
                subject.holds(&v.text, &v.what);
            }
            if let Some(last) = made.into_iter().next_back() {
                text = last.text;
            }
        }
    }
}
