//! Lists, and what every collection does.

use super::super::super::equality::java_eq;
use super::super::super::maps::{MutClass, MutMap};
use super::super::super::object::{Object, SeqClass};
use super::super::super::order;
use super::super::super::value::{Eval, Throw, Value};
use super::super::super::view::{View, all, lock};
use super::super::access::java_contains;
use super::super::{holds, int};
use super::{Cx, buffer, list, looked_at, map_of, out_of_bounds, set_of};
use crate::lang::ty::Ty;
use std::sync::Mutex;

/// `list.get(i)`; short lists of `List.of` have another exception than those of `Arrays.asList`.
pub fn get(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let i = int(&a[1])?;
    let view = View::of(&a[0])?;
    if let Some(v) = usize::try_from(i).ok().and_then(|i| view.get(i)) {
        return Ok(v);
    }
    match a[0].as_obj() {
        Some(Object::Seq(SeqClass::JavaFixed, items)) if matches!(items.len(), 1 | 2) => {
            Err(out_of_bounds(i, items.len()))
        }
        Some(Object::Seq(SeqClass::JavaList | SeqClass::JavaFixed, items)) => Err(Throw::exception(
            "ArrayIndexOutOfBoundsException",
            format!("Index {i} out of bounds for length {}", items.len()),
        )),
        _ => Err(out_of_bounds(i, view.len())),
    }
}

/// `list.add(element)`.
pub fn list_add(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    cx.grow(std::mem::size_of::<Value>())?;
    lock(buffer(&a[0])?).push(a[1].clone());
    Ok(Value::Bool(true))
}

/// `list.add(i, element)`.
pub fn list_insert(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let i = int(&a[1])?;
    cx.grow(std::mem::size_of::<Value>())?;
    let mut items = lock(buffer(&a[0])?);
    match usize::try_from(i).ok().filter(|i| *i <= items.len()) {
        Some(i) => items.insert(i, a[2].clone()),
        None => {
            let message = format!("Index: {i}, Size: {}", items.len());
            return Err(Throw::exception("IndexOutOfBoundsException", message));
        }
    }
    Ok(Value::Unit)
}

/// `list.set(i, element)`: the old one.
pub fn list_set(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let i = int(&a[1])?;
    let mut items = lock(buffer(&a[0])?);
    let len = items.len();
    match usize::try_from(i).ok().and_then(|i| items.get_mut(i)) {
        Some(place) => Ok(std::mem::replace(place, a[2].clone())),
        None => Err(out_of_bounds(i, len)),
    }
}

/// `list.remove(i)`.
pub fn remove_at(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let i = int(&a[1])?;
    let mut items = lock(buffer(&a[0])?);
    match usize::try_from(i).ok().filter(|i| *i < items.len()) {
        Some(i) => Ok(items.remove(i)),
        None => Err(out_of_bounds(i, items.len())),
    }
}

