//! Whole-column arithmetic, comparison and numeric casts. Operands have one type; constants are read as such. Decimals
//! go row by row through [`super::decimal`].

use std::cmp::Ordering;
use std::sync::Arc;

use arrow::array::{Array, ArrowPrimitiveType, AsArray, BooleanArray, PrimitiveArray};
use arrow::buffer::{BooleanBuffer, NullBuffer, ScalarBuffer};
use arrow::datatypes::*;

use super::col::{Col, Errs, arrow_failed, merge_errs, some_errs, strict_errs};
use super::plan::{Arith, Cmp, Mode, exc};
use super::ty::Ty;
use super::val::{Reader, cmp_f64, compare};
use crate::error::{Error, Result};

/// The union of the nulls of two operands, over `rows`; `Err(())` when a constant is null, so that every row is.
fn null_union(a: &Col, b: &Col) -> std::result::Result<Option<NullBuffer>, ()> {
    for c in [a, b] {
        if c.konst && c.is_null(0) {
            return Err(());
        }
    }
    let x = if a.konst { None } else { a.nulls() };
    let y = if b.konst { None } else { b.nulls() };
    Ok(NullBuffer::union(x, y))
}

fn both_const(a: &Col, b: &Col) -> bool {
    a.konst && b.konst
}

/// `f` over every pair of rows, nulls included.
fn zip_map<T: ArrowPrimitiveType, U>(a: &Col, b: &Col, f: impl Fn(T::Native, T::Native) -> U) -> Vec<U> {
    let (x, y) = (a.arr.as_primitive::<T>().values(), b.arr.as_primitive::<T>().values());
    match (a.konst, b.konst) {
        (true, false) => {
            let c = x[0];
            y.iter().map(|v| f(c, *v)).collect()
        }
        (false, true) => {
            let c = y[0];
            x.iter().map(|v| f(*v, c)).collect()
        }
        _ => x.iter().zip(y.iter()).map(|(p, q)| f(*p, *q)).collect(),
    }
}

fn finish<T: ArrowPrimitiveType>(
    vals: Vec<T::Native>,
    nulls: Option<NullBuffer>,
    errs: Option<Errs>,
    konst: bool,
) -> Result<Col> {
    let nulls = match &errs {
        Some(e) => NullBuffer::union(nulls.as_ref(), Some(&NullBuffer::from_iter(e.iter().map(|c| *c == 0)))),
        None => nulls,
    };
    let arr = PrimitiveArray::<T>::try_new(ScalarBuffer::from(vals), nulls).map_err(arrow_failed)?;
    Ok(Col {
        arr: Arc::new(arr),
        konst,
        errs,
    })
}

fn total<T: ArrowPrimitiveType>(
    a: &Col,
    b: &Col,
    rows: usize,
    ty: &Ty,
    f: impl Fn(T::Native, T::Native) -> T::Native,
) -> Result<Col> {
    let konst = both_const(a, b);
    let errs = strict_errs(&[a, b], if konst { 1 } else { rows });
    let Ok(nulls) = null_union(a, b) else {
        return all_null(ty, errs, konst, rows);
    };
    finish::<T>(zip_map::<T, _>(a, b, f), nulls, errs, konst)
}

fn all_null(ty: &Ty, errs: Option<Errs>, konst: bool, rows: usize) -> Result<Col> {
    let mut c = Col::null(ty);
    if let Some(e) = errs {
        if !konst {
            c = c.expand(rows)?;
        }
        c.errs = Some(e);
    }
    Ok(c)
}

/// What a partial operation came to on a row: a value, null, or an exception.
type Partial<T> = std::result::Result<T, Option<u8>>;

