//! Timing kernels on a GPU of this machine: times that can be, columns that repeat, an output that is verified whole, and what
//! goes wrong told. Without a GPU there is nothing to test; `scripts/test-gpu` is for a machine that has one.

#[path = "cuda/mod.rs"]
mod cuda;

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Float64Array, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Float64Type};
use cuda::{DOUBLE, kernel};
use rewright::bench::{Lane, Plan, Sample, Timer};
use rewright::error::{Error, ErrorKind};
use rewright::run::Cancel;
use rewright::run::cuda::{Beside, ChainJob, Kind, Timed, Timing, compile_check, has_gpu, run_chain, survey, time};
use rewright::run::cudf::CudfEngine;
use rewright::run::{Outcome, Settings};

fn can() -> bool {
    if !has_gpu() {
        println!("no GPU: nothing to test");
    }
    has_gpu()
}

const PLAN: Plan = Plan {
    least: 10,
    most: 20,
    seconds: 0.2,
    narrow: 0.05,
    most_warm_up: 10,
    warm_up_seconds: 0.1,
};

fn timed(text: &str, result: DataType, column: ArrayRef, rows: u64) -> Result<Timed, Error> {
    timed_beside(text, result, column, rows, Beside::Nobody)
}

fn timed_beside(text: &str, result: DataType, column: ArrayRef, rows: u64, beside: Beside) -> Result<Timed, Error> {
    let tile = RecordBatch::try_from_iter_with_nullable([("a", column, true)]).expect("a batch");
    let timing = Timing {
        text,
        result: Some(&result),
        device: 0,
        tile: &tile,
        rows,
        sampling: PLAN,
    };
    time(&timing, beside, &Cancel::default())
}

fn doubles() -> ArrayRef {
    let value = |i: i32| (i % 7 > 0).then(|| f64::from(i) / 3.0);
    Arc::new((0..1024).map(value).collect::<Float64Array>())
}

#[test]
fn the_kernels_of_the_benchmark_compile() {
    if survey().is_ok_and(|s| s.nvrtc.is_some()) {
        let compiled = compile_check(include_str!("../kernels/rw_bench.cu"), &Cancel::default());
        println!("{:?}", compiled.expect("compiles").facts);
    }
}

#[test]
fn times_on_the_device_are_of_what_is_verified() {
    if !can() {
        return;
    }
    let text = kernel(
        DOUBLE,
        "    const auto x = rw::load(a, av, row);\n    if (x.valid) out[row] = x.value + 1.0;\n    valid = x.valid;",
    );
    // Neither a whole number of tiles nor of words.
    let found = timed(&text, DataType::Float64, doubles(), 100_001).expect("times");
    let lane = &found.lane;
    for times in [&lane.cold, &lane.warm, &lane.copy.times, &lane.empty] {
        assert!(times.samples.len() >= 10 && times.seconds.low > 0.0, "{times:?}");
    }
    assert_eq!((found.repeated_rows, &found.trouble), (100_001 - 1024, &None));
    assert_eq!(lane.traffic.read_bytes, 100_001 * 8 + 3126 * 4);
    assert_eq!(lane.traffic.written_bytes, 100_001 * 8 + 3126 * 4);
    let values = found.outcome.values.as_primitive::<Float64Type>();
    assert_eq!(
        (values.len(), values.is_null(7), values.value(8)),
        (1024, true, 8.0 / 3.0 + 1.0)
    );
    println!("{:?}", lane.clocks);
    println!("{:?}", lane.transfers.as_ref().map(|t| t.to_device.seconds));
}

#[test]
fn texts_on_the_device_are_timed_in_two_launches() {
    if !can() {
        return;
    }
    let text = kernel(
        "const int32_t* o, const uint8_t* b, const uint32_t* av, int32_t* out_sizes, const int32_t* out_offsets, uint8_t* out_bytes, uint32_t* out_valid",
        "    const rw::Text t = rw::load_text(o, b, av, row);\n    valid = !t.is_null();\n    \
         rw::store_text(out_sizes, out_offsets, out_bytes, row, t, valid);",
    );
    let value = |i: usize| (!i.is_multiple_of(9)).then(|| "x".repeat(i % 13));
    let column: ArrayRef = Arc::new((0..4096).map(value).collect::<StringArray>());
    // More than a level of prefix sums, more than two.
    for rows in [4096, 5000, 1_300_003] {
        let found = timed(&text, DataType::Utf8, column.clone(), rows).expect("times");
        assert_eq!(found.trouble, None, "{rows}");
        assert_eq!(&found.outcome.values, &column, "{rows}");
        assert!(found.lane.launches >= 3, "{}", found.lane.launches);
    }
}

