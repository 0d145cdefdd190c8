//! Columns to and from a worker. In: batches and files; out: Arrow streams, and outcomes with the names and types that the rest
//! of the program uses for the same columns.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::ptr::NonNull;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch, StringArray, make_array};
use arrow::buffer::Buffer;
use arrow::compute::concat;
use arrow::datatypes::{DataType, Field, SchemaRef};
use arrow::error::ArrowError;
use arrow::ipc::reader::StreamDecoder;
use arrow::ipc::writer::StreamWriter;

use crate::error::{Error, Result};
use crate::run::Outcome;
use crate::run::worker::shared;

/// Writes a batch as an Arrow stream.
pub fn write(batch: &RecordBatch, to: &Path) -> Result<()> {
    let failed = |e: &dyn std::fmt::Display| {
        Error::not_proven(format!("the columns cannot be written to {}", to.display()))
            .because(e)
            .hint("free some space, or set TMPDIR to another folder")
    };
    let file = File::create(to).map_err(|e| failed(&e))?;
    let mut writer =
        StreamWriter::try_new(BufWriter::with_capacity(1 << 20, file), batch.schema_ref()).map_err(|e| failed(&e))?;
    writer.write(batch).map_err(|e| failed(&e))?;
    writer.finish().map_err(|e| failed(&e))
}

/// Hands a batch over to another process of this machine that can read this one's memory: of a large flat one it is told where it stands, and
/// the batch is given back, to be kept until it has been read. Others are written.
pub fn hand_over(batch: &RecordBatch, to: &Path) -> Result<Option<RecordBatch>> {
    match shared::note(batch) {
        Ok(Some(note)) if std::fs::write(to, &note).is_ok() => Ok(Some(batch.clone())),
        _ => write(batch, to).map(|()| None),
    }
}

/// The column that numbers the rows of a table, since a query may give them in any order.
const ROW: &str = "rewright__row";

/// Writes a batch as a Parquet table whose first column numbers the rows.
pub fn write_table(batch: &RecordBatch, to: &Path) -> Result<()> {
    let failed = |e: &dyn std::fmt::Display| {
        Error::not_proven(format!("the columns cannot be written to {}", to.display()))
            .because(e)
            .hint("free some space, or set TMPDIR to another folder")
    };
    let numbers: ArrayRef = Arc::new(arrow::array::Int64Array::from_iter_values(0..batch.num_rows() as i64));
    let mut fields = vec![Arc::new(Field::new(ROW, DataType::Int64, false))];
    fields.extend(batch.schema_ref().fields().iter().cloned());
    let columns = std::iter::once(numbers)
        .chain(batch.columns().iter().cloned())
        .collect();
    let schema = Arc::new(arrow::datatypes::Schema::new(fields));
    let table = RecordBatch::try_new(schema.clone(), columns).map_err(|e| failed(&e))?;
    let file = File::create(to).map_err(|e| failed(&e))?;
    let mut writer = parquet::arrow::ArrowWriter::try_new(file, schema, None).map_err(|e| failed(&e))?;
    writer.write(&table).map_err(|e| failed(&e))?;
    writer.close().map(drop).map_err(|e| failed(&e))
}

/// The first batch of an Arrow stream, or one without rows if it has none; its file is removed.
pub fn take(path: &Path) -> Result<RecordBatch> {
    let (schema, batches) = batches(path)?;
    let first = batches.into_iter().next();
    Ok(first.unwrap_or_else(|| RecordBatch::new_empty(schema)))
}

fn batches(path: &Path) -> Result<(SchemaRef, Vec<RecordBatch>)> {
    let failed = |e: &dyn std::fmt::Display| Error::internal("the worker's columns cannot be read").because(e);
    let bytes = mapped(path).map_err(|e| failed(&e))?;
    // The folder goes with the worker; files that stay until then only take space.
    let _ = std::fs::remove_file(path);
    let parts = match shared::stream(&bytes) {
        Some(parts) => parts.map_err(|e| failed(&e))?.to_vec(),
        None => vec![bytes],
    };
    let (mut decoder, mut batches) = (StreamDecoder::new(), Vec::new());
    for mut part in parts {
        while let Some(batch) = decoder.decode(&mut part).map_err(|e| failed(&e))? {
            batches.push(batch);
        }
    }
    decoder.finish().map_err(|e| failed(&e))?;
    let schema = decoder.schema().ok_or_else(|| failed(&"they have no schema"))?;
    Ok((schema, batches))
}

/// The bytes of a file where they are: columns of hundreds of megabytes are not copied once more.
fn mapped(path: &Path) -> std::io::Result<Buffer> {
    let file = File::open(path)?;
    // SAFETY: the file lies in a folder of this user's; its writer has ended it and told so before it is read.
    let map = Arc::new(unsafe { memmap2::Mmap::map(&file)? });
    let start = NonNull::from(&map[..]).cast();
    // SAFETY: the mapping stays as long as the buffer keeps it.
    Ok(unsafe { Buffer::from_custom_allocation(start, map.len(), map) })
}

