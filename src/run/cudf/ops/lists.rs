//! Lists and maps (lists of key and value structs).

use std::cmp::Ordering;
use std::rc::Rc;
use std::sync::Arc;

use super::super::column::{Col, Data, Elem, ScalarValue, StrBuilder, mask};
use super::super::dtype::{DType, TypeId};
use super::{K, Operand, cudf, refuse, select, whole};

const LIST: DType = DType::of(TypeId::List);

fn list(c: &Col) -> K<(&[i32], &Arc<Col>)> {
    match c.list() {
        Some((o, child)) => Ok((o, child)),
        None => cudf("Expected a LIST column"),
    }
}

fn rows(o: &[i32], i: usize) -> std::ops::Range<usize> {
    o[i] as usize..o[i + 1] as usize
}

/// `countElements()`.
pub fn count(c: &Col) -> K {
    let (o, _) = list(c)?;
    Ok(Col::ints(o.windows(2).map(|w| w[1] - w[0]).collect(), c.nulls.clone()))
}

/// `extractListElement`: negative from the end, null outside.
pub fn extract(c: &Col, index: &dyn Fn(usize) -> Option<i64>) -> K {
    let (o, child) = list(c)?;
    let picks: Vec<Option<usize>> = (0..c.len)
        .map(|i| {
            let at = index(i).filter(|_| c.is_valid(i))?;
            let r = rows(o, i);
            let n = r.len() as i64;
            let at = if at < 0 { at + n } else { at };
            (0..n).contains(&at).then(|| r.start + at as usize)
        })
        .collect();
    Ok(child.take(&picks))
}

/// The key of a row as a one-row column's key, and whether there is one.
fn keys(k: &Operand, child: &Col, n: usize) -> K<Vec<Option<Vec<u8>>>> {
    if k.dtype() != child.dtype {
        return cudf("Type/Scale of search key does not match list column element type.");
    }
    if matches!(child.dtype.id, TypeId::List | TypeId::Struct) {
        return refuse("searching nested elements is not covered");
    }
    Ok(match k {
        Operand::Col(k) if k.len != n => return cudf("Number of search keys must match list column size."),
        Operand::Col(k) => (0..n).map(|i| select::key(k, i)).collect(),
        Operand::Scalar(s) => {
            let one = Col::from_scalar(s, 1).and_then(|c| select::key(&c, 0));
            vec![one; n]
        }
    })
}

/// `listContains`: null for a null list or key.
pub fn contains(c: &Col, k: &Operand) -> K {
    let (o, child) = list(c)?;
    let keys = keys(k, child, c.len)?;
    let valid: Vec<bool> = (0..c.len).map(|i| c.is_valid(i) && keys[i].is_some()).collect();
    let hits = (0..c.len).map(|i| valid[i] && rows(o, i).any(|r| select::key(child, r) == keys[i]));
    Ok(Col::bools(hits.collect::<Vec<_>>(), mask(&valid)))
}

/// `listContainsNulls()`.
pub fn contains_nulls(c: &Col) -> K {
    let (o, child) = list(c)?;
    let hits = (0..c.len).map(|i| rows(o, i).any(|r| !child.is_valid(r)));
    Ok(Col::bools(hits.collect::<Vec<_>>(), c.nulls.clone()))
}

/// `listIndexOf`: -1 when absent, null for a null list or key.
pub fn index_of(c: &Col, k: &Operand, last: bool) -> K {
    let (o, child) = list(c)?;
    let keys = keys(k, child, c.len)?;
    let valid: Vec<bool> = (0..c.len).map(|i| c.is_valid(i) && keys[i].is_some()).collect();
    let at = (0..c.len).map(|i| {
        if !valid[i] {
            return -1;
        }
        let mut hits = rows(o, i)
            .enumerate()
            .filter(|(_, r)| select::key(child, *r) == keys[i])
            .map(|(p, _)| p as i32);
        if last {
            hits.next_back_or(-1)
        } else {
            hits.next().unwrap_or(-1)
        }
    });
    Ok(Col::ints(at.collect(), mask(&valid)))
}

