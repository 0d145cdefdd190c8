//! The whole differential test on a million rows of the Celsius sample, and its parts: generation and start-up excluded.
//!
//! `cargo bench --bench check` prints each part; `check/sql` and `check/cudf` are what a keystroke costs.

use criterion::{Criterion, criterion_group, criterion_main};
use rewright::check;
use rewright::compare::{Policy, compare};
use rewright::find::find;
use rewright::inputs::generate;
use rewright::propose::{Candidate, Tier, propose_tier};
use rewright::run::{Cancel, Settings};
use rewright::samples::SAMPLES;

const ROWS: usize = 1_000_000;

fn bench(c: &mut Criterion) {
    let file = SAMPLES[0].source();
    let found = find(&file);
    let udf = &found.udfs[0];
    let inputs = generate(udf, &file, ROWS, 42).expect("the sample has known types");
    let settings = Settings::default();
    let candidate = |tier: Tier| -> Candidate { propose_tier(&file, udf, tier).expect("the sample has a proposal") };
    let mut group = c.benchmark_group("check");
    group.sample_size(20);
    group.throughput(criterion::Throughput::Elements(ROWS as u64));

    let mut oracle = check::oracle(udf, &settings).expect("covered");
    oracle.prepare(inputs.schema_ref()).expect("typed");
    let original = oracle.eval(&inputs, &Cancel::default()).expect("runs");
    group.bench_function("oracle alone", |b| {
        b.iter(|| oracle.eval(&inputs, &Cancel::default()).expect("runs"))
    });

    for tier in [Tier::Sql, Tier::Cudf] {
        let candidate = candidate(tier);
        let mut engine = check::engine(&candidate, udf, &settings).expect("parses");
        engine.prepare(inputs.schema_ref()).expect("typed");
        let rewrite = engine.eval(&inputs, &Cancel::default()).expect("runs");
        group.bench_function(format!("{} engine alone", tier.name()), |b| {
            b.iter(|| engine.eval(&inputs, &Cancel::default()).expect("runs"));
        });
        group.bench_function(format!("{} comparison alone", tier.name()), |b| {
            b.iter(|| compare(&inputs, &original, &rewrite, &Policy::default()));
        });
        group.bench_function(tier.name(), |b| {
            b.iter(|| {
                check::check(
                    udf,
                    &candidate,
                    &inputs,
                    &settings,
                    &Policy::default(),
                    &Cancel::default(),
                )
                .expect("runs")
            });
        });
    }
    let (_, edited) = SAMPLES[0].edited.expect("the sample has a hand-edited candidate");
    let edited = Candidate {
        text: edited.into(),
        ..candidate(Tier::Cudf)
    };
    group.bench_function("cudf edited, a third of the rows differ", |b| {
        b.iter(|| {
            check::check(udf, &edited, &inputs, &settings, &Policy::default(), &Cancel::default()).expect("runs")
        });
    });
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
