//! Rows for numbers to text and back.

use crate::jvm::args::{boolean, double, float, int, long, null_row, row, string};
use crate::jvm::number_text::{self, NumberFormat, integer};
use crate::jvm::table::Method;
use crate::jvm::text::{JStr, strip};
use crate::jvm::value::{Eval, Throw, Value};

const NONE: &[&str] = &[];
const NFE: &[&str] = &["NumberFormatException"];
const NFE_NPE: &[&str] = &["NumberFormatException", "NullPointerException"];
const IAE: &[&str] = &["IllegalArgumentException"];
const S: &str = "String";

/// The rows.
#[rustfmt::skip]
pub static ROWS: &[Method] = &[
    // To text.
    row("Double.toString", "Double", "toString", ": String", NONE, |_, a, _| double_text(&a[0])),
    row("Float.toString", "Float", "toString", ": String", NONE, |_, a, _| float_text(&a[0])),
    row("Int.toString", "Int", "toString", ": String", NONE, |_, a, _| integer_text(&a[0])),
    row("Long.toString", "Long", "toString", ": String", NONE, |_, a, _| integer_text(&a[0])),
    row("Short.toString", "Short", "toString", ": String", NONE, |_, a, _| integer_text(&a[0])),
    row("Byte.toString", "Byte", "toString", ": String", NONE, |_, a, _| integer_text(&a[0])),
    row("Boolean.toString", "Boolean", "toString", ": String", NONE, |_, a, _| boolean_text(&a[0])),
    row("static Double.toString", "static Double", "toString", "(Double): String", NONE, |_, a, _| double_text(&a[0])),
    row("static Float.toString", "static Float", "toString", "(Float): String", NONE, |_, a, _| float_text(&a[0])),
    row("static Integer.toString", "static Integer", "toString", "(Int): String", NONE, |_, a, _| integer_text(&a[0])),
    row("static Long.toString", "static Long", "toString", "(Long): String", NONE, |_, a, _| integer_text(&a[0])),
    row("static Short.toString", "static Short", "toString", "(Short): String", NONE, |_, a, _| integer_text(&a[0])),
    row("static Byte.toString", "static Byte", "toString", "(Byte): String", NONE, |_, a, _| integer_text(&a[0])),
    row("static Boolean.toString", "static Boolean", "toString", "(Boolean): String", NONE, |_, a, _| boolean_text(&a[0])),
    row("static Integer.toString(radix)", "static Integer", "toString", "(Int, Int): String", NONE, |_, a, _| radix(&a[0], &a[1])),
    row("static Long.toString(radix)", "static Long", "toString", "(Long, Int): String", NONE, |_, a, _| radix(&a[0], &a[1])),
    row("static Integer.toHexString", "static Integer", "toHexString", "(Int): String", NONE, |_, a, _| unsigned_int(&a[0], 16)),
    row("static Integer.toOctalString", "static Integer", "toOctalString", "(Int): String", NONE, |_, a, _| unsigned_int(&a[0], 8)),
    row("static Integer.toBinaryString", "static Integer", "toBinaryString", "(Int): String", NONE, |_, a, _| unsigned_int(&a[0], 2)),
    row("static Integer.toUnsignedString", "static Integer", "toUnsignedString", "(Int): String", NONE, |_, a, _| unsigned_int(&a[0], 10)),
    row("static Long.toHexString", "static Long", "toHexString", "(Long): String", NONE, |_, a, _| unsigned_long(&a[0], 16)),
    row("static Long.toOctalString", "static Long", "toOctalString", "(Long): String", NONE, |_, a, _| unsigned_long(&a[0], 8)),
    row("static Long.toBinaryString", "static Long", "toBinaryString", "(Long): String", NONE, |_, a, _| unsigned_long(&a[0], 2)),
    row("static Long.toUnsignedString", "static Long", "toUnsignedString", "(Long): String", NONE, |_, a, _| unsigned_long(&a[0], 10)),
    row("Int.toHexString", "Int", "toHexString", ": String", NONE, |_, a, _| unsigned_int(&a[0], 16)),
    row("Int.toOctalString", "Int", "toOctalString", ": String", NONE, |_, a, _| unsigned_int(&a[0], 8)),
    row("Int.toBinaryString", "Int", "toBinaryString", ": String", NONE, |_, a, _| unsigned_int(&a[0], 2)),
    row("Long.toHexString", "Long", "toHexString", ": String", NONE, |_, a, _| unsigned_long(&a[0], 16)),
    row("Long.toOctalString", "Long", "toOctalString", ": String", NONE, |_, a, _| unsigned_long(&a[0], 8)),
    row("Long.toBinaryString", "Long", "toBinaryString", ": String", NONE, |_, a, _| unsigned_long(&a[0], 2)),
    // From text: Java.
    row("static Integer.parseInt", "static Integer", "parseInt", "(String): Int", NFE, |_, a, _| parse_int(&a[0], 10)),
    row("static Integer.parseInt(radix)", "static Integer", "parseInt", "(String, Int): Int", NFE, |_, a, _| parse_int(&a[0], int(&a[1])?)),
    row("static Integer.valueOf(String)", "static Integer", "valueOf", "(String): Box[Int]", NFE, |_, a, _| parse_int(&a[0], 10)),
    row("static Integer.valueOf(String,Int)", "static Integer", "valueOf", "(String, Int): Box[Int]", NFE, |_, a, _| parse_int(&a[0], int(&a[1])?)),
    row("static Integer.decode", "static Integer", "decode", "(String): Box[Int]", NFE_NPE, |_, a, _| {
        Ok(Value::Int(decode(&a[0], i64::from(i32::MIN), i64::from(i32::MAX))? as i32))
    }),
    row("static Long.parseLong", "static Long", "parseLong", "(String): Long", NFE, |_, a, _| parse_long(&a[0], 10)),
    row("static Long.parseLong(radix)", "static Long", "parseLong", "(String, Int): Long", NFE, |_, a, _| parse_long(&a[0], int(&a[1])?)),
    row("static Long.valueOf(String)", "static Long", "valueOf", "(String): Box[Long]", NFE, |_, a, _| parse_long(&a[0], 10)),
    row("static Long.decode", "static Long", "decode", "(String): Box[Long]", NFE_NPE, |_, a, _| Ok(Value::Long(decode(&a[0], i64::MIN, i64::MAX)?))),
    row("static Short.parseShort", "static Short", "parseShort", "(String): Short", NFE, |_, a, _| parse_short(&a[0])),
    row("static Short.valueOf(String)", "static Short", "valueOf", "(String): Box[Short]", NFE, |_, a, _| parse_short(&a[0])),
    row("static Byte.parseByte", "static Byte", "parseByte", "(String): Byte", NFE, |_, a, _| parse_byte(&a[0])),
    row("static Byte.valueOf(String)", "static Byte", "valueOf", "(String): Box[Byte]", NFE, |_, a, _| parse_byte(&a[0])),
    row("static Double.parseDouble", "static Double", "parseDouble", "(String): Double", NFE_NPE, |_, a, _| parse_double(&a[0])),
    row("static Double.valueOf(String)", "static Double", "valueOf", "(String): Box[Double]", NFE_NPE, |_, a, _| parse_double(&a[0])),
    row("static Float.parseFloat", "static Float", "parseFloat", "(String): Float", NFE_NPE, |_, a, _| parse_float(&a[0])),
    row("static Float.valueOf(String)", "static Float", "valueOf", "(String): Box[Float]", NFE_NPE, |_, a, _| parse_float(&a[0])),
    row("static Boolean.parseBoolean", "static Boolean", "parseBoolean", "(String): Boolean", NONE, |_, a, _| Ok(java_boolean(&a[0]))),
    row("static Boolean.valueOf(String)", "static Boolean", "valueOf", "(String): Box[Boolean]", NONE, |_, a, _| Ok(java_boolean(&a[0]))),
    // From text: Scala. A null reaches the parser.
    null_row("String.toInt", S, "toInt", ": Int", NFE, |_, a, _| parse_int(&a[0], 10)),
    null_row("String.toLong", S, "toLong", ": Long", NFE, |_, a, _| parse_long(&a[0], 10)),
    null_row("String.toShort", S, "toShort", ": Short", NFE, |_, a, _| parse_short(&a[0])),
    null_row("String.toByte", S, "toByte", ": Byte", NFE, |_, a, _| parse_byte(&a[0])),
    null_row("String.toDouble", S, "toDouble", ": Double", NFE_NPE, |_, a, _| parse_double(&a[0])),
    null_row("String.toFloat", S, "toFloat", ": Float", NFE_NPE, |_, a, _| parse_float(&a[0])),
    null_row("String.toBoolean", S, "toBoolean", ": Boolean", IAE, |_, a, _| scala_boolean(&a[0])),
];

