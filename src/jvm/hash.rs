//! Hash codes of values. In: a value; out: Scala's `##` or Java's `hashCode`, `None` where it is not known (identity
//! hashes, big numbers). Iteration orders of hash collections follow from them.

use super::object::Object;
use super::text::JStr;
use super::value::Value;
use super::view::View;

/// `String.hashCode`.
pub fn string_hash(text: &JStr) -> i32 {
    match text {
        JStr::Ascii(s) => s
            .bytes()
            .fold(0i32, |h, b| h.wrapping_mul(31).wrapping_add(i32::from(b))),
        JStr::Wide(u) => u
            .iter()
            .fold(0i32, |h, c| h.wrapping_mul(31).wrapping_add(i32::from(*c))),
    }
}

/// `Long.hashCode`.
pub fn long_hash(v: i64) -> i32 {
    (v ^ ((v as u64) >> 32) as i64) as i32
}

/// `Double.hashCode`: all NaN are one.
pub fn double_hash(v: f64) -> i32 {
    let bits = if v.is_nan() { 0x7ff8_0000_0000_0000 } else { v.to_bits() };
    long_hash(bits as i64)
}

/// `Float.hashCode`.
pub fn float_hash(v: f32) -> i32 {
    if v.is_nan() { 0x7fc0_0000 } else { v.to_bits() as i32 }
}

/// `##` of a Long: that of the Int where it fits one.
fn scala_long(v: i64) -> i32 {
    if i64::from(v as i32) == v {
        v as i32
    } else {
        long_hash(v)
    }
}

/// `##` of a Double: that of the integer it is equal to.
fn scala_double(v: f64) -> i32 {
    if f64::from(v as i32) == v {
        v as i32
    } else if (v as i64) as f64 == v {
        scala_long(v as i64)
    } else if f64::from(v as f32) == v {
        float_hash(v as f32)
    } else {
        double_hash(v)
    }
}

fn scala_float(v: f32) -> i32 {
    if (v as i32) as f32 == v {
        v as i32
    } else if (v as i64) as f32 == v {
        scala_long(v as i64)
    } else {
        float_hash(v)
    }
}

/// Scala's `##`.
pub fn scala_hash(v: &Value) -> Option<i32> {
    match v {
        Value::Null => Some(0),
        Value::Long(x) => Some(scala_long(*x)),
        Value::Double(x) => Some(scala_double(*x)),
        Value::Float(x) => Some(scala_float(*x)),
        other => java_hash(other),
    }
}

/// Java's `hashCode`; that of null is 0, as collections treat it.
pub fn java_hash(v: &Value) -> Option<i32> {
    Some(match v {
        Value::Null | Value::Unit => 0,
        Value::Bool(b) => {
            if *b {
                1231
            } else {
                1237
            }
        }
        Value::Byte(x) => i32::from(*x),
        Value::Short(x) => i32::from(*x),
        Value::Char(x) => i32::from(*x),
        Value::Int(x) => *x,
        Value::Long(x) => long_hash(*x),
        Value::Float(x) => float_hash(*x),
        Value::Double(x) => double_hash(*x),
        Value::Str(s) => string_hash(s),
        Value::Obj(o) => return object_hash(o),
    })
}

fn object_hash(object: &std::sync::Arc<Object>) -> Option<i32> {
    match &**object {
        Object::Tuple(items) | Object::Class(_, items) if !items.is_empty() => product_hash(items),
        Object::Some(v) => product_hash(std::slice::from_ref(v)),
        Object::None => Some(string_hash(&JStr::new("None"))),
        Object::Wrapper(_, v) => product_hash(std::slice::from_ref(v)),
        Object::Seq(super::object::SeqClass::JavaList | super::object::SeqClass::JavaFixed, items) => {
            java_list_hash(items)
        }
        Object::Seq(super::object::SeqClass::MapValues, _) => None,
        Object::Seq(..) | Object::Range(_) => {
            let view = View::of_object(object)?;
            let mut h = string_hash(&JStr::new("Seq"));
            for i in 0..view.len() {
                h = mix(h, scala_hash(&view.get(i)?)?);
            }
            Some(finalize(h, view.len() as i32))
        }
        _ => None,
    }
}

fn java_list_hash(items: &[Value]) -> Option<i32> {
    items
        .iter()
        .try_fold(1i32, |h, v| Some(h.wrapping_mul(31).wrapping_add(java_hash(v)?)))
}

fn product_hash(items: &[Value]) -> Option<i32> {
    let mut h = 0xcafe_babe_u32 as i32;
    for item in items {
        h = mix(h, scala_hash(item)?);
    }
    Some(finalize(h, items.len() as i32))
}

fn mix(hash: i32, data: i32) -> i32 {
    let mut k = data.wrapping_mul(0xcc9e_2d51_u32 as i32);
    k = k.rotate_left(15).wrapping_mul(0x1b87_3593);
    (hash ^ k)
        .rotate_left(13)
        .wrapping_mul(5)
        .wrapping_add(0xe654_6b64_u32 as i32)
}

fn finalize(hash: i32, length: i32) -> i32 {
    let mut h = (hash ^ length) as u32;
    h ^= h >> 16;
    h = h.wrapping_mul(0x85eb_ca6b);
    h ^= h >> 13;
    h = h.wrapping_mul(0xc2b2_ae35);
    (h ^ (h >> 16)) as i32
}

/// The order of Scala 2.12's hash trie: elements come by the five-bit digits of the improved hash, lowest digit first.
pub fn trie_key(hash: i32) -> u64 {
    let mut h = hash.wrapping_add(!(hash << 9)) as u32;
    h ^= h >> 14;
    h = h.wrapping_add(h << 4);
    h ^= h >> 10;
    (0..7).fold(0u64, |key, digit| key << 5 | u64::from(h >> (digit * 5) & 31))
}
