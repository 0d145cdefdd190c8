//! Numbers as text and back: formats and parsing.

use super::super::Lower;
use super::super::library::Call;
use super::super::sym::{State, Sym};
use crate::ir::func::{Func, NumberText};
use crate::ir::node::{ColTy, NodeId, Op};
use crate::lang::ty::Prim;
use crate::source::Understood;
use std::sync::Arc;

impl Lower<'_> {
    /// `s.toInt` and the like: an exception where the text is no number.
    pub(in crate::ir::lower) fn parse_number(
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

    pub(super) fn parse_boolean(&mut self, st: &mut State, s: NodeId, call: &Call<'_>) -> Understood<Sym> {
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

    pub(super) fn format(&mut self, st: &mut State, s: NodeId, call: &Call<'_>) -> Understood<Sym> {
        let template = self.constant_text(&Sym::Node(s), call.span, "a format")?;
        let args: Vec<Sym> = match call.args.as_slice() {
            [Sym::Seq(items)] => items.iter().map(|(_, v)| v.clone()).collect(),
            other => other.to_vec(),
        };
        self.format_with(st, &template, &args, call)
    }

    /// `String.format` with a constant template: pieces joined.
    pub(in crate::ir::lower) fn format_with(
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

    pub(super) fn format_number(
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
}

/// Whether the flags of `%s` are a width, and maybe a minus and a precision.
pub(super) fn padded(flags: &str) -> bool {
    let digits = flags.strip_prefix('-').unwrap_or(flags);
    let (width, precision) = digits.split_once('.').unwrap_or((digits, ""));
    let number = |t: &str| t.bytes().all(|b| b.is_ascii_digit()) && t.len() < 5;
    (!width.is_empty() || !precision.is_empty()) && number(width) && number(precision)
}

/// The number format a conversion reads.
pub(in crate::ir::lower) fn number_text(name: &str) -> Option<NumberText> {
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
