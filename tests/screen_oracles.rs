//! Which oracle answers on screen where nobody chose one: the embedded one at once, the JVM as soon as its worker is ready.
//! Keys and worker states in, screens out, jobs answered by a fake.

mod support;

use std::path::PathBuf;

use rewright::app::event::{Effect, Event, Origin};
use rewright::app::job::{Failure, JobSpec, Report};
use rewright::app::update::update;
use rewright::run::EngineId;
use rewright::run::spark::{WorkerState, WorkerStatus};
use support::{Bench, answer};

/// A screen on a machine with Java and Spark, with the sample open and jobs left waiting.
fn bench(width: u16) -> Bench {
    let mut bench = Bench::empty(width, 30);
    bench.state.config.runners.oracle = EngineId::Jvm;
    bench.state.config.runners.by_default = true;
    bench.send(Event::Open(Origin::File(PathBuf::from("ToFahrenheit.scala")), None));
    bench.answering = false;
    bench
}

fn workers(bench: &mut Bench, state: WorkerState, starts: u64) {
    bench.send(Event::Workers(vec![WorkerStatus { state, starts }]));
}

/// The oracle of the only test that waits.
fn asked(bench: &Bench) -> EngineId {
    match waiting(bench)[..] {
        [oracle] => oracle,
        ref other => panic!("{other:?}"),
    }
}

/// The oracles of the tests that wait.
fn waiting(bench: &Bench) -> Vec<EngineId> {
    let tests = bench.pending.iter().filter_map(|(_, spec)| match spec {
        JobSpec::Check(c) => Some(c.runners.oracle),
        _ => None,
    });
    tests.collect()
}

/// Answers the test that waits, in the name of its oracle.
fn reply(bench: &mut Bench) {
    let at = bench.pending.iter().position(|(_, s)| matches!(s, JobSpec::Check(_)));
    let (id, spec) = bench.pending.remove(at.expect("a test waits"));
    let kind = spec.kind();
    let oracle = match &spec {
        JobSpec::Check(c) => c.runners.oracle,
        _ => EngineId::Embedded,
    };
    let report = match answer(spec) {
        Report::Checked(tier, Ok(r)) => {
            let mut r = (*r).clone();
            r.oracle_evidence.engine = oracle;
            Report::Checked(tier, Ok(r.into()))
        }
        other => other,
    };
    bench.send(Event::Report(kind, id, report));
}

fn warm_ups(bench: &Bench) -> usize {
    bench.effects.iter().filter(|e| e.starts_with("WarmUp")).count()
}

#[test]
fn the_embedded_oracle_answers_first_and_the_jvm_confirms_when_it_is_ready() {
    let mut bench = bench(160);
    assert_eq!(warm_ups(&bench), 1, "the worker starts while the user reads");
    workers(&mut bench, WorkerState::Starting, 0);
    assert!(bench.line("jvm starting").contains("oracle jvm"), "{}", bench.screen());
    bench.press("t");
    assert_eq!(asked(&bench), EngineId::Embedded);
    reply(&mut bench);
    assert!(bench.line("1,000 tested").contains("= equal"));
    assert!(bench.line("rewright").contains("oracle embedded, jvm to follow"));
    assert!(waiting(&bench).is_empty());
    workers(&mut bench, WorkerState::Ready, 1);
    assert_eq!(asked(&bench), EngineId::Jvm);
    reply(&mut bench);
    assert!(
        bench.line("rewright").contains("oracle jvm (embedded agrees)"),
        "{}",
        bench.screen()
    );
    assert!(bench.line("rewright").contains("jvm ready"));
    workers(&mut bench, WorkerState::Working("x".into()), 1);
    workers(&mut bench, WorkerState::Ready, 1);
    assert!(waiting(&bench).is_empty(), "it confirms once");
    // From now on the JVM answers alone.
    bench.press("t");
    assert_eq!(asked(&bench), EngineId::Jvm);
    assert_eq!(warm_ups(&bench), 1);
}

#[test]
fn the_engine_of_the_cudf_tier_is_chosen_there() {
    let mut bench = bench(160);
    bench.press("2");
    assert!(
        bench.line("rewright").contains("cpu (emulates cuDF)"),
        "{}",
        bench.screen()
    );
    bench.press("E");
    assert!(bench.line("rewright").contains("engine cudf"), "{}", bench.screen());
    bench.press("t");
    let engine = bench.pending.iter().find_map(|(_, spec)| match spec {
        JobSpec::Check(c) => Some((c.runners.engine, c.runners.cudf)),
        _ => None,
    });
    assert_eq!(engine, Some((EngineId::Cudf, EngineId::Cudf)));
    bench.press("E");
    assert!(
        bench.line("rewright").contains("cpu (emulates cuDF)"),
        "{}",
        bench.screen()
    );
}

