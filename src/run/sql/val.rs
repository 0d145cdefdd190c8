//! Single values and the way between them and Arrow columns. Row functions work on [`Val`]; columns of numbers never pass
//! through here on the fast path.

use std::borrow::Cow;
use std::cmp::Ordering;

use arrow::array::*;
use arrow::datatypes::TimestampMicrosecondType;
use arrow::datatypes::{
    Date32Type, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
};

use super::ty::Ty;

/// One value of a Spark SQL type; strings borrow from their column where they can.
#[derive(Debug, Clone)]
pub enum Val<'a> {
    /// NULL of any type.
    Null,
    /// BOOLEAN.
    Bool(bool),
    /// TINYINT.
    I8(i8),
    /// SMALLINT.
    I16(i16),
    /// INT.
    I32(i32),
    /// BIGINT.
    I64(i64),
    /// FLOAT.
    F32(f32),
    /// DOUBLE.
    F64(f64),
    /// The unscaled value; the scale is part of the type.
    Dec(i128),
    /// STRING.
    Str(Cow<'a, str>),
    /// BINARY.
    Bin(Cow<'a, [u8]>),
    /// Days since 1970-01-01.
    Date(i32),
    /// Microseconds since the epoch.
    Ts(i64),
    /// Months.
    Ym(i32),
    /// Microseconds.
    Dt(i64),
    /// Months, days, microseconds.
    Cal(i32, i32, i64),
    /// ARRAY.
    Arr(Vec<Val<'a>>),
    /// MAP, in the order of its entries.
    Map(Vec<(Val<'a>, Val<'a>)>),
    /// STRUCT.
    Struct(Vec<Val<'a>>),
}

impl<'a> Val<'a> {
    /// Whether it is NULL.
    pub fn is_null(&self) -> bool {
        matches!(self, Val::Null)
    }

    /// A string that was made here.
    pub fn text(s: impl Into<String>) -> Val<'a> {
        Val::Str(Cow::Owned(s.into()))
    }

    /// The text of a STRING.
    pub fn str(&self) -> &str {
        match self {
            Val::Str(s) => s,
            _ => "",
        }
    }

    /// The bytes of a BINARY or STRING.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Val::Bin(b) => b,
            Val::Str(s) => s.as_bytes(),
            _ => &[],
        }
    }

    /// The number under an INT or smaller.
    pub fn int(&self) -> i32 {
        self.long() as i32
    }

    /// The number under an integral, date, time or interval value.
    pub fn long(&self) -> i64 {
        match self {
            Val::I8(v) => i64::from(*v),
            Val::I16(v) => i64::from(*v),
            Val::I32(v) | Val::Date(v) | Val::Ym(v) => i64::from(*v),
            Val::I64(v) | Val::Ts(v) | Val::Dt(v) => *v,
            _ => 0,
        }
    }

    /// The number under a DOUBLE or FLOAT.
    pub fn double(&self) -> f64 {
        match self {
            Val::F64(v) => *v,
            Val::F32(v) => f64::from(*v),
            _ => 0.0,
        }
    }

    /// The unscaled value of a DECIMAL.
    pub fn unscaled(&self) -> i128 {
        match self {
            Val::Dec(v) => *v,
            _ => 0,
        }
    }

    /// The truth of a BOOLEAN.
    pub fn is_true(&self) -> bool {
        matches!(self, Val::Bool(true))
    }

    /// The elements of an ARRAY.
    pub fn items(&self) -> &[Val<'a>] {
        match self {
            Val::Arr(v) | Val::Struct(v) => v,
            _ => &[],
        }
    }

    /// The entries of a MAP.
    pub fn entries(&self) -> &[(Val<'a>, Val<'a>)] {
        match self {
            Val::Map(v) => v,
            _ => &[],
        }
    }

    /// The value with everything it borrows copied.
    pub fn owned(&self) -> Val<'static> {
        match self {
            Val::Null => Val::Null,
            Val::Bool(v) => Val::Bool(*v),
            Val::I8(v) => Val::I8(*v),
            Val::I16(v) => Val::I16(*v),
            Val::I32(v) => Val::I32(*v),
            Val::I64(v) => Val::I64(*v),
            Val::F32(v) => Val::F32(*v),
            Val::F64(v) => Val::F64(*v),
            Val::Dec(v) => Val::Dec(*v),
            Val::Str(s) => Val::Str(Cow::Owned(s.to_string())),
            Val::Bin(b) => Val::Bin(Cow::Owned(b.to_vec())),
            Val::Date(v) => Val::Date(*v),
            Val::Ts(v) => Val::Ts(*v),
            Val::Ym(v) => Val::Ym(*v),
            Val::Dt(v) => Val::Dt(*v),
            Val::Cal(m, d, u) => Val::Cal(*m, *d, *u),
            Val::Arr(v) => Val::Arr(v.iter().map(Val::owned).collect()),
            Val::Map(v) => Val::Map(v.iter().map(|(k, w)| (k.owned(), w.owned())).collect()),
            Val::Struct(v) => Val::Struct(v.iter().map(Val::owned).collect()),
        }
    }
}