/// `list.remove(element)`, `set.remove(element)`.
pub fn remove(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    if let Some(Object::MutSet(m)) = a[0].as_obj() {
        return Ok(Value::Bool(lock(m).remove(&a[1])?.is_some()));
    }
    let mut items = lock(buffer(&a[0])?);
    for i in 0..items.len() {
        if java_eq(&items[i], &a[1])? {
            items.remove(i);
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

pub(super) fn position(a: &[Value], last: bool) -> Eval {
    let items = View::of(&a[0])?.to_vec();
    let mut found = -1;
    for (i, item) in items.iter().enumerate() {
        if java_eq(item, &a[1])? {
            found = i as i32;
            if !last {
                break;
            }
        }
    }
    Ok(Value::Int(found))
}

/// `indexOf`.
pub fn index_of(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    position(a, false)
}

/// `lastIndexOf`.
pub fn last_index_of(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    position(a, true)
}

/// `subList(from, to)`, as a copy that cannot change.
pub fn sub_list(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let (from, to) = (int(&a[1])?, int(&a[2])?);
    let items = View::of(&a[0])?.to_vec();
    if from < 0 {
        return Err(Throw::exception(
            "IndexOutOfBoundsException",
            format!("fromIndex = {from}"),
        ));
    }
    if to > items.len() as i32 {
        return Err(Throw::exception("IndexOutOfBoundsException", format!("toIndex = {to}")));
    }
    if from > to {
        let message = format!("fromIndex({from}) > toIndex({to})");
        return Err(Throw::exception("IllegalArgumentException", message));
    }
    Ok(looked_at(items[from as usize..to as usize].to_vec()))
}

/// `collection.contains(element)`; what a fixed collection does with null depends on who made it.
pub fn contains(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    match a[0].as_obj() {
        Some(Object::MutSet(m)) => {
            fixed_null(m, &a[1])?;
            Ok(Value::Bool(lock(m).get(&a[1])?.is_some()))
        }
        Some(Object::Seq(SeqClass::JavaFixed, _)) if a[1].is_null() => Err(Throw::null_pointer()),
        _ => java_contains(cx, a, ty),
    }
}

/// `Map.of` and `Set.of` refuse null also where it is only looked for.
pub(super) fn fixed_null(m: &Mutex<MutMap>, key: &Value) -> Eval<()> {
    if key.is_null() && matches!(lock(m).class, MutClass::JavaFixed | MutClass::JavaSorted) {
        return Err(Throw::null_pointer());
    }
    Ok(())
}

/// `collection.add(element)` of a set.
pub fn set_add(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let m = set_of(&a[0])?;
    changeable(m)?;
    fixed_null(m, &a[1])?;
    cx.grow(2 * std::mem::size_of::<Value>())?;
    let mut m = lock(m);
    if m.get(&a[1])?.is_some() {
        return Ok(Value::Bool(false));
    }
    m.put(a[1].clone(), Value::Unit)?;
    Ok(Value::Bool(true))
}

pub(super) fn changeable(m: &Mutex<MutMap>) -> Eval<()> {
    match lock(m).class {
        MutClass::JavaFixed => Err(super::super::super::args::bare_exception(
            "UnsupportedOperationException",
        )),
        _ => Ok(()),
    }
}

/// `set.addAll(collection)`.
pub fn set_add_all(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let mut changed = false;
    for item in all(cx, &a[1])? {
        changed |= matches!(set_add(cx, &[a[0].clone(), item], ty)?, Value::Bool(true));
    }
    Ok(Value::Bool(changed))
}

/// `retainAll`, `removeAll` of a set or a list.
pub fn keep_all(cx: Cx<'_>, a: &[Value], keep: bool) -> Eval {
    drop_where(cx, &a[0], &mut |cx, item| {
        let inside = contains(cx, &[a[1].clone(), item.clone()], &Ty::BOOLEAN)?;
        Ok(matches!(inside, Value::Bool(true)) != keep)
    })
}

/// Removes the elements of a set or a list for which `gone` holds; whether there were any.
pub(super) fn drop_where(cx: Cx<'_>, collection: &Value, gone: &mut dyn FnMut(Cx<'_>, &Value) -> Eval<bool>) -> Eval {
    let (mut dropped, mut kept) = (Vec::new(), Vec::new());
    for item in View::of(collection)?.to_vec() {
        if gone(cx, &item)? {
            dropped.push(item)
        } else {
            kept.push(item)
        }
    }
    let changed = !dropped.is_empty();
    match collection.as_obj() {
        Some(Object::MutSet(m)) => {
            changeable(m)?;
            let mut m = lock(m);
            for item in dropped {
                m.remove(&item)?;
            }
        }
        _ => *lock(buffer(collection)?) = kept,
    }
    Ok(Value::Bool(changed))
}

/// `containsAll`.
pub fn contains_all(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    for item in all(cx, &a[1])? {
        if !matches!(contains(cx, &[a[0].clone(), item], &Ty::BOOLEAN)?, Value::Bool(true)) {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}

/// `removeIf`.
pub fn remove_if(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    drop_where(cx, &a[0], &mut |cx, item| holds(cx, &a[1], item))
}

/// `clear()`.
pub fn clear(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match a[0].as_obj() {
        Some(Object::MutSet(m) | Object::MutMap(m)) => {
            changeable(m)?;
            lock(m).clear();
        }
        _ => lock(buffer(&a[0])?).clear(),
    }
    Ok(Value::Unit)
}

/// `forEach` of a collection.
pub fn for_each(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    for item in View::of(&a[0])?.to_vec() {
        cx.step(1)?;
        cx.call(&a[1], &[item])?;
    }
    Ok(Value::Unit)
}

/// `forEach` of a map.
pub fn map_for_each(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let entries = lock(map_of(&a[0])?).in_order()?;
    for (k, v) in entries {
        cx.step(1)?;
        cx.call(&a[1], &[k, v])?;
    }
    Ok(Value::Unit)
}

/// `list.sort(comparator)`, `Collections.sort(list, comparator)`; null sorts by the natural order.
pub fn sort(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let cell = buffer(&a[0])?;
    let items = lock(cell).clone();
    let sorted = sorted(cx, items, a.get(1))?;
    *lock(cell) = sorted;
    Ok(Value::Unit)
}

/// Elements in the order of a comparator, else in their own.
pub fn sorted(cx: Cx<'_>, items: Vec<Value>, by: Option<&Value>) -> Eval<Vec<Value>> {
    cx.step(items.len() as u64 * 8)?;
    match by.filter(|c| !c.is_null()) {
        Some(c) => order::sort(items, &mut |x, y| ask(cx, c, x, y)),
        None => order::sort(items, &mut |x, y| order::compare(x, y)),
    }
}

/// What a comparator says.
pub fn ask(cx: Cx<'_>, comparator: &Value, x: &Value, y: &Value) -> Eval<std::cmp::Ordering> {
    match cx.call(comparator, &[x.clone(), y.clone()])? {
        Value::Int(n) => Ok(n.cmp(&0)),
        _ => Err(Throw::Unsupported("a comparator that gives no int".into())),
    }
}

/// `toArray`.
pub fn to_array(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::array(all(cx, &a[0])?))
}

/// `new ArrayList<>(collection)`, `List.copyOf` aside.
pub fn list_copy(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(list(all(cx, &a[0])?))
}

/// `list.addAll(collection)`.
pub fn list_add_all(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let items = all(cx, &a[1])?;
    cx.grow(items.len() * std::mem::size_of::<Value>())?;
    let any = !items.is_empty();
    lock(buffer(&a[0])?).extend(items);
    Ok(Value::Bool(any))
}
