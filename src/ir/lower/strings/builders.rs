//! `StringBuilder`s and compiled patterns.

use super::super::Lower;
use super::super::library::Call;
use super::super::sym::{State, Sym};
use crate::ir::func::Func;
use crate::ir::node::{ColTy, NodeId};
use crate::source::Understood;
use std::sync::Arc;

impl Lower<'_> {
    /// Methods of `Regex` and `Pattern`.
    pub(in crate::ir::lower) fn regex_method(
        &mut self,
        st: &mut State,
        pattern: Arc<str>,
        call: Call<'_>,
    ) -> Understood<Sym> {
        match call.key() {
            ("findFirstIn", 1) => {
                let s = self.text_arg(st, &call, 0)?;
                let found = self.g.call(Func::Finds(pattern.clone()), vec![s], ColTy::BOOL);
                let f = Func::Extract {
                    pattern,
                    group: 0,
                    whole: false,
                    sure: true,
                    may_be_empty: true,
                };
                Ok(Sym::Opt(
                    found,
                    Box::new(Sym::Node(self.g.call(f, vec![s], ColTy::Str))),
                ))
            }
            ("replaceAllIn", 2) => {
                let s = self.text_arg(st, &call, 0)?;
                let r = self.constant_text(&call.args[1], call.span, "a replacement")?;
                Ok(self.str_call(Func::ReplaceAll(pattern, r), vec![s]))
            }
            ("replaceFirstIn", 2) => {
                let s = self.text_arg(st, &call, 0)?;
                let r = self.constant_text(&call.args[1], call.span, "a replacement")?;
                Ok(self.str_call(Func::ReplaceFirst(pattern, r), vec![s]))
            }
            ("matches", 1) => {
                let s = self.text_arg(st, &call, 0)?;
                Ok(self.bool_call(Func::Matches(pattern), vec![s]))
            }
            ("split", 1) => {
                let s = self.text_arg(st, &call, 0)?;
                let f = Func::Split { pattern, limit: 0 };
                Ok(Sym::Node(self.g.call(f, vec![s], ColTy::Array(Box::new(ColTy::Str)))))
            }
            ("pattern" | "regex" | "toString", 0) => Ok(Sym::Node(self.g.text(&pattern))),
            ("r", 0) => Ok(Sym::Regex(pattern)),
            _ => self.not_covered(&call),
        }
    }

    /// A new `StringBuilder`.
    pub(in crate::ir::lower) fn new_builder(&mut self, st: &mut State, initial: NodeId) -> Sym {
        self.cells += 1;
        st.cells.insert(self.cells, initial);
        Sym::Builder(self.cells)
    }

    /// Methods of `StringBuilder`.
    pub(in crate::ir::lower) fn builder_method(
        &mut self,
        st: &mut State,
        cell: u32,
        call: Call<'_>,
    ) -> Understood<Sym> {
        let Some(now) = st.cells.get(&cell).copied() else {
            return self.not_covered(&call);
        };
        match call.key() {
            ("append" | "+=" | "++=" | "addOne", 1) => {
                let text = self.text_of(st, &call.args[0].clone(), call.span)?;
                self.g.span = call.span;
                let joined = self.g.concat(vec![now, text]);
                st.cells.insert(cell, joined);
                Ok(Sym::Builder(cell))
            }
            ("reverse" | "reverseContents", 0) => {
                let turned = self.g.call(Func::Reverse, vec![now], ColTy::Str);
                st.cells.insert(cell, turned);
                Ok(Sym::Builder(cell))
            }
            ("toString" | "result" | "mkString", 0) => Ok(Sym::Node(now)),
            ("length" | "size", 0) => Ok(Sym::Node(self.length(now))),
            ("isEmpty", 0) => Ok(Sym::Node(self.empty(now))),
            ("nonEmpty", 0) => {
                let empty = self.empty(now);
                Ok(Sym::Node(self.g.not(empty)))
            }
            _ => self.not_covered(&call),
        }
    }
}
