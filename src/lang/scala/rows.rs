//! Rows of the library in calls. In: a receiver, the rows that may be meant, the arguments; out: a typed call of the one
//! row that overload resolution picks, or `None`.

use tree_sitter::Node;

use super::calls::{Arg, Call, thunk};
use super::coerce::coercible;
use super::cst::span;
use super::{Typer, mk};
use crate::jvm::lookup::{self, Fit, Subst, View};
use crate::lang::ast::{Conv, Expr, ExprKind};
use crate::lang::relate::{conforms, lub};
use crate::lang::ty::{SeqKind, Ty};
use crate::source::{Refusal, Understood};

/// A row with the number of lists it takes from a call.
#[derive(Clone)]
pub(super) struct Plan {
    pub(super) fit: Fit,
    pub(super) lists: usize,
    pub(super) tier: usize,
}

impl<'t> Typer<'t> {
    /// `recv.name(…)`.
    pub(super) fn member(&mut self, recv: Expr, call: Call<'t>) -> Understood<Expr> {
        if let Some(e) = self.builtin_member(&recv, &call)? {
            return Ok(e);
        }
        let sorts = matches!(
            call.name.as_str(),
            "sorted" | "sortBy" | "max" | "min" | "maxBy" | "minBy"
        );
        let given =
            call.lists.len() > 1 || (call.lists.len() == 1 && matches!(call.name.as_str(), "sorted" | "max" | "min"));
        if sorts
            && !given
            && matches!(recv.ty, Ty::Seq(..) | Ty::Array(_) | Ty::Set(_) | Ty::Iterator(_))
            && self.has_own_ordering()
        {
            return self.refuse(
                call.at,
                "an implicit ordering of this file may apply, which is not covered",
            );
        }
        let tiers = lookup::instance_rows(&recv.ty, &call.name);
        let found = !tiers.is_empty();
        if let Some(e) = self.call_rows(Some(recv.clone()), tiers.clone(), call.clone())? {
            return Ok(e);
        }
        if let Some(e) = self.eta_member(&recv, &tiers, &call)? {
            return Ok(e);
        }
        if !found && let Some(e) = self.extension(&recv, &call)? {
            return Ok(e);
        }
        let what = if found {
            "with these arguments is not covered"
        } else {
            "is not covered"
        };
        self.refuse(call.at, format!("`{}` on `{}` {what}", call.name, recv.ty))
    }

    /// A member without arguments of a row.
    pub(super) fn nullary(&mut self, recv: Expr, name: &str) -> Understood<Expr> {
        let at = recv.span;
        let tiers = lookup::instance_rows(&recv.ty, name);
        for tier in tiers {
            for fit in tier {
                if fit.row.params.is_empty() {
                    return Ok(self.finish_row(Some(recv), &fit, Vec::new(), &fit.subst.clone(), at, None));
                }
            }
        }
        Err(Refusal::new(at, format!("`{name}` on `{}` is not covered", recv.ty)))
    }

    /// A static row by module and one of several names, on typed arguments.
    pub(super) fn static_call(
        &mut self,
        module: &str,
        names: &[&str],
        args: Vec<Expr>,
        n: Node<'t>,
    ) -> Understood<Expr> {
        for name in names {
            let rows = lookup::static_rows(module, name);
            if rows.is_empty() {
                continue;
            }
            let list: Vec<Arg<'t>> = args.iter().cloned().map(Arg::Typed).collect();
            let call = Call::new(name, vec![list], None, n);
            if let Some(e) = self.call_rows(None, vec![rows], call)? {
                return Ok(e);
            }
        }
        self.refuse(n, format!("`{module}` is not covered"))
    }

