//! Writes JVM values as Arrow columns, with the conversions that Spark makes on a UDF's result. In: values, one per row; out: an
//! array of the result type. Never guesses: a value that does not fit the type is refused.

use std::sync::Arc;

use arrow::array::*;
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::datatypes::{DataType, Field, Fields, TimeUnit};
use num_bigint::{BigInt, Sign};
use num_traits::{Signed, ToPrimitive, Zero};

use crate::error::{Error, Result};
use crate::jvm::object::Object;
use crate::jvm::show::class_of;
use crate::jvm::time::legacy::stored_days;
use crate::jvm::time::{Time, Zone};
use crate::jvm::value::Value;
use crate::jvm::view::View;

use super::bits::{to_double, to_float, to_int};

/// A column being written.
pub enum Out {
    /// Only nulls.
    Null(usize),
    /// BOOLEAN.
    Bool(BooleanBuilder),
    /// TINYINT.
    I8(Int8Builder),
    /// SMALLINT.
    I16(Int16Builder),
    /// INT.
    I32(Int32Builder),
    /// BIGINT.
    I64(Int64Builder),
    /// FLOAT.
    F32(Float32Builder),
    /// DOUBLE.
    F64(Float64Builder),
    /// STRING.
    Text(StringBuilder),
    /// BINARY.
    Binary(BinaryBuilder),
    /// DECIMAL(p, s).
    Decimal(Decimal128Builder, u8, i8),
    /// DATE.
    Date(Date32Builder, Zone),
    /// TIMESTAMP, with its zone.
    Timestamp(TimestampMicrosecondBuilder, Option<Arc<str>>),
    /// ARRAY.
    List(Box<Out>, Arc<Field>, Vec<i32>, NullBufferBuilder),
    /// STRUCT.
    Struct(Vec<Out>, Fields, NullBufferBuilder),
    /// MAP.
    Map(Box<(Out, Out)>, Arc<Field>, Vec<i32>, NullBufferBuilder),
}

/// Why a value is not written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unwritten {
    /// Spark throws this when it converts the value.
    Throws(std::borrow::Cow<'static, str>),
    /// Nothing can be said about the row, for this reason.
    NotRun(String),
}

/// A time beyond what Spark stores.
fn overflow() -> Unwritten {
    Unwritten::Throws("ArithmeticException".into())
}

impl From<String> for Unwritten {
    fn from(reason: String) -> Unwritten {
        Unwritten::NotRun(reason)
    }
}

impl From<&str> for Unwritten {
    fn from(reason: &str) -> Unwritten {
        Unwritten::NotRun(reason.to_owned())
    }
}

/// What writing a value comes to. One that fails in the middle of a nested value leaves the column unfit for use.
pub type Push = std::result::Result<(), Unwritten>;