trait LastOr {
    fn next_back_or(self, default: i32) -> i32;
}

impl<I: Iterator<Item = i32>> LastOr for I {
    fn next_back_or(self, default: i32) -> i32 {
        self.last().unwrap_or(default)
    }
}

/// Order of two elements: every NaN above Infinity and equal, zeros equal, text by bytes.
fn compare(c: &Col, a: usize, b: usize) -> Ordering {
    match (c.elem(a), c.elem(b)) {
        (Some(Elem::F64(x)), Some(Elem::F64(y))) => float_order(x, y),
        (Some(Elem::F32(x)), Some(Elem::F32(y))) => float_order(f64::from(x), f64::from(y)),
        (Some(Elem::Str(x)), Some(Elem::Str(y))) => x.cmp(&y),
        (Some(Elem::Int(x)), Some(Elem::Int(y))) => x.cmp(&y),
        (Some(Elem::Big(x)), Some(Elem::Big(y))) => x.cmp(&y),
        _ => Ordering::Equal,
    }
}

fn float_order(x: f64, y: f64) -> Ordering {
    x.partial_cmp(&y).unwrap_or_else(|| x.is_nan().cmp(&y.is_nan()))
}

/// `listSortRows(isDescending, isNullSmallest)`, stable.
pub fn sort(c: &Col, descending: bool, null_smallest: bool) -> K {
    let (o, child) = list(c)?;
    if matches!(child.dtype.id, TypeId::List | TypeId::Struct) {
        return refuse("sorting nested elements is not covered");
    }
    let mut picks = Vec::with_capacity(child.len);
    let mut offsets = vec![0i32];
    for i in 0..c.len {
        let mut r: Vec<usize> = rows(o, i).collect();
        r.sort_by(|a, b| {
            let order = match (child.is_valid(*a), child.is_valid(*b)) {
                (true, true) => compare(child, *a, *b),
                (false, false) => Ordering::Equal,
                (a_valid, _) => {
                    if a_valid == null_smallest {
                        Ordering::Greater
                    } else {
                        Ordering::Less
                    }
                }
            };
            if descending { order.reverse() } else { order }
        });
        picks.extend(r.into_iter().map(Some));
        offsets.push(picks.len() as i32);
    }
    Ok(Col::new(
        LIST,
        Data::List(offsets.into(), Arc::new(child.take(&picks))),
        c.nulls.clone(),
    ))
}

/// `dropListDuplicates`. Which duplicate `KEEP_ANY` keeps, and in which order, can change from run to run where they differ.
pub fn distinct(c: &Col, keep: &str) -> K {
    let (o, child) = list(c)?;
    if matches!(child.dtype.id, TypeId::List | TypeId::Struct) {
        return refuse("duplicates of nested elements are not covered");
    }
    if matches!(keep, "KEEP_LAST" | "KEEP_NONE") {
        return refuse(format!("dropListDuplicates({keep}) is not covered"));
    }
    let mut picks = Vec::new();
    let mut offsets = vec![0i32];
    for i in 0..c.len {
        let mut seen: Vec<Option<Vec<u8>>> = Vec::new();
        for r in rows(o, i).filter(|_| c.is_valid(i)) {
            let k = select::key(child, r);
            if !seen.contains(&k) {
                seen.push(k);
                picks.push(Some(r));
            }
        }
        offsets.push(picks.len() as i32);
    }
    Ok(Col::new(
        LIST,
        Data::List(offsets.into(), Arc::new(child.take(&picks))),
        c.nulls.clone(),
    ))
}

