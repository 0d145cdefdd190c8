//! The whole file: includes, constants, helper functions, the row function and the kernel around it.

use std::collections::HashSet;

use super::emit::{Emit, function_name};
use super::lines::Lines;
use super::types::{Cpp, prim_name};
use crate::find::{NullRule, Udf};
use crate::lang::ast::{Expr, ExprKind, FnId, GlobalId, Program};
use crate::lang::ty::Prim;
use crate::source::{Refusal, SourceFile, Span, Understood};

/// What was written, and what the notes are made of.
pub(super) struct Written {
    pub lines: Lines,
    /// Functions whose last bits differ on the device, with the place of their call.
    pub inexact: Vec<(Span, String)>,
    /// Whether some rows may be reported as not covered.
    pub partial: bool,
}

/// Writes the file.
pub(super) fn write(source: &SourceFile, udf: &Udf, program: &Program) -> Understood<Written> {
    let mut out = Written {
        lines: Lines::default(),
        inexact: Vec::new(),
        partial: false,
    };
    let order = call_order(program)?;
    let mut functions = Lines::default();
    for global in used_globals(program, &order) {
        functions.append(constant(program, global, &mut out)?);
    }
    for id in order {
        functions.append(function(program, id, &mut out)?);
    }
    let file = source
        .path
        .file_name()
        .map(|f| f.to_string_lossy().into_owned())
        .unwrap_or_default();
    let name = identifier(&udf.name);
    out.lines.push(
        None,
        format!("// {} of {}, one thread per row.", one_line(&udf.name), one_line(&file)),
    );
    out.lines.push(None, "#include \"rw_text.cuh\"");
    out.lines.push(None, "");
    out.lines.append(functions);
    let wrapper = wrapper(udf, program, &name, out.partial)?;
    out.lines.append(wrapper);
    Ok(out)
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

/// Functions so that each stands behind those it calls; recursion is refused.
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
        let mut called = Vec::new();
        crate::lang::visit::walk(&function.body, &mut |e| {
            if let ExprKind::CallFn { func, .. } | ExprKind::FnRef(func) = &e.kind {
                called.push(*func);
            }
        });
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

/// A `val` of the enclosing object as a function without arguments.
fn constant(program: &Program, id: GlobalId, out: &mut Written) -> Understood<Lines> {
    let global = &program.globals[id.0 as usize];
    let ty = Cpp::of(&global.ty, global.span)?;
    let mut emit = Emit::new(program, &global.locals, ty);
    let value = emit.expr(&global.init)?;
    let mut body = emit.take(out);
    body.push(Some(global.init.span), format!("return {value};"));
    let mut lines = Lines::default();
    let head = format!(
        "__device__ inline {} {}(rw::Row& row) {{",
        ty.name(),
        super::emit::global_name(global)
    );
    lines.push(Some(global.span), head);
    lines.nest(body);
    lines.push(None, "}");
    lines.push(None, "");
    Ok(lines)
}

fn function(program: &Program, id: FnId, out: &mut Written) -> Understood<Lines> {
    let function = &program.functions[id.0 as usize];
    let ret = Cpp::of(&function.ret, function.span)?;
    if let Some(local) = function.locals.iter().find(|l| l.captured.is_some()) {
        return Err(Refusal::new(
            function.span,
            format!("`{}` closes over `{}`", function.name, local.name),
        ));
    }
    let mut emit = Emit::new(program, &function.locals, ret);
    let mut params = vec!["rw::Row& row".to_owned()];
    for (i, p) in function.params.iter().enumerate() {
        if p.by_name {
            return Err(Refusal::new(
                p.span,
                "by-name parameters are not covered by the cuda tier",
            ));
        }
        params.push(format!("{} {}", Cpp::of(&p.ty, p.span)?.name(), emit.local_name(i)));
    }
    emit.declare(function.params.len());
    let value = emit.tail(&function.body)?;
    let mut body = emit.take(out);
    if let Some(value) = value {
        body.push(Some(function.body.span), format!("return {value};"));
    }
    let mut lines = Lines::default();
    let head = format!(
        "__device__ inline {} {}({}) {{",
        ret.name(),
        function_name(program, id),
        params.join(", ")
    );
    lines.push(Some(function.span), head);
    lines.nest(body);
    lines.push(None, "}");
    lines.push(None, "");
    Ok(lines)
}

/// Bytes of scratch memory of one row, where texts are built.
const SCRATCH: usize = 512;

/// The kernel: loads the arguments, keeps Spark's null rule, calls the row function and stores value, validity and error.
fn wrapper(udf: &Udf, program: &Program, name: &str, scratch: bool) -> Understood<Lines> {
    let entry = &program.functions[program.entry.0 as usize];
    let ret = Cpp::of(&entry.ret, entry.span)?;
    let (mut params, mut args, mut guards) = (Vec::new(), vec!["cx".to_owned()], Vec::new());
    let mut loads = Lines::default();
    for (p, rule) in entry.params.iter().zip(udf.params.iter().map(|p| p.null_rule)) {
        let (n, ty) = (identifier(&p.name), Cpp::of(&p.ty, p.span)?);
        match ty {
            Cpp::Prim(t) | Cpp::Maybe(t) => {
                params.push(format!("const {}* {n}, const uint32_t* {n}_valid", storage(t, p.span)?));
                loads.push(
                    Some(p.span),
                    format!("const auto {n}_row = rw::load({n}, {n}_valid, row);"),
                );
                let value = format!("{n}_row.value");
                match ty {
                    Cpp::Prim(Prim::Boolean) => args.push(format!("{value} != 0")),
                    Cpp::Prim(_) => args.push(value),
                    _ => args.push(format!("rw::Maybe<{}>{{{value}, {n}_row.valid}}", prim_name(t))),
                }
                if rule == NullRule::ResultIsNull {
                    guards.push(format!("{n}_row.valid"));
                }
            }
            Cpp::Text => {
                params.push(format!(
                    "const int32_t* {n}_offsets, const uint8_t* {n}_bytes, const uint32_t* {n}_valid"
                ));
                args.push(format!("rw::load_text({n}_offsets, {n}_bytes, {n}_valid, row)"));
            }
            _ => {
                return Err(Refusal::new(
                    p.span,
                    format!("a parameter of type {} has no column", p.ty),
                ));
            }
        }
    }
    params.extend(result_params(ret, entry.span)?);
    params.push("int32_t* error, int64_t rows".into());
    let mut inner = loads;
    let call = format!("{}({})", function_name(program, program.entry), args.join(", "));
    let (value, valid) = match ret {
        Cpp::Prim(_) => ("result", "true"),
        Cpp::Text => ("result", "!result.is_null()"),
        _ => ("result.value", "result.valid"),
    };
    let mut run = Lines::default();
    run.push(Some(entry.span), format!("const {} result = {call};", ret.name()));
    run.push(None, "if (cx.error != rw::kNone) error[row] = cx.error;");
    run.push(None, format!("valid = cx.error == rw::kNone && {valid};"));
    match ret {
        Cpp::Text | Cpp::MaybeText => {
            run.push(
                None,
                format!("rw::store_text(out_sizes, out_offsets, out_bytes, row, {value}, valid);"),
            );
        }
        _ => run.push(None, format!("out[row] = {value};")),
    }
    if guards.is_empty() {
        inner.append(run);
    } else {
        inner.push(None, format!("if ({}) {{", guards.join(" && ")));
        inner.nest(run);
        if matches!(ret, Cpp::Text | Cpp::MaybeText) {
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
    Ok(assemble(name, &params, inner, scratch))
}

fn assemble(name: &str, params: &[String], inner: Lines, scratch: bool) -> Lines {
    let mut body = Lines::default();
    body.push(None, "const int64_t row = rw::row_index();");
    body.push(None, "bool valid = false;");
    body.push(None, "if (row < rows) {");
    let mut guarded = Lines::default();
    guarded.push(None, "rw::Row cx;");
    if scratch {
        guarded.push(None, format!("uint8_t scratch[{SCRATCH}];"));
        guarded.push(None, "cx.scratch = scratch;");
        guarded.push(None, format!("cx.scratch_left = {SCRATCH};"));
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

/// How a column stores a primitive; booleans are handed over as a byte each.
fn storage(p: Prim, span: Span) -> Understood<&'static str> {
    match p {
        Prim::Boolean => Ok("uint8_t"),
        Prim::Char => Err(Refusal::new(span, "Spark has no column type for Char")),
        other => Ok(prim_name(other)),
    }
}

fn result_params(ret: Cpp, span: Span) -> Understood<Vec<String>> {
    Ok(match ret {
        Cpp::Prim(p) | Cpp::Maybe(p) => vec![format!("{}* out, uint32_t* out_valid", storage(p, span)?)],
        Cpp::Text | Cpp::MaybeText => {
            vec!["int32_t* out_sizes, const int32_t* out_offsets, uint8_t* out_bytes, uint32_t* out_valid".into()]
        }
        Cpp::Void | Cpp::Builder => return Err(Refusal::new(span, "the result has no column type")),
    })
}
