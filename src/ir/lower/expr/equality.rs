//! `==`, `eq` and `equals` of references.

use super::super::Lower;
use super::super::sym::{State, Sym};
use super::promoted;
use crate::ir::node::{ColTy, Const, NodeId, Op};
use crate::lang::ast::{BinOp, Dialect, Expr};
use crate::lang::ty::{Prim, Ty};
use crate::source::{Span, Understood};

impl Lower<'_> {
    pub(super) fn ref_eq(
        &mut self,
        st: &mut State,
        frame: u32,
        lhs: &Expr,
        rhs: &Expr,
        negated: bool,
        span: Span,
    ) -> Understood<Sym> {
        let a = self.eval(st, frame, lhs)?;
        let b = if st.dead { Sym::Unit } else { self.eval(st, frame, rhs)? };
        if st.dead {
            return Ok(Sym::Unit);
        }
        self.g.span = span;
        let equal = match self.dialect() {
            Dialect::Java => self.same_object(st, &a, &b, span)?,
            Dialect::Scala => self.equal(st, &a, &b, span)?,
        };
        Ok(Sym::Node(if negated { self.g.not(equal) } else { equal }))
    }

    pub(super) fn identity(
        &mut self,
        st: &mut State,
        frame: u32,
        lhs: &Expr,
        rhs: &Expr,
        negated: bool,
        span: Span,
    ) -> Understood<Sym> {
        if lhs.ty == Ty::Null || rhs.ty == Ty::Null {
            return self.ref_eq(st, frame, lhs, rhs, negated, span);
        }
        self.refuse(span, "identity of objects has no columnar form")
    }

    /// Java's `==` on references: against null, between constants of an enum, and between boxed columns, which Spark makes anew
    /// for every row, so that they are the same object only within the cache of small numbers.
    pub(super) fn same_object(&mut self, st: &State, a: &Sym, b: &Sym, span: Span) -> Understood<NodeId> {
        let (Sym::Node(x), Sym::Node(y)) = (a, b) else {
            return self.equal(st, a, b, span);
        };
        if self.g.is_null_const(*x) || self.g.is_null_const(*y) {
            return self.equal(st, a, b, span);
        }
        let columns = matches!((self.g.op(*x), self.g.op(*y)), (Op::Column(i), Op::Column(j)) if i != j);
        let prim = match (self.g.ty(*x), self.g.ty(*y)) {
            (ColTy::Prim(p), ColTy::Prim(q)) if p == q && columns => *p,
            _ => return self.refuse(span, "identity of objects has no columnar form"),
        };
        match prim {
            Prim::Boolean | Prim::Byte => self.equal_nodes(st, *x, *y, span),
            Prim::Short | Prim::Int | Prim::Long => {
                let same = self.equal_nodes(st, *x, *y, span)?;
                let (low, high) = (
                    self.g.constant_of(Const::Int(-128), ColTy::Prim(prim)),
                    self.g.constant_of(Const::Int(127), ColTy::Prim(prim)),
                );
                let (above, below) = (
                    self.g.bin(BinOp::Ge, prim, *x, low),
                    self.g.bin(BinOp::Le, prim, *x, high),
                );
                let cached = self.g.and(above, below);
                if !self.nullable(st, *x) && !self.nullable(st, *y) {
                    return Ok(self.g.and(same, cached));
                }
                let (ix, iy) = (self.null_test(st, *x), self.null_test(st, *y));
                let both = self.g.and(ix, iy);
                let either = self.g.or(ix, iy);
                let neither = self.g.not(either);
                let inner = self.g.and(same, cached);
                let present = self.g.and(neither, inner);
                Ok(self.g.or(both, present))
            }
            _ => self.refuse(span, "identity of objects has no columnar form"),
        }
    }

    /// Scala's `==`.
    pub(in crate::ir::lower) fn equal(&mut self, st: &State, a: &Sym, b: &Sym, span: Span) -> Understood<NodeId> {
        Ok(match (a, b) {
            (Sym::Node(x), Sym::Node(y)) => return self.equal_nodes(st, *x, *y, span),
            (Sym::NoneOpt, Sym::NoneOpt) => self.g.bool(true),
            (Sym::Enum(p, x), Sym::Enum(q, y)) if p == q => self.g.bin(BinOp::Eq, Prim::Int, *x, *y),
            (Sym::NoneOpt, Sym::Opt(d, _)) | (Sym::Opt(d, _), Sym::NoneOpt) => self.g.not(*d),
            (Sym::Opt(d, x), Sym::Opt(e, y)) => {
                let inner = self.equal(st, x, y, span)?;
                let both = self.g.and(*d, *e);
                let either = self.g.or(*d, *e);
                let none = self.g.not(either);
                let same = self.g.and(both, inner);
                self.g.or(none, same)
            }
            (Sym::Tuple(xs), Sym::Tuple(ys)) | (Sym::Object(_, xs), Sym::Object(_, ys)) if xs.len() == ys.len() => {
                let mut all = self.g.bool(true);
                for (x, y) in xs.iter().zip(ys) {
                    let one = self.equal(st, x, y, span)?;
                    all = self.g.and(all, one);
                }
                all
            }
            (Sym::Node(n), Sym::OrNull(null, _)) | (Sym::OrNull(null, _), Sym::Node(n)) if self.g.is_null_const(*n) => {
                *null
            }
            (Sym::Node(n), _) | (_, Sym::Node(n)) if self.g.is_null_const(*n) => self.g.bool(false),
            _ => return self.refuse(span, "equality of these values has no columnar form"),
        })
    }

    pub(super) fn equal_nodes(&mut self, st: &State, x: NodeId, y: NodeId, span: Span) -> Understood<NodeId> {
        if self.g.is_null_const(y) {
            return Ok(self.null_test(st, x));
        }
        if self.g.is_null_const(x) {
            return Ok(self.null_test(st, y));
        }
        if let (Some(a), Some(b)) = (self.g.as_text(x), self.g.as_text(y)) {
            return Ok(self.g.bool(a == b));
        }
        let (nx, ny) = (self.nullable(st, x), self.nullable(st, y));
        let plain = match (self.g.ty(x).clone(), self.g.ty(y).clone()) {
            (ColTy::Prim(p), ColTy::Prim(q)) if p == q => self.g.bin(BinOp::Eq, p, x, y),
            (ColTy::Prim(p), ColTy::Prim(q)) => match promoted(p, q) {
                Some(p2) => {
                    let (x, y) = (self.g.conv(p, p2, x), self.g.conv(q, p2, y));
                    self.g.bin(BinOp::Eq, p2, x, y)
                }
                None => return self.refuse(span, "equality of values of different types has no columnar form"),
            },
            (a @ (ColTy::Array(_) | ColTy::Map(..) | ColTy::Struct(_)), _) => {
                return self.refuse(span, format!("equality of {a:?} values has no columnar form"));
            }
            _ => self.g.add(Op::Equal(x, y), ColTy::BOOL),
        };
        if !nx && !ny {
            return Ok(plain);
        }
        if !self.g.ty(x).is_float() && !self.g.ty(y).is_float() && self.g.ty(x) == self.g.ty(y) {
            return Ok(self.g.add(Op::NullSafeEqual(x, y), ColTy::BOOL));
        }
        let (ix, iy) = (self.null_test(st, x), self.null_test(st, y));
        let both = self.g.and(ix, iy);
        let either = self.g.or(ix, iy);
        let neither = self.g.not(either);
        let same = self.g.and(neither, plain);
        Ok(self.g.or(both, same))
    }

    /// Null test, decided where the state knows.
    pub(in crate::ir::lower) fn null_test(&mut self, st: &State, n: NodeId) -> NodeId {
        if self.nullable(st, n) {
            self.g.is_null(n)
        } else {
            self.g.bool(false)
        }
    }
}
