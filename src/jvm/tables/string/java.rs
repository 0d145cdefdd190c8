//! Rows for the methods of `java.lang.String`.

use super::{char_at, made, substring};
use crate::jvm::args::{boolean, character, int, row, string};
use crate::jvm::show;
use crate::jvm::table::{Context, Method};
use crate::jvm::text::{JStr, search, strip};
use crate::jvm::unicode::{self, case_map};
use crate::jvm::value::{Eval, Throw, Value};
use crate::jvm::view;

const S: &str = "String";
const ST: &str = "static String";
const INDEX: &[&str] = &["StringIndexOutOfBoundsException"];
const NPE: &[&str] = &["NullPointerException"];
const NONE: &[&str] = &[];

/// The rows.
#[rustfmt::skip]
pub static ROWS: &[Method] = &[
    row("String.length", S, "length", ": Int", NONE, |_, a, _| Ok(Value::Int(string(&a[0])?.len() as i32))),
    row("String.isEmpty", S, "isEmpty", ": Boolean", NONE, |_, a, _| Ok(Value::Bool(string(&a[0])?.is_empty()))),
    row("String.isBlank", S, "isBlank", ": Boolean", NONE, |_, a, _| {
        Ok(Value::Bool(strip::strip(&string(&a[0])?.units(), true, false).is_empty()))
    }),
    row("String.charAt", S, "charAt", "(Int): Char", INDEX, |_, a, _| Ok(Value::Char(char_at(string(&a[0])?, int(&a[1])?)?))),
    row("String.codePointAt", S, "codePointAt", "(Int): Int", INDEX, code_point_at),
    row("String.codePointCount", S, "codePointCount", "(Int, Int): Int", &["IndexOutOfBoundsException"], code_point_count),
    row("String.substring(Int)", S, "substring", "(Int): String", INDEX, |_, a, _| {
        let s = string(&a[0])?;
        substring(s, int(&a[1])?, s.len() as i32)
    }),
    row("String.substring(Int,Int)", S, "substring", "(Int, Int): String", INDEX, |_, a, _| {
        substring(string(&a[0])?, int(&a[1])?, int(&a[2])?)
    }),
    row("String.subSequence", S, "subSequence", "(Int, Int): String", INDEX, |_, a, _| {
        substring(string(&a[0])?, int(&a[1])?, int(&a[2])?)
    }),
    row("String.indexOf(String)", S, "indexOf", "(String): Int", NPE, |cx, a, _| find(cx, a, false)),
    row("String.indexOf(String,Int)", S, "indexOf", "(String, Int): Int", NPE, |cx, a, _| find(cx, a, false)),
    row("String.lastIndexOf(String)", S, "lastIndexOf", "(String): Int", NPE, |cx, a, _| find(cx, a, true)),
    row("String.lastIndexOf(String,Int)", S, "lastIndexOf", "(String, Int): Int", NPE, |cx, a, _| find(cx, a, true)),
    row("String.indexOf(Int)", S, "indexOf", "(Int): Int", NONE, |cx, a, _| find(cx, a, false)),
    row("String.indexOf(Int,Int)", S, "indexOf", "(Int, Int): Int", NONE, |cx, a, _| find(cx, a, false)),
    row("String.lastIndexOf(Int)", S, "lastIndexOf", "(Int): Int", NONE, |cx, a, _| find(cx, a, true)),
    row("String.lastIndexOf(Int,Int)", S, "lastIndexOf", "(Int, Int): Int", NONE, |cx, a, _| find(cx, a, true)),
    row("String.contains", S, "contains", "(CharSequence): Boolean", NPE, contains),
    row("String.contains(String)", S, "contains", "(String): Boolean", NPE, contains),
    row("String.startsWith(String)", S, "startsWith", "(String): Boolean", NPE, |_, a, _| starts_with(string(&a[0])?, string(&a[1])?, 0)),
    row("String.startsWith(String,Int)", S, "startsWith", "(String, Int): Boolean", NPE, |_, a, _| {
        starts_with(string(&a[0])?, string(&a[1])?, int(&a[2])?)
    }),
    row("String.endsWith", S, "endsWith", "(String): Boolean", NPE, |_, a, _| {
        let (s, end) = (string(&a[0])?, string(&a[1])?);
        starts_with(s, end, s.len() as i32 - end.len() as i32)
    }),
    row("String.trim", S, "trim", ": String", NONE, |_, a, _| Ok(trim(string(&a[0])?))),
    row("String.strip", S, "strip", ": String", NONE, |cx, a, _| made(cx, strip::strip(&string(&a[0])?.units(), true, true))),
    row("String.stripLeading", S, "stripLeading", ": String", NONE, |cx, a, _| made(cx, strip::strip(&string(&a[0])?.units(), true, false))),
    row("String.stripTrailing", S, "stripTrailing", ": String", NONE, |cx, a, _| made(cx, strip::strip(&string(&a[0])?.units(), false, true))),
    row("String.toUpperCase", S, "toUpperCase", ": String", NONE, |cx, a, _| change_case(cx, string(&a[0])?, true)),
    row("String.toLowerCase", S, "toLowerCase", ": String", NONE, |cx, a, _| change_case(cx, string(&a[0])?, false)),
    row("String.toUpperCase(Locale)", S, "toUpperCase", "(Locale): String", NPE, |cx, a, _| {
        super::super::format::root_like(&a[1])?;
        change_case(cx, string(&a[0])?, true)
    }),
    row("String.toLowerCase(Locale)", S, "toLowerCase", "(Locale): String", NPE, |cx, a, _| {
        super::super::format::root_like(&a[1])?;
        change_case(cx, string(&a[0])?, false)
    }),
    row("String.concat", S, "concat", "(String): String", NPE, |cx, a, _| {
        let mut units = string(&a[0])?.units().into_owned();
        units.extend_from_slice(&string(&a[1])?.units());
        made(cx, &units)
    }),
    row("String.replace(Char,Char)", S, "replace", "(Char, Char): String", NONE, |cx, a, _| {
        let (from, to) = (character(&a[1])?, character(&a[2])?);
        let units: Vec<u16> = string(&a[0])?.units().iter().map(|u| if *u == from { to } else { *u }).collect();
        made(cx, &units)
    }),
    row("String.replace(String,String)", S, "replace", "(String, String): String", NPE, replace),
    row("String.replace(CharSequence,CharSequence)", S, "replace", "(CharSequence, CharSequence): String", NPE, replace),
    row("String.repeat", S, "repeat", "(Int): String", &["IllegalArgumentException"], |cx, a, _| {
        let n = int(&a[1])?;
        if n < 0 {
            return Err(Throw::exception("IllegalArgumentException", format!("count is negative: {n}")));
        }
        repeat(cx, string(&a[0])?, n)
    }),
    row("String.compareTo", S, "compareTo", "(String): Int", NPE, |_, a, _| Ok(Value::Int(compare(string(&a[0])?, string(&a[1])?)))),
    row("String.compareToIgnoreCase", S, "compareToIgnoreCase", "(String): Int", NPE, |_, a, _| {
        Ok(Value::Int(case_map::compare_ignore_case(&string(&a[0])?.units(), &string(&a[1])?.units())))
    }),
    row("String.equals", S, "equals", "(Any): Boolean", NONE, |_, a, _| {
        Ok(Value::Bool(matches!((&a[0], &a[1]), (Value::Str(x), Value::Str(y)) if x == y)))
    }),
    row("String.contentEquals(String)", S, "contentEquals", "(String): Boolean", NPE, |_, a, _| Ok(Value::Bool(string(&a[0])? == string(&a[1])?))),
    row("String.contentEquals", S, "contentEquals", "(CharSequence): Boolean", NPE, |cx, a, _| {
        Ok(Value::Bool(string(&a[0])? == &sequence(cx, &a[1])?))
    }),
    row("String.equalsIgnoreCase", S, "equalsIgnoreCase", "(String): Boolean", NONE, |_, a, _| {
        let s = string(&a[0])?;
        let Value::Str(other) = &a[1] else { return Ok(Value::Bool(false)) };
        Ok(Value::Bool(s.len() == other.len() && case_map::compare_ignore_case(&s.units(), &other.units()) == 0))
    }),
    row("String.regionMatches", S, "regionMatches", "(Int, String, Int, Int): Boolean", NPE, |_, a, _| {
        region_matches(string(&a[0])?, &a[1..], false)
    }),
    row("String.regionMatches(Boolean)", S, "regionMatches", "(Boolean, Int, String, Int, Int): Boolean", NPE, |_, a, _| {
        region_matches(string(&a[0])?, &a[2..], boolean(&a[1])?)
    }),
    row("String.hashCode", S, "hashCode", ": Int", NONE, |_, a, _| Ok(Value::Int(crate::jvm::hash::string_hash(string(&a[0])?)))),
    row("String.toString", S, "toString", ": String", NONE, |_, a, _| Ok(a[0].clone())),
    row("String.intern", S, "intern", ": String", NONE, |_, a, _| Ok(a[0].clone())),
    row("String.toCharArray", S, "toCharArray", ": Array[Char]", NONE, |cx, a, _| Ok(Value::array(chars(cx, string(&a[0])?)?))),
    row("String.lines", S, "lines", ": Iterator[String]", NONE, |cx, a, _| {
        let units = string(&a[0])?.units();
        let mut lines = Vec::new();
        for line in strip::java_lines(&units) {
            lines.push(made(cx, line)?);
        }
        Ok(super::elements::iterator(lines))
    }),
    row("String.chars", S, "chars", ": Iterator[Int]", NONE, |cx, a, _| {
        cx.grow(string(&a[0])?.len() * 16)?;
        Ok(super::elements::iterator(string(&a[0])?.units().iter().map(|u| Value::Int(i32::from(*u))).collect()))
    }),
    row("String.codePoints", S, "codePoints", ": Iterator[Int]", NONE, |cx, a, _| {
        cx.grow(string(&a[0])?.len() * 16)?;
        let units = string(&a[0])?.units();
        Ok(super::elements::iterator(unicode::code_points(&units).map(|c| Value::Int(c as i32)).collect()))
    }),
    row("static String.valueOf(Array[Char])", ST, "valueOf", "(Array[Char]): String", NPE, |cx, a, _| from_chars(cx, &a[0])),
    row("static String.copyValueOf", ST, "copyValueOf", "(Array[Char]): String", NPE, |cx, a, _| from_chars(cx, &a[0])),
    row("static String.valueOf", ST, "valueOf", "(Any): String", NONE, |cx, a, _| Ok(Value::Str(show::value_of(cx, &a[0])?))),
    row("static String.join(String*)", ST, "join", "(String, String*): String", NPE, join),
    row("static String.join(Array)", ST, "join", "(CharSequence, CharSequence*): String", NPE, join),
    row("static String.join(Seq)", ST, "join", "(String, JavaList[String]): String", NPE, join),
    row("new String", "new String", "String", "(): String", NONE, |_, _, _| Ok(Value::str(""))),
    row("new String(String)", "new String", "String", "(String): String", NPE, |_, a, _| Ok(Value::Str(string(&a[0])?.clone()))),
    row("new String(Array[Char])", "new String", "String", "(Array[Char]): String", NPE, |cx, a, _| from_chars(cx, &a[0])),
];

