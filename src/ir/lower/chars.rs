//! Characters: predicates over one character become classes of a regular expression, so that `filter`, `forall`, `exists`
//! and the like over text have a columnar form.

use super::Lower;
use super::library::Call;
use super::sym::{State, Sym};
use crate::ir::func::Func;
use crate::ir::node::{ColTy, Const, NodeId, Op};
use crate::lang::ast::BinOp;
use crate::lang::ty::Prim;
use crate::source::{Span, Understood};

/// Java's `Character.isWhitespace`.
const WHITE: [(u32, u32); 8] = [
    (0x09, 0x0D),
    (0x1C, 0x20),
    (0x1680, 0x1680),
    (0x2000, 0x2006),
    (0x2008, 0x200A),
    (0x2028, 0x2029),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
];

const LAST: u32 = 0x10FFFF;

/// A set of characters.
#[derive(Debug, Clone, PartialEq)]
enum Chars {
    /// Ranges of code points, sorted and apart.
    Ranges(Vec<(u32, u32)>),
    /// Contents of a class in Java's notation.
    Class(String),
}

impl Chars {
    fn ranges(mut r: Vec<(u32, u32)>) -> Chars {
        r.retain(|(a, b)| a <= b && *a <= LAST);
        r.sort_unstable();
        let mut out: Vec<(u32, u32)> = Vec::new();
        for (a, b) in r {
            match out.last_mut() {
                Some(last) if a <= last.1.saturating_add(1) => last.1 = last.1.max(b),
                _ => out.push((a, b)),
            }
        }
        Chars::Ranges(out)
    }

    fn not(self) -> Chars {
        match self {
            Chars::Ranges(r) => {
                let mut out = Vec::new();
                let mut at = 0;
                for (a, b) in r {
                    if a > at {
                        out.push((at, a - 1));
                    }
                    at = b + 1;
                }
                if at <= LAST {
                    out.push((at, LAST));
                }
                Chars::Ranges(out)
            }
            Chars::Class(c) => Chars::Class(format!("^{}", bracket(&c))),
        }
    }

    fn or(self, other: Chars) -> Chars {
        match (self, other) {
            (Chars::Ranges(a), Chars::Ranges(b)) => Chars::ranges(a.into_iter().chain(b).collect()),
            (a, b) => Chars::Class(format!("{}{}", a.bracketed(), b.bracketed())),
        }
    }

    fn and(self, other: Chars) -> Chars {
        match (self, other) {
            (Chars::Ranges(a), Chars::Ranges(b)) => Chars::Ranges(a).not().or(Chars::Ranges(b).not()).not(),
            (a, b) => Chars::Class(format!("{}&&{}", a.bracketed(), b.bracketed())),
        }
    }

    fn bracketed(&self) -> String {
        match self {
            Chars::Class(c) => bracket(c),
            Chars::Ranges(r) => {
                if r.last().is_some_and(|(_, b)| *b == LAST) {
                    match self.clone().not() {
                        Chars::Ranges(n) if n.is_empty() => r"[\s\S]".into(),
                        Chars::Ranges(n) => format!("[^{}]", ranges_text(&n)),
                        Chars::Class(c) => bracket(&c),
                    }
                } else {
                    format!("[{}]", ranges_text(r))
                }
            }
        }
    }
}

fn bracket(contents: &str) -> String {
    format!("[{contents}]")
}

fn ranges_text(ranges: &[(u32, u32)]) -> String {
    let one = |c: u32| -> String {
        match char::from_u32(c) {
            Some(ch) if ch.is_ascii_alphanumeric() || ch == ' ' || ch == '_' => ch.to_string(),
            Some(ch) if ch.is_ascii_graphic() => format!("\\{ch}"),
            _ if c < 0x100 => format!("\\x{c:02X}"),
            _ => format!("\\x{{{c:X}}}"),
        }
    };
    let mut text = String::new();
    for (a, b) in ranges {
        text += &one(*a);
        if b > a {
            if *b > a + 1 {
                text.push('-');
            }
            text += &one(*b);
        }
    }
    text
}