#[test]
fn what_the_jvm_says_against_it_counts() {
    let mut bench = bench(160);
    workers(&mut bench, WorkerState::Starting, 0);
    bench.press("t");
    reply(&mut bench);
    workers(&mut bench, WorkerState::Ready, 1);
    let (id, spec) = bench.pending.remove(0);
    let JobSpec::Check(c) = &spec else { panic!("no test") };
    let mut failure = Failure::new(
        "compile",
        "candidate.scala:6:5: the candidate does not compile: not found: value x",
    );
    failure.line = Some(6);
    let report = Report::Checked(c.candidate.tier, Err(failure));
    bench.send(Event::Report(spec.kind(), id, report));
    assert!(
        bench.line("! not found: value x").contains(" 6! "),
        "{}",
        bench.screen()
    );
    assert!(
        bench
            .line("rows ─")
            .contains("! candidate.scala:6:5: the candidate does not compile")
    );
    assert!(waiting(&bench).is_empty(), "a failure is an answer");
}

#[test]
fn a_lost_worker_is_said_and_the_next_test_starts_another() {
    let mut bench = bench(160);
    workers(&mut bench, WorkerState::Starting, 0);
    bench.press("t");
    reply(&mut bench);
    workers(&mut bench, WorkerState::Lost("it was killed".into()), 0);
    assert!(
        bench.line("rewright").contains("! jvm lost, L why"),
        "{}",
        bench.screen()
    );
    assert!(bench.screen().contains("lost before it could confirm"));
    bench.press("t");
    assert_eq!((asked(&bench), warm_ups(&bench)), (EngineId::Embedded, 2));
    workers(&mut bench, WorkerState::Starting, 1);
    reply(&mut bench);
    workers(&mut bench, WorkerState::Ready, 2);
    assert_eq!(asked(&bench), EngineId::Jvm);
    assert!(bench.line("rewright").contains("jvm restarted"), "{}", bench.screen());
}

#[test]
fn a_worker_that_is_lost_while_a_test_runs_is_not_waited_for() {
    let mut bench = bench(160);
    workers(&mut bench, WorkerState::Starting, 0);
    bench.press("t");
    workers(&mut bench, WorkerState::Lost("it was killed".into()), 0);
    assert!(bench.state.work.as_ref().unwrap().slot().confirm, "the test still runs");
    reply(&mut bench);
    assert!(!bench.state.work.as_ref().unwrap().slot().confirm);
    assert!(
        bench.screen().contains("lost before it could confirm"),
        "{}",
        bench.screen()
    );
    // The next one is asked for at once, and the one that was lost says nothing about it.
    bench.press("t");
    assert_eq!((asked(&bench), warm_ups(&bench)), (EngineId::Embedded, 2));
    reply(&mut bench);
    assert!(bench.state.work.as_ref().unwrap().slot().confirm, "{}", bench.screen());
    workers(&mut bench, WorkerState::Ready, 2);
    assert_eq!(asked(&bench), EngineId::Jvm);
}

#[test]
fn an_edit_a_cancel_or_another_oracle_ends_the_wait() {
    for keys in ["r", "Ctrl-c", "o"] {
        let mut bench = bench(160);
        bench.editor = |_| Ok("val scale = fromDouble(9.0 / 5.0)\n".into());
        workers(&mut bench, WorkerState::Starting, 0);
        bench.press("e");
        reply(&mut bench);
        assert!(bench.state.work.as_ref().unwrap().slot().confirm);
        if keys == "Ctrl-c" {
            workers(&mut bench, WorkerState::Ready, 1);
            bench.press(keys);
            reply(&mut bench);
        } else {
            bench.press(keys);
            bench.pending.clear();
            assert!(keys == "r" || !bench.state.work.as_ref().unwrap().slot().confirm);
            continue;
        }
        assert!(!bench.state.work.as_ref().unwrap().slot().confirm);
        workers(&mut bench, WorkerState::Ready, 1);
        assert!(waiting(&bench).is_empty(), "after {keys}");
    }
}

#[test]
fn a_recorded_session_starts_no_worker() {
    let mut first = bench(120);
    first.answering = true;
    first.press("t");
    let entries = first.recorded;
    let mut bench = Bench::empty(120, 30);
    bench.state.config.runners.oracle = EngineId::Jvm;
    bench.state.config.runners.by_default = true;
    for entry in entries {
        let effects = update(&mut bench.state, Event::Recorded(Box::new(entry)));
        assert!(!effects.iter().any(|e| matches!(e, Effect::WarmUp(_))));
    }
    bench.answering = false;
    bench.press("t");
    assert_eq!(asked(&bench), EngineId::Embedded);
    assert_eq!(warm_ups(&bench), 0);
    reply(&mut bench);
    workers(&mut bench, WorkerState::Ready, 1);
    assert!(waiting(&bench).is_empty());
    bench.press("o");
    assert!(
        bench.screen().contains("this runs the recorded code"),
        "{}",
        bench.screen()
    );
}
