//! Constants, names and types as Spark SQL writes them.

use crate::ir::node::{ColTy, Const};
use crate::lang::ty::Prim;

/// A name, quoted if SQL would not take it as it stands.
pub fn identifier(name: &str) -> String {
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && !RESERVED.contains(&name.to_ascii_uppercase().as_str());
    if plain {
        name.to_string()
    } else {
        format!("`{}`", name.replace('`', "``"))
    }
}

/// Words that a parser may not take as a column name.
const RESERVED: [&str; 60] = [
    "ALL",
    "AND",
    "ANTI",
    "ANY",
    "ARRAY",
    "AS",
    "AT",
    "BETWEEN",
    "BOTH",
    "BY",
    "CASE",
    "CAST",
    "CHECK",
    "COLLATE",
    "COLUMN",
    "CREATE",
    "CROSS",
    "DATE",
    "DISTINCT",
    "DIV",
    "ELSE",
    "END",
    "ESCAPE",
    "EXCEPT",
    "EXISTS",
    "FALSE",
    "FETCH",
    "FILTER",
    "FOR",
    "FROM",
    "FULL",
    "GROUP",
    "HAVING",
    "IF",
    "IN",
    "INNER",
    "INTERSECT",
    "INTERVAL",
    "INTO",
    "IS",
    "JOIN",
    "LEFT",
    "LIKE",
    "LIMIT",
    "NOT",
    "NULL",
    "ON",
    "OR",
    "ORDER",
    "OUTER",
    "RIGHT",
    "SELECT",
    "TABLE",
    "THEN",
    "TIMESTAMP",
    "TRUE",
    "UNION",
    "USING",
    "WHEN",
    "WHERE",
];

/// Text in single quotes.
pub fn text(value: &str) -> String {
    let mut out = String::from("'");
    for c in value.chars() {
        match c {
            '\'' => out.push_str("\\'"),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if (c as u32) < 0x20 => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('\'');
    out
}

/// A number as text that reads back to the same double, always with a point or an exponent.
fn digits(value: f64) -> String {
    format!("{value:?}").replace('e', "E")
}

/// A constant of a type.
pub fn constant(value: &Const, ty: &ColTy) -> String {
    match value {
        Const::Null if *ty == ColTy::Null => "NULL".into(),
        Const::Null => format!("CAST(NULL AS {})", type_name(ty)),
        Const::Bool(b) => b.to_string(),
        Const::Int(v) => match ty {
            ColTy::Prim(Prim::Long) => format!("{v}L"),
            ColTy::Prim(Prim::Short) => format!("{v}S"),
            ColTy::Prim(Prim::Byte) => format!("{v}Y"),
            _ => v.to_string(),
        },
        Const::F64(bits) => float(f64::from_bits(*bits), "double", "D"),
        Const::F32(bits) => {
            let v = f32::from_bits(*bits);
            if v.is_finite() {
                format!("{}F", format!("{v:?}").replace('e', "E"))
            } else {
                float(f64::from(v), "float", "F")
            }
        }
        Const::Char(c) => text(&char::from_u32(u32::from(*c)).map(String::from).unwrap_or_default()),
        Const::Str(s) => text(s),
        Const::Decimal(unscaled, scale) => decimal(*unscaled, *scale),
        Const::Date(days) => format!("date_from_unix_date({days})"),
    }
}

fn float(v: f64, name: &str, suffix: &str) -> String {
    if v.is_nan() {
        format!("{name}('NaN')")
    } else if v.is_infinite() {
        format!("{name}('{}Infinity')", if v < 0.0 { "-" } else { "" })
    } else {
        format!("{}{suffix}", digits(v))
    }
}

fn decimal(unscaled: i128, scale: i8) -> String {
    let places = usize::try_from(scale.max(0)).unwrap_or(0);
    let digits = unscaled.unsigned_abs().to_string();
    if places == 0 {
        let sign = if unscaled < 0 { "-" } else { "" };
        return format!("CAST({sign}{digits} AS DECIMAL({},0))", digits.len());
    }
    let padded = format!("{digits:0>width$}", width = places + 1);
    let (whole, fraction) = padded.split_at(padded.len() - places);
    format!("{}{whole}.{fraction}", if unscaled < 0 { "-" } else { "" })
}

/// The SQL type of a primitive.
pub fn prim_type(prim: Prim) -> &'static str {
    match prim {
        Prim::Boolean => "BOOLEAN",
        Prim::Byte => "TINYINT",
        Prim::Short => "SMALLINT",
        Prim::Char => "STRING",
        Prim::Int => "INT",
        Prim::Long => "BIGINT",
        Prim::Float => "FLOAT",
        Prim::Double => "DOUBLE",
    }
}

/// The SQL type of a column.
pub fn type_name(ty: &ColTy) -> String {
    match ty {
        ColTy::Prim(p) => prim_type(*p).into(),
        ColTy::Str => "STRING".into(),
        ColTy::Binary => "BINARY".into(),
        ColTy::Decimal(p, s) => format!("DECIMAL({p},{s})"),
        ColTy::Date => "DATE".into(),
        ColTy::Timestamp => "TIMESTAMP".into(),
        ColTy::Array(e) => format!("ARRAY<{}>", type_name(e)),
        ColTy::Map(k, v) => format!("MAP<{}, {}>", type_name(k), type_name(v)),
        ColTy::Struct(fields) => {
            let fields: Vec<String> = fields.iter().map(|(n, t)| format!("{n}: {}", type_name(t))).collect();
            format!("STRUCT<{}>", fields.join(", "))
        }
        ColTy::Null => "STRING".into(),
    }
}
