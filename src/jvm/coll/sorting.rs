//! `sorted`, `sortBy`, `sortWith`.

use std::cmp::Ordering;

use super::super::order::{compare, sort};
use super::super::table::Context;
use super::super::value::{Eval, Throw, Value};
use super::{elements, same_class, truth};
use crate::lang::ty::Ty;

type Cx<'a> = &'a mut dyn Context;

/// `sorted` by the natural order.
pub fn sorted(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let items = elements(cx, &a[0])?.to_vec();
    cx.step(items.len() as u64)?;
    same_class(&a[0], sort(items, &mut |x, y| compare(x, y))?)
}

/// `sorted(ordering)`.
pub fn sorted_by_ordering(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let items = elements(cx, &a[0])?.to_vec();
    let out = sort(items, &mut |x, y| ask(cx, &a[1], x, y))?;
    same_class(&a[0], out)
}

/// Asks an `Ordering` or `Comparator` value.
pub fn ask(cx: Cx<'_>, ordering: &Value, x: &Value, y: &Value) -> Eval<Ordering> {
    cx.step(1)?;
    match cx.call(ordering, &[x.clone(), y.clone()])? {
        Value::Int(n) => Ok(n.cmp(&0)),
        _ => Err(Throw::Unsupported("an ordering that does not give an Int".into())),
    }
}

fn keyed(cx: Cx<'_>, a: &[Value]) -> Eval<Vec<Value>> {
    let mut out = Vec::new();
    for item in elements(cx, &a[0])?.to_vec() {
        out.push(item);
    }
    Ok(out)
}

/// `sortBy(f)`: the key is asked at every comparison, as Scala does; an exception of it comes as soon as there.
pub fn sort_by(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let items = keyed(cx, a)?;
    let out = sort(items, &mut |x, y| {
        cx.step(1)?;
        let kx = cx.call(&a[1], std::slice::from_ref(x))?;
        let ky = cx.call(&a[1], std::slice::from_ref(y))?;
        compare(&kx, &ky)
    })?;
    same_class(&a[0], out)
}

/// `sortBy(f)(ordering)`.
pub fn sort_by_ordering(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let items = keyed(cx, a)?;
    let out = sort(items, &mut |x, y| {
        let kx = cx.call(&a[1], std::slice::from_ref(x))?;
        let ky = cx.call(&a[1], std::slice::from_ref(y))?;
        ask(cx, &a[2], &kx, &ky)
    })?;
    same_class(&a[0], out)
}

/// `sortWith(lt)`.
pub fn sort_with(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let items = keyed(cx, a)?;
    let out = sort(items, &mut |x, y| {
        cx.step(1)?;
        if truth(&cx.call(&a[1], &[x.clone(), y.clone()])?) {
            return Ok(Ordering::Less);
        }
        Ok(match truth(&cx.call(&a[1], &[y.clone(), x.clone()])?) {
            true => Ordering::Greater,
            false => Ordering::Equal,
        })
    })?;
    same_class(&a[0], out)
}

/// `max(ordering)`: of equal elements the first.
pub fn max_by_ordering(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    extreme(cx, a, "empty.max", |order| order != Ordering::Less)
}

/// `min(ordering)`.
pub fn min_by_ordering(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    extreme(cx, a, "empty.min", |order| order != Ordering::Greater)
}

fn extreme(cx: Cx<'_>, a: &[Value], empty: &str, keeps: impl Fn(Ordering) -> bool) -> Eval {
    let mut items = elements(cx, &a[0])?.to_vec().into_iter();
    let Some(mut best) = items.next() else {
        return Err(Throw::exception("UnsupportedOperationException", empty));
    };
    for item in items {
        if matches!(item, Value::Double(_) | Value::Float(_)) {
            return Err(Throw::Unsupported(
                "the extreme of floats by an ordering is not covered".into(),
            ));
        }
        if !keeps(ask(cx, &a[1], &best, &item)?) {
            best = item;
        }
    }
    Ok(best)
}
