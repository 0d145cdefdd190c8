//! `switch`. In: the old form with fall-through and the new one with arrows, as statement or as value; out: a match. A group that
//! falls through is followed by the statements of the next one; breaks from the middle leave a loop of one turn.

use tree_sitter::Node;

use super::convert::{boxed, unboxed};
use super::cst::{field, kids, name_of, span, text};
use super::scope::Outer;
use super::stmts::once;
use super::{Target, TargetKind, Typer, mk, stmt};
use crate::lang::ast::{Case, Expr, ExprKind, Lit, Pattern, PatternKind, Stmt};
use crate::lang::ty::{Prim, Ty};
use crate::source::{Span, Understood};

/// Labels and statements that stand together.
struct Group<'t> {
    labels: Vec<Node<'t>>,
    default: bool,
    body: Vec<Node<'t>>,
    arrow: bool,
    span: Span,
}

/// What a switch is over.
struct Subject<'t> {
    value: Expr,
    /// The enum whose constants are the labels.
    of_enum: Option<Node<'t>>,
    prim: Option<Prim>,
}

impl<'t> Typer<'t> {
    /// A `switch` as a statement.
    pub(super) fn switch_statement(&mut self, n: Node<'t>) -> Understood<Vec<Stmt>> {
        let groups = self.groups(n)?;
        let subject = self.subject(n)?;
        let breaks = groups.iter().any(|g| has_inner_break(g));
        let label = self.fresh_label();
        self.frame().targets.push(Target {
            label: None,
            emitted: label.clone(),
            kind: TargetKind::Switch,
            used: false,
        });
        let before = self.frame().written.clone();
        let made = self.scoped(|t| t.switch_cases(&groups, &subject, breaks, &before));
        self.frame().targets.pop();
        let mut cases = made?;
        if !groups.iter().any(|g| g.default) {
            let nothing = mk(ExprKind::Block(Vec::new(), None), Ty::Unit, span(n));
            cases.push(case(PatternKind::Wildcard, nothing, span(n)));
        }
        self.frame().written = before;
        let kind = ExprKind::Match {
            scrutinee: Box::new(subject.value),
            cases,
        };
        let matched = mk(kind, Ty::Unit, span(n));
        Ok(vec![if breaks { once(matched, label) } else { stmt(matched) }])
    }

