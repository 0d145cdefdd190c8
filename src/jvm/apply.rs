//! Collections called as functions: `map(key)`, `seq(index)`, `set(element)`. In: the collection and its argument; out: the
//! element, or the exception of the JVM's class.

use super::object::{Object, SeqClass};
use super::show;
use super::table::Context;
use super::value::{Eval, Throw, Value};
use super::view::{View, lock};

/// Applies a collection.
pub fn apply(cx: &mut dyn Context, func: &Value, args: &[Value]) -> Eval {
    let [arg] = args else {
        return Err(Throw::Unsupported("a collection called with several arguments".into()));
    };
    match func.as_obj() {
        Some(Object::Map(map)) => match map.get(arg)? {
            Some(v) => Ok(v.clone()),
            None => missing(cx, map.default.as_ref(), arg),
        },
        Some(Object::MutMap(map)) => {
            let (found, default) = {
                let map = lock(map);
                (map.get(arg)?, map.default.clone())
            };
            match found {
                Some(v) => Ok(v),
                None => missing(cx, default.as_ref(), arg),
            }
        }
        Some(Object::Set(set)) => Ok(Value::Bool(set.contains(arg)?)),
        Some(Object::MutSet(set)) => Ok(Value::Bool(lock(set).get(arg)?.is_some())),
        _ => element(func, arg),
    }
}

/// `key not found`, or the default of the map.
fn missing(cx: &mut dyn Context, default: Option<&(Value, bool)>, key: &Value) -> Eval {
    match default {
        Some((f, true)) => cx.call(f, std::slice::from_ref(key)),
        Some((v, false)) => Ok(v.clone()),
        None => {
            let text = show::value_of(cx, key)
                .map(|t| t.to_utf8().into_owned())
                .unwrap_or_default();
            Err(Throw::exception(
                "NoSuchElementException",
                format!("key not found: {text}"),
            ))
        }
    }
}

/// `seq(index)`: which exception tells the class apart.
pub fn element(seq: &Value, index: &Value) -> Eval {
    let Value::Int(i) = index else {
        return Err(Throw::Unsupported("an element by an index that is not an Int".into()));
    };
    let view = match seq {
        Value::Obj(o) => View::of_object(o),
        Value::Str(_) => Some(View::of(seq)?),
        Value::Null => return Err(Throw::null_pointer()),
        _ => None,
    };
    let Some(view) = view else {
        return Err(Throw::Unsupported("a call of something that is not a function".into()));
    };
    if let Some(v) = usize::try_from(*i).ok().and_then(|i| view.get(i)) {
        return Ok(v);
    }
    let len = view.len();
    Err(match seq.as_obj() {
        Some(Object::Array(_)) => Throw::exception(
            "ArrayIndexOutOfBoundsException",
            format!("Index {i} out of bounds for length {len}"),
        ),
        Some(Object::Seq(SeqClass::WrappedArray, _)) => Throw::exception(
            "ArrayIndexOutOfBoundsException",
            format!("Index {i} out of bounds for length {len}"),
        ),
        Some(Object::Seq(SeqClass::WrappedString, _)) | None => {
            Throw::exception("StringIndexOutOfBoundsException", format!("index {i}, length {len}"))
        }
        Some(Object::Seq(SeqClass::JavaList, _)) => Throw::exception(
            "ArrayIndexOutOfBoundsException",
            format!("Index {i} out of bounds for length {len}"),
        ),
        Some(Object::Buffer(super::object::BufferClass::ArrayList, _)) => Throw::exception(
            "IndexOutOfBoundsException",
            format!("Index {i} out of bounds for length {len}"),
        ),
        _ => Throw::exception("IndexOutOfBoundsException", i.to_string()),
    })
}
