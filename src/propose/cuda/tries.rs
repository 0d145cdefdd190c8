//! `try`, `scala.util.Try` and what is caught. In: a body and cases by class; out: a closure that an error leaves, and tests of the
//! row's error code. A row that is not covered is never caught.

use super::codes::classes;
use super::emit::Emit;
use super::loops::Open;
use super::types::Cpp;
use crate::jvm::exceptions::is_subclass;
use crate::lang::ast::*;
use crate::lang::ty::Ty;
use crate::source::{Refusal, Span, Understood};

impl<'p> Emit<'p> {
    /// `try` with catch cases by class: the first case that names the error's class, or one above it, takes it.
    pub fn try_value(&mut self, body: &'p Expr, catches: &'p [Case], e: &'p Expr) -> Understood<String> {
        let ty = self.value_type(e)?;
        self.try_as(body, catches, &ty)
    }

    /// The same with a result of this type; `Void` drops it.
    pub(super) fn try_as(&mut self, body: &'p Expr, catches: &'p [Case], ty: &Cpp) -> Understood<String> {
        let result = self.closure(body, ty)?;
        if catches.is_empty() {
            self.leave_on_error();
            return Ok(result);
        }
        // One error is caught once: what a handler throws is none for the cases behind it.
        let code = self.temp();
        self.line(format!("const int32_t {code} = row.error;"));
        let mut head = "if".to_owned();
        for case in catches {
            self.catch(case, ty, &result, &code, &head)?;
            head = "} else if".into();
        }
        self.line("}");
        self.leave_on_error();
        Ok(result)
    }

    /// A body as a closure that is called at once; the variable with its value.
    pub(super) fn closure(&mut self, body: &'p Expr, ty: &Cpp) -> Understood<String> {
        let whole = self.open.iter().any(|o| matches!(o, Open::Closure { .. }));
        let returns = match (whole, self.function) {
            (true, Some(f)) => Cpp::of(&self.program.functions[f.0 as usize].ret, body.span)?,
            _ => self.ret.clone(),
        };
        let left_name = self.temp();
        let outer = std::mem::replace(&mut self.ret, ty.clone());
        self.open.push(Open::Closure {
            result: left_name.clone(),
            left: false,
        });
        let attempt = self.apart(|s| match ty {
            Cpp::Void => s.statement(body).map(|()| String::new()),
            _ => s.branch(body, ty),
        });
        let left = matches!(self.open.pop(), Some(Open::Closure { left: true, .. }));
        self.ret = outer;
        let (mut inside, value) = attempt?;
        match value.is_empty() {
            false => inside.push(Some(body.span), format!("return {value};")),
            true => inside.push(None, ty.bail()),
        }
        if left {
            if returns != Cpp::Void {
                self.line(format!("{} {left_name}{{}};", returns.name()));
            }
            self.line(format!("bool {left_name}_left = false;"));
        }
        let result = self.temp();
        let head = match ty {
            Cpp::Void => "[&]() {".to_owned(),
            _ => format!("auto {result} = [&]() -> {} {{", ty.name()),
        };
        self.lines.push(Some(body.span), head);
        self.lines.nest(inside);
        self.lines.push(None, "}();");
        if left {
            let (lines, ()) = self.apart(|s| {
                let value = if returns == Cpp::Void {
                    String::new()
                } else {
                    left_name.clone()
                };
                s.leave_with(&value, None);
                Ok(())
            })?;
            self.line(format!("if ({left_name}_left) {{"));
            self.lines.nest(lines);
            self.line("}");
        }
        Ok(if *ty == Cpp::Void { String::new() } else { result })
    }

    fn catch(&mut self, case: &'p Case, ty: &Cpp, result: &str, code: &str, head: &str) -> Understood<()> {
        if case.guard.is_some() {
            return Err(Refusal::new(
                case.span,
                "a guarded catch is not covered by the cuda tier",
            ));
        }
        let test = catch_test(&case.pattern, code)?;
        // While the handler runs the row has no error; what the handler throws is a new one.
        let (mut inside, value) = self.apart(|s| {
            s.lines.push(None, "row.error = rw::kNone;");
            match ty {
                Cpp::Void => s.statement(&case.body).map(|()| String::new()),
                _ if rethrows(case) => {
                    s.line(format!("row.error = {code};"));
                    Ok(String::new())
                }
                _ => s.branch(&case.body, ty),
            }
        })?;
        if !value.is_empty() {
            inside.push(Some(case.body.span), format!("{result} = {value};"));
        }
        self.lines.push(Some(case.pattern.span), format!("{head} ({test}) {{"));
        self.lines.nest(inside);
        Ok(())
    }

