//! The forms of Spark's grammar that look like a name but are not an ordinary call: CASE, CAST, INTERVAL, typed literals,
//! EXTRACT, TRIM, SUBSTRING, POSITION, OVERLAY, and type names. Part of the parser.

use super::ast::{Ast, AstKind};
use super::lex::Tok;
use super::literal;
use super::parse::{P, Parser};
use super::ty::Ty;
use super::val::Val;
use crate::source::Span;

fn str_lit(s: &str, span: Span) -> Ast {
    Ast::new(AstKind::Lit(Val::Str(s.to_string().into()), Ty::Str), span)
}

/// The special form that begins with this word, or `None` when the word is an ordinary name.
pub(super) fn special_form(p: &mut Parser, word: &str, start: Span) -> P<Option<Ast>> {
    let lower = word.to_ascii_lowercase();
    let called = matches!(p.peek_at(1), Tok::Op("("));
    let text_follows = matches!(p.peek_at(1), Tok::Str(_));
    let lit = |p: &mut Parser, v: Val<'static>, t: Ty| {
        p.next();
        Ok(Some(Ast::new(AstKind::Lit(v, t), start)))
    };
    match lower.as_str() {
        "null" => lit(p, Val::Null, Ty::Null),
        "true" if !called => lit(p, Val::Bool(true), Ty::Bool),
        "false" if !called => lit(p, Val::Bool(false), Ty::Bool),
        "case" => case(p, start).map(Some),
        "cast" | "try_cast" if called => cast(p, lower == "try_cast", start).map(Some),
        "date" | "timestamp" | "timestamp_ltz" if text_follows => {
            p.next();
            let Tok::Str(text) = p.next() else {
                return p.fail("expected a string");
            };
            let name = if lower == "date" {
                "date_literal"
            } else {
                "timestamp_literal"
            };
            Ok(Some(Ast::call(
                name,
                vec![str_lit(&text, p.since(start))],
                p.since(start),
            )))
        }
        "interval" if !called => literal::interval(p, start).map(Some),
        "extract" if called => extract(p, start).map(Some),
        "trim" if called => trim(p, start).map(Some),
        "substring" | "substr" if called => from_for(p, "substring", start).map(Some),
        "position" if called => position(p, start).map(Some),
        "overlay" if called => overlay(p, start).map(Some),
        "timestampadd" | "dateadd" | "date_add" | "timestampdiff" | "datediff" | "date_diff" if called => {
            unit_form(p, &lower, start)
        }
        _ => Ok(None),
    }
}

fn case(p: &mut Parser, start: Span) -> P<Ast> {
    p.next();
    let operand = if p.is_word("WHEN") { None } else { Some(p.expression()?) };
    let mut args = Vec::new();
    while p.word("WHEN") {
        let cond_start = p.span();
        let mut cond = p.expression()?;
        if let Some(o) = &operand {
            cond = Ast::call("=", vec![o.clone(), cond], p.since(cond_start));
        }
        p.want_word("THEN")?;
        args.push(cond);
        args.push(p.expression()?);
    }
    if args.is_empty() {
        return p.fail("expected WHEN");
    }
    if p.word("ELSE") {
        args.push(p.expression()?);
    }
    p.want_word("END")?;
    Ok(Ast::call("case", args, p.since(start)))
}

fn cast(p: &mut Parser, try_: bool, start: Span) -> P<Ast> {
    p.next();
    p.want_op("(")?;
    let e = p.expression()?;
    p.want_word("AS")?;
    let ty = type_name(p)?;
    p.want_op(")")?;
    Ok(Ast::new(AstKind::Cast(Box::new(e), ty, try_), p.since(start)))
}

fn extract(p: &mut Parser, start: Span) -> P<Ast> {
    p.next();
    p.want_op("(")?;
    let field_span = p.span();
    let field = match p.next() {
        Tok::Word(w) | Tok::Str(w) => w,
        _ => return p.fail("expected a field name"),
    };
    p.want_word("FROM")?;
    let e = p.expression()?;
    p.want_op(")")?;
    Ok(Ast::call(
        "date_part",
        vec![str_lit(&field, field_span), e],
        p.since(start),
    ))
}

/// `trim(BOTH x FROM y)`, `trim(x FROM y)`, `trim(y)`. The two-argument call form takes the set second.
fn trim(p: &mut Parser, start: Span) -> P<Ast> {
    p.next();
    p.want_op("(")?;
    let mut name = "trim";
    for (word, function) in [("BOTH", "trim"), ("LEADING", "ltrim"), ("TRAILING", "rtrim")] {
        if p.is_word(word) && !matches!(p.peek_at(1), Tok::Op(")" | ",")) {
            p.next();
            name = function;
            break;
        }
    }
    if p.word("FROM") {
        let source = p.expression()?;
        p.want_op(")")?;
        return Ok(Ast::call(name, vec![source], p.since(start)));
    }
    let first = p.expression()?;
    if p.word("FROM") {
        let source = p.expression()?;
        p.want_op(")")?;
        return Ok(Ast::call(name, vec![first, source], p.since(start)));
    }
    let mut args = vec![first];
    if p.op(",") {
        args.push(p.expression()?);
    }
    p.want_op(")")?;
    Ok(Ast::call(name, args, p.since(start)))
}

