//! Sets and maps.

use super::super::super::equality::java_eq;
use super::super::super::maps::{MutClass, MutMap};
use super::super::super::object::{Object, SeqClass};
use super::super::super::value::{Eval, Throw, Value};
use super::super::super::view::{all, lock};
use super::super::unsupported;
use super::{Cx, changeable, fixed, fixed_null, map_of, or_missing};
use crate::lang::ty::Ty;
use std::sync::Mutex;

/// A new set or map of a class; a collection or a map to start from makes the table as large as the JDK makes it.
fn table(class: MutClass, size: Option<usize>) -> MutMap {
    let mut made = MutMap::new(class);
    if let Some(n) = size {
        made.reserve((n as f32 / 0.75f32 + 1.0f32) as usize);
    }
    made
}

pub(super) fn filled_set(cx: Cx<'_>, a: &[Value], class: MutClass) -> Eval {
    let items = match a.first() {
        None => Vec::new(),
        Some(Value::Int(n)) => return sized(*n, class).map(|m| Value::obj(Object::MutSet(Mutex::new(m)))),
        Some(v) => all(cx, v)?,
    };
    // The constructor asks for room for all of them, and for 16 at least.
    let mut m = MutMap::new(class);
    m.reserve(((items.len() as f32 / 0.75f32) as usize + 1).max(16));
    for item in items {
        if item.is_null() && class == MutClass::JavaSorted {
            return Err(Throw::null_pointer());
        }
        m.put(item, Value::Unit)?;
    }
    Ok(Value::obj(Object::MutSet(Mutex::new(m))))
}

pub(super) fn sized(n: i32, class: MutClass) -> Eval<MutMap> {
    let Ok(n) = usize::try_from(n) else {
        return Err(Throw::exception(
            "IllegalArgumentException",
            format!("Illegal initial capacity: {n}"),
        ));
    };
    let mut m = MutMap::new(class);
    m.reserve(n);
    Ok(m)
}

/// `new HashSet`.
pub fn hash_set(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    filled_set(cx, a, MutClass::JavaHash)
}

/// `new LinkedHashSet`.
pub fn linked_set(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    filled_set(cx, a, MutClass::JavaLinked)
}

/// `new TreeSet`.
pub fn tree_set(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    filled_set(cx, a, MutClass::JavaSorted)
}

pub(super) fn filled_map(a: &[Value], class: MutClass) -> Eval {
    let m = match a.first() {
        None => MutMap::new(class),
        Some(Value::Int(n)) => sized(*n, class)?,
        Some(v) => {
            let entries = lock(map_of(v)?).in_order()?;
            let mut m = table(class, (!entries.is_empty()).then_some(entries.len()));
            for (k, v) in entries {
                m.put(k, v)?;
            }
            m
        }
    };
    Ok(Value::obj(Object::MutMap(Mutex::new(m))))
}

/// `new HashMap`.
pub fn hash_map(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    filled_map(a, MutClass::JavaHash)
}

/// `new LinkedHashMap`.
pub fn linked_map(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    filled_map(a, MutClass::JavaLinked)
}

/// `new TreeMap`.
pub fn tree_map(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    filled_map(a, MutClass::JavaSorted)
}

/// `Map.of(k, v, …)`: its order changes from run to run.
pub fn map_of_pairs(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let mut m = MutMap::new(MutClass::JavaFixed);
    for kv in a.chunks(2) {
        let [k, v] = kv else { return Err(unsupported(&a[0])) };
        if k.is_null() || v.is_null() {
            return Err(Throw::null_pointer());
        }
        if m.put(k.clone(), v.clone())?.is_some() {
            return Err(Throw::Unsupported("duplicate keys of Map.of".into()));
        }
    }
    Ok(Value::obj(Object::MutMap(Mutex::new(m))))
}

/// `Map.ofEntries(…)`.
pub fn map_of_entries(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let mut flat = Vec::new();
    for e in all(cx, &a[0])? {
        let (k, v) = super::super::pair(&e)?;
        flat.push(k);
        flat.push(v);
    }
    map_of_pairs(cx, &flat, ty)
}

/// `Set.of(…)`.
pub fn set_of_items(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let mut m = MutMap::new(MutClass::JavaFixed);
    for item in all(cx, &a[0])? {
        if item.is_null() {
            return Err(Throw::null_pointer());
        }
        if m.put(item, Value::Unit)?.is_some() {
            return Err(Throw::Unsupported("duplicate elements of Set.of".into()));
        }
    }
    Ok(Value::obj(Object::MutSet(Mutex::new(m))))
}

/// `List.of(…)`.
pub fn list_of(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let items = all(cx, &a[0])?;
    if items.iter().any(Value::is_null) {
        return Err(Throw::null_pointer());
    }
    Ok(Value::seq(SeqClass::JavaFixed, items))
}

/// `map.get(key)`.
pub fn map_get(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let m = map_of(&a[0])?;
    fixed_null(m, &a[1])?;
    Ok(lock(m).get(&a[1])?.unwrap_or_default())
}

/// `getOrDefault`.
pub fn get_or_default(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let m = map_of(&a[0])?;
    fixed_null(m, &a[1])?;
    Ok(lock(m).get(&a[1])?.unwrap_or_else(|| a[2].clone()))
}