    /// Picks a row and types the call; `None` if no row takes these arguments.
    pub(super) fn call_rows(
        &mut self,
        recv: Option<Expr>,
        tiers: Vec<Vec<Fit>>,
        call: Call<'t>,
    ) -> Understood<Option<Expr>> {
        let mut plans = Vec::new();
        for (tier, fits) in tiers.into_iter().enumerate() {
            let fitting = fits
                .into_iter()
                .filter_map(|fit| plan(&fit, &call).map(|lists| Plan { fit, lists, tier }));
            plans.extend(fitting);
        }
        // A row that takes the arguments comes before one without parameters whose result could be applied to them.
        if plans.iter().any(|p| p.lists > 0) {
            plans.retain(|p| p.lists > 0);
        }
        // As does one that takes more of the lists: the second one of `sortBy(f)(ordering)` does not index the result.
        let most = plans.iter().map(|p| p.lists).max().unwrap_or(0);
        plans.retain(|p| p.lists == most);
        let (plan, typed) = match plans.len() {
            0 => return Ok(None),
            1 => {
                let count = call.lists.iter().take(plans[0].lists).map(Vec::len).sum();
                (plans.pop(), vec![None; count])
            }
            _ => self.most_specific(plans, &call)?,
        };
        match plan {
            Some(plan) => self.apply_row(recv, plan, typed, call).map(Some),
            None => Ok(None),
        }
    }

    /// Types the arguments against a row and makes the call; remaining lists apply to the result.
    pub(super) fn apply_row(
        &mut self,
        recv: Option<Expr>,
        plan: Plan,
        typed: Vec<Option<Expr>>,
        call: Call<'t>,
    ) -> Understood<Expr> {
        let mut lists = call.lists.clone();
        let rest = lists.split_off(plan.lists);
        let row = plan.fit.row;
        let mut subst = plan.fit.subst.clone();
        for ((name, _), ty) in row.vars.iter().zip(&call.targs) {
            subst.insert(name.clone(), ty.clone());
        }
        let single = lists.len() <= 1 && rest.is_empty();
        let hint = if single {
            self.result_hint(&plan.fit, &subst, call.hint.as_ref())
        } else {
            Subst::new()
        };

        let bounds = bounds_of(&plan.fit);
        let flat: Vec<Arg<'t>> = lists.into_iter().flatten().collect();
        if let Some(Arg::Named(_, _, whole)) = flat.iter().find(|a| matches!(a, Arg::Named(..))) {
            return self.refuse(*whole, "named arguments of library methods are not covered");
        }
        let mut args: Vec<Option<Expr>> = vec![None; flat.len()];
        for functions in [false, true] {
            for (i, arg) in flat.iter().enumerate() {
                let is_function = matches!(arg, Arg::Node(n) if self.is_function(*n));
                if is_function != functions {
                    continue;
                }
                let param = &row.params[i.min(row.params.len() - 1)];
                let known = typed.get(i).cloned().flatten();
                let pattern = if matches!(arg, Arg::Splice(_)) {
                    Ty::Seq(SeqKind::Seq, Box::new(param.ty.clone()))
                } else {
                    param.ty.clone()
                };
                args[i] = Some(self.row_argument(arg, known, &pattern, &mut subst, (&hint, &bounds))?);
            }
        }
        self.close(&plan.fit, &mut subst, &hint);
        let mut done = Vec::new();
        for ((e, arg), i) in args.into_iter().flatten().zip(&flat).zip(0..) {
            let param = &row.params[i.min(row.params.len() - 1)];
            let want = lookup::substitute(&param.ty, &subst);
            let splice = matches!(arg, Arg::Splice(_));
            let want = if splice {
                Ty::Seq(SeqKind::Seq, Box::new(want))
            } else {
                want
            };
            let e = self.coerce(e, &want)?;
            done.push(if param.by_name { thunk(e) } else { e });
        }
        let args = pack(row, done, &flat, &subst, call.at);
        let e = self.finish_row(recv, &plan.fit, args, &subst, span(call.at), call.hint.as_ref());
        if rest.is_empty() {
            Ok(e)
        } else {
            self.apply_value(e, call.rest(rest))
        }
    }

