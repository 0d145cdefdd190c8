//! Text: methods of `String`, of regular expressions and of `StringBuilder`.

use std::sync::Arc;

use super::Lower;
use super::library::Call;
use super::sym::{State, Sym};
use crate::ir::func::{Func, NumberText};
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

    fn string_cut(&mut self, st: &mut State, s: NodeId, call: &Call<'_>) -> Understood<Option<Sym>> {
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

    fn clip(&mut self, f: Func, s: NodeId, call: &Call<'_>) -> Understood<Sym> {
        let n = self.arg(call, 0)?;
        Ok(self.str_call(f, vec![s, n]))
    }

    fn end_char(&mut self, s: NodeId, first: bool) -> NodeId {
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
    fn check_below(&mut self, st: &mut State, s: NodeId, i: NodeId, class: &str) {
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

    fn string_search(&mut self, st: &mut State, s: NodeId, call: &Call<'_>) -> Understood<Option<Sym>> {
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

    fn split(&mut self, s: NodeId, call: &Call<'_>) -> Understood<Sym> {
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

    /// `s.toInt` and the like: an exception where the text is no number.
    pub(super) fn parse_number(
        &mut self,
        st: &mut State,
        s: NodeId,
        kind: NumberText,
        args: usize,
        call: &Call<'_>,
    ) -> Understood<Sym> {
        if args != 0 {
            return self.not_covered(call);
        }
        let floating = matches!(kind, NumberText::Double | NumberText::Float);
        if floating {
            self.require(st, s);
        }
        let good = self.g.call(Func::IsNumber(kind), vec![s], ColTy::BOOL);
        let bad = self.g.not(good);
        let null = self.null_test(st, s);
        let bad = self.g.or(null, bad);
        self.raise_if(st, bad, "NumberFormatException", "not a number");
        if !st.dead {
            st.set_not_null(s);
        }
        let ty = ColTy::Prim(match kind {
            NumberText::Int => Prim::Int,
            NumberText::Long => Prim::Long,
            NumberText::Short => Prim::Short,
            NumberText::Byte => Prim::Byte,
            NumberText::Double => Prim::Double,
            NumberText::Float => Prim::Float,
        });
        Ok(Sym::Node(self.g.call(Func::ParseNumber(kind), vec![s], ty)))
    }

    fn parse_boolean(&mut self, st: &mut State, s: NodeId, call: &Call<'_>) -> Understood<Sym> {
        let _ = call;
        let lower = self.g.call(Func::Lower, vec![s], ColTy::Str);
        let (t, f) = (self.g.text("true"), self.g.text("false"));
        let yes = self.g.add(Op::Equal(lower, t), ColTy::BOOL);
        let no = self.g.add(Op::Equal(lower, f), ColTy::BOOL);
        let null = self.null_test(st, s);
        let known = self.g.or(yes, no);
        let unknown = self.g.not(known);
        let bad = self.g.or(null, unknown);
        self.raise_if(st, bad, "IllegalArgumentException", "not a boolean");
        Ok(Sym::Node(yes))
    }

    fn format(&mut self, st: &mut State, s: NodeId, call: &Call<'_>) -> Understood<Sym> {
        let template = self.constant_text(&Sym::Node(s), call.span, "a format")?;
        let args: Vec<Sym> = match call.args.as_slice() {
            [Sym::Seq(items)] => items.iter().map(|(_, v)| v.clone()).collect(),
            other => other.to_vec(),
        };
        self.format_with(st, &template, &args, call)
    }

    /// `String.format` with a constant template: pieces joined.
    pub(super) fn format_with(
        &mut self,
        st: &mut State,
        template: &str,
        args: &[Sym],
        call: &Call<'_>,
    ) -> Understood<Sym> {
        let mut parts = Vec::new();
        let mut next = 0;
        let mut rest = template;
        while let Some(at) = rest.find('%') {
            parts.push(self.g.text(&rest[..at]));
            let tail = &rest[at + 1..];
            let Some(len) = tail.find(|c: char| c.is_ascii_alphabetic() || c == '%') else {
                return self.refuse(call.span, "this format is not understood");
            };
            let (flags, letter) = (&tail[..len], tail.as_bytes()[len] as char);
            rest = &tail[len + 1..];
            match letter {
                '%' if flags.is_empty() => parts.push(self.g.text("%")),
                'n' if flags.is_empty() => parts.push(self.g.text("\n")),
                's' if flags.is_empty() && next < args.len() => {
                    parts.push(self.text_of(st, &args[next].clone(), call.span)?);
                    next += 1;
                }
                's' | 'S' if next < args.len() && padded(flags) => {
                    let n = self.node_of(&args[next].clone(), call.span)?;
                    let plain = match self.g.ty(n) {
                        ColTy::Str | ColTy::Prim(Prim::Char) => true,
                        ty => ty.prim().is_some_and(|p| p.is_integral()),
                    };
                    if !plain {
                        return self.not_covered(call);
                    }
                    let spec: Arc<str> = format!("%{flags}{letter}").into();
                    parts.push(self.g.call(Func::Format(spec), vec![n], ColTy::Str));
                    next += 1;
                }
                'd' | 'f' | 'x' | 'X' | 'o' | 'e' | 'E' if next < args.len() => {
                    parts.push(self.format_number(st, &args[next], (flags, letter), call)?);
                    next += 1;
                }
                _ => {
                    return self.refuse(
                        call.span,
                        format!("the format `%{flags}{letter}` has no columnar form here"),
                    );
                }
            }
        }
        parts.push(self.g.text(rest));
        Ok(Sym::Node(self.g.concat(parts)))
    }

    fn format_number(
        &mut self,
        st: &State,
        arg: &Sym,
        (flags, letter): (&str, char),
        call: &Call<'_>,
    ) -> Understood<NodeId> {
        let Sym::Node(n) = *arg else {
            return self.not_covered(call);
        };
        if self.nullable(st, n) {
            return self.refuse(
                call.span,
                "a format of a value that may be null has no columnar form here",
            );
        }
        let fits = match (letter, self.g.ty(n).prim()) {
            ('d' | 'x' | 'X' | 'o', Some(p)) => p.is_integral() && p != Prim::Char,
            ('f' | 'e' | 'E', Some(p)) => matches!(p, Prim::Double | Prim::Float),
            _ => false,
        };
        if !fits {
            return self.not_covered(call);
        }
        let plain = letter == 'd' && flags.is_empty();
        let f = if plain {
            Func::ToText
        } else {
            Func::Format(format!("%{flags}{letter}").into())
        };
        Ok(self.g.call(f, vec![n], ColTy::Str))
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

    /// Methods of `Regex` and `Pattern`.
    pub(super) fn regex_method(&mut self, st: &mut State, pattern: Arc<str>, call: Call<'_>) -> Understood<Sym> {
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
    pub(super) fn new_builder(&mut self, st: &mut State, initial: NodeId) -> Sym {
        self.cells += 1;
        st.cells.insert(self.cells, initial);
        Sym::Builder(self.cells)
    }

    /// Methods of `StringBuilder`.
    pub(super) fn builder_method(&mut self, st: &mut State, cell: u32, call: Call<'_>) -> Understood<Sym> {
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

/// Whether the flags of `%s` are a width, and maybe a minus and a precision.
fn padded(flags: &str) -> bool {
    let digits = flags.strip_prefix('-').unwrap_or(flags);
    let (width, precision) = digits.split_once('.').unwrap_or((digits, ""));
    let number = |t: &str| t.bytes().all(|b| b.is_ascii_digit()) && t.len() < 5;
    (!width.is_empty() || !precision.is_empty()) && number(width) && number(precision)
}

/// The number format a conversion reads.
pub(super) fn number_text(name: &str) -> Option<NumberText> {
    Some(match name {
        "toInt" => NumberText::Int,
        "toLong" => NumberText::Long,
        "toShort" => NumberText::Short,
        "toByte" => NumberText::Byte,
        "toDouble" => NumberText::Double,
        "toFloat" => NumberText::Float,
        _ => return None,
    })
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
