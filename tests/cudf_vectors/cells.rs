//! Reads and writes the cells of the vector files.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::*;
use arrow::datatypes::*;
use rewright::run::Outcome;
use serde_json::Value;

/// A file under `tests/data`.
pub fn data(path: &str) -> String {
    let path = format!("{}/tests/data/{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// Cells of a CSV line; no cell holds a line feed.
fn split(line: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut quoted = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                out.last_mut().unwrap().push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => out.push(String::new()),
            c => out.last_mut().unwrap().push(c),
        }
    }
    out
}

/// Backslash escapes, UTF-16 units joined. `\xNN` stays as written.
pub fn unescape(cell: &str) -> String {
    let mut units: Vec<u16> = Vec::new();
    let mut chars = cell.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            units.extend(c.encode_utf16(&mut [0; 2]).iter());
            continue;
        }
        match chars.next() {
            Some('n') => units.push(10),
            Some('r') => units.push(13),
            Some('t') => units.push(9),
            Some('u') => {
                let hex: String = chars.by_ref().take(4).collect();
                units.push(u16::from_str_radix(&hex, 16).unwrap());
            }
            Some('x') => units.extend("\\x".encode_utf16()),
            Some(o) => units.push(o as u16),
            None => units.push(92),
        }
    }
    String::from_utf16_lossy(&units)
}

/// A vector file with the types of its arguments.
pub struct Table {
    header: HashMap<String, usize>,
    lines: Vec<Vec<String>>,
    types: Vec<String>,
}

impl Table {
    /// Reads a file of `tests/data/gpu`.
    pub fn read(name: &str) -> Table {
        let index: Value = serde_json::from_str(&data("vectors/index.json")).unwrap();
        let files = index.as_array().or_else(|| index["files"].as_array()).unwrap();
        let entry = files
            .iter()
            .find(|f| f["file"] == name)
            .unwrap_or_else(|| panic!("{name}"));
        let types = entry["arg_types"]
            .as_array()
            .unwrap()
            .iter()
            .map(|t| t.as_str().unwrap().to_string())
            .collect();
        let text = data(&format!("gpu/{name}"));
        let mut lines = text.lines().map(split);
        let header = lines
            .next()
            .unwrap()
            .into_iter()
            .enumerate()
            .map(|(i, h)| (h, i))
            .collect();
        Table {
            header,
            lines: lines.collect(),
            types,
        }
    }

    pub fn rows(&self) -> usize {
        self.lines.len()
    }

    fn cell(&self, name: &str, row: usize) -> Option<&str> {
        let i = *self.header.get(name)?;
        let cell = self.lines[row].get(i).map(String::as_str).unwrap_or_default();
        (cell != "\\N").then_some(cell)
    }

    /// Argument cells, for messages.
    pub fn arguments(&self, row: usize) -> String {
        let names = &["a", "b", "c"][..self.types.len()];
        let cells: Vec<&str> = names.iter().map(|n| self.cell(n, row).unwrap_or("\\N")).collect();
        format!("({})", cells.join(", "))
    }

    /// A Scala literal of an argument; `None` for null.
    pub fn literal(&self, name: &str, row: usize) -> Option<String> {
        let at = ["a", "b", "c"].iter().position(|n| *n == name)?;
        let cell = self.cell(name, row)?;
        Some(match self.types[at].as_str() {
            "string" => {
                let text: String = unescape(cell).encode_utf16().map(|u| format!("\\u{u:04x}")).collect();
                format!("\"{text}\"")
            }
            "bigint" => format!("{cell}L"),
            _ => format!("({cell})"),
        })
    }

    pub fn batch(&self) -> RecordBatch {
        self.slice(0..self.rows())
    }

    pub fn row(&self, i: usize) -> RecordBatch {
        self.slice(i..i + 1)
    }

    fn slice(&self, rows: std::ops::Range<usize>) -> RecordBatch {
        let columns = self.types.iter().enumerate().map(|(i, t)| {
            let name = ["a", "b", "c"][i];
            (name, self.column(name, t, rows.clone()), true)
        });
        RecordBatch::try_from_iter_with_nullable(columns).unwrap()
    }