impl Out {
    /// A writer for a type.
    pub fn new(ty: &DataType, rows: usize, zone: &Zone) -> Result<Out> {
        Ok(match ty {
            DataType::Null => Out::Null(0),
            DataType::Boolean => Out::Bool(BooleanBuilder::with_capacity(rows)),
            DataType::Int8 => Out::I8(Int8Builder::with_capacity(rows)),
            DataType::Int16 => Out::I16(Int16Builder::with_capacity(rows)),
            DataType::Int32 => Out::I32(Int32Builder::with_capacity(rows)),
            DataType::Int64 => Out::I64(Int64Builder::with_capacity(rows)),
            DataType::Float32 => Out::F32(Float32Builder::with_capacity(rows)),
            DataType::Float64 => Out::F64(Float64Builder::with_capacity(rows)),
            DataType::Utf8 => Out::Text(StringBuilder::with_capacity(rows, rows * 8)),
            DataType::Binary => Out::Binary(BinaryBuilder::with_capacity(rows, rows * 8)),
            DataType::Decimal128(p, s) => Out::Decimal(
                Decimal128Builder::with_capacity(rows)
                    .with_precision_and_scale(*p, *s)
                    .map_err(|e| Error::internal("a decimal type that Arrow refuses").because(e))?,
                *p,
                *s,
            ),
            DataType::Date32 => Out::Date(Date32Builder::with_capacity(rows), zone.clone()),
            DataType::Timestamp(TimeUnit::Microsecond, tz) => {
                Out::Timestamp(TimestampMicrosecondBuilder::with_capacity(rows), tz.clone())
            }
            DataType::List(field) => Out::List(
                Box::new(Out::new(field.data_type(), rows, zone)?),
                field.clone(),
                vec![0],
                NullBufferBuilder::new(rows),
            ),
            DataType::Struct(fields) => {
                let items = fields.iter().map(|f| Out::new(f.data_type(), rows, zone));
                Out::Struct(
                    items.collect::<Result<_>>()?,
                    fields.clone(),
                    NullBufferBuilder::new(rows),
                )
            }
            DataType::Map(entries, _) => match entries.data_type() {
                DataType::Struct(kv) if kv.len() == 2 => Out::Map(
                    Box::new((
                        Out::new(kv[0].data_type(), rows, zone)?,
                        Out::new(kv[1].data_type(), rows, zone)?,
                    )),
                    entries.clone(),
                    vec![0],
                    NullBufferBuilder::new(rows),
                ),
                _ => return unsupported(ty),
            },
            _ => return unsupported(ty),
        })
    }

    /// Writes null.
    pub fn push_null(&mut self) {
        match self {
            Out::Null(n) => *n += 1,
            Out::Bool(b) => b.append_null(),
            Out::I8(b) => b.append_null(),
            Out::I16(b) => b.append_null(),
            Out::I32(b) => b.append_null(),
            Out::I64(b) => b.append_null(),
            Out::F32(b) => b.append_null(),
            Out::F64(b) => b.append_null(),
            Out::Text(b) => b.append_null(),
            Out::Binary(b) => b.append_null(),
            Out::Decimal(b, ..) => b.append_null(),
            Out::Date(b, _) => b.append_null(),
            Out::Timestamp(b, _) => b.append_null(),
            Out::List(_, _, offsets, nulls) | Out::Map(_, _, offsets, nulls) => {
                offsets.push(offsets[offsets.len() - 1]);
                nulls.append_null();
            }
            Out::Struct(items, _, nulls) => {
                items.iter_mut().for_each(Out::push_null);
                nulls.append_null();
            }
        }
    }

    /// Writes a primitive of the column's own type.
    #[inline]
    pub fn push_bits(&mut self, b: u64) -> Push {
        match self {
            Out::F64(o) => o.append_value(to_double(b)),
            Out::I32(o) => o.append_value(to_int(b)),
            Out::I64(o) => o.append_value(b as i64),
            Out::Bool(o) => o.append_value(b != 0),
            Out::F32(o) => o.append_value(to_float(b)),
            Out::I16(o) => o.append_value(to_int(b) as i16),
            Out::I8(o) => o.append_value(to_int(b) as i8),
            _ => return Err("a primitive where the result type has none".into()),
        }
        Ok(())
    }

    /// Whether a failed write may leave something behind.
    pub fn is_nested(&self) -> bool {
        matches!(self, Out::List(..) | Out::Struct(..) | Out::Map(..))
    }

    /// Writes a value; `null` and `None` are null.
    #[inline]
    pub fn push(&mut self, v: &Value) -> Push {
        match (&mut *self, v) {
            (Out::F64(b), Value::Double(v)) => b.append_value(*v),
            (Out::I32(b), Value::Int(v)) => b.append_value(*v),
            (Out::I64(b), Value::Long(v)) => b.append_value(*v),
            (Out::Bool(b), Value::Bool(v)) => b.append_value(*v),
            (Out::Text(b), Value::Str(s)) => b.append_value(s.to_utf8()),
            (Out::F32(b), Value::Float(v)) => b.append_value(*v),
            (Out::I16(b), Value::Short(v)) => b.append_value(*v),
            (Out::I8(b), Value::Byte(v)) => b.append_value(*v),
            (_, Value::Null | Value::Unit) => self.push_null(),
            (_, Value::Obj(o)) => return self.push_object(v, o),
            _ => return Err(format!("a {} where the result type is another one", class_of(v)).into()),
        }
        Ok(())
    }

