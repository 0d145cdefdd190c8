//! Operators on primitives with the JVM's rules. In: operands as code; out: code. Never sees references.

use crate::jvm::value::Throw;
use crate::lang::ast::{BinOp, UnOp};
use crate::lang::ty::Prim;

use super::bits::{self, double, float, int, to_double, to_float, to_int};
use super::machine::Stop;
use super::node::{P, binary, binary_try, unary};

fn by_zero() -> Stop {
    Throw::exception("ArithmeticException", "/ by zero").into()
}

fn truth(b: bool) -> u64 {
    u64::from(b)
}

/// `op lhs` on a primitive type.
pub fn unary_op(op: UnOp, prim: Prim, a: P) -> Option<P> {
    Some(match (op, prim) {
        (UnOp::Not, Prim::Boolean) => unary(a, |a| a ^ 1),
        (UnOp::Neg, Prim::Int | Prim::Short | Prim::Byte | Prim::Char) => unary(a, |a| int(to_int(a).wrapping_neg())),
        (UnOp::Neg, Prim::Long) => unary(a, |a| (a as i64).wrapping_neg() as u64),
        (UnOp::Neg, Prim::Double) => unary(a, |a| double(-to_double(a))),
        (UnOp::Neg, Prim::Float) => unary(a, |a| float(-to_float(a))),
        (UnOp::BitNot, Prim::Long) => unary(a, |a| !a),
        (UnOp::BitNot, Prim::Int | Prim::Short | Prim::Byte | Prim::Char) => unary(a, |a| int(!to_int(a))),
        _ => return None,
    })
}

/// `lhs op rhs`; the type is that of both operands, of the left one for shifts. `long_shift`: the distance is a `Long`.
pub fn binary_op(op: BinOp, prim: Prim, a: P, b: P) -> Option<P> {
    match prim {
        Prim::Double => doubles(op, a, b),
        Prim::Float => floats(op, a, b),
        Prim::Long => longs(op, a, b),
        Prim::Boolean => booleans(op, a, b),
        Prim::Int | Prim::Short | Prim::Byte | Prim::Char => ints(op, a, b),
    }
}

fn doubles(op: BinOp, a: P, b: P) -> Option<P> {
    Some(match op {
        BinOp::Add => binary(a, b, |a, b| double(to_double(a) + to_double(b))),
        BinOp::Sub => binary(a, b, |a, b| double(to_double(a) - to_double(b))),
        BinOp::Mul => binary(a, b, |a, b| double(to_double(a) * to_double(b))),
        BinOp::Div => binary(a, b, |a, b| double(to_double(a) / to_double(b))),
        BinOp::Rem => binary(a, b, |a, b| double(libm::fmod(to_double(a), to_double(b)))),
        BinOp::Eq => binary(a, b, |a, b| truth(to_double(a) == to_double(b))),
        BinOp::Ne => binary(a, b, |a, b| truth(to_double(a) != to_double(b))),
        BinOp::Lt => binary(a, b, |a, b| truth(to_double(a) < to_double(b))),
        BinOp::Le => binary(a, b, |a, b| truth(to_double(a) <= to_double(b))),
        BinOp::Gt => binary(a, b, |a, b| truth(to_double(a) > to_double(b))),
        BinOp::Ge => binary(a, b, |a, b| truth(to_double(a) >= to_double(b))),
        _ => return None,
    })
}

fn floats(op: BinOp, a: P, b: P) -> Option<P> {
    Some(match op {
        BinOp::Add => binary(a, b, |a, b| float(to_float(a) + to_float(b))),
        BinOp::Sub => binary(a, b, |a, b| float(to_float(a) - to_float(b))),
        BinOp::Mul => binary(a, b, |a, b| float(to_float(a) * to_float(b))),
        BinOp::Div => binary(a, b, |a, b| float(to_float(a) / to_float(b))),
        BinOp::Rem => binary(a, b, |a, b| float(libm::fmodf(to_float(a), to_float(b)))),
        BinOp::Eq => binary(a, b, |a, b| truth(to_float(a) == to_float(b))),
        BinOp::Ne => binary(a, b, |a, b| truth(to_float(a) != to_float(b))),
        BinOp::Lt => binary(a, b, |a, b| truth(to_float(a) < to_float(b))),
        BinOp::Le => binary(a, b, |a, b| truth(to_float(a) <= to_float(b))),
        BinOp::Gt => binary(a, b, |a, b| truth(to_float(a) > to_float(b))),
        BinOp::Ge => binary(a, b, |a, b| truth(to_float(a) >= to_float(b))),
        _ => return None,
    })
}

