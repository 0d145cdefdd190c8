//! Strings by code point, as Spark's `UTF8String` counts them.

use super::super::jvmlib;
use super::super::plan::{Call, Def, Node, Nulls, RowResult, Stop, exc};
use super::super::resolve::implicit;
use super::super::ty::{Ty, wider};
use super::super::val::Val;
use super::control::widen_to;
use super::{MAX_ROW, own, strict};

/// The functions of this file.
pub const TABLE: &[Def] = &[
    strict("length", "z -> i", |c, a| Ok(Val::I32(length(c, &a[0])))),
    strict("octet_length", "z -> i", |_, a| Ok(Val::I32(a[0].bytes().len() as i32))),
    strict("bit_length", "z -> i", |_, a| {
        Ok(Val::I32(a[0].bytes().len() as i32 * 8))
    }),
    strict("substring", "z i i? -> 0", substring),
    strict("left", "s i -> s", |_, a| Ok(text(prefix(a[0].str(), a[1].int())))),
    strict("right", "s i -> s", right),
    own("concat", Nulls::Any, concat_sig, concat),
    own("concat_ws", Nulls::Sees, concat_ws_sig, concat_ws),
    strict("upper", "s -> s", |_, a| jvmlib::upper(a[0].str()).map(Val::text)),
    strict("lower", "s -> s", |_, a| jvmlib::lower(a[0].str()).map(Val::text)),
    strict("initcap", "s -> s", |_, a| initcap(a[0].str())),
    own("trim", Nulls::Strict, trim_sig, |_, a| Ok(trim(a, true, true))),
    own("ltrim", Nulls::Strict, trim_sig, |_, a| Ok(trim(a, true, false))),
    own("rtrim", Nulls::Strict, trim_sig, |_, a| Ok(trim(a, false, true))),
    own("btrim", Nulls::Strict, trim_sig, |_, a| {
        let swapped: Vec<Val> = a.iter().rev().cloned().collect();
        Ok(trim(&swapped, true, true))
    }),
    strict("lpad", "s i s? -> s", |_, a| pad(a, true)),
    strict("rpad", "s i s? -> s", |_, a| pad(a, false)),
    strict("repeat", "s i -> s", |_, a| repeat(a[0].str(), a[1].int())),
    strict("space", "i -> s", |_, a| repeat(" ", a[0].int())),
    strict("replace", "s s s? -> s", replace),
    own("reverse", Nulls::Strict, reverse_sig, reverse),
    strict("translate", "s s s -> s", translate),
    strict("ascii", "s -> i", |_, a| {
        Ok(Val::I32(a[0].str().chars().next().map_or(0, |c| c as i32)))
    }),
    strict("chr", "l -> s", chr),
    strict("overlay", "s s i i? -> s", overlay),
    own("elt", Nulls::Sees, elt_sig, elt),
];

/// A string that was made here.
pub fn text<'a>(s: &str) -> Val<'a> {
    Val::text(s)
}

fn length(c: &Call, v: &Val) -> i32 {
    match c.args[0] {
        Ty::Bin => v.bytes().len() as i32,
        _ => v.str().chars().count() as i32,
    }
}

/// Byte offset of a code point, or the length of the text.
pub fn offset(s: &str, n: usize) -> usize {
    if s.is_ascii() {
        return n.min(s.len());
    }
    s.char_indices().nth(n).map_or(s.len(), |(i, _)| i)
}

/// The first `n` code points.
fn prefix(s: &str, n: i32) -> &str {
    if n <= 0 { "" } else { &s[..offset(s, n as usize)] }
}

fn right<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let (s, n) = (a[0].str(), a[1].int());
    if n <= 0 {
        return Ok(text(""));
    }
    let skip = s.chars().count().saturating_sub(n as usize);
    Ok(text(&s[offset(s, skip)..]))
}

