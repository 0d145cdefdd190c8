//! Rows for `String` with `StringOps`: Java's methods, Scala's additions, and those that walk the characters.

pub mod elements;
pub mod java;
pub mod scala;

use crate::jvm::table::Context;
use crate::jvm::text::JStr;
use crate::jvm::value::{Eval, Throw, Value};

/// A string result from units, counted against the bound on memory.
pub(super) fn made(cx: &mut dyn Context, units: &[u16]) -> Eval {
    cx.grow(units.len() * 2)?;
    Ok(Value::Str(JStr::from_units(units)))
}

/// `substring` with Java's check.
pub(super) fn substring(s: &JStr, begin: i32, end: i32) -> Eval {
    let len = s.len() as i32;
    if begin < 0 || begin > end || end > len {
        return Err(Throw::exception(
            "StringIndexOutOfBoundsException",
            format!("begin {begin}, end {end}, length {len}"),
        ));
    }
    if begin == 0 && end == len {
        return Ok(Value::Str(s.clone()));
    }
    Ok(Value::Str(s.slice(begin as usize, end as usize)))
}

/// `charAt` with Java's check; the text of the exception depends on how the JVM stores the string.
pub(super) fn char_at(s: &JStr, index: i32) -> Eval<u16> {
    usize::try_from(index).ok().and_then(|i| s.unit(i)).ok_or_else(|| {
        let latin1 = s.units().iter().all(|u| *u < 0x100);
        let message = if latin1 {
            format!("String index out of range: {index}")
        } else {
            format!("index {index}, length {}", s.len())
        };
        Throw::exception("StringIndexOutOfBoundsException", message)
    })
}

/// Scala's `slice(from, until)`: cut to the bounds.
pub(super) fn slice(s: &JStr, from: i64, until: i64) -> Value {
    let len = s.len() as i64;
    let from = from.clamp(0, len);
    let until = until.clamp(from, len);
    Value::Str(s.slice(from as usize, until as usize))
}

#[cfg(test)]
mod tests {
    use crate::jvm::value::Value;
    use crate::test_vectors::{call_row, check_row, shown};

    #[test]
    fn rows_give_what_the_jvm_gave() {
        for (file, id, kinds) in [
            ("str_length", "String.length", "s"),
            ("str_trim", "String.trim", "s"),
            ("str_strip", "String.strip", "s"),
            ("str_capitalize", "String.capitalize", "s"),
            ("str_upper_root", "String.toUpperCase", "s"),
            ("str_equals_ignore_case", "String.equalsIgnoreCase", "ss"),
            ("str_substring_from", "String.substring(Int)", "si"),
            ("str_substring", "String.substring(Int,Int)", "sii"),
            ("str_charat", "String.charAt", "si"),
            ("str_indexof", "String.indexOf(String)", "ss"),
            ("str_indexof_from", "String.indexOf(String,Int)", "ssi"),
            ("str_lastindexof", "String.lastIndexOf(String)", "ss"),
            ("str_contains", "String.contains(String)", "ss"),
            ("str_reverse_scala", "String.reverse", "s"),
            ("str_repeat_scala", "String.*", "si"),
            ("str_repeat_java", "String.repeat", "si"),
            ("str_replace", "String.replace(String,String)", "sss"),
            ("str_hashcode", "String.hashCode", "s"),
        ] {
            check_row(file, id, kinds, &[]);
        }
        check_row(
            "split_char_scala",
            "String.split(Char)",
            "s",
            &[Value::Char(u16::from(b'|'))],
        );
    }

    #[test]
    fn number_rows_give_what_the_jvm_gave() {
        for (file, id, kinds) in [
            ("double_to_string", "Double.toString", "d"),
            ("float_to_string", "Float.toString", "f"),
            ("int_to_hex", "static Integer.toHexString", "i"),
            ("long_to_hex", "static Long.toHexString", "l"),
            ("int_to_binary", "static Integer.toBinaryString", "i"),
            ("parse_int", "static Integer.parseInt", "s"),
            ("parse_long", "String.toLong", "s"),
            ("parse_double", "String.toDouble", "s"),
            ("parse_float", "String.toFloat", "s"),
            ("parse_boolean_scala", "String.toBoolean", "s"),
            ("parse_boolean_java", "static Boolean.parseBoolean", "s"),
        ] {
            check_row(file, id, kinds, &[]);
        }
        check_row(
            "parse_hex_int",
            "static Integer.parseInt(radix)",
            "s",
            &[Value::Int(16)],
        );
    }

    /// Expected values from Scala 2.12.18.
    #[test]
    fn cuts_of_scala_stay_within_bounds() {
        let s = || Value::str("abcde");
        let int = Value::Int;
        for (id, args, want) in [
            ("String.take", vec![s(), int(-1)], ""),
            ("String.takeRight", vec![s(), int(2)], "de"),
            ("String.dropRight", vec![s(), int(9)], ""),
            ("String.slice", vec![s(), int(-3), int(2)], "ab"),
            ("String.slice", vec![s(), int(4), int(2)], ""),
            ("String.sliding(Int,Int)", vec![s(), int(2), int(2)], ""),
            ("String.patch", vec![s(), int(1), Value::str("XY"), int(2)], "aXYde"),
            ("String.mkString(String)", vec![s(), Value::str("-")], "a-b-c-d-e"),
        ] {
            let got = call_row(id, &args).unwrap();
            match id {
                "String.sliding(Int,Int)" => {
                    let mut parts = Vec::new();
                    while let Some(v) = crate::jvm::view::next_of(&mut crate::test_vectors::NoCalls, &got).unwrap() {
                        parts.push(shown(&v));
                    }
                    assert_eq!(parts, ["ab", "cd", "e"]);
                }
                _ => assert_eq!(shown(&got), want, "{id}"),
            }
        }
        assert_eq!(
            call_row("String.head", &[Value::str("")]).unwrap_err(),
            "NoSuchElementException"
        );
    }
}
