//! What the printed SQL does with a null by itself, and which numbers may be NaN.

use crate::ir::func::Func;
use crate::ir::node::{Const, Graph, NodeId, Op};
use crate::lang::ast::BinOp;
use crate::lang::ty::Prim;

/// Whether the printed expression is null wherever the column is.
pub fn in_column(g: &Graph, n: NodeId, column: NodeId) -> bool {
    if n == column {
        return true;
    }
    match g.op(n) {
        Op::Const(c) => *c == Const::Null,
        Op::Column(_)
        | Op::Var(_)
        | Op::Raise(..)
        | Op::NullSafeEqual(..)
        | Op::IsNull(_)
        | Op::Struct(_)
        | Op::List(_) => false,
        Op::Bin(op, prim, a, b) => {
            if matches!(prim, Prim::Float | Prim::Double)
                && let Some(tested) = nan_tested(g, *op, *a, *b)
            {
                return in_column(g, tested, column);
            }
            in_column(g, *a, column) || in_column(g, *b, column)
        }
        Op::Equal(a, b) | Op::Compare(_, a, b) => in_column(g, *a, column) || in_column(g, *b, column),
        Op::And(a, b) | Op::Or(a, b) | Op::Coalesce(a, b) => in_column(g, *a, column) && in_column(g, *b, column),
        Op::Neg(_, a) | Op::BitNot(_, a) | Op::Conv(_, _, a) | Op::Not(a) => in_column(g, *a, column),
        Op::Case(branches, other) => {
            branches.iter().all(|(_, v)| in_column(g, *v, column)) && in_column(g, *other, column)
        }
        // `greatest` passes over a null position.
        Op::Call(Func::Drop | Func::DropRight | Func::IndexOfFrom, args) => in_column(g, args[0], column),
        Op::Call(f, args) => is_strict(f) && args.iter().any(|a| in_column(g, *a, column)),
    }
}

/// The operand of a comparison whose NaN needs a test of its own in Spark.
pub fn nan_tested(g: &Graph, op: BinOp, a: NodeId, b: NodeId) -> Option<NodeId> {
    let (na, nb) = (maybe_nan(g, a), maybe_nan(g, b));
    match op {
        BinOp::Lt | BinOp::Le if nb => Some(b),
        BinOp::Gt | BinOp::Ge if na => Some(a),
        BinOp::Eq | BinOp::Ne if na && nb => Some(a),
        _ => None,
    }
}

fn is_strict(f: &Func) -> bool {
    !matches!(
        f,
        Func::Min
            | Func::Max
            | Func::IsNan
            | Func::ListContains
            | Func::IsDate
            | Func::IsNumber(_)
            | Func::CharLower
            | Func::CharUpper
            | Func::Format(_)
            | Func::EqualsIgnoreCase
            | Func::DoubleCompare
            | Func::Map(_)
            | Func::Filter(_)
            | Func::Exists(_)
            | Func::Forall(_)
            | Func::Fold(..)
            | Func::SortWith(..)
            | Func::JoinPresent(_)
            | Func::IsDateBy(_)
            | Func::DateBy(_)
            | Func::DigitOf
            | Func::PadRight
            | Func::ListIndexOf
            | Func::ListTake
            | Func::ListDrop
            | Func::ListTakeRight
            | Func::ListDropRight
            | Func::Zip
            | Func::MapContains
            | Func::MkString(_)
            | Func::Size
            | Func::Split { .. }
            | Func::Atan2
    )
}

/// Whether a floating-point node may be NaN.
pub fn maybe_nan(g: &Graph, n: NodeId) -> bool {
    match g.op(n) {
        Op::Const(Const::F64(bits)) => f64::from_bits(*bits).is_nan(),
        Op::Const(Const::F32(bits)) => f32::from_bits(*bits).is_nan(),
        Op::Const(_) => false,
        Op::Conv(Prim::Float, Prim::Double, a) | Op::Conv(Prim::Double, Prim::Float, a) => maybe_nan(g, *a),
        Op::Conv(..) => false,
        Op::Neg(_, a) => maybe_nan(g, *a),
        Op::Call(Func::Abs, args) => maybe_nan(g, args[0]),
        Op::Call(Func::DecimalToDouble, _) => false,
        Op::Coalesce(a, b) => maybe_nan(g, *a) || maybe_nan(g, *b),
        Op::Case(branches, other) => branches.iter().any(|(_, v)| maybe_nan(g, *v)) || maybe_nan(g, *other),
        _ => true,
    }
}
