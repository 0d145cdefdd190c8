//! Rows of the library in calls. In: the rows that may be meant and the arguments as written; out: a typed call of the row that the
//! phases of overload resolution pick (subtyping, then boxing, then variable arity), or `None`.

use tree_sitter::Node;

use super::convert::{Phase, box_of, boxed, fits, unboxed};
use super::cst::{field, kids, span, unparen};
use super::{Typer, mk};
use crate::jvm::lookup::{self, Fit, Subst, View};
use crate::lang::ast::{Conv, Expr, ExprKind};
use crate::lang::ty::{Prim, SeqKind, Ty};
use crate::source::Understood;

/// An argument.
#[derive(Debug, Clone)]
pub(super) enum Arg<'t> {
    /// Typed.
    Typed(Expr),
    /// A lambda or a method reference, typed once its parameter types are known.
    Function(Node<'t>),
    /// A call whose type depends on what is expected: `Collectors.toList()`, `new ArrayList<>()`.
    Open(Node<'t>),
}

/// A phase of overload resolution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pass {
    Fixed(Phase),
    Varargs,
}

impl<'t> Typer<'t> {
    /// The arguments of a call.
    pub(super) fn arguments(&mut self, n: Node<'t>) -> Understood<Vec<Arg<'t>>> {
        let Some(list) = field(n, "arguments") else {
            return Ok(Vec::new());
        };
        kids(list).into_iter().map(|a| self.argument(a)).collect()
    }

    fn argument(&mut self, n: Node<'t>) -> Understood<Arg<'t>> {
        let inner = unparen(n);
        Ok(match inner.kind() {
            "lambda_expression" | "method_reference" => Arg::Function(inner),
            _ if self.is_open(inner) => Arg::Open(inner),
            _ => Arg::Typed(self.expr(n, None)?),
        })
    }

    /// Whether an argument is typed by what is expected of it.
    fn is_open(&mut self, n: Node<'t>) -> bool {
        match n.kind() {
            "method_invocation" => {
                let object = field(n, "object").map(|o| super::cst::text(o, self.text()));
                matches!(
                    object,
                    Some("Collectors" | "Collections" | "Comparator" | "Map.Entry" | "Optional")
                )
            }
            "object_creation_expression" => field(n, "type").is_some_and(|t| {
                kids(t)
                    .iter()
                    .any(|k| k.kind() == "type_arguments" && kids(*k).is_empty())
            }),
            _ => false,
        }
    }

    /// `recv.name(args)` of the library; names of Java's own rows come first.
    pub(super) fn instance_call(
        &mut self,
        recv: Expr,
        name: &str,
        args: Vec<Arg<'t>>,
        hint: Option<&Ty>,
        n: Node<'t>,
    ) -> Understood<Option<Expr>> {
        for name in [format!("java.{name}"), name.to_owned()] {
            let tiers = lookup::instance_rows(&recv.ty, &name);
            if let Some(e) = self.call_rows(Some(recv.clone()), tiers, args.clone(), hint, n)? {
                return Ok(Some(e));
            }
        }
        Ok(None)
    }

    /// Picks a row and types the call; `None` if no row takes these arguments.
    pub(super) fn call_rows(
        &mut self,
        recv: Option<Expr>,
        tiers: Vec<Vec<Fit>>,
        args: Vec<Arg<'t>>,
        hint: Option<&Ty>,
        n: Node<'t>,
    ) -> Understood<Option<Expr>> {
        for tier in &tiers {
            for pass in [Pass::Fixed(Phase::Strict), Pass::Fixed(Phase::Loose), Pass::Varargs] {
                let fitting: Vec<&Fit> = tier.iter().filter(|f| self.applicable(f, &args, pass)).collect();
                if fitting.is_empty() {
                    continue;
                }
                let best = fitting
                    .iter()
                    .find(|a| fitting.iter().all(|b| more_specific(a, b)))
                    .copied();
                return match best {
                    Some(fit) => self.apply_row(recv, &fit.clone(), args, pass, hint, n).map(Some),
                    None => self.refuse(n, "a call that is ambiguous among the methods that are known"),
                };
            }
        }
        Ok(None)
    }

    fn applicable(&mut self, fit: &Fit, args: &[Arg<'t>], pass: Pass) -> bool {
        let params = &fit.row.params;
        let varargs = params.last().is_some_and(|p| p.varargs);
        let mut subst = fit.subst.clone();
        match pass {
            Pass::Fixed(_) if params.len() != args.len() => return false,
            Pass::Varargs if !varargs || args.len() + 1 < params.len() => return false,
            _ => {}
        }
        for (i, arg) in args.iter().enumerate() {
            let param = &params[i.min(params.len() - 1)];
            let mut want = param.ty.clone();
            let mut phase = Phase::Loose;
            if let Pass::Fixed(p) = pass {
                phase = p;
                if param.varargs {
                    want = Ty::Array(Box::new(want));
                }
            }
            if !self.takes(&want, arg, phase, &mut subst) {
                return false;
            }
        }
        true
    }

    fn takes(&mut self, want: &Ty, arg: &Arg<'t>, phase: Phase, subst: &mut Subst) -> bool {
        match arg {
            Arg::Function(f) => match want {
                Ty::Fn(params, ret) => {
                    self.lambda_arity(*f).is_none_or(|a| a == params.len()) && self.lambda_gives(*f, ret)
                }
                _ => false,
            },
            Arg::Open(o) => match want {
                Ty::Prim(_) => false,
                Ty::Fn(params, _) => params.len() == 2 && self.makes_comparator(*o),
                _ => !self.makes_comparator(*o),
            },
            Arg::Typed(e) => {
                let want = lookup::substitute(want, subst);
                if !lookup::is_open(&want) {
                    return fits(&e.ty, &want, phase);
                }
                if let (Ty::Prim(_), Ty::Var(_)) = (&e.ty, &want) {
                    if phase == Phase::Strict {
                        return false;
                    }
                    return lookup::unify(&want, &box_of(&e.ty), subst);
                }
                lookup::unify(&want, &e.ty, subst)
            }
        }
    }

    /// `Comparator.reverseOrder()` and its like.
    fn makes_comparator(&self, n: Node<'t>) -> bool {
        let object = field(n, "object").map(|o| super::cst::text(o, self.text()));
        let name = super::cst::name_of(n, self.text());
        object == Some("Comparator") || name == Some("reverseOrder")
    }

    /// Whether a lambda's body agrees with a result: a body that is no statement cannot be one of no result.
    fn lambda_gives(&self, n: Node<'t>, ret: &Ty) -> bool {
        let Some(body) = field(n, "body").filter(|_| n.kind() == "lambda_expression") else {
            return true;
        };
        if *ret != Ty::Unit {
            return body.kind() != "block" || super::exits::gives_value(body);
        }
        match body.kind() {
            "block" => !super::exits::gives_value(body),
            kind => matches!(
                kind,
                "method_invocation" | "assignment_expression" | "update_expression" | "object_creation_expression"
            ),
        }
    }

    fn apply_row(
        &mut self,
        recv: Option<Expr>,
        fit: &Fit,
        args: Vec<Arg<'t>>,
        pass: Pass,
        hint: Option<&Ty>,
        n: Node<'t>,
    ) -> Understood<Expr> {
        let row = fit.row;
        let mut subst = fit.subst.clone();
        let pattern = |i: usize| {
            let p = &row.params[i.min(row.params.len() - 1)];
            match pass {
                Pass::Fixed(_) if p.varargs => Ty::Array(Box::new(p.ty.clone())),
                _ => p.ty.clone(),
            }
        };
        for (i, arg) in args.iter().enumerate() {
            if let Arg::Typed(e) = arg {
                let want = lookup::substitute(&pattern(i), &subst);
                if lookup::is_open(&want) {
                    let own = match &want {
                        Ty::Var(_) => box_of(&e.ty),
                        _ => e.ty.clone(),
                    };
                    lookup::unify(&pattern(i), &own, &mut subst);
                }
            }
        }
        self.learn_from_hint(fit, &mut subst, hint);
        let mut done: Vec<Option<Expr>> = vec![None; args.len()];
        for late in [false, true] {
            for (i, arg) in args.iter().enumerate() {
                if matches!(arg, Arg::Typed(_)) == late {
                    continue;
                }
                done[i] = Some(self.row_argument(arg, &pattern(i), &mut subst, n)?);
            }
        }
        for (name, bound) in &row.vars {
            if !subst.contains_key(name) {
                let ty = bound.as_ref().map_or(Ty::Any, |b| lookup::substitute(b, &subst));
                subst.insert(name.clone(), ty);
            }
        }
        let mut typed = Vec::new();
        for (i, e) in done.into_iter().flatten().enumerate() {
            let want = lookup::substitute(&pattern(i), &subst);
            typed.push(if matches!(e.ty, Ty::Fn(..)) {
                e
            } else {
                self.assigned(e, &want, n)?
            });
        }
        let args = packed(row, typed, pass, &subst, n);
        let ty = lookup::substitute(&row.ret, &subst);
        let recv = recv.map(|r| Box::new(viewed(r, fit.view)));
        self.check_state(row.method.name, recv.as_deref(), n)?;
        let kind = ExprKind::Call {
            method: row.method,
            recv,
            args,
        };
        Ok(mk(kind, ty, span(n)))
    }

    /// The class in front of `::`, as the type of the first parameter.
    fn receiver_type(&mut self, n: Node<'t>) -> Option<Ty> {
        let head = kids(n).first().copied().filter(|_| n.kind() == "method_reference")?;
        let path = self.class_name(head)?;
        self.named_type(&path, Vec::new(), head).ok()
    }

    /// What the expected type says about variables that the arguments leave open.
    fn learn_from_hint(&mut self, fit: &Fit, subst: &mut Subst, hint: Option<&Ty>) {
        let Some(want) = hint.filter(|h| h.is_reference() && **h != Ty::Any) else {
            return;
        };
        let ret = lookup::substitute(&fit.row.ret, subst);
        if !lookup::is_open(&ret) {
            return;
        }
        let mut found = Subst::new();
        // Each argument that is known teaches what it can, also where others are still open.
        let learned = match (&ret, want) {
            (Ty::Java(k, ps), Ty::Java(l, qs)) if k == l => {
                for (p, q) in ps.iter().zip(qs).filter(|(_, q)| !lookup::is_open(q)) {
                    lookup::unify(p, q, &mut found);
                }
                true
            }
            _ => lookup::unify(&ret, want, &mut found),
        };
        if learned {
            for (name, ty) in found {
                if ty != Ty::Any && !lookup::is_open(&ty) {
                    subst.entry(name).or_insert(ty);
                }
            }
        }
    }

    fn row_argument(&mut self, arg: &Arg<'t>, pattern: &Ty, subst: &mut Subst, n: Node<'t>) -> Understood<Expr> {
        match arg {
            Arg::Typed(e) => Ok(e.clone()),
            Arg::Open(o) => {
                let want = lookup::substitute(pattern, subst);
                let e = self.expr(*o, Some(&want))?;
                if lookup::is_open(&want) {
                    lookup::unify(pattern, &e.ty, subst);
                }
                Ok(e)
            }
            Arg::Function(f) => {
                let Ty::Fn(params, ret) = lookup::substitute(pattern, subst) else {
                    return self.refuse(*f, "a lambda where no function is expected");
                };
                let mut params = self.lambda_params(*f, params)?;
                if let Some(first) = params.first_mut().filter(|p| lookup::is_open(p))
                    && let Some(own) = self.receiver_type(*f)
                {
                    *first = own;
                }
                if params.iter().any(lookup::is_open) {
                    return self.refuse(*f, "the parameter types of this lambda cannot be told");
                }
                let Ty::Fn(patterns, ret_pattern) = pattern else {
                    return self.refuse(n, "a lambda where no function is expected");
                };
                for (p, t) in patterns.iter().zip(&params) {
                    if lookup::is_open(&lookup::substitute(p, subst)) {
                        lookup::unify(p, t, subst);
                    }
                }
                let ret = lookup::substitute(&ret, subst);
                let known = (!lookup::is_open(&ret)).then_some(&ret);
                let e = self.function_literal(*f, &params, known)?;
                if let Ty::Fn(_, own) = &e.ty
                    && known.is_none()
                {
                    let own = box_of(own);
                    if !lookup::unify(&lookup::substitute(ret_pattern, subst), &own, subst) {
                        return self.refuse(*f, "the result of this lambda does not fit");
                    }
                    return Ok(boxed_result(e));
                }
                Ok(e)
            }
        }
    }
}

/// A lambda whose result is boxed, because a type variable stands for it.
fn boxed_result(e: Expr) -> Expr {
    let Ty::Fn(params, ret) = e.ty.clone() else { return e };
    match (e.kind, &*ret) {
        (ExprKind::Lambda { params: slots, body }, Ty::Prim(p)) => {
            let body = boxed(std::sync::Arc::unwrap_or_clone(body));
            let kind = ExprKind::Lambda {
                params: slots,
                body: std::sync::Arc::new(body),
            };
            mk(kind, Ty::Fn(params, Box::new(Ty::Boxed(*p))), e.span)
        }
        (kind, _) => mk(kind, e.ty, e.span),
    }
}

/// The receiver as the row wants it.
fn viewed(e: Expr, view: View) -> Expr {
    let at = e.span;
    match view {
        View::AsIs => e,
        View::Unbox(_) => unboxed(e),
        View::Box(_) => boxed(e),
        View::Widen(from, to) => mk(
            ExprKind::Convert(Conv::Prim { from, to }, Box::new(e)),
            Ty::Prim(to),
            at,
        ),
    }
}

/// Arguments with those of a repeated parameter as one sequence.
fn packed(row: &lookup::Row, mut args: Vec<Expr>, pass: Pass, subst: &Subst, n: Node) -> Vec<Expr> {
    let Some(last) = row.params.last().filter(|p| p.varargs) else {
        return args;
    };
    let elem = lookup::substitute(&last.ty, subst);
    let ty = Ty::Seq(SeqKind::Seq, Box::new(elem));
    if let Pass::Fixed(_) = pass {
        if let Some(array) = args.pop() {
            let at = array.span;
            args.push(mk(ExprKind::Convert(Conv::ToSeq, Box::new(array)), ty, at));
        }
        return args;
    }
    let rest = args.split_off(row.params.len() - 1);
    args.push(mk(ExprKind::SeqLit(rest), ty, span(n)));
    args
}

/// Whether a row's parameters convert to those of another.
fn more_specific(a: &Fit, b: &Fit) -> bool {
    let (x, y) = (a.row, b.row);
    if std::ptr::eq(x, y) {
        return true;
    }
    if x.params.len() != y.params.len() {
        return x.params.len() > y.params.len();
    }
    x.params.iter().zip(&y.params).all(|(p, q)| {
        let (p, q) = (lookup::substitute(&p.ty, &a.subst), lookup::substitute(&q.ty, &b.subst));
        p == q
            || (lookup::is_open(&q) && !matches!(p, Ty::Prim(_)))
            || fits(&p, &q, Phase::Strict)
            || matches!((&p, &q), (Ty::Prim(_), Ty::Any))
            || preferred_function(&p, &q)
    })
}

/// Among functions of one shape the one with a primitive result is tried last: a lambda fits either.
fn preferred_function(p: &Ty, q: &Ty) -> bool {
    match (p, q) {
        (Ty::Fn(ps, r), Ty::Fn(qs, s)) => {
            ps.len() == qs.len()
                && (r == s || matches!((&**r, &**s), (Ty::Prim(a), Ty::Prim(b)) if order(*a) <= order(*b)))
        }
        _ => false,
    }
}

fn order(p: Prim) -> u8 {
    match p {
        Prim::Int => 0,
        Prim::Long => 1,
        Prim::Double => 2,
        _ => 3,
    }
}
