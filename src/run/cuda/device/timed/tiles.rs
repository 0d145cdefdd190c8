//! Columns on the device that repeat the rows of a batch, so that only the batch travels. In: a batch and a number of rows; out:
//! blocks of memory in the order of the kernel's parameters.

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::DataType;
use cudarc::driver::result;

use super::super::super::machine::Machine;
use super::super::super::pack::pack;
use super::super::DeviceMachine;
use super::super::machine::Block;
use super::Request;
use crate::error::{Error, Result};

/// Arguments on the device; `None` stands for no memory.
pub(super) struct Inputs {
    pub blocks: Vec<Option<Block>>,
}

impl Inputs {
    /// Bytes of all columns.
    pub fn bytes(&self) -> u64 {
        self.blocks.iter().flatten().map(|b| b.size as u64).sum()
    }
}

/// What a buffer of a column holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// So many bytes per row.
    Rows,
    /// A bit per row.
    Bits,
    /// Where each row begins in the bytes that follow.
    Offsets,
    /// Bytes of rows.
    Bytes,
}

/// Uploads the tile's columns and repeats them.
pub(super) fn upload(machine: &mut DeviceMachine, request: &Request) -> Result<Inputs> {
    let (tile, rows) = (&request.tile, request.rows);
    let once = tile.num_rows();
    let packed = pack(tile.columns(), &request.plan.inputs)?;
    if rows == once {
        let blocks = packed
            .into_iter()
            .map(|b| b.map(|b| machine.input(b.as_slice())).transpose())
            .collect::<Result<_>>()?;
        return Ok(Inputs { blocks });
    }
    let kinds = kinds(tile)?;
    let mut blocks = Vec::with_capacity(kinds.len());
    // The length of a text column's bytes follows from its offsets, which stand before them.
    let mut text_bytes = 0;
    for (kind, buffer) in kinds.into_iter().zip(packed) {
        let Some(buffer) = buffer else {
            blocks.push(None);
            continue;
        };
        let bytes = buffer.as_slice();
        let block = match kind {
            Kind::Rows => repeat(machine, bytes, rows * (bytes.len() / once))?,
            Kind::Bits => repeat(machine, bytes, rows.div_ceil(32) * 4)?,
            Kind::Offsets => {
                let offsets = offsets(&buffer.typed_data::<i32>()[..=once], rows)?;
                text_bytes = offsets[rows] as usize;
                machine.input(arrow::buffer::Buffer::from_vec(offsets).as_slice())?
            }
            Kind::Bytes => repeat(machine, bytes, text_bytes)?,
        };
        blocks.push(Some(block));
    }
    Ok(Inputs { blocks })
}

fn kinds(tile: &RecordBatch) -> Result<Vec<Kind>> {
    fn of(column: &dyn Array, out: &mut Vec<Kind>) -> Result<()> {
        match column.data_type() {
            DataType::Utf8 | DataType::Binary => out.extend([Kind::Offsets, Kind::Bytes]),
            DataType::Struct(_) => {
                for part in column.as_struct().columns() {
                    of(part, out)?;
                }
            }
            DataType::List(_) | DataType::Map(..) => {
                return Err(
                    Error::not_proven("columns of lists and maps are timed as they are made, not repeated")
                        .hint("run it with fewer rows: --rows 1000000"),
                );
            }
            _ => out.push(Kind::Rows),
        }
        out.push(Kind::Bits);
        Ok(())
    }
    if !tile.num_rows().is_multiple_of(32) {
        return Err(Error::internal("a tile whose validity does not end with a word"));
    }
    let mut out = Vec::new();
    tile.columns().iter().try_for_each(|c| of(c, &mut out))?;
    Ok(out)
}

/// Where rows begin that repeat others.
fn offsets(once: &[i32], rows: usize) -> Result<Vec<i32>> {
    let (count, length) = (once.len() - 1, i64::from(once[once.len() - 1]));
    (0..=rows)
        .map(|row| {
            let at = (row / count) as i64 * length + i64::from(once[row % count]);
            i32::try_from(at).map_err(|_| {
                Error::not_proven("a column of so many rows has more than 2 GiB of text").hint("run it with fewer rows")
            })
        })
        .collect()
}

/// A block of a size that repeats bytes.
pub(super) fn repeat(machine: &mut DeviceMachine, bytes: &[u8], size: usize) -> Result<Block> {
    let block = machine.block(size)?;
    let mut filled = bytes.len().min(size);
    if filled == 0 {
        return Ok(block);
    }
    // SAFETY: no more bytes than the block has.
    let done = unsafe { result::memcpy_htod_sync(block.address, &bytes[..filled]) };
    machine.checked("the columns cannot be copied to the device", done)?;
    while filled < size {
        let next = filled.min(size - filled);
        // SAFETY: the copy ends inside of the block, and its source ends where it begins.
        let done = unsafe {
            result::memcpy_dtod_async(block.address + filled as u64, block.address, next, std::ptr::null_mut())
        };
        machine.checked("columns cannot be repeated on the device", done)?;
        filled += next;
    }
    Ok(block)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_go_on_where_the_rows_before_end() {
        assert_eq!(offsets(&[0, 3, 5], 5).unwrap(), [0, 3, 5, 8, 10, 13]);
        assert!(offsets(&[0, 1 << 30], 3).unwrap_err().to_string().contains("2 GiB"));
    }
}
