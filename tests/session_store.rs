//! Sessions on disk: recorded, read again, damaged, and killed while they are written.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use rewright::app::event::{Event, Size};
use rewright::app::state::State;
use rewright::app::update::update;
use rewright::session::{self, Entry, Replay, Store};
use support::Bench;

/// A session with an edit, a test that differs, an accepted class.
fn recorded(dir: &Path) -> (PathBuf, Bench) {
    let mut bench = Bench::open(120, 30);
    bench.editor = |_| Ok("val scale = fromDouble(9.0 / 5.0)\n".into());
    bench.press("t e p Enter \"fine\" Enter Enter");
    let path = dir.join("s.rw");
    let mut store = Store::create(&path).unwrap();
    for entry in &bench.recorded {
        store.append(entry).unwrap();
    }
    (path, bench)
}

#[test]
fn state_is_a_fold_of_the_recorded_steps() {
    let dir = tempfile::tempdir().unwrap();
    let (path, bench) = recorded(dir.path());
    let loaded = session::load(&path).unwrap();
    assert!(loaded.notices.is_empty(), "{:?}", loaded.notices);
    assert_eq!(loaded.entries.len(), bench.recorded.len());
    let mut again = State::new(bench.state.config.clone(), Size { width: 120, height: 30 });
    for entry in loaded.entries {
        assert!(
            update(&mut again, Event::Recorded(Box::new(entry))).is_empty(),
            "folding has no effects"
        );
    }
    let (a, b) = (bench.state.work.as_ref().unwrap(), again.work.as_ref().unwrap());
    assert_eq!((a.tier, &a.policy, &a.rows), (b.tier, &b.policy, &b.rows));
    assert_eq!(a.slot().edited, b.slot().edited);
    let comparison = |w: &rewright::app::state::Work| {
        let c = w.slot().report().unwrap().comparison.clone();
        let classes: Vec<(String, u64, u64)> = c.classes.into_iter().map(|(id, n)| (id, n.rows, n.accepted)).collect();
        (c.verdict, c.different_rows, classes, c.diffs)
    };
    assert_eq!(comparison(a), comparison(b));
}

#[test]
fn replay_tells_every_step() {
    let dir = tempfile::tempdir().unwrap();
    let (path, bench) = recorded(dir.path());
    let replay = Replay::read(&path).unwrap();
    let lines: Vec<&str> = replay.steps().iter().map(|s| s.line.as_str()).collect();
    assert!(
        lines[0].starts_with("opened ToFahrenheit of ToFahrenheit.scala"),
        "{lines:?}"
    );
    let tested = lines.iter().find(|l| l.starts_with("tested cudf: different")).unwrap();
    assert!(
        tested.contains("of 1000 rows differ") && tested.contains("oracle embedded"),
        "{tested}"
    );
    assert!(
        lines
            .iter()
            .any(|l| l.starts_with("accepted last-ulp up to 1 ulp: fine (ada)")),
        "{lines:?}"
    );
    let size = Size { width: 120, height: 30 };
    let none = replay.state_after(0, bench.state.config.clone(), size);
    assert!(none.work.is_none());
    let all = replay.state_after(lines.len(), bench.state.config.clone(), size);
    assert_eq!(all.work.unwrap().policy.entries.len(), 1);
}

#[test]
fn a_torn_last_line_is_dropped_with_a_notice() {
    let dir = tempfile::tempdir().unwrap();
    let (path, bench) = recorded(dir.path());
    let events = path.join("events.jsonl");
    let whole = fs::read(&events).unwrap();
    for cut in [1, 2, 20] {
        fs::write(&events, &whole[..whole.len() - cut]).unwrap();
        let loaded = session::load(&path).unwrap();
        assert_eq!(loaded.entries.len(), bench.recorded.len() - 1, "cut {cut}");
        assert!(loaded.notices[0].contains("cut off"), "{:?}", loaded.notices);
    }
    // Appending afterwards cuts the torn line off, so that the next one is whole.
    let mut store = Store::continue_in(&path).unwrap();
    store.append(&Entry::Action("undo".into())).unwrap();
    drop(store);
    let loaded = session::load(&path).unwrap();
    assert_eq!(loaded.entries.len(), bench.recorded.len());
    assert!(loaded.notices.is_empty());
}

#[test]
fn what_cannot_be_read_says_what_and_what_to_do() {
    let dir = tempfile::tempdir().unwrap();
    let (path, _) = recorded(dir.path());
    let events = path.join("events.jsonl");
    let whole = fs::read_to_string(&events).unwrap();
    let fails = |text: &str| {
        fs::write(&events, text).unwrap();
        session::load(&path).unwrap_err()
    };
    let newer = fails(&whole.replacen("\"rewright_session\":1", "\"rewright_session\":9,\"later\":[]", 1));
    assert!(
        newer.to_string().contains("session format 9") && newer.hints[0].contains("or later"),
        "{newer}"
    );
    assert!(fails("").to_string().contains("is not a session"));
    assert!(fails("{\"a\":1}\n").to_string().contains("is not a session"));
    let mut lines: Vec<&str> = whole.lines().collect();
    lines[2] = "{\"event\":\"unheard-of\"}";
    let bad = fails(&(lines.join("\n") + "\n"));
    assert!(bad.to_string().contains("line 3 of"), "{bad}");
    assert!(session::load(Path::new("/nonexistent.rw")).is_err());
}

