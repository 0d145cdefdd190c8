//! Rows for `Ordering`, which is a function of two values that gives an `Int`, and for classes as values. No source can name
//! the receivers that begin with a dollar sign: the front end puts them in.

use std::sync::Arc;

use crate::jvm::exceptions;
use crate::jvm::listing::rows_of;
use crate::jvm::object::{NativeFn, Object, Other};
use crate::jvm::order;
use crate::jvm::table::{Context, Method};
use crate::jvm::value::{Eval, Throw, Value};
use crate::lang::ty::Ty;

/// The rows.
pub static ROWS: &[Method] = rows_of![
    "$Ordering.natural", "static $Ordering", "natural", "[A](): (A, A) => Int", [], natural;
    "$Ordering.by", "static $Ordering", "by", "[A, B](A => B, (B, B) => Int): (A, A) => Int", [], by;
    "$Ordering.reverse", "static $Ordering", "reverse", "[A]((A, A) => Int): (A, A) => Int", [], reverse;
    "$Ordering.fromLessThan", "static $Ordering", "fromLessThan", "[A]((A, A) => Boolean): (A, A) => Int", [], from_less_than;
    "Throwable.getClass", "Throwable", "getClass", "(): Class", [], class_of_exception;
    "String.getClass", "String", "getClass", "(): Class", [], class_of_string;
    "Class.getName", "Class", "getName", "(): String", [], class_name;
    "Class.getTypeName", "Class", "getTypeName", "(): String", [], class_name;
    "Class.getCanonicalName", "Class", "getCanonicalName", "(): String", [], class_name;
    "Class.getSimpleName", "Class", "getSimpleName", "(): String", [], class_simple_name;
];

type Cx<'a> = &'a mut dyn Context;

fn native(f: impl Fn(&mut dyn Context, &Value, &Value) -> Eval + Send + Sync + 'static) -> Eval {
    let body = move |cx: &mut dyn Context, a: &[Value]| match a {
        [x, y] => f(cx, x, y),
        _ => Err(Throw::Unsupported("an ordering of other than two values".into())),
    };
    Ok(Value::obj(Object::Native(NativeFn(Arc::new(body)))))
}

fn sign(order: std::cmp::Ordering) -> Value {
    Value::Int(order as i32)
}

/// The order that the library has for a type.
fn natural(_: Cx<'_>, _: &[Value], _: &Ty) -> Eval {
    native(|cx, x, y| {
        cx.step(1)?;
        Ok(sign(order::compare(x, y)?))
    })
}

/// `Ordering.by(f)` with the order of what `f` gives.
fn by(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let (key, inner) = (a[0].clone(), a[1].clone());
    native(move |cx, x, y| {
        let kx = cx.call(&key, std::slice::from_ref(x))?;
        let ky = cx.call(&key, std::slice::from_ref(y))?;
        cx.call(&inner, &[kx, ky])
    })
}

fn reverse(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let inner = a[0].clone();
    native(move |cx, x, y| cx.call(&inner, &[y.clone(), x.clone()]))
}

fn from_less_than(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let less = a[0].clone();
    native(move |cx, x, y| {
        if matches!(cx.call(&less, &[x.clone(), y.clone()])?, Value::Bool(true)) {
            return Ok(Value::Int(-1));
        }
        Ok(match cx.call(&less, &[y.clone(), x.clone()])? {
            Value::Bool(true) => Value::Int(1),
            _ => Value::Int(0),
        })
    })
}

/// A class as a value; only its name is known.
#[derive(Debug)]
struct ClassName(String);

impl Other for ClassName {
    fn class_name(&self) -> &'static str {
        "Class"
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

fn class_of_exception(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let Some(Object::Exception(e)) = a[0].as_obj() else {
        return Err(Throw::Unsupported(
            "the class of something that is not an exception".into(),
        ));
    };
    match exceptions::package(&e.class) {
        Some(package) => Ok(Value::obj(Object::Other(Box::new(ClassName(format!(
            "{package}.{}",
            e.class
        )))))),
        None => Err(Throw::Unsupported(format!("the class of a {} is not covered", e.class))),
    }
}

fn class_of_string(_: Cx<'_>, _: &[Value], _: &Ty) -> Eval {
    Ok(Value::obj(Object::Other(Box::new(ClassName(
        "java.lang.String".into(),
    )))))
}

fn name_of(v: &Value) -> Eval<String> {
    match v.as_obj() {
        Some(Object::Other(other)) => other.as_any().downcast_ref::<ClassName>().map(|c| c.0.clone()),
        _ => None,
    }
    .ok_or_else(|| Throw::Unsupported("a class is expected".into()))
}

fn class_name(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::str(&name_of(&a[0])?))
}

fn class_simple_name(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let name = name_of(&a[0])?;
    Ok(Value::str(name.rsplit('.').next().unwrap_or(&name)))
}
