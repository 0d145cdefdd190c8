//! Columns of lists: methods of sequences and arrays whose length the data decides. Functions over the elements are in
//! [`super::lambdas`].

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

    fn list_shape(&mut self, st: &mut State, xs: &Listed, call: &Call<'_>) -> Understood<Option<Sym>> {
        Ok(Some(match call.key() {
            ("size" | "length", 0) => Sym::Node(self.size(xs.node)),
            ("nonEmpty", 0) => Sym::Node(self.has_elements(xs)),
            ("isEmpty", 0) => {
                let there = self.has_elements(xs);
                Sym::Node(self.g.not(there))
            }
            ("toSet", 0) if !xs.element.is_float() => {
                let set = self.same_kind(xs, Func::ListDistinct, vec![]);
                self.unordered.insert(set.node);
                Sym::Node(set.node)
            }
            ("apply", 1) if self.unordered.contains(&xs.node) => return self.list_contains(st, xs, call).map(Some),
            ("apply" | "get", 1) => {
                let at = self.arg(call, 0)?;
                self.check_index(st, xs, at, "IndexOutOfBoundsException");
                self.item_at(st, xs, at)
            }
            ("lift", 1) => {
                let at = self.arg(call, 0)?;
                let out = self.out_of_range(xs, at);
                let there = self.g.not(out);
                let value = self.item_at(st, xs, at);
                Sym::Opt(there, Box::new(value))
            }
            ("head" | "last", 0) => {
                self.raise_if_empty(st, xs, "NoSuchElementException");
                let at = if call.name == "head" {
                    self.g.int(0)
                } else {
                    self.last_index(xs)
                };
                self.item_at(st, xs, at)
            }
            ("headOption" | "lastOption", 0) => {
                let there = self.has_elements(xs);
                let first = call.name == "headOption";
                let at = if first { self.g.int(0) } else { self.last_index(xs) };
                let value = self.item_at(st, xs, at);
                Sym::Opt(there, Box::new(value))
            }
            (
                "toSeq" | "toList" | "toVector" | "toArray" | "toIndexedSeq" | "iterator" | "toIterator" | "view"
                | "force" | "toStream" | "seq" | "toIterable" | "toTraversable" | "toBuffer",
                0,
            ) => Sym::Node(xs.node),
            _ => return Ok(None),
        }))
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

    fn list_cut(&mut self, st: &mut State, xs: &Listed, call: &Call<'_>) -> Understood<Option<Sym>> {
        let one = self.g.int(1);
        Ok(Some(match call.key() {
            ("take", 1) => {
                let n = self.arg(call, 0)?;
                self.shaped(xs, Func::ListTake, vec![n])
            }
            ("drop", 1) => {
                let n = self.arg(call, 0)?;
                self.shaped(xs, Func::ListDrop, vec![n])
            }
            ("takeRight", 1) => {
                let n = self.arg(call, 0)?;
                self.shaped(xs, Func::ListTakeRight, vec![n])
            }
            ("dropRight", 1) => {
                let n = self.arg(call, 0)?;
                self.shaped(xs, Func::ListDropRight, vec![n])
            }
            ("slice", 2) => {
                let (from, until) = (self.arg(call, 0)?, self.arg(call, 1)?);
                let head = self.same_kind(xs, Func::ListTake, vec![until]);
                self.shaped(&head, Func::ListDrop, vec![from])
            }
            ("splitAt", 1) => {
                let n = self.arg(call, 0)?;
                let (a, b) = (
                    self.shaped(xs, Func::ListTake, vec![n]),
                    self.shaped(xs, Func::ListDrop, vec![n]),
                );
                Sym::Tuple(vec![a, b])
            }
            ("tail" | "init", 0) => {
                self.raise_if_empty(st, xs, "UnsupportedOperationException");
                let f = if call.name == "tail" {
                    Func::ListDrop
                } else {
                    Func::ListDropRight
                };
                self.shaped(xs, f, vec![one])
            }
            ("reverse" | "reverseIterator", 0) => self.shaped(xs, Func::ListReverse, vec![]),
            ("distinct", 0) if simple(&xs.element) && !xs.element.is_float() => {
                self.shaped(xs, Func::ListDistinct, vec![])
            }
            ("zipWithIndex", 0) => self.paired(xs, None),
            ("zip", 1) => {
                let mut ys = self.arg(call, 0)?;
                self.require(st, ys);
                if *self.g.ty(ys) == ColTy::Str {
                    let chars = ColTy::Array(Box::new(ColTy::Prim(Prim::Char)));
                    ys = self.g.call(Func::Chars, vec![ys], chars);
                }
                let ColTy::Array(element) = self.g.ty(ys).clone() else {
                    return self.not_covered(call);
                };
                let ys = self.listed(ys, *element);
                self.paired(xs, Some(&ys))
            }
            ("flatten", 0) => match xs.element.clone() {
                ColTy::Array(inner) => {
                    self.raise_if_null_inside(st, xs);
                    Sym::Node(self.g.call(Func::Flatten, vec![xs.node], ColTy::Array(inner)))
                }
                _ => return self.not_covered(call),
            },
            ("+:" | ":+" | "++" | ":::" | "concat" | "union", 1) => return self.list_joined(st, xs, call).map(Some),
            _ => return Ok(None),
        }))
    }

    /// `xs ++ ys`, `xs :+ x`, `x +: xs`.
    fn list_joined(&mut self, st: &mut State, xs: &Listed, call: &Call<'_>) -> Understood<Sym> {
        let ty = ColTy::Array(Box::new(xs.element.clone()));
        let other = self.arg(call, 0)?;
        let single = matches!(call.name, "+:" | ":+");
        let other = if single {
            let one = self.g.add(Op::List(vec![other]), ty.clone());
            self.whole.insert(one, vec![!self.nullable(st, other)]);
            one
        } else {
            self.require(st, other);
            other
        };
        if *self.g.ty(other) != ty {
            return self.not_covered(call);
        }
        let args = if matches!(call.name, "+:" | ":::") {
            vec![other, xs.node]
        } else {
            vec![xs.node, other]
        };
        let both = xs.is_whole(0) && self.listed(other, xs.element.clone()).is_whole(0);
        let node = self.g.call(Func::ListConcat, args, ty);
        self.whole.insert(node, vec![both]);
        Ok(Sym::Node(node))
    }

    /// Elements beside their positions, or beside those of another list.
    fn paired(&mut self, xs: &Listed, ys: Option<&Listed>) -> Sym {
        let second = ys.map_or(ColTy::INT, |l| l.element.clone());
        let element = ColTy::Struct(vec![("_1".into(), xs.element.clone()), ("_2".into(), second)]);
        let (f, mut args) = match ys {
            None => (Func::WithIndex, vec![xs.node]),
            Some(ys) => (Func::Zip, vec![xs.node, ys.node]),
        };
        args.truncate(2);
        let node = self.g.call(f, args, ColTy::Array(Box::new(element)));
        let second = ys.is_none_or(|l| l.is_whole(0));
        self.whole.insert(node, vec![xs.is_whole(0), second]);
        Sym::Node(node)
    }

    /// Throws where an element is null.
    pub(super) fn raise_if_null_inside(&mut self, st: &mut State, xs: &Listed) {
        if xs.is_whole(0) {
            return;
        }
        let any = self.null_inside(xs);
        self.raise_if(st, any, "NullPointerException", "null element");
    }

    /// Whether some element is null.
    pub(super) fn null_inside(&mut self, xs: &Listed) -> NodeId {
        self.vars += 1;
        let var = self.g.add(Op::Var(self.vars), xs.element.clone());
        let null = self.g.add(Op::IsNull(var), ColTy::BOOL);
        self.g.call(Func::Exists(self.vars), vec![xs.node, null], ColTy::BOOL)
    }

    /// Where elements are compared with one another, a null among them throws.
    fn raise_if_null_compared(&mut self, st: &mut State, xs: &Listed) {
        if xs.is_whole(0) {
            return;
        }
        let any = self.null_inside(xs);
        let (size, one) = (self.size(xs.node), self.g.int(1));
        let several = self.g.bin(BinOp::Gt, Prim::Int, size, one);
        let bad = self.g.and(several, any);
        self.raise_if(st, bad, "NullPointerException", "null element");
    }

    fn list_order(&mut self, st: &mut State, xs: &Listed, call: &Call<'_>) -> Understood<Option<Sym>> {
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

    fn one(&mut self, prim: Prim) -> NodeId {
        let int = self.g.int(1);
        self.g.conv(Prim::Int, prim, int)
    }

    /// A fold whose step is given over accumulator and element.
    fn folded(&mut self, xs: &Listed, start: NodeId, step: impl FnOnce(&mut Self, NodeId, NodeId) -> NodeId) -> NodeId {
        let ty = self.g.ty(start).clone();
        self.vars += 2;
        let (acc_id, id) = (self.vars - 1, self.vars);
        let acc = self.g.add(Op::Var(acc_id), ty.clone());
        let var = self.g.add(Op::Var(id), xs.element.clone());
        let body = step(self, acc, var);
        self.g.call(Func::Fold(acc_id, id), vec![xs.node, start, body], ty)
    }

    /// A fold that starts with the first element of a list that is not empty.
    pub(super) fn reduced(
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

    fn list_search(&mut self, st: &mut State, xs: &Listed, call: &Call<'_>) -> Understood<Option<Sym>> {
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
    fn list_contains(&mut self, st: &mut State, xs: &Listed, call: &Call<'_>) -> Understood<Sym> {
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

/// Elements that SQL compares as the JVM does.
pub(super) fn simple(ty: &ColTy) -> bool {
    matches!(ty, ColTy::Prim(_) | ColTy::Str | ColTy::Date)
}