/// `segmentedGather`: rows of each list by the indices of the other; negative from the end.
pub fn gather(c: &Col, map: &Col, nullify: bool) -> K {
    let (o, child) = list(c)?;
    let (m, index) = list(map)?;
    if map.len != c.len {
        return cudf("Gather map and list column should be same size");
    }
    if index.null_count() > 0 {
        return refuse("segmentedGather with null indices is not covered");
    }
    let at = whole(index)?;
    let mut picks = Vec::new();
    let mut offsets = vec![0i32];
    for i in 0..c.len {
        let r = rows(o, i);
        let n = if c.is_valid(i) { r.len() as i64 } else { 0 };
        for p in rows(m, i).filter(|_| c.is_valid(i) && map.is_valid(i)) {
            let v = if at[p] < 0 { at[p] + n } else { at[p] };
            let inside = (0..n).contains(&v);
            if !inside && !nullify {
                return refuse("segmentedGather outside a list with DONT_CHECK is undefined");
            }
            picks.push(inside.then(|| r.start + v as usize));
        }
        offsets.push(picks.len() as i32);
    }
    let valid: Vec<bool> = (0..c.len).map(|i| c.is_valid(i) && map.is_valid(i)).collect();
    Ok(Col::new(
        LIST,
        Data::List(offsets.into(), Arc::new(child.take(&picks))),
        mask(&valid),
    ))
}

/// `flattenLists`: lists of lists to lists; a null inside makes the row null unless nulls are ignored.
pub fn flatten(c: &Col, ignore_null: bool) -> K {
    let (o, child) = list(c)?;
    let Ok((inner, leaf)) = list(child) else {
        return cudf("Rows of the input column must be lists.");
    };
    let mut picks = Vec::new();
    let mut offsets = vec![0i32];
    let mut valid = Vec::new();
    for i in 0..c.len {
        let has_null = rows(o, i).any(|r| !child.is_valid(r));
        let ok = c.is_valid(i) && (ignore_null || !has_null);
        valid.push(ok);
        if ok {
            for r in rows(o, i).filter(|r| child.is_valid(*r)) {
                picks.extend(rows(inner, r).map(Some));
            }
        }
        offsets.push(picks.len() as i32);
    }
    Ok(Col::new(
        LIST,
        Data::List(offsets.into(), Arc::new(leaf.take(&picks))),
        mask(&valid),
    ))
}

/// `reverseStringsOrLists()` of lists.
pub fn reverse(c: &Col) -> K {
    let (o, child) = list(c)?;
    let mut picks = Vec::new();
    let mut offsets = vec![0i32];
    for i in 0..c.len {
        picks.extend(rows(o, i).rev().map(Some));
        offsets.push(picks.len() as i32);
    }
    Ok(Col::new(
        LIST,
        Data::List(offsets.into(), Arc::new(child.take(&picks))),
        c.nulls.clone(),
    ))
}

/// `ColumnVector.makeList`: the columns' values of a row as its list.
pub fn make_list(cols: &[Rc<Col>]) -> K {
    let refs: Vec<&Col> = cols.iter().map(|c| &**c).collect();
    let Some(first) = cols.first() else {
        return refuse("makeList of no columns is not covered");
    };
    if cols.iter().any(|c| c.len != first.len) {
        return super::illegal("All columns must have the same number of rows");
    }
    let n = first.len;
    let Some(all) = Col::concat(&refs) else {
        return super::illegal("All columns must have the same type");
    };
    let width = cols.len();
    let picks: Vec<Option<usize>> = (0..n * width).map(|p| Some((p % width) * n + p / width)).collect();
    let offsets: Vec<i32> = (0..=n).map(|i| (i * width) as i32).collect();
    Ok(Col::new(
        LIST,
        Data::List(offsets.into(), Arc::new(all.take(&picks))),
        None,
    ))
}

/// `listConcatenateByRow`.
pub fn concatenate_by_row(cols: &[Rc<Col>], ignore_null: bool) -> K {
    let Some(first) = cols.first() else {
        return refuse("listConcatenateByRow of no columns is not covered");
    };
    if cols.iter().any(|c| c.len != first.len) {
        return cudf("the columns differ in size");
    }
    let mut parts = Vec::new();
    let mut bases = Vec::new();
    let mut base = 0;
    for c in cols {
        let (_, child) = list(c)?;
        bases.push(base);
        base += child.len;
        parts.push(&**child);
    }
    let Some(all) = Col::concat(&parts) else {
        return cudf("the columns differ in type");
    };
    let mut picks = Vec::new();
    let mut offsets = vec![0i32];
    let mut valid = Vec::new();
    for i in 0..first.len {
        let present = cols.iter().filter(|c| c.is_valid(i)).count();
        let ok = if ignore_null {
            present > 0
        } else {
            present == cols.len()
        };
        valid.push(ok);
        for (c, base) in cols.iter().zip(&bases).filter(|(c, _)| ok && c.is_valid(i)) {
            let (o, _) = list(c)?;
            picks.extend(rows(o, i).map(|r| Some(base + r)));
        }
        offsets.push(picks.len() as i32);
    }
    Ok(Col::new(
        LIST,
        Data::List(offsets.into(), Arc::new(all.take(&picks))),
        mask(&valid),
    ))
}

