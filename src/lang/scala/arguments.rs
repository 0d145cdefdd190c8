//! Arguments. In: the arguments of a call as written and the parameters they are for; out: typed arguments in the order of
//! the parameters, with names, defaults and repeated parameters resolved.

use super::calls::{Arg, thunk};
use super::cst::{field, kids, name_text, span};
use super::{FnParam, Typer, mk};
use crate::lang::ast::{Conv, Expr, ExprKind, LocalId, Stmt};
use crate::lang::ty::{SeqKind, Ty};
use crate::source::Understood;
use tree_sitter::Node;

impl<'t> Typer<'t> {
    /// The arguments of one list.
    pub(super) fn arguments(&mut self, n: Node<'t>) -> Understood<Vec<Arg<'t>>> {
        if n.kind() != "arguments" {
            return Ok(vec![Arg::Node(n)]);
        }
        let mut out = Vec::new();
        for k in kids(n) {
            out.push(match k.kind() {
                "assignment_expression" => match (field(k, "left"), field(k, "right")) {
                    (Some(l), Some(r)) if l.kind() == "identifier" => {
                        Arg::Named(name_text(l, self.text()).to_owned(), r, k)
                    }
                    _ => Arg::Node(k),
                },
                "vararg" => match kids(k).first() {
                    Some(value) => Arg::Splice(*value),
                    None => return self.refuse(k, "argument that cannot be read"),
                },
                _ => Arg::Node(k),
            });
        }
        Ok(out)
    }

    /// One argument as a value of a closed type.
    pub(super) fn argument(&mut self, arg: &Arg<'t>, want: &Ty) -> Understood<Expr> {
        match arg {
            Arg::Node(n) => self.checked(*n, want),
            Arg::Typed(e) => self.coerce(e.clone(), want),
            Arg::Named(_, value, _) => self.checked(*value, want),
            Arg::Splice(n) => self.refuse(*n, "`: _*` for a parameter that is not repeated"),
        }
    }

    /// Arguments in the order of the parameters; those written in another order are kept in variables first.
    pub(super) fn match_arguments(
        &mut self,
        params: &[FnParam<'t>],
        shape: &[usize],
        lists: &[Vec<Arg<'t>>],
        def: Node<'t>,
        at: Node<'t>,
    ) -> Understood<(Vec<Stmt>, Vec<Expr>)> {
        let mut lets = Vec::new();
        let mut args = Vec::new();
        let mut offset = 0;
        for (i, list) in lists.iter().enumerate() {
            let count = shape.get(i).copied().unwrap_or(0);
            let params = &params[offset..offset + count];
            offset += count;
            self.match_list(params, list, def, at, &mut lets, &mut args)?;
        }
        Ok((lets, args))
    }

    pub(super) fn match_list(
        &mut self,
        params: &[FnParam<'t>],
        list: &[Arg<'t>],
        def: Node<'t>,
        at: Node<'t>,
        lets: &mut Vec<Stmt>,
        args: &mut Vec<Expr>,
    ) -> Understood<()> {
        let mut slots: Vec<Option<Expr>> = vec![None; params.len()];
        let varargs = params.last().is_some_and(|p| p.varargs);
        let plain = if varargs { params.len() - 1 } else { params.len() };
        let has_named = list.iter().any(|a| matches!(a, Arg::Named(..)));
        let mut rest = Vec::new();
        for (i, arg) in list.iter().enumerate() {
            let index = match arg {
                Arg::Named(name, _, whole) => match params.iter().position(|p| p.name == *name) {
                    Some(index) => index,
                    None => return self.refuse(*whole, format!("there is no parameter `{name}`")),
                },
                _ => i,
            };
            if index >= plain {
                if !varargs || has_named {
                    return self.refuse(at, "too many arguments");
                }
                rest.push(arg.clone());
                continue;
            }
            let value = self.param_argument(&params[index], arg)?;
            slots[index] = Some(if has_named { self.keep(value, lets) } else { value });
        }
        if varargs {
            let last = &params[plain];
            slots[plain] = Some(self.repeated(&rest, &last.ty, at)?);
        }
        for (slot, param) in slots.into_iter().zip(params) {
            args.push(match (slot, param.default) {
                (Some(e), _) => e,
                (None, Some(default)) => self.default_argument(default, param, def)?,
                (None, None) => return self.refuse(at, format!("argument for `{}` is missing", param.name)),
            });
        }
        Ok(())
    }

    pub(super) fn param_argument(&mut self, param: &FnParam<'t>, arg: &Arg<'t>) -> Understood<Expr> {
        let value = self.argument(arg, &param.ty)?;
        Ok(if param.by_name { thunk(value) } else { value })
    }

    /// A default is typed where the method is, without the caller's names.
    pub(super) fn default_argument(
        &mut self,
        default: Node<'t>,
        param: &FnParam<'t>,
        def: Node<'t>,
    ) -> Understood<Expr> {
        let scopes = std::mem::replace(&mut self.frame().scopes, vec![Default::default()]);
        let root = std::mem::replace(&mut self.frames[0].root, def);
        let value = self.checked(default, &param.ty);
        self.frames[0].root = root;
        self.frame().scopes = scopes;
        let value = value?;
        Ok(if param.by_name { thunk(value) } else { value })
    }

    /// Keeps a value in a variable unless it is one or a constant.
    pub(super) fn keep(&mut self, e: Expr, lets: &mut Vec<Stmt>) -> Expr {
        if matches!(e.kind, ExprKind::Lit(_) | ExprKind::Lambda { .. } | ExprKind::FnRef(_)) {
            return e;
        }
        let local: LocalId = self.slot("$t", e.ty.clone(), false);
        let read = mk(ExprKind::Local(local), e.ty.clone(), e.span);
        lets.push(Stmt::Let {
            local,
            init: e,
            lazy: false,
        });
        read
    }

    /// The arguments of a repeated parameter as one sequence.
    pub(super) fn repeated(&mut self, args: &[Arg<'t>], elem: &Ty, at: Node<'t>) -> Understood<Expr> {
        let ty = Ty::Seq(SeqKind::Seq, Box::new(elem.clone()));
        if let [Arg::Splice(n)] = args {
            let e = self.expr(*n, None)?;
            return match &e.ty {
                Ty::Array(_) => {
                    let at = e.span;
                    Ok(mk(ExprKind::Convert(Conv::ToSeq, Box::new(e)), ty, at))
                }
                _ => self.coerce(e, &ty),
            };
        }
        let items = args
            .iter()
            .map(|a| self.argument(a, elem))
            .collect::<Understood<Vec<Expr>>>()?;
        Ok(mk(ExprKind::SeqLit(items), ty, span(at)))
    }
}
