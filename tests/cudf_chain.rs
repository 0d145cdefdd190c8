//! cuDF calls as kernels of their own, run on a GPU or, where there is none, on the CPU: cell for cell what the emulation of the
//! library gives, for operators over edge values and for every cuDF proposal of the corpus whose calls are covered. Without a GPU it
//! needs a C++ compiler and says so where there is none.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex};

use arrow::array::*;
use arrow::datatypes::DataType;
use rewright::compare::{Policy, Verdict, compare};
use rewright::find::find;
use rewright::inputs::data::{bind, read_data};
use rewright::propose::{Tier, propose_tier};
use rewright::run::cuda::{Compiler, Kind, Nvrtc, compile_check, has_gpu, run_chain};
use rewright::run::cudf::{CudfEngine, inexact_calls};
use rewright::run::{Cancel, Outcome, Settings};
use rewright::source::SourceFile;

fn can() -> bool {
    let found = has_gpu() || Compiler::program().is_some();
    if !found {
        println!("no GPU and no C++ compiler: nothing to test");
    }
    found
}

/// What the kernels gave, and what the emulation gave; or why there are no kernels.
fn both(text: &str, names: Vec<String>, batch: &RecordBatch) -> Result<(Outcome, Outcome, usize), String> {
    let cancel = Cancel::default();
    let mut engine = CudfEngine::new(text, names, Settings::default()).map_err(|e| e.to_string())?;
    let (job, emulated) = engine.chain(batch, &cancel).map_err(|e| e.to_string())?;
    if Nvrtc::find(None).is_some() {
        job.chain.steps.iter().for_each(|step| compiled(&step.text));
    }
    let kind = if has_gpu() { Kind::Device(0) } else { Kind::Host };
    let ran = run_chain(&job, kind, &cancel).unwrap_or_else(|e| panic!("{e}\n{text}\n{:#?}", job.chain));
    Ok((ran, emulated, job.chain.steps.len()))
}

/// Has NVRTC take a kernel, each text once.
fn compiled(text: &str) {
    static SEEN: LazyLock<Mutex<HashSet<String>>> = LazyLock::new(Mutex::default);
    if SEEN.lock().expect("no panic").insert(text.to_owned()) {
        compile_check(text, &Cancel::default()).unwrap_or_else(|e| panic!("{e}\n{text}"));
    }
}

/// A candidate in Scala whose arguments are `a`, `b` and so on.
fn candidate(body: &str) -> String {
    format!(
        "import ai.rapids.cudf._\nimport com.nvidia.spark.RapidsUDF\n\nclass F extends RapidsUDF {{\n  \
         override def evaluateColumnar(numRows: Int, args: ColumnVector*): ColumnVector = {{\n    \
         val a = args(0)\n    val b = args(1)\n    {body}\n  }}\n}}\n"
    )
}

fn pairs<T: Copy>(values: &[T]) -> (Vec<Option<T>>, Vec<Option<T>>) {
    let all: Vec<Option<T>> = values.iter().copied().map(Some).chain([None]).collect();
    let left = all.iter().flat_map(|x| std::iter::repeat_n(*x, all.len()));
    let right = all.iter().map(|_| all.clone());
    (left.collect(), right.flatten().collect())
}

