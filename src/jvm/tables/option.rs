//! Rows for `Option`, `Try`, `Either`, `java.util.Optional`.

use crate::jvm::table::Method;

/// The rows.
pub static ROWS: &[Method] = &[];
