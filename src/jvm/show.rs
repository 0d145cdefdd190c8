//! `toString` and `String.valueOf`. In: a value; out: the JVM's text of it, or why it is not covered (identity hashes).

use std::sync::Arc;

use super::object::{BufferClass, Exception, Object, SeqClass};
use super::table::Context;
use super::text::JStr;
use super::value::{Eval, Throw, Value};
use super::view::{View, lock};
use crate::lang::ast::{Dialect, Wrapper};
use crate::lang::ty::Ty;

/// `String.valueOf(v)`.
pub fn value_of(cx: &mut dyn Context, v: &Value) -> Eval<JStr> {
    if let Value::Str(s) = v {
        return Ok(s.clone());
    }
    let mut out = Vec::new();
    append(cx, v, &mut out)?;
    Ok(JStr::from_units(&out))
}

/// Appends ASCII text.
pub fn ascii(out: &mut Vec<u16>, text: &str) {
    out.extend(text.encode_utf16());
}

/// Appends `String.valueOf(v)`.
pub fn append(cx: &mut dyn Context, v: &Value, out: &mut Vec<u16>) -> Eval<()> {
    match v {
        Value::Null => ascii(out, "null"),
        Value::Unit => ascii(out, "()"),
        Value::Bool(b) => ascii(out, if *b { "true" } else { "false" }),
        Value::Byte(x) => ascii(out, &x.to_string()),
        Value::Short(x) => ascii(out, &x.to_string()),
        Value::Char(c) => out.push(*c),
        Value::Int(x) => ascii(out, &x.to_string()),
        Value::Long(x) => ascii(out, &x.to_string()),
        Value::Float(x) => ascii(out, &super::number_text::float_to_string(*x)),
        Value::Double(x) => ascii(out, &super::number_text::double_to_string(*x)),
        Value::Str(s) => match s {
            JStr::Ascii(s) => out.extend(s.bytes().map(u16::from)),
            JStr::Wide(u) => out.extend_from_slice(u),
        },
        Value::Obj(o) => object(cx, v, o, out)?,
    }
    Ok(())
}

