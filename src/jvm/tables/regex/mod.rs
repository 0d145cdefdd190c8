//! Rows for `Pattern`, `Matcher`, `scala.util.matching.Regex`, and the regex methods of `String`.

pub mod java;
pub mod scala;

use std::cell::RefCell;
use std::sync::Arc;

use crate::jvm::args::{mismatch, object};
use crate::jvm::object::Object;
use crate::jvm::regex::replace::ReplaceError;
use crate::jvm::regex::{Regex, RegexError};
use crate::jvm::text::JStr;
use crate::jvm::value::{Eval, Throw, Value};

/// Compiled patterns of this thread, latest last.
const CACHED: usize = 32;

thread_local! {
    static CACHE: RefCell<Vec<(JStr, Arc<Regex>)>> = const { RefCell::new(Vec::new()) };
}

/// Compiles a pattern without flags, or finds it among the latest ones.
pub fn compiled(pattern: &JStr) -> Eval<Arc<Regex>> {
    let hit = CACHE.with_borrow_mut(|cache| {
        let at = cache.iter().rposition(|(p, _)| p == pattern)?;
        let entry = cache.remove(at);
        cache.push(entry);
        cache.last().map(|(_, r)| r.clone())
    });
    if let Some(regex) = hit {
        return Ok(regex);
    }
    let regex = compile(pattern, 0)?;
    CACHE.with_borrow_mut(|cache| {
        if cache.len() == CACHED {
            cache.remove(0);
        }
        cache.push((pattern.clone(), regex.clone()));
    });
    Ok(regex)
}

/// Compiles a pattern.
pub fn compile(pattern: &JStr, flags: u32) -> Eval<Arc<Regex>> {
    let units = pattern.units();
    Regex::new(&units, flags).map(Arc::new).map_err(|e| thrown(e, &units))
}

/// What a failed compilation or search means for a row.
pub fn thrown(e: RegexError, pattern: &[u16]) -> Throw {
    match e {
        RegexError::Syntax { .. } => Throw::exception("PatternSyntaxException", e.message(pattern)),
        RegexError::Unsupported(what) => Throw::Unsupported(what),
        RegexError::Limit => Throw::Limit("steps of a regular expression"),
    }
}

/// What a failed replacement means for a row.
pub fn not_replaced(e: ReplaceError) -> Throw {
    match e {
        ReplaceError::Regex(e) => thrown(e, &[]),
        ReplaceError::IllegalArgument(message) => Throw::exception("IllegalArgumentException", message),
        ReplaceError::NoGroup(group) => Throw::exception("IndexOutOfBoundsException", format!("No group {group}")),
    }
}

/// A pattern object of either library.
pub fn pattern(v: &Value) -> Eval<&Arc<Regex>> {
    match object(v)? {
        Object::Regex(r) => Ok(r),
        _ => Err(mismatch("Regex", v)),
    }
}
