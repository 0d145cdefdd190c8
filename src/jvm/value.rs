//! Run-time values of the embedded oracle and what a row may throw.

use std::sync::Arc;

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
