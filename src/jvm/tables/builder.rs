//! Rows for `StringBuilder`, `StringBuffer`.

use crate::jvm::table::Method;

/// The rows.
pub static ROWS: &[Method] = &[];
