//! Overload resolution. In: the rows that may be meant and the arguments as written; out: the one row whose parameters the
//! arguments fit best, or a refusal. Only conversions that scalac would insert count.

use super::Typer;
use super::calls::{Arg, Call};
use super::coerce::coercible;
use super::cst::{field, kids, unparen};
use super::names::Target;
use super::rows::Plan;
use crate::jvm::lookup::{self};
use crate::lang::ast::{Expr, ExprKind};
use crate::lang::ty::{SeqKind, Ty};
use crate::source::Understood;
use tree_sitter::Node;

impl<'t> Typer<'t> {
    /// Overload resolution: of the first tier with an applicable row, the applicable row whose parameters convert to those
    /// of every other one.
    pub(super) fn most_specific(
        &mut self,
        plans: Vec<Plan>,
        call: &Call<'t>,
    ) -> Understood<(Option<Plan>, Vec<Option<Expr>>)> {
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
    pub(super) fn names_method(&mut self, n: Node<'t>) -> bool {
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

    pub(super) fn arity(&self, arg: &Arg<'t>) -> Option<usize> {
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
}

/// How far arguments may be converted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pass {
    /// Conversions of values only.
    Strict,
    /// Arrays, strings and options as sequences too.
    Views,
    /// Repeated parameters too.
    Varargs,
}

/// The function type that all rows of the first tier expect of an argument, with an open result, if they agree on its
/// parameters and those are known from the receiver.
pub(super) fn common_function(plans: &[Plan], index: usize, arity: Option<usize>) -> Option<Ty> {
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

pub(super) fn small_constant(e: &Expr, want: &Ty) -> bool {
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

pub(super) fn at_least_as_specific(a: &Plan, b: &Plan) -> bool {
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

pub(super) fn applicable(
    plan: &Plan,
    call: &Call,
    typed: &[Option<Expr>],
    arities: &[Option<usize>],
    pass: Pass,
) -> bool {
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