    fn column(&self, name: &str, t: &str, rows: std::ops::Range<usize>) -> ArrayRef {
        let cells = || rows.clone().map(|r| self.cell(name, r));
        let bits = || {
            let name = format!("{name}_bits");
            rows.clone()
                .map(move |r| self.cell(&name, r).map(|c| u64::from_str_radix(c, 16).unwrap()))
        };
        macro_rules! numbers {
            ($t:ty) => {
                Arc::new(
                    cells()
                        .map(|c| c.map(|c| c.parse().unwrap()))
                        .collect::<PrimitiveArray<$t>>(),
                )
            };
        }
        match t {
            "int" => numbers!(Int32Type),
            "bigint" => numbers!(Int64Type),
            "smallint" => numbers!(Int16Type),
            "tinyint" => numbers!(Int8Type),
            "boolean" => Arc::new(cells().map(|c| c.map(|c| c == "true")).collect::<BooleanArray>()),
            "double" => Arc::new(bits().map(|b| b.map(f64::from_bits)).collect::<Float64Array>()),
            "float" => Arc::new(
                bits()
                    .map(|b| b.map(|b| f32::from_bits(b as u32)))
                    .collect::<Float32Array>(),
            ),
            "string" => Arc::new(cells().map(|c| c.map(unescape)).collect::<StringArray>()),
            "date" | "sqldate" => {
                let days = format!("{name}_days");
                let v = rows.clone().map(|r| self.cell(&days, r).map(|c| c.parse().unwrap()));
                Arc::new(v.collect::<Date32Array>())
            }
            "ts" | "sqlts" => {
                let micros = format!("{name}_micros");
                let v = rows.clone().map(|r| self.cell(&micros, r).map(|c| c.parse().unwrap()));
                Arc::new(v.collect::<TimestampMicrosecondArray>().with_timezone("UTC"))
            }
            "map<string,int>" => {
                let mut b = MapBuilder::new(None, StringBuilder::new(), Int32Builder::new());
                for c in cells() {
                    let map: Option<Value> = c.map(|c| serde_json::from_str(c).unwrap());
                    for pair in map.iter().flat_map(|m| m.as_array().unwrap()) {
                        b.keys().append_value(pair[0].as_str().unwrap());
                        b.values().append_option(pair[1].as_i64().map(|v| v as i32));
                    }
                    b.append(map.is_some()).unwrap();
                }
                Arc::new(b.finish())
            }
            t if t.starts_with("decimal(") => {
                let (p, s) = t[8..t.len() - 1].split_once(',').unwrap();
                let (p, s): (u8, i8) = (p.parse().unwrap(), s.parse().unwrap());
                let v = cells().map(|c| c.map(|c| unscaled(c, s)));
                Arc::new(v.collect::<Decimal128Array>().with_precision_and_scale(p, s).unwrap())
            }
            t if t.starts_with("array<") => lists(&t[6..t.len() - 1], cells()),
            other => panic!("{other}"),
        }
    }

    /// The wanted cell in the notation of [`show`].
    pub fn expected(&self, column: &str, row: usize, result: &str) -> String {
        let Some(cell) = self.cell(column, row) else {
            return "null".into();
        };
        if cell.starts_with("ERROR:") {
            return "ERROR".into();
        }
        if cell.starts_with("SKIPPED:") {
            return "SKIPPED".into();
        }
        let side = |suffix: &str| {
            self.cell(&format!("{column}{suffix}"), row)
                .unwrap_or("null")
                .to_string()
        };
        match result {
            "double" => format!("d{}", side("_bits")),
            "float" => format!("f{}", side("_bits")),
            "date" => side("_days"),
            "timestamp" => side("_micros"),
            "string" => format!("\"{}\"", unescape(cell)),
            r if r.starts_with("list") => list_text(&serde_json::from_str(cell).unwrap()),
            // Columns whose rows all raised, or mixed files: numbers and truth values stand as they are.
            _ => cell.to_string(),
        }
    }
}

fn list_text(v: &Value) -> String {
    let items: Vec<String> = v
        .as_array()
        .unwrap()
        .iter()
        .map(|v| match v {
            Value::String(s) => match s.split_once('|') {
                Some((_, bits)) if bits.len() == 16 => format!("d{bits}"),
                _ => format!("\"{s}\""),
            },
            other => other.to_string(),
        })
        .collect();
    format!("[{}]", items.join(","))
}

fn unscaled(cell: &str, scale: i8) -> i128 {
    let (whole, part) = cell.split_once('.').unwrap_or((cell, ""));
    format!("{whole}{part:0<width$}", width = scale as usize)
        .parse()
        .unwrap()
}

