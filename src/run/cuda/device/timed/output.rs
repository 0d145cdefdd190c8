//! The result of the kernel that is timed: its memory, poisoned before every sample, the launches that fill it, and reading back
//! what the last sample left. In: a plan and arguments; out: outcomes of the tile, and whether all repetitions came out alike.

use arrow::array::Int32Array;
use arrow::buffer::{Buffer, MutableBuffer};

use super::super::super::machine::{Codes, POISON, Ran, int32s, offsets};
use super::super::super::plan::ResultPlan;
use super::super::DeviceMachine;
use super::super::machine::Block;
use super::Request;
use super::fixed::{Fixed, Sums};
use super::tiles::Inputs;
use crate::error::{Error, Result};

/// Memory of the result.
pub(super) struct Output {
    rows: usize,
    arguments: Vec<u64>,
    column: Column,
    valid: Block,
    error: Block,
}

enum Column {
    Elements {
        out: Block,
        width: usize,
    },
    Texts {
        sizes: Block,
        offsets: Block,
        bytes: Block,
        sums: Sums,
    },
}

/// How repetitions of the tile came out.
pub(super) struct Repeats {
    pub rows: u64,
    pub trouble: Option<String>,
}

impl Output {
    /// Memory for a result of so many rows, the first of the arguments'. Of texts it is told by a first launch how much that is.
    pub fn new(
        machine: &mut DeviceMachine,
        fixed: &Fixed,
        request: &Request,
        rows: usize,
        inputs: &Inputs,
    ) -> Result<Output> {
        let arguments = inputs
            .blocks
            .iter()
            .map(|b| b.as_ref().map_or(0, |b| b.address))
            .collect();
        let valid = machine.block(rows.div_ceil(32) * 4)?;
        let error = machine.block(rows * 4)?;
        let column = match &request.plan.result {
            ResultPlan::Fixed(_, element) => Column::Elements {
                out: machine.block(rows * element.width())?,
                width: element.width(),
            },
            ResultPlan::Bytes(_) => Column::Texts {
                sizes: machine.block(rows * 4)?,
                offsets: machine.block((rows + 1) * 4)?,
                bytes: machine.block(1)?,
                sums: Sums::new(rows + 1, |size| machine.block(size))?,
            },
        };
        let mut out = Output {
            rows,
            arguments,
            column,
            valid,
            error,
        };
        out.make_room(machine, fixed, request)?;
        Ok(out)
    }

    /// Memory for the bytes of texts, once their sizes are known.
    fn make_room(&mut self, machine: &mut DeviceMachine, fixed: &Fixed, request: &Request) -> Result<()> {
        self.poison(machine)?;
        let Column::Texts { sizes, .. } = &self.column else {
            return Ok(());
        };
        let mut values = self.values([sizes.address, 0, 0]);
        machine.start(&mut values, self.rows)?;
        let once = offsets(&self.tile_sizes(machine, request)?)?;
        let count = once.len() - 1;
        let total = (self.rows / count) as i64 * i64::from(once[count]) + i64::from(once[self.rows % count]);
        if i32::try_from(total).is_err() {
            return Err(
                Error::not_proven("the result of so many rows has more than 2 GiB of text")
                    .hint("run it with fewer rows"),
            );
        }
        let room = machine.block(total as usize)?;
        if let Column::Texts { bytes, .. } = &mut self.column {
            *bytes = room;
        }
        // Offsets that were not made for these sizes must not be followed by a launch.
        self.start(machine, fixed)
    }

    fn tile_sizes(&self, machine: &mut DeviceMachine, request: &Request) -> Result<Int32Array> {
        let Column::Texts { sizes, .. } = &self.column else {
            return Err(Error::internal("sizes of a result without texts"));
        };
        let once = request.tile.num_rows().min(self.rows);
        Ok(int32s(part(machine, sizes, 0, once * 4)?, once))
    }

    /// All arguments with these for the result's column.
    fn values<const N: usize>(&self, column: [u64; N]) -> Vec<u64> {
        let mut values = self.arguments.clone();
        values.extend(column);
        values.extend([self.valid.address, self.error.address, self.rows as u64]);
        values
    }

    /// Bytes of the column that the kernel writes: values, offsets, validity.
    pub fn bytes(&self) -> u64 {
        let column = match &self.column {
            Column::Elements { out, .. } => out.size,
            Column::Texts { offsets, bytes, .. } => offsets.size + bytes.size,
        };
        (column + self.valid.size) as u64
    }

    /// Launches of one evaluation.
    pub fn launches(&self) -> u32 {
        match &self.column {
            Column::Elements { .. } => 1,
            Column::Texts { sums, .. } => 2 + sums.launches(),
        }
    }

