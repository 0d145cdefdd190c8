//! `match` as C++: a chain of tests in a block that is left as soon as a case was taken.

use super::emit::Emit;
use super::types::{Cpp, literal};
use crate::lang::ast::*;
use crate::lang::ty::{Prim, Ty};
use crate::source::{Refusal, Span, Understood};

/// What a value is matched against: its text, its C++ type and its type.
type Held = (String, Cpp, Ty);

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
struct Tests {
    held: Vec<String>,
    binds: Vec<(String, String)>,
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

    /// Adds what must hold for a pattern, and what it binds.
    fn pattern(&mut self, p: &'p Pattern, held: &Held, tests: &mut Tests) -> Understood<()> {
        let (value, of, ty) = held;
        match &p.kind {
            PatternKind::Wildcard => Ok(()),
            PatternKind::Bind(local, inner) => {
                let slot = local.0 as usize;
                if Cpp::of(self.local_type(slot), p.span)? != *of {
                    return Err(uncovered(p));
                }
                tests.binds.push((self.local_name(slot), value.clone()));
                inner.iter().try_for_each(|i| self.pattern(i, held, tests))
            }
            // An option is an object itself.
            PatternKind::Lit(Lit::Null) if matches!(ty, Ty::Option(_)) => {
                tests.held.push("false".into());
                Ok(())
            }
            PatternKind::Lit(lit) => {
                tests.held.push(literal_test(lit, value, of, p.span)?);
                Ok(())
            }
            PatternKind::Value(e) => {
                let other = self.expr(e)?;
                match of {
                    Cpp::Prim(_) => tests.held.push(format!("{value} == {other}")),
                    Cpp::Text => tests.held.push(format!("rw::same_text({value}, {other})")),
                    _ => return Err(Refusal::new(p.span, "this comparison is not covered by the cuda tier")),
                }
                Ok(())
            }
            PatternKind::Typed(wanted) => {
                // Only the static type, or its box: null has none.
                if wanted != ty && Cpp::of(wanted, p.span)? != *of {
                    return Err(uncovered(p));
                }
                match of {
                    Cpp::Prim(_) | Cpp::Tuple(_) | Cpp::Void => {}
                    Cpp::Maybe(_) if matches!(ty, Ty::Option(_)) => {}
                    _ => tests.held.push(format!("!{value}.is_null()")),
                }
                Ok(())
            }
            PatternKind::Alternative(all) => {
                let mut any = Vec::new();
                for one in all {
                    let mut inner = Tests::default();
                    self.pattern(one, held, &mut inner)?;
                    any.push(match inner.held.is_empty() {
                        true => "true".into(),
                        false => inner.held.join(" && "),
                    });
                }
                tests.held.push(format!("({})", any.join(" || ")));
                Ok(())
            }
            PatternKind::Tuple(items) => {
                let (Cpp::Tuple(parts), Ty::Tuple(types)) = (of, ty) else {
                    return Err(uncovered(p));
                };
                for (i, item) in items.iter().enumerate() {
                    let part = (format!("{value}.f{i}"), parts[i].clone(), types[i].clone());
                    self.pattern(item, &part, tests)?;
                }
                Ok(())
            }
            PatternKind::Some(inner) => {
                let (Cpp::Maybe(content), Ty::Option(content_type)) = (of, ty) else {
                    return Err(uncovered(p));
                };
                tests.held.push(format!("{value}.valid"));
                let part = (format!("{value}.value"), (**content).clone(), (**content_type).clone());
                self.pattern(inner, &part, tests)
            }
            PatternKind::None if matches!(of, Cpp::Maybe(_)) => {
                tests.held.push(format!("!{value}.valid"));
                Ok(())
            }
            PatternKind::Wrapper(Wrapper::Success, inner) => {
                let (Cpp::Try(content), Ty::Try(content_type)) = (of, ty) else {
                    return Err(uncovered(p));
                };
                tests.held.push(format!("{value}.error == rw::kNone"));
                let part = (format!("{value}.value"), (**content).clone(), (**content_type).clone());
                self.pattern(inner, &part, tests)
            }
            PatternKind::Wrapper(Wrapper::Failure, inner)
                if matches!(of, Cpp::Try(_))
                    && matches!(inner.kind, PatternKind::Wildcard | PatternKind::Bind(_, None)) =>
            {
                tests.held.push(format!("{value}.error != rw::kNone"));
                Ok(())
            }
            PatternKind::Regex { regex, groups, rest } => self.regex_pattern(p, regex, groups, *rest, held, tests),
            PatternKind::Seq { items, rest, .. } => {
                let rest = match rest.as_deref() {
                    None => None,
                    Some(r) if matches!(r.kind, PatternKind::Wildcard) => Some(()),
                    Some(_) => return Err(uncovered(p)),
                };
                self.items_pattern(p, items, rest.is_some(), held, tests)
            }
            PatternKind::Nil => self.items_pattern(p, &[], false, held, tests),
            _ => Err(uncovered(p)),
        }
    }

