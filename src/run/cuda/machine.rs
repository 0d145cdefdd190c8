//! What a kernel runs on, and one run over a batch. In: a plan and columns; out: values and error codes. Outputs are filled
//! with a pattern before each run, so that what a kernel does not write cannot look right. Never knows which machine it is.

use arrow::array::{
    ArrayRef, BinaryArray, BinaryBuilder, BooleanArray, Decimal128Array, Int32Array, PrimitiveArray, RecordBatch,
    StringArray, StringBuilder,
};
use arrow::buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow::datatypes::{
    ArrowPrimitiveType, DataType, Date32Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimestampMicrosecondType,
};
use std::sync::Arc;

use rayon::prelude::*;

use super::pack::pack;
use super::params::CType;
use super::plan::{Plan, ResultPlan};
use crate::error::{Error, Result};
use crate::run::Finding;

/// What outputs are filled with before a run.
pub(super) const POISON: u8 = 0xA5;
/// What is said where memory does not suffice.
pub(super) const NO_ROOM: &str = "the rows need more memory than the device has";

/// One argument of a launch.
pub(super) enum Arg<'a, B> {
    /// A block of memory.
    Block(&'a B),
    /// No memory.
    Null,
    /// The number of rows.
    Rows(i64),
}

/// Memory and launches of the CPU or of a device.
pub(super) trait Machine {
    /// Memory that a kernel can use.
    type Block;
    /// A copy of bytes.
    fn input(&mut self, bytes: &[u8]) -> Result<Self::Block>;
    /// So many bytes, each with this value. The name is that of the parameter.
    fn filled(&mut self, name: &'static str, size: usize, byte: u8) -> Result<Self::Block>;
    /// Runs the kernel over rows and waits for its end.
    fn launch(&mut self, args: &[Arg<'_, Self::Block>], rows: usize) -> Result<()>;
    /// The bytes of a block.
    fn read(&mut self, block: &Self::Block) -> Result<Buffer>;
    /// The error codes of so many rows.
    fn codes(&mut self, block: &Self::Block, rows: usize) -> Result<Codes> {
        Ok(Codes::of(int32s(self.read(block)?, rows)))
    }
    /// Whether nothing can be run any more in this process.
    fn broken(&self) -> bool;
}

/// What a run gave.
#[derive(Debug)]
pub(super) struct Ran {
    /// One element per row; null where there is an error code.
    pub values: ArrayRef,
    /// Error codes of rows.
    pub codes: Codes,
    /// What was noticed.
    pub findings: Vec<Finding>,
}

/// Error codes of rows. Of many millions that are all fine nothing has to be kept or moved.
#[derive(Debug)]
pub(super) enum Codes {
    /// Of so many rows, none of which failed.
    Fine(usize),
    /// One per row.
    Of(Int32Array),
}

impl Codes {
    /// What these come to.
    pub fn of(codes: Int32Array) -> Codes {
        match any_set(codes.values().inner()) {
            false => Codes::Fine(codes.len()),
            true => Codes::Of(codes),
        }
    }
}

/// Runs a kernel over a batch.
pub(super) fn run<M: Machine>(machine: &mut M, plan: &Plan, batch: &RecordBatch) -> Result<Ran> {
    let mut inputs = Vec::new();
    if batch.num_rows() > 0 {
        for buffer in pack(batch.columns(), &plan.inputs)? {
            inputs.push(buffer.map(|b| machine.input(b.as_slice())).transpose()?);
        }
    }
    let inputs = inputs.iter().map(Option::as_ref).collect();
    run_over(machine, plan, inputs, batch.num_rows())
}

/// Runs a kernel over columns that are where it can use them, in the order of its parameters.
pub(super) fn run_over<M: Machine>(
    machine: &mut M,
    plan: &Plan,
    inputs: Vec<Option<&M::Block>>,
    rows: usize,
) -> Result<Ran> {
    if rows == 0 {
        return Ok(Ran {
            values: arrow::array::new_empty_array(plan.result.data_type()),
            codes: Codes::Fine(0),
            findings: Vec::new(),
        });
    }
    let call = Call { inputs, rows };
    match &plan.result {
        ResultPlan::Fixed(ty, element) => call.fixed(machine, ty, *element),
        ResultPlan::Bytes(ty) => call.bytes(machine, ty),
    }
}

/// Arguments that are the same in every launch of a run.
struct Call<'b, B> {
    inputs: Vec<Option<&'b B>>,
    rows: usize,
}

impl<B> Call<'_, B> {
    fn launch<M: Machine<Block = B>>(&self, machine: &mut M, outputs: &[Option<&B>], error: &B) -> Result<()> {
        let mut args: Vec<Arg<'_, B>> = self.inputs.iter().map(|b| b.map_or(Arg::Null, Arg::Block)).collect();
        args.extend(outputs.iter().map(|b| b.map_or(Arg::Null, Arg::Block)));
        args.push(Arg::Block(error));
        args.push(Arg::Rows(self.rows as i64));
        machine.launch(&args, self.rows)
    }

    fn words(&self) -> usize {
        self.rows.div_ceil(32) * 4
    }

    fn fixed<M: Machine<Block = B>>(&self, machine: &mut M, ty: &DataType, element: CType) -> Result<Ran> {
        let out = machine.filled("out", self.rows * element.width(), POISON)?;
        let valid = machine.filled("out_valid", self.words(), POISON)?;
        let error = machine.filled("error", self.rows * 4, 0)?;
        self.launch(machine, &[Some(&out), Some(&valid)], &error)?;
        let (values, valid) = (machine.read(&out)?, machine.read(&valid)?);
        Ran::of_elements(ty, element, values, &valid, machine.codes(&error, self.rows)?)
    }

    fn bytes<M: Machine<Block = B>>(&self, machine: &mut M, ty: &DataType) -> Result<Ran> {
        let sizes = machine.filled("out_sizes", self.rows * 4, POISON)?;
        let valid = machine.filled("out_valid", self.words(), POISON)?;
        let error = machine.filled("error", self.rows * 4, 0)?;
        self.launch(machine, &[Some(&sizes), None, None, Some(&valid)], &error)?;
        let offsets = offsets(&int32s(machine.read(&sizes)?, self.rows))?;
        let total = offsets[offsets.len() - 1] as usize;
        let places = machine.input(offsets.inner().inner().as_slice())?;
        let out = machine.filled("out_bytes", total.max(1), POISON)?;
        let valid = machine.filled("out_valid", self.words(), POISON)?;
        let error = machine.filled("error", self.rows * 4, 0)?;
        self.launch(
            machine,
            &[Some(&sizes), Some(&places), Some(&out), Some(&valid)],
            &error,
        )?;
        let bytes = machine.read(&out)?.slice_with_length(0, total);
        let valid = machine.read(&valid)?;
        Ran::of_bytes(ty, offsets, bytes, &valid, machine.codes(&error, self.rows)?)
    }
}

impl Ran {
    /// Of the buffers of a result with an element per row.
    pub fn of_elements(ty: &DataType, element: CType, values: Buffer, valid: &Buffer, codes: Codes) -> Result<Ran> {
        let nulls = nulls(valid, &codes);
        Ok(Ran {
            values: elements(ty, element, values, nulls)?,
            codes,
            findings: Vec::new(),
        })
    }

