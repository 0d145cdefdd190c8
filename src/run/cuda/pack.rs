//! Columns as flat buffers. In: Arrow arrays and the element types that a kernel declares; out: bytes in the order of the
//! parameters. Slices are made to begin at zero. Never copies what can be handed over as it is.

use arrow::array::{Array, ArrayRef, AsArray, OffsetSizeTrait};
use arrow::buffer::{Buffer, NullBuffer, OffsetBuffer};
use arrow::datatypes::{
    DataType, Date32Type, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimestampMicrosecondType,
};

use super::params::CType;
use crate::error::{Error, Result};

/// The buffers of columns; `None` stands for the null pointer of a column without nulls.
pub(super) fn pack(columns: &[ArrayRef], types: &[CType]) -> Result<Vec<Option<Buffer>>> {
    let mut packer = Packer {
        types: types.iter().copied(),
        out: Vec::with_capacity(types.len()),
    };
    columns.iter().try_for_each(|c| packer.column(c))?;
    Ok(packer.out)
}

struct Packer<I> {
    types: I,
    out: Vec<Option<Buffer>>,
}

impl<I: Iterator<Item = CType>> Packer<I> {
    fn push(&mut self, buffer: Buffer) -> Result<CType> {
        self.out.push(Some(buffer));
        self.types
            .next()
            .ok_or_else(|| Error::internal("more buffers than the kernel has parameters"))
    }

    fn column(&mut self, array: &ArrayRef) -> Result<()> {
        match array.data_type() {
            DataType::Utf8 => {
                let a = array.as_string::<i32>();
                self.bytes(a.offsets(), a.values())?;
            }
            DataType::Binary => {
                let a = array.as_binary::<i32>();
                self.bytes(a.offsets(), a.values())?;
            }
            DataType::List(_) => {
                let a = array.as_list::<i32>();
                let (offsets, from, size) = rebased(a.offsets());
                self.push(offsets)?;
                self.column(&a.values().slice(from, size))?;
            }
            DataType::Map(..) => {
                let a = array.as_map();
                let (offsets, from, size) = rebased(a.offsets());
                self.push(offsets)?;
                self.column(&a.keys().slice(from, size))?;
                self.column(&a.values().slice(from, size))?;
            }
            DataType::Struct(_) => {
                let columns = array.as_struct().columns().to_vec();
                columns.iter().try_for_each(|c| self.column(c))?;
            }
            _ => self.elements(array)?,
        }
        self.out.push(array.nulls().filter(|n| n.null_count() > 0).map(bits));
        self.types
            .next()
            .map(drop)
            .ok_or_else(|| Error::internal("more buffers than the kernel has parameters"))
    }

    fn bytes(&mut self, offsets: &OffsetBuffer<i32>, values: &Buffer) -> Result<()> {
        let (offsets, from, size) = rebased(offsets);
        self.push(offsets)?;
        self.push(values.slice_with_length(from, size)).map(drop)
    }

    fn elements(&mut self, array: &ArrayRef) -> Result<()> {
        let buffer = match array.data_type() {
            DataType::Boolean => {
                let values = array.as_boolean().values();
                values.iter().map(u8::from).collect::<Vec<u8>>().into()
            }
            DataType::Int8 => array.as_primitive::<Int8Type>().values().inner().clone(),
            DataType::Int16 => array.as_primitive::<Int16Type>().values().inner().clone(),
            DataType::Int32 => array.as_primitive::<Int32Type>().values().inner().clone(),
            DataType::Int64 => array.as_primitive::<Int64Type>().values().inner().clone(),
            DataType::Float32 => array.as_primitive::<Float32Type>().values().inner().clone(),
            DataType::Float64 => array.as_primitive::<Float64Type>().values().inner().clone(),
            DataType::Date32 => array.as_primitive::<Date32Type>().values().inner().clone(),
            DataType::Timestamp(..) => array
                .as_primitive::<TimestampMicrosecondType>()
                .values()
                .inner()
                .clone(),
            DataType::Decimal128(..) => return self.decimals(array),
            other => return Err(Error::internal(format!("a column of {other} for a kernel"))),
        };
        self.push(buffer).map(drop)
    }

