//! Smart constructors: constant folding with the JVM's arithmetic, and the simplifications that keep conditions readable.

use std::sync::Arc;

use super::func::Func;
use super::node::{ColTy, Const, Graph, NodeId, Op};
use crate::lang::ast::BinOp;
use crate::lang::ty::Prim;

/// Wraps an integer to the width of a primitive.
fn wrap(prim: Prim, value: i64) -> i64 {
    match prim {
        Prim::Byte => i64::from(value as i8),
        Prim::Short => i64::from(value as i16),
        Prim::Char => i64::from(value as u16),
        Prim::Int => i64::from(value as i32),
        _ => value,
    }
}

fn fold_int(op: BinOp, prim: Prim, a: i64, b: i64) -> Option<i64> {
    let bits = if prim == Prim::Long { 64 } else { 32 };
    let shift = (b & (bits - 1)) as u32;
    Some(wrap(
        prim,
        match op {
            BinOp::Add => a.wrapping_add(b),
            BinOp::Sub => a.wrapping_sub(b),
            BinOp::Mul => a.wrapping_mul(b),
            BinOp::Div if b != 0 => a.wrapping_div(b),
            BinOp::Rem if b != 0 => a.wrapping_rem(b),
            BinOp::BitAnd => a & b,
            BinOp::BitOr => a | b,
            BinOp::BitXor => a ^ b,
            BinOp::Shl => a.wrapping_shl(shift),
            BinOp::Shr => a >> shift,
            BinOp::UShr if bits == 64 => ((a as u64) >> shift) as i64,
            BinOp::UShr => i64::from((a as u32) >> shift),
            _ => return None,
        },
    ))
}

fn order<T: PartialOrd>(op: BinOp, a: T, b: T) -> Option<bool> {
    Some(match op {
        BinOp::Eq => a == b,
        BinOp::Ne => a != b,
        BinOp::Lt => a < b,
        BinOp::Le => a <= b,
        BinOp::Gt => a > b,
        BinOp::Ge => a >= b,
        _ => return None,
    })
}

impl Graph {
    /// A constant of a type.
    pub fn constant_of(&mut self, value: Const, ty: ColTy) -> NodeId {
        self.add(Op::Const(value), ty)
    }

    /// `true` or `false`.
    pub fn bool(&mut self, value: bool) -> NodeId {
        self.constant_of(Const::Bool(value), ColTy::BOOL)
    }

    /// An `Int` constant.
    pub fn int(&mut self, value: i64) -> NodeId {
        self.constant_of(Const::Int(wrap(Prim::Int, value)), ColTy::INT)
    }

    /// A `Double` constant.
    pub fn double(&mut self, value: f64) -> NodeId {
        self.constant_of(Const::F64(value.to_bits()), ColTy::DOUBLE)
    }

    /// A text constant.
    pub fn text(&mut self, value: &str) -> NodeId {
        self.constant_of(Const::Str(value.into()), ColTy::Str)
    }

    /// Null of a type.
    pub fn null(&mut self, ty: ColTy) -> NodeId {
        self.constant_of(Const::Null, ty)
    }

    /// A call.
    pub fn call(&mut self, func: Func, args: Vec<NodeId>, ty: ColTy) -> NodeId {
        self.add(Op::Call(func, args), ty)
    }

    /// Throws.
    pub fn raise(&mut self, class: &str, message: &str) -> NodeId {
        self.add(Op::Raise(class.into(), message.into()), ColTy::Null)
    }

    /// Negation, pushed through negations and comparisons of integers.
    pub fn not(&mut self, a: NodeId) -> NodeId {
        match self.op(a).clone() {
            Op::Const(Const::Bool(b)) => self.bool(!b),
            Op::Not(inner) => inner,
            Op::Bin(op, prim, l, r) if prim.is_integral() || matches!(op, BinOp::Eq | BinOp::Ne) => match negated(op) {
                Some(op) => self.add(Op::Bin(op, prim, l, r), ColTy::BOOL),
                None => self.add(Op::Not(a), ColTy::BOOL),
            },
            _ => self.add(Op::Not(a), ColTy::BOOL),
        }
    }

