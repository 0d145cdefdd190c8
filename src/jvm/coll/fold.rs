//! Folds: sums, extremes, reductions.

use num_bigint::BigInt;

use super::super::decimal::JDecimal;
use super::super::object::Object;
use super::super::order::{gt, gteq, lteq};
use super::super::table::Context;
use super::super::value::{Eval, Throw, Value};
use super::super::view::each;
use super::{elements, empty};
use crate::lang::ty::{Prim, Ty};

type Cx<'a> = &'a mut dyn Context;

/// `foldLeft(z)(f)`, `fold`, `/:`.
pub fn fold_left(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let mut acc = a[1].clone();
    each(cx, &a[0], &mut |cx, item| {
        acc = cx.call(&a[2], &[std::mem::take(&mut acc), item])?;
        Ok(true)
    })?;
    Ok(acc)
}

/// `foldRight(z)(f)`.
pub fn fold_right(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let items = elements(cx, &a[0])?.to_vec();
    let mut acc = a[1].clone();
    for item in items.into_iter().rev() {
        cx.step(1)?;
        acc = cx.call(&a[2], &[item, acc])?;
    }
    Ok(acc)
}

fn reduced(cx: Cx<'_>, a: &[Value]) -> Eval<Option<Value>> {
    let mut acc: Option<Value> = None;
    each(cx, &a[0], &mut |cx, item| {
        acc = Some(match acc.take() {
            None => item,
            Some(left) => cx.call(&a[1], &[left, item])?,
        });
        Ok(true)
    })?;
    Ok(acc)
}

/// `reduce`, `reduceLeft`.
pub fn reduce(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    reduced(cx, a)?.ok_or_else(|| empty("empty.reduceLeft"))
}

/// `reduceOption`, `reduceLeftOption`.
pub fn reduce_option(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::option(reduced(cx, a)?))
}

/// `reduceRight`.
pub fn reduce_right(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let mut items = elements(cx, &a[0])?.to_vec();
    let mut acc = items.pop().ok_or_else(|| empty("empty.reduceRight"))?;
    for item in items.into_iter().rev() {
        cx.step(1)?;
        acc = cx.call(&a[1], &[item, acc])?;
    }
    Ok(acc)
}

/// `scanLeft(z)(f)`.
pub fn scan_left(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let mut out = vec![a[1].clone()];
    each(cx, &a[0], &mut |cx, item| {
        let last = out.last().cloned().unwrap_or_default();
        out.push(cx.call(&a[2], &[last, item])?);
        Ok(true)
    })?;
    super::built_class(&a[0], out, ty)
}

/// `scanRight(z)(f)`.
pub fn scan_right(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let items = elements(cx, &a[0])?.to_vec();
    let mut out = vec![a[1].clone()];
    for item in items.into_iter().rev() {
        let last = out.last().cloned().unwrap_or_default();
        out.push(cx.call(&a[2], &[item, last])?);
    }
    out.reverse();
    super::built_class(&a[0], out, ty)
}

/// Zero or one of a numeric type.
fn number(ty: &Ty, n: i64) -> Option<Value> {
    Some(match ty {
        Ty::Prim(p) | Ty::Boxed(p) => match p {
            Prim::Int => Value::Int(n as i32),
            Prim::Long => Value::Long(n),
            Prim::Double => Value::Double(n as f64),
            Prim::Float => Value::Float(n as f32),
            Prim::Short => Value::Short(n as i16),
            Prim::Byte => Value::Byte(n as i8),
            Prim::Char => Value::Char(n as u16),
            Prim::Boolean => return None,
        },
        Ty::ScalaBigDecimal => Value::obj(Object::Decimal {
            value: JDecimal {
                unscaled: BigInt::from(n),
                scale: 0,
            },
            scala: true,
        }),
        Ty::BigInt => Value::obj(Object::BigInt(BigInt::from(n))),
        _ => return None,
    })
}