    /// What the expected result type says about variables that the receiver leaves open.
    pub(super) fn result_hint(&self, fit: &Fit, subst: &Subst, hint: Option<&Ty>) -> Subst {
        let mut out = Subst::new();
        if let Some(want) = hint.filter(|h| !lookup::is_open(h) && **h != Ty::Any && **h != Ty::Unit) {
            let ret = lookup::substitute(&fit.row.ret, subst);
            let mut found = Subst::new();
            if lookup::is_open(&ret) && lookup::unify(&ret, want, &mut found) {
                out = found;
            }
        }
        out.retain(|v, t| !subst.contains_key(v) && *t != Ty::Nothing);
        out
    }

    pub(super) fn row_argument(
        &mut self,
        arg: &Arg<'t>,
        known: Option<Expr>,
        pattern: &Ty,
        subst: &mut Subst,
        (hint, bounds): (&Subst, &Subst),
    ) -> Understood<Expr> {
        let want = lookup::substitute(pattern, subst);
        if !lookup::is_open(&want) {
            if let Some(e) = known.filter(|e| coercible(&e.ty, &want)) {
                return self.coerce(e, &want);
            }
            return match arg {
                Arg::Splice(n) => {
                    let e = self.expr(*n, Some(&want))?;
                    self.splice(e, &want)
                }
                _ => self.argument(arg, &want),
            };
        }

        let hinted = with_bounds(lookup::substitute(&want, hint), bounds);
        let e = match (arg, known) {
            (_, Some(e)) if !matches!(e.kind, ExprKind::Lit(_)) => e,
            (Arg::Node(n) | Arg::Named(_, n, _) | Arg::Splice(n), _) => self.expr(*n, Some(&hinted))?,
            (Arg::Typed(e), _) => e.clone(),
        };
        let e = if !lookup::is_open(&hinted) && coercible(&e.ty, &hinted) {
            self.coerce(e, &hinted)?
        } else {
            e
        };
        let e = match want {
            Ty::Seq(..) => self.fit_open(e, &want)?,
            _ => e,
        };
        if lookup::unify(pattern, &e.ty, subst) {
            return Ok(e);
        }
        Err(Refusal::new(e.span, format!("`{}` where `{want}` is expected", e.ty)))
    }

    pub(super) fn splice(&mut self, e: Expr, want: &Ty) -> Understood<Expr> {
        match (&e.ty, want) {
            (Ty::Array(_), Ty::Seq(..)) => {
                let at = e.span;
                Ok(mk(ExprKind::Convert(Conv::ToSeq, Box::new(e)), want.clone(), at))
            }
            _ => self.coerce(e, want),
        }
    }

    /// Decides the variables that are still open.
    pub(super) fn close(&self, fit: &Fit, subst: &mut Subst, hint: &Subst) {
        for (name, bound) in &fit.row.vars {
            let bound = bound.as_ref().map(|b| lookup::substitute(b, subst));
            let found = match (subst.get(name).cloned(), hint.get(name), bound) {
                (Some(t), _, Some(b)) if t != b => match (&t, &b) {
                    _ if conforms(&t, &b) => b,
                    (Ty::Nothing, _) => b,
                    _ => lub(&t, &b),
                },
                (Some(t), ..) => t,
                (None, Some(h), _) => h.clone(),
                (None, None, Some(b)) => b,
                (None, None, None) => Ty::Nothing,
            };
            subst.insert(name.clone(), found);
        }
    }