/// Every pair of edge values of a type.
fn edges(ty: &DataType) -> RecordBatch {
    macro_rules! of {
        ($array:ty, $values:expr) => {{
            let (a, b) = pairs($values);
            let (a, b): ($array, $array) = (a.into_iter().collect(), b.into_iter().collect());
            (Arc::new(a) as ArrayRef, Arc::new(b) as ArrayRef)
        }};
    }
    let (a, b) = match ty {
        DataType::Int8 => of!(Int8Array, &[0, 1, -1, 7, -7, i8::MIN, i8::MAX]),
        DataType::Int16 => of!(Int16Array, &[0, 1, -1, 33, -300, i16::MIN, i16::MAX]),
        DataType::Int32 => of!(Int32Array, &[0, 1, -1, 3, -7, 31, 32, 40, i32::MIN, i32::MAX]),
        DataType::Int64 => of!(Int64Array, &[0, 1, -1, 3, -7, 63, 64, 1 << 32, i64::MIN, i64::MAX]),
        DataType::Float32 => of!(
            Float32Array,
            &[
                0.0,
                -0.0,
                1.5,
                -2.5,
                3e9,
                -3e9,
                1e30,
                f32::NAN,
                f32::INFINITY,
                f32::MIN_POSITIVE
            ]
        ),
        DataType::Float64 => of!(
            Float64Array,
            &[
                0.0,
                -0.0,
                1.5,
                -2.5,
                3e9,
                -3e9,
                1e19,
                -1e19,
                1e300,
                f64::NAN,
                f64::INFINITY,
                f64::NEG_INFINITY,
                5e-324
            ]
        ),
        DataType::Boolean => of!(BooleanArray, &[true, false]),
        DataType::Date32 => of!(Date32Array, &[0, 1, -1, 19_000, -100_000, i32::MAX]),
        DataType::Decimal128(precision, scale) => {
            let (a, b) = pairs(&[0_i128, 1, -1, 250, -12_345, 30_000]);
            let of = |v: Vec<Option<i128>>| -> ArrayRef {
                let array: Decimal128Array = v.into_iter().collect();
                Arc::new(array.with_precision_and_scale(*precision, *scale).expect("it fits"))
            };
            (of(a), of(b))
        }
        _ => of!(
            TimestampMicrosecondArray,
            &[0, 1, -1, 1_700_000_000_123_456, -86_400_000_001]
        ),
    };
    RecordBatch::try_from_iter_with_nullable([("a", a, true), ("b", b, true)]).expect("a batch")
}

fn same(name: &str, batch: &RecordBatch, ran: &Outcome, emulated: &Outcome, inexact: bool) {
    assert_eq!(ran.values.data_type(), emulated.values.data_type(), "{name}");
    let found = compare(batch, emulated, ran, &Policy::default());
    // Where the CPU's function stands in for the device's, the emulation's own is another one.
    let excused = inexact && found.classes.keys().all(|c| c.contains("ulp"));
    assert!(
        excused || found.verdict != Verdict::Different && found.different_rows == 0,
        "{name}: {:?} {:?}",
        found.classes,
        found.sample
    );
}

const NUMBERS: &[DataType] = &[
    DataType::Int8,
    DataType::Int16,
    DataType::Int32,
    DataType::Int64,
    DataType::Float32,
    DataType::Float64,
];

/// Runs bodies over the edges of types; whether so many calls became kernels. What has none says so by name. The compilers take a
/// second for each kernel: where nobody asks for all of them (`REWRIGHT_TEST_ALL`), a sixth of the bodies speaks for the others.
fn all(types: &[DataType], bodies: &[&str], kernels: usize) {
    let every = std::env::var_os("REWRIGHT_TEST_ALL").is_some();
    let mut ran = 0;
    for (n, ty) in types.iter().enumerate() {
        let batch = edges(ty);
        let chosen = bodies.iter().enumerate().filter(|(i, _)| every || i % 6 == n % 6);
        for (_, body) in chosen {
            let name = format!("{body} of {ty}");
            match both(&candidate(body), vec!["a".into(), "b".into()], &batch) {
                Ok((kernels, emulated, steps)) => {
                    same(&name, &batch, &kernels, &emulated, false);
                    ran += steps;
                }
                Err(why) => println!("{name}: {why}"),
            }
        }
    }
    assert!(ran > 0 && (!every || ran >= kernels), "{ran} kernels");
}

#[test]
fn operators_give_what_the_library_gives() {
    if !can() {
        return;
    }
    let exact = [
        "a.add(b)",
        "a.mul(b).sub(a)",
        "a.div(b)",
        "a.mod(b)",
        "a.floorDiv(b)",
        "a.pmod(b)",
        "a.trueDiv(b)",
        "a.add(b, DType.INT64)",
        "a.mul(b, DType.FLOAT64)",
        "a.binaryOp(BinaryOp.PYMOD, b, a.getType)",
        "a.maxNullAware(b)",
        "a.minNullAware(b)",
    ];
    all(NUMBERS, &exact, 60);
    let whole = [
        "a.bitAnd(b)",
        "a.bitOr(b)",
        "a.bitXor(b)",
        "a.shiftLeft(b)",
        "a.shiftRight(b)",
        "a.shiftRightUnsigned(b)",
        "a.bitInvert()",
        "a.abs()",
    ];
    all(&NUMBERS[..4], &whole, 28);
    all(
        &NUMBERS[4..],
        &[
            "a.floor()",
            "a.ceil()",
            "a.rint()",
            "a.sqrt()",
            "a.abs()",
            "a.isNan()",
            "a.nansToNulls()",
        ],
        12,
    );
}