    /// Unscaled values, in the width that the kernel declares.
    fn decimals(&mut self, array: &ArrayRef) -> Result<()> {
        let values = array.as_primitive::<Decimal128Type>();
        let whole = values.values().inner().clone();
        let declared = self.push(whole)?;
        // What stands under a null may be anything; the plan has checked that the width holds the precision.
        let narrow: Buffer = match declared {
            CType::I32 => values.values().iter().map(|v| *v as i32).collect::<Vec<i32>>().into(),
            CType::I64 => values.values().iter().map(|v| *v as i64).collect::<Vec<i64>>().into(),
            _ => return Ok(()),
        };
        if let Some(last) = self.out.last_mut() {
            *last = Some(narrow);
        }
        Ok(())
    }
}

/// Offsets that begin at zero, with the place and the number of what they point to.
fn rebased<O: OffsetSizeTrait>(offsets: &OffsetBuffer<O>) -> (Buffer, usize, usize) {
    let (first, last) = (offsets[0], offsets[offsets.len() - 1]);
    let (from, to) = (first.as_usize(), last.as_usize());
    let buffer = if from == 0 {
        offsets.inner().inner().clone()
    } else {
        offsets.iter().map(|o| *o - first).collect::<Vec<O>>().into()
    };
    (buffer, from, to - from)
}

/// Validity bits from bit zero on, in whole words.
fn bits(nulls: &NullBuffer) -> Buffer {
    let mut bytes = nulls.inner().sliced().to_vec();
    bytes.truncate(nulls.len().div_ceil(8));
    bytes.resize(nulls.len().div_ceil(32) * 4, 0);
    bytes.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{BooleanArray, Decimal128Array, ListArray, StringArray};
    use std::sync::Arc;

    fn bytes(buffer: &Option<Buffer>) -> &[u8] {
        buffer.as_ref().unwrap().as_slice()
    }

    #[test]
    fn slices_begin_at_zero() {
        let texts: ArrayRef = Arc::new(StringArray::from(vec![Some("one"), Some("two"), None, Some("three")]));
        let packed = pack(&[texts.slice(1, 3)], &[CType::I32, CType::U8, CType::U32]).unwrap();
        assert_eq!(bytes(&packed[1]), b"twothree");
        let offsets: Vec<i32> = packed[0].as_ref().unwrap().typed_data::<i32>().to_vec();
        assert_eq!(offsets, [0, 3, 3, 8]);
        assert_eq!(bytes(&packed[2]), [0b101, 0, 0, 0]);
    }

    #[test]
    fn booleans_are_bytes_and_decimals_as_wide_as_declared() {
        let flags: ArrayRef = Arc::new(BooleanArray::from(vec![true, false, true]));
        let money = Decimal128Array::from(vec![-5, 1_000_000_000_000])
            .with_precision_and_scale(18, 2)
            .unwrap();
        let money: ArrayRef = Arc::new(money);
        let types = [CType::U8, CType::U32, CType::I64, CType::U32];
        let packed = pack(&[flags.slice(1, 2), money], &types).unwrap();
        assert_eq!(bytes(&packed[0]), [0, 1]);
        assert!(packed[1].is_none() && packed[3].is_none());
        assert_eq!(packed[2].as_ref().unwrap().typed_data::<i64>(), [-5, 1_000_000_000_000]);
    }

    #[test]
    fn a_list_is_offsets_items_and_two_masks() {
        let list = ListArray::from_iter_primitive::<Int32Type, _, _>(vec![
            Some(vec![Some(7)]),
            Some(vec![Some(1), None]),
            None,
        ]);
        let list: ArrayRef = Arc::new(list);
        let types = [CType::I32, CType::I32, CType::U32, CType::U32];
        let packed = pack(&[list.slice(1, 2)], &types).unwrap();
        assert_eq!(packed[0].as_ref().unwrap().typed_data::<i32>(), [0, 2, 2]);
        assert_eq!(packed[1].as_ref().unwrap().typed_data::<i32>()[0], 1);
        assert_eq!((bytes(&packed[2])[0], bytes(&packed[3])[0]), (0b01, 0b01));
    }
}
