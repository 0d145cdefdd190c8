//! Text: case, trimming, slicing, searching, replacing, splitting. Positions count code points, order is by bytes.

use std::rc::Rc;
use std::sync::Arc;

use md5::{Digest, Md5};
use unicode_general_category::get_general_category;

use super::super::column::{Col, Data, Elem, ScalarValue, StrBuilder};
use super::super::dtype::{DType, TypeId};
use super::{K, cudf, refuse, whole};

/// A valid text of a scalar.
fn needed<'a>(s: &'a ScalarValue, what: &str) -> K<&'a [u8]> {
    match &s.value {
        Some(Elem::Str(t)) => Ok(t),
        _ => cudf(format!("Parameter {what} must be valid.")),
    }
}

/// Text as UTF-8; bytes that are none were made by `urlDecode` and go no further.
pub(super) fn utf8(t: &[u8]) -> K<&str> {
    std::str::from_utf8(t).or_else(|_| refuse("text that is not valid UTF-8 is not covered"))
}

/// Maps every valid row.
pub(super) fn map(c: &Col, mut f: impl FnMut(&str, &mut Vec<u8>) -> K<()>) -> K {
    let mut b = StrBuilder::with_rows(c.len);
    for i in 0..c.len {
        if let Some(t) = c.text(i) {
            f(utf8(t)?, b.buffer())?;
        }
        b.finish_row(c.is_valid(i));
    }
    Ok(b.finish())
}

/// Characters of the first plane whose mapping came after the device's tables, or that they lack.
fn unmapped(c: char) -> bool {
    matches!(u32::from(c),
        0x10000.. | 0xa7c7..=0xa7ca | 0xa7f5..=0xa7f6 | 0xa7c0..=0xa7c1 | 0xa7cb..=0xa7dc | 0x2c2f | 0x2c5f
        | 0x1c89..=0x1c8a | 0x0264 | 0x019b)
}

fn upper_char(c: char, out: &mut Vec<u8>) {
    if c.is_ascii() {
        out.push(c.to_ascii_uppercase() as u8);
    } else if ('\u{fb09}'..='\u{fb0d}').contains(&c) {
        out.push(0);
    } else if unmapped(c) {
        push(c, out);
    } else {
        c.to_uppercase().for_each(|u| push(u, out));
    }
}

fn lower_char(c: char, out: &mut Vec<u8>) {
    if c.is_ascii() {
        out.push(c.to_ascii_lowercase() as u8);
    } else if unmapped(c) {
        push(c, out);
    } else {
        c.to_lowercase().for_each(|u| push(u, out));
    }
}

/// A capital at the start of a word: of a one-to-many mapping only the first letter stays a capital.
fn title_char(c: char, out: &mut Vec<u8>) {
    // The digraphs have title forms of their own.
    let digraph = match u32::from(c) {
        0x1c4..=0x1c6 => Some('\u{1c5}'),
        0x1c7..=0x1c9 => Some('\u{1c8}'),
        0x1ca..=0x1cc => Some('\u{1cb}'),
        0x1f1..=0x1f3 => Some('\u{1f2}'),
        // Georgian letters, and Greek ones that already are title forms.
        0x10d0..=0x10ff | 0x1f88..=0x1f8f | 0x1f98..=0x1f9f | 0x1fa8..=0x1faf | 0x1fbc | 0x1fcc | 0x1ffc => Some(c),
        lower @ (0x1f80..=0x1f87 | 0x1f90..=0x1f97 | 0x1fa0..=0x1fa7) => char::from_u32(lower + 8),
        lower @ (0x1fb3 | 0x1fc3 | 0x1ff3) => char::from_u32(lower + 9),
        _ => None,
    };
    if let Some(d) = digraph {
        return push(d, out);
    }
    let all: Vec<char> = c.to_uppercase().collect();
    if all.len() > 1 && !unmapped(c) {
        let cased = all.iter().position(|u| u.is_uppercase()).unwrap_or(0);
        for (i, u) in all.into_iter().enumerate() {
            match u {
                _ if i <= cased => push(u, out),
                // An iota below the letter stays below it.
                '\u{399}' if i > 0 && ('\u{1f80}'..='\u{1fff}').contains(&c) => push('\u{345}', out),
                _ => lower_char(u, out),
            }
        }
    } else {
        upper_char(c, out);
    }
}

fn push(c: char, out: &mut Vec<u8>) {
    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}

/// `upper()`: per character, without locale or context.
pub fn upper(c: &Col) -> K {
    map(c, |t, out| {
        t.chars().for_each(|ch| upper_char(ch, out));
        Ok(())
    })
}

