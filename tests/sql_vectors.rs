//! Every Spark SQL expression of the golden vectors, ANSI off and on, row by row against what Spark 3.5.9 gave.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::*;
use arrow::datatypes::*;
use rewright::run::sql::SqlEngine;
use rewright::run::sql::build::build;
use rewright::run::sql::ty::Ty;
use rewright::run::sql::val::{Reader, Val};
use rewright::run::{Cancel, Evaluator, Outcome, Settings};
use serde_json::Value as Json;

const DIR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/vectors");

/// Expressions that are not compared, each with its reason: file and result column.
const NOT_COVERED: &[(&str, &str, &str)] = &[
    (
        "math_sin.csv",
        "spark_result",
        "sin, cos and tan are within one ulp of HotSpot's intrinsics; the evidence of a run says so",
    ),
    (
        "math_sin.csv",
        "spark_ansi_result",
        "sin, cos and tan are within one ulp of HotSpot's intrinsics; the evidence of a run says so",
    ),
    (
        "str_lower_root.csv",
        "spark_result",
        "a capital sigma beside a symbol depends on the JDK's word breaker: refused",
    ),
    (
        "str_lower_root.csv",
        "spark_ansi_result",
        "a capital sigma beside a symbol depends on the JDK's word breaker: refused",
    ),
    (
        "str_capitalize.csv",
        "spark_result",
        "a capital sigma beside a symbol depends on the JDK's word breaker: refused",
    ),
    (
        "str_capitalize.csv",
        "spark_ansi_result",
        "a capital sigma beside a symbol depends on the JDK's word breaker: refused",
    ),
    (
        "str_upper_turkish_locale.csv",
        "spark_result",
        "the session has no locale setting: ROOT",
    ),
    (
        "str_upper_turkish_locale.csv",
        "spark_ansi_result",
        "the session has no locale setting: ROOT",
    ),
    (
        "str_lower_turkish_locale.csv",
        "spark_result",
        "the session has no locale setting: ROOT",
    ),
    (
        "str_lower_turkish_locale.csv",
        "spark_ansi_result",
        "the session has no locale setting: ROOT",
    ),
    (
        "date_parse_simpledateformat.csv",
        "spark_result",
        "made with timeParserPolicy=CORRECTED; a run has Spark's default, EXCEPTION",
    ),
    (
        "date_parse_simpledateformat.csv",
        "spark_ansi_result",
        "made with timeParserPolicy=CORRECTED; a run has Spark's default, EXCEPTION",
    ),
    (
        "ts_parse.csv",
        "spark_result",
        "rows with only a time mean the day on which the vectors were made: refused",
    ),
    (
        "ts_parse.csv",
        "spark_ansi_result",
        "rows with only a time mean the day on which the vectors were made: refused",
    ),
];

fn csv(text: &str) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let mut row = Vec::new();
    let mut cell = String::new();
    let mut quoted = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (quoted, c) {
            (true, '"') if chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            (_, '"') => quoted = !quoted,
            (false, ',') => row.push(std::mem::take(&mut cell)),
            (false, '\n') => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            _ => cell.push(c),
        }
    }
    rows
}

fn unescape(cell: &str) -> String {
    let mut units: Vec<u16> = Vec::new();
    let mut chars = cell.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            units.extend(c.encode_utf16(&mut [0; 2]).iter());
            continue;
        }
        match chars.next().unwrap() {
            'n' => units.push(10),
            'r' => units.push(13),
            't' => units.push(9),
            'u' => {
                let hex: String = chars.by_ref().take(4).collect();
                units.push(u16::from_str_radix(&hex, 16).unwrap());
            }
            other => units.push(other as u16),
        }
    }
    char::decode_utf16(units).map(|c| c.unwrap_or('?')).collect()
}

fn ty(name: &str) -> Ty {
    let inner = |s: &str| s[s.find('<').unwrap() + 1..s.len() - 1].to_string();
    match name {
        "boolean" => Ty::Bool,
        "tinyint" => Ty::I8,
        "smallint" => Ty::I16,
        "int" => Ty::I32,
        "bigint" => Ty::I64,
        "float" => Ty::F32,
        "double" => Ty::F64,
        "string" => Ty::Str,
        "date" | "sqldate" => Ty::Date,
        "ts" | "sqlts" => Ty::Ts,
        _ if name.starts_with("array") => Ty::Arr(Box::new(ty(&inner(name)))),
        _ if name.starts_with("map") => {
            let kv = inner(name);
            let (k, v) = kv.split_once(',').unwrap();
            Ty::Map(Box::new(ty(k)), Box::new(ty(v.trim())))
        }
        _ => {
            let args = name.strip_prefix("decimal(").unwrap().strip_suffix(')').unwrap();
            let (p, s) = args.split_once(',').unwrap();
            Ty::Dec(p.parse().unwrap(), s.parse().unwrap())
        }
    }
}

