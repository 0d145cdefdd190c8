//! Rows for what Scala's `StringOps` (2.12) adds to strings, without the methods that take functions of characters.

use super::java::{chars, compare, repeat};
use super::{char_at, made, slice};
use crate::jvm::args::{character, int, null_row, row, string};
use crate::jvm::object::SeqClass;
use crate::jvm::show;
use crate::jvm::table::{Context, Method};
use crate::jvm::text::{JStr, search, strip};
use crate::jvm::unicode::{self, case_map};
use crate::jvm::value::{Eval, Throw, Value};
use crate::jvm::view;
use crate::lang::ty::Ty;

const S: &str = "String";
const NONE: &[&str] = &[];
const NPE: &[&str] = &["NullPointerException"];
const INDEX: &[&str] = &["StringIndexOutOfBoundsException"];
const EMPTY: &[&str] = &["NoSuchElementException"];

/// The rows.
#[rustfmt::skip]
pub static ROWS: &[Method] = &[
    row("String.size", S, "size", ": Int", NONE, |_, a, _| Ok(Value::Int(string(&a[0])?.len() as i32))),
    row("String.nonEmpty", S, "nonEmpty", ": Boolean", NONE, |_, a, _| Ok(Value::Bool(!string(&a[0])?.is_empty()))),
    row("String.apply", S, "apply", "(Int): Char", INDEX, |_, a, _| Ok(Value::Char(char_at(string(&a[0])?, int(&a[1])?)?))),
    row("String.isDefinedAt", S, "isDefinedAt", "(Int): Boolean", NONE, |_, a, _| {
        let i = int(&a[1])?;
        Ok(Value::Bool(i >= 0 && (i as usize) < string(&a[0])?.len()))
    }),
    row("String.head", S, "head", ": Char", EMPTY, |_, a, _| head(string(&a[0])?)),
    row("String.last", S, "last", ": Char", EMPTY, |_, a, _| {
        let s = string(&a[0])?;
        s.len().checked_sub(1).and_then(|i| s.unit(i)).map(Value::Char).ok_or_else(|| Throw::exception("NoSuchElementException", "next on empty iterator"))
    }),
    row("String.headOption", S, "headOption", ": Option[Char]", NONE, |_, a, _| Ok(Value::option(string(&a[0])?.unit(0).map(Value::Char)))),
    row("String.lastOption", S, "lastOption", ": Option[Char]", NONE, |_, a, _| {
        let s = string(&a[0])?;
        Ok(Value::option(s.len().checked_sub(1).and_then(|i| s.unit(i)).map(Value::Char)))
    }),
    row("String.tail", S, "tail", ": String", &["UnsupportedOperationException"], |_, a, _| {
        let s = string(&a[0])?;
        if s.is_empty() {
            return Err(Throw::exception("UnsupportedOperationException", "empty.tail"));
        }
        Ok(slice(s, 1, s.len() as i64))
    }),
    row("String.init", S, "init", ": String", &["UnsupportedOperationException"], |_, a, _| {
        let s = string(&a[0])?;
        if s.is_empty() {
            return Err(Throw::exception("UnsupportedOperationException", "empty.init"));
        }
        Ok(slice(s, 0, s.len() as i64 - 1))
    }),
    row("String.take", S, "take", "(Int): String", NONE, |_, a, _| Ok(slice(string(&a[0])?, 0, int(&a[1])?.into()))),
    row("String.drop", S, "drop", "(Int): String", NONE, |_, a, _| Ok(slice(string(&a[0])?, int(&a[1])?.into(), i64::MAX))),
    row("String.takeRight", S, "takeRight", "(Int): String", NONE, |_, a, _| {
        let s = string(&a[0])?;
        Ok(slice(s, s.len() as i64 - i64::from(int(&a[1])?.max(0)), i64::MAX))
    }),
    row("String.dropRight", S, "dropRight", "(Int): String", NONE, |_, a, _| {
        let s = string(&a[0])?;
        Ok(slice(s, 0, s.len() as i64 - i64::from(int(&a[1])?.max(0))))
    }),
    row("String.slice", S, "slice", "(Int, Int): String", NONE, |_, a, _| Ok(slice(string(&a[0])?, int(&a[1])?.into(), int(&a[2])?.into()))),
    row("String.splitAt", S, "splitAt", "(Int): (String, String)", NONE, |_, a, _| {
        let (s, n) = (string(&a[0])?, i64::from(int(&a[1])?));
        Ok(Value::tuple(vec![slice(s, 0, n), slice(s, n, i64::MAX)]))
    }),
    null_row("String.capitalize", S, "capitalize", ": String", NONE, capitalize),
    row("String.reverse", S, "reverse", ": String", NONE, |cx, a, _| {
        let units: Vec<u16> = string(&a[0])?.units().iter().rev().copied().collect();
        made(cx, &units)
    }),
    row("String.*", S, "*", "(Int): String", NONE, |cx, a, _| repeat(cx, string(&a[0])?, int(&a[1])?)),
    row("String.stripPrefix", S, "stripPrefix", "(String): String", NPE, |_, a, _| {
        let (s, p) = (string(&a[0])?, string(&a[1])?);
        let from = if s.units().starts_with(&p.units()) { p.len() } else { 0 };
        Ok(slice(s, from as i64, i64::MAX))
    }),
    row("String.stripSuffix", S, "stripSuffix", "(String): String", NPE, |_, a, _| {
        let (s, p) = (string(&a[0])?, string(&a[1])?);
        let drop = if s.units().ends_with(&p.units()) { p.len() } else { 0 };
        Ok(slice(s, 0, (s.len() - drop) as i64))
    }),
    row("String.stripMargin", S, "stripMargin", ": String", NONE, |cx, a, _| made(cx, &strip::strip_margin(&string(&a[0])?.units(), u16::from(b'|')))),
    row("String.stripMargin(Char)", S, "stripMargin", "(Char): String", NONE, |cx, a, _| made(cx, &strip::strip_margin(&string(&a[0])?.units(), character(&a[1])?))),
    row("String.stripLineEnd", S, "stripLineEnd", ": String", NONE, |cx, a, _| made(cx, strip::strip_line_end(&string(&a[0])?.units()))),
    row("String.linesIterator", S, "linesIterator", ": Iterator[String]", NONE, |cx, a, _| {
        let units = string(&a[0])?.units();
        let mut out = Vec::new();
        for line in strip::scala_lines_with_ends(&units) {
            out.push(made(cx, strip::strip_line_end(line))?);
        }
        Ok(super::elements::iterator(out))
    }),
    row("String.split(Char)", S, "split", "(Char): Array[String]", NONE, |cx, a, _| split(cx, string(&a[0])?, &[character(&a[1])?])),
    row("String.split(Array[Char])", S, "split", "(Array[Char]): Array[String]", NPE, |cx, a, _| {
        let separators: Vec<u16> = view::all(cx, &a[1])?.iter().map(character).collect::<Eval<_>>()?;
        split(cx, string(&a[0])?, &separators)
    }),
    row("String.toList", S, "toList", ": List[Char]", NONE, |cx, a, _| Ok(Value::list(chars(cx, string(&a[0])?)?))),
    row("String.toVector", S, "toVector", ": Vector[Char]", NONE, |cx, a, _| Ok(Value::seq(SeqClass::Vector, chars(cx, string(&a[0])?)?))),
    row("String.toSeq", S, "toSeq", ": Seq[Char]", NONE, |cx, a, _| Ok(Value::seq(SeqClass::WrappedString, chars(cx, string(&a[0])?)?))),
    row("String.toIndexedSeq", S, "toIndexedSeq", ": Seq[Char]", NONE, |cx, a, _| Ok(Value::seq(SeqClass::WrappedString, chars(cx, string(&a[0])?)?))),
    row("String.toArray", S, "toArray", ": Array[Char]", NONE, |cx, a, _| Ok(Value::array(chars(cx, string(&a[0])?)?))),
    row("String.toSet", S, "toSet", ": Set[Char]", NONE, |cx, a, _| Ok(Value::set(chars(cx, string(&a[0])?)?))),
    row("String.iterator", S, "iterator", ": Iterator[Char]", NONE, |cx, a, _| Ok(super::elements::iterator(chars(cx, string(&a[0])?)?))),
    row("String.toIterator", S, "toIterator", ": Iterator[Char]", NONE, |cx, a, _| Ok(super::elements::iterator(chars(cx, string(&a[0])?)?))),
    row("String.indices", S, "indices", ": Seq[Int]", NONE, |_, a, _| Ok(Value::obj(crate::jvm::object::Object::Range(crate::jvm::object::Range::indices(string(&a[0])?.len()))))),
    row("String.contains(Char)", S, "contains", "(Char): Boolean", NONE, |_, a, _| {
        let c = character(&a[1])?;
        Ok(Value::Bool(string(&a[0])?.units().contains(&c)))
    }),
    row("String.distinct", S, "distinct", ": String", NONE, |cx, a, _| {
        let mut out: Vec<u16> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        out.extend(string(&a[0])?.units().iter().filter(|u| seen.insert(**u)));
        made(cx, &out)
    }),
    row("String.sorted", S, "sorted", ": String", NONE, |cx, a, _| {
        let mut units = string(&a[0])?.units().into_owned();
        units.sort_unstable();
        made(cx, &units)
    }),
    row("String.max", S, "max", ": Char", &["UnsupportedOperationException"], |_, a, _| {
        string(&a[0])?.units().iter().max().map(|u| Value::Char(*u)).ok_or_else(|| Throw::exception("UnsupportedOperationException", "empty.max"))
    }),
    row("String.min", S, "min", ": Char", &["UnsupportedOperationException"], |_, a, _| {
        string(&a[0])?.units().iter().min().map(|u| Value::Char(*u)).ok_or_else(|| Throw::exception("UnsupportedOperationException", "empty.min"))
    }),
    row("String.mkString", S, "mkString", ": String", NONE, |_, a, _| Ok(a[0].clone())),
    row("String.mkString(String)", S, "mkString", "(String): String", NONE, |cx, a, _| mk_string(cx, string(&a[0])?, [&Value::str(""), &a[1], &Value::str("")])),
    row("String.mkString(String,String,String)", S, "mkString", "(String, String, String): String", NONE, |cx, a, _| mk_string(cx, string(&a[0])?, [&a[1], &a[2], &a[3]])),
    row("String.zipWithIndex", S, "zipWithIndex", ": Vector[(Char, Int)]", NONE, |cx, a, _| {
        let pairs = chars(cx, string(&a[0])?)?.into_iter().enumerate();
        let pairs = pairs.map(|(i, c)| Value::tuple(vec![c, Value::Int(i as i32)])).collect();
        Ok(Value::seq(SeqClass::Vector, pairs))
    }),
    row("String.zip(String)", S, "zip", "(String): Vector[(Char, Char)]", NPE, zip),
    row("String.zip", S, "zip", "[B](Seq[B]): Vector[(Char, B)]", NPE, zip),
    row("String.padTo", S, "padTo", "(Int, Char): String", NONE, |cx, a, _| {
        let (n, c) = (int(&a[1])?.max(0) as usize, character(&a[2])?);
        cx.grow(n * 2)?;
        let mut units = string(&a[0])?.units().into_owned();
        units.resize(n.max(units.len()), c);
        made(cx, &units)
    }),
    row("String.patch", S, "patch", "(Int, String, Int): String", NPE, |cx, a, _| {
        let (s, other) = (string(&a[0])?.units(), string(&a[2])?.units());
        let from = (int(&a[1])?.max(0) as usize).min(s.len());
        let until = (from + int(&a[3])?.max(0) as usize).min(s.len());
        made(cx, &[&s[..from], &other[..], &s[until..]].concat())
    }),
    row("String.updated", S, "updated", "(Int, Char): String", &["IndexOutOfBoundsException"], |cx, a, _| {
        let mut units = string(&a[0])?.units().into_owned();
        let i = int(&a[1])?;
        match usize::try_from(i).ok().and_then(|i| units.get_mut(i)) {
            Some(unit) => *unit = character(&a[2])?,
            None => return Err(Throw::exception("IndexOutOfBoundsException", i.to_string())),
        }
        made(cx, &units)
    }),
    row("String.+:", S, "+:", "(Char): String", NONE, |cx, a, _| {
        let mut units = vec![character(&a[1])?];
        units.extend_from_slice(&string(&a[0])?.units());
        made(cx, &units)
    }),
    row("String.:+", S, ":+", "(Char): String", NONE, |cx, a, _| {
        let mut units = string(&a[0])?.units().into_owned();
        units.push(character(&a[1])?);
        made(cx, &units)
    }),
    row("String.++", S, "++", "(String): String", NPE, |cx, a, _| made(cx, &[string(&a[0])?.units(), string(&a[1])?.units()].concat())),
    row("String.diff", S, "diff", "(Seq[Char]): String", NPE, |cx, a, _| multiset(cx, a, false)),
    row("String.diff(String)", S, "diff", "(String): String", NPE, |cx, a, _| multiset(cx, a, false)),
    row("String.intersect(String)", S, "intersect", "(String): String", NPE, |cx, a, _| multiset(cx, a, true)),
    row("String.intersect", S, "intersect", "(Seq[Char]): String", NPE, |cx, a, _| multiset(cx, a, true)),
    row("String.grouped", S, "grouped", "(Int): Iterator[String]", &["IllegalArgumentException"], |cx, a, _| {
        let n = int(&a[1])?;
        sliding(cx, string(&a[0])?, n, n)
    }),
    row("String.sliding(Int)", S, "sliding", "(Int): Iterator[String]", &["IllegalArgumentException"], |cx, a, _| sliding(cx, string(&a[0])?, int(&a[1])?, 1)),
    row("String.sliding(Int,Int)", S, "sliding", "(Int, Int): Iterator[String]", &["IllegalArgumentException"], |cx, a, _| {
        sliding(cx, string(&a[0])?, int(&a[1])?, int(&a[2])?)
    }),
    row("String.compare", S, "compare", "(String): Int", NPE, |_, a, _| Ok(Value::Int(compare(string(&a[0])?, string(&a[1])?)))),
    row("String.<", S, "<", "(String): Boolean", NPE, |_, a, _| Ok(Value::Bool(compare(string(&a[0])?, string(&a[1])?) < 0))),
    row("String.<=", S, "<=", "(String): Boolean", NPE, |_, a, _| Ok(Value::Bool(compare(string(&a[0])?, string(&a[1])?) <= 0))),
    row("String.>", S, ">", "(String): Boolean", NPE, |_, a, _| Ok(Value::Bool(compare(string(&a[0])?, string(&a[1])?) > 0))),
    row("String.>=", S, ">=", "(String): Boolean", NPE, |_, a, _| Ok(Value::Bool(compare(string(&a[0])?, string(&a[1])?) >= 0))),
    row("String.sameElements", S, "sameElements", "(String): Boolean", NPE, |_, a, _| Ok(Value::Bool(string(&a[0])? == string(&a[1])?))),
];

