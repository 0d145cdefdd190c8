//! Columns and scalars of the emulated library. In: Arrow arrays or kernel results; out: typed slices with one validity mask.
//! Values under nulls are unspecified. Never tracks ownership; [`super::heap`] does.

use std::borrow::Cow;
use std::sync::Arc;

use arrow::buffer::{Buffer, NullBuffer, ScalarBuffer};

use super::dtype::{DType, TypeId};

/// What a column holds. Unsigned integers, Booleans (0 and 1), timestamps, durations and decimals lie in the signed
/// integer of their width.
#[derive(Debug, Clone)]
pub enum Data {
    I8(ScalarBuffer<i8>),
    I16(ScalarBuffer<i16>),
    I32(ScalarBuffer<i32>),
    I64(ScalarBuffer<i64>),
    I128(ScalarBuffer<i128>),
    F32(ScalarBuffer<f32>),
    F64(ScalarBuffer<f64>),
    Str(Strings),
    List(ScalarBuffer<i32>, Arc<Col>),
    Struct(Vec<Arc<Col>>),
}

/// Text of a column: offsets and bytes. Bytes are UTF-8 unless a call made others.
#[derive(Debug, Clone)]
pub struct Strings {
    /// One more than there are rows.
    pub offsets: ScalarBuffer<i32>,
    /// The text of all rows.
    pub bytes: Buffer,
}

impl Strings {
    /// Bytes of one row.
    pub fn bytes(&self, row: usize) -> &[u8] {
        &self.bytes[self.offsets[row] as usize..self.offsets[row + 1] as usize]
    }
}

/// Builds a column of text row by row.
#[derive(Default)]
pub struct StrBuilder {
    offsets: Vec<i32>,
    bytes: Vec<u8>,
    valid: Vec<bool>,
    /// Whether the offsets no longer hold the bytes; these are let go of then.
    too_long: bool,
}

/// The texts of one column take more bytes than its offsets hold.
#[derive(Debug)]
pub struct TooLong;

impl StrBuilder {
    /// An empty builder for about this many rows.
    pub fn with_rows(rows: usize) -> StrBuilder {
        let mut offsets = Vec::with_capacity(rows + 1);
        offsets.push(0);
        StrBuilder {
            offsets,
            bytes: Vec::new(),
            valid: Vec::with_capacity(rows),
            too_long: false,
        }
    }

    /// Appends a row.
    pub fn push(&mut self, text: Option<&[u8]>) {
        self.bytes.extend_from_slice(text.unwrap_or_default());
        self.finish_row(text.is_some());
    }

    /// The bytes being written for the current row; end it with [`StrBuilder::finish_row`].
    pub fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// Ends the current row.
    pub fn finish_row(&mut self, valid: bool) {
        match i32::try_from(self.bytes.len()) {
            Ok(end) => self.offsets.push(end),
            Err(_) => {
                self.too_long = true;
                self.bytes = Vec::new();
            }
        }
        self.valid.push(valid);
    }

    /// The column.
    pub fn finish(self) -> Result<Col, TooLong> {
        if self.too_long {
            return Err(TooLong);
        }
        let nulls = mask(&self.valid);
        Ok(Col {
            dtype: DType::STRING,
            len: self.valid.len(),
            data: Data::Str(Strings {
                offsets: self.offsets.into(),
                bytes: self.bytes.into(),
            }),
            nulls,
        })
    }
}

/// A mask, or `None` when all rows are valid.
pub fn mask(valid: &[bool]) -> Option<NullBuffer> {
    if valid.iter().all(|v| *v) {
        None
    } else {
        Some(NullBuffer::from(valid.to_vec()))
    }
}

/// A column.
#[derive(Debug, Clone)]
pub struct Col {
    /// Its type.
    pub dtype: DType,
    /// Rows.
    pub len: usize,
    /// Values.
    pub data: Data,
    /// `None` when no row is null.
    pub nulls: Option<NullBuffer>,
}

/// One element, as scalars and per-row work see it.
#[derive(Debug, Clone)]
pub enum Elem {
    Int(i64),
    Big(i128),
    F32(f32),
    F64(f64),
    Str(Arc<[u8]>),
    /// A list or struct of this one-row column.
    Nested(Arc<Col>),
}

/// A scalar: a type and, unless it is null, a value.
#[derive(Debug, Clone)]
pub struct ScalarValue {
    /// Its type.
    pub dtype: DType,
    /// `None` for null.
    pub value: Option<Elem>,
}

