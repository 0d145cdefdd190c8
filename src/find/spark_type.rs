//! Which column type Spark gives a JVM type. In: a [`Ty`] and the case classes of the program; out: the Arrow type, or
//! `None` where only the data can tell.

use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Fields, TimeUnit};

use crate::lang::ast::Class;
use crate::lang::ty::{Prim, SeqKind, Ty};

/// Spark's column type of a JVM type, as Arrow.
pub fn data_type(ty: &Ty, classes: &[Class]) -> Option<DataType> {
    let inner = |t: &Ty| data_type(t, classes);
    Some(match ty {
        Ty::Prim(p) | Ty::Boxed(p) => match p {
            Prim::Boolean => DataType::Boolean,
            Prim::Byte => DataType::Int8,
            Prim::Short => DataType::Int16,
            Prim::Int => DataType::Int32,
            Prim::Long => DataType::Int64,
            Prim::Float => DataType::Float32,
            Prim::Double => DataType::Float64,
            // Spark has no encoder for Char.
            Prim::Char => return None,
        },
        Ty::String => DataType::Utf8,
        // Spark's type for a decimal whose precision the code does not say.
        Ty::ScalaBigDecimal | Ty::JavaBigDecimal => DataType::Decimal128(38, 18),
        Ty::BigInt => DataType::Decimal128(38, 0),
        Ty::Class(name) => match name.as_str() {
            "Date" | "LocalDate" => DataType::Date32,
            "Timestamp" | "Instant" => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
            "LocalDateTime" => DataType::Timestamp(TimeUnit::Microsecond, None),
            _ => {
                let class = classes.iter().find(|c| c.name == *name)?;
                struct_of(class.fields.iter().map(|(n, t)| (n.clone(), t)), classes)?
            }
        },
        Ty::Array(a) if **a == Ty::Prim(Prim::Byte) => DataType::Binary,
        Ty::Array(a) | Ty::Set(a) => list(a, classes)?,
        Ty::Seq(kind, a) if *kind != SeqKind::Range => list(a, classes)?,
        Ty::Option(a) => return inner(a),
        Ty::Map(k, v) => {
            let entries = Fields::from(vec![
                Field::new("keys", inner(k)?, false),
                Field::new("values", inner(v)?, true),
            ]);
            DataType::Map(Arc::new(Field::new("entries", DataType::Struct(entries), false)), false)
        }
        Ty::Tuple(items) => struct_of(
            items.iter().enumerate().map(|(i, t)| (format!("_{}", i + 1), t)),
            classes,
        )?,
        _ => return None,
    })
}

/// Spark's column type as a program writes it: `IntegerType`, `DataTypes.StringType`, `ArrayType(LongType)`; `None` for what
/// cannot be read off the text.
pub(super) fn written_data_type(text: &str) -> Option<DataType> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let name = text.split('(').next()?.rsplit('.').next()?;
    let argument = text.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
    Some(match (name, argument) {
        ("BooleanType", None) => DataType::Boolean,
        ("ByteType", None) => DataType::Int8,
        ("ShortType", None) => DataType::Int16,
        ("IntegerType", None) => DataType::Int32,
        ("LongType", None) => DataType::Int64,
        ("FloatType", None) => DataType::Float32,
        ("DoubleType", None) => DataType::Float64,
        ("StringType", None) => DataType::Utf8,
        ("BinaryType", None) => DataType::Binary,
        ("DateType", None) => DataType::Date32,
        ("TimestampType", None) => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
        ("DecimalType", Some("38,18")) | ("SYSTEM_DEFAULT", None) => DataType::Decimal128(38, 18),
        // Without a flag the elements may be null.
        ("ArrayType" | "createArrayType", Some(inner)) => {
            let (element, nullable) = match inner.split_once(',') {
                Some((element, "false" | "containsNull=false")) => (element, false),
                Some((element, "true" | "containsNull=true")) => (element, true),
                Some(_) => return None,
                None => (inner, true),
            };
            DataType::List(Arc::new(Field::new("item", written_data_type(element)?, nullable)))
        }
        _ => return None,
    })
}

/// Whether two column types hold the same values; whether elements may be null does not matter here.
pub(super) fn same_type(a: &DataType, b: &DataType) -> bool {
    match (a, b) {
        (DataType::List(a), DataType::List(b)) => same_type(a.data_type(), b.data_type()),
        _ => a == b,
    }
}

fn list(elem: &Ty, classes: &[Class]) -> Option<DataType> {
    Some(DataType::List(Arc::new(Field::new(
        "item",
        data_type(elem, classes)?,
        elem.is_reference(),
    ))))
}

fn struct_of<'a>(fields: impl Iterator<Item = (String, &'a Ty)>, classes: &[Class]) -> Option<DataType> {
    let fields: Option<Vec<Field>> = fields
        .map(|(name, ty)| data_type(ty, classes).map(|d| Field::new(name, d, ty.is_reference())))
        .collect();
    Some(DataType::Struct(fields?.into()))
}
