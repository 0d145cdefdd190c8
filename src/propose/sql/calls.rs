//! Library functions in Spark SQL, by templates: `{0}` is an argument, `{0.}` one inside an operator of that strength.

use super::doc::Doc;
use super::{PREDICATE, PRIMARY, PRODUCT, Printer, SUM, UNARY, literal};
use crate::ir::func::{Func, NumberText, Rounding};
use crate::ir::node::{ColTy, Const, Node, NodeId, Op};
use crate::lang::ast::BinOp;
use crate::lang::ty::Prim;
use crate::propose::NoteScope::{Everywhere, Gpu};
use crate::source::Understood;

/// Characters that `trim` removes, as bytes in hexadecimal.
const TRIMMED: &str = "decode(unhex('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20'), 'UTF-8')";
/// Characters that `strip` removes, as a class.
const STRIPPED: &str = r"[\\x09-\\x0D\\x1C-\\x20\\u1680\\u2000-\\u2006\\u2008-\\u200A\\u2028\\u2029\\u205F\\u3000]";

/// The largest position: what an `INT` holds.
const MAX_POSITION: i64 = i32::MAX as i64;

impl Printer<'_> {
    /// Text with `{i}` replaced by arguments in parentheses where they are not simple.
    fn fill(&mut self, template: &str, args: &[NodeId]) -> Understood<Doc> {
        let mut parts = Vec::new();
        let mut rest = template;
        while let Some(at) = rest.find('{') {
            let Some(len) = rest[at..].find('}') else { break };
            let key = &rest[at + 1..at + len];
            let (index, level) = match key.strip_suffix('.') {
                Some(i) => (i, PRIMARY),
                None => (key, 0),
            };
            let Ok(index) = index.parse::<usize>() else { break };
            parts.push(Doc::text(&rest[..at]));
            let level = if level == PRIMARY && self.g.constant(args[index]).is_some() {
                UNARY
            } else {
                level
            };
            parts.push(self.expr(args[index], level)?);
            rest = &rest[at + len + 1..];
        }
        parts.push(Doc::text(rest));
        Ok(Doc::Cat(parts))
    }

    fn call_named(&mut self, name: &str, args: &[NodeId]) -> Understood<(Doc, u8)> {
        let docs = args.iter().map(|a| self.expr(*a, 0)).collect::<Understood<Vec<_>>>()?;
        Ok((Doc::Call(name.into(), docs), PRIMARY))
    }

    /// A function call.
    pub(super) fn call(&mut self, n: NodeId, f: &Func, args: &[NodeId]) -> Understood<(Doc, u8)> {
        self.announce(n, f);
        if let Some(name) = simple_name(f) {
            return self.call_named(name, args);
        }
        if let Some(result) = self.text_call(n, f, args)? {
            return Ok(result);
        }
        if let Some(result) = self.number_call(n, f, args)? {
            return Ok(result);
        }
        self.other_call(n, f, args)
    }

    fn text_call(&mut self, n: NodeId, f: &Func, args: &[NodeId]) -> Understood<Option<(Doc, u8)>> {
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

    /// Like `fill`, with `{{` and `}}` for braces.
    fn fill_braces(&mut self, template: &str, args: &[NodeId]) -> Understood<Doc> {
        let hidden = template.replace("{{", "\u{1}").replace("}}", "\u{2}");
        let doc = self.fill(&hidden, args)?;
        Ok(unhide(doc))
    }

    fn units_note(&mut self, n: NodeId) {
        let span = self.g.node(n).span;
        self.note(
            "length-utf16-vs-codepoints",
            span,
            "the JVM counts UTF-16 units, SQL characters: text beyond the basic plane differs",
            Everywhere,
        );
    }

    fn strip(&mut self, args: &[NodeId]) -> Understood<(Doc, u8)> {
        let template = format!("regexp_replace({{0}}, '\\\\A{STRIPPED}+|{STRIPPED}+\\\\z', '')");
        Ok((self.fill(&template, args)?, PRIMARY))
    }

    /// A position from 0 that may be out of range, as a position from 1: never below, never past what an `INT` holds.
    fn one_based(&self, n: NodeId, place: &str) -> String {
        match self.g.as_int(n) {
            Some(v) => (v.max(0) + 1).min(MAX_POSITION).to_string(),
            None if self.small(n) => format!("greatest({place}, 0) + 1"),
            None => format!("least(greatest({place}, 0), {}) + 1", MAX_POSITION - 1),
        }
    }

    /// Whether a number is surely far from the largest `Int`: a length, a position, or a little more than one.
    fn small(&self, n: NodeId) -> bool {
        match self.g.op(n) {
            Op::Const(Const::Int(v)) => *v < 1 << 20,
            Op::Call(Func::Length | Func::Size | Func::IndexOf | Func::IndexOfFrom | Func::LastIndexOf, _) => true,
            Op::Bin(BinOp::Add | BinOp::Sub, Prim::Int, a, b) => {
                self.small(*a) && matches!(self.g.as_int(*b), Some(v) if v.abs() < 1 << 20)
            }
            _ => false,
        }
    }

    fn plus_one(&mut self, n: NodeId) -> Understood<Doc> {
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

    fn substring(&mut self, s: NodeId, b: Option<NodeId>, e: Option<NodeId>) -> Understood<(Doc, u8)> {
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

    fn char_at(&mut self, args: &[NodeId]) -> Understood<(Doc, u8)> {
        let (s, at) = (self.expr(args[0], 0)?, self.plus_one(args[1])?);
        Ok((Doc::Call("substring".into(), vec![s, at, Doc::text("1")]), PRIMARY))
    }

    fn replace_first(&mut self, n: NodeId, args: &[NodeId], pattern: &str) -> Understood<(Doc, u8)> {
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

    fn is_number(&mut self, kind: NumberText, args: &[NodeId]) -> Understood<(Doc, u8)> {
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
    fn split(&mut self, n: NodeId, args: &[NodeId], pattern: &str, limit: i32) -> Understood<(Doc, u8)> {
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

    fn number_call(&mut self, n: NodeId, f: &Func, args: &[NodeId]) -> Understood<Option<(Doc, u8)>> {
        let float = self.g.ty(n).is_float();
        let single = *self.g.ty(n) == ColTy::Prim(Prim::Float);
        let template: String = match f {
            Func::Log(name) => {
                let pole = if *name == "log1p" { "-1" } else { "0" };
                format!(
                    "CASE WHEN {{0.}} > {pole} THEN {name}({{0}}) WHEN {{0.}} = {pole} THEN double('-Infinity') \
                     WHEN {{0.}} IS NOT NULL THEN double('NaN') END"
                )
            }
            Func::Atan2 => {
                "IF({0.} = 0, IF(CAST({0} AS STRING) = '-0.0', -1D, 1D) * atan2(0D, IF(CAST({1} AS STRING) = \
                            '-0.0', -1D, {1})), atan2({0}, {1}))"
                    .into()
            }
            Func::Floor if float => "IF(rint({0}) > {0.}, rint({0}) - 1D, rint({0}))".into(),
            Func::Ceil if float => "(-(IF(rint(-({0})) > -({0}), rint(-({0})) - 1D, rint(-({0})))))".into(),
            Func::Round if *self.g.ty(args[0]) == ColTy::Prim(Prim::Float) => {
                "CAST(IF(abs({0}) >= 8388608F, CAST(CAST({0} AS INT) AS BIGINT), floor({0}) + \
                 IF({0.} - floor({0}) >= 0.5F, 1L, 0L)) AS INT)"
                    .into()
            }
            Func::Round => "IF(abs({0}) >= 4503599627370496D, CAST({0} AS BIGINT), floor({0}) + \
                            IF({0.} - floor({0}) >= 0.5D, 1L, 0L))"
                .into(),
            Func::Max if float => "CASE WHEN {0.} = 0 AND {1.} = 0 THEN {0.} + {1.} ELSE greatest({0}, {1}) END".into(),
            Func::Min if float => {
                let nan = if single { "float('NaN')" } else { "double('NaN')" };
                format!(
                    "CASE WHEN isnan({{0}}) OR isnan({{1}}) THEN {nan} WHEN {{0.}} = 0 AND {{1.}} = 0 THEN \
                     -(-({{0}}) - {{1.}}) ELSE least({{0}}, {{1}}) END"
                )
            }
            Func::Max => "greatest({0}, {1})".into(),
            Func::Min => "least({0}, {1})".into(),
            Func::FloorMod if *self.g.ty(args[0]) == ColTy::INT && *self.g.ty(args[1]) == ColTy::INT => {
                "CAST((CAST({0.} % {1.} AS BIGINT) + {1.}) % {1.} AS INT)".into()
            }
            Func::FloorMod => {
                "({0.} % {1.} + IF({0.} % {1.} <> 0 AND (({0.} % {1.} < 0) <> ({1.} < 0)), {1}, 0L))".into()
            }
            Func::FloorDiv if *self.g.ty(n) == ColTy::INT => {
                "(CAST({0.} div {1.} AS INT) - IF({0.} % {1.} <> 0 AND (({0.} < 0) <> ({1.} < 0)), 1, 0))".into()
            }
            Func::FloorDiv => {
                "(IF({1.} = -1, -({0}), {0.} div {1.}) - IF({0.} % {1.} <> 0 AND (({0.} < 0) <> ({1.} < 0)), 1L, 0L))"
                    .into()
            }
            Func::Signum if single => "CAST(signum({0}) AS FLOAT)".into(),
            Func::Sqrt | Func::Floor | Func::Ceil | Func::Rint if single => {
                return self.refuse(n, "this function of a single-precision number has no SQL form");
            }
            Func::BitCount => "bit_count(CAST({0} AS BIGINT) & 4294967295)".into(),
            Func::DoubleCompare => {
                "CASE WHEN {0.} < {1.} THEN -1 WHEN {0.} > {1.} THEN 1 WHEN {0.} = 0 AND {1.} = 0 THEN \
                 CAST(signum(pow({0}, -1D) - IF(CAST({1} AS STRING) = '-0.0', -1D, 1D)) AS INT) * \
                 IF(CAST({0} AS STRING) = CAST({1} AS STRING), 0, 1) WHEN {0.} = {1.} THEN 0 END"
                    .into()
            }
            Func::RoundPlaces(places, Rounding::HalfEven) => format!("bround({{0}}, {places})"),
            Func::RoundPlaces(places, _) => format!("round({{0}}, {places})"),
            _ => return self.decimal_call(n, f, args),
        };
        Ok(Some((self.fill(&template, args)?, PRIMARY)))
    }

    fn decimal_call(&mut self, n: NodeId, f: &Func, args: &[NodeId]) -> Understood<Option<(Doc, u8)>> {
        let template: String = match f {
            Func::DecimalOfInt => {
                let digits = if *self.g.ty(args[0]) == ColTy::LONG { 19 } else { 10 };
                format!("CAST({{0}} AS DECIMAL({digits},0))")
            }
            Func::DecimalOfDouble => return self.refuse(n, "a double as a decimal of its own scale has no SQL form"),
            Func::SetScale(scale, mode) => {
                if let Op::Call(Func::DecimalOfDouble, inner) = self.g.op(args[0]).clone() {
                    if *mode != Rounding::HalfUp {
                        return self.refuse(n, "this rounding of a double has no SQL form");
                    }
                    return Ok(Some((
                        self.fill(&format!("CAST({{0}} AS DECIMAL(38,{scale}))"), &inner)?,
                        PRIMARY,
                    )));
                }
                match mode {
                    Rounding::HalfUp => format!("round({{0}}, {scale})"),
                    Rounding::HalfEven => format!("bround({{0}}, {scale})"),
                    Rounding::Floor => format!("floor({{0}}, {scale})"),
                    Rounding::Ceiling => format!("ceil({{0}}, {scale})"),
                    Rounding::Down => format!("IF({{0.}} < 0, ceil({{0}}, {scale}), floor({{0}}, {scale}))"),
                    Rounding::Up => format!("IF({{0.}} < 0, floor({{0}}, {scale}), ceil({{0}}, {scale}))"),
                    Rounding::HalfDown => return self.refuse(n, "HALF_DOWN has no SQL form here"),
                }
            }
            Func::DecimalAdd | Func::DecimalSub => return self.decimal_sum(f, args).map(Some),
            Func::DecimalMul => return self.decimal_product(n, args).map(Some),
            Func::DecimalNeg => return Ok(Some((self.fill("-({0})", args)?, UNARY))),
            Func::DecimalAbs => "abs({0})".into(),
            Func::DecimalToDouble => "CAST({0} AS DOUBLE)".into(),
            Func::DecimalToInt => "CAST({0} AS INT)".into(),
            Func::DecimalToLong => "CAST({0} AS BIGINT)".into(),
            Func::DecimalSign => "CAST(sign({0}) AS INT)".into(),
            Func::StoreDecimal => "CAST({0} AS DECIMAL(38,18))".into(),
            _ => return Ok(None),
        };
        Ok(Some((self.fill(&template, args)?, PRIMARY)))
    }

    /// Operands cut to a width at which the exact result still has its 18 places.
    fn narrowed(&mut self, n: NodeId, digits: u32) -> Understood<Doc> {
        let inner = self.expr(n, 0)?;
        if self.g.constant(n).is_some() {
            return Ok(inner);
        }
        Ok(Doc::Cat(vec![
            Doc::text("CAST("),
            inner,
            Doc::text(format!(" AS DECIMAL({digits},18))")),
        ]))
    }

    fn decimal_sum(&mut self, f: &Func, args: &[NodeId]) -> Understood<(Doc, u8)> {
        let word = if *f == Func::DecimalAdd { " + " } else { " - " };
        let (a, b) = (self.narrowed(args[0], 37)?, self.narrowed(args[1], 37)?);
        Ok((Doc::Cat(vec![a, Doc::text(word), b]), SUM))
    }

    fn decimal_product(&mut self, n: NodeId, args: &[NodeId]) -> Understood<(Doc, u8)> {
        let (a, b) = match (self.constant_digits(args[0]), self.constant_digits(args[1])) {
            (_, Some(digits)) if digits <= 12 => (self.narrowed(args[0], 37 - digits)?, self.expr(args[1], PRIMARY)?),
            (Some(digits), None) if digits <= 12 => {
                (self.expr(args[0], PRIMARY)?, self.narrowed(args[1], 37 - digits)?)
            }
            _ => return self.refuse(n, "the product of two decimals of unknown size has no exact SQL form"),
        };
        Ok((Doc::Cat(vec![a, Doc::text(" * "), b]), PRODUCT))
    }

    /// Digits of a decimal that is one of a few constants.
    fn constant_digits(&self, n: NodeId) -> Option<u32> {
        let shape = |c: &Const| match c {
            Const::Decimal(v, s) => {
                let digits = v.unsigned_abs().to_string().len() as u32;
                let places = u32::try_from(*s).ok()?;
                Some((digits.saturating_sub(places), places))
            }
            _ => None,
        };
        let values: Vec<NodeId> = match self.g.op(n) {
            Op::Case(branches, other) => branches.iter().map(|(_, v)| *v).chain([*other]).collect(),
            _ => vec![n],
        };
        let mut size = (0, 0);
        for v in values {
            let (whole, places) = shape(self.g.constant(v)?)?;
            size = (size.0.max(whole), size.1.max(places));
        }
        Some((size.0 + size.1).max(1))
    }

    fn other_call(&mut self, n: NodeId, f: &Func, args: &[NodeId]) -> Understood<(Doc, u8)> {
        let template: String = match f {
            Func::DayOfWeek => return Ok((self.fill("weekday({0}) + 1", args)?, SUM)),
            Func::EpochDay => "CAST(unix_date({0}) AS BIGINT)".into(),
            Func::DaysBetween => "CAST(datediff({1}, {0}) AS BIGINT)".into(),
            Func::MonthsBetween => {
                let t = "((year({1}) * 12L + month({1})) * 32 + day({1}) - (year({0}) * 12L + month({0})) * 32 - day({0})) div 32";
                return Ok((self.fill(t, args)?, PRODUCT));
            }
            Func::Element => "{0.}[{1}]".into(),
            Func::MapValue => "{0.}[{1}]".into(),
            Func::ListContains => "coalesce(array_contains({0}, {1}), false)".into(),
            Func::MkString(sep) => format!("array_join({{0}}, {}, 'null')", brace(&literal::text(sep))),
            Func::Map(v) => match self.g.op(args[0]).clone() {
                Op::Call(f @ (Func::WithIndex | Func::Zip), lists) if !self.keeps_pair(*v, args[1]) => {
                    return self.map_pairs(*v, &f, &lists, args[1]);
                }
                _ => format!("transform({{0}}, x{v} -> {{1}})"),
            },
            Func::Filter(v) => format!("filter({{0}}, x{v} -> {{1}})"),
            Func::Exists(v) => format!("coalesce(exists({{0}}, x{v} -> {{1}}), false)"),
            Func::Forall(v) => format!("coalesce(forall({{0}}, x{v} -> {{1}}), false)"),
            Func::Bytes => "encode({0}, 'UTF-8')".into(),
            Func::Digest(name) => format!("unhex({})", digest_call(name, "{0}")),
            Func::HexOfBytes => match self.g.op(args[0]).clone() {
                Op::Call(Func::Digest(name), bytes) => match self.g.op(bytes[0]).clone() {
                    // The digests take text by its bytes in UTF-8.
                    Op::Call(Func::Bytes, text) => return Ok((self.fill(&digest_call(&name, "{0}"), &text)?, PRIMARY)),
                    _ => return Ok((self.fill(&digest_call(&name, "{0}"), &bytes)?, PRIMARY)),
                },
                _ => "lower(hex({0}))".into(),
            },
            Func::Base64 => match self.g.op(args[0]).clone() {
                // Spark breaks lines as MIME does.
                Op::Call(Func::Bytes, text) => {
                    return Ok((self.fill("replace(base64({0}), '\\r\\n', '')", &text)?, PRIMARY));
                }
                _ => "replace(base64({0}), '\\r\\n', '')".into(),
            },
            Func::ByteLength => match self.g.op(args[0]).clone() {
                Op::Call(Func::Bytes, text) => return Ok((self.fill("octet_length({0})", &text)?, PRIMARY)),
                _ => "octet_length({0})".into(),
            },
            Func::LocalAt(zone) => format!("from_utc_timestamp({{0}}, {})", brace(&literal::text(zone))),
            Func::DateOfTimestamp => "CAST({0} AS DATE)".into(),
            Func::SqlInstant => return self.fill("{0}", args).map(|d| (d, PRIMARY)),
            Func::EpochMillis => "unix_millis({0})".into(),
            Func::EpochSeconds => "unix_seconds({0})".into(),
            Func::EpochMicros => "unix_micros({0})".into(),
            Func::OfMillis | Func::SqlOfMillis => "timestamp_millis({0})".into(),
            Func::OfSeconds => "timestamp_seconds({0})".into(),
            Func::DateText { pattern, .. } => format!("date_format({{0}}, {})", brace(&literal::text(pattern))),
            Func::MonthStart => "trunc({0}, 'MM')".into(),
            Func::MonthEnd => "last_day({0})".into(),
            Func::IsDateBy(p) => return Ok((self.fill_braces(&date_test(p), args)?, PRIMARY)),
            Func::DateBy(p) => date_by(p),
            Func::ListReverse => "reverse({0})".into(),
            Func::ListDistinct => "array_distinct({0})".into(),
            Func::ListMax => "array_max({0})".into(),
            Func::ListMin => "array_min({0})".into(),
            Func::ListSort => "array_sort({0})".into(),
            Func::SortWith(a, b) => format!("array_sort({{0}}, (x{a}, x{b}) -> {{1}})"),
            Func::ListConcat => "concat({0}, {1})".into(),
            Func::Flatten => "flatten({0})".into(),
            Func::Chars => "regexp_extract_all({0}, '(?s).', 0)".into(),
            Func::MapKeys => "map_keys({0})".into(),
            Func::MapValues => "map_values({0})".into(),
            Func::MapEntries => "map_entries({0})".into(),
            Func::ListIndexOf => return Ok((self.fill("CAST(array_position({0}, {1}) AS INT) - 1", args)?, SUM)),
            Func::ListTake => match self.g.as_int(args[1]) {
                Some(n) => format!("slice({{0}}, 1, {})", n.max(0)),
                None if self.small(args[1]) && !self.signed(args[1]) => "slice({0}, 1, {1})".into(),
                None => "slice({0}, 1, greatest({1}, 0))".into(),
            },
            Func::ListDrop => format!("slice({{0}}, {}, size({{0}}))", self.one_based(args[1], "{1}")),
            Func::ListTakeRight => "slice({0}, greatest(size({0}) - greatest({1}, 0), 0) + 1, size({0}))".into(),
            Func::ListDropRight => "slice({0}, 1, greatest(size({0}) - greatest({1}, 0), 0))".into(),
            Func::WithIndex => "transform({0}, (x, i) -> named_struct('_1', x, '_2', i))".into(),
            Func::Zip => {
                "transform(slice({0}, 1, least(size({0}), size({1}))), (x, i) -> named_struct('_1', x, '_2', {1.}[i]))"
                    .into()
            }
            Func::Field(name) => return self.field(args[0], name),
            Func::Fold(acc, v) => format!("aggregate({{0}}, {{1}}, (x{acc}, x{v}) -> {{2}})"),
            Func::MapContains => "map_contains_key({0}, {1})".into(),
            _ => return self.refuse(n, format!("`{f:?}` has no SQL form here")),
        };
        Ok((self.fill_braces(&template, args)?, PRIMARY))
    }

    /// A field of a struct; of a pair whose parts are variables of their own, the variable.
    fn field(&mut self, of: NodeId, name: &str) -> Understood<(Doc, u8)> {
        if let Op::Var(id) = self.g.op(of)
            && let Some((first, second)) = self.pairs.get(id)
        {
            let part = if name == "_1" { first } else { second };
            return Ok((part.clone(), PRIMARY));
        }
        let of = self.expr(of, PRIMARY)?;
        Ok((
            Doc::Cat(vec![of, Doc::text(format!(".{}", literal::identifier(name)))]),
            PRIMARY,
        ))
    }

    /// Whether a body uses a pair other than by its parts.
    fn keeps_pair(&self, var: u32, body: NodeId) -> bool {
        let is_var = |n: &NodeId| *self.g.op(*n) == Op::Var(var);
        let whole = |n: &Node| match &n.op {
            Op::Call(Func::Field(_), _) => false,
            Op::Struct(items) | Op::List(items) | Op::Call(_, items) => items.iter().any(is_var),
            Op::Case(branches, other) => is_var(other) || branches.iter().any(|(_, v)| is_var(v)),
            Op::Coalesce(a, b) => is_var(a) || is_var(b),
            _ => false,
        };
        is_var(&body) || self.g.any(body, &whole)
    }

    /// `transform` over elements beside their positions: the lambda's second variable, no structs.
    fn map_pairs(&mut self, var: u32, f: &Func, lists: &[NodeId], body: NodeId) -> Understood<(Doc, u8)> {
        let list = if *f == Func::Zip {
            self.fill("slice({0}, 1, least(size({0}), size({1})))", lists)?
        } else {
            self.expr(lists[0], 0)?
        };
        let (x, i) = (Doc::text(format!("x{var}")), Doc::text(format!("i{var}")));
        let second = match (f, lists.get(1)) {
            (Func::Zip, Some(other)) => Doc::Cat(vec![
                self.expr(*other, PRIMARY)?,
                Doc::text("["),
                i.clone(),
                Doc::text("]"),
            ]),
            _ => i.clone(),
        };
        self.pairs.insert(var, (x.clone(), second));
        let printed = self.expr(body, 0);
        self.pairs.remove(&var);
        let lambda = Doc::Cat(vec![
            Doc::text("("),
            x,
            Doc::text(", "),
            i,
            Doc::text(") -> "),
            printed?,
        ]);
        Ok((Doc::Call("transform".into(), vec![list, lambda]), PRIMARY))
    }

    /// Whether a small number may be below zero.
    fn signed(&self, n: NodeId) -> bool {
        !matches!(self.g.op(n), Op::Call(Func::Length | Func::Size, _))
    }

    /// Notes that come with a function.
    fn announce(&mut self, n: NodeId, f: &Func) {
        let span = self.g.node(n).span;
        match f {
            Func::Capitalize | Func::CharUpper | Func::CharLower => {
                self.note(
                    "case-map-special",
                    span,
                    "the JVM maps one character to one; SQL's upper and lower know longer results, so that letters such as ᾳ stay",
                    Everywhere,
                );
            }
            Func::EqualsIgnoreCase => {
                self.note(
                    "equals-ignore-case",
                    span,
                    "the JVM folds case character by character; SQL maps whole texts, where some letters become several",
                    Everywhere,
                );
            }
            Func::Upper | Func::Lower => {
                self.note(
                    "case-map-special",
                    span,
                    "cuDF maps case per character and in the basic plane only",
                    Gpu,
                );
            }
            Func::Math1(_) | Func::Pow | Func::Log(_) | Func::Atan2 | Func::Hypot => {
                self.note(
                    "math-ulp",
                    span,
                    "the GPU's own function may differ in the last places",
                    Gpu,
                );
            }
            Func::RoundPlaces(..) => {
                self.note(
                    "round-half-up-double",
                    span,
                    "the GPU rounds the binary value, not its decimal text",
                    Gpu,
                );
            }
            Func::ToText if self.arg_is_float(n) => {
                self.note(
                    "float-to-string-digits",
                    span,
                    "the GPU writes the shortest digits, this JVM sometimes longer ones",
                    Gpu,
                );
            }
            Func::ReplaceAll(..)
            | Func::ReplaceFirst(..)
            | Func::Matches(_)
            | Func::Finds(_)
            | Func::Extract { .. }
            | Func::CharIs(_) => {
                self.note(
                    "regex-dialect",
                    span,
                    "the plugin translates the pattern; some fall back to the CPU",
                    Gpu,
                );
            }
            Func::SubstringFrom
            | Func::Substring
            | Func::CharAt
            | Func::IndexOf
            | Func::IndexOfFrom
            | Func::LastIndexOf
            | Func::Take
            | Func::Drop
            | Func::TakeRight
            | Func::DropRight => self.units_note(n),
            Func::CharCode | Func::Chars | Func::PadRight => self.units_note(n),
            Func::SqlInstant | Func::SqlOfMillis => self.note(
                "julian-gregorian-rebase",
                span,
                "before 1582-10-15 a java.sql.Timestamp counts by the old calendar",
                Everywhere,
            ),
            Func::OfMillis | Func::OfSeconds => self.note(
                "throw-vs-value",
                span,
                "a SQL timestamp holds some 290000 years, an Instant more",
                Everywhere,
            ),
            Func::LocalAt(_) => self.note(
                "timezone-dst",
                span,
                "from_utc_timestamp gives the zone's clock where the session's time zone is UTC",
                Everywhere,
            ),
            Func::DateText { old: true, .. } => self.note(
                "date-pattern-letters",
                span,
                "SimpleDateFormat writes years before 1 and after 9999 without a sign",
                Everywhere,
            ),
            Func::IsDateBy(_) => self.note(
                "datetime-parse-leniency",
                span,
                "the JVM also reads a year of more digits behind a plus sign",
                Everywhere,
            ),
            Func::DigitOf => self.note(
                "parse-unicode-digits",
                span,
                "the JVM also reads digits of other scripts",
                Everywhere,
            ),
            Func::ListSort | Func::ListMax | Func::ListMin if matches!(self.g.ty(self.g.operands(n)[0]), ColTy::Array(e) if **e == ColTy::Str) =>
            {
                self.note(
                    "string-order-utf16-vs-utf8",
                    span,
                    "the JVM orders text by UTF-16 unit, Spark by code point",
                    Everywhere,
                );
            }
            Func::Reverse => {
                self.note(
                    "lone-surrogate",
                    span,
                    "Scala reverses UTF-16 units, SQL characters",
                    Everywhere,
                );
            }
            Func::IsNumber(NumberText::Int | NumberText::Long | NumberText::Short | NumberText::Byte) => {
                self.note(
                    "parse-unicode-digits",
                    span,
                    "the JVM also reads digits of other scripts",
                    Everywhere,
                );
            }
            Func::DecimalMul | Func::DecimalAdd | Func::DecimalSub => {
                self.note(
                    "decimal-overflow-null",
                    span,
                    "SQL decimals of more than 38 digits are null",
                    Everywhere,
                );
            }
            _ => {}
        }
    }

    fn arg_is_float(&self, n: NodeId) -> bool {
        self.g.operands(n).first().is_some_and(|a| self.g.ty(*a).is_float())
    }
}

/// The hexadecimal digest of bytes or of a text's UTF-8.
fn digest_call(name: &str, argument: &str) -> String {
    match name {
        "MD5" => format!("md5({argument})"),
        "SHA-224" | "SHA-256" | "SHA-384" | "SHA-512" => format!("sha2({argument}, {})", &name[4..]),
        _ => format!("sha1({argument})"),
    }
}

/// The fields of a pattern of `yyyy`, `MM`, `dd` as `CAST(substring(…) AS INT)`.
fn date_fields(pattern: &str) -> [String; 3] {
    ["yyyy", "MM", "dd"].map(|letters| {
        let at = pattern.find(letters).unwrap_or(0);
        let place = pattern[..at].chars().count() + 1;
        format!("CAST(substring({{0}}, {place}, {}) AS INT)", letters.len())
    })
}

/// Whether text is a date by a pattern: digits at their places, a year from 1, a month, a day up to 31.
fn date_test(pattern: &str) -> String {
    let mut regex = String::from("\\A");
    for c in pattern.chars() {
        match c {
            'y' | 'M' | 'd' => regex.push_str("[0-9]"),
            c if c.is_ascii_punctuation() => regex.extend(['\\', c]),
            c => regex.push(c),
        }
    }
    let regex = regex
        .replace("[0-9][0-9][0-9][0-9]", "[0-9]{4}")
        .replace("[0-9][0-9]", "[0-9]{2}");
    let regex = literal::text(&format!("{regex}\\z"))
        .replace('{', "{{")
        .replace('}', "}}");
    let [y, m, d] = date_fields(pattern);
    format!("({{0.}} RLIKE {regex} AND {y} > 0 AND {m} BETWEEN 1 AND 12 AND {d} BETWEEN 1 AND 31)")
}

/// The date; the JVM takes a day past the end of the month for its last.
fn date_by(pattern: &str) -> String {
    let [y, m, d] = date_fields(pattern);
    let first = format!("make_date({y}, {m}, 1)");
    format!("least(date_add({first}, {d} - 1), last_day({first}))")
}

/// The width of `%05d`.
fn zero_padded(spec: &str) -> Option<u32> {
    spec.strip_prefix("%0")?
        .strip_suffix('d')?
        .parse()
        .ok()
        .filter(|w| *w > 1)
}

/// Braces that stand for themselves in a template.
fn brace(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

fn unhide(doc: Doc) -> Doc {
    match doc {
        Doc::Cat(items) => Doc::Cat(
            items
                .into_iter()
                .map(|i| match i {
                    Doc::Text(t) => Doc::Text(t.replace('\u{1}', "{").replace('\u{2}', "}")),
                    other => other,
                })
                .collect(),
        ),
        other => other,
    }
}

fn number_type(kind: NumberText) -> &'static str {
    match kind {
        NumberText::Int => "INT",
        NumberText::Long => "BIGINT",
        NumberText::Short => "SMALLINT",
        NumberText::Byte => "TINYINT",
        NumberText::Double => "DOUBLE",
        NumberText::Float => "FLOAT",
    }
}

/// Functions that are one SQL function of the same arguments.
fn simple_name(f: &Func) -> Option<&'static str> {
    Some(match f {
        Func::Upper => "upper",
        Func::Lower => "lower",
        Func::Reverse => "reverse",
        Func::Concat => "concat",
        Func::Contains => "contains",
        Func::StartsWith => "startswith",
        Func::EndsWith => "endswith",
        Func::Replace => "replace",
        Func::Repeat => "repeat",
        Func::CharCode => "ascii",
        Func::Abs => "abs",
        Func::Sqrt => "sqrt",
        Func::Math1(name) => name,
        Func::Pow => "pow",
        Func::Hypot => "hypot",
        Func::Rint => "rint",
        Func::IsNan => "isnan",
        Func::Year => "year",
        Func::Month => "month",
        Func::DayOfMonth => "day",
        Func::DayOfYear => "dayofyear",
        Func::PlusDays => "date_add",
        Func::PlusMonths => "add_months",
        Func::DateOf => "make_date",
        Func::Hour => "hour",
        Func::Minute => "minute",
        Func::Second => "second",
        Func::Size => "size",
        _ => return None,
    })
}
