//! Spark SQL types: their names, their Arrow storage, and the rules by which two of them meet.

use std::fmt;
use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Fields, IntervalUnit, TimeUnit};

/// A Spark SQL type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Ty {
    /// The type of `NULL`.
    Null,
    /// BOOLEAN.
    Bool,
    /// TINYINT.
    I8,
    /// SMALLINT.
    I16,
    /// INT.
    I32,
    /// BIGINT.
    I64,
    /// FLOAT.
    F32,
    /// DOUBLE.
    F64,
    /// DECIMAL(precision, scale).
    Dec(u8, u8),
    /// STRING.
    Str,
    /// BINARY.
    Bin,
    /// DATE.
    Date,
    /// TIMESTAMP (with the session's time zone).
    Ts,
    /// INTERVAL YEAR TO MONTH.
    Ym,
    /// INTERVAL DAY TO SECOND.
    Dt,
    /// INTERVAL DAY, which added to a DATE stays a DATE.
    Day,
    /// The calendar interval of `make_interval`.
    Cal,
    /// ARRAY.
    Arr(Box<Ty>),
    /// MAP.
    Map(Box<Ty>, Box<Ty>),
    /// STRUCT.
    Struct(Vec<(String, Ty)>),
}

/// The largest precision of a decimal.
pub const MAX_PRECISION: u8 = 38;

impl Ty {
    /// TINYINT to BIGINT.
    pub fn is_integral(&self) -> bool {
        matches!(self, Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64)
    }

    /// Integral, floating or decimal.
    pub fn is_numeric(&self) -> bool {
        self.is_integral() || self.is_float() || matches!(self, Ty::Dec(..))
    }

    /// FLOAT or DOUBLE.
    pub fn is_float(&self) -> bool {
        matches!(self, Ty::F32 | Ty::F64)
    }

    /// Neither nested nor NULL.
    pub fn is_atomic(&self) -> bool {
        !matches!(self, Ty::Arr(_) | Ty::Map(..) | Ty::Struct(_) | Ty::Null | Ty::Cal)
    }

    /// An interval of any kind.
    pub fn is_interval(&self) -> bool {
        matches!(self, Ty::Ym | Ty::Dt | Ty::Day | Ty::Cal)
    }

    /// The decimal that holds every value of an integral type.
    pub fn as_decimal(&self) -> Option<(u8, u8)> {
        Some(match self {
            Ty::I8 => (3, 0),
            Ty::I16 => (5, 0),
            Ty::I32 => (10, 0),
            Ty::I64 => (20, 0),
            Ty::Dec(p, s) => (*p, *s),
            _ => return None,
        })
    }

    /// Whether a map occurs inside, which has neither order nor equality.
    pub fn has_map(&self) -> bool {
        match self {
            Ty::Map(..) => true,
            Ty::Arr(t) => t.has_map(),
            Ty::Struct(fs) => fs.iter().any(|(_, t)| t.has_map()),
            _ => false,
        }
    }

    /// The Arrow type in which columns of this type are kept. Intervals use storage of their own and never leave the engine.
    pub fn arrow(&self) -> DataType {
        match self {
            Ty::Null => DataType::Null,
            Ty::Bool => DataType::Boolean,
            Ty::I8 => DataType::Int8,
            Ty::I16 => DataType::Int16,
            Ty::I32 | Ty::Ym => DataType::Int32,
            Ty::I64 | Ty::Dt | Ty::Day => DataType::Int64,
            Ty::F32 => DataType::Float32,
            Ty::F64 => DataType::Float64,
            Ty::Dec(p, s) => DataType::Decimal128(*p, *s as i8),
            Ty::Str => DataType::Utf8,
            Ty::Bin => DataType::Binary,
            Ty::Date => DataType::Date32,
            Ty::Ts => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
            Ty::Cal => DataType::Interval(IntervalUnit::MonthDayNano),
            Ty::Arr(t) => DataType::List(Arc::new(Field::new("item", t.arrow(), true))),
            Ty::Map(k, v) => DataType::Map(Arc::new(entries_field(k, v)), false),
            Ty::Struct(fs) => DataType::Struct(struct_fields(fs)),
        }
    }

