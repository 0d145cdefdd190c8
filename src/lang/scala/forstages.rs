//! Bindings in a `for` over many elements: each group of bindings is a `map` to a tuple of all that is bound so far, as
//! scalac does it, so that all of them run before what follows.

use super::calls::{Arg, Call};
use super::cst::span;
use super::forcomp::{Enumerator, Step};
use super::{Typer, mk};
use crate::lang::ast::{Expr, ExprKind, Pattern, PatternKind, Stmt};
use crate::lang::ty::Ty;
use crate::source::Understood;
use tree_sitter::Node;

impl<'t> Typer<'t> {
    /// `x = e` over many elements: `map` to a tuple of what is bound so far, then go on with that.
    pub(super) fn staged(
        &mut self,
        source: Expr,
        step: Step<'_, 't>,
        own: &[Enumerator<'t>],
        later: &[Enumerator<'t>],
        hint: Option<&Ty>,
    ) -> Understood<Expr> {
        let mut source = source;
        let mut own = own;
        while let Some(Enumerator::Guard(cond)) = own.first() {
            source = self.filter(source, &step, *cond)?;
            own = &own[1..];
        }
        let count = own.iter().take_while(|e| matches!(e, Enumerator::Binding(..))).count();
        let (bindings, own) = own.split_at(count);
        let mut names: Vec<String> = super::outer::pattern_names(step.pattern, self.text());
        let before = names.clone();
        for e in bindings {
            if let Enumerator::Binding(p, _) = e {
                names.extend(super::outer::pattern_names(*p, self.text()));
            }
        }
        let (at, n) = (span(step.n), step.n);
        let function = self.on_element(&step, |t| {
            let mut stmts = Vec::new();
            for e in bindings {
                let Enumerator::Binding(pattern, value) = e else {
                    continue;
                };
                let init = t.expr(*value, None)?;
                let bound = t.pattern(*pattern, &init.ty.clone())?;
                stmts.push(match bound.kind {
                    PatternKind::Bind(local, None) => Stmt::Let {
                        local,
                        init,
                        lazy: false,
                    },
                    _ => Stmt::LetPattern { pattern: bound, init },
                });
            }
            let mut values = Vec::new();
            for name in &names {
                match t.simple_name(n, name)? {
                    Some(super::names::Target::Value(e)) => values.push(e),
                    _ => return t.refuse(n, format!("`{name}` of this `for` cannot be read")),
                }
            }
            let ty = Ty::Tuple(values.iter().map(|e| e.ty.clone()).collect());
            let tuple = if values.len() == 1 {
                values.remove(0)
            } else {
                mk(ExprKind::Tuple(values), ty, at)
            };
            let ty = tuple.ty.clone();
            Ok(mk(ExprKind::Block(stmts, Some(Box::new(tuple))), ty, at))
        })?;
        let _ = before;
        let is_map = matches!(source.ty, Ty::Map(..) | Ty::Set(_) | Ty::String);
        if is_map {
            return self.refuse(n, format!("a binding in a `for` over `{}` is not covered", source.ty));
        }
        let elem = match &function.ty {
            Ty::Fn(_, ret) => (**ret).clone(),
            _ => return self.refuse(n, "`for` that cannot be read"),
        };
        let mapped = self.member(source, Call::new("map", vec![vec![Arg::Typed(function)]], None, n))?;
        let staged = Staged { names, elem };
        self.after_stage(mapped, staged, own, later, step, hint)
    }

    pub(super) fn after_stage(
        &mut self,
        source: Expr,
        staged: Staged,
        own: &[Enumerator<'t>],
        later: &[Enumerator<'t>],
        step: Step<'_, 't>,
        hint: Option<&Ty>,
    ) -> Understood<Expr> {
        let mut source = source;
        let mut own = own;
        let (body, yields, nested, n) = (step.body, step.yields, step.nested, step.n);
        while let Some(Enumerator::Guard(cond)) = own.first() {
            let cond = *cond;
            let predicate = self.on_tuple(&staged, n, |t| t.checked(cond, &Ty::BOOLEAN))?;
            source = self.member(
                source,
                Call::new("withFilter", vec![vec![Arg::Typed(predicate)]], None, n),
            )?;
            own = &own[1..];
        }
        if let Some(Enumerator::Binding(..)) = own.first() {
            let count = own.iter().take_while(|e| matches!(e, Enumerator::Binding(..))).count();
            let (bindings, own) = own.split_at(count);
            let mut names = staged.names.clone();
            for e in bindings {
                if let Enumerator::Binding(p, _) = e {
                    names.extend(super::outer::pattern_names(*p, self.text()));
                }
            }
            let function = self.on_tuple(&staged, n, |t| t.bind_more(bindings, &names, n))?;
            let elem = match &function.ty {
                Ty::Fn(_, ret) => (**ret).clone(),
                _ => return self.refuse(n, "`for` that cannot be read"),
            };
            let mapped = self.member(source, Call::new("map", vec![vec![Arg::Typed(function)]], None, n))?;
            return self.after_stage(mapped, Staged { names, elem }, own, later, step, hint);
        }
        let method = match (yields, nested) {
            (false, _) => "foreach",
            (true, true) => "flatMap",
            (true, false) => "map",
        };
        let function = self.on_tuple(&staged, n, |t| {
            let e = if later.is_empty() {
                t.expr(body, None)?
            } else {
                t.comprehension(later, body, yields, n, None)?
            };
            match method {
                "flatMap" => t.fit_open(
                    e,
                    &Ty::Seq(crate::lang::ty::SeqKind::Seq, Box::new(Ty::Var("B".into()))),
                ),
                _ => Ok(e),
            }
        })?;
        self.member(
            source,
            Call::new(method, vec![vec![Arg::Typed(function)]], hint.cloned(), n),
        )
    }

    pub(super) fn bind_more(&mut self, bindings: &[Enumerator<'t>], names: &[String], n: Node<'t>) -> Understood<Expr> {
        let mut stmts = Vec::new();
        for e in bindings {
            let Enumerator::Binding(pattern, value) = e else {
                continue;
            };
            let init = self.expr(*value, None)?;
            let bound = self.pattern(*pattern, &init.ty.clone())?;
            stmts.push(Stmt::LetPattern { pattern: bound, init });
        }
        let mut values = Vec::new();
        for name in names {
            match self.simple_name(n, name)? {
                Some(super::names::Target::Value(e)) => values.push(e),
                _ => return self.refuse(n, format!("`{name}` of this `for` cannot be read")),
            }
        }
        let ty = Ty::Tuple(values.iter().map(|e| e.ty.clone()).collect());
        let tuple = mk(ExprKind::Tuple(values), ty.clone(), span(n));
        Ok(mk(ExprKind::Block(stmts, Some(Box::new(tuple))), ty, span(n)))
    }

    pub(super) fn on_tuple(
        &mut self,
        staged: &Staged,
        n: Node<'t>,
        f: impl FnOnce(&mut Self) -> Understood<Expr>,
    ) -> Understood<Expr> {
        let at = span(n);
        self.push_scope();
        let tys = match &staged.elem {
            Ty::Tuple(tys) if staged.names.len() > 1 => tys.clone(),
            other => vec![other.clone()],
        };
        let mut items: Vec<Pattern> = Vec::new();
        for (name, ty) in staged.names.iter().zip(tys) {
            let id = self.declare(name, ty, false);
            items.push(Pattern {
                kind: PatternKind::Bind(id, None),
                span: at,
            });
        }
        let body = f(self);
        self.pop_scope();
        let pattern = if items.len() == 1 {
            items.remove(0)
        } else {
            Pattern {
                kind: PatternKind::Tuple(items),
                span: at,
            }
        };
        Ok(self.function(pattern, staged.elem.clone(), body?, at))
    }
}

/// Names bound so far, and the type of the tuple that holds them.
pub(super) struct Staged {
    pub(super) names: Vec<String>,
    pub(super) elem: Ty,
}
