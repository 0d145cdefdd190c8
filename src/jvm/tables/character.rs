//! Rows for `Char`, `Character`.

use crate::jvm::table::Method;

/// The rows.
pub static ROWS: &[Method] = &[];
