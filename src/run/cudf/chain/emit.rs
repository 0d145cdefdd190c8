//! One call as the text of a kernel. In: a call with the types that it had; out: a kernel in the form of all others, which reads its
//! columns whole and writes a column with a validity mask of its own; or why there is none.

use super::super::calls::{as_type, binary_op};
use super::super::dtype::{DType, TypeId};
use super::super::ops::unary::op_of;
use super::super::value::V;
use super::binary::{binary, bits, cast};
use super::dtype_of;
use super::record::{Known, Traced};
use super::types::{c_type, double, scalar};

type Text = Result<String, String>;

/// What the calls are made of.
const HELPERS: &str = include_str!("../../../../kernels/rw_cudf.cuh");

/// A kernel and the handles of the columns that it reads, in the order of its parameters.
pub(super) struct Kernel {
    pub text: String,
    pub columns: Vec<usize>,
    /// Bytes of an element of the result.
    pub width: usize,
}

/// The column whose memory a view shows under another type.
pub(super) fn same_memory(call: &Traced) -> Option<usize> {
    match (&call.on, call.name.as_str()) {
        (Some(Known::Column(id, _)), "bitCastTo" | "logicalCastTo") => Some(*id),
        _ => None,
    }
}

/// The kernel of a call that gave a column of this type over so many rows.
pub(super) fn kernel(call: &Traced, out: DType, rows: usize) -> Result<Kernel, String> {
    let operands: Vec<&Known> = call.on.iter().chain(&call.known).collect();
    let body = body(call, &operands, out, rows)?;
    let (mut params, mut loads, mut columns) = (String::new(), String::new(), Vec::new());
    for (i, operand) in operands.iter().enumerate() {
        let load = match operand {
            Known::Column(id, t) => {
                let ty = c_type(*t)?;
                params.push_str(&format!("const {ty}* a{i}, const uint32_t* a{i}_valid, "));
                columns.push(*id);
                format!("rw::load(a{i}, a{i}_valid, row)")
            }
            Known::Scalar(s) => scalar(s)?,
        };
        loads.push_str(&format!("    const auto x{i} = {load};\n"));
    }
    let ty = c_type(out)?;
    Ok(Kernel {
        text: format!(
            "{HELPERS}\nextern \"C\" __global__ void rw_call({params}{ty}* out, uint32_t* out_valid, int32_t* error, \
             int64_t rows) {{\n  const int64_t row = rw::row_index();\n  bool valid = false;\n  if (row < rows) {{\n{loads}    \
             {body}\n  }}\n  rw::store_valid(out_valid, row, rows, valid);\n}}\n"
        ),
        columns,
        width: out.size(),
    })
}

/// The statements that set `valid` and `out[row]`.
fn body(call: &Traced, operands: &[&Known], out: DType, rows: usize) -> Text {
    let types: Vec<DType> = operands.iter().map(|o| dtype_of(o)).collect();
    let name = call.name.as_str();
    if let (Some((op, _)), [a, b]) = (binary_op(name, &call.args), &types[..]) {
        return binary(&op, *a, *b, out);
    }
    let of_one = call.on.is_some() && types.len() == 1;
    if of_one && call.args.is_empty() {
        if let Some(op) = op_of(name) {
            return unary(op, types[0], out);
        }
        if as_type(name).is_some() {
            return converted(types[0], out);
        }
        if let Some(field) = field(name, types[0])? {
            let ty = c_type(out)?;
            return Ok(value(&format!("static_cast<{ty}>({field})")));
        }
    }
    match (name, &call.args[..], &types[..]) {
        ("castTo", [V::DType(_)], [from]) => converted(*from, out),
        ("unaryOp", [V::Enum(_, op)], [from]) => unary(op, *from, out),
        ("copyToColumnVector", [], [_]) => Ok(value("x0.value")),
        ("isNull", [], [_]) => Ok(always("!x0.valid")),
        ("isNotNull", [], [_]) => Ok(always("x0.valid")),
        ("isNan", [], [_]) => Ok(always("x0.valid && x0.value != x0.value")),
        ("isNotNan", [], [_]) => Ok(always("!(x0.valid && x0.value != x0.value)")),
        ("nansToNulls", [], [_]) => Ok("valid = x0.valid && x0.value == x0.value;\n    out[row] = x0.value;".into()),
        ("normalizeNANsAndZeros", [], [_]) => Ok(value("rw::cudf::normal(x0.value)")),
        ("log2" | "log10", [], [DType::FLOAT64]) => {
            let base = double(if name == "log2" { 2.0 } else { 10.0 });
            Ok(value(&format!("rw::div(::log(x0.value), ::log({base}))")))
        }
        ("ifElse", [_, _], [_, a, b]) if a == b => Ok(chosen("x0.valid && x0.value != 0 ? x1 : x2")),
        ("replaceNulls", [V::Ref(_)], [a, b]) if a == b => Ok(chosen("x0.valid ? x0 : x1")),
        ("mergeAndSetValidity", [V::Enum(_, op), ..], all) => Ok(merged(op, all.len())),
        ("clamp", args, [t, ..]) if !t.is_decimal() => clamped(args.len(), operands),
        ("fromScalar", [_, V::Int(n)], [_]) => match usize::try_from(*n) {
            Ok(n) if n == rows => Ok(chosen("x0")),
            _ => Err(format!("a column of {n} rows beside others of {rows}")),
        },
        _ => Err(match types.first() {
            Some(t) => format!("of {t}"),
            None => "it makes a column of nothing".into(),
        }),
    }
}

