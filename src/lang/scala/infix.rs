//! Infix operations: arithmetic with the JVM's promotion, comparison, equality, concatenation, and methods as operators.

use tree_sitter::Node;

use super::calls::{Arg, Call, after};
use super::cst::{field, kids, name_text, span};
use super::expr::binary;
use super::{Typer, mk};
use crate::jvm::lookup;
use crate::lang::ast::{BinOp, Expr, ExprKind, Lit};
use crate::lang::relate::promote;
use crate::lang::ty::{Prim, Ty};
use crate::source::Understood;

impl<'t> Typer<'t> {
    /// `a op b`.
    pub(super) fn infix(&mut self, n: Node<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        let (Some(left), Some(operator), Some(right)) = (field(n, "left"), field(n, "operator"), field(n, "right"))
        else {
            return self.refuse(n, "operation that cannot be read");
        };
        let op = name_text(operator, self.text()).to_owned();
        if super::block::is_assignment(&op) {
            return self.statement_value(n);
        }
        if op.ends_with(':') {
            return self.right_associative(&op, left, right, n, hint);
        }
        match op.as_str() {
            "&&" | "||" => {
                let l = self.checked(left, &Ty::BOOLEAN)?;
                let r = Box::new(self.checked(right, &Ty::BOOLEAN)?);
                let l = Box::new(l);
                let kind = if op == "&&" {
                    ExprKind::And(l, r)
                } else {
                    ExprKind::Or(l, r)
                };
                Ok(mk(kind, Ty::BOOLEAN, span(n)))
            }
            "->" | "→" => self.pair(left, right, n, hint),
            "==" | "!=" => {
                let l = self.expr(left, None)?;
                let r = self.expr(right, None)?;
                self.equality(l, r, op == "!=", n)
            }
            "eq" | "ne" => {
                let lhs = Box::new(self.expr(left, None)?);
                let rhs = Box::new(self.expr(right, None)?);
                if !lhs.ty.is_reference() || !rhs.ty.is_reference() {
                    return self.refuse(n, format!("`{op}` on a primitive"));
                }
                let negated = op == "ne";
                Ok(mk(ExprKind::Identity { lhs, rhs, negated }, Ty::BOOLEAN, span(n)))
            }
            _ => {
                // What only names a module, as in `Map.empty ++ x`, is typed like any other operand.
                let l = self.expr(left, None)?;
                self.operator(l, &op, right, n, hint)
            }
        }
    }

    fn pair(&mut self, left: Node<'t>, right: Node<'t>, n: Node<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        let (first, second) = match hint {
            Some(Ty::Tuple(items)) if items.len() == 2 => (Some(items[0].clone()), Some(items[1].clone())),
            _ => (None, None),
        };
        // The left side is typed alone: the arrow is a method of it.
        let l = self.expr(left, None)?;
        let l = match first {
            Some(t) if !lookup::is_open(&t) && super::coerce::coercible(&l.ty, &t) && l.ty == t => {
                self.coerce(l, &t)?
            }
            _ => l,
        };
        let r = self.expr(right, second.as_ref())?;
        let r = match second {
            Some(t) if !lookup::is_open(&t) && super::coerce::coercible(&r.ty, &t) => self.coerce(r, &t)?,
            _ => r,
        };
        let ty = Ty::Tuple(vec![l.ty.clone(), r.ty.clone()]);
        Ok(mk(ExprKind::Tuple(vec![l, r]), ty, span(n)))
    }

    fn right_associative(
        &mut self,
        op: &str,
        left: Node<'t>,
        right: Node<'t>,
        n: Node<'t>,
        hint: Option<&Ty>,
    ) -> Understood<Expr> {
        let l = self.expr(left, None)?;
        let mut lets = Vec::new();
        let pure = matches!(l.kind, ExprKind::Lit(_) | ExprKind::Local(_) | ExprKind::Global(_));
        let l = if pure { l } else { self.keep(l, &mut lets) };
        let recv = self.expr(right, hint)?;
        let call = Call::new(op, vec![vec![Arg::Typed(l)]], hint.cloned(), n);
        let e = self.member(recv, call)?;
        Ok(after(lets, e))
    }

