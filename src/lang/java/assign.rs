//! Assignments. In: `x = e`, `x op= e`, `x++` and the like; out: typed statements with the implicit narrowing written out, and the
//! value where one is wanted. What outlives the row (fields) is not assigned here.

use tree_sitter::Node;

use super::convert::{boxed, prim_to, unboxed};
use super::cst::{field, kids, span, text};
use super::{This, Typer, block, mk};
use crate::lang::ast::{Expr, ExprKind, Lit, LocalId, Stmt};
use crate::lang::ty::{Prim, Ty};
use crate::source::{Span, Understood};

/// What is assigned to.
enum Place {
    Local(LocalId),
    Element { array: LocalId, index: LocalId, elem: Ty },
}

impl<'t> Typer<'t> {
    /// `left = right`, `left op= right`.
    pub(super) fn assignment(&mut self, n: Node<'t>, wanted: bool) -> Understood<Expr> {
        let (Some(left), Some(right), Some(op)) =
            (field(n, "left"), field(n, "right"), n.child_by_field_name("operator"))
        else {
            return self.refuse(n, "assignment that cannot be read");
        };
        let sign = text(op, self.text());
        let mut stmts = Vec::new();
        let place = self.place(left, &mut stmts)?;
        let own = self.place_ty(&place);
        let value = if sign == "=" {
            let e = self.expr(right, Some(&own))?;
            self.assigned(e, &own, right)?
        } else {
            let old = self.read_place(&place, span(left));
            let operand = self.expr(right, None)?;
            self.compound(sign.trim_end_matches('='), old, operand, &own, n)?
        };
        self.track_write(&place);
        // An element is stored after its value is known; a local that the value changes keeps the new one.
        if !wanted {
            self.store(&place, value, &mut stmts);
            return Ok(mk(ExprKind::Block(stmts, None), Ty::Unit, span(n)));
        }
        match place {
            Place::Local(id) => {
                self.store(&Place::Local(id), value, &mut stmts);
                let read = self.read(id, span(n));
                Ok(block(stmts, read))
            }
            place => {
                let held = self.hold("$new", value, &mut stmts);
                let read = self.read(held, span(n));
                self.store(&place, read.clone(), &mut stmts);
                Ok(block(stmts, read))
            }
        }
    }

    /// `x++`, `--x`.
    pub(super) fn update(&mut self, n: Node<'t>, wanted: bool) -> Understood<Expr> {
        let Some(operand) = kids(n).first().copied() else {
            return self.refuse(n, "update that cannot be read");
        };
        let prefix = n.child(0).is_some_and(|c| matches!(c.kind(), "++" | "--"));
        let sign = if super::cst::has_token(n, "++") { "+" } else { "-" };
        let mut stmts = Vec::new();
        let place = self.place(operand, &mut stmts)?;
        let own = self.place_ty(&place);
        let at = span(n);
        let one = mk(ExprKind::Lit(Lit::Int(1)), Ty::INT, at);
        let old = if wanted && !prefix {
            let read = self.read_place(&place, at);
            let held = self.hold("$old", read, &mut stmts);
            self.read(held, at)
        } else {
            self.read_place(&place, at)
        };
        let new = self.compound(sign, old.clone(), one, &own, n)?;
        if !wanted {
            self.store(&place, new, &mut stmts);
            return Ok(mk(ExprKind::Block(stmts, None), Ty::Unit, at));
        }
        if prefix {
            let held = self.hold("$new", new, &mut stmts);
            let read = self.read(held, at);
            self.store(&place, read.clone(), &mut stmts);
            return Ok(block(stmts, read));
        }
        self.store(&place, new, &mut stmts);
        Ok(block(stmts, old))
    }

