//! Rows for `Map` and `Set`.

use crate::jvm::table::Method;

/// The rows.
pub static ROWS: &[Method] = &[];
