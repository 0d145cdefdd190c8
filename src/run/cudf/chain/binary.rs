//! Binary operators as statements of a kernel. In: an operator and the types of both sides and of the result; out: C++ that sets
//! `valid` and `out[row]` from `x0` and `x1`. Follows what [`super::super::ops::binary`] says of the library.

use super::super::dtype::{DType, TypeId};
use super::super::ops::binary::is_comparison_name;
use super::types::{c_type, unsigned};

/// C++, or why there is none.
pub(super) type Text = Result<String, String>;

/// Both sides are there.
pub(super) const BOTH: &str = "x0.valid && x1.valid";

/// The statements.
pub(super) fn binary(op: &str, a: DType, b: DType, out: DType) -> Text {
    if a.is_decimal() && b.is_decimal() {
        return super::decimal::binary(op, a, b, out);
    }
    if a.is_decimal() || b.is_decimal() || out.is_decimal() {
        return Err(format!("{op} of {a} and {b} is not covered"));
    }
    if matches!(op, "NULL_LOGICAL_AND" | "NULL_LOGICAL_OR") {
        return logic3(op, out);
    }
    let common = match a.unit_nanos().is_some() || b.unit_nanos().is_some() {
        true => DType::INT64,
        false => common(op, a, b, out),
    };
    let ty = c_type(common)?;
    let sides =
        format!("const {ty} p = static_cast<{ty}>(x0.value);\n    const {ty} q = static_cast<{ty}>(x1.value);\n    ");
    if is_comparison_name(op) {
        return Ok(sides + &compared(op));
    }
    if let "NULL_MAX" | "NULL_MIN" = op {
        let sign = if op == "NULL_MAX" { '>' } else { '<' };
        let picked = format!("const {ty} r = !x1.valid ? p : !x0.valid ? q : p {sign} q ? p : q;\n    ");
        let kept = cast("r", common, out)?;
        return Ok(format!(
            "{sides}{picked}valid = x0.valid || x1.valid;\n    out[row] = {kept};"
        ));
    }
    let (value, from) = match op {
        "LOGICAL_AND" => ("p != 0 && q != 0".to_owned(), DType::BOOL),
        "LOGICAL_OR" => ("p != 0 || q != 0".to_owned(), DType::BOOL),
        _ => (arithmetic(op, a, b, common, out)?, common),
    };
    let from_ty = c_type(from)?;
    let kept = cast("r", from, out)?;
    Ok(format!(
        "{sides}const {from_ty} r = {value};\n    valid = {BOTH};\n    out[row] = {kept};"
    ))
}

/// The type in which numbers are combined.
fn common(op: &str, a: DType, b: DType, out: DType) -> DType {
    let any = |id: TypeId| a.id == id || b.id == id || out.id == id;
    match op {
        "TRUE_DIV" | "POW" | "LOG_BASE" | "ATAN2" => DType::FLOAT64,
        _ if any(TypeId::Float64) => DType::FLOAT64,
        _ if any(TypeId::Float32) => DType::of(TypeId::Float32),
        _ if any(TypeId::Int64) => DType::INT64,
        _ => DType::INT32,
    }
}

/// Comparing `p` and `q`.
pub(super) fn compared(op: &str) -> String {
    let sign = match op {
        "EQUAL" | "NULL_EQUALS" => "==",
        "NOT_EQUAL" | "NULL_NOT_EQUALS" => "!=",
        "LESS" => "<",
        "GREATER" => ">",
        "LESS_EQUAL" => "<=",
        _ => ">=",
    };
    match op.starts_with("NULL_") {
        true => format!("valid = true;\n    out[row] = {BOTH} ? p {sign} q : x0.valid {sign} x1.valid;"),
        false => format!("valid = {BOTH};\n    out[row] = p {sign} q;"),
    }
}