    /// `Seq(a, b)`, `Array(a, _*)`: as many elements, each of which matches.
    fn items_pattern(
        &mut self,
        p: &'p Pattern,
        items: &'p [Pattern],
        more: bool,
        held: &Held,
        tests: &mut Tests,
    ) -> Understood<()> {
        let (value, of, ty) = held;
        let (Cpp::Seq(item), Ty::Seq(_, item_type) | Ty::Array(item_type)) = (of, ty) else {
            return Err(uncovered(p));
        };
        let count = items.len();
        let sign = if more { ">=" } else { "==" };
        tests.held.push(format!("!{value}.is_null()"));
        tests.held.push(format!("{value}.size {sign} {count}"));
        for (i, one) in items.iter().enumerate() {
            let part = (format!("{value}.items[{i}]"), (**item).clone(), (**item_type).clone());
            self.pattern(one, &part, tests)?;
        }
        Ok(())
    }

    /// A regular expression as extractor: the whole text must match; groups that took no part are null.
    fn regex_pattern(
        &mut self,
        p: &'p Pattern,
        regex: &'p Expr,
        groups: &'p [Pattern],
        rest: bool,
        held: &Held,
        tests: &mut Tests,
    ) -> Understood<()> {
        if held.1 != Cpp::Text {
            return Err(uncovered(p));
        }
        let compiled = self.expr(regex)?;
        let (matcher, hit) = (self.variable(&Cpp::Matcher), self.temp());
        // A null does not match; what stands before it in the pattern says whether there is a text at all.
        let mut conditions = tests.held.clone();
        conditions.push(format!("!{}.is_null()", held.0));
        conditions.push(format!("rw::re_extract(row, {matcher}, {compiled}, {})", held.0));
        self.lines
            .push(Some(p.span), format!("const bool {hit} = {};", conditions.join(" && ")));
        self.leave_on_error();
        tests.held.push(hit);
        let sign = if rest { ">=" } else { "==" };
        tests.held.push(format!("{compiled}.groups {sign} {}", groups.len()));
        for (i, group) in groups.iter().enumerate() {
            if matches!(group.kind, PatternKind::Wildcard) {
                continue;
            }
            let text = self.spill(format!("rw::re_group_or_null({matcher}, {})", i + 1), group.span);
            self.pattern(group, &(text, Cpp::Text, Ty::String), tests)?;
        }
        Ok(())
    }
}

fn uncovered(p: &Pattern) -> Refusal {
    Refusal::new(p.span, "this pattern is not covered by the cuda tier")
}

fn literal_test(lit: &Lit, value: &str, of: &Cpp, span: Span) -> Understood<String> {
    Ok(match (lit, of) {
        (Lit::Null, Cpp::Prim(_) | Cpp::Tuple(_) | Cpp::Try(_)) => "false".into(),
        (Lit::Null, _) => format!("{value}.is_null()"),
        (_, Cpp::Prim(_)) => format!("{value} == {}", literal(lit, span)?),
        (_, Cpp::Maybe(inner)) if inner.prim().is_some() => {
            format!("{value}.valid && {value}.value == {}", literal(lit, span)?)
        }
        (Lit::Str(_), Cpp::Text) => format!("rw::same_text({value}, {})", literal(lit, span)?),
        _ => {
            return Err(Refusal::new(
                span,
                "this literal pattern is not covered by the cuda tier",
            ));
        }
    })
}

fn always_matches(p: &Pattern) -> bool {
    match &p.kind {
        PatternKind::Wildcard | PatternKind::Bind(_, None) => true,
        PatternKind::Bind(_, Some(inner)) => always_matches(inner),
        PatternKind::Tuple(items) => items.iter().all(always_matches),
        _ => false,
    }
}
