//! Cells as text, for screens and reports. Never truncates.

use arrow::array::{Array, AsArray};
use arrow::datatypes::DataType;

use super::leaf::{Leaf, leaf};

/// One cell as text: strings in quotes with escapes, floats by the shortest digits that read back, `null`.
pub fn cell_text(array: &dyn Array, row: usize) -> String {
    if row >= array.len() {
        return String::from("(no row)");
    }
    if array.is_null(row) {
        return String::from("null");
    }
    match array.data_type() {
        DataType::List(_) => listed(array.as_list::<i32>().value(row).as_ref()),
        DataType::LargeList(_) => listed(array.as_list::<i64>().value(row).as_ref()),
        DataType::Struct(fields) => {
            let columns = array.as_struct().columns();
            let parts = fields
                .iter()
                .zip(columns)
                .map(|(f, c)| format!("{}: {}", f.name(), cell_text(c, row)));
            format!("{{{}}}", parts.collect::<Vec<_>>().join(", "))
        }
        DataType::Map(_, _) => {
            let entries = array.as_map().value(row);
            let (keys, values) = (entries.column(0), entries.column(1));
            let parts = (0..entries.len()).map(|i| format!("{} -> {}", cell_text(keys, i), cell_text(values, i)));
            format!("{{{}}}", parts.collect::<Vec<_>>().join(", "))
        }
        _ => leaf_text(&leaf(array, row)),
    }
}

fn listed(items: &dyn Array) -> String {
    let parts = (0..items.len()).map(|i| cell_text(items, i));
    format!("[{}]", parts.collect::<Vec<_>>().join(", "))
}

/// A scalar as text.
pub(super) fn leaf_text(leaf: &Leaf) -> String {
    match leaf {
        Leaf::Null => "null".into(),
        Leaf::Bool(b) => b.to_string(),
        Leaf::Int(v, _) => v.to_string(),
        Leaf::Float(v) => format!("{v:?}"),
        Leaf::Double(v) => format!("{v:?}"),
        Leaf::Decimal(v, s) => decimal_text(*v, *s),
        Leaf::Str(s) => format!("{s:?}"),
        Leaf::Bytes(b) => format!("0x{}", b.iter().map(|x| format!("{x:02x}")).collect::<String>()),
        Leaf::Date(days) => date_text(*days),
        Leaf::Timestamp(micros) => match chrono::DateTime::from_timestamp_micros(*micros) {
            Some(t) => t.format("%Y-%m-%d %H:%M:%S%.fZ").to_string(),
            None => format!("{micros} µs"),
        },
        Leaf::Other(name) => format!("({name})"),
    }
}

fn date_text(days: i32) -> String {
    let epoch = chrono::NaiveDate::from_ymd_opt(1970, 1, 1).expect("a date");
    match epoch.checked_add_signed(chrono::TimeDelta::days(days.into())) {
        Some(date) => date.to_string(),
        None => format!("day {days}"),
    }
}

/// Plain digits with the scale kept.
fn decimal_text(value: i128, scale: i8) -> String {
    if scale <= 0 {
        let zeros = "0".repeat(usize::from(scale.unsigned_abs()));
        return format!("{value}{}", if value == 0 { "" } else { &zeros });
    }
    let places = scale as usize;
    let digits = format!("{:0>width$}", value.unsigned_abs(), width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    format!("{}{whole}.{fraction}", if value < 0 { "-" } else { "" })
}
