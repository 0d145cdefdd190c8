//! Functions over numbers, decimals included.

use super::super::doc::Doc;
use super::super::{PRIMARY, PRODUCT, Printer, SUM, UNARY};
use crate::ir::func::{Func, Rounding};
use crate::ir::node::{ColTy, Const, NodeId, Op};
use crate::lang::ty::Prim;
use crate::source::Understood;

impl Printer<'_> {
    pub(super) fn number_call(&mut self, n: NodeId, f: &Func, args: &[NodeId]) -> Understood<Option<(Doc, u8)>> {
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

    pub(super) fn decimal_call(&mut self, n: NodeId, f: &Func, args: &[NodeId]) -> Understood<Option<(Doc, u8)>> {
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
    pub(super) fn narrowed(&mut self, n: NodeId, digits: u32) -> Understood<Doc> {
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

    pub(super) fn decimal_sum(&mut self, f: &Func, args: &[NodeId]) -> Understood<(Doc, u8)> {
        let word = if *f == Func::DecimalAdd { " + " } else { " - " };
        let (a, b) = (self.narrowed(args[0], 37)?, self.narrowed(args[1], 37)?);
        Ok((Doc::Cat(vec![a, Doc::text(word), b]), SUM))
    }

    pub(super) fn decimal_product(&mut self, n: NodeId, args: &[NodeId]) -> Understood<(Doc, u8)> {
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
    pub(super) fn constant_digits(&self, n: NodeId) -> Option<u32> {
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
}
