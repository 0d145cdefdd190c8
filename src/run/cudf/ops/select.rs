//! Choosing rows and masks: `ifElse`, `replaceNulls`, validity, membership, gathering.

use std::collections::HashSet;
use std::rc::Rc;

use arrow::buffer::NullBuffer;

use super::super::column::{Col, Data, Elem, ScalarValue, mask};
use super::super::dtype::{DType, TypeId};
use super::{K, Operand, cudf, illegal, refuse};

/// `ifElse`: a null predicate takes the second side; types must be the same.
pub fn if_else(predicate: &Col, yes: &Operand, no: &Operand) -> K {
    if predicate.dtype != DType::BOOL {
        return cudf("boolean_mask column must be of type type_id::BOOL8");
    }
    if yes.dtype() != no.dtype() {
        return cudf("Both inputs must be of the same type");
    }
    for side in [yes, no] {
        if let Operand::Col(c) = side
            && c.len != predicate.len
        {
            return cudf("Boolean mask column must be the same size as lhs and rhs columns");
        }
    }
    let n = predicate.len;
    let pick = predicate.to_bools();
    macro_rules! fixed {
        ($variant:path, $get:expr) => {{
            let value = |o: &Operand, i: usize| match o {
                Operand::Col(c) => match &c.data {
                    $variant(v) => v[i],
                    _ => Default::default(),
                },
                Operand::Scalar(s) => $get(s),
            };
            let data: Vec<_> = (0..n).map(|i| value(if pick[i] { yes } else { no }, i)).collect();
            $variant(data.into())
        }};
    }
    let valid: Vec<bool> = (0..n)
        .map(|i| if pick[i] { yes.is_valid(i) } else { no.is_valid(i) })
        .collect();
    let t = yes.dtype();
    let data = match (t.id, t.size()) {
        (TypeId::String, _) => {
            return Ok(Col::strings(
                (0..n).map(|i| super::binary::text_of(if pick[i] { yes } else { no }, i)),
            ));
        }
        (TypeId::List | TypeId::Struct, _) => return nested_if_else(&pick, yes, no, n),
        (TypeId::Float64, _) => fixed!(Data::F64, super::binary::scalar_f64),
        (TypeId::Float32, _) => fixed!(Data::F32, |s: &ScalarValue| super::binary::scalar_f64(s) as f32),
        (_, 1) => fixed!(Data::I8, |s: &ScalarValue| super::binary::scalar_i64(s) as i8),
        (_, 2) => fixed!(Data::I16, |s: &ScalarValue| super::binary::scalar_i64(s) as i16),
        (_, 4) => fixed!(Data::I32, |s: &ScalarValue| super::binary::scalar_i64(s) as i32),
        (_, 16) => fixed!(Data::I128, scalar_i128),
        _ => fixed!(Data::I64, super::binary::scalar_i64),
    };
    Ok(Col::new(t, data, mask(&valid)))
}

fn scalar_i128(s: &ScalarValue) -> i128 {
    match &s.value {
        Some(Elem::Big(v)) => *v,
        Some(Elem::Int(v)) => i128::from(*v),
        _ => 0,
    }
}

fn nested_if_else(pick: &[bool], yes: &Operand, no: &Operand, n: usize) -> K {
    let as_col = |o: &Operand| match o {
        Operand::Col(c) => Some(c.clone()),
        Operand::Scalar(s) => Col::from_scalar(s, n).map(Rc::new),
    };
    let (yes, no) = match (as_col(yes), as_col(no)) {
        (Some(a), Some(b)) => (a, b),
        // A null scalar of a nested type has the shape of the other side.
        (Some(a), None) => {
            let none = Rc::new(a.take(&vec![None; n]));
            (a, none)
        }
        (None, Some(b)) => (Rc::new(b.take(&vec![None; n])), b),
        (None, None) => return refuse("ifElse of two null nested scalars is not covered"),
    };
    let Some(both) = Col::concat(&[&yes, &no]) else {
        return refuse("ifElse of differing nested types is not covered");
    };
    let rows: Vec<Option<usize>> = (0..n).map(|i| Some(if pick[i] { i } else { n + i })).collect();
    Ok(both.take(&rows))
}

/// `replaceNulls`.
pub fn replace_nulls(c: &Rc<Col>, with: &Operand) -> K {
    if c.dtype != with.dtype() {
        return cudf("Data type mismatch");
    }
    if let Operand::Col(w) = with
        && w.len != c.len
    {
        return cudf("Column size mismatch");
    }
    let valid = Col::bools(c.validity(), None);
    if_else(&valid, &Operand::Col(c.clone()), with)
}

