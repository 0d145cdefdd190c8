//! Deques and queues: the front is the first element.

use super::super::super::value::{Eval, Throw, Value};
use super::super::super::view::lock;
use super::{Cx, buffer, list};
use crate::lang::ty::Ty;

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

pub(super) fn end(v: &Value, first: bool, takes: bool) -> Eval<Option<Value>> {
    let mut items = lock(buffer(v)?);
    if items.is_empty() {
        return Ok(None);
    }
    let at = if first { 0 } else { items.len() - 1 };
    Ok(Some(if takes { items.remove(at) } else { items[at].clone() }))
}

pub(super) fn or_missing(v: Option<Value>) -> Eval {
    v.ok_or_else(|| super::super::super::args::bare_exception("NoSuchElementException"))
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
