//! `match` and `try` as C++: a chain of tests in a block that is left as soon as a case was taken.

use super::emit::Emit;
use super::statements::error_code;
use super::types::{Cpp, literal};
use crate::jvm::exceptions::is_subclass;
use crate::lang::ast::*;
use crate::lang::ty::Ty;
use crate::source::{Refusal, Span, Understood};

impl<'p> Emit<'p> {
    /// The type of a slot.
    pub fn local_type(&self, slot: usize) -> Ty {
        self.locals()[slot].ty.clone()
    }

    /// A pattern match; its value is in the variable that is returned (empty for `Unit`).
    pub fn match_value(&mut self, scrutinee: &'p Expr, cases: &'p [Case], e: &'p Expr) -> Understood<String> {
        let ty = Cpp::of(&e.ty, e.span)?;
        // A tuple is only made to be taken apart again: its parts are matched one by one.
        let parts: Vec<&'p Expr> = match &scrutinee.kind {
            ExprKind::Tuple(items) => items.iter().collect(),
            _ => vec![scrutinee],
        };
        let values = self.operands(parts.iter().copied())?;
        let values: Vec<(String, Ty)> = values
            .into_iter()
            .zip(&parts)
            .map(|(v, p)| (self.spill(v, p.span), p.ty.clone()))
            .collect();
        let result = self.temp();
        if ty != Cpp::Void {
            self.lines.push(None, format!("{} {result}{{}};", ty.name()));
        }
        let (inside, ()) = self.apart(|s| {
            for case in cases {
                s.case(case, &values, ty, &result)?;
            }
            if !cases.iter().any(|c| c.guard.is_none() && always_matches(&c.pattern)) {
                s.lines.push(Some(e.span), "row.fail(rw::kMatchError);");
                let bail = s.ret.bail();
                s.lines.push(None, bail);
            }
            Ok(())
        })?;
        self.lines.push(Some(scrutinee.span), "do {");
        self.lines.nest(inside);
        self.lines.push(None, "} while (false);");
        Ok(if ty == Cpp::Void { String::new() } else { result })
    }

    fn case(&mut self, case: &'p Case, values: &[(String, Ty)], ty: Cpp, result: &str) -> Understood<()> {
        if crate::propose::cuda::statements::breaks(&case.body) {
            return Err(Refusal::new(
                case.span,
                "`break` inside a case is not covered by the cuda tier",
            ));
        }
        let mut test = Vec::new();
        let mut binds = Vec::new();
        match (&case.pattern.kind, values) {
            (PatternKind::Tuple(items), _) if items.len() == values.len() => {
                for (item, (value, of)) in items.iter().zip(values) {
                    self.pattern(item, value, of, &mut test, &mut binds)?;
                }
            }
            (_, [(value, of)]) => self.pattern(&case.pattern, value, of, &mut test, &mut binds)?,
            (PatternKind::Wildcard, _) => {}
            _ => {
                return Err(Refusal::new(
                    case.pattern.span,
                    "this pattern on a tuple is not covered by the cuda tier",
                ));
            }
        }
        let (inside, ()) = self.apart(|s| {
            binds
                .into_iter()
                .for_each(|(name, value)| s.lines.push(None, format!("{name} = {value};")));
            let take = |s: &mut Self| {
                let (mut lines, value) = s.apart(|s| match ty {
                    Cpp::Void => s.statement(&case.body).map(|()| String::new()),
                    _ => s.branch(&case.body, ty),
                })?;
                if !value.is_empty() {
                    lines.push(Some(case.body.span), format!("{result} = {value};"));
                }
                lines.push(None, "break;");
                Ok(lines)
            };
            match &case.guard {
                None => {
                    let lines = take(s)?;
                    s.lines.append(lines);
                }
                Some(guard) => {
                    let held = s.expr(guard)?;
                    let lines = take(s)?;
                    s.lines.push(Some(guard.span), format!("if ({held}) {{"));
                    s.lines.nest(lines);
                    s.lines.push(None, "}");
                }
            }
            Ok(())
        })?;
        let head = if test.is_empty() {
            "{".to_owned()
        } else {
            format!("if ({}) {{", test.join(" && "))
        };
        self.lines.push(Some(case.pattern.span), head);
        self.lines.nest(inside);
        self.lines.push(None, "}");
        Ok(())
    }

    /// Adds what must hold for a pattern, and what it binds.
    fn pattern(
        &mut self,
        p: &'p Pattern,
        value: &str,
        of: &Ty,
        test: &mut Vec<String>,
        binds: &mut Vec<(String, String)>,
    ) -> Understood<()> {
        match &p.kind {
            PatternKind::Wildcard => Ok(()),
            PatternKind::Bind(local, inner) => {
                binds.push((self.local_name(local.0 as usize), value.to_owned()));
                inner.iter().try_for_each(|i| self.pattern(i, value, of, test, binds))
            }
            PatternKind::Lit(lit) => {
                test.push(self.literal_test(lit, value, of, p.span)?);
                Ok(())
            }
            PatternKind::Value(e) => {
                let other = self.expr(e)?;
                match Cpp::of(of, p.span)? {
                    Cpp::Prim(_) => test.push(format!("{value} == {other}")),
                    Cpp::Text => test.push(format!("rw::same_text({value}, {other})")),
                    _ => return Err(Refusal::new(p.span, "this comparison is not covered by the cuda tier")),
                }
                Ok(())
            }
            PatternKind::Typed(_) => {
                match Cpp::of(of, p.span)? {
                    Cpp::Text => test.push(format!("!{value}.is_null()")),
                    Cpp::Maybe(_) => test.push(format!("{value}.valid")),
                    _ => {}
                }
                Ok(())
            }
            PatternKind::Alternative(all) => {
                let mut any = Vec::new();
                for one in all {
                    let (mut inner, mut none) = (Vec::new(), Vec::new());
                    self.pattern(one, value, of, &mut inner, &mut none)?;
                    any.push(if inner.is_empty() {
                        "true".into()
                    } else {
                        inner.join(" && ")
                    });
                }
                test.push(format!("({})", any.join(" || ")));
                Ok(())
            }
            PatternKind::Some(inner) => {
                test.push(format!("{value}.valid"));
                let content = match of {
                    Ty::Option(content) => content.as_ref().clone(),
                    other => other.clone(),
                };
                let held = super::calls::content(value, Cpp::of(&content, p.span)?);
                self.pattern(inner, &held, &content, test, binds)
            }
            PatternKind::None => {
                test.push(format!("!{value}.valid"));
                Ok(())
            }
            _ => Err(Refusal::new(p.span, "this pattern is not covered by the cuda tier")),
        }
    }

    fn literal_test(&self, lit: &Lit, value: &str, of: &Ty, span: Span) -> Understood<String> {
        let ty = Cpp::of(of, span)?;
        Ok(match (lit, ty) {
            (Lit::Null, Cpp::Text) => format!("{value}.is_null()"),
            (Lit::Null, Cpp::Maybe(_) | Cpp::MaybeText) => format!("!{value}.valid"),
            (Lit::Null, _) => "false".into(),
            (_, Cpp::Prim(_)) => format!("{value} == {}", literal(lit, span)?),
            (_, Cpp::Maybe(_)) => format!("{value}.valid && {value}.value == {}", literal(lit, span)?),
            (_, Cpp::Text) => format!("rw::same_text({value}, {})", literal(lit, span)?),
            _ => {
                return Err(Refusal::new(
                    span,
                    "this literal pattern is not covered by the cuda tier",
                ));
            }
        })
    }

    /// `try` with catch cases by class: the body is a closure that an error leaves; the first case that names the
    /// error's class, or one above it, takes it.
    pub fn try_value(&mut self, body: &'p Expr, catches: &'p [Case], e: &'p Expr) -> Understood<String> {
        let ty = Cpp::of(&e.ty, e.span)?;
        if ty == Cpp::Void {
            return Err(Refusal::new(
                e.span,
                "a `try` without a value is not covered by the cuda tier",
            ));
        }
        let outer = std::mem::replace(&mut self.ret, ty);
        self.in_try += 1;
        let attempt = self.apart(|s| s.branch(body, ty));
        self.in_try -= 1;
        self.ret = outer;
        let (mut inside, value) = attempt?;
        if !value.is_empty() {
            inside.push(Some(body.span), format!("return {value};"));
        } else {
            inside.push(None, ty.bail());
        }
        let result = self.temp();
        self.lines
            .push(Some(body.span), format!("auto {result} = [&]() -> {} {{", ty.name()));
        self.lines.nest(inside);
        self.lines.push(None, "}();");
        for case in catches {
            self.catch(case, ty, &result)?;
        }
        self.leave_on_error();
        Ok(result)
    }

    fn catch(&mut self, case: &'p Case, ty: Cpp, result: &str) -> Understood<()> {
        if case.guard.is_some() {
            return Err(Refusal::new(
                case.span,
                "a guarded catch is not covered by the cuda tier",
            ));
        }
        let test = catch_test(&case.pattern)?;
        // While the handler runs the row has no error; what the handler throws is a new one.
        let (mut inside, value) = self.apart(|s| {
            s.lines.push(None, "row.error = rw::kNone;");
            s.branch(&case.body, ty)
        })?;
        if !value.is_empty() {
            inside.push(Some(case.body.span), format!("{result} = {value};"));
        }
        self.lines.push(Some(case.pattern.span), format!("if ({test}) {{"));
        self.lines.nest(inside);
        self.lines.push(None, "}");
        Ok(())
    }
}