/// `f` over the rows where both operands are valid; `right_first` for the division family, whose divisor is looked at first.
fn partial<T: ArrowPrimitiveType>(
    a: &Col,
    b: &Col,
    rows: usize,
    ty: &Ty,
    right_first: bool,
    f: impl Fn(T::Native, T::Native) -> Partial<T::Native>,
) -> Result<Col> {
    let konst = both_const(a, b);
    let n = if konst { 1 } else { rows };
    let order = if right_first { [b, a] } else { [a, b] };
    let before = strict_errs(&order, n);
    let Ok(nulls) = null_union(a, b) else {
        return all_null(ty, before, konst, rows);
    };
    let (x, y) = (a.arr.as_primitive::<T>().values(), b.arr.as_primitive::<T>().values());
    let mut vals = Vec::with_capacity(n);
    let mut bad: Vec<(usize, u8)> = Vec::new();
    for i in 0..n {
        if nulls.as_ref().is_some_and(|m| m.is_null(i)) {
            vals.push(T::Native::default());
            continue;
        }
        match f(x[a.at(i)], y[b.at(i)]) {
            Ok(v) => vals.push(v),
            Err(e) => {
                vals.push(T::Native::default());
                bad.push((i, e.unwrap_or(0)));
            }
        }
    }
    if bad.is_empty() {
        return finish::<T>(vals, nulls, before, konst);
    }
    let mut valid: Vec<bool> = (0..n).map(|i| nulls.as_ref().is_none_or(|m| m.is_valid(i))).collect();
    let mut errs = vec![0u8; n];
    for (i, e) in bad {
        valid[i] = false;
        errs[i] = e;
    }
    finish::<T>(
        vals,
        Some(NullBuffer::from(valid)),
        merge_errs(before, some_errs(errs)),
        konst,
    )
}

fn overflow(mode: Mode) -> Option<u8> {
    (mode == Mode::Ansi).then_some(exc::ARITHMETIC)
}

macro_rules! integer {
    ($t:ty, $n:ty, $op:expr, $a:expr, $b:expr, $rows:expr, $ty:expr, $mode:expr) => {{
        let bad = overflow($mode);
        let checked = $mode != Mode::Legacy;
        match $op {
            Arith::Add if checked => {
                partial::<$t>($a, $b, $rows, $ty, false, |x: $n, y: $n| x.checked_add(y).ok_or(bad))
            }
            Arith::Sub if checked => {
                partial::<$t>($a, $b, $rows, $ty, false, |x: $n, y: $n| x.checked_sub(y).ok_or(bad))
            }
            Arith::Mul if checked => {
                partial::<$t>($a, $b, $rows, $ty, false, |x: $n, y: $n| x.checked_mul(y).ok_or(bad))
            }
            Arith::Add => total::<$t>($a, $b, $rows, $ty, |x: $n, y: $n| x.wrapping_add(y)),
            Arith::Sub => total::<$t>($a, $b, $rows, $ty, |x: $n, y: $n| x.wrapping_sub(y)),
            Arith::Mul => total::<$t>($a, $b, $rows, $ty, |x: $n, y: $n| x.wrapping_mul(y)),
            Arith::And => total::<$t>($a, $b, $rows, $ty, |x: $n, y: $n| x & y),
            Arith::Or => total::<$t>($a, $b, $rows, $ty, |x: $n, y: $n| x | y),
            Arith::Xor => total::<$t>($a, $b, $rows, $ty, |x: $n, y: $n| x ^ y),
            Arith::Rem => partial::<$t>($a, $b, $rows, $ty, true, |x: $n, y: $n| {
                if y == 0 { Err(bad) } else { Ok(x.wrapping_rem(y)) }
            }),
            Arith::Pmod => partial::<$t>($a, $b, $rows, $ty, true, |x: $n, y: $n| {
                if y == 0 {
                    return Err(bad);
                }
                let r = x.wrapping_rem(y);
                Ok(match r {
                    0.. => r,
                    // The JVM widens bytes and shorts to int before it adds.
                    _ if <$n>::BITS < 32 => ((i64::from(r) + i64::from(y)) % i64::from(y)) as $n,
                    _ => r.wrapping_add(y).wrapping_rem(y),
                })
            }),
            Arith::IntDiv => partial::<$t>($a, $b, $rows, $ty, true, |x: $n, y: $n| {
                if y == 0 || ($mode == Mode::Ansi && x == <$n>::MIN && y == -1) {
                    return Err(bad);
                }
                Ok(x.wrapping_div(y))
            }),
            Arith::Div => Err(Error::internal("integers are not divided with /")),
        }
    }};
}

