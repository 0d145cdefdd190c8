//! The golden vectors: each entry's Scala body as a UDF, every row against what the JVM gave.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::*;
use arrow::datatypes::{DataType, Field, Int32Type, Schema};
use rewright::run::embedded::Embedded;
use rewright::run::{Cancel, Evaluator, Outcome, Settings};
use rewright::source::{Language, SourceFile};
use serde_json::Value as Json;

/// Files that are not covered, and why; shrinks as more is.
const REFUSED: &[(&str, &str)] = &[
    ("format_2f.csv", "formats"),
    ("decimal_format_00.csv", "formats"),
    ("int_format_05d.csv", "formats"),
    ("int_format_grouped.csv", "formats"),
    ("str_upper_root.csv", "Locale"),
    ("str_lower_root.csv", "Locale"),
    ("str_md5.csv", "the `f` interpolator"),
    ("str_base64.csv", "overloads"),
    ("str_bytes_latin1.csv", "the `f` interpolator"),
    ("date_week_of_year_us.csv", "Locale"),
    ("date_format_week_year.csv", "Locale"),
    ("not_in_set.csv", "`!` before a companion"),
    ("str_upper_turkish_locale.csv", "the JVM default locale is Turkish"),
    ("str_lower_turkish_locale.csv", "the JVM default locale is Turkish"),
];

/// Regular expressions are being added.
fn is_regex(file: &str) -> bool {
    file.starts_with("re_") || file.starts_with("split_")
}

/// Transcendental functions may be a unit in the last place away where the JVM's own intrinsic is not known: file and rows.
const LAST_ULP: &[(&str, usize)] = &[("math_exp.csv", 1), ("math_pow.csv", 1), ("math_sin.csv", 2)];

/// Whether two doubles, given as their bits, are finite neighbours of the same sign.
fn one_ulp_apart(a: &str, b: &str) -> bool {
    let bits = |s: &str| u64::from_str_radix(s, 16).ok().filter(|_| s.len() == 16);
    match (bits(a), bits(b)) {
        (Some(x), Some(y)) => x.abs_diff(y) == 1 && f64::from_bits(x.max(y)).is_finite(),
        _ => false,
    }
}

fn vectors() -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/vectors")).to_path_buf()
}

/// Plain CSV; cells as text.
fn read_csv(path: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(path).unwrap();
    let (mut rows, mut row, mut cell, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, quoted) {
            ('"', true) if chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            ('"', _) => quoted = !quoted,
            (',', false) => row.push(std::mem::take(&mut cell)),
            ('\n', false) => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            _ => cell.push(c),
        }
    }
    rows
}

/// The UTF-16 units of an escaped string cell.
fn unescape(cell: &str) -> Vec<u16> {
    let mut out = Vec::new();
    let mut chars = cell.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.extend(c.encode_utf16(&mut [0; 2]).iter());
            continue;
        }
        match chars.next().unwrap() {
            'n' => out.push(10),
            'r' => out.push(13),
            't' => out.push(9),
            'u' => {
                let hex: String = chars.by_ref().take(4).collect();
                out.push(u16::from_str_radix(&hex, 16).unwrap());
            }
            other => out.push(other as u16),
        }
    }
    out
}

struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    fn cells(&self, name: &str) -> Option<Vec<&str>> {
        let at = self.header.iter().position(|h| h == name)?;
        Some(self.rows.iter().map(|r| r[at].as_str()).collect())
    }

    fn of(&self, name: &str, suffix: &str) -> Vec<&str> {
        self.cells(&format!("{name}{suffix}"))
            .unwrap_or_else(|| panic!("{name}{suffix}"))
    }
}

fn parsed<T: std::str::FromStr>(cells: &[&str]) -> Vec<Option<T>> {
    cells
        .iter()
        .map(|c| {
            if *c == "\\N" {
                None
            } else {
                Some(c.parse().ok().unwrap())
            }
        })
        .collect()
}

fn decimal_type(ty: &str) -> (u8, i8) {
    let inner = ty.trim_start_matches("decimal(").trim_end_matches(')');
    let (p, s) = inner.split_once(',').unwrap();
    (p.trim().parse().unwrap(), s.trim().parse().unwrap())
}

