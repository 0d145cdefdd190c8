//! `Ordering`: typed as a function of two values that gives an `Int`, which is all that sorting asks of it. In: the ways in
//! which an ordering is written; out: a function value.

use tree_sitter::Node;

use super::calls::{Arg, Call};
use super::cst::{field, field_all, has_modifier, kids, name_text, span, text};
use super::expr::binary;
use super::{Typer, mk};
use crate::jvm::lookup;
use crate::lang::ast::{BinOp, Expr, ExprKind, Lit};
use crate::lang::ty::{Prim, Ty};
use crate::source::Understood;

/// The type `Ordering[A]`.
pub(super) fn ordering_of(elem: Ty) -> Ty {
    Ty::Fn(vec![elem.clone(), elem], Box::new(Ty::INT))
}

/// The elements of a type that is an `Ordering`.
fn ordered(ty: &Ty) -> Option<&Ty> {
    match ty {
        Ty::Fn(params, ret) if **ret == Ty::INT && params.len() == 2 && params[0] == params[1] => Some(&params[0]),
        _ => None,
    }
}

/// Types whose natural order the library knows.
fn has_order(ty: &Ty) -> bool {
    match ty {
        Ty::Prim(_) | Ty::Boxed(_) | Ty::String | Ty::ScalaBigDecimal | Ty::BigInt | Ty::JavaBigDecimal => true,
        Ty::Tuple(items) => items.iter().all(has_order),
        Ty::Option(a) => has_order(a),
        _ => false,
    }
}

impl<'t> Typer<'t> {
    fn natural(&mut self, elem: &Ty, n: Node<'t>) -> Understood<Expr> {
        if !has_order(elem) || self.has_own_ordering() {
            return self.refuse(n, format!("the implicit ordering of `{elem}` is not covered"));
        }
        let e = self.static_call("$Ordering", &["natural"], Vec::new(), n)?;
        Ok(Expr {
            ty: ordering_of(elem.clone()),
            ..e
        })
    }

    /// Whether the file defines an implicit ordering, which would come before the library's.
    pub(super) fn has_own_ordering(&self) -> bool {
        let source = self.text();
        if !source.contains("implicit") || !source.contains("Order") {
            return false;
        }
        let mut stack = vec![self.root];
        while let Some(n) = stack.pop() {
            for k in kids(n) {
                let defines = matches!(k.kind(), "val_definition" | "function_definition" | "object_definition");
                if defines && has_modifier(k, "implicit", source) && text(k, source).contains("Order") {
                    return true;
                }
                stack.push(k);
            }
        }
        false
    }

    /// `Ordering[A]`, `Ordering.by(f)`, `Ordering.Int`, `Ordering.fromLessThan(f)`.
    pub(super) fn ordering(&mut self, call: Call<'t>) -> Understood<Expr> {
        let n = call.at;
        let hinted = call
            .hint
            .as_ref()
            .and_then(ordered)
            .filter(|t| !lookup::is_open(t))
            .cloned();
        let prim = |p| Ty::Prim(p);
        let named = match call.name.as_str() {
            "Int" => Some(prim(Prim::Int)),
            "Long" => Some(prim(Prim::Long)),
            "Double" => Some(prim(Prim::Double)),
            "Float" => Some(prim(Prim::Float)),
            "Short" => Some(prim(Prim::Short)),
            "Byte" => Some(prim(Prim::Byte)),
            "Char" => Some(prim(Prim::Char)),
            "Boolean" => Some(prim(Prim::Boolean)),
            "String" => Some(Ty::String),
            "BigDecimal" => Some(Ty::ScalaBigDecimal),
            "BigInt" => Some(Ty::BigInt),
            _ => None,
        };
        let elem = call.targs.first().cloned().or(hinted);
        match (call.name.as_str(), &call.lists[..]) {
            ("apply" | "", []) | ("apply", [_]) if call.lists.iter().all(Vec::is_empty) => match elem {
                Some(elem) => self.natural(&elem, n),
                None => self.refuse(n, "an ordering whose type is not known"),
            },
            ("by" | "fromLessThan", [list, rest @ ..]) if list.len() == 1 && rest.len() <= 1 => {
                self.ordering_by(&call.name, &list[0], rest.first(), elem, n)
            }
            (_, []) if named.is_some() => self.natural(&named.unwrap_or(Ty::Any), n),
            _ => self.refuse(n, format!("`Ordering.{}` is not covered", call.name)),
        }
    }

    fn ordering_by(
        &mut self,
        name: &str,
        key: &Arg<'t>,
        inner: Option<&Vec<Arg<'t>>>,
        elem: Option<Ty>,
        n: Node<'t>,
    ) -> Understood<Expr> {
        if name == "fromLessThan" {
            let want = elem.map(|a| Ty::Fn(vec![a.clone(), a], Box::new(Ty::BOOLEAN)));
            let less = self.free_argument(key, want.as_ref())?;
            let Ty::Fn(params, _) = less.ty.clone() else {
                return self.refuse(n, "an ordering of this form is not covered");
            };
            let e = self.static_call("$Ordering", &["fromLessThan"], vec![less], n)?;
            return Ok(Expr {
                ty: ordering_of(params[0].clone()),
                ..e
            });
        }
        let want = elem.map(|a| Ty::Fn(vec![a], Box::new(Ty::Var("B".into()))));
        let key = self.free_argument(key, want.as_ref())?;
        let Ty::Fn(params, keys) = key.ty.clone() else {
            return self.refuse(n, "an ordering of this form is not covered");
        };
        let [elem] = &params[..] else {
            return self.refuse(n, "an ordering of this form is not covered");
        };
        let inner = match inner {
            Some(list) => match &list[..] {
                [arg] => self.argument(arg, &ordering_of((*keys).clone()))?,
                _ => return self.refuse(n, "an ordering of this form is not covered"),
            },
            None => self.natural(&keys, n)?,
        };
        let elem = elem.clone();
        let e = self.static_call("$Ordering", &["by"], vec![key, inner], n)?;
        Ok(Expr {
            ty: ordering_of(elem),
            ..e
        })
    }

