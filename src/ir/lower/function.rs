//! Calls of the program's own functions and of function literals: inlined, with their exits.

use super::sym::{Event, Exit, State, Sym};
use super::{Lower, MAX_DEPTH};
use crate::ir::node::{ColTy, NodeId};
use crate::lang::ast::{Expr, FnId, GlobalId, LocalId};
use crate::source::{Span, Understood};

impl Lower<'_> {
    /// A frame for a call; `caller` is the frame it is called from.
    pub(super) fn new_frame(&mut self, func: FnId, caller: Option<u32>) -> u32 {
        self.frames += 1;
        let frame = self.frames;
        self.functions.insert(frame, Some(func));
        if let (Some(parent), Some(mut at)) = (self.program.functions[func.0 as usize].parent, caller) {
            loop {
                if self.functions.get(&at) == Some(&Some(parent)) {
                    self.lexical.insert(frame, at);
                    break;
                }
                match self.lexical.get(&at) {
                    Some(up) => at = *up,
                    None => break,
                }
            }
        }
        frame
    }

    /// Where a slot lives: captured ones in the frame of the enclosing function.
    pub(super) fn slot(&self, _st: &State, frame: u32, local: LocalId) -> (u32, u32) {
        let (mut frame, mut local) = (frame, local);
        loop {
            let captured = match self.functions.get(&frame) {
                Some(Some(f)) => self.program.functions[f.0 as usize]
                    .locals
                    .get(local.0 as usize)
                    .and_then(|l| l.captured),
                _ => None,
            };
            match (captured, self.lexical.get(&frame)) {
                (Some(outer), Some(up)) => (frame, local) = (*up, outer),
                _ => return (frame, local.0),
            }
        }
    }

    fn enter(&mut self, span: Span) -> Understood<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.refuse(
                span,
                "recursion has no columnar form; only the cuda tier can express it",
            );
        }
        if self.g.len() > super::MAX_NODES {
            return self.refuse(span, "the columnar form would be too large to read");
        }
        Ok(())
    }

    fn bind(&mut self, st: &mut State, frame: u32, func: FnId, args: &[Expr]) -> Understood<Option<u32>> {
        let mut values = Vec::new();
        for arg in args {
            let value = self.eval(st, frame, arg)?;
            if st.dead {
                return Ok(None);
            }
            values.push(value);
        }
        let inner = self.new_frame(func, Some(frame));
        let program = self.program;
        for (i, value) in values.into_iter().enumerate() {
            if program.functions[func.0 as usize]
                .params
                .get(i)
                .is_some_and(|p| p.by_name)
            {
                return self.refuse(args[i].span, "a by-name parameter has no columnar form here");
            }
            st.locals.insert((inner, i as u32), value);
        }
        Ok(Some(inner))
    }

    /// A call in tail position: the callee's body is the result.
    pub(super) fn tail_call(
        &mut self,
        st: &mut State,
        frame: u32,
        func: FnId,
        args: &[Expr],
        ty: &ColTy,
        span: Span,
    ) -> Understood<NodeId> {
        self.enter(span)?;
        let mut scope = st.scope();
        let inner = match self.bind(&mut scope, frame, func, args)? {
            None => None,
            Some(callee) => {
                let program = self.program;
                let body = &program.functions[func.0 as usize].body;
                Some(self.tail(&mut scope.scope(), callee, body, ty)?)
            }
        };
        self.depth -= 1;
        self.wrap(&scope.events, inner, ty, span)
    }

    /// A call as a value.
    pub(super) fn call_function(
        &mut self,
        st: &mut State,
        frame: u32,
        func: FnId,
        args: &[Expr],
        span: Span,
    ) -> Understood<Sym> {
        let Some(inner) = self.bind(st, frame, func, args)? else {
            return Ok(Sym::Unit);
        };
        self.run_body(st, inner, func, span)
    }

    /// Calls a function value.
    pub(super) fn apply(&mut self, st: &mut State, func: &Sym, args: &[Sym], span: Span) -> Understood<Sym> {
        match func {
            Sym::Closure(frame, params, body) => {
                self.enter(span)?;
                for (param, arg) in params.iter().zip(args) {
                    st.locals.insert((*frame, param.0), arg.clone());
                }
                let value = self.eval(st, *frame, &body.0)?;
                self.depth -= 1;
                Ok(value)
            }
            Sym::Function(func) => {
                let inner = self.new_frame(*func, None);
                for (i, arg) in args.iter().enumerate() {
                    st.locals.insert((inner, i as u32), arg.clone());
                }
                self.run_body(st, inner, *func, span)
            }
            Sym::Seq(_) | Sym::Map(_) | Sym::Set(_) if args.len() == 1 => {
                self.collection_apply(st, func, &args[0], span)
            }
            _ => self.refuse(span, "a function value that is not known here has no columnar form"),
        }
    }

    fn run_body(&mut self, st: &mut State, frame: u32, func: FnId, span: Span) -> Understood<Sym> {
        self.enter(span)?;
        let program = self.program;
        let body = &program.functions[func.0 as usize].body;
        let mut scope = st.scope();
        let value = self.eval(&mut scope, frame, body)?;
        self.depth -= 1;
        let returns = scope
            .events
            .iter()
            .any(|e| matches!(e.exit, Exit::Return(f, _) if f == frame));
        let outer_changed = st.locals.iter().any(|(k, v)| scope.locals.get(k) != Some(v))
            || st.cells.iter().any(|(k, v)| scope.cells.get(k) != Some(v));
        if returns && outer_changed {
            return self.refuse(
                span,
                "an early return out of a function that changes outer variables has no columnar form",
            );
        }
        st.locals = scope.locals.clone();
        st.cells = scope.cells.clone();
        if !returns {
            st.learn(&scope);
            st.dead = scope.dead;
            st.events.extend(scope.events);
            return Ok(value);
        }
        self.collect_returns(st, frame, scope.events, (!scope.dead).then_some(value), span)
    }

    /// The value of a call with early returns; exceptions go on outwards, unless a return came first.
    fn collect_returns(
        &mut self,
        st: &mut State,
        frame: u32,
        events: Vec<Event>,
        last: Option<Sym>,
        span: Span,
    ) -> Understood<Sym> {
        let mut value = last;
        for event in events.iter().rev() {
            if let Exit::Return(f, sym) = &event.exit
                && *f == frame
            {
                value = Some(match value {
                    Some(other) => self.merge(event.cond, sym, &other, span)?,
                    None => sym.clone(),
                });
            }
        }
        let mut left = self.g.bool(false);
        for event in events {
            match event.exit {
                Exit::Return(f, _) if f == frame => left = self.g.or(left, event.cond),
                exit => {
                    let not_left = self.g.not(left);
                    let cond = self.g.and(not_left, event.cond);
                    st.events.push(Event { cond, exit });
                }
            }
        }
        match value {
            Some(value) => Ok(value),
            None => {
                st.dead = true;
                Ok(Sym::Unit)
            }
        }
    }

    /// A global, evaluated once.
    pub(super) fn global(&mut self, id: GlobalId, span: Span) -> Understood<Sym> {
        if let Some(value) = self.globals.get(&id.0) {
            return Ok(value.clone());
        }
        self.enter(span)?;
        let program = self.program;
        self.frames += 1;
        let frame = self.frames;
        self.functions.insert(frame, None);
        let mut st = State::default();
        let value = self.eval(&mut st, frame, &program.globals[id.0 as usize].init)?;
        self.depth -= 1;
        if st.dead || !st.events.is_empty() {
            return self.refuse(span, "a constant whose initialiser may throw has no columnar form");
        }
        if matches!(value, Sym::Builder(_)) {
            return self.refuse(span, "shared mutable state has no columnar form");
        }
        self.globals.insert(id.0, value.clone());
        Ok(value)
    }
}