impl Col {
    /// A column of a fixed-width type over `data`, which must have the storage of that type.
    pub fn new(dtype: DType, data: Data, nulls: Option<NullBuffer>) -> Col {
        let len = match &data {
            Data::I8(v) => v.len(),
            Data::I16(v) => v.len(),
            Data::I32(v) => v.len(),
            Data::I64(v) => v.len(),
            Data::I128(v) => v.len(),
            Data::F32(v) => v.len(),
            Data::F64(v) => v.len(),
            Data::Str(s) => s.offsets.len() - 1,
            Data::List(o, _) => o.len() - 1,
            Data::Struct(c) => c.first().map_or(0, |c| c.len),
        };
        let nulls = nulls.filter(|n| n.null_count() > 0);
        Col {
            dtype,
            len,
            data,
            nulls,
        }
    }

    /// A `BOOL8` column.
    pub fn bools(values: impl IntoIterator<Item = bool>, nulls: Option<NullBuffer>) -> Col {
        let v: Vec<i8> = values.into_iter().map(i8::from).collect();
        Col::new(DType::BOOL, Data::I8(v.into()), nulls)
    }

    /// An `INT32` column.
    pub fn ints(values: Vec<i32>, nulls: Option<NullBuffer>) -> Col {
        Col::new(DType::INT32, Data::I32(values.into()), nulls)
    }

