//! Reductions of columns and of lists. Sums of floats are refused where the device does not add left to right.

use std::sync::Arc;

use super::super::column::{Col, Data, Elem, ScalarValue, mask};
use super::super::dtype::{DType, TypeId};
use super::{K, cast, refuse};

/// `sum()`, `min()`… of a whole column: a scalar.
pub fn column(agg: &str, c: &Col, out: Option<DType>) -> K<ScalarValue> {
    let out = out.unwrap_or(c.dtype);
    let rows: Vec<usize> = (0..c.len).filter(|i| c.is_valid(*i)).collect();
    if rows.is_empty() {
        return Ok(ScalarValue {
            dtype: out,
            value: None,
        });
    }
    if c.dtype.is_float() && matches!(agg, "sum" | "product" | "mean") && rows.len() > 3 {
        return refuse(format!("{agg}() of floats is not added left to right on the device"));
    }
    let one = segment(agg, c, &rows, false, out)?;
    let col = Col::from_scalar(&one, 1);
    match col {
        Some(col) => Ok(ScalarValue {
            dtype: out,
            value: cast::cast(&col, out)?.elem(0),
        }),
        None => refuse(format!("{agg}() of {} is not covered", c.dtype)),
    }
}

/// `listReduce`: one value per list; empty lists and those of nothing but nulls give null.
pub fn lists(c: &Col, agg: &str, include: bool, out: Option<DType>) -> K {
    let Some((offsets, child)) = c.list() else {
        return super::cudf("a LIST column is needed");
    };
    let default = if matches!(agg, "any" | "all") {
        DType::BOOL
    } else {
        child.dtype
    };
    let out = out.unwrap_or(default);
    let mut items = Vec::with_capacity(c.len);
    let mut valid = Vec::with_capacity(c.len);
    for i in 0..c.len {
        let all: Vec<usize> = (offsets[i] as usize..offsets[i + 1] as usize).collect();
        let rows: Vec<usize> = all.iter().copied().filter(|r| child.is_valid(*r)).collect();
        let is_null = !c.is_valid(i) || rows.is_empty() || (include && rows.len() < all.len());
        valid.push(!is_null);
        items.push(if is_null {
            None
        } else {
            segment(agg, child, &rows, true, out)?.value
        });
    }
    from_elems(out, &items, &valid)
}

fn from_elems(t: DType, items: &[Option<Elem>], valid: &[bool]) -> K {
    let nulls = mask(valid);
    Ok(match t.id {
        TypeId::Float64 => {
            let v: Vec<f64> = items
                .iter()
                .map(|e| if let Some(Elem::F64(x)) = e { *x } else { 0.0 })
                .collect();
            Col::new(t, Data::F64(v.into()), nulls)
        }
        TypeId::Float32 => {
            let v: Vec<f32> = items
                .iter()
                .map(|e| if let Some(Elem::F32(x)) = e { *x } else { 0.0 })
                .collect();
            Col::new(t, Data::F32(v.into()), nulls)
        }
        TypeId::String => Col::strings(items.iter().map(|e| match e {
            Some(Elem::Str(s)) => Some(&s[..]),
            _ => None,
        })),
        _ => {
            let v = items.iter().map(|e| match e {
                Some(Elem::Int(x)) => i128::from(*x),
                Some(Elem::Big(x)) => *x,
                _ => 0,
            });
            Col::from_i128(t, v, nulls)
        }
    })
}