impl Lower<'_> {
    /// The class of a predicate over characters, in brackets.
    pub(super) fn char_class(&mut self, st: &State, predicate: &Sym, span: Span) -> Understood<String> {
        self.vars += 1;
        let var = self.g.add(Op::Var(self.vars), ColTy::Prim(Prim::Char));
        let mut inner = st.scope();
        inner.set_not_null(var);
        let value = match predicate {
            Sym::Set(items) => {
                let mut any = self.g.bool(false);
                for item in items.clone() {
                    let one = self.equal(&inner, &Sym::Node(var), &item, span)?;
                    any = self.g.or(any, one);
                }
                any
            }
            _ => {
                let value = self.apply(&mut inner, predicate, &[Sym::Node(var)], span)?;
                self.node_of(&value, span)?
            }
        };
        if !inner.events.is_empty() {
            return self.refuse(span, "a test of characters that may throw has no columnar form");
        }
        match self.chars_of(value, var) {
            Some(chars) => Ok(chars.bracketed()),
            None => self.refuse(span, "this test of characters has no columnar form"),
        }
    }

    /// The class of characters for which a condition over the variable holds (or fails), in brackets.
    pub(super) fn class_of(&self, cond: NodeId, var: NodeId, fails: bool) -> Option<String> {
        let chars = self.chars_of(cond, var)?;
        Some(if fails { chars.not() } else { chars }.bracketed())
    }

    fn chars_of(&self, cond: NodeId, var: NodeId) -> Option<Chars> {
        let unit = |n: NodeId| match self.g.constant(n) {
            Some(Const::Char(c)) if !(0xD800..=0xDFFF).contains(c) => Some(u32::from(*c)),
            Some(Const::Int(i)) => u32::try_from(*i).ok().filter(|c| *c < 0xD800),
            _ => None,
        };
        let is_var = |n: NodeId| n == var || matches!(self.g.op(n), Op::Call(Func::CharCode, a) if a[0] == var);
        Some(match self.g.op(cond) {
            Op::Const(Const::Bool(true)) => Chars::Ranges(vec![(0, LAST)]),
            Op::Const(Const::Bool(false)) => Chars::Ranges(vec![]),
            Op::Not(a) => self.chars_of(*a, var)?.not(),
            Op::And(a, b) => self.chars_of(*a, var)?.and(self.chars_of(*b, var)?),
            Op::Or(a, b) => self.chars_of(*a, var)?.or(self.chars_of(*b, var)?),
            Op::Call(Func::CharIs(class), args) if args[0] == var => Chars::Class(class.to_string()),
            Op::Call(Func::Contains, args) if args[1] == var => {
                let text = self.g.as_text(args[0])?;
                Chars::ranges(text.chars().map(|c| (u32::from(c), u32::from(c))).collect())
            }
            Op::Bin(op, _, a, b) => {
                let (op, c) = if is_var(*a) {
                    (*op, unit(*b)?)
                } else if is_var(*b) {
                    (flip(*op), unit(*a)?)
                } else {
                    return None;
                };
                match op {
                    BinOp::Eq => Chars::ranges(vec![(c, c)]),
                    BinOp::Ne => Chars::ranges(vec![(c, c)]).not(),
                    BinOp::Lt => Chars::ranges(if c == 0 { vec![] } else { vec![(0, c - 1)] }),
                    BinOp::Le => Chars::ranges(vec![(0, c)]),
                    BinOp::Gt => Chars::ranges(vec![(c + 1, LAST)]),
                    BinOp::Ge => Chars::ranges(vec![(c, LAST)]),
                    _ => return None,
                }
            }
            _ => return None,
        })
    }

    /// Methods of `Char`.
    pub(super) fn char_method(&mut self, st: &mut State, n: NodeId, call: Call<'_>) -> Understood<Sym> {
        self.require(st, n);
        if st.dead {
            return Ok(Sym::Unit);
        }
        self.char_call(n, &call)
    }

    /// A test or mapping of one character.
    pub(super) fn char_call(&mut self, n: NodeId, call: &Call<'_>) -> Understood<Sym> {
        let ch = ColTy::Prim(Prim::Char);
        let class = match call.name {
            "isDigit" => Some(r"[\p{Nd}&&[\x{0}-\x{FFFF}]]".to_string()),
            "isLetter" => Some(r"[\p{L}&&[\x{0}-\x{FFFF}]]".to_string()),
            "isLetterOrDigit" => Some(r"[[\p{L}\p{Nd}]&&[\x{0}-\x{FFFF}]]".to_string()),
            "isWhitespace" => Some(Chars::ranges(WHITE.to_vec()).bracketed()),
            "isUpper" | "isUpperCase" => Some(r"[\p{IsUppercase}&&[\x{0}-\x{FFFF}]]".to_string()),
            "isLower" | "isLowerCase" => Some(r"[\p{IsLowercase}&&[\x{0}-\x{FFFF}]]".to_string()),
            _ => None,
        };
        if let Some(class) = class {
            return Ok(Sym::Node(self.g.call(Func::CharIs(class.into()), vec![n], ColTy::BOOL)));
        }
        Ok(Sym::Node(match call.name {
            "toUpper" | "toUpperCase" => self.g.call(Func::CharUpper, vec![n], ch),
            "toLower" | "toLowerCase" => self.g.call(Func::CharLower, vec![n], ch),
            "toInt" => self.g.conv(Prim::Char, Prim::Int, n),
            "asDigit" | "getNumericValue" => self.g.call(Func::DigitOf, vec![n], ColTy::INT),
            "toString" => self.g.call(Func::Concat, vec![n], ColTy::Str),
            "charValue" | "toChar" => n,
            _ => return self.not_covered(call),
        }))
    }
}

fn flip(op: BinOp) -> BinOp {
    match op {
        BinOp::Lt => BinOp::Gt,
        BinOp::Le => BinOp::Ge,
        BinOp::Gt => BinOp::Lt,
        BinOp::Ge => BinOp::Le,
        other => other,
    }
}