fn object(cx: &mut dyn Context, v: &Value, o: &Arc<Object>, out: &mut Vec<u16>) -> Eval<()> {
    if cx.dialect() == Dialect::Java {
        match &**o {
            // An entry of a map.
            Object::Tuple(items) if items.len() == 2 => {
                return pairs(cx, &[(items[0].clone(), items[1].clone())], "=", out);
            }
            Object::Some(_) | Object::None | Object::Class(..) | Object::Tuple(_) => return Err(not_shown(v)),
            _ => {}
        }
    }
    match &**o {
        Object::Some(x) => wrapped(cx, "Some", x, out),
        Object::None => {
            ascii(out, "None");
            Ok(())
        }
        Object::Wrapper(w, x) => wrapped(cx, wrapper_name(*w), x, out),
        Object::Tuple(items) => list(cx, "", items, ",", out),
        Object::Class(id, items) => {
            use crate::lang::ast::ClassKind;
            match cx.class_shape(*id) {
                (_, _, Some(own)) => {
                    let text = cx.call(&Value::obj(Object::FnRef(own)), std::slice::from_ref(v))?;
                    append(cx, &text, out)
                }
                (name, ClassKind::Case, None) => list(cx, &name, items, ",", out),
                (name, ClassKind::Singleton, None) => {
                    ascii(out, &name);
                    Ok(())
                }
                (_, ClassKind::Wrapper, None) => Err(not_shown(v)),
            }
        }
        Object::Row(_, items) => {
            ascii(out, "[");
            join(cx, items, ",", out)?;
            ascii(out, "]");
            Ok(())
        }
        Object::Seq(class, items) => match class {
            SeqClass::JavaList | SeqClass::JavaFixed => {
                ascii(out, "[");
                join(cx, items, ", ", out)?;
                ascii(out, "]");
                Ok(())
            }
            SeqClass::WrappedString => join(cx, items, "", out),
            SeqClass::Stream | SeqClass::MapValues => Err(not_shown(v)),
            _ => list(cx, seq_name(*class), items, ", ", out),
        },
        Object::Buffer(class, items) => {
            let items = lock(items).clone();
            match class {
                BufferClass::ListBuffer => list(cx, "ListBuffer", &items, ", ", out),
                BufferClass::ArrayBuffer => list(cx, "ArrayBuffer", &items, ", ", out),
                BufferClass::ArrayList => {
                    ascii(out, "[");
                    join(cx, &items, ", ", out)?;
                    ascii(out, "]");
                    Ok(())
                }
                BufferClass::Other => Err(not_shown(v)),
            }
        }
        Object::Set(set) => {
            let items = set.in_order()?.to_vec();
            list(cx, "Set", &items, ", ", out)
        }
        Object::Map(map) => {
            let entries = map.in_order()?.to_vec();
            ascii(out, "Map(");
            pairs(cx, &entries, " -> ", out)?;
            ascii(out, ")");
            Ok(())
        }
        Object::MutMap(map) => {
            use super::maps::MutClass;
            let (class, entries) = {
                let map = lock(map);
                (map.class, map.in_order()?)
            };
            match class {
                MutClass::ScalaHash => {
                    ascii(out, "Map(");
                    pairs(cx, &entries, " -> ", out)?;
                    ascii(out, ")");
                    Ok(())
                }
                MutClass::JavaHash | MutClass::JavaLinked | MutClass::JavaSorted | MutClass::JavaFixed => {
                    ascii(out, "{");
                    pairs(cx, &entries, "=", out)?;
                    ascii(out, "}");
                    Ok(())
                }
                _ => Err(not_shown(v)),
            }
        }
        Object::MutSet(set) if lock(set).class.is_java() => {
            let items: Vec<Value> = lock(set).in_order()?.into_iter().map(|e| e.0).collect();
            ascii(out, "[");
            join(cx, &items, ", ", out)?;
            ascii(out, "]");
            Ok(())
        }
        Object::StringBuilder(units) => {
            out.extend_from_slice(&lock(units));
            Ok(())
        }
        Object::Exception(e) => {
            ascii(out, &exception_text(e)?);
            Ok(())
        }
        Object::BigInt(n) => {
            ascii(out, &n.to_string());
            Ok(())
        }
        Object::Decimal { .. } | Object::Time(_) | Object::Other(_) | Object::Regex(_) => by_row(cx, v, out),
        Object::Iterator(_) => {
            // Scala's iterators say only whether they are empty, by asking; the rows of `Iterator` do that.
            by_row(cx, v, out)
        }
        _ => Err(not_shown(v)),
    }
}

fn pairs(cx: &mut dyn Context, entries: &[(Value, Value)], arrow: &str, out: &mut Vec<u16>) -> Eval<()> {
    for (i, (k, v)) in entries.iter().enumerate() {
        if i > 0 {
            ascii(out, ", ");
        }
        append(cx, k, out)?;
        ascii(out, arrow);
        append(cx, v, out)?;
    }
    Ok(())
}

fn wrapped(cx: &mut dyn Context, name: &str, v: &Value, out: &mut Vec<u16>) -> Eval<()> {
    list(cx, name, std::slice::from_ref(v), ",", out)
}

fn list(cx: &mut dyn Context, name: &str, items: &[Value], sep: &str, out: &mut Vec<u16>) -> Eval<()> {
    ascii(out, name);
    ascii(out, "(");
    join(cx, items, sep, out)?;
    ascii(out, ")");
    Ok(())
}

/// Appends the elements' text with a separator between.
pub fn join(cx: &mut dyn Context, items: &[Value], sep: &str, out: &mut Vec<u16>) -> Eval<()> {
    let sep: Vec<u16> = sep.encode_utf16().collect();
    join_units(cx, items, &sep, out)
}

/// As [`join`], with the separator in UTF-16.
pub fn join_units(cx: &mut dyn Context, items: &[Value], sep: &[u16], out: &mut Vec<u16>) -> Eval<()> {
    for (i, item) in items.iter().enumerate() {
        cx.step(1)?;
        if i > 0 {
            out.extend_from_slice(sep);
        }
        append(cx, item, out)?;
    }
    Ok(())
}

/// The text of numbers and times is made by the rows of their tables; a table without such a row refuses.
fn by_row(cx: &mut dyn Context, v: &Value, out: &mut Vec<u16>) -> Eval<()> {
    let class = class_of(v);
    let row = super::tables::all()
        .find(|m| m.name == "toString" && matches!(m.sig, ": String" | "(): String") && m.recv == class);
    match row {
        Some(row) => match (row.eval)(cx, std::slice::from_ref(v), &Ty::String)? {
            Value::Str(s) => append(cx, &Value::Str(s), out),
            _ => Err(not_shown(v)),
        },
        None => Err(not_shown(v)),
    }
}

