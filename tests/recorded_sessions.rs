//! The sessions that ship: each is read step by step, and running its tests again gives every recorded outcome.

mod support;

use std::path::{Path, PathBuf};

use rewright::app::event::{Event, Origin, Size};
use rewright::app::state::State;
use rewright::check::Runners;
use rewright::run::{Cancel, EngineId};
use rewright::session::{Entry, Replay, Store, verify};
use support::Bench;

fn sessions() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions");
    let entries = std::fs::read_dir(folder).expect("the folder of recorded sessions");
    entries
        .map(|e| e.expect("entry").path())
        .filter(|p| p.extension().is_some_and(|e| e == "rw"))
        .collect()
}

#[test]
fn every_recorded_session_replays_and_holds() {
    let all = sessions();
    assert!(all.len() >= 2, "{all:?}");
    for path in all {
        let replay = Replay::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert!(replay.notices.is_empty(), "{}: {:?}", path.display(), replay.notices);
        let tested = replay.steps().iter().filter(|s| s.line.starts_with("tested")).count();
        assert!(tested >= 2, "{}: {tested} tests", path.display());
        let verified = verify(&path, false, &Cancel::default()).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert!(verified.holds(), "{}: {:?}", path.display(), verified.differences);
        assert!(
            verified.tests >= 2,
            "{}: {} tests run again",
            path.display(),
            verified.tests
        );
    }
}

/// A bench on a machine on which the JVM answers where nobody chose, with a test and then the keys.
fn on_a_machine_with_a_jvm(keys: &str) -> Bench {
    let mut bench = Bench::empty(120, 40);
    bench.state.config.runners.oracle = EngineId::Jvm;
    bench.state.config.runners.by_default = true;
    bench.send(Event::Open(Origin::File("ToFahrenheit.scala".into()), None));
    bench.press("t");
    bench.press(keys);
    bench
}

/// The steps on disk, read where nobody chose an oracle and there is no JVM.
fn read_without_a_jvm(steps: &[Entry]) -> (State, Vec<String>) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.rw");
    let mut store = Store::create(&path).unwrap();
    steps.iter().for_each(|step| store.append(step).unwrap());
    let replay = Replay::read(&path).unwrap();
    let config = Bench::empty(120, 40).state.config;
    assert_eq!(config.runners, Runners::default());
    let size = Size { width: 120, height: 40 };
    let state = replay.state_after(replay.steps().len(), config, size);
    (state, replay.steps().iter().map(|s| s.line.clone()).collect())
}

#[test]
fn what_was_chosen_is_the_same_on_a_machine_with_another_default() {
    let live = on_a_machine_with_a_jvm("1 o E 3 E");
    let (state, lines) = read_without_a_jvm(&live.recorded);
    let (was, is) = (
        &live.state.work.as_ref().unwrap().runners,
        &state.work.as_ref().unwrap().runners,
    );
    assert_eq!(
        (was.oracle, was.engine, was.cuda),
        (EngineId::Spark, EngineId::Spark, EngineId::CudaHost)
    );
    assert_eq!((is.oracle, is.engine, is.cuda), (was.oracle, was.engine, was.cuda));
    for line in [
        "chose the oracle spark",
        "chose the engine spark",
        "chose the engine cuda-host for kernels",
    ] {
        assert!(lines.iter().any(|l| l == line), "{lines:?}");
    }
}

#[test]
fn a_source_that_is_not_trusted_is_recorded_with_what_answers_then() {
    let mut bench = Bench::empty(120, 40);
    for entry in on_a_machine_with_a_jvm("o").recorded {
        bench.send(Event::Recorded(Box::new(entry.clone())));
        bench.recorded.push(entry);
    }
    bench.press("t \"no\" Enter");
    let (state, _) = read_without_a_jvm(&bench.recorded);
    assert_eq!(state.work.unwrap().runners.oracle, EngineId::Embedded);
}

#[test]
fn a_session_that_says_only_that_the_key_was_struck_still_opens() {
    let mut live = on_a_machine_with_a_jvm("");
    live.recorded.push(Entry::Action("oracle".into()));
    let (state, lines) = read_without_a_jvm(&live.recorded);
    assert_eq!(lines.last().unwrap(), "oracle");
    assert_eq!(state.work.unwrap().runners.oracle, EngineId::Jvm);
}