    /// Conjunction.
    pub fn and(&mut self, a: NodeId, b: NodeId) -> NodeId {
        match (self.as_bool(a), self.as_bool(b)) {
            (Some(true), _) => b,
            (_, Some(true)) => a,
            (Some(false), _) => a,
            _ if a == b => a,
            _ => self.add(Op::And(a, b), ColTy::BOOL),
        }
    }

    /// Disjunction.
    pub fn or(&mut self, a: NodeId, b: NodeId) -> NodeId {
        match (self.as_bool(a), self.as_bool(b)) {
            (Some(false), _) => b,
            (_, Some(false)) => a,
            (Some(true), _) => a,
            _ if a == b => a,
            _ => self.add(Op::Or(a, b), ColTy::BOOL),
        }
    }

    /// Null test, decided where the node cannot be null.
    pub fn is_null(&mut self, a: NodeId) -> NodeId {
        match self.op(a) {
            Op::Const(Const::Null) => self.bool(true),
            Op::Const(_) | Op::Bin(..) | Op::Struct(_) | Op::List(_) | Op::IsNull(_) => self.bool(false),
            Op::Case(branches, other) => {
                let (branches, other) = (branches.clone(), *other);
                let mut all = branches.iter().map(|(_, v)| *v).chain([other]);
                if !all.any(|v| self.is_null_const(v)) {
                    return self.add(Op::IsNull(a), ColTy::BOOL);
                }
                let mut result = self.is_null(other);
                for (cond, value) in branches.into_iter().rev() {
                    let here = self.is_null(value);
                    result = self.case(cond, here, result);
                }
                result
            }
            _ => self.add(Op::IsNull(a), ColTy::BOOL),
        }
    }

    /// `CASE WHEN cond THEN a ELSE b END`, flattened; a boolean one becomes logic.
    pub fn case(&mut self, cond: NodeId, a: NodeId, b: NodeId) -> NodeId {
        match self.as_bool(cond) {
            Some(true) => return a,
            Some(false) => return b,
            None if a == b => return a,
            None => {}
        }
        match (self.as_bool(a), self.as_bool(b)) {
            (Some(true), Some(false)) => return cond,
            (Some(false), Some(true)) => return self.not(cond),
            (Some(true), None) => return self.or(cond, b),
            (None, Some(false)) => return self.and(cond, a),
            (Some(false), None) => {
                let otherwise = self.not(cond);
                return self.and(otherwise, b);
            }
            (None, Some(true)) => {
                let otherwise = self.not(cond);
                return self.or(otherwise, a);
            }
            _ => {}
        }
        let ty = if *self.ty(a) == ColTy::Null {
            self.ty(b).clone()
        } else {
            self.ty(a).clone()
        };
        let mut branches = vec![(cond, a)];
        let other = match self.op(b).clone() {
            Op::Case(more, other) => {
                branches.extend(more);
                other
            }
            _ => b,
        };
        self.add(Op::Case(branches, other), ty)
    }

    /// A branch in front of a result, kept as a branch whatever its value.
    pub fn branch_first(&mut self, cond: NodeId, value: NodeId, result: NodeId, ty: ColTy) -> NodeId {
        let (mut branches, other) = match self.op(result).clone() {
            Op::Case(branches, other) => (branches, other),
            _ => (Vec::new(), result),
        };
        branches.insert(0, (cond, value));
        self.add(Op::Case(branches, other), ty)
    }