/// A `CharSequence` argument: a string or a builder.
fn sequence(cx: &mut dyn Context, v: &Value) -> Eval<JStr> {
    if v.is_null() {
        return Err(Throw::null_pointer());
    }
    show::value_of(cx, v)
}

fn code_point_at(_: &mut dyn Context, a: &[Value], _: &crate::lang::ty::Ty) -> Eval {
    let (s, index) = (string(&a[0])?, int(&a[1])?);
    let units = s.units();
    let found = usize::try_from(index)
        .ok()
        .and_then(|i| unicode::code_point_at(&units, i));
    found.map(|(cp, _)| Value::Int(cp as i32)).ok_or_else(|| {
        Throw::exception(
            "StringIndexOutOfBoundsException",
            format!("index {index}, length {}", s.len()),
        )
    })
}

fn code_point_count(_: &mut dyn Context, a: &[Value], _: &crate::lang::ty::Ty) -> Eval {
    let (s, begin, end) = (string(&a[0])?, int(&a[1])?, int(&a[2])?);
    if begin < 0 || begin > end || end as usize > s.len() {
        return Err(crate::jvm::args::bare_exception("IndexOutOfBoundsException"));
    }
    Ok(Value::Int(
        unicode::code_points(&s.units()[begin as usize..end as usize]).count() as i32,
    ))
}

