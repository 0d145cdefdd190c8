//! The whole file: includes, constants, helper functions, the row function and the kernel around it.

use std::collections::HashSet;

use super::emit::{Emit, function_name};
use super::entry::wrapper;
use super::lines::Lines;
use super::load::loads;
use super::names::kernel_name;
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
    /// Whether functions call themselves.
    pub recursive: bool,
    /// Whether sequences are built.
    pub roomy: bool,
    /// Whether nothing is built at all.
    pub computes_only: bool,
    /// Regular expressions.
    pub tables: Vec<Table>,
}

/// Writes the file.
pub(super) fn write(source: &SourceFile, udf: &Udf, program: &Program) -> Understood<Written> {
    let mut out = Written {
        lines: Lines::default(),
        inexact: Vec::new(),
        partial: false,
        recursive: false,
        roomy: false,
        computes_only: false,
        tables: Vec::new(),
    };
    let order = call_order(program);
    let mut functions = Lines::default();
    let constants = super::constants::Constants::new(program);
    for global in used_globals(program, &order.all) {
        functions.append(constant(program, global, &constants, &mut out)?);
    }
    let mut bodies = Lines::default();
    for id in &order.all {
        let recursive = order.recursive.contains(id);
        let body = function((source, program), *id, recursive, &constants, &mut out)?;
        // A function that comes back to itself is called before it is defined.
        if recursive && let Some(head) = body.texts().next().and_then(|l| l.strip_suffix(" {")) {
            functions.push(None, format!("{head};"));
            out.partial = true;
            out.recursive = true;
        }
        bodies.append(body);
    }
    functions.append(bodies);
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
    out.computes_only = super::includes::computes_only(&functions);
    let mut body = super::regex::tables(&out.tables);
    body.append(functions);
    body.append(wrapper(program, &name, loads, &out)?);
    for header in super::includes::includes(&body) {
        out.lines.push(None, format!("#include \"{header}\""));
    }
    out.lines.push(None, "");
    out.lines.append(body);
    Ok(out)
}

fn one_line(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}

/// Functions that are called.
#[derive(Default)]
struct Order {
    /// Each stands behind those it calls, where none of them comes back to it.
    all: Vec<FnId>,
    /// Those that come back to themselves other than by a call that ends them.
    recursive: Vec<FnId>,
}

fn call_order(program: &Program) -> Order {
    fn visit(program: &Program, id: FnId, open: &mut Vec<FnId>, order: &mut Order) {
        if let Some(at) = open.iter().position(|f| *f == id) {
            let circle = open[at..].iter().filter(|f| !order.recursive.contains(f));
            let circle: Vec<FnId> = circle.copied().collect();
            order.recursive.extend(circle);
            return;
        }
        if order.all.contains(&id) {
            return;
        }
        let function = &program.functions[id.0 as usize];
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
        called.into_iter().for_each(|f| visit(program, f, open, order));
        open.pop();
        order.all.push(id);
    }
    let mut order = Order::default();
    visit(program, program.entry, &mut Vec::new(), &mut order);
    order
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

/// The declaration of a function.
fn head(program: &Program, id: FnId, emit: &Emit) -> Understood<String> {
    let function = &program.functions[id.0 as usize];
    let ret = Cpp::of(&function.ret, function.span)?;
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
    Ok(format!(
        "__device__ inline {} {}({})",
        ret.name(),
        function_name(program, id),
        params.join(", ")
    ))
}

fn function(
    (source, program): (&SourceFile, &Program),
    id: FnId,
    recursive: bool,
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
    emit.again = super::tail::starts_again(&function.body, id);
    emit.counted = !super::tail::is_loop(program, id, source);
    let head = head(program, id, &emit)?;
    if recursive {
        let bail = ret.bail();
        emit.lines.push(None, format!("if (rw::too_deep(row)) {bail}"));
    }
    emit.declare(function.params.len());
    emit.whole_body(&function.body)?;
    let mut lines = Lines::default();
    lines.push(Some(function.span), format!("{head} {{"));
    lines.nest(emit.take(out));
    lines.push(None, "}");
    lines.push(None, "");
    Ok(lines)
}
