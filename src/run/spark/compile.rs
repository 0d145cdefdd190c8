//! Compiles a candidate's text in the worker, without running it. In: a text and a class path; out: the compiler's messages with
//! their lines, none if it compiles.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};

use super::server::Server;
use crate::error::{Error, Location, Result};
use crate::run::Cancel;
use crate::source::Language;

const LIMIT: Duration = Duration::from_secs(180);

/// What a compiler says about a place in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompileMessage {
    /// 1-based line, if it is about a place.
    pub line: Option<usize>,
    /// 1-based column in characters, beside the line.
    pub column: Option<usize>,
    /// What it says.
    pub text: String,
}

/// Compiles a text in Scala or Java against Spark's jars and the class path.
pub fn compile_check(
    text: &str,
    name: &str,
    language: Language,
    classpath: &[PathBuf],
    cancel: &Cancel,
) -> Result<Vec<CompileMessage>> {
    let server = Server::of(classpath)?;
    let mut turn = server.turn(cancel)?;
    let request = json!({"op": "compile", "language": language.name(), "name": name, "text": text, "entry": ""});
    let reply = turn.call(&format!("compiling {name}"), request, LIMIT, cancel)?;
    if reply["ok"] == true {
        return Ok(Vec::new());
    }
    if reply["kind"] != "compile" {
        let why = reply["message"].as_str().unwrap_or("no reason was given");
        return Err(Error::not_proven(format!("{name} cannot be compiled")).because(why));
    }
    Ok(messages(text, &reply))
}

/// The error for a candidate that does not compile, at the place of the first message.
pub fn does_not_compile(name: &str, messages: &[CompileMessage], against: &str) -> Error {
    let error = Error::compile("the candidate does not compile");
    let Some(first) = messages.first() else { return error };
    let mut error = error.because(first.text.replace('\n', " "));
    if messages.len() > 1 {
        error = error.because(format!("and {} more", messages.len() - 1));
    }
    if let (Some(line), Some(column)) = (first.line, first.column) {
        error = error.at(Location {
            path: name.into(),
            line: line as u32,
            column: column as u32,
        });
    }
    error.hint(format!(
        "it was compiled against {against}; --rapids-jar names another jar"
    ))
}

/// What a reply that something does not compile says of a text.
pub(super) fn messages(text: &str, reply: &Value) -> Vec<CompileMessage> {
    let messages = reply["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let message = |m: &Value| {
        let place = m["offset"].as_u64().map(|o| place(text, o as usize));
        CompileMessage {
            line: place.map(|p| p.0),
            column: place.map(|p| p.1),
            text: m["message"].as_str().unwrap_or("it does not compile").to_owned(),
        }
    };
    messages.iter().map(message).collect()
}

/// The 1-based line and column of an offset in UTF-16 units.
fn place(text: &str, utf16: usize) -> (usize, usize) {
    let (mut units, mut line, mut column) = (0, 1, 1);
    for c in text.chars() {
        if units >= utf16 {
            break;
        }
        units += c.len_utf16();
        (line, column) = if c == '\n' { (line + 1, 1) } else { (line, column + 1) };
    }
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn places_count_as_editors_do() {
        assert_eq!(place("ab\nc\u{1f600}d", 0), (1, 1));
        assert_eq!(place("ab\nc\u{1f600}d", 3), (2, 1));
        assert_eq!(place("ab\nc\u{1f600}d", 6), (2, 3));
    }
}
