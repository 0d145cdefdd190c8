//! The real binary in a pseudo-terminal: open a sample, test, look, edit, save, quit, open the session again.

use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, PtySize, native_pty_system};

/// How long anything may take on a slow machine.
const PATIENCE: Duration = Duration::from_secs(400);

struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    writer: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    screen: vt100::Parser,
}

impl Terminal {
    fn start(dir: &Path, args: &[&str]) -> Terminal {
        Terminal::start_with(dir, args, &[("REWRIGHT_ORACLE", "embedded")])
    }

    fn start_with(dir: &Path, args: &[&str], environment: &[(&str, &str)]) -> Terminal {
        let (rows, cols) = (40, 140);
        let size = PtySize {
            rows,
            cols,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_rewright"));
        command.args(args);
        command.cwd(dir);
        command.env("TERM", "xterm-256color");
        command.env("HOME", dir);
        command.env("XDG_STATE_HOME", dir.join("state"));
        command.env("EDITOR", dir.join("editor.sh"));
        command.env("USER", "ada");
        for (name, value) in environment {
            command.env(name, value);
        }
        for name in ["VISUAL", "NO_COLOR", "TMUX", "XDG_CONFIG_HOME"] {
            command.env_remove(name);
        }
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let writer = pair.master.take_writer().unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 8192];
            while let Ok(n) = reader.read(&mut buffer) {
                if n == 0 || sender.send(buffer[..n].to_vec()).is_err() {
                    return;
                }
            }
        });
        // The master must outlive the child.
        std::mem::forget(pair.master);
        Terminal {
            child,
            writer,
            output,
            screen: vt100::Parser::new(rows.try_into().unwrap(), cols.try_into().unwrap(), 0),
        }
    }

    fn send(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
    }

    fn text(&self) -> String {
        self.screen.screen().contents()
    }

    /// Waits until the screen says something.
    fn wait(&mut self, what: &str, done: impl Fn(&str) -> bool) {
        let start = Instant::now();
        while !done(&self.text()) {
            assert!(start.elapsed() < PATIENCE, "{what} did not come:\n{}", self.text());
            if let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(50)) {
                self.screen.process(&bytes);
            }
        }
    }

    fn wait_for(&mut self, text: &str) {
        self.wait(text, |screen| screen.contains(text));
    }

    fn exit_code(&mut self) -> u32 {
        let start = Instant::now();
        loop {
            while let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(10)) {
                self.screen.process(&bytes);
            }
            if let Some(status) = self.child.try_wait().unwrap() {
                // What it wrote last may have come after the silence above.
                while let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(300)) {
                    self.screen.process(&bytes);
                }
                return status.exit_code();
            }
            assert!(start.elapsed() < PATIENCE, "it did not end:\n{}", self.text());
        }
    }
}

fn script(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn open_test_look_edit_save_and_open_again() {
    let dir = tempfile::tempdir().unwrap();
    script(
        &dir.path().join("editor.sh"),
        "#!/bin/sh\nfor f; do :; done\nprintf '\\n' >> \"$f\"\n",
    );
    let mut t = Terminal::start(dir.path(), &[]);
    t.wait_for("ToFahrenheit");
    t.send("\r");
    t.wait_for("edited by hand");
    t.send("t");
    t.wait_for("last-ulp");
    t.wait_for("! different");
    t.send("n");
    t.wait("the second mismatch", |s| s.contains(" 2/"));
    t.send("\r");
    t.wait_for("original bits");
    t.send("q");
    // The scripted editor adds a line: the rewrite is tested again by itself.
    t.send("e");
    t.wait("the test after the edit", |s| {
        s.contains("! different") && !s.contains("testing")
    });
    t.send("s");
    t.wait_for("save as");
    t.send("\u{15}kept\r");
    t.wait_for("● saved");
    t.send("q");
    assert_eq!(t.exit_code(), 0);
    assert!(!t.screen.screen().alternate_screen(), "the terminal is given back");
    assert!(dir.path().join("kept.rw/events.jsonl").is_file());

    let mut t = Terminal::start(dir.path(), &["--session", "kept.rw"]);
    t.wait_for("recorded steps");
    t.wait_for("! different");
    t.send("q");
    assert_eq!(t.exit_code(), 0);
}

#[test]
fn where_there_is_a_jvm_it_confirms_what_the_embedded_oracle_said_and_never_delays_quitting() {
    let kit = match rewright::run::spark::Kit::find(&[]) {
        Ok(kit) => kit,
        Err(e) => return eprintln!("SKIPPED, NOT TESTED: {e}"),
    };
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("tmp");
    std::fs::create_dir(&folder).unwrap();
    let shown = |p: &Path| p.display().to_string();
    let (java, spark, tmp) = (shown(&kit.java.home), shown(&kit.spark.home), shown(&folder));
    let cache = shown(rewright::run::spark::cache_dir().unwrap().parent().unwrap());
    let machine = [
        ("JAVA_HOME", &*java),
        ("SPARK_HOME", &*spark),
        ("XDG_CACHE_HOME", &*cache),
        ("TMPDIR", &*tmp),
    ];
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/samples/ToFahrenheit.scala");
    let mut t = Terminal::start_with(dir.path(), &[sample], &machine);
    t.wait_for("jvm starting");
    t.wait_for("exact?");
    t.send("t");
    let start = Instant::now();
    t.wait_for("100,000 tested");
    println!("the first verdict after {:?}", start.elapsed());
    t.wait_for("oracle jvm (embedded agrees)");
    t.wait_for("jvm ready");
    t.send("qq");
    assert_eq!(t.exit_code(), 0);

    // Quitting while the worker starts, and nothing of it stays behind.
    let mut t = Terminal::start_with(dir.path(), &[sample], &machine);
    t.wait_for("jvm starting");
    let start = Instant::now();
    t.send("qq");
    assert_eq!(t.exit_code(), 0);
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    let left: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .flatten()
        .map(|e| e.file_name())
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_signal_gives_the_terminal_back() {
    let dir = tempfile::tempdir().unwrap();
    let mut t = Terminal::start(dir.path(), &[]);
    t.wait_for("ToFahrenheit");
    assert!(t.screen.screen().alternate_screen());
    let pid = t.child.process_id().unwrap();
    // SAFETY: signals our own child, which has not been waited for.
    assert_eq!(unsafe { libc::kill(pid as i32, libc::SIGTERM) }, 0);
    assert_ne!(t.exit_code(), 0);
    assert!(!t.screen.screen().alternate_screen());
}

#[test]
fn without_a_terminal_it_names_the_command() {
    let out = std::process::Command::new(env!("CARGO_BIN_EXE_rewright"))
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(2));
    assert!(
        said.contains("needs a terminal") && said.contains("rewright check FILE"),
        "{said}"
    );
}

#[test]
fn a_terminal_that_goes_away_ends_the_program() {
    let dir = tempfile::tempdir().unwrap();
    let pair = native_pty_system().openpty(PtySize::default()).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_rewright"));
    command.cwd(dir.path());
    command.env("TERM", "xterm-256color");
    command.env("XDG_STATE_HOME", dir.path().join("state"));
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().unwrap();
    let mut seen = Vec::new();
    while !String::from_utf8_lossy(&seen).contains("ToFahrenheit") {
        let mut buffer = [0; 4096];
        let n = reader.read(&mut buffer).unwrap();
        assert!(n > 0, "it ended early");
        seen.extend_from_slice(&buffer[..n]);
    }
    drop(reader);
    drop(pair.master);
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < PATIENCE, "it runs on without a terminal");
        std::thread::sleep(Duration::from_millis(20));
    }
}
