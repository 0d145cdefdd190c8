//! Rows for `Math`, `StrictMath`, `scala.math`, methods of the numeric types.

use crate::jvm::table::Method;

/// The rows.
pub static ROWS: &[Method] = &[];