fn double_text(v: &Value) -> Eval {
    Ok(Value::str(&number_text::double_to_string(double(v)?)))
}

fn float_text(v: &Value) -> Eval {
    Ok(Value::str(&number_text::float_to_string(float(v)?)))
}

fn integer_text(v: &Value) -> Eval {
    Ok(Value::str(&long(v)?.to_string()))
}

fn boolean_text(v: &Value) -> Eval {
    Ok(Value::str(if boolean(v)? { "true" } else { "false" }))
}

fn radix(v: &Value, radix: &Value) -> Eval {
    Ok(Value::str(&integer::radix_string(long(v)?, int(radix)?)))
}

fn unsigned_int(v: &Value, radix: u64) -> Eval {
    Ok(Value::str(&integer::unsigned_radix_string(
        u64::from(int(v)? as u32),
        radix,
    )))
}

fn unsigned_long(v: &Value, radix: u64) -> Eval {
    Ok(Value::str(&integer::unsigned_radix_string(long(v)? as u64, radix)))
}

fn number_format(message: impl Into<String>) -> Throw {
    Throw::exception("NumberFormatException", message)
}

fn for_input(text: &JStr, radix: i32) -> Throw {
    let under = if radix == 10 {
        String::new()
    } else {
        format!(" under radix {radix}")
    };
    number_format(format!("For input string: \"{}\"{under}", text.to_utf8()))
}

