//! Data files: Parquet, Arrow IPC, CSV and JSON Lines, chosen by extension; read whole into one batch, bound to the
//! parameters of a UDF by name or by position, and written back as outcomes.

use std::fs::File;
use std::io::{BufReader, Seek};
use std::path::Path;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, Int64Array, RecordBatch, StringArray, new_null_array};
use arrow::compute::{cast, concat_batches};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};

use crate::compare::walk::type_name;
use crate::error::{Error, Result};
use crate::find::Udf;
use crate::run::{NOT_RUN, Outcome};

/// The formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Parquet,
    Ipc,
    Csv,
    JsonLines,
}

fn format_of(path: &Path) -> Result<Format> {
    let extension = path
        .extension()
        .and_then(|e| e.to_str())
        .unwrap_or("")
        .to_ascii_lowercase();
    match extension.as_str() {
        "parquet" | "pq" => Ok(Format::Parquet),
        "arrow" | "ipc" | "feather" => Ok(Format::Ipc),
        "csv" => Ok(Format::Csv),
        "jsonl" | "ndjson" | "json" => Ok(Format::JsonLines),
        _ => Err(Error::input(format!("cannot tell the format of {}", path.display()))
            .hint("use a file that ends in .parquet, .arrow, .csv or .jsonl")),
    }
}

/// Reads a data file whole. Text in dictionaries and views becomes plain text; timestamps become microseconds.
pub fn read_data(path: &Path) -> Result<RecordBatch> {
    let failed = |e: &dyn std::fmt::Display| Error::input(format!("cannot read {}", path.display())).because(e);
    let format = format_of(path)?;
    let file = File::open(path).map_err(|e| failed(&e))?;
    let (schema, batches) = match format {
        Format::Parquet => read_parquet(file).map_err(|e| failed(&e))?,
        Format::Ipc => read_ipc(file).map_err(|e| failed(&e))?,
        Format::Csv => read_csv(file).map_err(|e| failed(&e))?,
        Format::JsonLines => read_json(file).map_err(|e| failed(&e))?,
    };
    let whole = concat_batches(&schema, &batches).map_err(|e| failed(&e))?;
    normalise(&whole).map_err(|e| failed(&e))
}

type Read = std::result::Result<(SchemaRef, Vec<RecordBatch>), arrow::error::ArrowError>;

fn read_parquet(file: File) -> Read {
    use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
    let options = ArrowReaderOptions::new();
    let found = ArrowReaderMetadata::load(&file, options.clone())?;
    // Spark writes INT96 timestamps, whose nanoseconds overflow outside 1677–2262: ask for microseconds.
    let fields = found.schema().fields().iter().map(|f| match f.data_type() {
        DataType::Timestamp(TimeUnit::Nanosecond, zone) => {
            let t = DataType::Timestamp(TimeUnit::Microsecond, zone.clone());
            Arc::new(f.as_ref().clone().with_data_type(t))
        }
        _ => f.clone(),
    });
    let schema: SchemaRef = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let metadata = ArrowReaderMetadata::load(&file, options.with_schema(schema)).unwrap_or(found);
    let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata)
        .with_batch_size(1 << 16)
        .build()?;
    let schema = arrow::record_batch::RecordBatchReader::schema(&reader);
    Ok((schema, reader.collect::<std::result::Result<_, _>>()?))
}

fn read_ipc(file: File) -> Read {
    let reader = arrow::ipc::reader::FileReader::try_new(file, None)?;
    let schema = reader.schema();
    Ok((schema, reader.collect::<std::result::Result<_, _>>()?))
}

fn read_csv(mut file: File) -> Read {
    let format = arrow::csv::reader::Format::default().with_header(true);
    let (schema, _) = format.infer_schema(BufReader::new(&mut file), Some(10_000))?;
    file.rewind()?;
    let schema = Arc::new(schema);
    let reader = arrow::csv::ReaderBuilder::new(schema.clone())
        .with_header(true)
        .build(file)?;
    Ok((schema, reader.collect::<std::result::Result<_, _>>()?))
}