/// Spark's order of doubles: NaN is the largest and equal to itself, both zeros are equal.
pub fn cmp_f64(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

/// Spark's order of two values of one type; a null sorts first.
pub fn compare(a: &Val, b: &Val) -> Ordering {
    match (a, b) {
        (Val::Null, Val::Null) => Ordering::Equal,
        (Val::Null, _) => Ordering::Less,
        (_, Val::Null) => Ordering::Greater,
        (Val::Bool(x), Val::Bool(y)) => x.cmp(y),
        (Val::F64(_) | Val::F32(_), _) => cmp_f64(a.double(), b.double()),
        (Val::Dec(x), Val::Dec(y)) => x.cmp(y),
        (Val::Str(_) | Val::Bin(_), _) => a.bytes().cmp(b.bytes()),
        (Val::Arr(x) | Val::Struct(x), Val::Arr(y) | Val::Struct(y)) => {
            for (p, q) in x.iter().zip(y) {
                let o = compare(p, q);
                if o != Ordering::Equal {
                    return o;
                }
            }
            x.len().cmp(&y.len())
        }
        (Val::Cal(m, d, u), Val::Cal(n, e, v)) => (m, d, u).cmp(&(n, e, v)),
        _ => a.long().cmp(&b.long()),
    }
}

/// Reads the values of a column; built once per column, so that no row pays for finding out its type.
pub enum Reader<'a> {
    /// Only nulls.
    Null,
    /// BOOLEAN.
    Bool(&'a BooleanArray),
    /// TINYINT.
    I8(&'a Int8Array),
    /// SMALLINT.
    I16(&'a Int16Array),
    /// INT.
    I32(&'a Int32Array),
    /// BIGINT.
    I64(&'a Int64Array),
    /// FLOAT.
    F32(&'a Float32Array),
    /// DOUBLE.
    F64(&'a Float64Array),
    /// DECIMAL.
    Dec(&'a Decimal128Array),
    /// STRING.
    Str(&'a StringArray),
    /// BINARY.
    Bin(&'a BinaryArray),
    /// DATE.
    Date(&'a Date32Array),
    /// TIMESTAMP.
    Ts(&'a TimestampMicrosecondArray),
    /// Year-month interval.
    Ym(&'a Int32Array),
    /// Day-time interval.
    Dt(&'a Int64Array),
    /// Calendar interval.
    Cal(&'a IntervalMonthDayNanoArray),
    /// ARRAY.
    Arr(&'a ListArray, Box<Reader<'a>>),
    /// MAP.
    Map(&'a MapArray, Box<Reader<'a>>, Box<Reader<'a>>),
    /// STRUCT.
    Struct(&'a StructArray, Vec<Reader<'a>>),
}

impl<'a> Reader<'a> {
    /// A reader of a column of this type.
    pub fn new(ty: &Ty, a: &'a dyn Array) -> Reader<'a> {
        match ty {
            Ty::Null => Reader::Null,
            Ty::Bool => Reader::Bool(a.as_boolean()),
            Ty::I8 => Reader::I8(a.as_primitive::<Int8Type>()),
            Ty::I16 => Reader::I16(a.as_primitive::<Int16Type>()),
            Ty::I32 => Reader::I32(a.as_primitive::<Int32Type>()),
            Ty::I64 => Reader::I64(a.as_primitive::<Int64Type>()),
            Ty::F32 => Reader::F32(a.as_primitive::<Float32Type>()),
            Ty::F64 => Reader::F64(a.as_primitive::<Float64Type>()),
            Ty::Dec(..) => Reader::Dec(a.as_primitive::<Decimal128Type>()),
            Ty::Str => Reader::Str(a.as_string::<i32>()),
            Ty::Bin => Reader::Bin(a.as_binary::<i32>()),
            Ty::Date => Reader::Date(a.as_primitive::<Date32Type>()),
            Ty::Ts => Reader::Ts(a.as_primitive::<TimestampMicrosecondType>()),
            Ty::Ym => Reader::Ym(a.as_primitive::<Int32Type>()),
            Ty::Dt | Ty::Day => Reader::Dt(a.as_primitive::<Int64Type>()),
            Ty::Cal => Reader::Cal(a.as_primitive::<arrow::datatypes::IntervalMonthDayNanoType>()),
            Ty::Arr(t) => {
                let l = a.as_list::<i32>();
                Reader::Arr(l, Box::new(Reader::new(t, l.values().as_ref())))
            }
            Ty::Map(k, v) => {
                let m = a.as_map();
                Reader::Map(
                    m,
                    Box::new(Reader::new(k, m.keys().as_ref())),
                    Box::new(Reader::new(v, m.values().as_ref())),
                )
            }
            Ty::Struct(fs) => {
                let s = a.as_struct();
                let inner = fs
                    .iter()
                    .zip(s.columns())
                    .map(|((_, t), c)| Reader::new(t, c.as_ref()))
                    .collect();
                Reader::Struct(s, inner)
            }
        }
    }

    /// The value of a row.
    pub fn get(&self, i: usize) -> Val<'a> {
        macro_rules! leaf {
            ($a:expr, $v:ident) => {
                if $a.is_null(i) {
                    Val::Null
                } else {
                    Val::$v($a.value(i))
                }
            };
        }
        match self {
            Reader::Null => Val::Null,
            Reader::Bool(a) => leaf!(a, Bool),
            Reader::I8(a) => leaf!(a, I8),
            Reader::I16(a) => leaf!(a, I16),
            Reader::I32(a) => leaf!(a, I32),
            Reader::I64(a) => leaf!(a, I64),
            Reader::F32(a) => leaf!(a, F32),
            Reader::F64(a) => leaf!(a, F64),
            Reader::Dec(a) => leaf!(a, Dec),
            Reader::Date(a) => leaf!(a, Date),
            Reader::Ts(a) => leaf!(a, Ts),
            Reader::Ym(a) => leaf!(a, Ym),
            Reader::Dt(a) => leaf!(a, Dt),
            Reader::Str(a) if a.is_valid(i) => Val::Str(Cow::Borrowed(a.value(i))),
            Reader::Bin(a) if a.is_valid(i) => Val::Bin(Cow::Borrowed(a.value(i))),
            Reader::Cal(a) if a.is_valid(i) => {
                let v = a.value(i);
                Val::Cal(v.months, v.days, v.nanoseconds)
            }
            Reader::Arr(a, inner) if a.is_valid(i) => {
                let o = a.value_offsets();
                Val::Arr((o[i] as usize..o[i + 1] as usize).map(|j| inner.get(j)).collect())
            }
            Reader::Map(a, k, v) if a.is_valid(i) => {
                let o = a.value_offsets();
                Val::Map(
                    (o[i] as usize..o[i + 1] as usize)
                        .map(|j| (k.get(j), v.get(j)))
                        .collect(),
                )
            }
            Reader::Struct(a, inner) if a.is_valid(i) => Val::Struct(inner.iter().map(|r| r.get(i)).collect()),
            _ => Val::Null,
        }
    }
}
