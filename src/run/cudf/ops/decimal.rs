//! Arithmetic on decimals: unscaled integers that wrap at the width of their type; nothing is ever rounded.

use super::super::column::{Col, Elem};
use super::super::dtype::{DType, TypeId};
use super::binary::{div32, div64, is_comparison_name, joined_nulls, rem32, rem64};
use super::{K, Operand, cudf, refuse};

/// The decimal type that an operator gives by default.
pub fn output_type(op: &str, a: DType, b: DType) -> K<DType> {
    let scale = match op {
        "MUL" => a.scale + b.scale,
        "DIV" => a.scale - b.scale,
        "ADD" | "SUB" | "MOD" | "PMOD" | "PYMOD" | "EQUAL" | "NOT_EQUAL" | "LESS" | "GREATER" | "LESS_EQUAL"
        | "GREATER_EQUAL" | "NULL_EQUALS" | "NULL_NOT_EQUALS" | "NULL_MAX" | "NULL_MIN" => a.scale.min(b.scale),
        _ => return cudf("Unsupported fixed_point binary operation."),
    };
    Ok(DType { id: a.id, scale })
}

/// Keeps the low bits of a type's width.
pub fn wrap(v: i128, t: DType) -> i128 {
    match t.id {
        TypeId::Decimal32 => i128::from(v as i32),
        TypeId::Decimal64 => i128::from(v as i64),
        _ => v,
    }
}

/// `10^n`, wrapping.
pub fn pow10(n: u32) -> i128 {
    (0..n).fold(1i128, |p, _| p.wrapping_mul(10))
}

/// A value moved from one exponent of ten to another: multiplied, wrapping, or divided, truncating.
pub fn rescale(v: i128, from: i32, to: i32, t: DType) -> i128 {
    if from >= to {
        wrap(v.wrapping_mul(wrap(pow10((from - to) as u32), t)), t)
    } else if to - from > 38 {
        0
    } else {
        v / pow10((to - from) as u32)
    }
}

fn values(o: &Operand, n: usize) -> Vec<i128> {
    match o {
        Operand::Col(c) => c.to_i128().into_owned(),
        Operand::Scalar(s) => {
            let v = match &s.value {
                Some(Elem::Big(v)) => *v,
                Some(Elem::Int(v)) => i128::from(*v),
                _ => 0,
            };
            vec![v; n]
        }
    }
}

fn divided(a: i128, b: i128, t: DType) -> i128 {
    match t.id {
        TypeId::Decimal32 => i128::from(div32(a as i32, b as i32)),
        TypeId::Decimal64 => i128::from(div64(a as i64, b as i64)),
        _ if b == 0 => -1,
        _ => a.wrapping_div(b),
    }
}

fn remainder(a: i128, b: i128, t: DType) -> i128 {
    match t.id {
        TypeId::Decimal32 => i128::from(rem32(a as i32, b as i32)),
        TypeId::Decimal64 => i128::from(rem64(a as i64, b as i64)),
        _ if b == 0 => -1,
        _ => a.wrapping_rem(b),
    }
}