/// `lower()`.
pub fn lower(c: &Col) -> K {
    map(c, |t, out| {
        t.chars().for_each(|ch| lower_char(ch, out));
        Ok(())
    })
}

/// A letter inside a word: title forms stay; what has a case without being a letter was not measured.
fn rest_char(c: char, out: &mut Vec<u8>) -> K<()> {
    use unicode_general_category::GeneralCategory::*;
    match get_general_category(c) {
        TitlecaseLetter => push(c, out),
        LetterNumber | OtherSymbol if c.to_lowercase().ne([c]) => {
            return refuse(format!("the case of `{c}` inside a word was not measured"));
        }
        _ => lower_char(c, out),
    }
    Ok(())
}

/// Letters of the first plane.
fn is_letter(c: char) -> bool {
    use unicode_general_category::GeneralCategory::*;
    let category = get_general_category(c);
    let letter = matches!(
        category,
        UppercaseLetter | LowercaseLetter | TitlecaseLetter | ModifierLetter | OtherLetter
    );
    letter && u32::from(c) < 0x10000
}

/// `toTitle()`: a capital after everything that is no letter.
pub fn title(c: &Col) -> K {
    map(c, |t, out| {
        let mut start = true;
        for ch in t.chars() {
            let letter = is_letter(ch);
            if start {
                title_char(ch, out)
            } else {
                rest_char(ch, out)?
            }
            start = !letter;
        }
        Ok(())
    })
}

/// `capitalize(delimiters)`: a capital at the start and after each delimiter, the rest lower.
pub fn capitalize(c: &Col, delimiters: &ScalarValue) -> K {
    let set = utf8(needed(delimiters, "delimiters")?)?;
    map(c, |t, out| {
        let mut start = true;
        for ch in t.chars() {
            if start {
                title_char(ch, out)
            } else {
                rest_char(ch, out)?
            }
            start = set.contains(ch);
        }
        Ok(())
    })
}

/// `strip`, `lstrip`, `rstrip`: without a set all up to U+0020.
pub fn strip(c: &Col, side: &str, set: Option<&ScalarValue>) -> K {
    let set = match set {
        Some(s) => utf8(needed(s, "to_strip")?)?,
        None => "",
    };
    let drop = |ch: char| if set.is_empty() { ch <= ' ' } else { set.contains(ch) };
    map(c, |t, out| {
        let t = if side == "rstrip" {
            t
        } else {
            t.trim_start_matches(drop)
        };
        let t = if side == "lstrip" { t } else { t.trim_end_matches(drop) };
        out.extend_from_slice(t.as_bytes());
        Ok(())
    })
}

/// Byte offset of a code point, or the end.
fn offset(t: &str, index: usize) -> usize {
    if t.is_ascii() {
        return index.min(t.len());
    }
    t.char_indices().nth(index).map_or(t.len(), |(i, _)| i)
}

/// `substring` with numbers: negative ones count from the end, everything is clipped.
pub fn substring(c: &Col, start: i32, end: Option<i32>) -> K {
    map(c, |t, out| {
        let n = if t.is_ascii() { t.len() } else { t.chars().count() } as i64;
        let clip = |p: i64| (if p < 0 { p + n } else { p }).clamp(0, n) as usize;
        let a = clip(i64::from(start));
        let b = end.map_or(n as usize, |e| clip(i64::from(e)));
        if a < b {
            out.extend_from_slice(&t.as_bytes()[offset(t, a)..offset(t, b)]);
        }
        Ok(())
    })
}

/// `substring` with columns: a negative start is 0, a negative end the end of the text.
pub fn substring_columns(c: &Col, starts: &Col, ends: &Col) -> K {
    if starts.len != c.len || ends.len != c.len {
        return cudf("Parameter starts must have the same number of rows as strings.");
    }
    if starts.dtype != ends.dtype {
        return cudf("Parameters starts and stops must be of the same type.");
    }
    if starts.null_count() + ends.null_count() > 0 {
        return cudf("Positions values must not have nulls.");
    }
    let (a, b) = (whole(starts)?, whole(ends)?);
    let mut out = StrBuilder::with_rows(c.len);
    for (row, t) in c.texts().enumerate() {
        if let Some(t) = t {
            let t = utf8(t)?;
            let from = a[row].max(0) as usize;
            let to = if b[row] < 0 { usize::MAX } else { b[row] as usize };
            if from < to {
                out.buffer()
                    .extend_from_slice(&t.as_bytes()[offset(t, from)..offset(t, to)]);
            }
        }
        out.finish_row(t.is_some());
    }
    Ok(out.finish())
}