#[test]
fn comparisons_and_choices_give_what_the_library_gives() {
    if !can() {
        return;
    }
    let types = [
        DataType::Int32,
        DataType::Float64,
        DataType::Boolean,
        DataType::Date32,
        DataType::Timestamp(arrow::datatypes::TimeUnit::Microsecond, None),
    ];
    let bodies = [
        "a.equalTo(b)",
        "a.notEqualTo(b)",
        "a.lessThan(b)",
        "a.greaterOrEqualTo(b)",
        "a.equalToNullAware(b)",
        "a.notEqualToNullAware(b)",
        "a.isNull()",
        "a.isNotNull()",
        "a.lessThan(b).ifElse(a, b)",
        "a.replaceNulls(b)",
        "a.mergeAndSetValidity(BinaryOp.BITWISE_AND, a, b)",
        "a.mergeAndSetValidity(BinaryOp.BITWISE_OR, a, b)",
    ];
    all(&types, &bodies, 60);
    let logic = [
        "a.and(b)",
        "a.or(b)",
        "a.not()",
        "a.binaryOp(BinaryOp.NULL_LOGICAL_AND, b, DType.BOOL8)",
        "a.binaryOp(BinaryOp.NULL_LOGICAL_OR, b, DType.BOOL8)",
    ];
    all(&[DataType::Boolean], &logic, 5);
}

#[test]
fn conversions_and_scalars_give_what_the_library_gives() {
    if !can() {
        return;
    }
    let casts = [
        "a.castTo(DType.INT8)",
        "a.castTo(DType.INT16)",
        "a.asInts()",
        "a.asLongs()",
        "a.asFloats()",
        "a.asDoubles()",
        "a.castTo(DType.BOOL8)",
    ];
    let mut types = NUMBERS.to_vec();
    types.push(DataType::Boolean);
    all(&types, &casts, 40);
    let scalars = [
        "a.mul(Scalar.fromDouble(1.8)).add(Scalar.fromDouble(32.0))",
        "a.sub(Scalar.fromInt(-3))",
        "Scalar.fromLong(Long.MinValue).sub(a, DType.INT64)",
        "a.lessThan(Scalar.fromNull(a.getType)).ifElse(a, b)",
        "a.isNull().ifElse(Scalar.fromFloat(0.1f), Scalar.fromFloat(-0.0f))",
        "a.replaceNulls(ColumnVector.fromScalar(Scalar.fromInt(5), numRows).castTo(a.getType))",
    ];
    all(NUMBERS, &scalars, 40);
    let days = [
        "a.castTo(DType.TIMESTAMP_MICROSECONDS)",
        "a.asInts()",
        "a.year()",
        "a.month()",
        "a.day()",
        "a.weekDay()",
        "a.dayOfYear()",
        "a.quarterOfYear()",
        "a.isLeapYear()",
        "a.daysInMonth()",
    ];
    all(&[DataType::Date32], &days, 10);
    let micros = [
        "a.castTo(DType.TIMESTAMP_DAYS)",
        "a.asLongs()",
        "a.hour()",
        "a.minute()",
        "a.second()",
        "a.year()",
    ];
    all(
        &[DataType::Timestamp(arrow::datatypes::TimeUnit::Microsecond, None)],
        &micros,
        6,
    );
}

#[test]
fn decimals_give_what_the_library_gives() {
    if !can() {
        return;
    }
    let types = [
        DataType::Decimal128(9, 2),
        DataType::Decimal128(18, 2),
        DataType::Decimal128(38, 2),
    ];
    let bodies = [
        "a.add(b)",
        "a.sub(b)",
        "a.mul(b)",
        "a.div(b)",
        "a.mod(b)",
        "a.lessThan(b)",
        "a.equalTo(b)",
        "a.equalToNullAware(b)",
        "a.abs()",
        "a.asLongs()",
        "a.lessThan(b).ifElse(a, b)",
        "a.castTo(DType.create(DType.DTypeEnum.DECIMAL128, -6))",
        "a.castTo(DType.create(DType.DTypeEnum.DECIMAL64, 0))",
        "a.castTo(DType.create(DType.DTypeEnum.DECIMAL32, -1)).asInts()",
        "a.asInts().castTo(DType.create(DType.DTypeEnum.DECIMAL64, -3))",
        "a.isNull().ifElse(Scalar.fromDecimal(-2, 25), a)",
    ];
    all(&types, &bodies, 35);
}

