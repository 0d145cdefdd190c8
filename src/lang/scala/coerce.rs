//! Conversions. In: a typed expression and the type that is expected; out: the expression with every implicit conversion
//! written out, or a refusal. Only conversions that scalac inserts.

use std::sync::Arc;

use super::{Typer, mk};
use crate::jvm::lookup;
use crate::lang::ast::{Conv, Expr, ExprKind, Lit, Stmt};
use crate::lang::relate::{conforms, widens};
use crate::lang::ty::{Prim, SeqKind, Ty};
use crate::source::{Refusal, Understood};

/// Whether [`Typer::coerce`] may succeed, judged by types only.
pub(super) fn coercible(from: &Ty, to: &Ty) -> bool {
    if conforms(from, to) || lookup::is_open(to) {
        return true;
    }
    match (from, to) {
        (Ty::Prim(a), Ty::Prim(b)) => widens(*a, *b),
        (Ty::Prim(a), Ty::Boxed(b)) | (Ty::Boxed(a), Ty::Prim(b)) => a == b,
        (Ty::Prim(_) | Ty::Unit, Ty::Any) => true,
        (Ty::Prim(p), Ty::ScalaBigDecimal) => matches!(p, Prim::Int | Prim::Long | Prim::Double),
        (Ty::JavaBigDecimal | Ty::BigInt, Ty::ScalaBigDecimal) => from == &Ty::JavaBigDecimal,
        (Ty::Prim(Prim::Int | Prim::Long), Ty::BigInt) => true,
        (Ty::String, Ty::Seq(SeqKind::Seq, a)) => **a == Ty::CHAR || lookup::is_open(a),
        (Ty::Array(a), Ty::Seq(SeqKind::Seq, b)) => conforms(a, b) || **b == Ty::Any,
        (Ty::Class(x), Ty::Any) => !x.is_empty(),
        (_, Ty::Unit) => true,
        _ => false,
    }
}

/// A numeric constant in another numeric type, if the expression is one.
fn constant(e: &Expr, to: Prim) -> Option<Lit> {
    let ExprKind::Lit(lit) = &e.kind else { return None };
    let int = match lit {
        Lit::Int(v) => *v,
        Lit::Char(c) if to != Prim::Byte && to != Prim::Short => i32::from(*c),
        _ => return None,
    };
    Some(match to {
        Prim::Byte => Lit::Byte(i8::try_from(int).ok()?),
        Prim::Short => Lit::Short(i16::try_from(int).ok()?),
        Prim::Char => Lit::Char(u16::try_from(int).ok()?),
        Prim::Int => Lit::Int(int),
        Prim::Long => Lit::Long(i64::from(int)),
        Prim::Float => Lit::Float(int as f32),
        Prim::Double => Lit::Double(f64::from(int)),
        Prim::Boolean => return None,
    })
}

impl<'t> Typer<'t> {
    /// Converts an expression to a type.
    pub(super) fn coerce(&mut self, e: Expr, to: &Ty) -> Understood<Expr> {
        if e.ty == *to || matches!(to, Ty::Var(_)) {
            return Ok(e);
        }
        if let (Some(lit), Ty::Prim(_)) = (
            to.prim().filter(|p| *p != Prim::Boolean).and_then(|p| constant(&e, p)),
            to,
        ) {
            return Ok(mk(ExprKind::Lit(lit), to.clone(), e.span));
        }
        let at = e.span;
        let convert = |c: Conv, e: Expr| Ok(mk(ExprKind::Convert(c, Box::new(e)), to.clone(), at));
        match (e.ty.clone(), to) {
            (Ty::Nothing, _) => Ok(e),
            (_, Ty::Unit) => Ok(mk(ExprKind::Block(vec![Stmt::Expr(e)], None), Ty::Unit, at)),
            (Ty::Prim(a), Ty::Prim(b)) if widens(a, *b) => convert(Conv::Prim { from: a, to: *b }, e),
            (Ty::Prim(a), Ty::Boxed(b)) if a == *b => convert(Conv::Box(a), e),
            (Ty::Boxed(a), Ty::Prim(b)) if a == *b => convert(Conv::Unbox(a), e),
            (Ty::Prim(a), Ty::Any) => convert(Conv::Box(a), e),
            (Ty::Unit, Ty::Any) => Ok(Expr { ty: Ty::Any, ..e }),
            (Ty::Prim(Prim::Int | Prim::Long | Prim::Double) | Ty::JavaBigDecimal, Ty::ScalaBigDecimal) => {
                convert(Conv::ToScalaBigDecimal, e)
            }
            (Ty::Prim(Prim::Int | Prim::Long), Ty::BigInt) => convert(Conv::ToBigInt, e),
            (Ty::String | Ty::Array(_), Ty::Seq(SeqKind::Seq, _)) if coercible(&e.ty, to) => convert(Conv::ToSeq, e),
            (Ty::Null, _) if to.is_reference() => Ok(Expr { ty: to.clone(), ..e }),
            (from, _) if conforms(&from, to) => Ok(retype(e, to)),
            (Ty::Fn(..), Ty::Fn(..)) => self.coerce_function(e, to),
            (Ty::Option(_), Ty::Seq(SeqKind::Seq, _)) => {
                let list = self.fit_open(e, to)?;
                if conforms(&list.ty, to) {
                    Ok(list)
                } else {
                    mismatch(&list, to)
                }
            }
            _ => mismatch(&e, to),
        }
    }