    fn push_object(&mut self, v: &Value, o: &Arc<Object>) -> Push {
        match (&mut *self, &**o) {
            (_, Object::None) => self.push_null(),
            (_, Object::Some(inner)) => return self.push(inner),
            (Out::Decimal(b, p, s), Object::Decimal { value, .. }) => {
                match to_decimal(&value.unscaled, value.scale, *p, *s) {
                    Some(d) => b.append_value(d),
                    None => b.append_null(),
                }
            }
            (Out::Decimal(b, p, s), Object::BigInt(n)) => match to_decimal(n, 0, *p, *s) {
                Some(d) => b.append_value(d),
                None => b.append_null(),
            },
            (Out::Date(b, zone), Object::Time(t)) => {
                let days = match t {
                    Time::LocalDate(d) => Some(*d),
                    other => stored_days(other, zone),
                };
                let days = days.ok_or_else(|| format!("a {} where a date is due", class_of(v)))?;
                b.append_value(i32::try_from(days).map_err(|_| match t {
                    Time::LocalDate(_) => Unwritten::Throws("SparkArithmeticException".into()),
                    _ => overflow(),
                })?)
            }
            (Out::Timestamp(b, None), Object::Time(Time::LocalDateTime(days, nanos))) => {
                let micros = i128::from(*days) * 86_400_000_000 + i128::from(nanos / 1000);
                b.append_value(i64::try_from(micros).map_err(|_| overflow())?)
            }
            (Out::Timestamp(b, _), Object::Time(Time::SqlTimestamp { micros, .. })) => {
                b.append_value(i64::try_from(*micros).map_err(|_| overflow())?)
            }
            (Out::Timestamp(b, _), Object::Time(Time::Instant(s, n))) => {
                let micros = i128::from(*s) * 1_000_000 + i128::from(n / 1000);
                b.append_value(i64::try_from(micros).map_err(|_| overflow())?)
            }
            (Out::Binary(b), Object::Array(_)) => {
                let bytes: Option<Vec<u8>> = View::of_object(o)
                    .map(|v| v.to_vec())
                    .unwrap_or_default()
                    .iter()
                    .map(|v| match v {
                        Value::Byte(b) => Some(*b as u8),
                        _ => None,
                    })
                    .collect();
                b.append_value(bytes.ok_or("an array of other elements than bytes")?)
            }
            (Out::List(items, _, offsets, nulls), _) => {
                let view = View::of(v).map_err(|_| format!("a {} where a sequence is due", class_of(v)))?;
                for item in view.to_vec() {
                    items.push(&item)?;
                }
                offsets.push(offsets[offsets.len() - 1] + view.len() as i32);
                nulls.append_non_null();
            }
            (
                Out::Struct(items, _, nulls),
                Object::Tuple(values) | Object::Class(_, values) | Object::Row(_, values),
            ) => {
                if items.len() != values.len() {
                    return Err("a struct of another number of fields".into());
                }
                for (item, v) in items.iter_mut().zip(values) {
                    item.push(v)?;
                }
                nulls.append_non_null();
            }
            (Out::Map(kv, _, offsets, nulls), Object::Map(_) | Object::MutMap(_)) => {
                let entries: Vec<(Value, Value)> = match &**o {
                    Object::Map(m) => m.entries().to_vec(),
                    Object::MutMap(m) => crate::jvm::view::lock(m).unordered(),
                    _ => Vec::new(),
                };
                if entries.iter().any(|(k, _)| k.is_null()) {
                    return Err(Unwritten::Throws("SparkRuntimeException".into()));
                }
                for (k, v) in &entries {
                    kv.0.push(k)?;
                    kv.1.push(v)?;
                }
                offsets.push(offsets[offsets.len() - 1] + entries.len() as i32);
                nulls.append_non_null();
            }
            _ => return Err(format!("a {} where the result type is another one", class_of(v)).into()),
        }
        Ok(())
    }

