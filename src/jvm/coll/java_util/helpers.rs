//! Static helpers: `Collections`, `Objects`, `Arrays`, `String.join`.

use super::super::super::equality::java_eq;
use super::super::super::order;
use super::super::super::show;
use super::super::super::text::JStr;
use super::super::super::value::{Eval, Throw, Value};
use super::super::super::view::all;
use super::super::int;
use super::{Cx, ask, looked_at, or_missing};
use crate::lang::ty::Ty;

/// `Collections.max`, `Collections.min` by the natural order or a comparator.
pub fn extreme(cx: Cx<'_>, a: &[Value], largest: bool) -> Eval {
    let mut best: Option<Value> = None;
    for item in all(cx, &a[0])? {
        best = Some(match best {
            None => item,
            Some(b) => {
                let by = match a.get(1) {
                    Some(c) if !c.is_null() => ask(cx, c, &item, &b)?,
                    _ => order::compare(&item, &b)?,
                };
                if if largest { by.is_gt() } else { by.is_lt() } {
                    item
                } else {
                    b
                }
            }
        });
    }
    or_missing(best)
}

/// `Collections.frequency`.
pub fn frequency(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let mut n = 0;
    for item in all(cx, &a[0])? {
        n += i32::from(java_eq(&a[1], &item)?);
    }
    Ok(Value::Int(n))
}

/// `Collections.nCopies`.
pub fn copies(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let n = int(&a[0])?;
    let Ok(count) = usize::try_from(n) else {
        return Err(Throw::exception(
            "IllegalArgumentException",
            format!("List length = {n}"),
        ));
    };
    cx.grow(count * std::mem::size_of::<Value>())?;
    Ok(looked_at(vec![a[1].clone(); count]))
}

/// What is only looked at is itself: `Collections.unmodifiableList`.
pub fn same(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    if a[0].is_null() {
        return Err(Throw::null_pointer());
    }
    Ok(a[0].clone())
}

/// `String.join(delimiter, elements)`.
pub fn join(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let sep = super::super::super::args::string(&a[0])?.units().into_owned();
    let mut out = Vec::new();
    for (i, item) in all(cx, &a[1])?.iter().enumerate() {
        if i > 0 {
            out.extend_from_slice(&sep);
        }
        show::append(cx, item, &mut out)?;
    }
    cx.grow(out.len() * 2)?;
    Ok(Value::Str(JStr::from_units(&out)))
}

/// `Objects.toString(o, default)`.
pub fn to_text_or(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match a[0].is_null() {
        true => Ok(a.get(1).cloned().unwrap_or_else(|| Value::str("null"))),
        false => Ok(Value::Str(show::value_of(cx, &a[0])?)),
    }
}

/// `Objects.hash(…)`, `Arrays.hashCode` of the same.
pub fn hash_all(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let mut h = 1i32;
    for item in all(cx, &a[0])? {
        let own = match &item {
            Value::Obj(_) => return Err(Throw::Unsupported("the hash code of this object".into())),
            v => super::super::super::hash::java_hash(v).unwrap_or(0),
        };
        h = h.wrapping_mul(31).wrapping_add(own);
    }
    Ok(Value::Int(h))
}

/// `Objects.requireNonNull(o, message)`.
pub fn require(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match (&a[0], a.get(1)) {
        (Value::Null, Some(Value::Str(m))) => Err(Throw::exception("NullPointerException", m.to_utf8().into_owned())),
        (Value::Null, _) => Err(Throw::null_pointer()),
        (v, _) => Ok(v.clone()),
    }
}

/// `Objects.requireNonNullElse(o, default)`.
pub fn require_else(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match (&a[0], &a[1]) {
        (Value::Null, Value::Null) => Err(Throw::null_pointer()),
        (Value::Null, d) => Ok(d.clone()),
        (v, _) => Ok(v.clone()),
    }
}
