//! Rows for `Pattern`, `Matcher`, `scala.util.matching.Regex`, and the regex methods of `String`.

use crate::jvm::table::Method;

/// The rows.
pub static ROWS: &[Method] = &[];
