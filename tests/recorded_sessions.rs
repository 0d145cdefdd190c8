//! The sessions that ship: each is read step by step, and running its tests again gives every recorded outcome.

use std::path::{Path, PathBuf};

use rewright::run::Cancel;
use rewright::session::{Replay, verify};

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
        let verified = verify(&path, &Cancel::default()).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert!(verified.holds(), "{}: {:?}", path.display(), verified.differences);
        assert!(
            verified.tests >= 2,
            "{}: {} tests run again",
            path.display(),
            verified.tests
        );
    }
}
