//! Joining texts and splitting them.

use super::super::super::column::{Col, Data, Elem, ScalarValue, StrBuilder};
use super::super::super::dtype::{DType, TypeId};
use super::super::{K, cudf, refuse};
use super::needed;
use std::rc::Rc;
use std::sync::Arc;

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
    Ok(b.finish()?)
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

pub(super) fn literal(t: &[u8], d: &[u8], max: usize) -> Vec<Vec<u8>> {
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

pub(super) fn blanks(t: &[u8], max: usize) -> Vec<Vec<u8>> {
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
pub fn record(rows: &Parts) -> K {
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
    Ok(Col::new(
        DType::of(TypeId::List),
        Data::List(offsets.into(), Arc::new(b.finish()?)),
        super::super::super::column::mask(&valid),
    ))
}

/// Parts as columns, null where a row has fewer.
pub fn columns(rows: &Parts) -> Vec<Col> {
    let width = rows.iter().flatten().map(Vec::len).max().unwrap_or(1).max(1);
    (0..width)
        .map(|k| Col::strings(rows.iter().map(|r| r.as_ref().and_then(|r| r.get(k)).map(|p| &p[..]))))
        .collect()
}