fn read_json(file: File) -> Read {
    let mut reader = BufReader::new(file);
    let (schema, _) = arrow::json::reader::infer_json_schema_from_seekable(&mut reader, None)?;
    let schema = Arc::new(schema);
    let reader = arrow::json::ReaderBuilder::new(schema.clone()).build(reader)?;
    Ok((schema, reader.collect::<std::result::Result<_, _>>()?))
}

/// Brings columns to the few types that the rest of the program knows.
fn normalise(batch: &RecordBatch) -> std::result::Result<RecordBatch, arrow::error::ArrowError> {
    let (mut fields, mut columns): (Vec<Field>, Vec<ArrayRef>) = (Vec::new(), Vec::new());
    for (field, column) in batch.schema_ref().fields().iter().zip(batch.columns()) {
        let wanted = plain(column.data_type());
        let column = if wanted == *column.data_type() {
            column.clone()
        } else {
            cast(column, &wanted)?
        };
        fields.push(field.as_ref().clone().with_data_type(wanted));
        columns.push(column);
    }
    let options = arrow::array::RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), columns, &options)
}

fn plain(t: &DataType) -> DataType {
    let inner = |f: &Field| Arc::new(f.clone().with_data_type(plain(f.data_type())));
    match t {
        DataType::Utf8View | DataType::LargeUtf8 => DataType::Utf8,
        DataType::BinaryView | DataType::LargeBinary | DataType::FixedSizeBinary(_) => DataType::Binary,
        DataType::Dictionary(_, value) => plain(value),
        DataType::UInt8 => DataType::Int16,
        DataType::UInt16 => DataType::Int32,
        DataType::UInt32 => DataType::Int64,
        DataType::Date64 => DataType::Date32,
        DataType::Timestamp(_, _) => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
        DataType::List(f) | DataType::LargeList(f) | DataType::FixedSizeList(f, _) => DataType::List(inner(f)),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(|f| inner(f)).collect()),
        other => other.clone(),
    }
}

/// A data file's columns bound to the parameters of a UDF.
#[derive(Debug, Clone)]
pub struct Bound {
    /// One column per parameter, in call order, under the parameter's name.
    pub args: RecordBatch,
    /// The `row` column, if the data has one; else 0, 1, 2, …
    pub rows: Int64Array,
    /// Parameters and the columns of other names that they got, because not every parameter has a column of its name.
    pub by_position: Vec<ByPosition>,
}

/// A parameter that got a column by its place.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ByPosition {
    /// The parameter.
    pub param: String,
    /// The column of the data.
    pub column: String,
}

