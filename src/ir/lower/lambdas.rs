//! Functions over the elements of a column of lists. A function may throw, but neither change anything outside nor leave early.

use super::Lower;
use super::library::Call;
use super::lists::Listed;
use super::sym::{Event, Exit, State, Sym};
use crate::ir::func::Func;
use crate::ir::node::{ColTy, NodeId, Op};
use crate::lang::ast::BinOp;
use crate::lang::ty::Prim;
use crate::source::{Span, Understood};

/// A function applied to the element of a list.
struct Applied {
    /// The variable that stands for the element.
    var: u32,
    /// What is known inside.
    state: State,
    /// What it gave.
    value: Sym,
}

impl Lower<'_> {
    /// Methods with a function over the elements.
    pub(super) fn list_function(&mut self, st: &mut State, xs: &Listed, call: Call<'_>) -> Understood<Sym> {
        let f = call.args.first().cloned().unwrap_or(Sym::Unit);
        match call.key() {
            ("foldLeft" | "/:" | "fold", 2) => self.list_fold(st, xs, false, &call),
            ("foldRight" | ":\\", 2) => {
                let turned = self.same_kind(xs, Func::ListReverse, vec![]);
                self.list_fold(st, &turned, true, &call)
            }
            ("reduce" | "reduceLeft", 1) => {
                self.raise_if_empty(st, xs, "UnsupportedOperationException");
                self.list_reduce(st, xs, &f, call.span)
            }
            ("reduceOption" | "reduceLeftOption", 1) => {
                let there = self.has_elements(xs);
                let value = self.list_reduce(st, xs, &f, call.span)?;
                Ok(Sym::Opt(there, Box::new(value)))
            }
            ("mkString", 0 | 1 | 3) => self.list_text(st, xs, &call),
            ("map" | "flatMap" | "collect", 1) => self.list_map(st, xs, &call),
            ("filter" | "filterNot" | "exists" | "forall" | "withFilter" | "count" | "find" | "partition", 1) => {
                self.list_test(st, xs, &call)
            }
            ("takeWhile" | "dropWhile" | "span" | "indexWhere", 1) => self.list_prefix(st, xs, &call),
            ("sortBy" | "maxBy" | "minBy", 1) => self.list_sort_by(st, xs, &call),
            ("sortWith", 1) => self.list_sort_with(st, xs, &call),
            _ => self.not_covered(&call),
        }
    }

    /// Applies a function to the element; what it throws for some element is thrown for the list.
    fn over(&mut self, st: &mut State, xs: &Listed, call: &Call<'_>) -> Understood<Applied> {
        self.vars += 1;
        let var = self.vars;
        let element = self.g.add(Op::Var(var), xs.element.clone());
        let mut inner = st.scope();
        let item = self.item(&mut inner, xs, element);
        let value = self.applied(st, &mut inner, &call.args[0], &[item], call.span)?;
        let events = std::mem::take(&mut inner.events);
        self.list_events(st, (xs.node, var), events, call)?;
        Ok(Applied {
            var,
            state: inner,
            value,
        })
    }

    /// Applies a function that must not change anything outside.
    fn applied(&mut self, st: &State, inner: &mut State, f: &Sym, items: &[Sym], span: Span) -> Understood<Sym> {
        let before = (st.locals.clone(), st.cells.clone());
        let value = self.apply(inner, f, items, span)?;
        if before.0.iter().any(|(k, v)| inner.locals.get(k) != Some(v)) || before.1 != inner.cells {
            return self.refuse(
                span,
                "a function that changes outer variables has no columnar form over a list",
            );
        }
        Ok(value)
    }

    /// What the function throws for an element is thrown for the list, unless the walk may stop before.
    fn list_events(
        &mut self,
        st: &mut State,
        (list, var): (NodeId, u32),
        events: Vec<Event>,
        call: &Call<'_>,
    ) -> Understood<()> {
        let stops = matches!(
            call.name,
            "exists" | "forall" | "find" | "takeWhile" | "dropWhile" | "span" | "indexWhere"
        );
        for event in events {
            let Exit::Raise(class, message) = event.exit else {
                return self.refuse(
                    call.span,
                    "a `return` out of a function over a list has no columnar form",
                );
            };
            if stops {
                return self.refuse(call.span, "a test that may throw has no columnar form over a list");
            }
            let any = match self.g.as_bool(event.cond) {
                Some(true) => return self.refuse(call.span, "a function that always throws has no columnar form"),
                _ => self.g.call(Func::Exists(var), vec![list, event.cond], ColTy::BOOL),
            };
            self.raise_if(st, any, &class, &message);
        }
        Ok(())
    }

    /// A value as one column: a tuple becomes a struct. Also says which parts are never null.
    fn packed(&mut self, st: &State, value: &Sym, span: Span) -> Understood<(NodeId, Vec<bool>)> {
        match value {
            Sym::Tuple(items) => {
                let (mut nodes, mut fields, mut whole) = (Vec::new(), Vec::new(), Vec::new());
                for (i, item) in items.iter().enumerate() {
                    let n = self.node_of(item, span)?;
                    whole.push(!self.nullable(st, n));
                    fields.push((format!("_{}", i + 1), self.g.ty(n).clone()));
                    nodes.push(n);
                }
                Ok((self.g.add(Op::Struct(nodes), ColTy::Struct(fields)), whole))
            }
            _ => {
                let n = self.node_of(value, span)?;
                let whole = !self.nullable(st, n);
                Ok((n, vec![whole]))
            }
        }
    }

    fn mapped(&mut self, xs: &Listed, a: &Applied, value: &Sym, span: Span) -> Understood<Listed> {
        let (body, whole) = self.packed(&a.state, value, span)?;
        self.g.span = span;
        let element = self.g.ty(body).clone();
        let ty = ColTy::Array(Box::new(element.clone()));
        let node = self.g.call(Func::Map(a.var), vec![xs.node, body], ty);
        self.whole.insert(node, whole.clone());
        if self.unordered.contains(&xs.node) {
            self.unordered.insert(node);
        }
        Ok(Listed { node, element, whole })
    }

    /// Elements for which a condition over the variable holds.
    fn kept(&mut self, st: &State, xs: &Listed, var: u32, cond: NodeId) -> Listed {
        let mut kept = self.same_kind(xs, Func::Filter(var), vec![cond]);
        let element = self.g.add(Op::Var(var), xs.element.clone());
        let mut inner = st.scope();
        inner.assume(&self.g, cond, true);
        if !self.nullable(&inner, element) && !matches!(xs.element, ColTy::Struct(_)) {
            kept.whole = vec![true];
            self.whole.insert(kept.node, vec![true]);
        }
        kept
    }

    fn list_map(&mut self, st: &mut State, xs: &Listed, call: &Call<'_>) -> Understood<Sym> {
        if call.name == "collect" {
            return self.list_collect(st, xs, call);
        }
        let a = self.over(st, xs, call)?;
        let value = a.value.clone();
        match (call.name, value) {
            ("map", value) => Ok(Sym::Node(self.mapped(xs, &a, &value, call.span)?.node)),
            (_, Sym::Opt(there, inner)) => {
                let kept = self.kept(&a.state, xs, a.var, there);
                let mut state = a.state.clone();
                state.assume(&self.g, there, true);
                let a = Applied { state, ..a };
                Ok(Sym::Node(self.mapped(&kept, &a, &inner, call.span)?.node))
            }
            (_, Sym::Seq(items)) if items.len() == 1 => {
                let (there, inner) = items[0].clone();
                let kept = self.kept(&a.state, xs, a.var, there);
                Ok(Sym::Node(self.mapped(&kept, &a, &inner, call.span)?.node))
            }
            (_, Sym::Node(n)) if matches!(self.g.ty(n), ColTy::Array(_)) => {
                if self.unordered.contains(&xs.node) {
                    return self.not_covered(call);
                }
                let inner_whole = match self.g.ty(n).clone() {
                    ColTy::Array(element) => self.listed(n, *element).whole,
                    _ => Vec::new(),
                };
                let ty = self.g.ty(n).clone();
                let lists = self.mapped(xs, &a, &Sym::Node(n), call.span)?;
                self.raise_if_null_inside(st, &lists);
                let flat = self.g.call(Func::Flatten, vec![lists.node], ty);
                self.whole.insert(flat, inner_whole);
                Ok(Sym::Node(flat))
            }
            _ => self.not_covered(call),
        }
    }

    /// `xs.collect { case … }`: elements for which a case matches, through its body.
    fn list_collect(&mut self, st: &mut State, xs: &Listed, call: &Call<'_>) -> Understood<Sym> {
        self.vars += 1;
        let var = self.vars;
        let element = self.g.add(Op::Var(var), xs.element.clone());
        let mut inner = st.scope();
        let item = self.item(&mut inner, xs, element);
        let yes = self.g.bool(true);
        let before = (st.locals.clone(), st.cells.clone());
        let (there, value) = self.partial(&mut inner, yes, &call.args[0], &item, call.span)?;
        if before.0.iter().any(|(k, v)| inner.locals.get(k) != Some(v)) || before.1 != inner.cells {
            return self.not_covered(call);
        }
        let events = std::mem::take(&mut inner.events);
        self.list_events(st, (xs.node, var), events, call)?;
        let kept = self.kept(&inner, xs, var, there);
        inner.assume(&self.g, there, true);
        let a = Applied {
            var,
            state: inner,
            value,
        };
        let value = a.value.clone();
        Ok(Sym::Node(self.mapped(&kept, &a, &value, call.span)?.node))
    }

    fn list_test(&mut self, st: &mut State, xs: &Listed, call: &Call<'_>) -> Understood<Sym> {
        let a = self.over(st, xs, call)?;
        let body = self.node_of(&a.value, call.span)?;
        self.g.span = call.span;
        let quantified = |l: &mut Self, f: Func| Sym::Node(l.g.call(f, vec![xs.node, body], ColTy::BOOL));
        Ok(match call.name {
            "filter" | "withFilter" => Sym::Node(self.kept(&a.state, xs, a.var, body).node),
            "filterNot" => {
                let not = self.g.not(body);
                Sym::Node(self.kept(&a.state, xs, a.var, not).node)
            }
            "exists" => quantified(self, Func::Exists(a.var)),
            "forall" => quantified(self, Func::Forall(a.var)),
            "count" => {
                let kept = self.kept(&a.state, xs, a.var, body);
                Sym::Node(self.size(kept.node))
            }
            "find" => {
                let kept = self.kept(&a.state, xs, a.var, body);
                let (there, zero) = (self.has_elements(&kept), self.g.int(0));
                let value = self.item_at(st, &kept, zero);
                Sym::Opt(there, Box::new(value))
            }
            _ => {
                let not = self.g.not(body);
                let (yes, no) = (
                    self.kept(&a.state, xs, a.var, body),
                    self.kept(&a.state, xs, a.var, not),
                );
                Sym::Tuple(vec![Sym::Node(yes.node), Sym::Node(no.node)])
            }
        })
    }

    /// Up to or from the first element for which a test fails (or holds).
    fn list_prefix(&mut self, st: &mut State, xs: &Listed, call: &Call<'_>) -> Understood<Sym> {
        let a = self.over(st, xs, call)?;
        let body = self.node_of(&a.value, call.span)?;
        let tests = self.mapped(xs, &a, &Sym::Node(body), call.span)?;
        let wanted = self.g.bool(call.name == "indexWhere");
        let at = self.g.call(Func::ListIndexOf, vec![tests.node, wanted], ColTy::INT);
        if call.name == "indexWhere" {
            return Ok(Sym::Node(at));
        }
        let (zero, size) = (self.g.int(0), self.size(xs.node));
        let none = self.g.bin(BinOp::Lt, Prim::Int, at, zero);
        let n = self.g.case(none, size, at);
        let head = self.same_kind(xs, Func::ListTake, vec![n]).node;
        let rest = self.same_kind(xs, Func::ListDrop, vec![n]).node;
        Ok(match call.name {
            "takeWhile" => Sym::Node(head),
            "dropWhile" => Sym::Node(rest),
            _ => Sym::Tuple(vec![Sym::Node(head), Sym::Node(rest)]),
        })
    }

    /// `foldLeft`; the element comes first in a fold from the right.
    fn list_fold(&mut self, st: &mut State, xs: &Listed, element_first: bool, call: &Call<'_>) -> Understood<Sym> {
        let (start, _) = self.packed(st, &call.args[0].clone(), call.span)?;
        let ty = self.g.ty(start).clone();
        self.vars += 2;
        let (acc_id, id) = (self.vars - 1, self.vars);
        let acc = self.g.add(Op::Var(acc_id), ty.clone());
        let var = self.g.add(Op::Var(id), xs.element.clone());
        let mut inner = st.scope();
        let fields = if let ColTy::Struct(fields) = &ty {
            fields.len()
        } else {
            1
        };
        let state = Listed {
            node: xs.node,
            element: ty.clone(),
            whole: vec![true; fields],
        };
        let acc_item = self.item(&mut inner, &state, acc);
        let item = self.item(&mut inner, xs, var);
        let args = if element_first {
            [item, acc_item]
        } else {
            [acc_item, item]
        };
        let value = self.applied(st, &mut inner, &call.args[1], &args, call.span)?;
        let events = std::mem::take(&mut inner.events);
        let depends = events.iter().any(|e| self.g.any(e.cond, &|n| n.op == Op::Var(acc_id)));
        if depends {
            return self.refuse(
                call.span,
                "a fold that throws depending on what came before has no columnar form",
            );
        }
        self.list_events(st, (xs.node, id), events, call)?;
        let (body, whole) = self.packed(&inner, &value, call.span)?;
        let (start_whole, ok) = (
            self.packed(st, &call.args[0].clone(), call.span)?.1,
            *self.g.ty(body) == ty,
        );
        if !ok || !whole.iter().all(|w| *w) || !start_whole.iter().all(|w| *w) {
            return self.refuse(call.span, "this fold has no columnar form");
        }
        self.g.span = call.span;
        let n = self.g.call(Func::Fold(acc_id, id), vec![xs.node, start, body], ty);
        Ok(self.item(st, &state, n))
    }

    fn list_reduce(&mut self, st: &mut State, xs: &Listed, f: &Sym, span: Span) -> Understood<Sym> {
        if matches!(xs.element, ColTy::Struct(_)) || !xs.is_whole(0) {
            return self.refuse(span, "reducing a list that may hold null has no columnar form here");
        }
        let mut failed = None;
        let mut inner = st.scope();
        let before = st.clone();
        let value = self.reduced(st, xs, |l, acc, x| {
            inner.set_not_null(acc);
            inner.set_not_null(x);
            let value = l
                .applied(&before, &mut inner, f, &[Sym::Node(acc), Sym::Node(x)], span)
                .and_then(|v| l.node_of(&v, span));
            value.unwrap_or_else(|refusal| {
                failed = Some(refusal);
                acc
            })
        });
        match failed {
            Some(refusal) => Err(refusal),
            None if !inner.events.is_empty() => self.refuse(span, "a reduction that throws has no columnar form"),
            None => Ok(value),
        }
    }

    /// `xs.mkString(…)`: texts of the elements joined.
    fn list_text(&mut self, st: &mut State, xs: &Listed, call: &Call<'_>) -> Understood<Sym> {
        let part = |l: &Self, i: usize| match call.args.get(i) {
            Some(s) => l.constant_text(s, call.span, "a separator"),
            None => Ok("".into()),
        };
        let three = call.args.len() == 3;
        let separator = part(self, usize::from(three))?;
        let texts = match &xs.element {
            ColTy::Str | ColTy::Prim(Prim::Char) => xs.node,
            _ => {
                self.vars += 1;
                let id = self.vars;
                let var = self.g.add(Op::Var(id), xs.element.clone());
                let mut inner = st.scope();
                let item = self.item(&mut inner, xs, var);
                let text = self.text_of(&inner, &item, call.span)?;
                let ty = ColTy::Array(Box::new(ColTy::Str));
                self.g.call(Func::Map(id), vec![xs.node, text], ty)
            }
        };
        let joined = self.g.call(Func::MkString(separator), vec![texts], ColTy::Str);
        if !three {
            return Ok(Sym::Node(joined));
        }
        let (open, close) = (part(self, 0)?, part(self, 2)?);
        let (open, close) = (self.g.text(&open), self.g.text(&close));
        Ok(Sym::Node(self.g.concat(vec![open, joined, close])))
    }

    /// Sorts by a key, which is an integer, a text or a date.
    fn list_sort_by(&mut self, st: &mut State, xs: &Listed, call: &Call<'_>) -> Understood<Sym> {
        if self.unordered.contains(&xs.node) {
            return self.not_covered(call);
        }
        let mut keys = Vec::new();
        let mut vars = Vec::new();
        for _ in 0..2 {
            let a = self.over(st, xs, call)?;
            let key = self.node_of(&a.value, call.span)?;
            let ordered = match self.g.ty(key) {
                ColTy::Str | ColTy::Date => true,
                ColTy::Prim(p) => p.is_integral(),
                _ => false,
            };
            if !ordered || self.nullable(&a.state, key) {
                return self.refuse(call.span, "sorting by this key has no columnar form here");
            }
            keys.push(key);
            vars.push(a.var);
        }
        let (less, more) = match call.name {
            "maxBy" => (self.less(keys[1], keys[0]), self.less(keys[0], keys[1])),
            _ => (self.less(keys[0], keys[1]), self.less(keys[1], keys[0])),
        };
        if call.name != "sortBy" {
            self.raise_if_empty(st, xs, "UnsupportedOperationException");
        }
        let sorted = self.sorted_with(xs, (vars[0], vars[1]), (less, more));
        if call.name == "sortBy" {
            return Ok(Sym::Node(sorted.node));
        }
        let zero = self.g.int(0);
        Ok(self.item_at(st, &sorted, zero))
    }

    fn less(&mut self, a: NodeId, b: NodeId) -> NodeId {
        match self.g.ty(a).prim() {
            Some(p) => self.g.bin(BinOp::Lt, p, a, b),
            None => self.g.add(Op::Compare(BinOp::Lt, a, b), ColTy::BOOL),
        }
    }

    /// A stable sort by a comparison over two variables.
    fn sorted_with(&mut self, xs: &Listed, (a, b): (u32, u32), (less, more): (NodeId, NodeId)) -> Listed {
        let (minus, zero, one) = (self.g.int(-1), self.g.int(0), self.g.int(1));
        let rest = self.g.case(more, one, zero);
        let order = self.g.case(less, minus, rest);
        self.same_kind(xs, Func::SortWith(a, b), vec![order])
    }

    fn list_sort_with(&mut self, st: &mut State, xs: &Listed, call: &Call<'_>) -> Understood<Sym> {
        self.vars += 2;
        let (a, b) = (self.vars - 1, self.vars);
        let x = self.g.add(Op::Var(a), xs.element.clone());
        let y = self.g.add(Op::Var(b), xs.element.clone());
        let mut sides = Vec::new();
        for (p, q) in [(x, y), (y, x)] {
            let mut inner = st.scope();
            let (p, q) = (self.item(&mut inner, xs, p), self.item(&mut inner, xs, q));
            let value = self.applied(st, &mut inner, &call.args[0], &[p, q], call.span)?;
            if !inner.events.is_empty() {
                return self.refuse(call.span, "a comparison that may throw has no columnar form");
            }
            sides.push(self.node_of(&value, call.span)?);
        }
        Ok(Sym::Node(self.sorted_with(xs, (a, b), (sides[0], sides[1])).node))
    }
}