#[test]
fn what_differs_between_repetitions_on_the_device_is_told() {
    if !can() {
        return;
    }
    let text = kernel(DOUBLE, "    out[row] = row < 90000 ? a[row] : 0.5;\n    valid = true;");
    let found = timed(&text, DataType::Float64, doubles(), 100_000).expect("times");
    let trouble = found.trouble.expect("another value");
    assert!(trouble.contains("came out otherwise"), "{trouble}");
    // What is not written is what the output was poisoned with.
    let text = kernel(DOUBLE, "    valid = true;");
    let found = timed(&text, DataType::Float64, doubles(), 2048).expect("times");
    let first = found.outcome.values.as_primitive::<Float64Type>().value(0);
    assert_eq!(first.to_bits(), 0xA5A5_A5A5_A5A5_A5A5);
}

/// Something that is timed elsewhere: fails from a number of samples on.
struct Elsewhere {
    taken: usize,
    fails_from: usize,
}

impl Timer for Elsewhere {
    fn sample(&mut self, lane: usize) -> Result<Sample, Error> {
        assert_eq!(lane, 0);
        self.taken += 1;
        match self.taken > self.fails_from {
            true => Err(Error::not_proven("it went away")),
            false => Ok(Sample {
                seconds: 0.5,
                cost: 0.001,
                throttled: false,
            }),
        }
    }
}

#[test]
fn a_kernel_and_something_else_take_turns_on_the_device() {
    if !can() {
        return;
    }
    let fine = kernel(DOUBLE, "    out[row] = a[row];\n    valid = true;");
    for fails_from in [usize::MAX, 12, 3, 0] {
        let mut other = Elsewhere { taken: 0, fails_from };
        let found = timed_beside(&fine, DataType::Float64, doubles(), 100_001, Beside::Other(&mut other))
            .expect("the kernel's times");
        assert_eq!(found.trouble, None);
        let count = found.lane.cold.samples.len();
        assert!(count >= 10);
        match (found.beside.expect("a lane"), fails_from) {
            (Lane::Measured(times), usize::MAX) => assert_eq!(times.samples, vec![0.5; count]),
            (Lane::Failed(why), n) if n < usize::MAX => {
                assert_eq!((why.as_str(), other.taken), ("it went away", n + 1))
            }
            (lane, _) => panic!("{lane:?}"),
        }
    }
    // A fault of the kernel ends the turns of both, and the worker.
    let wrong = kernel(DOUBLE, "    out[row + (1ll << 44)] = 1.0;\n    valid = true;");
    let mut other = Elsewhere {
        taken: 0,
        fails_from: usize::MAX,
    };
    let error =
        timed_beside(&wrong, DataType::Float64, doubles(), 1024, Beside::Other(&mut other)).expect_err("a fault");
    assert!(error.to_string().contains("ILLEGAL_ADDRESS"), "{error}");
    assert_eq!(other.taken, 0, "the device failed before its first turn");
    timed(&fine, DataType::Float64, doubles(), 1024).expect("a fresh worker");
}

/// The calls of a cuDF candidate over a column as kernels, and what the emulation gives.
fn chained(body: &str, tile: &RecordBatch) -> (ChainJob, Outcome) {
    let text = format!(
        "import ai.rapids.cudf._\nimport com.nvidia.spark.RapidsUDF\n\nclass F extends RapidsUDF {{\n  \
         override def evaluateColumnar(numRows: Int, args: ColumnVector*): ColumnVector = {{\n    \
         val a = args(0)\n    {body}\n  }}\n}}\n"
    );
    let mut engine = CudfEngine::new(&text, vec!["a".into()], Settings::default()).expect("parses");
    engine.chain(tile, &Cancel::default()).expect("kernels")
}