/// A result that is null where the argument is.
fn value(of: &str) -> String {
    format!("valid = x0.valid;\n    out[row] = {of};")
}

/// A result that is never null.
fn always(of: &str) -> String {
    format!("valid = true;\n    out[row] = {of};")
}

/// A value or null of one of the arguments.
fn chosen(which: &str) -> String {
    format!("const auto y = {which};\n    valid = y.valid;\n    out[row] = y.value;")
}

fn unary(op: &str, t: DType, out: DType) -> Text {
    let single = t.id == TypeId::Float32;
    match op {
        "NOT" if t.is_numeric() => return Ok(value("x0.value == 0")),
        "BIT_INVERT" | "BIT_COUNT" if t.is_integer() => return Ok(value(&bits(op, t)?)),
        "ABS" if t.is_decimal() => {
            let ty = c_type(t)?;
            let wide = "static_cast<__int128>(x0.value)";
            let turned = format!("rw::cudf::sub_wide<{ty}>(0, {wide})");
            return Ok(value(&format!("static_cast<{ty}>(x0.value < 0 ? {turned} : {wide})")));
        }
        "ABS" if t.is_signed() => {
            let ty = c_type(t)?;
            return Ok(value(&format!(
                "static_cast<{ty}>(rw::abs_of(static_cast<int64_t>(x0.value)))"
            )));
        }
        _ => {}
    }
    if !t.is_float() || out != t {
        return Err(format!("{op} of {t} is not covered"));
    }
    let function = match op {
        "ABS" => "::fabs",
        "FLOOR" => "::floor",
        "CEIL" => "::ceil",
        "RINT" => "::rint",
        "SQRT" => "__dsqrt_rn",
        // What is not exact would be another function of single precision.
        _ if single => return Err(format!("{op} of {t} is not covered")),
        "SIN" => "::sin",
        "COS" => "::cos",
        "TAN" => "::tan",
        "ARCSIN" => "::asin",
        "ARCCOS" => "::acos",
        "ARCTAN" => "::atan",
        "SINH" => "::sinh",
        "COSH" => "::cosh",
        "TANH" => "::tanh",
        "ARCSINH" => "::asinh",
        "ARCCOSH" => "::acosh",
        "ARCTANH" => "::atanh",
        "EXP" => "::exp",
        "LOG" => "::log",
        "CBRT" => "::cbrt",
        _ => return Err(format!("{op} of {t} is not covered")),
    };
    let ty = c_type(t)?;
    Ok(value(&format!(
        "static_cast<{ty}>({function}(static_cast<double>(x0.value)))"
    )))
}