    /// `Try(…)`: what fails becomes a value.
    pub(super) fn attempt(&mut self, body: &'p Expr, ty: &Cpp, span: Span) -> Understood<String> {
        let Cpp::Try(inner) = ty else {
            return Err(Refusal::new(span, "this Try is not covered by the cuda tier"));
        };
        let value = self.closure(body, inner)?;
        let result = self.temp();
        self.lines
            .push(Some(span), format!("{} {result}{{{value}, row.error}};", ty.name()));
        self.line(format!("if ({result}.error != rw::kNotCovered) row.error = rw::kNone;"));
        self.leave_on_error();
        Ok(result)
    }

    /// Methods of a `Try`.
    pub(super) fn try_call(&mut self, name: &str, recv: &'p Expr, args: &'p [Expr], e: &'p Expr) -> Understood<String> {
        let of = self.cpp(recv)?;
        let Cpp::Try(inner) = &of else {
            return Err(Refusal::new(recv.span, "this Try is not covered by the cuda tier"));
        };
        let value = self.expr(recv)?;
        let t = self.spill(value, recv.span);
        let good = format!("{t}.error == rw::kNone");
        match (name, args) {
            ("isSuccess", []) => Ok(format!("({good})")),
            ("isFailure", []) => Ok(format!("(!({good}))")),
            ("toOption", []) => Ok(format!("rw::Maybe<{}>{{{t}.value, {good}}}", inner.name())),
            ("get", []) => {
                self.line(format!("if (!({good})) row.fail({t}.error);"));
                self.leave_on_error();
                Ok(format!("{t}.value"))
            }
            ("getOrElse" | "orElse", [other]) => {
                let ty = Cpp::of(&e.ty, e.span)?;
                let result = self.variable(&ty);
                let held = if name == "orElse" {
                    t.clone()
                } else {
                    format!("{t}.value")
                };
                let held = self.fits(held, if name == "orElse" { &of } else { inner }, &ty, recv.span)?;
                self.line(format!("{result} = {held};"));
                self.block(Some(other.span), &format!("if (!({good}))"), |s| {
                    let value = s.thunk(other, &ty)?;
                    if !value.is_empty() {
                        s.line(format!("{result} = {value};"));
                    }
                    Ok(())
                })?;
                Ok(result)
            }
            _ => Err(Refusal::new(
                e.span,
                format!("`{name}` of a Try is not covered by the cuda tier"),
            )),
        }
    }
}

/// Whether a handler throws what it caught.
fn rethrows(case: &Case) -> bool {
    let PatternKind::Bind(local, _) = &case.pattern.kind else {
        return false;
    };
    matches!(&super::slots::bare(&case.body).kind, ExprKind::Throw(what) if matches!(&super::slots::bare(what).kind, ExprKind::Local(id) if id == local))
}

/// The codes that a catch pattern takes.
fn catch_test(p: &Pattern, code: &str) -> Understood<String> {
    match &p.kind {
        PatternKind::Wildcard | PatternKind::Bind(_, None) | PatternKind::NonFatal(_) => {
            Ok(format!("{code} != rw::kNone && {code} != rw::kNotCovered"))
        }
        PatternKind::Bind(_, Some(inner)) => catch_test(inner, code),
        PatternKind::Typed(Ty::Class(class)) => {
            let codes: Vec<String> = classes()
                .filter(|c| is_subclass(c, class))
                .map(|known| format!("{code} == rw::k{known}"))
                .collect();
            Ok(if codes.is_empty() {
                "false".into()
            } else {
                codes.join(" || ")
            })
        }
        PatternKind::Alternative(all) => {
            let each: Understood<Vec<String>> = all.iter().map(|p| catch_test(p, code)).collect();
            Ok(each?.join(" || "))
        }
        _ => Err(Refusal::new(
            p.span,
            "this catch pattern is not covered by the cuda tier",
        )),
    }
}
