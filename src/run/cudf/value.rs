//! Run-time values of an interpreted candidate, its exceptions and its scopes.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use num_bigint::BigInt;

use super::ast::{Case, Def, Lambda, ValDef};
use super::dtype::DType;
use crate::source::Span;

/// A value. Columns, scalars and tables are handles into the [`super::heap::Heap`].
#[derive(Debug, Clone)]
pub enum V {
    Unit,
    Null,
    Bool(bool),
    Byte(i8),
    Short(i16),
    Char(u16),
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Str(Rc<str>),
    BigInt(Rc<BigInt>),
    /// `java.math.BigDecimal`: unscaled value and scale.
    Dec(Rc<(BigInt, i32)>),
    Ref(usize),
    DType(DType),
    /// Class and constant.
    Enum(Rc<str>, Rc<str>),
    Seq(Rc<SeqV>),
    Tuple(Rc<Vec<V>>),
    Opt(Option<Rc<V>>),
    Fn(Rc<Func>),
    /// A class name standing for its static side, or an object of the file.
    Module(Rc<str>),
    /// `scala.util.Try`.
    Try(Rc<Result<V, Rc<Exc>>>),
    Exc(Rc<Exc>),
    Regex(Rc<RegexSpec>),
    /// An aggregation: its class and the factory that made it.
    Agg(Rc<str>, Rc<str>),
    /// `Using.Manager`: what it will close.
    Manager(Rc<RefCell<Vec<V>>>),
    This,
}

/// Which sequence a [`V::Seq`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeqKind {
    Seq,
    Array,
    Buffer,
    Set,
}

/// A sequence. Only arrays and buffers are ever changed.
#[derive(Debug)]
pub struct SeqV {
    /// Which one.
    pub kind: SeqKind,
    /// Its elements.
    pub items: RefCell<Vec<V>>,
}

/// `new RegexProgram(…)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegexSpec {
    /// The pattern.
    pub pattern: String,
    /// Names of `RegexFlag`.
    pub flags: Vec<String>,
    /// `CaptureGroups.EXTRACT`.
    pub capture: bool,
}

/// A function value.
#[derive(Debug)]
pub enum Func {
    Lambda(Arc<Lambda>, Env),
    Cases(Arc<Vec<Case>>, Env),
    Def(Arc<Def>, Option<Env>),
    /// A method of a value, not applied yet: `xs.foreach(scalars.append)`.
    Method(V, String),
    /// A name of the environment that is no definition of the file: `require`, `println`.
    Builtin(String),
}

/// An exception on its way.
#[derive(Debug, Clone)]
pub struct Exc {
    /// Simple class name.
    pub class: String,
    /// Its message.
    pub message: String,
    /// Where it was raised.
    pub span: Span,
}

/// Why evaluating stopped.
#[derive(Debug)]
pub enum Stop {
    /// An exception.
    Throw(Rc<Exc>),
    /// `return`.
    Return(V),
    /// Not covered, or not valid Scala: ends the run.
    Refuse(Box<crate::error::Error>),
}

/// What evaluating gives.
pub type R<T = V> = Result<T, Stop>;

/// What a name stands for in a scope.
#[derive(Debug, Clone)]
pub enum Slot {
    Value(V),
    Lazy(Arc<ValDef>),
    Def(Arc<Def>),
    /// A by-name argument and the scope it is evaluated in.
    Thunk(Arc<crate::run::cudf::ast::Expr>, Env),
}

/// A scope.
pub type Env = Rc<Scope>;

/// Names of one block and the scope around it.
#[derive(Debug, Default)]
pub struct Scope {
    /// Names, innermost last.
    pub names: RefCell<Vec<(String, Slot)>>,
    /// The scope around it.
    pub parent: Option<Env>,
}

impl Scope {
    /// A scope inside `parent`.
    pub fn inside(parent: &Env) -> Env {
        Rc::new(Scope {
            names: RefCell::default(),
            parent: Some(parent.clone()),
        })
    }

    /// Adds a name.
    pub fn bind(&self, name: &str, slot: Slot) {
        self.names.borrow_mut().push((name.to_string(), slot));
    }

