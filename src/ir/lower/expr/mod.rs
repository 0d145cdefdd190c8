//! Expressions: operators, conversions, construction; equality and the merging of values in files of their own.

mod equality;
mod merging;

use super::Lower;
use super::sym::{Body, Event, Exit, State, Sym};
use crate::ir::func::Func;
use crate::ir::node::{ColTy, Const, NodeId, Op};
use crate::lang::ast::{BinOp, Conv, Dialect, Expr, ExprKind, Lit, UnOp};
use crate::lang::ty::{Prim, Ty};
use crate::source::{Span, Understood};

impl Lower<'_> {
    /// The value of an expression. When the state is dead afterwards, the value means nothing.
    pub(super) fn eval(&mut self, st: &mut State, frame: u32, e: &Expr) -> Understood<Sym> {
        self.g.span = e.span;
        let value = self.eval_kind(st, frame, e);
        self.g.span = e.span;
        value
    }

    fn eval_kind(&mut self, st: &mut State, frame: u32, e: &Expr) -> Understood<Sym> {
        match &e.kind {
            ExprKind::Lit(lit) => self.literal(lit, &e.ty, e.span),
            ExprKind::Local(local) => {
                let key = self.slot(st, frame, *local);
                match st.locals.get(&key) {
                    Some(value) => Ok(value.clone()),
                    None => self.refuse(e.span, "a variable that is used before it is set has no columnar form"),
                }
            }
            ExprKind::Global(id) => self.global(*id, e.span),
            ExprKind::Unary(op, a) => self.unary(st, frame, *op, a, e),
            ExprKind::Binary { op, prim, lhs, rhs } => self.binary(st, frame, (*op, *prim), lhs, rhs, e),
            ExprKind::And(a, b) => self.logic(st, frame, true, a, b),
            ExprKind::Or(a, b) => self.logic(st, frame, false, a, b),
            ExprKind::RefEq { lhs, rhs, negated } => self.ref_eq(st, frame, lhs, rhs, *negated, e.span),
            ExprKind::Identity { lhs, rhs, negated } => self.identity(st, frame, lhs, rhs, *negated, e.span),
            ExprKind::Convert(conv, a) => self.convert(st, frame, *conv, a, e),
            ExprKind::Concat(parts) => self.concat(st, frame, parts),
            ExprKind::Block(stmts, value) => {
                self.statements(st, frame, stmts)?;
                match value {
                    Some(value) if !st.dead => self.eval(st, frame, value),
                    _ => Ok(Sym::Unit),
                }
            }
            ExprKind::If { cond, then, otherwise } => self.eval_if(st, frame, cond, then, otherwise.as_deref()),
            ExprKind::Match { scrutinee, cases } => {
                let value = self.eval(st, frame, scrutinee)?;
                if st.dead {
                    return Ok(Sym::Unit);
                }
                self.eval_cases(st, frame, &value, cases)
            }
            ExprKind::Try { body, catches, finally } => match finally {
                None => self.eval_try(st, frame, body, catches, e.span),
                Some(f) => self.refuse(f.span, "`finally` has no columnar form"),
            },
            ExprKind::Throw(a) => {
                let value = self.eval(st, frame, a)?;
                match value {
                    Sym::Exception(class, message) => {
                        let always = self.g.bool(true);
                        self.raise_if(st, always, &class, &message);
                        Ok(Sym::Unit)
                    }
                    _ if st.dead => Ok(Sym::Unit),
                    _ => self.refuse(
                        e.span,
                        "only an exception that is made on the spot can be thrown in columnar form",
                    ),
                }
            }
            ExprKind::Return(value) => {
                let value = match value {
                    Some(value) => self.eval(st, frame, value)?,
                    None => Sym::Unit,
                };
                if !st.dead {
                    let cond = self.g.bool(true);
                    let home = self.function_frame(frame);
                    st.events.push(Event {
                        cond,
                        exit: Exit::Return(home, value),
                    });
                    st.dead = true;
                }
                Ok(Sym::Unit)
            }
            ExprKind::Call { method, recv, args } => self.library(st, frame, method, recv.as_deref(), args, e),
            ExprKind::CallFn { func, args } => self.call_function(st, frame, *func, args, e.span),
            ExprKind::Apply { func, args } => {
                let f = self.eval(st, frame, func)?;
                let Some(args) = self.eval_all(st, frame, args)? else {
                    return Ok(Sym::Unit);
                };
                self.apply(st, &f, &args, e.span)
            }
            ExprKind::Lambda { params, body } => Ok(Sym::Closure(frame, params.clone(), Body(body.clone()))),
            ExprKind::FnRef(func) => Ok(Sym::Function(*func)),
            ExprKind::Tuple(items) => Ok(self.eval_all(st, frame, items)?.map_or(Sym::Unit, Sym::Tuple)),
            ExprKind::TupleField(a, i) => match self.eval(st, frame, a)? {
                Sym::Tuple(items) if *i < items.len() => Ok(items[*i].clone()),
                _ if st.dead => Ok(Sym::Unit),
                _ => self.refuse(e.span, "a tuple that is not built here has no columnar form"),
            },
            ExprKind::NewClass { class, args } => Ok(self
                .eval_all(st, frame, args)?
                .map_or(Sym::Unit, |fields| Sym::Object(*class, fields))),
            ExprKind::Field { recv, index, .. } => match self.eval(st, frame, recv)? {
                Sym::Object(_, fields) if *index < fields.len() => Ok(fields[*index].clone()),
                Sym::OrNull(null, inner) => match *inner {
                    Sym::Object(_, fields) if *index < fields.len() => {
                        self.raise_if(st, null, "NullPointerException", "null");
                        Ok(fields[*index].clone())
                    }
                    _ => self.refuse(e.span, "a field of a value that is not built here has no columnar form"),
                },
                _ if st.dead => Ok(Sym::Unit),
                _ => self.refuse(e.span, "a field of a value that is not built here has no columnar form"),
            },
            ExprKind::SeqLit(items) => {
                let always = self.g.bool(true);
                Ok(self.eval_all(st, frame, items)?.map_or(Sym::Unit, |all| {
                    Sym::Seq(all.into_iter().map(|x| (always, x)).collect())
                }))
            }
            ExprKind::Index { array, index } => {
                let xs = self.eval(st, frame, array)?;
                let i = self.eval(st, frame, index)?;
                if st.dead {
                    return Ok(Sym::Unit);
                }
                self.element(st, &xs, &i, "ArrayIndexOutOfBoundsException", &e.ty, e.span)
            }
            ExprKind::InstanceOf(..) => self.refuse(e.span, "a run-time class test has no columnar form"),
            ExprKind::Cast(a, ty) => {
                let value = self.eval(st, frame, a)?;
                if *ty == a.ty || a.ty == Ty::Null || ColTy::of(ty) == ColTy::of(&a.ty) {
                    Ok(value)
                } else {
                    self.refuse(e.span, format!("a cast from `{}` to `{ty}` has no columnar form", a.ty))
                }
            }
        }
    }

    fn function_frame(&self, frame: u32) -> u32 {
        frame
    }

    /// All values in order; `None` once a path cannot go on.
    pub(super) fn eval_all(&mut self, st: &mut State, frame: u32, items: &[Expr]) -> Understood<Option<Vec<Sym>>> {
        let mut out = Vec::new();
        for item in items {
            out.push(self.eval(st, frame, item)?);
            if st.dead {
                return Ok(None);
            }
        }
        Ok(Some(out))
    }

    /// A constant of the source.
    pub(super) fn literal(&mut self, lit: &Lit, ty: &Ty, span: Span) -> Understood<Sym> {
        let int = |p: Prim, v: i64| (Const::Int(v), ColTy::Prim(p));
        let (value, ty) = match lit {
            Lit::Unit => return Ok(Sym::Unit),
            Lit::Null => (Const::Null, ColTy::of(ty).unwrap_or(ColTy::Null)),
            Lit::Bool(b) => (Const::Bool(*b), ColTy::BOOL),
            Lit::Byte(v) => int(Prim::Byte, i64::from(*v)),
            Lit::Short(v) => int(Prim::Short, i64::from(*v)),
            Lit::Int(v) => int(Prim::Int, i64::from(*v)),
            Lit::Long(v) => int(Prim::Long, *v),
            Lit::Float(v) => (Const::F32(v.to_bits()), ColTy::Prim(Prim::Float)),
            Lit::Double(v) => (Const::F64(v.to_bits()), ColTy::DOUBLE),
            Lit::Char(c) if char::from_u32(u32::from(*c)).is_some() => (Const::Char(*c), ColTy::Prim(Prim::Char)),
            Lit::Char(_) => return self.refuse(span, "half of a surrogate pair has no columnar form"),
            Lit::Str(units) => match String::from_utf16(units) {
                Ok(text) => (Const::Str(text.into()), ColTy::Str),
                Err(_) => return self.refuse(span, "half of a surrogate pair has no columnar form"),
            },
        };
        Ok(Sym::Node(self.g.constant_of(value, ty)))
    }

    fn unary(&mut self, st: &mut State, frame: u32, op: UnOp, a: &Expr, e: &Expr) -> Understood<Sym> {
        let value = self.eval(st, frame, a)?;
        if st.dead {
            return Ok(Sym::Unit);
        }
        let n = self.node_of(&value, a.span)?;
        self.g.span = e.span;
        let prim = e.ty.prim().unwrap_or(Prim::Int);
        Ok(Sym::Node(match op {
            UnOp::Not => self.g.not(n),
            UnOp::Neg => self.g.neg(prim, n),
            UnOp::BitNot => self.g.add(Op::BitNot(prim, n), ColTy::Prim(prim)),
        }))
    }

    fn binary(
        &mut self,
        st: &mut State,
        frame: u32,
        (op, prim): (BinOp, Prim),
        lhs: &Expr,
        rhs: &Expr,
        e: &Expr,
    ) -> Understood<Sym> {
        let a = self.eval(st, frame, lhs)?;
        let b = if st.dead { Sym::Unit } else { self.eval(st, frame, rhs)? };
        if st.dead {
            return Ok(Sym::Unit);
        }
        let (a, b) = (self.node_of(&a, lhs.span)?, self.node_of(&b, rhs.span)?);
        self.g.span = e.span;
        if matches!(op, BinOp::Div | BinOp::Rem) && prim.is_integral() {
            let zero = self.g.constant_of(Const::Int(0), ColTy::Prim(prim));
            let by_zero = self.g.bin(BinOp::Eq, prim, b, zero);
            self.raise_if(st, by_zero, "ArithmeticException", "/ by zero");
            if st.dead {
                return Ok(Sym::Unit);
            }
        }
        if prim == Prim::Char
            && !matches!(
                op,
                BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge
            )
        {
            let (x, y) = (
                self.g.conv(Prim::Char, Prim::Int, a),
                self.g.conv(Prim::Char, Prim::Int, b),
            );
            return Ok(Sym::Node(self.g.bin(op, Prim::Int, x, y)));
        }
        Ok(Sym::Node(self.g.bin(op, prim, a, b)))
    }

    fn logic(&mut self, st: &mut State, frame: u32, both: bool, a: &Expr, b: &Expr) -> Understood<Sym> {
        let x = self.condition(st, frame, a)?;
        if st.dead {
            return Ok(Sym::Unit);
        }
        match self.decided(st, x) {
            Some(v) if v != both => return Ok(Sym::Node(self.g.bool(v))),
            Some(_) => return Ok(Sym::Node(self.condition(st, frame, b)?)),
            None => {}
        }
        let mut right = st.branch(&self.g, x, both);
        let y = self.condition(&mut right, frame, b)?;
        let left = st.branch(&self.g, x, !both);
        let short = self.g.bool(!both);
        let when = if both { x } else { self.g.not(x) };
        let dead = right.dead;
        self.join(st, when, (right, Sym::Unit), (left, Sym::Unit), b.span)?;
        if dead {
            return Ok(Sym::Node(short));
        }
        Ok(Sym::Node(if both { self.g.and(x, y) } else { self.g.or(x, y) }))
    }

    fn convert(&mut self, st: &mut State, frame: u32, conv: Conv, a: &Expr, e: &Expr) -> Understood<Sym> {
        let value = self.eval(st, frame, a)?;
        if st.dead {
            return Ok(Sym::Unit);
        }
        self.g.span = e.span;
        match conv {
            Conv::Box(_) => Ok(value),
            Conv::Unbox(prim) => {
                let n = self.node_of(&value, a.span)?;
                if !self.nullable(st, n) {
                    return Ok(Sym::Node(n));
                }
                if self.dialect() == Dialect::Java {
                    self.require(st, n);
                    return Ok(Sym::Node(n));
                }
                let zero = self.zero(prim);
                Ok(Sym::Node(self.g.add(Op::Coalesce(n, zero), ColTy::Prim(prim))))
            }
            Conv::Prim { from, to } => {
                let n = self.node_of(&value, a.span)?;
                self.g.span = e.span;
                Ok(Sym::Node(self.g.conv(from, to, n)))
            }
            Conv::ToScalaBigDecimal => self.decimal_of(&value, &a.ty, e.span),
            Conv::ToBigInt => self.refuse(e.span, "`BigInt` has no columnar form"),
            Conv::ToSeq => Ok(value),
        }
    }

    /// Zero of a primitive type.
    pub(super) fn zero(&mut self, prim: Prim) -> NodeId {
        let value = match prim {
            Prim::Boolean => Const::Bool(false),
            Prim::Float => Const::F32(0),
            Prim::Double => Const::F64(0),
            Prim::Char => Const::Char(0),
            _ => Const::Int(0),
        };
        self.g.constant_of(value, ColTy::Prim(prim))
    }

    fn concat(&mut self, st: &mut State, frame: u32, parts: &[Expr]) -> Understood<Sym> {
        let mut nodes = Vec::new();
        let span = self.g.span;
        for part in parts {
            let value = self.eval(st, frame, part)?;
            if st.dead {
                return Ok(Sym::Unit);
            }
            nodes.push(self.text_of(st, &value, part.span)?);
        }
        self.g.span = span;
        Ok(Sym::Node(self.g.concat(nodes)))
    }

    /// `String.valueOf` of a value: never null.
    pub(super) fn text_of(&mut self, st: &State, value: &Sym, span: Span) -> Understood<NodeId> {
        match value {
            Sym::Opt(defined, inner) => {
                let inner = self.text_of(st, inner, span)?;
                let (open, close, none) = (self.g.text("Some("), self.g.text(")"), self.g.text("None"));
                let some = self.g.concat(vec![open, inner, close]);
                return Ok(self.g.case(*defined, some, none));
            }
            Sym::NoneOpt => return Ok(self.g.text("None")),
            Sym::Enum(names, n) => return Ok(self.day_name(*names, *n)),
            Sym::Builder(cell) => {
                if let Some(n) = st.cells.get(cell) {
                    return Ok(*n);
                }
            }
            _ => {}
        }
        let n = self.node_of(value, span)?;
        let text = match (self.g.ty(n).clone(), self.g.constant(n).cloned()) {
            (_, Some(Const::Null)) => return Ok(self.g.text("null")),
            (_, Some(Const::Int(i))) => return Ok(self.g.text(&i.to_string())),
            (_, Some(Const::Bool(b))) => return Ok(self.g.text(if b { "true" } else { "false" })),
            (ColTy::Str | ColTy::Prim(Prim::Char), _) => n,
            (ColTy::Prim(_) | ColTy::Decimal(..) | ColTy::Date, _) => self.g.call(Func::ToText, vec![n], ColTy::Str),
            (ty, _) => return self.refuse(span, format!("the text of a {ty:?} value has no columnar form")),
        };
        if self.nullable(st, n) {
            let word = self.g.text("null");
            return Ok(self.g.add(Op::Coalesce(text, word), ColTy::Str));
        }
        Ok(text)
    }
}

/// The type in which two numbers are compared.
fn promoted(a: Prim, b: Prim) -> Option<Prim> {
    if !a.is_numeric() || !b.is_numeric() || a == Prim::Char || b == Prim::Char {
        return None;
    }
    Some(if a == Prim::Double || b == Prim::Double {
        Prim::Double
    } else if a == Prim::Float || b == Prim::Float {
        Prim::Float
    } else if a == Prim::Long || b == Prim::Long {
        Prim::Long
    } else {
        Prim::Int
    })
}
