//! Calls of the emulated library. In: receiver, name and argument values; out: a value. Checks every call against the table of
//! signatures first, so that what does not compile against the real library does not run here either.

use std::rc::Rc;

use super::api;
use super::column::{Col, Elem, ScalarValue};
use super::dtype::{DType, TypeId};
use super::heap::Res;
use super::interp::Interp;
use super::ops::{self, Fail, K, Operand};
use super::value::*;
use crate::source::Span;

mod column;
mod factory;
mod strings;

pub(super) use column::{as_type, binary_op};

impl Interp<'_> {
    /// Turns a kernel's result into a value or an exception.
    pub(super) fn lift<T>(&self, r: K<T>, span: Span) -> R<T> {
        match r {
            Ok(v) => Ok(v),
            Err(Fail::Throw(class, message)) => self.throw(span, class, message),
            Err(Fail::Refuse(why)) => self.refuse(span, why),
        }
    }

    /// A column of the library as a handle.
    pub(super) fn give(&mut self, r: K, span: Span, by: &str) -> R {
        let c = self.lift(r, span)?;
        Ok(self.alloc(Res::Column(Rc::new(c)), span, by))
    }

    /// A scalar of the library as a handle.
    pub(super) fn give_scalar(&mut self, s: ScalarValue, span: Span, by: &str) -> V {
        self.alloc(Res::Scalar(Rc::new(s)), span, by)
    }

    pub(super) fn resource(&mut self, v: &V, span: Span) -> R<Res> {
        match v {
            V::Ref(id) => {
                let line = self.line(span);
                let r = self.heap.get(*id, line);
                self.java(span, r)
            }
            V::Null => self.throw(span, "NullPointerException", ""),
            other => self.compile_error(span, format!("a {} is no column", other.type_name()), vec![]),
        }
    }

    pub(super) fn col(&mut self, v: &V, span: Span) -> R<Rc<Col>> {
        match self.resource(v, span)? {
            Res::Column(c) | Res::View(c) => Ok(c),
            _ => self.compile_error(span, "a column is needed here", vec![]),
        }
    }

    pub(super) fn scalar(&mut self, v: &V, span: Span) -> R<Rc<ScalarValue>> {
        match self.resource(v, span)? {
            Res::Scalar(s) => Ok(s),
            _ => self.compile_error(span, "a Scalar is needed here", vec![]),
        }
    }

    pub(super) fn operand(&mut self, v: &V, span: Span) -> R<Operand> {
        Ok(match self.resource(v, span)? {
            Res::Column(c) | Res::View(c) => Operand::Col(c),
            Res::Scalar(s) => Operand::Scalar(s),
            Res::Table(_) => return self.compile_error(span, "a column or Scalar is needed here", vec![]),
        })
    }

    /// Columns of varargs, given one by one or as an array.
    pub(super) fn cols(&mut self, args: &[V], span: Span) -> R<Vec<Rc<Col>>> {
        let mut out = Vec::new();
        for a in args {
            match a {
                V::Seq(s) => {
                    let items = s.items.borrow().clone();
                    out.extend(self.cols(&items, span)?);
                }
                v => out.push(self.col(v, span)?),
            }
        }
        Ok(out)
    }

    fn check(&self, class: &'static str, kind: &str, name: &str, args: &[V], span: Span) -> R<()> {
        let known = api::signatures(class, kind, name);
        if known.iter().any(|s| api::takes(s, args, |v, ty| self.fits(v, ty))) {
            return Ok(());
        }
        let given: Vec<String> = args.iter().map(|v| self.class_of(v)).collect();
        let (what, hints) = api::explain(class, kind, name, &given);
        self.compile_error(span, what, hints)
    }

    fn class_of(&self, v: &V) -> String {
        match v {
            V::Ref(id) => self.heap.class(*id).to_string(),
            other => other.type_name(),
        }
    }

    /// Whether a value can be passed for a parameter of a Java type.
    fn fits(&self, v: &V, ty: &str) -> bool {
        let ty = ty.trim();
        if let Some(element) = ty.strip_suffix("[]") {
            return match v {
                V::Null => true,
                V::Seq(s) => s.kind == SeqKind::Array && s.items.borrow().iter().all(|i| self.fits(i, element)),
                _ => false,
            };
        }
        match (ty, v) {
            ("int" | "byte" | "short", V::Byte(_) | V::Short(_)) => true,
            ("int" | "byte" | "short", V::Int(_)) => true,
            ("int", V::Char(_)) => true,
            ("long", V::Int(_) | V::Long(_) | V::Short(_) | V::Byte(_)) => true,
            ("float", V::Float(_) | V::Int(_) | V::Long(_)) => true,
            ("double", _) => v.as_f64().is_some(),
            ("boolean", V::Bool(_)) => true,
            ("int" | "long" | "byte" | "short" | "float" | "boolean", _) => false,
            (_, V::Null) => true,
            ("Integer", V::Int(_)) | ("Long", V::Long(_)) | ("Double", V::Double(_)) | ("Float", V::Float(_)) => true,
            ("Boolean", V::Bool(_)) | ("Byte", V::Byte(_)) | ("Short", V::Short(_)) => true,
            ("String", V::Str(_)) | ("DType", V::DType(_)) | ("RegexProgram", V::Regex(_)) => true,
            ("java.math.BigDecimal", V::Dec(_)) | ("java.math.BigInteger", V::BigInt(_)) => true,
            (_, V::Ref(id)) => api::ancestry(self.heap.class(*id)).contains(&ty),
            (_, V::Enum(class, _)) => &**class == ty || class.ends_with(&format!(".{ty}")),
            (_, V::Agg(class, _)) => &**class == ty,
            (_, V::Seq(s)) => ty.starts_with("EnumSet") && s.kind == SeqKind::Set || ty.starts_with("List<"),
            (_, V::Opt(_)) => ty.starts_with("Optional"),
            _ => false,
        }
    }

    /// A method of a column, scalar or table.
    pub(super) fn library_method(&mut self, id: usize, name: &str, args: Vec<V>, span: Span) -> R {
        let begun = self.begin(Some(id), &args);
        let given = self.called_method(id, name, args, span)?;
        self.end(begun, name, &given, span);
        Ok(given)
    }

    fn called_method(&mut self, id: usize, name: &str, args: Vec<V>, span: Span) -> R {
        let class = self.heap.class(id);
        let line = self.line(span);
        match (name, &args[..]) {
            ("close", []) => {
                let r = self.heap.close(id, line);
                return self.java(span, r).map(|()| V::Unit);
            }
            ("incRefCount", []) if class != "ColumnView" && class != "Table" => {
                let r = self.heap.retain(id, line);
                return self.java(span, r).map(|()| V::Ref(id));
            }
            ("getRefCount", []) if class == "ColumnVector" => return Ok(V::Int(self.heap.refs(id) as i32)),
            ("eq" | "==", [V::Ref(other)]) => return Ok(V::Bool(*other == id)),
            ("ne" | "!=", [V::Ref(other)]) => return Ok(V::Bool(*other != id)),
            ("eq" | "==", [V::Null]) => return Ok(V::Bool(false)),
            ("ne" | "!=", [V::Null]) => return Ok(V::Bool(true)),
            _ => {}
        }
        self.check(class, "method", name, &args, span)?;
        match self.resource(&V::Ref(id), span)? {
            Res::Column(c) | Res::View(c) => self.column_method(id, c, name, args, span),
            Res::Scalar(s) => self.scalar_method(s, name, args, span),
            Res::Table(columns) => self.table_method(&columns, name, args, span),
        }
    }

    /// A static method.
    pub(super) fn library_static(&mut self, class: &'static str, name: &str, args: Vec<V>, span: Span) -> R {
        let begun = self.begin(None, &args);
        let given = self.called_static(class, name, args, span)?;
        self.end(begun, name, &given, span);
        Ok(given)
    }

    fn called_static(&mut self, class: &'static str, name: &str, args: Vec<V>, span: Span) -> R {
        if api::signatures(class, "static", name).is_empty() && args.is_empty() {
            let known = api::constants(class);
            if !known.is_empty() {
                let what = format!("{class} has no constant `{name}`");
                return self.compile_error(span, what, vec![format!("it has {}", known.join(", "))]);
            }
        }
        self.check(class, "static", name, &args, span)?;
        match class {
            "Scalar" => self.scalar_factory(name, args, span),
            "ColumnVector" | "ColumnView" => self.column_factory(name, args, span),
            "DType" => self.dtype_factory(name, args, span),
            "BinaryOperable" => self.operable_static(name, args, span),
            "SegmentedReductionAggregation" | "ReductionAggregation" if args.is_empty() => {
                Ok(V::Agg(class.into(), name.into()))
            }
            "DecimalUtils" if name == "createDecimalType" => match (&args[0], &args[1]) {
                (V::Int(p), V::Int(s)) => Ok(V::DType(DType {
                    id: match p {
                        ..=9 => TypeId::Decimal32,
                        10..=18 => TypeId::Decimal64,
                        _ => TypeId::Decimal128,
                    },
                    scale: -s,
                })),
                _ => self.refuse(span, "this createDecimalType is not covered"),
            },
            _ => self.refuse(span, format!("`{class}.{name}` is not emulated")),
        }
    }

    fn operable_static(&mut self, name: &str, args: Vec<V>, span: Span) -> R {
        let (V::Enum(_, op), "implicitConversion") = (&args[0], name) else {
            return self.refuse(span, format!("`BinaryOperable.{name}` is not emulated"));
        };
        let a = self.operand(&args[1], span)?.dtype();
        let b = self.operand(&args[2], span)?.dtype();
        let t = ops::binary::implicit_type(op, a, b);
        Ok(V::DType(self.lift(t, span)?))
    }

    fn dtype_factory(&mut self, name: &str, args: Vec<V>, span: Span) -> R {
        match (name, &args[..]) {
            ("create", [V::Enum(_, id)]) => match DType::named(id) {
                Some(t) if t.is_decimal() => Ok(V::DType(t)),
                Some(t) => Ok(V::DType(t)),
                None => self.refuse(span, format!("the type {id} is not covered")),
            },
            ("create", [V::Enum(_, id), V::Int(scale)]) => match DType::named(id) {
                Some(t) if t.is_decimal() => Ok(V::DType(DType {
                    id: t.id,
                    scale: *scale,
                })),
                Some(t) => {
                    let message = format!("Could not create a DType {t} with a scale {scale}");
                    self.throw(span, "IllegalArgumentException", message)
                }
                None => self.refuse(span, format!("the type {id} is not covered")),
            },
            _ => self.refuse(span, format!("`DType.{name}` is not emulated")),
        }
    }

    /// A constructor.
    pub(super) fn library_new(&mut self, class: &'static str, args: Vec<V>, span: Span) -> R {
        self.check(class, "new", class, &args, span)?;
        match class {
            "RegexProgram" => {
                let V::Str(pattern) = &args[0] else {
                    return self.throw(span, "NullPointerException", "pattern may not be null");
                };
                let mut spec = RegexSpec {
                    pattern: pattern.to_string(),
                    flags: Vec::new(),
                    capture: true,
                };
                for a in &args[1..] {
                    match a {
                        V::Seq(s) => spec.flags = s.items.borrow().iter().map(V::show).collect(),
                        V::Enum(_, c) => spec.capture = &**c == "EXTRACT",
                        _ => return self.refuse(span, "this RegexProgram is not covered"),
                    }
                }
                Ok(V::Regex(Rc::new(spec)))
            }
            "Table" => {
                let mut ids = Vec::new();
                for a in &args {
                    let V::Ref(id) = a else {
                        return self.refuse(span, "this Table constructor is not covered");
                    };
                    let line = self.line(span);
                    let r = self.heap.retain(*id, line);
                    self.java(span, r)?;
                    ids.push(*id);
                }
                Ok(self.alloc(Res::Table(Rc::new(ids)), span, "Table"))
            }
            _ => self.refuse(span, format!("new {class} is not emulated")),
        }
    }

    fn table_method(&mut self, columns: &[usize], name: &str, args: Vec<V>, span: Span) -> R {
        match (name, &args[..]) {
            ("getColumn", [V::Int(i)]) => match columns.get(*i as usize) {
                Some(id) => Ok(V::Ref(*id)),
                None => self.throw(span, "ArrayIndexOutOfBoundsException", i.to_string()),
            },
            ("getNumberOfColumns", []) => Ok(V::Int(columns.len() as i32)),
            ("getRowCount", []) => {
                let rows = match columns.first() {
                    Some(id) => self.col(&V::Ref(*id), span)?.len,
                    None => 0,
                };
                Ok(V::Long(rows as i64))
            }
            _ => self.refuse(span, format!("`Table.{name}` is not emulated")),
        }
    }

    fn scalar_method(&mut self, s: Rc<ScalarValue>, name: &str, args: Vec<V>, span: Span) -> R {
        if let Some((op, out)) = column::binary_op(name, &args) {
            let right = self.operand(&args[usize::from(name == "binaryOp")], span)?;
            return self.binary_call(&op, Operand::Scalar(s), right, out, span, name);
        }
        let value = s.value.clone();
        Ok(match (name, value) {
            ("isValid", v) => V::Bool(v.is_some()),
            ("getType", _) => V::DType(s.dtype),
            ("getInt", Some(Elem::Int(v))) => V::Int(v as i32),
            ("getLong", Some(Elem::Int(v))) => V::Long(v),
            ("getByte", Some(Elem::Int(v))) => V::Byte(v as i8),
            ("getShort", Some(Elem::Int(v))) => V::Short(v as i16),
            ("getBoolean", Some(Elem::Int(v))) => V::Bool(v != 0),
            ("getDouble", Some(Elem::F64(v))) => V::Double(v),
            ("getFloat", Some(Elem::F32(v))) => V::Float(v),
            ("getJavaString", Some(Elem::Str(v))) => V::str(String::from_utf8_lossy(&v)),
            ("getBigDecimal", Some(Elem::Big(v))) => V::Dec(Rc::new((v.into(), -s.dtype.scale))),
            _ => return self.refuse(span, format!("`Scalar.{name}` is not emulated")),
        })
    }

    pub(super) fn binary_call(
        &mut self,
        op: &str,
        l: Operand,
        r: Operand,
        out: Option<DType>,
        span: Span,
        by: &str,
    ) -> R {
        let out = match out {
            Some(t) => t,
            None => {
                let t = ops::binary::implicit_type(op, l.dtype(), r.dtype());
                self.lift(t, span)?
            }
        };
        let c = ops::binary::run(op, &l, &r, out);
        self.give(c, span, by)
    }
}
