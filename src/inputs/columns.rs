//! Makes one column from picks: null, the n-th edge value, or random. Nested columns make their children the same way.

use std::sync::Arc;

use arrow::array::*;
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::datatypes::*;

use super::edges;
use super::literals::Literals;
use super::rng::Rng;

/// What goes into one cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pick {
    /// SQL null.
    Null,
    /// The edge value with this index (modulo their number).
    Edge(usize),
    /// A random value of the column's type.
    Random,
}

/// Whether columns of this type can be made up.
pub(super) fn can_generate(t: &DataType) -> bool {
    match t {
        DataType::Boolean
        | DataType::Int8
        | DataType::Int16
        | DataType::Int32
        | DataType::Int64
        | DataType::Float32
        | DataType::Float64
        | DataType::Utf8
        | DataType::Binary
        | DataType::Date32
        | DataType::Timestamp(TimeUnit::Microsecond, _)
        | DataType::Decimal128(_, _) => true,
        DataType::List(f) => can_generate(f.data_type()),
        DataType::Struct(fields) => fields.iter().all(|f| can_generate(f.data_type())),
        DataType::Map(entries, _) => can_generate(entries.data_type()),
        _ => false,
    }
}

/// Number of edge values of a type.
pub(super) fn edge_count(t: &DataType, literals: &Literals) -> usize {
    match t {
        DataType::Boolean => 2,
        DataType::Int8 => edges::integers(8, literals).len(),
        DataType::Int16 => edges::integers(16, literals).len(),
        DataType::Int32 => edges::integers(32, literals).len(),
        DataType::Int64 => edges::integers(64, literals).len(),
        DataType::Float32 | DataType::Float64 => edges::floats(literals).len(),
        DataType::Utf8 => edges::texts(literals).len(),
        DataType::Binary => edges::bytes().len(),
        DataType::Date32 => edges::days().len(),
        DataType::Timestamp(_, _) => edges::micros().len(),
        DataType::Decimal128(p, s) => edges::decimals(*p, *s, literals).len(),
        DataType::List(_) | DataType::Map(_, _) => LENGTHS.len(),
        _ => 0,
    }
}

/// Lengths of the edge lists; their elements are edges and nulls in turn.
const LENGTHS: [usize; 8] = [0, 1, 2, 3, 4, 9, 1, 3];
/// From this edge on, the element in the middle is null.
const NULL_INSIDE: usize = 6;

/// A column with one cell per pick.
pub(super) fn column(t: &DataType, picks: &[Pick], literals: &Literals, rng: &mut Rng) -> ArrayRef {
    match t {
        DataType::Boolean => {
            let cell = |p: &Pick| choose(p, &[false, true], rng, |r| r.next() & 1 == 0);
            Arc::new(picks.iter().map(cell).collect::<BooleanArray>())
        }
        DataType::Int8 => integers::<Int8Type>(8, picks, literals, rng, |v| v as i8),
        DataType::Int16 => integers::<Int16Type>(16, picks, literals, rng, |v| v as i16),
        DataType::Int32 => integers::<Int32Type>(32, picks, literals, rng, |v| v as i32),
        DataType::Int64 => integers::<Int64Type>(64, picks, literals, rng, |v| v),
        DataType::Float64 => {
            let pool = edges::floats(literals);
            let cell = |p: &Pick| choose(p, &pool, rng, |r| random_float(r, literals));
            Arc::new(picks.iter().map(cell).collect::<Float64Array>())
        }
        DataType::Float32 => {
            let pool: Vec<f32> = edges::floats(literals).into_iter().map(|v| v as f32).collect();
            let cell = |p: &Pick| choose(p, &pool, rng, |r| random_float(r, literals) as f32);
            Arc::new(picks.iter().map(cell).collect::<Float32Array>())
        }
        DataType::Utf8 => texts(picks, literals, rng),
        DataType::Binary => {
            let pool = edges::bytes();
            let random = |r: &mut Rng| (0..r.below(12)).map(|_| r.next() as u8).collect::<Vec<u8>>();
            let cells = picks.iter().map(|p| choose(p, &pool, rng, random));
            Arc::new(BinaryArray::from_iter(cells))
        }
        DataType::Date32 => {
            let pool = edges::days();
            let random = |r: &mut Rng| (r.below(36_525) as i32) - 7_305;
            Arc::new(
                picks
                    .iter()
                    .map(|p| choose(p, &pool, rng, random))
                    .collect::<Date32Array>(),
            )
        }
        DataType::Timestamp(_, zone) => {
            let pool = edges::micros();
            let random = |r: &mut Rng| (r.unit() * 3.1e15) as i64 - 600_000_000_000_000;
            let cells: TimestampMicrosecondArray = picks.iter().map(|p| choose(p, &pool, rng, random)).collect();
            Arc::new(cells.with_timezone_opt(zone.clone()))
        }
        DataType::Decimal128(p, s) => decimals(*p, *s, picks, literals, rng),
        DataType::List(field) => lists(field, picks, literals, rng),
        DataType::Map(entries, sorted) => maps(entries, *sorted, picks, literals, rng),
        DataType::Struct(fields) => structs(fields, picks, literals, rng),
        other => new_null_array(other, picks.len()),
    }
}