fn lists<'a>(element: &str, cells: impl Iterator<Item = Option<&'a str>>) -> ArrayRef {
    let rows: Vec<Option<Vec<Value>>> = cells.map(|c| c.map(|c| serde_json::from_str(c).unwrap())).collect();
    macro_rules! build {
        ($b:expr, $f:expr) => {{
            let mut b = ListBuilder::new($b);
            for r in &rows {
                for v in r.iter().flatten() {
                    b.values().append_option($f(v));
                }
                b.append(r.is_some());
            }
            Arc::new(b.finish())
        }};
    }
    match element {
        "int" => build!(Int32Builder::new(), |v: &Value| v.as_i64().map(|v| v as i32)),
        "double" => build!(Float64Builder::new(), |v: &Value| {
            let bits = v.as_str()?.split_once('|')?.1;
            Some(f64::from_bits(u64::from_str_radix(bits, 16).ok()?))
        }),
        _ => build!(StringBuilder::new(), |v: &Value| v.as_str().map(str::to_string)),
    }
}

/// Rows of an outcome as text.
pub fn show(out: &Outcome) -> Vec<String> {
    (0..out.len())
        .map(|i| {
            if out.error(i).is_some() {
                "ERROR".into()
            } else {
                value(&out.values, i)
            }
        })
        .collect()
}

/// One value as text.
pub fn value(a: &ArrayRef, i: usize) -> String {
    if a.is_null(i) {
        return "null".into();
    }
    match a.data_type() {
        DataType::Boolean => a.as_boolean().value(i).to_string(),
        DataType::Int8 => a.as_primitive::<Int8Type>().value(i).to_string(),
        DataType::Int16 => a.as_primitive::<Int16Type>().value(i).to_string(),
        DataType::Int32 => a.as_primitive::<Int32Type>().value(i).to_string(),
        DataType::Int64 => a.as_primitive::<Int64Type>().value(i).to_string(),
        DataType::Float32 => format!("f{:08x}", a.as_primitive::<Float32Type>().value(i).to_bits()),
        DataType::Float64 => format!("d{:016x}", a.as_primitive::<Float64Type>().value(i).to_bits()),
        DataType::Date32 => a.as_primitive::<Date32Type>().value(i).to_string(),
        DataType::Timestamp(..) => a.as_primitive::<TimestampMicrosecondType>().value(i).to_string(),
        DataType::Utf8 => format!("\"{}\"", a.as_string::<i32>().value(i)),
        DataType::Decimal128(..) => a.as_primitive::<Decimal128Type>().value_as_string(i),
        DataType::List(_) => {
            let l = a.as_list::<i32>().value(i);
            let items: Vec<String> = (0..l.len()).map(|k| value(&l, k)).collect();
            format!("[{}]", items.join(","))
        }
        other => panic!("{other}"),
    }
}

/// Equal, or floats within `ulp`; every NaN is one; decimals by value.
pub fn same(got: &str, want: &str, ulp: u64) -> bool {
    if got == want {
        return true;
    }
    let parts = |s: &str| -> Option<(char, u64)> {
        let kind = s.chars().next().filter(|c| matches!(c, 'd' | 'f'))?;
        Some((kind, u64::from_str_radix(&s[1..], 16).ok()?))
    };
    if let (Some((k, g)), Some((l, w))) = (parts(got), parts(want)) {
        let nan = |k: char, b: u64| {
            if k == 'd' {
                f64::from_bits(b).is_nan()
            } else {
                f32::from_bits(b as u32).is_nan()
            }
        };
        return k == l && ((nan(k, g) && nan(l, w)) || g.abs_diff(w) <= ulp);
    }
    if got.starts_with('[') && want.starts_with('[') {
        let (g, w): (Vec<&str>, Vec<&str>) = (got.split(',').collect(), want.split(',').collect());
        let trim = |s: &str| s.trim_matches(['[', ']']).to_string();
        return g.len() == w.len()
            && g.iter()
                .zip(&w)
                .all(|(g, w)| trim(g) == trim(w) || parts(&trim(g)).is_some() && same(&trim(g), &trim(w), ulp));
    }
    let plain = |s: &str| -> Option<String> {
        s.parse::<f64>().ok().filter(|_| s.contains('.'))?;
        Some(s.trim_end_matches('0').trim_end_matches('.').to_string())
    };
    matches!((plain(got).or(Some(got.into())), plain(want).or(Some(want.into()))), (Some(g), Some(w)) if g == w)
}

/// Lines of a CSV file as cells.
pub fn csv(text: &str) -> Vec<Vec<String>> {
    text.lines().map(split).collect()
}
