//! Rows for hashes, Base64, URL coding, charsets.

use crate::jvm::table::Method;

/// The rows.
pub static ROWS: &[Method] = &[];
