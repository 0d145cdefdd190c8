//! Text: trimming, replacing, padding, hashes and the like; case, joining and splitting, and positions have files of their own. Positions count code points, order is by bytes.

mod case;
mod joining;
mod positions;

pub use case::{capitalize, lower, title, upper};
pub use joining::{Parts, columns, concatenate, join, record, split};
pub use positions::{contains_per_row, lengths, locate, substring, substring_columns, test};

use case::push;
use std::rc::Rc;

use md5::{Digest, Md5};

use super::super::column::{Col, Elem, ScalarValue, StrBuilder, TooLong};
use super::super::dtype::DType;
use super::{K, cudf, refuse};

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
    Ok(b.finish()?)
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
    Ok(b.finish()?)
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
    Ok(b.finish()?)
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
            let n = n.max(0) as usize;
            // One row alone may ask for more memory than there is.
            if t.len().saturating_mul(n) > i32::MAX as usize {
                return Err(TooLong.into());
            }
            b.buffer().extend_from_slice(&t.repeat(n));
        }
        b.finish_row(c.is_valid(i) && n.is_some());
    }
    Ok(b.finish()?)
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
    Ok(b.finish()?)
}
