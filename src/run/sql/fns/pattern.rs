//! `LIKE` and the functions of Java regular expressions, which run on the JVM's dialect over UTF-16.

use std::rc::Rc;

use super::super::jvmlib::from_units;
use super::super::plan::{Call, Def, Node, Nulls, RowResult, Stop, exc};
use super::super::resolve::apply;
use super::super::ty::Ty;
use super::super::val::Val;
use super::{own, strict};
use crate::jvm::regex::replace::{ReplaceError, replace};
use crate::jvm::regex::split::split;
use crate::jvm::regex::{Captures, Regex, RegexError};

/// The functions of this file.
pub const TABLE: &[Def] = &[
    strict("like", "s s s? -> b", |c, a| like(c, a, false)),
    strict("ilike", "s s s? -> b", |c, a| like(c, a, true)),
    strict("rlike", "s s -> b", rlike),
    strict("regexp_replace", "s s s i? -> s", regexp_replace),
    strict("regexp_extract", "s s i? -> s", regexp_extract),
    strict("regexp_extract_all", "s s i? -> [s", regexp_extract_all),
    strict("regexp_count", "s s -> i", |c, a| {
        Ok(Val::I32(all(c, a)?.1.len() as i32))
    }),
    strict("regexp_substr", "s s -> s", regexp_substr),
    strict("regexp_instr", "s s -> i", regexp_instr),
    strict("split", "s s i? -> [s", split_text),
    own("str_to_map", Nulls::Strict, map_sig, str_to_map),
];

/// One piece of a LIKE pattern.
enum Piece {
    Any,
    One,
    Char(char),
}

fn like_pieces(pattern: &str, escape: char) -> RowResult<Vec<Piece>> {
    let mut out = Vec::new();
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        out.push(match c {
            _ if c == escape => match chars.next() {
                Some(n) if n == '%' || n == '_' || n == escape => Piece::Char(n),
                _ => {
                    return Err(Stop::Refuse(format!(
                        "the LIKE pattern `{pattern}` ends or escapes wrongly"
                    )));
                }
            },
            '%' => Piece::Any,
            '_' => Piece::One,
            other => Piece::Char(other),
        });
    }
    Ok(out)
}

fn like<'a>(c: &Call, a: &[Val<'a>], ignore_case: bool) -> RowResult<Val<'a>> {
    let escape = match a.get(2) {
        Some(e) => e
            .str()
            .chars()
            .next()
            .ok_or_else(|| Stop::Refuse("an empty ESCAPE".into()))?,
        None => '\\',
    };
    let (mut s, mut p) = (a[0].str().to_string(), a[1].str().to_string());
    if ignore_case {
        s = super::super::jvmlib::lower(&s)?;
        p = super::super::jvmlib::lower(&p)?;
    }
    let key = format!("{escape}{p}");
    let pieces: Rc<RowResult<Vec<Piece>>> = c.rt.cached(b'l', &key, || like_pieces(&p, escape));
    let pieces = pieces.as_ref().as_ref().map_err(Clone::clone)?;
    let text: Vec<char> = s.chars().collect();
    Ok(Val::Bool(like_matches(&text, pieces)))
}

/// Greedy with one point to come back to, which is enough for `%`.
fn like_matches(text: &[char], pieces: &[Piece]) -> bool {
    let (mut i, mut j) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while i < text.len() {
        match pieces.get(j) {
            Some(Piece::Any) => {
                back = Some((i, j));
                j += 1;
            }
            Some(Piece::One) => {
                i += 1;
                j += 1;
            }
            Some(Piece::Char(c)) if *c == text[i] => {
                i += 1;
                j += 1;
            }
            _ => match back {
                Some((bi, bj)) => {
                    back = Some((bi + 1, bj));
                    i = bi + 1;
                    j = bj + 1;
                }
                None => return false,
            },
        }
    }
    pieces[j..].iter().all(|p| matches!(p, Piece::Any))
}

fn units(s: &str) -> Vec<u16> {
    s.encode_utf16().collect()
}

fn failed(e: &RegexError) -> Stop {
    match e {
        RegexError::Syntax { what, .. } => Stop::Refuse(format!("a pattern does not compile in Java: {what}")),
        RegexError::Unsupported(what) => Stop::Refuse(what.clone()),
        RegexError::Limit => Stop::Refuse("a pattern takes too many steps on one of the texts".into()),
    }
}

fn compiled(c: &Call, pattern: &str) -> RowResult<Rc<Result<Regex, RegexError>>> {
    let r: Rc<Result<Regex, RegexError>> = c.rt.cached(b'r', pattern, || Regex::new(&units(pattern), 0));
    match r.as_ref() {
        Ok(_) => Ok(r),
        Err(e) => Err(failed(e)),
    }
}

/// Runs `f` with the compiled pattern of the second argument and the text of the first.
fn with<T>(c: &Call, a: &[Val], f: impl FnOnce(&Regex, &[u16]) -> RowResult<T>) -> RowResult<T> {
    let r = compiled(c, a[1].str())?;
    match r.as_ref() {
        Ok(regex) => f(regex, &units(a[0].str())),
        Err(e) => Err(failed(e)),
    }
}

