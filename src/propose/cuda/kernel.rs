//! The whole file: includes, constants, helper functions, the row function and the kernel around it.

use std::collections::HashSet;

use super::emit::{Emit, function_name};
use super::lines::Lines;
use super::load::{Loads, call, loads, storage};
use super::regex::Table;
use super::types::Cpp;
use crate::find::Udf;
use crate::lang::ast::{Expr, ExprKind, FnId, GlobalId, Program};
use crate::lang::ty::Ty;
use crate::source::{Refusal, SourceFile, Span, Understood};

/// What was written, and what the notes are made of.
pub(super) struct Written {
    pub lines: Lines,
    /// Functions whose last bits differ on the device, with the place of their call.
    pub inexact: Vec<(Span, String)>,
    /// Whether some rows may be reported as not covered.
    pub partial: bool,
    /// Whether sequences are built.
    pub roomy: bool,
    /// Regular expressions.
    pub tables: Vec<Table>,
}

/// Writes the file.
pub(super) fn write(source: &SourceFile, udf: &Udf, program: &Program) -> Understood<Written> {
    let mut out = Written {
        lines: Lines::default(),
        inexact: Vec::new(),
        partial: false,
        roomy: false,
        tables: Vec::new(),
    };
    let order = call_order(program)?;
    let mut functions = Lines::default();
    let constants = super::constants::Constants::new(program);
    for global in used_globals(program, &order) {
        functions.append(constant(program, global, &constants, &mut out)?);
    }
    for id in order {
        functions.append(function(program, id, &constants, &mut out)?);
    }
    let file = source
        .path
        .file_name()
        .map(|f| f.to_string_lossy().into_owned())
        .unwrap_or_default();
    let name = kernel_name(&udf.name);
    out.lines.push(
        None,
        format!("// {} of {}, one thread per row.", one_line(&udf.name), one_line(&file)),
    );
    let loads = loads(udf, program)?;
    out.partial |= loads.sequences || loads.lines.mentions("cx,") || loads.args.iter().any(|a| a.contains("cx,"));
    out.roomy |= loads.sequences;
    let mut body = super::regex::tables(&out.tables);
    body.append(functions);
    body.append(wrapper(program, &name, loads, &out)?);
    for header in super::HEADERS.iter().map(|(name, _)| *name) {
        if includes(&body, header) {
            out.lines.push(None, format!("#include \"{header}\""));
        }
    }
    out.lines.push(None, "");
    out.lines.append(body);
    Ok(out)
}

/// Whether the text uses what stands in a header.
fn includes(body: &Lines, header: &str) -> bool {
    let marks: &[&str] = match header {
        "rw_text.cuh" => return true,
        "rw_list.cuh" => &[
            "rw::Seq<",
            "rw::Buffer<",
            "rw::Tuple",
            "rw::seq_",
            "rw::load_",
            "rw::same(",
        ],
        "rw_number.cuh" => &["rw::double_", "rw::parse_double"],
        "rw_time.cuh" => &["rw::date_", "rw::Date", "rw::load_date", "rw::store_date"],
        "rw_decimal.cuh" => &["rw::dec_", "rw::Decimal", "RW_SCALE"],
        "rw_match.cuh" => &["rw::re_", "rw::Regex", "rw::Matcher"],
        _ => &[],
    };
    marks.iter().any(|m| body.mentions(m))
}

fn one_line(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}

/// A C++ identifier for a UDF's name.
pub(super) fn identifier(name: &str) -> String {
    let mut out: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    if !out.starts_with(|c: char| c.is_ascii_alphabetic()) {
        out.insert_str(0, "udf_");
    }
    out
}

