//! Lists, sets, maps, deques and optionals of `java.util`. In: receiver and arguments as values; out: what JDK 17 gives, with its
//! exceptions. A view of a map (`keySet`, `entrySet`) is a copy that cannot be changed.

use std::sync::Mutex;

use super::super::equality::java_eq;
use super::super::maps::{MutClass, MutMap};
use super::super::object::{BufferClass, Object, Other, SeqClass};
use super::super::order;
use super::super::show;
use super::super::table::Context;
use super::super::text::JStr;
use super::super::value::{Eval, Throw, Value};
use super::super::view::{View, all, lock};
use super::access::java_contains;
use super::{holds, int, no_such_element, unsupported};
use crate::lang::ty::Ty;

type Cx<'a> = &'a mut dyn Context;

fn buffer(v: &Value) -> Eval<&Mutex<Vec<Value>>> {
    match v.as_obj() {
        Some(Object::Buffer(BufferClass::ArrayList, items)) => Ok(items),
        Some(Object::Seq(SeqClass::JavaFixed, _)) => {
            Err(super::super::args::bare_exception("UnsupportedOperationException"))
        }
        Some(Object::Buffer(..) | Object::Seq(SeqClass::JavaList, _)) => Err(Throw::Unsupported(
            "changing a list of fixed size, or a view, is not covered".into(),
        )),
        _ => Err(unsupported(v)),
    }
}

fn set_of(v: &Value) -> Eval<&Mutex<MutMap>> {
    match v.as_obj() {
        Some(Object::MutSet(m)) => Ok(m),
        _ => Err(unsupported(v)),
    }
}

fn map_of(v: &Value) -> Eval<&Mutex<MutMap>> {
    match v.as_obj() {
        Some(Object::MutMap(m)) => Ok(m),
        _ => Err(unsupported(v)),
    }
}

fn list(items: Vec<Value>) -> Value {
    Value::obj(Object::Buffer(BufferClass::ArrayList, Mutex::new(items)))
}

/// A list that cannot change.
pub fn fixed(items: Vec<Value>) -> Value {
    Value::seq(SeqClass::JavaList, items)
}

fn out_of_bounds(i: i32, len: usize) -> Throw {
    Throw::exception(
        "IndexOutOfBoundsException",
        format!("Index {i} out of bounds for length {len}"),
    )
}

/// A list that is only looked at, whose indices are checked as those of an `ArrayList`.
pub fn looked_at(items: Vec<Value>) -> Value {
    Value::obj(Object::Buffer(BufferClass::Other, Mutex::new(items)))
}

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

