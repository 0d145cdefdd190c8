//! Column types as the accelerator's library names them. In: Arrow types or constant names; out: [`DType`]. Holds no data.

use arrow::datatypes::{DataType, TimeUnit};

/// The id of a column type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TypeId {
    Int8,
    Int16,
    Int32,
    Int64,
    Uint8,
    Uint16,
    Uint32,
    Uint64,
    Float32,
    Float64,
    Bool8,
    TimestampDays,
    TimestampSeconds,
    TimestampMilliseconds,
    TimestampMicroseconds,
    TimestampNanoseconds,
    DurationDays,
    DurationSeconds,
    DurationMilliseconds,
    DurationMicroseconds,
    DurationNanoseconds,
    String,
    List,
    Struct,
    Decimal32,
    Decimal64,
    Decimal128,
    Empty,
}

const NAMES: [(TypeId, &str); 28] = [
    (TypeId::Int8, "INT8"),
    (TypeId::Int16, "INT16"),
    (TypeId::Int32, "INT32"),
    (TypeId::Int64, "INT64"),
    (TypeId::Uint8, "UINT8"),
    (TypeId::Uint16, "UINT16"),
    (TypeId::Uint32, "UINT32"),
    (TypeId::Uint64, "UINT64"),
    (TypeId::Float32, "FLOAT32"),
    (TypeId::Float64, "FLOAT64"),
    (TypeId::Bool8, "BOOL8"),
    (TypeId::TimestampDays, "TIMESTAMP_DAYS"),
    (TypeId::TimestampSeconds, "TIMESTAMP_SECONDS"),
    (TypeId::TimestampMilliseconds, "TIMESTAMP_MILLISECONDS"),
    (TypeId::TimestampMicroseconds, "TIMESTAMP_MICROSECONDS"),
    (TypeId::TimestampNanoseconds, "TIMESTAMP_NANOSECONDS"),
    (TypeId::DurationDays, "DURATION_DAYS"),
    (TypeId::DurationSeconds, "DURATION_SECONDS"),
    (TypeId::DurationMilliseconds, "DURATION_MILLISECONDS"),
    (TypeId::DurationMicroseconds, "DURATION_MICROSECONDS"),
    (TypeId::DurationNanoseconds, "DURATION_NANOSECONDS"),
    (TypeId::String, "STRING"),
    (TypeId::List, "LIST"),
    (TypeId::Struct, "STRUCT"),
    (TypeId::Decimal32, "DECIMAL32"),
    (TypeId::Decimal64, "DECIMAL64"),
    (TypeId::Decimal128, "DECIMAL128"),
    (TypeId::Empty, "EMPTY"),
];

/// A column type: its id and, for decimals, the exponent of ten (`-2` for two places).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DType {
    /// Which type.
    pub id: TypeId,
    /// Exponent of ten of a decimal; 0 for every other type.
    pub scale: i32,
}

impl DType {
    /// A type without scale.
    pub const fn of(id: TypeId) -> DType {
        DType { id, scale: 0 }
    }

    /// `BOOL8`.
    pub const BOOL: DType = DType::of(TypeId::Bool8);
    /// `INT32`.
    pub const INT32: DType = DType::of(TypeId::Int32);
    /// `INT64`.
    pub const INT64: DType = DType::of(TypeId::Int64);
    /// `FLOAT64`.
    pub const FLOAT64: DType = DType::of(TypeId::Float64);
    /// `STRING`.
    pub const STRING: DType = DType::of(TypeId::String);

    /// The type behind a constant such as `INT32`.
    pub fn named(name: &str) -> Option<DType> {
        NAMES.iter().find(|(_, n)| *n == name).map(|(id, _)| DType::of(*id))
    }