/// The codes that a catch pattern takes. A row that is not covered is never caught.
fn catch_test(p: &Pattern) -> Understood<String> {
    match &p.kind {
        PatternKind::Wildcard | PatternKind::NonFatal(_) => {
            Ok("row.error != rw::kNone && row.error != rw::kNotCovered".into())
        }
        PatternKind::Bind(_, Some(inner)) => catch_test(inner),
        PatternKind::Typed(Ty::Class(class)) => {
            let codes: Vec<String> = [
                "NullPointerException",
                "ArithmeticException",
                "StringIndexOutOfBoundsException",
                "ArrayIndexOutOfBoundsException",
                "NumberFormatException",
                "MatchError",
                "IllegalArgumentException",
                "NoSuchElementException",
                "RuntimeException",
                "IllegalStateException",
                "UnsupportedOperationException",
                "NegativeArraySizeException",
                "IndexOutOfBoundsException",
                "Exception",
            ]
            .into_iter()
            .filter(|c| is_subclass(c, class))
            .filter_map(error_code)
            .map(|code| format!("row.error == rw::{code}"))
            .collect();
            Ok(if codes.is_empty() {
                "false".into()
            } else {
                codes.join(" || ")
            })
        }
        PatternKind::Alternative(all) => {
            let each: Understood<Vec<String>> = all.iter().map(catch_test).collect();
            Ok(each?.join(" || "))
        }
        _ => Err(Refusal::new(
            p.span,
            "this catch pattern is not covered by the cuda tier",
        )),
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