    /// A member of an ordering; `None` for other receivers and for what every function has.
    pub(super) fn ordering_member(&mut self, recv: &Expr, call: &Call<'t>) -> Understood<Option<Expr>> {
        let Some(elem) = ordered(&recv.ty).cloned() else {
            return Ok(None);
        };
        let n = call.at;
        let at = span(n);
        match (call.name.as_str(), &call.lists[..]) {
            ("reverse", []) => {
                let e = self.static_call("$Ordering", &["reverse"], vec![recv.clone()], n)?;
                Ok(Some(Expr {
                    ty: ordering_of(elem),
                    ..e
                }))
            }
            ("on", [list]) if list.len() == 1 => {
                let outer = call.targs.first().cloned();
                let outer = outer.or(call.hint.as_ref().and_then(ordered).cloned());
                let want = outer.map(|a| Ty::Fn(vec![a], Box::new(elem.clone())));
                let key = self.free_argument(&list[0], want.as_ref())?;
                let Ty::Fn(params, _) = key.ty.clone() else {
                    return self.refuse(n, "an ordering of this form is not covered");
                };
                let e = self.static_call("$Ordering", &["by"], vec![key, recv.clone()], n)?;
                Ok(Some(Expr {
                    ty: ordering_of(params[0].clone()),
                    ..e
                }))
            }
            ("compare" | "lt" | "gt" | "lteq" | "gteq" | "equiv" | "max" | "min", [list]) if list.len() == 2 => {
                // The orderings of floats answer these by other rules than `compare`.
                if call.name != "compare" && matches!(elem, Ty::Prim(Prim::Double | Prim::Float)) {
                    return self.refuse(n, "this question to an ordering of floats is not covered");
                }
                let mut lets = Vec::new();
                let x = self.argument(&list[0], &elem)?;
                let x = self.keep(x, &mut lets);
                let y = self.argument(&list[1], &elem)?;
                let y = self.keep(y, &mut lets);
                let kind = ExprKind::Apply {
                    func: Box::new(recv.clone()),
                    args: vec![x.clone(), y.clone()],
                };
                let compared = mk(kind, Ty::INT, at);
                let zero = mk(ExprKind::Lit(Lit::Int(0)), Ty::INT, at);
                let test = |op| binary(op, Prim::Int, compared.clone(), zero.clone(), Ty::BOOLEAN, n);
                let pick = |op| {
                    let kind = ExprKind::If {
                        cond: Box::new(test(op)),
                        then: Box::new(x.clone()),
                        otherwise: Some(Box::new(y.clone())),
                    };
                    mk(kind, elem.clone(), at)
                };
                let e = match call.name.as_str() {
                    "compare" => compared.clone(),
                    "lt" => test(BinOp::Lt),
                    "gt" => test(BinOp::Gt),
                    "lteq" => test(BinOp::Le),
                    "gteq" => test(BinOp::Ge),
                    "equiv" => test(BinOp::Eq),
                    "max" => pick(BinOp::Ge),
                    _ => pick(BinOp::Le),
                };
                Ok(Some(super::calls::after(lets, e)))
            }
            _ => Ok(None),
        }
    }

    /// `new Ordering[A] { def compare(x: A, y: A): Int = … }`.
    pub(super) fn new_ordering(&mut self, class: Node<'t>, body: Node<'t>, n: Node<'t>) -> Understood<Expr> {
        let args = field(class, "type_arguments").map(kids).unwrap_or_default();
        let members: Vec<Node<'t>> = kids(body)
            .into_iter()
            .filter(|k| !k.kind().contains("comment"))
            .collect();
        let ([arg], [def]) = (&args[..], &members[..]) else {
            return self.refuse(n, "anonymous classes are not covered");
        };
        let elem = self.ty(*arg)?;
        let named = field(*def, "name").is_some_and(|m| name_text(m, self.text()) == "compare");
        let params: Vec<Node<'t>> = field_all(*def, "parameters").into_iter().flat_map(kids).collect();
        let (true, "function_definition", [x, y], Some(value)) = (named, def.kind(), &params[..], field(*def, "body"))
        else {
            return self.refuse(n, "anonymous classes are not covered");
        };
        if text(value, self.text()).contains("return") || text(value, self.text()).contains("this") {
            return self.refuse(n, "an ordering of this form is not covered");
        }
        self.push_scope();
        let ids: Vec<_> = [x, y]
            .into_iter()
            .map(|p| {
                let name = field(*p, "name").map(|m| name_text(m, self.text()).to_owned());
                self.declare(&name.unwrap_or_default(), elem.clone(), false)
            })
            .collect();
        let typed = self.checked(value, &Ty::INT);
        self.pop_scope();
        let kind = ExprKind::Lambda {
            params: ids,
            body: std::sync::Arc::new(typed?),
        };
        Ok(mk(kind, ordering_of(elem), span(n)))
    }
}
