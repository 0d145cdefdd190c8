//! The kernel around the row function. In: what is loaded and what comes back; out: its parameters, the null rule, stores and errors.

use super::kernel::Written;
use super::lines::Lines;
use super::load::{Loads, call, storage};
use super::types::Cpp;
use crate::lang::ast::Program;
use crate::source::{Refusal, Span, Understood};

/// Bytes of scratch memory of one row, where texts are built.
const SCRATCH: usize = 512;
/// The same where sequences are built, or regular expressions go back.
const ROOMY: usize = 8192;

/// The kernel: loads the arguments, keeps Spark's null rule, calls the row function and stores value, validity and error.
pub(super) fn wrapper(program: &Program, name: &str, loads: Loads, written: &Written) -> Understood<Lines> {
    let entry = &program.functions[program.entry.0 as usize];
    let ret = Cpp::of(&entry.ret, entry.span)?;
    let mut params = loads.params.clone();
    params.extend(result_params(&ret, entry.span)?);
    params.push("int32_t* error, int64_t rows".into());
    let text = ret == Cpp::Text || ret == Cpp::Maybe(Box::new(Cpp::Text));
    let mut run = Lines::default();
    run.push(
        Some(entry.span),
        format!("const {} result = {};", ret.name(), call(program, &loads)),
    );
    let (value, valid) = stored(&ret);
    if !text {
        run.push(None, format!("out[row] = {value};"));
    }
    run.push(None, format!("valid = cx.error == rw::kNone && {valid};"));
    run.push(None, "if (cx.error != rw::kNone) error[row] = cx.error;");
    if text {
        run.push(
            None,
            format!("rw::store_text(out_sizes, out_offsets, out_bytes, row, {value}, valid);"),
        );
    }
    let mut inner = loads.lines;
    if loads.guards.is_empty() {
        inner.append(run);
    } else {
        inner.push(None, format!("if ({}) {{", loads.guards.join(" && ")));
        inner.nest(run);
        if text {
            let mut empty = Lines::default();
            empty.push(
                None,
                "rw::store_text(out_sizes, out_offsets, out_bytes, row, rw::null_text(), false);",
            );
            inner.push(None, "} else {");
            inner.nest(empty);
        }
        inner.push(None, "}");
    }
    let scratch = match (
        written.roomy || written.tables.iter().any(|t| t.machine),
        written.partial && !written.computes_only,
    ) {
        (true, _) => ROOMY,
        (false, true) => SCRATCH,
        (false, false) => 0,
    };
    let mut lines = super::decimals::scales(
        &loads.decimals,
        ret == Cpp::Decimal || ret == Cpp::Maybe(Box::new(Cpp::Decimal)),
    );
    lines.append(assemble(name, &params, inner, scratch, written.recursive));
    Ok(lines)
}

/// The value that is stored for a result, and whether there is one.
fn stored(ret: &Cpp) -> (String, String) {
    match ret {
        Cpp::Prim(_) => ("result".into(), "true".into()),
        Cpp::Maybe(inner) => {
            let (value, valid) = stored(inner);
            let inside = |text: String| text.replace("result", "result.value");
            let (value, valid) = (inside(value), inside(valid));
            match valid.as_str() {
                "true" => (value, "result.valid".into()),
                _ => (value, format!("result.valid && {valid}")),
            }
        }
        Cpp::Date => ("rw::store_date(cx, result)".into(), "result.valid".into()),
        Cpp::Moment => ("result.micros".into(), "result.valid".into()),
        Cpp::Decimal => (
            "rw::store_decimal(cx, result, RW_SCALE_OUT)".into(),
            "rw::decimal_fits(cx, result, out[row], RW_PRECISION_OUT)".into(),
        ),
        _ => ("result".into(), "!result.is_null()".into()),
    }
}

fn assemble(name: &str, params: &[String], inner: Lines, scratch: usize, recursive: bool) -> Lines {
    let mut body = Lines::default();
    body.push(None, "const int64_t row = rw::row_index();");
    body.push(None, "bool valid = false;");
    body.push(None, "if (row < rows) {");
    let mut guarded = Lines::default();
    guarded.push(None, "rw::Row cx;");
    if scratch > 0 {
        guarded.push(None, format!("alignas(16) uint8_t scratch[{scratch}];"));
        guarded.push(None, "cx.scratch = scratch;");
        guarded.push(None, format!("cx.scratch_left = {scratch};"));
    }
    guarded.append(inner);
    body.nest(guarded);
    body.push(None, "}");
    let store = if recursive { "store_valid_alone" } else { "store_valid" };
    body.push(None, format!("rw::{store}(out_valid, row, rows, valid);"));
    let mut lines = Lines::default();
    lines.push(None, format!("extern \"C\" __global__ void {name}("));
    let mut list = Lines::default();
    for (i, p) in params.iter().enumerate() {
        list.push(None, format!("{p}{}", if i + 1 == params.len() { ") {" } else { "," }));
    }
    lines.nest(list);
    lines.nest(body);
    lines.push(None, "}");
    lines
}

fn result_params(ret: &Cpp, span: Span) -> Understood<Vec<String>> {
    let fixed = |element: &str| vec![format!("{element}* out, uint32_t* out_valid")];
    Ok(match ret {
        Cpp::Prim(p) => fixed(storage(*p, span)?),
        Cpp::Text => {
            vec!["int32_t* out_sizes, const int32_t* out_offsets, uint8_t* out_bytes, uint32_t* out_valid".into()]
        }
        Cpp::Date => fixed("int32_t"),
        Cpp::Moment => fixed("int64_t"),
        Cpp::Decimal => fixed("__int128"),
        Cpp::Maybe(inner) if !matches!(**inner, Cpp::Seq(_) | Cpp::Tuple(_)) => return result_params(inner, span),
        _ => return Err(Refusal::new(span, "the result has no column that a kernel can write")),
    })
}
