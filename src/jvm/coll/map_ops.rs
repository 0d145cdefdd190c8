//! Maps, immutable and mutable.

use super::super::apply;
use super::super::maps::{ImMap, MutClass, MutMap};
use super::super::object::{NativeFn, Object, SeqClass};
use super::super::table::Context;
use super::super::value::{Eval, Throw, Value};
use super::super::view::{all, lock};
use super::{entries, holds, pair, unsupported};
use crate::lang::ty::Ty;

type Cx<'a> = &'a mut dyn Context;

fn immutable(v: &Value) -> Eval<&ImMap> {
    match v.as_obj() {
        Some(Object::Map(m)) => Ok(m),
        _ => Err(unsupported(v)),
    }
}

fn mutable(v: &Value) -> Eval<&std::sync::Mutex<MutMap>> {
    match v.as_obj() {
        Some(Object::MutMap(m)) => Ok(m),
        _ => Err(unsupported(v)),
    }
}

fn made(map: ImMap) -> Value {
    Value::obj(Object::Map(map))
}

/// The value of a key in either kind.
pub fn lookup(map: &Value, key: &Value) -> Eval<Option<Value>> {
    match map.as_obj() {
        Some(Object::Map(m)) => Ok(m.get(key)?.cloned()),
        Some(Object::MutMap(m)) => lock(m).get(key),
        _ => Err(unsupported(map)),
    }
}

/// Entries in order, of either kind.
pub fn ordered(map: &Value) -> Eval<Vec<(Value, Value)>> {
    match map.as_obj() {
        Some(Object::Map(m)) => Ok(m.in_order()?.to_vec()),
        Some(Object::MutMap(m)) => lock(m).in_order(),
        _ => Err(unsupported(map)),
    }
}

/// `apply(key)`.
pub fn apply_key(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    apply::apply(cx, &a[0], &a[1..])
}

/// `get(key)`.
pub fn get(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::option(lookup(&a[0], &a[1])?))
}

/// Java's `get(key)`: null if there is none.
pub fn java_get(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(lookup(&a[0], &a[1])?.unwrap_or_default())
}

/// Java's `getOrDefault`.
pub fn java_get_or(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(lookup(&a[0], &a[1])?.unwrap_or_else(|| a[2].clone()))
}

/// `getOrElse(key, default)`.
pub fn get_or_else(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match lookup(&a[0], &a[1])? {
        Some(v) => Ok(v),
        None => cx.call(&a[2], &[]),
    }
}

/// `contains(key)`.
pub fn contains(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::Bool(lookup(&a[0], &a[1])?.is_some()))
}

/// `+ (k -> v)`.
pub fn plus(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let (k, v) = pair(&a[1])?;
    Ok(made(immutable(&a[0])?.with(k, v)?))
}

/// `updated(k, v)`.
pub fn updated(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(made(immutable(&a[0])?.with(a[1].clone(), a[2].clone())?))
}

/// `++ entries`.
pub fn plus_all(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let mut map = immutable(&a[0])?.clone();
    for item in all(cx, &a[1])? {
        let (k, v) = pair(&item)?;
        cx.step(1)?;
        map = map.with(k, v)?;
    }
    Ok(made(map))
}

/// `- key`.
pub fn minus(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(made(immutable(&a[0])?.without(&a[1])?))
}

/// `-- keys`.
pub fn minus_all(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let mut map = immutable(&a[0])?.clone();
    for key in all(cx, &a[1])? {
        map = map.without(&key)?;
    }
    Ok(made(map))
}

/// `keySet`.
pub fn key_set(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match a[0].as_obj() {
        Some(Object::Map(m)) => Ok(Value::obj(Object::Set(m.key_set()))),
        _ => Ok(Value::set(ordered(&a[0])?.into_iter().map(|e| e.0).collect())),
    }
}

/// `keys`, walked in the map's order.
pub fn keys(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    match a[0].as_obj() {
        Some(Object::Map(_)) => key_set(cx, a, ty),
        _ => Ok(Value::list(ordered(&a[0])?.into_iter().map(|e| e.0).collect())),
    }
}

/// `values`.
pub fn values(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let items = ordered(&a[0])?.into_iter().map(|e| e.1).collect();
    Ok(Value::seq(SeqClass::MapValues, items))
}

/// `keysIterator`.
pub fn keys_iterator(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(super::iter::of_vec(ordered(&a[0])?.into_iter().map(|e| e.0).collect()))
}

/// `valuesIterator`.
pub fn values_iterator(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(super::iter::of_vec(ordered(&a[0])?.into_iter().map(|e| e.1).collect()))
}

/// `mapValues(f)`: Scala 2.12 asks `f` at every look-up, which shows only through side effects and exceptions of values that
/// are never looked up; both are refused by asking at once and passing exceptions on as refusals.
pub fn map_values(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let map = immutable(&a[0])?;
    let mut out = Vec::new();
    for (_, v) in map.entries() {
        match cx.call(&a[1], std::slice::from_ref(v)) {
            Ok(v) => out.push(v),
            Err(Throw::Exception(_)) => {
                return Err(Throw::Unsupported("a function given to mapValues that throws".into()));
            }
            Err(other) => return Err(other),
        }
    }
    Ok(made(map.with_values(out)))
}

