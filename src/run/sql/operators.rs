//! Arithmetic and bit operators: how operands meet and what type they give. Part of the analyzer.

use super::analyze::{A, Analyzer, lacking, wrong};
use super::ast::Ast;
use super::fns;
use super::plan::{Arith, Kind, Mode, Node};
use super::resolve::no_interval;
use super::ty::{self, Ty};
use super::val::Val;
use crate::source::Span;

/// Operators and their `try_` forms by name; `None` when the name is none.
pub(super) fn operator(an: &mut Analyzer, name: &str, args: &[Ast], span: Span) -> A<Option<Node>> {
    let op = match name {
        "+" | "try_add" => Arith::Add,
        "-" | "try_subtract" => Arith::Sub,
        "*" | "try_multiply" => Arith::Mul,
        "/" | "try_divide" => Arith::Div,
        "div" => Arith::IntDiv,
        "%" | "mod" => Arith::Rem,
        "pmod" => Arith::Pmod,
        "&" => Arith::And,
        "|" => Arith::Or,
        "^" => Arith::Xor,
        "-unary" | "negative" => return negative(an, args, span).map(Some),
        "date_literal" | "timestamp_literal" => return literal(an, name, args, span).map(Some),
        _ => return Ok(None),
    };
    if args.len() != 2 {
        return wrong(span, format!("`{name}` takes 2 arguments, found {}", args.len()));
    }
    let mode = if name.starts_with("try_") { Mode::Try } else { an.mode() };
    let (a, b) = (an.node(&args[0])?, an.node(&args[1])?);
    binary(an, op, name, a, b, mode, span).map(Some)
}

fn negative(an: &mut Analyzer, args: &[Ast], span: Span) -> A<Node> {
    let [arg] = args else {
        return wrong(span, "`-` takes one argument");
    };
    let e = an.node(arg)?;
    let e = match e.ty {
        Ty::Null | Ty::Str => an.coerce(e, &Ty::F64, span)?,
        _ => e,
    };
    if e.ty.is_interval() {
        return no_interval(span, "the negative");
    }
    an.table_call(fns::builtin("negative"), vec![e], span)
}

fn literal(an: &mut Analyzer, name: &str, args: &[Ast], span: Span) -> A<Node> {
    let text = an.node(&args[0])?;
    let to = if name == "date_literal" { Ty::Date } else { Ty::Ts };
    let node = an.cast(text, to.clone(), Mode::Legacy, span)?;
    match node.constant() {
        Some(Val::Null) | None => wrong(span, format!("this is no {to}")),
        _ => Ok(node),
    }
}

fn binary(an: &mut Analyzer, op: Arith, name: &str, a: Node, b: Node, mode: Mode, span: Span) -> A<Node> {
    let temporal = |t: &Ty| matches!(t, Ty::Date | Ty::Ts) || t.is_interval();
    if temporal(&a.ty) || temporal(&b.ty) {
        return time(an, op, name, a, b, mode, span);
    }
    let (a, b) = strings(an, a, b, span)?;
    for n in [&a, &b] {
        if !n.ty.is_numeric() && n.ty != Ty::Null {
            return wrong(span, format!("`{name}` is not defined on {} and {}", a.ty, b.ty));
        }
    }
    match op {
        Arith::And | Arith::Or | Arith::Xor => return bits(an, op, name, a, b, span),
        Arith::IntDiv if !matches!((&a.ty, &b.ty), (Ty::Dec(..), _) | (_, Ty::Dec(..))) => {
            if a.ty.is_float() || b.ty.is_float() {
                return lacking(span, "`div` of DOUBLE is not covered by the cpu engine");
            }
            return same(an, op, a, b, &Ty::I64, mode, span);
        }
        _ => {}
    }
    let decimal = matches!(a.ty, Ty::Dec(..)) || matches!(b.ty, Ty::Dec(..));
    let float = a.ty.is_float() || b.ty.is_float();
    if decimal && !float {
        return decimals(an, op, a, b, mode, span);
    }
    if op == Arith::Div || decimal {
        return same(an, op, a, b, &Ty::F64, mode, span);
    }
    let t = match (&a.ty, &b.ty) {
        (Ty::Null, Ty::Null) => Ty::F64,
        (x, y) => match ty::tightest(x, y, an.rt.ansi) {
            Some(t) => t,
            None => return wrong(span, format!("`{name}` is not defined on {x} and {y}")),
        },
    };
    same(an, op, a, b, &t, mode, span)
}

/// Strings give way to numbers.
fn strings(an: &Analyzer, a: Node, b: Node, span: Span) -> A<(Node, Node)> {
    let target = |other: &Ty| match other {
        _ if an.rt.ansi && other.is_integral() => Ty::I64,
        _ => Ty::F64,
    };
    let (ta, tb) = (a.ty.clone(), b.ty.clone());
    let a = if ta == Ty::Str {
        an.coerce(a, &target(&tb), span)?
    } else {
        a
    };
    let b = if tb == Ty::Str {
        an.coerce(b, &target(&ta), span)?
    } else {
        b
    };
    Ok((a, b))
}

fn same(an: &Analyzer, op: Arith, a: Node, b: Node, t: &Ty, mode: Mode, span: Span) -> A<Node> {
    let (a, b) = (an.coerce(a, t, span)?, an.coerce(b, t, span)?);
    Ok(Node::new(t.clone(), Kind::Arith(op, Box::new(a), Box::new(b), mode)))
}

