//! Kernels compiled for the CPU: what they give for every type of column, and what a kernel that is wrong can do: end its own
//! process and nothing else. Without a C++ compiler there is nothing to test.

#[path = "cuda/mod.rs"]
mod cuda;

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow::array::{
    Array, ArrayRef, AsArray, BinaryArray, BooleanArray, Date32Array, Decimal128Array, Float32Array, Float64Array,
    Int8Array, Int32Array, Int64Array, ListArray, RecordBatch, StringArray, StructArray, TimestampMicrosecondArray,
};
use arrow::datatypes::{DataType, Field, Float64Type, Int32Type, Int64Type};
use cuda::{DOUBLE, kernel};
use rewright::error::{Error, ErrorKind};
use rewright::find::find;
use rewright::propose::{Tier, propose_tier};
use rewright::run::cuda::{Compiler, CudaEngine, Kind};
use rewright::run::{Cancel, EngineId, Evaluator, Outcome, Settings};
use rewright::source::{Language, SourceFile};

/// Whether there is something to test with.
fn can() -> bool {
    let can = Compiler::program().is_some();
    if !can {
        println!("no C++ compiler: nothing to test");
    }
    can
}

fn batch(columns: Vec<ArrayRef>) -> RecordBatch {
    let named = columns.into_iter().enumerate().map(|(i, c)| (format!("a{i}"), c, true));
    RecordBatch::try_from_iter_with_nullable(named).expect("columns of one length")
}

fn engine(text: &str, result: Option<DataType>) -> Result<CudaEngine, Error> {
    CudaEngine::new(text, result, Settings::default(), Kind::Host)
}

fn run(text: &str, result: Option<DataType>, columns: Vec<ArrayRef>) -> Result<Outcome, Error> {
    let batch = batch(columns);
    let mut engine = engine(text, result)?;
    engine.prepare(batch.schema_ref())?;
    engine.eval(&batch, &Cancel::default())
}

fn doubles(values: &[Option<f64>]) -> ArrayRef {
    Arc::new(Float64Array::from(values.to_vec()))
}

#[test]
fn values_nulls_and_error_codes_come_back() {
    if !can() {
        return;
    }
    let text = kernel(
        "const int32_t* a, const uint32_t* av, double* out, uint32_t* out_valid",
        "    const auto x = rw::load(a, av, row);\n    valid = x.valid;\n    out[row] = 100.0 / x.value;\n    \
         if (x.valid && x.value == 0) { error[row] = rw::kArithmeticException; valid = false; }\n    \
         if (x.valid && x.value == 7) error[row] = rw::kNotCovered;",
    );
    let a: ArrayRef = Arc::new(Int32Array::from(vec![Some(4), None, Some(0), Some(7), Some(-8)]));
    // Slices have to begin at zero for the kernel.
    let outcome = run(&text, None, vec![a.slice(1, 4)]).expect("runs");
    assert_eq!(outcome.values.as_primitive::<Float64Type>().value(3), -12.5);
    assert_eq!(outcome.values.null_count(), 3);
    assert_eq!(
        (outcome.error(0), outcome.error(1)),
        (None, Some("ArithmeticException"))
    );
    assert_eq!(outcome.not_run.len(), 1);
    assert!(outcome.not_run.reason(2).is_some());
}