fn from_for(p: &mut Parser, name: &str, start: Span) -> P<Ast> {
    p.next();
    p.want_op("(")?;
    let mut args = vec![p.expression()?];
    if p.word("FROM") {
        args.push(p.expression()?);
        if p.word("FOR") {
            args.push(p.expression()?);
        }
        p.want_op(")")?;
    } else if p.op(",") {
        args.extend(p.list(")")?);
    } else {
        p.want_op(")")?;
    }
    Ok(Ast::call(name, args, p.since(start)))
}

fn position(p: &mut Parser, start: Span) -> P<Ast> {
    p.next();
    p.want_op("(")?;
    // `IN` would be taken for a predicate, so the needle is a value expression.
    let needle = p.value(0)?;
    let mut args = vec![needle];
    if p.word("IN") {
        args.push(p.expression()?);
        p.want_op(")")?;
    } else {
        p.want_op(",")?;
        args.extend(p.list(")")?);
    }
    Ok(Ast::call("locate", args, p.since(start)))
}

fn overlay(p: &mut Parser, start: Span) -> P<Ast> {
    p.next();
    p.want_op("(")?;
    let mut args = vec![p.expression()?];
    if p.word("PLACING") {
        args.push(p.expression()?);
        p.want_word("FROM")?;
        args.push(p.expression()?);
        if p.word("FOR") {
            args.push(p.expression()?);
        }
        p.want_op(")")?;
    } else {
        p.want_op(",")?;
        args.extend(p.list(")")?);
    }
    Ok(Ast::call("overlay", args, p.since(start)))
}

/// `timestampadd(DAY, n, t)` and `timestampdiff(DAY, a, b)`; the call is an ordinary one unless a bare unit comes first.
fn unit_form(p: &mut Parser, name: &str, start: Span) -> P<Option<Ast>> {
    const UNITS: [&str; 11] = [
        "YEAR",
        "QUARTER",
        "MONTH",
        "WEEK",
        "DAY",
        "DAYOFYEAR",
        "HOUR",
        "MINUTE",
        "SECOND",
        "MILLISECOND",
        "MICROSECOND",
    ];
    let Tok::Word(unit) = p.peek_at(2).clone() else {
        return Ok(None);
    };
    let unit = unit.to_ascii_uppercase();
    if !UNITS.contains(&unit.as_str()) || !matches!(p.peek_at(3), Tok::Op(",")) {
        return Ok(None);
    }
    p.next();
    p.next();
    let unit_span = p.span();
    p.next();
    p.next();
    let mut args = vec![str_lit(&unit, unit_span)];
    args.extend(p.list(")")?);
    let function = if matches!(name, "timestampadd" | "dateadd" | "date_add") {
        "timestampadd"
    } else {
        "timestampdiff"
    };
    Ok(Some(Ast::call(function, args, p.since(start))))
}

/// A type name as in `CAST(x AS …)`.
pub(super) fn type_name(p: &mut Parser) -> P<Ty> {
    let before = p.span();
    let name = p.identifier()?.to_ascii_lowercase();
    Ok(match name.as_str() {
        "boolean" => Ty::Bool,
        "tinyint" | "byte" => Ty::I8,
        "smallint" | "short" => Ty::I16,
        "int" | "integer" => Ty::I32,
        "bigint" | "long" => Ty::I64,
        "float" | "real" => Ty::F32,
        "double" => Ty::F64,
        "string" => Ty::Str,
        "binary" => Ty::Bin,
        "date" => Ty::Date,
        "timestamp" | "timestamp_ltz" => Ty::Ts,
        "void" => Ty::Null,
        "decimal" | "dec" | "numeric" => decimal_type(p)?,
        "array" => {
            p.want_op("<")?;
            let t = type_name(p)?;
            close_angle(p)?;
            Ty::Arr(Box::new(t))
        }
        "map" => {
            p.want_op("<")?;
            let k = type_name(p)?;
            p.want_op(",")?;
            let v = type_name(p)?;
            close_angle(p)?;
            Ty::Map(Box::new(k), Box::new(v))
        }
        "struct" => struct_type(p)?,
        other => {
            return super::lex::syntax(
                before.start as usize,
                before.end as usize,
                format!("type `{other}` is not covered by the cpu engine"),
            );
        }
    })
}

fn close_angle(p: &mut Parser) -> P<()> {
    p.want_op(">")
}

fn decimal_type(p: &mut Parser) -> P<Ty> {
    if !p.op("(") {
        return Ok(Ty::Dec(10, 0));
    }
    let one = |p: &mut Parser| match p.next() {
        Tok::Number(d, "") => Ok(d.parse::<u8>().unwrap_or(u8::MAX)),
        _ => p.fail("expected a whole number"),
    };
    let precision = one(p)?;
    let scale = if p.op(",") { one(p)? } else { 0 };
    p.want_op(")")?;
    if precision == 0 || precision > 38 || scale > precision {
        return p.fail("a decimal has 1 to 38 digits, and no more places than digits");
    }
    Ok(Ty::Dec(precision, scale))
}

fn struct_type(p: &mut Parser) -> P<Ty> {
    let mut fields = Vec::new();
    if p.op("<>") {
        return Ok(Ty::Struct(fields));
    }
    p.want_op("<")?;
    loop {
        let name = p.identifier()?;
        p.op(":");
        fields.push((name, type_name(p)?));
        if !p.op(",") {
            break;
        }
    }
    close_angle(p)?;
    Ok(Ty::Struct(fields))
}