    /// Starts making everything such that what is not written cannot look right.
    pub fn poison(&self, machine: &mut DeviceMachine) -> Result<()> {
        machine.fill(&self.valid, POISON)?;
        machine.fill(&self.error, 0)?;
        match &self.column {
            Column::Elements { out, .. } => machine.fill(out, POISON),
            Column::Texts { sizes, bytes, .. } => {
                machine.fill(sizes, POISON)?;
                machine.fill(bytes, POISON)
            }
        }
    }

    /// Starts one evaluation.
    pub fn start(&self, machine: &mut DeviceMachine, fixed: &Fixed) -> Result<()> {
        match &self.column {
            Column::Elements { out, .. } => machine.start(&mut self.values([out.address]), self.rows),
            Column::Texts {
                sizes,
                offsets,
                bytes,
                sums,
            } => {
                machine.start(&mut self.values([sizes.address, 0, 0]), self.rows)?;
                fixed.offsets(sizes, offsets, sums)?;
                let mut values = self.values([sizes.address, offsets.address, bytes.address]);
                machine.start(&mut values, self.rows)
            }
        }
    }

    /// The outcomes of the tile, as the last launch left them.
    pub fn ran(&self, machine: &mut DeviceMachine, request: &Request) -> Result<Ran> {
        let once = request.tile.num_rows().min(self.rows);
        let valid = part(machine, &self.valid, 0, once.div_ceil(32) * 4)?;
        let codes = Codes::of(int32s(part(machine, &self.error, 0, once * 4)?, once));
        match (&self.column, &request.plan.result) {
            (Column::Elements { out, width }, ResultPlan::Fixed(ty, element)) => {
                let values = part(machine, out, 0, once * width)?;
                Ran::of_elements(ty, *element, values, &valid, codes)
            }
            (Column::Texts { bytes, .. }, ResultPlan::Bytes(ty)) => {
                let places = offsets(&self.tile_sizes(machine, request)?)?;
                let total = places[once] as usize;
                let bytes = part(machine, bytes, 0, total)?;
                Ran::of_bytes(ty, places, bytes, &valid, codes)
            }
            _ => Err(Error::internal("a result that is not of its plan")),
        }
    }

    /// Compares every repetition of the tile with the tile, byte by byte.
    pub fn check(&self, machine: &mut DeviceMachine, request: &Request) -> Result<Repeats> {
        let once = request.tile.num_rows();
        let rows = self.rows.saturating_sub(once);
        let mut trouble = None;
        if rows > 0 {
            let last = |per: usize| self.rows * per;
            let mut same = |machine: &mut DeviceMachine, block: &Block, period: usize, length: usize| {
                let found = first_difference(machine, block, period, length)?;
                let row = found.map(|at| at / period * once + at % period * once / period);
                if let Some(row) = row
                    && trouble.is_none()
                {
                    trouble = Some(format!(
                        "rows near {row} repeat rows near {} and came out otherwise",
                        row % once
                    ));
                }
                Ok::<(), Error>(())
            };
            // Whole words only: bits behind the last row are not the kernel's.
            same(machine, &self.valid, once / 8, self.rows / 32 * 4)?;
            same(machine, &self.error, once * 4, last(4))?;
            match &self.column {
                Column::Elements { out, width } => same(machine, out, once * width, last(*width))?,
                Column::Texts { sizes, bytes, .. } => {
                    same(machine, sizes, once * 4, last(4))?;
                    let total = offsets(&self.tile_sizes(machine, request)?)?[once] as usize;
                    if total > 0 {
                        same(machine, bytes, total, bytes.size)?;
                    }
                }
            }
        }
        Ok(Repeats {
            rows: rows as u64,
            trouble,
        })
    }
}

/// The first byte that differs from the one a period before.
fn first_difference(machine: &mut DeviceMachine, block: &Block, period: usize, length: usize) -> Result<Option<usize>> {
    let mut first = vec![0; period.min(length)];
    machine.read_part(block, 0, &mut first)?;
    let mut next = vec![0; first.len()];
    let mut at = first.len();
    while at < length {
        let size = first.len().min(length - at);
        machine.read_part(block, at, &mut next[..size])?;
        if next[..size] != first[..size] {
            let inside = next.iter().zip(&first).position(|(a, b)| a != b).unwrap_or(0);
            return Ok(Some(at + inside));
        }
        at += size;
    }
    Ok(None)
}

/// Bytes of a block, aligned for every element.
pub(super) fn part(machine: &mut DeviceMachine, block: &Block, from: usize, size: usize) -> Result<Buffer> {
    let mut bytes = MutableBuffer::from_len_zeroed(size);
    machine.read_part(block, from, bytes.as_slice_mut())?;
    Ok(bytes.into())
}