/// `indexOf` and `lastIndexOf` of a string or a code point, with or without a start.
fn find(cx: &mut dyn Context, a: &[Value], last: bool) -> Eval {
    let s = string(&a[0])?;
    cx.step(s.len() as u64 / 16)?;
    let from = match a.get(2) {
        Some(v) => int(v)?,
        None if last => i32::MAX,
        None => 0,
    };
    if let (JStr::Ascii(text), Value::Str(JStr::Ascii(needle)), false, 0) = (s, &a[1], last, from) {
        return Ok(Value::Int(text.find(&**needle).map_or(-1, |at| at as i32)));
    }
    let units = s.units();
    let found = match (&a[1], last) {
        (Value::Int(_) | Value::Char(_), false) => search::index_of_code_point(&units, int(&a[1])?, from),
        (Value::Int(_) | Value::Char(_), true) => search::last_index_of_code_point(&units, int(&a[1])?, from),
        (v, false) => search::index_of(&units, &string(v)?.units(), from),
        (v, true) => search::last_index_of(&units, &string(v)?.units(), from),
    };
    Ok(Value::Int(found))
}

fn contains(cx: &mut dyn Context, a: &[Value], _: &crate::lang::ty::Ty) -> Eval {
    let needle = Value::Str(sequence(cx, &a[1])?);
    match find(cx, &[a[0].clone(), needle], false)? {
        Value::Int(at) => Ok(Value::Bool(at >= 0)),
        other => Ok(other),
    }
}

