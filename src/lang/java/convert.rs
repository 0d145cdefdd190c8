//! Conversions. In: a typed expression and the type it has to have; out: the expression with every step written out
//! (boxing, unboxing, widening, narrowing of constants), or a refusal. Also numeric promotion and the type of `?:`.

use tree_sitter::Node;

use super::cst::span;
use super::types::writable;
use super::{Typer, mk};
use crate::lang::ast::{BinOp, Conv, Expr, ExprKind, Lit, UnOp};
use crate::lang::relate::{conforms, is_throwable, lub, promote, widens};
use crate::lang::ty::{JavaKind, Prim, SeqKind, Ty};
use crate::source::{Refusal, Understood};

/// How far an argument may be converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// Subtyping and widening.
    Strict,
    /// Boxing and unboxing too.
    Loose,
}

/// Whether a value of a reference type is one of another as it stands.
pub(super) fn is_a(from: &Ty, to: &Ty) -> bool {
    match (from, to) {
        _ if conforms(from, to) || *to == Ty::Any => from.is_reference(),
        (Ty::Null, _) => to.is_reference(),
        (_, Ty::Class(c)) => match c.as_str() {
            "CharSequence" => matches!(from, Ty::String) || matches!(from, Ty::Class(n) if n == "StringBuilder"),
            "Number" => {
                matches!(from, Ty::Boxed(p) if p.is_numeric() && *p != Prim::Char)
                    || matches!(from, Ty::JavaBigDecimal | Ty::BigInt)
            }
            "Comparable" => !matches!(from, Ty::Array(_) | Ty::Fn(..)),
            "Serializable" => true,
            "TemporalAccessor"
            | "Temporal"
            | "ChronoLocalDate"
            | "ChronoLocalDateTime"
            | "TemporalAmount"
            | "TemporalUnit"
            | "TemporalAdjuster" => matches!(from, Ty::Class(_)),
            _ => false,
        },
        // Generic arguments that the library's rows leave out.
        (Ty::Seq(SeqKind::JavaList, a), Ty::Seq(SeqKind::JavaList, b)) => is_a(a, b),
        (Ty::Java(k, xs), Ty::Java(l, ys)) => k.is(*l) && xs.iter().zip(ys).all(|(x, y)| x == y || is_a(x, y)),
        (Ty::Seq(SeqKind::JavaList, x), Ty::Java(JavaKind::Collection, ys)) => ys.iter().all(|y| is_a(x, y)),
        (Ty::Array(a), Ty::Array(b)) => a.is_reference() && is_a(a, b),
        (Ty::Fn(ps, r), Ty::Fn(qs, s)) => {
            ps.len() == qs.len()
                && ps.iter().zip(qs).all(|(p, q)| p == q || is_a(q, p))
                && (r == s || is_a(r, s) || **s == Ty::Unit)
        }
        _ => false,
    }
}

/// Whether an argument of a type may stand where another type is wanted.
pub(super) fn fits(from: &Ty, to: &Ty, phase: Phase) -> bool {
    match (from, to) {
        (Ty::Nothing, _) => true,
        (Ty::Prim(p), Ty::Prim(q)) => widens(*p, *q),
        (Ty::Prim(p), _) if phase == Phase::Loose => is_a(&Ty::Boxed(*p), to),
        (Ty::Boxed(p), Ty::Prim(q)) if phase == Phase::Loose => widens(*p, *q),
        (Ty::Prim(_), _) | (_, Ty::Prim(_)) => false,
        _ => is_a(from, to),
    }
}

/// The value of a constant expression of type `int` or narrower.
pub(super) fn constant(e: &Expr) -> Option<i64> {
    match &e.kind {
        ExprKind::Lit(Lit::Int(v)) => Some(i64::from(*v)),
        ExprKind::Lit(Lit::Short(v)) => Some(i64::from(*v)),
        ExprKind::Lit(Lit::Byte(v)) => Some(i64::from(*v)),
        ExprKind::Lit(Lit::Char(v)) => Some(i64::from(*v)),
        ExprKind::Unary(UnOp::Neg, a) => Some(i64::from((constant(a)? as i32).wrapping_neg())),
        ExprKind::Convert(Conv::Prim { to: Prim::Int, .. }, a) => constant(a),
        ExprKind::Binary {
            op,
            prim: Prim::Int,
            lhs,
            rhs,
        } => {
            let (a, b) = (constant(lhs)? as i32, constant(rhs)? as i32);
            let v = match op {
                BinOp::Add => a.wrapping_add(b),
                BinOp::Sub => a.wrapping_sub(b),
                BinOp::Mul => a.wrapping_mul(b),
                BinOp::BitAnd => a & b,
                BinOp::BitOr => a | b,
                _ => return None,
            };
            Some(i64::from(v))
        }
        _ => None,
    }
}

