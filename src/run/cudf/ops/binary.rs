//! Binary operations. In: an operator, two operands, an output type; out: a column. Integers wrap, division by zero gives the
//! numbers the device gives, and nulls spread except through the null-aware operators.

use arrow::buffer::NullBuffer;
use rayon::prelude::*;

use super::super::column::{Col, Data, Elem, ScalarValue};
use super::super::dtype::{DType, TypeId};
use super::{K, Operand, cast, cudf, decimal, illegal, refuse};

/// The type of `lhs.op(rhs)` when none is asked for.
pub fn implicit_type(op: &str, a: DType, b: DType) -> K<DType> {
    let is = |f: fn(DType) -> bool| f(a) || f(b);
    let either = |ids: &[TypeId]| ids.contains(&a.id) || ids.contains(&b.id);
    use TypeId::*;
    let seconds = [
        TimestampSeconds,
        TimestampMilliseconds,
        TimestampMicroseconds,
        TimestampNanoseconds,
    ];
    if is(DType::is_unsigned) {
        return refuse("unsigned operands without an output type are not covered");
    }
    Ok(if either(&[Float64]) {
        DType::FLOAT64
    } else if either(&[Float32]) {
        DType::of(Float32)
    } else if either(&[Int64]) || either(&seconds) {
        DType::INT64
    } else if either(&[Int32, TimestampDays]) {
        DType::INT32
    } else if either(&[Int16]) {
        DType::of(Int16)
    } else if either(&[Int8]) {
        DType::of(Int8)
    } else if either(&[Bool8]) {
        DType::BOOL
    } else if a.is_decimal() && b.is_decimal() {
        if a.id != b.id {
            return illegal("Both columns must be of the same fixed_point type");
        }
        decimal::output_type(op, a, b)?
    } else {
        return illegal(format!("Unsupported types {a} and {b}"));
    })
}

/// One value per row, or the same for all.
enum Side<'a, T: Copy> {
    Rows(std::borrow::Cow<'a, [T]>),
    One(T),
}

impl<T: Copy> Side<'_, T> {
    fn at(&self, i: usize) -> T {
        match self {
            Side::Rows(v) => v[i],
            Side::One(x) => *x,
        }
    }
}

/// Rows that are worth a thread of their own.
const LANE: usize = 1 << 15;

/// Fills `n` results lane by lane, the lanes on all cores. Not generic over the operation: a hundred operations would
/// otherwise be compiled with a scheduler each.
fn lanes<U: Copy + Default + Send>(n: usize, fill: &(dyn Fn(usize, &mut [U]) + Sync)) -> Vec<U> {
    let mut out = vec![U::default(); n];
    if n <= LANE {
        fill(0, &mut out);
    } else {
        out.par_chunks_mut(LANE)
            .enumerate()
            .for_each(|(i, lane)| fill(i * LANE, lane));
    }
    out
}

fn zip<T, U>(l: &Side<'_, T>, r: &Side<'_, T>, n: usize, f: impl Fn(T, T) -> U + Sync) -> Vec<U>
where
    T: Copy + Sync,
    U: Copy + Default + Send,
{
    lanes(n, &|from, out: &mut [U]| match (l, r) {
        (Side::Rows(a), Side::Rows(b)) => {
            let pairs = a[from..].iter().zip(&b[from..]);
            out.iter_mut().zip(pairs).for_each(|(o, (x, y))| *o = f(*x, *y));
        }
        (Side::Rows(a), Side::One(y)) => out.iter_mut().zip(&a[from..]).for_each(|(o, x)| *o = f(*x, *y)),
        (Side::One(x), Side::Rows(b)) => out.iter_mut().zip(&b[from..]).for_each(|(o, y)| *o = f(*x, *y)),
        (Side::One(x), Side::One(y)) => out.fill(f(*x, *y)),
    })
}

/// Nulls of a result that is null where either side is.
pub(super) fn joined_nulls(l: &Operand, r: &Operand, n: usize) -> Option<NullBuffer> {
    let of = |o: &Operand| match o {
        Operand::Col(c) => c.nulls.clone(),
        Operand::Scalar(s) => s.value.is_none().then(|| NullBuffer::new_null(n)),
    };
    NullBuffer::union(of(l).as_ref(), of(r).as_ref())
}

