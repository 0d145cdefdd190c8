//! Other shapes of a kernel give what the original gives, whatever is combined: run on the CPU, and compiled by NVRTC where it is at
//! hand. Without a C++ compiler there is nothing to test.

use std::path::PathBuf;
use std::sync::Arc;

use arrow::array::{AsArray, RecordBatch, StringArray};
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
    rows: RecordBatch,
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

/// Patterns that are one set of characters or plain text, and two that are not.
const PATTERNS: &str = r#"
object Patterns {
  val digits = udf((s: String) => s.replaceAll("[^0-9]", ""))
  val blanks = udf((s: String) => if (s == null) null else s.replaceAll("\\s+", " "))
  val vowels = udf((s: String) => s.replaceAll("[aeiou\u00e4\u4e00-\u9fff]", "\u2022\u2022"))
  val letters = udf((s: String) => s.replaceAll("\\p{L}++", "L"))
  val dots = udf((s: String) => s.replaceAll("\\.", ""))
  val word = udf((s: String) => s.replaceAll("ab", "b\u00e9"))
  val groups = udf((s: String) => s.replaceAll("(\\d)", "<$1>"))
  val lazily = udf((s: String) => s.replaceAll("[a-z]+?", "x"))
}
"#;

#[test]
fn a_pattern_that_is_one_set_needs_no_machine() {
    if Compiler::program().is_none() {
        return println!("no C++ compiler: nothing to test");
    }
    let file = SourceFile::from_text(PathBuf::from("Patterns.scala"), Language::Scala, PATTERNS);
    let found = find(&file);
    assert_eq!(found.udfs.len(), 8);
    let own = [
        "",
        "a1-b2\t\r\n c..\u{1f600}9",
        "abab.aab",
        "\u{4e00}ä é",
        "...",
        " \u{a0} 12",
        "xyz",
    ];
    for udf in &found.udfs {
        let made = generate(udf, &file, 500, 3).expect("rows");
        let texts = made.column(0).as_string::<i32>().iter();
        let all: StringArray = own.iter().map(|t| Some(*t)).chain(texts).collect();
        let rows = RecordBatch::try_new(made.schema(), vec![Arc::new(all)]).expect("a column");
        let mut oracle = Embedded::new(udf, Settings::default()).expect("covered");
        oracle.prepare(rows.schema_ref()).expect("columns");
        let original = oracle.eval(&rows, &Cancel::default()).expect("outcomes");
        let text = propose(&file, udf).expect("a proposal").text;
        let needs = matches!(udf.name.as_str(), "groups" | "lazily");
        assert_eq!(text.contains("rw::re_"), needs, "{}\n{text}", udf.name);
        Subject { udf, rows, original }.holds(&text, "as proposed");
    }
}