fn constant_fits(value: i64, to: Prim) -> bool {
    match to {
        Prim::Byte => i8::try_from(value).is_ok(),
        Prim::Short => i16::try_from(value).is_ok(),
        Prim::Char => u16::try_from(value).is_ok(),
        _ => false,
    }
}

/// `e` converted from one primitive to another.
pub(super) fn prim_to(e: Expr, to: Prim) -> Expr {
    let at = e.span;
    match e.ty {
        Ty::Prim(from) if from != to => {
            if let ExprKind::Lit(lit) = &e.kind
                && let Some(folded) = fold(lit, to)
            {
                return mk(ExprKind::Lit(folded), Ty::Prim(to), at);
            }
            mk(
                ExprKind::Convert(Conv::Prim { from, to }, Box::new(e)),
                Ty::Prim(to),
                at,
            )
        }
        _ => e,
    }
}

/// Constants widened where nothing can be lost.
fn fold(lit: &Lit, to: Prim) -> Option<Lit> {
    Some(match (lit, to) {
        (Lit::Int(v), Prim::Long) => Lit::Long(i64::from(*v)),
        (Lit::Int(v), Prim::Double) => Lit::Double(f64::from(*v)),
        (Lit::Float(v), Prim::Double) => Lit::Double(f64::from(*v)),
        (Lit::Char(v), Prim::Int) => Lit::Int(i32::from(*v)),
        (Lit::Int(v), Prim::Byte) => Lit::Byte(i8::try_from(*v).ok()?),
        (Lit::Int(v), Prim::Short) => Lit::Short(i16::try_from(*v).ok()?),
        (Lit::Int(v), Prim::Char) => Lit::Char(u16::try_from(*v).ok()?),
        _ => return None,
    })
}

/// `int` as `Integer`.
pub(super) fn boxed(e: Expr) -> Expr {
    let at = e.span;
    match e.ty {
        Ty::Prim(p) => mk(ExprKind::Convert(Conv::Box(p), Box::new(e)), Ty::Boxed(p), at),
        _ => e,
    }
}

/// `Integer` as `int`; a null throws.
pub(super) fn unboxed(e: Expr) -> Expr {
    let at = e.span;
    match e.ty {
        Ty::Boxed(p) => mk(ExprKind::Convert(Conv::Unbox(p), Box::new(e)), Ty::Prim(p), at),
        _ => e,
    }
}

impl<'t> Typer<'t> {
    /// Converts as an assignment does.
    pub(super) fn assigned(&self, e: Expr, want: &Ty, at: Node<'t>) -> Understood<Expr> {
        let refuse = |e: &Expr| {
            Err(Refusal::new(
                span(at),
                format!("a conversion from `{}` to `{want}` is not covered", e.ty),
            ))
        };
        match (&e.ty, want) {
            (a, b) if a == b => Ok(e),
            (Ty::Nothing, _) => Ok(e),
            (Ty::Unit, _) | (_, Ty::Unit) => refuse(&e),
            (Ty::Null, _) if want.is_reference() => Ok(Expr { ty: want.clone(), ..e }),
            (Ty::Prim(p), Ty::Prim(q)) if widens(*p, *q) => Ok(prim_to(e, *q)),
            (Ty::Prim(_), Ty::Prim(q)) => match constant(&e) {
                Some(v) if constant_fits(v, *q) => Ok(prim_to(e, *q)),
                _ => refuse(&e),
            },
            (Ty::Prim(p), Ty::Boxed(q)) if p != q => match constant(&e) {
                Some(v) if constant_fits(v, *q) => Ok(boxed(prim_to(e, *q))),
                _ => refuse(&e),
            },
            (Ty::Prim(p), _) if is_a(&Ty::Boxed(*p), want) => Ok(boxed(e)),
            (Ty::Boxed(p), Ty::Prim(q)) if widens(*p, *q) => Ok(prim_to(unboxed(e), *q)),
            (Ty::Any, _) if self.is_type_variable(want) => Ok(e),
            _ if is_a(&e.ty, want) => Ok(e),
            // `Writable` results: the value and what holds it are one here.
            (_, Ty::Class(c)) if writable(c).is_some_and(|w| w == e.ty) => Ok(e),
            _ => refuse(&e),
        }
    }

    fn is_type_variable(&self, ty: &Ty) -> bool {
        self.type_vars.iter().any(|vars| vars.values().any(|t| t == ty))
    }

