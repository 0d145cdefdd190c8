//! Notation for rows that are plain functions: in, `"abs"(a: Int) -> Int = …`; out, a [`super::table::Method`] whose signature,
//! argument conversions and result follow from the types. Never hides a failure: bodies use `?` for what they throw.

/// The Rust value of an argument of the named type.
macro_rules! get {
    (Boolean, $v:expr) => {
        $crate::jvm::args::boolean($v)?
    };
    (Byte, $v:expr) => {
        $crate::jvm::args::byte($v)?
    };
    (Short, $v:expr) => {
        $crate::jvm::args::short($v)?
    };
    (Char, $v:expr) => {
        $crate::jvm::args::character($v)?
    };
    (Int, $v:expr) => {
        $crate::jvm::args::int($v)?
    };
    (Long, $v:expr) => {
        $crate::jvm::args::long($v)?
    };
    (Float, $v:expr) => {
        $crate::jvm::args::float($v)?
    };
    (Double, $v:expr) => {
        $crate::jvm::args::double($v)?
    };
    (String, $v:expr) => {
        $crate::jvm::args::string($v)?
    };
    (BigDecimal, $v:expr) => {
        $crate::jvm::args::decimal($v)?
    };
    (JBigDecimal, $v:expr) => {
        $crate::jvm::args::decimal($v)?
    };
    (BigInt, $v:expr) => {
        $crate::jvm::args::big_int($v)?
    };
    (Any, $v:expr) => {
        $v
    };
    ($other:ident, $v:expr) => {
        <$other as $crate::jvm::rows::Class>::get($v)?
    };
    (($($any:tt)*), $v:expr) => {
        $v
    };
}

/// The value of a result of the named type; types written in brackets are values already.
macro_rules! put {
    (Boolean, $e:expr) => {
        $crate::jvm::value::Value::Bool($e)
    };
    (Byte, $e:expr) => {
        $crate::jvm::value::Value::Byte($e)
    };
    (Short, $e:expr) => {
        $crate::jvm::value::Value::Short($e)
    };
    (Char, $e:expr) => {
        $crate::jvm::value::Value::Char($e)
    };
    (Int, $e:expr) => {
        $crate::jvm::value::Value::Int($e)
    };
    (Long, $e:expr) => {
        $crate::jvm::value::Value::Long($e)
    };
    (Float, $e:expr) => {
        $crate::jvm::value::Value::Float($e)
    };
    (Double, $e:expr) => {
        $crate::jvm::value::Value::Double($e)
    };
    (String, $e:expr) => {
        $crate::jvm::value::Value::Str($e)
    };
    (Unit, $e:expr) => {{
        let () = $e;
        $crate::jvm::value::Value::Unit
    }};
    (BigDecimal, $e:expr) => {
        $crate::jvm::rows::decimal($e, true)
    };
    (JBigDecimal, $e:expr) => {
        $crate::jvm::rows::decimal($e, false)
    };
    (BigInt, $e:expr) => {
        $crate::jvm::rows::object($crate::jvm::object::Object::BigInt($e))
    };
    (Any, $e:expr) => {
        $e
    };
    ($other:ident, $e:expr) => {
        <$other as $crate::jvm::rows::Class>::put($e)
    };
    (($($any:tt)*), $e:expr) => {
        $e
    };
}

/// A type as signatures write it.
macro_rules! ty {
    (($text:literal)) => {
        $text
    };
    ($name:ident) => {
        stringify!($name)
    };
}

/// `(A, B): C`, and `: C` for what takes no parameter list.
macro_rules! sig {
    (() $ret:tt) => { concat!(": ", $crate::jvm::rows::ty!($ret)) };
    (($first:tt $($more:tt)*) $ret:tt) => { concat!("(", $crate::jvm::rows::ty!($first) $(, ", ", $crate::jvm::rows::ty!($more))*, "): ", $crate::jvm::rows::ty!($ret)) };
}

