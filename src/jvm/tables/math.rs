//! Rows for `Math`, `StrictMath`, `scala.math`, methods of the numeric types.
//!
//! `scala.math` forwards to `Math`, so that both share ids: whatever lowers `Math.abs(Int)` lowers `math.abs` of an `Int`.

mod boxes;
mod functions;
mod primitives;

use crate::jvm::table::Method;

/// The rows, by group.
pub static GROUPS: &[&[Method]] = &[
    functions::MATH,
    functions::JAVA_MATH_ONLY,
    functions::SCALA_MATH,
    functions::SCALA_MATH_ONLY,
    functions::STRICT_MATH,
    primitives::INT,
    primitives::LONG,
    primitives::DOUBLE,
    primitives::FLOAT,
    primitives::BYTE,
    primitives::SHORT,
    primitives::CHAR,
    primitives::BOOLEAN,
    boxes::INTEGER,
    boxes::LONG,
    boxes::DOUBLE,
    boxes::FLOAT,
    boxes::INT,
    boxes::SHORT,
    boxes::BYTE,
    boxes::BOOLEAN,
];
