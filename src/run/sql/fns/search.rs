//! Looking for text inside text, and distances between texts.

use super::super::plan::{Call, Def, Node, Nulls, RowResult, Stop, exc};
use super::super::ty::Ty;
use super::super::val::Val;
use super::strings::{offset, text};
use super::{own, strict};

/// The functions of this file.
pub const TABLE: &[Def] = &[
    strict("instr", "s s -> i", |_, a| {
        Ok(Val::I32(find(a[0].str(), a[1].str(), 0)))
    }),
    own("locate", Nulls::Sees, locate_sig, locate),
    strict("contains", "z z -> b", |_, a| {
        Ok(Val::Bool(memchr::memmem::find(a[0].bytes(), a[1].bytes()).is_some()))
    }),
    strict("startswith", "z z -> b", |_, a| {
        Ok(Val::Bool(a[0].bytes().starts_with(a[1].bytes())))
    }),
    strict("endswith", "z z -> b", |_, a| {
        Ok(Val::Bool(a[0].bytes().ends_with(a[1].bytes())))
    }),
    strict("levenshtein", "s s i? -> i", levenshtein),
    strict("soundex", "s -> s", |_, a| Ok(Val::text(soundex(a[0].str())))),
    strict("find_in_set", "s s -> i", find_in_set),
    strict("substring_index", "s s i -> s", |_, a| {
        Ok(text(substring_index(a[0].str(), a[1].str(), a[2].int())))
    }),
    strict("split_part", "s s i -> s", split_part),
];

/// 1-based position of `needle` at or after the code point `from`, 0 when it is not there.
fn find(s: &str, needle: &str, from: usize) -> i32 {
    if from > 0 && from > s.chars().count() {
        return 0;
    }
    let begin = offset(s, from);
    match s[begin..].find(needle) {
        Some(i) => (from + s[begin..begin + i].chars().count()) as i32 + 1,
        None => 0,
    }
}

fn locate_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    super::super::resolve::apply("s s i? -> i", args, ansi)
}

/// A null start is 0; a null text is null; a start below 1 finds nothing.
fn locate<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let start = match a.get(2) {
        Some(Val::Null) => return Ok(Val::I32(0)),
        Some(v) => v.int(),
        None => 1,
    };
    if a[0].is_null() || a[1].is_null() {
        return Ok(Val::Null);
    }
    if start < 1 {
        return Ok(Val::I32(0));
    }
    let (needle, s, from) = (a[0].str(), a[1].str(), start as usize - 1);
    if needle.is_empty() {
        // `UTF8String.indexOf` answers 0 for an empty needle, whatever the start.
        return Ok(Val::I32(1));
    }
    Ok(Val::I32(find(s, needle, from)))
}

fn levenshtein<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let (s, t): (Vec<char>, Vec<char>) = (a[0].str().chars().collect(), a[1].str().chars().collect());
    let mut row: Vec<i32> = (0..=t.len() as i32).collect();
    for (i, c) in s.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i as i32 + 1;
        for (j, d) in t.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = (above + 1).min(row[j] + 1).min(diagonal + i32::from(c != d));
            diagonal = above;
        }
    }
    let d = row[t.len()];
    Ok(Val::I32(match a.get(2) {
        Some(limit) if d > limit.int() => -1,
        _ => d,
    }))
}

/// `UTF8String.soundex`: byte by byte; a text that does not begin with an ASCII letter is left alone.
fn soundex(s: &str) -> String {
    const CODES: &[u8; 26] = b"01230127022455012623017202";
    let b = s.as_bytes();
    let Some(first) = b.first().map(u8::to_ascii_uppercase).filter(u8::is_ascii_uppercase) else {
        return s.to_string();
    };
    let mut out = vec![first];
    let mut last = CODES[(first - b'A') as usize];
    for x in &b[1..] {
        let x = x.to_ascii_uppercase();
        if !x.is_ascii_uppercase() {
            last = b'0';
            continue;
        }
        let code = CODES[(x - b'A') as usize];
        if code == b'7' {
            continue;
        }
        if code != b'0' && code != last {
            out.push(code);
            if out.len() > 3 {
                break;
            }
        }
        last = code;
    }
    while out.len() < 4 {
        out.push(b'0');
    }
    out.into_iter().map(char::from).collect()
}

fn find_in_set<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let word = a[0].str();
    if word.contains(',') {
        return Ok(Val::I32(0));
    }
    Ok(Val::I32(
        a[1].str()
            .split(',')
            .position(|w| w == word)
            .map_or(0, |i| i as i32 + 1),
    ))
}

/// Everything before the n-th delimiter, or after it counting from the end.
fn substring_index<'s>(s: &'s str, delimiter: &str, n: i32) -> &'s str {
    if delimiter.is_empty() || n == 0 {
        return "";
    }
    if n > 0 {
        let mut at = 0;
        for k in 0..n {
            match s[at..].find(delimiter) {
                Some(i) if k + 1 == n => return &s[..at + i],
                // The next search begins one character on, so that overlapping delimiters count.
                Some(i) => at += i + s[at + i..].chars().next().map_or(1, char::len_utf8),
                None => return s,
            }
        }
        return s;
    }
    let mut end = s.len();
    for k in 0..n.unsigned_abs() {
        match s[..end].rfind(delimiter) {
            Some(i) if k + 1 == n.unsigned_abs() => return &s[i + delimiter.len()..],
            Some(i) => end = (i + delimiter.len()).saturating_sub(last_len(delimiter)),
            None => return s,
        }
    }
    s
}

fn last_len(s: &str) -> usize {
    s.chars().next_back().map_or(1, char::len_utf8)
}

fn split_part<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let (s, d, n) = (a[0].str(), a[1].str(), a[2].int());
    if n == 0 {
        return Err(Stop::Throw(exc::SPARK_RUNTIME));
    }
    let parts: Vec<&str> = if d.is_empty() { vec![s] } else { s.split(d).collect() };
    let at = if n > 0 {
        i64::from(n) - 1
    } else {
        parts.len() as i64 + i64::from(n)
    };
    let found = usize::try_from(at).ok().and_then(|i| parts.get(i));
    Ok(text(found.copied().unwrap_or("")))
}
