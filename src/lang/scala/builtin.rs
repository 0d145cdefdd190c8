//! Members that are not rows of the library: tuple fields, fields and methods of case classes, casts and type tests,
//! conversions between primitives; and the companions whose `apply` is a literal.

use super::calls::Call;
use super::cst::span;
use super::{Typer, mk};
use crate::jvm::lookup;
use crate::lang::ast::{Conv, Expr, ExprKind, Lit};
use crate::lang::relate::{lub, weak_lub};
use crate::lang::ty::{SeqKind, Ty};
use crate::source::Understood;

impl<'t> Typer<'t> {
    /// A member that needs no row.
    pub(super) fn builtin_member(&mut self, recv: &Expr, call: &Call<'t>) -> Understood<Option<Expr>> {
        let bare = call.lists.iter().all(Vec::is_empty);
        let n = call.at;
        if let (Ty::Tuple(items), Some(index)) = (
            &recv.ty,
            call.name.strip_prefix('_').and_then(|i| i.parse::<usize>().ok()),
        ) && index >= 1
            && index <= items.len()
        {
            let kind = ExprKind::TupleField(Box::new(recv.clone()), index - 1);
            let e = mk(kind, items[index - 1].clone(), span(n));
            return self.apply_value(e, call.rest(call.lists.clone())).map(Some);
        }
        match call.name.as_str() {
            "isInstanceOf" | "asInstanceOf" if call.targs.len() == 1 && bare => return self.cast(recv, call).map(Some),
            "apply" if matches!(recv.ty, Ty::Fn(..) | Ty::Array(_)) => {
                return self.apply_value(recv.clone(), call.rest(call.lists.clone())).map(Some);
            }
            "eq" | "ne" | "==" | "!=" | "&&" | "||" | "+" | "-" | "*" | "/" | "%" | "<" | ">" | "<=" | ">=" => {}
            _ if bare => {
                if let Some(e) = self.primitive_conversion(recv, &call.name, n) {
                    return Ok(Some(e));
                }
            }
            _ => {}
        }
        if let Some(e) = self.zipped(recv, call)? {
            return Ok(Some(e));
        }
        if let Some(e) = self.ordering_member(recv, call)? {
            return Ok(Some(e));
        }
        self.user_member(recv, call)
    }

    /// `(a, b).zipped`, and what is asked of it: the pairs of `a.zip(b)`, which functions of two parameters take apart.
    fn zipped(&mut self, recv: &Expr, call: &Call<'t>) -> Understood<Option<Expr>> {
        let marker = || Box::new(Ty::Class("$Zipped".into()));
        let n = call.at;
        let at = span(n);
        if let (Ty::Tuple(items), "zipped", []) = (&recv.ty, call.name.as_str(), &call.lists[..]) {
            let zips = |t: &Ty| matches!(t, Ty::Seq(k, _) if *k != SeqKind::JavaList) || matches!(t, Ty::Array(_));
            if items.len() != 2 || !items.iter().all(zips) {
                return Ok(None);
            }
            let mut lets = Vec::new();
            let pair = self.keep(recv.clone(), &mut lets);
            let part = |i: usize| mk(ExprKind::TupleField(Box::new(pair.clone()), i), items[i].clone(), at);
            let zip = Call::new("zip", vec![vec![super::calls::Arg::Typed(part(1))]], None, n);
            let e = self.member(part(0), zip)?;
            let ty = Ty::Either(marker(), Box::new(e.ty.clone()));
            let e = super::calls::after(lets, e);
            return Ok(Some(Expr { ty, ..e }));
        }
        let Ty::Either(mark, pairs) = &recv.ty else {
            return Ok(None);
        };
        if *mark != marker() {
            return Ok(None);
        }
        let pairs_value = Expr {
            ty: (**pairs).clone(),
            ..recv.clone()
        };
        let (Ty::Seq(_, pair) | Ty::Array(pair)) = &**pairs else {
            return Ok(None);
        };
        match (call.name.as_str(), &call.lists[..]) {
            ("toList" | "toSeq" | "toVector", []) => self.member(pairs_value, call.clone()).map(Some),
            ("map" | "flatMap" | "forall" | "exists" | "foreach", [list]) if list.len() == 1 => {
                let Ty::Tuple(items) = &**pair else { return Ok(None) };
                let want = Ty::Fn(items.clone(), Box::new(Ty::Var("B".into())));
                let f = self.free_argument(&list[0], Some(&want))?;
                let Ty::Fn(params, ret) = f.ty.clone() else {
                    return self.refuse(n, "function of other than two parameters on `zipped`");
                };
                if params != *items {
                    return self.refuse(n, "function of other than two parameters on `zipped`");
                }
                let local = self.slot("$pair", (**pair).clone(), false);
                let read = mk(ExprKind::Local(local), (**pair).clone(), at);
                let args = items.iter().enumerate().map(|(i, t)| {
                    let kind = ExprKind::TupleField(Box::new(read.clone()), i);
                    mk(kind, t.clone(), at)
                });
                let kind = ExprKind::Apply {
                    func: Box::new(f),
                    args: args.collect(),
                };
                let body = mk(kind, (*ret).clone(), at);
                let kind = ExprKind::Lambda {
                    params: vec![local],
                    body: std::sync::Arc::new(body),
                };
                let lambda = mk(kind, Ty::Fn(vec![(**pair).clone()], ret), at);
                let mut inner = call.clone();
                inner.lists = vec![vec![super::calls::Arg::Typed(lambda)]];
                self.member(pairs_value, inner).map(Some)
            }
            _ => self.refuse(n, format!("`{}` on `zipped` is not covered", call.name)),
        }
    }