/// `getCharLengths()`, `getByteCount()`.
pub fn lengths(c: &Col, chars: bool) -> K {
    let mut v = Vec::with_capacity(c.len);
    for t in c.texts() {
        let t = t.unwrap_or_default();
        // Continuation bytes are no characters.
        v.push(if chars {
            t.iter().filter(|b| **b & 0xc0 != 0x80).count()
        } else {
            t.len()
        } as i32);
    }
    Ok(Col::ints(v, c.nulls.clone()))
}

/// `stringLocate`: 0-based, -1 when absent.
pub fn locate(c: &Col, s: &ScalarValue, start: i32, end: i32) -> K {
    let needle = utf8(needed(s, "target")?)?;
    if start < 0 {
        return cudf("Parameter start must be positive integer or zero.");
    }
    if end > 0 && start > end {
        return cudf("Parameter start must be less than stop.");
    }
    let mut v = Vec::with_capacity(c.len);
    for t in c.texts() {
        let t = utf8(t.unwrap_or_default())?;
        let n = t.chars().count();
        let from = offset(t, start as usize);
        let to = if end < 0 { t.len() } else { offset(t, end as usize) };
        let found = if start as usize > n || from > to {
            None
        } else {
            t[from..to].find(needle)
        };
        v.push(found.map_or(-1, |p| t[..from + p].chars().count() as i32));
    }
    Ok(Col::ints(v, c.nulls.clone()))
}

/// `stringContains`, `startsWith`, `endsWith` of a scalar.
pub fn test(c: &Col, name: &str, s: &ScalarValue) -> K {
    let s = needed(s, "target")?;
    let finder = memchr::memmem::Finder::new(s);
    let rows = c.texts().map(|t| {
        let t = t.unwrap_or_default();
        match name {
            "startsWith" => t.starts_with(s),
            "endsWith" => t.ends_with(s),
            _ => finder.find(t).is_some(),
        }
    });
    Ok(Col::bools(rows.collect::<Vec<_>>(), c.nulls.clone()))
}

/// `stringContainsPerRow`: false for a null target.
pub fn contains_per_row(c: &Col, targets: &Col) -> K {
    if targets.len != c.len || targets.dtype != DType::STRING {
        return cudf("targets must be strings of the same size");
    }
    let rows = (0..c.len).map(|i| match (c.text(i), targets.text(i)) {
        (Some(t), Some(s)) => memchr::memmem::find(t, s).is_some(),
        _ => false,
    });
    Ok(Col::bools(rows.collect::<Vec<_>>(), c.nulls.clone()))
}

/// `stringReplace` of scalars.
pub fn replace(c: &Col, target: &ScalarValue, with: &ScalarValue) -> K {
    let (target, with) = (needed(target, "target")?, needed(with, "repl")?);
    if target.is_empty() {
        return cudf("Parameter target must not be empty string.");
    }
    let finder = memchr::memmem::Finder::new(target);
    let mut b = StrBuilder::with_rows(c.len);
    for t in c.texts() {
        if let Some(t) = t {
            replaced(t, &finder, target.len(), with, b.buffer());
        }
        b.finish_row(t.is_some());
    }
    Ok(b.finish())
}

fn replaced(t: &[u8], finder: &memchr::memmem::Finder<'_>, len: usize, with: &[u8], out: &mut Vec<u8>) {
    let mut at = 0;
    for p in finder.find_iter(t) {
        out.extend_from_slice(&t[at..p]);
        out.extend_from_slice(with);
        at = p + len;
    }
    out.extend_from_slice(&t[at..]);
}

/// `stringReplacePerRow`: every row gets all replacements; an empty target does nothing.
pub fn replace_per_row(c: &Col, targets: &Col, with: &Col) -> K {
    if targets.len != c.len || with.len != c.len {
        return refuse("stringReplacePerRow with other sizes is not covered");
    }
    let mut b = StrBuilder::with_rows(c.len);
    for i in 0..c.len {
        let row = (c.text(i), targets.text(i), with.text(i));
        match row {
            (Some(t), Some(s), Some(w)) if !s.is_empty() => {
                replaced(t, &memchr::memmem::Finder::new(s), s.len(), w, b.buffer());
            }
            (Some(t), Some(_), Some(_)) => b.buffer().extend_from_slice(t),
            (Some(_), ..) => return refuse("stringReplacePerRow with null targets is not covered"),
            _ => {}
        }
        b.finish_row(c.is_valid(i));
    }
    Ok(b.finish())
}