#[test]
fn every_fixed_type_goes_in_and_out() {
    if !can() {
        return;
    }
    let zone: Option<Arc<str>> = Some("UTC".into());
    let columns: Vec<(&str, ArrayRef)> = vec![
        (
            "uint8_t",
            Arc::new(BooleanArray::from(vec![Some(true), None, Some(false)])),
        ),
        ("int8_t", Arc::new(Int8Array::from(vec![Some(-128), None, Some(127)]))),
        (
            "int32_t",
            Arc::new(Int32Array::from(vec![Some(i32::MIN), None, Some(1)])),
        ),
        (
            "int64_t",
            Arc::new(Int64Array::from(vec![Some(i64::MIN), None, Some(1)])),
        ),
        ("float", Arc::new(Float32Array::from(vec![Some(-0.0), None, Some(1.5)]))),
        ("double", doubles(&[Some(f64::NEG_INFINITY), None, Some(1.5)])),
        (
            "int32_t",
            Arc::new(Date32Array::from(vec![Some(-1), None, Some(20_000)])),
        ),
        (
            "int64_t",
            Arc::new(TimestampMicrosecondArray::from(vec![Some(-1), None, Some(5)]).with_timezone_opt(zone)),
        ),
        ("int32_t", decimal(9, &[Some(-999_999_999), None, Some(1)])),
        ("int64_t", decimal(18, &[Some(-999_999_999_999_999_999), None, Some(1)])),
        ("__int128", decimal(38, &[Some(-(10_i128.pow(38) - 1)), None, Some(1)])),
        // Narrower decimals may be declared wider.
        ("__int128", decimal(9, &[Some(-5), None, Some(1)])),
    ];
    for (ty, column) in columns {
        let text = kernel(
            &format!("const {ty}* a, const uint32_t* av, {ty}* out, uint32_t* out_valid"),
            "    const auto x = rw::load(a, av, row);\n    out[row] = x.value;\n    valid = x.valid;",
        );
        let outcome = run(&text, Some(column.data_type().clone()), vec![column.clone()]).expect(ty);
        assert_eq!(&outcome.values, &column, "{ty} of {}", column.data_type());
    }
}

fn decimal(precision: u8, values: &[Option<i128>]) -> ArrayRef {
    let array = Decimal128Array::from(values.to_vec());
    Arc::new(array.with_precision_and_scale(precision, 2).expect("a precision"))
}

const TEXT: &str = "const int32_t* a_offsets, const uint8_t* a_bytes, const uint32_t* av, int32_t* out_sizes, \
                    const int32_t* out_offsets, uint8_t* out_bytes, uint32_t* out_valid";

#[test]
fn texts_take_two_launches() {
    if !can() {
        return;
    }
    let text = kernel(
        TEXT,
        "    const rw::Text t = rw::load_text(a_offsets, a_bytes, av, row);\n    valid = !t.is_null();\n    \
         rw::store_text(out_sizes, out_offsets, out_bytes, row, t, valid);",
    );
    let values = StringArray::from(vec![Some("zero"), Some("ä𝄞"), None, Some(""), Some("five")]);
    let column: ArrayRef = Arc::new(values);
    let outcome = run(&text, Some(DataType::Utf8), vec![column.slice(1, 4)]).expect("runs");
    assert_eq!(&outcome.values, &column.slice(1, 4));
    let bytes: ArrayRef = Arc::new(BinaryArray::from_opt_vec(vec![Some(&[0xff, 0][..]), None, Some(b"x")]));
    let outcome = run(&text, Some(DataType::Binary), vec![bytes.clone()]).expect("runs");
    assert_eq!(&outcome.values, &bytes);
    let empty: ArrayRef = Arc::new(StringArray::from(vec![Some(""), Some("")]));
    assert_eq!(
        &run(&text, Some(DataType::Utf8), vec![empty.clone()])
            .expect("runs")
            .values,
        &empty
    );
}

#[test]
fn a_text_that_is_no_utf8_is_named() {
    if !can() {
        return;
    }
    let text = kernel(
        "const double* a, const uint32_t* av, int32_t* out_sizes, const int32_t* out_offsets, uint8_t* out_bytes, uint32_t* out_valid",
        "    const uint8_t wrong[2] = {0xC3, 0x28};\n    valid = true;\n    \
         rw::store_text(out_sizes, out_offsets, out_bytes, row, rw::Text{wrong, 2, 2}, true);",
    );
    let batch = batch(vec![doubles(&[Some(1.0)])]);
    let mut engine = engine(&text, Some(DataType::Utf8)).expect("an engine");
    engine.prepare(batch.schema_ref()).expect("compiles");
    engine.eval(&batch, &Cancel::default()).expect("runs");
    assert_eq!(engine.findings().first().map(|f| f.id.as_str()), Some("invalid-utf8"));
}

