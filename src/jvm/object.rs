//! Heap objects of the embedded oracle.

use std::fmt;
use std::sync::{Arc, Mutex};

use super::maps::{ImMap, ImSet, MutMap};
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
    /// An immutable sequence, with the class that its `toString` and its results show. See [`Value::list`].
    Seq(SeqClass, Vec<Value>),
    /// A range of integers, not expanded.
    Range(Range),
    /// An array.
    Array(Mutex<Vec<Value>>),
    /// A mutable buffer.
    Buffer(BufferClass, Mutex<Vec<Value>>),
    /// An iterator: what is left.
    Iterator(Mutex<Box<dyn Iter>>),
    /// An immutable set, in iteration order of the JVM's implementation.
    Set(ImSet),
    /// An immutable map, entries in iteration order of the JVM's implementation.
    Map(ImMap),
    /// A mutable map.
    MutMap(Mutex<MutMap>),
    /// A mutable set: the keys of a mutable map.
    MutSet(Mutex<MutMap>),
    /// A sequence, set or option with the predicate of `withFilter`, asked as elements are walked.
    WithFilter(Value, Value),
    /// A variable that a closure shares with the code around it.
    Cell(Mutex<Value>),
    /// A function made by the library (`f andThen g`, `seq.lift`).
    Native(NativeFn),
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

/// The run-time class of a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeqClass {
    /// `scala.collection.immutable.List`.
    List,
    /// `Vector`.
    Vector,
    /// `WrappedArray`: what Spark passes for an array column, and what an implicit conversion of an array gives.
    WrappedArray,
    /// `ArrayBuffer`: what `map` over a `WrappedArray` gives.
    ArrayBuffer,
    /// `Stream`, evaluated.
    Stream,
    /// `WrappedString`.
    WrappedString,
    /// What `values` of a map gives: an `Iterable` that is no `Seq`, whose name depends on the map's class.
    MapValues,
    /// `java.util.List` that cannot grow (`Arrays.asList`, a view of a map).
    JavaList,
    /// What `List.of` gives.
    JavaFixed,
}

/// The run-time class of a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BufferClass {
    /// `scala.collection.mutable.ListBuffer`.
    ListBuffer,
    /// `scala.collection.mutable.ArrayBuffer`.
    ArrayBuffer,
    /// `java.util.ArrayList`, `LinkedList`.
    ArrayList,
    /// A mutable `Queue`, `Stack` or another one whose name is not shown.
    Other,
}

/// An integer range: `start`, `start + step`, … `len` of them, of the type of `kind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// First element.
    pub start: i64,
    /// Distance, never zero.
    pub step: i64,
    /// Number of elements.
    pub len: usize,
    /// The end as written, which `by` steps to.
    pub end: i64,
    /// Whether the end belongs to it.
    pub inclusive: bool,
    /// Type of the elements: `Int`, `Long` or `Char`.
    pub kind: crate::lang::ty::Prim,
}

impl Range {
    /// `0 until len`.
    pub fn indices(len: usize) -> Range {
        Range {
            start: 0,
            step: 1,
            len,
            end: len as i64,
            inclusive: false,
            kind: crate::lang::ty::Prim::Int,
        }
    }

    /// The element at an index below `len`.
    pub fn get(&self, index: usize) -> Value {
        let v = self.start.wrapping_add((index as i64).wrapping_mul(self.step));
        match self.kind {
            crate::lang::ty::Prim::Long => Value::Long(v),
            crate::lang::ty::Prim::Char => Value::Char(v as u16),
            _ => Value::Int(v as i32),
        }
    }
}

/// What a [`NativeFn`] runs.
pub type NativeBody = dyn Fn(&mut dyn super::table::Context, &[Value]) -> super::value::Eval + Send + Sync;

/// A function of the library as a value.
#[derive(Clone)]
pub struct NativeFn(pub Arc<NativeBody>);

impl fmt::Debug for NativeFn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NativeFn")
    }
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
