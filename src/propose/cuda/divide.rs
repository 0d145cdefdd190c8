//! Division of doubles by a number that the source writes: a device divides slowly, and what its reciprocal gives can be made the
//! same (`rw::div_by`). In: the divisor; out: the arguments of the call behind the dividend, or nothing.

use super::types::literal;
use crate::lang::ast::{Conv, Expr, ExprKind, Lit};
use crate::lang::ty::Prim;

/// Divisor and reciprocal as C++, where the divisor is a literal whose reciprocal is a plain number.
pub(super) fn by_literal(divisor: &Expr, prim: Prim) -> Option<String> {
    let value = number(divisor).filter(|_| prim == Prim::Double)?;
    let reciprocal = 1.0 / value;
    if !value.is_normal() || !reciprocal.is_normal() {
        return None;
    }
    let text = |v| literal(&Lit::Double(v), divisor.span).ok();
    Some(format!("{}, {}", text(value)?, text(reciprocal)?))
}

/// A literal, or the double that one is turned into.
fn number(e: &Expr) -> Option<f64> {
    match &e.kind {
        ExprKind::Lit(Lit::Double(v)) => Some(*v),
        ExprKind::Convert(
            Conv::Prim {
                from: Prim::Int,
                to: Prim::Double,
            },
            inner,
        ) => match inner.kind {
            ExprKind::Lit(Lit::Int(v)) => Some(f64::from(v)),
            _ => None,
        },
        _ => None,
    }
}