#[test]
fn a_missing_or_altered_blob_is_named_with_its_step() {
    let dir = tempfile::tempdir().unwrap();
    let (path, _) = recorded(dir.path());
    let arrow = fs::read_dir(path.join("blobs")).unwrap().flatten().map(|e| e.path());
    let arrow = arrow
        .filter(|p| p.extension().is_some_and(|e| e == "arrow"))
        .min()
        .unwrap();
    let name = arrow.file_name().unwrap().to_str().unwrap().to_owned();
    let bytes = fs::read(&arrow).unwrap();
    fs::write(&arrow, b"other").unwrap();
    let notice = session::load(&path).unwrap().notices.remove(0);
    assert!(
        notice.contains("does not hold what its name says") && notice.contains(&name),
        "{notice}"
    );
    fs::remove_file(&arrow).unwrap();
    let notice = session::load(&path).unwrap().notices.remove(0);
    assert!(
        notice.contains("step at line") && notice.contains(&name) && notice.contains("is missing"),
        "{notice}"
    );
    let elsewhere = dir.path().join("elsewhere");
    fs::write(&elsewhere, bytes).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &arrow).unwrap();
    let notice = session::load(&path).unwrap().notices.remove(0);
    assert!(notice.contains("cannot read blob"), "links are refused: {notice}");
}

#[test]
fn a_blob_name_cannot_leave_the_folder() {
    let dir = tempfile::tempdir().unwrap();
    let (path, _) = recorded(dir.path());
    let events = path.join("events.jsonl");
    let text = fs::read_to_string(&events).unwrap();
    let at = text.find("\"text\":\"").unwrap() + 8;
    let end = at + text[at..].find('"').unwrap();
    fs::write(&events, format!("{}../../etc/passwd{}", &text[..at], &text[end..])).unwrap();
    let notice = session::load(&path).unwrap().notices.remove(0);
    assert!(notice.contains("is not the name of a blob"), "{notice}");
}

#[test]
fn saving_moves_the_folder_and_never_overwrites() {
    let dir = tempfile::tempdir().unwrap();
    let (path, _) = recorded(dir.path());
    let mut store = Store::continue_in(&path).unwrap();
    assert!(
        Store::continue_in(&path)
            .unwrap_err()
            .to_string()
            .contains("another rewright")
    );
    let to = dir.path().join("named.rw");
    fs::create_dir(&to).unwrap();
    assert!(store.rename(&to).unwrap_err().to_string().contains("exists already"));
    fs::remove_dir(&to).unwrap();
    store.rename(&to).unwrap();
    store.append(&Entry::Action("undo".into())).unwrap();
    assert!(!path.exists());
    let places = [dir.path().to_owned()];
    let listed = session::list(&places);
    assert_eq!((listed.len(), listed[0].udf.as_str()), (1, "ToFahrenheit"));
}

#[test]
fn an_unwritable_place_is_a_notice_and_a_later_save_keeps_everything() {
    let dir = tempfile::tempdir().unwrap();
    // A file where the folder of sessions would be: nothing can be created below it, whoever runs this.
    let home = dir.path().join("home");
    fs::write(&home, "").unwrap();
    let (sender, news) = std::sync::mpsc::channel();
    let recorder = session::Recorder::start(Some(home.join("sessions")), move |n| sender.send(n).unwrap());
    let mut bench = Bench::open(120, 30);
    bench.press("t");
    for entry in bench.recorded {
        recorder.append(Box::new(entry));
    }
    let first = news.recv().unwrap();
    assert!(format!("{first:?}").contains("Trouble"), "{first:?}");
    let to = dir.path().join("kept.rw");
    recorder.save(to.clone());
    assert!(format!("{:?}", news.recv().unwrap()).contains("Saved"));
    drop(recorder);
    assert_eq!(session::load(&to).unwrap().entries.len(), 3);
}

/// The child of the next test: records without end.
#[test]
fn child_that_records() {
    let Some(dir) = std::env::var_os("REWRIGHT_KILL_TEST") else {
        return;
    };
    let mut store = Store::create(Path::new(&dir)).unwrap();
    let bench = Bench::open(120, 30);
    for entry in &bench.recorded {
        store.append(entry).unwrap();
    }
    for n in 0u64.. {
        let text: Arc<str> = format!("edit {n} {}", "x".repeat((n % 50) as usize * 40)).into();
        let tier = rewright::propose::Tier::Sql;
        store.append(&Entry::Edited { tier, text }).unwrap();
        println!("{n}");
    }
}

#[test]
fn a_kill_at_any_moment_loses_at_most_the_last_step() {
    use std::io::BufRead;
    let dir = tempfile::tempdir().unwrap();
    for round in 0..24u64 {
        let path = dir.path().join(format!("{round}.rw"));
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["child_that_records", "--exact", "--nocapture"])
            .env("REWRIGHT_KILL_TEST", &path)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut told = None;
        let lines = std::io::BufReader::new(child.stdout.take().unwrap()).lines();
        // The child runs on for a while after the line that is waited for: the kill falls anywhere in a step.
        let mut lines = lines.map_while(Result::ok);
        for line in lines.by_ref() {
            if let Some(n) = line.split_whitespace().last().and_then(|w| w.parse::<u64>().ok()) {
                told = Some(n);
                if n >= round * 2 {
                    break;
                }
            }
        }
        std::thread::sleep(std::time::Duration::from_micros(round * 317));
        child.kill().unwrap();
        child.wait().unwrap();
        let told = lines
            .filter_map(|l| l.parse().ok())
            .last()
            .or(told)
            .expect("the child told of steps");
        let loaded = session::load(&path).unwrap();
        let kept = loaded
            .entries
            .iter()
            .filter(|e| matches!(e, Entry::Edited { .. }))
            .count() as u64;
        assert!(kept > told, "round {round}: told of {told}, kept {kept}");
    }
}