    /// The column.
    pub fn finish(self) -> Result<ArrayRef> {
        let failed = |e: arrow::error::ArrowError| Error::internal("a result column cannot be built").because(e);
        Ok(match self {
            Out::Null(n) => Arc::new(NullArray::new(n)),
            Out::Bool(mut b) => Arc::new(b.finish()),
            Out::I8(mut b) => Arc::new(b.finish()),
            Out::I16(mut b) => Arc::new(b.finish()),
            Out::I32(mut b) => Arc::new(b.finish()),
            Out::I64(mut b) => Arc::new(b.finish()),
            Out::F32(mut b) => Arc::new(b.finish()),
            Out::F64(mut b) => Arc::new(b.finish()),
            Out::Text(mut b) => Arc::new(b.finish()),
            Out::Binary(mut b) => Arc::new(b.finish()),
            Out::Decimal(mut b, ..) => Arc::new(b.finish()),
            Out::Date(mut b, _) => Arc::new(b.finish()),
            Out::Timestamp(mut b, tz) => Arc::new(b.finish().with_timezone_opt(tz)),
            Out::List(items, field, offsets, mut nulls) => Arc::new(
                ListArray::try_new(
                    field,
                    OffsetBuffer::new(offsets.into()),
                    items.finish()?,
                    nulls.finish(),
                )
                .map_err(failed)?,
            ),
            Out::Struct(items, fields, mut nulls) => {
                let nulls: Option<NullBuffer> = nulls.finish();
                let columns = items.into_iter().map(Out::finish).collect::<Result<Vec<_>>>()?;
                Arc::new(StructArray::try_new(fields, columns, nulls).map_err(failed)?)
            }
            Out::Map(kv, field, offsets, mut nulls) => {
                let DataType::Struct(fields) = field.data_type().clone() else {
                    return Err(Error::internal("a map without entries"));
                };
                let (k, v) = *kv;
                let entries = StructArray::try_new(fields, vec![k.finish()?, v.finish()?], None).map_err(failed)?;
                Arc::new(
                    MapArray::try_new(field, OffsetBuffer::new(offsets.into()), entries, nulls.finish(), false)
                        .map_err(failed)?,
                )
            }
        })
    }
}

fn unsupported<T>(ty: &DataType) -> Result<T> {
    Err(Error::not_proven(format!("results of type {ty} are not covered")))
}

/// Rounds HALF_UP to the scale; `None` (null in Spark) where it does not fit the precision.
pub fn to_decimal(unscaled: &BigInt, scale: i32, precision: u8, to: i8) -> Option<i128> {
    let to = i32::from(to);
    let ten = BigInt::from(10u8);
    let value = if scale <= to {
        unscaled * ten.pow((to - scale) as u32)
    } else {
        let divisor = ten.pow((scale - to) as u32);
        let (quotient, rest) = (unscaled / &divisor, unscaled % &divisor);
        let up = rest.abs() * 2u8 >= divisor && !rest.is_zero();
        match (up, unscaled.sign()) {
            (false, _) => quotient,
            (true, Sign::Minus) => quotient - 1,
            (true, _) => quotient + 1,
        }
    };
    let bound = ten.pow(u32::from(precision));
    if value.abs() >= bound { None } else { value.to_i128() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_round_half_up_and_overflow_to_null() {
        // Spark 3.5 gives 1.000000000000000001 for BigDecimal("1.0000000000000000005") and null for 21 integer digits.
        let n = BigInt::parse_bytes(b"10000000000000000005", 10).unwrap();
        assert_eq!(to_decimal(&n, 19, 38, 18), Some(1_000_000_000_000_000_001));
        let n = BigInt::parse_bytes(b"1234567890123456789015", 10).unwrap();
        assert_eq!(to_decimal(&n, 1, 38, 18), None);
    }
}