    fn cast(&mut self, recv: &Expr, call: &Call<'t>) -> Understood<Expr> {
        let to = &call.targs[0];
        let at = span(call.at);
        if call.name == "isInstanceOf" {
            let value = self.boxed(recv.clone());
            let Some(classes) = self.tested_classes(to, call.at)? else {
                return Ok(mk(ExprKind::InstanceOf(Box::new(value), to.clone()), Ty::BOOLEAN, at));
            };
            let mut lets = Vec::new();
            let value = self.keep(value, &mut lets);
            let no = mk(ExprKind::Lit(Lit::Bool(false)), Ty::BOOLEAN, at);
            let any = classes.into_iter().fold(no, |any, class| {
                let is = mk(ExprKind::InstanceOf(Box::new(value.clone()), class), Ty::BOOLEAN, at);
                mk(ExprKind::Or(Box::new(any), Box::new(is)), Ty::BOOLEAN, at)
            });
            return Ok(super::calls::after(lets, any));
        }
        match (&recv.ty, to) {
            (a, b) if a == b => Ok(recv.clone()),
            (Ty::Prim(from), Ty::Prim(to_prim)) if from.is_numeric() && to_prim.is_numeric() => {
                let kind = Conv::Prim {
                    from: *from,
                    to: *to_prim,
                };
                Ok(mk(ExprKind::Convert(kind, Box::new(recv.clone())), to.clone(), at))
            }
            (Ty::Boxed(p), Ty::Prim(q)) if p == q => Ok(self.unboxed(recv.clone())),
            (from, Ty::Prim(p)) if from.is_reference() => {
                let cast = mk(ExprKind::Cast(Box::new(recv.clone()), Ty::Boxed(*p)), Ty::Boxed(*p), at);
                Ok(self.unboxed(cast))
            }
            (_, to) if self.tested_classes(to, call.at)?.is_some() => {
                self.refuse(call.at, format!("cast to the trait `{to}` is not covered"))
            }
            (_, to) if to.is_reference() => {
                let value = self.boxed(recv.clone());
                Ok(mk(ExprKind::Cast(Box::new(value), to.clone()), to.clone(), at))
            }
            _ => self.refuse(call.at, format!("cast of `{}` to `{to}`", recv.ty)),
        }
    }

    /// `Module(…)`: collections are literals, others rows called `apply`.
    pub(super) fn companion_apply(&mut self, module: &str, mut call: Call<'t>) -> Understood<Expr> {
        if module == "Ordering" {
            call.name = "apply".into();
            return self.ordering(call);
        }
        if call.lists.is_empty() {
            return self.module_value(module, call.at, call.hint.clone().as_ref());
        }
        let kind = match module {
            "Seq" | "IndexedSeq" | "Iterable" | "Traversable" => Some(Some(SeqKind::Seq)),
            "List" => Some(Some(SeqKind::List)),
            "Vector" => Some(Some(SeqKind::Vector)),
            "Array" => Some(None),
            _ => None,
        };
        if let Some(kind) = kind {
            let first = call.lists.remove(0);
            let literal = self.seq_literal(kind, &first, &call)?;
            return self.apply_value(literal, call.rest(call.lists.clone()));
        }
        if module.starts_with("Tuple") && call.lists.len() == 1 {
            let mut items = Vec::new();
            for arg in &call.lists[0] {
                items.push(self.free_argument(arg, None)?);
            }
            let ty = Ty::Tuple(items.iter().map(|e| e.ty.clone()).collect());
            return Ok(mk(ExprKind::Tuple(items), ty, span(call.at)));
        }
        call.name = "apply".into();
        self.call_static(module, call)
    }

