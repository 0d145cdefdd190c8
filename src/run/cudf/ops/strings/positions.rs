//! Lengths, positions and parts.

use super::super::super::column::{Col, ScalarValue, StrBuilder};
use super::super::super::dtype::DType;
use super::super::{K, cudf, whole};
use super::needed;
use super::{map, utf8};

/// Byte offset of a code point, or the end.
pub(super) fn offset(t: &str, index: usize) -> usize {
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
    Ok(out.finish()?)
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
