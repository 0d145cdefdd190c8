//! `java.math.BigDecimal` and `scala.math.BigDecimal`. In: rows of the library; out: calls of the helpers in `rw_decimal.cuh`, which
//! carry the scale along. What needs more than 128 bits is reported row by row; a rounding to a number of digits is refused.

use super::calls::uncovered;
use super::emit::Emit;
use super::lines::Lines;
use super::types::Cpp;
use crate::jvm::decimal::JDecimal;
use crate::jvm::decimal::RoundingMode;
use crate::jvm::table::Method;
use crate::lang::ast::*;
use crate::lang::ty::{Prim, Ty};
use crate::source::{Refusal, Understood};

/// A constant; `None` where it does not fit.
pub(super) fn written(value: &JDecimal) -> Option<String> {
    let whole = i64::try_from(&value.unscaled).ok()?;
    let whole = super::types::literal(&Lit::Long(whole), Default::default()).ok()?;
    Some(format!("rw::Decimal{{{whole}, {}, true}}", value.scale))
}

/// What the table says about its decimal columns, or what Spark gives a `BigDecimal`.
pub(super) fn scales(columns: &[usize], result: bool) -> Lines {
    let mut lines = Lines::default();
    let mut names: Vec<(String, u8)> = columns.iter().map(|c| (format!("RW_SCALE_{c}"), 18)).collect();
    if result {
        names.push(("RW_PRECISION_OUT".into(), 38));
        names.push(("RW_SCALE_OUT".into(), 18));
    }
    if names.is_empty() {
        return lines;
    }
    lines.push(
        None,
        "// Given with the table's columns; otherwise what Spark takes for a BigDecimal.",
    );
    for (name, value) in names {
        lines.push(None, format!("#ifndef {name}"));
        lines.push(None, format!("#define {name} {value}"));
        lines.push(None, "#endif");
    }
    lines.push(None, "");
    lines
}

/// The number of a rounding mode.
fn mode(e: &Expr) -> Option<i32> {
    match &e.kind {
        ExprKind::Call { method, .. } => {
            let name = method.name.strip_prefix("ROUND_").unwrap_or(method.name);
            RoundingMode::named(name).map(|mode| mode as i32)
        }
        ExprKind::Lit(Lit::Int(v)) => (0..=7).contains(v).then_some(*v),
        _ => None,
    }
}

impl<'p> Emit<'p> {
    /// `Int`, `Long` or Java's BigDecimal as Scala's.
    pub(super) fn as_decimal(&mut self, a: &'p Expr, e: &'p Expr) -> Understood<String> {
        match self.cpp(a)? {
            Cpp::Prim(Prim::Int | Prim::Long) => self.expr(a).map(|v| format!("rw::dec_of({v}, 0)")),
            Cpp::Decimal => self.expr(a),
            _ => Err(Refusal::new(
                e.span,
                format!("a {} as a decimal is not covered by the cuda tier", a.ty),
            )),
        }
    }

    pub(super) fn decimal_static(
        &mut self,
        module: &str,
        name: &str,
        args: &'p [Expr],
        e: &'p Expr,
    ) -> Understood<String> {
        let refuse = || {
            Refusal::new(
                e.span,
                format!("`{name}` of a {module} is not covered by the cuda tier"),
            )
        };
        match (name, args) {
            ("ZERO", []) => Ok("rw::dec_of(0, 0)".into()),
            ("ONE", []) => Ok("rw::dec_of(1, 0)".into()),
            ("TEN", []) => Ok("rw::dec_of(10, 0)".into()),
            (_, [a]) if matches!(self.cpp(a)?, Cpp::Prim(Prim::Int | Prim::Long)) => {
                self.expr(a).map(|v| format!("rw::dec_of({v}, 0)"))
            }
            (_, [a, scale]) if matches!(self.cpp(a)?, Cpp::Prim(Prim::Int | Prim::Long)) && scale.ty == Ty::INT => {
                let values = self.operands([a, scale])?;
                Ok(format!("rw::dec_of({}, {})", values[0], values[1]))
            }
            (_, [a]) if self.cpp(a)? == Cpp::Decimal => self.expr(a),
            (_, [a]) => {
                // A text or a double that is known is a number that is known.
                if let Some(known) = self.known(e) {
                    return self.written(&known, &Cpp::Decimal, e.span);
                }
                match self.cpp(a)? {
                    Cpp::Text => self.helper("rw::dec_parse", [a], e.span),
                    // `new BigDecimal(double)` has all the digits of the binary fraction, the others those of its text.
                    Cpp::Prim(Prim::Double)
                        if !module.starts_with("new ") && matches!(name, "valueOf" | "apply" | "decimal") =>
                    {
                        self.helper("rw::dec_of_double", [a], e.span)
                    }
                    _ => Err(refuse()),
                }
            }
            _ => Err(refuse()),
        }
    }

