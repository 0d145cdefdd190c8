//! Rows that a test makes up, made where a kernel will use them. In: a recipe and the first rows, which the host makes; out: columns in
//! the machine's memory, as a kernel takes them, and the same columns read back for whoever runs the original.

use arrow::array::{Array, RecordBatch};
use arrow::buffer::{BooleanBuffer, Buffer, NullBuffer};
use arrow::datatypes::{DataType, SchemaRef};
use serde::{Deserialize, Serialize};

use super::machine::{Arg, Machine, POISON, elements};
use super::pack::pack;
use super::params::CType;
use super::shape::Shape;
use crate::error::{Error, Result};
use crate::inputs::{DeviceColumn, FIRST, STRETCH};

/// The kernel that makes them, and its name.
pub(super) const TEXT: &str = include_str!("../../../kernels/rw_inputs.cu");
pub(super) const NAME: &str = "rw_inputs";
/// How a launch of it is divided: every thread makes a stretch.
pub(super) const SHAPE: Shape = Shape {
    rows_per_thread: STRETCH,
    threads_per_block: 64,
};

/// What to make.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Order {
    pub columns: Vec<DeviceColumn>,
    pub seed: u64,
    pub powers: Vec<f64>,
    pub rows: usize,
}

/// Columns in a machine's memory.
pub(super) struct Made<B> {
    pub schema: SchemaRef,
    pub rows: usize,
    columns: Vec<Column<B>>,
}

struct Column<B> {
    values: B,
    valid: B,
}

impl<B> Made<B> {
    /// Makes them with a machine that has loaded the kernel. `first` stands in front.
    pub fn new<M: Machine<Block = B>>(machine: &mut M, first: &RecordBatch, order: &Order) -> Result<Made<B>> {
        if first.num_rows() != FIRST || first.num_columns() != order.columns.len() || order.rows < FIRST {
            return Err(Error::internal("the first rows are not those of the order"));
        }
        Ok(Made {
            schema: first.schema(),
            rows: order.rows,
            columns: (0..order.columns.len())
                .map(|i| column(machine, first, order, i))
                .collect::<Result<_>>()?,
        })
    }

    /// The blocks in the order of a kernel's parameters: values and validity of each column.
    pub fn inputs(&self) -> Vec<Option<&B>> {
        self.columns
            .iter()
            .flat_map(|c| [Some(&c.values), Some(&c.valid)])
            .collect()
    }

    /// Reads them back.
    pub fn read<M: Machine<Block = B>>(&self, machine: &mut M) -> Result<RecordBatch> {
        let mut arrays = Vec::with_capacity(self.columns.len());
        for (column, field) in self.columns.iter().zip(self.schema.fields()) {
            let (values, valid) = (machine.read(&column.values)?, machine.read(&column.valid)?);
            let valid = NullBuffer::new(BooleanBuffer::new(valid, 0, self.rows));
            arrays.push(elements(field.data_type(), element(field.data_type())?, values, valid)?);
        }
        RecordBatch::try_new(self.schema.clone(), arrays)
            .map_err(|e| Error::internal("the columns that were made are no batch").because(e))
    }
}