/// Reads the parts of a result, each with the column `value` and, if a row threw, `error`, and removes their files. `wanted` is the type
/// that the values are expected to have; names inside of it are taken over where everything else agrees.
pub fn read(parts: &[&Path], rows: usize, wanted: Option<&DataType>) -> Result<Outcome> {
    let failed = |e: &dyn std::fmt::Display| Error::internal("the worker's columns cannot be read").because(e);
    let (mut values, mut errors): (Vec<ArrayRef>, Vec<ArrayRef>) = (Vec::new(), Vec::new());
    for part in parts {
        for batch in batches(part)?.1 {
            let error: ArrayRef = match batch.num_columns() {
                1 => Arc::new(StringArray::new_null(batch.num_rows())),
                2 => batch.column(1).clone(),
                n => return Err(failed(&format!("{n} columns"))),
            };
            values.push(batch.column(0).clone());
            errors.push(error);
        }
    }
    let whole = |arrays: &[ArrayRef]| {
        let arrays: Vec<&dyn Array> = arrays.iter().map(|a| a.as_ref()).collect();
        concat(&arrays)
    };
    let value = whole(&values).map_err(|e| failed(&e))?;
    let error = whole(&errors).map_err(|e| failed(&e))?;
    if value.len() != rows {
        return Err(failed(&format!("{} rows came back for {rows}", value.len())));
    }
    let plain = renamed(value.data_type());
    let target = wanted.filter(|w| same_shape(w, &plain)).unwrap_or(&plain).clone();
    let values = relabel(&value, &target).map_err(|e| failed(&e))?;
    let errors: Option<&StringArray> = error.as_string_opt();
    let errors = errors.ok_or_else(|| failed(&"the errors are no text"))?;
    let threw = errors.null_count() < errors.len();
    Ok(Outcome::with_errors(values, threw.then(|| errors.clone())))
}

/// The same type with the names of fields that the rest of the program gives to items, keys and values.
fn renamed(ty: &DataType) -> DataType {
    match ty {
        DataType::List(f) => DataType::List(Arc::new(Field::new("item", renamed(f.data_type()), f.is_nullable()))),
        DataType::Map(entries, sorted) => match entries.data_type() {
            DataType::Struct(kv) if kv.len() == 2 => {
                let fields = vec![
                    Field::new("keys", renamed(kv[0].data_type()), false),
                    Field::new("values", renamed(kv[1].data_type()), true),
                ];
                let entries = Field::new("entries", DataType::Struct(fields.into()), false);
                DataType::Map(Arc::new(entries), *sorted)
            }
            _ => ty.clone(),
        },
        DataType::Struct(fields) => {
            let field = |f: &Arc<Field>| f.as_ref().clone().with_data_type(renamed(f.data_type()));
            DataType::Struct(fields.iter().map(field).collect())
        }
        DataType::Timestamp(unit, Some(_)) => DataType::Timestamp(*unit, Some("UTC".into())),
        other => other.clone(),
    }
}

/// Whether two types differ in names, nullability and zones only.
fn same_shape(a: &DataType, b: &DataType) -> bool {
    match (a, b) {
        (DataType::List(x), DataType::List(y)) => same_shape(x.data_type(), y.data_type()),
        (DataType::Map(x, _), DataType::Map(y, _)) => same_shape(x.data_type(), y.data_type()),
        (DataType::Struct(x), DataType::Struct(y)) => {
            let pairs = x.iter().zip(y);
            x.len() == y.len() && pairs.into_iter().all(|(p, q)| same_shape(p.data_type(), q.data_type()))
        }
        (DataType::Timestamp(x, p), DataType::Timestamp(y, q)) => x == y && p.is_some() == q.is_some(),
        _ => a == b,
    }
}

/// The same values under a type that differs in names only.
fn relabel(array: &ArrayRef, ty: &DataType) -> std::result::Result<ArrayRef, ArrowError> {
    if array.data_type() == ty {
        return Ok(array.clone());
    }
    let children: Vec<&DataType> = match ty {
        DataType::List(f) | DataType::Map(f, _) => vec![f.data_type()],
        DataType::Struct(fields) => fields.iter().map(|f| f.data_type()).collect(),
        _ => Vec::new(),
    };
    let data = array.to_data();
    let inner = data.child_data().iter().zip(&children);
    let inner: std::result::Result<Vec<_>, ArrowError> = inner
        .map(|(child, ty)| Ok(relabel(&make_array(child.clone()), ty)?.to_data()))
        .collect();
    let built = data.into_builder().data_type(ty.clone()).child_data(inner?).build()?;
    Ok(make_array(built))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{Int32Array, ListArray};
    use arrow::buffer::OffsetBuffer;

    #[test]
    fn names_inside_of_a_type_are_taken_over() {
        let field = Arc::new(Field::new("element", DataType::Int32, true));
        let items = Arc::new(Int32Array::from(vec![Some(1), None, Some(3)]));
        let list: ArrayRef = Arc::new(ListArray::new(
            field,
            OffsetBuffer::new(vec![0, 2, 3].into()),
            items,
            None,
        ));
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("part");
        let errors: ArrayRef = Arc::new(StringArray::from(vec![None::<&str>, None]));
        let batch = RecordBatch::try_from_iter([("value", list), ("error", errors)]).unwrap();
        write(&batch, &path).unwrap();
        let outcome = read(&[&path], 2, None).unwrap();
        assert_eq!(outcome.values.data_type(), &renamed(batch.column(0).data_type()));
        assert!(outcome.errors.is_none() && !path.exists());
    }
}
