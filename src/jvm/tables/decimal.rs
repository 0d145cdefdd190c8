//! Rows for `BigDecimal`, `BigInteger`, rounding modes.

use crate::jvm::table::Method;

/// The rows, by group.
pub static GROUPS: &[&[Method]] = &[];