fn bits(an: &Analyzer, op: Arith, name: &str, a: Node, b: Node, span: Span) -> A<Node> {
    match ty::tightest(&a.ty, &b.ty, an.rt.ansi) {
        Some(t) if t.is_integral() => same(an, op, a, b, &t, Mode::Legacy, span),
        _ => wrong(span, format!("`{name}` needs integers, found {} and {}", a.ty, b.ty)),
    }
}

/// The decimal as which an operand enters: an integer constant takes only the digits it has.
fn as_decimal(an: &Analyzer, n: Node, span: Span) -> A<Node> {
    let t = match (&n.ty, n.constant()) {
        (Ty::Dec(..), _) => return Ok(n),
        (t, Some(v)) if t.is_integral() && !v.is_null() => {
            let digits = v.long().unsigned_abs().to_string().len() as u8;
            Ty::Dec(digits, 0)
        }
        (t, _) => match t.as_decimal() {
            Some((p, s)) => Ty::Dec(p, s),
            None => Ty::Dec(1, 0),
        },
    };
    an.coerce(n, &t, span)
}

fn decimals(an: &Analyzer, op: Arith, a: Node, b: Node, mode: Mode, span: Span) -> A<Node> {
    // A null operand takes the type of the other.
    let (a, b) = match (&a.ty, &b.ty) {
        (Ty::Null, t) => (Node::lit(t.clone(), Val::Null), b),
        (t, Ty::Null) => {
            let t = t.clone();
            (a, Node::lit(t, Val::Null))
        }
        _ => (as_decimal(an, a, span)?, as_decimal(an, b, span)?),
    };
    let (Ty::Dec(p1, s1), Ty::Dec(p2, s2)) = (&a.ty, &b.ty) else {
        return wrong(span, "decimal arithmetic needs decimals");
    };
    let (p1, s1, p2, s2) = (i32::from(*p1), i32::from(*s1), i32::from(*p2), i32::from(*s2));
    let t = match op {
        Arith::Add | Arith::Sub => {
            let s = s1.max(s2);
            ty::adjust((p1 - s1).max(p2 - s2) + s + 1, s)
        }
        Arith::Mul => ty::adjust(p1 + p2 + 1, s1 + s2),
        Arith::Div => {
            let s = 6.max(s1 + p2 + 1);
            ty::adjust(p1 - s1 + s2 + s, s)
        }
        Arith::IntDiv => Ty::I64,
        _ => {
            let s = s1.max(s2);
            ty::adjust((p1 - s1).min(p2 - s2) + s, s)
        }
    };
    Ok(Node::new(t, Kind::Arith(op, Box::new(a), Box::new(b), mode)))
}

fn time(an: &mut Analyzer, op: Arith, name: &str, a: Node, b: Node, mode: Mode, span: Span) -> A<Node> {
    if mode == Mode::Try {
        return lacking(span, format!("`{name}` of dates is not covered by the cpu engine"));
    }
    let (a, b) = if op == Arith::Add && a.ty.is_interval() && !b.ty.is_interval() {
        (b, a)
    } else {
        (a, b)
    };
    let minus = op == Arith::Sub;
    let refuse = |a: &Node, b: &Node| {
        lacking(
            span,
            format!("`{name}` of {} and {} is not covered by the cpu engine", a.ty, b.ty),
        )
    };
    if !matches!(op, Arith::Add | Arith::Sub) {
        return refuse(&a, &b);
    }
    let function = match (&a.ty, &b.ty) {
        (Ty::Date, t) if t.is_integral() && *t != Ty::I64 => {
            if minus {
                "date_sub"
            } else {
                "date_add"
            }
        }
        (t, Ty::Date) if t.is_integral() && *t != Ty::I64 && !minus => {
            return an.table_call(fns::builtin("date_add"), vec![b, a], span);
        }
        (Ty::Date | Ty::Ts, t) if t.is_interval() => {
            if minus {
                "[time-]"
            } else {
                "[time+]"
            }
        }
        (Ty::Date, Ty::Date) if minus => "[days-]",
        (Ty::Ts | Ty::Date, Ty::Ts | Ty::Date) if minus => {
            let (a, b) = (an.coerce(a, &Ty::Ts, span)?, an.coerce(b, &Ty::Ts, span)?);
            return an.table_call(fns::builtin("[times-]"), vec![a, b], span);
        }
        (Ty::Ym, Ty::Ym) => return same(an, op, a, b, &Ty::Ym, Mode::Ansi, span),
        (Ty::Dt | Ty::Day, Ty::Dt | Ty::Day) => {
            let t = if a.ty == b.ty { a.ty.clone() } else { Ty::Dt };
            let retype = |n: Node| Node { ty: t.clone(), ..n };
            return same(an, op, retype(a), retype(b), &t, Mode::Ansi, span);
        }
        (Ty::Null, t) | (t, Ty::Null) if matches!(t, Ty::Date | Ty::Ts) => return refuse(&a, &b),
        _ if a.ty.is_interval() || b.ty.is_interval() => return refuse(&a, &b),
        (x, y) => return wrong(span, format!("`{name}` is not defined on {x} and {y}")),
    };
    an.table_call(fns::builtin(function), vec![a, b], span)
}