/// Binds columns by parameter name (without regard to case) where every name occurs, else by position; a leading `row`
/// column is kept apart.
pub fn bind(udf: &Udf, data: &RecordBatch, path: &Path) -> Result<Bound> {
    let names: Vec<String> = data.schema_ref().fields().iter().map(|f| f.name().clone()).collect();
    let by_name: Option<Vec<usize>> = udf
        .params
        .iter()
        .map(|p| names.iter().position(|n| n.eq_ignore_ascii_case(&p.name)))
        .collect();
    // A leading `row` numbers the rows, unless it is the column of a parameter of that name.
    let named_row = udf.params.first().is_some_and(|p| p.name == "row");
    let has_row = names.first().is_some_and(|n| n == "row")
        && (!named_row || (by_name.is_none() && names.len() > udf.params.len()));
    let skip = usize::from(has_row);
    let chosen = by_name.unwrap_or_else(|| (skip..skip + udf.params.len()).collect());
    if chosen.iter().any(|i| *i >= names.len()) {
        let wanted: Vec<_> = udf.params.iter().map(|p| format!("{}: {}", p.name, p.ty)).collect();
        return Err(
            Error::input(format!("{} lacks a column for {}", path.display(), udf.name))
                .because(format!(
                    "it has ({}), the UDF takes ({})",
                    names.join(", "),
                    wanted.join(", ")
                ))
                .hint("name the columns like the parameters, or give them in call order"),
        );
    }
    let pairs = udf.params.iter().zip(chosen.iter().map(|i| &names[*i]));
    let by_position = pairs
        .filter(|(p, column)| !column.eq_ignore_ascii_case(&p.name))
        .map(|(p, column)| ByPosition {
            param: p.name.clone(),
            column: column.clone(),
        })
        .collect();
    let (mut fields, mut columns) = (Vec::new(), Vec::new());
    for (param, at) in udf.params.iter().zip(&chosen) {
        let column = data.column(*at);
        if let Some(wanted) = &param.data_type
            && !fits(column.data_type(), wanted)
        {
            return Err(Error::input(format!(
                "column `{}` of {} has the wrong type",
                names[*at],
                path.display()
            ))
            .because(format!(
                "it is {}, the parameter `{}` is {}",
                type_name(column.data_type()),
                param.name,
                type_name(wanted)
            ))
            .hint("cast the column, or choose another data file"));
        }
        // Text inferred from CSV or JSON may stand for a type that those formats do not have.
        let column = match &param.data_type {
            Some(wanted) if needs_cast(column.data_type(), wanted) => exact_cast(column, wanted).map_err(|e| {
                Error::input(format!(
                    "column `{}` of {} does not convert",
                    names[*at],
                    path.display()
                ))
                .because(e)
            })?,
            _ => column.clone(),
        };
        fields.push(Field::new(&param.name, column.data_type().clone(), true));
        columns.push(column);
    }
    let options = arrow::array::RecordBatchOptions::new().with_row_count(Some(data.num_rows()));
    let args = RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), columns, &options)
        .map_err(|e| Error::input(format!("cannot use {}", path.display())).because(e))?;
    Ok(Bound {
        args,
        rows: row_ids(data, has_row),
        by_position,
    })
}

/// A cast that fails where a value does not fit, instead of making it null.
fn exact_cast(column: &ArrayRef, wanted: &DataType) -> std::result::Result<ArrayRef, arrow::error::ArrowError> {
    let options = arrow::compute::CastOptions {
        safe: false,
        ..Default::default()
    };
    arrow::compute::cast_with_options(column, wanted, &options)
}

fn row_ids(data: &RecordBatch, has_row: bool) -> Int64Array {
    let kept = has_row.then(|| cast(data.column(0), &DataType::Int64).ok()).flatten();
    match kept.as_ref().and_then(|c| c.as_any().downcast_ref::<Int64Array>()) {
        Some(ids) => ids.clone(),
        None => (0..data.num_rows() as i64).collect(),
    }
}

fn rank(t: &DataType) -> Option<u8> {
    Some(match t {
        DataType::Int8 => 1,
        DataType::Int16 => 2,
        DataType::Int32 => 3,
        DataType::Int64 => 4,
        DataType::Decimal128(_, _) => 5,
        DataType::Float32 => 6,
        DataType::Float64 => 7,
        _ => return None,
    })
}

/// Whether Spark would pass a column of type `have` to a parameter of type `want` without an explicit cast.
fn fits(have: &DataType, want: &DataType) -> bool {
    if *have == DataType::Null || needs_cast(have, want) {
        return true;
    }
    match (have, want) {
        (DataType::List(a), DataType::List(b)) => fits(a.data_type(), b.data_type()),
        (DataType::Struct(a), DataType::Struct(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(x, y)| fits(x.data_type(), y.data_type()))
        }
        (DataType::Map(a, _), DataType::Map(b, _)) => fits(a.data_type(), b.data_type()),
        (DataType::Timestamp(_, _), DataType::Timestamp(_, _)) => true,
        _ => match (rank(have), rank(want)) {
            (Some(a), Some(b)) => a <= b,
            _ => have == want,
        },
    }
}

