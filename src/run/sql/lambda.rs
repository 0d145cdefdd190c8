//! Functions with a lambda: the types of its variables and of the result. Part of the analyzer.

use super::analyze::{A, Analyzer, wrong};
use super::ast::{Ast, AstKind};
use super::plan::{Hof, Kind, Node};
use super::ty::Ty;
use crate::source::Span;

/// Functions with a lambda; `None` when the name is none.
pub(super) fn with_lambda(an: &mut Analyzer, name: &str, args: &[Ast], span: Span) -> A<Option<Node>> {
    let lambda_at = |i: usize| args.get(i).is_some_and(|a| matches!(a.kind, AstKind::Lambda(..)));
    let array = |an: &mut Analyzer, a: &Ast| {
        let n = an.node(a)?;
        match n.ty.clone() {
            Ty::Arr(t) => Ok((n, *t)),
            other => wrong(a.span, format!("`{name}` needs an array, found {other}")),
        }
    };
    Ok(Some(match name {
        "transform" | "filter" | "exists" | "any" | "forall" if lambda_at(1) && args.len() == 2 => {
            let (a, t) = array(an, &args[0])?;
            let arity = if matches!(name, "transform" | "filter") { 2 } else { 1 };
            let (slots, mut body) = an.lambda(&args[1], &[t, Ty::I32][..arity], 1)?;
            let (hof, ty) = match name {
                "transform" => (Hof::Transform, Ty::Arr(Box::new(body.ty.clone()))),
                "filter" => (Hof::Filter, a.ty.clone()),
                "forall" => (Hof::Forall, Ty::Bool),
                _ => (Hof::Exists, Ty::Bool),
            };
            if hof != Hof::Transform {
                body = an.as_boolean(body, "the lambda", args[1].span)?;
            }
            Node::new(ty, Kind::Hof(hof, vec![a], slots, Box::new(body)))
        }
        "zip_with" if lambda_at(2) => {
            let ((a, t), (b, u)) = (array(an, &args[0])?, array(an, &args[1])?);
            let (slots, body) = an.lambda(&args[2], &[t, u], 2)?;
            let ty = Ty::Arr(Box::new(body.ty.clone()));
            Node::new(ty, Kind::Hof(Hof::ZipWith, vec![a, b], slots, Box::new(body)))
        }
        "map_filter" | "transform_values" | "transform_keys" if lambda_at(1) => over_map(an, name, args)?,
        "aggregate" | "reduce" if lambda_at(2) => aggregate(an, args, span)?,
        "array_sort" if lambda_at(1) => {
            let (a, t) = array(an, &args[0])?;
            let (slots, body) = an.lambda(&args[1], &[t.clone(), t], 2)?;
            let body = an.coerce(body, &Ty::I32, args[1].span)?;
            Node::new(
                a.ty.clone(),
                Kind::SortBy(Box::new(a), [slots[0], slots[1]], Box::new(body)),
            )
        }
        _ => return Ok(None),
    }))
}

fn over_map(an: &mut Analyzer, name: &str, args: &[Ast]) -> A<Node> {
    let m = an.node(&args[0])?;
    let Ty::Map(k, v) = m.ty.clone() else {
        return wrong(args[0].span, format!("`{name}` needs a map, found {}", m.ty));
    };
    let (slots, mut body) = an.lambda(&args[1], &[(*k).clone(), (*v).clone()], 2)?;
    let (hof, ty) = match name {
        "map_filter" => (Hof::MapFilter, m.ty.clone()),
        "transform_values" => (Hof::TransformValues, Ty::Map(k, Box::new(body.ty.clone()))),
        _ => (Hof::TransformKeys, Ty::Map(Box::new(body.ty.clone()), v)),
    };
    if hof == Hof::MapFilter {
        body = an.as_boolean(body, "the lambda", args[1].span)?;
    }
    Ok(Node::new(ty, Kind::Hof(hof, vec![m], slots, Box::new(body))))
}

fn aggregate(an: &mut Analyzer, args: &[Ast], span: Span) -> A<Node> {
    let a = an.node(&args[0])?;
    let Ty::Arr(t) = a.ty.clone() else {
        return wrong(args[0].span, format!("`aggregate` needs an array, found {}", a.ty));
    };
    let zero = an.node(&args[1])?;
    let acc = zero.ty.clone();
    let (slots, merge) = an.lambda(&args[2], &[acc.clone(), *t], 2)?;
    if !same_shape(&merge.ty, &acc) {
        return wrong(
            args[2].span,
            format!(
                "the lambda gives {}, but the start value is {acc}; cast the start value",
                merge.ty
            ),
        );
    }
    let merge = an.coerce(merge, &acc, span)?;
    let finish = match args.get(3) {
        Some(f) => {
            let (slot, body) = an.lambda(f, std::slice::from_ref(&acc), 1)?;
            Some((slot[0], Box::new(body)))
        }
        None => None,
    };
    let ty = finish.as_ref().map_or(acc, |(_, b)| b.ty.clone());
    Ok(Node::new(
        ty,
        Kind::Fold(
            Box::new(a),
            Box::new(zero),
            [slots[0], slots[1]],
            Box::new(merge),
            finish,
        ),
    ))
}

fn same_shape(a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        (Ty::Struct(x), Ty::Struct(y)) => {
            x.len() == y.len() && x.iter().zip(y).all(|((_, p), (_, q))| same_shape(p, q))
        }
        (Ty::Arr(x), Ty::Arr(y)) => same_shape(x, y),
        (Ty::Null, _) => true,
        _ => a == b,
    }
}
