//! Lists, sets, maps, deques and optionals of `java.util`. In: receiver and arguments as values; out: what JDK 17 gives, with its
//! exceptions. A view of a map (`keySet`, `entrySet`) is a copy that cannot be changed.

mod deques;
mod helpers;
mod iterators;
mod lists;
mod maps;
mod optionals;

pub use deques::*;
pub use helpers::*;
pub use iterators::*;
pub use lists::*;
pub use maps::*;
pub use optionals::*;

use std::sync::Mutex;

use super::super::maps::MutMap;
use super::super::object::{BufferClass, Object, SeqClass};
use super::super::table::Context;
use super::super::value::{Eval, Throw, Value};
use super::unsupported;

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