    /// The Spark type of a column of this Arrow type, if there is one.
    pub fn of_arrow(dt: &DataType) -> Option<Ty> {
        Some(match dt {
            DataType::Null => Ty::Null,
            DataType::Boolean => Ty::Bool,
            DataType::Int8 => Ty::I8,
            DataType::Int16 => Ty::I16,
            DataType::Int32 => Ty::I32,
            DataType::Int64 => Ty::I64,
            DataType::Float32 => Ty::F32,
            DataType::Float64 => Ty::F64,
            DataType::Decimal128(p, s) if *s >= 0 => Ty::Dec(*p, *s as u8),
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Ty::Str,
            DataType::Binary | DataType::LargeBinary | DataType::BinaryView => Ty::Bin,
            DataType::Date32 => Ty::Date,
            DataType::Timestamp(..) => Ty::Ts,
            DataType::List(f) | DataType::LargeList(f) => Ty::Arr(Box::new(Ty::of_arrow(f.data_type())?)),
            DataType::Map(f, _) => match f.data_type() {
                DataType::Struct(kv) if kv.len() == 2 => Ty::Map(
                    Box::new(Ty::of_arrow(kv[0].data_type())?),
                    Box::new(Ty::of_arrow(kv[1].data_type())?),
                ),
                _ => return None,
            },
            DataType::Struct(fs) => Ty::Struct(
                fs.iter()
                    .map(|f| Some((f.name().clone(), Ty::of_arrow(f.data_type())?)))
                    .collect::<Option<_>>()?,
            ),
            DataType::Dictionary(_, v) => Ty::of_arrow(v)?,
            _ => return None,
        })
    }
}

/// The fields of a struct column.
pub fn struct_fields(fs: &[(String, Ty)]) -> Fields {
    fs.iter().map(|(n, t)| Field::new(n, t.arrow(), true)).collect()
}

/// The entries field of a map column.
pub fn entries_field(k: &Ty, v: &Ty) -> Field {
    let kv = Fields::from(vec![
        Field::new("key", k.arrow(), false),
        Field::new("value", v.arrow(), true),
    ]);
    Field::new("entries", DataType::Struct(kv), false)
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Ty::Null => "VOID",
            Ty::Bool => "BOOLEAN",
            Ty::I8 => "TINYINT",
            Ty::I16 => "SMALLINT",
            Ty::I32 => "INT",
            Ty::I64 => "BIGINT",
            Ty::F32 => "FLOAT",
            Ty::F64 => "DOUBLE",
            Ty::Dec(p, s) => return write!(f, "DECIMAL({p},{s})"),
            Ty::Str => "STRING",
            Ty::Bin => "BINARY",
            Ty::Date => "DATE",
            Ty::Ts => "TIMESTAMP",
            Ty::Ym => "INTERVAL YEAR TO MONTH",
            Ty::Dt => "INTERVAL DAY TO SECOND",
            Ty::Day => "INTERVAL DAY",
            Ty::Cal => "INTERVAL",
            Ty::Arr(t) => return write!(f, "ARRAY<{t}>"),
            Ty::Map(k, v) => return write!(f, "MAP<{k}, {v}>"),
            Ty::Struct(fs) => {
                f.write_str("STRUCT<")?;
                for (i, (n, t)) in fs.iter().enumerate() {
                    write!(f, "{}{n}: {t}", if i > 0 { ", " } else { "" })?;
                }
                return f.write_str(">");
            }
        };
        f.write_str(name)
    }
}

/// `DecimalType.adjustPrecisionScale`: what is left of an exact type when it does not fit.
pub fn adjust(p: i32, s: i32) -> Ty {
    if p <= i32::from(MAX_PRECISION) {
        return Ty::Dec(p as u8, s as u8);
    }
    let int_digits = p - s;
    let min_scale = s.min(6);
    let scale = (i32::from(MAX_PRECISION) - int_digits).max(min_scale);
    Ty::Dec(MAX_PRECISION, scale as u8)
}

/// The smallest decimal that holds both, bounded at 38 digits by losing integer digits last.
pub fn wider_decimal(a: (u8, u8), b: (u8, u8)) -> Ty {
    let scale = a.1.max(b.1);
    let range = (a.0 - a.1).max(b.0 - b.1);
    Ty::Dec((range + scale).min(MAX_PRECISION), scale.min(MAX_PRECISION))
}

fn numeric_rank(t: &Ty) -> Option<u8> {
    Some(match t {
        Ty::I8 => 0,
        Ty::I16 => 1,
        Ty::I32 => 2,
        Ty::I64 => 3,
        Ty::F32 => 4,
        Ty::F64 => 5,
        _ => return None,
    })
}

