//! What the rows of sequences, arrays, iterators, sets and maps do. In: receiver and arguments as values; out: values of the run-time
//! class that Scala 2.12 gives. Never knows signatures.

pub mod access;
pub mod core_ops;
pub mod fold;
pub mod iter;
pub mod java_stream;
pub mod java_util;
pub mod make;
pub mod map_ops;
pub mod mutate;
pub mod option_ops;
pub mod parts;
pub mod set_ops;
pub mod sorting;
pub mod text_builder;
pub mod transform;

use super::object::{Object, SeqClass};
use super::table::Context;
use super::value::{Eval, Throw, Value};
use super::view::{self, View};
use crate::lang::ty::Ty;

/// A view of the receiver: whatever has elements in an order, iterators drained.
pub fn elements(cx: &mut dyn Context, v: &Value) -> Eval<View> {
    match v.as_obj() {
        Some(Object::Iterator(_) | Object::WithFilter(..)) => Ok(View::Owned(view::all(cx, v)?)),
        _ => View::of(v),
    }
}

/// The elements as the receiver's own class: what `filter`, `take` or `sorted` give.
pub fn same_class(recv: &Value, items: Vec<Value>) -> Eval {
    Ok(match recv {
        Value::Str(_) => text(&items)?,
        Value::Obj(o) => match &**o {
            Object::Seq(SeqClass::MapValues, _) => Value::list(items),
            Object::Seq(class, _) => Value::seq(*class, items),
            Object::Range(_) => Value::seq(SeqClass::Vector, items),
            Object::Array(_) => Value::array(items),
            Object::Buffer(class, _) => Value::obj(Object::Buffer(*class, std::sync::Mutex::new(items))),
            Object::Iterator(_) => iter::of_vec(items),
            Object::Set(_) | Object::MutSet(_) => Value::set(items),
            Object::Map(_) | Object::MutMap(_) => Value::map(entries(&items)?),
            Object::Some(_) | Object::None => Value::list(items),
            Object::WithFilter(inner, _) => return same_class(inner, items),
            _ => return Err(unsupported(recv)),
        },
        _ => return Err(unsupported(recv)),
    })
}

/// The elements as the class that a builder found by the receiver's companion gives: what `map` or `:+` give.
pub fn built_class(recv: &Value, items: Vec<Value>, ty: &Ty) -> Eval {
    if let Value::Str(_) = recv {
        return match ty {
            Ty::String => text(&items),
            _ => Ok(Value::seq(SeqClass::Vector, items)),
        };
    }
    match recv.as_obj() {
        Some(Object::Seq(SeqClass::WrappedArray, _)) => Ok(Value::seq(SeqClass::ArrayBuffer, items)),
        Some(Object::Seq(SeqClass::WrappedString, _)) => Ok(match ty {
            Ty::String => text(&items)?,
            _ => Value::seq(SeqClass::Vector, items),
        }),
        Some(Object::Map(_) | Object::MutMap(_)) => match ty {
            Ty::Map(..) => Ok(Value::map(entries(&items)?)),
            _ => Ok(Value::list(items)),
        },
        Some(Object::WithFilter(inner, _)) => built_class(inner, items, ty),
        _ => same_class(recv, items),
    }
}

/// Characters as a string.
pub fn text(items: &[Value]) -> Eval {
    let units: Option<Vec<u16>> = items
        .iter()
        .map(|v| match v {
            Value::Char(c) => Some(*c),
            _ => None,
        })
        .collect();
    match units {
        Some(units) => Ok(Value::Str(super::text::JStr::from_units(&units))),
        None => Err(Throw::Unsupported("a string of something else than characters".into())),
    }
}

/// Pairs as entries of a map.
pub fn entries(items: &[Value]) -> Eval<Vec<(Value, Value)>> {
    items.iter().map(pair).collect()
}

/// A `Tuple2` taken apart.
pub fn pair(v: &Value) -> Eval<(Value, Value)> {
    match v.as_obj() {
        Some(Object::Tuple(t)) if t.len() == 2 => Ok((t[0].clone(), t[1].clone())),
        _ if v.is_null() => Err(Throw::null_pointer()),
        _ => Err(Throw::Unsupported("a pair is expected".into())),
    }
}

/// A receiver that an operation does not cover.
pub fn unsupported(v: &Value) -> Throw {
    Throw::Unsupported(format!(
        "this operation on a {} is not covered",
        super::show::class_of(v)
    ))
}

/// A truth value.
pub fn truth(v: &Value) -> bool {
    matches!(v, Value::Bool(true))
}

/// An `Int` argument.
pub fn int(v: &Value) -> Eval<i32> {
    match v {
        Value::Int(i) => Ok(*i),
        Value::Null => Ok(0),
        Value::Char(c) => Ok(i32::from(*c)),
        Value::Short(i) => Ok(i32::from(*i)),
        Value::Byte(i) => Ok(i32::from(*i)),
        _ => Err(Throw::Unsupported("an Int is expected".into())),
    }
}

/// An `Int` argument cut to a position in `0..=len`.
pub fn position(v: &Value, len: usize) -> Eval<usize> {
    Ok(usize::try_from(int(v)?.max(0)).unwrap_or(0).min(len))
}

/// Calls a predicate.
pub fn holds(cx: &mut dyn Context, f: &Value, item: &Value) -> Eval<bool> {
    Ok(truth(&cx.call(f, std::slice::from_ref(item))?))
}

/// `IndexOutOfBoundsException` with a message.
pub fn out_of_bounds(message: impl std::fmt::Display) -> Throw {
    Throw::exception("IndexOutOfBoundsException", message.to_string())
}

/// `UnsupportedOperationException` of an empty collection.
pub fn empty(what: &str) -> Throw {
    Throw::exception("UnsupportedOperationException", what)
}

/// `NoSuchElementException` with a message.
pub fn no_such_element(message: impl Into<String>) -> Throw {
    Throw::exception("NoSuchElementException", message)
}