fn column<M: Machine>(machine: &mut M, first: &RecordBatch, order: &Order, i: usize) -> Result<Column<M::Block>> {
    let (array, made) = (first.column(i), &order.columns[i]);
    let element = element(array.data_type())?;
    let mut packed = pack(std::slice::from_ref(array), &[element, CType::U32])?.into_iter();
    let (Some(Some(begin)), Some(nulls)) = (packed.next(), packed.next()) else {
        return Err(Error::internal("a column of the first rows without its values"));
    };
    let nulls = nulls.unwrap_or_else(|| Buffer::from(vec![0xFF_u8; array.len() / 8]));
    let (begin, begin_valid) = (machine.input(&begin)?, machine.input(&nulls)?);
    let counts: Vec<u64> = order.columns.iter().map(|c| c.edges.len() as u64).collect();
    let powers: Vec<u64> = order.powers.iter().map(|p| p.to_bits()).collect();
    let mut list = |numbers: &[u64]| machine.input(Buffer::from_slice_ref(numbers).as_slice());
    let (counts, edges, near, powers) = (list(&counts)?, list(&made.edges)?, list(&made.near)?, list(&powers)?);
    let out = Column {
        values: machine.filled("values", order.rows * element.width(), POISON)?,
        valid: machine.filled("valid", order.rows.div_ceil(32) * 4, POISON)?,
    };
    let number = |n: u64| Arg::Rows(n as i64);
    let args = [
        number(made.kind),
        number(i as u64),
        number(order.columns.len() as u64),
        Arg::Block(&counts),
        number(order.seed),
        Arg::Block(&begin),
        Arg::Block(&begin_valid),
        number(array.len() as u64),
        Arg::Block(&out.values),
        Arg::Block(&out.valid),
        Arg::Block(&edges),
        Arg::Block(&near),
        number(made.near.len() as u64),
        Arg::Block(&powers),
        number(order.rows as u64),
    ];
    machine.launch(&args, order.rows)?;
    Ok(out)
}

/// The element that a kernel declares for a column of this type.
fn element(t: &DataType) -> Result<CType> {
    Ok(match t {
        DataType::Boolean => CType::U8,
        DataType::Int8 => CType::I8,
        DataType::Int16 => CType::I16,
        DataType::Int32 | DataType::Date32 => CType::I32,
        DataType::Int64 | DataType::Timestamp(..) => CType::I64,
        DataType::Float32 => CType::F32,
        DataType::Float64 => CType::F64,
        other => return Err(Error::internal(format!("a column of {other} made on a device"))),
    })
}

#[cfg(test)]
mod tests {
    use super::super::host::{Compiler, Host, HostMachine};
    use super::super::params::Kernel;
    use super::*;
    use crate::find::find;
    use crate::inputs::{Recipe, powers};
    use crate::source::{Language, SourceFile};

    /// The kernel, compiled for the CPU, makes what the host makes.
    #[test]
    fn rows_are_the_same_wherever_they_are_made() {
        if Compiler::program().is_none() {
            println!("no C++ compiler: nothing to test");
            return;
        }
        let file = SourceFile::from_text(
            "t.scala",
            Language::Scala,
            "val f = udf((a: Boolean, b: Byte, c: Short, d: Int, e: Long, f: Float, g: Double, h: java.sql.Date, \
             i: java.sql.Timestamp) => if (g > 650.25 && e != 70000L) c + d else 3)",
        );
        let udf = &find(&file).udfs[0];
        let recipe = Recipe::of(udf, &file, 7).expect("known types");
        let order = Order {
            columns: recipe.on_device().expect("types of a fixed width"),
            seed: recipe.seed(),
            powers: powers(),
            rows: FIRST + 5 * STRETCH + 77,
        };
        let folder = tempfile::tempdir().expect("a folder");
        let host = Host::new(folder.path()).expect("a compiler");
        let kernel = Kernel {
            name: NAME.into(),
            params: Vec::new(),
            place: (1, 1),
            shape: SHAPE,
        };
        let loaded = host.load(TEXT, &kernel).expect("compiles");
        let mut machine = HostMachine::new(&loaded);
        let first = recipe.batch(FIRST).expect("rows");
        let made = Made::new(&mut machine, &first, &order).expect("runs");
        let found = made.read(&mut machine).expect("columns");
        let wanted = recipe.batch(order.rows).expect("rows");
        assert_eq!(found.schema(), wanted.schema());
        for (i, (a, b)) in found.columns().iter().zip(wanted.columns()).enumerate() {
            let differs = (0..order.rows).find(|row| a.slice(*row, 1) != b.slice(*row, 1));
            assert_eq!(
                differs,
                None,
                "column {i}: {:?}",
                differs.map(|r| (a.slice(r, 1), b.slice(r, 1)))
            );
        }
    }
}