/// `pad`: never truncates; the first character of `fill` is used.
pub fn pad(c: &Col, width: i32, side: &str, fill: &str) -> K {
    let Some(fill) = fill.chars().next() else {
        return cudf("fill_char parameter must not be empty");
    };
    map(c, |t, out| {
        let n = t.chars().count();
        let missing = (width.max(0) as usize).saturating_sub(n);
        let left = match side {
            "LEFT" => missing,
            // The odd one goes to the left when the width is odd.
            "BOTH" => missing / 2 + usize::from(missing % 2 == 1 && n % 2 == 0),
            _ => 0,
        };
        (0..left).for_each(|_| push(fill, out));
        out.extend_from_slice(t.as_bytes());
        (left..missing).for_each(|_| push(fill, out));
        Ok(())
    })
}

/// `zfill`: zeros after a leading sign.
pub fn zfill(c: &Col, width: i32) -> K {
    map(c, |t, out| {
        let missing = (width.max(0) as usize).saturating_sub(t.chars().count());
        let (sign, rest) = match t.as_bytes().first() {
            Some(b'+' | b'-') => t.split_at(1),
            _ => ("", t),
        };
        out.extend_from_slice(sign.as_bytes());
        out.resize(out.len() + missing, b'0');
        out.extend_from_slice(rest.as_bytes());
        Ok(())
    })
}

/// `repeatStrings`: a count of zero or less gives empty text, a null count null.
pub fn repeat(c: &Col, times: &dyn Fn(usize) -> Option<i64>) -> K {
    let mut b = StrBuilder::with_rows(c.len);
    for i in 0..c.len {
        let n = times(i);
        if let (Some(t), Some(n)) = (c.text(i), n) {
            (0..n.max(0)).for_each(|_| b.buffer().extend_from_slice(t));
        }
        b.finish_row(c.is_valid(i) && n.is_some());
    }
    Ok(b.finish())
}

/// `reverseStringsOrLists()` of text.
pub fn reverse(c: &Col) -> K {
    map(c, |t, out| {
        t.chars().rev().for_each(|ch| push(ch, out));
        Ok(())
    })
}

/// `urlEncode()`: all but letters, digits and `-._~` as `%XX`.
pub fn url_encode(c: &Col) -> K {
    map(c, |t, out| {
        for b in t.bytes() {
            if b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_' | b'~') {
                out.push(b);
            } else {
                out.extend_from_slice(format!("%{b:02X}").as_bytes());
            }
        }
        Ok(())
    })
}

/// `urlDecode()`: `%XX` to bytes, malformed escapes and `+` kept.
pub fn url_decode(c: &Col) -> K {
    let hex = |b: Option<&u8>| b.and_then(|b| (*b as char).to_digit(16));
    map(c, |t, out| {
        let t = t.as_bytes();
        let mut i = 0;
        while i < t.len() {
            match (t[i], hex(t.get(i + 1)), hex(t.get(i + 2))) {
                (b'%', Some(h), Some(l)) => {
                    out.push((h * 16 + l) as u8);
                    i += 3;
                }
                (b, ..) => {
                    out.push(b);
                    i += 1;
                }
            }
        }
        Ok(())
    })
}

/// `codePoints()`: the UTF-8 bytes of every character, packed; null rows give nothing.
pub fn code_points(c: &Col) -> K {
    let mut v = Vec::new();
    for t in c.texts().flatten() {
        for ch in utf8(t)?.chars() {
            let mut bytes = [0; 4];
            let packed = ch
                .encode_utf8(&mut bytes)
                .bytes()
                .fold(0u32, |p, b| p << 8 | u32::from(b));
            v.push(packed as i32);
        }
    }
    Ok(Col::ints(v, None))
}

/// `ColumnVector.md5Hash`, `sha1Hash` of one text column: a null hashes like an empty text.
pub fn hash(name: &str, cols: &[Rc<Col>]) -> K {
    let [c] = cols else {
        return refuse(format!("{name} of several columns is not covered"));
    };
    if name != "md5Hash" || c.dtype != DType::STRING {
        return refuse(format!("{name} of {} is not covered", c.dtype));
    }
    let mut b = StrBuilder::with_rows(c.len);
    for t in c.texts() {
        let digest = Md5::digest(t.unwrap_or_default());
        let text: String = digest.iter().map(|x| format!("{x:02x}")).collect();
        b.buffer().extend_from_slice(text.as_bytes());
        b.finish_row(true);
    }
    Ok(b.finish())
}

