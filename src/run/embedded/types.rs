//! Run-time types. In: a value and a static type; out: whether it is an instance; the zero of a type.

use crate::jvm::exceptions::is_subclass;
use crate::jvm::object::{BufferClass, Object, SeqClass};
use crate::jvm::show::class_of;
use crate::jvm::value::{Eval, Throw, Value};
use crate::lang::ast::Wrapper;
use crate::lang::ty::{JavaKind, Prim, SeqKind, Ty};

fn of_prim(v: &Value, prim: Prim) -> bool {
    matches!(
        (v, prim),
        (Value::Bool(_), Prim::Boolean)
            | (Value::Byte(_), Prim::Byte)
            | (Value::Short(_), Prim::Short)
            | (Value::Char(_), Prim::Char)
            | (Value::Int(_), Prim::Int)
            | (Value::Long(_), Prim::Long)
            | (Value::Float(_), Prim::Float)
            | (Value::Double(_), Prim::Double)
    )
}

/// `isInstanceOf`: element types are erased, null is no instance of anything.
pub fn instance_of(v: &Value, ty: &Ty, classes: &[String]) -> Eval<bool> {
    if v.is_null() {
        return Ok(false);
    }
    Ok(match ty {
        Ty::Any => true,
        Ty::Prim(p) | Ty::Boxed(p) => of_prim(v, *p),
        Ty::String => matches!(v, Value::Str(_)),
        Ty::Unit => matches!(v, Value::Unit),
        Ty::ScalaBigDecimal => matches!(v.as_obj(), Some(Object::Decimal { scala: true, .. })),
        Ty::JavaBigDecimal => matches!(v.as_obj(), Some(Object::Decimal { scala: false, .. })),
        Ty::BigInt => matches!(v.as_obj(), Some(Object::BigInt(_))),
        Ty::Option(_) => matches!(v.as_obj(), Some(Object::Some(_) | Object::None)),
        Ty::Seq(kind, _) => is_seq(v, *kind),
        Ty::Array(item) => return is_array(v, item),
        Ty::Iterator(_) => matches!(v.as_obj(), Some(Object::Iterator(_))),
        Ty::Set(_) => matches!(v.as_obj(), Some(Object::Set(_) | Object::MutSet(_))),
        Ty::Map(..) => matches!(v.as_obj(), Some(Object::Map(_) | Object::MutMap(_))),
        Ty::Tuple(items) => matches!(v.as_obj(), Some(Object::Tuple(t)) if t.len() == items.len()),
        Ty::Try(_) => matches!(
            v.as_obj(),
            Some(Object::Wrapper(Wrapper::Success | Wrapper::Failure, _))
        ),
        Ty::Either(..) => matches!(v.as_obj(), Some(Object::Wrapper(Wrapper::Left | Wrapper::Right, _))),
        Ty::Class(name) => return is_class(v, name, classes),
        Ty::Java(kind, _) => match (kind, v.as_obj()) {
            (JavaKind::Map, Some(Object::MutMap(_))) | (JavaKind::Set, Some(Object::MutSet(_))) => true,
            (JavaKind::Collection, Some(Object::MutSet(_) | Object::Buffer(BufferClass::ArrayList, _)))
            | (JavaKind::Optional, Some(Object::Some(_) | Object::None)) => true,
            _ => return Err(unknown(ty)),
        },
        Ty::Null | Ty::Nothing => false,
        Ty::Fn(..) | Ty::Module(_) | Ty::Var(_) => return Err(unknown(ty)),
    })
}

fn unknown(ty: &Ty) -> Throw {
    Throw::Unsupported(format!("whether a value is a {ty} is not covered"))
}

/// Arrays of primitives are classes of their own; an empty one of a reference type does not show its element class.
fn is_array(v: &Value, item: &Ty) -> Eval<bool> {
    let Some(Object::Array(items)) = v.as_obj() else {
        return Ok(false);
    };
    let items = crate::jvm::view::lock(items);
    match (item.prim_type(), items.first()) {
        (Some(p), Some(first)) => Ok(of_prim(first, p)),
        _ => Err(Throw::Unsupported(
            "the run-time element type of an array is not covered".into(),
        )),
    }
}

fn is_seq(v: &Value, kind: SeqKind) -> bool {
    match (v.as_obj(), kind) {
        (Some(Object::Seq(class, _)), SeqKind::List) => *class == SeqClass::List,
        (Some(Object::Seq(class, _)), SeqKind::Vector) => *class == SeqClass::Vector,
        (Some(Object::Seq(class, _)), SeqKind::JavaList) => matches!(class, SeqClass::JavaList | SeqClass::JavaFixed),
        (Some(Object::Seq(class, _)), SeqKind::Seq) => {
            !matches!(class, SeqClass::JavaList | SeqClass::JavaFixed | SeqClass::MapValues)
        }
        (Some(Object::Seq(class, _)), SeqKind::Buffer) => *class == SeqClass::ArrayBuffer,
        (Some(Object::Buffer(BufferClass::ArrayList, _)), kind) => kind == SeqKind::JavaList,
        (Some(Object::Buffer(..)), kind) => matches!(kind, SeqKind::Buffer | SeqKind::Seq),
        (Some(Object::Range(_)), kind) => matches!(kind, SeqKind::Range | SeqKind::Seq),
        _ => false,
    }
}

fn is_class(v: &Value, name: &str, classes: &[String]) -> Eval<bool> {
    let number = matches!(
        v,
        Value::Byte(_) | Value::Short(_) | Value::Int(_) | Value::Long(_) | Value::Float(_) | Value::Double(_)
    );
    Ok(match name {
        "Object" | "AnyRef" => true,
        "Number" => number || matches!(v.as_obj(), Some(Object::Decimal { .. } | Object::BigInt(_))),
        "CharSequence" => matches!(v, Value::Str(_)) || matches!(v.as_obj(), Some(Object::StringBuilder(_))),
        "StringBuilder" | "StringBuffer" => matches!(v.as_obj(), Some(Object::StringBuilder(_))),
        "Row" => matches!(v.as_obj(), Some(Object::Row(..))),
        "Regex" => matches!(v.as_obj(), Some(Object::Regex(_))),
        "Comparable" | "Serializable" | "Iterable" | "Traversable" | "Product" => {
            return Err(unknown(&Ty::Class(name.to_string())));
        }
        _ => match v.as_obj() {
            Some(Object::Exception(e)) => is_subclass(&e.class, name),
            Some(Object::Class(id, _)) => classes.get(id.0 as usize).is_some_and(|c| c == name),
            Some(Object::Time(_) | Object::Other(_)) => class_of(v) == name,
            _ => false,
        },
    })
}
