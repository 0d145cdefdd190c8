//! Parts of a text, and searching in it.

use super::super::Lower;
use super::super::library::Call;
use super::super::sym::{State, Sym};
use super::{CHAR, quote};
use crate::ir::func::Func;
use crate::ir::node::{ColTy, NodeId, Op};
use crate::lang::ast::BinOp;
use crate::lang::ty::Prim;
use crate::source::Understood;

impl Lower<'_> {
    pub(super) fn string_cut(&mut self, st: &mut State, s: NodeId, call: &Call<'_>) -> Understood<Option<Sym>> {
        let zero = self.g.int(0);
        const OUT: &str = "StringIndexOutOfBoundsException";
        Ok(Some(match call.key() {
            ("charAt" | "apply", 1) => {
                let i = self.arg(call, 0)?;
                self.check_below(st, s, i, OUT);
                Sym::Node(self.g.call(Func::CharAt, vec![s, i], CHAR))
            }
            ("head" | "last", 0) => {
                let empty = self.empty(s);
                self.raise_if(st, empty, "NoSuchElementException", "empty text");
                Sym::Node(self.end_char(s, call.name == "head"))
            }
            ("headOption" | "lastOption", 0) => {
                let empty = self.empty(s);
                let c = self.end_char(s, call.name == "headOption");
                Sym::Opt(self.g.not(empty), Box::new(Sym::Node(c)))
            }
            ("tail" | "init", 0) => {
                let empty = self.empty(s);
                self.raise_if(st, empty, "UnsupportedOperationException", "empty text");
                let one = self.g.int(1);
                self.str_call(
                    if call.name == "tail" {
                        Func::Drop
                    } else {
                        Func::DropRight
                    },
                    vec![s, one],
                )
            }
            ("substring", 1) => {
                let b = self.arg(call, 0)?;
                let bad = if self.g.as_int(b) == Some(1) {
                    self.empty(s)
                } else {
                    let len = self.length(s);
                    let low = self.compare_int(BinOp::Lt, b, zero);
                    let high = self.compare_int(BinOp::Gt, b, len);
                    self.g.or(low, high)
                };
                self.raise_if(st, bad, OUT, "begin out of range");
                self.str_call(Func::SubstringFrom, vec![s, b])
            }
            ("substring" | "subSequence", 2) => {
                let (b, e) = (self.arg(call, 0)?, self.arg(call, 1)?);
                let bad = if let (Some(0 | 1), Some(1)) = (self.g.as_int(b), self.g.as_int(e)) {
                    self.empty(s)
                } else {
                    let len = self.length(s);
                    let low = self.compare_int(BinOp::Lt, b, zero);
                    let high = self.compare_int(BinOp::Gt, e, len);
                    let cross = self.compare_int(BinOp::Gt, b, e);
                    let bad = self.g.or(low, high);
                    self.g.or(bad, cross)
                };
                self.raise_if(st, bad, OUT, "range out of range");
                self.str_call(Func::Substring, vec![s, b, e])
            }
            ("take", 1) => self.clip(Func::Take, s, call)?,
            ("drop", 1) => self.clip(Func::Drop, s, call)?,
            ("takeRight", 1) => self.clip(Func::TakeRight, s, call)?,
            ("dropRight", 1) => self.clip(Func::DropRight, s, call)?,
            ("slice", 2) => {
                let (from, until) = (self.arg(call, 0)?, self.arg(call, 1)?);
                let head = self.g.call(Func::Take, vec![s, until], ColTy::Str);
                self.str_call(Func::Drop, vec![head, from])
            }
            ("stripPrefix" | "stripSuffix", 1) => {
                let t = self.text_arg(st, call, 0)?;
                let n = self.length(t);
                let prefix = call.name == "stripPrefix";
                let has = self.g.call(
                    if prefix { Func::StartsWith } else { Func::EndsWith },
                    vec![s, t],
                    ColTy::BOOL,
                );
                let cut = self.g.call(
                    if prefix { Func::Drop } else { Func::DropRight },
                    vec![s, n],
                    ColTy::Str,
                );
                Sym::Node(self.g.case(has, cut, s))
            }
            _ => return Ok(None),
        }))
    }

    pub(super) fn clip(&mut self, f: Func, s: NodeId, call: &Call<'_>) -> Understood<Sym> {
        let n = self.arg(call, 0)?;
        Ok(self.str_call(f, vec![s, n]))
    }

    pub(super) fn end_char(&mut self, s: NodeId, first: bool) -> NodeId {
        let at = if first {
            self.g.int(0)
        } else {
            let len = self.length(s);
            let one = self.g.int(1);
            self.g.bin(BinOp::Sub, Prim::Int, len, one)
        };
        self.g.call(Func::CharAt, vec![s, at], CHAR)
    }

    /// Raises unless `0 <= i < s.length`.
    pub(super) fn check_below(&mut self, st: &mut State, s: NodeId, i: NodeId, class: &str) {
        let zero = self.g.int(0);
        let bad = match self.g.as_int(i) {
            Some(0) => self.empty(s),
            _ => {
                let len = self.length(s);
                let low = self.compare_int(BinOp::Lt, i, zero);
                let high = self.compare_int(BinOp::Ge, i, len);
                self.g.or(low, high)
            }
        };
        self.raise_if(st, bad, class, "index out of range");
    }

    pub(super) fn string_search(&mut self, st: &mut State, s: NodeId, call: &Call<'_>) -> Understood<Option<Sym>> {
        Ok(Some(match call.key() {
            ("contains", 1) => {
                let t = self.text_arg(st, call, 0)?;
                self.bool_call(Func::Contains, vec![s, t])
            }
            ("startsWith", 1) => {
                let t = self.text_arg(st, call, 0)?;
                self.bool_call(Func::StartsWith, vec![s, t])
            }
            ("endsWith", 1) => {
                let t = self.text_arg(st, call, 0)?;
                self.bool_call(Func::EndsWith, vec![s, t])
            }
            ("indexOf", 1) => {
                let t = self.text_arg(st, call, 0)?;
                Sym::Node(self.int_call(Func::IndexOf, vec![s, t]))
            }
            ("indexOf", 2) => {
                let t = self.text_arg(st, call, 0)?;
                let from = self.arg(call, 1)?;
                Sym::Node(self.int_call(Func::IndexOfFrom, vec![s, t, from]))
            }
            ("lastIndexOf", 1) => {
                let t = self.text_arg(st, call, 0)?;
                Sym::Node(self.int_call(Func::LastIndexOf, vec![s, t]))
            }
            ("matches", 1) => {
                let p = self.constant_text(&call.args[0], call.span, "a pattern")?;
                self.bool_call(Func::Matches(p), vec![s])
            }
            ("equalsIgnoreCase", 1) => {
                let t = self.arg(call, 0)?;
                let null = self.null_test(st, t);
                let there = self.g.not(null);
                let same = self.g.call(Func::EqualsIgnoreCase, vec![s, t], ColTy::BOOL);
                Sym::Node(self.g.and(there, same))
            }
            ("compareTo", 1) => {
                return self.refuse(call.span, "the distance that `compareTo` gives has no columnar form");
            }
            ("<" | "<=" | ">" | ">=", 1) => {
                let t = self.text_arg(st, call, 0)?;
                let op = match call.name {
                    "<" => BinOp::Lt,
                    "<=" => BinOp::Le,
                    ">" => BinOp::Gt,
                    _ => BinOp::Ge,
                };
                Sym::Node(self.g.add(Op::Compare(op, s, t), ColTy::BOOL))
            }
            ("split", 1 | 2) => self.split(s, call)?,
            _ => return Ok(None),
        }))
    }

    pub(super) fn split(&mut self, s: NodeId, call: &Call<'_>) -> Understood<Sym> {
        let limit = match call.args.get(1) {
            None => Some(0),
            Some(Sym::Node(n)) => self.g.as_int(*n),
            Some(_) => None,
        };
        let Some(limit) = limit else {
            return self.refuse(call.span, "a limit that is not a constant has no columnar form");
        };
        let by_char = matches!(&call.args[0], Sym::Node(n) if *self.g.ty(*n) == CHAR);
        let mut pattern = self.constant_text(&call.args[0], call.span, "a pattern")?;
        if by_char {
            pattern = quote(&pattern).into();
        }
        let f = Func::Split {
            pattern,
            limit: limit as i32,
        };
        Ok(Sym::Node(self.g.call(f, vec![s], ColTy::Array(Box::new(ColTy::Str)))))
    }
}