    fn switch_cases(
        &mut self,
        groups: &[Group<'t>],
        subject: &Subject<'t>,
        breaks: bool,
        before: &std::collections::BTreeSet<u32>,
    ) -> Understood<Vec<Case>> {
        let mut cases = Vec::new();
        let mut last = Vec::new();
        for (i, g) in groups.iter().enumerate() {
            self.frame().written = before.clone();
            let mut stmts = Vec::new();
            for (j, follower) in groups[i..].iter().enumerate() {
                let (body, ended) = without_break(follower);
                if j > 0 {
                    self.frame().scopes.push(Default::default());
                }
                stmts.extend(self.statements(&body)?);
                if j > 0 {
                    self.frame().scopes.pop();
                }
                if g.arrow || ended || !super::exits::completes(&stmts) {
                    break;
                }
            }
            if breaks && super::exits::completes(&stmts) {
                stmts.push(Stmt::Break(None));
            }
            let body = mk(ExprKind::Block(stmts, None), Ty::Unit, g.span);
            for pattern in self.labels(g, subject)? {
                cases.push(case(pattern, body.clone(), g.span));
            }
            if g.default {
                last.push(case(PatternKind::Wildcard, body, g.span));
            }
        }
        cases.extend(last);
        Ok(cases)
    }

    /// A `switch` as a value.
    pub(super) fn switch_value(&mut self, n: Node<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        let groups = self.groups(n)?;
        if groups.iter().any(|g| !g.arrow) {
            return self.old_switch_value(n, &groups, hint);
        }
        let subject = self.subject(n)?;
        let mut bodies = Vec::new();
        for g in &groups {
            bodies.push(self.scoped(|t| t.arrow_value(g, hint))?);
        }
        self.value_match(n, &groups, subject, bodies, hint)
    }

    fn value_match(
        &mut self,
        n: Node<'t>,
        groups: &[Group<'t>],
        subject: Subject<'t>,
        bodies: Vec<Expr>,
        hint: Option<&Ty>,
    ) -> Understood<Expr> {
        let mut ty: Option<Expr> = None;
        for b in &bodies {
            ty = Some(match ty {
                None => b.clone(),
                Some(a) => {
                    let (_, _, joined) = self.branches(a.clone(), b.clone(), hint, n)?;
                    // Only the type counts from here on.
                    mk(a.kind, joined, a.span)
                }
            });
        }
        let Some(ty) = ty.map(|e| e.ty) else {
            return self.refuse(n, "`switch` without cases");
        };
        let mut cases = Vec::new();
        let mut last = Vec::new();
        for (g, body) in groups.iter().zip(bodies) {
            let body = self.assigned(body, &ty, n)?;
            for pattern in self.labels(g, &subject)? {
                cases.push(case(pattern, body.clone(), g.span));
            }
            if g.default {
                last.push(case(PatternKind::Wildcard, body, g.span));
            }
        }
        if last.is_empty() && subject.of_enum.is_none() {
            return self.refuse(n, "`switch` as a value without `default`");
        }
        cases.extend(last);
        let kind = ExprKind::Match {
            scrutinee: Box::new(subject.value),
            cases,
        };
        Ok(mk(kind, ty, span(n)))
    }

    fn arrow_value(&mut self, g: &Group<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        match g.body[..] {
            [only] if only.kind() == "expression_statement" => match kids(only).first() {
                Some(e) => self.expr(*e, hint),
                None => self.refuse(only, "case without a value"),
            },
            [only] if only.kind() == "throw_statement" => self.throw(only),
            [only] if only.kind() == "block" => {
                let nodes = kids(only);
                self.value_of(&nodes, "yield_statement", hint, span(only))
            }
            _ => Err(crate::source::Refusal::new(g.span, "case that cannot be read")),
        }
    }

    /// The old form with `yield`: each group's statements, up to where they end.
    fn old_switch_value(&mut self, n: Node<'t>, groups: &[Group<'t>], hint: Option<&Ty>) -> Understood<Expr> {
        let subject = self.subject(n)?;
        let mut bodies = Vec::new();
        for (i, _) in groups.iter().enumerate() {
            let mut nodes = Vec::new();
            for follower in &groups[i..] {
                nodes.extend(follower.body.iter().copied());
                let ends = follower
                    .body
                    .last()
                    .is_some_and(|l| matches!(l.kind(), "yield_statement" | "throw_statement"));
                if ends {
                    break;
                }
            }
            bodies.push(self.scoped(|t| t.value_of(&nodes, "yield_statement", hint, span(n)))?);
        }
        self.value_match(n, groups, subject, bodies, hint)
    }

    fn groups(&mut self, n: Node<'t>) -> Understood<Vec<Group<'t>>> {
        let Some(body) = field(n, "body") else {
            return self.refuse(n, "`switch` without a body");
        };
        let mut out: Vec<Group<'t>> = Vec::new();
        let mut open: Vec<Node<'t>> = Vec::new();
        let mut default = false;
        for g in kids(body) {
            let arrow = g.kind() == "switch_rule";
            let mut statements = Vec::new();
            for k in kids(g) {
                if k.kind() != "switch_label" {
                    statements.push(k);
                    continue;
                }
                let values = kids(k);
                default |= values.is_empty() || values.iter().any(|v| v.kind() == "default");
                if values
                    .iter()
                    .any(|v| v.kind().contains("pattern") || v.kind() == "guard")
                {
                    return self.refuse(k, "patterns in `switch` are not covered");
                }
                open.extend(values.into_iter().filter(|v| v.kind() != "default"));
            }
            // Labels without statements belong to the group that follows.
            if statements.is_empty() && !arrow && g.next_named_sibling().is_some() {
                continue;
            }
            out.push(Group {
                labels: std::mem::take(&mut open),
                default: std::mem::take(&mut default),
                body: statements,
                arrow,
                span: span(g),
            });
        }
        Ok(out)
    }

    /// What is switched over; null throws.
    fn subject(&mut self, n: Node<'t>) -> Understood<Subject<'t>> {
        let Some(c) = field(n, "condition") else {
            return self.refuse(n, "`switch` without a subject");
        };
        let e = self.expr(c, None)?;
        let plain = |value: Expr, prim| Subject {
            value,
            of_enum: None,
            prim,
        };
        match e.ty.clone() {
            Ty::Prim(p) => Ok(plain(e, Some(p))),
            Ty::Boxed(p) => Ok(plain(unboxed(e), Some(p))),
            Ty::String => {
                let e = self.not_null(e, c)?;
                Ok(plain(e, None))
            }
            Ty::Class(name) => match self.enum_of(&name) {
                Some(node) => {
                    let value = self.not_null(e, c)?;
                    Ok(Subject {
                        value,
                        of_enum: Some(node),
                        prim: None,
                    })
                }
                None => self.refuse(c, format!("a `switch` over `{name}` is not covered")),
            },
            other => self.refuse(c, format!("a `switch` over `{other}` is not covered")),
        }
    }

    fn labels(&mut self, g: &Group<'t>, subject: &Subject<'t>) -> Understood<Vec<PatternKind>> {
        let mut out = Vec::new();
        for l in &g.labels {
            if let Some(class) = subject.of_enum {
                let name = text(*l, self.text()).rsplit('.').next().unwrap_or_default().to_owned();
                let Some(Outer::Constant(c)) = self.field_of(class, &name) else {
                    return self.refuse(
                        *l,
                        format!(
                            "`{name}` is no constant of {}",
                            name_of(class, self.text()).unwrap_or("the enum")
                        ),
                    );
                };
                let value = self.enum_constant(c, *l)?;
                out.push(PatternKind::Value(Box::new(value)));
                continue;
            }
            let e = self.expr(*l, None)?;
            let e = match subject.prim {
                Some(p) => self.assigned(e, &Ty::Prim(p), *l)?,
                None => e,
            };
            out.push(match e.kind {
                ExprKind::Lit(Lit::Null) => return self.refuse(*l, "`case null` is not covered"),
                ExprKind::Lit(lit) => PatternKind::Lit(lit),
                _ if e.ty == Ty::String => PatternKind::Value(Box::new(e)),
                _ => match super::convert::constant(&e) {
                    Some(v) => PatternKind::Lit(constant_lit(v, subject.prim)),
                    None => PatternKind::Value(Box::new(boxed(e))),
                },
            });
        }
        Ok(out)
    }
}

fn constant_lit(v: i64, prim: Option<Prim>) -> Lit {
    match prim {
        Some(Prim::Char) => Lit::Char(v as u16),
        Some(Prim::Byte) => Lit::Byte(v as i8),
        Some(Prim::Short) => Lit::Short(v as i16),
        _ => Lit::Int(v as i32),
    }
}

fn case(kind: PatternKind, body: Expr, at: Span) -> Case {
    Case {
        pattern: Pattern { kind, span: at },
        guard: None,
        body,
        span: at,
    }
}

/// The statements of a group without the `break` at its end, and whether there was one.
fn without_break<'t>(g: &Group<'t>) -> (Vec<Node<'t>>, bool) {
    let mut body = g.body.clone();
    if let [only] = body[..]
        && only.kind() == "block"
        && !g.arrow
    {
        // `case 1: { …; break; }`
        let inner = kids(only);
        if inner.last().is_some_and(|l| is_plain_break(*l)) {
            return (inner[..inner.len() - 1].to_vec(), true);
        }
    }
    match body.last() {
        Some(l) if is_plain_break(*l) && !g.arrow => {
            body.pop();
            (body, true)
        }
        _ => (body, false),
    }
}

fn is_plain_break(n: Node) -> bool {
    n.kind() == "break_statement" && kids(n).is_empty()
}

/// Whether a `break` of this switch stands anywhere but at the end of a group.
fn has_inner_break(g: &Group) -> bool {
    let (body, _) = without_break(g);
    body.iter().any(|n| holds_break(*n))
}

fn holds_break(n: Node) -> bool {
    if is_plain_break(n) {
        return true;
    }
    let closed = matches!(
        n.kind(),
        "while_statement"
            | "do_statement"
            | "for_statement"
            | "enhanced_for_statement"
            | "switch_expression"
            | "switch_statement"
            | "lambda_expression"
            | "class_body"
    );
    !closed && kids(n).into_iter().any(holds_break)
}
