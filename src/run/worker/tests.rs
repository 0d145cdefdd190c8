use super::*;

fn shell(script: &str) -> Launch {
    Launch {
        name: "the test worker".into(),
        program: "/bin/sh".into(),
        args: vec!["-c".into(), script.into()],
        environment: Vec::new(),
        start_limit: Duration::from_secs(5),
    }
}

const ECHO: &str =
    r#"echo '{"event":"ready"}'; n=0; while read line; do n=$((n+1)); echo "{\"id\":$n,\"got\":true}"; done"#;
const LIMIT: Duration = Duration::from_secs(5);

fn ask(worker: &mut Worker) -> Result<Value, Lost> {
    worker.call(serde_json::json!({"op": "x"}), LIMIT, &Cancel::default())
}

#[test]
fn a_request_gets_the_reply_of_its_number() {
    let mut worker = Worker::start(&shell(ECHO), &Cancel::default()).unwrap();
    assert_eq!(ask(&mut worker).unwrap()["id"], 1);
    assert_eq!(ask(&mut worker).unwrap()["id"], 2);
    assert!(worker.is_alive());
}

#[test]
fn a_worker_that_dies_at_start_says_its_last_words() {
    let failed = Worker::start(&shell("echo nothing works >&2; exit 3"), &Cancel::default());
    let text = failed.err().unwrap().to_string();
    assert!(text.contains("exit code 3"), "{text}");
}

#[test]
fn a_worker_that_is_silent_at_start_is_given_up() {
    let mut launch = shell("sleep 60");
    launch.start_limit = Duration::from_millis(100);
    let text = Worker::start(&launch, &Cancel::default()).err().unwrap().to_string();
    assert!(text.contains("no answer"), "{text}");
}

#[test]
fn death_in_the_middle_of_a_reply_is_no_reply() {
    let half = r#"echo '{"event":"ready"}'; read line; printf '{"id":1,"got":'; kill -9 $$"#;
    let mut worker = Worker::start(&shell(half), &Cancel::default()).unwrap();
    assert_eq!(
        ask(&mut worker).unwrap_err(),
        Lost::Ended("it was killed by signal 9".into())
    );
}

#[test]
fn cancelling_takes_effect_at_once_and_kills_the_children_too() {
    let script = r#"echo '{"event":"ready"}'; sleep 1000 & echo $! > child; read line; wait"#;
    let mut worker = Worker::start(&shell(script), &Cancel::default()).unwrap();
    let child: i32 = loop {
        let text = std::fs::read_to_string(worker.folder().join("child")).unwrap_or_default();
        if let Ok(pid) = text.trim().parse() {
            break pid;
        }
    };
    let cancel = Cancel::default();
    let asked = cancel.clone();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        asked.cancel();
    });
    let start = Instant::now();
    let lost = worker.call(serde_json::json!({}), LIMIT, &cancel).unwrap_err();
    assert_eq!(lost, Lost::Cancelled);
    assert!(start.elapsed() < Duration::from_secs(1));
    // SAFETY: signal 0 only asks whether the process exists.
    let gone = || unsafe { libc::kill(child, 0) } != 0;
    let state = || std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
    for _ in 0..100 {
        if gone() || state().contains(") Z") {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("the worker's child still runs");
}

#[test]
fn a_cancelled_request_that_ends_by_itself_leaves_the_worker() {
    let slow = r#"echo '{"event":"ready"}'; n=0; while read line; do n=$((n+1)); sleep 0.2; echo "{\"id\":$n}"; done"#;
    let mut worker = Worker::start(&shell(slow), &Cancel::default()).unwrap();
    let cancel = Cancel::default();
    cancel.cancel();
    let lost = worker.call(serde_json::json!({}), LIMIT, &cancel).unwrap_err();
    assert_eq!(lost, Lost::Cancelled);
    assert!(worker.is_alive());
    assert_eq!(ask(&mut worker).unwrap()["id"], 2);
    assert_eq!(
        worker.call_idly(serde_json::json!({}), LIMIT, &cancel),
        Err(Lost::Cancelled)
    );
    assert!(!worker.is_alive());
}

#[test]
fn chatter_does_not_block_the_worker_and_only_its_end_is_kept() {
    let script = r#"echo '{"event":"ready"}'; read line; i=0; while [ $i -lt 20000 ]; do echo "line $i of chatter" >&2; i=$((i+1)); done; echo no json; echo '{"id":1}'; read line"#;
    let mut worker = Worker::start(&shell(script), &Cancel::default()).unwrap();
    ask(&mut worker).unwrap();
    while worker.log().written() < 300_000 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let text = worker.log().text();
    assert!(text.len() <= 64 << 10 && text.starts_with("line "));
}
