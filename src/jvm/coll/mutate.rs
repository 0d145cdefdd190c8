//! Buffers and arrays changed in place.

use super::super::object::{BufferClass, Object};
use super::super::table::Context;
use super::super::value::{Eval, Throw, Value};
use super::super::view::{all, lock};
use super::{int, out_of_bounds, unsupported};
use crate::lang::ty::Ty;

type Cx<'a> = &'a mut dyn Context;

fn buffer(v: &Value) -> Eval<&std::sync::Mutex<Vec<Value>>> {
    match v.as_obj() {
        Some(Object::Buffer(_, items)) => Ok(items),
        _ => Err(unsupported(v)),
    }
}

fn java(v: &Value) -> bool {
    matches!(v.as_obj(), Some(Object::Buffer(BufferClass::ArrayList, _)))
}

/// The exception of an index that a buffer does not have.
fn bad_index(v: &Value, i: i32, len: usize) -> Throw {
    match java(v) {
        true => out_of_bounds(format!("Index {i} out of bounds for length {len}")),
        false => out_of_bounds(i),
    }
}

fn new_buffer(cx: Cx<'_>, a: &[Value], class: BufferClass) -> Eval {
    let items = match a.first() {
        Some(Value::Int(_)) | None => Vec::new(),
        Some(v) => all(cx, v)?,
    };
    Ok(Value::obj(Object::Buffer(class, std::sync::Mutex::new(items))))
}

/// `ListBuffer(…)`, `new ListBuffer`.
pub fn list_buffer(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    new_buffer(cx, a, BufferClass::ListBuffer)
}

/// `ArrayBuffer(…)`, `mutable.Buffer(…)`, `new ArrayBuffer`.
pub fn array_buffer(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    new_buffer(cx, a, BufferClass::ArrayBuffer)
}

/// `new java.util.ArrayList`.
pub fn array_list(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    new_buffer(cx, a, BufferClass::ArrayList)
}

/// `+=`: the buffer itself.
pub fn add(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    cx.grow(std::mem::size_of::<Value>())?;
    lock(buffer(&a[0])?).push(a[1].clone());
    Ok(a[0].clone())
}

/// Java's `add(elem)`.
pub fn java_add(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    add(cx, a, ty)?;
    Ok(Value::Bool(true))
}

/// `append(elems*)`.
pub fn append(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let items = all(cx, &a[1])?;
    lock(buffer(&a[0])?).extend(items);
    Ok(Value::Unit)
}

/// `++=`, `appendAll`, Java's `addAll`.
pub fn add_all(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let items = all(cx, &a[1])?;
    cx.grow(items.len() * std::mem::size_of::<Value>())?;
    let any = !items.is_empty();
    lock(buffer(&a[0])?).extend(items);
    Ok(match ty {
        Ty::Unit => Value::Unit,
        Ty::Prim(_) => Value::Bool(any),
        _ => a[0].clone(),
    })
}

/// `+=:`, `prepend`.
pub fn prepend(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    lock(buffer(&a[0])?).insert(0, a[1].clone());
    Ok(a[0].clone())
}

/// `buffer(i) = v`, Java's `set`.
pub fn update(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let i = int(&a[1])?;
    if let Some(Object::Array(items)) = a[0].as_obj() {
        let mut items = lock(items);
        let len = items.len();
        let place = usize::try_from(i).ok().and_then(|i| items.get_mut(i));
        let Some(place) = place else {
            let message = format!("Index {i} out of bounds for length {len}");
            return Err(Throw::exception("ArrayIndexOutOfBoundsException", message));
        };
        *place = a[2].clone();
        return Ok(Value::Unit);
    }
    let mut items = lock(buffer(&a[0])?);
    let len = items.len();
    match usize::try_from(i).ok().and_then(|i| items.get_mut(i)) {
        Some(place) => {
            let old = std::mem::replace(place, a[2].clone());
            Ok(if java(&a[0]) { old } else { Value::Unit })
        }
        None => Err(bad_index(&a[0], i, len)),
    }
}

/// `remove(i)`.
pub fn remove(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let i = int(&a[1])?;
    let mut items = lock(buffer(&a[0])?);
    match usize::try_from(i).ok().filter(|i| *i < items.len()) {
        Some(i) => Ok(items.remove(i)),
        None => Err(bad_index(&a[0], i, items.len())),
    }
}

/// `insert(i, elem)`, Java's `add(i, elem)`.
pub fn insert(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let i = int(&a[1])?;
    let new = match java(&a[0]) {
        true => vec![a[2].clone()],
        false => all(cx, &a[2])?,
    };
    let mut items = lock(buffer(&a[0])?);
    match usize::try_from(i).ok().filter(|i| *i <= items.len()) {
        Some(i) => {
            items.splice(i..i, new);
            Ok(Value::Unit)
        }
        None if java(&a[0]) => Err(out_of_bounds(format!("Index: {i}, Size: {}", items.len()))),
        None => Err(out_of_bounds(i)),
    }
}

/// `-=`: the first equal element goes.
pub fn subtract(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let mut items = lock(buffer(&a[0])?);
    for i in 0..items.len() {
        if super::super::equality::scala_eq(&items[i], &a[1])? {
            items.remove(i);
            break;
        }
    }
    Ok(a[0].clone())
}

/// `clear()`.
pub fn clear(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    lock(buffer(&a[0])?).clear();
    Ok(Value::Unit)
}

/// `result()`: a list of what was added.
pub fn result(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::list(lock(buffer(&a[0])?).clone()))
}

/// `Collections.sort(list)`, `list.sort(null)`.
pub fn java_sort(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let cell = buffer(&a[0])?;
    let items = lock(cell).clone();
    let sorted = super::super::order::sort(items, &mut |x, y| super::super::order::compare(x, y))?;
    *lock(cell) = sorted;
    Ok(Value::Unit)
}

/// `Collections.reverse(list)`.
pub fn java_reverse(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    lock(buffer(&a[0])?).reverse();
    Ok(Value::Unit)
}