#[test]
fn cudf_calls_as_kernels_take_turns_on_the_device() {
    if !can() {
        return;
    }
    let tile = RecordBatch::try_from_iter_with_nullable([("a", doubles(), true)]).expect("a batch");
    let body = "a.mul(Scalar.fromDouble(1.8)).add(Scalar.fromDouble(32.0))";
    let (job, emulated) = chained(body, &tile);
    assert_eq!(job.chain.steps.len(), 2);
    let alone = run_chain(&job, Kind::Device(0), &Cancel::default()).expect("runs");
    assert_eq!(alone.values.to_data(), emulated.values.to_data());
    let text = kernel(
        DOUBLE,
        "    const auto x = rw::load(a, av, row);\n    if (x.valid) out[row] = __dadd_rn(__dmul_rn(x.value, 1.8), 32.0);\n    valid = x.valid;",
    );
    for rows in [1024, 100_001, 1 << 24] {
        let found = timed_beside(&text, DataType::Float64, doubles(), rows, Beside::Chain(&job)).expect("times");
        let Some(Lane::Measured(times)) = &found.beside else {
            panic!("{:?}", found.beside)
        };
        assert_eq!(times.samples.len(), found.lane.cold.samples.len());
        assert_eq!(
            found.chain.expect("an outcome").values.to_data(),
            emulated.values.to_data()
        );
        let medians = (found.lane.cold.seconds.median, times.seconds.median);
        println!("{rows} rows: the kernel {} s, the calls {} s", medians.0, medians.1);
    }
}

#[test]
fn other_kernels_that_cannot_run_leave_the_device_to_the_kernel() {
    if !can() {
        return;
    }
    let tile = RecordBatch::try_from_iter_with_nullable([("a", doubles(), true)]).expect("a batch");
    let fine = kernel(DOUBLE, "    out[row] = a[row];\n    valid = true;");
    let (good, _) = chained("a.add(a)", &tile);
    let broken = |from: &str, to: &str| {
        let mut job = good.clone();
        let text = &mut job.chain.steps[0].text;
        assert!(text.contains(from), "{text}");
        *text = text.replace(from, to);
        job
    };
    let cases = [
        (broken("rw::add(p, q)", "no_such_function(p, q)"), "does not compile"),
        (broken("out[row] =", "out[row + (1ll << 44)] ="), "ILLEGAL_ADDRESS"),
    ];
    for (job, why) in cases {
        let found = timed_beside(&fine, DataType::Float64, doubles(), 100_001, Beside::Chain(&job));
        let found = found.expect("the kernel's times");
        assert!(
            matches!(&found.beside, Some(Lane::Failed(said)) if said.contains(why)),
            "{:?}",
            found.beside
        );
        assert!(found.chain.is_none() && found.lane.cold.samples.len() >= 10);
    }
    timed(&fine, DataType::Float64, doubles(), 1024).expect("still works");
}

#[test]
fn a_benchmark_that_is_stopped_leaves_the_device_usable() {
    if !can() {
        return;
    }
    let fine = kernel(DOUBLE, "    out[row] = a[row];\n    valid = true;");
    let cancel = Cancel::default();
    let tile = RecordBatch::try_from_iter_with_nullable([("a", doubles(), true)]).expect("a batch");
    let timing = Timing {
        text: &fine,
        result: Some(&DataType::Float64),
        device: 0,
        tile: &tile,
        rows: 1 << 24,
        sampling: Plan {
            least: 1_000_000,
            ..PLAN
        },
    };
    let error = std::thread::scope(|scope| {
        let timing = scope.spawn(|| time(&timing, Beside::Nobody, &cancel));
        std::thread::sleep(std::time::Duration::from_secs(3));
        cancel.cancel();
        timing.join().expect("no panic").expect_err("stopped")
    });
    assert_eq!(error.kind, ErrorKind::Interrupted);
    timed(&fine, DataType::Float64, doubles(), 1 << 24).expect("still works");
}

#[test]
fn faults_while_timing_end_the_worker_only() {
    if !can() {
        return;
    }
    let fine = kernel(DOUBLE, "    out[row] = a[row];\n    valid = true;");
    let wrong = kernel(DOUBLE, "    out[row + (1ll << 44)] = 1.0;\n    valid = true;");
    let error = timed(&wrong, DataType::Float64, doubles(), 1024).expect_err("an illegal address");
    assert_eq!(error.kind, ErrorKind::NotProven);
    assert!(error.to_string().contains("ILLEGAL_ADDRESS"), "{error}");
    timed(&fine, DataType::Float64, doubles(), 1024).expect("a fresh worker");
    let error = timed(&fine, DataType::Float64, doubles(), 1 << 38).expect_err("no room");
    assert!(error.to_string().contains("memory"), "{error}");
    timed(&fine, DataType::Float64, doubles(), 1024).expect("still works");
}
