//! Rows for numbers to text and back.

use crate::jvm::table::Method;

/// The rows.
pub static ROWS: &[Method] = &[];
