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
enum Enumerator<'t> {
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

    fn enumerator(&mut self, e: Node<'t>, out: &mut Vec<Enumerator<'t>>) -> Understood<()> {
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

    fn comprehension(
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
    fn generator(&mut self, source: Expr, step: Step<'_, 't>, hint: Option<&Ty>) -> Understood<Expr> {
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
    fn filter(&mut self, source: Expr, step: &Step<'_, 't>, cond: Node<'t>) -> Understood<Expr> {
        let predicate = self.on_element(step, |t| t.checked(cond, &Ty::BOOLEAN))?;
        let call = Call::new("withFilter", vec![vec![Arg::Typed(predicate)]], None, step.n);
        self.member(source, call)
    }

    /// `map`, `flatMap` or `foreach` with the remaining bindings and guards inside (for options), then the next generator.
    fn last_step(
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
    fn inside_option(&mut self, rest: Rest<'_, 't>, hint: Option<&Ty>) -> Understood<Expr> {
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

    /// `x = e` over many elements: `map` to a tuple of what is bound so far, then go on with that.
    fn staged(
        &mut self,
        source: Expr,
        step: Step<'_, 't>,
        own: &[Enumerator<'t>],
        later: &[Enumerator<'t>],
        hint: Option<&Ty>,
    ) -> Understood<Expr> {
        let mut source = source;
        let mut own = own;
        while let Some(Enumerator::Guard(cond)) = own.first() {
            source = self.filter(source, &step, *cond)?;
            own = &own[1..];
        }
        let count = own.iter().take_while(|e| matches!(e, Enumerator::Binding(..))).count();
        let (bindings, own) = own.split_at(count);
        let mut names: Vec<String> = super::outer::pattern_names(step.pattern, self.text());
        let before = names.clone();
        for e in bindings {
            if let Enumerator::Binding(p, _) = e {
                names.extend(super::outer::pattern_names(*p, self.text()));
            }
        }
        let (at, n) = (span(step.n), step.n);
        let function = self.on_element(&step, |t| {
            let mut stmts = Vec::new();
            for e in bindings {
                let Enumerator::Binding(pattern, value) = e else {
                    continue;
                };
                let init = t.expr(*value, None)?;
                let bound = t.pattern(*pattern, &init.ty.clone())?;
                stmts.push(match bound.kind {
                    PatternKind::Bind(local, None) => Stmt::Let {
                        local,
                        init,
                        lazy: false,
                    },
                    _ => Stmt::LetPattern { pattern: bound, init },
                });
            }
            let mut values = Vec::new();
            for name in &names {
                match t.simple_name(n, name)? {
                    Some(super::names::Target::Value(e)) => values.push(e),
                    _ => return t.refuse(n, format!("`{name}` of this `for` cannot be read")),
                }
            }
            let ty = Ty::Tuple(values.iter().map(|e| e.ty.clone()).collect());
            let tuple = if values.len() == 1 {
                values.remove(0)
            } else {
                mk(ExprKind::Tuple(values), ty, at)
            };
            let ty = tuple.ty.clone();
            Ok(mk(ExprKind::Block(stmts, Some(Box::new(tuple))), ty, at))
        })?;
        let _ = before;
        let is_map = matches!(source.ty, Ty::Map(..) | Ty::Set(_) | Ty::String);
        if is_map {
            return self.refuse(n, format!("a binding in a `for` over `{}` is not covered", source.ty));
        }
        let elem = match &function.ty {
            Ty::Fn(_, ret) => (**ret).clone(),
            _ => return self.refuse(n, "`for` that cannot be read"),
        };
        let mapped = self.member(source, Call::new("map", vec![vec![Arg::Typed(function)]], None, n))?;
        let staged = Staged { names, elem };
        self.after_stage(mapped, staged, own, later, step, hint)
    }

    fn after_stage(
        &mut self,
        source: Expr,
        staged: Staged,
        own: &[Enumerator<'t>],
        later: &[Enumerator<'t>],
        step: Step<'_, 't>,
        hint: Option<&Ty>,
    ) -> Understood<Expr> {
        let mut source = source;
        let mut own = own;
        let (body, yields, nested, n) = (step.body, step.yields, step.nested, step.n);
        while let Some(Enumerator::Guard(cond)) = own.first() {
            let cond = *cond;
            let predicate = self.on_tuple(&staged, n, |t| t.checked(cond, &Ty::BOOLEAN))?;
            source = self.member(
                source,
                Call::new("withFilter", vec![vec![Arg::Typed(predicate)]], None, n),
            )?;
            own = &own[1..];
        }
        if let Some(Enumerator::Binding(..)) = own.first() {
            let count = own.iter().take_while(|e| matches!(e, Enumerator::Binding(..))).count();
            let (bindings, own) = own.split_at(count);
            let mut names = staged.names.clone();
            for e in bindings {
                if let Enumerator::Binding(p, _) = e {
                    names.extend(super::outer::pattern_names(*p, self.text()));
                }
            }
            let function = self.on_tuple(&staged, n, |t| t.bind_more(bindings, &names, n))?;
            let elem = match &function.ty {
                Ty::Fn(_, ret) => (**ret).clone(),
                _ => return self.refuse(n, "`for` that cannot be read"),
            };
            let mapped = self.member(source, Call::new("map", vec![vec![Arg::Typed(function)]], None, n))?;
            return self.after_stage(mapped, Staged { names, elem }, own, later, step, hint);
        }
        let method = match (yields, nested) {
            (false, _) => "foreach",
            (true, true) => "flatMap",
            (true, false) => "map",
        };
        let function = self.on_tuple(&staged, n, |t| {
            let e = if later.is_empty() {
                t.expr(body, None)?
            } else {
                t.comprehension(later, body, yields, n, None)?
            };
            match method {
                "flatMap" => t.fit_open(
                    e,
                    &Ty::Seq(crate::lang::ty::SeqKind::Seq, Box::new(Ty::Var("B".into()))),
                ),
                _ => Ok(e),
            }
        })?;
        self.member(
            source,
            Call::new(method, vec![vec![Arg::Typed(function)]], hint.cloned(), n),
        )
    }

    fn bind_more(&mut self, bindings: &[Enumerator<'t>], names: &[String], n: Node<'t>) -> Understood<Expr> {
        let mut stmts = Vec::new();
        for e in bindings {
            let Enumerator::Binding(pattern, value) = e else {
                continue;
            };
            let init = self.expr(*value, None)?;
            let bound = self.pattern(*pattern, &init.ty.clone())?;
            stmts.push(Stmt::LetPattern { pattern: bound, init });
        }
        let mut values = Vec::new();
        for name in names {
            match self.simple_name(n, name)? {
                Some(super::names::Target::Value(e)) => values.push(e),
                _ => return self.refuse(n, format!("`{name}` of this `for` cannot be read")),
            }
        }
        let ty = Ty::Tuple(values.iter().map(|e| e.ty.clone()).collect());
        let tuple = mk(ExprKind::Tuple(values), ty.clone(), span(n));
        Ok(mk(ExprKind::Block(stmts, Some(Box::new(tuple))), ty, span(n)))
    }

    /// A function of one element, taken apart by the generator's pattern.
    fn on_element(&mut self, step: &Step<'_, 't>, f: impl FnOnce(&mut Self) -> Understood<Expr>) -> Understood<Expr> {
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

    fn on_tuple(
        &mut self,
        staged: &Staged,
        n: Node<'t>,
        f: impl FnOnce(&mut Self) -> Understood<Expr>,
    ) -> Understood<Expr> {
        let at = span(n);
        self.push_scope();
        let tys = match &staged.elem {
            Ty::Tuple(tys) if staged.names.len() > 1 => tys.clone(),
            other => vec![other.clone()],
        };
        let mut items: Vec<Pattern> = Vec::new();
        for (name, ty) in staged.names.iter().zip(tys) {
            let id = self.declare(name, ty, false);
            items.push(Pattern {
                kind: PatternKind::Bind(id, None),
                span: at,
            });
        }
        let body = f(self);
        self.pop_scope();
        let pattern = if items.len() == 1 {
            items.remove(0)
        } else {
            Pattern {
                kind: PatternKind::Tuple(items),
                span: at,
            }
        };
        Ok(self.function(pattern, staged.elem.clone(), body?, at))
    }

    fn function(&mut self, pattern: Pattern, elem: Ty, body: Expr, at: crate::source::Span) -> Expr {
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
struct Step<'a, 't> {
    elem: Ty,
    pattern: Node<'t>,
    rest: &'a [Enumerator<'t>],
    body: Node<'t>,
    yields: bool,
    nested: bool,
    n: Node<'t>,
}

/// What follows for one element of an option.
struct Rest<'a, 't> {
    inside: &'a [Enumerator<'t>],
    later: &'a [Enumerator<'t>],
    body: Node<'t>,
    yields: bool,
    wraps: bool,
    n: Node<'t>,
}

/// Names bound so far, and the type of the tuple that holds them.
struct Staged {
    names: Vec<String>,
    elem: Ty,
}

/// What a `for` walks over.
fn element(ty: &Ty) -> Option<Ty> {
    Some(match ty {
        Ty::Option(a) | Ty::Seq(_, a) | Ty::Array(a) | Ty::Iterator(a) | Ty::Set(a) | Ty::Try(a) => (**a).clone(),
        Ty::Map(k, v) => Ty::Tuple(vec![(**k).clone(), (**v).clone()]),
        Ty::String => Ty::CHAR,
        Ty::Either(_, b) => (**b).clone(),
        _ => return None,
    })
}

/// Whether a pattern always matches a value of its static type (a null tuple aside, which scalac lets throw).
fn irrefutable(p: &Pattern) -> bool {
    match &p.kind {
        PatternKind::Wildcard => true,
        PatternKind::Bind(_, None) => true,
        PatternKind::Bind(_, Some(inner)) => irrefutable(inner),
        PatternKind::Tuple(items) => items.iter().all(irrefutable),
        PatternKind::Lit(Lit::Unit) => true,
        _ => false,
    }
}