fn choose<T: Clone>(pick: &Pick, pool: &[T], rng: &mut Rng, random: impl FnOnce(&mut Rng) -> T) -> Option<T> {
    match pick {
        Pick::Null => None,
        Pick::Edge(i) if !pool.is_empty() => Some(pool[i % pool.len()].clone()),
        _ => Some(random(rng)),
    }
}

fn integers<T: ArrowPrimitiveType>(
    bits: u32,
    picks: &[Pick],
    literals: &Literals,
    rng: &mut Rng,
    narrow: fn(i64) -> T::Native,
) -> ArrayRef {
    let pool = edges::integers(bits, literals);
    let cells = picks
        .iter()
        .map(|p| choose(p, &pool, rng, |r| random_int(r, bits, literals)).map(narrow));
    Arc::new(PrimitiveArray::<T>::from_iter(cells))
}

fn random_int(rng: &mut Rng, bits: u32, literals: &Literals) -> i64 {
    let near = |rng: &mut Rng| {
        let n = if literals.numbers.is_empty() {
            0.0
        } else {
            *rng.choose(&literals.numbers)
        };
        (n as i64).wrapping_add(rng.below(41) as i64 - 20)
    };
    match rng.below(8) {
        0..=2 => rng.below(201) as i64 - 100,
        3 => rng.below(20_001) as i64 - 10_000,
        4 => near(rng),
        5 | 6 => rng.log_int(bits),
        _ => rng.next() as i64,
    }
}

fn random_float(rng: &mut Rng, literals: &Literals) -> f64 {
    match rng.below(12) {
        // Money and measurements: few decimals.
        0..=3 => (rng.below(2_000_001) as f64 - 1_000_000.0) / 100.0,
        4 | 5 => (rng.unit() - 0.5) * 20_000.0,
        6 => (rng.below(2_000_001) as f64 - 1_000_000.0) / 1000.0,
        7 => rng.log_int(40) as f64,
        8 if !literals.numbers.is_empty() => *rng.choose(&literals.numbers) + (rng.unit() - 0.5),
        9 => rng.unit(),
        10 => (rng.unit() - 0.5) * power(rng.below(40) as i32),
        _ => f64::from_bits(rng.next()),
    }
}

/// The power of ten of this number of forty.
pub(super) fn power(n: i32) -> f64 {
    10f64.powi(n - 20)
}

fn texts(picks: &[Pick], literals: &Literals, rng: &mut Rng) -> ArrayRef {
    let pool = edges::texts(literals);
    let mut out = StringBuilder::with_capacity(picks.len(), picks.len() * 8);
    for p in picks {
        match p {
            Pick::Null => out.append_null(),
            Pick::Edge(i) => out.append_value(&pool[i % pool.len()]),
            Pick::Random => out.append_value(random_text(rng, literals, &pool)),
        }
    }
    Arc::new(out.finish())
}

fn random_text(rng: &mut Rng, literals: &Literals, pool: &[String]) -> String {
    const ALPHABETS: [&str; 6] = [
        "0123456789",
        "abcdefghijklmnopqrstuvwxyz",
        "ABCxyz 019.,-_/",
        " \t\n.-+:;=@#'\"()[]{}|\\",
        "äßÉİıΣς日😀e\u{301}\u{a0}",
        "12٣٤５６७",
    ];
    let word = |rng: &mut Rng, most: u64| -> String {
        let letters: Vec<char> = ALPHABETS[(rng.below(11) as usize) / 2].chars().collect();
        (0..rng.below(most)).map(|_| *rng.choose(&letters)).collect()
    };
    match rng.below(8) {
        0 => word(rng, 12),
        1 => format!("{}", rng.log_int(40)),
        2 if !literals.samples.is_empty() => rng.choose(&literals.samples).clone(),
        3 => rng.choose(pool).clone(),
        _ => {
            // Words joined by the UDF's own short literals: separators, keys, units.
            let short: Vec<&String> = literals.texts.iter().filter(|t| t.len() <= 12).collect();
            (0..1 + rng.below(5))
                .map(|_| {
                    if !short.is_empty() && rng.below(2) == 0 {
                        (*rng.choose(&short)).clone()
                    } else {
                        word(rng, 6)
                    }
                })
                .collect()
        }
    }
}

