//! Types and numbers in the text of kernels. In: the library's types and values; out: C++.

use arrow::array::RecordBatch;

use super::super::column::{Elem, ScalarValue};
use super::super::dtype::{DType, TypeId};
use crate::error::{Error, Result};

/// The type of an element in memory.
pub(super) fn c_type(t: DType) -> Result<&'static str, String> {
    use TypeId::*;
    Ok(match t.id {
        Int8 => "int8_t",
        Uint8 | Bool8 => "uint8_t",
        Int16 => "int16_t",
        Uint16 => "uint16_t",
        Int32 | TimestampDays | DurationDays | Decimal32 => "int32_t",
        Uint32 => "uint32_t",
        Uint64 => "uint64_t",
        Float32 => "float",
        Float64 => "double",
        Decimal128 => "__int128",
        String | List | Struct | Empty => return Err(format!("columns of {t} are not covered")),
        _ => "int64_t",
    })
}

/// The type of the same width without a sign.
pub(super) fn unsigned(t: DType) -> &'static str {
    match t.size() {
        1 => "uint8_t",
        2 => "uint16_t",
        4 => "uint32_t",
        _ => "uint64_t",
    }
}

/// A scalar as an expression of its column's type; of a null one there is no value.
pub(super) fn scalar(s: &ScalarValue) -> Result<String, String> {
    let ty = c_type(s.dtype)?;
    Ok(match &s.value {
        None => format!("rw::none<{ty}>()"),
        Some(Elem::F64(x)) => format!("rw::some<double>({})", double(*x)),
        Some(Elem::F32(x)) => format!("rw::some<float>(__uint_as_float(0x{:x}u))", x.to_bits()),
        Some(Elem::Int(x)) => format!("rw::some<{ty}>(static_cast<{ty}>({}))", long(*x)),
        Some(Elem::Big(x)) => format!("rw::some<{ty}>(static_cast<{ty}>({}))", wide(*x)),
        Some(_) => return Err(format!("a scalar of {} is not covered", s.dtype)),
    })
}

/// A double by its bits.
pub(super) fn double(x: f64) -> String {
    format!("__longlong_as_double(static_cast<long long>(0x{:x}ull))", x.to_bits())
}

/// A number of 64 bits; the lowest has no literal.
pub(super) fn long(x: i64) -> String {
    match x {
        i64::MIN => "(-9223372036854775807ll - 1)".into(),
        x => format!("{x}ll"),
    }
}

/// A number of 128 bits.
pub(super) fn wide(x: i128) -> String {
    match i64::try_from(x) {
        Ok(x) => format!("static_cast<__int128>({})", long(x)),
        Err(_) => {
            let (high, low) = ((x >> 64) as u64, x as u64);
            format!("static_cast<__int128>((static_cast<unsigned __int128>({high}ull) << 64) | {low}ull)")
        }
    }
}

/// A kernel's declaration over columns and a result, which says how they are laid out. Nobody runs it.
pub(super) fn declaration(inputs: &RecordBatch, out: DType) -> Result<String> {
    let refused = |why: String| Error::not_proven(why);
    let mut params = String::new();
    for (i, field) in inputs.schema_ref().fields().iter().enumerate() {
        let dtype = DType::of_arrow(field.data_type());
        let dtype = dtype.ok_or_else(|| refused(format!("a column of {} does not reach cuDF", field.data_type())))?;
        let ty = c_type(dtype).map_err(refused)?;
        params.push_str(&format!("const {ty}* a{i}, const uint32_t* a{i}_valid, "));
    }
    let ty = c_type(out).map_err(refused)?;
    Ok(format!(
        "extern \"C\" __global__ void rw_chain({params}{ty}* out, uint32_t* out_valid, int32_t* error, int64_t rows) {{}}\n"
    ))
}
