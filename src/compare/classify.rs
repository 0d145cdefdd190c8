//! Which class a differing leaf belongs to, and how far apart its sides are.

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::DataType;

use super::Distances;
use super::leaf::{Leaf, number, ulp_f32, ulp_f64};

/// What the arguments of a row say about a difference.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Hints {
    /// A text argument holds a character beyond the BMP.
    pub beyond_bmp: bool,
}

impl Hints {
    /// Looks at the top-level and listed text arguments of one row.
    pub fn of_row(inputs: &RecordBatch, row: usize) -> Hints {
        let beyond_bmp = inputs
            .columns()
            .iter()
            .any(|c| row < c.len() && has_wide_text(c.as_ref(), row));
        Hints { beyond_bmp }
    }
}

fn has_wide_text(array: &dyn Array, row: usize) -> bool {
    if array.is_null(row) {
        return false;
    }
    match array.data_type() {
        // A character beyond the BMP takes four bytes of UTF-8, the first of which is 0xF0 or more.
        DataType::Utf8 => array.as_string::<i32>().value(row).bytes().any(|b| b >= 0xF0),
        DataType::LargeUtf8 => array.as_string::<i64>().value(row).bytes().any(|b| b >= 0xF0),
        DataType::List(_) => {
            let items = array.as_list::<i32>().value(row);
            (0..items.len()).any(|i| has_wide_text(items.as_ref(), i))
        }
        _ => false,
    }
}

/// Class and distances of a differing pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Difference {
    pub class: &'static str,
    pub distances: Distances,
}

impl Difference {
    /// A difference without distances.
    pub fn of(class: &'static str) -> Difference {
        Difference {
            class,
            distances: Distances::default(),
        }
    }
}

/// Largest distance that still counts as a difference in the last digits.
const LAST_ULPS: u64 = 4;

/// Classifies two leaves that are not the same.
pub(super) fn classify(a: &Leaf, b: &Leaf, hints: &Hints) -> Difference {
    match (a, b) {
        (Leaf::Null, _) | (_, Leaf::Null) => Difference::of("null-vs-value"),
        (Leaf::Bool(_), Leaf::Bool(_)) => Difference::of("boolean-value"),
        (Leaf::Double(x), Leaf::Double(y)) => float(*x, *y, || ulp_f64(*x, *y)),
        (Leaf::Float(x), Leaf::Float(y)) => float(f64::from(*x), f64::from(*y), || ulp_f32(*x, *y)),
        (Leaf::Int(x, w), Leaf::Int(y, v)) => with_distance(integer(*x, *y, *w.min(v), hints), a, b),
        (Leaf::Decimal(x, s), Leaf::Decimal(y, t)) => with_distance(decimal((*x, *s), (*y, *t)), a, b),
        (Leaf::Str(x), Leaf::Str(y)) => Difference::of(text(x, y, hints)),
        (Leaf::Bytes(_), Leaf::Bytes(_)) => Difference::of("binary-value"),
        (Leaf::Date(x), Leaf::Date(y)) => Difference::of(if x.abs_diff(*y) == 1 {
            "off-by-one"
        } else {
            "date-value"
        }),
        (Leaf::Timestamp(x), Leaf::Timestamp(y)) => Difference::of(timestamp(*x, *y)),
        _ => match (number(a), number(b)) {
            (Some(x), Some(y)) => float(x, y, || ulp_f64(x, y)),
            _ => Difference::of("type"),
        },
    }
}

fn with_distance(class: &'static str, a: &Leaf, b: &Leaf) -> Difference {
    let (x, y) = (number(a).unwrap_or(f64::NAN), number(b).unwrap_or(f64::NAN));
    Difference {
        class,
        distances: Distances {
            ulp: None,
            abs: Some((x - y).abs()),
            rel: relative(x, y),
        },
    }
}

/// Relative to the original; unknown where that is zero.
fn relative(x: f64, y: f64) -> Option<f64> {
    let rel = ((x - y) / x).abs();
    rel.is_finite().then_some(rel)
}