/// `mergeAndSetValidity`: the column with the masks of others joined by `BITWISE_AND` or `BITWISE_OR`.
pub fn merge_validity(c: &Col, op: &str, others: &[Rc<Col>]) -> K {
    if others.is_empty() {
        return Ok(c.clone());
    }
    if others.iter().any(|o| o.len != c.len) {
        return cudf("Column sizes don't match");
    }
    let nulls = match op {
        "BITWISE_AND" => others
            .iter()
            .fold(None, |m, o| NullBuffer::union(m.as_ref(), o.nulls.as_ref())),
        "BITWISE_OR" => mask(
            &(0..c.len)
                .map(|i| others.iter().any(|o| o.is_valid(i)))
                .collect::<Vec<_>>(),
        ),
        _ => return illegal("mergeOp must be BITWISE_AND or BITWISE_OR"),
    };
    Ok(c.with_nulls(nulls))
}

/// A key under which equal elements are the same: every NaN is one, both zeros are one.
pub(super) fn key(c: &Col, i: usize) -> Option<Vec<u8>> {
    Some(match c.elem(i)? {
        Elem::Int(v) => v.to_le_bytes().to_vec(),
        Elem::Big(v) => v.to_le_bytes().to_vec(),
        Elem::F32(v) => float_key(f64::from(v)),
        Elem::F64(v) => float_key(v),
        Elem::Str(s) => s.to_vec(),
        Elem::Nested(_) => return None,
    })
}

fn float_key(v: f64) -> Vec<u8> {
    let v = if v.is_nan() { f64::NAN } else { v + 0.0 };
    v.to_bits().to_le_bytes().to_vec()
}

/// `contains(searchSpace)`: whether each row is among the rows of the other column; null rows give null.
pub fn contains(c: &Col, space: &Col) -> K {
    if c.dtype != space.dtype {
        return cudf("DTYPE mismatch");
    }
    if matches!(c.dtype.id, TypeId::List | TypeId::Struct) {
        return refuse("contains on nested columns is not covered");
    }
    let set: HashSet<Vec<u8>> = (0..space.len).filter_map(|i| key(space, i)).collect();
    let rows = (0..c.len).map(|i| key(c, i).is_some_and(|k| set.contains(&k)));
    Ok(Col::bools(rows, c.nulls.clone()))
}

/// `findAndReplaceAll`: elements equal to an old value become the new one at its place.
pub fn find_and_replace(c: &Col, old: &Col, new: &Col) -> K {
    if c.dtype != old.dtype || c.dtype != new.dtype || old.len != new.len {
        return cudf("Columns type mismatch");
    }
    if old.null_count() > 0 {
        return cudf("values_to_replace must not have nulls");
    }
    if !c.dtype.is_numeric() {
        return refuse(format!("findAndReplaceAll on {} is not covered", c.dtype));
    }
    let Some(both) = Col::concat(&[c, new]) else {
        return cudf("Columns type mismatch");
    };
    let keys: Vec<_> = (0..old.len).map(|i| key(old, i)).collect();
    let rows: Vec<Option<usize>> = (0..c.len)
        .map(|i| {
            let k = key(c, i);
            let at = k.is_some().then(|| keys.iter().position(|o| *o == k)).flatten();
            Some(at.map_or(i, |p| c.len + p))
        })
        .collect();
    Ok(both.take(&rows))
}

/// `clamp`.
pub fn clamp(
    c: &Rc<Col>,
    lo: &Rc<ScalarValue>,
    lo_to: &Rc<ScalarValue>,
    hi: &Rc<ScalarValue>,
    hi_to: &Rc<ScalarValue>,
) -> K {
    if [lo, lo_to, hi, hi_to].iter().any(|s| s.dtype != c.dtype) {
        return cudf("Mismatched types");
    }
    let bound = |c: &Rc<Col>, op: &str, limit: &Rc<ScalarValue>, to: &Rc<ScalarValue>| -> K<Rc<Col>> {
        if limit.value.is_none() {
            return Ok(c.clone());
        }
        let outside = super::binary::run(
            op,
            &Operand::Col(c.clone()),
            &Operand::Scalar(limit.clone()),
            DType::BOOL,
        )?;
        let moved = if_else(&outside, &Operand::Scalar(to.clone()), &Operand::Col(c.clone()))?;
        Ok(Rc::new(moved))
    };
    let low = bound(c, "LESS", lo, lo_to)?;
    let above = if hi.value.is_none() {
        return Ok((*low).clone());
    } else {
        super::binary::run(
            "GREATER",
            &Operand::Col(c.clone()),
            &Operand::Scalar(hi.clone()),
            DType::BOOL,
        )?
    };
    if_else(&above, &Operand::Scalar(hi_to.clone()), &Operand::Col(low))
}