fn decimal(text: &str, scale: u8) -> i128 {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    format!("{whole}{part:0<width$}", width = scale as usize)
        .parse()
        .unwrap()
}

fn json_value(t: &Ty, j: &Json) -> Val<'static> {
    match (t, j) {
        (_, Json::Null) => Val::Null,
        (Ty::Arr(e), Json::Array(items)) => Val::Arr(items.iter().map(|x| json_value(e, x)).collect()),
        (Ty::Map(k, v), Json::Array(items)) => Val::Map(
            items
                .iter()
                .map(|e| (json_value(k, &e[0]), json_value(v, &e[1])))
                .collect(),
        ),
        (Ty::I32, n) => Val::I32(n.as_i64().unwrap() as i32),
        (Ty::F64, Json::String(s)) => {
            let bits = s.split_once('|').unwrap().1;
            Val::F64(f64::from_bits(u64::from_str_radix(bits, 16).unwrap()))
        }
        (Ty::Str, Json::String(s)) => Val::text(s.clone()),
        other => panic!("{other:?}"),
    }
}

/// The value of a cell; `exact` is the cell beside it with bits, days or microseconds.
fn value(t: &Ty, cell: &str, exact: Option<&str>) -> Val<'static> {
    if cell == "\\N" {
        return Val::Null;
    }
    match t {
        Ty::Bool => Val::Bool(cell == "true"),
        Ty::I8 => Val::I8(cell.parse().unwrap()),
        Ty::I16 => Val::I16(cell.parse().unwrap()),
        Ty::I32 => Val::I32(cell.parse().unwrap()),
        Ty::I64 => Val::I64(cell.parse().unwrap()),
        Ty::F32 => Val::F32(f32::from_bits(u32::from_str_radix(exact.unwrap(), 16).unwrap())),
        Ty::F64 => Val::F64(f64::from_bits(u64::from_str_radix(exact.unwrap(), 16).unwrap())),
        Ty::Dec(_, s) => Val::Dec(decimal(cell, *s)),
        Ty::Str => Val::text(unescape(cell)),
        Ty::Date => Val::Date(exact.unwrap().parse().unwrap()),
        Ty::Ts => Val::Ts(exact.unwrap().parse().unwrap()),
        _ => json_value(t, &serde_json::from_str(cell).unwrap()),
    }
}

/// One text per value, so that both sides compare as text: bits for floats, a class for NaN.
fn show(v: &Val, t: &Ty) -> String {
    match (v, t) {
        (Val::Null, _) => "null".into(),
        (Val::F64(x), _) if x.is_nan() => "NaN".into(),
        (Val::F32(x), _) if x.is_nan() => "NaN".into(),
        (Val::F64(x), _) => format!("{x:?}|{:016x}", x.to_bits()),
        (Val::F32(x), _) => format!("{x:?}|{:08x}", x.to_bits()),
        (Val::Str(s), _) => format!("{s:?}"),
        (Val::Bin(b), _) => format!("{b:02x?}"),
        (Val::Bool(b), _) => b.to_string(),
        (Val::Dec(d), Ty::Dec(_, s)) => rewright::run::sql::decimal::plain(*d, *s),
        (Val::Arr(items), Ty::Arr(e)) => {
            format!("[{}]", items.iter().map(|x| show(x, e)).collect::<Vec<_>>().join(","))
        }
        _ => v.long().to_string(),
    }
}

fn expected(t: &Ty, cell: &str, exact: Option<&str>) -> String {
    if let Some(class) = cell.strip_prefix("ERROR:") {
        return format!("ERROR:{}", class.rsplit('.').next().unwrap());
    }
    if let (Ty::Dec(_, s), true) = (t, cell != "\\N") {
        // Result cells are plain digits of the result's own scale; an exponent never occurs.
        return rewright::run::sql::decimal::plain(decimal(cell, *s), *s);
    }
    show(&value(t, cell, exact), t)
}

struct Table {
    head: BTreeMap<String, usize>,
    rows: Vec<Vec<String>>,
}

impl Table {
    fn read(file: &str) -> Table {
        let mut rows = csv(&std::fs::read_to_string(format!("{DIR}/{file}")).unwrap());
        let head = rows.remove(0).into_iter().enumerate().map(|(i, n)| (n, i)).collect();
        Table { head, rows }
    }

