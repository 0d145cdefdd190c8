//! Arrow columns to emulated ones and back, with the types the accelerator uses for Spark's. Never changes a value.

use std::sync::Arc;

use arrow::array::*;
use arrow::buffer::{BooleanBuffer, OffsetBuffer};
use arrow::datatypes::ArrowPrimitiveType;

use super::column::{Col, Data, StrBuilder, Strings};
use super::dtype::{DType, TypeId};
use crate::error::{Error, Result};

fn primitive<T: ArrowPrimitiveType>(a: &ArrayRef) -> &PrimitiveArray<T> {
    a.as_any()
        .downcast_ref()
        .expect("the data type names the array's class")
}

/// An Arrow column as the accelerator hands it.
pub fn from_arrow(a: &ArrayRef) -> Result<Col> {
    use arrow::datatypes::*;
    let t = a.data_type();
    let Some(dtype) = DType::of_arrow(t) else {
        return Err(Error::not_proven(format!("columns of {t} do not reach cuDF")));
    };
    let nulls = a.nulls().cloned();
    let data = match t {
        DataType::Boolean => {
            let b = a.as_boolean();
            Data::I8(b.values().iter().map(i8::from).collect::<Vec<_>>().into())
        }
        DataType::Int8 => Data::I8(primitive::<Int8Type>(a).values().clone()),
        DataType::Int16 => Data::I16(primitive::<Int16Type>(a).values().clone()),
        DataType::Int32 => Data::I32(primitive::<Int32Type>(a).values().clone()),
        DataType::Date32 => Data::I32(primitive::<Date32Type>(a).values().clone()),
        DataType::Int64 => Data::I64(primitive::<Int64Type>(a).values().clone()),
        DataType::Timestamp(..) => Data::I64(primitive::<TimestampMicrosecondType>(a).values().clone()),
        DataType::UInt8 => Data::I8(
            primitive::<UInt8Type>(a)
                .values()
                .iter()
                .map(|v| *v as i8)
                .collect::<Vec<_>>()
                .into(),
        ),
        DataType::Float32 => Data::F32(primitive::<Float32Type>(a).values().clone()),
        DataType::Float64 => Data::F64(primitive::<Float64Type>(a).values().clone()),
        DataType::Decimal128(..) => {
            let v = primitive::<Decimal128Type>(a).values();
            return Ok(Col::from_i128(dtype, v.iter().copied(), nulls));
        }
        DataType::Utf8 => {
            let s = a.as_string::<i32>();
            Data::Str(Strings {
                offsets: s.offsets().inner().clone(),
                bytes: s.values().clone(),
            })
        }
        DataType::Binary => {
            let b = a.as_binary::<i32>();
            let bytes: Vec<i8> = b.values().iter().map(|v| *v as i8).collect();
            let child = Col::new(DType::of(TypeId::Uint8), Data::I8(bytes.into()), None);
            Data::List(b.offsets().inner().clone(), Arc::new(child))
        }
        DataType::List(_) => {
            let l = a.as_list::<i32>();
            Data::List(l.offsets().inner().clone(), Arc::new(from_arrow(l.values())?))
        }
        DataType::Map(..) => {
            let m = a.as_map();
            let entries: ArrayRef = Arc::new(m.entries().clone());
            Data::List(m.offsets().inner().clone(), Arc::new(from_arrow(&entries)?))
        }
        _ => {
            let s = a.as_struct();
            Data::Struct(
                s.columns()
                    .iter()
                    .map(|c| from_arrow(c).map(Arc::new))
                    .collect::<Result<_>>()?,
            )
        }
    };
    Ok(Col {
        dtype,
        len: a.len(),
        data,
        nulls: nulls.filter(|n| n.null_count() > 0),
    })
}

