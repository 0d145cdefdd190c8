//! The one door to the exact JVM primitives that Spark's expressions call: number text, case mapping, `java.lang.Math` and
//! `StrictMath`, each as Spark 3.5 calls it.

use std::cell::OnceCell;

use super::plan::{RowResult, Stop};
use crate::jvm::math::{ieee, java, strict};
use crate::jvm::number_text;
use crate::jvm::unicode::case_map;

/// `Double.toString`.
pub fn double_text(x: f64) -> RowResult<String> {
    Ok(number_text::double_to_string(x))
}

/// `Float.toString`.
pub fn float_text(x: f32) -> RowResult<String> {
    Ok(number_text::float_to_string(x))
}

fn units(s: &str) -> Vec<u16> {
    s.encode_utf16().collect()
}

/// UTF-16 as Spark stores it: an unpaired surrogate becomes `?`.
pub fn from_units(units: &[u16]) -> String {
    char::decode_utf16(units.iter().copied())
        .map(|c| c.unwrap_or('?'))
        .collect()
}

/// `Double.parseDouble`; `None` for a `NumberFormatException`.
pub fn parse_double(s: &str) -> RowResult<Option<f64>> {
    Ok(number_text::parse_double(&units(s)).ok())
}

/// `Float.parseFloat`; `None` for a `NumberFormatException`.
pub fn parse_float(s: &str) -> RowResult<Option<f32>> {
    Ok(number_text::parse_float(&units(s)).ok())
}

/// `String.toUpperCase` under a ROOT-like locale.
pub fn upper(s: &str) -> RowResult<String> {
    if s.is_ascii() {
        return Ok(s.to_ascii_uppercase());
    }
    Ok(from_units(&case_map::upper_string(&units(s))))
}

/// `String.toLowerCase` under a ROOT-like locale.
pub fn lower(s: &str) -> RowResult<String> {
    if s.is_ascii() {
        return Ok(s.to_ascii_lowercase());
    }
    case_map::lower_string(&units(s))
        .map(|u| from_units(&u))
        .map_err(Stop::Refuse)
}

/// `Character.toTitleCase`: upper case but for the digraphs that have a title form of their own.
pub fn title(c: char) -> RowResult<char> {
    let code = c as u32;
    let titled = match code {
        0x1C4..=0x1C6 => 0x1C5,
        0x1C7..=0x1C9 => 0x1C8,
        0x1CA..=0x1CC => 0x1CB,
        0x1F1..=0x1F3 => 0x1F2,
        // Georgian capitals have lower-case letters whose title form is the letter itself.
        0x10D0..=0x10FA | 0x10FD..=0x10FF => code,
        _ => case_map::to_upper(code),
    };
    char::from_u32(titled).ok_or_else(|| Stop::Refuse(format!("the title form of U+{code:04X} is not covered")))
}

thread_local! {
    static LN_2: OnceCell<f64> = const { OnceCell::new() };
}

/// `StrictMath.log(2)`.
pub fn ln_2() -> f64 {
    LN_2.with(|c| *c.get_or_init(|| strict::log(2.0)))
}

pub use ieee::{to_degrees as degrees, to_radians as radians};
pub use java::{cos, sin, tan};
pub use strict::{acos, asin, atan, atan2, cbrt, cosh, exp, expm1, hypot, log as ln, log1p, log10, pow, sinh, tanh};