    /// A function literal whose body only needs a conversion.
    fn coerce_function(&mut self, e: Expr, to: &Ty) -> Understood<Expr> {
        let (Ty::Fn(have, _), Ty::Fn(want, ret)) = (&e.ty, to) else {
            return mismatch(&e, to);
        };
        if have != want || lookup::is_open(ret) {
            return if lookup::is_open(to) { Ok(e) } else { mismatch(&e, to) };
        }
        match e.kind {
            ExprKind::Lambda { params, body } => {
                let body = self.coerce(Arc::unwrap_or_clone(body), ret)?;
                let kind = ExprKind::Lambda {
                    params,
                    body: Arc::new(body),
                };
                Ok(mk(kind, to.clone(), e.span))
            }
            _ => mismatch(&e, to),
        }
    }

    /// Where a sequence of still unknown elements is expected, turns arrays, strings and options into one.
    pub(super) fn fit_open(&mut self, e: Expr, pattern: &Ty) -> Understood<Expr> {
        let Ty::Seq(SeqKind::Seq, _) = pattern else {
            return Ok(e);
        };
        let elem = match &e.ty {
            Ty::String => Ty::CHAR,
            Ty::Array(a) => (**a).clone(),
            Ty::Option(_) | Ty::Map(..) | Ty::Set(_) => {
                let name = if matches!(e.ty, Ty::Option(_)) {
                    "toList"
                } else {
                    "toSeq"
                };
                return self.nullary(e, name);
            }
            _ => return Ok(e),
        };
        let (at, ty) = (e.span, Ty::Seq(SeqKind::Seq, Box::new(elem)));
        Ok(mk(ExprKind::Convert(Conv::ToSeq, Box::new(e)), ty, at))
    }

    /// Opens a box, for operators.
    pub(super) fn unboxed(&self, e: Expr) -> Expr {
        match e.ty {
            Ty::Boxed(p) => {
                let at = e.span;
                mk(ExprKind::Convert(Conv::Unbox(p), Box::new(e)), Ty::Prim(p), at)
            }
            _ => e,
        }
    }

    /// Makes a reference of a primitive.
    pub(super) fn boxed(&self, e: Expr) -> Expr {
        match e.ty {
            Ty::Prim(p) => {
                let at = e.span;
                mk(ExprKind::Convert(Conv::Box(p), Box::new(e)), Ty::Boxed(p), at)
            }
            _ => e,
        }
    }
}

/// Sees a value as one of a supertype. What is evaluated by its own static type keeps it, inside an empty block.
fn retype(e: Expr, to: &Ty) -> Expr {
    let simple = match (&e.kind, &e.ty, to) {
        (ExprKind::SeqLit(_), Ty::Seq(k, _), Ty::Seq(l, _)) => k == l,
        (ExprKind::SeqLit(_), Ty::Array(_), _) => true,
        (ExprKind::Lit(_) | ExprKind::Local(_) | ExprKind::Global(_), _, _) => true,
        _ => false,
    };
    if simple {
        return Expr { ty: to.clone(), ..e };
    }
    let at = e.span;
    mk(ExprKind::Block(Vec::new(), Some(Box::new(e))), to.clone(), at)
}

fn mismatch<T>(e: &Expr, to: &Ty) -> Understood<T> {
    Err(Refusal::new(e.span, format!("`{}` where `{to}` is expected", e.ty)))
}
