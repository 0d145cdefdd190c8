//! Rows for `Char`, `Character`.

use crate::jvm::args::{character, int, mismatch, row};
use crate::jvm::table::Method;
use crate::jvm::unicode::{self, case_map};
use crate::jvm::value::{Eval, Throw, Value};

const C: &str = "Char";
const ST: &str = "static Character";
const NONE: &[&str] = &[];

/// The code point in a `Char` or an `Int`.
fn cp(v: &Value) -> Eval<u32> {
    match v {
        Value::Char(c) => Ok(u32::from(*c)),
        // What is no code point has no property; private use planes end at U+10FFFF.
        Value::Int(i) => Ok(u32::try_from(*i).unwrap_or(u32::MAX).min(0x11_0000)),
        other => Err(mismatch("Char", other)),
    }
}

/// The same kind of value with another code point.
fn like(v: &Value, cp: u32) -> Value {
    match v {
        Value::Char(_) => Value::Char(cp as u16),
        Value::Int(i) if u32::try_from(*i).is_err() || *i > 0x10_ffff => v.clone(),
        _ => Value::Int(cp as i32),
    }
}

fn numeric(v: &Value) -> Eval {
    unicode::numeric_value(cp(v)?)
        .map(Value::Int)
        .map_err(Throw::Unsupported)
}

/// One predicate or mapping under all its names: Java's static ones for `char` and `int`, and Scala's on `Char`.
macro_rules! predicate {
    ($id:literal, $recv:expr, $name:literal, $sig:literal, $f:path) => {
        row($id, $recv, $name, $sig, NONE, |_, a, _| Ok(Value::Bool($f(cp(&a[0])?))))
    };
}

macro_rules! mapping {
    ($id:literal, $recv:expr, $name:literal, $sig:literal, $f:path) => {
        row($id, $recv, $name, $sig, NONE, |_, a, _| Ok(like(&a[0], $f(cp(&a[0])?))))
    };
}

