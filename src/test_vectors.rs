//! Reads the golden CSV files of `tests/data` (rules: `tests/data/vectors/README.md`) for unit tests. In: a file name; out:
//! rows whose cells are asked for by column name. Never interprets a cell beyond its escapes.

/// A golden file.
pub struct Vectors {
    file: String,
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// One row of a golden file.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    of: &'a Vectors,
    cells: &'a [String],
    /// 1-based number among the data rows.
    pub number: usize,
}

/// What a result cell says.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// `\N`.
    Null,
    /// `ERROR:class`: the simple class name.
    Error(String),
    /// Text, escapes resolved to UTF-16 units.
    Text(Vec<u16>),
}

/// Reads `tests/data/vectors/{name}.csv`.
pub fn vectors(name: &str) -> Vectors {
    golden(&format!("vectors/{name}.csv"))
}

/// Reads `tests/data/{path}`.
pub fn golden(path: &str) -> Vectors {
    let full = format!("{}/tests/data/{path}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&full).unwrap_or_else(|e| panic!("{full}: {e}"));
    let mut rows = parse_csv(&text);
    let header = rows.remove(0);
    Vectors {
        file: path.to_string(),
        header,
        rows,
    }
}

impl Vectors {
    /// All rows; panics if there are none, so that a test cannot pass on nothing.
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        assert!(!self.rows.is_empty(), "{} has no rows", self.file);
        self.rows.iter().enumerate().map(|(i, cells)| Row {
            of: self,
            cells,
            number: i + 1,
        })
    }
}

impl Row<'_> {
    /// The cell as it stands in the file.
    pub fn raw(&self, column: &str) -> &str {
        let at = self.of.header.iter().position(|h| h == column);
        let at = at.unwrap_or_else(|| panic!("{} has no column {column}", self.of.file));
        &self.cells[at]
    }

    /// Whether the cell is `\N`.
    pub fn is_null(&self, column: &str) -> bool {
        self.raw(column) == "\\N"
    }

    /// The cell as null, error or text.
    pub fn cell(&self, column: &str) -> Cell {
        let raw = self.raw(column);
        if raw == "\\N" {
            return Cell::Null;
        }
        if let Some(class) = raw.strip_prefix("ERROR:") {
            return Cell::Error(class.rsplit('.').next().unwrap_or(class).to_string());
        }
        Cell::Text(unescape(raw))
    }

    /// The text of a cell that is neither null nor an error, as UTF-16.
    pub fn units(&self, column: &str) -> Option<Vec<u16>> {
        match self.cell(column) {
            Cell::Text(units) => Some(units),
            _ => None,
        }
    }

    /// A plain number or word cell; `None` for null and errors.
    pub fn parse<T: std::str::FromStr>(&self, column: &str) -> Option<T> {
        let raw = self.raw(column);
        if raw == "\\N" || raw.starts_with("ERROR:") {
            return None;
        }
        match raw.parse() {
            Ok(v) => Some(v),
            Err(_) => panic!("{self:?}: {column} is {raw}"),
        }
    }

    /// A DOUBLE cell, from its `_bits` neighbour.
    pub fn f64(&self, column: &str) -> Option<f64> {
        self.bits(column).map(f64::from_bits)
    }

    /// A FLOAT cell, from its `_bits` neighbour.
    pub fn f32(&self, column: &str) -> Option<f32> {
        self.bits(column).map(|b| f32::from_bits(b as u32))
    }

    /// The `_bits` neighbour of a column.
    pub fn bits(&self, column: &str) -> Option<u64> {
        let raw = self.raw(&format!("{column}_bits"));
        if raw == "\\N" || raw.is_empty() {
            return None;
        }
        Some(u64::from_str_radix(raw, 16).unwrap_or_else(|_| panic!("{self:?}: {column} bits {raw}")))
    }
}

impl std::fmt::Debug for Row<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} row {}: {:?}", self.of.file, self.number, self.cells)
    }
}

/// Resolves the backslash escapes of a string cell.
pub fn unescape(raw: &str) -> Vec<u16> {
    let mut out = Vec::new();
    let units: Vec<u16> = raw.encode_utf16().collect();
    let mut i = 0;
    while i < units.len() {
        if units[i] != u16::from(b'\\') {
            out.push(units[i]);
            i += 1;
            continue;
        }
        match units.get(i + 1).and_then(|u| u8::try_from(*u).ok()) {
            Some(b'n') => out.push(10),
            Some(b'r') => out.push(13),
            Some(b't') => out.push(9),
            Some(b'u') => {
                let hex = String::from_utf16_lossy(&units[i + 2..i + 6]);
                out.push(u16::from_str_radix(&hex, 16).expect("four hex digits"));
                i += 4;
            }
            Some(c) => out.push(u16::from(c)),
            None => panic!("escape at the end of {raw}"),
        }
        i += 2;
    }
    out
}

/// Escapes text the way the golden files do, for comparing and for messages.
pub fn escape(units: &[u16]) -> String {
    let mut out = String::new();
    for u in units {
        match u {
            10 => out.push_str("\\n"),
            13 => out.push_str("\\r"),
            9 => out.push_str("\\t"),
            0x5c => out.push_str("\\\\"),
            0x20..=0x7e => out.push(char::from(*u as u8)),
            _ => out.push_str(&format!("\\u{u:04x}")),
        }
    }
    out
}