fn longs(op: BinOp, a: P, b: P) -> Option<P> {
    Some(match op {
        BinOp::Add => binary(a, b, |a, b| a.wrapping_add(b)),
        BinOp::Sub => binary(a, b, |a, b| a.wrapping_sub(b)),
        BinOp::Mul => binary(a, b, |a, b| a.wrapping_mul(b)),
        BinOp::Div => binary_try(a, b, |a, b| match b {
            0 => Err(by_zero()),
            _ => Ok((a as i64).wrapping_div(b as i64) as u64),
        }),
        BinOp::Rem => binary_try(a, b, |a, b| match b {
            0 => Err(by_zero()),
            _ => Ok((a as i64).wrapping_rem(b as i64) as u64),
        }),
        BinOp::BitAnd => binary(a, b, |a, b| a & b),
        BinOp::BitOr => binary(a, b, |a, b| a | b),
        BinOp::BitXor => binary(a, b, |a, b| a ^ b),
        BinOp::Shl => binary(a, b, |a, b| a.wrapping_shl(b as u32)),
        BinOp::Shr => binary(a, b, |a, b| (a as i64).wrapping_shr(b as u32) as u64),
        BinOp::UShr => binary(a, b, |a, b| a.wrapping_shr(b as u32)),
        BinOp::Eq => binary(a, b, |a, b| truth(a == b)),
        BinOp::Ne => binary(a, b, |a, b| truth(a != b)),
        BinOp::Lt => binary(a, b, |a, b| truth((a as i64) < (b as i64))),
        BinOp::Le => binary(a, b, |a, b| truth((a as i64) <= (b as i64))),
        BinOp::Gt => binary(a, b, |a, b| truth((a as i64) > (b as i64))),
        BinOp::Ge => binary(a, b, |a, b| truth((a as i64) >= (b as i64))),
    })
}

fn ints(op: BinOp, a: P, b: P) -> Option<P> {
    Some(match op {
        BinOp::Add => binary(a, b, |a, b| int(to_int(a).wrapping_add(to_int(b)))),
        BinOp::Sub => binary(a, b, |a, b| int(to_int(a).wrapping_sub(to_int(b)))),
        BinOp::Mul => binary(a, b, |a, b| int(to_int(a).wrapping_mul(to_int(b)))),
        BinOp::Div => binary_try(a, b, |a, b| match to_int(b) {
            0 => Err(by_zero()),
            b => Ok(int(to_int(a).wrapping_div(b))),
        }),
        BinOp::Rem => binary_try(a, b, |a, b| match to_int(b) {
            0 => Err(by_zero()),
            b => Ok(int(to_int(a).wrapping_rem(b))),
        }),
        BinOp::BitAnd => binary(a, b, |a, b| int(to_int(a) & to_int(b))),
        BinOp::BitOr => binary(a, b, |a, b| int(to_int(a) | to_int(b))),
        BinOp::BitXor => binary(a, b, |a, b| int(to_int(a) ^ to_int(b))),
        // The low five bits of the distance count, also of a `Long` one.
        BinOp::Shl => binary(a, b, |a, b| int(to_int(a).wrapping_shl(b as u32))),
        BinOp::Shr => binary(a, b, |a, b| int(to_int(a).wrapping_shr(b as u32))),
        BinOp::UShr => binary(a, b, |a, b| u64::from((to_int(a) as u32).wrapping_shr(b as u32))),
        BinOp::Eq => binary(a, b, |a, b| truth(to_int(a) == to_int(b))),
        BinOp::Ne => binary(a, b, |a, b| truth(to_int(a) != to_int(b))),
        BinOp::Lt => binary(a, b, |a, b| truth(to_int(a) < to_int(b))),
        BinOp::Le => binary(a, b, |a, b| truth(to_int(a) <= to_int(b))),
        BinOp::Gt => binary(a, b, |a, b| truth(to_int(a) > to_int(b))),
        BinOp::Ge => binary(a, b, |a, b| truth(to_int(a) >= to_int(b))),
    })
}

fn booleans(op: BinOp, a: P, b: P) -> Option<P> {
    Some(match op {
        BinOp::BitAnd => binary(a, b, |a, b| a & b),
        BinOp::BitOr => binary(a, b, |a, b| a | b),
        BinOp::BitXor | BinOp::Ne => binary(a, b, |a, b| a ^ b),
        BinOp::Eq => binary(a, b, |a, b| truth(a == b)),
        BinOp::Lt => binary(a, b, |a, b| truth(a < b)),
        BinOp::Le => binary(a, b, |a, b| truth(a <= b)),
        BinOp::Gt => binary(a, b, |a, b| truth(a > b)),
        BinOp::Ge => binary(a, b, |a, b| truth(a >= b)),
        _ => return None,
    })
}

/// A conversion between primitives.
pub fn convert(from: Prim, to: Prim, a: P) -> P {
    match (from, to) {
        (f, t) if f == t => a,
        (Prim::Int, Prim::Double) => unary(a, |a| double(f64::from(to_int(a)))),
        (Prim::Int, Prim::Long) => unary(a, |a| i64::from(to_int(a)) as u64),
        (Prim::Char, Prim::Int) => a,
        (Prim::Byte | Prim::Short, Prim::Int) => a,
        _ => unary(a, move |a| bits::convert(a, from, to)),
    }
}
