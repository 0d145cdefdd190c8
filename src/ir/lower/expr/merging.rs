//! Values of two paths as one, and values as columns of a type.

use super::super::Lower;
use super::super::sym::Sym;
use crate::ir::node::{ColTy, NodeId, Op};
use crate::source::{Span, Understood};
use std::sync::Arc;

impl Lower<'_> {
    /// The column of a value that one column can hold.
    pub(in crate::ir::lower) fn node_of(&mut self, value: &Sym, span: Span) -> Understood<NodeId> {
        match value {
            Sym::Node(n) => Ok(*n),
            _ => self.refuse(span, "this value has no columnar form here"),
        }
    }

    /// The result column of a value, of the given type.
    pub(in crate::ir::lower) fn finish(&mut self, value: &Sym, ty: &ColTy, span: Span) -> Understood<NodeId> {
        self.g.span = span;
        let fields = |items: &[Sym], lower: &mut Self| -> Understood<NodeId> {
            let ColTy::Struct(types) = ty else {
                return lower.refuse(span, "this result has no column type here");
            };
            let mut nodes = Vec::new();
            for (item, (_, t)) in items.iter().zip(types) {
                nodes.push(lower.finish(item, t, span)?);
            }
            Ok(lower.g.add(Op::Struct(nodes), ty.clone()))
        };
        match value {
            Sym::Node(n) if self.g.is_null_const(*n) => Ok(self.g.null(ty.clone())),
            Sym::Node(n) => Ok(*n),
            Sym::NoneOpt => Ok(self.g.null(ty.clone())),
            Sym::Clock(n, super::super::sym::Clock::Session) if *ty == ColTy::Timestamp => Ok(*n),
            Sym::Opt(defined, inner) => {
                let inner = self.finish(inner, ty, span)?;
                if let Op::Not(t) = *self.g.op(*defined)
                    && *self.g.op(t) == Op::IsNull(inner)
                {
                    return Ok(inner);
                }
                let none = self.g.null(ty.clone());
                let missing = self.g.not(*defined);
                if self.g.as_bool(missing).is_some() {
                    return Ok(self.g.case(*defined, inner, none));
                }
                Ok(match self.g.op(*defined) {
                    Op::Not(_) => self.g.case(missing, none, inner),
                    _ => self.g.case(*defined, inner, none),
                })
            }
            Sym::Tuple(items) => fields(items, self),
            Sym::Object(_, items) => fields(items, self),
            Sym::OrNull(null, inner) => {
                let inner = self.finish(inner, ty, span)?;
                let none = self.g.null(ty.clone());
                Ok(self.g.case(*null, none, inner))
            }
            Sym::Seq(items) if items.iter().all(|(c, _)| self.g.as_bool(*c) == Some(true)) => {
                let ColTy::Array(element) = ty else {
                    return self.refuse(span, "this result has no column type here");
                };
                let mut nodes = Vec::new();
                for (_, item) in items {
                    nodes.push(self.finish(item, element, span)?);
                }
                Ok(self.g.add(Op::List(nodes), ty.clone()))
            }
            _ => self.refuse(span, "this result has no columnar form"),
        }
    }

    /// One value or the other, by a condition.
    pub(in crate::ir::lower) fn merge(&mut self, cond: NodeId, x: &Sym, y: &Sym, span: Span) -> Understood<Sym> {
        if x == y {
            return Ok(x.clone());
        }
        Ok(match (x, y) {
            (Sym::Unit, _) | (_, Sym::Unit) => Sym::Unit,
            (Sym::Node(a), Sym::Node(b)) => Sym::Node(self.g.case(cond, *a, *b)),
            (Sym::Node(a), other) if self.g.is_null_const(*a) => self.or_null(cond, other),
            (other, Sym::Node(b)) if self.g.is_null_const(*b) => {
                let null = self.g.not(cond);
                self.or_null(null, other)
            }
            (Sym::OrNull(m, a), Sym::OrNull(n, b)) => {
                let null = self.g.case(cond, *m, *n);
                Sym::OrNull(null, Box::new(self.merge(cond, a, b, span)?))
            }
            (Sym::OrNull(m, a), other) => {
                let null = self.g.and(cond, *m);
                Sym::OrNull(null, Box::new(self.merge(cond, a, other, span)?))
            }
            (other, Sym::OrNull(n, b)) => {
                let not = self.g.not(cond);
                let null = self.g.and(not, *n);
                Sym::OrNull(null, Box::new(self.merge(cond, other, b, span)?))
            }
            (Sym::Node(a), Sym::Seq(_)) if matches!(self.g.ty(*a), ColTy::Array(_)) => {
                let ty = self.g.ty(*a).clone();
                let list = self.finish(y, &ty, span)?;
                Sym::Node(self.g.case(cond, *a, list))
            }
            (Sym::Seq(_), Sym::Node(b)) if matches!(self.g.ty(*b), ColTy::Array(_)) => {
                let ty = self.g.ty(*b).clone();
                let list = self.finish(x, &ty, span)?;
                Sym::Node(self.g.case(cond, list, *b))
            }
            (Sym::Enum(p, a), Sym::Enum(q, b)) if p == q => Sym::Enum(*p, self.g.case(cond, *a, *b)),
            (Sym::Clock(a, p), Sym::Clock(b, q)) if p == q => Sym::Clock(self.g.case(cond, *a, *b), p.clone()),
            (Sym::Duration(a), Sym::Duration(b)) => Sym::Duration(self.g.case(cond, *a, *b)),
            (Sym::Opt(d, a), Sym::NoneOpt) => Sym::Opt(self.g.and(cond, *d), a.clone()),
            (Sym::NoneOpt, Sym::Opt(d, b)) => {
                let not = self.g.not(cond);
                Sym::Opt(self.g.and(not, *d), b.clone())
            }
            (Sym::Opt(d, a), Sym::Opt(e, b)) => {
                Sym::Opt(self.g.case(cond, *d, *e), Box::new(self.merge(cond, a, b, span)?))
            }
            (Sym::Try(d, a), Sym::Try(e, b)) => {
                Sym::Try(self.g.case(cond, *d, *e), Box::new(self.merge(cond, a, b, span)?))
            }
            (Sym::Tuple(xs), Sym::Tuple(ys)) if xs.len() == ys.len() => Sym::Tuple(self.merge_all(cond, xs, ys, span)?),
            (Sym::Object(c, xs), Sym::Object(d, ys)) if c == d => Sym::Object(*c, self.merge_all(cond, xs, ys, span)?),
            (Sym::Seq(xs), Sym::Seq(ys)) => {
                let not = self.g.not(cond);
                let mut all = Vec::new();
                for (guard, items) in [(cond, xs), (not, ys)] {
                    for (here, item) in items {
                        all.push((self.g.and(guard, *here), item.clone()));
                    }
                }
                Sym::Seq(all)
            }
            _ => return self.refuse(span, "the values of the two branches have no common columnar form"),
        })
    }

    pub(super) fn or_null(&mut self, null: NodeId, other: &Sym) -> Sym {
        match other {
            Sym::OrNull(n, inner) => Sym::OrNull(self.g.or(null, *n), inner.clone()),
            _ => Sym::OrNull(null, Box::new(other.clone())),
        }
    }

    pub(super) fn merge_all(&mut self, cond: NodeId, xs: &[Sym], ys: &[Sym], span: Span) -> Understood<Vec<Sym>> {
        xs.iter().zip(ys).map(|(x, y)| self.merge(cond, x, y, span)).collect()
    }

    /// A constant text argument.
    pub(in crate::ir::lower) fn constant_text(&self, value: &Sym, span: Span, what: &str) -> Understood<Arc<str>> {
        match value {
            Sym::Node(n) => match self.g.as_text(*n) {
                Some(text) => Ok(text.into()),
                None => self.refuse(span, format!("{what} that is not a constant has no columnar form")),
            },
            Sym::Regex(p) => Ok(p.clone()),
            _ => self.refuse(span, format!("{what} that is not a constant has no columnar form")),
        }
    }
}
