//! A test of 2^26 doubles on a GPU, from making the rows to the verdict, beside what it cannot do without: the kernel, moving its columns,
//! and the original on the CPU. Prints ratios of one run; without a GPU it says so.
//!
//! `cargo bench --bench device`

use std::time::Instant;

use rewright::check::{self, Bench, Runners};
use rewright::compare::{Policy, compare};
use rewright::find::find;
use rewright::propose::{Candidate, Tier, propose_tier};
use rewright::run::cuda::{Beside, Timing, has_gpu, time};
use rewright::run::{Cancel, EngineId, Settings};
use rewright::samples::SAMPLES;

const ROWS: usize = 1 << 26;
const RUNS: usize = 5;

fn seconds<T>(what: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let value = what();
    (start.elapsed().as_secs_f64(), value)
}

fn median(mut of: Vec<f64>) -> f64 {
    of.sort_by(f64::total_cmp);
    of[of.len() / 2]
}

fn main() {
    if !has_gpu() {
        println!("no NVIDIA GPU on this machine: nothing to measure");
        return;
    }
    let file = SAMPLES[0].source();
    let udf = &find(&file).udfs[0];
    let candidate: Candidate = propose_tier(&file, udf, Tier::Cuda).expect("the sample has a kernel");
    let (settings, cancel) = (Settings::default(), Cancel::default());
    let runners = Runners {
        cuda: EngineId::Cuda,
        ..Runners::default()
    };
    let bench = Bench {
        file: &file,
        udf,
        settings: &settings,
        runners: &runners,
    };
    let rows = || check::made_up(&file, udf, ROWS, 42, Some(0), &cancel).expect("rows");
    let whole = || {
        let inputs = rows();
        bench
            .check(&candidate, &inputs, &Policy::default(), &cancel)
            .expect("runs")
    };
    let (first, report) = seconds(whole);
    println!("{ROWS} rows: {}", report.comparison.words());
    println!("first, with the worker's start and two compilations  {first:8.3} s");
    drop(report);

    let mut parts: [Vec<f64>; 5] = Default::default();
    let mut moved = 0.0;
    for _ in 0..RUNS {
        let (all, report) = seconds(whole);
        drop(report);
        let (made, inputs) = seconds(rows);
        let mut engine = bench.engine(&candidate, &cancel).expect("a kernel");
        engine.prepare(inputs.schema_ref()).expect("fits");
        let (engine, rewrite) = seconds(|| engine.eval(&inputs, &cancel).expect("runs"));
        let mut oracle = check::oracle(udf, &settings).expect("covered");
        oracle.prepare(inputs.schema_ref()).expect("typed");
        let (oracle, original) = seconds(|| oracle.eval(&inputs, &cancel).expect("runs"));
        let (compared, _) = seconds(|| compare(&inputs, &original, &rewrite, &Policy::default()));
        let bytes = |array: &dyn arrow::array::Array| array.get_buffer_memory_size() as f64;
        moved = bytes(inputs.column(0)) + bytes(&rewrite.values);
        for (list, value) in parts.iter_mut().zip([all, made, engine, oracle, compared]) {
            list.push(value);
        }
    }
    let [all, made, engine, oracle, compared] = parts.map(median);
    println!("the test                                             {all:8.3} s");
    println!("  the rows, made and read back                       {made:8.3} s");
    println!("  the engine over them: kernel, result read back     {engine:8.3} s");
    println!("  the oracle                                         {oracle:8.3} s");
    println!("  the comparison                                     {compared:8.3} s");
    let tile = rows().slice(0, 1 << 17);
    let timing = Timing {
        text: &candidate.text,
        result: udf.return_type.as_ref(),
        device: 0,
        tile: &tile,
        rows: ROWS as u64,
        sampling: rewright::bench::Plan::default(),
    };
    let lane = time(&timing, Beside::Nobody, &cancel).expect("timed").lane;
    let kernel = lane.cold.seconds.median;
    let transfers = lane.transfers.expect("measured").seconds(0.0, moved).median;
    println!("the kernel alone                                     {kernel:8.4} s");
    println!("its columns to the host, into page-locked memory     {transfers:8.4} s");
    println!(
        "the test ÷ (kernel + transfers + oracle)             {:8.2}",
        all / (kernel + transfers + oracle)
    );
    println!(
        "the test ÷ (rows + engine + oracle)                  {:8.2}",
        all / (made + engine + oracle)
    );
}