fn position(a: &[Value], last: bool) -> Eval {
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
fn fixed_null(m: &Mutex<MutMap>, key: &Value) -> Eval<()> {
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

fn changeable(m: &Mutex<MutMap>) -> Eval<()> {
    match lock(m).class {
        MutClass::JavaFixed => Err(super::super::args::bare_exception("UnsupportedOperationException")),
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
fn drop_where(cx: Cx<'_>, collection: &Value, gone: &mut dyn FnMut(Cx<'_>, &Value) -> Eval<bool>) -> Eval {
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

// Deques: the front is the first element.

/// `push`, `addFirst`, `offerFirst`.
pub fn add_first(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    if a[1].is_null() {
        return Err(Throw::null_pointer());
    }
    cx.grow(std::mem::size_of::<Value>())?;
    lock(buffer(&a[0])?).insert(0, a[1].clone());
    Ok(if *ty == Ty::Unit {
        Value::Unit
    } else {
        Value::Bool(true)
    })
}

/// `add`, `addLast`, `offer`.
pub fn add_last(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    if a[1].is_null() {
        return Err(Throw::null_pointer());
    }
    cx.grow(std::mem::size_of::<Value>())?;
    lock(buffer(&a[0])?).push(a[1].clone());
    Ok(if *ty == Ty::Unit {
        Value::Unit
    } else {
        Value::Bool(true)
    })
}

fn end(v: &Value, first: bool, takes: bool) -> Eval<Option<Value>> {
    let mut items = lock(buffer(v)?);
    if items.is_empty() {
        return Ok(None);
    }
    let at = if first { 0 } else { items.len() - 1 };
    Ok(Some(if takes { items.remove(at) } else { items[at].clone() }))
}

fn or_missing(v: Option<Value>) -> Eval {
    v.ok_or_else(|| super::super::args::bare_exception("NoSuchElementException"))
}

/// `pop`, `remove`, `removeFirst`.
pub fn take_first(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    or_missing(end(&a[0], true, true)?)
}

/// `removeLast`.
pub fn take_last(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    or_missing(end(&a[0], false, true)?)
}

/// `getFirst`, `element`.
pub fn see_first(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    or_missing(end(&a[0], true, false)?)
}

/// `getLast`.
pub fn see_last(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    or_missing(end(&a[0], false, false)?)
}

/// `poll`, `pollFirst`.
pub fn poll_first(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(end(&a[0], true, true)?.unwrap_or_default())
}

/// `pollLast`.
pub fn poll_last(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(end(&a[0], false, true)?.unwrap_or_default())
}

/// `peek`, `peekFirst`.
pub fn peek_first(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(end(&a[0], true, false)?.unwrap_or_default())
}

/// `peekLast`.
pub fn peek_last(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(end(&a[0], false, false)?.unwrap_or_default())
}

/// An empty deque.
pub fn deque(_: Cx<'_>, _: &[Value], _: &Ty) -> Eval {
    Ok(list(Vec::new()))
}

// Sets and maps.

/// A new set or map of a class; a collection or a map to start from makes the table as large as the JDK makes it.
fn table(class: MutClass, size: Option<usize>) -> MutMap {
    let mut made = MutMap::new(class);
    if let Some(n) = size {
        made.reserve((n as f32 / 0.75f32 + 1.0f32) as usize);
    }
    made
}

fn filled_set(cx: Cx<'_>, a: &[Value], class: MutClass) -> Eval {
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

fn sized(n: i32, class: MutClass) -> Eval<MutMap> {
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

fn filled_map(a: &[Value], class: MutClass) -> Eval {
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
        let (k, v) = super::pair(&e)?;
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

fn settle(map: &Value) -> Eval<()> {
    let m = map_of(map)?;
    changeable(m)?;
    lock(m).settle()
}

/// Puts a value, or removes the key where it is null.
fn store(cx: Cx<'_>, map: &Value, key: &Value, new: &Value) -> Eval<()> {
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
fn part(v: &Value, of: impl Fn((Value, Value)) -> Value) -> Eval {
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

fn sorted_end(v: &Value, first: bool) -> Eval {
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
    super::pair(&a[0]).map(|e| e.0)
}

/// `getValue`.
pub fn entry_value(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    super::pair(&a[0]).map(|e| e.1)
}

/// `Map.entry(k, v)`, `new SimpleEntry(k, v)`.
pub fn entry(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::tuple(vec![a[0].clone(), a[1].clone()]))
}

// Iterators.

#[derive(Debug)]
struct State {
    at: usize,
    last: Option<usize>,
    expected: usize,
}

/// An iterator that notices when its list or its set changes its size.
#[derive(Debug)]
pub struct JavaIterator {
    of: Value,
    snapshot: Option<Vec<Value>>,
    state: Mutex<State>,
}

impl Other for JavaIterator {
    fn class_name(&self) -> &'static str {
        "Iterator"
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

fn size_of(v: &Value) -> Eval<usize> {
    Ok(match v.as_obj() {
        Some(Object::MutSet(m)) => lock(m).len(),
        _ => View::of(v)?.len(),
    })
}

/// `iterator()`.
pub fn iterator(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let snapshot = match a[0].as_obj() {
        Some(Object::MutSet(m)) => Some(lock(m).in_order()?.into_iter().map(|e| e.0).collect()),
        _ => None,
    };
    let state = Mutex::new(State {
        at: 0,
        last: None,
        expected: size_of(&a[0])?,
    });
    Ok(Value::obj(Object::Other(Box::new(JavaIterator {
        of: a[0].clone(),
        snapshot,
        state,
    }))))
}

fn walking(v: &Value) -> Eval<&JavaIterator> {
    match v.as_obj() {
        Some(Object::Other(o)) => o.as_any().downcast_ref().ok_or_else(|| unsupported(v)),
        _ => Err(unsupported(v)),
    }
}

/// `hasNext()`.
pub fn has_next(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let it = walking(&a[0])?;
    let len = it.snapshot.as_ref().map_or(size_of(&it.of)?, Vec::len);
    Ok(Value::Bool(lock(&it.state).at != len))
}

/// `next()`.
pub fn next(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    cx.step(1)?;
    let it = walking(&a[0])?;
    let mut state = lock(&it.state);
    if size_of(&it.of)? != state.expected {
        return Err(super::super::args::bare_exception("ConcurrentModificationException"));
    }
    let item = match &it.snapshot {
        Some(items) => items.get(state.at).cloned(),
        None => View::of(&it.of)?.get(state.at),
    };
    match item {
        Some(v) => {
            state.last = Some(state.at);
            state.at += 1;
            Ok(v)
        }
        None => Err(super::super::args::bare_exception("NoSuchElementException")),
    }
}

/// `remove()` of a list's iterator.
pub fn iterator_remove(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let it = walking(&a[0])?;
    let mut state = lock(&it.state);
    let Some(last) = state.last.take() else {
        return Err(super::super::args::bare_exception("IllegalStateException"));
    };
    let mut items = lock(buffer(&it.of)?);
    if items.len() != state.expected {
        return Err(super::super::args::bare_exception("ConcurrentModificationException"));
    }
    items.remove(last);
    state.at = last;
    state.expected = items.len();
    Ok(Value::Unit)
}

// Optionals.

fn content(v: &Value) -> Eval<Option<Value>> {
    match v.as_obj() {
        Some(Object::Some(x)) => Ok(Some(x.clone())),
        Some(Object::None) => Ok(None),
        _ => Err(unsupported(v)),
    }
}

/// `get`, `orElseThrow()`, `getAsInt`.
pub fn optional_get(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    content(&a[0])?.ok_or_else(|| no_such_element("No value present"))
}

/// `orElse`.
pub fn or_else(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(content(&a[0])?.unwrap_or_else(|| a[1].clone()))
}

/// `orElseGet`.
pub fn or_else_get(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match content(&a[0])? {
        Some(v) => Ok(v),
        None => cx.call(&a[1], &[]),
    }
}

/// `orElseThrow(supplier)`.
pub fn or_else_throw(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match content(&a[0])? {
        Some(v) => Ok(v),
        None => match cx.call(&a[1], &[])?.as_obj() {
            Some(Object::Exception(e)) => Err(Throw::Exception(e.clone())),
            _ => Err(unsupported(&a[1])),
        },
    }
}

/// `map`: a null result is nothing.
pub fn optional_map(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match content(&a[0])? {
        Some(v) => {
            let made = cx.call(&a[1], &[v])?;
            Ok(Value::option((!made.is_null()).then_some(made)))
        }
        None => Ok(Value::none()),
    }
}

/// `flatMap`.
pub fn optional_flat_map(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match content(&a[0])? {
        Some(v) => match cx.call(&a[1], &[v])? {
            Value::Null => Err(Throw::null_pointer()),
            made => Ok(made),
        },
        None => Ok(Value::none()),
    }
}

/// `filter`.
pub fn optional_filter(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match content(&a[0])? {
        Some(v) if holds(cx, &a[1], &v)? => Ok(a[0].clone()),
        _ => Ok(Value::none()),
    }
}

/// `ifPresent`.
pub fn if_present(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    if let Some(v) = content(&a[0])? {
        cx.call(&a[1], &[v])?;
    }
    Ok(Value::Unit)
}

// Static helpers.

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
    let sep = super::super::args::string(&a[0])?.units().into_owned();
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
            v => super::super::hash::java_hash(v).unwrap_or(0),
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