fn head(s: &JStr) -> Eval {
    let first = s.unit(0).map(Value::Char);
    first.ok_or_else(|| Throw::exception("NoSuchElementException", "next on empty iterator"))
}

fn capitalize(cx: &mut dyn Context, a: &[Value], _: &Ty) -> Eval {
    let Value::Str(s) = &a[0] else { return Ok(a[0].clone()) };
    let Some(first) = s.unit(0) else {
        return Ok(a[0].clone());
    };
    let upper = case_map::to_upper(u32::from(first)) as u16;
    if upper == first {
        return Ok(a[0].clone());
    }
    let mut units = s.units().into_owned();
    units[0] = upper;
    made(cx, &units)
}

fn split(cx: &mut dyn Context, s: &JStr, separators: &[u16]) -> Eval {
    if separators.is_empty() || separators.iter().any(|c| unicode::is_high(*c) || unicode::is_low(*c)) {
        return Err(Throw::Unsupported(
            "splitting at no character or at half a character is not covered".into(),
        ));
    }
    let mut parts = Vec::new();
    for part in search::split_chars(&s.units(), separators) {
        parts.push(made(cx, &part)?);
    }
    Ok(Value::array(parts))
}

fn mk_string(cx: &mut dyn Context, s: &JStr, [start, sep, end]: [&Value; 3]) -> Eval {
    let mut out = show::value_of(cx, start)?.units().into_owned();
    let sep = show::value_of(cx, sep)?;
    cx.grow(s.len().saturating_mul(sep.len() + 1))?;
    for (i, u) in s.units().iter().enumerate() {
        if i > 0 {
            out.extend_from_slice(&sep.units());
        }
        out.push(*u);
    }
    show::append(cx, end, &mut out)?;
    made(cx, &out)
}

