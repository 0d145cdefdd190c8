//! Lists of other lists: parts, reordered, joined.

use super::super::Lower;
use super::super::library::Call;
use super::super::sym::{State, Sym};
use super::{Listed, simple};
use crate::ir::func::Func;
use crate::ir::node::{ColTy, Op};
use crate::lang::ty::Prim;
use crate::source::Understood;

impl Lower<'_> {
    pub(super) fn list_shape(&mut self, st: &mut State, xs: &Listed, call: &Call<'_>) -> Understood<Option<Sym>> {
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

    pub(super) fn list_cut(&mut self, st: &mut State, xs: &Listed, call: &Call<'_>) -> Understood<Option<Sym>> {
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
    pub(super) fn list_joined(&mut self, st: &mut State, xs: &Listed, call: &Call<'_>) -> Understood<Sym> {
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
    pub(super) fn paired(&mut self, xs: &Listed, ys: Option<&Listed>) -> Sym {
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
}