    /// Looks a name up, outwards.
    pub fn find(self: &Rc<Self>, name: &str) -> Option<(Slot, Env)> {
        let mut at = Some(self);
        while let Some(scope) = at {
            if let Some((_, slot)) = scope.names.borrow().iter().rev().find(|(n, _)| n == name) {
                return Some((slot.clone(), scope.clone()));
            }
            at = scope.parent.as_ref();
        }
        None
    }

    /// Replaces what a name of this scope stands for.
    pub fn set(&self, name: &str, value: V) {
        if let Some((_, slot)) = self.names.borrow_mut().iter_mut().rev().find(|(n, _)| n == name) {
            *slot = Slot::Value(value);
        }
    }
}

impl V {
    /// A sequence value.
    pub fn seq(kind: SeqKind, items: Vec<V>) -> V {
        V::Seq(Rc::new(SeqV {
            kind,
            items: RefCell::new(items),
        }))
    }

    /// A text value.
    pub fn str(text: impl AsRef<str>) -> V {
        V::Str(text.as_ref().into())
    }

    /// What kind of value it is, for messages.
    pub fn type_name(&self) -> String {
        match self {
            V::Unit => "Unit",
            V::Null => "null",
            V::Bool(_) => "Boolean",
            V::Byte(_) => "Byte",
            V::Short(_) => "Short",
            V::Char(_) => "Char",
            V::Int(_) => "Int",
            V::Long(_) => "Long",
            V::Float(_) => "Float",
            V::Double(_) => "Double",
            V::Str(_) => "String",
            V::BigInt(_) => "BigInteger",
            V::Dec(_) => "BigDecimal",
            V::Ref(_) => "column or scalar",
            V::DType(_) => "DType",
            V::Enum(c, _) => return c.to_string(),
            V::Seq(s) => match s.kind {
                SeqKind::Array => "Array",
                SeqKind::Buffer => "ArrayBuffer",
                SeqKind::Set => "Set",
                SeqKind::Seq => "Seq",
            },
            V::Tuple(_) => "tuple",
            V::Opt(_) => "Option",
            V::Fn(_) => "function",
            V::Module(m) => return format!("object {m}"),
            V::Try(_) => "Try",
            V::Exc(e) => return e.class.clone(),
            V::Regex(_) => "RegexProgram",
            V::Agg(c, _) => return c.to_string(),
            V::Manager(_) => "Using.Manager",
            V::This => "this",
        }
        .to_string()
    }

    /// Integer value of the integral types.
    pub fn as_i64(&self) -> Option<i64> {
        Some(match self {
            V::Byte(v) => i64::from(*v),
            V::Short(v) => i64::from(*v),
            V::Char(v) => i64::from(*v),
            V::Int(v) => i64::from(*v),
            V::Long(v) => *v,
            _ => return None,
        })
    }

    /// Numeric value as a double.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            V::Float(v) => Some(f64::from(*v)),
            V::Double(v) => Some(*v),
            other => other.as_i64().map(|v| v as f64),
        }
    }

    /// The text `String.valueOf` gives, as far as messages need it.
    pub fn show(&self) -> String {
        match self {
            V::Unit => "()".into(),
            V::Null => "null".into(),
            V::Bool(b) => b.to_string(),
            V::Char(c) => String::from_utf16_lossy(&[*c]),
            V::Float(v) => format!("{v:?}"),
            V::Double(v) => format!("{v:?}"),
            V::Str(s) => s.to_string(),
            V::BigInt(b) => b.to_string(),
            V::DType(t) => t.to_string(),
            V::Enum(_, n) => n.to_string(),
            V::Exc(e) => format!("{}: {}", e.class, e.message),
            V::Seq(s) => {
                let items: Vec<String> = s.items.borrow().iter().map(V::show).collect();
                format!("{}({})", self.type_name(), items.join(", "))
            }
            V::Opt(None) => "None".into(),
            V::Opt(Some(v)) => format!("Some({})", v.show()),
            other => match other.as_i64() {
                Some(v) => v.to_string(),
                None => other.type_name(),
            },
        }
    }
}