#[test]
fn lists_and_structs_are_read() {
    if !can() {
        return;
    }
    let list = ListArray::from_iter_primitive::<Int32Type, _, _>(vec![
        Some(vec![Some(9)]),
        Some(vec![Some(1), None, Some(5)]),
        None,
        Some(vec![]),
    ]);
    let names: ArrayRef = Arc::new(StringArray::from(vec!["-", "ab", "c", "def"]));
    let sums: ArrayRef = Arc::new(Int64Array::from(vec![Some(0), Some(10), None, Some(30)]));
    let pair = StructArray::from(vec![
        (Arc::new(Field::new("name", DataType::Utf8, true)), names),
        (Arc::new(Field::new("sum", DataType::Int64, true)), sums),
    ]);
    let text = kernel(
        "const int32_t* l_offsets, const int32_t* l, const uint32_t* l_items_valid, const uint32_t* l_valid,\n\
         const int32_t* s_offsets, const uint8_t* s_bytes, const uint32_t* s_name_valid, const int64_t* s_sum, const uint32_t* s_sum_valid,\n\
         const uint32_t* s_valid, int64_t* out, uint32_t* out_valid",
        "    valid = rw::is_valid(l_valid, row) && rw::is_valid(s_valid, row);\n    int64_t n = s_offsets[row + 1] - s_offsets[row];\n    \
         const auto s = rw::load(s_sum, s_sum_valid, row);\n    if (s.valid) n += s.value;\n    \
         for (int32_t i = l_offsets[row]; i < l_offsets[row + 1]; ++i) if (rw::is_valid(l_items_valid, i)) n += l[i];\n    out[row] = n;",
    );
    let columns: Vec<ArrayRef> = vec![Arc::new(list), Arc::new(pair)];
    let sliced = columns.iter().map(|c| c.slice(1, 3)).collect();
    let outcome = run(&text, Some(DataType::Int64), sliced).expect("runs");
    let expected: ArrayRef = Arc::new(Int64Array::from(vec![Some(2 + 10 + 6), None, Some(3 + 30)]));
    assert_eq!(&outcome.values, &expected);
}

#[test]
fn what_a_kernel_does_not_write_does_not_look_right() {
    if !can() {
        return;
    }
    let text = "#include \"rw_core.cuh\"\nextern \"C\" __global__ void k(const double* a, const uint32_t* av, int64_t* out, uint32_t* out_valid, int32_t* error, int64_t rows) {}";
    let outcome = run(text, Some(DataType::Int64), vec![doubles(&[Some(1.0)])]).expect("runs");
    let values = outcome.values.as_primitive::<Int64Type>();
    assert!(values.is_valid(0) && values.value(0) == i64::from_ne_bytes([0xA5; 8]));
    let text = kernel(TEXT, "valid = true;");
    let column: ArrayRef = Arc::new(StringArray::from(vec!["x"]));
    let error = run(&text, Some(DataType::Utf8), vec![column]).expect_err("no sizes");
    assert!(error.to_string().contains("no size at all for row 0"), "{error}");
}

#[test]
fn a_decimal_with_too_many_digits_is_no_result() {
    if !can() {
        return;
    }
    let text = kernel(
        "const __int128* a, const uint32_t* av, int64_t* out, uint32_t* out_valid",
        "    out[row] = 1000000000000;\n    valid = true;",
    );
    let error = run(&text, Some(DataType::Decimal128(9, 0)), vec![decimal(38, &[Some(1)])]).expect_err("too long");
    assert!(error.to_string().contains("decimal(9,0)"), "{error}");
}

