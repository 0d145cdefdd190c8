//! Columns of lists: methods of sequences and arrays whose length the data decides. Functions over the elements are in
//! [`super::lambdas`].

mod cut;
mod order;

use super::Lower;
use super::library::Call;
use super::sym::{State, Sym};
use crate::ir::func::Func;
use crate::ir::node::{ColTy, NodeId, Op};
use crate::lang::ast::BinOp;
use crate::lang::ty::Prim;
use crate::source::Understood;

/// Methods whose result does not depend on the order of the elements.
const ORDERLESS: &[&str] = &[
    "size",
    "length",
    "isEmpty",
    "nonEmpty",
    "sorted",
    "sum",
    "product",
    "max",
    "min",
    "exists",
    "forall",
    "count",
    "contains",
    "apply",
    "map",
    "filter",
    "filterNot",
    "withFilter",
    "toSeq",
    "toList",
    "toVector",
    "toArray",
    "toIndexedSeq",
    "toSet",
    "iterator",
];

/// A list being worked on.
#[derive(Clone)]
pub(super) struct Listed {
    /// The list; not null.
    pub node: NodeId,
    /// Type of its elements.
    pub element: ColTy,
    /// Whether no element is null; for elements of several fields, field by field.
    pub whole: Vec<bool>,
}

impl Listed {
    /// Whether no element, or this field of none, is null.
    pub fn is_whole(&self, field: usize) -> bool {
        self.whole.get(field).copied().unwrap_or(false)
    }
}

impl Lower<'_> {
    /// A list with what is known about it.
    pub(super) fn listed(&self, node: NodeId, element: ColTy) -> Listed {
        let whole = match self.g.op(node) {
            Op::Call(Func::Split { .. } | Func::Chars, _) => vec![true],
            _ => self.whole.get(&node).cloned().unwrap_or_default(),
        };
        Listed { node, element, whole }
    }

    /// Methods of a column of lists.
    pub(super) fn list_method(
        &mut self,
        st: &mut State,
        list: NodeId,
        element: ColTy,
        call: Call<'_>,
    ) -> Understood<Sym> {
        self.require(st, list);
        if st.dead {
            return Ok(Sym::Unit);
        }
        if let Op::Call(Func::HexParts, bytes) = self.g.op(list).clone() {
            return match call.key() {
                ("mkString", 1) if !self.is_empty_text(&call.args[0]) => self.not_covered(&call),
                ("mkString", 0 | 1) => Ok(Sym::Node(self.g.call(Func::HexOfBytes, bytes, ColTy::Str))),
                _ => self.not_covered(&call),
            };
        }
        let unordered = self.unordered.contains(&list);
        if unordered && !ORDERLESS.contains(&call.name) {
            return self.refuse(
                call.span,
                "the order of the keys and values of a map, or of a set, is the JVM's own and has no columnar form",
            );
        }
        let xs = self.listed(list, element);
        if let Some(result) = self.list_shape(st, &xs, &call)? {
            return Ok(result);
        }
        if let Some(result) = self.list_cut(st, &xs, &call)? {
            return Ok(result);
        }
        if let Some(result) = self.list_order(st, &xs, &call)? {
            return Ok(result);
        }
        if let Some(result) = self.list_search(st, &xs, &call)? {
            return Ok(result);
        }
        self.list_function(st, &xs, call)
    }

    fn is_empty_text(&self, value: &Sym) -> bool {
        matches!(value, Sym::Node(n) if self.g.as_text(*n).is_some_and(|t| t.is_empty()))
    }

    /// `xs.size`.
    pub(super) fn size(&mut self, list: NodeId) -> NodeId {
        self.g.call(Func::Size, vec![list], ColTy::INT)
    }

    /// `xs.nonEmpty`.
    pub(super) fn has_elements(&mut self, xs: &Listed) -> NodeId {
        let (size, zero) = (self.size(xs.node), self.g.int(0));
        self.g.bin(BinOp::Ne, Prim::Int, size, zero)
    }

    pub(super) fn raise_if_empty(&mut self, st: &mut State, xs: &Listed, class: &str) {
        let there = self.has_elements(xs);
        let empty = self.g.not(there);
        self.raise_if(st, empty, class, "empty list");
    }

    /// A list of elements of the same list.
    pub(super) fn same_kind(&mut self, xs: &Listed, f: Func, more: Vec<NodeId>) -> Listed {
        let mut args = vec![xs.node];
        args.extend(more);
        let node = self.g.call(f, args, ColTy::Array(Box::new(xs.element.clone())));
        self.whole.insert(node, xs.whole.clone());
        if self.unordered.contains(&xs.node) {
            self.unordered.insert(node);
        }
        Listed { node, ..xs.clone() }
    }

    fn shaped(&mut self, xs: &Listed, f: Func, more: Vec<NodeId>) -> Sym {
        Sym::Node(self.same_kind(xs, f, more).node)
    }

    /// The element at a position that is known to be in range.
    pub(super) fn item_at(&mut self, st: &mut State, xs: &Listed, at: NodeId) -> Sym {
        let n = self.g.call(Func::Element, vec![xs.node, at], xs.element.clone());
        self.item(st, xs, n)
    }

    /// An element as the JVM sees it: one of several fields is a tuple.
    pub(super) fn item(&mut self, st: &mut State, xs: &Listed, n: NodeId) -> Sym {
        let ColTy::Struct(fields) = self.g.ty(n).clone() else {
            if xs.is_whole(0) {
                st.set_not_null(n);
            }
            return Sym::Node(n);
        };
        let mut items = Vec::new();
        for (i, (name, ty)) in fields.into_iter().enumerate() {
            let field = self.g.call(Func::Field(name.as_str().into()), vec![n], ty);
            if xs.is_whole(i) {
                st.set_not_null(field);
            }
            items.push(Sym::Node(field));
        }
        Sym::Tuple(items)
    }

    /// The last position.
    fn last_index(&mut self, xs: &Listed) -> NodeId {
        let (size, one) = (self.size(xs.node), self.g.int(1));
        self.g.bin(BinOp::Sub, Prim::Int, size, one)
    }

    fn out_of_range(&mut self, xs: &Listed, at: NodeId) -> NodeId {
        let (zero, size) = (self.g.int(0), self.size(xs.node));
        let low = self.g.bin(BinOp::Lt, Prim::Int, at, zero);
        let high = self.g.bin(BinOp::Ge, Prim::Int, at, size);
        self.g.or(low, high)
    }

    pub(super) fn check_index(&mut self, st: &mut State, xs: &Listed, at: NodeId, class: &str) {
        let bad = self.out_of_range(xs, at);
        self.raise_if(st, bad, class, "index out of range");
    }
}

/// Elements that SQL compares as the JVM does.
pub(super) fn simple(ty: &ColTy) -> bool {
    matches!(ty, ColTy::Prim(_) | ColTy::Str | ColTy::Date)
}
