//! Compiles expressions. In: a typed expression; out: code that gives a primitive or a value, by the static type.

use std::sync::Arc;

use num_bigint::BigInt;

use crate::jvm::coll::make::zero;
use crate::jvm::decimal::JDecimal;
use crate::jvm::equality::scala_eq;
use crate::jvm::object::{Object, SeqClass};
use crate::jvm::show;
use crate::jvm::text::JStr;
use crate::jvm::value::{Control, Throw, Value};
use crate::jvm::view::{View, lock};
use crate::lang::ast::*;
use crate::lang::ty::{Prim, SeqKind, Ty};
use crate::source::Understood;

use super::bits;
use super::compile::{Compiler, Frame, refuse};
use super::machine::{Cx, LambdaValue, LazyThunk, Run, Slot, Stop, UnitRef};
use super::node::{B, Code, P, V, unary};
use super::types::instance_of;
use super::{ops, units};

/// A literal as a value.
pub fn literal(lit: &Lit) -> Value {
    match lit {
        Lit::Unit => Value::Unit,
        Lit::Null => Value::Null,
        Lit::Bool(v) => Value::Bool(*v),
        Lit::Byte(v) => Value::Byte(*v),
        Lit::Short(v) => Value::Short(*v),
        Lit::Char(v) => Value::Char(*v),
        Lit::Int(v) => Value::Int(*v),
        Lit::Long(v) => Value::Long(*v),
        Lit::Float(v) => Value::Float(*v),
        Lit::Double(v) => Value::Double(*v),
        Lit::Str(units) => Value::Str(JStr::from_units(units)),
    }
}