/// Words that a name must not be: those of C++ and of its library, and the kernel's own.
const TAKEN: &[&str] = &[
    "row",
    "rows",
    "cx",
    "error",
    "out",
    "valid",
    "result",
    "scratch",
    "rw",
    "auto",
    "bool",
    "break",
    "case",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "delete",
    "do",
    "double",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "namespace",
    "new",
    "operator",
    "private",
    "protected",
    "public",
    "register",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "template",
    "this",
    "throw",
    "true",
    "try",
    "typedef",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "while",
    "main",
    "index",
    "abs",
    "round",
    "floor",
    "ceil",
    "sqrt",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "exp",
    "log",
    "log10",
    "pow",
    "signbit",
    "isnan",
    "isinf",
    "min",
    "max",
    "y0",
    "y1",
    "j0",
    "j1",
    "gamma",
    "time",
    "clock",
    "div",
    "rand",
    "remove",
    "rename",
    "select",
    "read",
    "write",
    "open",
    "close",
    "link",
    "truncate",
    "and",
    "or",
    "not",
    "xor",
    "hypot",
    "cbrt",
    "fmod",
    "trunc",
    "rint",
    "memcpy",
    "strlen",
    "printf",
    "free",
    "malloc",
    "exit",
    "abort",
    "system",
    "signal",
];

/// The name of a column's buffers.
pub(super) fn column_name(name: &str) -> String {
    let name = identifier(name);
    match TAKEN.contains(&name.as_str()) {
        true => format!("{name}_"),
        false => name,
    }
}

/// The name of the entry.
fn kernel_name(name: &str) -> String {
    let name = identifier(name);
    match TAKEN.contains(&name.as_str()) {
        true => format!("udf_{name}"),
        false => name,
    }
}

/// Functions so that each stands behind those it calls; recursion is refused, but for calls that end a function.
fn call_order(program: &Program) -> Understood<Vec<FnId>> {
    fn visit(program: &Program, id: FnId, open: &mut Vec<FnId>, done: &mut Vec<FnId>) -> Understood<()> {
        if done.contains(&id) {
            return Ok(());
        }
        let function = &program.functions[id.0 as usize];
        if open.contains(&id) {
            return Err(Refusal::new(
                function.span,
                format!("`{}` is recursive; the device has no bound for it", function.name),
            ));
        }
        open.push(id);
        let itself = super::tail::recursion(&function.body, id);
        let mut called = Vec::new();
        crate::lang::visit::walk(&function.body, &mut |e| {
            if let ExprKind::CallFn { func, .. } | ExprKind::FnRef(func) = &e.kind {
                called.push(*func);
            }
        });
        if itself == Some(true) {
            called.retain(|f| *f != id);
        }
        called.into_iter().try_for_each(|f| visit(program, f, open, done))?;
        open.pop();
        done.push(id);
        Ok(())
    }
    let mut done = Vec::new();
    visit(program, program.entry, &mut Vec::new(), &mut done)?;
    Ok(done)
}

fn used_globals(program: &Program, functions: &[FnId]) -> Vec<GlobalId> {
    fn note(program: &Program, body: &Expr, seen: &mut HashSet<GlobalId>, order: &mut Vec<GlobalId>) {
        let mut found = Vec::new();
        crate::lang::visit::walk(body, &mut |e| {
            if let ExprKind::Global(id) = &e.kind {
                found.push(*id);
            }
        });
        for id in found {
            if seen.insert(id) {
                note(program, &program.globals[id.0 as usize].init, seen, order);
                order.push(id);
            }
        }
    }
    let (mut seen, mut order) = (HashSet::new(), Vec::new());
    functions
        .iter()
        .for_each(|f| note(program, &program.functions[f.0 as usize].body, &mut seen, &mut order));
    order
}