fn parse_csv(text: &str) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let mut row = Vec::new();
    let mut cell = String::new();
    let mut chars = text.chars().peekable();
    let mut quoted = false;
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut cell)),
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            _ => cell.push(c),
        }
    }
    if !cell.is_empty() || !row.is_empty() {
        row.push(cell);
        rows.push(row);
    }
    rows
}

#[test]
fn cells_are_read_by_the_rules_of_the_golden_files() {
    let v = vectors("double_to_string");
    let first = v.rows().next().expect("a row");
    assert_eq!(first.cell("a"), Cell::Null);
    assert_eq!(unescape("a\\u00e9\\\\\\n"), vec![0x61, 0xe9, 0x5c, 10]);
    assert_eq!(escape(&unescape("a\\u00e9\\\\\\n")), "a\\u00e9\\\\\\n");
    let npe = vectors("str_trim");
    assert_eq!(
        npe.rows().next().expect("a row").cell("jvm_result"),
        Cell::Error("NullPointerException".to_string())
    );
}

/// A context for rows that call no functions; steps and memory are free.
pub struct NoCalls;

impl crate::jvm::table::Context for NoCalls {
    fn call(&mut self, func: &crate::jvm::value::Value, _: &[crate::jvm::value::Value]) -> crate::jvm::value::Eval {
        panic!("{func:?} was called")
    }
    fn step(&mut self, _: u64) -> crate::jvm::value::Eval<()> {
        Ok(())
    }
    fn grow(&mut self, _: usize) -> crate::jvm::value::Eval<()> {
        Ok(())
    }
    fn time_zone(&self) -> &str {
        "UTC"
    }
}

/// Calls a library row by its id; an exception is its class name.
pub fn call_row(id: &str, args: &[crate::jvm::value::Value]) -> Result<crate::jvm::value::Value, String> {
    use crate::jvm::value::{Throw, Value};
    let row = crate::jvm::tables::all().find(|m| m.id == id);
    let row = row.unwrap_or_else(|| panic!("no row {id}"));
    let is_static = row.recv.starts_with("static ") || row.recv.starts_with("new ");
    if !is_static && !row.null_recv && matches!(args[0], Value::Null) {
        return Err("NullPointerException".to_string());
    }
    (row.eval)(&mut NoCalls, args, &crate::lang::ty::Ty::Any).map_err(|t| match t {
        Throw::Exception(e) => e.class.clone(),
        other => panic!("{id}: {other:?}"),
    })
}

/// A value as a result cell of a golden file shows it: strings escaped, arrays of strings as JSON.
pub fn shown(v: &crate::jvm::value::Value) -> String {
    use crate::jvm::value::Value;
    match v {
        Value::Null => "\\N".to_string(),
        Value::Str(s) => escape(&s.units()),
        Value::Char(c) => escape(&[*c]),
        Value::Obj(_) => {
            let items = crate::jvm::view::View::of(v).expect("has elements").to_vec();
            let items: Vec<String> = items
                .iter()
                .map(|i| match i {
                    Value::Str(s) => json_text(&s.units()),
                    other => shown(other),
                })
                .collect();
            format!("[{}]", items.join(","))
        }
        other => {
            let text = crate::jvm::show::value_of(&mut NoCalls, other).expect("has a text");
            text.to_utf8().into_owned()
        }
    }
}

/// Text as the JSON cells of the golden files write it: everything but plain ASCII as `\\uXXXX`.
fn json_text(units: &[u16]) -> String {
    let mut out = String::from("\"");
    for u in units {
        match u {
            0x22 => out.push_str("\\\""),
            0x5c => out.push_str("\\\\"),
            0x20..=0x7e => out.push(char::from(*u as u8)),
            _ => out.push_str(&format!("\\u{u:04x}")),
        }
    }
    out.push('"');
    out
}

/// Runs a row over a golden file whose arguments `a`, `b`, `c` are strings (`s`), ints (`i`), doubles (`d`) and so on, as
/// `kinds` says; `extra` follows them. JSON cells are compared after parsing.
pub fn check_row(file: &str, id: &str, kinds: &str, extra: &[crate::jvm::value::Value]) {
    use crate::jvm::value::Value;
    for row in vectors(file).rows() {
        let mut args = Vec::new();
        for (column, kind) in ["a", "b", "c"].iter().zip(kinds.chars()) {
            args.push(match kind {
                's' => row
                    .units(column)
                    .map(|u| Value::Str(crate::jvm::text::JStr::from_units(&u))),
                'i' => row.parse(column).map(Value::Int),
                'l' => row.parse(column).map(Value::Long),
                'd' => row.f64(column).map(Value::Double),
                'f' => row.f32(column).map(Value::Float),
                other => panic!("no such kind {other}"),
            });
        }
        // A null primitive argument means that the function is not called.
        if args.iter().zip(kinds.chars()).any(|(a, k)| a.is_none() && k != 's') {
            continue;
        }
        let mut args: Vec<Value> = args.into_iter().map(Option::unwrap_or_default).collect();
        args.extend_from_slice(extra);
        let got = match call_row(id, &args) {
            Ok(v) => shown(&v),
            Err(class) => format!("ERROR:{class}"),
        };
        let want = match row.cell("jvm_result") {
            Cell::Error(class) => format!("ERROR:{class}"),
            _ => row.raw("jvm_result").to_string(),
        };
        let json = |s: &str| {
            serde_json::from_str::<Vec<String>>(s)
                .ok()
                .filter(|_| s.starts_with('['))
        };
        let same = got == want || (json(&got).is_some() && json(&got) == json(&want));
        assert!(same, "{row:?}: {got}");
    }
}