/// `UTF8String.substringSQL`: 1-based, negative from the end, 0 acts as 1, clipped on both sides.
fn substring<'a>(c: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let binary = c.args[0] == Ty::Bin;
    let total = i64::from(length(c, &a[0]));
    let pos = i64::from(a[1].int());
    let len = a.get(2).map_or(i64::from(i32::MAX), |v| i64::from(v.int()));
    let start = match pos {
        1.. => pos - 1,
        0 => 0,
        _ => total + pos,
    };
    let end = (start + len).clamp(i64::from(i32::MIN), i64::from(i32::MAX));
    let (from, to) = (start.clamp(0, total), end.clamp(0, total));
    if binary {
        let b = a[0].bytes();
        let piece = if from < to {
            b[from as usize..to as usize].to_vec()
        } else {
            Vec::new()
        };
        return Ok(Val::Bin(piece.into()));
    }
    let s = a[0].str();
    if from >= to {
        return Ok(text(""));
    }
    let begin = offset(s, from as usize);
    let rest = &s[begin..];
    Ok(text(&rest[..offset(rest, (to - from) as usize)]))
}

fn concat_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    if args.is_empty() {
        return Ok(Ty::Str);
    }
    if args.iter().any(|n| matches!(n.ty, Ty::Arr(_))) {
        let mut t = Ty::Null;
        for a in args.iter() {
            t = wider(&t, &a.ty, ansi).ok_or("arrays of different element types")?;
        }
        widen_to(args, &t, ansi);
        return Ok(t);
    }
    if args.iter().all(|n| n.ty == Ty::Bin) {
        return Ok(Ty::Bin);
    }
    for a in args.iter_mut() {
        let old = std::mem::replace(a, Node::lit(Ty::Null, Val::Null));
        let ty = old.ty.clone();
        *a = implicit(old, &Ty::Str, ansi).ok_or_else(|| format!("{ty} does not become a string"))?;
    }
    Ok(Ty::Str)
}

fn concat<'a>(c: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    Ok(match c.ret {
        Ty::Arr(_) => Val::Arr(a.iter().flat_map(|v| v.items().iter().cloned()).collect()),
        Ty::Bin => Val::Bin(
            a.iter()
                .flat_map(|v| v.bytes().iter().copied())
                .collect::<Vec<u8>>()
                .into(),
        ),
        _ => Val::text(a.iter().map(Val::str).collect::<String>()),
    })
}

fn concat_ws_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    if args.is_empty() {
        return Err("takes at least a separator".into());
    }
    for (i, a) in args.iter_mut().enumerate() {
        let old = std::mem::replace(a, Node::lit(Ty::Null, Val::Null));
        let ty = old.ty.clone();
        let target = if i > 0 && matches!(ty, Ty::Arr(_)) {
            Ty::Arr(Box::new(Ty::Str))
        } else {
            Ty::Str
        };
        *a = implicit(old, &target, ansi).ok_or_else(|| format!("{ty} does not become a string"))?;
    }
    Ok(Ty::Str)
}

fn concat_ws<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    if a[0].is_null() {
        return Ok(Val::Null);
    }
    let mut parts: Vec<&str> = Vec::new();
    for v in &a[1..] {
        match v {
            Val::Str(s) => parts.push(s),
            Val::Arr(items) => parts.extend(items.iter().filter(|x| !x.is_null()).map(Val::str)),
            _ => {}
        }
    }
    Ok(Val::text(parts.join(a[0].str())))
}

/// Lower case, then the first letter after every blank in title case.
fn initcap<'a>(s: &str) -> RowResult<Val<'a>> {
    let lower = jvmlib::lower(s)?;
    let mut out = String::with_capacity(lower.len());
    let mut start = true;
    for c in lower.chars() {
        if start {
            out.push(jvmlib::title(c)?);
        } else {
            out.push(c);
        }
        start = c == ' ';
    }
    Ok(Val::text(out))
}

fn trim_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    super::super::resolve::apply("s s? -> s", args, ansi)
}

/// With two arguments the set of characters comes first.
fn trim<'a>(a: &[Val<'a>], start: bool, end: bool) -> Val<'a> {
    let (set, s) = match a {
        [set, s] => (Some(set.str()), s.str()),
        [s] => (None, s.str()),
        _ => return Val::Null,
    };
    let inside = |c: char| set.map_or(c == ' ', |set| set.contains(c));
    let mut out = s;
    if start {
        out = out.trim_start_matches(inside);
    }
    if end {
        out = out.trim_end_matches(inside);
    }
    text(out)
}

fn bounded(bytes: i64) -> RowResult<()> {
    if bytes > MAX_ROW {
        return Err(Stop::Refuse(format!(
            "a row makes a text of {} MiB, more than the {} MiB that are run",
            bytes >> 20,
            MAX_ROW >> 20
        )));
    }
    Ok(())
}