macro_rules! floating {
    ($t:ty, $n:ty, $op:expr, $a:expr, $b:expr, $rows:expr, $ty:expr, $mode:expr) => {{
        let bad = overflow($mode);
        let b_const: Option<$n> = ($b.konst && !$b.is_null(0)).then(|| $b.arr.as_primitive::<$t>().value(0));
        match $op {
            Arith::Add => total::<$t>($a, $b, $rows, $ty, |x: $n, y: $n| x + y),
            Arith::Sub => total::<$t>($a, $b, $rows, $ty, |x: $n, y: $n| x - y),
            Arith::Mul => total::<$t>($a, $b, $rows, $ty, |x: $n, y: $n| x * y),
            Arith::Div if b_const.is_some_and(|c| c != 0.0) && $a.errs.is_none() => {
                total::<$t>($a, $b, $rows, $ty, |x: $n, y: $n| x / y)
            }
            Arith::Div => partial::<$t>(
                $a,
                $b,
                $rows,
                $ty,
                true,
                |x: $n, y: $n| if y == 0.0 { Err(bad) } else { Ok(x / y) },
            ),
            Arith::Rem => partial::<$t>(
                $a,
                $b,
                $rows,
                $ty,
                true,
                |x: $n, y: $n| if y == 0.0 { Err(bad) } else { Ok(x % y) },
            ),
            Arith::Pmod => partial::<$t>($a, $b, $rows, $ty, true, |x: $n, y: $n| {
                if y == 0.0 {
                    return Err(bad);
                }
                let r = x % y;
                Ok(if r < 0.0 { (r + y) % y } else { r })
            }),
            _ => Err(Error::internal("not an operation on floats")),
        }
    }};
}

/// Arithmetic on operands of one primitive type.
pub fn arith(op: Arith, ty: &Ty, a: &Col, b: &Col, rows: usize, mode: Mode) -> Result<Col> {
    match ty {
        Ty::I8 => integer!(Int8Type, i8, op, a, b, rows, ty, mode),
        Ty::I16 => integer!(Int16Type, i16, op, a, b, rows, ty, mode),
        Ty::I32 | Ty::Ym => integer!(Int32Type, i32, op, a, b, rows, ty, mode),
        Ty::I64 | Ty::Dt | Ty::Day => integer!(Int64Type, i64, op, a, b, rows, ty, mode),
        Ty::F32 => floating!(Float32Type, f32, op, a, b, rows, ty, mode),
        Ty::F64 => floating!(Float64Type, f64, op, a, b, rows, ty, mode),
        other => Err(Error::internal(format!("no arithmetic on {other}"))),
    }
}

fn test(op: Cmp, o: Ordering) -> bool {
    match op {
        Cmp::Eq | Cmp::NullSafe => o == Ordering::Equal,
        Cmp::Lt => o == Ordering::Less,
        Cmp::Le => o != Ordering::Greater,
        Cmp::Gt => o == Ordering::Greater,
        Cmp::Ge => o != Ordering::Less,
    }
}

fn ordered<T: ArrowPrimitiveType>(op: Cmp, a: &Col, b: &Col, n: usize) -> BooleanBuffer
where
    T::Native: PartialOrd,
{
    let (x, y) = (a.arr.as_primitive::<T>().values(), b.arr.as_primitive::<T>().values());
    let at = |i: usize| (x[a.at(i)], y[b.at(i)]);
    let by = |f: fn(&T::Native, &T::Native) -> bool| {
        BooleanBuffer::collect_bool(n, |i| {
            let (p, q) = at(i);
            f(&p, &q)
        })
    };
    match op {
        Cmp::Eq | Cmp::NullSafe => by(|p, q| p == q),
        Cmp::Lt => by(|p, q| p < q),
        Cmp::Le => by(|p, q| p <= q),
        Cmp::Gt => by(|p, q| p > q),
        Cmp::Ge => by(|p, q| p >= q),
    }
}