fn decimals(precision: u8, scale: i8, picks: &[Pick], literals: &Literals, rng: &mut Rng) -> ArrayRef {
    let pool = edges::decimals(precision, scale, literals);
    let top = 10i128.pow(u32::from(precision)) - 1;
    let random = |r: &mut Rng| {
        let (places, digits) = (r.below(5) as i8, r.log_int(36));
        let shift = i32::from(scale) - i32::from(places);
        let value = i128::from(digits);
        let scaled = if shift >= 0 {
            value.saturating_mul(10i128.pow(shift as u32))
        } else {
            value
        };
        if scaled.abs() > top { scaled % top } else { scaled }
    };
    let cells: Decimal128Array = picks.iter().map(|p| choose(p, &pool, rng, random)).collect();
    let typed = cells
        .with_precision_and_scale(precision, scale)
        .expect("every value lies within the precision");
    Arc::new(typed)
}

/// Offsets, validity and the children's picks of a list column; without `nulls` only some edge lists hold a null.
fn list_shape(picks: &[Pick], nulls: bool, rng: &mut Rng) -> (OffsetBuffer<i32>, NullBuffer, Vec<Pick>) {
    let (mut lengths, mut valid, mut children) = (Vec::new(), Vec::new(), Vec::new());
    for p in picks {
        let length = match p {
            Pick::Null => 0,
            Pick::Edge(i) => LENGTHS[i % LENGTHS.len()],
            Pick::Random => rng.below(7) as usize,
        };
        valid.push(*p != Pick::Null);
        lengths.push(length);
        let null_at = match p {
            Pick::Edge(i) if i % LENGTHS.len() >= NULL_INSIDE => Some(length / 2),
            _ => None,
        };
        children.extend((0..length).map(|at| match rng.below(10) {
            _ if null_at == Some(at) => Pick::Null,
            0 if nulls => Pick::Null,
            1..=3 => Pick::Edge(rng.below(1 << 20) as usize),
            _ => Pick::Random,
        }));
    }
    (OffsetBuffer::from_lengths(lengths), NullBuffer::from(valid), children)
}

fn lists(field: &FieldRef, picks: &[Pick], literals: &Literals, rng: &mut Rng) -> ArrayRef {
    // Spark refuses a null element for a sequence of primitives: such a row fails before the function is called. Columns of
    // real tables hold them all the same, so a few edge rows do.
    let (offsets, valid, children) = list_shape(picks, field.is_nullable(), rng);
    let items = column(field.data_type(), &children, literals, rng);
    let field = Arc::new(Field::new(field.name(), items.data_type().clone(), true));
    Arc::new(ListArray::new(field, offsets, items, Some(valid)))
}

fn maps(entries: &FieldRef, sorted: bool, picks: &[Pick], literals: &Literals, rng: &mut Rng) -> ArrayRef {
    let DataType::Struct(fields) = entries.data_type() else {
        return new_null_array(entries.data_type(), picks.len());
    };
    let (offsets, valid, mut children) = list_shape(picks, true, rng);
    let values = column(fields[1].data_type(), &children, literals, rng);
    // Keys are never null and never twice in one map: edge values in a row, which are all different.
    for pair in offsets.windows(2) {
        for (k, at) in (pair[0]..pair[1]).enumerate() {
            children[at as usize] = Pick::Edge(k + 1);
        }
    }
    let keys = column(fields[0].data_type(), &children, literals, rng);
    let columns = vec![keys, values];
    let items = StructArray::new(fitted(fields, &columns), columns, None);
    let entries = Arc::new(Field::new(entries.name(), items.data_type().clone(), false));
    Arc::new(MapArray::new(entries, offsets, items, Some(valid), sorted))
}

fn structs(fields: &Fields, picks: &[Pick], literals: &Literals, rng: &mut Rng) -> ArrayRef {
    let valid: Vec<bool> = picks.iter().map(|p| *p != Pick::Null).collect();
    let children = fields.iter().map(|f| {
        let inner: Vec<Pick> = picks
            .iter()
            .map(|_| match rng.below(8) {
                0 if f.is_nullable() => Pick::Null,
                1 | 2 => Pick::Edge(rng.below(1 << 20) as usize),
                _ => Pick::Random,
            })
            .collect();
        column(f.data_type(), &inner, literals, rng)
    });
    let children: Vec<ArrayRef> = children.collect();
    Arc::new(StructArray::new(
        fitted(fields, &children),
        children,
        Some(NullBuffer::from(valid)),
    ))
}

/// The fields with the types that their columns came to have.
fn fitted(fields: &Fields, columns: &[ArrayRef]) -> Fields {
    let typed = fields.iter().zip(columns);
    typed
        .map(|(f, c)| Field::new(f.name(), c.data_type().clone(), f.is_nullable()))
        .collect()
}
