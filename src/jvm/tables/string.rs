//! Rows for `String` with `StringOps`.

use crate::jvm::table::Method;

/// The rows.
pub static ROWS: &[Method] = &[];
