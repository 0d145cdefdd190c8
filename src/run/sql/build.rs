//! Columns from single values: the way back from row functions to Arrow.

use std::sync::Arc;

use arrow::array::*;
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::datatypes::{Field, IntervalMonthDayNano};

use super::ty::{Ty, entries_field, struct_fields};
use super::val::Val;
use crate::error::{Error, Result};

fn arrow_failed(e: arrow::error::ArrowError) -> Error {
    Error::internal("cannot build a result column").because(e)
}

/// A column of this type from its values.
pub fn build(ty: &Ty, vals: &[Val]) -> Result<ArrayRef> {
    macro_rules! prim {
        ($arr:ty, $v:ident) => {
            Arc::new(
                vals.iter()
                    .map(|x| match x {
                        Val::$v(v) => Some(*v),
                        _ => None,
                    })
                    .collect::<$arr>(),
            )
        };
    }
    Ok(match ty {
        Ty::Null => new_null_array(&arrow::datatypes::DataType::Null, vals.len()),
        Ty::Bool => prim!(BooleanArray, Bool),
        Ty::I8 => prim!(Int8Array, I8),
        Ty::I16 => prim!(Int16Array, I16),
        Ty::I32 => prim!(Int32Array, I32),
        Ty::I64 => prim!(Int64Array, I64),
        Ty::F32 => prim!(Float32Array, F32),
        Ty::F64 => prim!(Float64Array, F64),
        Ty::Date => prim!(Date32Array, Date),
        Ty::Ym => prim!(Int32Array, Ym),
        Ty::Dt | Ty::Day => prim!(Int64Array, Dt),
        Ty::Dec(p, s) => {
            let a: Decimal128Array = vals
                .iter()
                .map(|x| match x {
                    Val::Dec(v) => Some(*v),
                    _ => None,
                })
                .collect();
            Arc::new(a.with_precision_and_scale(*p, *s as i8).map_err(arrow_failed)?)
        }
        Ty::Ts => {
            let a: TimestampMicrosecondArray = vals
                .iter()
                .map(|x| match x {
                    Val::Ts(v) => Some(*v),
                    _ => None,
                })
                .collect();
            Arc::new(a.with_timezone("UTC"))
        }
        Ty::Cal => Arc::new(
            vals.iter()
                .map(|x| match x {
                    Val::Cal(m, d, u) => Some(IntervalMonthDayNano::new(*m, *d, *u)),
                    _ => None,
                })
                .collect::<IntervalMonthDayNanoArray>(),
        ),
        Ty::Str | Ty::Bin => build_bytes(ty, vals)?,
        _ => build_nested(ty, vals)?,
    })
}

fn build_bytes(ty: &Ty, vals: &[Val]) -> Result<ArrayRef> {
    let total: usize = vals.iter().map(|v| v.bytes().len()).sum();
    check_size(total)?;
    Ok(if *ty == Ty::Str {
        let mut b = StringBuilder::with_capacity(vals.len(), total);
        for v in vals {
            match v {
                Val::Str(s) => b.append_value(s),
                _ => b.append_null(),
            }
        }
        Arc::new(b.finish())
    } else {
        let mut b = BinaryBuilder::with_capacity(vals.len(), total);
        for v in vals {
            match v {
                Val::Bin(s) => b.append_value(s),
                _ => b.append_null(),
            }
        }
        Arc::new(b.finish())
    })
}

/// Refuses a chunk whose values would not fit 32-bit offsets.
fn check_size(total: usize) -> Result<()> {
    if total > i32::MAX as usize {
        return Err(Error::not_proven("a chunk of results is larger than 2 GiB"));
    }
    Ok(())
}

fn build_nested(ty: &Ty, vals: &[Val]) -> Result<ArrayRef> {
    let valid: Vec<bool> = vals.iter().map(|v| !v.is_null()).collect();
    let nulls = Some(NullBuffer::from(valid)).filter(|n| n.null_count() > 0);
    match ty {
        Ty::Arr(t) => {
            let lens = vals.iter().map(|v| v.items().len());
            check_size(lens.clone().sum())?;
            let flat: Vec<Val> = vals.iter().flat_map(|v| v.items().iter().cloned()).collect();
            let field = Arc::new(Field::new("item", t.arrow(), true));
            let a = ListArray::try_new(field, OffsetBuffer::from_lengths(lens), build(t, &flat)?, nulls);
            Ok(Arc::new(a.map_err(arrow_failed)?))
        }
        Ty::Map(k, v) => {
            let lens = vals.iter().map(|v| v.entries().len());
            check_size(lens.clone().sum())?;
            let keys: Vec<Val> = vals
                .iter()
                .flat_map(|m| m.entries().iter().map(|e| e.0.clone()))
                .collect();
            let values: Vec<Val> = vals
                .iter()
                .flat_map(|m| m.entries().iter().map(|e| e.1.clone()))
                .collect();
            map_array(
                k,
                v,
                OffsetBuffer::from_lengths(lens),
                build(k, &keys)?,
                build(v, &values)?,
                nulls,
            )
        }
        Ty::Struct(fs) => {
            let mut columns = Vec::with_capacity(fs.len());
            for (i, (_, t)) in fs.iter().enumerate() {
                let column: Vec<Val> = vals
                    .iter()
                    .map(|v| v.items().get(i).cloned().unwrap_or(Val::Null))
                    .collect();
                columns.push(build(t, &column)?);
            }
            if fs.is_empty() {
                return Ok(Arc::new(StructArray::new_empty_fields(vals.len(), nulls)));
            }
            Ok(Arc::new(
                StructArray::try_new(struct_fields(fs), columns, nulls).map_err(arrow_failed)?,
            ))
        }
        other => Err(Error::internal(format!("{other} is not nested"))),
    }
}

/// A map column from its parts.
pub fn map_array(
    k: &Ty,
    v: &Ty,
    offsets: OffsetBuffer<i32>,
    keys: ArrayRef,
    values: ArrayRef,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef> {
    let entries = entries_field(k, v);
    let arrow::datatypes::DataType::Struct(fields) = entries.data_type().clone() else {
        return Err(Error::internal("map entries are a struct"));
    };
    let kv = StructArray::try_new(fields, vec![keys, values], None).map_err(arrow_failed)?;
    let map = MapArray::try_new(Arc::new(entries), offsets, kv, nulls, false).map_err(arrow_failed)?;
    Ok(Arc::new(map))
}

#[cfg(test)]
mod tests {
    use super::super::val::Reader;
    use super::*;

    #[test]
    fn columns_survive_the_way_through_values() {
        let ty = Ty::Map(Box::new(Ty::Str), Box::new(Ty::Arr(Box::new(Ty::I32))));
        let vals = vec![
            Val::Map(vec![(Val::text("a"), Val::Arr(vec![Val::I32(1), Val::Null]))]),
            Val::Null,
            Val::Map(vec![]),
        ];
        let a = build(&ty, &vals).unwrap();
        let r = Reader::new(&ty, a.as_ref());
        assert_eq!(r.get(0).entries()[0].1.items().len(), 2);
        assert!(r.get(1).is_null());
        assert_eq!(r.get(2).entries().len(), 0);
    }
}
