//! Rows for `String.format`, `formatted`, `DecimalFormat`, `Locale`.

use crate::jvm::args::{mismatch, object};
use crate::jvm::object::{Object, Other};
use crate::jvm::table::Method;
use crate::jvm::value::{Eval, Throw, Value};

/// A `java.util.Locale`, by its language tag; the root locale's is empty.
#[derive(Debug)]
pub struct Locale(pub String);

impl Other for Locale {
    fn class_name(&self) -> &'static str {
        "Locale"
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

/// Accepts a locale that maps case and writes numbers as the root locale does; others are refused.
pub fn root_like(v: &Value) -> Eval<()> {
    let Object::Other(other) = object(v)? else {
        return Err(mismatch("Locale", v));
    };
    let Some(Locale(tag)) = other.as_any().downcast_ref() else {
        return Err(mismatch("Locale", v));
    };
    match tag.as_str() {
        "" | "en" | "en-US" | "en-GB" => Ok(()),
        other => Err(Throw::Unsupported(format!(
            "the rules of locale {other} are not covered"
        ))),
    }
}

/// The rows.
pub static ROWS: &[Method] = &[];
