//! Numbers as the JVM computes them: in and out, Rust primitives, no [`super::value::Value`]. Shared by the rows of
//! [`super::tables::math`], the SQL engine and the emulation of cuDF. Never raises: wrapping and NaN are results.

pub mod ieee;
pub mod java;
pub mod strict;
mod trig;

/// The static methods (by their class, `Math`) whose result may differ from the JVM's by one unit in the last place: HotSpot
/// replaces them by intrinsics, which are not correctly rounded. Announced as `math-ulp` wherever they take part.
const INEXACT: [&str; 7] = ["sin", "cos", "tan", "exp", "log", "log10", "pow"];

/// Whether a row of the library (by its id, such as `Math.exp`) may differ from the JVM by one unit in the last place.
pub fn is_inexact(method_id: &str) -> bool {
    // StrictMath reduces arguments beyond 2^19 π/2 with an error of its own, which the exact reduction here has not.
    matches!(method_id, "StrictMath.sin" | "StrictMath.cos")
        || method_id
            .strip_prefix("Math.")
            .is_some_and(|name| INEXACT.contains(&name))
}

#[cfg(test)]
mod tests;
