//! Operators on decimals as statements of a kernel. In: an operator and types; out: C++ over unscaled numbers of 128 bits that wrap at the
//! width of their type. Follows what [`super::super::ops::decimal`] says of the library.

use super::super::dtype::{DType, TypeId};
use super::super::ops::binary::is_comparison_name;
use super::super::ops::decimal::{pow10, wrap};
use super::binary::{BOTH, Text, compared};
use super::types::{c_type, wide};

/// Digits beyond which nothing of a number is left.
const DIGITS: u32 = 38;

/// The statements of a binary operator on two decimals of one width.
pub(super) fn binary(op: &str, a: DType, b: DType, out: DType) -> Text {
    if a.id != b.id {
        return Err(format!("{op} of {a} and {b} is not covered"));
    }
    let scale = a.scale.min(b.scale);
    let side = |i: usize, t: DType| {
        let x = format!("static_cast<__int128>(x{i}.value)");
        match op {
            "MUL" | "DIV" => x,
            _ => rescaled(&x, t.scale, scale, a),
        }
    };
    let sides = format!(
        "const __int128 p = {};\n    const __int128 q = {};\n    ",
        side(0, a),
        side(1, b)
    );
    if is_comparison_name(op) {
        return Ok(sides + &compared(op));
    }
    let ty = c_type(a)?;
    let divided =
        |name: &str| format!("static_cast<__int128>(rw::cudf::{name}(static_cast<{ty}>(p), static_cast<{ty}>(q)))");
    let (value, from) = match op {
        "ADD" => (format!("rw::cudf::add_wide<{ty}>(p, q)"), scale),
        "SUB" => (format!("rw::cudf::sub_wide<{ty}>(p, q)"), scale),
        "MUL" => (format!("rw::cudf::mul_wide<{ty}>(p, q)"), a.scale + b.scale),
        "DIV" => (divided("div"), a.scale - b.scale),
        "MOD" => (divided("mod"), scale),
        _ => return Err(format!("{op} of {a} and {b} is not covered")),
    };
    let to = match out.is_decimal() {
        true if out.id == a.id => out.scale,
        false if out.is_integer() => 0,
        _ => return Err(format!("{op} of {a} and {b} to {out} is not covered")),
    };
    let (kept, out_ty) = (rescaled("r", from, to, a), c_type(out)?);
    Ok(format!(
        "{sides}const __int128 r = {value};\n    valid = {BOTH};\n    out[row] = static_cast<{out_ty}>({kept});"
    ))
}

/// `castTo` where one of the types is a decimal.
pub(super) fn converted(from: DType, to: DType) -> Text {
    let (a, b, width) = match (from.is_decimal(), to.is_decimal()) {
        // The arithmetic runs in the wider of the two types.
        (true, true) => (from.scale, to.scale, if from.id > to.id { from } else { to }),
        (true, false) if to.is_integer() => (from.scale, 0, from),
        (false, true) if from.is_integer() && from.id != TypeId::Uint64 || from.id == TypeId::Bool8 => {
            (0, to.scale, to)
        }
        _ => return Err(format!("a conversion from {from} to {to} is not covered")),
    };
    let ty = c_type(to)?;
    let moved = rescaled("static_cast<__int128>(x0.value)", a, b, width);
    Ok(format!("static_cast<{ty}>({moved})"))
}

/// A number moved from one exponent of ten to another: multiplied, wrapping, or divided, truncating.
fn rescaled(x: &str, from: i32, to: i32, t: DType) -> String {
    let by = from.abs_diff(to);
    match from.cmp(&to) {
        std::cmp::Ordering::Equal => x.to_owned(),
        std::cmp::Ordering::Greater => {
            let ty = c_type(t).unwrap_or("__int128");
            format!("rw::cudf::mul_wide<{ty}>({x}, {})", wide(wrap(pow10(by), t)))
        }
        std::cmp::Ordering::Less if by > DIGITS => "static_cast<__int128>(0)".into(),
        std::cmp::Ordering::Less => format!("({x} / {})", wide(pow10(by))),
    }
}