    /// Of the buffers of a result of texts or byte strings.
    pub fn of_bytes(
        ty: &DataType,
        offsets: OffsetBuffer<i32>,
        bytes: Buffer,
        valid: &Buffer,
        codes: Codes,
    ) -> Result<Ran> {
        let nulls = nulls(valid, &codes);
        let (values, findings) = texts(ty, offsets, bytes, nulls)?;
        Ok(Ran {
            values,
            codes,
            findings,
        })
    }
}

/// Whether a bit is set. Pieces without a way out in the middle are looked at many bytes at a time.
pub(super) fn any_set(bytes: &[u8]) -> bool {
    bytes.par_chunks(1 << 18).any(|piece| {
        let parts = piece.chunks(1 << 12);
        parts
            .map(|part| part.iter().fold(0, |all, b| all | b))
            .any(|all| all != 0)
    })
}

/// Elements of 32 bits.
pub(super) fn int32s(buffer: Buffer, rows: usize) -> Int32Array {
    Int32Array::new(ScalarBuffer::new(buffer, 0, rows), None)
}

/// A row has a value where its bit is set and it did not fail.
fn nulls(valid: &Buffer, codes: &Codes) -> NullBuffer {
    match codes {
        Codes::Fine(rows) => NullBuffer::new(BooleanBuffer::new(valid.clone(), 0, *rows)),
        Codes::Of(codes) => {
            let bits = BooleanBuffer::new(valid.clone(), 0, codes.len());
            let values = codes.values();
            NullBuffer::new(BooleanBuffer::collect_bool(codes.len(), |i| {
                bits.value(i) && values[i] == 0
            }))
        }
    }
}

/// Where the bytes of each row begin.
pub(super) fn offsets(sizes: &Int32Array) -> Result<OffsetBuffer<i32>> {
    let mut out = Vec::with_capacity(sizes.len() + 1);
    let mut at = 0_i64;
    out.push(0);
    for (row, size) in sizes.values().iter().enumerate() {
        if *size < 0 {
            let what = if *size == i32::from_ne_bytes([POISON; 4]) {
                "no size at all".to_owned()
            } else {
                format!("the size {size}")
            };
            return Err(Error::not_proven(format!("the kernel wrote {what} for row {row}"))
                .hint("with out_bytes == nullptr it has to write out_sizes[row] for every row"));
        }
        at += i64::from(*size);
        match i32::try_from(at) {
            Ok(at) => out.push(at),
            Err(_) => {
                return Err(
                    Error::not_proven("the texts of the result are longer than 2 GiB together")
                        .hint("run fewer rows at a time"),
                );
            }
        }
    }
    Ok(OffsetBuffer::new(out.into()))
}

pub(super) fn elements(ty: &DataType, element: CType, values: Buffer, nulls: NullBuffer) -> Result<ArrayRef> {
    fn of<T: ArrowPrimitiveType>(values: Buffer, nulls: NullBuffer) -> ArrayRef {
        let rows = nulls.len();
        Arc::new(PrimitiveArray::<T>::new(
            ScalarBuffer::new(values, 0, rows),
            Some(nulls),
        ))
    }
    Ok(match ty {
        DataType::Boolean => {
            let bits = BooleanBuffer::collect_bool(nulls.len(), |i| values[i] != 0);
            Arc::new(BooleanArray::new(bits, Some(nulls)))
        }
        DataType::Int8 => of::<Int8Type>(values, nulls),
        DataType::Int16 => of::<Int16Type>(values, nulls),
        DataType::Int32 => of::<Int32Type>(values, nulls),
        DataType::Int64 => of::<Int64Type>(values, nulls),
        DataType::Float32 => of::<Float32Type>(values, nulls),
        DataType::Float64 => of::<Float64Type>(values, nulls),
        DataType::Date32 => of::<Date32Type>(values, nulls),
        DataType::Timestamp(_, zone) => {
            let values = ScalarBuffer::new(values, 0, nulls.len());
            let array = PrimitiveArray::<TimestampMicrosecondType>::new(values, Some(nulls));
            Arc::new(array.with_timezone_opt(zone.clone()))
        }
        DataType::Decimal128(precision, scale) => decimals(*precision, *scale, element, values, nulls)?,
        other => return Err(Error::internal(format!("a result of type {other}"))),
    })
}

fn decimals(precision: u8, scale: i8, element: CType, values: Buffer, nulls: NullBuffer) -> Result<ArrayRef> {
    let rows = nulls.len();
    let unscaled: ScalarBuffer<i128> = match element {
        CType::I32 => ScalarBuffer::<i32>::new(values, 0, rows)
            .iter()
            .map(|v| i128::from(*v))
            .collect(),
        CType::I64 => ScalarBuffer::<i64>::new(values, 0, rows)
            .iter()
            .map(|v| i128::from(*v))
            .collect(),
        _ => ScalarBuffer::new(values, 0, rows),
    };
    let failed = |e: &dyn std::fmt::Display| {
        Error::not_proven(format!(
            "the kernel wrote a number that is no decimal({precision},{scale})"
        ))
        .because(e)
    };
    let array = Decimal128Array::new(unscaled, Some(nulls))
        .with_precision_and_scale(precision, scale)
        .map_err(|e| failed(&e))?;
    array.validate_decimal_precision(precision).map_err(|e| failed(&e))?;
    Ok(Arc::new(array))
}

/// Texts or byte strings. A text that is no UTF-8 is shown as well as it can be, and named.
fn texts(
    ty: &DataType,
    offsets: OffsetBuffer<i32>,
    bytes: Buffer,
    nulls: NullBuffer,
) -> Result<(ArrayRef, Vec<Finding>)> {
    // Null rows may have bytes that nobody wrote: they are left out.
    let range = |row: usize| offsets[row] as usize..offsets[row + 1] as usize;
    let plain = (0..nulls.len()).all(|row| nulls.is_valid(row) || range(row).is_empty());
    if *ty == DataType::Binary {
        if plain {
            return Ok((Arc::new(BinaryArray::new(offsets, bytes, Some(nulls))), Vec::new()));
        }
        let mut out = BinaryBuilder::new();
        (0..nulls.len()).for_each(|row| out.append_option(nulls.is_valid(row).then(|| &bytes[range(row)])));
        return Ok((Arc::new(out.finish()), Vec::new()));
    }
    if plain && let Ok(array) = StringArray::try_new(offsets.clone(), bytes.clone(), Some(nulls.clone())) {
        return Ok((Arc::new(array), Vec::new()));
    }
    let (mut out, mut wrong) = (StringBuilder::new(), Vec::new());
    for row in 0..nulls.len() {
        if nulls.is_null(row) {
            out.append_null();
            continue;
        }
        let text = String::from_utf8_lossy(&bytes[range(row)]);
        if matches!(text, std::borrow::Cow::Owned(_)) {
            wrong.push(row);
        }
        out.append_value(text);
    }
    let findings = wrong.first().map(|first| Finding {
        id: "invalid-utf8".into(),
        message: format!(
            "the kernel wrote texts that are no UTF-8 in {} rows, first in row {first}",
            wrong.len()
        ),
        line: None,
    });
    Ok((Arc::new(out.finish()), findings.into_iter().collect()))
}