fn not_shown(v: &Value) -> Throw {
    Throw::Unsupported(format!("the text of a {} is not covered", class_of(v)))
}

fn seq_name(class: SeqClass) -> &'static str {
    match class {
        SeqClass::List => "List",
        SeqClass::Vector => "Vector",
        SeqClass::WrappedArray => "WrappedArray",
        SeqClass::ArrayBuffer => "ArrayBuffer",
        SeqClass::Stream => "Stream",
        SeqClass::WrappedString => "WrappedString",
        SeqClass::MapValues => "view of a map's values",
        SeqClass::JavaList | SeqClass::JavaFixed => "List",
    }
}

/// `Success` and so on.
pub fn wrapper_name(w: Wrapper) -> &'static str {
    match w {
        Wrapper::Success => "Success",
        Wrapper::Failure => "Failure",
        Wrapper::Left => "Left",
        Wrapper::Right => "Right",
    }
}

/// `Throwable.toString`: the full class name, then the message.
pub fn exception_text(e: &Exception) -> Eval<String> {
    let package = super::exceptions::package(&e.class)
        .ok_or_else(|| Throw::Unsupported(format!("the text of a {} is not covered", e.class)))?;
    Ok(match &e.message {
        Some(m) => format!("{package}.{}: {m}", e.class),
        None => format!("{package}.{}", e.class),
    })
}

/// Simple class name of a value, as far as the oracle knows it; used in messages and to find rows.
pub fn class_of(v: &Value) -> &'static str {
    match v {
        Value::Null => "Null",
        Value::Unit => "Unit",
        Value::Bool(_) => "Boolean",
        Value::Byte(_) => "Byte",
        Value::Short(_) => "Short",
        Value::Char(_) => "Char",
        Value::Int(_) => "Int",
        Value::Long(_) => "Long",
        Value::Float(_) => "Float",
        Value::Double(_) => "Double",
        Value::Str(_) => "String",
        Value::Obj(o) => match &**o {
            Object::Decimal { scala: true, .. } => "BigDecimal",
            Object::Decimal { .. } => "JBigDecimal",
            Object::BigInt(_) => "BigInt",
            Object::Some(_) | Object::None => "Option",
            Object::Seq(class, _) => seq_name(*class),
            Object::Range(_) => "Range",
            Object::Array(_) => "Array",
            Object::Buffer(..) => "Buffer",
            Object::Iterator(_) => "Iterator",
            Object::Set(_) | Object::MutSet(_) => "Set",
            Object::Map(_) | Object::MutMap(_) => "Map",
            Object::WithFilter(..) => "WithFilter",
            Object::Tuple(_) => "Tuple",
            Object::Class(..) => "case class",
            Object::StringBuilder(_) => "StringBuilder",
            Object::Regex(_) => "Regex",
            Object::Wrapper(w, _) => wrapper_name(*w),
            Object::Exception(_) => "Throwable",
            Object::Row(..) => "Row",
            Object::Closure(_) | Object::FnRef(_) | Object::Native(_) => "function",
            Object::Cell(_) => "variable",
            Object::Time(t) => t.class_name(),
            Object::Other(o) => o.class_name(),
        },
    }
}

/// Whether a view is of text; `mkString` of one is the text.
pub fn is_text(view: &View) -> bool {
    matches!(view, View::Text(_))
}

/// Full class name, for the message of `MatchError`; `None` where it is not known.
pub fn class_name(v: &Value) -> Option<&'static str> {
    Some(match v {
        Value::Bool(_) => "java.lang.Boolean",
        Value::Byte(_) => "java.lang.Byte",
        Value::Short(_) => "java.lang.Short",
        Value::Char(_) => "java.lang.Character",
        Value::Int(_) => "java.lang.Integer",
        Value::Long(_) => "java.lang.Long",
        Value::Float(_) => "java.lang.Float",
        Value::Double(_) => "java.lang.Double",
        Value::Str(_) => "java.lang.String",
        _ => return None,
    })
}