/// Row count of two operands.
pub(super) fn rows(l: &Operand, r: &Operand) -> K<usize> {
    match (l, r) {
        (Operand::Col(a), Operand::Col(b)) if a.len != b.len => cudf("Column sizes don't match"),
        (Operand::Col(a), _) | (_, Operand::Col(a)) => Ok(a.len),
        _ => illegal("a scalar and a scalar make no column"),
    }
}

/// Whether an operator compares: its output is `BOOL8`.
pub fn is_comparison_name(op: &str) -> bool {
    matches!(
        op,
        "EQUAL" | "NOT_EQUAL" | "LESS" | "GREATER" | "LESS_EQUAL" | "GREATER_EQUAL" | "NULL_EQUALS" | "NULL_NOT_EQUALS"
    )
}

fn unsupported<T>() -> K<T> {
    cudf("Unsupported operator for these types")
}

/// Runs an operator.
pub fn run(op: &str, l: &Operand, r: &Operand, out: DType) -> K {
    let n = rows(l, r)?;
    let (a, b) = (l.dtype(), r.dtype());
    if is_comparison_name(op) && out.id != TypeId::Bool8 {
        return unsupported();
    }
    if a.id == TypeId::String || b.id == TypeId::String {
        return if a == b { text(op, l, r, n, out) } else { unsupported() };
    }
    if a.is_decimal() || b.is_decimal() {
        return decimal::binary(op, l, r, n, out);
    }
    if a.unit_nanos().is_some() || b.unit_nanos().is_some() {
        return chrono(op, l, r, n, out);
    }
    if !a.is_numeric() || !b.is_numeric() {
        return unsupported();
    }
    if !(out.is_numeric()) {
        return if out.is_decimal() || out.unit_nanos().is_some() {
            refuse(format!("{op} of {a} and {b} to {out} is not covered"))
        } else {
            unsupported()
        };
    }
    numeric(op, l, r, n, out)
}

fn numeric(op: &str, l: &Operand, r: &Operand, n: usize, out: DType) -> K {
    let (a, b) = (l.dtype(), r.dtype());
    if matches!(op, "NULL_LOGICAL_AND" | "NULL_LOGICAL_OR") {
        return logic3(op, l, r, n, out);
    }
    let wide_unsigned = |t: DType| matches!(t.id, TypeId::Uint32 | TypeId::Uint64);
    if wide_unsigned(a) || wide_unsigned(b) {
        return refuse(format!("{op} on unsigned columns is not covered"));
    }
    if matches!(op, "TRUE_DIV" | "POW" | "LOG_BASE" | "ATAN2") {
        return double_op(op, l, r, n, out);
    }
    // Operands are converted to the common type of both and of the output first.
    let any = |id: TypeId| a.id == id || b.id == id || out.id == id;
    if wide_unsigned(out) {
        return refuse(format!("{op} to {out} is not covered"));
    }
    if any(TypeId::Float64) {
        return double_op(op, l, r, n, out);
    }
    if any(TypeId::Float32) {
        return single_op(op, l, r, n, out);
    }
    if any(TypeId::Int64) {
        return long_op(op, l, r, n, out);
    }
    int_op(op, l, r, n, out)
}

fn side_f64<'a>(o: &'a Operand) -> K<Side<'a, f64>> {
    Ok(match o {
        Operand::Col(c) => Side::Rows(match &c.data {
            Data::F64(v) => (&v[..]).into(),
            Data::F32(v) => v.iter().map(|x| f64::from(*x)).collect(),
            _ => c.to_i64().iter().map(|x| *x as f64).collect(),
        }),
        Operand::Scalar(s) => Side::One(scalar_f64(s)),
    })
}

/// A scalar as a double; a null one as zero.
pub(super) fn scalar_f64(s: &ScalarValue) -> f64 {
    match &s.value {
        Some(Elem::F64(v)) => *v,
        Some(Elem::F32(v)) => f64::from(*v),
        Some(Elem::Int(v)) => *v as f64,
        Some(Elem::Big(v)) => *v as f64,
        _ => 0.0,
    }
}

/// A scalar as an integer; a null one as zero.
pub(super) fn scalar_i64(s: &ScalarValue) -> i64 {
    match &s.value {
        Some(Elem::Int(v)) => *v,
        Some(Elem::Big(v)) => *v as i64,
        _ => 0,
    }
}