    /// `(T) (old op operand)`.
    fn compound(&mut self, sign: &str, old: Expr, operand: Expr, own: &Ty, n: Node<'t>) -> Understood<Expr> {
        let made = self.apply_operator(sign, old, operand, n)?;
        Ok(match own {
            Ty::Prim(Prim::Boolean) => unboxed(made),
            Ty::Prim(p) => prim_to(unboxed(made), *p),
            Ty::Boxed(p) => boxed(prim_to(unboxed(made), *p)),
            _ => self.assigned(made, own, n)?,
        })
    }

    /// What an expression on the left stands for; its parts are evaluated first.
    fn place(&mut self, left: Node<'t>, stmts: &mut Vec<Stmt>) -> Understood<Place> {
        let left = super::cst::unparen(left);
        match left.kind() {
            "identifier" => {
                let name = text(left, self.text());
                if let Some(id) = self.local_named(name) {
                    return Ok(Place::Local(id));
                }
                self.field_place(left, name)
            }
            "field_access" => {
                let name = field(left, "field").map_or("", |f| text(f, self.text()));
                if field(left, "object").is_some_and(|o| o.kind() == "this") {
                    return self.field_place(left, name);
                }
                self.refuse(left, "a field that is changed is not covered")
            }
            "array_access" => {
                let (Some(array), Some(index)) = (field(left, "array"), field(left, "index")) else {
                    return self.refuse(left, "array access that cannot be read");
                };
                let a = self.expr(array, None)?;
                let Ty::Array(elem) = a.ty.clone() else {
                    return self.refuse(array, format!("an element of `{}` is not covered", a.ty));
                };
                let i = self.index(index)?;
                let array = match a.kind {
                    ExprKind::Local(id) => id,
                    _ => self.hold("$array", a, stmts),
                };
                let index = self.hold("$index", i, stmts);
                Ok(Place::Element {
                    array,
                    index,
                    elem: *elem,
                })
            }
            other => self.refuse(
                left,
                format!("an assignment to {} is not covered", other.replace('_', " ")),
            ),
        }
    }

    /// A field of the object that a constructor sets, or of a Hive function that holds its result.
    fn field_place(&mut self, left: Node<'t>, name: &str) -> Understood<Place> {
        if let Some(This::Fields(class, slots)) = self.frames.last().and_then(|f| f.this.clone()) {
            let fields = &self.classes[class.0 as usize].fields;
            if let Some(i) = fields.iter().position(|(f, _)| f == name) {
                return Ok(Place::Local(slots[i]));
            }
        }
        if let Some(slot) = self.result_field(left, name)? {
            return Ok(Place::Local(slot));
        }
        self.refuse(
            left,
            format!("`{name}` keeps its value between rows; the order of rows would show"),
        )
    }

    fn place_ty(&self, place: &Place) -> Ty {
        match place {
            Place::Local(id) => self.local_ty(*id),
            Place::Element { elem, .. } => elem.clone(),
        }
    }

    fn read_place(&self, place: &Place, at: Span) -> Expr {
        match place {
            Place::Local(id) => self.read(*id, at),
            Place::Element { array, index, elem } => mk(
                ExprKind::Index {
                    array: Box::new(self.read(*array, at)),
                    index: Box::new(self.read(*index, at)),
                },
                elem.clone(),
                at,
            ),
        }
    }

    fn store(&self, place: &Place, value: Expr, stmts: &mut Vec<Stmt>) {
        let at = value.span;
        stmts.push(match place {
            Place::Local(id) => Stmt::Assign { local: *id, value },
            Place::Element { array, index, .. } => Stmt::SetIndex {
                array: self.read(*array, at),
                index: self.read(*index, at),
                value,
            },
        });
    }

    fn track_write(&mut self, place: &Place) {
        if let Place::Local(id) = place {
            self.frame().written.insert(id.0);
        }
    }

    /// Keeps a value in a slot of its own.
    pub(super) fn hold(&mut self, name: &str, value: Expr, stmts: &mut Vec<Stmt>) -> LocalId {
        let local = self.slot(name, value.ty.clone());
        stmts.push(Stmt::Let {
            local,
            init: value,
            lazy: false,
        });
        local
    }
}