fn pad<'a>(a: &[Val<'a>], left: bool) -> RowResult<Val<'a>> {
    let (s, width) = (a[0].str(), a[1].int());
    let fill = a.get(2).map_or(" ", Val::str);
    let have = s.chars().count() as i64;
    let missing = i64::from(width) - have;
    if missing <= 0 || fill.is_empty() {
        return Ok(text(if missing <= 0 { prefix(s, width) } else { s }));
    }
    bounded(missing * 4)?;
    let padding: String = fill.chars().cycle().take(missing as usize).collect();
    Ok(Val::text(if left { padding + s } else { format!("{s}{padding}") }))
}

fn repeat<'a>(s: &str, n: i32) -> RowResult<Val<'a>> {
    let n = n.max(0);
    bounded(s.len() as i64 * i64::from(n))?;
    Ok(Val::text(s.repeat(n as usize)))
}

fn replace<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    if a[1].str().is_empty() {
        return Ok(a[0].clone());
    }
    Ok(Val::text(a[0].str().replace(a[1].str(), a.get(2).map_or("", Val::str))))
}

fn reverse_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    match args.as_slice() {
        [n] if matches!(n.ty, Ty::Arr(_)) => Ok(n.ty.clone()),
        _ => super::super::resolve::apply("s -> s", args, ansi),
    }
}

fn reverse<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    Ok(match &a[0] {
        Val::Arr(v) => Val::Arr(v.iter().rev().cloned().collect()),
        v => Val::text(v.str().chars().rev().collect::<String>()),
    })
}

/// The first occurrence of a character in `from` decides; without a counterpart it is dropped.
fn translate<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let to: Vec<char> = a[2].str().chars().collect();
    let mut map: std::collections::HashMap<char, Option<char>> = std::collections::HashMap::new();
    for (i, c) in a[1].str().chars().enumerate() {
        map.entry(c).or_insert_with(|| to.get(i).copied());
    }
    let out: String = a[0]
        .str()
        .chars()
        .filter_map(|c| map.get(&c).copied().unwrap_or(Some(c)))
        .collect();
    Ok(Val::text(out))
}

/// The code point of n modulo 256; negative is empty.
fn chr<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let n = a[0].long();
    if n < 0 {
        return Ok(text(""));
    }
    Ok(Val::text(char::from((n & 0xff) as u8).to_string()))
}

fn overlay<'a>(c: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let (s, r, pos) = (a[0].str(), a[1].str(), a[2].int());
    let len = match a.get(3) {
        Some(v) if v.int() >= 0 => v.int(),
        _ => r.chars().count() as i32,
    };
    let types = [Ty::Str, Ty::I32, Ty::I32];
    let inner = Call {
        args: &types,
        ret: c.ret,
        rt: c.rt,
    };
    let head = substring(&inner, &[a[0].clone(), Val::I32(1), Val::I32(pos.wrapping_sub(1))])?;
    let tail = substring(
        &inner,
        &[a[0].clone(), Val::I32(pos.wrapping_add(len)), Val::I32(i32::MAX)],
    )?;
    let _ = s;
    Ok(Val::text(format!("{}{r}{}", head.str(), tail.str())))
}

fn elt_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    if args.len() < 2 {
        return Err("takes at least 2 arguments".into());
    }
    let binary = args[1..].iter().all(|n| n.ty == Ty::Bin);
    for (i, a) in args.iter_mut().enumerate() {
        let old = std::mem::replace(a, Node::lit(Ty::Null, Val::Null));
        let target = match i {
            0 => Ty::I32,
            _ if binary => Ty::Bin,
            _ => Ty::Str,
        };
        *a = implicit(old, &target, ansi).ok_or("arguments do not fit")?;
    }
    Ok(if binary { Ty::Bin } else { Ty::Str })
}

fn elt<'a>(c: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    if a[0].is_null() {
        return Ok(Val::Null);
    }
    let i = a[0].int();
    if i < 1 || i as usize >= a.len() {
        return if c.rt.ansi {
            Err(Stop::Throw(exc::ARRAY_INDEX))
        } else {
            Ok(Val::Null)
        };
    }
    Ok(a[i as usize].clone())
}