fn side_f32<'a>(o: &'a Operand) -> Side<'a, f32> {
    match o {
        Operand::Col(c) => Side::Rows(match &c.data {
            Data::F32(v) => (&v[..]).into(),
            _ => c.to_i64().iter().map(|x| *x as f32).collect(),
        }),
        Operand::Scalar(s) => Side::One(match &s.value {
            Some(Elem::F32(v)) => *v,
            _ => scalar_i64(s) as f32,
        }),
    }
}

fn side_i64<'a>(o: &'a Operand) -> Side<'a, i64> {
    match o {
        Operand::Col(c) => Side::Rows(c.to_i64()),
        Operand::Scalar(s) => Side::One(scalar_i64(s)),
    }
}

fn side_i32<'a>(o: &'a Operand) -> Side<'a, i32> {
    match o {
        Operand::Col(c) => Side::Rows(match &c.data {
            Data::I32(v) => (&v[..]).into(),
            _ => c.to_i64().iter().map(|x| *x as i32).collect(),
        }),
        Operand::Scalar(s) => Side::One(scalar_i64(s) as i32),
    }
}

macro_rules! comparisons {
    ($op:expr, $x:expr, $y:expr, $n:expr, $l:expr, $r:expr) => {
        match $op {
            "EQUAL" | "NULL_EQUALS" => Some(zip(&$x, &$y, $n, |a, b| a == b)),
            "NOT_EQUAL" | "NULL_NOT_EQUALS" => Some(zip(&$x, &$y, $n, |a, b| a != b)),
            "LESS" => Some(zip(&$x, &$y, $n, |a, b| a < b)),
            "GREATER" => Some(zip(&$x, &$y, $n, |a, b| a > b)),
            "LESS_EQUAL" => Some(zip(&$x, &$y, $n, |a, b| a <= b)),
            "GREATER_EQUAL" => Some(zip(&$x, &$y, $n, |a, b| a >= b)),
            _ => None,
        }
    };
}

/// Comparison results with the nulls of the operator.
fn compared(op: &str, values: Vec<bool>, l: &Operand, r: &Operand) -> Col {
    let n = values.len();
    match op {
        "NULL_EQUALS" | "NULL_NOT_EQUALS" => {
            let negated = op == "NULL_NOT_EQUALS";
            let rows = values
                .into_iter()
                .enumerate()
                .map(|(i, v)| match (l.is_valid(i), r.is_valid(i)) {
                    (true, true) => v,
                    (false, false) => !negated,
                    _ => negated,
                });
            Col::bools(rows, None)
        }
        _ => Col::bools(values, joined_nulls(l, r, n)),
    }
}

macro_rules! null_pick {
    ($op:expr, $x:expr, $y:expr, $n:expr, $l:expr, $r:expr) => {{
        let mut valid = Vec::with_capacity($n);
        let values: Vec<_> = (0..$n)
            .map(|i| {
                let (p, q) = ($l.is_valid(i), $r.is_valid(i));
                valid.push(p || q);
                let (a, b) = ($x.at(i), $y.at(i));
                match (p, q) {
                    (true, false) => a,
                    (false, _) => b,
                    // The second operand stays on a tie and beside a NaN.
                    _ if $op == "NULL_MAX" => {
                        if a > b {
                            a
                        } else {
                            b
                        }
                    }
                    _ => {
                        if a < b {
                            a
                        } else {
                            b
                        }
                    }
                }
            })
            .collect();
        (values, super::super::column::mask(&valid))
    }};
}

fn double_op(op: &str, l: &Operand, r: &Operand, n: usize, out: DType) -> K {
    let (x, y) = (side_f64(l)?, side_f64(r)?);
    if let Some(v) = comparisons!(op, x, y, n, l, r) {
        return Ok(compared(op, v, l, r));
    }
    let values = match op {
        "ADD" => zip(&x, &y, n, |a, b| a + b),
        "SUB" => zip(&x, &y, n, |a, b| a - b),
        "MUL" => zip(&x, &y, n, |a, b| a * b),
        "DIV" | "TRUE_DIV" => zip(&x, &y, n, |a, b| a / b),
        "FLOOR_DIV" => zip(&x, &y, n, |a, b| (a / b).floor()),
        "MOD" => zip(&x, &y, n, |a, b| a % b),
        "PMOD" => zip(&x, &y, n, |a, b| {
            let m = a % b;
            if m < 0.0 { (m + b) % b } else { m }
        }),
        "PYMOD" => zip(&x, &y, n, |a, b| ((a % b) + b) % b),
        "POW" => zip(&x, &y, n, super::unary::pow),
        "ATAN2" => zip(&x, &y, n, libm::atan2),
        "LOG_BASE" => zip(&x, &y, n, |a, b| libm::log(a) / libm::log(b)),
        "LOGICAL_AND" => return truth(zip(&x, &y, n, |a, b| a != 0.0 && b != 0.0), l, r, out),
        "LOGICAL_OR" => return truth(zip(&x, &y, n, |a, b| a != 0.0 || b != 0.0), l, r, out),
        "NULL_MAX" | "NULL_MIN" => {
            let (v, nulls) = null_pick!(op, x, y, n, l, r);
            return cast::numeric(&Col::new(DType::FLOAT64, Data::F64(v.into()), nulls), out);
        }
        _ => return unsupported(),
    };
    let col = Col::new(DType::FLOAT64, Data::F64(values.into()), joined_nulls(l, r, n));
    cast::numeric_owned(col, out)
}

