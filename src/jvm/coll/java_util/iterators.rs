//! Iterators, which notice when what they walk over changes its size.

use super::super::super::object::{Object, Other};
use super::super::super::value::{Eval, Value};
use super::super::super::view::{View, lock};
use super::super::unsupported;
use super::{Cx, buffer};
use crate::lang::ty::Ty;
use std::sync::Mutex;

#[derive(Debug)]
struct State {
    at: usize,
    last: Option<usize>,
    expected: usize,
}

impl Other for JavaIterator {
    fn class_name(&self) -> &'static str {
        "Iterator"
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

/// An iterator that notices when its list or its set changes its size.
#[derive(Debug)]
pub struct JavaIterator {
    of: Value,
    snapshot: Option<Vec<Value>>,
    state: Mutex<State>,
}

pub(super) fn size_of(v: &Value) -> Eval<usize> {
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

pub(super) fn walking(v: &Value) -> Eval<&JavaIterator> {
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
        return Err(super::super::super::args::bare_exception(
            "ConcurrentModificationException",
        ));
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
        None => Err(super::super::super::args::bare_exception("NoSuchElementException")),
    }
}

/// `remove()` of a list's iterator.
pub fn iterator_remove(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let it = walking(&a[0])?;
    let mut state = lock(&it.state);
    let Some(last) = state.last.take() else {
        return Err(super::super::super::args::bare_exception("IllegalStateException"));
    };
    let mut items = lock(buffer(&it.of)?);
    if items.len() != state.expected {
        return Err(super::super::super::args::bare_exception(
            "ConcurrentModificationException",
        ));
    }
    items.remove(last);
    state.at = last;
    state.expected = items.len();
    Ok(Value::Unit)
}