fn zip(cx: &mut dyn Context, a: &[Value], _: &Ty) -> Eval {
    let left = chars(cx, string(&a[0])?)?;
    let right = view::all(cx, &a[1])?;
    let pairs = left.into_iter().zip(right).map(|(l, r)| Value::tuple(vec![l, r]));
    Ok(Value::seq(SeqClass::Vector, pairs.collect()))
}

/// `diff` and `intersect`, which count occurrences.
fn multiset(cx: &mut dyn Context, a: &[Value], keep_common: bool) -> Eval {
    let mut counts = std::collections::HashMap::new();
    for c in view::all(cx, &a[1])? {
        *counts.entry(character(&c)?).or_insert(0usize) += 1;
    }
    let mut out = Vec::new();
    for u in string(&a[0])?.units().iter() {
        let common = counts.get_mut(u).filter(|n| **n > 0).map(|n| *n -= 1).is_some();
        if common == keep_common {
            out.push(*u);
        }
    }
    made(cx, &out)
}

fn sliding(cx: &mut dyn Context, s: &JStr, size: i32, step: i32) -> Eval {
    if size < 1 || step < 1 {
        let message = format!("requirement failed: size={size} and step={step}, but both must be positive");
        return Err(Throw::exception("IllegalArgumentException", message));
    }
    let (size, step, len) = (size as usize, step as usize, s.len());
    let mut out = Vec::new();
    let mut at = 0;
    while at < len {
        cx.grow(size.min(len) * 2 + 16)?;
        out.push(slice(s, at as i64, (at + size) as i64));
        if at + size >= len {
            break;
        }
        at += step;
    }
    Ok(super::elements::iterator(out))
}