fn truth(v: Vec<bool>, l: &Operand, r: &Operand, out: DType) -> K {
    let n = v.len();
    cast::numeric_owned(Col::bools(v, joined_nulls(l, r, n)), out)
}

fn single_op(op: &str, l: &Operand, r: &Operand, n: usize, out: DType) -> K {
    let (x, y) = (side_f32(l), side_f32(r));
    if let Some(v) = comparisons!(op, x, y, n, l, r) {
        return Ok(compared(op, v, l, r));
    }
    let values = match op {
        "ADD" => zip(&x, &y, n, |a, b| a + b),
        "SUB" => zip(&x, &y, n, |a, b| a - b),
        "MUL" => zip(&x, &y, n, |a, b| a * b),
        "DIV" => zip(&x, &y, n, |a, b| a / b),
        "FLOOR_DIV" => zip(&x, &y, n, |a, b| (a / b).floor()),
        "MOD" => zip(&x, &y, n, |a, b| a % b),
        "PMOD" => zip(&x, &y, n, |a, b| {
            let m = a % b;
            if m < 0.0 { (m + b) % b } else { m }
        }),
        "PYMOD" => zip(&x, &y, n, |a, b| ((a % b) + b) % b),
        "LOGICAL_AND" => return truth(zip(&x, &y, n, |a, b| a != 0.0 && b != 0.0), l, r, out),
        "LOGICAL_OR" => return truth(zip(&x, &y, n, |a, b| a != 0.0 || b != 0.0), l, r, out),
        "NULL_MAX" | "NULL_MIN" => {
            let (v, nulls) = null_pick!(op, x, y, n, l, r);
            return cast::numeric(&Col::new(DType::of(TypeId::Float32), Data::F32(v.into()), nulls), out);
        }
        _ => return unsupported(),
    };
    let col = Col::new(
        DType::of(TypeId::Float32),
        Data::F32(values.into()),
        joined_nulls(l, r, n),
    );
    cast::numeric_owned(col, out)
}

/// Quotient and remainder of 64-bit numbers by zero, as the device's division routine leaves them.
fn by_zero(a: i64) -> i64 {
    if (0..1 << 32).contains(&a) { 0xffff_ffff } else { -1 }
}

pub(super) fn div64(a: i64, b: i64) -> i64 {
    if b == 0 { by_zero(a) } else { a.wrapping_div(b) }
}

pub(super) fn rem64(a: i64, b: i64) -> i64 {
    if b == 0 { by_zero(a) } else { a.wrapping_rem(b) }
}

pub(super) fn div32(a: i32, b: i32) -> i32 {
    if b == 0 { -1 } else { a.wrapping_div(b) }
}

pub(super) fn rem32(a: i32, b: i32) -> i32 {
    if b == 0 { -1 } else { a.wrapping_rem(b) }
}