impl Compiler<'_> {
    /// Compiles an expression.
    pub fn expr(&mut self, frame: &mut Frame, e: &Expr) -> Understood<Code> {
        use ExprKind::*;
        Ok(match &e.kind {
            Lit(lit) => {
                let value = literal(lit);
                match bits::of(&value) {
                    Some((b, prim)) => Code::P(P::Const(b), prim),
                    None => Code::V(V::Const(value)),
                }
            }
            Local(local) => self.read(frame, *local, &e.ty),
            Global(id) => {
                let index = id.0 as usize;
                let code = V::new(move |cx| cx.global(index));
                typed(code, &e.ty)
            }
            Unary(op, a) => {
                let Some(prim) = a.ty.prim() else {
                    return refuse(e, "an operator on a type that is not a primitive");
                };
                let operand = self.prim(frame, a, prim)?;
                match ops::unary_op(*op, prim, operand) {
                    Some(code) => Code::P(code, e.ty.prim().unwrap_or(prim)),
                    None => return refuse(e, "an operator that this type does not have"),
                }
            }
            Binary { op, prim, lhs, rhs } => self.binary(frame, e, *op, *prim, lhs, rhs)?,
            And(a, b) => self.and_or(frame, a, b, true)?,
            Or(a, b) => self.and_or(frame, a, b, false)?,
            RefEq { lhs, rhs, negated } => self.ref_eq(frame, e, lhs, rhs, *negated)?,
            Identity { lhs, rhs, negated } => self.identity(frame, lhs, rhs, *negated)?,
            Convert(conv, a) => self.conversion(frame, e, *conv, a)?,
            Concat(parts) => self.concat(frame, parts)?,
            Block(stmts, value) => self.block(frame, stmts, value.as_deref())?,
            If { cond, then, otherwise } => self.if_else(frame, e, cond, then, otherwise.as_deref())?,
            Match { scrutinee, cases } => self.match_cases(frame, e, scrutinee, cases)?,
            Try { body, catches, finally } => self.try_catch(frame, e, body, catches, finally.as_deref())?,
            Throw(a) => {
                let code = self.value(frame, a)?.code();
                Code::V(V::new(move |cx| {
                    let v = code(cx)?;
                    Err(throw_value(&v).into())
                }))
            }
            Return(value) => self.return_from(frame, value.as_deref())?,
            Call { method, recv, args } => self.call_row(frame, e, method, recv.as_deref(), args)?,
            CallFn { func, args } => self.call_fn(frame, e, *func, args)?,
            Apply { func, args } => self.apply(frame, e, func, args)?,
            Lambda { params, body } => {
                let (index, captured) = self.lambda(frame, params, body)?;
                closure(UnitRef::Lambda(index), captured)
            }
            FnRef(func) => {
                let captured = self.captures_of(frame, *func);
                closure(UnitRef::Function(*func), captured)
            }
            Tuple(items) => self.build(frame, items, Object::Tuple)?,
            NewClass { class, args } => {
                let class = *class;
                self.build(frame, args, move |items| Object::Class(class, items))?
            }
            TupleField(a, index) => self.field(frame, e, a, *index)?,
            Field { recv, index, .. } => self.field(frame, e, recv, *index)?,
            SeqLit(items) => self.seq_lit(frame, e, items)?,
            Index { array, index } => self.index(frame, e, array, index)?,
            InstanceOf(a, ty) => {
                let ty = ty.clone();
                let classes = self.class_names();
                let code = self.value(frame, a)?;
                Code::P(
                    code.map_prim(move |v| Ok(u64::from(instance_of(v, &ty, &classes)?))),
                    Prim::Boolean,
                )
            }
            Cast(a, ty) => self.cast(frame, a, ty)?,
        })
    }

    /// Names of the case classes, by id.
    pub fn class_names(&self) -> Arc<[String]> {
        self.program.classes.iter().map(|c| c.name.clone()).collect()
    }

    fn read(&mut self, frame: &mut Frame, local: LocalId, ty: &Ty) -> Code {
        let (var, slot) = self.local(frame, local);
        let by_name = self.by_name(var) && !matches!(ty, Ty::Fn(params, _) if params.is_empty());
        match slot {
            Slot::Prim(i, prim) => Code::P(P::Slot(i), prim),
            Slot::Val(i) if by_name => typed(
                V::new(move |cx| {
                    let thunk = cx.vals[cx.vb + i].clone();
                    cx.call_value(&thunk, &[])
                }),
                ty,
            ),
            Slot::Val(i) => Code::V(V::Slot(i)),
            Slot::Cell(i, prim) => {
                let code = V::new(move |cx| read_cell(&cx.vals[cx.vb + i]));
                match prim {
                    Some(p) => Code::P(Code::V(code).prim(p), p),
                    None if by_name => typed(
                        V::new(move |cx| {
                            let thunk = read_cell(&cx.vals[cx.vb + i])?;
                            cx.call_value(&thunk, &[])
                        }),
                        ty,
                    ),
                    None => Code::V(code),
                }
            }
            Slot::Lazy(i, prim) => {
                let code = V::new(move |cx| {
                    let cell = cx.vals[cx.vb + i].clone();
                    force(cx, &cell)
                });
                match prim {
                    Some(p) => Code::P(Code::V(code).prim(p), p),
                    None => Code::V(code),
                }
            }
        }
    }

    fn binary(&mut self, f: &mut Frame, e: &Expr, op: BinOp, prim: Prim, lhs: &Expr, rhs: &Expr) -> Understood<Code> {
        use BinOp::*;
        let a = self.prim(f, lhs, prim)?;
        let shift = matches!(op, Shl | Shr | UShr);
        let b = match shift {
            // The distance keeps its own type; its low bits are all that counts.
            true => {
                let own = rhs.ty.prim().unwrap_or(Prim::Int);
                self.prim(f, rhs, own)?
            }
            false => self.prim(f, rhs, prim)?,
        };
        let result = match op {
            Eq | Ne | Lt | Le | Gt | Ge => Prim::Boolean,
            _ => match prim {
                Prim::Byte | Prim::Short | Prim::Char => Prim::Int,
                other => other,
            },
        };
        match ops::binary_op(op, prim, a, b) {
            Some(code) => Ok(Code::P(code, result)),
            None => refuse(e, "an operator that this type does not have"),
        }
    }

    fn and_or(&mut self, frame: &mut Frame, a: &Expr, b: &Expr, and: bool) -> Understood<Code> {
        let a = self.truth(frame, a)?.code();
        let b = self.truth(frame, b)?.code();
        let code = match and {
            true => P::new(move |cx| if a(cx)? != 0 { b(cx) } else { Ok(0) }),
            false => P::new(move |cx| if a(cx)? != 0 { Ok(1) } else { b(cx) }),
        };
        Ok(Code::P(code, Prim::Boolean))
    }

    fn ref_eq(&mut self, f: &mut Frame, e: &Expr, lhs: &Expr, rhs: &Expr, negated: bool) -> Understood<Code> {
        if self.program.dialect == Dialect::Java {
            return self.identity(f, lhs, rhs, negated);
        }
        let _ = e;
        let flip = u64::from(negated);
        for (call, lit) in [(lhs, rhs), (rhs, lhs)] {
            if let Some(code) = self.message_eq(f, call, lit, flip)? {
                return Ok(code);
            }
        }
        let a = self.value(f, lhs)?;
        let b = self.value(f, rhs)?;
        let code = match (a, b) {
            (v, V::Const(Value::Null)) | (V::Const(Value::Null), v) => {
                v.map_prim(move |v| Ok(u64::from(v.is_null()) ^ flip))
            }
            (v, V::Const(c)) => v.map_prim(move |v| Ok(u64::from(scala_eq(v, &c)?) ^ flip)),
            (V::Slot(i), V::Slot(j)) => {
                P::new(move |cx| Ok(u64::from(scala_eq(&cx.vals[cx.vb + i], &cx.vals[cx.vb + j])?) ^ flip))
            }
            (a, b) => {
                let (a, b) = (a.code(), b.code());
                P::new(move |cx| {
                    let a = a(cx)?;
                    let b = b(cx)?;
                    Ok(u64::from(scala_eq(&a, &b)?) ^ flip)
                })
            }
        };
        Ok(Code::P(code, Prim::Boolean))
    }

    /// `e.getMessage == "text"`: the message of a NullPointerException depends on the compiled code, but it is null or begins
    /// with "Cannot ", so that it is never any other text.
    fn message_eq(&mut self, f: &mut Frame, call: &Expr, lit: &Expr, flip: u64) -> Understood<Option<Code>> {
        let ExprKind::Call {
            method,
            recv: Some(recv),
            ..
        } = &call.kind
        else {
            return Ok(None);
        };
        let ExprKind::Lit(Lit::Str(text)) = &lit.kind else {
            return Ok(None);
        };
        if method.id != "Throwable.getMessage" || String::from_utf16_lossy(text).starts_with("Cannot ") {
            return Ok(None);
        }
        let (recv, ty, eval) = (self.value(f, recv)?.code(), call.ty.clone(), method.eval);
        let text = self.value(f, lit)?.code();
        let code = P::new(move |cx| {
            let e = recv(cx)?;
            if e.is_null() {
                return Err(Throw::null_pointer().into());
            }
            if matches!(e.as_obj(), Some(Object::Exception(e)) if e.message.is_none()) {
                return Ok(flip);
            }
            let (message, text) = (eval(cx, &[e], &ty)?, text(cx)?);
            Ok(u64::from(scala_eq(&message, &text)?) ^ flip)
        });
        Ok(Some(Code::P(code, Prim::Boolean)))
    }

    fn identity(&mut self, f: &mut Frame, lhs: &Expr, rhs: &Expr, negated: bool) -> Understood<Code> {
        let origin = super::identity::Origin::of(self, f, lhs, rhs);
        let a = self.value(f, lhs)?.code();
        let b = self.value(f, rhs)?.code();
        let flip = u64::from(negated);
        let code = P::new(move |cx| {
            let a = a(cx)?;
            let b = b(cx)?;
            Ok(u64::from(super::identity::same(&a, &b, origin)?) ^ flip)
        });
        Ok(Code::P(code, Prim::Boolean))
    }

    fn conversion(&mut self, frame: &mut Frame, e: &Expr, conv: Conv, a: &Expr) -> Understood<Code> {
        Ok(match conv {
            Conv::Prim { from, to } => Code::P(ops::convert(from, to, self.prim(frame, a, from)?), to),
            Conv::Box(prim) => match self.prim(frame, a, prim)? {
                P::Const(b) => Code::V(V::Const(bits::wrap(b, prim))),
                p => Code::B(Code::P(p, prim).boxed(prim), prim),
            },
            Conv::Unbox(prim) => {
                let scala = self.program.dialect == Dialect::Scala;
                match self.expr(frame, a)? {
                    Code::P(p, own) if own == prim => Code::P(p, own),
                    code => Code::P(code.value().map_prim(move |v| Ok(bits::unbox(v, prim, scala)?)), prim),
                }
            }
            Conv::ToBigInt => {
                let code = self.value(frame, a)?.code();
                Code::V(V::new(move |cx| match code(cx)? {
                    Value::Null => Err(crate::jvm::value::Throw::null_pointer().into()),
                    Value::Obj(o) => Ok(Value::Obj(o)),
                    number => Ok(Value::obj(Object::BigInt(BigInt::from(crate::jvm::equality::to_i64(
                        &number,
                    ))))),
                }))
            }
            Conv::ToScalaBigDecimal => self.scala_decimal(frame, e, a)?,
            Conv::ToSeq => {
                let code = self.value(frame, a)?.code();
                Code::V(V::new(move |cx| {
                    let v = code(cx)?;
                    Ok(to_seq(v)?)
                }))
            }
        })
    }

    fn scala_decimal(&mut self, frame: &mut Frame, e: &Expr, a: &Expr) -> Understood<Code> {
        if matches!(a.ty.prim(), Some(Prim::Double | Prim::Float)) {
            // The digits of `Double.toString` count; the library's row knows them.
            let row = crate::jvm::tables::all()
                .find(|m| m.recv == "static BigDecimal" && m.name == "apply" && m.sig.starts_with("(Double)"));
            let Some(row) = row else {
                return refuse(e, "a conversion of a floating number to BigDecimal");
            };
            let code = self.prim(frame, a, Prim::Double)?.code();
            return Ok(Code::V(V::new(move |cx| {
                let v = Value::Double(bits::to_double(code(cx)?));
                Ok((row.eval)(cx, &[v], &Ty::ScalaBigDecimal)?)
            })));
        }
        let code = self.value(frame, a)?.code();
        Ok(Code::V(V::new(move |cx| {
            let v = code(cx)?;
            let value = match &v {
                // `javaBigDecimal2bigDecimal` keeps null.
                Value::Null => return Ok(Value::Null),
                Value::Obj(o) => match &**o {
                    Object::Decimal { value, .. } => value.clone(),
                    Object::BigInt(n) => JDecimal {
                        unscaled: n.clone(),
                        scale: 0,
                    },
                    _ => return Err(bits::mistyped("BigDecimal").into()),
                },
                number => JDecimal {
                    unscaled: BigInt::from(crate::jvm::equality::to_i64(number)),
                    scale: 0,
                },
            };
            Ok(Value::obj(Object::Decimal { value, scala: true }))
        })))
    }

    fn concat(&mut self, frame: &mut Frame, parts: &[Expr]) -> Understood<Code> {
        let mut codes = Vec::new();
        for part in parts {
            codes.push(self.value(frame, part)?);
        }
        Ok(Code::V(V::new(move |cx| {
            let mut text = Vec::new();
            for part in &codes {
                match part {
                    V::Const(v) => show::append(cx, v, &mut text)?,
                    V::Slot(i) => {
                        let v = cx.vals[cx.vb + i].clone();
                        show::append(cx, &v, &mut text)?;
                    }
                    V::Code(code) => {
                        let v = code(cx)?;
                        show::append(cx, &v, &mut text)?;
                    }
                }
            }
            crate::jvm::table::Context::grow(cx, text.len() * 2)?;
            Ok(Value::Str(JStr::from_units(&text)))
        })))
    }

    fn if_else(&mut self, f: &mut Frame, e: &Expr, cond: &Expr, then: &Expr, other: Option<&Expr>) -> Understood<Code> {
        let cond = self.truth(f, cond)?;
        let Some(other) = other else {
            let cond = cond.code();
            let then = self.expr(f, then)?.unit();
            return Ok(Code::V(V::new(move |cx| {
                if cond(cx)? != 0 {
                    then(cx)?;
                }
                Ok(Value::Unit)
            })));
        };
        let (then, other) = (self.expr(f, then)?, self.expr(f, other)?);
        let cond = cond.code();
        Ok(match e.ty.prim_type() {
            Some(prim) => {
                let (then, other) = (then.prim(prim).code(), other.prim(prim).code());
                Code::P(
                    P::new(move |cx| if cond(cx)? != 0 { then(cx) } else { other(cx) }),
                    prim,
                )
            }
            None => match e.ty {
                Ty::Boxed(prim) => {
                    let (then, other) = (then.boxed(prim).code(), other.boxed(prim).code());
                    Code::B(
                        B::new(move |cx| if cond(cx)? != 0 { then(cx) } else { other(cx) }),
                        prim,
                    )
                }
                _ => {
                    let (then, other) = (then.value().code(), other.value().code());
                    Code::V(V::new(move |cx| if cond(cx)? != 0 { then(cx) } else { other(cx) }))
                }
            },
        })
    }

    fn return_from(&mut self, frame: &mut Frame, value: Option<&Expr>) -> Understood<Code> {
        let code = match value {
            Some(v) => self.value(frame, v)?.code(),
            None => V::Const(Value::Unit).code(),
        };
        if frame.lambda {
            let var = units::Var {
                owner: frame.owner,
                local: units::SERIAL,
            };
            let Slot::Prim(serial, _) = self.slot(frame, var) else {
                return Err(crate::source::Refusal::new(
                    Default::default(),
                    "a return out of a function literal",
                ));
            };
            return Ok(Code::V(V::new(move |cx| {
                let v = code(cx)?;
                let serial = cx.prims[cx.pb + serial];
                Err(Throw::Control(Control::Return(serial, v)).into())
            })));
        }
        Ok(Code::V(V::new(move |cx| {
            cx.result = code(cx)?;
            Err(Stop::Return)
        })))
    }

    fn build(
        &mut self,
        frame: &mut Frame,
        items: &[Expr],
        make: impl Fn(Vec<Value>) -> Object + Send + Sync + 'static,
    ) -> Understood<Code> {
        let mut codes = Vec::new();
        for item in items {
            codes.push(self.value(frame, item)?.code());
        }
        Ok(Code::V(V::new(move |cx| {
            let mut values = Vec::with_capacity(codes.len());
            for code in &codes {
                values.push(code(cx)?);
            }
            Ok(Value::obj(make(values)))
        })))
    }

    fn field(&mut self, frame: &mut Frame, e: &Expr, recv: &Expr, index: usize) -> Understood<Code> {
        let code = self.value(frame, recv)?.code();
        let read = V::new(move |cx| {
            let v = code(cx)?;
            match v.as_obj() {
                Some(Object::Tuple(items) | Object::Class(_, items)) => match items.get(index) {
                    Some(item) => Ok(item.clone()),
                    None => Err(bits::mistyped("a field").into()),
                },
                None if v.is_null() => Err(Throw::null_pointer().into()),
                _ => Err(bits::mistyped("a field").into()),
            }
        });
        Ok(typed(read, &e.ty))
    }

    fn seq_lit(&mut self, frame: &mut Frame, e: &Expr, items: &[Expr]) -> Understood<Code> {
        match &e.ty {
            Ty::Array(_) => self.build(frame, items, |items| Object::Array(std::sync::Mutex::new(items))),
            Ty::Set(_) => self.build(frame, items, |items| {
                Object::Set(crate::jvm::maps::ImSet::from_items(items))
            }),
            Ty::Seq(kind, _) => {
                use crate::jvm::object::BufferClass;
                match kind {
                    SeqKind::Buffer => self.build(frame, items, |items| {
                        Object::Buffer(BufferClass::Other, std::sync::Mutex::new(items))
                    }),
                    SeqKind::JavaList => self.build(frame, items, |i| Object::Seq(SeqClass::JavaList, i)),
                    SeqKind::Vector => self.build(frame, items, |i| Object::Seq(SeqClass::Vector, i)),
                    _ => self.build(frame, items, |i| Object::Seq(SeqClass::List, i)),
                }
            }
            _ => refuse(e, format!("a literal of type {}", e.ty)),
        }
    }

    fn index(&mut self, frame: &mut Frame, e: &Expr, array: &Expr, index: &Expr) -> Understood<Code> {
        let array = self.value(frame, array)?.code();
        let index = self.prim(frame, index, Prim::Int)?.code();
        let read = V::new(move |cx| {
            let a = array(cx)?;
            let i = bits::to_int(index(cx)?);
            match a.as_obj() {
                Some(Object::Array(items)) => {
                    let items = lock(items);
                    match usize::try_from(i).ok().and_then(|i| items.get(i)) {
                        Some(v) => Ok(v.clone()),
                        None => Err(out_of_bounds(i, items.len()).into()),
                    }
                }
                None if a.is_null() => Err(Throw::null_pointer().into()),
                _ => Err(bits::mistyped("an array").into()),
            }
        });
        Ok(typed(read, &e.ty))
    }

    fn cast(&mut self, frame: &mut Frame, a: &Expr, ty: &Ty) -> Understood<Code> {
        let code = self.expr(frame, a)?;
        if let (Code::P(_, from), Some(to)) = (&code, ty.prim_type()) {
            let from = *from;
            return Ok(Code::P(unary(code.prim(from), move |b| bits::convert(b, from, to)), to));
        }
        let ty = ty.clone();
        let scala = self.program.dialect == Dialect::Scala;
        let value = code.value();
        if let Some(prim) = ty.prim_type() {
            return Ok(Code::P(value.map_prim(move |v| Ok(bits::unbox(v, prim, scala)?)), prim));
        }
        let classes = self.class_names();
        let code = value.code();
        Ok(Code::V(V::new(move |cx| {
            let v = code(cx)?;
            if v.is_null() || instance_of(&v, &ty, &classes)? {
                return Ok(v);
            }
            let class = show::class_of(&v);
            Err(Throw::exception(
                "ClassCastException",
                format!("class {class} cannot be cast to class {ty}"),
            )
            .into())
        })))
    }
}

