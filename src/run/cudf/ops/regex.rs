//! The device's regular expressions: their dialect is read by [`parse`], run by [`machine`], used on columns here. Patterns that
//! the device refuses raise; those whose behaviour was not measured are not covered.

use super::super::column::{Col, Elem, ScalarValue, StrBuilder};
use super::strings::{Parts, utf8};
use super::{K, cudf, refuse};

mod machine;
mod parse;

pub use machine::Program;

/// Compiles a pattern with the names of its `RegexFlag`s.
pub fn compile(pattern: &str, flags: &[String]) -> K<Program> {
    if pattern.is_empty() {
        return cudf("Parameter pattern must not be empty");
    }
    let has = |name: &str| flags.iter().any(|f| f == name);
    let flags = parse::Flags {
        ascii: has("ASCII"),
        multiline: has("MULTILINE"),
        dotall: has("DOTALL"),
        ext_newline: has("EXT_NEWLINE"),
    };
    let (node, groups) = parse::parse(pattern, flags)?;
    machine::build(&node, groups, flags)
}

/// `matchesRe` (from the start) and `containsRe` (anywhere).
pub fn matches(c: &Col, p: &Program, at_start: bool) -> K {
    let mut hits = Vec::with_capacity(c.len);
    for t in c.texts() {
        let t = utf8(t.unwrap_or_default())?;
        hits.push(if at_start {
            p.match_at_start(t)
        } else {
            p.find(t, 0).is_some()
        });
    }
    Ok(Col::bools(hits, c.nulls.clone()))
}

/// Where a search goes on after a match: past one character where it was empty.
fn after(t: &str, start: usize, end: usize) -> usize {
    if end > start {
        end
    } else {
        end + t[end..].chars().next().map_or(1, char::len_utf8)
    }
}

/// Replaces up to `max` matches of every row by what `write` appends.
fn replace_all(c: &Col, p: &Program, max: usize, write: impl Fn(&str, &[Option<usize>], &mut Vec<u8>)) -> K {
    let mut b = StrBuilder::with_rows(c.len);
    for i in 0..c.len {
        if let Some(t) = c.text(i) {
            let t = utf8(t)?;
            let (mut at, mut copied, mut count) = (0, 0, 0);
            while at <= t.len() && count < max {
                let Some(slots) = p.find(t, at) else { break };
                let (start, end) = (slots[0].unwrap_or(0), slots[1].unwrap_or(0));
                b.buffer().extend_from_slice(&t.as_bytes()[copied..start]);
                write(t, &slots, b.buffer());
                copied = end;
                at = after(t, start, end);
                count += 1;
            }
            b.buffer().extend_from_slice(&t.as_bytes()[copied..]);
        }
        b.finish_row(c.is_valid(i));
    }
    Ok(b.finish()?)
}

/// `replaceRegex`: the replacement is literal.
pub fn replace(c: &Col, p: &Program, with: &ScalarValue, max: i32) -> K {
    let Some(Elem::Str(with)) = &with.value else {
        return cudf("Parameter replacement must be valid");
    };
    if max == 0 {
        return refuse("replaceRegex with maxRepl 0 is not covered");
    }
    let max = if max < 0 { usize::MAX } else { max as usize };
    replace_all(c, p, max, |_, _, out| out.extend_from_slice(with))
}

enum Piece {
    Text(String),
    Group(usize),
}