fn unscaled(text: &str, scale: i8) -> i128 {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = format!("{whole}{fraction:0<width$}", width = scale as usize);
    digits.parse().unwrap()
}

/// An element of an ARRAY or MAP cell.
fn double_of(v: &Json) -> Option<f64> {
    v.as_str().map(|t| {
        let (_, bits) = t.split_once('|').unwrap();
        f64::from_bits(u64::from_str_radix(bits, 16).unwrap())
    })
}

fn column(table: &Table, name: &str, ty: &str) -> ArrayRef {
    let cells = || table.of(name, "");
    let bits = || table.of(name, "_bits");
    match ty {
        "int" => Arc::new(Int32Array::from(parsed::<i32>(&cells()))),
        "bigint" => Arc::new(Int64Array::from(parsed::<i64>(&cells()))),
        "smallint" => Arc::new(Int16Array::from(parsed::<i16>(&cells()))),
        "tinyint" => Arc::new(Int8Array::from(parsed::<i8>(&cells()))),
        "boolean" => Arc::new(BooleanArray::from(parsed::<bool>(&cells()))),
        "double" => Arc::new(Float64Array::from_iter(
            bits()
                .iter()
                .map(|c| u64::from_str_radix(c, 16).ok().map(f64::from_bits)),
        )),
        "float" => Arc::new(Float32Array::from_iter(
            bits()
                .iter()
                .map(|c| u32::from_str_radix(c, 16).ok().map(f32::from_bits)),
        )),
        "string" => Arc::new(StringArray::from_iter(cells().iter().map(|c| match *c {
            "\\N" => None,
            c => Some(String::from_utf16(&unescape(c)).unwrap_or_else(|_| panic!("{c}"))),
        }))),
        "date" | "sqldate" => Arc::new(Date32Array::from(parsed::<i32>(&table.of(name, "_days")))),
        "ts" | "sqlts" => {
            Arc::new(TimestampMicrosecondArray::from(parsed::<i64>(&table.of(name, "_micros"))).with_timezone("UTC"))
        }
        "array<int>" => Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(cells().iter().map(
            |c| {
                (*c != "\\N").then(|| {
                    let items: Vec<Json> = serde_json::from_str(c).unwrap();
                    items.iter().map(|i| i.as_i64().map(|i| i as i32)).collect::<Vec<_>>()
                })
            },
        ))),
        "array<double>" => Arc::new(ListArray::from_iter_primitive::<arrow::datatypes::Float64Type, _, _>(
            cells().iter().map(|c| {
                (*c != "\\N").then(|| {
                    let items: Vec<Json> = serde_json::from_str(c).unwrap();
                    items.iter().map(double_of).collect::<Vec<_>>()
                })
            }),
        )),
        "array<string>" => {
            let mut builder = ListBuilder::new(StringBuilder::new());
            for c in cells() {
                if c == "\\N" {
                    builder.append_null();
                    continue;
                }
                let items: Vec<Json> = serde_json::from_str(c).unwrap();
                items.iter().for_each(|i| builder.values().append_option(i.as_str()));
                builder.append(true);
            }
            Arc::new(builder.finish())
        }
        "map<string,int>" => {
            let mut builder = MapBuilder::new(None, StringBuilder::new(), Int32Builder::new());
            for c in cells() {
                if c == "\\N" {
                    builder.append(false).unwrap();
                    continue;
                }
                let items: Vec<(String, Option<i32>)> = serde_json::from_str(c).unwrap();
                for (k, v) in items {
                    builder.keys().append_value(k);
                    builder.values().append_option(v);
                }
                builder.append(true).unwrap();
            }
            Arc::new(builder.finish())
        }
        ty if ty.starts_with("decimal") => {
            let (p, s) = decimal_type(ty);
            let values = cells().into_iter().map(|c| (c != "\\N").then(|| unscaled(c, s)));
            Arc::new(
                Decimal128Array::from_iter(values)
                    .with_precision_and_scale(p, s)
                    .unwrap(),
            )
        }
        other => panic!("{other}"),
    }
}