/// A result as the Arrow column Spark would see.
pub fn to_arrow(c: &Col) -> Result<ArrayRef> {
    use TypeId::*;
    use arrow::datatypes::*;
    let nulls = c.nulls.clone();
    macro_rules! array {
        ($t:ty, $v:expr) => {
            Arc::new(PrimitiveArray::<$t>::new($v.clone(), nulls)) as ArrayRef
        };
    }
    Ok(match (&c.data, c.dtype.id) {
        (Data::I8(v), Bool8) => {
            let bits = BooleanBuffer::collect_bool(v.len(), |i| v[i] != 0);
            Arc::new(BooleanArray::new(bits, nulls))
        }
        (_, Decimal32 | Decimal64 | Decimal128) => {
            let precision = match c.dtype.id {
                Decimal32 => 9,
                Decimal64 => 18,
                _ => 38,
            };
            let scale = i8::try_from(-c.dtype.scale).unwrap_or(i8::MAX);
            let values: Vec<i128> = c.to_i128().into_owned();
            let array = Decimal128Array::new(values.into(), nulls).with_precision_and_scale(precision, scale);
            Arc::new(
                array
                    .map_err(|e| Error::not_proven(format!("a result of {} has no Spark type", c.dtype)).because(e))?,
            )
        }
        (Data::I8(v), Int8) => array!(Int8Type, v),
        (Data::I16(v), Int16) => array!(Int16Type, v),
        (Data::I32(v), Int32) => array!(Int32Type, v),
        (Data::I64(v), Int64) => array!(Int64Type, v),
        (Data::F32(v), _) => array!(Float32Type, v),
        (Data::F64(v), _) => array!(Float64Type, v),
        (Data::I32(v), TimestampDays) => array!(Date32Type, v),
        (Data::I64(v), TimestampMicroseconds) => {
            Arc::new(TimestampMicrosecondArray::new(v.clone(), nulls).with_timezone("UTC"))
        }
        (Data::Str(_), _) => text(c)?,
        (Data::List(o, child), _) if child.dtype.id == Uint8 => binary(o, child, nulls)?,
        (Data::List(o, child), _) => {
            let values = to_arrow(child)?;
            let field = Arc::new(Field::new("element", values.data_type().clone(), true));
            Arc::new(ListArray::new(field, OffsetBuffer::new(o.clone()), values, nulls))
        }
        (Data::Struct(fields), _) => {
            let columns: Vec<ArrayRef> = fields.iter().map(|f| to_arrow(f)).collect::<Result<_>>()?;
            let fields: Vec<Field> = columns
                .iter()
                .enumerate()
                .map(|(i, a)| Field::new(format!("_{}", i + 1), a.data_type().clone(), true))
                .collect();
            Arc::new(StructArray::new(fields.into(), columns, nulls))
        }
        _ => return Err(Error::not_proven(format!("a result of {} has no Spark type", c.dtype))),
    })
}

fn text(c: &Col) -> Result<ArrayRef> {
    let mut b = StrBuilder::with_rows(c.len);
    // Offsets of a sliced or masked column may not start at 0: rebuild, checking the bytes.
    for t in c.texts() {
        if t.is_some_and(|t| std::str::from_utf8(t).is_err()) {
            return Err(Error::not_proven("the result holds text that is not valid UTF-8"));
        }
        b.push(t);
    }
    let built = b
        .finish()
        .map_err(|_| Error::not_proven("the texts of the result take more than 2 GiB"))?;
    let Data::Str(s) = built.data else {
        return Err(Error::internal("a text column without text"));
    };
    let array = StringArray::try_new(OffsetBuffer::new(s.offsets), s.bytes, built.nulls);
    Ok(Arc::new(array.map_err(|e| {
        Error::internal("text of a result does not fit Arrow").because(e)
    })?))
}

fn binary(o: &[i32], child: &Col, nulls: Option<arrow::buffer::NullBuffer>) -> Result<ArrayRef> {
    let Data::I8(bytes) = &child.data else {
        return Err(Error::internal("a byte column without bytes"));
    };
    let bytes: Vec<u8> = bytes.iter().map(|b| *b as u8).collect();
    let array = BinaryArray::try_new(OffsetBuffer::new(o.to_vec().into()), bytes.into(), nulls);
    Ok(Arc::new(array.map_err(|e| {
        Error::internal("bytes of a result do not fit Arrow").because(e)
    })?))
}