fn starts_with(s: &JStr, prefix: &JStr, from: i32) -> Eval {
    let holds = match (usize::try_from(from), s, prefix) {
        (Err(_), _, _) => false,
        (Ok(from), _, _) if from > s.len() => false,
        (Ok(from), JStr::Ascii(s), JStr::Ascii(p)) => s.as_bytes()[from..].starts_with(p.as_bytes()),
        (Ok(from), s, p) => s.units()[from..].starts_with(&p.units()),
    };
    Ok(Value::Bool(holds))
}

fn trim(s: &JStr) -> Value {
    match s {
        JStr::Ascii(text) => {
            let trimmed = text.trim_matches(|c: char| c <= ' ');
            if trimmed.len() == text.len() {
                Value::Str(s.clone())
            } else {
                Value::Str(JStr::Ascii(trimmed.into()))
            }
        }
        JStr::Wide(units) => Value::Str(JStr::from_units(strip::trim(units))),
    }
}

pub(super) fn change_case(cx: &mut dyn Context, s: &JStr, upper: bool) -> Eval {
    cx.grow(s.len())?;
    match (s, upper) {
        (JStr::Ascii(text), true) => Ok(Value::Str(JStr::Ascii(text.to_ascii_uppercase().into()))),
        (JStr::Ascii(text), false) => Ok(Value::Str(JStr::Ascii(text.to_ascii_lowercase().into()))),
        (JStr::Wide(units), true) => made(cx, &case_map::upper_string(units)),
        (JStr::Wide(units), false) => made(cx, &case_map::lower_string(units).map_err(Throw::Unsupported)?),
    }
}

fn replace(cx: &mut dyn Context, a: &[Value], _: &crate::lang::ty::Ty) -> Eval {
    let (target, replacement) = (sequence(cx, &a[1])?, sequence(cx, &a[2])?);
    let s = string(&a[0])?;
    let (target, replacement) = (target.units(), replacement.units());
    let most = s.len() / target.len().max(1) + 1;
    cx.grow(most.saturating_mul(replacement.len()))?;
    made(cx, &search::replace(&s.units(), &target, &replacement))
}

pub(super) fn repeat(cx: &mut dyn Context, s: &JStr, n: i32) -> Eval {
    let n = n.max(0) as usize;
    cx.grow(s.len().saturating_mul(n).saturating_mul(2))?;
    Ok(Value::Str(match s {
        JStr::Ascii(text) => JStr::Ascii(text.repeat(n).into()),
        JStr::Wide(units) => JStr::from_units(&units.repeat(n)),
    }))
}

/// `compareTo`: the difference of the first units that differ, else of the lengths.
pub fn compare(a: &JStr, b: &JStr) -> i32 {
    let (x, y) = (a.units(), b.units());
    x.iter()
        .zip(y.iter())
        .find(|(p, q)| p != q)
        .map_or(x.len() as i32 - y.len() as i32, |(p, q)| i32::from(*p) - i32::from(*q))
}

fn region_matches(s: &JStr, rest: &[Value], ignore_case: bool) -> Eval {
    let (at, other, other_at, len) = (int(&rest[0])?, string(&rest[1])?, int(&rest[2])?, int(&rest[3])?);
    let fits = |at: i32, size: usize| at >= 0 && i64::from(at) <= size as i64 - i64::from(len);
    if !fits(at, s.len()) || !fits(other_at, other.len()) {
        return Ok(Value::Bool(false));
    }
    if len <= 0 {
        return Ok(Value::Bool(true));
    }
    let (x, y) = (s.units(), other.units());
    let x = &x[at as usize..(at + len) as usize];
    let y = &y[other_at as usize..(other_at + len) as usize];
    Ok(Value::Bool(if ignore_case {
        case_map::compare_ignore_case(x, y) == 0
    } else {
        x == y
    }))
}

/// The characters as values.
pub(super) fn chars(cx: &mut dyn Context, s: &JStr) -> Eval<Vec<Value>> {
    cx.grow(s.len() * std::mem::size_of::<Value>())?;
    Ok(s.units().iter().map(|u| Value::Char(*u)).collect())
}

fn from_chars(cx: &mut dyn Context, v: &Value) -> Eval {
    let mut units = Vec::new();
    for c in view::View::of(v)?.to_vec() {
        units.push(character(&c)?);
    }
    made(cx, &units)
}

fn join(cx: &mut dyn Context, a: &[Value], _: &crate::lang::ty::Ty) -> Eval {
    let separator = sequence(cx, &a[0])?;
    let separator = separator.units();
    let mut out = Vec::new();
    for (i, item) in view::all(cx, &a[1])?.iter().enumerate() {
        if i > 0 {
            out.extend_from_slice(&separator);
        }
        show::append(cx, item, &mut out)?;
        cx.grow(separator.len())?;
    }
    made(cx, &out)
}