    /// Arithmetic, bits or comparison on primitives, folded.
    pub fn bin(&mut self, op: BinOp, prim: Prim, a: NodeId, b: NodeId) -> NodeId {
        let flips = self.constant(a).is_some() && self.constant(b).is_none();
        if let (true, Some(turned)) = (flips && prim.is_integral(), mirrored(op)) {
            return self.bin(turned, prim, b, a);
        }
        if let (Op::Call(Func::CharCode, inner), Some(code), Some(_)) = (self.op(a), self.as_int(b), mirrored(op))
            && (0..0xD800).contains(&code)
        {
            let (c, unit) = (inner[0], code as u16);
            let other = self.constant_of(Const::Char(unit), ColTy::Prim(Prim::Char));
            return self.bin(op, Prim::Char, c, other);
        }
        let from_number = |g: &Graph, n: NodeId| matches!(g.op(n), Op::Call(Func::CharOf, _));
        if prim == Prim::Char && (from_number(self, a) || from_number(self, b)) {
            let (x, y) = (self.char_code(a), self.char_code(b));
            return self.bin(op, Prim::Int, x, y);
        }
        let comparison = matches!(
            op,
            BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge
        );
        let ty = if comparison { ColTy::BOOL } else { ColTy::Prim(prim) };
        match (self.constant(a).cloned(), self.constant(b).cloned()) {
            (Some(Const::Int(x)), Some(Const::Int(y))) => {
                if let Some(answer) = order(op, x, y) {
                    return self.bool(answer);
                }
                if let Some(v) = fold_int(op, prim, x, y) {
                    return self.constant_of(Const::Int(v), ty);
                }
            }
            (Some(Const::Char(x)), Some(Const::Char(y))) => {
                if let Some(answer) = order(op, x, y) {
                    return self.bool(answer);
                }
            }
            (Some(Const::Bool(x)), Some(Const::Bool(y))) => {
                if let Some(answer) = order(op, x, y) {
                    return self.bool(answer);
                }
            }
            _ => {}
        }
        if prim == Prim::Boolean {
            match op {
                BinOp::BitAnd => return self.and(a, b),
                BinOp::BitOr => return self.or(a, b),
                _ => {}
            }
        }
        self.add(Op::Bin(op, prim, a, b), ty)
    }

    /// A primitive conversion, folded.
    pub fn conv(&mut self, from: Prim, to: Prim, a: NodeId) -> NodeId {
        if from == to {
            return a;
        }
        let ty = ColTy::Prim(to);
        let folded = match (self.constant(a), to) {
            (Some(Const::Null), _) => Some(Const::Null),
            (Some(Const::Int(v)), Prim::Double) => Some(Const::F64((*v as f64).to_bits())),
            (Some(Const::Int(v)), Prim::Float) => Some(Const::F32((*v as f32).to_bits())),
            (Some(Const::Int(v)), Prim::Char) if from != Prim::Char => {
                let unit = *v as u16;
                char::from_u32(u32::from(unit)).map(|_| Const::Char(unit))
            }
            (Some(Const::Int(v)), p) if p.is_integral() => Some(Const::Int(wrap(p, *v))),
            (Some(Const::Char(c)), p) if p.is_integral() => Some(Const::Int(wrap(p, i64::from(*c)))),
            (Some(Const::Char(c)), Prim::Double) => Some(Const::F64(f64::from(*c).to_bits())),
            (Some(Const::F32(v)), Prim::Double) => Some(Const::F64(f64::from(f32::from_bits(*v)).to_bits())),
            (Some(Const::F64(v)), Prim::Float) => Some(Const::F32((f64::from_bits(*v) as f32).to_bits())),
            (Some(Const::F64(v)), Prim::Int) => Some(Const::Int(i64::from(f64::from_bits(*v) as i32))),
            (Some(Const::F64(v)), Prim::Long) => Some(Const::Int(f64::from_bits(*v) as i64)),
            _ => None,
        };
        match folded {
            Some(c) => self.constant_of(c, ty),
            None if from == Prim::Char => {
                let code = self.char_code(a);
                self.conv(Prim::Int, to, code)
            }
            None if to == Prim::Char => {
                let wide = self.conv(from, Prim::Int, a);
                self.call(Func::CharOf, vec![wide], ColTy::Prim(Prim::Char))
            }
            None => self.add(Op::Conv(from, to, a), ty),
        }
    }

