//! `Option`. In: a row of the library; out: tests of `rw::Maybe` and the bodies of functions where they are called.

use super::calls::uncovered;
use super::emit::Emit;
use super::types::Cpp;
use crate::jvm::table::Method;
use crate::lang::ast::*;
use crate::lang::ty::{Prim, Ty};
use crate::source::{Refusal, Understood};

const BOOL: Cpp = Cpp::Prim(Prim::Boolean);

impl<'p> Emit<'p> {
    /// `Option(x)`, `Some(x)`, `None`, `Success(x)`.
    pub(super) fn option_static(
        &mut self,
        module: &str,
        name: &str,
        args: &'p [Expr],
        e: &'p Expr,
    ) -> Understood<String> {
        let ty = Cpp::of(&e.ty, e.span);
        if args.is_empty() {
            // The type of `None` is often known only where it is used.
            return Ok(match ty {
                Ok(ty) if !ty.is_open() => format!("{}{{}}", ty.name()),
                _ => "{}".into(),
            });
        }
        let (ty, arg) = (ty?, &args[0]);
        let inner = match &ty {
            Cpp::Maybe(inner) => (**inner).clone(),
            Cpp::Try(inner) if module == "Success" => {
                let value = self.branch(arg, inner)?;
                return Ok(format!("{}{{{value}, rw::kNone}}", ty.name()));
            }
            _ => {
                return Err(Refusal::new(
                    e.span,
                    format!("a {} is not covered by the cuda tier", e.ty),
                ));
            }
        };
        let of_nullable = matches!((module, name), ("Option", _) | ("Optional", "ofNullable"));
        if of_nullable && super::values::is_null(arg) {
            return Ok(format!("{}{{}}", ty.name()));
        }
        let got = self.cpp(arg)?;
        let value = match got == inner {
            true => self.branch(arg, &inner)?,
            // A box as what it holds.
            false if got == ty && !matches!(arg.ty, Ty::Option(_)) && of_nullable => return self.expr(arg),
            false => {
                let value = self.expr(arg)?;
                self.fits(value, &got, &inner, arg.span)?
            }
        };
        let never_null =
            inner.prim().is_some() || matches!(inner, Cpp::Tuple(_) | Cpp::Try(_)) || matches!(arg.ty, Ty::Option(_));
        if !of_nullable || never_null {
            return Ok(format!("{}{{{value}, true}}", ty.name()));
        }
        let t = self.spill(value, arg.span);
        Ok(format!("{}{{{t}, !{t}.is_null()}}", ty.name()))
    }

