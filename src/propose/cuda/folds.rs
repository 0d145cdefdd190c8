//! Folds: `foldLeft`, `reduce`, `max`, `min`, `maxBy`, `minBy`, `sum`, `product`. In: what is walked and the function; out: a loop over
//! one variable.

use super::emit::Emit;
use super::types::Cpp;
use crate::lang::ast::*;
use crate::lang::ty::Prim;
use crate::source::{Refusal, Span, Understood};

impl<'p> Emit<'p> {
    pub(super) fn folding(&mut self, recv: &'p Expr, zero: &'p Expr, f: &'p Expr, e: &'p Expr) -> Understood<String> {
        let ty = self.value_type(e)?;
        let start = self.branch(zero, &ty)?;
        let result = self.temp();
        self.line(format!("{} {result} = {start};", ty.name()));
        self.walk(recv, &mut |s, item, of| {
            let args = [(result.clone(), ty.clone()), (item.to_owned(), of.clone())];
            let value = s.lambda(f, &args, Some(&ty))?;
            if !value.is_empty() {
                s.line(format!("{result} = {value};"));
            }
            Ok(())
        })?;
        Ok(result)
    }

    /// `reduce`, `max`, `min`: the first element stands until a better one comes.
    pub(super) fn reducing(
        &mut self,
        recv: &'p Expr,
        f: Option<&'p Expr>,
        name: &str,
        e: &'p Expr,
    ) -> Understood<String> {
        let ty = self.value_type(e)?;
        let (result, any) = (self.variable(&ty), self.temp());
        self.line(format!("bool {any} = false;"));
        self.walk(recv, &mut |s, item, of| {
            if *of != ty {
                return Err(Refusal::new(
                    e.span,
                    format!("`{name}` that gives a {} is not covered", ty.name()),
                ));
            }
            let (lines, value) = s.apart(|s| match f {
                Some(f) => s.lambda(
                    f,
                    &[(result.clone(), ty.clone()), (item.to_owned(), of.clone())],
                    Some(&ty),
                ),
                None => s.better(name, &result, item, of, e.span),
            })?;
            s.line(format!("if (!{any}) {{"));
            let mut first = super::lines::Lines::default();
            first.push(None, format!("{result} = {item};"));
            first.push(None, format!("{any} = true;"));
            s.lines.nest(first);
            s.line("} else {");
            let mut lines = lines;
            if !value.is_empty() {
                lines.push(None, format!("{result} = {value};"));
            }
            s.lines.nest(lines);
            s.line("}");
            Ok(())
        })?;
        self.line(format!("if (!{any}) row.fail(rw::kUnsupportedOperationException);"));
        self.leave_on_error();
        Ok(result)
    }

    /// The left one stays while it is `>=`, or `<=`.
    fn better(&mut self, name: &str, left: &str, right: &str, of: &Cpp, span: Span) -> Understood<String> {
        let sign = if name.starts_with("max") { ">=" } else { "<=" };
        match of {
            Cpp::Prim(p) if *p != Prim::Boolean => Ok(format!("({left} {sign} {right} ? {left} : {right})")),
            Cpp::Text => {
                let order = self.checked(format!("rw::order(row, {left}, {right})"), span);
                Ok(format!("({order} {sign} 0 ? {left} : {right})"))
            }
            _ => Err(Refusal::new(
                span,
                format!("`{name}` of {} is not covered by the cuda tier", of.name()),
            )),
        }
    }

    pub(super) fn best_by(&mut self, name: &str, recv: &'p Expr, f: &'p Expr, e: &'p Expr) -> Understood<String> {
        let ty = self.value_type(e)?;
        let key = self.gives(f)?;
        if !matches!(key, Cpp::Prim(p) if p != Prim::Boolean) && key != Cpp::Text {
            return Err(Refusal::new(
                f.span,
                format!("`{name}` of {} is not covered by the cuda tier", key.name()),
            ));
        }
        let (result, best, any) = (self.variable(&ty), self.variable(&key), self.temp());
        self.line(format!("bool {any} = false;"));
        self.walk(recv, &mut |s, item, of| {
            if *of != ty {
                return Err(Refusal::new(
                    e.span,
                    format!("`{name}` that gives a {} is not covered", ty.name()),
                ));
            }
            let value = s.lambda(f, &[(item.to_owned(), of.clone())], Some(&key))?;
            let value = s.spill(value, f.span);
            let sign = if name == "maxBy" { ">" } else { "<" };
            let better = match key {
                Cpp::Text => {
                    let order = s.spill(format!("{any} ? rw::order(row, {value}, {best}) : 0"), f.span);
                    s.leave_on_error();
                    format!("{order} {sign} 0")
                }
                _ => format!("{value} {sign} {best}"),
            };
            s.block(None, &format!("if (!{any} || {better})"), |s| {
                s.line(format!("{result} = {item};"));
                s.line(format!("{best} = {value};"));
                s.line(format!("{any} = true;"));
                Ok(())
            })
        })?;
        self.line(format!("if (!{any}) row.fail(rw::kUnsupportedOperationException);"));
        self.leave_on_error();
        Ok(result)
    }

    pub(super) fn summing(&mut self, name: &str, recv: &'p Expr, e: &'p Expr) -> Understood<String> {
        let ty = self.value_type(e)?;
        let Cpp::Prim(p @ (Prim::Int | Prim::Long | Prim::Double | Prim::Float)) = ty else {
            return Err(Refusal::new(
                e.span,
                format!("`{name}` of {} is not covered by the cuda tier", e.ty),
            ));
        };
        let (helper, start) = if name == "sum" { ("add", "0") } else { ("mul", "1") };
        let result = self.temp();
        let t = super::types::prim_name(p);
        self.line(format!("{t} {result} = {start};"));
        self.walk(recv, &mut |s, item, of| {
            if *of != ty {
                return Err(Refusal::new(
                    e.span,
                    format!("`{name}` of {} is not covered by the cuda tier", of.name()),
                ));
            }
            s.line(format!("{result} = rw::{helper}({result}, {item});"));
            Ok(())
        })?;
        Ok(result)
    }
}
