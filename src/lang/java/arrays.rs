//! Arrays: elements, creation, initialisers. In: nodes; out: typed expressions.

use tree_sitter::Node;

use super::convert::prim_to;
use super::cst::{field, field_all, kids, span, text};
use super::types::arrays;
use super::{Typer, mk};
use crate::jvm::lookup;
use crate::lang::ast::{Expr, ExprKind};
use crate::lang::ty::{Prim, Ty};
use crate::source::Understood;

impl<'t> Typer<'t> {
    /// `a[i]`.
    pub(super) fn element(&mut self, n: Node<'t>) -> Understood<Expr> {
        let (Some(array), Some(index)) = (field(n, "array"), field(n, "index")) else {
            return self.refuse(n, "array access that cannot be read");
        };
        let a = self.expr(array, None)?;
        let Ty::Array(elem) = a.ty.clone() else {
            return self.refuse(array, format!("an element of `{}` is not covered", a.ty));
        };
        let i = self.index(index)?;
        let kind = ExprKind::Index {
            array: Box::new(a),
            index: Box::new(i),
        };
        Ok(mk(kind, *elem, span(n)))
    }

    /// An index: promoted to `int`.
    pub(super) fn index(&mut self, n: Node<'t>) -> Understood<Expr> {
        let e = self.expr(n, None)?;
        let (e, prim) = self.numeric(e, n)?;
        match prim {
            Prim::Int | Prim::Byte | Prim::Short | Prim::Char => Ok(prim_to(e, Prim::Int)),
            _ => self.refuse(n, "an index that is not an `int`"),
        }
    }

    /// `new T[n]`, `new T[]{…}`.
    pub(super) fn array_creation(&mut self, n: Node<'t>) -> Understood<Expr> {
        let Some(base) = field(n, "type") else {
            return self.refuse(n, "array creation without a type");
        };
        let base = self.ty(base)?;
        let mut sizes = Vec::new();
        let mut open = 0;
        for d in field_all(n, "dimensions") {
            match d.kind() {
                "dimensions_expr" => match kids(d).last() {
                    Some(size) => sizes.push(self.index(*size)?),
                    None => return self.refuse(d, "array size that cannot be read"),
                },
                _ => open += text(d, self.text()).matches('[').count(),
            }
        }
        if let Some(value) = field(n, "value") {
            let Ty::Array(elem) = arrays(base, open) else {
                return self.refuse(n, "array initializer without dimensions");
            };
            return self.array_initializer(value, &elem);
        }
        let (rows, ty) = match sizes.len() {
            1 => (lookup::constructors("Array"), arrays(base, open + 1)),
            2 if open == 0 => (
                lookup::static_rows("Array", "ofDim")
                    .into_iter()
                    .filter(|f| f.row.params.len() == 2)
                    .collect(),
                arrays(base, 2),
            ),
            _ => return self.refuse(n, "arrays of three or more dimensions are not covered"),
        };
        let Some(fit) = rows.first() else {
            return self.refuse(n, "array creation is not covered");
        };
        let kind = ExprKind::Call {
            method: fit.row.method,
            recv: None,
            args: sizes,
        };
        Ok(mk(kind, ty, span(n)))
    }

    /// `{a, b}` as an array of elements of a type.
    pub(super) fn array_initializer(&mut self, n: Node<'t>, elem: &Ty) -> Understood<Expr> {
        let mut items = Vec::new();
        for k in kids(n) {
            let e = self.expr(k, Some(elem))?;
            items.push(self.assigned(e, elem, k)?);
        }
        Ok(mk(ExprKind::SeqLit(items), Ty::Array(Box::new(elem.clone())), span(n)))
    }
}
