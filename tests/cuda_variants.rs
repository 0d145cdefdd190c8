//! Other shapes of a kernel give what the original gives, whatever is combined: run on the CPU, and compiled by NVRTC where it is at
//! hand. Without a C++ compiler there is nothing to test.

use std::path::PathBuf;
use std::sync::Arc;

use arrow::array::{AsArray, RecordBatch, StringArray, make_array};
use arrow::buffer::NullBuffer;
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

/// Columns of every width and mixture, with the elements that a proposal moves at a time; 1 is one by one.
const WIDTHS: [(&str, usize, &str); 24] = [
    ("tripled", 8, "(a: Byte) => (a * 3).toByte"),
    ("added", 8, "(a: Short, b: Byte) => (a + b).toShort"),
    ("negated", 8, "(a: Boolean) => !a"),
    ("line", 4, "(x: Float) => x * 1.5f + 2f"),
    ("quotient", 4, "(a: Int, b: Int) => a / b"),
    ("exact", 4, "(a: Int, b: Int) => Math.multiplyExact(a, b)"),
    ("less", 4, "(a: Int, b: Int) => a < b"),
    ("narrowed", 4, "(a: Int) => a.toByte"),
    (
        "boxed",
        4,
        "(x: java.lang.Float) => if (x == null) null else java.lang.Float.valueOf(x * 2f)",
    ),
    (
        "either",
        4,
        "(a: java.lang.Integer, b: java.lang.Short) => if (a == null) b.toInt else a.toInt",
    ),
    (
        "year",
        4,
        "(d: java.sql.Date) => if (d == null) -1 else d.toLocalDate.getYear",
    ),
    ("later", 4, "(d: java.time.LocalDate) => d.plusDays(7)"),
    (
        "five",
        4,
        "(a: Byte, b: Short, c: Int, d: Float, e: Boolean) => if (e) a + b + c else d.toInt",
    ),
    ("half", 2, "(a: Int) => a / 2.0"),
    ("whole", 2, "(x: Double) => x.toInt"),
    ("chosen", 2, "(a: Boolean, b: Double) => if (a) b else -b"),
    (
        "six",
        2,
        "(a: Int, b: Int, c: Int, d: Long, e: Int, f: Byte) => a + b * c - d / e + f",
    ),
    ("scaled", 1, "(x: Double) => x * 9.0 / 5.0 + 32.0"),
    ("counted", 1, "(a: Long) => a + 1L"),
    (
        "millis",
        1,
        "(t: java.sql.Timestamp) => if (t == null) 0L else t.getTime",
    ),
    ("second", 1, "(t: java.time.Instant) => t.getEpochSecond"),
    (
        "moved",
        4,
        "(d: java.time.LocalDate, n: Int) => if (d == null) null else d.plusMonths(n)",
    ),
    (
        "present",
        4,
        "(a: Option[Int], b: Option[Short]) => for (x <- a; y <- b) yield x - y",
    ),
    (
        "weekday",
        4,
        "(d: java.sql.Date) => d.toLocalDate.getDayOfWeek.getValue > 5",
    ),
];

/// The batch with nulls where it is said.
fn with_nulls(rows: &RecordBatch, null: impl Fn(usize, usize) -> bool) -> RecordBatch {
    let column = |(n, column): (usize, &Arc<dyn arrow::array::Array>)| {
        let nulls: NullBuffer = (0..rows.num_rows()).map(|row| !null(n, row)).collect();
        let data = column
            .to_data()
            .into_builder()
            .nulls(Some(nulls))
            .build()
            .expect("nulls");
        make_array(data)
    };
    RecordBatch::try_new(rows.schema(), rows.columns().iter().enumerate().map(column).collect()).expect("columns")
}

/// Tails of every length, slices that begin anywhere, nulls at every place of a word.
fn parts_of(rows: &RecordBatch) -> Vec<RecordBatch> {
    let ends = [1, 7, 8, 9, 31, 32, 33, 63, 100, 255, 511, 512, 513, 1025];
    let begins = [0, 1, 2, 3, 5, 8, 13, 31, 32, 33, 77];
    let mut all: Vec<RecordBatch> = ends.iter().map(|n| rows.slice(0, *n)).collect();
    all.extend(begins.iter().map(|n| rows.slice(*n, rows.num_rows() - n)));
    let few = rows.slice(3, 70);
    all.extend((0..64).map(|at| with_nulls(&few, |column, row| row == at + column)));
    all.extend(
        (0..64)
            .step_by(3)
            .map(|at| with_nulls(&few, |column, row| row != at + column)),
    );
    all
}