/// `joinStrings`: all rows in one.
pub fn join(c: &Col, sep: &ScalarValue, narep: &ScalarValue) -> K {
    let sep = needed(sep, "separator")?;
    let narep = match &narep.value {
        Some(Elem::Str(s)) => Some(s.clone()),
        _ => None,
    };
    let rows: Vec<&[u8]> = c.texts().filter_map(|t| t.or(narep.as_deref())).collect();
    Ok(Col::strings([Some(&rows.join(sep)[..])]))
}

/// `stringConcatenate`: without a replacement a null makes the row null.
pub fn concatenate(cols: &[Rc<Col>], sep: &[u8], narep: Option<&[u8]>, separate_nulls: bool) -> K {
    let Some(first) = cols.first() else {
        return cudf("At least one column must be specified");
    };
    if cols.iter().any(|c| c.dtype != DType::STRING) {
        return cudf("All columns must be of type string");
    }
    if cols.iter().any(|c| c.len != first.len) {
        return cudf("All columns must have the same number of rows");
    }
    if cols.len() < 2 {
        return refuse("stringConcatenate of one column is not covered");
    }
    if !separate_nulls && narep.is_some() && cols.iter().any(|c| c.null_count() > 0) {
        return refuse("stringConcatenate with separateNulls = false is not covered");
    }
    let mut b = StrBuilder::with_rows(first.len);
    for i in 0..first.len {
        let valid = narep.is_some() || cols.iter().all(|c| c.is_valid(i));
        if valid {
            for (k, c) in cols.iter().enumerate() {
                if k > 0 {
                    b.buffer().extend_from_slice(sep);
                }
                b.buffer().extend_from_slice(c.text(i).or(narep).unwrap_or_default());
            }
        }
        b.finish_row(valid);
    }
    Ok(b.finish())
}

/// Parts of every row, `None` for null.
pub type Parts = Vec<Option<Vec<Vec<u8>>>>;

/// `stringSplit` by a literal; the empty one splits on runs of U+0001 to U+0020.
pub fn split(c: &Col, delimiter: &str, limit: i32) -> K<Parts> {
    let max = if limit > 0 { limit as usize } else { usize::MAX };
    let mut out = Vec::with_capacity(c.len);
    for t in c.texts() {
        out.push(t.map(|t| {
            if delimiter.is_empty() {
                blanks(t, max)
            } else {
                literal(t, delimiter.as_bytes(), max)
            }
        }));
    }
    Ok(out)
}

fn literal(t: &[u8], d: &[u8], max: usize) -> Vec<Vec<u8>> {
    let mut parts = Vec::new();
    let mut at = 0;
    for p in memchr::memmem::find_iter(t, d) {
        if parts.len() + 1 >= max {
            break;
        }
        parts.push(t[at..p].to_vec());
        at = p + d.len();
    }
    parts.push(t[at..].to_vec());
    parts
}

fn blanks(t: &[u8], max: usize) -> Vec<Vec<u8>> {
    let blank = |b: u8| (1..=0x20).contains(&b);
    let mut parts = Vec::new();
    let mut at = 0;
    while at < t.len() {
        if blank(t[at]) {
            at += 1;
            continue;
        }
        let end = if parts.len() + 1 >= max {
            let tail = t.iter().rposition(|b| !blank(*b)).map_or(t.len(), |p| p + 1);
            tail.max(at)
        } else {
            (at..t.len()).find(|p| blank(t[*p])).unwrap_or(t.len())
        };
        parts.push(t[at..end].to_vec());
        at = if parts.len() >= max { t.len() } else { end };
    }
    parts
}

/// Parts as a column of lists.
pub fn record(rows: &Parts) -> Col {
    let mut offsets = vec![0i32];
    let mut b = StrBuilder::with_rows(rows.len());
    let mut n = 0;
    for r in rows {
        for p in r.iter().flatten() {
            b.push(Some(p));
            n += 1;
        }
        offsets.push(n);
    }
    let valid: Vec<bool> = rows.iter().map(Option::is_some).collect();
    Col::new(
        DType::of(TypeId::List),
        Data::List(offsets.into(), Arc::new(b.finish())),
        super::super::column::mask(&valid),
    )
}

/// Parts as columns, null where a row has fewer.
pub fn columns(rows: &Parts) -> Vec<Col> {
    let width = rows.iter().flatten().map(Vec::len).max().unwrap_or(1).max(1);
    (0..width)
        .map(|k| Col::strings(rows.iter().map(|r| r.as_ref().and_then(|r| r.get(k)).map(|p| &p[..]))))
        .collect()
}
