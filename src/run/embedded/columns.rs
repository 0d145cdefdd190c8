//! Reads Arrow columns as JVM values, with the conversions that Spark makes between a column and a UDF's parameter. In: an array
//! and a declared type; out: a reader of rows. Never copies a whole column.

use std::sync::Arc;

use arrow::array::*;
use arrow::datatypes::{ArrowPrimitiveType, DataType, Float64Type, Int32Type, Int64Type, TimeUnit};
use num_bigint::BigInt;

use crate::error::{Error, Result};
use crate::jvm::decimal::JDecimal;
use crate::jvm::maps::ImMap;
use crate::jvm::object::{Object, SeqClass};
use crate::jvm::text::JStr;
use crate::jvm::time::Time;
use crate::jvm::value::{Eval, Throw, Value};
use crate::lang::ast::{Class, ClassId, Dialect};
use crate::lang::ty::{Prim, SeqKind, Ty};

use super::bits;

/// Gives the value of a row.
pub type Reader = Box<dyn Fn(usize) -> Eval + Send + Sync>;
/// Gives the bits of a row that is not null.
pub type BitReader = Box<dyn Fn(usize) -> u64 + Send + Sync>;

/// What readers need to know of the program.
#[derive(Clone)]
pub struct Shapes {
    /// Case classes, by id.
    pub classes: Arc<[Class]>,
    /// Java UDFs get Spark's own sequences, Scala ones get lists.
    pub dialect: Dialect,
}

fn refuse<T>(from: &DataType, to: &Ty) -> Result<T> {
    Err(Error::not_proven(format!(
        "a column of type {from} as a parameter of type {to} is not covered"
    )))
}

fn view<T: 'static + Clone>(array: &ArrayRef) -> Result<T> {
    array
        .as_any()
        .downcast_ref::<T>()
        .cloned()
        .ok_or_else(|| Error::internal("an Arrow array is not what its type says"))
}

/// The primitive that a numeric or Boolean column holds.
pub fn column_prim(ty: &DataType) -> Option<Prim> {
    Some(match ty {
        DataType::Boolean => Prim::Boolean,
        DataType::Int8 => Prim::Byte,
        DataType::Int16 => Prim::Short,
        DataType::Int32 => Prim::Int,
        DataType::Int64 => Prim::Long,
        DataType::Float32 => Prim::Float,
        DataType::Float64 => Prim::Double,
        _ => return None,
    })
}

/// A reader of bits as `to`; numeric columns are converted as Spark's implicit cast does, which is as the JVM does.
pub fn bits_of(array: &ArrayRef, to: Prim) -> Result<BitReader> {
    let Some(from) = column_prim(array.data_type()) else {
        return refuse(array.data_type(), &Ty::Prim(to));
    };
    if from != to && (from == Prim::Boolean || to == Prim::Boolean || to == Prim::Char) {
        return refuse(array.data_type(), &Ty::Prim(to));
    }
    let read: BitReader = match from {
        Prim::Boolean => {
            let a: BooleanArray = view(array)?;
            Box::new(move |i| u64::from(a.value(i)))
        }
        Prim::Byte => {
            let a: Int8Array = view(array)?;
            Box::new(move |i| bits::int(i32::from(a.value(i))))
        }
        Prim::Short => {
            let a: Int16Array = view(array)?;
            Box::new(move |i| bits::int(i32::from(a.value(i))))
        }
        Prim::Int => {
            let a: Int32Array = view(array)?;
            Box::new(move |i| bits::int(a.value(i)))
        }
        Prim::Long => {
            let a: Int64Array = view(array)?;
            Box::new(move |i| a.value(i) as u64)
        }
        Prim::Float => {
            let a: Float32Array = view(array)?;
            Box::new(move |i| bits::float(a.value(i)))
        }
        _ => {
            let a: Float64Array = view(array)?;
            Box::new(move |i| bits::double(a.value(i)))
        }
    };
    Ok(match from == to {
        true => read,
        false => Box::new(move |i| bits::convert(read(i), from, to)),
    })
}

/// Other layouts of text and binary columns in the one that is read.
pub fn canonical(array: &ArrayRef) -> Result<ArrayRef> {
    let to = match array.data_type() {
        DataType::LargeUtf8 | DataType::Utf8View => DataType::Utf8,
        DataType::LargeBinary | DataType::BinaryView => DataType::Binary,
        DataType::Dictionary(_, v) => (**v).clone(),
        DataType::Timestamp(TimeUnit::Microsecond, _) => return Ok(array.clone()),
        DataType::Timestamp(_, tz) => DataType::Timestamp(TimeUnit::Microsecond, tz.clone()),
        _ => return Ok(array.clone()),
    };
    arrow::compute::cast(array, &to).map_err(|e| Error::input("a column cannot be read").because(e))
}

