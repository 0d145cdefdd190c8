//! Heap objects of the embedded oracle.

use std::fmt;
use std::sync::{Arc, Mutex};

use super::value::Value;
use crate::lang::ast::{ClassId, FnId};

/// A heap object. Mutable ones carry a lock so that values stay `Send`; rows are evaluated on one thread each, so that it
/// is never contended.
#[derive(Debug)]
pub enum Object {
    /// `scala.math.BigDecimal` or `java.math.BigDecimal` (`scala` says which): unscaled value and scale.
    Decimal {
        value: super::decimal::JDecimal,
        scala: bool,
    },
    /// `BigInt`, `java.math.BigInteger`.
    BigInt(num_bigint::BigInt),
    /// `Some(v)`; `None` is [`Object::None`].
    Some(Value),
    /// `None`.
    None,
    /// An immutable sequence.
    Seq(Vec<Value>),
    /// An array or a mutable buffer.
    Array(Mutex<Vec<Value>>),
    /// An iterator: what is left.
    Iterator(Mutex<Box<dyn Iter>>),
    /// A set, in iteration order of the JVM's implementation as far as results can show it.
    Set(Vec<Value>),
    /// A map, entries in iteration order.
    Map(Vec<(Value, Value)>),
    /// `Tuple2` and up.
    Tuple(Vec<Value>),
    /// A case class instance.
    Class(ClassId, Vec<Value>),
    /// `StringBuilder`: UTF-16 units.
    StringBuilder(Mutex<Vec<u16>>),
    /// A compiled regular expression.
    Regex(Arc<super::regex::Regex>),
    /// `Success`, `Failure`, `Left`, `Right`.
    Wrapper(crate::lang::ast::Wrapper, Value),
    /// An exception as a value.
    Exception(Arc<Exception>),
    /// A struct column's value: field values, with their names.
    Row(Arc<[String]>, Vec<Value>),
    /// A closure, made by the interpreter.
    Closure(Arc<dyn Closure>),
    /// A function of the program as a value.
    FnRef(FnId),
    /// A date or time object.
    Time(super::time::Time),
    /// Anything a table module keeps for itself (a `Matcher`, a `MessageDigest`, a `DecimalFormat`).
    Other(Box<dyn Other>),
}

/// A closure of the interpreter.
pub trait Closure: fmt::Debug + Send + Sync + std::any::Any {}

/// An iterator of the library.
pub trait Iter: fmt::Debug + Send {
    /// The next element, which may throw.
    fn next(&mut self, cx: &mut dyn super::table::Context) -> super::value::Eval<Option<Value>>;
}

/// A library object with state of its own.
pub trait Other: fmt::Debug + Send + Sync + std::any::Any {
    /// Simple class name.
    fn class_name(&self) -> &'static str;
    /// For downcasts.
    fn as_any(&self) -> &dyn std::any::Any;
}

/// A JVM exception.
#[derive(Debug)]
pub struct Exception {
    /// Simple class name; its superclasses come from [`super::exceptions`].
    pub class: String,
    /// `getMessage`.
    pub message: Option<String>,
    /// `getCause`.
    pub cause: Option<Arc<Exception>>,
}

impl Exception {
    /// An exception without a cause.
    pub fn new(class: impl Into<String>, message: Option<String>) -> Exception {
        Exception {
            class: class.into(),
            message,
            cause: None,
        }
    }
}
