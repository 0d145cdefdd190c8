//! Fields, and pairs of a lambda whose parts are variables of their own.

use super::super::doc::Doc;
use super::super::{PRIMARY, Printer, literal};
use crate::ir::func::Func;
use crate::ir::node::{Node, NodeId, Op};
use crate::source::Understood;

impl Printer<'_> {
    /// A field of a struct; of a pair whose parts are variables of their own, the variable.
    pub(super) fn field(&mut self, of: NodeId, name: &str) -> Understood<(Doc, u8)> {
        if let Op::Var(id) = self.g.op(of)
            && let Some((first, second)) = self.pairs.get(id)
        {
            let part = if name == "_1" { first } else { second };
            return Ok((part.clone(), PRIMARY));
        }
        let of = self.expr(of, PRIMARY)?;
        Ok((
            Doc::Cat(vec![of, Doc::text(format!(".{}", literal::identifier(name)))]),
            PRIMARY,
        ))
    }

    /// Whether a body uses a pair other than by its parts.
    pub(super) fn keeps_pair(&self, var: u32, body: NodeId) -> bool {
        let is_var = |n: &NodeId| *self.g.op(*n) == Op::Var(var);
        let whole = |n: &Node| match &n.op {
            Op::Call(Func::Field(_), _) => false,
            Op::Struct(items) | Op::List(items) | Op::Call(_, items) => items.iter().any(is_var),
            Op::Case(branches, other) => is_var(other) || branches.iter().any(|(_, v)| is_var(v)),
            Op::Coalesce(a, b) => is_var(a) || is_var(b),
            _ => false,
        };
        is_var(&body) || self.g.any(body, &whole)
    }

    /// `transform` over elements beside their positions: the lambda's second variable, no structs.
    pub(super) fn map_pairs(&mut self, var: u32, f: &Func, lists: &[NodeId], body: NodeId) -> Understood<(Doc, u8)> {
        let list = if *f == Func::Zip {
            self.fill("slice({0}, 1, least(size({0}), size({1})))", lists)?
        } else {
            self.expr(lists[0], 0)?
        };
        let (x, i) = (Doc::text(format!("x{var}")), Doc::text(format!("i{var}")));
        let second = match (f, lists.get(1)) {
            (Func::Zip, Some(other)) => Doc::Cat(vec![
                self.expr(*other, PRIMARY)?,
                Doc::text("["),
                i.clone(),
                Doc::text("]"),
            ]),
            _ => i.clone(),
        };
        self.pairs.insert(var, (x.clone(), second));
        let printed = self.expr(body, 0);
        self.pairs.remove(&var);
        let lambda = Doc::Cat(vec![
            Doc::text("("),
            x,
            Doc::text(", "),
            i,
            Doc::text(") -> "),
            printed?,
        ]);
        Ok((Doc::Call("transform".into(), vec![list, lambda]), PRIMARY))
    }
}
