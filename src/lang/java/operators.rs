//! Operators without side effects. In: a unary or binary expression; out: a typed one, operands promoted.

use tree_sitter::Node;

use super::convert::{prim_to, unboxed};
use super::cst::{field, span, text};
use super::{Typer, mk};
use crate::lang::ast::{BinOp, Expr, ExprKind, Lit, UnOp};
use crate::lang::relate::promote;
use crate::lang::ty::{Prim, Ty};
use crate::source::{Span, Understood};

fn compares(op: BinOp) -> bool {
    matches!(
        op,
        BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge
    )
}

impl<'t> Typer<'t> {
    pub(super) fn unary(&mut self, n: Node<'t>) -> Understood<Expr> {
        let (Some(operand), Some(sign)) = (field(n, "operand"), self.sign(n)) else {
            return self.refuse(n, "operator that cannot be read");
        };
        let at = span(n);
        if sign == "!" {
            let e = self.truth(operand)?;
            return Ok(mk(ExprKind::Unary(UnOp::Not, Box::new(e)), Ty::BOOLEAN, at));
        }
        let literal = match sign {
            "-" => self.literal(operand, true),
            _ => None,
        };
        let e = match literal {
            Some(e) => e?,
            None => self.expr(operand, None)?,
        };
        let (e, own) = self.numeric(e, operand)?;
        let prim = promote(own, Prim::Int).unwrap_or(Prim::Int);
        let e = prim_to(e, prim);
        let op = match sign {
            "-" => {
                if let Some(folded) = negated(&e) {
                    return Ok(mk(ExprKind::Lit(folded), e.ty, at));
                }
                UnOp::Neg
            }
            "~" => UnOp::BitNot,
            _ => return Ok(e),
        };
        Ok(mk(ExprKind::Unary(op, Box::new(e)), Ty::Prim(prim), at))
    }

    fn sign(&self, n: Node<'t>) -> Option<&'t str> {
        let op = n.child_by_field_name("operator")?;
        Some(text(op, self.text()))
    }

    pub(super) fn binary(&mut self, n: Node<'t>) -> Understood<Expr> {
        let (Some(left), Some(right), Some(sign)) = (field(n, "left"), field(n, "right"), self.sign(n)) else {
            return self.refuse(n, "operator that cannot be read");
        };
        if matches!(sign, "&&" | "||") {
            return self.logic(n, left, right, sign == "&&");
        }
        // A long chain of one operator nests to the left: it is walked, not descended.
        let mut chain = vec![(n, right, sign)];
        let mut first = left;
        while first.kind() == "binary_expression" {
            let (Some(l), Some(r), Some(s)) = (field(first, "left"), field(first, "right"), self.sign(first)) else {
                break;
            };
            if matches!(s, "&&" | "||") {
                break;
            }
            chain.push((first, r, s));
            first = l;
        }
        let mut e = self.expr(first, None)?;
        for (node, right, sign) in chain.into_iter().rev() {
            let r = self.expr(right, None)?;
            e = self.apply_operator(sign, e, r, node)?;
        }
        Ok(e)
    }

    fn logic(&mut self, n: Node<'t>, left: Node<'t>, right: Node<'t>, and: bool) -> Understood<Expr> {
        let a = self.truth(left)?;
        let b = self.scoped(|t| {
            t.bind_patterns(left, and);
            t.truth(right)
        })?;
        let (a, b) = (Box::new(a), Box::new(b));
        let kind = if and { ExprKind::And(a, b) } else { ExprKind::Or(a, b) };
        Ok(mk(kind, Ty::BOOLEAN, span(n)))
    }

    /// `a op b` of typed operands.
    pub(super) fn apply_operator(&mut self, sign: &str, a: Expr, b: Expr, n: Node<'t>) -> Understood<Expr> {
        let at = Span {
            start: a.span.start.min(span(n).start),
            end: b.span.end,
        };
        let Some(op) = BinOp::of_sign(sign) else {
            return self.refuse(n, format!("operator `{sign}` is not covered"));
        };
        if op == BinOp::Add && (a.ty == Ty::String || b.ty == Ty::String) {
            return self.concatenation(a, b, n, at);
        }
        let references = !matches!(a.ty, Ty::Prim(_)) && !matches!(b.ty, Ty::Prim(_));
        if matches!(op, BinOp::Eq | BinOp::Ne) && references {
            let kind = ExprKind::RefEq {
                lhs: Box::new(a),
                rhs: Box::new(b),
                negated: op == BinOp::Ne,
            };
            return Ok(mk(kind, Ty::BOOLEAN, at));
        }
        if a.ty.prim() == Some(Prim::Boolean) && b.ty.prim() == Some(Prim::Boolean) {
            let kind = ExprKind::Binary {
                op,
                prim: Prim::Boolean,
                lhs: Box::new(unboxed(a)),
                rhs: Box::new(unboxed(b)),
            };
            return Ok(mk(kind, Ty::BOOLEAN, at));
        }
        let (a, p) = self.numeric(a, n)?;
        let (b, q) = self.numeric(b, n)?;
        if matches!(op, BinOp::Shl | BinOp::Shr | BinOp::UShr) {
            let left = promote(p, Prim::Int).unwrap_or(Prim::Int);
            let right = promote(q, Prim::Int).unwrap_or(Prim::Int);
            let kind = ExprKind::Binary {
                op,
                prim: left,
                lhs: Box::new(prim_to(a, left)),
                rhs: Box::new(prim_to(b, right)),
            };
            return Ok(mk(kind, Ty::Prim(left), at));
        }
        // Characters compared with characters stay what they are: it is the same order.
        let prim = match promote(p, q) {
            Some(_) if p == q && compares(op) => p,
            Some(prim) => prim,
            None => return self.refuse(n, "an operator on these types is not covered"),
        };
        let kind = ExprKind::Binary {
            op,
            prim,
            lhs: Box::new(prim_to(a, prim)),
            rhs: Box::new(prim_to(b, prim)),
        };
        let ty = if compares(op) { Ty::BOOLEAN } else { Ty::Prim(prim) };
        Ok(mk(kind, ty, at))
    }

    fn concatenation(&mut self, a: Expr, b: Expr, n: Node<'t>, at: Span) -> Understood<Expr> {
        let mut parts = match a.kind {
            ExprKind::Concat(parts) => parts,
            _ => vec![self.shown(a, n)?],
        };
        parts.push(self.shown(b, n)?);
        Ok(mk(ExprKind::Concat(parts), Ty::String, at))
    }

    /// An operand of `+` whose text is made.
    pub(super) fn shown(&mut self, e: Expr, n: Node<'t>) -> Understood<Expr> {
        match &e.ty {
            Ty::Unit => self.refuse(n, "a call without a result in a text"),
            Ty::Array(_) => self.refuse(n, "the text of an array shows its address"),
            Ty::Class(_) => self.text_of(e, n),
            _ => Ok(e),
        }
    }
}

/// A negated constant.
fn negated(e: &Expr) -> Option<Lit> {
    match &e.kind {
        ExprKind::Lit(Lit::Int(v)) => Some(Lit::Int(v.wrapping_neg())),
        ExprKind::Lit(Lit::Long(v)) => Some(Lit::Long(v.wrapping_neg())),
        ExprKind::Lit(Lit::Double(v)) => Some(Lit::Double(-v)),
        ExprKind::Lit(Lit::Float(v)) => Some(Lit::Float(-v)),
        _ => None,
    }
}
