//! Rows for methods of every object, tuples, exceptions, function values, `Predef`, `Row`.

use crate::jvm::table::Method;

/// The rows.
pub static ROWS: &[Method] = &[];
