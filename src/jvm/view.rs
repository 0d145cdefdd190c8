//! One way to walk whatever holds elements: sequences, ranges, arrays, buffers, strings, sets, maps, options, iterators.
//! In: a value; out: its elements one by one. Arrays and buffers are read in place, so that changes made while walking show.

use std::sync::{Arc, Mutex, MutexGuard};

use super::object::{Object, Range, SeqClass};
use super::table::Context;
use super::text::JStr;
use super::value::{Eval, Throw, Value};

/// Indexed access to the elements of a value.
#[derive(Debug, Clone)]
pub enum View {
    /// `Object::Seq`.
    Seq(Arc<Object>),
    /// An array or a buffer.
    Array(Arc<Object>),
    /// A range.
    Range(Range),
    /// The characters of a string.
    Text(JStr),
    /// Elements taken out of a set, a map or an option.
    Owned(Vec<Value>),
}

/// Locks a value's contents; a poisoned lock only means that another row panicked.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl View {
    /// A view of a sequence, range, array or buffer.
    pub fn of_object(object: &Arc<Object>) -> Option<View> {
        match &**object {
            Object::Seq(..) => Some(View::Seq(object.clone())),
            Object::Array(_) | Object::Buffer(..) => Some(View::Array(object.clone())),
            Object::Range(r) => Some(View::Range(*r)),
            _ => None,
        }
    }

    /// A view of anything with elements but iterators; null throws.
    pub fn of(value: &Value) -> Eval<View> {
        match value {
            Value::Null => Err(Throw::null_pointer()),
            Value::Str(s) => Ok(View::Text(s.clone())),
            Value::Obj(o) => match &**o {
                Object::Set(s) => Ok(View::Owned(s.in_order()?.to_vec())),
                Object::Map(m) => Ok(View::Owned(pairs(m.in_order()?))),
                Object::MutMap(m) => Ok(View::Owned(pairs(&lock(m).in_order()?))),
                Object::MutSet(m) => Ok(View::Owned(lock(m).in_order()?.into_iter().map(|e| e.0).collect())),
                Object::Some(v) => Ok(View::Owned(vec![v.clone()])),
                Object::None => Ok(View::Owned(Vec::new())),
                Object::Row(_, items) => Ok(View::Owned(items.clone())),
                _ => View::of_object(o).ok_or_else(|| unsupported(value)),
            },
            other => Err(unsupported(other)),
        }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        match self {
            View::Seq(o) => match &**o {
                Object::Seq(_, items) => items.len(),
                _ => 0,
            },
            View::Array(o) => match &**o {
                Object::Array(items) | Object::Buffer(_, items) => lock(items).len(),
                _ => 0,
            },
            View::Range(r) => r.len,
            View::Text(s) => s.len(),
            View::Owned(items) => items.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element at an index.
    pub fn get(&self, index: usize) -> Option<Value> {
        match self {
            View::Seq(o) => match &**o {
                Object::Seq(_, items) => items.get(index).cloned(),
                _ => None,
            },
            View::Array(o) => match &**o {
                Object::Array(items) | Object::Buffer(_, items) => lock(items).get(index).cloned(),
                _ => None,
            },
            View::Range(r) => (index < r.len).then(|| r.get(index)),
            View::Text(s) => s.unit(index).map(Value::Char),
            View::Owned(items) => items.get(index).cloned(),
        }
    }

    /// All elements from `from` until `to`, both cut to the bounds.
    pub fn slice(&self, from: usize, to: usize) -> Vec<Value> {
        let to = to.min(self.len());
        (from..to).filter_map(|i| self.get(i)).collect()
    }

    /// All elements.
    pub fn to_vec(&self) -> Vec<Value> {
        match self {
            View::Owned(items) => items.clone(),
            other => other.slice(0, usize::MAX),
        }
    }
}

fn pairs(entries: &[(Value, Value)]) -> Vec<Value> {
    entries
        .iter()
        .map(|(k, v)| Value::tuple(vec![k.clone(), v.clone()]))
        .collect()
}

fn unsupported(value: &Value) -> Throw {
    Throw::Unsupported(format!(
        "walking the elements of a {} is not covered",
        super::show::class_of(value)
    ))
}

/// Walks the elements of anything, iterators and `withFilter` included, until `f` says stop.
pub fn each(cx: &mut dyn Context, value: &Value, f: &mut dyn FnMut(&mut dyn Context, Value) -> Eval<bool>) -> Eval<()> {
    match value.as_obj() {
        Some(Object::Iterator(_)) => {
            while let Some(item) = next_of(cx, value)? {
                cx.step(1)?;
                if !f(cx, item)? {
                    break;
                }
            }
            return Ok(());
        }
        Some(Object::WithFilter(inner, predicate)) => {
            return each(
                cx,
                inner,
                &mut |cx, item| match cx.call(predicate, std::slice::from_ref(&item))? {
                    Value::Bool(true) => f(cx, item),
                    _ => Ok(true),
                },
            );
        }
        _ => {}
    }
    let view = View::of(value)?;
    let mut i = 0;
    while let Some(item) = view.get(i) {
        cx.step(1)?;
        if !f(cx, item)? {
            break;
        }
        i += 1;
    }
    Ok(())
}

/// All elements of anything.
pub fn all(cx: &mut dyn Context, value: &Value) -> Eval<Vec<Value>> {
    let mut out = Vec::new();
    each(cx, value, &mut |cx, item| {
        cx.grow(std::mem::size_of::<Value>())?;
        out.push(item);
        Ok(true)
    })?;
    Ok(out)
}

/// An iterator that must not be asked while it is being asked.
#[derive(Debug)]
struct Busy;

impl super::object::Iter for Busy {
    fn next(&mut self, _cx: &mut dyn Context) -> Eval<Option<Value>> {
        Err(Throw::Unsupported(
            "an iterator that walks itself is not covered".into(),
        ))
    }
}

/// The next element of an iterator value.
pub fn next_of(cx: &mut dyn Context, iterator: &Value) -> Eval<Option<Value>> {
    let Some(Object::Iterator(cell)) = iterator.as_obj() else {
        return Err(unsupported(iterator));
    };
    // The iterator is taken out while it runs: it may call functions, which may come back to it.
    let mut inner = std::mem::replace(&mut *lock(cell), Box::new(Busy));
    let item = inner.next(cx);
    *lock(cell) = inner;
    item
}

/// A sequence value of a class.
pub fn seq_of(class: SeqClass, items: Vec<Value>) -> Value {
    Value::seq(class, items)
}
