//! Calls of functions of the program, its constants, and operands in their order. In: expressions; out: C++ texts, with what has to
//! run before them as lines.

use super::emit::{Emit, function_name, global_name};
use super::types::Cpp;
use crate::lang::ast::*;
use crate::lang::ty::Ty;
use crate::source::{Refusal, Span, Understood};

impl<'p> Emit<'p> {
    /// A `val` of the enclosing object. Patterns and the like are written where they are used.
    pub(super) fn global(&mut self, id: GlobalId, span: Span) -> Understood<String> {
        let program = self.program;
        let global = &program.globals[id.0 as usize];
        match Cpp::of(&global.ty, span)? {
            Cpp::Regex => self.expr(&global.init),
            ty if ty.stays() => Err(Refusal::new(
                span,
                format!("a {} that rows share is not covered by the cuda tier", global.ty),
            )),
            _ => Ok(self.checked(format!("{}(row)", global_name(global)), span)),
        }
    }

    /// A call of a function of the program. What it closes over goes along by reference.
    pub(super) fn call_function(&mut self, func: FnId, args: &'p [Expr], e: &'p Expr) -> Understood<String> {
        let callee = &self.program.functions[func.0 as usize];
        for (a, p) in args.iter().zip(&callee.params) {
            let wanted = Cpp::of(&p.ty, p.span)?;
            if !super::values::is_null(a) && self.cpp(a)? != wanted && !self.cpp(a)?.is_open() {
                return Err(Refusal::new(
                    a.span,
                    format!(
                        "a value of {} where {} is expected is not covered by the cuda tier",
                        self.cpp(a)?.name(),
                        wanted.name()
                    ),
                ));
            }
        }
        let mut values = Vec::new();
        for (value, p) in self
            .operands_as(args.iter().zip(&callee.params).map(|(a, p)| (a, &p.ty)))?
            .into_iter()
            .zip(&callee.params)
        {
            if Cpp::of(&p.ty, p.span)?.stays() && !super::values::is_variable(&value) {
                return Err(Refusal::new(
                    e.span,
                    "only a variable that holds this object can be passed on",
                ));
            }
            values.push(value);
        }
        let mut list = vec!["row".to_owned()];
        list.append(&mut values);
        for local in callee.locals.iter() {
            if let Some(there) = local.captured {
                list.push(self.captured(callee, there, e.span)?);
            }
        }
        let call = format!("{}({})", function_name(self.program, func), list.join(", "));
        if Cpp::of(&callee.ret, e.span)? == Cpp::Void {
            self.lines.push(Some(e.span), format!("{call};"));
            self.leave_on_error();
            return Ok(String::new());
        }
        Ok(self.checked(call, e.span))
    }

    /// A variable of the function that encloses the callee, as it is called here.
    pub(super) fn captured(&self, callee: &Function, there: LocalId, span: Span) -> Understood<String> {
        if callee.parent == self.function {
            return Ok(self.local_name(there.0 as usize));
        }
        let here = self.function.map(|f| &self.program.functions[f.0 as usize]);
        let shared = here
            .filter(|h| h.parent == callee.parent)
            .and_then(|h| h.locals.iter().position(|l| l.captured == Some(there)));
        match shared {
            Some(slot) => Ok(self.local_name(slot)),
            None => Err(Refusal::new(
                span,
                format!("`{}` closes over what is out of reach here", callee.name),
            )),
        }
    }

    /// Operands from left to right; those before one that needs lines are spilled, so that the order stays.
    pub fn operands(&mut self, args: impl IntoIterator<Item = &'p Expr>) -> Understood<Vec<String>> {
        self.operands_with(args.into_iter().map(|a| (a, None)))
    }

    /// The same for parameters of these types, from which a `null` takes its own.
    pub fn operands_as(&mut self, args: impl IntoIterator<Item = (&'p Expr, &'p Ty)>) -> Understood<Vec<String>> {
        self.operands_with(args.into_iter().map(|(a, t)| (a, Some(t))))
    }

    pub(super) fn operands_with(
        &mut self,
        args: impl Iterator<Item = (&'p Expr, Option<&'p Ty>)>,
    ) -> Understood<Vec<String>> {
        let mut values: Vec<(String, Span, bool)> = Vec::new();
        for (a, ty) in args {
            let (inner, value) = self.apart(|s| match ty {
                Some(ty) if super::values::is_null(a) => s.branch(a, &Cpp::of(ty, a.span)?),
                _ => s.expr(a),
            })?;
            if !inner.is_empty() {
                for (v, span, stays) in &mut values {
                    if !*stays && !super::values::is_simple(v) {
                        *v = self.spill(std::mem::take(v), *span);
                    }
                }
                self.lines.append(inner);
            }
            let stays = self.cpp(a).is_ok_and(|c| c.stays());
            values.push((value, a.span, stays));
        }
        Ok(values.into_iter().map(|(v, ..)| v).collect())
    }
}