/// A reader of values of a declared type; null gives null, or `None` for an `Option`.
pub fn reader(array: &ArrayRef, ty: &Ty, shapes: &Shapes) -> Result<Reader> {
    if let Ty::Option(inner) = ty {
        let read = reader(array, inner, shapes)?;
        let nulls = array.clone();
        return Ok(Box::new(move |i| match nulls.is_null(i) {
            true => Ok(Value::none()),
            false => Ok(Value::some(read(i)?)),
        }));
    }
    let array = canonical(array)?;
    if let (Ty::Boxed(Prim::Double), DataType::Float64) = (ty, array.data_type()) {
        return boxed::<Float64Type>(&array, Value::Double);
    }
    if let (Ty::Boxed(Prim::Int), DataType::Int32) = (ty, array.data_type()) {
        return boxed::<Int32Type>(&array, Value::Int);
    }
    if let (Ty::Boxed(Prim::Long), DataType::Int64) = (ty, array.data_type()) {
        return boxed::<Int64Type>(&array, Value::Long);
    }
    let read = present(&array, ty, shapes)?;
    Ok(match array.nulls() {
        None => read,
        Some(nulls) => {
            let nulls = nulls.clone();
            Box::new(move |i| if nulls.is_null(i) { Ok(Value::Null) } else { read(i) })
        }
    })
}

/// A reader of boxes in one step, for the types that most columns have.
fn boxed<T: ArrowPrimitiveType>(array: &ArrayRef, wrap: fn(T::Native) -> Value) -> Result<Reader> {
    let a: PrimitiveArray<T> = view(array)?;
    Ok(match a.nulls().cloned() {
        None => Box::new(move |i| Ok(wrap(a.value(i)))),
        Some(nulls) => Box::new(move |i| {
            Ok(match nulls.is_null(i) {
                true => Value::Null,
                false => wrap(a.value(i)),
            })
        }),
    })
}

/// A reader of rows that are not null.
fn present(array: &ArrayRef, ty: &Ty, shapes: &Shapes) -> Result<Reader> {
    if matches!(array.data_type(), DataType::Null) {
        return Ok(Box::new(|_| Ok(Value::Null)));
    }
    match ty {
        Ty::Prim(p) | Ty::Boxed(p) => {
            let read = bits_of(array, *p)?;
            let p = *p;
            Ok(Box::new(move |i| Ok(bits::wrap(read(i), p))))
        }
        Ty::Any => {
            let natural = natural(array.data_type()).ok_or(());
            match natural {
                Ok(ty) => present(array, &ty, shapes),
                Err(()) => refuse(array.data_type(), ty),
            }
        }
        Ty::String => text(array),
        Ty::ScalaBigDecimal => decimal(array, true),
        Ty::JavaBigDecimal => decimal(array, false),
        Ty::BigInt => {
            let read = bits_of(array, Prim::Long)?;
            Ok(Box::new(move |i| {
                Ok(Value::obj(Object::BigInt(BigInt::from(read(i) as i64))))
            }))
        }
        Ty::Array(item) if **item == Ty::Prim(Prim::Byte) && matches!(array.data_type(), DataType::Binary) => {
            let a: BinaryArray = view(array)?;
            Ok(Box::new(move |i| {
                Ok(Value::array(a.value(i).iter().map(|b| Value::Byte(*b as i8)).collect()))
            }))
        }
        Ty::Array(item) | Ty::Seq(_, item) | Ty::Set(item) => list(array, ty, item, shapes),
        Ty::Map(k, v) => map(array, ty, k, v, shapes),
        Ty::Tuple(items) => {
            let fields: Vec<(String, Ty)> = items
                .iter()
                .enumerate()
                .map(|(i, t)| (format!("_{}", i + 1), t.clone()))
                .collect();
            structure(array, ty, &fields, shapes, Object::Tuple)
        }
        Ty::Class(name) => class(array, ty, name, shapes),
        _ => refuse(array.data_type(), ty),
    }
}