/// The text of a parser of integers; null and a radix out of range are bad numbers, too.
fn parse(v: &Value, radix: i32, min: i64, max: i64) -> Eval<Option<i64>> {
    let Value::Str(text) = v else {
        return Err(number_format("Cannot parse null string"));
    };
    match radix {
        ..=1 => return Err(number_format(format!("radix {radix} less than Character.MIN_RADIX"))),
        37.. => return Err(number_format(format!("radix {radix} greater than Character.MAX_RADIX"))),
        _ => {}
    }
    match integer::parse_integer(&text.units(), radix as u32, min, max) {
        Ok(n) => Ok(Some(n)),
        Err(NumberFormat) => Ok(None),
    }
}

fn parse_int(v: &Value, radix: i32) -> Eval {
    let n = parse(v, radix, i64::from(i32::MIN), i64::from(i32::MAX))?;
    n.map(|n| Value::Int(n as i32)).ok_or_else(|| bad(v, radix))
}

fn parse_long(v: &Value, radix: i32) -> Eval {
    parse(v, radix, i64::MIN, i64::MAX)?
        .map(Value::Long)
        .ok_or_else(|| bad(v, radix))
}

fn bad(v: &Value, radix: i32) -> Throw {
    match v {
        Value::Str(s) => for_input(s, radix),
        _ => Throw::null_pointer(),
    }
}

/// `Short` and `Byte` are read as `int` first.
fn parse_narrow(v: &Value, min: i64, max: i64) -> Eval<i64> {
    let Value::Int(n) = parse_int(v, 10)? else {
        return Err(Throw::null_pointer());
    };
    let n = i64::from(n);
    if n < min || n > max {
        let text = string(v)?.to_utf8().into_owned();
        return Err(number_format(format!("Value out of range. Value:\"{text}\" Radix:10")));
    }
    Ok(n)
}

fn parse_short(v: &Value) -> Eval {
    Ok(Value::Short(
        parse_narrow(v, i64::from(i16::MIN), i64::from(i16::MAX))? as i16
    ))
}

fn parse_byte(v: &Value) -> Eval {
    Ok(Value::Byte(
        parse_narrow(v, i64::from(i8::MIN), i64::from(i8::MAX))? as i8
    ))
}

fn decode(v: &Value, min: i64, max: i64) -> Eval<i64> {
    let text = string(v)?;
    integer::decode(&text.units(), min, max).map_err(|NumberFormat| {
        if text.is_empty() {
            number_format("Zero length string")
        } else {
            for_input(text, 10)
        }
    })
}

fn bad_float(text: &JStr) -> Throw {
    let units = text.units();
    let trimmed = strip::trim(&units);
    if trimmed.is_empty() {
        return number_format("empty String");
    }
    for_input(&JStr::from_units(trimmed), 10)
}

fn parse_double(v: &Value) -> Eval {
    let text = string(v)?;
    number_text::parse_double(&text.units())
        .map(Value::Double)
        .map_err(|_| bad_float(text))
}

fn parse_float(v: &Value) -> Eval {
    let text = string(v)?;
    number_text::parse_float(&text.units())
        .map(Value::Float)
        .map_err(|_| bad_float(text))
}

/// Whether the text is a word in any case; only ASCII letters fold to these words, but for a dotless or long letter.
fn is_word(text: &JStr, word: &str) -> bool {
    let units = text.units();
    let word: Vec<u16> = word.encode_utf16().collect();
    units.len() == word.len() && crate::jvm::unicode::case_map::compare_ignore_case(&units, &word) == 0
}

fn java_boolean(v: &Value) -> Value {
    Value::Bool(matches!(v, Value::Str(s) if is_word(s, "true")))
}

/// Scala lowers the case and compares.
fn scala_boolean(v: &Value) -> Eval {
    let text = match v {
        Value::Str(s) => s.clone(),
        _ => JStr::new("null"),
    };
    let lower = crate::jvm::unicode::case_map::lower_string(&text.units()).map_err(Throw::Unsupported)?;
    match String::from_utf16_lossy(&lower).as_str() {
        "true" => Ok(Value::Bool(true)),
        "false" => Ok(Value::Bool(false)),
        _ => Err(Throw::exception(
            "IllegalArgumentException",
            format!("For input string: \"{}\"", text.to_utf8()),
        )),
    }
}