    /// The code of a character; the character of a number is no text on the way, so that halves of surrogate pairs stay.
    fn char_code(&mut self, c: NodeId) -> NodeId {
        match (self.op(c).clone(), self.constant(c)) {
            (Op::Call(Func::CharOf, number), _) => {
                let mask = self.int(0xFFFF);
                self.bin(BinOp::BitAnd, Prim::Int, number[0], mask)
            }
            (_, Some(Const::Char(unit))) => {
                let unit = i64::from(*unit);
                self.int(unit)
            }
            _ => self.call(Func::CharCode, vec![c], ColTy::INT),
        }
    }

    /// Negation of a number.
    pub fn neg(&mut self, prim: Prim, a: NodeId) -> NodeId {
        let folded = match self.constant(a) {
            Some(Const::Int(v)) => Some(Const::Int(wrap(prim, v.wrapping_neg()))),
            Some(Const::F64(v)) => Some(Const::F64((-f64::from_bits(*v)).to_bits())),
            Some(Const::F32(v)) => Some(Const::F32((-f32::from_bits(*v)).to_bits())),
            _ => None,
        };
        match folded {
            Some(c) => self.constant_of(c, ColTy::Prim(prim)),
            None => self.add(Op::Neg(prim, a), ColTy::Prim(prim)),
        }
    }

    /// Texts joined; constants that meet are joined now.
    pub fn concat(&mut self, parts: Vec<NodeId>) -> NodeId {
        let mut flat: Vec<NodeId> = Vec::new();
        for part in parts {
            match self.op(part).clone() {
                Op::Call(Func::Concat, inner) => flat.extend(inner),
                _ => flat.push(part),
            }
        }
        let mut joined: Vec<NodeId> = Vec::new();
        for part in flat {
            let here = self.as_text(part);
            match (joined.last().and_then(|last| self.as_text(*last)), here) {
                (_, Some(empty)) if empty.is_empty() => {}
                (Some(before), Some(after)) => {
                    let both: Arc<str> = format!("{before}{after}").into();
                    joined.pop();
                    let text = self.text(&both);
                    joined.push(text);
                }
                _ => joined.push(part),
            }
        }
        match joined.as_slice() {
            [] => self.text(""),
            [one] if *self.ty(*one) == ColTy::Str => *one,
            _ => self.call(Func::Concat, joined, ColTy::Str),
        }
    }
}

/// A comparison with its sides exchanged.
fn mirrored(op: BinOp) -> Option<BinOp> {
    Some(match op {
        BinOp::Eq | BinOp::Ne => op,
        BinOp::Lt => BinOp::Gt,
        BinOp::Le => BinOp::Ge,
        BinOp::Gt => BinOp::Lt,
        BinOp::Ge => BinOp::Le,
        _ => return None,
    })
}

/// The opposite of a comparison of values without NaN.
fn negated(op: BinOp) -> Option<BinOp> {
    Some(match op {
        BinOp::Eq => BinOp::Ne,
        BinOp::Ne => BinOp::Eq,
        BinOp::Lt => BinOp::Ge,
        BinOp::Le => BinOp::Gt,
        BinOp::Gt => BinOp::Le,
        BinOp::Ge => BinOp::Lt,
        _ => return None,
    })
}

/// What is known about a capturing group of a pattern from its shape alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupShape {
    /// It takes part in every match.
    pub always: bool,
    /// It may match empty text.
    pub may_be_empty: bool,
}