/// Whether a column from a format with fewer types is to be converted: text dates, wide integers, all-null columns.
fn needs_cast(have: &DataType, want: &DataType) -> bool {
    matches!(
        (have, want),
        (
            DataType::Utf8,
            DataType::Date32 | DataType::Timestamp(_, _) | DataType::Decimal128(_, _)
        ) | (DataType::Int64, DataType::Int32 | DataType::Int16 | DataType::Int8)
            | (DataType::Float64, DataType::Float32 | DataType::Decimal128(_, _))
            | (
                DataType::Int64 | DataType::Float64 | DataType::Boolean | DataType::Date32 | DataType::Timestamp(_, _),
                DataType::Utf8
            )
            | (DataType::Null, _)
    ) && have != want
}

/// Writes an outcome as `row`, `value`, `error`. A row that was not run has the error [`NOT_RUN`].
pub fn write_outcome(path: &Path, rows: &Int64Array, outcome: &Outcome) -> Result<()> {
    let errors: ArrayRef = match &outcome.errors {
        _ if !outcome.not_run.is_empty() => {
            let class = |row| outcome.not_run.reason(row).map(|_| NOT_RUN).or(outcome.error(row));
            Arc::new((0..outcome.len()).map(class).collect::<StringArray>())
        }
        Some(e) => Arc::new(e.clone()),
        None => new_null_array(&DataType::Utf8, outcome.len()),
    };
    debug_assert!(errors.as_any().is::<StringArray>());
    let schema = Arc::new(Schema::new(vec![
        Field::new("row", DataType::Int64, false),
        Field::new("value", outcome.values.data_type().clone(), true),
        Field::new("error", DataType::Utf8, true),
    ]));
    let batch = RecordBatch::try_new(schema, vec![Arc::new(rows.clone()), outcome.values.clone(), errors])
        .map_err(|e| Error::internal("the outcome has not one value per row").because(e))?;
    let format = format_of(path)?;
    replace(path, |file| write_batch(format, file, &batch))
}

/// Writes a file of the user's: a pipe or a device as it is; what stands there already is replaced only by a whole file.
pub fn replace<E: std::error::Error>(
    path: &Path,
    write: impl FnOnce(File) -> std::result::Result<(), E>,
) -> Result<()> {
    let failed = |e: &dyn std::fmt::Display| Error::input(format!("cannot write {}", path.display())).because(e);
    if std::fs::metadata(path).is_ok_and(|m| !m.is_file()) {
        let file = File::create(path).map_err(|e| failed(&e))?;
        return write(file).map_err(|e| failed(&e));
    }
    let folder = path
        .parent()
        .filter(|p| !p.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let near = beside(folder).map_err(|e| failed(&e))?;
    let file = near.as_file().try_clone().map_err(|e| failed(&e))?;
    write(file).map_err(|e| failed(&e))?;
    near.persist(path).map_err(|e| failed(&e.error))?;
    Ok(())
}

/// A new file of this folder with the permissions that a user's files have.
fn beside(folder: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    use std::os::unix::fs::PermissionsExt;
    tempfile::Builder::new()
        .permissions(std::fs::Permissions::from_mode(0o666))
        .tempfile_in(folder)
}

fn write_batch(format: Format, file: File, batch: &RecordBatch) -> std::result::Result<(), arrow::error::ArrowError> {
    match format {
        Format::Parquet => {
            let mut w = parquet::arrow::ArrowWriter::try_new(file, batch.schema(), None)?;
            w.write(batch)?;
            w.close()?;
        }
        Format::Ipc => {
            let mut w = arrow::ipc::writer::FileWriter::try_new(file, batch.schema_ref())?;
            w.write(batch)?;
            w.finish()?;
        }
        Format::Csv => arrow::csv::Writer::new(file).write(batch)?,
        Format::JsonLines => {
            // A key that is missing would look like another schema.
            let builder = arrow::json::WriterBuilder::new().with_explicit_nulls(true);
            let mut w = builder.build::<_, arrow::json::writer::LineDelimited>(file);
            w.write(batch)?;
            w.finish()?;
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "data_tests.rs"]
mod tests;