/// One value of the given rows; `out` is the type that it is computed in.
fn segment(agg: &str, c: &Col, rows: &[usize], nested: bool, out: DType) -> K<ScalarValue> {
    let picked = c.take(&rows.iter().map(|r| Some(*r)).collect::<Vec<_>>());
    let scalar = |value| ScalarValue {
        dtype: out,
        value: Some(value),
    };
    if matches!(agg, "any" | "all") {
        let truth = cast::cast(&picked, DType::BOOL)?.to_bools();
        let v = if agg == "any" {
            truth.contains(&true)
        } else {
            !truth.contains(&false)
        };
        return Ok(scalar(Elem::Int(i64::from(v))));
    }
    match &picked.data {
        Data::Str(_) if matches!(agg, "min" | "max") => {
            let texts = picked.texts().flatten();
            let best = if agg == "min" { texts.min() } else { texts.max() };
            Ok(scalar(Elem::Str(Arc::from(best.unwrap_or_default()))))
        }
        Data::F64(v) => Ok(scalar(Elem::F64(float(agg, v, nested)?))),
        Data::F32(_) => refuse(format!("{agg} of FLOAT32 is not covered")),
        Data::I128(_) | Data::I8(_) | Data::I16(_) | Data::I32(_) | Data::I64(_) => {
            let v = picked.to_i128();
            let total = match agg {
                "sum" => v.iter().fold(0i128, |a, b| a.wrapping_add(*b)),
                "product" => v.iter().fold(1i128, |a, b| a.wrapping_mul(*b)),
                "min" => v.iter().copied().min().unwrap_or(0),
                "max" => v.iter().copied().max().unwrap_or(0),
                _ => return refuse(format!("the aggregation {agg} is not covered")),
            };
            if out.is_float() || agg == "product" && c.dtype.is_decimal() {
                return refuse(format!("{agg} of {} to {out} is not covered", c.dtype));
            }
            // Wraps at the width of the output.
            let wrapped = Col::from_i128(out, std::iter::once(total), None);
            Ok(ScalarValue {
                dtype: out,
                value: wrapped.elem(0),
            })
        }
        _ => refuse(format!("{agg} of {} is not covered", c.dtype)),
    }
}

fn float(agg: &str, v: &[f64], nested: bool) -> K<f64> {
    Ok(match agg {
        "sum" if v.len() <= 3 => v.iter().copied().reduce(|a, b| a + b).unwrap_or(0.0),
        "product" if v.len() <= 3 => v.iter().copied().reduce(|a, b| a * b).unwrap_or(1.0),
        // Left to right up to three elements; beyond, only the value of exact sums is certain.
        "sum" if nested => match exact_sum(v) {
            Some(s) => s,
            None => return refuse("the order in which the device sums more than 3 floats is not emulated"),
        },
        // The second operand stays on a tie and beside a NaN.
        "max" | "min" if v.len() <= 3 || !order_matters(v) => {
            let better = |a: f64, b: f64| if agg == "max" { a > b } else { a < b };
            v.iter()
                .copied()
                .reduce(|a, b| if better(a, b) { a } else { b })
                .unwrap_or(f64::NAN)
        }
        "max" | "min" => return refuse("the order in which the device compares more than 3 floats is not emulated"),
        "mean" => return refuse("mean is not emulated"),
        _ => return refuse(format!("the aggregation {agg} is not covered")),
    })
}

/// Whether the order of comparison shows: a NaN, or zeros of both signs.
fn order_matters(v: &[f64]) -> bool {
    let zeros = |sign: bool| v.iter().any(|x| *x == 0.0 && x.is_sign_negative() == sign);
    v.iter().any(|x| x.is_nan()) || (zeros(true) && zeros(false))
}

/// The sum where no order of adding rounds: whole multiples of a power of two that stay below 2^53 of it.
fn exact_sum(v: &[f64]) -> Option<f64> {
    if v.iter().any(|x| !x.is_finite()) {
        let sum: f64 = v.iter().sum();
        return (sum.is_infinite() && v.iter().filter(|x| x.is_finite()).all(|x| x.abs() < 1e300)).then_some(sum);
    }
    let scale = (-60..=0)
        .rev()
        .find(|e| v.iter().all(|x| (x * 2f64.powi(-e)).fract() == 0.0))?;
    let total: f64 = v.iter().map(|x| (x * 2f64.powi(-scale)).abs()).sum();
    (total < 9e15).then(|| v.iter().sum())
}