macro_rules! integer_ops {
    ($t:ty, $u:ty, $bits:expr, $op:expr, $x:expr, $y:expr, $n:expr, $div:path, $rem:path) => {
        match $op {
            "ADD" => zip(&$x, &$y, $n, |a, b| a.wrapping_add(b)),
            "SUB" => zip(&$x, &$y, $n, |a, b| a.wrapping_sub(b)),
            "MUL" => zip(&$x, &$y, $n, |a, b| a.wrapping_mul(b)),
            "DIV" => zip(&$x, &$y, $n, $div),
            "MOD" => zip(&$x, &$y, $n, $rem),
            "FLOOR_DIV" => zip(&$x, &$y, $n, |a, b| {
                let (q, r) = ($div(a, b), $rem(a, b));
                if r != 0 && (a ^ b) < 0 { q.wrapping_sub(1) } else { q }
            }),
            "PMOD" => zip(&$x, &$y, $n, |a, b| {
                let m = $rem(a, b);
                if m < 0 { $rem(m.wrapping_add(b), b) } else { m }
            }),
            "PYMOD" => zip(&$x, &$y, $n, |a, b| $rem($rem(a, b).wrapping_add(b), b)),
            "BITWISE_AND" => zip(&$x, &$y, $n, |a, b| a & b),
            "BITWISE_OR" => zip(&$x, &$y, $n, |a, b| a | b),
            "BITWISE_XOR" => zip(&$x, &$y, $n, |a, b| a ^ b),
            // The device takes distances as unsigned 32-bit numbers and shifts everything out beyond the width.
            "SHIFT_LEFT" => zip(
                &$x,
                &$y,
                $n,
                |a, b| if (b as u32) < $bits { a << (b as u32) } else { 0 },
            ),
            "SHIFT_RIGHT" => zip(&$x, &$y, $n, |a, b| a >> (b as u32).min($bits - 1)),
            "INT_POW" => zip(&$x, &$y, $n, |a: $t, b: $t| match (b < 0, a) {
                (true, 1) => 1,
                (true, -1) => {
                    if b & 1 == 0 {
                        1
                    } else {
                        -1
                    }
                }
                (true, _) => 0,
                _ => a.wrapping_pow(u32::try_from(b).unwrap_or(u32::MAX)),
            }),
            _ => return unsupported(),
        }
    };
}

fn int_op(op: &str, l: &Operand, r: &Operand, n: usize, out: DType) -> K {
    let (x, y) = (side_i32(l), side_i32(r));
    if let Some(v) = comparisons!(op, x, y, n, l, r) {
        return Ok(compared(op, v, l, r));
    }
    let values = match op {
        "LOGICAL_AND" => return truth(zip(&x, &y, n, |a, b| a != 0 && b != 0), l, r, out),
        "LOGICAL_OR" => return truth(zip(&x, &y, n, |a, b| a != 0 || b != 0), l, r, out),
        "NULL_MAX" | "NULL_MIN" => {
            let (v, nulls) = null_pick!(op, x, y, n, l, r);
            return cast::numeric_owned(Col::ints(v, nulls), out);
        }
        // Where everything has one small type, it is shifted as an unsigned number of that type.
        "SHIFT_RIGHT_UNSIGNED" => {
            let mask = match (l.dtype().id, l.dtype() == r.dtype() && l.dtype() == out) {
                (TypeId::Int8 | TypeId::Uint8 | TypeId::Bool8, true) => 0xff,
                (TypeId::Int16 | TypeId::Uint16, true) => 0xffff,
                _ => u32::MAX,
            };
            zip(&x, &y, n, |a, b| {
                if (b as u32) < 32 {
                    ((a as u32 & mask) >> b) as i32
                } else {
                    0
                }
            })
        }
        _ => integer_ops!(i32, u32, 32, op, x, y, n, div32, rem32),
    };
    cast::numeric_owned(Col::ints(values, joined_nulls(l, r, n)), out)
}

fn long_op(op: &str, l: &Operand, r: &Operand, n: usize, out: DType) -> K {
    let (x, y) = (side_i64(l), side_i64(r));
    if let Some(v) = comparisons!(op, x, y, n, l, r) {
        return Ok(compared(op, v, l, r));
    }
    let values = match op {
        "LOGICAL_AND" => return truth(zip(&x, &y, n, |a, b| a != 0 && b != 0), l, r, out),
        "LOGICAL_OR" => return truth(zip(&x, &y, n, |a, b| a != 0 || b != 0), l, r, out),
        "NULL_MAX" | "NULL_MIN" => {
            let (v, nulls) = null_pick!(op, x, y, n, l, r);
            return cast::numeric_owned(Col::from_i64(DType::INT64, v, nulls), out);
        }
        "SHIFT_RIGHT_UNSIGNED" => zip(&x, &y, n, |a, b| {
            if (b as u32) < 64 {
                ((a as u64) >> (b as u32)) as i64
            } else {
                0
            }
        }),
        _ => integer_ops!(i64, u64, 64, op, x, y, n, div64, rem64),
    };
    cast::numeric_owned(Col::from_i64(DType::INT64, values, joined_nulls(l, r, n)), out)
}

