//! The benchmark on screen: its panel at every size, its page, what happens while it runs and when it fails, and a recorded one.
//! Jobs are answered by a fake with what a real GPU gave.

mod support;

use std::sync::Arc;

use insta::assert_snapshot;
use rewright::app::event::{Event, Size};
use rewright::app::job::{Failure, JobKind, JobSpec, Report};
use rewright::app::state::State;
use rewright::app::update::update;
use rewright::bench::{Cached, Claim, Claimed, Interval, Missing, Roofs, Times, Try, Tuned};
use rewright::compare::Verdict;
use rewright::measure::CpuAsk;
use rewright::propose::Tier;
use rewright::session::Entry;
use support::{Bench, timed};

/// The lines of the screen from the panel on.
fn panel(bench: &Bench) -> String {
    let screen = bench.screen();
    let at = screen
        .lines()
        .position(|l| l.contains("bench ─") || l.contains("─ bench"));
    let at = at.unwrap_or_else(|| panic!("no panel:\n{screen}"));
    screen.lines().skip(at).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_panel_fits_every_size() {
    for (width, height) in [(80, 24), (120, 40), (200, 60)] {
        let mut bench = Bench::open(width, height);
        bench.press("b");
        assert_snapshot!(format!("panel {width}x{height}"), panel(&bench));
    }
    for (width, height) in [(60, 16), (79, 24), (110, 16), (300, 8)] {
        let mut bench = Bench::open(width, height);
        bench.press("b i j G Esc Tab b");
        assert!(!bench.screen().trim().is_empty());
        rewright::view::plain(&bench.state);
        bench.send(Event::Resize(Size { width: 7, height: 3 }));
        bench.screen();
    }
}

#[test]
fn the_page_shows_everything() {
    let mut bench = Bench::open(120, 60);
    bench.press("b i");
    let page = bench.screen();
    for part in [
        "kernel, cold L2",
        "copy of the same bytes",
        "host to device",
        "compiled in",
        "clocks",
        "what was timed is",
    ] {
        assert!(page.contains(part), "{part}:\n{page}");
    }
    assert!(rewright::view::plain(&bench.state).contains("kernel, cold L2"));
}

#[test]
fn input_goes_on_while_it_runs_and_it_can_be_cancelled() {
    let mut bench = Bench::open(120, 40);
    bench.answering = false;
    bench.press("b");
    assert!(bench.line("timing…").contains("Ctrl-c cancels"), "{}", bench.screen());
    assert!(bench.screen().contains("timing the rewrite and the original"));
    bench.press("Tab j 1");
    assert_eq!(bench.state.work.as_ref().unwrap().tier, Tier::Sql);
    bench.press("Ctrl-c");
    let (id, _) = bench.pending.remove(0);
    bench.send(Event::Report(
        JobKind::Bench,
        id,
        Report::Benched(Tier::Cudf, Ok(Arc::new(timed()))),
    ));
    assert!(bench.line("timing was cancelled").contains("cancelled"));
    assert!(
        !bench.recorded.iter().any(|e| matches!(e, Entry::Benched(_))),
        "a cancelled one leaves nothing"
    );
}

#[test]
fn a_failure_says_why_and_what_to_try() {
    let mut bench = Bench::open(120, 40);
    bench.answering = false;
    bench.press("b");
    let (id, _) = bench.pending.remove(0);
    let mut failure = Failure::new("not-proven", "the rows need more memory than the device has");
    failure.hints.push("run fewer rows at a time".into());
    bench.send(Event::Report(
        JobKind::Bench,
        id,
        Report::Benched(Tier::Cudf, Err(failure)),
    ));
    assert!(bench.line("more memory").contains("? not proven"));
    assert!(bench.line("run fewer rows").contains("try:"));
}

#[test]
fn an_edit_makes_it_old() {
    let mut bench = Bench::open(120, 40);
    bench.press("b");
    assert!(!bench.screen().contains("before the last change"));
    bench.editor = |t| Ok(format!("{t}\n// other\n"));
    bench.press("e");
    assert!(panel(&bench).contains("before the last change"), "{}", bench.screen());
}

#[test]
fn a_recorded_one_is_shown_without_running() {
    let mut live = Bench::open(120, 40);
    live.press("b");
    let recorded = live.recorded.clone();
    assert!(
        recorded
            .iter()
            .any(|e| matches!(e, Entry::Benched(b) if b.report.tier == Tier::Cuda))
    );
    let mut state = State::new(live.state.config.clone(), Size { width: 120, height: 40 });
    for entry in recorded {
        let effects = update(&mut state, Event::Recorded(Box::new(entry)));
        assert!(effects.is_empty());
    }
    let plain = rewright::view::plain(&state);
    let slot = &state.work.as_ref().unwrap().slots[Tier::Cuda as usize];
    assert!(slot.bench().is_some(), "{plain}");
    // Timing again runs foreign code, which a recorded session may not before the user says so.
    let mut bench = Bench::empty(120, 40);
    bench.state = state;
    bench.press("2 b");
    assert!(
        bench.line("do you trust it").contains("on your GPU"),
        "{}",
        bench.screen()
    );
    bench.press("\"yes\" Enter");
    assert!(
        bench.recorded.iter().any(|e| matches!(e, Entry::Benched(_))),
        "it was timed again"
    );
}

#[test]
fn the_original_is_timed_once() {
    let mut bench = Bench::open(120, 40);
    bench.answering = false;
    bench.press("b");
    let (id, spec) = bench.pending.remove(0);
    let JobSpec::Bench(first) = spec else {
        panic!("no benchmark")
    };
    assert!(matches!(first.ask.cpu, CpuAsk::Not(_)), "no worker is ready");
    bench.send(Event::Report(
        JobKind::Bench,
        id,
        Report::Benched(Tier::Cudf, Ok(Arc::new(timed()))),
    ));
    bench.press("b");
    let (_, spec) = bench.pending.remove(0);
    let JobSpec::Bench(second) = spec else {
        panic!("no benchmark")
    };
    let known = timed().best_cpu().is_some();
    assert_eq!(matches!(second.ask.cpu, CpuAsk::Known(_)), known);
}

/// A search that found something: what was tried is made up, the times are those of a real GPU.
fn tuned(bench: &Bench, claim: Claim) -> rewright::bench::BenchReport {
    let mut report = timed();
    report.tier = Tier::Cuda;
    let now = bench.state.work.as_ref().unwrap().slots[Tier::Cuda as usize]
        .document
        .text
        .to_string();
    let times = report.gpu.as_ref().unwrap().cold.clone();
    let tried = |what: &str, text: String, verdict, times| Try {
        what: what.into(),
        text,
        verdict: Some(verdict),
        times,
        share_of_copy: Some(0.9),
    };
    let wrong = Err(Missing::because("it is not timed: it is different"));
    report.tuned = Some(Tuned {
        tries: vec![
            tried("as it is", now.clone(), Verdict::Equal, Ok(times.clone())),
            tried("8 rows per thread", format!("{now}// 8\n"), Verdict::Equal, Ok(times)),
            tried(
                "2 elements at a time",
                format!("{now}// 2\n"),
                Verdict::Different,
                wrong,
            ),
        ],
        best: 1,
        claimed: Some(Claimed {
            against: "the kernel as it was".into(),
            claim,
            speed_up: Interval::exactly(1.25),
            note: None,
        }),
    });
    report
}

fn answer(bench: &mut Bench, claim: Claim) {
    bench.editor = |_| Ok("extern \"C\" __global__ void k() {}\n".into());
    bench.press("3 e");
    bench.answering = false;
    bench.press("B");
    assert!(!bench.pending.is_empty(), "{}", bench.screen());
    let (id, spec) = bench.pending.remove(0);
    assert!(matches!(&spec, JobSpec::Bench(b) if b.ask.tune), "B asks for a search");
    let report = tuned(bench, claim);
    bench.answering = true;
    bench.send(Event::Report(
        JobKind::Bench,
        id,
        Report::Benched(Tier::Cuda, Ok(Arc::new(report))),
    ));
}

#[test]
fn the_fastest_shape_is_kept_and_every_one_can_be_taken() {
    let mut bench = Bench::open(120, 40);
    answer(&mut bench, Claim::Faster);
    let text = |b: &Bench| b.state.work.as_ref().unwrap().slot().document.text.to_string();
    assert!(text(&bench).ends_with("// 8\n"), "the fastest is an edit");
    assert!(
        bench.line("u undoes it").contains("8 rows per thread"),
        "{}",
        bench.screen()
    );
    bench.press("v");
    let screen = bench.screen();
    for part in ["= as it is", "! 2 elements at a time", "it is not timed"] {
        assert!(screen.contains(part), "{part}:\n{screen}");
    }
    bench.press("k Enter");
    assert!(!text(&bench).contains("// 8"), "the text as it was");
    bench.press("u");
    assert!(text(&bench).ends_with("// 8\n"), "undone");
    let edits = bench.recorded.iter().filter(|e| matches!(e, Entry::Edited { .. }));
    assert!(edits.count() >= 2, "both are steps of the session");
}

#[test]
fn a_shape_that_is_not_surely_faster_is_not_taken() {
    let mut bench = Bench::open(80, 24);
    answer(&mut bench, Claim::Ambiguous);
    assert!(!bench.state.work.as_ref().unwrap().slot().document.text.contains("// 8"));
    assert!(bench.screen().contains("none is faster"), "{}", bench.screen());
    bench.press("1 B");
    assert!(
        bench.screen().contains("only a kernel has other shapes"),
        "{}",
        bench.screen()
    );
    bench.press("3 Ctrl-o");
    bench.press("B");
}

#[test]
fn what_a_key_cannot_do_is_read_whole_on_a_small_screen() {
    let mut bench = Bench::open(80, 24);
    bench.editor = |_| Ok("extern \"C\" __global__ void k() {}\n".into());
    let said = [
        ("1 M", "M looks at the memory of a kernel: 3 shows one"),
        ("1 B", "only a kernel has other shapes: 3 shows it"),
        ("1 v", "no other shapes were tried: B does"),
        ("3 e M", "M needs a GPU: E takes the engine cuda"),
        ("v", "no other shapes were tried: B does"),
    ];
    for (keys, text) in said {
        bench.press(keys);
        assert!(bench.screen().contains(text), "{keys}: {text}\n{}", bench.screen());
    }
    bench.answering = false;
    bench.press("B");
    let (id, _) = bench.pending.remove(0);
    let mut report = timed();
    report.tier = Tier::Cuda;
    report.verified = None;
    report.gpu = Err(Missing {
        why: "no NVIDIA driver is on this machine, which the cuda engine needs".into(),
        hints: vec!["the engine cuda needs an NVIDIA GPU with its driver".into()],
    });
    let report = Report::Benched(Tier::Cuda, Ok(Arc::new(report)));
    bench.send(Event::Report(JobKind::Bench, id, report));
    assert_snapshot!("no GPU 80x24", panel(&bench));
}

#[test]
fn the_lower_roof_is_on_screen() {
    let mut bench = Bench::open(160, 50);
    bench.answering = false;
    bench.press("b");
    let (id, _) = bench.pending.remove(0);
    let mut report = timed();
    let steady = |seconds: f64| Times::of(vec![seconds; 12]).expect("samples");
    let gpu = report.gpu.as_mut().expect("a GPU");
    let cached = Cached {
        rows: 1_935_616,
        times: steady(40e-6),
    };
    let found = Roofs::of(1 << 24, &steady(330e-6), &steady(70e-6), &steady(2.5e-6), cached);
    gpu.roofs = Ok(found.expect("roofs"));
    let report = Report::Benched(Tier::Cudf, Ok(Arc::new(report)));
    bench.send(Event::Report(JobKind::Bench, id, report));
    assert!(panel(&bench).contains("bound by arithmetic"), "{}", bench.screen());
    bench.press("i");
    for part in [
        "of the lower roof: bound by arithmetic",
        "memory allows 249 G rows/s",
        "arithmetic 51.6 G rows/s",
        "1,935,616 rows out of the cache",
        "each without the 2.50 µs",
    ] {
        assert!(bench.screen().contains(part), "{part}:\n{}", bench.screen());
    }
}