/// `findTightestCommonType`: no loss, no strings.
pub fn tightest(a: &Ty, b: &Ty, ansi: bool) -> Option<Ty> {
    if a == b {
        return Some(a.clone());
    }
    match (a, b) {
        (Ty::Null, t) | (t, Ty::Null) => return Some(t.clone()),
        (Ty::Date, Ty::Ts) | (Ty::Ts, Ty::Date) => return Some(Ty::Ts),
        (Ty::Dt, Ty::Day) | (Ty::Day, Ty::Dt) => return Some(Ty::Dt),
        _ => {}
    }
    if let (Some(x), Some(y)) = (numeric_rank(a), numeric_rank(b)) {
        if ansi && (a.is_float() != b.is_float()) && (*a == Ty::F32 || *b == Ty::F32) {
            return Some(Ty::F64);
        }
        return Some(if x >= y { a.clone() } else { b.clone() });
    }
    if let (Ty::Dec(p, s), t) | (t, Ty::Dec(p, s)) = (a, b)
        && t.is_integral()
    {
        let (ip, _) = t.as_decimal()?;
        if p - s >= ip {
            return Some(Ty::Dec(*p, *s));
        }
    }
    nested(a, b, &|x, y| tightest(x, y, ansi))
}

fn nested(a: &Ty, b: &Ty, f: &dyn Fn(&Ty, &Ty) -> Option<Ty>) -> Option<Ty> {
    match (a, b) {
        (Ty::Arr(x), Ty::Arr(y)) => Some(Ty::Arr(Box::new(f(x, y)?))),
        (Ty::Map(k, v), Ty::Map(l, w)) => Some(Ty::Map(Box::new(f(k, l)?), Box::new(f(v, w)?))),
        (Ty::Struct(x), Ty::Struct(y)) if x.len() == y.len() => {
            let mut out = Vec::new();
            for ((n, t), (m, u)) in x.iter().zip(y) {
                if !n.eq_ignore_ascii_case(m) {
                    return None;
                }
                out.push((n.clone(), f(t, u)?));
            }
            Some(Ty::Struct(out))
        }
        _ => None,
    }
}

fn with_decimals(a: &Ty, b: &Ty) -> Option<Ty> {
    match (a, b) {
        (Ty::Dec(..), t) | (t, Ty::Dec(..)) if t.is_float() => Some(Ty::F64),
        (Ty::Dec(..), _) | (_, Ty::Dec(..)) => Some(wider_decimal(a.as_decimal()?, b.as_decimal()?)),
        _ => None,
    }
}

/// `findWiderTypeForTwo`: branches of CASE, arguments of coalesce, elements of an array.
pub fn wider(a: &Ty, b: &Ty, ansi: bool) -> Option<Ty> {
    tightest(a, b, ansi)
        .or_else(|| with_decimals(a, b))
        .or_else(|| {
            if ansi {
                ansi_string(a, b)
            } else {
                string_promotion(a, b)
            }
        })
        .or_else(|| nested(a, b, &|x, y| wider(x, y, ansi)))
}

/// `findWiderTypeWithoutStringPromotion`: greatest and least.
pub fn wider_no_string(a: &Ty, b: &Ty, ansi: bool) -> Option<Ty> {
    if ansi {
        return wider(a, b, true);
    }
    tightest(a, b, false)
        .or_else(|| with_decimals(a, b))
        .or_else(|| nested(a, b, &|x, y| wider_no_string(x, y, false)))
}

fn string_promotion(a: &Ty, b: &Ty) -> Option<Ty> {
    match (a, b) {
        (Ty::Str, t) | (t, Ty::Str) if t.is_atomic() && !matches!(t, Ty::Bin | Ty::Bool) => Some(Ty::Str),
        _ => None,
    }
}

/// ANSI: a string gives way to the other type, integers widened to BIGINT and fractions to DOUBLE.
pub fn ansi_string(a: &Ty, b: &Ty) -> Option<Ty> {
    match (a, b) {
        (Ty::Str, Ty::Str) => None,
        (Ty::Str, t) | (t, Ty::Str) => match t {
            _ if t.is_integral() => Some(Ty::I64),
            Ty::F32 | Ty::F64 | Ty::Dec(..) => Some(Ty::F64),
            Ty::Null => Some(Ty::Str),
            _ if t.is_interval() => None,
            _ if t.is_atomic() => Some(t.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// The type in which two operands of a comparison meet.
pub fn comparison(a: &Ty, b: &Ty, ansi: bool) -> Option<Ty> {
    if a == b {
        return Some(a.clone());
    }
    if ansi {
        if let Some(t) = ansi_string(a, b) {
            return Some(t);
        }
    } else {
        match (a, b) {
            (Ty::Str, Ty::Dec(..)) | (Ty::Dec(..), Ty::Str) => return Some(Ty::F64),
            (Ty::Str, t) | (t, Ty::Str) if t.is_atomic() && !t.is_interval() => return Some(t.clone()),
            _ => {}
        }
    }
    tightest(a, b, ansi)
        .or_else(|| with_decimals(a, b))
        .or_else(|| nested(a, b, &|x, y| wider_no_string(x, y, ansi)))
}
