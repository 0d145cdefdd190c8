//! `rewright session list`, `session show` and `replay`: recorded work without a screen. Only `replay --verify` runs
//! anything, and without `--trust` only what runs in this process.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::output::Output;
use crate::error::Result;
use crate::report::{JSON_FORMAT, printable};
use crate::run::Cancel;
use crate::session::{Replay, list, standard_places, verify};

/// A session as JSON.
#[derive(Debug, Serialize)]
struct Listed {
    format: u32,
    path: String,
    udf: String,
    source: String,
    steps: usize,
    trouble: Option<String>,
}

pub(super) fn run_list(out: &mut Output) -> Result<u8> {
    let found = list(&standard_places());
    for s in &found {
        let (path, source) = (s.path.display().to_string(), s.source.display().to_string());
        if out.is_json() {
            let (udf, trouble) = (s.udf.clone(), s.trouble.clone());
            out.object(&Listed {
                format: JSON_FORMAT,
                path,
                udf,
                source,
                steps: s.steps,
                trouble,
            });
            continue;
        }
        let trouble = s.trouble.as_ref().map_or(String::new(), |t| format!("  ({t})"));
        let about = match s.udf.is_empty() {
            true => String::new(),
            false => format!("  {} of {source}, {} steps", s.udf, s.steps),
        };
        let line = format!("{path}{about}{trouble}");
        out.text(&format!("{}\n", printable(&line)));
    }
    if found.is_empty() && !out.is_json() && !out.is_quiet() {
        out.text("no sessions here or in the state folder; `s` on the screen saves one\n");
    }
    Ok(0)
}

/// The steps of a session, one line each.
pub(super) fn run_show(path: &Path, out: &mut Output) -> Result<u8> {
    let replay = Replay::read(&named(path))?;
    for (i, step) in replay.steps().iter().enumerate() {
        if out.is_json() {
            out.object(&serde_json::json!({ "format": JSON_FORMAT, "step": i + 1, "at": step.at, "what": step.line }));
        } else {
            out.text(&format!(
                "{:>4}  {}  {}\n",
                i + 1,
                printable(&step.at),
                printable(&step.line)
            ));
        }
    }
    notices(&replay.notices);
    Ok(0)
}

/// The folder that was meant: `NAME` stands for `NAME.rw` where there is only that.
fn named(path: &Path) -> PathBuf {
    let mut whole = path.as_os_str().to_owned();
    whole.push(".rw");
    match (path.exists(), PathBuf::from(whole)) {
        (false, whole) if whole.exists() => whole,
        _ => path.to_owned(),
    }
}

fn notices(all: &[String]) {
    all.iter().for_each(|n| eprintln!("rewright: {}", printable(n)));
}

/// Shows the steps, or runs the recorded tests again.
pub(super) fn run_replay(path: &Path, again: bool, trusted: bool, out: &mut Output) -> Result<u8> {
    if !again {
        return run_show(path, out);
    }
    let result = verify(&named(path), trusted, &Cancel::default())?;
    let code = match result.differs() {
        true => 1,
        // What was not run again is not proven.
        false if result.tests == 0 || !result.is_whole() => 3,
        false => 0,
    };
    if out.is_json() {
        out.object(&serde_json::json!({ "format": JSON_FORMAT, "holds": code == 0, "verification": result }));
        return Ok(code);
    }
    for d in &result.differences {
        out.text(&format!("{}\n", printable(&d.line())));
    }
    notices(&result.notices);
    let words = match code {
        0 => "every outcome is as recorded",
        3 if result.tests == 0 && result.left_out() > 0 => "no step could be run again",
        3 if result.left_out() > 0 => "these are as recorded, but not every step could be run again",
        3 if !result.notices.is_empty() => "these are as recorded, but the session is damaged",
        3 => "the session holds no test that can be run again",
        _ => "something differs",
    };
    out.text(&format!("{} tests run again: {words}\n", result.tests));
    Ok(code)
}