/// A `val` of the enclosing object as a function without arguments. Maps, sets and function values are written out where they
/// are used.
fn constant(
    program: &Program,
    id: GlobalId,
    constants: &super::constants::Constants,
    out: &mut Written,
) -> Understood<Lines> {
    let global = &program.globals[id.0 as usize];
    let elsewhere =
        matches!(&global.ty, Ty::Class(n) if matches!(n.as_str(), "Regex" | "Pattern" | "DateTimeFormatter"));
    if elsewhere || matches!(global.ty, Ty::Map(..) | Ty::Set(_) | Ty::Fn(..) | Ty::Java(..)) {
        return Ok(Lines::default());
    }
    let ty = Cpp::of(&global.ty, global.span)?;
    let mut emit = Emit::new(program, None, &global.locals, &global.init, ty.clone(), constants);
    let mut lines = Lines::default();
    let head = format!(
        "__device__ inline {} {}(rw::Row& row) {{",
        ty.name(),
        super::emit::global_name(global)
    );
    match constants.literal(id, &mut emit)? {
        true => {}
        false => {
            emit.declare(0);
            emit.whole_body(&global.init)?;
        }
    }
    lines.push(Some(global.span), head);
    lines.nest(emit.take(out));
    lines.push(None, "}");
    lines.push(None, "");
    Ok(lines)
}

fn function(
    program: &Program,
    id: FnId,
    constants: &super::constants::Constants,
    out: &mut Written,
) -> Understood<Lines> {
    let function = &program.functions[id.0 as usize];
    let ret = Cpp::of(&function.ret, function.span)?;
    if ret.stays() {
        return Err(Refusal::new(
            function.span,
            format!(
                "a function that gives a {} is not covered by the cuda tier",
                function.ret
            ),
        ));
    }
    let mut emit = Emit::new(
        program,
        Some(id),
        &function.locals,
        &function.body,
        ret.clone(),
        constants,
    );
    emit.again = super::tail::recursion(&function.body, id).is_some();
    let mut params = vec!["rw::Row& row".to_owned()];
    for (i, p) in function.params.iter().enumerate() {
        if p.by_name {
            return Err(Refusal::new(
                p.span,
                "by-name parameters are not covered by the cuda tier",
            ));
        }
        params.push(format!(
            "{} {}",
            Cpp::of(&p.ty, p.span)?.parameter(),
            emit.local_name(i)
        ));
    }
    for (i, local) in function.locals.iter().enumerate() {
        if local.captured.is_some() {
            let ty = Cpp::of(&local.ty, function.span)?;
            params.push(format!("{}& {}", ty.name(), emit.local_name(i)));
        }
    }
    emit.declare(function.params.len());
    emit.whole_body(&function.body)?;
    let mut lines = Lines::default();
    let head = format!(
        "__device__ inline {} {}({}) {{",
        ret.name(),
        function_name(program, id),
        params.join(", ")
    );
    lines.push(Some(function.span), head);
    lines.nest(emit.take(out));
    lines.push(None, "}");
    lines.push(None, "");
    Ok(lines)
}

/// Bytes of scratch memory of one row, where texts are built.
const SCRATCH: usize = 512;
/// The same where sequences are built, or regular expressions go back.
const ROOMY: usize = 8192;

/// The kernel: loads the arguments, keeps Spark's null rule, calls the row function and stores value, validity and error.
fn wrapper(program: &Program, name: &str, loads: Loads, written: &Written) -> Understood<Lines> {
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
    let scratch = match (written.roomy || !written.tables.is_empty(), written.partial) {
        (true, _) => ROOMY,
        (false, true) => SCRATCH,
        (false, false) => 0,
    };
    let mut lines = super::decimals::scales(
        &loads.decimals,
        ret == Cpp::Decimal || ret == Cpp::Maybe(Box::new(Cpp::Decimal)),
    );
    lines.append(assemble(name, &params, inner, scratch));
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
            "rw::decimal_fits(cx, result, RW_PRECISION_OUT, RW_SCALE_OUT)".into(),
        ),
        _ => ("result".into(), "!result.is_null()".into()),
    }
}

fn assemble(name: &str, params: &[String], inner: Lines, scratch: usize) -> Lines {
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
    body.push(None, "rw::store_valid(out_valid, row, rows, valid);");
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
