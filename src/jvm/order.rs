//! Natural order and sorting. In: values; out: how Scala's `Ordering` and Java's `compareTo` order them, and stable sorts that ask
//! the same comparisons in effect. Never panics on an inconsistent comparison.

use std::cmp::Ordering;

use super::equality::compare_decimals;
use super::object::Object;
use super::text::JStr;
use super::time::Time;
use super::value::{Eval, Throw, Value};

/// `compareTo` of strings: UTF-16 units.
pub fn compare_text(a: &JStr, b: &JStr) -> Ordering {
    match (a, b) {
        (JStr::Ascii(x), JStr::Ascii(y)) => x.as_bytes().cmp(y.as_bytes()),
        _ => a.units().cmp(&b.units()),
    }
}

/// `java.lang.Double.compare`: -0.0 before 0.0, NaN last and equal to itself.
pub fn compare_doubles(a: f64, b: f64) -> Ordering {
    match (a.is_nan(), b.is_nan()) {
        (true, true) => Ordering::Equal,
        (true, false) => Ordering::Greater,
        (false, true) => Ordering::Less,
        _ => a.total_cmp(&b),
    }
}

/// `Ordering[A].compare` for the natural order of a type.
pub fn compare(a: &Value, b: &Value) -> Eval<Ordering> {
    use Value::*;
    Ok(match (a, b) {
        (Int(x), Int(y)) => x.cmp(y),
        (Long(x), Long(y)) => x.cmp(y),
        (Short(x), Short(y)) => x.cmp(y),
        (Byte(x), Byte(y)) => x.cmp(y),
        (Char(x), Char(y)) => x.cmp(y),
        (Bool(x), Bool(y)) => x.cmp(y),
        (Double(x), Double(y)) => compare_doubles(*x, *y),
        (Float(x), Float(y)) => compare_doubles(f64::from(*x), f64::from(*y)),
        (Str(x), Str(y)) => compare_text(x, y),
        (Unit, Unit) => Ordering::Equal,
        (Null, _) | (_, Null) => return Err(Throw::null_pointer()),
        (Obj(x), Obj(y)) => return objects(x, y),
        _ => return Err(unknown(a)),
    })
}

fn objects(a: &Object, b: &Object) -> Eval<Ordering> {
    Ok(match (a, b) {
        (Object::Decimal { value: x, .. }, Object::Decimal { value: y, .. }) => compare_decimals(x, y),
        (Object::BigInt(x), Object::BigInt(y)) => x.cmp(y),
        (Object::None, Object::None) => Ordering::Equal,
        (Object::None, Object::Some(_)) => Ordering::Less,
        (Object::Some(_), Object::None) => Ordering::Greater,
        (Object::Some(x), Object::Some(y)) => compare(x, y)?,
        (Object::Tuple(x), Object::Tuple(y)) if x.len() == y.len() => {
            for (x, y) in x.iter().zip(y) {
                match compare(x, y)? {
                    Ordering::Equal => {}
                    other => return Ok(other),
                }
            }
            Ordering::Equal
        }
        (Object::Time(Time::LocalDate(x)), Object::Time(Time::LocalDate(y)))
        | (Object::Time(Time::SqlDate(x)), Object::Time(Time::SqlDate(y))) => x.cmp(y),
        (Object::Time(Time::LocalDateTime(d, n)), Object::Time(Time::LocalDateTime(e, m))) => (d, n).cmp(&(e, m)),
        (Object::Time(Time::Instant(s, n)), Object::Time(Time::Instant(t, m))) => (s, n).cmp(&(t, m)),
        (
            Object::Time(Time::SqlTimestamp {
                micros: x,
                sub_nanos: n,
            }),
            Object::Time(Time::SqlTimestamp {
                micros: y,
                sub_nanos: m,
            }),
        ) => (x, n).cmp(&(y, m)),
        _ => return Err(Throw::Unsupported("the order of these objects is not covered".into())),
    })
}

fn unknown(v: &Value) -> Throw {
    Throw::Unsupported(format!("the order of a {} is not covered", super::show::class_of(v)))
}

/// `Ordering[A].gteq`: for floats the IEEE comparison, which NaN fails.
pub fn gteq(a: &Value, b: &Value) -> Eval<bool> {
    match (a, b) {
        (Value::Double(x), Value::Double(y)) => Ok(x >= y),
        (Value::Float(x), Value::Float(y)) => Ok(x >= y),
        _ => Ok(compare(a, b)?.is_ge()),
    }
}

/// `Ordering[A].lteq`.
pub fn lteq(a: &Value, b: &Value) -> Eval<bool> {
    gteq(b, a)
}

/// `Ordering[A].gt`.
pub fn gt(a: &Value, b: &Value) -> Eval<bool> {
    match (a, b) {
        (Value::Double(x), Value::Double(y)) => Ok(x > y),
        (Value::Float(x), Value::Float(y)) => Ok(x > y),
        _ => Ok(compare(a, b)?.is_gt()),
    }
}

/// A comparison that may throw.
pub type Compare<'a> = &'a mut dyn FnMut(&Value, &Value) -> Eval<Ordering>;

/// Below this length Java sorts by binary insertion.
const INSERTION: usize = 32;

/// Stable sort. Short sequences are sorted exactly as `java.util.Arrays.sort` does, so that even an inconsistent comparison
/// gives the JVM's order; for longer ones any stable sort gives it if the comparison is consistent.
pub fn sort(items: Vec<Value>, cmp: Compare<'_>) -> Eval<Vec<Value>> {
    if items.len() < INSERTION {
        return insertion(items, cmp);
    }
    let mut left = items;
    let right = left.split_off(left.len() / 2);
    let (left, right) = (sort(left, cmp)?, sort(right, cmp)?);
    let mut out = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        let take_right = cmp(b, a)? == Ordering::Less;
        out.extend(if take_right { right.next() } else { left.next() });
    }
    out.extend(left);
    out.extend(right);
    Ok(out)
}

fn insertion(mut items: Vec<Value>, cmp: Compare<'_>) -> Eval<Vec<Value>> {
    if items.len() < 2 {
        return Ok(items);
    }
    // The run that the input begins with: kept if ascending, turned round if strictly descending.
    let mut run = 2;
    if cmp(&items[1], &items[0])? == Ordering::Less {
        while run < items.len() && cmp(&items[run], &items[run - 1])? == Ordering::Less {
            run += 1;
        }
        items[..run].reverse();
    } else {
        while run < items.len() && cmp(&items[run], &items[run - 1])? != Ordering::Less {
            run += 1;
        }
    }
    for start in run..items.len() {
        let (mut left, mut right) = (0, start);
        while left < right {
            let mid = (left + right) / 2;
            if cmp(&items[start], &items[mid])? == Ordering::Less {
                right = mid;
            } else {
                left = mid + 1;
            }
        }
        items[left..=start].rotate_right(1);
    }
    Ok(items)
}