/// `replaceListChild`: the same lists over other elements.
pub fn replace_child(c: &Col, child: &Col) -> K {
    let (o, old) = list(c)?;
    if child.len != old.len {
        return super::illegal("Child row count doesn't match the old child");
    }
    Ok(Col::new(
        LIST,
        Data::List(o.to_vec().into(), Arc::new(child.clone())),
        c.nulls.clone(),
    ))
}

fn entries(c: &Col) -> K<(&[i32], &Arc<Col>, &Arc<Col>)> {
    let (o, child) = list(c)?;
    match &child.data {
        Data::Struct(f) if f.len() == 2 => Ok((o, &f[0], &f[1])),
        _ => cudf("a LIST of STRUCT of key and value is needed"),
    }
}

/// `getMapValue`: the value beside the last such key, null if there is none.
pub fn map_value(c: &Col, k: &Operand) -> K {
    let (o, key, value) = entries(c)?;
    let wanted = keys(k, key, c.len)?;
    let picks: Vec<Option<usize>> = (0..c.len)
        .map(|i| {
            let want = wanted[i].as_ref().filter(|_| c.is_valid(i))?;
            rows(o, i).rev().find(|r| select::key(key, *r).as_ref() == Some(want))
        })
        .collect();
    Ok(value.take(&picks))
}

/// `getMapKeyExistence`: false for a null key beside a map, null for a null map.
pub fn map_has_key(c: &Col, k: &Operand) -> K {
    let (o, key, _) = entries(c)?;
    let wanted = keys(k, key, c.len)?;
    let hits = (0..c.len).map(|i| wanted[i].is_some() && rows(o, i).any(|r| select::key(key, r) == wanted[i]));
    let valid: Vec<bool> = (0..c.len).map(|i| c.is_valid(i) && wanted[i].is_some()).collect();
    Ok(Col::bools(hits.collect::<Vec<_>>(), mask(&valid)))
}

/// `stringConcatenateListElements`: a list of nothing but nulls is an empty text.
pub fn join_strings(c: &Col, sep: &ScalarValue, narep: &ScalarValue, separate_nulls: bool, empty_for_empty: bool) -> K {
    let (o, child) = list(c)?;
    if child.dtype != DType::STRING {
        return cudf("strings_column must be a list of strings");
    }
    let Some(Elem::Str(sep)) = &sep.value else {
        return cudf("Parameter separator must be a valid string_scalar");
    };
    let narep = match &narep.value {
        Some(Elem::Str(s)) => Some(s),
        _ => None,
    };
    let mut b = StrBuilder::with_rows(c.len);
    for i in 0..c.len {
        let r = rows(o, i);
        let nulls = r.clone().filter(|r| !child.is_valid(*r)).count();
        let valid = c.is_valid(i) && (nulls == 0 || narep.is_some()) && (!r.is_empty() || empty_for_empty);
        if valid && nulls < r.len() {
            let mut written = false;
            for e in r {
                let is_null = !child.is_valid(e);
                if written && (separate_nulls || !is_null) {
                    b.buffer().extend_from_slice(sep);
                }
                let text = child.text(e).or(narep.map(|n| &n[..])).unwrap_or_default();
                b.buffer().extend_from_slice(text);
                written |= separate_nulls || !is_null || !text.is_empty();
            }
        }
        b.finish_row(valid);
    }
    Ok(b.finish()?)
}