fn first(regex: &Regex, text: &[u16]) -> RowResult<Option<Captures>> {
    regex.find_from(text, 0, 0).map_err(|e| failed(&e))
}

fn rlike<'a>(c: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    with(c, a, |r, t| Ok(Val::Bool(first(r, t)?.is_some())))
}

fn regexp_replace<'a>(c: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    if a.get(3).is_some_and(|p| p.int() != 1) {
        return Err(Stop::Refuse(
            "`regexp_replace` from a position other than 1 is not covered by the cpu engine".into(),
        ));
    }
    with(c, a, |r, t| match replace(r, t, &units(a[2].str()), true) {
        Ok(out) => Ok(Val::text(from_units(&out))),
        Err(ReplaceError::Regex(e)) => Err(failed(&e)),
        Err(ReplaceError::IllegalArgument(_)) => Err(Stop::Throw(exc::ILLEGAL_ARGUMENT)),
        Err(ReplaceError::NoGroup(_)) => Err(Stop::Throw(exc::INDEX)),
    })
}

/// The text of a group, empty when it took no part; a group that does not exist raises.
fn group(r: &Regex, t: &[u16], found: &Captures, index: i32) -> RowResult<String> {
    if index < 0 || index as u32 > r.group_count() {
        return Err(Stop::Throw(exc::SPARK_RUNTIME));
    }
    Ok(found
        .range(index as usize)
        .map_or_else(String::new, |(s, e)| from_units(&t[s..e])))
}

fn regexp_extract<'a>(c: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let index = a.get(2).map_or(1, Val::int);
    with(c, a, |r, t| match first(r, t)? {
        Some(found) => group(r, t, &found, index).map(Val::text),
        None => Ok(Val::text("")),
    })
}

fn all(c: &Call, a: &[Val]) -> RowResult<(Vec<u16>, Vec<Captures>)> {
    with(c, a, |r, t| Ok((t.to_vec(), r.find_all(t).map_err(|e| failed(&e))?)))
}

fn regexp_extract_all<'a>(c: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let index = a.get(2).map_or(1, Val::int);
    with(c, a, |r, t| {
        let found = r.find_all(t).map_err(|e| failed(&e))?;
        let texts = found.iter().map(|m| group(r, t, m, index).map(Val::text));
        Ok(Val::Arr(texts.collect::<RowResult<_>>()?))
    })
}

fn regexp_substr<'a>(c: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    with(c, a, |r, t| match first(r, t)? {
        Some(found) if found.start() < found.end() => Ok(Val::text(from_units(&t[found.start()..found.end()]))),
        _ => Ok(Val::Null),
    })
}

fn regexp_instr<'a>(c: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    with(c, a, |r, t| {
        Ok(Val::I32(first(r, t)?.map_or(0, |m| m.start() as i32 + 1)))
    })
}

/// A limit of 0 means none; an empty pattern gives the single characters.
fn split_text<'a>(c: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let limit = match a.get(2).map_or(-1, Val::int) {
        0 => -1,
        n => n,
    };
    if a[1].str().is_empty() && !a[0].str().is_empty() {
        if limit > 0 {
            return Err(Stop::Refuse(
                "`split` with an empty pattern and a limit is not covered by the cpu engine".into(),
            ));
        }
        return Ok(Val::Arr(
            a[0].str().chars().map(|ch| Val::text(ch.to_string())).collect(),
        ));
    }
    with(c, a, |r, t| {
        let parts = split(r, t, limit).map_err(|e| failed(&e))?;
        Ok(Val::Arr(
            parts.iter().map(|(s, e)| Val::text(from_units(&t[*s..*e]))).collect(),
        ))
    })
}

fn map_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    apply("s s? s? -> s", args, ansi)?;
    Ok(Ty::Map(Box::new(Ty::Str), Box::new(Ty::Str)))
}

/// Both delimiters are regular expressions; a piece without the second one has a null value.
fn str_to_map<'a>(c: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let cut = |text: &str, pattern: &str, limit: i32| -> RowResult<Vec<String>> {
        let r = compiled(c, pattern)?;
        let regex = r.as_ref().as_ref().map_err(failed)?;
        let t = units(text);
        let parts = split(regex, &t, limit).map_err(|e| failed(&e))?;
        Ok(parts.iter().map(|(s, e)| from_units(&t[*s..*e])).collect())
    };
    let (pairs, keys) = (a.get(1).map_or(",", Val::str), a.get(2).map_or(":", Val::str));
    let mut entries = Vec::new();
    for piece in cut(a[0].str(), pairs, -1)? {
        let mut kv = cut(&piece, keys, 2)?.into_iter();
        let key = kv.next().map_or(Val::Null, Val::text);
        entries.push((key, kv.next().map_or(Val::Null, Val::text)));
    }
    super::maps::checked_map(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn like_has_two_wildcards() {
        let m = |s: &str, p: &str| like_matches(&s.chars().collect::<Vec<_>>(), &like_pieces(p, '\\').unwrap());
        assert!(m("abcabd", "%ab_"));
        assert!(!m("abc", "ab"));
        assert!(m("a%c", "a\\%c") && !m("abc", "a\\%c"));
        assert!(m("", "%%"));
        assert!(like_pieces("a\\b", '\\').is_err());
    }
}