#[test]
fn proposals_move_as_many_elements_at_a_time_as_their_columns_allow() {
    let all = WIDTHS.map(|(name, _, body)| format!("  val {name} = udf({body})\n"));
    let source = format!("object Widths {{\n{}}}\n", all.concat());
    let file = SourceFile::from_text(PathBuf::from("Widths.scala"), Language::Scala, source);
    let found = find(&file);
    assert_eq!(found.udfs.len(), WIDTHS.len(), "{:?}", found.refused);
    for (udf, (name, width, _)) in found.udfs.iter().zip(WIDTHS) {
        let candidate = propose(&file, udf).expect("a proposal");
        let text = &candidate.text;
        let wide = format!("rw::row_index<{width}>");
        assert_eq!(text.contains(&wide), width > 1, "{name}\n{text}");
        assert!(
            text.contains("rows per thread") && text.contains("elements at a time") == (width > 1),
            "{text}"
        );
        // Every line that comes from one of the original still does.
        for p in &udf.params {
            let line = format!("const auto {0}_row = {0}_rows[rw_k];", p.name);
            let from = candidate
                .span_map
                .iter()
                .filter(|(_, to)| text[to.start as usize..to.end as usize] == line);
            let from: Vec<&str> = from.map(|(from, _)| file.slice(*from)).collect();
            assert!(
                matches!(from[..], [one] if one.contains(&p.name)),
                "{name}: {from:?}\n{text}"
            );
        }
        if Compiler::program().is_none() {
            continue;
        }
        let whole = generate(udf, &file, 1_100, 5).expect("rows");
        let mut oracle = Embedded::new(udf, Settings::default()).expect("covered");
        oracle.prepare(whole.schema_ref()).expect("columns");
        for shape in [
            Some(text.clone()),
            variants(text, Axis::Width).into_iter().next().map(|v| v.text),
        ] {
            let shape = shape.expect("another width");
            let mut engine =
                CudaEngine::new(&shape, udf.return_type.clone(), Settings::default(), Kind::Host).expect("a kernel");
            engine.prepare(whole.schema_ref()).expect("columns");
            for rows in parts_of(&whole) {
                let original = oracle.eval(&rows, &Cancel::default()).expect("outcomes");
                let outcome = engine
                    .eval(&rows, &Cancel::default())
                    .unwrap_or_else(|e| panic!("{name}: {e}\n{shape}"));
                let compared = compare(&rows, &original, &outcome, &Policy::default());
                assert_eq!(
                    compared.different_rows,
                    0,
                    "{name}, {} rows: {:?}\n{shape}",
                    rows.num_rows(),
                    compared.sample.first()
                );
                let findings = engine.findings();
                assert!(findings.is_empty(), "{name}: {}\n{shape}", findings[0].message);
            }
        }
        if Nvrtc::find(None).is_some() {
            compile_check(text, &Cancel::default()).unwrap_or_else(|e| panic!("{name}: {e}\n{text}"));
        }
    }
}

#[test]
fn one_element_at_a_time_leads_back() {
    let file = SourceFile::from_text(PathBuf::from("Shapes.scala"), Language::Scala, SOURCE);
    let found = find(&file);
    let udf = found.by_name("quotient").expect("a UDF");
    let proposed = propose(&file, udf).expect("a proposal").text;
    let at = |text: &str, what: &str| {
        variants(text, Axis::Width)
            .into_iter()
            .find(|v| v.what.starts_with(what))
            .map(|v| v.text)
    };
    let plain = at(&proposed, "one element").expect("one by one");
    assert!(
        !plain.contains("_side<") && !plain.contains("rw_out") && !plain.contains("at a time"),
        "{plain}"
    );
    assert_eq!(at(&plain, "4 elements").as_ref(), Some(&proposed), "there and back");
    let two = at(&proposed, "2 elements").expect("two at a time");
    assert_eq!(at(&two, "one element"), Some(plain));
    assert!(
        two.starts_with("// quotient of Shapes.scala, 4 rows per thread, 2 elements at a time.\n"),
        "{two}"
    );
    let more = variants(&proposed, Axis::Rows)
        .into_iter()
        .map(|v| v.text.lines().next().map(str::to_owned));
    let more: Vec<String> = more.flatten().collect();
    assert_eq!(
        more[0],
        "// quotient of Shapes.scala, 8 rows per thread, 4 elements at a time."
    );
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