/// The type a value of a column has where only the data tells (`Row`, `Any`).
fn natural(ty: &DataType) -> Option<Ty> {
    if let Some(p) = column_prim(ty) {
        return Some(Ty::Boxed(p));
    }
    Some(match ty {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Ty::String,
        DataType::Binary => Ty::Array(Box::new(Ty::Prim(Prim::Byte))),
        DataType::Decimal128(..) => Ty::JavaBigDecimal,
        DataType::Date32 => Ty::Class("Date".into()),
        DataType::Timestamp(..) => Ty::Class("Timestamp".into()),
        DataType::Struct(_) => Ty::Class("Row".into()),
        DataType::List(f) => Ty::Seq(SeqKind::Seq, Box::new(natural(f.data_type())?)),
        DataType::Map(entries, _) => match entries.data_type() {
            DataType::Struct(kv) => Ty::Map(
                Box::new(natural(kv[0].data_type())?),
                Box::new(natural(kv[1].data_type())?),
            ),
            _ => return None,
        },
        DataType::Null => Ty::Null,
        _ => return None,
    })
}

fn text(array: &ArrayRef) -> Result<Reader> {
    match array.data_type() {
        DataType::Utf8 => {
            let a: StringArray = view(array)?;
            Ok(Box::new(move |i| Ok(Value::Str(JStr::new(a.value(i))))))
        }
        // Spark's implicit cast of integers to string.
        DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => {
            let read = bits_of(array, Prim::Long)?;
            Ok(Box::new(move |i| Ok(Value::str(&(read(i) as i64).to_string()))))
        }
        other => refuse(other, &Ty::String),
    }
}

/// A decimal column keeps its own scale; integers become decimals of scale 18, as Spark casts them.
fn decimal(array: &ArrayRef, scala: bool) -> Result<Reader> {
    let make = move |unscaled: BigInt, scale: i32| {
        Ok(Value::obj(Object::Decimal {
            value: JDecimal { unscaled, scale },
            scala,
        }))
    };
    match array.data_type() {
        DataType::Decimal128(_, scale) => {
            let a: Decimal128Array = view(array)?;
            let scale = i32::from(*scale);
            Ok(Box::new(move |i| make(BigInt::from(a.value(i)), scale)))
        }
        DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => {
            let read = bits_of(array, Prim::Long)?;
            let factor = BigInt::from(10u64.pow(18));
            Ok(Box::new(move |i| make(BigInt::from(read(i) as i64) * &factor, 18)))
        }
        other => refuse(other, &Ty::ScalaBigDecimal),
    }
}

fn is_primitive(ty: &Ty) -> bool {
    ty.prim_type().is_some()
}

fn list(array: &ArrayRef, ty: &Ty, item: &Ty, shapes: &Shapes) -> Result<Reader> {
    let (offsets, values) = match array.data_type() {
        DataType::List(_) => {
            let a: ListArray = view(array)?;
            let offsets: Vec<usize> = a.offsets().iter().map(|o| *o as usize).collect();
            (offsets, a.values().clone())
        }
        DataType::LargeList(_) => {
            let a: LargeListArray = view(array)?;
            let offsets: Vec<usize> = a.offsets().iter().map(|o| *o as usize).collect();
            (offsets, a.values().clone())
        }
        other => return refuse(other, ty),
    };
    let read = reader(&values, item, shapes)?;
    let row_items = matches!(item, Ty::Class(name) if name == "Row");
    let class = match ty {
        // Spark has no encoder for `Row` inside a sequence and hands over its own sequence; so it does for Java UDFs.
        Ty::Seq(..) if row_items || shapes.dialect == Dialect::Java => SeqClass::WrappedArray,
        Ty::Seq(SeqKind::Vector, _) => SeqClass::Vector,
        _ => SeqClass::List,
    };
    let primitive = is_primitive(item) && values.null_count() > 0;
    let kind = ty.clone();
    Ok(Box::new(move |i| {
        let mut items = Vec::with_capacity(offsets[i + 1] - offsets[i]);
        for at in offsets[i]..offsets[i + 1] {
            let v = read(at)?;
            if primitive && v.is_null() {
                return Err(null_element());
            }
            items.push(v);
        }
        Ok(match &kind {
            Ty::Array(_) => Value::array(items),
            Ty::Set(_) => Value::set(items),
            _ => Value::seq(class, items),
        })
    }))
}

/// Spark refuses a null where a typed Scala function wants primitives.
fn null_element() -> Throw {
    Throw::exception("NullPointerException", "Null value appeared in non-nullable field")
}

