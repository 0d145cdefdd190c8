//! Rows for `BigDecimal`, `BigInteger`, rounding modes.
//!
//! `BigDecimal` is Scala's, `JBigDecimal` Java's, as types and as modules; `BigInt` is both Scala's `BigInt` and Java's
//! `BigInteger`, whose static sides keep their names. `RoundingMode` is that of both languages.

mod big_int;
mod context;
mod java;
mod scala;

use crate::jvm::table::Method;

/// The rows, by group.
pub static GROUPS: &[&[Method]] = &[
    scala::STATIC,
    scala::NEW,
    scala::METHODS,
    java::STATIC,
    java::NEW,
    java::METHODS,
    big_int::BIG_INT,
    big_int::BIG_INTEGER,
    big_int::NEW,
    big_int::METHODS,
    context::ROUNDING_MODE,
    context::ROUNDING_MODE_METHODS,
    context::MATH_CONTEXT,
    context::NEW_MATH_CONTEXT,
    context::MATH_CONTEXT_METHODS,
];