/// `Numeric.plus` or `Numeric.times`; a null box counts as zero.
fn combine(cx: Cx<'_>, a: &Value, b: &Value, times: bool, ty: &Ty) -> Eval {
    macro_rules! op {
        ($x:expr, $y:expr) => {
            if times {
                $x.wrapping_mul($y)
            } else {
                $x.wrapping_add($y)
            }
        };
    }
    let zero;
    let b = match b {
        Value::Null => {
            zero = number(ty, 0).ok_or_else(Throw::null_pointer)?;
            &zero
        }
        other => other,
    };
    Ok(match (a, b) {
        (Value::Int(x), Value::Int(y)) => Value::Int(op!(x, *y)),
        (Value::Long(x), Value::Long(y)) => Value::Long(op!(x, *y)),
        (Value::Short(x), Value::Short(y)) => Value::Short(op!(x, *y)),
        (Value::Byte(x), Value::Byte(y)) => Value::Byte(op!(x, *y)),
        (Value::Char(x), Value::Char(y)) => Value::Char(op!(x, *y)),
        (Value::Double(x), Value::Double(y)) => Value::Double(if times { x * y } else { x + y }),
        (Value::Float(x), Value::Float(y)) => Value::Float(if times { x * y } else { x + y }),
        (Value::Obj(x), Value::Obj(y)) => match (&**x, &**y) {
            (Object::BigInt(p), Object::BigInt(q)) => Value::obj(Object::BigInt(if times { p * q } else { p + q })),
            (Object::Decimal { .. }, Object::Decimal { .. }) => return decimals(cx, a, b, times),
            _ => return Err(Throw::Unsupported("a sum of these elements is not covered".into())),
        },
        _ => return Err(Throw::Unsupported("a sum of these elements is not covered".into())),
    })
}

/// Decimals are added by the row of `BigDecimal`, which knows about its `MathContext`.
fn decimals(cx: Cx<'_>, a: &Value, b: &Value, times: bool) -> Eval {
    let name = if times { "*" } else { "+" };
    let row = super::super::tables::all()
        .find(|m| m.recv == "BigDecimal" && m.name == name && m.sig.starts_with("(BigDecimal)"))
        .ok_or_else(|| Throw::Unsupported("a sum of decimals is not covered".into()))?;
    (row.eval)(cx, &[a.clone(), b.clone()], &Ty::ScalaBigDecimal)
}

fn total(cx: Cx<'_>, a: &[Value], ty: &Ty, times: bool) -> Eval {
    let start = number(ty, i64::from(times))
        .ok_or_else(|| Throw::Unsupported(format!("a sum of elements of type {ty} is not covered")))?;
    let mut acc = start;
    each(cx, &a[0], &mut |cx, item| {
        acc = combine(cx, &acc, &item, times, ty)?;
        Ok(true)
    })?;
    Ok(acc)
}

/// `sum`: from zero, left to right.
pub fn sum(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    total(cx, a, ty, false)
}

/// `product`: from one, left to right.
pub fn product(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    total(cx, a, ty, true)
}

fn extreme(cx: Cx<'_>, a: &[Value], keeps: fn(&Value, &Value) -> Eval<bool>) -> Eval<Option<Value>> {
    let mut best: Option<Value> = None;
    each(cx, &a[0], &mut |_, item| {
        best = Some(match best.take() {
            None => item,
            Some(old) => {
                if keeps(&old, &item)? {
                    old
                } else {
                    item
                }
            }
        });
        Ok(true)
    })?;
    Ok(best)
}

fn no_extreme(recv: &Value, what: &str, range: &str) -> Throw {
    match recv.as_obj() {
        Some(Object::Range(_)) => super::no_such_element(range),
        _ => empty(what),
    }
}

/// `max`: the left one stays while it is `>=`.
pub fn max(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    extreme(cx, a, gteq)?.ok_or_else(|| no_extreme(&a[0], "empty.max", "last of empty range"))
}

/// `min`: the left one stays while it is `<=`.
pub fn min(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    extreme(cx, a, lteq)?.ok_or_else(|| no_extreme(&a[0], "empty.min", "head of empty list"))
}

fn extreme_by(cx: Cx<'_>, a: &[Value], what: &str, better: fn(&Value, &Value) -> Eval<bool>) -> Eval {
    let mut best: Option<(Value, Value)> = None;
    each(cx, &a[0], &mut |cx, item| {
        let key = cx.call(&a[1], std::slice::from_ref(&item))?;
        let replace = match &best {
            None => true,
            Some((_, old)) => better(&key, old)?,
        };
        if replace {
            best = Some((item, key));
        }
        Ok(true)
    })?;
    best.map(|b| b.0).ok_or_else(|| empty(what))
}

/// `maxBy`: the first of the greatest.
pub fn max_by(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    extreme_by(cx, a, "empty.maxBy", gt)
}

/// `minBy`: the first of the least.
pub fn min_by(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    extreme_by(cx, a, "empty.minBy", |a, b| gt(b, a))
}
