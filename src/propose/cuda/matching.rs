//! `match` as C++: a chain of tests in a block that is left as soon as a case was taken.

use super::emit::Emit;
use super::types::Cpp;
use crate::lang::ast::*;
use crate::lang::ty::{Prim, Ty};
use crate::source::{Refusal, Span, Understood};

/// What a value is matched against: its text, its C++ type and its type.
pub(super) type Held = (String, Cpp, Ty);

/// Where a case puts what it gives.
#[derive(Clone, Copy)]
enum Into<'r> {
    /// Into a variable of a type; `Void` drops it.
    Variable(&'r str, &'r Cpp),
    /// Into a variable, and says so in another one.
    Hit(&'r str, &'r Cpp, &'r str),
    /// Out of the function.
    Tail,
}

/// Tests, what stands in front of them, and what is bound.
#[derive(Default)]
pub(super) struct Tests {
    pub held: Vec<String>,
    pub binds: Vec<(String, String)>,
}

impl<'p> Emit<'p> {
    /// A pattern match; its value is in the variable that is returned (empty for `Unit`).
    pub fn match_value(&mut self, scrutinee: &'p Expr, cases: &'p [Case], e: &'p Expr) -> Understood<String> {
        let ty = self.value_type(e)?;
        self.match_as(scrutinee, cases, &ty, e.span)
    }

    /// The same with a result of this type; `Void` drops it.
    pub(super) fn match_as(
        &mut self,
        scrutinee: &'p Expr,
        cases: &'p [Case],
        ty: &Cpp,
        span: Span,
    ) -> Understood<String> {
        let values = self.scrutinised(scrutinee)?;
        let result = match ty {
            Cpp::Void => String::new(),
            _ => self.variable(ty),
        };
        self.cases(scrutinee, cases, &values, Into::Variable(&result, ty), Some(span))?;
        Ok(result)
    }

    /// A match in tail position, whose cases return.
    pub(super) fn match_tail(&mut self, scrutinee: &'p Expr, cases: &'p [Case], span: Span) -> Understood<()> {
        let values = self.scrutinised(scrutinee)?;
        self.cases(scrutinee, cases, &values, Into::Tail, Some(span))
    }

    /// A function made of cases, applied where it is defined: the variables of its value and of whether it is.
    pub(super) fn match_partial(
        &mut self,
        f: &'p Expr,
        item: &str,
        of: &Cpp,
        ty: &Cpp,
    ) -> Understood<(String, String)> {
        let ExprKind::Lambda { params, body } = &super::slots::bare(f).kind else {
            return Err(Refusal::new(
                f.span,
                "this function value is not covered by the cuda tier",
            ));
        };
        let slot = params.first().map_or(0, |p| p.0 as usize);
        if Cpp::of(self.local_type(slot), f.span)? != *of {
            return Err(Refusal::new(
                f.span,
                "this function value is not covered by the cuda tier",
            ));
        }
        let name = self.local_name(slot);
        self.line(format!("{name} = {item};"));
        let (result, hit) = (self.variable(ty), self.variable(&Cpp::Prim(Prim::Boolean)));
        match &body.kind {
            ExprKind::Match { scrutinee, cases } => {
                let values = self.scrutinised(scrutinee)?;
                self.cases(scrutinee, cases, &values, Into::Hit(&result, ty, &hit), None)?;
            }
            _ => {
                let value = self.branch(body, ty)?;
                self.line(format!("{result} = {value};"));
                self.line(format!("{hit} = true;"));
            }
        }
        Ok((result, hit))
    }

    /// `val (a, b) = e`.
    pub(super) fn let_pattern(&mut self, pattern: &'p Pattern, init: &'p Expr) -> Understood<()> {
        let values = self.scrutinised(init)?;
        let mut tests = Tests::default();
        self.whole_pattern(pattern, &values, &mut tests)?;
        if !tests.held.is_empty() {
            self.line(format!(
                "if (!({})) row.fail(rw::kMatchError);",
                tests.held.join(" && ")
            ));
            self.leave_on_error();
        }
        for (name, value) in tests.binds {
            self.line(format!("{name} = {value};"));
        }
        Ok(())
    }

