//! `for`: desugared as scalac does it, to `foreach`, `map`, `flatMap` and `withFilter`. The order in which elements and
//! guards are evaluated stays what it is in Scala.

use std::sync::Arc;

use tree_sitter::Node;

use super::calls::{Arg, Call};
use super::cst::{field, has_token, kids, span};
use super::{Typer, mk};
use crate::jvm::lookup;
use crate::lang::ast::{Case, Expr, ExprKind, Lit, LocalId, Pattern, PatternKind, Stmt};
use crate::lang::ty::Ty;
use crate::source::Understood;

/// One enumerator.
#[derive(Clone, Copy)]
pub(super) enum Enumerator<'t> {
    /// `p <- e`.
    Generator(Node<'t>, Node<'t>, Node<'t>),
    /// `p = e`.
    Binding(Node<'t>, Node<'t>),
    /// `if e`.
    Guard(Node<'t>),
}

impl<'t> Typer<'t> {
    /// `for (…) e`, `for (…) yield e`.
    pub(super) fn for_(&mut self, n: Node<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        let (Some(heads), Some(body)) = (field(n, "enumerators"), field(n, "body")) else {
            return self.refuse(n, "`for` that cannot be read");
        };
        let mut enumerators = Vec::new();
        for e in kids(heads) {
            self.enumerator(e, &mut enumerators)?;
        }
        let yields = has_token(n, "yield");
        let e = self.comprehension(&enumerators, body, yields, n, hint)?;
        if yields { Ok(e) } else { self.coerce(e, &Ty::Unit) }
    }

    pub(super) fn enumerator(&mut self, e: Node<'t>, out: &mut Vec<Enumerator<'t>>) -> Understood<()> {
        let parts = kids(e);
        if e.kind() == "guard" {
            out.extend(field(e, "condition").map(Enumerator::Guard));
            return Ok(());
        }
        match parts[..] {
            [guard] if guard.kind() == "guard" => out.extend(field(guard, "condition").map(Enumerator::Guard)),
            [p, v] if has_token(e, "=") => out.push(Enumerator::Binding(p, v)),
            [p, v] => out.push(Enumerator::Generator(p, v, e)),
            [p, v, guard] if guard.kind() == "guard" => {
                out.push(Enumerator::Generator(p, v, e));
                out.extend(field(guard, "condition").map(Enumerator::Guard));
            }
            _ => return self.refuse(e, "enumerator that cannot be read"),
        }
        Ok(())
    }

    pub(super) fn comprehension(
        &mut self,
        enumerators: &[Enumerator<'t>],
        body: Node<'t>,
        yields: bool,
        n: Node<'t>,
        hint: Option<&Ty>,
    ) -> Understood<Expr> {
        let [Enumerator::Generator(pattern, source, at), rest @ ..] = enumerators else {
            return self.refuse(n, "`for` without a generator");
        };
        let source = self.expr(*source, None)?;
        let nested = rest.iter().any(|e| matches!(e, Enumerator::Generator(..)));
        let Some(elem) = element(&source.ty) else {
            return self.refuse(*at, format!("`for` over `{}` is not covered", source.ty));
        };
        let step = Step {
            elem,
            pattern: *pattern,
            rest,
            body,
            yields,
            nested,
            n,
        };
        self.generator(source, step, hint)
    }

    /// One generator with what follows it up to the next one.
    pub(super) fn generator(&mut self, source: Expr, step: Step<'_, 't>, hint: Option<&Ty>) -> Understood<Expr> {
        let single = matches!(source.ty, Ty::Option(_));
        let prefix = step
            .rest
            .iter()
            .take_while(|e| !matches!(e, Enumerator::Generator(..)))
            .count();
        let (own, later) = step.rest.split_at(prefix);
        let bindings = own.iter().any(|e| matches!(e, Enumerator::Binding(..)));
        // A binding over many elements is a `map` of its own: all are bound before anything else runs.
        if bindings && !single && own.iter().filter(|e| matches!(e, Enumerator::Binding(..))).count() > 0 {
            return self.staged(source, step, own, later, hint);
        }
        let mut source = source;
        let mut guards = 0;
        for e in own {
            let Enumerator::Guard(cond) = e else { break };
            source = self.filter(source, &step, *cond)?;
            guards += 1;
        }
        self.last_step(source, step, &own[guards..], later, hint)
    }

    /// `withFilter`.
    pub(super) fn filter(&mut self, source: Expr, step: &Step<'_, 't>, cond: Node<'t>) -> Understood<Expr> {
        let predicate = self.on_element(step, |t| t.checked(cond, &Ty::BOOLEAN))?;
        let call = Call::new("withFilter", vec![vec![Arg::Typed(predicate)]], None, step.n);
        self.member(source, call)
    }

    /// `map`, `flatMap` or `foreach` with the remaining bindings and guards inside (for options), then the next generator.
    pub(super) fn last_step(
        &mut self,
        source: Expr,
        step: Step<'_, 't>,
        inside: &[Enumerator<'t>],
        later: &[Enumerator<'t>],
        hint: Option<&Ty>,
    ) -> Understood<Expr> {
        let guarded = inside.iter().any(|e| matches!(e, Enumerator::Guard(_)));
        let (method, wraps) = match (step.yields, step.nested, guarded) {
            (false, ..) => ("foreach", false),
            (true, false, true) => ("flatMap", true),
            (true, true, _) => ("flatMap", false),
            (true, false, false) => ("map", false),
        };
        let inner_hint = match (method, hint) {
            ("map", Some(Ty::Option(a) | Ty::Seq(_, a) | Ty::Array(a) | Ty::Set(a))) if !lookup::is_open(a) => {
                Some((**a).clone())
            }
            ("map", Some(Ty::Map(k, v))) => Some(Ty::Tuple(vec![(**k).clone(), (**v).clone()])),
            ("flatMap", Some(h @ Ty::Option(_))) => Some(h.clone()),
            _ => None,
        };
        let (body, yields, n) = (step.body, step.yields, step.n);
        let function = self.on_element(&step, |t| {
            let rest = Rest {
                inside,
                later,
                body,
                yields,
                wraps,
                n,
            };
            let e = t.inside_option(rest, inner_hint.as_ref())?;
            match method {
                "foreach" => Ok(e),
                "flatMap" if matches!(source.ty, Ty::Option(_)) => Ok(e),
                "flatMap" => t.fit_open(
                    e,
                    &Ty::Seq(crate::lang::ty::SeqKind::Seq, Box::new(Ty::Var("B".into()))),
                ),
                _ => Ok(e),
            }
        })?;
        let call = Call::new(method, vec![vec![Arg::Typed(function)]], hint.cloned(), step.n);
        self.member(source, call)
    }

    /// Bindings and guards of one element in order, then the rest.
    pub(super) fn inside_option(&mut self, rest: Rest<'_, 't>, hint: Option<&Ty>) -> Understood<Expr> {
        let Some((first, inside)) = rest.inside.split_first() else {
            if !rest.later.is_empty() {
                return self.comprehension(rest.later, rest.body, rest.yields, rest.n, hint);
            }
            let e = self.expr(rest.body, hint)?;
            let e = self.meet(e, hint.filter(|_| !rest.wraps))?;
            if !rest.wraps {
                return Ok(e);
            }
            return self.static_call("Some", &["apply"], vec![e], rest.n);
        };
        let at = span(rest.n);
        match first {
            Enumerator::Binding(pattern, value) => {
                let init = self.expr(*value, None)?;
                let bound = self.pattern(*pattern, &init.ty.clone())?;
                let e = self.inside_option(Rest { inside, ..rest }, hint)?;
                let ty = e.ty.clone();
                let stmt = match bound.kind {
                    PatternKind::Bind(local, None) => Stmt::Let {
                        local,
                        init,
                        lazy: false,
                    },
                    _ => Stmt::LetPattern { pattern: bound, init },
                };
                Ok(mk(ExprKind::Block(vec![stmt], Some(Box::new(e))), ty, at))
            }
            Enumerator::Guard(cond) => {
                let cond = Box::new(self.checked(*cond, &Ty::BOOLEAN)?);
                let (yields, n) = (rest.yields, rest.n);
                let then = self.inside_option(Rest { inside, ..rest }, hint)?;
                let ty = then.ty.clone();
                let otherwise = if yields {
                    let mut none = self.static_call("None", &["value", "None", "apply"], Vec::new(), n)?;
                    none.ty = ty.clone();
                    Some(Box::new(none))
                } else {
                    None
                };
                let then = Box::new(then);
                Ok(mk(ExprKind::If { cond, then, otherwise }, ty, at))
            }
            Enumerator::Generator(..) => self.refuse(rest.n, "`for` that cannot be read"),
        }
    }

    /// A function of one element, taken apart by the generator's pattern.
    pub(super) fn on_element(
        &mut self,
        step: &Step<'_, 't>,
        f: impl FnOnce(&mut Self) -> Understood<Expr>,
    ) -> Understood<Expr> {
        let at = span(step.n);
        self.push_scope();
        let result = (|| {
            let pattern = self.pattern(step.pattern, &step.elem)?;
            if !irrefutable(&pattern) {
                return self.refuse(step.pattern, "a pattern that may not match, in a `for`, is not covered");
            }
            let body = f(self)?;
            Ok((pattern, body))
        })();
        self.pop_scope();
        let (pattern, body) = result?;
        Ok(self.function(pattern, step.elem.clone(), body, at))
    }

    pub(super) fn function(&mut self, pattern: Pattern, elem: Ty, body: Expr, at: crate::source::Span) -> Expr {
        let ty = Ty::Fn(vec![elem.clone()], Box::new(body.ty.clone()));
        let (param, body): (LocalId, Expr) = match pattern.kind {
            PatternKind::Bind(id, None) => (id, body),
            PatternKind::Wildcard => (self.slot("$x", elem, false), body),
            _ => {
                let id = self.slot("$x", elem.clone(), false);
                let scrutinee = Box::new(mk(ExprKind::Local(id), elem, at));
                let body_ty = body.ty.clone();
                let case = Case {
                    pattern,
                    guard: None,
                    body,
                    span: at,
                };
                let kind = ExprKind::Match {
                    scrutinee,
                    cases: vec![case],
                };
                (id, mk(kind, body_ty, at))
            }
        };
        let kind = ExprKind::Lambda {
            params: vec![param],
            body: Arc::new(body),
        };
        mk(kind, ty, at)
    }
}

/// A generator with all that follows.
pub(super) struct Step<'a, 't> {
    pub(super) elem: Ty,
    pub(super) pattern: Node<'t>,
    pub(super) rest: &'a [Enumerator<'t>],
    pub(super) body: Node<'t>,
    pub(super) yields: bool,
    pub(super) nested: bool,
    pub(super) n: Node<'t>,
}

/// What follows for one element of an option.
pub(super) struct Rest<'a, 't> {
    pub(super) inside: &'a [Enumerator<'t>],
    pub(super) later: &'a [Enumerator<'t>],
    pub(super) body: Node<'t>,
    pub(super) yields: bool,
    pub(super) wraps: bool,
    pub(super) n: Node<'t>,
}

/// What a `for` walks over.
pub(super) fn element(ty: &Ty) -> Option<Ty> {
    Some(match ty {
        Ty::Option(a) | Ty::Seq(_, a) | Ty::Array(a) | Ty::Iterator(a) | Ty::Set(a) | Ty::Try(a) => (**a).clone(),
        Ty::Map(k, v) => Ty::Tuple(vec![(**k).clone(), (**v).clone()]),
        Ty::String => Ty::CHAR,
        Ty::Either(_, b) => (**b).clone(),
        _ => return None,
    })
}

/// Whether a pattern always matches a value of its static type (a null tuple aside, which scalac lets throw).
pub(super) fn irrefutable(p: &Pattern) -> bool {
    match &p.kind {
        PatternKind::Wildcard => true,
        PatternKind::Bind(_, None) => true,
        PatternKind::Bind(_, Some(inner)) => irrefutable(inner),
        PatternKind::Tuple(items) => items.iter().all(irrefutable),
        PatternKind::Lit(Lit::Unit) => true,
        _ => false,
    }
}