/// `Receiver.name`, with the parameter types where the name is overloaded.
macro_rules! id {
    (one $short:literal $name:literal $($t:tt)*) => { concat!($short, ".", $name) };
    (over $short:literal $name:literal) => { concat!($short, ".", $name, "()") };
    (over $short:literal $name:literal $first:tt $($more:tt)*) => {
        concat!($short, ".", $name, "(", $crate::jvm::rows::ty!($first) $(, ",", $crate::jvm::rows::ty!($more))*, ")")
    };
}

/// Rows of static methods: `statics!(TABLE, "static Math", "Math", cx; one "sqrt"(a: Double) -> Double = a.sqrt(); …)`. `cx` names
/// the context in the bodies.
macro_rules! statics {
    ($(#[$doc:meta])* $table:ident, $recv:literal, $short:literal, $cx:ident;
     $($kind:ident $name:literal($($p:ident: $t:tt),*) -> $ret:tt $(throws $($ex:literal)*)? = $body:expr;)*) => {
        $(#[$doc])*
        pub static $table: &[$crate::jvm::table::Method] = &[$($crate::jvm::table::Method {
            id: $crate::jvm::rows::id!($kind $short $name $($t)*),
            recv: $recv,
            name: $name,
            sig: $crate::jvm::rows::sig!(($($t)*) $ret),
            throws: &[$($($ex),*)?],
            null_recv: false,
            #[allow(unused_variables, unused_mut)]
            eval: |$cx, args, _ty| {
                let mut args = args.iter();
                $(let $p = $crate::jvm::rows::get!($t, $crate::jvm::rows::next(&mut args)?);)*
                Ok($crate::jvm::rows::put!($ret, $body))
            },
        }),*];
    };
}

/// Rows of methods: `methods!(TABLE, "Int", x: Int, cx; one "abs"() -> Int = x.wrapping_abs(); …)`.
macro_rules! methods {
    ($(#[$doc:meta])* $table:ident, $recv:literal, $self_:ident: $self_ty:tt, $cx:ident;
     $($kind:ident $name:literal($($p:ident: $t:tt),*) -> $ret:tt $(throws $($ex:literal)*)? = $body:expr;)*) => {
        $(#[$doc])*
        pub static $table: &[$crate::jvm::table::Method] = &[$($crate::jvm::table::Method {
            id: $crate::jvm::rows::id!($kind $recv $name $($t)*),
            recv: $recv,
            name: $name,
            sig: $crate::jvm::rows::sig!(($($t)*) $ret),
            throws: &[$($($ex),*)?],
            null_recv: false,
            #[allow(unused_variables)]
            eval: |$cx, args, _ty| {
                let mut args = args.iter();
                let $self_ = $crate::jvm::rows::get!($self_ty, $crate::jvm::rows::next(&mut args)?);
                $(let $p = $crate::jvm::rows::get!($t, $crate::jvm::rows::next(&mut args)?);)*
                Ok($crate::jvm::rows::put!($ret, $body))
            },
        }),*];
    };
}

pub(crate) use {get, id, methods, put, sig, statics, ty};

use std::sync::Arc;

use super::decimal::JDecimal;
use super::object::Object;
use super::value::{Eval, Throw, Value};

/// A class of the library that rows name by its Rust type; the names agree.
pub trait Class: Sized {
    /// From a value.
    fn get(value: &Value) -> Eval<Self>;
    /// To a value.
    fn put(self) -> Value;
}

/// The next argument.
pub fn next<'a>(args: &mut std::slice::Iter<'a, Value>) -> Eval<&'a Value> {
    args.next()
        .ok_or_else(|| Throw::Unsupported("a library call got too few arguments".into()))
}

/// An object as a value.
pub fn object(object: Object) -> Value {
    Value::Obj(Arc::new(object))
}

/// A decimal as a value; `scala` says of which class.
pub fn decimal(value: JDecimal, scala: bool) -> Value {
    object(Object::Decimal { value, scala })
}