/// An operator on two decimals, or on a decimal and an integer where the output is an integer.
pub fn binary(op: &str, l: &Operand, r: &Operand, n: usize, out: DType) -> K {
    let (a, b) = (l.dtype(), r.dtype());
    let t = if a.is_decimal() { a } else { b };
    let mixed = !(a.is_decimal() && b.is_decimal());
    if mixed && !(a.is_signed() || b.is_signed()) {
        return refuse(format!("{op} of {a} and {b} is not covered"));
    }
    if mixed && (!out.is_integer() || !matches!(op, "ADD" | "SUB" | "MUL")) {
        return refuse(format!("{op} of {a} and {b} to {out} is not covered"));
    }
    if !mixed && a.id != b.id {
        return refuse(format!("{op} of {a} and {b} is not covered"));
    }
    let (mut x, mut y) = (values(l, n), values(r, n));
    let scale = a.scale.min(b.scale);
    if !matches!(op, "MUL" | "DIV") {
        x.iter_mut().for_each(|v| *v = rescale(*v, a.scale, scale, t));
        y.iter_mut().for_each(|v| *v = rescale(*v, b.scale, scale, t));
    }
    if is_comparison_name(op) {
        return Ok(comparison(op, &x, &y, l, r));
    }
    let pairs = x.iter().zip(&y);
    let (result, from): (Vec<i128>, i32) = match op {
        "ADD" => (pairs.map(|(a, b)| wrap(a.wrapping_add(*b), t)).collect(), scale),
        "SUB" => (pairs.map(|(a, b)| wrap(a.wrapping_sub(*b), t)).collect(), scale),
        "MUL" => (
            pairs.map(|(a, b)| wrap(a.wrapping_mul(*b), t)).collect(),
            a.scale + b.scale,
        ),
        "DIV" => (pairs.map(|(a, b)| divided(*a, *b, t)).collect(), a.scale - b.scale),
        "MOD" => (pairs.map(|(a, b)| remainder(*a, *b, t)).collect(), scale),
        "NULL_MAX" | "NULL_MIN" => return Ok(pick(op, &x, &y, l, r, DType { id: t.id, scale }, out)),
        _ => return refuse(format!("{op} on decimals is not covered")),
    };
    let nulls = joined_nulls(l, r, n);
    if out.is_decimal() {
        if out.id != t.id {
            return refuse(format!("{op} of {a} and {b} to {out} is not covered"));
        }
        return Ok(Col::from_i128(
            out,
            result.into_iter().map(|v| rescale(v, from, out.scale, t)),
            nulls,
        ));
    }
    if out.is_integer() {
        return Ok(Col::from_i128(
            out,
            result.into_iter().map(|v| rescale(v, from, 0, t)),
            nulls,
        ));
    }
    refuse(format!("{op} of {a} and {b} to {out} is not covered"))
}

fn comparison(op: &str, x: &[i128], y: &[i128], l: &Operand, r: &Operand) -> Col {
    let n = x.len();
    let null_aware = op.starts_with("NULL_");
    let values = (0..n).map(|i| {
        let o = x[i].cmp(&y[i]);
        match (op, l.is_valid(i) && r.is_valid(i), l.is_valid(i) || r.is_valid(i)) {
            ("NULL_EQUALS", false, any) => !any,
            ("NULL_NOT_EQUALS", false, any) => any,
            ("EQUAL" | "NULL_EQUALS", ..) => o.is_eq(),
            ("NOT_EQUAL" | "NULL_NOT_EQUALS", ..) => o.is_ne(),
            ("LESS", ..) => o.is_lt(),
            ("GREATER", ..) => o.is_gt(),
            ("LESS_EQUAL", ..) => o.is_le(),
            _ => o.is_ge(),
        }
    });
    Col::bools(values, if null_aware { None } else { joined_nulls(l, r, n) })
}

fn pick(op: &str, x: &[i128], y: &[i128], l: &Operand, r: &Operand, t: DType, out: DType) -> Col {
    let mut valid = Vec::new();
    let values: Vec<i128> = (0..x.len())
        .map(|i| {
            let (p, q) = (l.is_valid(i), r.is_valid(i));
            valid.push(p || q);
            let v = match (p, q, op) {
                (true, false, _) => x[i],
                (false, ..) => y[i],
                (_, _, "NULL_MAX") => x[i].max(y[i]),
                _ => x[i].min(y[i]),
            };
            rescale(v, t.scale, out.scale, t)
        })
        .collect();
    Col::from_i128(out, values.into_iter(), super::super::column::mask(&valid))
}

/// Plain digits, the scale kept.
pub fn plain(v: i128, scale: i32) -> String {
    if scale >= 0 {
        return if v == 0 {
            "0".into()
        } else {
            format!("{v}{}", "0".repeat(scale as usize))
        };
    }
    let places = scale.unsigned_abs() as usize;
    let digits = v.unsigned_abs().to_string();
    let padded = format!("{digits:0>width$}", width = places + 1);
    let (whole, part) = padded.split_at(padded.len() - places);
    format!("{}{whole}.{part}", if v < 0 { "-" } else { "" })
}

/// `floor()` and `ceil()`: whole numbers at the same scale.
pub fn to_whole(c: &Col, up: bool) -> K {
    let t = c.dtype;
    if t.scale >= 0 {
        return Ok(c.clone());
    }
    let unit = pow10(t.scale.unsigned_abs());
    let values = c.to_i128();
    let moved = values.iter().map(|v| {
        let whole = v - v.rem_euclid(unit);
        let whole = if up && whole != *v {
            whole.wrapping_add(unit)
        } else {
            whole
        };
        wrap(whole, t)
    });
    Ok(Col::from_i128(t, moved, c.nulls.clone()))
}
