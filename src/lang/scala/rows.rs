//! Rows of the library in calls. In: a receiver, the rows that may be meant, the arguments; out: a typed call of the one
//! row that overload resolution picks, or `None`.

use tree_sitter::Node;

use super::calls::{Arg, Call, thunk};
use super::coerce::coercible;
use super::cst::{field, kids, span, unparen};
use super::names::Target;
use super::{Typer, mk};
use crate::jvm::lookup::{self, Fit, Subst, View};
use crate::lang::ast::{Conv, Expr, ExprKind};
use crate::lang::relate::{conforms, lub};
use crate::lang::ty::{SeqKind, Ty};
use crate::source::{Refusal, Understood};

/// A row with the number of lists it takes from a call.
#[derive(Clone)]
struct Plan {
    fit: Fit,
    lists: usize,
    tier: usize,
}

impl<'t> Typer<'t> {
    /// `recv.name(…)`.
    pub(super) fn member(&mut self, recv: Expr, call: Call<'t>) -> Understood<Expr> {
        if let Some(e) = self.builtin_member(&recv, &call)? {
            return Ok(e);
        }
        let tiers = lookup::instance_rows(&recv.ty, &call.name);
        let found = !tiers.is_empty();
        if let Some(e) = self.call_rows(Some(recv.clone()), tiers.clone(), call.clone())? {
            return Ok(e);
        }
        if let Some(e) = self.eta_member(&recv, &tiers, &call)? {
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

    /// Overload resolution: of the first tier with an applicable row, the applicable row whose parameters convert to those
    /// of every other one.
    fn most_specific(&mut self, plans: Vec<Plan>, call: &Call<'t>) -> Understood<(Option<Plan>, Vec<Option<Expr>>)> {
        let most = plans.iter().map(|p| p.lists).max().unwrap_or(0);
        let flat: Vec<Arg<'t>> = call.lists.iter().take(most).flatten().cloned().collect();
        let mut typed = Vec::new();
        for arg in &flat {
            typed.push(match arg {
                Arg::Node(n) | Arg::Named(_, n, _) if !self.is_function(*n) => Some(self.expr(*n, None)?),
                Arg::Splice(n) => Some(self.expr(*n, None)?),
                Arg::Typed(e) => Some(e.clone()),
                _ => None,
            });
        }
        let arities: Vec<Option<usize>> = flat.iter().map(|a| self.arity(a)).collect();
        for (i, arg) in flat.iter().enumerate() {
            if let (None, Arg::Node(n)) = (&typed[i], arg)
                && let Some(hint) = common_function(&plans, i, arities[i])
            {
                typed[i] = Some(self.expr(*n, Some(&hint))?);
            }
        }
        let tiers = plans.iter().map(|p| p.tier).max().unwrap_or(0);
        for tier in 0..=tiers {
            for pass in [Pass::Strict, Pass::Views, Pass::Varargs] {
                let fits = |p: &&Plan| p.tier == tier && applicable(p, call, &typed, &arities, pass);
                let fitting: Vec<Plan> = plans.iter().filter(fits).cloned().collect();
                if fitting.is_empty() {
                    continue;
                }
                let best = fitting
                    .iter()
                    .position(|a| fitting.iter().all(|b| at_least_as_specific(a, b)));
                return match best {
                    Some(i) => Ok((fitting.get(i).cloned(), typed)),
                    None => self.refuse(call.at, format!("call of `{}` is ambiguous", call.name)),
                };
            }
        }
        Ok((None, typed))
    }

    /// Whether a node is a function literal whose parameter types may come from outside.
    pub(super) fn is_function(&mut self, n: Node<'t>) -> bool {
        let n = unparen(n);
        match n.kind() {
            "identifier" | "field_expression" if self.placeholders_of(n).is_empty() => self.names_method(n),
            "lambda_expression" | "case_block" | "method_value" => true,
            "block" => matches!(kids(n)[..], [only] if only.kind() == "lambda_expression"),
            _ => !self.placeholders_of(n).is_empty(),
        }
    }

    /// Whether a name stands for a method that takes arguments.
    fn names_method(&mut self, n: Node<'t>) -> bool {
        match self.target(n) {
            Ok(Some(Target::Def(def))) => {
                let lists = super::cst::field_all(def, "parameters");
                lists.iter().any(|p| p.kind() == "parameters" && !kids(*p).is_empty())
            }
            Ok(Some(Target::LocalFn(id))) => !self.sigs[id.0 as usize].params.is_empty(),
            Ok(Some(Target::CaseClass(_))) => true,
            Ok(Some(Target::Static(module, name))) => {
                let rows = lookup::static_rows(&module, &name);
                !rows.is_empty() && rows.iter().all(|r| !r.row.params.is_empty())
            }
            _ => false,
        }
    }

    fn arity(&self, arg: &Arg<'t>) -> Option<usize> {
        let Arg::Node(n) = arg else { return None };
        let mut n = unparen(*n);
        if let ("block", [only]) = (n.kind(), &kids(n)[..]) {
            n = *only;
        }
        match n.kind() {
            "lambda_expression" => {
                let head = field(n, "parameters")?;
                Some(if head.kind() == "bindings" { kids(head).len() } else { 1 })
            }
            "case_block" | "method_value" => None,
            _ => Some(self.placeholders_of(n).len()).filter(|c| *c > 0),
        }
    }

    /// Types the arguments against a row and makes the call; remaining lists apply to the result.
    fn apply_row(
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
    fn result_hint(&self, fit: &Fit, subst: &Subst, hint: Option<&Ty>) -> Subst {
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

    fn row_argument(
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

    fn splice(&mut self, e: Expr, want: &Ty) -> Understood<Expr> {
        match (&e.ty, want) {
            (Ty::Array(_), Ty::Seq(..)) => {
                let at = e.span;
                Ok(mk(ExprKind::Convert(Conv::ToSeq, Box::new(e)), want.clone(), at))
            }
            _ => self.coerce(e, want),
        }
    }

    /// Decides the variables that are still open.
    fn close(&self, fit: &Fit, subst: &mut Subst, hint: &Subst) {
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
    fn finish_row(
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
    fn eta_member(&mut self, recv: &Expr, tiers: &[Vec<Fit>], call: &Call<'t>) -> Understood<Option<Expr>> {
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
fn bounds_of(fit: &Fit) -> Subst {
    let bound = |(name, bound): &(String, Option<Ty>)| {
        bound
            .as_ref()
            .map(|b| (name.clone(), lookup::substitute(b, &fit.subst)))
    };
    fit.row.vars.iter().filter_map(bound).collect()
}

/// Parameters of an expected function that are still open are what their lower bounds say.
fn with_bounds(ty: Ty, bounds: &Subst) -> Ty {
    match ty {
        Ty::Fn(params, ret) => Ty::Fn(params.iter().map(|p| lookup::substitute(p, bounds)).collect(), ret),
        other => other,
    }
}

/// Varargs become one sequence.
fn pack<'t>(row: &lookup::Row, mut args: Vec<Expr>, flat: &[Arg<'t>], subst: &Subst, at: Node<'t>) -> Vec<Expr> {
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
fn plan(fit: &Fit, call: &Call) -> Option<usize> {
    let params = &fit.row.params;
    let varargs = params.last().is_some_and(|p| p.varargs);
    if params.is_empty() {
        return match call.lists.first() {
            Some(list) if list.is_empty() => Some(1),
            Some(_) if fit.row.has_list => None,
            _ => Some(0),
        };
    }
    let mut count = 0;
    for (i, list) in call.lists.iter().enumerate() {
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

fn applicable(plan: &Plan, call: &Call, typed: &[Option<Expr>], arities: &[Option<usize>], pass: Pass) -> bool {
    let loose = pass == Pass::Varargs;
    let row = plan.fit.row;
    let count: usize = call.lists.iter().take(plan.lists).map(Vec::len).sum();
    let mut subst = plan.fit.subst.clone();
    let flat: Vec<&Arg> = call.lists.iter().take(plan.lists).flatten().collect();
    (0..count).all(|i| {
        let param = &row.params[i.min(row.params.len().saturating_sub(1))];
        if param.varargs && !loose && row.params.len() != count {
            return false;
        }
        let want = lookup::substitute(&param.ty, &subst);
        match typed.get(i).and_then(Option::as_ref) {
            Some(_) if matches!(flat[i], Arg::Splice(_)) => param.varargs,
            Some(_) if param.varargs && !loose => false,
            Some(e) if lookup::is_open(&want) => {
                let seq = matches!(
                    (&want, &e.ty),
                    (Ty::Seq(SeqKind::Seq, _), Ty::String | Ty::Array(_) | Ty::Option(_))
                );
                (seq && pass != Pass::Strict) || lookup::unify(&param.ty, &e.ty, &mut subst)
            }
            Some(e) => {
                let unit = want == Ty::Unit && e.ty != Ty::Unit;
                !unit && (coercible(&e.ty, &want) || small_constant(e, &want))
            }
            None => match &want {
                Ty::Fn(ps, _) => arities.get(i).copied().flatten().is_none_or(|a| a == ps.len()),
                _ => false,
            },
        }
    })
}

/// How far arguments may be converted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    /// Conversions of values only.
    Strict,
    /// Arrays, strings and options as sequences too.
    Views,
    /// Repeated parameters too.
    Varargs,
}

/// The function type that all rows of the first tier expect of an argument, with an open result, if they agree on its
/// parameters and those are known from the receiver.
fn common_function(plans: &[Plan], index: usize, arity: Option<usize>) -> Option<Ty> {
    let mut found: Option<Vec<Ty>> = None;
    for plan in plans {
        let param = plan.fit.row.params.get(index)?;
        let Ty::Fn(params, _) = lookup::substitute(&param.ty, &plan.fit.subst) else {
            continue;
        };
        if arity.is_some_and(|a| a != params.len()) {
            continue;
        }
        if params.iter().any(lookup::is_open) || found.as_ref().is_some_and(|f| *f != params) {
            return None;
        }
        found = Some(params);
    }
    found.map(|params| Ty::Fn(params, Box::new(Ty::Var("?".into()))))
}

fn small_constant(e: &Expr, want: &Ty) -> bool {
    use crate::lang::ast::Lit;
    use crate::lang::ty::Prim;
    matches!(
        (&e.kind, want),
        (
            ExprKind::Lit(Lit::Int(_)),
            Ty::Prim(Prim::Byte | Prim::Short | Prim::Char)
        )
    )
}

fn at_least_as_specific(a: &Plan, b: &Plan) -> bool {
    let (a, b) = (a.fit.row, b.fit.row);
    if a.params.len() != b.params.len() {
        // A method with fixed parameters beats one with repeated ones.
        return !a.params.last().is_some_and(|p| p.varargs);
    }
    a.params.iter().zip(&b.params).all(|(x, y)| {
        if x.varargs != y.varargs {
            return y.varargs;
        }
        lookup::is_open(&y.ty) || coercible(&x.ty, &y.ty)
    })
}