    pub(super) fn option_call(
        &mut self,
        method: &'static Method,
        recv: &'p Expr,
        args: &'p [Expr],
        e: &'p Expr,
    ) -> Understood<String> {
        let Cpp::Maybe(inner) = self.cpp(recv)? else {
            return Err(uncovered(method, e.span));
        };
        let inner = *inner;
        let value = self.expr(recv)?;
        let option = self.spill(value, recv.span);
        let held = (format!("{option}.value"), inner.clone());
        let present = format!("if ({option}.valid)");
        match (method.name, args) {
            ("isDefined" | "nonEmpty" | "isPresent", []) => Ok(format!("{option}.valid")),
            ("isEmpty", []) => Ok(format!("(!{option}.valid)")),
            ("size", []) => Ok(format!("({option}.valid ? 1 : 0)")),
            ("get" | "orElseThrow", []) => {
                self.line(format!("if (!{option}.valid) row.fail(rw::kNoSuchElementException);"));
                self.leave_on_error();
                Ok(format!("{option}.value"))
            }
            ("orNull", []) => {
                let ty = Cpp::of(&e.ty, e.span)?;
                let null = ty.null().ok_or_else(|| uncovered(method, e.span))?;
                let value = self.fits(held.0, &inner, &ty, e.span)?;
                Ok(format!("({option}.valid ? {value} : {null})"))
            }
            ("getOrElse" | "orElse", [other]) => {
                let ty = Cpp::of(&e.ty, e.span)?;
                let (own, own_type) = match method.name {
                    // `orElse` of java.util.Optional gives the value.
                    "orElse" if matches!(e.ty, Ty::Option(_)) => (option.clone(), Cpp::Maybe(Box::new(inner))),
                    _ => held,
                };
                let own = self.fits(own, &own_type, &ty, recv.span)?;
                let result = self.temp();
                self.line(format!("{} {result} = {own};", ty.name()));
                self.block(Some(other.span), &format!("if (!{option}.valid)"), |s| {
                    let value = s.thunk(other, &ty)?;
                    if !value.is_empty() {
                        s.line(format!("{result} = {value};"));
                    }
                    Ok(())
                })?;
                Ok(result)
            }
            ("map" | "flatMap", [f]) => {
                let ty = Cpp::of(&e.ty, e.span)?;
                let Cpp::Maybe(content) = &ty else {
                    return Err(uncovered(method, e.span));
                };
                let wanted = if method.name == "map" {
                    (**content).clone()
                } else {
                    ty.clone()
                };
                let result = self.variable(&ty);
                self.block(Some(f.span), &present, |s| {
                    let value = s.lambda(f, &[held], Some(&wanted))?;
                    if value.is_empty() {
                        return Ok(());
                    }
                    match method.name {
                        // Java's Optional has no null inside.
                        "map" if s.program.dialect == Dialect::Java && wanted.null().is_some() => {
                            let t = s.spill(value, f.span);
                            s.line(format!("{result} = {}{{{t}, !{t}.is_null()}};", ty.name()));
                        }
                        "map" => s.line(format!("{result} = {}{{{value}, true}};", ty.name())),
                        _ => s.line(format!("{result} = {value};")),
                    }
                    Ok(())
                })?;
                Ok(result)
            }
            ("filter" | "withFilter" | "filterNot", [f]) => {
                let result = self.variable(&Cpp::Maybe(Box::new(inner)));
                self.block(Some(f.span), &present, |s| {
                    let value = s.lambda(f, &[held], Some(&BOOL))?;
                    let not = if method.name == "filterNot" { "!" } else { "" };
                    s.line(format!("if ({not}{value}) {result} = {option};"));
                    Ok(())
                })?;
                Ok(result)
            }
            ("exists" | "forall", [f]) => {
                let start = method.name == "forall";
                let result = self.temp();
                self.line(format!("bool {result} = {start};"));
                self.block(Some(f.span), &present, |s| {
                    let value = s.lambda(f, &[held], Some(&BOOL))?;
                    s.line(format!("{result} = {value};"));
                    Ok(())
                })?;
                Ok(result)
            }
            ("contains", [other]) => {
                let other = super::slots::unboxed(other);
                if self.cpp(other)? != inner || !inner.comparable() {
                    return Err(uncovered(method, e.span));
                }
                let value = self.expr(other)?;
                Ok(format!("({option}.valid && rw::same({option}.value, {value}))"))
            }
            ("fold", [none, some]) => {
                let ty = Cpp::of(&e.ty, e.span)?;
                let result = self.variable(&ty);
                let branch = |s: &mut Self, head: &str, f: &dyn Fn(&mut Self) -> Understood<String>| {
                    s.block(None, head, |s| {
                        let value = f(s)?;
                        if !value.is_empty() {
                            s.line(format!("{result} = {value};"));
                        }
                        Ok(())
                    })
                };
                branch(self, &present, &|s| {
                    s.lambda(some, std::slice::from_ref(&held), Some(&ty))
                })?;
                branch(self, "else", &|s| s.thunk(none, &ty))?;
                Ok(result)
            }
            ("collect", [f]) => {
                let ty = Cpp::of(&e.ty, e.span)?;
                let Cpp::Maybe(content) = &ty else {
                    return Err(uncovered(method, e.span));
                };
                let result = self.variable(&ty);
                self.block(Some(f.span), &present, |s| {
                    let (value, hit) = s.match_partial(f, &held.0, &held.1, content)?;
                    s.line(format!("if ({hit}) {result} = {}{{{value}, true}};", ty.name()));
                    Ok(())
                })?;
                Ok(result)
            }
            ("flatten", []) if matches!(inner, Cpp::Maybe(_)) => {
                Ok(format!("({option}.valid ? {option}.value : {}{{}})", inner.name()))
            }
            _ => self.walked_call(method, recv, args, e),
        }
    }
}
