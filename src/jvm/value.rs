//! Run-time values of the embedded oracle and what a row may throw.

use std::sync::{Arc, Mutex, OnceLock};

use super::object::{Object, SeqClass};

/// A JVM value. Cheap to clone: everything larger than a word is shared.
#[derive(Debug, Clone, Default)]
pub enum Value {
    /// `null`.
    #[default]
    Null,
    /// `()`.
    Unit,
    /// `Boolean`.
    Bool(bool),
    /// `Byte`.
    Byte(i8),
    /// `Short`.
    Short(i16),
    /// A UTF-16 unit.
    Char(u16),
    /// `Int`.
    Int(i32),
    /// `Long`.
    Long(i64),
    /// `Float`.
    Float(f32),
    /// `Double`.
    Double(f64),
    /// `String`.
    Str(super::text::JStr),
    /// Anything else: a collection, a decimal, a date, a case class, a function, an exception.
    Obj(Arc<super::object::Object>),
}

impl Value {
    /// A heap object.
    pub fn obj(object: Object) -> Value {
        Value::Obj(Arc::new(object))
    }

    /// A string.
    pub fn str(text: &str) -> Value {
        Value::Str(super::text::JStr::new(text))
    }

    /// `Some(v)`.
    pub fn some(value: Value) -> Value {
        Value::obj(Object::Some(value))
    }

    /// `None`.
    pub fn none() -> Value {
        static NONE: OnceLock<Arc<Object>> = OnceLock::new();
        Value::Obj(NONE.get_or_init(|| Arc::new(Object::None)).clone())
    }

    /// `Some(v)` or `None`.
    pub fn option(value: Option<Value>) -> Value {
        value.map_or_else(Value::none, Value::some)
    }

    /// A `List`.
    pub fn list(items: Vec<Value>) -> Value {
        Value::obj(Object::Seq(SeqClass::List, items))
    }

    /// A sequence of a class.
    pub fn seq(class: SeqClass, items: Vec<Value>) -> Value {
        Value::obj(Object::Seq(class, items))
    }

    /// An array.
    pub fn array(items: Vec<Value>) -> Value {
        Value::obj(Object::Array(Mutex::new(items)))
    }

    /// A tuple.
    pub fn tuple(items: Vec<Value>) -> Value {
        Value::obj(Object::Tuple(items))
    }

    /// An iterator.
    pub fn iterator(iter: Box<dyn super::object::Iter>) -> Value {
        Value::obj(Object::Iterator(Mutex::new(iter)))
    }

    /// An immutable Scala `Map` built by adding the entries in order.
    pub fn map(entries: Vec<(Value, Value)>) -> Value {
        Value::obj(Object::Map(super::maps::ImMap::from_entries(entries)))
    }

    /// An immutable Scala `Set` built by adding the elements in order.
    pub fn set(items: Vec<Value>) -> Value {
        Value::obj(Object::Set(super::maps::ImSet::from_items(items)))
    }

    /// The heap object, if it is one.
    pub fn as_obj(&self) -> Option<&Object> {
        match self {
            Value::Obj(o) => Some(o),
            _ => None,
        }
    }

    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }
}

/// Why an evaluation stopped.
#[derive(Debug, Clone)]
pub enum Throw {
    /// A JVM exception that the UDF may catch.
    Exception(Arc<super::object::Exception>),
    /// `return` out of a lambda, `break` and `continue`: handled by the interpreter.
    Control(Control),
    /// The bound on steps, memory or depth was reached: ends the row as a finding, never as a value.
    Limit(&'static str),
    /// Something the oracle does not cover was reached at run time: the UDF is refused with this reason.
    Unsupported(String),
}

/// Non-local control flow inside the interpreter.
#[derive(Debug, Clone)]
pub enum Control {
    /// `return v` from the function invocation with this serial number.
    Return(u64, Value),
    /// Leaves a loop.
    Break(Option<String>),
    /// Goes to the next turn of a loop.
    Continue(Option<String>),
    /// A partial function is not defined at its argument (only while `Context::call_partial` asks).
    Undefined,
}

/// What evaluating gives.
pub type Eval<T = Value> = std::result::Result<T, Throw>;

impl Throw {
    /// An exception by its simple class name, with a message.
    pub fn exception(class: &'static str, message: impl Into<String>) -> Throw {
        Throw::Exception(Arc::new(super::object::Exception::new(class, Some(message.into()))))
    }

    /// `NullPointerException`.
    pub fn null_pointer() -> Throw {
        Throw::Exception(Arc::new(super::object::Exception::new("NullPointerException", None)))
    }
}