/// A comparison of operands of one type, by Spark's order.
pub fn cmp(op: Cmp, ty: &Ty, a: &Col, b: &Col, rows: usize) -> Result<Col> {
    let konst = both_const(a, b);
    let n = if konst { 1 } else { rows };
    let bits = match ty {
        Ty::I8 => ordered::<Int8Type>(op, a, b, n),
        Ty::I16 => ordered::<Int16Type>(op, a, b, n),
        Ty::I32 | Ty::Ym => ordered::<Int32Type>(op, a, b, n),
        Ty::I64 | Ty::Dt | Ty::Day => ordered::<Int64Type>(op, a, b, n),
        Ty::Date => ordered::<Date32Type>(op, a, b, n),
        Ty::Ts => ordered::<TimestampMicrosecondType>(op, a, b, n),
        Ty::Dec(..) => ordered::<Decimal128Type>(op, a, b, n),
        Ty::F64 => {
            let (x, y) = (
                a.arr.as_primitive::<Float64Type>().values(),
                b.arr.as_primitive::<Float64Type>().values(),
            );
            BooleanBuffer::collect_bool(n, |i| test(op, cmp_f64(x[a.at(i)], y[b.at(i)])))
        }
        Ty::F32 => {
            let (x, y) = (
                a.arr.as_primitive::<Float32Type>().values(),
                b.arr.as_primitive::<Float32Type>().values(),
            );
            BooleanBuffer::collect_bool(n, |i| test(op, cmp_f64(f64::from(x[a.at(i)]), f64::from(y[b.at(i)]))))
        }
        Ty::Str => {
            let (x, y) = (a.arr.as_string::<i32>(), b.arr.as_string::<i32>());
            BooleanBuffer::collect_bool(n, |i| test(op, x.value(a.at(i)).cmp(y.value(b.at(i)))))
        }
        _ => {
            let (x, y) = (Reader::new(ty, a.arr.as_ref()), Reader::new(ty, b.arr.as_ref()));
            BooleanBuffer::collect_bool(n, |i| test(op, compare(&x.get(a.at(i)), &y.get(b.at(i)))))
        }
    };
    if op == Cmp::NullSafe {
        return Ok(null_safe(a, b, n, bits, konst));
    }
    let errs = strict_errs(&[a, b], n);
    let Ok(nulls) = null_union(a, b) else {
        return all_null(&Ty::Bool, errs, konst, rows);
    };
    Ok(Col {
        arr: Arc::new(BooleanArray::new(bits, nulls)),
        konst,
        errs,
    })
}

fn null_safe(a: &Col, b: &Col, n: usize, bits: BooleanBuffer, konst: bool) -> Col {
    let errs = super::col::any_errs(&[a, b], n);
    let plain = a.arr.null_count() == 0 && b.arr.null_count() == 0;
    let bits = if plain {
        bits
    } else {
        BooleanBuffer::collect_bool(n, |i| match (a.is_null(i), b.is_null(i)) {
            (true, true) => true,
            (false, false) => bits.value(i),
            _ => false,
        })
    };
    let nulls = errs.as_ref().map(|e| NullBuffer::from_iter(e.iter().map(|c| *c == 0)));
    Col {
        arr: Arc::new(BooleanArray::new(bits, nulls)),
        konst,
        errs,
    }
}

/// A numeric cast that cannot fail, over the whole column; `None` when the pair needs the row-by-row cast.
pub fn fast_cast(c: &Col, from: &Ty, to: &Ty, mode: Mode) -> Option<Col> {
    macro_rules! go {
        ($f:ty, $t:ty, $conv:expr) => {{
            let a = c.arr.as_primitive::<$f>();
            let vals: Vec<<$t as ArrowPrimitiveType>::Native> = a.values().iter().map($conv).collect();
            Some(Col {
                arr: Arc::new(PrimitiveArray::<$t>::new(ScalarBuffer::from(vals), a.nulls().cloned())),
                konst: c.konst,
                errs: c.errs.clone(),
            })
        }};
    }
    let legacy = mode == Mode::Legacy;
    match (from, to) {
        (Ty::I8, Ty::I32) => go!(Int8Type, Int32Type, |v| i32::from(*v)),
        (Ty::I16, Ty::I32) => go!(Int16Type, Int32Type, |v| i32::from(*v)),
        (Ty::I8, Ty::I64) => go!(Int8Type, Int64Type, |v| i64::from(*v)),
        (Ty::I16, Ty::I64) => go!(Int16Type, Int64Type, |v| i64::from(*v)),
        (Ty::I32, Ty::I64) => go!(Int32Type, Int64Type, |v| i64::from(*v)),
        (Ty::I32, Ty::F64) => go!(Int32Type, Float64Type, |v| f64::from(*v)),
        (Ty::I64, Ty::F64) => go!(Int64Type, Float64Type, |v| *v as f64),
        (Ty::I32, Ty::F32) => go!(Int32Type, Float32Type, |v| *v as f32),
        (Ty::I64, Ty::F32) => go!(Int64Type, Float32Type, |v| *v as f32),
        (Ty::F32, Ty::F64) => go!(Float32Type, Float64Type, |v| f64::from(*v)),
        (Ty::F64, Ty::F32) => go!(Float64Type, Float32Type, |v| *v as f32),
        (Ty::I64, Ty::I32) if legacy => go!(Int64Type, Int32Type, |v| *v as i32),
        (Ty::F64, Ty::I32) if legacy => go!(Float64Type, Int32Type, |v| *v as i32),
        (Ty::F64, Ty::I64) if legacy => go!(Float64Type, Int64Type, |v| *v as i64),
        _ => None,
    }
}
