//! Rows for `BigDecimal`, `BigInteger`, rounding modes.

use crate::jvm::table::Method;

/// The rows.
pub static ROWS: &[Method] = &[];