    pub(super) fn decimal_call(
        &mut self,
        method: &'static Method,
        recv: &'p Expr,
        args: &'p [Expr],
        e: &'p Expr,
    ) -> Understood<String> {
        let scala = recv.ty == Ty::ScalaBigDecimal;
        let refuse = || Err(uncovered(method, e.span));
        let all_decimal = args.iter().all(|a| self.cpp(a).is_ok_and(|c| c == Cpp::Decimal));
        let sides = || std::iter::once(recv).chain(args);
        let helper = match (method.name, args) {
            ("add" | "+", [_]) if all_decimal => "rw::dec_add",
            ("subtract" | "-", [_]) if all_decimal => "rw::dec_sub",
            ("multiply", [_]) if all_decimal => "rw::dec_mul",
            ("*", [_]) if all_decimal => "rw::dec_mul_scala",
            ("negate" | "unary_-", []) => "rw::dec_neg",
            ("abs", []) => "rw::dec_abs",
            ("signum", []) => "rw::dec_signum",
            ("scale", []) => "rw::dec_scale",
            ("compareTo" | "compare", [_]) if all_decimal => "rw::dec_compare",
            ("max", [_]) if all_decimal => "rw::dec_max",
            ("min", [_]) if all_decimal => "rw::dec_min",
            ("intValue" | "toInt", []) => "rw::dec_int",
            ("longValue" | "toLong", []) => "rw::dec_long",
            ("doubleValue" | "toDouble", []) => "rw::dec_double",
            ("toPlainString", []) => "rw::dec_text",
            _ => "",
        };
        if !helper.is_empty() {
            return self.helper(helper, sides(), e.span);
        }
        match (method.name, args) {
            ("<" | "<=" | ">" | ">=", [_]) if all_decimal => {
                let order = self.helper("rw::dec_compare", sides(), e.span)?;
                Ok(format!("({order} {} 0)", method.name))
            }
            ("setScale", [scale, rest @ ..]) if scale.ty == Ty::INT => {
                let Some(mode) = rest.first().map_or(Some(7), mode) else {
                    return refuse();
                };
                let values = self.operands([recv, scale])?;
                Ok(self.helped(
                    "rw::dec_set_scale",
                    &[values[0].clone(), values[1].clone(), mode.to_string()],
                    e.span,
                ))
            }
            ("divide", [other, scale, rounding]) if !scala && scale.ty == Ty::INT => {
                let Some(mode) = mode(rounding) else { return refuse() };
                let values = self.operands([recv, other, scale])?;
                Ok(self.helped("rw::dec_divide", &[values, vec![mode.to_string()]].concat(), e.span))
            }
            ("divide", [other, rounding]) if !scala => {
                let Some(mode) = mode(rounding) else { return refuse() };
                let values = self.operands([recv, other])?;
                let a = self.spill(values[0].clone(), recv.span);
                Ok(self.helped(
                    "rw::dec_divide",
                    &[a.clone(), values[1].clone(), format!("{a}.scale"), mode.to_string()],
                    e.span,
                ))
            }
            _ => refuse(),
        }
    }
}
