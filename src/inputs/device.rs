//! What a device needs to make the same rows as the host. In: a recipe; out: for every column what kind of values it has, its edges and
//! the numbers of the function's text, as bits. Types that a device does not make have none.

use arrow::datatypes::DataType;
use serde::{Deserialize, Serialize};

use super::edges;
use super::recipe::Recipe;

/// One column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DeviceColumn {
    /// The number of the kind in `kernels/rw_inputs.cu`.
    pub kind: u64,
    /// Its edge values.
    pub edges: Vec<u64>,
    /// Numbers near which some values lie: doubles, or whole numbers for columns of these.
    pub near: Vec<u64>,
}

impl Recipe {
    /// All columns for a device, if it can make each of them.
    pub fn on_device(&self) -> Option<Vec<DeviceColumn>> {
        self.types.iter().map(|t| self.column_on_device(t)).collect()
    }

    fn column_on_device(&self, t: &DataType) -> Option<DeviceColumn> {
        let literals = &self.literals;
        let whole = |kind, bits| {
            let near = literals.numbers.iter().map(|n| *n as i64 as u64);
            (kind, bits_of(edges::integers(bits, literals)), near.collect())
        };
        let doubles = || literals.numbers.iter().map(|n| n.to_bits()).collect();
        let (kind, edges, near) = match t {
            DataType::Boolean => (0, vec![0, 1], Vec::new()),
            DataType::Int8 => whole(1, 8),
            DataType::Int16 => whole(2, 16),
            DataType::Int32 => whole(3, 32),
            DataType::Int64 => whole(4, 64),
            DataType::Float32 => {
                let pool = edges::floats(literals).into_iter();
                let pool = pool.map(|v| u64::from((v as f32).to_bits()));
                (5, pool.collect(), doubles())
            }
            DataType::Float64 => {
                let pool = edges::floats(literals).into_iter().map(f64::to_bits);
                (6, pool.collect(), doubles())
            }
            DataType::Date32 => (7, bits_of(edges::days().into_iter().map(i64::from)), Vec::new()),
            DataType::Timestamp(..) => (8, bits_of(edges::micros()), Vec::new()),
            _ => return None,
        };
        Some(DeviceColumn { kind, edges, near })
    }
}

fn bits_of(values: impl IntoIterator<Item = i64>) -> Vec<u64> {
    values.into_iter().map(|v| v as u64).collect()
}

/// Powers of ten that some doubles are multiplied by, lowest first: the device's own would differ in the last digit.
pub(crate) fn powers() -> Vec<f64> {
    (0..40).map(super::columns::power).collect()
}