fn scala_type(ty: &str, boxed: bool) -> String {
    let prim = |scala: &str, java: &str| {
        if boxed {
            format!("java.lang.{java}")
        } else {
            scala.to_string()
        }
    };
    match ty {
        "int" => prim("Int", "Integer"),
        "bigint" => prim("Long", "Long"),
        "smallint" => prim("Short", "Short"),
        "tinyint" => prim("Byte", "Byte"),
        "boolean" => prim("Boolean", "Boolean"),
        "double" => prim("Double", "Double"),
        "float" => prim("Float", "Float"),
        "string" => "String".into(),
        "date" => "java.time.LocalDate".into(),
        "sqldate" => "java.sql.Date".into(),
        "ts" => "java.time.Instant".into(),
        "sqlts" => "java.sql.Timestamp".into(),
        "array<int>" => format!("Seq[{}]", prim("Int", "Integer")),
        "array<double>" => format!("Seq[{}]", prim("Double", "Double")),
        "array<string>" => "Seq[String]".into(),
        "map<string,int>" => format!("Map[String, {}]", prim("Int", "Integer")),
        _ => "java.math.BigDecimal".into(),
    }
}

/// The cell that the README would write for a value, bits for floats.
fn cell(array: &ArrayRef, row: usize) -> String {
    use arrow::datatypes::*;
    if array.is_null(row) {
        return "\\N".into();
    }
    match array.data_type() {
        DataType::Float64 => bits64(array.as_primitive::<Float64Type>().value(row)),
        DataType::Float32 => {
            let v = array.as_primitive::<Float32Type>().value(row);
            if v.is_nan() {
                "7fc00000".into()
            } else {
                format!("{:08x}", v.to_bits())
            }
        }
        DataType::Date32 => array.as_primitive::<Date32Type>().value(row).to_string(),
        DataType::Timestamp(..) => array.as_primitive::<TimestampMicrosecondType>().value(row).to_string(),
        DataType::Decimal128(_, s) => {
            let v = array.as_primitive::<Decimal128Type>().value(row);
            normal(v, *s)
        }
        DataType::Utf8 => array.as_string::<i32>().value(row).to_string(),
        DataType::List(_) => {
            let items = array.as_list::<i32>().value(row);
            let parts: Vec<String> = (0..items.len()).map(|i| cell(&items, i)).collect();
            format!("{parts:?}")
        }
        _ => arrow::util::display::array_value_to_string(array, row).unwrap(),
    }
}

fn bits64(v: f64) -> String {
    if v.is_nan() {
        "7ff8000000000000".into()
    } else {
        format!("{:016x}", v.to_bits())
    }
}

/// A decimal without trailing zeros.
fn normal(mut unscaled: i128, mut scale: i8) -> String {
    while scale > 0 && unscaled % 10 == 0 {
        unscaled /= 10;
        scale -= 1;
    }
    format!("{unscaled}e-{scale}")
}

/// JSON text without lone surrogates, which Spark stores as `?` and a JSON parser refuses.
fn stored(cell: &str) -> String {
    let unit = |at: usize| -> Option<u16> {
        let escape = cell.get(at..at + 6)?;
        u16::from_str_radix(escape.strip_prefix("\\u")?, 16).ok()
    };
    let (mut out, mut at) = (String::new(), 0);
    while at < cell.len() {
        let width = match unit(at) {
            Some(0xd800..=0xdbff) if matches!(unit(at + 6), Some(0xdc00..=0xdfff)) => 12,
            Some(0xd800..=0xdfff) => {
                out.push('?');
                at += 6;
                continue;
            }
            Some(_) => 6,
            None if cell[at..].starts_with("\\\\") => 2,
            None => 1,
        };
        out.push_str(&cell[at..at + width]);
        at += width;
    }
    out
}