fn map(array: &ArrayRef, ty: &Ty, k: &Ty, v: &Ty, shapes: &Shapes) -> Result<Reader> {
    if !matches!(array.data_type(), DataType::Map(..)) {
        return refuse(array.data_type(), ty);
    }
    let a: MapArray = view(array)?;
    let keys = reader(a.keys(), k, shapes)?;
    let values = reader(a.values(), v, shapes)?;
    let offsets: Vec<usize> = a.offsets().iter().map(|o| *o as usize).collect();
    // A null among primitive values stays a null box here, which unboxes to zero where it is used.
    Ok(Box::new(move |i| {
        let mut entries = Vec::with_capacity(offsets[i + 1] - offsets[i]);
        for at in offsets[i]..offsets[i + 1] {
            entries.push((keys(at)?, values(at)?));
        }
        Ok(Value::obj(Object::Map(ImMap::from_entries(entries))))
    }))
}

fn structure(
    array: &ArrayRef,
    ty: &Ty,
    fields: &[(String, Ty)],
    shapes: &Shapes,
    make: impl Fn(Vec<Value>) -> Object + Send + Sync + 'static,
) -> Result<Reader> {
    if !matches!(array.data_type(), DataType::Struct(_)) {
        return refuse(array.data_type(), ty);
    }
    let a: StructArray = view(array)?;
    let mut readers = Vec::new();
    for (name, field) in fields {
        let Some(column) = a.column_by_name(name) else {
            return Err(Error::not_proven(format!(
                "the struct column has no field `{name}` of {ty}"
            )));
        };
        let null_prim = is_primitive(field) && column.null_count() > 0;
        readers.push((reader(column, field, shapes)?, null_prim));
    }
    Ok(Box::new(move |i| {
        let mut values = Vec::with_capacity(readers.len());
        for (read, primitive) in &readers {
            let v = read(i)?;
            if *primitive && v.is_null() {
                return Err(null_element());
            }
            values.push(v);
        }
        Ok(Value::obj(make(values)))
    }))
}

fn class(array: &ArrayRef, ty: &Ty, name: &str, shapes: &Shapes) -> Result<Reader> {
    match (name, array.data_type()) {
        ("Row", DataType::Struct(fields)) => {
            let a: StructArray = view(array)?;
            let names: Arc<[String]> = fields.iter().map(|f| f.name().clone()).collect();
            let mut readers = Vec::new();
            for column in a.columns() {
                readers.push(reader(column, &Ty::Any, shapes)?);
            }
            Ok(Box::new(move |i| {
                let values = readers.iter().map(|r| r(i)).collect::<Eval<Vec<_>>>()?;
                Ok(Value::obj(Object::Row(names.clone(), values)))
            }))
        }
        ("Date" | "LocalDate", DataType::Date32) => {
            let a: Date32Array = view(array)?;
            let sql = name == "Date";
            Ok(Box::new(move |i| {
                let days = i64::from(a.value(i));
                Ok(Value::obj(Object::Time(if sql {
                    Time::SqlDate(days)
                } else {
                    Time::LocalDate(days)
                })))
            }))
        }
        ("Timestamp" | "Instant", DataType::Timestamp(TimeUnit::Microsecond, Some(_))) => {
            let a: TimestampMicrosecondArray = view(array)?;
            let sql = name == "Timestamp";
            Ok(Box::new(move |i| {
                let micros = a.value(i);
                Ok(Value::obj(Object::Time(match sql {
                    true => Time::SqlTimestamp {
                        micros: micros.into(),
                        sub_nanos: 0,
                    },
                    false => Time::Instant(micros.div_euclid(1_000_000), micros.rem_euclid(1_000_000) as u32 * 1000),
                })))
            }))
        }
        ("Timestamp" | "Instant", DataType::Timestamp(TimeUnit::Microsecond, None)) => {
            // A column without a zone that is bound to a TIMESTAMP parameter holds the same microseconds.
            let with_zone =
                arrow::compute::cast(array, &DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())))
                    .map_err(|e| Error::input("a timestamp column cannot be read").because(e))?;
            class(&with_zone, ty, name, shapes)
        }
        _ => {
            let found = shapes.classes.iter().position(|c| c.name == name);
            match found {
                Some(id) => {
                    let id = ClassId(id as u32);
                    let fields = shapes.classes[id.0 as usize].fields.clone();
                    structure(array, ty, &fields, shapes, move |values| Object::Class(id, values))
                }
                None => refuse(array.data_type(), ty),
            }
        }
    }
}
