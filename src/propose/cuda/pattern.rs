//! Patterns of a match. In: a pattern and what it is matched against; out: tests, and what is bound where they hold.

use super::emit::Emit;
use super::matching::{Held, Tests};
use super::types::{Cpp, literal};
use crate::lang::ast::*;
use crate::lang::ty::Ty;
use crate::source::{Refusal, Span, Understood};

impl<'p> Emit<'p> {
    /// Adds what must hold for a pattern, and what it binds.
    pub(super) fn pattern(&mut self, p: &'p Pattern, held: &Held, tests: &mut Tests) -> Understood<()> {
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
