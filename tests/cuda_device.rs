//! Kernels on a GPU of this machine: what they give, and what a wrong kernel can do: end its own process and nothing else.
//! Without a GPU there is nothing to test; `scripts/test-gpu` is for a machine that has one.

#[path = "cuda/mod.rs"]
mod cuda;

use std::sync::Arc;
use std::time::Duration;

use arrow::array::{Array, ArrayRef, AsArray, Decimal128Array, Float64Array, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Float64Type};
use cuda::{DOUBLE, kernel};
use rewright::check;
use rewright::compare::{Policy, Verdict};
use rewright::error::{Error, ErrorKind};
use rewright::find::find;
use rewright::inputs::generate;
use rewright::propose::{Tier, propose_tier};
use rewright::run::cuda::{CudaEngine, Kind, compile_check, has_gpu, memory, survey, worker_process};
use rewright::run::{Cancel, EngineId, Evaluator, Settings};
use rewright::source::{Language, SourceFile};

fn can() -> bool {
    if !has_gpu() {
        println!("no GPU: nothing to test");
    }
    has_gpu()
}

fn run(text: &str, result: DataType, column: ArrayRef, limit: Duration) -> Result<ArrayRef, Error> {
    let batch = RecordBatch::try_from_iter_with_nullable([("a", column, true)]).expect("a batch");
    let engine = CudaEngine::new(text, Some(result), Settings::default(), Kind::Device(0))?;
    let mut engine = engine.with_limit(limit);
    let evidence = engine.prepare(batch.schema_ref())?;
    assert_eq!(evidence.engine, EngineId::Cuda);
    Ok(engine.eval(&batch, &Cancel::default())?.values)
}

fn doubles(values: Vec<f64>) -> ArrayRef {
    Arc::new(Float64Array::from(values))
}

const LONG: Duration = Duration::from_secs(60);

/// A kernel that has to work, after whatever went before.
fn works() {
    let text = kernel(DOUBLE, "    out[row] = a[row] + 1.0;\n    valid = true;");
    let values = run(&text, DataType::Float64, doubles(vec![1.0; 1000]), LONG).expect("runs");
    assert_eq!(values.as_primitive::<Float64Type>().value(999), 2.0);
}

#[test]
fn faults_end_the_worker_only() {
    if !can() {
        return;
    }
    works();
    let one = || doubles(vec![1.0]);
    let text = kernel(DOUBLE, "    out[row + (1ll << 44)] = 1.0;\n    valid = true;");
    let error = run(&text, DataType::Float64, one(), LONG).expect_err("an illegal address");
    println!("illegal address: {error}");
    assert_eq!(error.kind, ErrorKind::NotProven);
    assert!(error.to_string().contains("ILLEGAL_ADDRESS"), "{error}");
    works();
    let text = kernel(
        DOUBLE,
        "    for (volatile int i = 0; i >= 0; i = 0) {}\n    valid = true;",
    );
    let error = run(&text, DataType::Float64, one(), Duration::from_secs(3)).expect_err("never ends");
    println!("endless: {error}");
    assert!(error.to_string().contains("may never end"), "{error}");
    works();
    let process = worker_process(Kind::Device(0)).expect("a worker");
    // SAFETY: the process is the worker that this test started.
    assert_eq!(unsafe { libc::kill(process as i32, libc::SIGKILL) }, 0);
    std::thread::sleep(Duration::from_millis(200));
    works();
    let text = kernel(DOUBLE, "    out[row] = nonsense(a[row]);");
    let error = run(&text, DataType::Float64, one(), LONG).expect_err("does not compile");
    assert_eq!(error.kind, ErrorKind::Compile);
    assert_eq!(error.location.as_ref().map(|l| l.line), Some(7), "{error}");
    works();
}

#[test]
fn a_device_that_is_not_there_is_named() {
    if !can() {
        return;
    }
    let text = kernel(DOUBLE, "    valid = true;");
    let mut engine = CudaEngine::new(&text, None, Settings::default(), Kind::Device(99)).expect("an engine");
    let batch = RecordBatch::try_from_iter([("a", doubles(vec![]))]).expect("a batch");
    let error = engine.prepare(batch.schema_ref()).expect_err("no such device");
    assert!(error.to_string().contains("there is no device 99"), "{error}");
}

