//! Sets, immutable and mutable.

use super::super::maps::{ImSet, MutClass, MutMap};
use super::super::object::Object;
use super::super::table::Context;
use super::super::value::{Eval, Value};
use super::super::view::{all, lock};
use super::unsupported;
use crate::lang::ty::Ty;

type Cx<'a> = &'a mut dyn Context;

fn immutable(v: &Value) -> Eval<&ImSet> {
    match v.as_obj() {
        Some(Object::Set(s)) => Ok(s),
        _ => Err(unsupported(v)),
    }
}

fn mutable(v: &Value) -> Eval<&std::sync::Mutex<MutMap>> {
    match v.as_obj() {
        Some(Object::MutSet(s)) => Ok(s),
        _ => Err(unsupported(v)),
    }
}

fn made(set: ImSet) -> Value {
    Value::obj(Object::Set(set))
}

fn has(set: &Value, item: &Value) -> Eval<bool> {
    match set.as_obj() {
        Some(Object::Set(s)) => s.contains(item),
        Some(Object::MutSet(s)) => Ok(lock(s).get(item)?.is_some()),
        _ => Err(unsupported(set)),
    }
}

/// `contains`, `apply`.
pub fn contains(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::Bool(has(&a[0], &a[1])?))
}

/// `+ elem`.
pub fn plus(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(made(immutable(&a[0])?.with(a[1].clone())?))
}

/// `- elem`.
pub fn minus(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(made(immutable(&a[0])?.without(&a[1])?))
}

/// `++`, `|`, `union`.
pub fn plus_all(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let mut set = immutable(&a[0])?.clone();
    for item in all(cx, &a[1])? {
        set = set.with(item)?;
    }
    Ok(made(set))
}

/// `--`.
pub fn minus_all(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let mut set = immutable(&a[0])?.clone();
    for item in all(cx, &a[1])? {
        set = set.without(&item)?;
    }
    Ok(made(set))
}

fn kept(a: &[Value], want: bool) -> Eval {
    let set = immutable(&a[0])?;
    let keep = set.items().iter().map(|i| Ok(has(&a[1], i)? == want));
    Ok(made(set.keeping(&keep.collect::<Eval<Vec<_>>>()?)))
}

/// `&`, `intersect`.
pub fn intersect(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    kept(a, true)
}

/// `diff`, `&~`, `--` of a set.
pub fn diff(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    kept(a, false)
}

/// `subsetOf`.
pub fn subset_of(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    for item in immutable(&a[0])?.items() {
        if !has(&a[1], item)? {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}

/// `map` of a set is a set.
pub fn map(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let mut out = Vec::new();
    for item in immutable(&a[0])?.in_order()?.to_vec() {
        cx.step(1)?;
        out.push(cx.call(&a[1], &[item])?);
    }
    Ok(Value::set(out))
}

/// `Set(…)`.
pub fn of_items(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let items = match a.first() {
        Some(v) => all(cx, v)?,
        None => Vec::new(),
    };
    Ok(Value::set(items))
}

/// `mutable.Set(…)`, `mutable.HashSet(…)`, `new java.util.HashSet`.
fn new_mutable(cx: Cx<'_>, a: &[Value], class: MutClass) -> Eval {
    let mut set = MutMap::new(class);
    if let Some(source) = a.first() {
        for item in all(cx, source)? {
            set.put(item, Value::Unit)?;
        }
    }
    Ok(Value::obj(Object::MutSet(std::sync::Mutex::new(set))))
}

/// A mutable Scala set.
pub fn mutable_set(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    new_mutable(cx, a, MutClass::ScalaHashSet)
}

/// A Java set.
pub fn java_set(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    new_mutable(cx, a, MutClass::JavaHash)
}

/// A linked set.
pub fn linked_set(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    new_mutable(cx, a, MutClass::Linked)
}

/// `set += elem`.
pub fn add(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    lock(mutable(&a[0])?).put(a[1].clone(), Value::Unit)?;
    Ok(a[0].clone())
}

/// `set.add(elem)`: whether it is new.
pub fn add_new(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::Bool(
        lock(mutable(&a[0])?).put(a[1].clone(), Value::Unit)?.is_none(),
    ))
}

/// `set ++= items`.
pub fn add_all(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    for item in all(cx, &a[1])? {
        lock(mutable(&a[0])?).put(item, Value::Unit)?;
    }
    Ok(a[0].clone())
}

/// `set -= elem`.
pub fn subtract(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    lock(mutable(&a[0])?).remove(&a[1])?;
    Ok(a[0].clone())
}

/// `set.remove(elem)`: whether it was there.
pub fn remove(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::Bool(lock(mutable(&a[0])?).remove(&a[1])?.is_some()))
}