    /// Text rows, of 2 GiB in all at most.
    pub fn strings<'a>(rows: impl IntoIterator<Item = Option<&'a [u8]>>) -> Col {
        let rows = rows.into_iter();
        let mut b = StrBuilder::with_rows(rows.size_hint().0);
        rows.for_each(|r| b.push(r));
        b.finish()
            .expect("callers have the texts in a column or as constants, which are shorter")
    }

    /// Integers, timestamps, durations, Booleans or decimals from 128-bit values; keeps the low bits.
    pub fn from_i128(dtype: DType, values: impl Iterator<Item = i128>, nulls: Option<NullBuffer>) -> Col {
        let data = match dtype.size() {
            1 => Data::I8(values.map(|v| v as i8).collect::<Vec<_>>().into()),
            2 => Data::I16(values.map(|v| v as i16).collect::<Vec<_>>().into()),
            4 => Data::I32(values.map(|v| v as i32).collect::<Vec<_>>().into()),
            16 => Data::I128(values.collect::<Vec<_>>().into()),
            _ => Data::I64(values.map(|v| v as i64).collect::<Vec<_>>().into()),
        };
        Col::new(dtype, data, nulls)
    }

    /// As [`Col::from_i128`], from 64-bit values.
    pub fn from_i64(dtype: DType, values: Vec<i64>, nulls: Option<NullBuffer>) -> Col {
        let data = match dtype.size() {
            1 => Data::I8(values.iter().map(|v| *v as i8).collect::<Vec<_>>().into()),
            2 => Data::I16(values.iter().map(|v| *v as i16).collect::<Vec<_>>().into()),
            4 => Data::I32(values.iter().map(|v| *v as i32).collect::<Vec<_>>().into()),
            16 => Data::I128(values.iter().map(|v| i128::from(*v)).collect::<Vec<_>>().into()),
            _ => Data::I64(values.into()),
        };
        Col::new(dtype, data, nulls)
    }

    /// Whether a row is valid.
    pub fn is_valid(&self, row: usize) -> bool {
        self.nulls.as_ref().is_none_or(|n| n.is_valid(row))
    }

    /// Number of nulls.
    pub fn null_count(&self) -> usize {
        self.nulls.as_ref().map_or(0, |n| n.null_count())
    }

    /// Validity of every row.
    pub fn validity(&self) -> Vec<bool> {
        (0..self.len).map(|i| self.is_valid(i)).collect()
    }

    /// Integer-like storage widened to 64 bits; unsigned types by value. Panics on other storage.
    pub fn to_i64(&self) -> Cow<'_, [i64]> {
        let unsigned = self.dtype.is_unsigned();
        match &self.data {
            Data::I64(v) => Cow::Borrowed(v),
            Data::I8(v) if unsigned => v.iter().map(|x| i64::from(*x as u8)).collect(),
            Data::I16(v) if unsigned => v.iter().map(|x| i64::from(*x as u16)).collect(),
            Data::I32(v) if unsigned => v.iter().map(|x| i64::from(*x as u32)).collect(),
            Data::I8(v) => v.iter().map(|x| i64::from(*x)).collect(),
            Data::I16(v) => v.iter().map(|x| i64::from(*x)).collect(),
            Data::I32(v) => v.iter().map(|x| i64::from(*x)).collect(),
            Data::I128(v) => v.iter().map(|x| *x as i64).collect(),
            _ => panic!("integer storage was checked by the caller"),
        }
    }

    /// Integer-like storage widened to 128 bits.
    pub fn to_i128(&self) -> Cow<'_, [i128]> {
        match &self.data {
            Data::I128(v) => Cow::Borrowed(v),
            Data::I64(v) if self.dtype.id == TypeId::Uint64 => v.iter().map(|x| i128::from(*x as u64)).collect(),
            _ => self.to_i64().iter().map(|x| i128::from(*x)).collect(),
        }
    }

    /// Boolean rows; nulls read false.
    pub fn to_bools(&self) -> Vec<bool> {
        match &self.data {
            Data::I8(v) => (0..self.len).map(|i| v[i] != 0 && self.is_valid(i)).collect(),
            _ => vec![false; self.len],
        }
    }

    /// Bytes of a text row, `None` for null.
    pub fn text(&self, row: usize) -> Option<&[u8]> {
        match &self.data {
            Data::Str(s) if self.is_valid(row) => Some(s.bytes(row)),
            _ => None,
        }
    }

    /// All text rows.
    pub fn texts(&self) -> impl ExactSizeIterator<Item = Option<&[u8]>> {
        (0..self.len).map(|i| self.text(i))
    }

    /// Offsets and child of a list.
    pub fn list(&self) -> Option<(&ScalarBuffer<i32>, &Arc<Col>)> {
        match &self.data {
            Data::List(o, c) => Some((o, c)),
            _ => None,
        }
    }

    /// The element of a row, `None` for null.
    pub fn elem(&self, row: usize) -> Option<Elem> {
        if !self.is_valid(row) {
            return None;
        }
        Some(match &self.data {
            Data::I128(v) => Elem::Big(v[row]),
            Data::F32(v) => Elem::F32(v[row]),
            Data::F64(v) => Elem::F64(v[row]),
            Data::Str(s) => Elem::Str(s.bytes(row).into()),
            Data::List(..) | Data::Struct(_) => Elem::Nested(Arc::new(self.take(&[Some(row)]))),
            Data::I8(v) if self.dtype.id == TypeId::Uint8 => Elem::Int(i64::from(v[row] as u8)),
            Data::I16(v) if self.dtype.id == TypeId::Uint16 => Elem::Int(i64::from(v[row] as u16)),
            Data::I32(v) if self.dtype.id == TypeId::Uint32 => Elem::Int(i64::from(v[row] as u32)),
            Data::I8(v) => Elem::Int(i64::from(v[row])),
            Data::I16(v) => Elem::Int(i64::from(v[row])),
            Data::I32(v) => Elem::Int(i64::from(v[row])),
            Data::I64(v) => Elem::Int(v[row]),
        })
    }

    /// Rows by index; `None` gives null.
    pub fn take(&self, rows: &[Option<usize>]) -> Col {
        let valid: Vec<bool> = rows.iter().map(|r| r.is_some_and(|r| self.is_valid(r))).collect();
        macro_rules! fixed {
            ($v:expr, $wrap:path) => {
                $wrap(
                    rows.iter()
                        .map(|r| r.map(|r| $v[r]).unwrap_or_default())
                        .collect::<Vec<_>>()
                        .into(),
                )
            };
        }
        let data = match &self.data {
            Data::I8(v) => fixed!(v, Data::I8),
            Data::I16(v) => fixed!(v, Data::I16),
            Data::I32(v) => fixed!(v, Data::I32),
            Data::I64(v) => fixed!(v, Data::I64),
            Data::I128(v) => fixed!(v, Data::I128),
            Data::F32(v) => fixed!(v, Data::F32),
            Data::F64(v) => fixed!(v, Data::F64),
            Data::Str(_) => return Col::strings(rows.iter().map(|r| r.and_then(|r| self.text(r)))),
            Data::List(o, child) => {
                let mut offsets = vec![0i32];
                let mut inner = Vec::new();
                for r in rows {
                    if let Some(r) = r.filter(|r| self.is_valid(*r)) {
                        inner.extend((o[r]..o[r + 1]).map(|i| Some(i as usize)));
                    }
                    offsets.push(inner.len() as i32);
                }
                Data::List(offsets.into(), Arc::new(child.take(&inner)))
            }
            Data::Struct(fields) => Data::Struct(fields.iter().map(|f| Arc::new(f.take(rows))).collect()),
        };
        Col {
            dtype: self.dtype,
            len: rows.len(),
            data,
            nulls: mask(&valid),
        }
    }

    /// The same values under another mask.
    pub fn with_nulls(&self, nulls: Option<NullBuffer>) -> Col {
        Col {
            nulls: nulls.filter(|n| n.null_count() > 0),
            ..self.clone()
        }
    }

    /// Columns of one type, one after the other.
    pub fn concat(parts: &[&Col]) -> Option<Col> {
        let first = parts.first()?;
        if parts.iter().any(|p| p.dtype != first.dtype) {
            return None;
        }
        let nulls = parts
            .iter()
            .any(|p| p.nulls.is_some())
            .then(|| NullBuffer::from(parts.iter().flat_map(|p| p.validity()).collect::<Vec<_>>()));
        macro_rules! fixed {
            ($variant:path) => {{
                let mut all = Vec::new();
                for p in parts {
                    match &p.data {
                        $variant(v) => all.extend_from_slice(v),
                        _ => return None,
                    }
                }
                $variant(all.into())
            }};
        }
        let data = match &first.data {
            Data::I8(_) => fixed!(Data::I8),
            Data::I16(_) => fixed!(Data::I16),
            Data::I32(_) => fixed!(Data::I32),
            Data::I64(_) => fixed!(Data::I64),
            Data::I128(_) => fixed!(Data::I128),
            Data::F32(_) => fixed!(Data::F32),
            Data::F64(_) => fixed!(Data::F64),
            Data::Str(_) => return Some(Col::strings(parts.iter().flat_map(|p| p.texts()).collect::<Vec<_>>())),
            Data::List(..) => {
                let mut offsets = vec![0i32];
                let mut children = Vec::new();
                for p in parts {
                    let (o, c) = p.list()?;
                    let base = offsets.last().copied().unwrap_or(0);
                    offsets.extend(o.iter().skip(1).map(|x| base + x - o[0]));
                    children.push(c.slice(o[0] as usize, (o[o.len() - 1] - o[0]) as usize));
                }
                let refs: Vec<&Col> = children.iter().collect();
                Data::List(offsets.into(), Arc::new(Col::concat(&refs)?))
            }
            Data::Struct(fields) => {
                let mut out = Vec::new();
                for i in 0..fields.len() {
                    let mut field = Vec::new();
                    for p in parts {
                        match &p.data {
                            Data::Struct(f) => field.push(f.get(i)?.as_ref()),
                            _ => return None,
                        }
                    }
                    out.push(Arc::new(Col::concat(&field)?));
                }
                Data::Struct(out)
            }
        };
        let len = parts.iter().map(|p| p.len).sum();
        Some(Col {
            dtype: first.dtype,
            len,
            data,
            nulls,
        })
    }

    /// `len` rows from `start` on.
    pub fn slice(&self, start: usize, len: usize) -> Col {
        if start == 0 && len == self.len {
            return self.clone();
        }
        self.take(&(start..start + len).map(Some).collect::<Vec<_>>())
    }

    /// `rows` copies of a scalar; `None` for types that need more than their name to build.
    pub fn from_scalar(s: &ScalarValue, rows: usize) -> Option<Col> {
        let nulls = s.value.is_none().then(|| NullBuffer::new_null(rows));
        let dtype = s.dtype;
        Some(match (&s.value, dtype.id) {
            (Some(Elem::Str(t)), _) => Col::strings(std::iter::repeat_n(Some(&t[..]), rows)),
            (None, TypeId::String) => Col::strings(std::iter::repeat_n(None, rows)),
            (Some(Elem::Nested(c)), _) => c.take(&vec![Some(0); rows]),
            (None, TypeId::List | TypeId::Struct | TypeId::Empty) => return None,
            (v, TypeId::Float64) => {
                let x = if let Some(Elem::F64(x)) = v { *x } else { 0.0 };
                Col::new(dtype, Data::F64(vec![x; rows].into()), nulls)
            }
            (v, TypeId::Float32) => {
                let x = if let Some(Elem::F32(x)) = v { *x } else { 0.0 };
                Col::new(dtype, Data::F32(vec![x; rows].into()), nulls)
            }
            (v, _) => {
                let x = match v {
                    Some(Elem::Int(x)) => i128::from(*x),
                    Some(Elem::Big(x)) => *x,
                    _ => 0,
                };
                Col::from_i128(dtype, std::iter::repeat_n(x, rows), nulls)
            }
        })
    }
}
