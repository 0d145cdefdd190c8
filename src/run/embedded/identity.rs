//! `eq`, and Java's `==` on references. In: two values and where they come from; out: whether they are one object on the JVM,
//! or a refusal where that depends on what was interned or cached.

use crate::jvm::object::Object;
use crate::jvm::text::JStr;
use crate::jvm::time::Time;
use crate::jvm::value::{Eval, Throw, Value};
use crate::lang::ast::{Expr, ExprKind};

use super::compile::{Compiler, Frame};

/// What the source says about the two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The same variable twice.
    SameVariable,
    /// Two parameters of the entry: Spark makes a new object for each.
    TwoColumns,
    /// Nothing.
    Unknown,
}

impl Origin {
    /// Looks at the two sides.
    pub fn of(c: &mut Compiler<'_>, f: &mut Frame, lhs: &Expr, rhs: &Expr) -> Origin {
        let (ExprKind::Local(a), ExprKind::Local(b)) = (&lhs.kind, &rhs.kind) else {
            return Origin::Unknown;
        };
        let (a, b) = (c.local(f, *a).0, c.local(f, *b).0);
        let entry = c.program.entry.0;
        let params = c.program.functions[entry as usize].params.len() as u32;
        let column = |v: super::units::Var| v.owner == entry && v.local < params && !c.units.is_assigned(v);
        if a == b {
            Origin::SameVariable
        } else if column(a) && column(b) {
            Origin::TwoColumns
        } else {
            Origin::Unknown
        }
    }
}

/// Whether the values are one object.
pub fn same(a: &Value, b: &Value, origin: Origin) -> Eval<bool> {
    use Value::*;
    if origin == Origin::SameVariable {
        return Ok(true);
    }
    let cached = |v: i64| (-128..=127).contains(&v);
    match (a, b) {
        (Null, Null) | (Unit, Unit) => Ok(true),
        (Null, _) | (_, Null) => Ok(false),
        (Bool(x), Bool(y)) => Ok(x == y),
        (Byte(x), Byte(y)) => Ok(x == y),
        (Short(x), Short(y)) => boxes(x == y, cached(i64::from(*x)), origin),
        (Char(x), Char(y)) => boxes(x == y, *x <= 127, origin),
        (Int(x), Int(y)) => boxes(x == y, cached(i64::from(*x)), origin),
        (Long(x), Long(y)) => boxes(x == y, cached(*x), origin),
        (Float(x), Float(y)) => boxes(x.to_bits() == y.to_bits(), false, origin),
        (Double(x), Double(y)) => boxes(x.to_bits() == y.to_bits(), false, origin),
        (Str(x), Str(y)) => strings(x, y, origin),
        (Obj(x), Obj(y)) => {
            if std::sync::Arc::ptr_eq(x, y) {
                return Ok(true);
            }
            match (&**x, &**y) {
                (Object::None, Object::None) => Ok(true),
                // Constants of the JDK's enums.
                (Object::Time(x @ (Time::DayOfWeek(_) | Time::Month(_) | Time::Unit(_))), Object::Time(y)) => {
                    Ok(x == y)
                }
                // A case object is one object however often it is made here.
                (Object::Class(c, xs), Object::Class(d, _)) if c == d && xs.is_empty() => unknown(),
                (Object::Array(_), _) | (Object::Class(..), _) | (Object::Tuple(_), _) | (Object::Exception(_), _) => {
                    Ok(false)
                }
                _ if origin == Origin::TwoColumns => Ok(false),
                _ => unknown(),
            }
        }
        _ => Ok(false),
    }
}

fn unknown() -> Eval<bool> {
    Err(Throw::Unsupported(
        "whether two equal objects are the same one depends on what the JVM interns and caches".into(),
    ))
}

fn boxes(equal: bool, cached: bool, origin: Origin) -> Eval<bool> {
    match (equal, cached, origin) {
        (false, ..) => Ok(false),
        (true, true, _) => Ok(true),
        (true, false, Origin::TwoColumns) => Ok(false),
        _ => unknown(),
    }
}

fn strings(a: &JStr, b: &JStr, origin: Origin) -> Eval<bool> {
    if a != b {
        return Ok(false);
    }
    match (a, b) {
        (JStr::Ascii(x), JStr::Ascii(y)) if std::sync::Arc::ptr_eq(x, y) => Ok(true),
        (JStr::Wide(x), JStr::Wide(y)) if std::sync::Arc::ptr_eq(x, y) => Ok(true),
        _ if origin == Origin::TwoColumns => Ok(false),
        _ => unknown(),
    }
}