/// What Decimal(38,18) holds of the JVM's result: rounded HALF_UP, null if it is too large.
fn as_spark_stores(text: &str) -> String {
    use num_bigint::BigInt;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let negative = whole.starts_with('-');
    let kept: String = fraction.chars().chain("0".repeat(18).chars()).take(18).collect();
    let mut value: BigInt = format!("{}{kept}", whole.trim_start_matches('-')).parse().unwrap();
    if fraction.as_bytes().get(18).is_some_and(|d| *d >= b'5') {
        value += 1;
    }
    if value.to_string().len() > 38 {
        return "\\N".into();
    }
    let value = if negative { -value } else { value };
    normal(value.to_string().parse().unwrap(), 18)
}

fn expected(table: &Table, name: &str, ty: &DataType) -> Vec<String> {
    let cells = table.of(name, "");
    let by = |suffix: &str| table.of(name, suffix);
    let errors = |i: usize, other: String| {
        if cells[i].starts_with("ERROR:") {
            cells[i].to_string()
        } else {
            other
        }
    };
    match ty {
        DataType::Float64 => {
            let bits = by("_bits");
            let text = |i: usize| match bits[i] {
                "\\N" => "\\N".to_string(),
                b => u64::from_str_radix(b, 16)
                    .map(|b| bits64(f64::from_bits(b)))
                    .unwrap_or_default(),
            };
            (0..cells.len()).map(|i| errors(i, text(i))).collect()
        }
        DataType::Float32 => {
            let bits = by("_bits");
            let text = |i: usize| match u32::from_str_radix(bits[i], 16).map(f32::from_bits) {
                Ok(v) if v.is_nan() => "7fc00000".to_string(),
                _ => bits[i].to_string(),
            };
            (0..cells.len()).map(|i| errors(i, text(i))).collect()
        }
        DataType::Date32 => {
            let days = by("_days");
            (0..cells.len()).map(|i| errors(i, days[i].to_string())).collect()
        }
        DataType::Timestamp(..) => {
            let micros = by("_micros");
            (0..cells.len()).map(|i| errors(i, micros[i].to_string())).collect()
        }
        DataType::Decimal128(..) => (0..cells.len())
            .map(|i| match cells[i] {
                "\\N" => "\\N".into(),
                c if c.starts_with("ERROR:") => c.to_string(),
                c => as_spark_stores(c),
            })
            .collect(),
        DataType::Utf8 => (0..cells.len())
            .map(|i| match cells[i] {
                "\\N" => "\\N".into(),
                c if c.starts_with("ERROR:") => c.to_string(),
                c => {
                    let units = unescape(c);
                    char::decode_utf16(units).map(|c| c.unwrap_or('?')).collect()
                }
            })
            .collect(),
        DataType::List(_) => (0..cells.len())
            .map(|i| match cells[i] {
                "\\N" => "\\N".into(),
                c if c.starts_with("ERROR:") => c.to_string(),
                c => {
                    let items: Vec<Json> = serde_json::from_str(&stored(c)).unwrap();
                    let one = |v: &Json| match v {
                        Json::Null => "\\N".to_string(),
                        Json::String(t) if double_like(t) => bits64(double_of(v).unwrap()),
                        Json::String(t) => t.clone(),
                        other => other.to_string(),
                    };
                    let parts: Vec<String> = items.iter().map(one).collect();
                    format!("{parts:?}")
                }
            })
            .collect(),
        _ => cells.iter().map(|c| c.to_string()).collect(),
    }
}

fn double_like(text: &str) -> bool {
    text.split_once('|')
        .is_some_and(|(_, b)| b.len() == 16 && u64::from_str_radix(b, 16).is_ok())
}