    /// The call itself, with its receiver converted.
    pub(super) fn finish_row(
        &mut self,
        recv: Option<Expr>,
        fit: &Fit,
        args: Vec<Expr>,
        subst: &Subst,
        at: crate::source::Span,
        hint: Option<&Ty>,
    ) -> Expr {
        let recv = recv.map(|r| match fit.view {
            View::AsIs => r,
            View::Unbox(_) => self.unboxed(r),
            View::Box(_) => self.boxed(r),
            View::Widen(from, to) => {
                let span = r.span;
                mk(
                    ExprKind::Convert(Conv::Prim { from, to }, Box::new(r)),
                    Ty::Prim(to),
                    span,
                )
            }
        });
        let mut ty = lookup::substitute(&fit.row.ret, subst);
        if lookup::is_open(&ty) {
            ty = hint.filter(|h| !lookup::is_open(h)).cloned().unwrap_or(Ty::Any);
        }
        let kind = ExprKind::Call {
            method: fit.row.method,
            recv: recv.map(Box::new),
            args,
        };
        mk(kind, ty, at)
    }

    /// `x.f` where a function is expected and `f` takes arguments.
    pub(super) fn eta_member(&mut self, recv: &Expr, tiers: &[Vec<Fit>], call: &Call<'t>) -> Understood<Option<Expr>> {
        let Some(Ty::Fn(params, _)) = &call.hint else {
            return Ok(None);
        };
        let takes = tiers.iter().flatten().any(|f| f.row.params.len() == params.len());
        if !call.lists.is_empty()
            || !takes
            || params.is_empty()
            || !matches!(recv.kind, ExprKind::Local(_) | ExprKind::Global(_))
        {
            return Ok(None);
        }
        let (recv, name, at) = (recv.clone(), call.name.clone(), call.at);
        self.eta(params, at, |t, args| {
            t.member(recv, Call::new(&name, vec![args], None, at))
        })
        .map(Some)
    }
}

/// Lower bounds of a row's variables.
pub(super) fn bounds_of(fit: &Fit) -> Subst {
    let bound = |(name, bound): &(String, Option<Ty>)| {
        bound
            .as_ref()
            .map(|b| (name.clone(), lookup::substitute(b, &fit.subst)))
    };
    fit.row.vars.iter().filter_map(bound).collect()
}

/// Parameters of an expected function that are still open are what their lower bounds say.
pub(super) fn with_bounds(ty: Ty, bounds: &Subst) -> Ty {
    match ty {
        Ty::Fn(params, ret) => Ty::Fn(params.iter().map(|p| lookup::substitute(p, bounds)).collect(), ret),
        other => other,
    }
}

/// Varargs become one sequence.
pub(super) fn pack<'t>(
    row: &lookup::Row,
    mut args: Vec<Expr>,
    flat: &[Arg<'t>],
    subst: &Subst,
    at: Node<'t>,
) -> Vec<Expr> {
    let Some(last) = row.params.last().filter(|p| p.varargs) else {
        return args;
    };
    let fixed = row.params.len() - 1;
    if matches!(flat.get(fixed), Some(Arg::Splice(_))) {
        return args;
    }
    let items = args.split_off(fixed.min(args.len()));
    let elem = lookup::substitute(&last.ty, subst);
    args.push(mk(
        ExprKind::SeqLit(items),
        Ty::Seq(SeqKind::Seq, Box::new(elem)),
        span(at),
    ));
    args
}

/// How many lists a row takes of a call; `None` if the numbers do not fit.
pub(super) fn plan(fit: &Fit, call: &Call) -> Option<usize> {
    let params = &fit.row.params;
    let varargs = params.last().is_some_and(|p| p.varargs);
    if params.is_empty() {
        return match call.lists.first() {
            Some(list) if list.is_empty() => Some(1),
            Some(_) if fit.row.lists > 0 => None,
            _ => Some(0),
        };
    }
    // Lists beyond the row's own apply to its result: `split(",")(0)` is an index, not the method that takes a limit.
    let mut count = 0;
    for (i, list) in call.lists.iter().take(fit.row.lists).enumerate() {
        count += list.len();
        let enough = if varargs {
            count + 1 >= params.len()
        } else {
            count == params.len()
        };
        if enough {
            return Some(i + 1);
        }
        if !varargs && count > params.len() {
            return None;
        }
    }
    None
}
