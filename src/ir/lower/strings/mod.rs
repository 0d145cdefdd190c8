//! Text: methods of `String`, those of formats, of parts and of `StringBuilder` and patterns in files of their own.

mod builders;
mod format;
mod shape;

pub(super) use format::number_text;

use super::Lower;
use super::library::Call;
use super::sym::{State, Sym};
use crate::ir::func::Func;
use crate::ir::node::{ColTy, NodeId, Op};
use crate::lang::ast::BinOp;
use crate::lang::ty::Prim;
use crate::source::Understood;

const CHAR: ColTy = ColTy::Prim(Prim::Char);

impl Lower<'_> {
    fn str_call(&mut self, f: Func, args: Vec<NodeId>) -> Sym {
        Sym::Node(self.g.call(f, args, ColTy::Str))
    }

    fn bool_call(&mut self, f: Func, args: Vec<NodeId>) -> Sym {
        Sym::Node(self.g.call(f, args, ColTy::BOOL))
    }

    fn int_call(&mut self, f: Func, args: Vec<NodeId>) -> NodeId {
        self.g.call(f, args, ColTy::INT)
    }

    /// `s == ""`.
    fn empty(&mut self, s: NodeId) -> NodeId {
        if let Some(text) = self.g.as_text(s) {
            return self.g.bool(text.is_empty());
        }
        let empty = self.g.text("");
        self.g.add(Op::Equal(s, empty), ColTy::BOOL)
    }

    /// Length of a text, constants folded.
    pub(super) fn length(&mut self, s: NodeId) -> NodeId {
        match self.g.as_text(s) {
            Some(text) => self.g.int(text.encode_utf16().count() as i64),
            None => self.int_call(Func::Length, vec![s]),
        }
    }

    fn compare_int(&mut self, op: BinOp, a: NodeId, b: NodeId) -> NodeId {
        self.g.bin(op, Prim::Int, a, b)
    }

    /// Methods of `String`.
    pub(super) fn string_method(&mut self, st: &mut State, s: NodeId, call: Call<'_>) -> Understood<Sym> {
        if let Some(kind) = number_text(call.name) {
            return self.parse_number(st, s, kind, call.args.len(), &call);
        }
        match call.key() {
            ("+", 1) => {
                let left = self.text_of(st, &Sym::Node(s), call.span)?;
                let right = self.text_of(st, &call.args[0], call.span)?;
                return Ok(Sym::Node(self.g.concat(vec![left, right])));
            }
            ("toBoolean", 0) => return self.parse_boolean(st, s, &call),
            ("capitalize", 0) => return Ok(self.str_call(Func::Capitalize, vec![s])),
            _ => {}
        }
        self.require(st, s);
        if st.dead {
            return Ok(Sym::Unit);
        }
        if let Some(result) = self.string_shape(st, s, &call)? {
            return Ok(result);
        }
        if let Some(result) = self.string_cut(st, s, &call)? {
            return Ok(result);
        }
        if let Some(result) = self.string_search(st, s, &call)? {
            return Ok(result);
        }
        self.string_chars(st, s, call)
    }

    fn string_shape(&mut self, st: &mut State, s: NodeId, call: &Call<'_>) -> Understood<Option<Sym>> {
        Ok(Some(match call.key() {
            ("length" | "size", 0) => Sym::Node(self.length(s)),
            ("isEmpty", 0) => Sym::Node(self.empty(s)),
            ("nonEmpty", 0) => {
                let empty = self.empty(s);
                Sym::Node(self.g.not(empty))
            }
            ("isBlank", 0) => {
                let stripped = self.g.call(Func::Strip, vec![s], ColTy::Str);
                Sym::Node(self.empty(stripped))
            }
            ("toUpperCase", 0 | 1) if self.locale_ok(call) => self.str_call(Func::Upper, vec![s]),
            ("toLowerCase", 0 | 1) if self.locale_ok(call) => self.str_call(Func::Lower, vec![s]),
            ("trim", 0) => self.str_call(Func::Trim, vec![s]),
            ("strip", 0) => self.str_call(Func::Strip, vec![s]),
            ("reverse", 0) => self.str_call(Func::Reverse, vec![s]),
            ("toString" | "intern" | "mkString", 0) => Sym::Node(s),
            ("concat", 1) => {
                let t = self.text_arg(st, call, 0)?;
                Sym::Node(self.g.concat(vec![s, t]))
            }
            ("getBytes", 0 | 1) => self.bytes_of(s, call)?,
            ("padTo", 2) => self.pad_to(s, call)?,
            ("*", 1) => {
                let n = self.arg(call, 0)?;
                self.repeat(s, n)
            }
            ("repeat", 1) => {
                let n = self.arg(call, 0)?;
                let zero = self.g.int(0);
                let bad = self.compare_int(BinOp::Lt, n, zero);
                self.raise_if(st, bad, "IllegalArgumentException", "count is negative");
                self.repeat(s, n)
            }
            ("r", 0) => Sym::Regex(self.constant_text(&Sym::Node(s), call.span, "a pattern")?),
            ("format" | "formatted", _) => self.format(st, s, call)?,
            ("replace", 2) => self.replace(st, s, call)?,
            ("replaceAll" | "replaceAllLiterally", 2) if call.name == "replaceAllLiterally" => {
                self.replace(st, s, call)?
            }
            ("replaceAll" | "replaceFirst", 2) => {
                let p = self.constant_text(&call.args[0], call.span, "a pattern")?;
                let r = self.constant_text(&call.args[1], call.span, "a replacement")?;
                let f = if call.name == "replaceAll" {
                    Func::ReplaceAll(p, r)
                } else {
                    Func::ReplaceFirst(p, r)
                };
                self.str_call(f, vec![s])
            }
            _ => return Ok(None),
        }))
    }

    fn locale_ok(&self, call: &Call<'_>) -> bool {
        call.args.is_empty()
            || matches!(&call.args[0], Sym::Named("locale", n) if matches!(n.as_str(), "ROOT" | "US" | "ENGLISH" | "UK"))
    }

    fn repeat(&mut self, s: NodeId, n: NodeId) -> Sym {
        match (self.g.as_text(s), self.g.as_int(n)) {
            (Some(text), Some(n)) if n <= 64 => Sym::Node(self.g.text(&text.repeat(n.max(0) as usize))),
            _ => self.str_call(Func::Repeat, vec![s, n]),
        }
    }

    fn replace(&mut self, st: &mut State, s: NodeId, call: &Call<'_>) -> Understood<Sym> {
        let target = self.text_arg(st, call, 0)?;
        let replacement = self.text_arg(st, call, 1)?;
        match self.g.as_text(target) {
            Some(t) if !t.is_empty() => Ok(self.str_call(Func::Replace, vec![s, target, replacement])),
            _ => self.refuse(
                call.span,
                "replacing a text that is not a constant, or empty, has no columnar form",
            ),
        }
    }

    /// `String.valueOf`, `String.format`, `String.join`.
    pub(super) fn string_static(&mut self, st: &mut State, call: Call<'_>) -> Understood<Sym> {
        match call.name {
            "valueOf" if call.args.len() == 1 => Ok(Sym::Node(self.text_of(st, &call.args[0].clone(), call.span)?)),
            "format" if !call.args.is_empty() => {
                let (first, rest) = if matches!(call.args[0], Sym::Named("locale", _)) {
                    (call.args[1].clone(), &call.args[2..])
                } else {
                    (call.args[0].clone(), &call.args[1..])
                };
                let template = self.constant_text(&first, call.span, "a format")?;
                let args: Vec<Sym> = match rest {
                    [Sym::Seq(items)] => items.iter().map(|(_, v)| v.clone()).collect(),
                    other => other.to_vec(),
                };
                self.format_with(st, &template, &args, &call)
            }
            _ => self.not_covered(&call),
        }
    }
}

/// A literal text as a pattern.
pub(super) fn quote(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c.is_ascii_punctuation() {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
