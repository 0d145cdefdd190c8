//! Function values. In: literals and functions of the program, with C++ texts for their arguments; out: the body where the call
//! stands. A function value is never an object on the device.

use super::emit::{Emit, function_name};
use super::slots::bare;
use super::types::Cpp;
use crate::lang::ast::*;
use crate::lang::ty::Ty;
use crate::source::{Refusal, Span, Understood};

impl<'p> Emit<'p> {
    /// The value of a function for these arguments; empty if it has none.
    pub(super) fn lambda(&mut self, f: &'p Expr, args: &[(String, Cpp)], wanted: Option<&Cpp>) -> Understood<String> {
        let f = bare(f);
        match &f.kind {
            ExprKind::Lambda { params, body } => {
                self.bind(params, args, f.span)?;
                self.body(body, wanted)
            }
            ExprKind::FnRef(func) => {
                let callee = &self.program.functions[func.0 as usize];
                let mut list = vec!["row".to_owned()];
                for ((value, ty), p) in args.iter().zip(&callee.params) {
                    if Cpp::of(&p.ty, p.span)? != *ty {
                        return Err(mismatch(f.span));
                    }
                    list.push(value.clone());
                }
                if callee.params.len() != args.len() || callee.locals.iter().any(|l| l.captured.is_some()) {
                    return Err(mismatch(f.span));
                }
                let call = format!("{}({})", function_name(self.program, *func), list.join(", "));
                let ret = Cpp::of(&callee.ret, f.span)?;
                if ret == Cpp::Void {
                    self.line(format!("{call};"));
                    self.leave_on_error();
                    return Ok(String::new());
                }
                let value = self.checked(call, f.span);
                match wanted {
                    Some(wanted) => self.fits(value, &ret, wanted, f.span),
                    None => Ok(value),
                }
            }
            ExprKind::Local(id) => match self.lambdas.get(&(id.0 as usize)).copied() {
                Some(held) => self.lambda(held, args, wanted),
                None => Err(mismatch(f.span)),
            },
            // A function value of the enclosing object uses nothing of this function.
            ExprKind::Global(id) => match &self.program.globals[id.0 as usize].init.kind {
                ExprKind::FnRef(_) => self.lambda(&self.program.globals[id.0 as usize].init, args, wanted),
                _ => Err(mismatch(f.span)),
            },
            _ => Err(mismatch(f.span)),
        }
    }

    fn bind(&mut self, params: &[LocalId], args: &[(String, Cpp)], span: Span) -> Understood<()> {
        if params.len() != args.len() {
            return Err(mismatch(span));
        }
        for (param, (value, ty)) in params.iter().zip(args) {
            let slot = param.0 as usize;
            match Cpp::of(self.local_type(slot), span) {
                Ok(own) if own == *ty => {
                    let name = self.local_name(slot);
                    if name != *value {
                        self.line(format!("{name} = {value};"));
                    }
                }
                Ok(own) => {
                    return Err(Refusal::new(
                        span,
                        format!(
                            "a parameter of {} that gets {} is not covered by the cuda tier",
                            own.name(),
                            ty.name()
                        ),
                    ));
                }
                Err(refusal) => return Err(refusal),
            }
        }
        Ok(())
    }

    fn body(&mut self, body: &'p Expr, wanted: Option<&Cpp>) -> Understood<String> {
        match wanted {
            Some(Cpp::Void) => self.statement(body).map(|()| String::new()),
            Some(ty) => self.branch(body, ty),
            None if Cpp::of(&body.ty, body.span).is_ok_and(|t| t == Cpp::Void) => {
                self.statement(body).map(|()| String::new())
            }
            None => self.expr(body),
        }
    }

    /// A by-name argument.
    pub(super) fn thunk(&mut self, arg: &'p Expr, ty: &Cpp) -> Understood<String> {
        match &bare(arg).kind {
            ExprKind::Lambda { params, body } if params.is_empty() => self.body(body, Some(ty)),
            _ => self.branch(arg, ty),
        }
    }

    /// What a function literal gives, by its body.
    pub(super) fn gives(&self, f: &Expr) -> Understood<Cpp> {
        let f = bare(f);
        match (&f.kind, &f.ty) {
            (ExprKind::FnRef(func), _) => {
                let callee = &self.program.functions[func.0 as usize];
                Cpp::of(&callee.ret, f.span)
            }
            (ExprKind::Lambda { body, .. }, _) => self.cpp(body),
            (_, Ty::Fn(_, ret)) => Cpp::of(ret, f.span),
            _ => Err(mismatch(f.span)),
        }
    }

    /// A function value applied to arguments.
    pub(super) fn apply(&mut self, func: &'p Expr, args: &'p [Expr], e: &'p Expr) -> Understood<String> {
        let values = self.operands(args)?;
        let mut typed = Vec::new();
        for (value, a) in values.into_iter().zip(args) {
            let ty = self.cpp(a)?;
            typed.push((value, ty));
        }
        let ty = Cpp::of(&e.ty, e.span)?;
        self.lambda(func, &typed, Some(&ty))
    }
}

fn mismatch(span: Span) -> Refusal {
    Refusal::new(span, "this function value is not covered by the cuda tier")
}