/// Literal text, `\1` and `${1}`; everything else stays as written.
fn pieces(repl: &str) -> Vec<Piece> {
    let mut out = Vec::new();
    let mut text = String::new();
    let mut rest = repl;
    while let Some(c) = rest.chars().next() {
        let digits = |s: &str| s.bytes().take_while(u8::is_ascii_digit).count();
        let group = match c {
            '\\' => {
                let n = digits(&rest[1..]);
                (n > 0).then(|| (&rest[1..1 + n], 1 + n))
            }
            '$' if rest[1..].starts_with('{') => {
                let n = digits(&rest[2..]);
                (n > 0 && rest[2 + n..].starts_with('}')).then(|| (&rest[2..2 + n], 3 + n))
            }
            _ => None,
        };
        match group {
            Some((number, len)) => {
                if !text.is_empty() {
                    out.push(Piece::Text(std::mem::take(&mut text)));
                }
                out.push(Piece::Group(number.parse().unwrap_or(usize::MAX)));
                rest = &rest[len..];
            }
            None => {
                text.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    if !text.is_empty() {
        out.push(Piece::Text(text));
    }
    out
}

/// `stringReplaceWithBackrefs`: a group that the pattern lacks raises.
pub fn replace_with_groups(c: &Col, p: &Program, repl: &str) -> K {
    if repl.is_empty() {
        return cudf("Parameter replacement must not be empty");
    }
    let pieces = pieces(repl);
    if pieces.iter().any(|x| matches!(x, Piece::Group(g) if *g > p.groups)) {
        return cudf("Group index numbers must be in the range 0 to group count");
    }
    if p.groups == 0 && pieces.iter().any(|x| matches!(x, Piece::Group(_))) {
        return refuse("a reference to the whole match is not covered");
    }
    replace_all(c, p, usize::MAX, |t, slots, out| {
        for piece in &pieces {
            match piece {
                Piece::Text(s) => out.extend_from_slice(s.as_bytes()),
                Piece::Group(g) => {
                    if let (Some(a), Some(b)) = (slots[2 * g], slots[2 * g + 1]) {
                        out.extend_from_slice(&t.as_bytes()[a..b]);
                    }
                }
            }
        }
    })
}

/// `extractRe`: a column per group; null where nothing matches.
pub fn extract(c: &Col, p: &Program) -> K<Vec<Col>> {
    if p.groups == 0 {
        return cudf("Group indicators not found in regex pattern");
    }
    let mut out: Vec<StrBuilder> = (0..p.groups).map(|_| StrBuilder::with_rows(c.len)).collect();
    for i in 0..c.len {
        let t = match c.text(i) {
            Some(t) => Some(utf8(t)?),
            None => None,
        };
        let found = t.and_then(|t| p.find(t, 0));
        for (g, b) in out.iter_mut().enumerate() {
            let part = match (t, &found) {
                (Some(t), Some(s)) => s[2 * g + 2].zip(s[2 * g + 3]).map(|(a, e)| &t.as_bytes()[a..e]),
                _ => None,
            };
            b.push(part);
        }
    }
    Ok(out.into_iter().map(StrBuilder::finish).collect::<Result<_, _>>()?)
}

/// `extractAllRecord` is not emulated: what it gives for rows without a match was not measured.
pub fn extract_all(_: &Col, _: &Program, _: i32) -> K {
    refuse("`extractAllRecord` is not emulated")
}

/// `stringSplit` by a pattern.
pub fn split(c: &Col, p: &Program, limit: i32) -> K<Parts> {
    if p.match_at_start("") {
        return refuse("splitting by a pattern that matches nothing is not covered");
    }
    let max = if limit > 0 { limit as usize } else { usize::MAX };
    let mut out = Vec::with_capacity(c.len);
    for t in c.texts() {
        let Some(t) = t else {
            out.push(None);
            continue;
        };
        let t = utf8(t)?;
        let mut parts: Vec<Vec<u8>> = Vec::new();
        let mut at = 0;
        while parts.len() + 1 < max {
            let Some(slots) = p.find(t, at) else { break };
            let (start, end) = (slots[0].unwrap_or(0), slots[1].unwrap_or(0));
            if end == start {
                return refuse("splitting at an empty match is not covered");
            }
            parts.push(t.as_bytes()[at..start].to_vec());
            at = end;
        }
        parts.push(t.as_bytes()[at..].to_vec());
        out.push(Some(parts));
    }
    Ok(out)
}
