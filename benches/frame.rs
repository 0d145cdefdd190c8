//! One frame of the workbench while it holds a million mismatches, and the steps between frames.
//!
//! `cargo bench --bench frame`; a frame has 16 ms.

use criterion::{Criterion, criterion_group, criterion_main};
use rewright::app::headless::Headless;
use rewright::view::theme::Theme;

/// More than a million, because the made-up rows hold nulls, which do not differ.
const ROWS: usize = 1_150_000;

fn bench(c: &mut Criterion) {
    let theme = Theme::preset("default").expect("a preset");
    let mut bench = Headless::new(200, 60, ROWS);
    // Off by a whole degree: nearly every row differs.
    bench.edit = |_| "celsius * 9.0D / 5.0D + 33.0D".into();
    bench.press("Enter 1 e t").expect("the sample opens and runs");
    let held = bench
        .state
        .work
        .as_ref()
        .and_then(|w| w.slot().report().map(|r| r.comparison.different_rows));
    assert!(held >= Some(1_000_000), "{held:?} mismatches");
    let mut group = c.benchmark_group("a million mismatches");
    group.bench_function("draw a frame", |b| b.iter(|| bench.draw(&theme)));
    group.bench_function("next mismatch, then draw", |b| {
        b.iter(|| {
            bench.press("n").expect("a key");
            bench.draw(&theme)
        });
    });
    group.bench_function("to the end and back, two frames", |b| {
        b.iter(|| {
            bench.press("G").expect("a key");
            let last = bench.draw(&theme);
            bench.press("g").expect("a key");
            (last, bench.draw(&theme))
        });
    });
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
