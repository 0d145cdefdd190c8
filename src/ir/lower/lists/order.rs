//! Sums, extremes, order and membership.

use super::super::Lower;
use super::super::library::Call;
use super::super::sym::{State, Sym};
use super::{Listed, simple};
use crate::ir::func::Func;
use crate::ir::node::{ColTy, NodeId, Op};
use crate::lang::ast::BinOp;
use crate::lang::ty::Prim;
use crate::source::Understood;

impl Lower<'_> {
    /// Throws where an element is null.
    pub(in crate::ir::lower) fn raise_if_null_inside(&mut self, st: &mut State, xs: &Listed) {
        if xs.is_whole(0) {
            return;
        }
        let any = self.null_inside(xs);
        self.raise_if(st, any, "NullPointerException", "null element");
    }

    /// Whether some element is null.
    pub(in crate::ir::lower) fn null_inside(&mut self, xs: &Listed) -> NodeId {
        self.vars += 1;
        let var = self.g.add(Op::Var(self.vars), xs.element.clone());
        let null = self.g.add(Op::IsNull(var), ColTy::BOOL);
        self.g.call(Func::Exists(self.vars), vec![xs.node, null], ColTy::BOOL)
    }

    /// Where elements are compared with one another, a null among them throws.
    pub(super) fn raise_if_null_compared(&mut self, st: &mut State, xs: &Listed) {
        if xs.is_whole(0) {
            return;
        }
        let any = self.null_inside(xs);
        let (size, one) = (self.size(xs.node), self.g.int(1));
        let several = self.g.bin(BinOp::Gt, Prim::Int, size, one);
        let bad = self.g.and(several, any);
        self.raise_if(st, bad, "NullPointerException", "null element");
    }

    pub(super) fn list_order(&mut self, st: &mut State, xs: &Listed, call: &Call<'_>) -> Understood<Option<Sym>> {
        let ordered = match &xs.element {
            ColTy::Str => true,
            ColTy::Prim(p) => p.is_integral() || *p == Prim::Char,
            ColTy::Date => true,
            _ => false,
        };
        Ok(Some(match call.key() {
            ("sorted", 0) if ordered => {
                self.raise_if_null_compared(st, xs);
                let sorted = self.same_kind(xs, Func::ListSort, vec![]);
                self.unordered.remove(&sorted.node);
                Sym::Node(sorted.node)
            }
            ("max" | "min", 0) if ordered => {
                self.raise_if_empty(st, xs, "UnsupportedOperationException");
                self.raise_if_null_compared(st, xs);
                let f = if call.name == "max" {
                    Func::ListMax
                } else {
                    Func::ListMin
                };
                let n = self.g.call(f, vec![xs.node], xs.element.clone());
                if xs.is_whole(0) {
                    st.set_not_null(n);
                }
                Sym::Node(n)
            }
            ("max" | "min", 0) if xs.element.is_float() && xs.is_whole(0) => {
                self.raise_if_empty(st, xs, "UnsupportedOperationException");
                let op = if call.name == "max" { BinOp::Ge } else { BinOp::Le };
                let prim = xs.element.prim().unwrap_or(Prim::Double);
                self.reduced(st, xs, |l, acc, x| {
                    let keep = l.g.bin(op, prim, acc, x);
                    l.g.case(keep, acc, x)
                })
            }
            ("sum" | "product", 0) => match xs.element.prim() {
                Some(p @ (Prim::Int | Prim::Long | Prim::Float | Prim::Double)) if xs.is_whole(0) => {
                    let product = call.name == "product";
                    let start = if product { self.one(p) } else { self.zero(p) };
                    let op = if product { BinOp::Mul } else { BinOp::Add };
                    Sym::Node(self.folded(xs, start, |l, acc, x| l.g.bin(op, p, acc, x)))
                }
                _ => return self.not_covered(call),
            },
            _ => return Ok(None),
        }))
    }

    pub(super) fn one(&mut self, prim: Prim) -> NodeId {
        let int = self.g.int(1);
        self.g.conv(Prim::Int, prim, int)
    }

    /// A fold whose step is given over accumulator and element.
    pub(super) fn folded(
        &mut self,
        xs: &Listed,
        start: NodeId,
        step: impl FnOnce(&mut Self, NodeId, NodeId) -> NodeId,
    ) -> NodeId {
        let ty = self.g.ty(start).clone();
        self.vars += 2;
        let (acc_id, id) = (self.vars - 1, self.vars);
        let acc = self.g.add(Op::Var(acc_id), ty.clone());
        let var = self.g.add(Op::Var(id), xs.element.clone());
        let body = step(self, acc, var);
        self.g.call(Func::Fold(acc_id, id), vec![xs.node, start, body], ty)
    }

    /// A fold that starts with the first element of a list that is not empty.
    pub(in crate::ir::lower) fn reduced(
        &mut self,
        st: &mut State,
        xs: &Listed,
        step: impl FnOnce(&mut Self, NodeId, NodeId) -> NodeId,
    ) -> Sym {
        let (zero, one) = (self.g.int(0), self.g.int(1));
        let first = self.g.call(Func::Element, vec![xs.node, zero], xs.element.clone());
        let rest = self.same_kind(xs, Func::ListDrop, vec![one]);
        let n = self.folded(&rest, first, step);
        if xs.is_whole(0) {
            st.set_not_null(n);
        }
        Sym::Node(n)
    }

    pub(super) fn list_search(&mut self, st: &mut State, xs: &Listed, call: &Call<'_>) -> Understood<Option<Sym>> {
        Ok(Some(match call.key() {
            ("contains", 1) => return self.list_contains(st, xs, call).map(Some),
            ("indexOf", 1) if simple(&xs.element) && !xs.element.is_float() => {
                let x = self.arg(call, 0)?;
                if self.nullable(st, x) || *self.g.ty(x) != xs.element {
                    return self.refuse(
                        call.span,
                        "looking for the place of a value that may be null has no columnar form here",
                    );
                }
                Sym::Node(self.g.call(Func::ListIndexOf, vec![xs.node, x], ColTy::INT))
            }
            _ => return Ok(None),
        }))
    }

    /// `xs.contains(x)`, null elements and a null `x` included.
    pub(super) fn list_contains(&mut self, st: &mut State, xs: &Listed, call: &Call<'_>) -> Understood<Sym> {
        let x = self.arg(call, 0)?;
        if self.g.is_null_const(x) {
            return Ok(Sym::Node(self.null_inside(xs)));
        }
        if !simple(&xs.element) || *self.g.ty(x) != xs.element {
            return self.not_covered(call);
        }
        let missing = self.null_test(st, x);
        let found = match xs.element.prim() {
            Some(p @ (Prim::Float | Prim::Double)) => {
                self.vars += 1;
                let id = self.vars;
                let var = self.g.add(Op::Var(id), xs.element.clone());
                let same = self.g.bin(BinOp::Eq, p, var, x);
                self.g.call(Func::Exists(id), vec![xs.node, same], ColTy::BOOL)
            }
            _ => self.g.call(Func::ListContains, vec![xs.node, x], ColTy::BOOL),
        };
        if self.g.as_bool(missing) == Some(false) {
            return Ok(Sym::Node(found));
        }
        let null_there = if xs.is_whole(0) {
            self.g.bool(false)
        } else {
            self.null_inside(xs)
        };
        Ok(Sym::Node(self.g.case(missing, null_there, found)))
    }
}
