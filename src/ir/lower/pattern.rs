//! Pattern matching and `try`: cases become conditions in order; bindings are values.

use super::Lower;
use super::sym::{Event, Exit, State, Sym};
use crate::ir::func::Func;
use crate::ir::node::{ColTy, Const, NodeId};
use crate::jvm::exceptions::is_subclass;
use crate::lang::ast::{Case, Expr, Pattern, PatternKind, Wrapper};
use crate::lang::ty::Ty;
use crate::source::{Span, Understood};

impl Lower<'_> {
    /// Binds a pattern in the state and gives the condition under which it matches.
    pub(super) fn pattern(&mut self, st: &mut State, frame: u32, p: &Pattern, value: &Sym) -> Understood<NodeId> {
        self.g.span = p.span;
        let always = self.g.bool(true);
        Ok(match &p.kind {
            PatternKind::Wildcard => always,
            PatternKind::Bind(local, inner) => {
                let cond = match inner {
                    Some(inner) => self.pattern(st, frame, inner, value)?,
                    None => always,
                };
                let key = self.slot(st, frame, *local);
                st.locals.insert(key, value.clone());
                cond
            }
            PatternKind::Lit(lit) => {
                let Sym::Node(n) = value else {
                    return self.mismatch(p.span);
                };
                let ty = match self.g.ty(*n) {
                    ColTy::Prim(prim) => Ty::Prim(*prim),
                    _ => Ty::String,
                };
                let lit = self.literal(lit, &ty, p.span)?;
                self.equal(st, value, &lit, p.span)?
            }
            PatternKind::Value(e) => {
                let other = self.eval(st, frame, e)?;
                self.equal(st, &other, value, p.span)?
            }
            PatternKind::Typed(ty) => self.typed(st, ty, value, p.span)?,
            PatternKind::Alternative(items) => {
                let mut any = self.g.bool(false);
                for item in items {
                    let one = self.pattern(st, frame, item, value)?;
                    any = self.g.or(any, one);
                }
                any
            }
            PatternKind::Tuple(items) => match value {
                Sym::Tuple(values) if values.len() == items.len() => self.all(st, frame, items, &values.clone())?,
                _ => return self.mismatch(p.span),
            },
            PatternKind::Class { class, fields } => match value {
                Sym::Object(c, values) if c == class && values.len() == fields.len() => {
                    self.all(st, frame, fields, &values.clone())?
                }
                Sym::OrNull(null, inner) => match &**inner {
                    Sym::Object(c, values) if c == class && values.len() == fields.len() => {
                        let there = self.g.not(*null);
                        let rest = self.all(st, frame, fields, &values.clone())?;
                        self.g.and(there, rest)
                    }
                    _ => return self.mismatch(p.span),
                },
                _ => return self.mismatch(p.span),
            },
            PatternKind::Some(inner) => match value {
                Sym::Opt(defined, item) => {
                    st.assume(&self.g, *defined, true);
                    let rest = self.pattern(st, frame, inner, &item.clone())?;
                    self.g.and(*defined, rest)
                }
                Sym::NoneOpt => self.g.bool(false),
                _ => return self.mismatch(p.span),
            },
            PatternKind::None => match value {
                Sym::Opt(defined, _) => self.g.not(*defined),
                Sym::NoneOpt => always,
                _ => return self.mismatch(p.span),
            },
            PatternKind::Wrapper(wrapper, inner) => match (wrapper, value) {
                (Wrapper::Success, Sym::Try(ok, item)) => {
                    let rest = self.pattern(st, frame, inner, &item.clone())?;
                    self.g.and(*ok, rest)
                }
                (Wrapper::Failure, Sym::Try(ok, _))
                    if matches!(inner.kind, PatternKind::Wildcard | PatternKind::Bind(_, None)) =>
                {
                    self.g.not(*ok)
                }
                _ => return self.mismatch(p.span),
            },
            PatternKind::Regex { regex, groups, rest } => {
                self.regex_pattern(st, frame, (regex, groups, *rest), value, p.span)?
            }
            PatternKind::Seq { items, rest, .. } => match value {
                Sym::Seq(values) if values.iter().all(|(c, _)| self.g.as_bool(*c) == Some(true)) => {
                    let values: Vec<Sym> = values.iter().map(|(_, v)| v.clone()).collect();
                    self.sequence(st, frame, items, rest.as_deref(), &values)?
                }
                Sym::Node(n) if matches!(self.g.ty(*n), ColTy::Array(_)) => {
                    self.list_pattern(st, frame, items, rest.as_deref(), *n, p.span)?
                }
                _ => return self.mismatch(p.span),
            },
            PatternKind::Extract { .. } => return self.mismatch(p.span),
            PatternKind::Cons(..) | PatternKind::Snoc(..) | PatternKind::Prepended(..) | PatternKind::Nil => {
                return self.refuse(p.span, "taking a list apart has no columnar form here");
            }
            PatternKind::NonFatal(inner) => self.pattern(st, frame, inner, value)?,
        })
    }

    fn mismatch<T>(&self, span: Span) -> Understood<T> {
        self.refuse(span, "this pattern has no columnar form here")
    }

    fn typed(&mut self, st: &State, ty: &Ty, value: &Sym, span: Span) -> Understood<NodeId> {
        match value {
            Sym::Node(n) if ColTy::of(ty).as_ref() == Some(self.g.ty(*n)) => {
                let null = self.null_test(st, *n);
                Ok(self.g.not(null))
            }
            _ => self.refuse(span, "a run-time class test has no columnar form"),
        }
    }

    fn all(&mut self, st: &mut State, frame: u32, items: &[Pattern], values: &[Sym]) -> Understood<NodeId> {
        let mut cond = self.g.bool(true);
        for (item, value) in items.iter().zip(values) {
            let one = self.pattern(st, frame, item, value)?;
            cond = self.g.and(cond, one);
        }
        Ok(cond)
    }

    fn sequence(
        &mut self,
        st: &mut State,
        frame: u32,
        items: &[Pattern],
        rest: Option<&Pattern>,
        values: &[Sym],
    ) -> Understood<NodeId> {
        if values.len() < items.len() || (rest.is_none() && values.len() != items.len()) {
            return Ok(self.g.bool(false));
        }
        let head = self.all(st, frame, items, values)?;
        match rest {
            None => Ok(head),
            Some(rest) => {
                let always = self.g.bool(true);
                let tail = Sym::Seq(values[items.len()..].iter().map(|v| (always, v.clone())).collect());
                let more = self.pattern(st, frame, rest, &tail)?;
                Ok(self.g.and(head, more))
            }
        }
    }

    fn list_pattern(
        &mut self,
        st: &mut State,
        frame: u32,
        items: &[Pattern],
        rest: Option<&Pattern>,
        list: NodeId,
        span: Span,
    ) -> Understood<NodeId> {
        let ColTy::Array(element) = self.g.ty(list).clone() else {
            return self.mismatch(span);
        };
        let size = self.g.call(Func::Size, vec![list], ColTy::INT);
        let wanted = self.g.int(items.len() as i64);
        let op = if rest.is_some() {
            crate::lang::ast::BinOp::Ge
        } else {
            crate::lang::ast::BinOp::Eq
        };
        let mut cond = self.g.bin(op, crate::lang::ty::Prim::Int, size, wanted);
        for (i, item) in items.iter().enumerate() {
            let at = self.g.int(i as i64);
            let value = Sym::Node(self.g.call(Func::Element, vec![list, at], (*element).clone()));
            let one = self.pattern(st, frame, item, &value)?;
            cond = self.g.and(cond, one);
        }
        match rest.map(|r| &r.kind) {
            None | Some(PatternKind::Wildcard) => Ok(cond),
            Some(_) => self.refuse(span, "the rest of a list has no columnar form here"),
        }
    }

    fn regex_pattern(
        &mut self,
        st: &mut State,
        frame: u32,
        (regex, groups, rest): (&Expr, &[Pattern], bool),
        value: &Sym,
        span: Span,
    ) -> Understood<NodeId> {
        let Sym::Regex(pattern) = self.eval(st, frame, regex)? else {
            return self.refuse(regex.span, "a pattern that is not a constant has no columnar form");
        };
        let Sym::Node(text) = value else {
            return self.mismatch(span);
        };
        let shape = super::super::build::regex_groups(&pattern);
        if !rest && shape.len() != groups.len() {
            return Ok(self.g.bool(false));
        }
        let null = self.null_test(st, *text);
        let there = self.g.not(null);
        let matches = self.g.call(Func::Matches(pattern.clone()), vec![*text], ColTy::BOOL);
        let mut cond = self.g.and(there, matches);
        for (i, group) in groups.iter().enumerate() {
            let sure = shape.get(i).is_some_and(|s| s.always);
            let func = Func::Extract {
                pattern: pattern.clone(),
                group: i as u32 + 1,
                whole: true,
                sure,
                may_be_empty: shape.get(i).is_none_or(|s| s.may_be_empty),
            };
            let item = self.g.call(func, vec![*text], ColTy::Str);
            if sure {
                st.set_not_null(item);
            }
            let one = self.pattern(st, frame, group, &Sym::Node(item))?;
            cond = self.g.and(cond, one);
        }
        Ok(cond)
    }

    /// `match` as a value.
    pub(super) fn eval_cases(&mut self, st: &mut State, frame: u32, value: &Sym, cases: &[Case]) -> Understood<Sym> {
        let Some((case, rest)) = cases.split_first() else {
            let always = self.g.bool(true);
            self.raise_if(st, always, "MatchError", "no case matches");
            return Ok(Sym::Unit);
        };
        let mut inner = st.scope();
        let cond = self.case_condition(st, &mut inner, frame, case, value)?;
        match self.decided(st, cond) {
            Some(false) => return self.eval_cases(st, frame, value, rest),
            Some(true) => {
                let events = std::mem::take(&mut st.events);
                *st = inner;
                st.events = events;
                return self.eval(st, frame, &case.body);
            }
            None => {}
        }
        inner.assume(&self.g, cond, true);
        let x = self.eval(&mut inner, frame, &case.body)?;
        let mut other = st.branch(&self.g, cond, false);
        let y = self.eval_cases(&mut other, frame, value, rest)?;
        self.join(st, cond, (inner, x), (other, y), case.span)
    }

    /// `match` in tail position.
    pub(super) fn tail_cases(
        &mut self,
        st: &mut State,
        frame: u32,
        value: &Sym,
        cases: &[Case],
        ty: &ColTy,
        span: Span,
    ) -> Understood<NodeId> {
        let Some((case, rest)) = cases.split_first() else {
            return Ok(self.g.raise("MatchError", "no case matches"));
        };
        let mut outer = st.scope();
        let mut inner = st.scope();
        let cond = self.case_condition(&mut outer, &mut inner, frame, case, value)?;
        let node = match self.decided(st, cond) {
            Some(false) => self.tail_cases(st, frame, value, rest, ty, span)?,
            Some(true) => self.tail(&mut inner.scope(), frame, &case.body, ty)?,
            None => {
                inner.assume(&self.g, cond, true);
                let a = self.tail(&mut inner.scope(), frame, &case.body, ty)?;
                let mut other = st.branch(&self.g, cond, false);
                let b = self.tail_cases(&mut other, frame, value, rest, ty, span)?;
                self.g.span = case.span;
                self.g.case(cond, a, b)
            }
        };
        self.wrap(&outer.events, Some(node), ty, span)
    }

    /// The condition of a case, guard included; exits of the guard go to `outer`.
    fn case_condition(
        &mut self,
        outer: &mut State,
        inner: &mut State,
        frame: u32,
        case: &Case,
        value: &Sym,
    ) -> Understood<NodeId> {
        let matched = self.pattern(inner, frame, &case.pattern, value)?;
        if self.decided(outer, matched) == Some(false) {
            return Ok(self.g.bool(false));
        }
        inner.assume(&self.g, matched, true);
        let Some(guard) = &case.guard else { return Ok(matched) };
        let holds = self.condition(inner, frame, guard)?;
        for event in std::mem::take(&mut inner.events) {
            let cond = self.g.and(matched, event.cond);
            outer.events.push(Event { cond, exit: event.exit });
        }
        if inner.dead {
            inner.dead = false;
            return Ok(self.g.bool(false));
        }
        let holds = match self.decided(inner, holds) {
            Some(b) => self.g.bool(b),
            None => holds,
        };
        self.g.span = case.span;
        Ok(self.g.and(matched, holds))
    }

    /// `try` with catches: exceptions are known by class, so each goes to its case.
    pub(super) fn eval_try(
        &mut self,
        st: &mut State,
        frame: u32,
        body: &Expr,
        catches: &[Case],
        span: Span,
    ) -> Understood<Sym> {
        let mut scope = st.scope();
        let value = self.eval(&mut scope, frame, body)?;
        let throws = scope.events.iter().any(|e| matches!(e.exit, Exit::Raise(..)));
        let changed = st.locals.iter().any(|(k, v)| scope.locals.get(k) != Some(v))
            || st.cells.iter().any(|(k, v)| scope.cells.get(k) != Some(v));
        if throws && changed {
            return self.refuse(span, "a `try` that changes outer variables has no columnar form");
        }
        let events = std::mem::take(&mut scope.events);
        let mut result = (!scope.dead).then_some(value);
        let mut before = self.g.bool(false);
        let mut outcomes = Vec::new();
        for event in &events {
            let mut caught = None;
            if let Exit::Raise(class, message) = &event.exit {
                caught = self.catch(st, frame, (before, event.cond), (class, message), catches)?;
            }
            if caught.is_none() {
                let first = self.g.not(before);
                let cond = self.g.and(first, event.cond);
                st.events.push(Event {
                    cond,
                    exit: event.exit.clone(),
                });
            }
            outcomes.push((event.cond, caught));
            before = self.g.or(before, event.cond);
        }
        for (cond, caught) in outcomes.into_iter().rev() {
            if let Some(value) = caught {
                result = Some(match result {
                    Some(other) => self.merge(cond, &value, &other, span)?,
                    None => value,
                });
            }
        }
        match result {
            Some(value) => Ok(value),
            None => {
                st.dead = true;
                Ok(Sym::Unit)
            }
        }
    }

    /// The value of the catch case for an exception; exits of the case go outwards.
    fn catch(
        &mut self,
        st: &mut State,
        frame: u32,
        (before, cond): (NodeId, NodeId),
        (class, message): (&str, &str),
        catches: &[Case],
    ) -> Understood<Option<Sym>> {
        for case in catches {
            let (hit, local) = catches_class(&case.pattern, class);
            if !hit {
                continue;
            }
            if let Some(guard) = &case.guard {
                return self.refuse(guard.span, "a guard on a caught exception has no columnar form");
            }
            let mut inner = st.branch(&self.g, cond, true);
            if let Some(local) = local {
                let key = self.slot(st, frame, local);
                inner.locals.insert(key, Sym::Exception(class.into(), message.into()));
            }
            let value = self.eval(&mut inner, frame, &case.body)?;
            let first = self.g.not(before);
            let here = self.g.and(first, cond);
            for event in inner.events {
                let cond = self.g.and(here, event.cond);
                st.events.push(Event { cond, exit: event.exit });
            }
            return Ok(if inner.dead {
                Some(Sym::Node(self.g.null(ColTy::Null)))
            } else {
                Some(value)
            });
        }
        Ok(None)
    }

    /// `Try { … }`: any exception that is not fatal makes it a failure.
    pub(super) fn try_value(&mut self, st: &mut State, thunk: &Sym, span: Span) -> Understood<Sym> {
        let mut scope = st.scope();
        let value = self.apply(&mut scope, thunk, &[], span)?;
        let mut failed = self.g.bool(false);
        for event in &scope.events {
            match &event.exit {
                Exit::Raise(..) => failed = self.g.or(failed, event.cond),
                Exit::Return(..) => return self.refuse(span, "a `return` out of a `Try` has no columnar form"),
            }
        }
        st.locals = scope.locals;
        if scope.dead {
            let never = self.g.bool(false);
            return Ok(Sym::Try(
                never,
                Box::new(Sym::Node(self.g.constant_of(Const::Null, ColTy::Null))),
            ));
        }
        Ok(Sym::Try(self.g.not(failed), Box::new(value)))
    }
}

/// Whether a catch pattern takes an exception class, and the slot it binds.
fn catches_class(p: &Pattern, class: &str) -> (bool, Option<crate::lang::ast::LocalId>) {
    match &p.kind {
        PatternKind::Wildcard => (true, None),
        PatternKind::Bind(local, None) => (true, Some(*local)),
        PatternKind::Bind(local, Some(inner)) => (catches_class(inner, class).0, Some(*local)),
        PatternKind::Typed(Ty::Class(name)) => (is_subclass(class, name), None),
        PatternKind::Typed(Ty::Any) => (true, None),
        PatternKind::Alternative(items) => (items.iter().any(|i| catches_class(i, class).0), None),
        PatternKind::NonFatal(inner) => catches_class(inner, class),
        _ => (false, None),
    }
}