    fn cell<'t>(&self, row: &'t [String], name: &str) -> Option<&'t str> {
        self.head.get(name).map(|i| row[*i].as_str())
    }

    fn exact<'t>(&self, row: &'t [String], name: &str) -> Option<&'t str> {
        ["_bits", "_days", "_micros"]
            .iter()
            .find_map(|s| self.cell(row, &format!("{name}{s}")))
    }

    fn batch(&self, types: &[Ty]) -> RecordBatch {
        let mut fields = Vec::new();
        let mut columns: Vec<ArrayRef> = Vec::new();
        for (t, name) in types.iter().zip(["a", "b", "c"]) {
            let vals: Vec<Val> = self
                .rows
                .iter()
                .map(|r| value(t, self.cell(r, name).unwrap(), self.exact(r, name)))
                .collect();
            columns.push(build(t, &vals).unwrap());
            fields.push(Field::new(name, t.arrow(), true));
        }
        RecordBatch::try_new(Arc::new(Schema::new(fields)), columns).unwrap()
    }
}

fn run(sql: &str, batch: &RecordBatch, ansi: bool, zone: &str) -> Result<(Outcome, Ty), String> {
    let settings = Settings {
        ansi,
        time_zone: zone.into(),
    };
    let params = batch.schema().fields().iter().map(|f| f.name().clone()).collect();
    let mut engine = SqlEngine::new(sql, params, settings).map_err(|e| e.to_string())?;
    engine.prepare(&batch.schema()).map_err(|e| e.to_string())?;
    let out = engine.eval(batch, &Cancel::default()).map_err(|e| e.to_string())?;
    let t = Ty::of_arrow(out.values.data_type()).unwrap();
    Ok((out, t))
}

/// Compares one expression with one result column; gives the first differing row.
fn check(table: &Table, batch: &RecordBatch, sql: &str, column: &str, ansi: bool, zone: &str) -> Result<usize, String> {
    let (out, t) = run(sql, batch, ansi, zone)?;
    let reader = Reader::new(&t, out.values.as_ref());
    let mut different = Vec::new();
    for (i, row) in table.rows.iter().enumerate() {
        let want = expected(&t, table.cell(row, column).unwrap(), table.exact(row, column));
        let got = match out.error(i) {
            Some(class) => format!("ERROR:{class}"),
            None => show(&reader.get(i), &t),
        };
        if want != got {
            different.push(format!(
                "row {i} {:?}: want {want}, got {got}",
                &row[..3.min(row.len())]
            ));
        }
    }
    if different.is_empty() {
        return Ok(table.rows.len());
    }
    let count = different.len();
    different.truncate(4);
    Err(format!("{count} rows differ\n      {}", different.join("\n      ")))
}

#[test]
fn every_vector_row_is_as_spark_gave_it() {
    let index: Vec<Json> =
        serde_json::from_str(&std::fs::read_to_string(format!("{DIR}/index.json")).unwrap()).unwrap();
    let only = std::env::var("SQL_VECTORS").ok();
    let (mut failures, mut compared, mut expressions) = (Vec::new(), 0, 0);
    for entry in &index {
        let file = entry["file"].as_str().unwrap();
        if only.as_ref().is_some_and(|o| !file.contains(o.as_str())) {
            continue;
        }
        let table = Table::read(file);
        let types: Vec<Ty> = entry["arg_types"]
            .as_array()
            .unwrap()
            .iter()
            .map(|t| ty(t.as_str().unwrap()))
            .collect();
        let batch = table.batch(&types);
        let zone = entry["time_zone"].as_str().unwrap();
        let mut todo: Vec<(String, String)> =
            vec![("spark_result".into(), entry["spark_sql"].as_str().unwrap().into())];
        if let Some(e) = entry["equiv_sql"].as_str() {
            todo.push(("equiv_result".into(), e.into()));
        }
        for (column, e) in entry["extra_sql"].as_object().unwrap() {
            todo.push((column.clone(), e.as_str().unwrap().into()));
        }
        for (column, sql) in todo {
            for ansi in [false, true] {
                let stem = column.strip_suffix("_result").unwrap_or(&column);
                let name = if ansi {
                    format!("{stem}_ansi_result")
                } else {
                    format!("{stem}_result")
                };
                if !table.head.contains_key(&name) {
                    panic!("{file} has no column {name}");
                }
                let listed = NOT_COVERED.iter().any(|(f, c, _)| *f == file && *c == name);
                match check(&table, &batch, &sql, &name, ansi, zone) {
                    Ok(_) if listed => failures.push(format!("{file} {name}: is listed as not covered, but passes")),
                    Ok(n) => {
                        compared += n;
                        expressions += 1;
                    }
                    Err(_) if listed => {}
                    Err(e) => failures.push(format!("{file} {name}: {sql}\n    {e}")),
                }
            }
        }
    }
    println!("{expressions} expressions, {compared} rows compared");
    assert!(
        failures.is_empty(),
        "{} of them fail:\n{}",
        failures.len(),
        failures.join("\n")
    );
}