/// Code whose value is that of a value, by the static type.
pub fn typed(code: V, ty: &Ty) -> Code {
    match ty.prim_type() {
        Some(prim) => Code::P(Code::V(code).prim(prim), prim),
        None => Code::V(code),
    }
}

/// A closure over slots of this frame; one without captures is made once.
pub fn closure(unit: UnitRef, captured: Vec<Slot>) -> Code {
    let make = move |prims, vals| Value::obj(Object::Closure(Arc::new(LambdaValue { unit, prims, vals })));
    if captured.is_empty() {
        return Code::V(V::Const(make(Vec::new(), Vec::new())));
    }
    Code::V(V::new(move |cx| {
        let (mut prims, mut vals) = (Vec::new(), Vec::new());
        for slot in &captured {
            match slot {
                Slot::Prim(i, _) => prims.push(cx.prims[cx.pb + i]),
                Slot::Val(i) => vals.push(cx.vals[cx.vb + i].clone()),
                Slot::Cell(i, prim) | Slot::Lazy(i, prim) => vals.push(shared(cx, *i, *prim)),
            }
        }
        Ok(make(prims, vals))
    }))
}

/// The cell in a slot, made if the variable was declared without a value.
pub fn shared(cx: &mut Cx<'_>, slot: usize, prim: Option<Prim>) -> Value {
    let at = cx.vb + slot;
    if cx.vals[at].is_null() {
        cx.vals[at] = super::machine::cell(prim.map_or(Value::Null, |p| zero(&Ty::Prim(p))));
    }
    cx.vals[at].clone()
}

