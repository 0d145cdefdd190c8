//! Rows of the library and how they are looked up.
//!
//! A row's signature is text in Scala's notation, parsed once: `"(Int, Int): String"`, `"[B](A => B): Seq[B]"`. The
//! receiver pattern may bind type variables (`"Seq[A]"`), which the signature uses. Notation of types:
//!
//! | written | means |
//! |---|---|
//! | `Int`, `Box[Int]` | the primitive, its box |
//! | `String`, `BigDecimal`, `JBigDecimal`, `BigInt` | as in [`Ty`] |
//! | `Seq[A]` | as a receiver or parameter any [`crate::lang::ty::SeqKind`]; as a result `Seq` |
//! | `List[A]`, `Vector[A]`, `Buffer[A]`, `JavaList[A]` | that kind only |
//! | `Array[A]`, `Iterator[A]`, `Set[A]`, `Map[K, V]`, `Option[A]`, `Try[A]`, `Either[A, B]` | as in [`Ty`] |
//! | `JavaMap[K, V]`, `JavaSet[A]`, `JavaStream[A]`, … | [`Ty::Java`]; what only Java code may call has a name that starts with `java.` |
//! | `Self`, `Self[B]` | the receiver's own type, the receiver's kind of sequence with other elements |
//! | `(A, B)`, `A => B`, `(A, B) => C`, `() => A` | tuples and functions |
//! | `=> A`, `A*` | by-name, varargs (last parameter only) |
//! | single capital letters | type variables, listed in front if the receiver does not bind them: `[B](A => B): Self[B]` |
//! | `Any`, `AnyVal`, `Nothing`, `Unit`, `Null` | as in Scala; `Any` takes everything, primitives boxed |
//! | any other name | `Ty::Class(name)` |
//!
//! A method without a parameter list has a signature that starts with `:` (`": Int"`); it may be called with `()` too.

use super::value::{Eval, Value};
use crate::lang::ast::{ClassId, ClassKind, FnId};
use crate::lang::ty::Ty;

/// What a row's `eval` may use: the caller's interpreter, to call function values and to count steps and memory.
pub trait Context {
    /// Calls a function value.
    fn call(&mut self, func: &Value, args: &[Value]) -> Eval;
    /// Calls a function literal made of cases: `None` where no case matches. Other functions are defined everywhere.
    fn call_partial(&mut self, func: &Value, args: &[Value]) -> Eval<Option<Value>> {
        self.call(func, args).map(Some)
    }
    /// The name, the kind and the own `toString` of a class of the program.
    fn class_shape(&self, class: ClassId) -> (String, ClassKind, Option<FnId>) {
        let _ = class;
        (String::new(), ClassKind::Wrapper, None)
    }
    /// Whose rules hold: Java's `equals` and `hashCode` in collections, or Scala's `==` and `##`.
    fn dialect(&self) -> crate::lang::ast::Dialect {
        crate::lang::ast::Dialect::Scala
    }
    /// Counts work against the bound on steps; call it once per element of whatever is walked.
    fn step(&mut self, steps: u64) -> Eval<()>;
    /// Counts bytes against the bound on memory; call it before something grows.
    fn grow(&mut self, bytes: usize) -> Eval<()>;
    /// The JVM's default time zone (an IANA name).
    fn time_zone(&self) -> &str;
}

/// How a row is evaluated: receiver first (for static methods there is none), then the arguments, then the static type of
/// the call's result (an empty `sum` needs to know whether it is an `Int` or a `Double` zero).
pub type EvalFn = fn(&mut dyn Context, &[Value], &Ty) -> Eval;

/// One operation of the JVM or of the Scala or Java library.
#[derive(Debug)]
pub struct Method {
    /// Stable id, `Receiver.name` with the parameter types where overloaded: `String.substring(Int,Int)`. Proposals lower by it.
    pub id: &'static str,
    /// Receiver type pattern (`String`, `Seq[A]`), or the module for static ones (`Math`), written `static Math`;
    /// constructors are `new StringBuilder`.
    pub recv: &'static str,
    /// The name in the source.
    pub name: &'static str,
    /// Signature, as described above.
    pub sig: &'static str,
    /// Simple class names of what it may throw besides NullPointerException for a null receiver.
    pub throws: &'static [&'static str],
    /// Evaluates it. The interpreter has already thrown for a null receiver unless `null_recv`.
    pub eval: EvalFn,
    /// Whether a null receiver is passed on (static-like extension methods such as `Option.apply`).
    pub null_recv: bool,
}
