//! Rows for `String.format`, `formatted`, `DecimalFormat`.

use crate::jvm::table::Method;

/// The rows.
pub static ROWS: &[Method] = &[];