/// `containsKey`.
pub fn contains_key(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let m = map_of(&a[0])?;
    fixed_null(m, &a[1])?;
    Ok(Value::Bool(lock(m).get(&a[1])?.is_some()))
}

/// `containsValue`.
pub fn contains_value(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    for (_, v) in lock(map_of(&a[0])?).unordered() {
        if java_eq(&v, &a[1])? {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

/// `put`.
pub fn map_put(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let m = map_of(&a[0])?;
    changeable(m)?;
    fixed_null(m, &a[1])?;
    cx.grow(2 * std::mem::size_of::<Value>())?;
    Ok(lock(m).put(a[1].clone(), a[2].clone())?.unwrap_or_default())
}

/// `putIfAbsent`.
pub fn put_if_absent(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    match map_get(cx, a, ty)? {
        Value::Null => {
            map_put(cx, a, ty)?;
            Ok(Value::Null)
        }
        v => Ok(v),
    }
}

/// `putAll`.
pub fn put_all(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let entries = lock(map_of(&a[1])?).in_order()?;
    for (k, v) in entries {
        map_put(cx, &[a[0].clone(), k, v], ty)?;
    }
    Ok(Value::Unit)
}

/// `map.remove(key)`.
pub fn map_remove(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let m = map_of(&a[0])?;
    changeable(m)?;
    fixed_null(m, &a[1])?;
    Ok(lock(m).remove(&a[1])?.unwrap_or_default())
}

/// `merge(key, value, f)`.
pub fn merge(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    if a[2].is_null() {
        return Err(Throw::null_pointer());
    }
    settle(&a[0])?;
    let new = match map_get(cx, a, ty)? {
        Value::Null => a[2].clone(),
        old => cx.call(&a[3], &[old, a[2].clone()])?,
    };
    store(cx, &a[0], &a[1], &new)?;
    Ok(new)
}

pub(super) fn settle(map: &Value) -> Eval<()> {
    let m = map_of(map)?;
    changeable(m)?;
    lock(m).settle()
}

/// Puts a value, or removes the key where it is null.
pub(super) fn store(cx: Cx<'_>, map: &Value, key: &Value, new: &Value) -> Eval<()> {
    if new.is_null() {
        map_remove(cx, &[map.clone(), key.clone()], &Ty::Any)?;
        return Ok(());
    }
    let m = map_of(map)?;
    fixed_null(m, key)?;
    cx.grow(2 * std::mem::size_of::<Value>())?;
    lock(m).put_front(key.clone(), new.clone())
}

/// `computeIfAbsent(key, f)`.
pub fn compute_if_absent(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    settle(&a[0])?;
    match map_get(cx, a, ty)? {
        Value::Null => {
            let new = cx.call(&a[2], &[a[1].clone()])?;
            if !new.is_null() {
                store(cx, &a[0], &a[1], &new)?;
            }
            Ok(new)
        }
        v => Ok(v),
    }
}

/// `computeIfPresent(key, f)`.
pub fn compute_if_present(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    match map_get(cx, a, ty)? {
        Value::Null => Ok(Value::Null),
        old => {
            let new = cx.call(&a[2], &[a[1].clone(), old])?;
            store(cx, &a[0], &a[1], &new)?;
            Ok(new)
        }
    }
}

/// `compute(key, f)`.
pub fn compute(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    settle(&a[0])?;
    let old = map_get(cx, a, ty)?;
    let new = cx.call(&a[2], &[a[1].clone(), old])?;
    store(cx, &a[0], &a[1], &new)?;
    Ok(new)
}

/// A map's parts for looking at.
pub(super) fn part(v: &Value, of: impl Fn((Value, Value)) -> Value) -> Eval {
    Ok(fixed(lock(map_of(v)?).in_order()?.into_iter().map(of).collect()))
}

/// `keySet`.
pub fn key_set(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    part(&a[0], |e| e.0)
}

/// `values`.
pub fn values(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    part(&a[0], |e| e.1)
}

/// `entrySet`.
pub fn entry_set(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    part(&a[0], |(k, v)| Value::tuple(vec![k, v]))
}

/// `firstKey`, `first`.
pub fn first_key(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    sorted_end(&a[0], true)
}

/// `lastKey`, `last`.
pub fn last_key(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    sorted_end(&a[0], false)
}

pub(super) fn sorted_end(v: &Value, first: bool) -> Eval {
    let Some(Object::MutMap(m) | Object::MutSet(m)) = v.as_obj() else {
        return Err(unsupported(v));
    };
    if lock(m).class != MutClass::JavaSorted {
        return Err(unsupported(v));
    }
    let mut entries = lock(m).in_order()?;
    if !first {
        entries.reverse();
    }
    or_missing(entries.into_iter().next().map(|e| e.0))
}

/// `getKey`.
pub fn entry_key(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    super::super::pair(&a[0]).map(|e| e.0)
}

/// `getValue`.
pub fn entry_value(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    super::super::pair(&a[0]).map(|e| e.1)
}

/// `Map.entry(k, v)`, `new SimpleEntry(k, v)`.
pub fn entry(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::tuple(vec![a[0].clone(), a[1].clone()]))
}