fn run(entry: &Json, body: &str, table: &Table) -> Result<Outcome, String> {
    let types: Vec<&str> = entry["arg_types"]
        .as_array()
        .unwrap()
        .iter()
        .map(|t| t.as_str().unwrap())
        .collect();
    let boxed: Vec<bool> = entry["nullable_boxed"]
        .as_array()
        .unwrap()
        .iter()
        .map(|b| b.as_bool().unwrap())
        .collect();
    let names = ["a", "b", "c"];
    let params: Vec<String> = types
        .iter()
        .zip(&boxed)
        .zip(names)
        .map(|((t, b), n)| format!("{n}: {}", scala_type(t, *b)))
        .collect();
    let source = format!(
        "import org.apache.spark.sql.functions.udf\nobject Vector {{\n  val f = udf(({}) => {{ {body} }})\n}}\n",
        params.join(", ")
    );
    let file = SourceFile::from_text("Vector.scala", Language::Scala, source);
    let found = rewright::find::find(&file);
    let udf = found
        .udfs
        .first()
        .ok_or_else(|| format!("not found: {:?}", found.refused))?;
    let columns: Vec<ArrayRef> = types.iter().zip(names).map(|(t, n)| column(table, n, t)).collect();
    let fields: Vec<Field> = columns
        .iter()
        .zip(names)
        .map(|(c, n)| Field::new(n, c.data_type().clone(), true))
        .collect();
    let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), columns).unwrap();
    let settings = Settings {
        time_zone: entry["time_zone"].as_str().unwrap().to_string(),
        ..Settings::default()
    };
    let mut oracle = Embedded::new(udf, settings).map_err(|e| e.to_string())?;
    oracle.prepare(&batch.schema()).map_err(|e| e.to_string())?;
    oracle.eval(&batch, &Cancel::default()).map_err(|e| e.to_string())
}

#[test]
fn every_vector_gives_what_the_jvm_gave() {
    let index: Vec<Json> =
        serde_json::from_str(&std::fs::read_to_string(vectors().join("index.json")).unwrap()).unwrap();
    let mut wrong: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut near: BTreeMap<String, usize> = BTreeMap::new();
    let (mut refused, mut rows) = (Vec::new(), 0);
    for entry in &index {
        let file = entry["file"].as_str().unwrap();
        if entry["locale"].as_str() != Some("en-US") {
            refused.push((file.to_string(), "another default locale".to_string()));
            continue;
        }
        let mut lines = read_csv(&vectors().join(file));
        let table = Table {
            header: lines.remove(0),
            rows: lines,
        };
        let mut bodies = vec![("jvm_result".to_string(), entry["scala"].as_str().unwrap().to_string())];
        for (k, v) in entry["extra_scala"].as_object().unwrap() {
            bodies.push((k.clone(), v.as_str().unwrap().to_string()));
        }
        for (name, body) in bodies {
            let outcome = match run(entry, &body, &table) {
                Ok(o) => o,
                Err(reason) => {
                    refused.push((file.to_string(), reason));
                    continue;
                }
            };
            rows += outcome.len();
            let want = expected(&table, &name, outcome.values.data_type());
            if let Some(reason) = outcome.not_run.reasons().first() {
                refused.push((file.to_string(), reason.words()));
            }
            for (row, want) in want.iter().enumerate() {
                if outcome.not_run.reason(row).is_some() {
                    continue;
                }
                let got = match outcome.error(row) {
                    Some(class) => format!("ERROR:{class}"),
                    None => cell(&outcome.values, row),
                };
                let want = match want.strip_prefix("ERROR:") {
                    Some(class) => format!("ERROR:{}", class.rsplit(['.', '$']).next().unwrap()),
                    None => want.clone(),
                };
                let allowed = LAST_ULP.iter().find(|(f, _)| *f == file).map_or(0, |(_, n)| *n);
                let used = near.entry(file.to_string()).or_insert(0);
                if got != want && *used < allowed && one_ulp_apart(&got, &want) {
                    *used += 1;
                } else if got != want {
                    let args = &table.rows[row];
                    wrong
                        .entry(file.to_string())
                        .or_default()
                        .push(format!("row {row}: {got}, not {want}; {args:?}"));
                }
            }
        }
    }
    let report: Vec<String> = wrong
        .iter()
        .map(|(f, w)| format!("{f}: {} wrong\n  {}", w.len(), w[..w.len().min(3)].join("\n  ")))
        .collect();
    assert!(wrong.is_empty(), "{}\nrefused: {refused:#?}", report.join("\n"));
    let unexpected: Vec<_> = refused
        .iter()
        .filter(|(f, _)| !is_regex(f) && !REFUSED.iter().any(|(r, _)| r == f))
        .collect();
    assert!(unexpected.is_empty(), "refused: {unexpected:#?}");
    println!("{rows} rows");
}
