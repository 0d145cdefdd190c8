//! Collections: constant tables, sequences of known length, and columns of lists and maps.

use super::Lower;
use super::library::Call;
use super::sym::{State, Sym};
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
            let mut parts = Vec::new();
            for (here, item) in items {
                let text = self.text_of(st, item, call.span)?;
                let none = self.g.null(ColTy::Str);
                let absent = self.g.not(*here);
                parts.push(if self.g.op(absent) == &Op::IsNull(text) {
                    text
                } else {
                    self.g.case(*here, text, none)
                });
            }
            let f = Func::JoinPresent(separator);
            return Ok(Sym::Node(self.g.call(f, parts, ColTy::Str)));
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
                let xs = self.listed(*list, *element);
                self.check_index(st, &xs, at, class);
                Ok(self.item_at(st, &xs, at))
            }
            _ => self.refuse(span, "an element of this value has no columnar form"),
        }
    }
}