#[test]
fn the_rewrite_of_the_sample_is_two_calls() {
    let text = include_str!("../assets/samples/ToFahrenheit.edited.scala");
    let mut engine = CudfEngine::new(text, vec!["a".into()], Settings::default()).expect("parses");
    let (job, _) = engine
        .chain(&edges(&DataType::Float64), &Cancel::default())
        .expect("kernels");
    let calls: Vec<&str> = job.chain.steps.iter().map(|s| s.call.as_str()).collect();
    assert_eq!(calls, ["mul", "add"]);
}

#[test]
fn a_call_without_a_kernel_is_refused_by_its_name() {
    let batch = edges(&DataType::Int32);
    let refused = |body: &str| {
        let mut engine =
            CudfEngine::new(&candidate(body), vec!["a".into(), "b".into()], Settings::default()).expect("parses");
        engine.chain(&batch, &Cancel::default()).expect_err(body).to_string()
    };
    for (body, name) in [
        (
            "ColumnVector.fromScalar(Scalar.fromInt(1), numRows)",
            "its calls read no column",
        ),
        ("a.asStrings()", "`asStrings` in line 8"),
        (
            "a.add(a.max())",
            "`max` in line 8 has no kernel of its own here: it hands a value to the host",
        ),
        ("if (a.hasNulls) a.add(b) else a.sub(b)", "`hasNulls` in line 8"),
        ("a.incRefCount()", "gives one of its arguments back"),
    ] {
        let said = refused(body);
        assert!(said.contains(name), "{body}: {said}");
    }
}

fn corpus(path: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/corpus")).join(path)
}

#[test]
fn the_corpus_gives_cell_for_cell_what_the_emulation_gives() {
    if !can() {
        return;
    }
    let manifest = std::fs::read_to_string(corpus("manifest.jsonl")).expect("the corpus has a manifest");
    let (mut covered, mut reasons) = (0, std::collections::BTreeMap::<String, usize>::new());
    // Each is up to forty kernels, which a C++ compiler takes a minute for and a device no time: there, or if asked for, all of them.
    let every = has_gpu() || std::env::var_os("REWRIGHT_TEST_ALL").is_some();
    for line in manifest.lines() {
        if covered >= 4 && !every {
            break;
        }
        let entry: serde_json::Value = serde_json::from_str(line).expect("a JSON line");
        let text = |key: &str| entry[key].as_str().expect("a text").to_string();
        if !matches!(text("language").as_str(), "scala" | "java") || entry["kind"] == "aggregator" {
            continue;
        }
        let source = SourceFile::read(&corpus(&text("file"))).expect("a source file");
        let found = find(&source);
        let Some(udf) = found.by_name(&text("udf")) else {
            continue;
        };
        let Ok(proposal) = propose_tier(&source, udf, Tier::Cudf) else {
            continue;
        };
        let input = corpus(&text("input"));
        let bound = bind(udf, &read_data(&input).expect("an input table"), &input).expect("columns");
        match both(&proposal.text, udf.param_names(), &bound.args) {
            Ok((ran, emulated, steps)) => {
                let inexact = inexact_calls().iter().any(|c| {
                    let method = c.split('.').next_back().unwrap_or(c);
                    proposal.text.contains(&format!(".{method}(")) && !c.contains(".as")
                });
                same(&text("id"), &bound.args, &ran, &emulated, inexact);
                println!("{}: {steps} kernels", text("id"));
                covered += 1;
            }
            Err(why) => *reasons.entry(why).or_default() += 1,
        }
    }
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    reasons.iter().for_each(|(why, n)| println!("{n}: {why}"));
    println!("{covered} covered");
    assert!(covered >= 1, "{covered} covered");
}
