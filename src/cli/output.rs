//! Where output goes: text or JSON on standard output, errors on standard error. A closed pipe ends quietly.

use std::io::{self, IsTerminal, Write};

use serde::Serialize;

use super::args::{Color, Common};
use crate::error::{Error, ErrorKind};
use crate::inputs::data::ByPosition;
use crate::report::{Paint, printable};

/// Prints in the form that the user asked for.
pub(super) struct Output {
    json: bool,
    quiet: bool,
    color: bool,
    closed: bool,
    /// Why the output could not be written.
    failed: Option<io::Error>,
}

impl Output {
    pub fn new(common: &Common) -> Output {
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|t| t == "dumb");
        let color = match common.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => io::stdout().is_terminal() && !no_color && !dumb,
        };
        Output {
            json: common.json,
            quiet: common.quiet,
            color,
            closed: false,
            failed: None,
        }
    }

    pub fn is_json(&self) -> bool {
        self.json
    }

    pub fn is_quiet(&self) -> bool {
        self.quiet
    }

    pub fn paint(&self) -> Paint {
        Paint::new(self.color)
    }

    /// Prints text as it is.
    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// Prints bytes as they are.
    pub fn bytes(&mut self, bytes: &[u8]) {
        if !self.closed {
            let written = io::stdout().lock().write_all(bytes);
            self.note(written);
        }
    }

    /// Says on standard error that columns were taken by their place, which may not be what was meant.
    pub fn by_position(&self, taken: &[ByPosition]) {
        if self.quiet || taken.is_empty() {
            return;
        }
        let pairs: Vec<String> = taken.iter().map(|t| format!("{} = {}", t.param, t.column)).collect();
        let pairs = printable(&pairs.join(", "));
        eprintln!("note: no column has the name of every parameter, so columns are taken in their order: {pairs}");
    }

    /// Prints one JSON object on a line of its own.
    pub fn object(&mut self, value: &impl Serialize) {
        match serde_json::to_string(value) {
            Ok(line) => self.text(&format!("{line}\n")),
            Err(e) => eprintln!("rewright: cannot write JSON: {e}"),
        }
    }

    /// A reader that went away is no error of ours; a full disk is one.
    fn note(&mut self, written: io::Result<()>) {
        if let Err(e) = written {
            self.closed = true;
            self.failed = (e.kind() != io::ErrorKind::BrokenPipe).then_some(e);
        }
    }

    /// Flushes. What could not be written is said, and is no success.
    pub fn finish(&mut self, code: u8) -> u8 {
        if !self.closed {
            let flushed = io::stdout().lock().flush();
            self.note(flushed);
        }
        match self.failed.take() {
            Some(e) => {
                eprintln!("rewright: cannot write the output\n  because: {e}");
                ErrorKind::Input.exit_code()
            }
            None => code,
        }
    }

    /// Prints an error: what, why, what to try. With `--json` an object on standard output, too.
    pub fn error(&mut self, error: &Error) -> u8 {
        let code = error.kind.exit_code();
        if self.json {
            let at = error.location.as_ref().map(
                |l| serde_json::json!({ "file": l.path.display().to_string(), "line": l.line, "column": l.column }),
            );
            self.object(&serde_json::json!({
                "format": crate::report::JSON_FORMAT,
                "error": { "what": error.what, "causes": error.causes, "hints": error.hints, "at": at, "exit_code": code },
            }));
        }
        let mut text = String::from("rewright: ");
        if let Some(at) = &error.location {
            text.push_str(&format!(
                "{}:{}:{}: ",
                printable(&at.path.display().to_string()),
                at.line,
                at.column
            ));
        }
        text.push_str(&printable(&error.what));
        text.push('\n');
        error
            .causes
            .iter()
            .for_each(|c| text.push_str(&format!("  because: {}\n", printable(c))));
        error
            .hints
            .iter()
            .for_each(|h| text.push_str(&format!("  try: {}\n", printable(h))));
        let _ = io::stderr().lock().write_all(text.as_bytes());
        self.finish(code)
    }
}