    fn seq_literal(
        &mut self,
        kind: Option<SeqKind>,
        args: &[super::calls::Arg<'t>],
        call: &Call<'t>,
    ) -> Understood<Expr> {
        let make = |elem: Ty| match kind {
            Some(k) => Ty::Seq(k, Box::new(elem)),
            None => Ty::Array(Box::new(elem)),
        };
        let hinted = match (&call.hint, call.targs.first()) {
            (_, Some(t)) => Some(t.clone()),
            (Some(Ty::Seq(_, a) | Ty::Array(a)), None) if !lookup::is_open(a) && **a != Ty::Any => Some((**a).clone()),
            _ => None,
        };
        if let [super::calls::Arg::Splice(n)] = args {
            return self.refuse(*n, "`: _*` in a collection literal is not covered");
        }
        if let Some(elem) = hinted {
            let mut items = Vec::new();
            for a in args {
                items.push(self.argument(a, &elem)?);
            }
            return Ok(mk(ExprKind::SeqLit(items), make(elem), span(call.at)));
        }
        let mut items = Vec::new();
        let mut elem = Ty::Nothing;
        for a in args {
            let e = self.free_argument(a, None)?;
            elem = weak_lub(&elem, &e.ty);
            items.push(e);
        }

        let items = items
            .into_iter()
            .map(|e| self.coerce(e, &elem))
            .collect::<Understood<Vec<Expr>>>()?;
        Ok(mk(ExprKind::SeqLit(items), make(elem), span(call.at)))
    }

    /// An argument of a parameter of any type.
    pub(super) fn free_argument(&mut self, arg: &super::calls::Arg<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        match arg {
            super::calls::Arg::Node(n) | super::calls::Arg::Named(_, n, _) => self.expr(*n, hint),
            super::calls::Arg::Typed(e) => Ok(e.clone()),
            super::calls::Arg::Splice(n) => self.refuse(*n, "`: _*` is not covered here"),
        }
    }

    /// A static row; without lists and where a function is expected, the row as a function.
    pub(super) fn call_static(&mut self, module: &str, call: Call<'t>) -> Understood<Expr> {
        if module == "Ordering" {
            return self.ordering(call);
        }
        if let Some(reason) = unstable(module, &call.name) {
            return self.refuse(call.at, reason);
        }
        if let ("sys", "error", [list]) = (module, call.name.as_str(), &call.lists[..]) {
            let class = Ty::Class("RuntimeException".into());
            let error = self.construct(&class, "RuntimeException", vec![list.clone()], call.at)?;
            return Ok(mk(ExprKind::Throw(Box::new(error)), Ty::Nothing, span(call.at)));
        }
        let rows = lookup::static_rows(module, &call.name);
        if let (true, Some(Ty::Fn(params, _))) = (call.lists.is_empty(), &call.hint)
            && rows.iter().any(|r| r.row.params.len() == params.len())
            && !params.is_empty()
        {
            let (params, module, name, at) = (params.clone(), module.to_owned(), call.name.clone(), call.at);
            return self.eta(&params, at, |t, args| {
                t.call_static(&module, Call::new(&name, vec![args], None, at))
            });
        }
        let unknown = rows.is_empty();
        if let Some(e) = self.call_rows(None, vec![rows], call.clone())? {
            return Ok(e);
        }
        let what = if unknown {
            "is not covered"
        } else {
            "with these arguments is not covered"
        };
        let name = if call.name == "apply" {
            module.to_owned()
        } else {
            format!("{module}.{}", call.name)
        };
        self.refuse(call.at, format!("`{name}` {what}"))
    }

    /// A companion as a function (`xs.map(Some(_))` needs none, `xs.map(Option.apply)` is a static row).
    pub(super) fn module_value(
        &mut self,
        module: &str,
        n: tree_sitter::Node<'t>,
        hint: Option<&Ty>,
    ) -> Understood<Expr> {
        if let Some(Ty::Fn(params, _)) = hint
            && !params.iter().any(lookup::is_open)
        {
            let (params, module) = (params.clone(), module.to_owned());
            return self.eta(&params, n, |t, args| {
                t.companion_apply(&module, Call::new("apply", vec![args], None, n))
            });
        }
        self.refuse(n, format!("`{module}` as a value is not covered"))
    }

    /// The least type above all branches.
    pub(super) fn join(&self, tys: &[Ty]) -> Ty {
        let mut out = Ty::Nothing;
        for t in tys {
            out = weak_lub(&out, t);
        }
        if tys.contains(&Ty::Unit) && out != Ty::Unit {
            return tys.iter().fold(Ty::Nothing, |a, b| lub(&a, b));
        }
        out
    }
}

/// Why a static member gives another result on every run.
fn unstable(module: &str, name: &str) -> Option<String> {
    let varies = matches!(
        (module, name),
        (
            "System",
            "currentTimeMillis" | "nanoTime" | "getenv" | "getProperty" | "identityHashCode"
        ) | ("Math" | "StrictMath" | "math", "random")
            | ("UUID", "randomUUID")
            | ("Random" | "ThreadLocalRandom" | "Thread", _)
            | (
                "LocalDate"
                    | "LocalDateTime"
                    | "LocalTime"
                    | "Instant"
                    | "ZonedDateTime"
                    | "OffsetDateTime"
                    | "Year"
                    | "YearMonth"
                    | "Clock",
                "now" | "systemUTC" | "systemDefaultZone"
            )
    );
    varies.then(|| format!("`{module}.{name}` gives another result on every run"))
}