/// `castTo`, as [`super::super::ops::cast`] has it.
fn converted(from: DType, to: DType) -> Text {
    let refused = || Err(format!("a conversion from {from} to {to} is not covered"));
    if from == to || from.is_numeric() && to.is_numeric() {
        return Ok(value(&cast("x0.value", from, to)?));
    }
    if from.is_decimal() || to.is_decimal() {
        return Ok(value(&super::decimal::converted(from, to)?));
    }
    let ty = c_type(to)?;
    match (from.unit_nanos(), to.unit_nanos()) {
        (Some(a), Some(b)) if from.is_timestamp() == to.is_timestamp() => {
            let wide = "static_cast<int64_t>(x0.value)";
            let moved = match (a >= b, to.is_timestamp()) {
                (true, _) => format!("rw::mul<int64_t>({wide}, {}ll)", a / b),
                (false, true) => format!("rw::cudf::coarser({wide}, {}ll)", b / a),
                (false, false) => format!("{wide} / {}ll", b / a),
            };
            Ok(value(&format!("static_cast<{ty}>({moved})")))
        }
        (Some(_), None) if to.is_integer() => Ok(value(&format!("static_cast<{ty}>(x0.value)"))),
        (None, Some(_)) if from.is_integer() => Ok(value(&format!("static_cast<{ty}>(x0.value)"))),
        _ => refused(),
    }
}

/// `year()`, `hour()` and the like, of days and the microseconds, say, of a day.
fn field(name: &str, t: DType) -> Result<Option<String>, String> {
    let Some(unit) = t.unit_nanos().filter(|_| t.is_timestamp()) else {
        return Ok(None);
    };
    let wide = "static_cast<int64_t>(x0.value)";
    let (day, second) = (86_400_000_000_000 / unit, 1_000_000_000 / unit.min(1_000_000_000));
    let days = format!("rw::cudf::coarser({wide}, {day}ll)");
    let of_day = format!("({wide} - {days} * {day}ll)");
    let civil = format!("rw::cudf::day_of({days})");
    let timed = |of: String| match t.id {
        TypeId::TimestampDays => Err(format!("{name}() of {t}")),
        _ => Ok(of),
    };
    Ok(Some(match name {
        "year" | "month" | "day" => format!("{civil}.{name}"),
        "dayOfYear" => format!("{civil}.of_year"),
        "quarterOfYear" => format!("({civil}.month - 1) / 3 + 1"),
        "isLeapYear" => format!("rw::cudf::is_leap({civil}.year)"),
        "daysInMonth" => format!("rw::cudf::month_days({civil}.year, {civil}.month)"),
        "weekDay" => format!("{days} + 3 - rw::cudf::coarser({days} + 3, 7) * 7 + 1"),
        "hour" => timed(format!("{of_day} / {}ll", second * 3600))?,
        "minute" => timed(format!("{of_day} / {}ll % 60", second * 60))?,
        "second" => timed(format!("{of_day} / {second}ll % 60"))?,
        _ => return Ok(None),
    }))
}

/// The first column's values with the masks of the others.
fn merged(op: &str, columns: usize) -> String {
    let joined = if op == "BITWISE_OR" { " || " } else { " && " };
    let masks: Vec<String> = (1..columns).map(|i| format!("x{i}.valid")).collect();
    match masks.is_empty() {
        true => value("x0.value"),
        false => format!("valid = {};\n    out[row] = x0.value;", masks.join(joined)),
    }
}

/// `clamp`: below the lower limit, then above the upper one, of the value as it came. A limit that is null is none.
fn clamped(args: usize, operands: &[&Known]) -> Text {
    let (low, low_to, high, high_to) = match args {
        2 => (1, 1, 2, 2),
        4 => (1, 2, 3, 4),
        _ => return Err("this form is not covered".into()),
    };
    let there = |i: usize| matches!(operands.get(i), Some(Known::Scalar(s)) if s.value.is_some());
    let mut picked = "x0".to_owned();
    if there(low) {
        picked = format!("(x0.valid && x0.value < x{low}.value ? x{low_to} : {picked})");
    }
    if there(high) {
        picked = format!("(x0.valid && x0.value > x{high}.value ? x{high_to} : {picked})");
    }
    Ok(chosen(&picked))
}