fn logic3(op: &str, l: &Operand, r: &Operand, n: usize, out: DType) -> K {
    if l.dtype() != DType::BOOL || r.dtype() != DType::BOOL {
        return refuse(format!("{op} on other types than BOOL8 is not covered"));
    }
    let (x, y) = (side_i32(l), side_i32(r));
    // `decides` is the value that settles the result whatever the other side is.
    let decides = op == "NULL_LOGICAL_OR";
    let mut valid = Vec::with_capacity(n);
    let values: Vec<bool> = (0..n)
        .map(|i| {
            let a = l.is_valid(i).then(|| x.at(i) != 0);
            let b = r.is_valid(i).then(|| y.at(i) != 0);
            let v = match (a, b) {
                (Some(v), _) if v == decides => Some(decides),
                (_, Some(v)) if v == decides => Some(decides),
                (Some(_), Some(_)) => Some(!decides),
                _ => None,
            };
            valid.push(v.is_some());
            v.unwrap_or(false)
        })
        .collect();
    cast::numeric_owned(Col::bools(values, super::super::column::mask(&valid)), out)
}

/// Text of a row of either operand.
pub(super) fn text_of(o: &Operand, i: usize) -> Option<&[u8]> {
    match o {
        Operand::Col(c) => c.text(i),
        Operand::Scalar(s) => match &s.value {
            Some(Elem::Str(t)) => Some(t),
            _ => None,
        },
    }
}

fn text(op: &str, l: &Operand, r: &Operand, n: usize, out: DType) -> K {
    if is_comparison_name(op) {
        let values = (0..n).map(|i| {
            let o = text_of(l, i).unwrap_or_default().cmp(text_of(r, i).unwrap_or_default());
            match op {
                "EQUAL" | "NULL_EQUALS" => o.is_eq(),
                "NOT_EQUAL" | "NULL_NOT_EQUALS" => o.is_ne(),
                "LESS" => o.is_lt(),
                "GREATER" => o.is_gt(),
                "LESS_EQUAL" => o.is_le(),
                _ => o.is_ge(),
            }
        });
        return Ok(compared(op, values.collect(), l, r));
    }
    if matches!(op, "NULL_MAX" | "NULL_MIN") && out == DType::STRING {
        return Ok(Col::strings((0..n).map(|i| match (text_of(l, i), text_of(r, i)) {
            (Some(a), Some(b)) if op == "NULL_MAX" => Some(a.max(b)),
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        })));
    }
    unsupported()
}

/// Timestamps and durations: comparisons within a type, and sums and differences.
fn chrono(op: &str, l: &Operand, r: &Operand, n: usize, out: DType) -> K {
    let (a, b) = (l.dtype(), r.dtype());
    let (x, y) = (side_i64(l), side_i64(r));
    if a == b
        && let Some(v) = comparisons!(op, x, y, n, l, r)
    {
        return Ok(compared(op, v, l, r));
    }
    if a == b && out == a && matches!(op, "NULL_MAX" | "NULL_MIN") {
        let (v, nulls) = null_pick!(op, x, y, n, l, r);
        return Ok(Col::from_i64(out, v, nulls));
    }
    let result = match op {
        "ADD" if a.is_timestamp() && b.is_duration() || a.is_duration() && b.is_timestamp() => TypeId::TimestampDays,
        "ADD" | "SUB" if a.is_duration() && b.is_duration() => TypeId::DurationDays,
        "SUB" if a.is_timestamp() && b.is_duration() => TypeId::TimestampDays,
        "SUB" if a.is_timestamp() && b.is_timestamp() => TypeId::DurationDays,
        _ => return unsupported(),
    };
    let wanted = if result == TypeId::TimestampDays {
        out.is_timestamp()
    } else {
        out.is_duration()
    };
    if !wanted || a.unit_nanos() != b.unit_nanos() || out.unit_nanos() != a.unit_nanos() {
        return refuse(format!("{op} of {a} and {b} to {out} is not covered"));
    }
    let v = zip(&x, &y, n, |p, q| {
        if op == "ADD" {
            p.wrapping_add(q)
        } else {
            p.wrapping_sub(q)
        }
    });
    Ok(Col::from_i64(out, v, joined_nulls(l, r, n)))
}
