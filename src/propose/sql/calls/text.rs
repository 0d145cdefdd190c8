//! Functions over texts.

use super::super::doc::Doc;
use super::super::{PREDICATE, PRIMARY, Printer, SUM, literal};
use super::brace;
use crate::ir::func::{Func, NumberText};
use crate::ir::node::{ColTy, Const, NodeId, Op};
use crate::lang::ast::BinOp;
use crate::lang::ty::Prim;
use crate::source::Understood;

impl Printer<'_> {
    pub(super) fn text_call(&mut self, n: NodeId, f: &Func, args: &[NodeId]) -> Understood<Option<(Doc, u8)>> {
        let lit = literal::text;
        let template = match f {
            Func::Length if self.indexed.contains(&args[0]) => {
                self.units_note(n);
                "length({0})".to_string()
            }
            Func::Length => "CAST(octet_length(encode({0}, 'UTF-16BE')) / 2 AS INT)".into(),
            Func::Trim => format!("trim(BOTH {TRIMMED} FROM {{0}})"),
            Func::Strip => return self.strip(args).map(Some),
            Func::Capitalize => {
                "concat(IF(length(upper(substring({0}, 1, 1))) = 1 AND octet_length(substring({0}, 1, 1)) < 4, \
                                 upper(substring({0}, 1, 1)), substring({0}, 1, 1)), substring({0}, 2))"
                    .into()
            }
            Func::SubstringFrom => return self.substring(args[0], Some(args[1]), None).map(Some),
            Func::Substring => return self.substring(args[0], Some(args[1]), Some(args[2])).map(Some),
            Func::CharAt => return self.char_at(args).map(Some),
            Func::Take => "substring({0}, 1, {1})".into(),
            Func::Drop => match self.g.as_int(args[1]) {
                Some(v) => format!("substring({{0}}, {})", (v.max(0) + 1).min(MAX_POSITION)),
                None => format!("substring({{0}}, {})", self.one_based(args[1], "{1}")),
            },
            Func::TakeRight => "right({0}, {1})".into(),
            Func::DropRight => "substring({0}, 1, length({0}) - greatest({1}, 0))".into(),
            Func::IndexOf => return Ok(Some((self.fill("instr({0}, {1}) - 1", args)?, SUM))),
            Func::IndexOfFrom => match self.g.as_text(args[1]) {
                Some(t) if !t.is_empty() => {
                    let t = format!("locate({{1}}, {{0}}, {}) - 1", self.one_based(args[2], "{2}"));
                    return Ok(Some((self.fill(&t, args)?, SUM)));
                }
                _ => format!(
                    "CASE WHEN {{1.}} = '' THEN least(greatest({{2}}, 0), length({{0}})) \
                     ELSE locate({{1}}, {{0}}, {}) - 1 END",
                    self.one_based(args[2], "{2}")
                ),
            },
            Func::LastIndexOf => "CASE WHEN {1.} = '' THEN length({0}) WHEN instr({0}, {1}) = 0 THEN -1 \
                                  ELSE length({0}) - length({1}) - (locate(reverse({1}), reverse({0})) - 1) END"
                .into(),
            Func::EqualsIgnoreCase => {
                "(length({0}) = length({1}) AND (upper({0}) = upper({1}) OR lower(upper({0})) = lower(upper({1}))))"
                    .into()
            }
            Func::ReplaceAll(p, r) => format!("regexp_replace({{0}}, {}, {})", brace(&lit(p)), brace(&lit(r))),
            Func::ReplaceFirst(p, _) => {
                let p = format!("(?s)\\A(.*?)(?:{p})");
                return self.replace_first(n, args, &p).map(Some);
            }
            Func::Matches(p) => {
                let p = brace(&lit(&format!("\\A(?:{p})\\z")));
                return Ok(Some((self.fill_braces(&format!("{{0.}} RLIKE {p}"), args)?, PREDICATE)));
            }
            Func::Finds(p) => {
                return Ok(Some((
                    self.fill_braces(&format!("{{0.}} RLIKE {}", brace(&lit(p))), args)?,
                    PREDICATE,
                )));
            }
            Func::CharIs(class) => {
                let p = brace(&lit(&format!("\\A{class}\\z")));
                return Ok(Some((self.fill_braces(&format!("{{0.}} RLIKE {p}"), args)?, PREDICATE)));
            }
            Func::Extract {
                pattern,
                group,
                whole,
                sure,
                may_be_empty,
            } => {
                let p = if *whole {
                    format!("\\A(?:{pattern})\\z")
                } else {
                    pattern.to_string()
                };
                let call = format!("regexp_extract({{0}}, {}, {group})", brace(&lit(&p)));
                match (sure, may_be_empty) {
                    (true, _) => call,
                    (false, false) => format!("nullif({call}, '')"),
                    (false, true) => {
                        return self.refuse(n, "a group that may be empty or absent cannot be told apart in SQL");
                    }
                }
            }
            Func::CharUpper => "IF(length(upper({0})) = 1, upper({0}), {0})".into(),
            Func::CharLower => "IF(length(lower({0})) = 1, lower({0}), 'i')".into(),
            Func::CharOf => {
                "IF({0.} & 63488 = 55296, '?', decode(unhex(lpad(hex({0.} & 65535), 4, '0')), 'UTF-16BE'))".into()
            }
            Func::DigitOf => {
                return Ok(Some((
                    self.fill("instr('0123456789abcdefghijklmnopqrstuvwxyz', lower({0})) - 1", args)?,
                    SUM,
                )));
            }
            Func::PadRight => match self.g.as_int(args[1]) {
                Some(n) => format!("IF(length({{0}}) >= {n}, {{0}}, rpad({{0}}, {n}, {{2}}))"),
                None => "IF(length({0}) >= {1.}, {0}, rpad({0}, {1}, {2}))".into(),
            },
            Func::JoinPresent(sep) => {
                let mut docs = vec![Doc::text(lit(sep))];
                for arg in args {
                    docs.push(self.expr(*arg, 0)?);
                }
                return Ok(Some((Doc::Call("concat_ws".into(), docs), PRIMARY)));
            }
            Func::ToText => "CAST({0} AS STRING)".into(),
            Func::Format(spec) if zero_padded(spec).is_some() => {
                let width = zero_padded(spec).unwrap_or(1);
                format!(
                    "IF({{0.}} < 0 AND length(CAST({{0}} AS STRING)) < {width}, \
                     concat('-', lpad(substring(CAST({{0}} AS STRING), 2), {}, '0')), \
                     IF(length(CAST({{0}} AS STRING)) < {width}, lpad(CAST({{0}} AS STRING), {width}, '0'), CAST({{0}} AS STRING)))",
                    width - 1
                )
            }
            Func::Format(spec) => format!("format_string({}, {{0}})", brace(&lit(spec))),
            Func::ToHex if *self.g.ty(args[0]) == ColTy::INT => "lower(hex(CAST({0} AS BIGINT) & 4294967295))".into(),
            Func::ToHex => "lower(hex({0}))".into(),
            Func::ToBinary if *self.g.ty(args[0]) == ColTy::INT => "bin(CAST({0} AS BIGINT) & 4294967295)".into(),
            Func::ToBinary => "bin({0})".into(),
            Func::IsNumber(kind) => return self.is_number(*kind, args).map(Some),
            Func::ParseNumber(kind) => format!("CAST({{0}} AS {})", number_type(*kind)),
            Func::IsDate => {
                let t = r"({0.} RLIKE '\\A[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}\\z' AND CAST({0} AS DATE) IS NOT NULL)";
                return Ok(Some((self.fill_braces(t, args)?, PRIMARY)));
            }
            Func::ParseDate => "CAST({0} AS DATE)".into(),
            Func::Split { pattern, limit } => return self.split(n, args, pattern, *limit).map(Some),
            _ => return Ok(None),
        };
        Ok(Some((self.fill_braces(&template, args)?, PRIMARY)))
    }

    pub(super) fn strip(&mut self, args: &[NodeId]) -> Understood<(Doc, u8)> {
        let template = format!("regexp_replace({{0}}, '\\\\A{STRIPPED}+|{STRIPPED}+\\\\z', '')");
        Ok((self.fill(&template, args)?, PRIMARY))
    }

    /// A position from 0 that may be out of range, as a position from 1: never below, never past what an `INT` holds.
    pub(super) fn one_based(&self, n: NodeId, place: &str) -> String {
        match self.g.as_int(n) {
            Some(v) => (v.max(0) + 1).min(MAX_POSITION).to_string(),
            None if self.small(n) => format!("greatest({place}, 0) + 1"),
            None => format!("least(greatest({place}, 0), {}) + 1", MAX_POSITION - 1),
        }
    }

    /// Whether a number is surely far from the largest `Int`: a length, a position, or a little more than one.
    pub(super) fn small(&self, n: NodeId) -> bool {
        match self.g.op(n) {
            Op::Const(Const::Int(v)) => *v < 1 << 20,
            Op::Call(Func::Length | Func::Size | Func::IndexOf | Func::IndexOfFrom | Func::LastIndexOf, _) => true,
            Op::Bin(BinOp::Add | BinOp::Sub, Prim::Int, a, b) => {
                self.small(*a) && matches!(self.g.as_int(*b), Some(v) if v.abs() < 1 << 20)
            }
            _ => false,
        }
    }

    pub(super) fn plus_one(&mut self, n: NodeId) -> Understood<Doc> {
        match self.g.as_int(n) {
            Some(v) => Ok(Doc::text((v + 1).to_string())),
            None => match self.g.op(n).clone() {
                Op::Call(Func::IndexOf, args) => {
                    self.units_note(n);
                    self.fill("instr({0}, {1})", &args)
                }
                Op::Bin(BinOp::Add, Prim::Int, a, b) if self.g.as_int(b).is_some() => {
                    let step = self.g.as_int(b).unwrap_or(0);
                    let base = self.plus_one(a)?;
                    Ok(Doc::Cat(vec![base, Doc::text(format!(" + {step}"))]))
                }
                _ => Ok(Doc::Cat(vec![self.expr(n, SUM)?, Doc::text(" + 1")])),
            },
        }
    }

    pub(super) fn substring(&mut self, s: NodeId, b: Option<NodeId>, e: Option<NodeId>) -> Understood<(Doc, u8)> {
        let mut args = vec![self.expr(s, 0)?];
        if let Some(b) = b {
            args.push(self.plus_one(b)?);
            if let Some(e) = e {
                args.push(match (self.g.as_int(b), self.g.as_int(e)) {
                    (Some(b), Some(e)) => Doc::text((e - b).to_string()),
                    (Some(0), None) => self.expr(e, 0)?,
                    _ => Doc::Cat(vec![self.expr(e, SUM)?, Doc::text(" - "), self.expr(b, SUM + 1)?]),
                });
            }
        }
        Ok((Doc::Call("substring".into(), args), PRIMARY))
    }

    pub(super) fn char_at(&mut self, args: &[NodeId]) -> Understood<(Doc, u8)> {
        let (s, at) = (self.expr(args[0], 0)?, self.plus_one(args[1])?);
        Ok((Doc::Call("substring".into(), vec![s, at, Doc::text("1")]), PRIMARY))
    }

    pub(super) fn replace_first(&mut self, n: NodeId, args: &[NodeId], pattern: &str) -> Understood<(Doc, u8)> {
        let Op::Call(Func::ReplaceFirst(original, replacement), _) = self.g.op(n).clone() else {
            return self.refuse(n, "not a replacement");
        };
        if original.contains('(')
            || replacement.starts_with(|c: char| c.is_ascii_digit())
            || replacement.contains('$')
            || replacement.contains('\\')
        {
            return self.refuse(
                n,
                "replacing only the first match of a pattern with groups has no SQL form",
            );
        }
        let t = format!(
            "regexp_replace({{0}}, {}, {})",
            brace(&literal::text(pattern)),
            brace(&literal::text(&format!("$1{}", replacement)))
        );
        Ok((self.fill_braces(&t, args)?, PRIMARY))
    }

    pub(super) fn is_number(&mut self, kind: NumberText, args: &[NodeId]) -> Understood<(Doc, u8)> {
        let ty = number_type(kind);
        let template = match kind {
            NumberText::Double | NumberText::Float => {
                format!(
                    "(CAST({{0}} AS {ty}) IS NOT NULL AND NOT lower({{0}}) RLIKE \
                     '\\\\A[\\\\x00-\\\\x20]*[+-]?(?:inf|infinity|nan)[\\\\x00-\\\\x20]*\\\\z' \
                     OR {{0.}} RLIKE '\\\\A[\\\\x00-\\\\x20]*[+-]?(?:Infinity|NaN)[\\\\x00-\\\\x20]*\\\\z')"
                )
            }
            _ => format!("({{0.}} RLIKE '\\\\A[+-]?[0-9]+\\\\z' AND CAST({{0}} AS {ty}) IS NOT NULL)"),
        };
        Ok((self.fill(&template, args)?, PRIMARY))
    }

    /// `split` of the JVM drops trailing empty parts; Spark's keeps them.
    pub(super) fn split(&mut self, n: NodeId, args: &[NodeId], pattern: &str, limit: i32) -> Understood<(Doc, u8)> {
        let p = brace(&literal::text(pattern));
        if limit < 0 {
            return Ok((self.fill_braces(&format!("split({{0}}, {p})"), args)?, PRIMARY));
        }
        if !crate::ir::build::takes_characters(pattern) {
            return self.refuse(n, "splitting by a pattern that may match nothing has no SQL form");
        }
        if limit > 0 {
            return Ok((self.fill_braces(&format!("split({{0}}, {p}, {limit})"), args)?, PRIMARY));
        }
        let tail = brace(&literal::text(&format!("(?:{pattern})+\\z")));
        let cut = format!("regexp_replace({{0}}, {tail}, '')");
        let t = format!(
            "CASE WHEN {{0.}} = '' THEN array('') WHEN {cut} = '' THEN CAST(array() AS ARRAY<STRING>) ELSE split({cut}, {p}) END"
        );
        Ok((self.fill_braces(&t, args)?, PRIMARY))
    }
}

/// Characters that `trim` removes, as bytes in hexadecimal.
pub(super) const TRIMMED: &str =
    "decode(unhex('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20'), 'UTF-8')";

/// Characters that `strip` removes, as a class.
pub(super) const STRIPPED: &str =
    r"[\\x09-\\x0D\\x1C-\\x20\\u1680\\u2000-\\u2006\\u2008-\\u200A\\u2028\\u2029\\u205F\\u3000]";

/// The largest position: what an `INT` holds.
pub(super) const MAX_POSITION: i64 = i32::MAX as i64;

/// The width of `%05d`.
pub(super) fn zero_padded(spec: &str) -> Option<u32> {
    spec.strip_prefix("%0")?
        .strip_suffix('d')?
        .parse()
        .ok()
        .filter(|w| *w > 1)
}

pub(super) fn number_type(kind: NumberText) -> &'static str {
    match kind {
        NumberText::Int => "INT",
        NumberText::Long => "BIGINT",
        NumberText::Short => "SMALLINT",
        NumberText::Byte => "TINYINT",
        NumberText::Double => "DOUBLE",
        NumberText::Float => "FLOAT",
    }
}