#[test]
fn an_error_of_the_compiler_points_at_the_line() {
    if !can() {
        return;
    }
    let text = kernel(DOUBLE, "    out[row] = nonsense(a[row]);");
    let error = run(&text, None, vec![doubles(&[Some(1.0)])]).expect_err("does not compile");
    assert_eq!(error.kind, ErrorKind::Compile);
    assert_eq!(error.location.as_ref().map(|l| l.line), Some(7), "{error}");
    assert!(error.to_string().contains("nonsense"), "{error}");
    let text = kernel(
        "const float* a, const uint32_t* av, double* out, uint32_t* out_valid",
        "",
    );
    let error = run(&text, None, vec![doubles(&[Some(1.0)])]).expect_err("another type");
    assert_eq!(error.location.as_ref().map(|l| l.line), Some(3), "{error}");
}

#[test]
fn a_kernel_that_crashes_ends_its_process_only() {
    if !can() {
        return;
    }
    let text = kernel(DOUBLE, "    out[row + (1ll << 40)] = 1.0;\n    valid = true;");
    let error = run(&text, None, vec![doubles(&[Some(1.0)])]).expect_err("crashes");
    assert_eq!(error.kind, ErrorKind::NotProven);
    assert!(error.to_string().contains("signal 11"), "{error}");
    assert!(error.to_string().contains("not its own"), "{error}");
    // The next one finds a fresh worker.
    let text = kernel(DOUBLE, "    out[row] = a[row] + 1.0;\n    valid = true;");
    let outcome = run(&text, None, vec![doubles(&[Some(1.0)])]).expect("runs");
    assert_eq!(outcome.values.as_primitive::<Float64Type>().value(0), 2.0);
}

#[test]
fn a_write_just_beyond_the_end_is_caught() {
    if !can() {
        return;
    }
    let text = kernel(DOUBLE, "    out[row + 1] = 1.0;\n    valid = true;");
    let error = run(&text, None, vec![doubles(&[Some(1.0)])]).expect_err("writes too far");
    assert!(error.to_string().contains("beyond the ends of out"), "{error}");
}

#[test]
fn an_endless_kernel_is_stopped() {
    if !can() {
        return;
    }
    let text = kernel(
        DOUBLE,
        "    for (volatile int i = 0; i >= 0; i = 0) {}\n    valid = true;",
    );
    let rows = batch(vec![doubles(&[Some(1.0)])]);
    let mut limited = engine(&text, None)
        .expect("an engine")
        .with_limit(Duration::from_millis(500));
    limited.prepare(rows.schema_ref()).expect("compiles");
    let error = limited.eval(&rows, &Cancel::default()).expect_err("never ends");
    assert!(error.to_string().contains("may never end"), "{error}");
    let mut cancelled = engine(&text, None).expect("an engine");
    cancelled.prepare(rows.schema_ref()).expect("compiles");
    let cancel = Cancel::default();
    let asked = cancel.clone();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        asked.cancel();
    });
    let start = Instant::now();
    let error = cancelled.eval(&rows, &cancel).expect_err("was cancelled");
    assert_eq!(error.kind, ErrorKind::Interrupted);
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn what_the_cpu_cannot_imitate_is_refused_with_its_line() {
    for (body, word) in [
        ("    __shared__ double s[32];", "shared memory"),
        ("    out[row] = __shfl_sync(0xffffffffu, a[row], 0);", "warp"),
        ("    atomicAdd(out, 1.0);", "atomic"),
        ("    __syncthreads();", "barrier"),
    ] {
        let error = engine(&kernel(DOUBLE, body), None).err().expect("refused");
        assert_eq!(error.kind, ErrorKind::NotProven);
        assert_eq!(error.location.as_ref().map(|l| l.line), Some(7), "{error}");
        assert!(error.to_string().contains(word), "{error}");
    }
}

#[test]
fn the_evidence_says_that_it_is_the_cpu() {
    if !can() {
        return;
    }
    let text = kernel(DOUBLE, "    out[row] = a[row];\n    valid = true;");
    let mut engine = engine(&text, None).expect("an engine");
    let evidence = engine
        .prepare(batch(vec![doubles(&[])]).schema_ref())
        .expect("compiles");
    assert_eq!(evidence.engine, EngineId::CudaHost);
    assert!(evidence.engine.is_emulation());
    assert!(evidence.facts["flags"].contains("-ffp-contract=off"));
    assert!(evidence.facts["threads"].contains("CPU"));
    assert_eq!(evidence.facts["kernel"], "k");
}

