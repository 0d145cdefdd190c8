//! Control flow: blocks, branches, exits. Branches are evaluated on copies of the state and joined; in tail position they
//! stay branches of the result, so that what a branch raises is raised inside it.

use super::sym::{Event, Exit, State, Sym};
use super::{Lower, MAX_TURNS};
use crate::ir::node::{ColTy, NodeId, Op};
use crate::lang::ast::{Expr, ExprKind, Stmt};
use crate::source::{Span, Understood};

impl Lower<'_> {
    /// The result column of an expression in tail position; exits become branches around it.
    pub(super) fn tail(&mut self, st: &mut State, frame: u32, e: &Expr, ty: &ColTy) -> Understood<NodeId> {
        self.g.span = e.span;
        match &e.kind {
            ExprKind::Block(stmts, value) => {
                let mut scope = st.scope();
                self.statements(&mut scope, frame, stmts)?;
                let inner = match value {
                    _ if scope.dead => None,
                    Some(value) => {
                        let mut rest = scope.scope();
                        Some(self.tail(&mut rest, frame, value, ty)?)
                    }
                    None => return self.refuse(e.span, "the function has no value"),
                };
                self.wrap(&scope.events, inner, ty, e.span)
            }
            ExprKind::If {
                cond,
                then,
                otherwise: Some(otherwise),
            } => {
                let mut scope = st.scope();
                let c = self.condition(&mut scope, frame, cond)?;
                let inner = match self.decided(&scope, c) {
                    _ if scope.dead => None,
                    Some(true) => Some(self.tail(&mut scope.scope(), frame, then, ty)?),
                    Some(false) => Some(self.tail(&mut scope.scope(), frame, otherwise, ty)?),
                    None => {
                        let a = self.tail(&mut scope.branch(&self.g, c, true), frame, then, ty)?;
                        let b = self.tail(&mut scope.branch(&self.g, c, false), frame, otherwise, ty)?;
                        self.g.span = e.span;
                        Some(self.g.case(c, a, b))
                    }
                };
                self.wrap(&scope.events, inner, ty, e.span)
            }
            ExprKind::Match { scrutinee, cases } => {
                let mut scope = st.scope();
                let value = self.eval(&mut scope, frame, scrutinee)?;
                if scope.dead {
                    return self.wrap(&scope.events, None, ty, e.span);
                }
                let mut rest = scope.scope();
                let inner = self.tail_cases(&mut rest, frame, &value, cases, ty, e.span)?;
                self.wrap(&scope.events, Some(inner), ty, e.span)
            }
            ExprKind::Return(Some(value)) => self.tail(st, frame, value, ty),
            ExprKind::CallFn { func, args } => self.tail_call(st, frame, *func, args, ty, e.span),
            _ => {
                let mut scope = st.scope();
                let value = self.eval(&mut scope, frame, e)?;
                let inner = if scope.dead {
                    None
                } else {
                    Some(self.finish(&value, ty, e.span)?)
                };
                self.wrap(&scope.events, inner, ty, e.span)
            }
        }
    }

    /// Puts exits in front of a result: the first whose condition holds decides.
    pub(super) fn wrap(
        &mut self,
        events: &[Event],
        inner: Option<NodeId>,
        ty: &ColTy,
        span: Span,
    ) -> Understood<NodeId> {
        let mut result = inner;
        for event in events.iter().rev() {
            let value = match &event.exit {
                Exit::Raise(class, message) => self.g.raise(class, message),
                Exit::Return(_, sym) => {
                    let sym = sym.clone();
                    self.finish(&sym, ty, span)?
                }
            };
            result = Some(match result {
                Some(other) => self.g.case(event.cond, value, other),
                None => value,
            });
        }
        match result {
            Some(node) => Ok(node),
            None => self.refuse(span, "no path through the function gives a value"),
        }
    }

    /// A condition's value if it is constant or known here.
    pub(super) fn decided(&self, st: &State, cond: NodeId) -> Option<bool> {
        self.g.as_bool(cond).or_else(|| st.known(cond))
    }

    /// A condition without the parts that are known here.
    pub(super) fn simplified(&mut self, st: &State, cond: NodeId) -> NodeId {
        if let Some(known) = self.decided(st, cond) {
            return self.g.bool(known);
        }
        let opposite = self.g.not(cond);
        if let Some(known) = st.known(opposite) {
            return self.g.bool(!known);
        }
        match *self.g.op(cond) {
            Op::And(a, b) => {
                let (a, b) = (self.simplified(st, a), self.simplified(st, b));
                self.g.and(a, b)
            }
            Op::Or(a, b) => {
                let (a, b) = (self.simplified(st, a), self.simplified(st, b));
                self.g.or(a, b)
            }
            Op::Not(a) => {
                let a = self.simplified(st, a);
                self.g.not(a)
            }
            _ => cond,
        }
    }

    /// A `Boolean` expression as a node.
    pub(super) fn condition(&mut self, st: &mut State, frame: u32, e: &Expr) -> Understood<NodeId> {
        let value = self.eval(st, frame, e)?;
        if st.dead {
            return Ok(self.g.bool(false));
        }
        self.node_of(&value, e.span)
    }

    /// `if` as a value.
    pub(super) fn eval_if(
        &mut self,
        st: &mut State,
        frame: u32,
        cond: &Expr,
        then: &Expr,
        otherwise: Option<&Expr>,
    ) -> Understood<Sym> {
        let c = self.condition(st, frame, cond)?;
        if st.dead {
            return Ok(Sym::Unit);
        }
        match (self.decided(st, c), otherwise) {
            (Some(true), _) => return self.eval(st, frame, then),
            (Some(false), Some(e)) => return self.eval(st, frame, e),
            (Some(false), None) => return Ok(Sym::Unit),
            _ => {}
        }
        let mut a = st.branch(&self.g, c, true);
        let x = self.eval(&mut a, frame, then)?;
        let mut b = st.branch(&self.g, c, false);
        let y = match otherwise {
            Some(e) => self.eval(&mut b, frame, e)?,
            None => Sym::Unit,
        };
        self.join(st, c, (a, x), (b, y), then.span)
    }

    /// Continues after a branch: values are merged, exits of each side happen under its condition.
    pub(super) fn join(
        &mut self,
        st: &mut State,
        cond: NodeId,
        (a, x): (State, Sym),
        (b, y): (State, Sym),
        span: Span,
    ) -> Understood<Sym> {
        let otherwise = self.g.not(cond);
        for (side, guard) in [(&a, cond), (&b, otherwise)] {
            for event in &side.events {
                let cond = self.g.and(guard, event.cond);
                st.events.push(Event {
                    cond,
                    exit: event.exit.clone(),
                });
            }
        }
        match (a.dead, b.dead) {
            (true, true) => {
                st.dead = true;
                Ok(Sym::Unit)
            }
            (true, false) => {
                st.locals = b.locals.clone();
                st.cells = b.cells.clone();
                st.learn(&b);
                Ok(y)
            }
            (false, true) => {
                st.locals = a.locals.clone();
                st.cells = a.cells.clone();
                st.learn(&a);
                Ok(x)
            }
            (false, false) => {
                self.merge_states(st, cond, &a, &b, span)?;
                self.merge(cond, &x, &y, span)
            }
        }
    }

    fn merge_states(&mut self, st: &mut State, cond: NodeId, a: &State, b: &State, span: Span) -> Understood<()> {
        let outer: Vec<_> = st.locals.keys().copied().collect();
        for key in outer {
            if let (Some(x), Some(y)) = (a.locals.get(&key), b.locals.get(&key)) {
                if x != y {
                    let merged = self.merge(cond, x, y, span)?;
                    st.locals.insert(key, merged);
                } else {
                    st.locals.insert(key, x.clone());
                }
            }
        }
        let cells: Vec<_> = st.cells.keys().copied().collect();
        for cell in cells {
            if let (Some(x), Some(y)) = (a.cells.get(&cell), b.cells.get(&cell)) {
                let merged = self.g.case(cond, *x, *y);
                st.cells.insert(cell, merged);
            }
        }
        Ok(())
    }

    /// Statements in order; stops where no path goes on.
    pub(super) fn statements(&mut self, st: &mut State, frame: u32, stmts: &[Stmt]) -> Understood<()> {
        for stmt in stmts {
            if st.dead {
                return Ok(());
            }
            self.statement(st, frame, stmt)?;
        }
        Ok(())
    }

    fn statement(&mut self, st: &mut State, frame: u32, stmt: &Stmt) -> Understood<()> {
        match stmt {
            Stmt::Expr(e) => {
                self.eval(st, frame, e)?;
            }
            Stmt::Let { local, init, lazy } => {
                let events = st.events.len();
                let value = self.eval(st, frame, init)?;
                if *lazy && st.events.len() != events {
                    return self.refuse(init.span, "a lazy value that may throw has no columnar form here");
                }
                if !st.dead {
                    st.locals.insert((frame, local.0), value);
                }
            }
            Stmt::LetPattern { pattern, init } => {
                let value = self.eval(st, frame, init)?;
                if st.dead {
                    return Ok(());
                }
                let matched = self.pattern(st, frame, pattern, &value)?;
                let failed = self.g.not(matched);
                self.raise_if(st, failed, "MatchError", "no case matches");
            }
            Stmt::Assign { local, value } => {
                let sym = self.eval(st, frame, value)?;
                if !st.dead {
                    let key = self.slot(st, frame, *local);
                    st.locals.insert(key, sym);
                }
            }
            Stmt::SetIndex { array, index, value } => self.set_index(st, frame, array, index, value)?,
            Stmt::Loop {
                cond,
                body,
                update,
                test_first,
                label: _,
                span,
            } => {
                self.unroll(st, frame, (cond, body, update), *test_first, *span)?;
            }
            Stmt::Break(_) | Stmt::Continue(_) => {
                return self.refuse(self.g.span, "`break` and `continue` have no columnar form");
            }
        }
        Ok(())
    }

    /// `a(i) = v` on an array of known length held in a local.
    fn set_index(&mut self, st: &mut State, frame: u32, array: &Expr, index: &Expr, value: &Expr) -> Understood<()> {
        let ExprKind::Local(local) = &array.kind else {
            return self.refuse(
                array.span,
                "only an array in a local variable can be changed in columnar form",
            );
        };
        let key = self.slot(st, frame, *local);
        let at = self.eval(st, frame, index)?;
        let at = self.node_of(&at, index.span)?;
        let new = self.eval(st, frame, value)?;
        let (Some(Sym::Seq(mut items)), Some(i)) = (st.locals.get(&key).cloned(), self.g.as_int(at)) else {
            return self.refuse(
                array.span,
                "an array that is changed at a computed index has no columnar form",
            );
        };
        match usize::try_from(i).ok().and_then(|i| items.get_mut(i)) {
            Some(slot) => slot.1 = new,
            None => {
                let always = self.g.bool(true);
                self.raise_if(st, always, "ArrayIndexOutOfBoundsException", "index");
                return Ok(());
            }
        }
        st.locals.insert(key, Sym::Seq(items));
        Ok(())
    }

    /// Unrolls a loop while its condition is decided without data.
    fn unroll(
        &mut self,
        st: &mut State,
        frame: u32,
        (cond, body, update): (&Expr, &Expr, &[Stmt]),
        test_first: bool,
        span: Span,
    ) -> Understood<()> {
        let mut test = test_first;
        loop {
            if test {
                let c = self.condition(st, frame, cond)?;
                match self.decided(st, c) {
                    _ if st.dead => return Ok(()),
                    Some(true) => {}
                    Some(false) => return Ok(()),
                    None => {
                        return self.refuse(
                            span,
                            "a loop whose number of turns depends on the data has no columnar form; \
                             only the cuda tier can express it",
                        );
                    }
                }
            }
            test = true;
            self.count_turn(span)?;
            self.eval(st, frame, body)?;
            self.statements(st, frame, update)?;
            if st.dead {
                return Ok(());
            }
        }
    }

    /// Counts a turn of an unrolled loop against the bound.
    pub(super) fn count_turn(&mut self, span: Span) -> Understood<()> {
        self.turns += 1;
        if self.turns > MAX_TURNS || self.g.len() > super::MAX_NODES {
            return self.refuse(
                span,
                "the loop is too long to be unrolled; only the cuda tier can express it",
            );
        }
        Ok(())
    }

    /// An exception under a condition; afterwards the condition is known to be false.
    pub(super) fn raise_if(&mut self, st: &mut State, cond: NodeId, class: &str, message: &str) {
        let cond = self.simplified(st, cond);
        match self.decided(st, cond) {
            Some(false) => return,
            Some(true) => st.dead = true,
            None => {}
        }
        st.events.push(Event {
            cond,
            exit: Exit::Raise(class.into(), message.into()),
        });
        if st.dead {
            let always = self.g.bool(true);
            if let Some(last) = st.events.last_mut() {
                last.cond = always;
            }
        } else {
            st.assume(&self.g, cond, false);
        }
    }

    /// A null receiver or argument throws; afterwards it is known not to be null.
    pub(super) fn require(&mut self, st: &mut State, node: NodeId) {
        if self.nullable(st, node) {
            let missing = self.g.is_null(node);
            self.raise_if(st, missing, "NullPointerException", "null");
            if !st.dead {
                st.set_not_null(node);
            }
        }
    }
}