/// The rows.
#[rustfmt::skip]
pub static ROWS: &[Method] = &[
    predicate!("Char.isDigit", C, "isDigit", ": Boolean", unicode::is_digit),
    predicate!("Char.isLetter", C, "isLetter", ": Boolean", unicode::is_letter),
    predicate!("Char.isLetterOrDigit", C, "isLetterOrDigit", ": Boolean", unicode::is_letter_or_digit),
    predicate!("Char.isWhitespace", C, "isWhitespace", ": Boolean", unicode::is_whitespace),
    predicate!("Char.isSpaceChar", C, "isSpaceChar", ": Boolean", unicode::is_space_char),
    predicate!("Char.isUpper", C, "isUpper", ": Boolean", unicode::is_upper_case),
    predicate!("Char.isLower", C, "isLower", ": Boolean", unicode::is_lower_case),
    predicate!("Char.isControl", C, "isControl", ": Boolean", unicode::is_iso_control),
    predicate!("Char.isHighSurrogate", C, "isHighSurrogate", ": Boolean", is_high),
    predicate!("Char.isLowSurrogate", C, "isLowSurrogate", ": Boolean", is_low),
    predicate!("Char.isSurrogate", C, "isSurrogate", ": Boolean", is_surrogate),
    mapping!("Char.toUpper", C, "toUpper", ": Char", case_map::to_upper),
    mapping!("Char.toLower", C, "toLower", ": Char", case_map::to_lower),
    row("Char.asDigit", C, "asDigit", ": Int", NONE, |_, a, _| numeric(&a[0])),
    row("Char.getNumericValue", C, "getNumericValue", ": Int", NONE, |_, a, _| numeric(&a[0])),
    row("Char.getType", C, "getType", ": Int", NONE, |_, a, _| Ok(Value::Int(unicode::java_type(cp(&a[0])?)))),
    row("Char.toString", C, "toString", ": String", NONE, |_, a, _| text(&a[0])),
    row("Char.compareTo", C, "compareTo", "(Char): Int", NONE, |_, a, _| compare(&a[0], &a[1])),
    row("Char.compare", C, "compare", "(Char): Int", NONE, |_, a, _| {
        Ok(Value::Int(character(&a[0])?.cmp(&character(&a[1])?) as i32))
    }),
    predicate!("static Character.isDigit(Char)", ST, "isDigit", "(Char): Boolean", unicode::is_digit),
    predicate!("static Character.isDigit(Int)", ST, "isDigit", "(Int): Boolean", unicode::is_digit),
    predicate!("static Character.isLetter(Char)", ST, "isLetter", "(Char): Boolean", unicode::is_letter),
    predicate!("static Character.isLetter(Int)", ST, "isLetter", "(Int): Boolean", unicode::is_letter),
    predicate!("static Character.isLetterOrDigit(Char)", ST, "isLetterOrDigit", "(Char): Boolean", unicode::is_letter_or_digit),
    predicate!("static Character.isLetterOrDigit(Int)", ST, "isLetterOrDigit", "(Int): Boolean", unicode::is_letter_or_digit),
    predicate!("static Character.isAlphabetic", ST, "isAlphabetic", "(Int): Boolean", unicode::is_alphabetic),
    predicate!("static Character.isIdeographic", ST, "isIdeographic", "(Int): Boolean", unicode::is_ideographic),
    predicate!("static Character.isWhitespace(Char)", ST, "isWhitespace", "(Char): Boolean", unicode::is_whitespace),
    predicate!("static Character.isWhitespace(Int)", ST, "isWhitespace", "(Int): Boolean", unicode::is_whitespace),
    predicate!("static Character.isSpaceChar(Char)", ST, "isSpaceChar", "(Char): Boolean", unicode::is_space_char),
    predicate!("static Character.isSpaceChar(Int)", ST, "isSpaceChar", "(Int): Boolean", unicode::is_space_char),
    predicate!("static Character.isUpperCase(Char)", ST, "isUpperCase", "(Char): Boolean", unicode::is_upper_case),
    predicate!("static Character.isUpperCase(Int)", ST, "isUpperCase", "(Int): Boolean", unicode::is_upper_case),
    predicate!("static Character.isLowerCase(Char)", ST, "isLowerCase", "(Char): Boolean", unicode::is_lower_case),
    predicate!("static Character.isLowerCase(Int)", ST, "isLowerCase", "(Int): Boolean", unicode::is_lower_case),
    predicate!("static Character.isISOControl(Char)", ST, "isISOControl", "(Char): Boolean", unicode::is_iso_control),
    predicate!("static Character.isISOControl(Int)", ST, "isISOControl", "(Int): Boolean", unicode::is_iso_control),
    predicate!("static Character.isHighSurrogate", ST, "isHighSurrogate", "(Char): Boolean", is_high),
    predicate!("static Character.isLowSurrogate", ST, "isLowSurrogate", "(Char): Boolean", is_low),
    predicate!("static Character.isSurrogate", ST, "isSurrogate", "(Char): Boolean", is_surrogate),
    predicate!("static Character.isSupplementaryCodePoint", ST, "isSupplementaryCodePoint", "(Int): Boolean", is_supplementary),
    predicate!("static Character.isValidCodePoint", ST, "isValidCodePoint", "(Int): Boolean", is_valid),
    mapping!("static Character.toUpperCase(Char)", ST, "toUpperCase", "(Char): Char", case_map::to_upper),
    mapping!("static Character.toUpperCase(Int)", ST, "toUpperCase", "(Int): Int", case_map::to_upper),
    mapping!("static Character.toLowerCase(Char)", ST, "toLowerCase", "(Char): Char", case_map::to_lower),
    mapping!("static Character.toLowerCase(Int)", ST, "toLowerCase", "(Int): Int", case_map::to_lower),
    row("static Character.getNumericValue(Char)", ST, "getNumericValue", "(Char): Int", NONE, |_, a, _| numeric(&a[0])),
    row("static Character.getNumericValue(Int)", ST, "getNumericValue", "(Int): Int", NONE, |_, a, _| numeric(&a[0])),
    row("static Character.getType(Char)", ST, "getType", "(Char): Int", NONE, |_, a, _| Ok(Value::Int(unicode::java_type(cp(&a[0])?)))),
    row("static Character.getType(Int)", ST, "getType", "(Int): Int", NONE, |_, a, _| Ok(Value::Int(unicode::java_type(cp(&a[0])?)))),
    row("static Character.digit(Char)", ST, "digit", "(Char, Int): Int", NONE, |_, a, _| digit(&a[0], int(&a[1])?)),
    row("static Character.digit(Int)", ST, "digit", "(Int, Int): Int", NONE, |_, a, _| digit(&a[0], int(&a[1])?)),
    row("static Character.forDigit", ST, "forDigit", "(Int, Int): Char", NONE, |_, a, _| {
        let (digit, radix) = (int(&a[0])?, int(&a[1])?);
        let valid = (2..=36).contains(&radix) && (0..radix).contains(&digit);
        Ok(Value::Char(if valid { char::from_digit(digit as u32, 36).map_or(0, |c| c as u16) } else { 0 }))
    }),
    row("static Character.valueOf", ST, "valueOf", "(Char): Box[Char]", NONE, |_, a, _| Ok(a[0].clone())),
    row("static Character.toString(Char)", ST, "toString", "(Char): String", NONE, |_, a, _| text(&a[0])),
    row("static Character.toString(Int)", ST, "toString", "(Int): String", &["IllegalArgumentException"], |_, a, _| text(&a[0])),
    row("static Character.compare", ST, "compare", "(Char, Char): Int", NONE, |_, a, _| compare(&a[0], &a[1])),
    row("static Character.charCount", ST, "charCount", "(Int): Int", NONE, |_, a, _| Ok(Value::Int(if int(&a[0])? >= 0x1_0000 { 2 } else { 1 }))),
    row("static Character.toChars", ST, "toChars", "(Int): Array[Char]", &["IllegalArgumentException"], |_, a, _| {
        Ok(Value::array(code_point_text(int(&a[0])?)?.into_iter().map(Value::Char).collect()))
    }),
    row("static Character.hashCode", ST, "hashCode", "(Char): Int", NONE, |_, a, _| Ok(Value::Int(i32::from(character(&a[0])?)))),
    row("static Character.MAX_VALUE", ST, "MAX_VALUE", ": Char", NONE, |_, _, _| Ok(Value::Char(0xffff))),
    row("static Character.MIN_VALUE", ST, "MIN_VALUE", ": Char", NONE, |_, _, _| Ok(Value::Char(0))),
];