fn rewright(folder: &Path, path: &str, args: &[&str]) -> (i32, String) {
    program(Path::new(env!("CARGO_BIN_EXE_rewright")), folder, path, args)
}

fn program(program: &Path, folder: &Path, path: &str, args: &[&str]) -> (i32, String) {
    let out = Command::new(program)
        .args(args)
        .current_dir(folder)
        .env("PATH", path)
        // What these tests say must not depend on whether the machine has a Spark.
        .env("REWRIGHT_ORACLE", "embedded")
        .env("XDG_CACHE_HOME", folder)
        .env("XDG_STATE_HOME", folder)
        .env_remove("CXX")
        .env_remove("CUDA_HOME")
        .env_remove("CUDA_PATH")
        .env_remove("VIRTUAL_ENV")
        .output()
        .expect("rewright starts");
    let text = [out.stdout, out.stderr].concat();
    (
        out.status.code().unwrap_or(-1),
        String::from_utf8_lossy(&text).into_owned(),
    )
}

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/samples/ToFahrenheit.scala");

#[test]
fn without_a_compiler_the_engine_says_what_to_install() {
    let dir = tempfile::tempdir().expect("a folder");
    let args = ["check", SAMPLE, "--tier", "cuda", "--engine", "cuda-host"];
    let (code, text) = rewright(dir.path(), "/nowhere", &args);
    assert_eq!(code, 3, "{text}");
    assert!(
        text.contains("no C++ compiler") && text.contains("apt install g++"),
        "{text}"
    );
}

#[test]
fn the_command_line_runs_a_kernel_and_says_that_it_is_an_emulation() {
    if !can() {
        return;
    }
    let dir = tempfile::tempdir().expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let args = [
        "check",
        SAMPLE,
        "--tier",
        "cuda",
        "--engine",
        "cuda-host",
        "--rows",
        "5000",
    ];
    let (code, text) = rewright(dir.path(), &path, &args);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("cuda-host (emulation)"), "{text}");
    let cached = std::fs::read_dir(dir.path().join("rewright/cuda-host"))
        .expect("a cache")
        .count();
    assert_eq!(cached, 1);
    // A file of another name is the same program.
    let renamed = dir.path().join("rw-0.1");
    std::fs::copy(env!("CARGO_BIN_EXE_rewright"), &renamed).expect("copies");
    let (code, text) = program(&renamed, dir.path(), &path, &args);
    assert_eq!(code, 0, "{text}");
}

#[test]
fn without_a_driver_the_cuda_engine_says_so() {
    if rewright::run::cuda::has_gpu() {
        return;
    }
    let dir = tempfile::tempdir().expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let (code, text) = rewright(
        dir.path(),
        &path,
        &["check", SAMPLE, "--tier", "cuda", "--engine", "cuda"],
    );
    assert_eq!(code, 3, "{text}");
    assert!(
        text.contains("no NVIDIA driver") && text.contains("cuda-host"),
        "{text}"
    );
    let (code, text) = rewright(dir.path(), &path, &["doctor"]);
    assert_eq!(code, 0);
    assert!(text.contains("no NVIDIA driver"), "{text}");
}