/// The capturing groups of a pattern in order. Errs on the side of "may not take part" and "may be empty".
pub fn regex_groups(pattern: &str) -> Vec<GroupShape> {
    let chars: Vec<char> = pattern.chars().collect();
    let mut groups: Vec<GroupShape> = Vec::new();
    let mut open: Vec<(Option<usize>, usize, Vec<usize>)> = Vec::new();
    let mut top_alternation = false;
    let mut alternatives: Vec<bool> = vec![false];
    let mut i = 0;
    while i < chars.len() {
        match chars[i] {
            '\\' => i += 1,
            '[' => i = class_end(&chars, i),
            '(' => {
                let capturing = chars.get(i + 1) != Some(&'?')
                    || (chars.get(i + 2) == Some(&'<') && !matches!(chars.get(i + 3), Some('=' | '!')));
                let index = capturing.then(|| {
                    groups.push(GroupShape {
                        always: true,
                        may_be_empty: true,
                    });
                    groups.len() - 1
                });
                open.push((index, i, Vec::new()));
                alternatives.push(false);
            }
            '|' => {
                if let Some(last) = alternatives.last_mut() {
                    *last = true;
                }
                top_alternation |= open.is_empty();
            }
            ')' => {
                let alternation = alternatives.pop().unwrap_or(false);
                if let Some((index, start, inner)) = open.pop() {
                    let next = chars.get(i + 1);
                    let optional = matches!(next, Some('?' | '*' | '{'));
                    let lookaround =
                        chars.get(start + 1) == Some(&'?') && matches!(chars.get(start + 2), Some('!' | '<' | '='));
                    let mut mine = inner;
                    for g in &mine {
                        if optional || alternation || (lookaround && index.is_none()) {
                            groups[*g].always = false;
                        }
                    }
                    if let Some(g) = index {
                        groups[g].always = !optional;
                        let body: String = chars[start + 1..i].iter().collect();
                        groups[g].may_be_empty = alternation || !never_empty(&body);
                        mine.push(g);
                    }
                    if let Some((_, _, outer)) = open.last_mut() {
                        outer.extend(mine);
                    }
                }
            }
            _ => {}
        }
        i += 1;
    }
    if top_alternation {
        groups.iter_mut().for_each(|g| g.always = false);
    }
    groups
}

fn class_end(chars: &[char], start: usize) -> usize {
    let mut i = start + 1;
    if chars.get(i) == Some(&'^') {
        i += 1;
    }
    if chars.get(i) == Some(&']') {
        i += 1;
    }
    while i < chars.len() && chars[i] != ']' {
        i += if chars[i] == '\\' { 2 } else { 1 };
    }
    i
}

/// Whether a pattern without alternation begins with something that takes at least one character.
fn never_empty(body: &str) -> bool {
    let chars: Vec<char> = body.chars().collect();
    let end = match chars.first() {
        Some('\\') => match chars.get(1) {
            Some('b' | 'B' | 'A' | 'z' | 'Z' | 'G' | 'Q' | 'E') | None => return false,
            Some('1'..='9') => return false,
            Some('p' | 'P') => return false,
            Some(_) => 2,
        },
        Some('[') => class_end(&chars, 0) + 1,
        Some('(' | '^' | '$' | ')' | '|') | None => return false,
        Some(_) => 1,
    };
    match chars.get(end) {
        Some('*' | '?') => false,
        Some('{') => chars.get(end + 1).is_some_and(|c| ('1'..='9').contains(c)),
        _ => true,
    }
}

/// Whether every match of a pattern takes at least one character, as far as its shape tells.
pub fn takes_characters(pattern: &str) -> bool {
    let mut depth = 0;
    let chars: Vec<char> = pattern.chars().collect();
    let mut i = 0;
    let mut start = 0;
    while i < chars.len() {
        match chars[i] {
            '\\' => i += 1,
            '[' => i = class_end(&chars, i),
            '(' => depth += 1,
            ')' => depth -= 1,
            '|' if depth == 0 => {
                if !never_empty(&chars[start..i].iter().collect::<String>()) {
                    return false;
                }
                start = i + 1;
            }
            _ => {}
        }
        i += 1;
    }
    never_empty(&chars[start..].iter().collect::<String>())
}