fn is_high(cp: u32) -> bool {
    (0xd800..0xdc00).contains(&cp)
}

fn is_low(cp: u32) -> bool {
    (0xdc00..0xe000).contains(&cp)
}

fn is_surrogate(cp: u32) -> bool {
    (0xd800..0xe000).contains(&cp)
}

fn is_supplementary(cp: u32) -> bool {
    (0x1_0000..0x11_0000).contains(&cp)
}

fn is_valid(cp: u32) -> bool {
    cp < 0x11_0000
}

fn compare(a: &Value, b: &Value) -> Eval {
    Ok(Value::Int(i32::from(character(a)?) - i32::from(character(b)?)))
}

fn digit(v: &Value, radix: i32) -> Eval {
    let radix = u32::try_from(radix).unwrap_or(0);
    Ok(Value::Int(unicode::digit(cp(v)?, radix).map_or(-1, |d| d as i32)))
}

fn code_point_text(cp: i32) -> Eval<Vec<u16>> {
    crate::jvm::text::search::code_point_units(cp).ok_or_else(|| {
        Throw::exception(
            "IllegalArgumentException",
            format!("Not a valid Unicode code point: 0x{cp:X}"),
        )
    })
}

fn text(v: &Value) -> Eval {
    Ok(Value::Str(crate::jvm::text::JStr::from_units(&code_point_text(int(
        v,
    )?)?)))
}