fn read_cell(cell: &Value) -> Run<Value> {
    match cell.as_obj() {
        Some(Object::Cell(value)) => Ok(lock(value).clone()),
        _ => Ok(Value::Null),
    }
}

/// The value of a `lazy val`, made if it is not made yet.
fn force(cx: &mut Cx<'_>, cell: &Value) -> Run<Value> {
    let Some(Object::Cell(content)) = cell.as_obj() else {
        return Err(bits::mistyped("a lazy val").into());
    };
    let now = lock(content).clone();
    let thunk = match now.as_obj() {
        Some(Object::Other(o)) => o.as_any().downcast_ref::<LazyThunk>().map(|t| t.0.clone()),
        _ => None,
    };
    match thunk {
        None => Ok(now),
        Some(thunk) => {
            let value = cx.call_value(&thunk, &[])?;
            *lock(content) = value.clone();
            Ok(value)
        }
    }
}

/// What `throw v` does.
pub fn throw_value(v: &Value) -> Throw {
    match v {
        Value::Null => Throw::null_pointer(),
        Value::Obj(o) => match &**o {
            Object::Exception(e) => Throw::Exception(e.clone()),
            _ => bits::mistyped("throw"),
        },
        _ => bits::mistyped("throw"),
    }
}

/// `ArrayIndexOutOfBoundsException` as the JDK words it.
pub fn out_of_bounds(index: i32, len: usize) -> Throw {
    Throw::exception(
        "ArrayIndexOutOfBoundsException",
        format!("Index {index} out of bounds for length {len}"),
    )
}

/// The implicit wrappers of strings, arrays and ranges. An array is shared with its wrapper, which is read when used.
fn to_seq(v: Value) -> Result<Value, Throw> {
    Ok(match &v {
        // `wrapString(null)` and `wrapRefArray(null)` give null.
        Value::Null => Value::Null,
        Value::Str(_) => Value::seq(SeqClass::WrappedString, View::of(&v)?.to_vec()),
        Value::Obj(o) => match &**o {
            Object::Array(items) => Value::seq(SeqClass::WrappedArray, lock(items).clone()),
            Object::Range(_) | Object::Seq(..) | Object::Buffer(..) => v.clone(),
            Object::Some(_) | Object::None => Value::list(View::of(&v)?.to_vec()),
            _ => v.clone(),
        },
        _ => return Err(bits::mistyped("a sequence")),
    })
}