    /// An operator on a typed left side.
    pub(super) fn operator(
        &mut self,
        l: Expr,
        op: &str,
        right: Node<'t>,
        n: Node<'t>,
        hint: Option<&Ty>,
    ) -> Understood<Expr> {
        if bin_op(op).is_some() && !matches!(right.kind(), "tuple_expression") && !self.is_function(right) {
            let r = self.expr(right, None)?;
            return self.operate(l, op, r, n, hint);
        }
        let args: Vec<Arg<'t>> = match right.kind() {
            "tuple_expression" => kids(right).into_iter().map(Arg::Node).collect(),
            "unit" => Vec::new(),
            _ => vec![Arg::Node(right)],
        };
        if args.len() > 1 {
            let fits = |f: &lookup::Fit| f.row.params.len() == args.len();
            let direct = lookup::instance_rows(&l.ty, op).iter().flatten().any(fits) || self.class_of(&l.ty).is_some();
            if !direct {
                return self.member(l, Call::new(op, vec![vec![Arg::Node(right)]], hint.cloned(), n));
            }
        }
        self.member(l, Call::new(op, vec![args], hint.cloned(), n))
    }

    /// An operator on two typed operands.
    pub(super) fn operate(&mut self, l: Expr, op: &str, r: Expr, n: Node<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        if op == "+" && (l.ty == Ty::String || r.ty == Ty::String) {
            let own = l.ty != Ty::String && l.ty.is_reference() && !matches!(l.ty, Ty::Boxed(_) | Ty::Null);
            if !own || lookup::instance_rows(&l.ty, "+").is_empty() {
                return Ok(concat(l, r, n));
            }
        }
        let decimal = |t: &Ty| matches!(t, Ty::ScalaBigDecimal | Ty::BigInt);
        if l.ty.prim().is_some() && decimal(&r.ty) {
            let target = r.ty.clone();
            let l = self.unboxed(l);
            let l = self.coerce(l, &target)?;
            return self.member(l, Call::new(op, vec![vec![Arg::Typed(r)]], None, n));
        }
        if let (Some(_), Some(_), Some(kind)) = (l.ty.prim(), r.ty.prim(), bin_op(op)) {
            let (l, r) = (self.unboxed(l), self.unboxed(r));
            return self.arithmetic(l, kind, op, r, n);
        }
        let r = if decimal(&l.ty) { self.unboxed(r) } else { r };
        self.member(l, Call::new(op, vec![vec![Arg::Typed(r)]], hint.cloned(), n))
    }

    fn arithmetic(&mut self, l: Expr, op: BinOp, name: &str, r: Expr, n: Node<'t>) -> Understood<Expr> {
        let (Ty::Prim(p), Ty::Prim(q)) = (l.ty.clone(), r.ty.clone()) else {
            return self.refuse(n, "operator");
        };
        let compares = matches!(op, BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge);
        let bits = matches!(op, BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor);
        if p == Prim::Boolean && q == Prim::Boolean && (bits || compares) {
            if compares {
                return self.refuse(n, "order of booleans is not covered");
            }
            return Ok(binary(op, Prim::Boolean, l, r, Ty::BOOLEAN, n));
        }
        let Some(wide) = promote(p, q) else {
            return self.refuse(n, format!("`{name}` between `{}` and `{}`", l.ty, r.ty));
        };
        if matches!(op, BinOp::Shl | BinOp::Shr | BinOp::UShr) {
            if !p.is_integral() || !q.is_integral() {
                return self.refuse(n, "shift of a floating point number");
            }
            let own = if p == Prim::Long { Prim::Long } else { Prim::Int };
            let l = self.coerce(l, &Ty::Prim(own))?;
            let r = if q == Prim::Long { r } else { self.coerce(r, &Ty::INT)? };
            return Ok(binary(op, own, l, r, Ty::Prim(own), n));
        }
        if bits && !wide.is_integral() {
            return self.refuse(n, "bit operation on a floating point number");
        }
        let l = self.coerce(l, &Ty::Prim(wide))?;
        let r = self.coerce(r, &Ty::Prim(wide))?;
        let ty = if compares { Ty::BOOLEAN } else { Ty::Prim(wide) };
        Ok(binary(op, wide, l, r, ty, n))
    }

    /// `==` and `!=`.
    pub(super) fn equality(&mut self, l: Expr, r: Expr, negated: bool, n: Node<'t>) -> Understood<Expr> {
        if let (Ty::Prim(p), Ty::Prim(q)) = (l.ty.clone(), r.ty.clone()) {
            let op = if negated { BinOp::Ne } else { BinOp::Eq };
            if p == Prim::Boolean && q == Prim::Boolean {
                return Ok(binary(op, Prim::Boolean, l, r, Ty::BOOLEAN, n));
            }
            if let Some(wide) = promote(p, q) {
                let l = self.coerce(l, &Ty::Prim(wide))?;
                let r = self.coerce(r, &Ty::Prim(wide))?;
                return Ok(binary(op, wide, l, r, Ty::BOOLEAN, n));
            }
        }
        let (lhs, rhs) = (Box::new(self.boxed(l)), Box::new(self.boxed(r)));
        Ok(mk(ExprKind::RefEq { lhs, rhs, negated }, Ty::BOOLEAN, span(n)))
    }
}

/// Joins two texts; a chain of `+` becomes one node.
pub(super) fn concat(l: Expr, r: Expr, n: Node) -> Expr {
    let mut parts = match l.kind {
        ExprKind::Concat(parts) => parts,
        _ => vec![l],
    };
    let empty = matches!(&r.kind, ExprKind::Lit(Lit::Str(s)) if s.is_empty());
    if !empty || parts.iter().all(|p| p.ty != Ty::String) {
        parts.push(r);
    }
    mk(ExprKind::Concat(parts), Ty::String, span(n))
}

/// The operator of primitives by its symbol.
pub(super) fn bin_op(op: &str) -> Option<BinOp> {
    // `==` of Scala is a method of every type and typed by itself.
    BinOp::of_sign(op).filter(|op| !matches!(op, BinOp::Eq | BinOp::Ne))
}
