//! One cell of an Arrow column as text, and its bits. In: a column and a row; out: text as the screen, search and copy show
//! it. Never formats more than the cell that was asked for.

use arrow::array::{Array, AsArray};
use arrow::datatypes::{
    DataType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt32Type, UInt64Type,
};
use arrow::util::display::{ArrayFormatter, FormatOptions};

/// The longest text that one cell gives, in bytes; the rest is counted.
const MAX_TEXT: usize = 16 << 10;

/// A cell as text; strings stand in quotes so that blanks and `null` can be told apart.
pub fn text(column: &dyn Array, row: usize) -> String {
    if row >= column.len() {
        return "?".into();
    }
    if column.is_null(row) {
        return "null".into();
    }
    match column.data_type() {
        DataType::Float64 => java_float(format!("{:?}", column.as_primitive::<Float64Type>().value(row))),
        DataType::Float32 => java_float(format!("{:?}", column.as_primitive::<Float32Type>().value(row))),
        DataType::Utf8 => quoted(column.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => quoted(column.as_string::<i64>().value(row)),
        _ => general(column, row),
    }
}

/// Rust's shortest digits under the names that the JVM uses.
fn java_float(text: String) -> String {
    match text.as_str() {
        "inf" => "Infinity".into(),
        "-inf" => "-Infinity".into(),
        _ => text.replace('e', "E"),
    }
}

fn general(column: &dyn Array, row: usize) -> String {
    let options = FormatOptions::default().with_null("null").with_display_error(true);
    match ArrayFormatter::try_new(column, &options) {
        Ok(f) => f.value(row).to_string(),
        Err(e) => format!("<{e}>"),
    }
}

fn quoted(s: &str) -> String {
    let mut cut = s.len().min(MAX_TEXT);
    while !s.is_char_boundary(cut) {
        cut -= 1;
    }
    let mut out = String::with_capacity(cut + 2);
    out.push('"');
    for c in s[..cut].chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push_str(&format!("\\u{{{:x}}}", c as u32)),
            c => out.push(c),
        }
    }
    match s.len() - cut {
        0 => out.push('"'),
        more => out.push_str(&format!("… {more} more bytes")),
    }
    out
}

/// The bits of a number, as hexadecimal digits; the bytes of a short text; `None` for everything else.
pub fn bits(column: &dyn Array, row: usize) -> Option<String> {
    if row >= column.len() || column.is_null(row) {
        return None;
    }
    Some(match column.data_type() {
        DataType::Float64 => format!("{:016x}", column.as_primitive::<Float64Type>().value(row).to_bits()),
        DataType::Float32 => format!("{:08x}", column.as_primitive::<Float32Type>().value(row).to_bits()),
        DataType::Int64 => format!("{:016x}", column.as_primitive::<Int64Type>().value(row)),
        DataType::Int32 => format!("{:08x}", column.as_primitive::<Int32Type>().value(row)),
        DataType::Int16 => format!("{:04x}", column.as_primitive::<Int16Type>().value(row)),
        DataType::Int8 => format!("{:02x}", column.as_primitive::<Int8Type>().value(row)),
        DataType::UInt64 => format!("{:016x}", column.as_primitive::<UInt64Type>().value(row)),
        DataType::UInt32 => format!("{:08x}", column.as_primitive::<UInt32Type>().value(row)),
        DataType::Utf8 => bytes(column.as_string::<i32>().value(row))?,
        DataType::LargeUtf8 => bytes(column.as_string::<i64>().value(row))?,
        _ => return None,
    })
}

fn bytes(s: &str) -> Option<String> {
    if s.is_empty() || s.len() > 64 {
        return None;
    }
    let hex: Vec<String> = s.bytes().map(|b| format!("{b:02x}")).collect();
    Some(hex.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{Float64Array, Int32Array, StringArray};

    #[test]
    fn cells_read_as_the_jvm_prints_them() {
        let d = Float64Array::from(vec![Some(1.0), Some(f64::NEG_INFINITY), None, Some(-0.0), Some(1e-7)]);
        let shown: Vec<String> = (0..6).map(|i| text(&d, i)).collect();
        assert_eq!(shown, ["1.0", "-Infinity", "null", "-0.0", "1E-7", "?"]);
        assert_eq!(bits(&d, 3).as_deref(), Some("8000000000000000"));
        let s = StringArray::from(vec!["a\"b\u{1b}[31m", "null"]);
        assert_eq!(text(&s, 0), r#""a\"b\u{1b}[31m""#);
        assert_eq!(text(&s, 1), "\"null\"");
        assert_eq!(bits(&s, 1).as_deref(), Some("6e 75 6c 6c"));
        assert_eq!(bits(&Int32Array::from(vec![-1]), 0).as_deref(), Some("ffffffff"));
    }

    #[test]
    fn a_huge_cell_is_cut() {
        let s = StringArray::from(vec!["ß".repeat(1 << 20)]);
        assert!(text(&s, 0).len() < MAX_TEXT + 64);
    }
}