/// Kleene's logic: one value settles the result whatever the other side is.
fn logic3(op: &str, out: DType) -> Text {
    if out != DType::BOOL {
        return Err(format!("{op} to {out} is not covered"));
    }
    let (settles, settled, other) = match op {
        "NULL_LOGICAL_OR" => ("!=", "true", "false"),
        _ => ("==", "false", "true"),
    };
    Ok(format!(
        "const bool settled = (x0.valid && x0.value {settles} 0) || (x1.valid && x1.value {settles} 0);\n    \
         valid = settled || ({BOTH});\n    out[row] = settled ? {settled} : {other};"
    ))
}

fn arithmetic(op: &str, a: DType, b: DType, common: DType, out: DType) -> Text {
    let float = common.is_float();
    Ok(match op {
        "ADD" => "rw::add(p, q)".into(),
        "SUB" => "rw::sub(p, q)".into(),
        "MUL" => "rw::mul(p, q)".into(),
        "DIV" | "TRUE_DIV" => "rw::cudf::div(p, q)".into(),
        "MOD" => "rw::cudf::mod(p, q)".into(),
        "FLOOR_DIV" => "rw::cudf::floor_div(p, q)".into(),
        "PMOD" => "rw::cudf::pmod(p, q)".into(),
        "PYMOD" => "rw::cudf::pymod(p, q)".into(),
        "POW" => "::pow(p, q)".into(),
        "ATAN2" => "::atan2(p, q)".into(),
        "LOG_BASE" => "rw::div(::log(p), ::log(q))".into(),
        "BITWISE_AND" if !float => "p & q".into(),
        "BITWISE_OR" if !float => "p | q".into(),
        "BITWISE_XOR" if !float => "p ^ q".into(),
        "SHIFT_LEFT" if !float => "rw::cudf::shift_left(p, q)".into(),
        "SHIFT_RIGHT" if !float => "rw::cudf::shift_right(p, q)".into(),
        "SHIFT_RIGHT_UNSIGNED" if !float => {
            // Where everything has one small type, it is shifted as an unsigned number of that type.
            let bits = match (common, a == b && a == out) {
                (DType::INT32, true) => a.size() * 8,
                (DType::INT32, false) => 32,
                _ => 64,
            };
            format!("rw::cudf::shift_right_unsigned(p, q, ~0ull >> {})", 64 - bits)
        }
        _ => return Err(format!("{op} is not covered")),
    })
}

/// A conversion between numbers, or of what counts units of time to another such type of any width.
pub(super) fn cast(x: &str, from: DType, to: DType) -> Text {
    let ty = c_type(to)?;
    if from == to {
        return Ok(x.to_owned());
    }
    if to.id == TypeId::Bool8 {
        return Ok(format!("static_cast<uint8_t>({x} != 0)"));
    }
    if !from.is_float() || to.is_float() {
        return Ok(format!("static_cast<{ty}>({x})"));
    }
    use TypeId::*;
    let wide = format!("static_cast<double>({x})");
    let whole = match to.id {
        Int64 => return Ok(format!("rw::cudf::to_int64({wide})")),
        Uint64 => return Ok(format!("rw::cudf::to_uint64({wide})")),
        Uint32 | Uint16 | Uint8 => format!("rw::cudf::to_uint32({wide})"),
        Int32 | Int16 | Int8 => format!("rw::cudf::to_int32({wide})"),
        _ => return Err(format!("a conversion from {from} to {to} is not covered")),
    };
    Ok(match from.id {
        // The 32-bit conversions of a binary32 NaN give zero.
        Float32 => format!("static_cast<{ty}>({x} != {x} ? 0 : {whole})"),
        _ => format!("static_cast<{ty}>({whole})"),
    })
}

/// The number of bits that are set, or their opposite.
pub(super) fn bits(op: &str, t: DType) -> Text {
    let (ty, plain) = (c_type(t)?, unsigned(t));
    match op {
        "BIT_INVERT" => Ok(format!("static_cast<{ty}>(~x0.value)")),
        _ => Ok(format!(
            "__popcll(static_cast<unsigned long long>(static_cast<{plain}>(x0.value)))"
        )),
    }
}
