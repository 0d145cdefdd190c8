//! Collections: constant tables, sequences of known length, and columns of lists and maps.

use super::Lower;
use super::library::Call;
use super::sym::{Event, Exit, State, Sym};
use crate::ir::func::Func;
use crate::ir::node::{ColTy, NodeId, Op};
use crate::lang::ast::BinOp;
use crate::lang::ty::{Prim, Ty};
use crate::source::{Span, Understood};

impl Lower<'_> {
    /// `Map(…)`, `Set(…)`, `Seq(…)`, `Array(…)` and their `empty`.
    pub(super) fn collection_static(&mut self, st: &mut State, base: &str, call: Call<'_>) -> Understood<Sym> {
        let _ = st;
        let items: Vec<Sym> = match call.args.as_slice() {
            [Sym::Seq(items)] if items.iter().all(|(c, _)| self.g.as_bool(*c) == Some(true)) => {
                items.iter().map(|(_, v)| v.clone()).collect()
            }
            [] => Vec::new(),
            other if call.name == "apply" => other.to_vec(),
            _ => return self.not_covered(&call),
        };
        if !matches!(call.name, "apply" | "empty" | "of" | "asList" | "Nil") && base != "Nil" {
            return self.not_covered(&call);
        }
        let always = self.g.bool(true);
        match base {
            "Map" | "HashMap" => {
                let mut entries: Vec<(Sym, Sym)> = Vec::new();
                for item in items {
                    let Sym::Tuple(mut pair) = item else {
                        return self.not_covered(&call);
                    };
                    if pair.len() != 2 {
                        return self.not_covered(&call);
                    }
                    let value = pair.pop().unwrap_or(Sym::Unit);
                    let key = pair.pop().unwrap_or(Sym::Unit);
                    match entries.iter_mut().find(|(k, _)| *k == key) {
                        Some(entry) => entry.1 = value,
                        None => entries.push((key, value)),
                    }
                }
                Ok(Sym::Map(entries))
            }
            "Set" | "HashSet" => Ok(Sym::Set(items)),
            _ => Ok(Sym::Seq(items.into_iter().map(|v| (always, v)).collect())),
        }
    }

    /// A collection used as a function: `map(k)`, `set(x)`, `seq(i)`.
    pub(super) fn collection_apply(&mut self, st: &mut State, xs: &Sym, arg: &Sym, span: Span) -> Understood<Sym> {
        match xs {
            Sym::Map(entries) => self.lookup(st, entries, arg, None, span),
            Sym::Set(items) => Ok(Sym::Node(self.member(st, items, arg, span)?)),
            _ => self.element(st, xs, arg, "IndexOutOfBoundsException", &Ty::Any, span),
        }
    }

    fn member(&mut self, st: &State, items: &[Sym], x: &Sym, span: Span) -> Understood<NodeId> {
        let mut any = self.g.bool(false);
        for item in items {
            let one = self.equal(st, x, item, span)?;
            any = self.g.or(any, one);
        }
        Ok(any)
    }

    /// The value of a key in a constant table; without a default an absent key throws.
    fn lookup(
        &mut self,
        st: &mut State,
        entries: &[(Sym, Sym)],
        key: &Sym,
        default: Option<Sym>,
        span: Span,
    ) -> Understood<Sym> {
        let mut conds = Vec::new();
        let mut found = self.g.bool(false);
        for (k, v) in entries {
            let hit = self.equal(st, key, k, span)?;
            found = self.g.or(found, hit);
            conds.push((hit, v.clone()));
        }
        let mut value = match default {
            Some(d) => Some(d),
            None => {
                let missing = self.g.not(found);
                self.raise_if(st, missing, "NoSuchElementException", "key not found");
                None
            }
        };
        for (hit, v) in conds.into_iter().rev() {
            value = Some(match value {
                Some(other) => self.merge(hit, &v, &other, span)?,
                None => v,
            });
        }
        match value {
            Some(value) => Ok(value),
            None => self.refuse(span, "a look-up in an empty table has no columnar form"),
        }
    }

    /// Methods of constant tables, sets and sequences of known length.
    pub(super) fn collection_method(&mut self, st: &mut State, xs: Sym, call: Call<'_>) -> Understood<Sym> {
        match xs {
            Sym::Map(entries) => self.table_method(st, &entries, call),
            Sym::Set(items) => match call.key() {
                ("contains" | "apply", 1) => {
                    let n = self.member(st, &items, &call.args[0].clone(), call.span)?;
                    Ok(Sym::Node(n))
                }
                ("size", 0) => Ok(Sym::Node(self.g.int(items.len() as i64))),
                _ => self.not_covered(&call),
            },
            Sym::Seq(items) => self.seq_method(st, items, call),
            _ => self.not_covered(&call),
        }
    }

    fn table_method(&mut self, st: &mut State, entries: &[(Sym, Sym)], call: Call<'_>) -> Understood<Sym> {
        let span = call.span;
        match call.key() {
            ("apply", 1) => self.lookup(st, entries, &call.args[0].clone(), None, span),
            ("get" | "contains", 1) => {
                let mut found = self.g.bool(false);
                for (k, _) in entries {
                    let hit = self.equal(st, &call.args[0], k, span)?;
                    found = self.g.or(found, hit);
                }
                if call.name == "contains" {
                    return Ok(Sym::Node(found));
                }
                let mut inner = st.scope();
                let value = self.lookup(&mut inner, entries, &call.args[0].clone(), None, span)?;
                Ok(Sym::Opt(found, Box::new(value)))
            }
            ("getOrElse" | "getOrDefault", 2) => {
                let mut inner = st.scope();
                let default = self.force(&mut inner, &call.args[1].clone(), span)?;
                if !inner.events.is_empty() {
                    return self.refuse(span, "a default that may throw has no columnar form here");
                }
                self.lookup(st, entries, &call.args[0].clone(), Some(default), span)
            }
            ("withDefaultValue", 1) => self.not_covered(&call),
            ("size", 0) => Ok(Sym::Node(self.g.int(entries.len() as i64))),
            _ => self.not_covered(&call),
        }
    }

    fn seq_method(&mut self, st: &mut State, items: Vec<(NodeId, Sym)>, call: Call<'_>) -> Understood<Sym> {
        let span = call.span;
        let fixed = items.iter().all(|(c, _)| self.g.as_bool(*c) == Some(true));
        let f = call.args.first().cloned().unwrap_or(Sym::Unit);
        match call.key() {
            ("foreach", 1) => {
                for (here, item) in items {
                    self.count_turn(span)?;
                    self.choose(
                        st,
                        here,
                        |l, s| l.apply(s, &f, &[item], span),
                        |_, _| Ok(Sym::Unit),
                        span,
                    )?;
                    if st.dead {
                        break;
                    }
                }
                Ok(Sym::Unit)
            }
            ("map", 1) => {
                let mut out = Vec::new();
                for (here, item) in items {
                    self.count_turn(span)?;
                    let value = self.choose(
                        st,
                        here,
                        |l, s| l.apply(s, &f, &[item], span),
                        |_, _| Ok(Sym::Unit),
                        span,
                    );
                    out.push((here, self.under(st, here, value?, span)?));
                }
                Ok(Sym::Seq(out))
            }
            ("filter" | "filterNot" | "withFilter", 1) => {
                let mut out = Vec::new();
                for (here, item) in items {
                    let holds = self.test(st, here, &f, &item, span)?;
                    let holds = if call.name == "filterNot" {
                        self.g.not(holds)
                    } else {
                        holds
                    };
                    out.push((self.g.and(here, holds), item));
                }
                Ok(Sym::Seq(out))
            }
            ("collect", 1) => {
                let mut out = Vec::new();
                for (here, item) in items {
                    self.count_turn(span)?;
                    let (there, value) = self.partial(st, here, &f, &item, span)?;
                    out.push((there, value));
                }
                Ok(Sym::Seq(out))
            }
            ("exists" | "forall" | "count", 1) => {
                let mut tests = Vec::new();
                for (here, item) in items {
                    let holds = self.test(st, here, &f, &item, span)?;
                    tests.push(match call.name {
                        "forall" => {
                            let absent = self.g.not(here);
                            self.g.or(absent, holds)
                        }
                        _ => self.g.and(here, holds),
                    });
                }
                Ok(Sym::Node(match call.name {
                    "exists" => tests.into_iter().fold(self.g.bool(false), |a, b| self.g.or(a, b)),
                    "forall" => tests.into_iter().fold(self.g.bool(true), |a, b| self.g.and(a, b)),
                    _ => self.count(&tests),
                }))
            }
            ("foldLeft", 2) => self.fold(st, items, f, call.args[1].clone(), span),
            ("sum", 0) => self.sum(st, items, &call),
            ("size" | "length", 0) => {
                let conds: Vec<NodeId> = items.iter().map(|(c, _)| *c).collect();
                Ok(Sym::Node(self.count(&conds)))
            }
            ("isEmpty" | "nonEmpty", 0) => {
                let any = items
                    .iter()
                    .map(|(c, _)| *c)
                    .fold(self.g.bool(false), |a, b| self.g.or(a, b));
                Ok(Sym::Node(if call.name == "isEmpty" { self.g.not(any) } else { any }))
            }
            ("contains", 1) if fixed => {
                let all: Vec<Sym> = items.into_iter().map(|(_, v)| v).collect();
                Ok(Sym::Node(self.member(st, &all, &f, span)?))
            }
            ("mkString", 0 | 1) => self.make_string(st, &items, &call),
            ("min" | "max", 0) if fixed && !items.is_empty() => {
                let mut all = Vec::new();
                for (_, item) in &items {
                    all.push(self.node_of(item, span)?);
                }
                let ty = self.g.ty(all[0]).clone();
                if !ty.prim().is_some_and(|p| p.is_integral() && p != Prim::Char) {
                    return self.not_covered(&call);
                }
                let f = if call.name == "min" { Func::Min } else { Func::Max };
                let first = all[0];
                Ok(Sym::Node(
                    all[1..]
                        .iter()
                        .fold(first, |a, b| self.g.call(f.clone(), vec![a, *b], ty.clone())),
                ))
            }
            ("flatten", 0) => self.flatten(items, &call),
            ("headOption" | "find", _) => self.first(st, items, &call),
            ("apply", 1) => self.element(st, &Sym::Seq(items), &f, "IndexOutOfBoundsException", &call.ty, span),
            ("toSeq" | "toList" | "toArray" | "toVector" | "iterator" | "toIndexedSeq", _) => Ok(Sym::Seq(items)),
            ("toSet", 0) if fixed => Ok(Sym::Set(items.into_iter().map(|(_, v)| v).collect())),
            _ => self.not_covered(&call),
        }
    }

    /// A value computed under a condition, usable as it stands where the condition holds.
    fn under(&mut self, _st: &State, _here: NodeId, value: Sym, span: Span) -> Understood<Sym> {
        match value {
            Sym::Unit => self.refuse(span, "a sequence of nothing has no columnar form"),
            other => Ok(other),
        }
    }

    fn test(&mut self, st: &mut State, here: NodeId, f: &Sym, item: &Sym, span: Span) -> Understood<NodeId> {
        self.count_turn(span)?;
        let item = item.clone();
        let no = self.g.bool(false);
        let verdict = self.choose(
            st,
            here,
            |l, s| l.apply(s, f, &[item], span),
            |_, _| Ok(Sym::Node(no)),
            span,
        )?;
        self.node_of(&verdict, span)
    }

    fn count(&mut self, conds: &[NodeId]) -> NodeId {
        let mut total = self.g.int(0);
        for cond in conds {
            let (one, zero) = (self.g.int(1), self.g.int(0));
            let step = self.g.case(*cond, one, zero);
            total = self.g.bin(BinOp::Add, Prim::Int, total, step);
        }
        total
    }

    fn fold(&mut self, st: &mut State, items: Vec<(NodeId, Sym)>, start: Sym, f: Sym, span: Span) -> Understood<Sym> {
        let mut acc = start;
        for (here, item) in items {
            self.count_turn(span)?;
            let before = acc.clone();
            acc = self.choose(
                st,
                here,
                |l, s| l.apply(s, &f, &[before.clone(), item], span),
                |_, _| Ok(before.clone()),
                span,
            )?;
        }
        Ok(acc)
    }

    fn sum(&mut self, st: &State, items: Vec<(NodeId, Sym)>, call: &Call<'_>) -> Understood<Sym> {
        let _ = st;
        let Some(prim) = call.ty.prim().filter(|p| p.is_numeric()) else {
            return self.not_covered(call);
        };
        let mut total = self.zero(prim);
        for (here, item) in items {
            let n = self.node_of(&item, call.span)?;
            let zero = self.zero(prim);
            let n = self.g.case(here, n, zero);
            total = match self.g.as_int(total) {
                Some(0) if prim.is_integral() => n,
                _ => self.g.bin(BinOp::Add, prim, total, n),
            };
        }
        Ok(Sym::Node(total))
    }

    fn make_string(&mut self, st: &State, items: &[(NodeId, Sym)], call: &Call<'_>) -> Understood<Sym> {
        let separator = match call.args.first() {
            Some(s) => self.constant_text(s, call.span, "a separator")?,
            None => "".into(),
        };
        let fixed = items.iter().all(|(c, _)| self.g.as_bool(*c) == Some(true));
        if !fixed && !separator.is_empty() {
            return self.not_covered(call);
        }
        let mut parts = Vec::new();
        for (i, (here, item)) in items.iter().enumerate() {
            if i > 0 {
                parts.push(self.g.text(&separator));
            }
            let text = self.text_of(st, item, call.span)?;
            let empty = self.g.text("");
            parts.push(self.g.case(*here, text, empty));
        }
        Ok(Sym::Node(self.g.concat(parts)))
    }

    fn flatten(&mut self, items: Vec<(NodeId, Sym)>, call: &Call<'_>) -> Understood<Sym> {
        let mut out = Vec::new();
        for (here, item) in items {
            match item {
                Sym::Opt(d, v) => out.push((self.g.and(here, d), *v)),
                Sym::NoneOpt => {}
                Sym::Seq(inner) => {
                    for (c, v) in inner {
                        out.push((self.g.and(here, c), v));
                    }
                }
                _ => return self.not_covered(call),
            }
        }
        Ok(Sym::Seq(out))
    }

    fn first(&mut self, st: &mut State, items: Vec<(NodeId, Sym)>, call: &Call<'_>) -> Understood<Sym> {
        let mut result = Sym::NoneOpt;
        for (here, item) in items.into_iter().rev() {
            let holds = match (call.name, call.args.first()) {
                ("find", Some(f)) => {
                    let f = f.clone();
                    let test = self.test(st, here, &f, &item, call.span)?;
                    self.g.and(here, test)
                }
                _ => here,
            };
            let yes = self.g.bool(true);
            result = self.merge(holds, &Sym::Opt(yes, Box::new(item)), &result, call.span)?;
        }
        Ok(result)
    }

    /// `xs(i)`.
    pub(super) fn element(
        &mut self,
        st: &mut State,
        xs: &Sym,
        i: &Sym,
        class: &str,
        _ty: &Ty,
        span: Span,
    ) -> Understood<Sym> {
        let at = self.node_of(i, span)?;
        match xs {
            Sym::Seq(items) => {
                let index = self.g.as_int(at).and_then(|i| usize::try_from(i).ok());
                match index.and_then(|i| items.get(i)) {
                    Some((here, item)) if self.g.as_bool(*here) == Some(true) => Ok(item.clone()),
                    _ => self.refuse(span, "an element at a computed index has no columnar form here"),
                }
            }
            Sym::Node(list) => {
                let ColTy::Array(element) = self.g.ty(*list).clone() else {
                    return self.refuse(span, "an element of this value has no columnar form");
                };
                self.require(st, *list);
                let (zero, size) = (self.g.int(0), self.g.call(Func::Size, vec![*list], ColTy::INT));
                let low = self.g.bin(BinOp::Lt, Prim::Int, at, zero);
                let high = self.g.bin(BinOp::Ge, Prim::Int, at, size);
                let bad = self.g.or(low, high);
                self.raise_if(st, bad, class, "index out of range");
                let n = self.g.call(Func::Element, vec![*list, at], *element);
                if matches!(self.g.op(*list), crate::ir::node::Op::Call(Func::Split { .. }, _)) {
                    st.set_not_null(n);
                }
                Ok(Sym::Node(n))
            }
            _ => self.refuse(span, "an element of this value has no columnar form"),
        }
    }

    /// Methods of a column of lists.
    pub(super) fn list_method(
        &mut self,
        st: &mut State,
        list: NodeId,
        element: ColTy,
        call: Call<'_>,
    ) -> Understood<Sym> {
        self.require(st, list);
        if st.dead {
            return Ok(Sym::Unit);
        }
        let size = self.g.call(Func::Size, vec![list], ColTy::INT);
        let zero = self.g.int(0);
        let own_parts = matches!(self.g.op(list), crate::ir::node::Op::Call(Func::Split { .. }, _));
        match call.key() {
            ("size" | "length", 0) => Ok(Sym::Node(size)),
            ("isEmpty", 0) => Ok(Sym::Node(self.g.bin(BinOp::Eq, Prim::Int, size, zero))),
            ("nonEmpty", 0) => Ok(Sym::Node(self.g.bin(BinOp::Ne, Prim::Int, size, zero))),
            ("apply" | "get", 1) => self.element(
                st,
                &Sym::Node(list),
                &call.args[0].clone(),
                "IndexOutOfBoundsException",
                &call.ty,
                call.span,
            ),
            ("head", 0) => self.element(
                st,
                &Sym::Node(list),
                &Sym::Node(zero),
                "NoSuchElementException",
                &call.ty,
                call.span,
            ),
            ("last", 0) => {
                let one = self.g.int(1);
                let at = self.g.bin(BinOp::Sub, Prim::Int, size, one);
                self.element(
                    st,
                    &Sym::Node(list),
                    &Sym::Node(at),
                    "NoSuchElementException",
                    &call.ty,
                    call.span,
                )
            }
            ("headOption", 0) => {
                let there = self.g.bin(BinOp::Ne, Prim::Int, size, zero);
                let first = self.g.call(Func::Element, vec![list, zero], element);
                if own_parts {
                    st.set_not_null(first);
                }
                Ok(Sym::Opt(there, Box::new(Sym::Node(first))))
            }
            ("mkString", 0 | 1) if element == ColTy::Str => {
                let separator = match call.args.first() {
                    Some(s) => self.constant_text(s, call.span, "a separator")?,
                    None => "".into(),
                };
                Ok(Sym::Node(self.g.call(
                    Func::MkString(separator),
                    vec![list],
                    ColTy::Str,
                )))
            }
            ("contains", 1) if matches!(element, ColTy::Str) || element.prim().is_some_and(|p| p.is_integral()) => {
                let x = self.arg(&call, 0)?;
                if self.nullable(st, x) {
                    return self.refuse(
                        call.span,
                        "looking for a value that may be null has no columnar form here",
                    );
                }
                Ok(Sym::Node(self.g.call(Func::ListContains, vec![list, x], ColTy::BOOL)))
            }
            ("toSeq" | "toList" | "toVector" | "toArray" | "toIndexedSeq", _) => Ok(Sym::Node(list)),
            ("foldLeft" | "/:", 2) => self.list_fold(st, list, element, own_parts, &call),
            ("map" | "filter" | "filterNot" | "exists" | "forall" | "withFilter", 1) => {
                self.list_lambda(st, list, element, own_parts, &call)
            }
            _ => self.not_covered(&call),
        }
    }

    /// Higher-order functions whose function neither throws nor changes anything.
    fn list_lambda(
        &mut self,
        st: &mut State,
        list: NodeId,
        element: ColTy,
        own_parts: bool,
        call: &Call<'_>,
    ) -> Understood<Sym> {
        self.vars += 1;
        let id = self.vars;
        let var = self.g.add(crate::ir::node::Op::Var(id), element.clone());
        let mut inner = st.scope();
        if own_parts {
            inner.set_not_null(var);
        }
        let before = (st.locals.clone(), st.cells.clone());
        let value = self.apply(&mut inner, &call.args[0].clone(), &[Sym::Node(var)], call.span)?;
        let changed = before.0.iter().any(|(k, v)| inner.locals.get(k) != Some(v)) || before.1 != inner.cells;
        if changed {
            return self.refuse(
                call.span,
                "a function that changes outer variables has no columnar form over a list",
            );
        }
        self.list_events(st, (list, id), inner.events, call)?;
        let body = self.node_of(&value, call.span)?;
        self.g.span = call.span;
        let list_of = |t: ColTy| ColTy::Array(Box::new(t));
        Ok(Sym::Node(match call.name {
            "map" => {
                let ty = list_of(self.g.ty(body).clone());
                self.g.call(Func::Map(id), vec![list, body], ty)
            }
            "filter" | "withFilter" => self.g.call(Func::Filter(id), vec![list, body], list_of(element)),
            "filterNot" => {
                let not = self.g.not(body);
                self.g.call(Func::Filter(id), vec![list, not], list_of(element))
            }
            "exists" => self.g.call(Func::Exists(id), vec![list, body], ColTy::BOOL),
            _ => self.g.call(Func::Forall(id), vec![list, body], ColTy::BOOL),
        }))
    }

    /// What the function throws for an element is thrown for the list, unless the walk may stop before.
    fn list_events(
        &mut self,
        st: &mut State,
        (list, var): (NodeId, u32),
        events: Vec<Event>,
        call: &Call<'_>,
    ) -> Understood<()> {
        let stops = matches!(call.name, "exists" | "forall");
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

    /// `foldLeft` over a column of lists, with a function that neither throws nor changes anything.
    fn list_fold(
        &mut self,
        st: &mut State,
        list: NodeId,
        element: ColTy,
        own_parts: bool,
        call: &Call<'_>,
    ) -> Understood<Sym> {
        let start = self.arg(call, 0)?;
        let ty = self.g.ty(start).clone();
        self.vars += 2;
        let (acc_id, id) = (self.vars - 1, self.vars);
        let acc = self.g.add(Op::Var(acc_id), ty.clone());
        let var = self.g.add(Op::Var(id), element.clone());
        let mut inner = st.scope();
        inner.set_not_null(acc);
        let from_map = matches!(self.g.op(list), Op::Call(Func::Map(_), args) if !self.nullable(st, args[1]));
        if own_parts || from_map {
            inner.set_not_null(var);
        }
        let before = (st.locals.clone(), st.cells.clone());
        let value = self.apply(
            &mut inner,
            &call.args[1].clone(),
            &[Sym::Node(acc), Sym::Node(var)],
            call.span,
        )?;
        let changed = before.0.iter().any(|(k, v)| inner.locals.get(k) != Some(v)) || before.1 != inner.cells;
        if changed || !inner.events.is_empty() {
            return self.refuse(
                call.span,
                "a fold that throws or changes outer variables has no columnar form",
            );
        }
        let body = self.node_of(&value, call.span)?;
        if self.nullable(st, start) || *self.g.ty(body) != ty {
            return self.refuse(call.span, "this fold has no columnar form");
        }
        Ok(Sym::Node(self.g.call(
            Func::Fold(acc_id, id),
            vec![list, start, body],
            ty,
        )))
    }

    /// Methods of a column of maps.
    pub(super) fn map_method(
        &mut self,
        st: &mut State,
        map: NodeId,
        (_, value): (ColTy, ColTy),
        call: Call<'_>,
    ) -> Understood<Sym> {
        self.require(st, map);
        if st.dead || call.args.is_empty() {
            return self.not_covered(&call);
        }
        let key = self.arg(&call, 0)?;
        if self.nullable(st, key) {
            return self.refuse(call.span, "a key that may be null has no columnar form here");
        }
        let there = self.g.call(Func::MapContains, vec![map, key], ColTy::BOOL);
        let found = self.g.call(Func::MapValue, vec![map, key], value);
        match call.key() {
            ("contains", 1) => Ok(Sym::Node(there)),
            ("get", 1) => Ok(Sym::Opt(there, Box::new(Sym::Node(found)))),
            ("apply", 1) => {
                let missing = self.g.not(there);
                self.raise_if(st, missing, "NoSuchElementException", "key not found");
                Ok(Sym::Node(found))
            }
            ("getOrElse", 2) => {
                let (d, span) = (call.args[1].clone(), call.span);
                self.choose(
                    st,
                    there,
                    |_, _| Ok(Sym::Node(found)),
                    |l, s| l.force(s, &d, span),
                    span,
                )
            }
            _ => self.not_covered(&call),
        }
    }
}