    /// The constant's name.
    pub fn name(self) -> &'static str {
        NAMES
            .iter()
            .find(|(id, _)| *id == self.id)
            .map(|(_, n)| *n)
            .expect("every id is in the table")
    }

    /// Bytes per element of fixed-width types.
    pub fn size(self) -> usize {
        use TypeId::*;
        match self.id {
            Int8 | Uint8 | Bool8 => 1,
            Int16 | Uint16 => 2,
            Int32 | Uint32 | Float32 | TimestampDays | DurationDays | Decimal32 => 4,
            Decimal128 => 16,
            String | List | Struct | Empty => 0,
            _ => 8,
        }
    }

    /// `isDecimalType`.
    pub fn is_decimal(self) -> bool {
        matches!(self.id, TypeId::Decimal32 | TypeId::Decimal64 | TypeId::Decimal128)
    }

    /// Signed or unsigned integers, not Boolean.
    pub fn is_integer(self) -> bool {
        self.is_signed() || self.is_unsigned()
    }

    /// Signed integers.
    pub fn is_signed(self) -> bool {
        use TypeId::*;
        matches!(self.id, Int8 | Int16 | Int32 | Int64)
    }

    /// Unsigned integers.
    pub fn is_unsigned(self) -> bool {
        use TypeId::*;
        matches!(self.id, Uint8 | Uint16 | Uint32 | Uint64)
    }

    /// `FLOAT32`, `FLOAT64`.
    pub fn is_float(self) -> bool {
        matches!(self.id, TypeId::Float32 | TypeId::Float64)
    }

    /// Integers, floats and Boolean.
    pub fn is_numeric(self) -> bool {
        self.is_integer() || self.is_float() || self.id == TypeId::Bool8
    }

    /// Timestamps of any unit.
    pub fn is_timestamp(self) -> bool {
        self.id >= TypeId::TimestampDays && self.id <= TypeId::TimestampNanoseconds
    }

    /// Durations of any unit.
    pub fn is_duration(self) -> bool {
        self.id >= TypeId::DurationDays && self.id <= TypeId::DurationNanoseconds
    }

    /// Nanoseconds per unit of a timestamp or duration.
    pub fn unit_nanos(self) -> Option<i64> {
        use TypeId::*;
        Some(match self.id {
            TimestampDays | DurationDays => 86_400_000_000_000,
            TimestampSeconds | DurationSeconds => 1_000_000_000,
            TimestampMilliseconds | DurationMilliseconds => 1_000_000,
            TimestampMicroseconds | DurationMicroseconds => 1_000,
            TimestampNanoseconds | DurationNanoseconds => 1,
            _ => return None,
        })
    }

    /// The type the accelerator hands for an Arrow column of Spark's type, if it is one.
    pub fn of_arrow(t: &DataType) -> Option<DType> {
        Some(match t {
            DataType::Boolean => DType::BOOL,
            DataType::Int8 => DType::of(TypeId::Int8),
            DataType::Int16 => DType::of(TypeId::Int16),
            DataType::Int32 => DType::INT32,
            DataType::Int64 => DType::INT64,
            DataType::UInt8 => DType::of(TypeId::Uint8),
            DataType::Float32 => DType::of(TypeId::Float32),
            DataType::Float64 => DType::FLOAT64,
            DataType::Utf8 => DType::STRING,
            DataType::Date32 => DType::of(TypeId::TimestampDays),
            DataType::Timestamp(TimeUnit::Microsecond, _) => DType::of(TypeId::TimestampMicroseconds),
            DataType::Decimal128(p, s) => DType {
                id: decimal_id(*p),
                scale: -i32::from(*s),
            },
            DataType::Binary | DataType::List(_) | DataType::Map(..) => DType::of(TypeId::List),
            DataType::Struct(_) => DType::of(TypeId::Struct),
            _ => return None,
        })
    }
}

fn decimal_id(precision: u8) -> TypeId {
    match precision {
        0..=9 => TypeId::Decimal32,
        10..=18 => TypeId::Decimal64,
        _ => TypeId::Decimal128,
    }
}

impl std::fmt::Display for DType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())?;
        if self.is_decimal() {
            write!(f, " scale:{}", self.scale)?;
        }
        Ok(())
    }
}