    fn scrutinised(&mut self, scrutinee: &'p Expr) -> Understood<Vec<Held>> {
        // A tuple is only made to be taken apart again: its parts are matched one by one.
        let scrutinee = super::slots::bare(scrutinee);
        let parts: Vec<&'p Expr> = match &scrutinee.kind {
            ExprKind::Tuple(items) => items.iter().collect(),
            _ => vec![scrutinee],
        };
        let values = self.operands(parts.iter().copied())?;
        let mut held = Vec::new();
        for (value, part) in values.into_iter().zip(parts) {
            let cpp = self.cpp(part)?;
            let ty = match &part.kind {
                ExprKind::Local(id) => self.local_type(id.0 as usize).clone(),
                _ => part.ty.clone(),
            };
            held.push((self.spill(value, part.span), cpp, ty));
        }
        Ok(held)
    }

    fn cases(
        &mut self,
        scrutinee: &'p Expr,
        cases: &'p [Case],
        values: &[Held],
        into: Into<'_>,
        unmatched: Option<Span>,
    ) -> Understood<()> {
        let (inside, ()) = self.apart(|s| {
            for case in cases {
                s.case(case, values, into)?;
            }
            let total = cases.iter().any(|c| c.guard.is_none() && always_matches(&c.pattern));
            if let Some(span) = unmatched.filter(|_| !total) {
                s.fail("kMatchError", Some(span));
            }
            Ok(())
        })?;
        self.lines.push(Some(scrutinee.span), "do {");
        self.lines.nest(inside);
        self.lines.push(None, "} while (false);");
        Ok(())
    }

    fn whole_pattern(&mut self, pattern: &'p Pattern, values: &[Held], tests: &mut Tests) -> Understood<()> {
        match (&pattern.kind, values) {
            (_, [value]) => self.pattern(pattern, value, tests),
            (PatternKind::Tuple(items), _) if items.len() == values.len() => items
                .iter()
                .zip(values)
                .try_for_each(|(item, value)| self.pattern(item, value, tests)),
            (PatternKind::Wildcard, _) => Ok(()),
            _ => Err(Refusal::new(
                pattern.span,
                "this pattern on a tuple is not covered by the cuda tier",
            )),
        }
    }

    fn case(&mut self, case: &'p Case, values: &[Held], into: Into<'_>) -> Understood<()> {
        let mut tests = Tests::default();
        // What a test needs in front of it stands before the case; nothing of it can fail the row.
        self.whole_pattern(&case.pattern, values, &mut tests)?;
        let (inside, ()) = self.apart(|s| {
            for (name, value) in &tests.binds {
                s.line(format!("{name} = {value};"));
            }
            match &case.guard {
                None => s.taken(case, into),
                Some(guard) => {
                    let held = s.expr(guard)?;
                    s.block(Some(guard.span), &format!("if ({held})"), |s| s.taken(case, into))
                }
            }
        })?;
        let head = if tests.held.is_empty() {
            "{".to_owned()
        } else {
            format!("if ({}) {{", tests.held.join(" && "))
        };
        self.lines.push(Some(case.pattern.span), head);
        self.lines.nest(inside);
        self.lines.push(None, "}");
        Ok(())
    }

    fn taken(&mut self, case: &'p Case, into: Into<'_>) -> Understood<()> {
        let span = Some(case.body.span);
        match into {
            Into::Tail => return self.tail(&case.body),
            Into::Variable(_, Cpp::Void) => self.statement(&case.body)?,
            Into::Variable(result, ty) | Into::Hit(result, ty, _) => {
                let value = self.branch(&case.body, ty)?;
                if !value.is_empty() {
                    self.lines.push(span, format!("{result} = {value};"));
                }
            }
        }
        if let Into::Hit(_, _, hit) = into {
            self.line(format!("{hit} = true;"));
        }
        self.line("break;");
        Ok(())
    }
}

fn always_matches(p: &Pattern) -> bool {
    match &p.kind {
        PatternKind::Wildcard | PatternKind::Bind(_, None) => true,
        PatternKind::Bind(_, Some(inner)) => always_matches(inner),
        PatternKind::Tuple(items) => items.iter().all(always_matches),
        _ => false,
    }
}
