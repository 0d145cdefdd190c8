//! Rows for `java.time`, `java.sql.Date`, `java.sql.Timestamp`.

use crate::jvm::table::Method;

/// The rows, by group.
pub static GROUPS: &[&[Method]] = &[];