    /// Converts as a cast does.
    pub(super) fn cast_to(&self, e: Expr, want: &Ty, at: Node<'t>) -> Understood<Expr> {
        let place = span(at);
        match (&e.ty, want) {
            (a, b) if a == b => Ok(e),
            (Ty::Prim(_), Ty::Prim(q)) => Ok(Expr {
                span: place,
                ..prim_to(e, *q)
            }),
            (Ty::Boxed(_), Ty::Prim(q)) => {
                let q = *q;
                let open = unboxed(e);
                match &open.ty {
                    Ty::Prim(p) if widens(*p, q) => Ok(prim_to(open, q)),
                    _ => self.refuse(at, format!("a cast to `{want}` is not covered here")),
                }
            }
            (_, Ty::Prim(q)) if !matches!(e.ty, Ty::Prim(_)) => {
                let cast = mk(ExprKind::Cast(Box::new(e), Ty::Boxed(*q)), Ty::Boxed(*q), place);
                Ok(unboxed(cast))
            }
            (Ty::Prim(_), _) => {
                let e = self.assigned(e, want, at)?;
                Ok(Expr { ty: want.clone(), ..e })
            }
            (Ty::Null, _) => Ok(Expr { ty: want.clone(), ..e }),
            _ if is_a(&e.ty, want) => Ok(Expr { ty: want.clone(), ..e }),
            (_, Ty::Java(..) | Ty::Seq(..) | Ty::Fn(..) | Ty::Map(..)) if same_head(&e.ty, want) => {
                Ok(Expr { ty: want.clone(), ..e })
            }
            _ if self.is_type_variable(want) => Ok(Expr { ty: want.clone(), ..e }),
            _ => Ok(mk(ExprKind::Cast(Box::new(e), want.clone()), want.clone(), place)),
        }
    }

    /// An operand of a numeric operator, unboxed.
    pub(super) fn numeric(&self, e: Expr, at: Node<'t>) -> Understood<(Expr, Prim)> {
        let e = unboxed(e);
        match e.ty {
            Ty::Prim(p) if p.is_numeric() => Ok((e, p)),
            _ => self.refuse(at, format!("an operator on `{}` is not covered", e.ty)),
        }
    }

    /// A condition.
    pub(super) fn truth(&mut self, n: Node<'t>) -> Understood<Expr> {
        let e = self.expr(n, Some(&Ty::BOOLEAN))?;
        self.assigned(e, &Ty::BOOLEAN, n)
    }

    /// Both branches of `?:` with their common type.
    pub(super) fn branches(&self, a: Expr, b: Expr, hint: Option<&Ty>, at: Node<'t>) -> Understood<(Expr, Expr, Ty)> {
        let ty = self.branch_type(&a, &b, hint);
        let (a, b) = (self.assigned(a, &ty, at)?, self.assigned(b, &ty, at)?);
        Ok((a, b, ty))
    }

    /// The type of `?:`: the table of the language for primitives and boxes, else what both are.
    fn branch_type(&self, a: &Expr, b: &Expr, hint: Option<&Ty>) -> Ty {
        match (&a.ty, &b.ty) {
            (x, y) if x == y => x.clone(),
            (Ty::Nothing, y) => y.clone(),
            (x, Ty::Nothing) => x.clone(),
            (Ty::Null, y) | (y, Ty::Null) => match y {
                Ty::Prim(p) => Ty::Boxed(*p),
                other => other.clone(),
            },
            (x, y) => match (x.prim(), y.prim()) {
                (Some(p), Some(q)) if p == q => Ty::Prim(p),
                (Some(p), Some(q)) if p.is_numeric() && q.is_numeric() => Ty::Prim(branch_prim(a, p, b, q)),
                _ => {
                    if let Some(h) = hint.filter(|h| h.is_reference() && **h != Ty::Any && **h != Ty::Unit) {
                        return h.clone();
                    }
                    lub(&box_of(x), &box_of(y))
                }
            },
        }
    }

    /// Whether a class stands for a `Throwable` that can be thrown here.
    pub(super) fn throwable(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Class(c) if is_throwable(c))
    }
}

/// The type of `?:` on two numeric operands of different types.
fn branch_prim(a: &Expr, p: Prim, b: &Expr, q: Prim) -> Prim {
    let narrow = |x: Prim| matches!(x, Prim::Byte | Prim::Short | Prim::Char);
    let fits = |e: &Expr, own: &Expr, to: Prim| {
        matches!(own.ty, Ty::Prim(_)) && narrow(to) && matches!(e.ty, Ty::Prim(Prim::Int)) && {
            constant(e).is_some_and(|v| constant_fits(v, to))
        }
    };
    match (p, q) {
        (Prim::Byte, Prim::Short) | (Prim::Short, Prim::Byte) => Prim::Short,
        _ if fits(b, a, p) => p,
        _ if fits(a, b, q) => q,
        _ => promote(p, q).unwrap_or(Prim::Int),
    }
}

/// The reference type of a primitive; others as they are.
pub(super) fn box_of(ty: &Ty) -> Ty {
    match ty {
        Ty::Prim(p) => Ty::Boxed(*p),
        other => other.clone(),
    }
}

fn same_head(a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        (Ty::Java(k, _), Ty::Java(l, _)) => k == l,
        (Ty::Seq(k, _), Ty::Seq(l, _)) => k == l,
        (Ty::Map(..), Ty::Map(..)) => true,
        (Ty::Fn(p, _), Ty::Fn(q, _)) => p.len() == q.len(),
        _ => false,
    }
}