/// `filterKeys(p)`.
pub fn filter_keys(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let map = immutable(&a[0])?;
    let mut keep = Vec::new();
    for (k, _) in map.entries() {
        keep.push(holds(cx, &a[1], k)?);
    }
    Ok(made(map.keeping(&keep)))
}

/// `withDefaultValue(v)` of an immutable map.
pub fn with_default_value(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let mut map = immutable(&a[0])?.clone();
    map.default = Some((a[1].clone(), false));
    Ok(made(map))
}

/// `withDefault(f)`.
pub fn with_default(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let mut map = immutable(&a[0])?.clone();
    map.default = Some((a[1].clone(), true));
    Ok(made(map))
}

/// `lift`, `get` as a function.
pub fn lift(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let map = a[0].clone();
    Ok(Value::obj(Object::Native(NativeFn(std::sync::Arc::new(
        move |_, args| Ok(Value::option(lookup(&map, &args[0])?)),
    )))))
}

/// `Map(…)`, `Map.empty`, from a sequence of pairs.
pub fn of_pairs(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let items = match a.first() {
        Some(v) => all(cx, v)?,
        None => Vec::new(),
    };
    Ok(Value::map(entries(&items)?))
}

/// `ListMap(…)`: as inserted.
pub fn list_map(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let mut map = ImMap::ordered(Vec::new());
    for item in all(cx, &a[0])? {
        let (k, v) = pair(&item)?;
        // A key that is added again moves to the end.
        map = map.without(&k)?.with(k, v)?;
    }
    Ok(made(map))
}

fn new_mutable(cx: Cx<'_>, a: &[Value], class: MutClass) -> Eval {
    let mut map = MutMap::new(class);
    if let Some(source) = a.first() {
        for item in all(cx, source)? {
            let (k, v) = pair(&item)?;
            map.put(k, v)?;
        }
    }
    Ok(Value::obj(Object::MutMap(std::sync::Mutex::new(map))))
}

/// `mutable.Map(…)`, `mutable.HashMap(…)`.
pub fn mutable_map(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    new_mutable(cx, a, MutClass::ScalaHash)
}

/// `mutable.LinkedHashMap(…)`, `new java.util.LinkedHashMap`.
pub fn linked_map(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    new_mutable(cx, a, MutClass::Linked)
}

/// `new java.util.HashMap`.
pub fn java_map(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    new_mutable(cx, a, MutClass::JavaHash)
}

/// `map(k) = v`, `update`, Java's `put` without its result.
pub fn update(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    cx.grow(2 * std::mem::size_of::<Value>())?;
    lock(mutable(&a[0])?).put(a[1].clone(), a[2].clone())?;
    Ok(Value::Unit)
}

/// Scala's `put`: the old value, if any.
pub fn put(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::option(lock(mutable(&a[0])?).put(a[1].clone(), a[2].clone())?))
}

/// Java's `put`: the old value or null.
pub fn java_put(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(lock(mutable(&a[0])?)
        .put(a[1].clone(), a[2].clone())?
        .unwrap_or_default())
}

/// Java's `putIfAbsent`.
pub fn java_put_if_absent(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let mut map = lock(mutable(&a[0])?);
    match map.get(&a[1])? {
        Some(v) if !v.is_null() => Ok(v),
        _ => {
            map.put(a[1].clone(), a[2].clone())?;
            Ok(Value::Null)
        }
    }
}

/// Java's `merge(key, value, f)`.
pub fn java_merge(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let old = lock(mutable(&a[0])?).get(&a[1])?.filter(|v| !v.is_null());
    let new = match old {
        Some(old) => cx.call(&a[3], &[old, a[2].clone()])?,
        None => a[2].clone(),
    };
    lock(mutable(&a[0])?).put(a[1].clone(), new.clone())?;
    Ok(new)
}

/// `map += (k -> v)`.
pub fn add(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let (k, v) = pair(&a[1])?;
    lock(mutable(&a[0])?).put(k, v)?;
    Ok(a[0].clone())
}

/// `map ++= entries`.
pub fn add_all(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    for item in all(cx, &a[1])? {
        let (k, v) = pair(&item)?;
        lock(mutable(&a[0])?).put(k, v)?;
    }
    Ok(a[0].clone())
}

/// `map -= key`.
pub fn subtract(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    lock(mutable(&a[0])?).remove(&a[1])?;
    Ok(a[0].clone())
}

/// Scala's `remove(key)`.
pub fn remove(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::option(lock(mutable(&a[0])?).remove(&a[1])?))
}

/// `getOrElseUpdate(key, default)`.
pub fn get_or_else_update(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    if let Some(v) = lookup(&a[0], &a[1])? {
        return Ok(v);
    }
    let v = cx.call(&a[2], &[])?;
    lock(mutable(&a[0])?).put(a[1].clone(), v.clone())?;
    Ok(v)
}

/// `clear()`.
pub fn clear(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    lock(mutable(&a[0])?).clear();
    Ok(Value::Unit)
}

/// `withDefaultValue` of a mutable map: a map of its own over the same entries is refused, so this one gets the default.
pub fn mutable_with_default_value(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    lock(mutable(&a[0])?).default = Some((a[1].clone(), false));
    Ok(a[0].clone())
}

/// `toMap` of a mutable map.
pub fn to_map(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match a[0].as_obj() {
        Some(Object::MutMap(_)) => Ok(Value::map(ordered(&a[0])?)),
        _ => Ok(a[0].clone()),
    }
}
