//! Rows for sequences, arrays, iterators, ranges.

use crate::jvm::table::Method;

/// The rows.
pub static ROWS: &[Method] = &[];