/// Rows that were made on the device are those of the host, and a kernel runs over them as over any others.
#[test]
fn rows_made_on_the_device_are_the_hosts() {
    if !can() {
        return;
    }
    let rows = (1 << 20) + 2048 + 77;
    let of = |text: &str| SourceFile::from_text("t.scala", Language::Scala, text);
    let all = of(
        "val f = udf((a: Boolean, b: Byte, c: Short, d: Int, e: Long, f: Float, g: Double, h: java.sql.Date, \
                  i: java.sql.Timestamp) => if (a && g > 650.25 && e != 70000L) c + d + b else f.toInt)",
    );
    let numbers = of(
        "val f = udf((a: Boolean, b: Byte, c: Short, d: Int, e: Long, f: Float, g: Double) => \
                      if (a && g > 650.25 && e != 70000L) c + d + b else f.toInt)",
    );
    for file in [&all, &numbers] {
        let udf = &find(file).udfs[0];
        let made = check::made_up(file, udf, rows, 7, Some(0), &Cancel::default()).expect("makes rows");
        assert_eq!(made, generate(udf, file, rows, 7).expect("makes rows"));
    }
    let file = numbers;
    let udf = &find(&file).udfs[0];
    let made = check::made_up(&file, udf, rows, 7, Some(0), &Cancel::default()).expect("makes rows");
    let candidate = propose_tier(&file, udf, Tier::Cuda).expect("a kernel");
    let settings = Settings::default();
    let runners = check::Runners {
        cuda: EngineId::Cuda,
        ..Default::default()
    };
    let bench = check::Bench {
        file: &file,
        udf,
        settings: &settings,
        runners: &runners,
    };
    for _ in 0..2 {
        let report = bench
            .check(&candidate, &made, &Policy::default(), &Cancel::default())
            .expect("runs");
        assert_eq!(report.comparison.verdict, Verdict::Equal);
        assert_eq!(report.comparison.rows, rows as u64);
    }
    // After a kernel without end its worker is gone, and the rows with it: they are moved as any others are.
    let text = kernel(
        DOUBLE,
        "    for (volatile int i = 0; i >= 0; i = 0) {}\n    valid = true;",
    );
    run(&text, DataType::Float64, doubles(vec![1.0]), Duration::from_secs(3)).expect_err("never ends");
    let report = bench
        .check(&candidate, &made, &Policy::default(), &Cancel::default())
        .expect("runs");
    assert_eq!(report.comparison.verdict, Verdict::Equal);
}

#[test]
fn what_lies_side_by_side_works_on_the_device() {
    if !can() {
        return;
    }
    // Only a real device runs a barrier: the whole block adds up.
    let text = "#include \"rw_core.cuh\"\nextern \"C\" __global__ void k(const double* a, const uint32_t* av, double* out, \
                uint32_t* out_valid, int32_t* error, int64_t rows) {\n  __shared__ double s[256];\n  \
                const int64_t row = rw::row_index();\n  s[threadIdx.x] = row < rows ? a[row] : 0;\n  __syncthreads();\n  \
                for (int n = 128; n > 0; n /= 2) {\n    if (threadIdx.x < n) s[threadIdx.x] += s[threadIdx.x + n];\n    __syncthreads();\n  }\n  \
                if (row < rows) out[row] = s[0];\n  rw::store_valid(out_valid, row, rows, true);\n}\n";
    let values = run(text, DataType::Float64, doubles(vec![1.0; 512]), LONG).expect("runs");
    assert_eq!(values.as_primitive::<Float64Type>().value(511), 256.0);
}

