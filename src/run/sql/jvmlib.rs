//! The one door to the exact JVM primitives that Spark's expressions call: number text, case mapping, `java.lang.Math`.

use super::plan::{RowResult, Stop};

/// `Double.toString`.
pub fn double_text(x: f64) -> RowResult<String> {
    let _ = x;
    Err(Stop::Refuse("the text of a double is not available yet".into()))
}

/// `Float.toString`.
pub fn float_text(x: f32) -> RowResult<String> {
    let _ = x;
    Err(Stop::Refuse("the text of a float is not available yet".into()))
}

/// `Double.parseDouble`; `None` for a `NumberFormatException`.
pub fn parse_double(s: &str) -> RowResult<Option<f64>> {
    Err(Stop::Refuse(format!("the number `{s}` is not covered by the cpu engine")))
}

/// `Float.parseFloat`; `None` for a `NumberFormatException`.
pub fn parse_float(s: &str) -> RowResult<Option<f32>> {
    Err(Stop::Refuse(format!("the number `{s}` is not covered by the cpu engine")))
}

/// `String.toUpperCase(Locale.ROOT)`.
pub fn upper(s: &str) -> RowResult<String> {
    if s.is_ascii() {
        return Ok(s.to_ascii_uppercase());
    }
    Err(Stop::Refuse("upper case beyond ASCII is not available yet".into()))
}

/// `String.toLowerCase(Locale.ROOT)`.
pub fn lower(s: &str) -> RowResult<String> {
    if s.is_ascii() {
        return Ok(s.to_ascii_lowercase());
    }
    Err(Stop::Refuse("lower case beyond ASCII is not available yet".into()))
}

/// `Character.toTitleCase`.
pub fn title(c: char) -> RowResult<char> {
    if c.is_ascii() {
        return Ok(c.to_ascii_uppercase());
    }
    Err(Stop::Refuse("title case beyond ASCII is not available yet".into()))
}

/// `Math.toDegrees` of JDK 17.
pub fn degrees(x: f64) -> f64 {
    x * 57.295_779_513_082_32
}

/// `Math.toRadians` of JDK 17.
pub fn radians(x: f64) -> f64 {
    x * 0.017_453_292_519_943_295
}

pub use libm::{acos, asin, atan, atan2, cbrt, cos, cosh, exp, expm1, hypot, log as ln, log1p, log10, pow, sin, sinh, tan, tanh};