/// Java never makes a jump of a call that ends a function, Scala only where nobody can override it: elsewhere deep rows are not covered, and
/// what would overflow the JVM's stack without end ends.
#[test]
fn calls_that_are_no_jumps_in_the_jvm_are_bounded() {
    if !can() {
        return;
    }
    let java = "import org.apache.spark.sql.api.java.UDF1;\nclass J {\n  \
                static int deep(int n, int acc) { return n <= 0 ? acc : deep(n - 1, acc * 31 + n); }\n  \
                static int inf(int n, int acc) { if (n == 0) return acc; return inf(n, acc); }\n  \
                public static final UDF1<Integer, Integer> DEEP = n -> deep(n, 1);\n  \
                public static final UDF1<Integer, Integer> INF = n -> inf(n & 1, 1);\n}\n";
    let scala = "class C extends Serializable {\n  def down(n: Int, a: Int): Int = if (n <= 0) a else down(n - 1, a * 31 + n)\n  \
                 private def own(n: Int, a: Int): Int = if (n <= 0) a else own(n - 1, a * 31 + n)\n  \
                 val viaClass = udf { (n: Int) => down(n, 1) }\n  val viaOwn = udf { (n: Int) => own(n, 1) }\n  \
                 val viaLocal = udf { (n: Int) => { def in(n: Int, a: Int): Int = if (n <= 0) a else in(n - 1, a * 31 + n); in(n, 1) } }\n}\n";
    let sum = |n: i32| (1..=n).rev().fold(1_i32, |a, n| a.wrapping_mul(31).wrapping_add(n));
    let few = [0, 5, 700, 5000];
    for (language, text, name, deep) in [
        (Language::Java, java, "DEEP", false),
        (Language::Scala, scala, "viaClass", false),
        (Language::Scala, scala, "viaOwn", true),
        (Language::Scala, scala, "viaLocal", true),
    ] {
        let outcome = recursion(language, text, name, &few);
        let values = outcome.values.as_primitive::<Int32Type>();
        for (row, n) in few.into_iter().enumerate() {
            let covered = deep || n < 1000;
            assert_eq!(outcome.not_run.reason(row).is_none(), covered, "{name}({n})");
            assert!(
                !covered || values.value(row) == sum(n),
                "{name}({n}): {}",
                values.value(row)
            );
        }
    }
    let outcome = recursion(Language::Java, java, "INF", &[2, 3]);
    assert_eq!(outcome.values.as_primitive::<Int32Type>().value(0), 1);
    assert!(outcome.not_run.reason(1).is_some());
}

fn recursion(language: Language, text: &str, name: &str, ints: &[i32]) -> Outcome {
    let file = SourceFile::from_text("t", language, text);
    let found = find(&file);
    let udf = found.udfs.iter().find(|u| u.name == name).expect(name);
    let candidate = propose_tier(&file, udf, Tier::Cuda).unwrap_or_else(|e| panic!("{name}: {}", e.reason));
    let column: ArrayRef = Arc::new(Int32Array::from(ints.to_vec()));
    let batch = RecordBatch::try_from_iter_with_nullable([("n", column, true)]).expect("a batch");
    let mut engine = engine(&candidate.text, udf.return_type.clone()).expect("an engine");
    engine.prepare(batch.schema_ref()).expect("compiles");
    engine.eval(&batch, &Cancel::default()).expect("runs")
}

/// Rows of a thread that do not fit what is moved at a time would lie outside of its arrays.
#[test]
fn rows_that_do_not_fit_what_is_moved_at_a_time_are_refused() {
    let file = SourceFile::from_text("t", Language::Scala, "val f = udf((a: Int) => a + 1)");
    let udf = &find(&file).udfs[0];
    let text = propose_tier(&file, udf, Tier::Cuda).expect("a kernel").text;
    assert!(text.contains("rw_rows_per_thread = 4;") && text.contains("row_index<4>"));
    for rows in [1, 2, 3, 6, 33, 36, 64] {
        let edited = text.replace("rw_rows_per_thread = 4;", &format!("rw_rows_per_thread = {rows};"));
        let mut engine = engine(&edited, Some(DataType::Int32)).expect("an engine");
        let column: ArrayRef = Arc::new(Int32Array::from(vec![1]));
        let batch = RecordBatch::try_from_iter_with_nullable([("a", column, true)]).expect("a batch");
        let error = engine.prepare(batch.schema_ref()).expect_err("refused");
        assert!(error.location.is_some(), "{rows}: {error}");
    }
}