#[test]
fn texts_and_decimals_come_back() {
    if !can() {
        return;
    }
    let text = kernel(
        "const int32_t* o, const uint8_t* b, const uint32_t* av, int32_t* out_sizes, const int32_t* out_offsets, uint8_t* out_bytes, uint32_t* out_valid",
        "    const rw::Text t = rw::load_text(o, b, av, row);\n    valid = !t.is_null();\n    \
         rw::store_text(out_sizes, out_offsets, out_bytes, row, t, valid);",
    );
    let column: ArrayRef = Arc::new(StringArray::from(vec![
        Some("-"),
        Some("ä𝄞"),
        None,
        Some(""),
        Some("five"),
    ]));
    let column = column.slice(1, 4);
    assert_eq!(
        &run(&text, DataType::Utf8, column.clone(), LONG).expect("runs"),
        &column
    );
    let text = kernel(
        "const __int128* a, const uint32_t* av, __int128* out, uint32_t* out_valid",
        "    const auto x = rw::load(a, av, row);\n    out[row] = -x.value;\n    valid = x.valid;",
    );
    let whole = |v: Vec<Option<i128>>| -> ArrayRef {
        Arc::new(
            Decimal128Array::from(v)
                .with_precision_and_scale(38, 18)
                .expect("a precision"),
        )
    };
    let most = 10_i128.pow(38) - 1;
    let values = run(
        &text,
        DataType::Decimal128(38, 18),
        whole(vec![Some(most), None, Some(-3)]),
        LONG,
    );
    assert_eq!(&values.expect("runs"), &whole(vec![Some(-most), None, Some(3)]));
}

/// Needs a device whose memory others use up but for a few hundred MiB.
#[test]
#[ignore = "needs a device without free memory"]
fn more_rows_than_memory_are_an_error() {
    let text = kernel(DOUBLE, "    out[row] = a[row];\n    valid = true;");
    let error = run(&text, DataType::Float64, doubles(vec![1.0; 1 << 27]), LONG).expect_err("too large");
    println!("memory: {error}");
    assert!(error.to_string().contains("more memory than the device has"), "{error}");
    works();
}

#[test]
fn the_survey_says_what_there_is() {
    let survey = survey().expect("a worker");
    assert_eq!(survey.driver.is_some(), survey.no_driver.is_none());
    assert_eq!(survey.nvrtc.is_some(), survey.no_nvrtc.is_none());
    println!("{survey:#?}");
    let text = kernel(DOUBLE, "    out[row] = a[row];\n    valid = true;");
    match compile_check(&text, &Cancel::default()) {
        Ok(compiled) => {
            assert!(survey.nvrtc.is_some());
            assert!(
                compiled.facts["registers per thread"]
                    .parse::<u32>()
                    .is_ok_and(|r| r > 0)
            );
            assert_eq!(compiled.facts["spilled bytes per thread"], "0 stored, 0 loaded");
            let error = compile_check(&text.replace("a[row]", "nonsense"), &Cancel::default()).expect_err("nonsense");
            assert_eq!(
                error.location.as_ref().map(|l| (l.line, l.column)),
                Some((7, 16)),
                "{error}"
            );
        }
        Err(e) => {
            assert!(survey.nvrtc.is_none(), "{e}");
            assert!(e.to_string().contains("NVRTC"), "{e}");
            assert!(e.hints.iter().any(|h| h.contains("rewright setup cuda")), "{e:?}");
        }
    }
}

#[test]
fn a_kernel_that_leaves_its_memory_is_found_side_by_side_with_its_line() {
    if !can() {
        return;
    }
    let look = |text: &str| {
        let column = doubles(vec![1.0; 1000]);
        let batch = RecordBatch::try_from_iter_with_nullable([("a", column, true)]).expect("a batch");
        memory(text, Some(&DataType::Float64), &batch, 0, &Cancel::default()).expect("is looked at")
    };
    let clean = look(&kernel(DOUBLE, "    out[row] = a[row] + 1.0;\n    valid = true;"));
    println!("{:?}", clean.facts());
    assert_eq!(clean.findings(), []);
    assert_eq!(clean.live.0, clean.live.1);
    // A few bytes too far: the device itself says nothing.
    let far = look(&kernel(DOUBLE, "    valid = true;\n    out[row + 1] = a[row];"));
    println!("{:?}\n{:?}", far.facts(), far.findings());
    if far.sanitizer.is_ok() {
        let found = far.findings();
        assert_eq!(found.first().and_then(|f| f.line), Some(8), "{found:?}");
        assert!(found[0].message.contains("write of size 8 bytes"), "{found:?}");
    }
    works();
}
