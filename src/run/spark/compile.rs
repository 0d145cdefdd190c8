//! Compiles a candidate's text in the worker, without running it. In: a text and a class path; out: the compiler's messages with
//! their lines, none if it compiles.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::json;

use super::server::Server;
use crate::error::{Error, Result};
use crate::run::Cancel;
use crate::source::Language;

const LIMIT: Duration = Duration::from_secs(180);

/// What a compiler says about a place in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompileMessage {
    /// 1-based line, if it is about a place.
    pub line: Option<usize>,
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
    let messages = reply["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    Ok(messages
        .iter()
        .map(|m| CompileMessage {
            line: m["offset"].as_u64().map(|o| line_at(text, o as usize)),
            text: m["message"].as_str().unwrap_or("it does not compile").to_owned(),
        })
        .collect())
}

/// The 1-based line of an offset in UTF-16 units.
fn line_at(text: &str, utf16: usize) -> usize {
    1 + text
        .encode_utf16()
        .take(utf16)
        .filter(|u| *u == u16::from(b'\n'))
        .count()
}