fn float(x: f64, y: f64, ulp: impl Fn() -> u64) -> Difference {
    if x.is_nan() || y.is_nan() {
        return Difference::of("nan-vs-number");
    }
    if x.is_infinite() || y.is_infinite() {
        return Difference::of("infinity");
    }
    if x == 0.0 && y == 0.0 {
        return Difference::of("negative-zero-sign");
    }
    let ulp = ulp();
    let class = if ulp <= LAST_ULPS {
        "last-ulp"
    } else if one_unit_apart(x, y) {
        "round-half"
    } else {
        "float-value"
    };
    Difference {
        class,
        distances: Distances {
            ulp: Some(ulp),
            abs: Some((x - y).abs()),
            rel: relative(x, y),
        },
    }
}

/// Whether both have few decimals and differ by one unit of the last of them: 1.02 and 1.03, never 1.5 and 2.5 alone.
fn one_unit_apart(x: f64, y: f64) -> bool {
    let places = |v: f64| {
        let text = format!("{v}");
        text.split_once('.').map_or(0, |(_, fraction)| fraction.len())
    };
    let k = places(x).max(places(y));
    (1..=9).contains(&k) && {
        let unit = 10f64.powi(-(k as i32));
        ((x - y).abs() / unit - 1.0).abs() < 1e-3
    }
}

fn integer(x: i64, y: i64, width: u8, hints: &Hints) -> &'static str {
    let (a, b) = (i128::from(x), i128::from(y));
    let distance = (a - b).unsigned_abs();
    if hints.beyond_bmp && distance < 1 << 20 {
        return "utf16-index";
    }
    if distance == 1 {
        return "off-by-one";
    }
    let extreme = |v: i64| {
        [i64::MIN, i64::MAX, i32::MIN.into(), i32::MAX.into()].contains(&v)
            || (width < 32 && [-128, 127, -32768, 32767].contains(&v))
    };
    if extreme(x) != extreme(y) && !distance.is_multiple_of(1 << 32) {
        return "float-to-int-saturate";
    }
    let wraps = if width <= 16 { 1u128 << width } else { 1 << 32 };
    if distance.is_multiple_of(wraps) {
        "int-overflow-wrap"
    } else {
        "integer-value"
    }
}

fn decimal((x, s): (i128, i8), (y, t): (i128, i8)) -> &'static str {
    if s == t && x.abs_diff(y) == 1 {
        "round-half"
    } else {
        "decimal-value"
    }
}

fn timestamp(x: i64, y: i64) -> &'static str {
    const QUARTER_HOUR: u64 = 900_000_000;
    let distance = x.abs_diff(y);
    if distance.is_multiple_of(QUARTER_HOUR) && distance <= 96 * QUARTER_HOUR {
        "timezone-dst"
    } else {
        "date-value"
    }
}

fn text(x: &str, y: &str, hints: &Hints) -> &'static str {
    let fold = |s: &str| s.to_uppercase().to_lowercase();
    if fold(x) == fold(y) {
        return "case-map-special";
    }
    if hints.beyond_bmp {
        return "utf16-index";
    }
    if trimmed_otherwise(x, y) {
        return "trim-charset";
    }
    if let (Ok(p), Ok(q)) = (x.parse::<f64>(), y.parse::<f64>())
        && (p == q || (p.is_nan() && q.is_nan()))
    {
        return "number-text";
    }
    if last_digit_apart(x, y) {
        "round-half"
    } else {
        "string-value"
    }
}

/// Whether only the ends differ, in white space that not every trim removes: a plain blank tells of no set of characters,
/// and white space inside is not trimmed.
fn trimmed_otherwise(x: &str, y: &str) -> bool {
    let (long, short) = if x.len() > y.len() { (x, y) } else { (y, x) };
    let Some(at) = long
        .find(short)
        .filter(|_| !short.is_empty() || long.chars().all(is_blank))
    else {
        return false;
    };
    let (head, tail) = (&long[..at], &long[at + short.len()..]);
    let mut ends = head.chars().chain(tail.chars());
    ends.clone().all(is_blank) && ends.any(|c| c != ' ')
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c <= ' '
}

/// Whether two texts are numbers of the same number of decimals, one unit in the last place apart: "1.00", "1.01".
fn last_digit_apart(x: &str, y: &str) -> bool {
    let digits = |s: &str| -> Option<(i128, usize)> {
        let (whole, fraction) = s.split_once('.')?;
        let all: String = whole.chars().chain(fraction.chars()).filter(|c| *c != ',').collect();
        Some((all.parse().ok()?, fraction.len()))
    };
    matches!((digits(x), digits(y)), (Some((a, p)), Some((b, q))) if p == q && a.abs_diff(b) == 1)
}
