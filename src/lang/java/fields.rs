//! Fields of enclosing classes as constants. In: the declarator of a field; out: a global of the program, initialised once. A field
//! that changes while rows are worked on is refused; static blocks are replayed for the fields they fill.

use tree_sitter::Node;

use super::cst::{dimensions, enclosing, field, field_all, has_modifier, kids, members, name_of, span, text};
use super::types::arrays;
use super::{Exit, Typer, mk};
use crate::lang::ast::{Expr, ExprKind, Global, GlobalId, Stmt};
use crate::lang::ty::Ty;
use crate::source::Understood;

impl<'t> Typer<'t> {
    /// Reads a field.
    pub(super) fn field_value(&mut self, d: Node<'t>, n: Node<'t>) -> Understood<Expr> {
        let name = name_of(d, self.text()).unwrap_or_default().to_owned();
        let key = format!("{}#{name}", d.id());
        if let Some(id) = self.global_ids.get(&key) {
            if self.initialising.contains(&key) {
                return self.refuse(n, format!("`{name}` is read before it is initialised"));
            }
            let ty = match &self.globals[id.0 as usize] {
                Some(g) => g.ty.clone(),
                None => return self.refuse(n, format!("`{name}` could not be initialised")),
            };
            return Ok(mk(ExprKind::Global(*id), ty, span(n)));
        }
        let Some(declaration) = d.parent() else {
            return self.refuse(n, "field that cannot be read");
        };
        let Some(class) = enclosing(d) else {
            return self.refuse(n, "field without a class");
        };
        if self.changes(class, &name) {
            let why = match has_modifier(declaration, "final") {
                true => "gets its value in a constructor, which is not covered",
                false => "is assigned while the program runs; what it holds depends on earlier rows",
            };
            return self.refuse(n, format!("`{name}` {why}"));
        }
        let id = GlobalId(self.globals.len() as u32);
        self.globals.push(None);
        self.global_ids.insert(key.clone(), id);
        self.initialising.push(key);
        self.needs.insert(span(declaration));
        let made = self.in_frame(declaration, |t| t.initial_value(d, declaration, class, n));
        self.initialising.pop();
        let ((init, ty), frame) = made?;
        self.globals[id.0 as usize] = Some(Global {
            name,
            ty: ty.clone(),
            init,
            locals: frame.locals,
            span: span(declaration),
        });
        Ok(mk(ExprKind::Global(id), ty, span(n)))
    }

    fn initial_value(
        &mut self,
        d: Node<'t>,
        declaration: Node<'t>,
        class: Node<'t>,
        n: Node<'t>,
    ) -> Understood<(Expr, Ty)> {
        let name = name_of(d, self.text()).unwrap_or_default();
        let blocks: Vec<Node<'t>> = members(class)
            .into_iter()
            .filter(|m| m.kind() == "static_initializer" && mentions(*m, name, self.text()))
            .collect();
        if blocks.is_empty() {
            return self.declared_value(d, declaration, n);
        }
        // The blocks run on slots that stand for the fields they mention.
        let mut stmts = Vec::new();
        for m in members(class) {
            if m.kind() != "field_declaration" || !has_modifier(m, "static") {
                continue;
            }
            for other in field_all(m, "declarator") {
                let own = name_of(other, self.text()).unwrap_or_default();
                if !blocks.iter().any(|b| mentions(*b, own, self.text())) {
                    continue;
                }
                let (init, ty) = match field(other, "value") {
                    Some(_) => self.declared_value(other, m, n)?,
                    None => {
                        let ty = self.declared_type(other, m)?;
                        (super::exits::default_of(&ty, span(other)), ty)
                    }
                };
                let local = self.declare(own, ty);
                stmts.push(Stmt::Let {
                    local,
                    init,
                    lazy: false,
                });
                self.needs.insert(span(m));
            }
        }
        self.frame().returns.push(Exit::Value);
        for b in blocks {
            self.needs.insert(span(b));
            if let Some(body) = kids(b).into_iter().find(|k| k.kind() == "block") {
                stmts.extend(self.scoped(|t| t.statements(&kids(body)))?);
            }
        }
        let Some(slot) = self.local_named(name) else {
            return self.refuse(n, "field that a static block sets is not covered");
        };
        let read = self.read(slot, span(d));
        let ty = read.ty.clone();
        Ok((super::block(stmts, read), ty))
    }

    fn declared_type(&mut self, d: Node<'t>, declaration: Node<'t>) -> Understood<Ty> {
        let Some(written) = field(declaration, "type") else {
            return self.refuse(d, "field without a type");
        };
        let base = self.ty(written)?;
        Ok(arrays(base, dimensions(d, self.text())))
    }

    fn declared_value(&mut self, d: Node<'t>, declaration: Node<'t>, n: Node<'t>) -> Understood<(Expr, Ty)> {
        let name = name_of(d, self.text()).unwrap_or_default();
        let ty = self.declared_type(d, declaration)?;
        let Some(value) = field(d, "value") else {
            return self.refuse(n, format!("`{name}` has no value at its declaration"));
        };
        let e = self.expr(value, Some(&ty))?;
        let e = self.assigned(e, &ty, value)?;
        Ok((e, ty))
    }

    /// Whether a field is assigned anywhere but in static blocks and at its declaration.
    fn changes(&self, class: Node<'t>, name: &str) -> bool {
        let mut outermost = class;
        while let Some(c) = enclosing(outermost) {
            outermost = c;
        }
        self.assigns(outermost, name)
    }

    fn assigns(&self, n: Node<'t>, name: &str) -> bool {
        let target = match n.kind() {
            "static_initializer" => return false,
            "assignment_expression" => field(n, "left"),
            "update_expression" => kids(n).first().copied(),
            _ => None,
        };
        let hit = target.is_some_and(|t| match t.kind() {
            "identifier" => text(t, self.text()) == name && !self.hidden_by_local(t, name),
            "field_access" => field(t, "field").is_some_and(|f| text(f, self.text()) == name),
            _ => false,
        });
        hit || kids(n).into_iter().any(|k| self.assigns(k, name))
    }

    /// Whether a local variable or a parameter of the name is declared around a place, below its class.
    fn hidden_by_local(&self, n: Node<'t>, name: &str) -> bool {
        let mut at = n.parent();
        while let Some(p) = at {
            if matches!(p.kind(), "class_body" | "enum_body") {
                return false;
            }
            let declares = |k: &Node<'t>| match k.kind() {
                "local_variable_declaration" => field_all(*k, "declarator")
                    .iter()
                    .any(|d| name_of(*d, self.text()) == Some(name)),
                "formal_parameters" => kids(*k).iter().any(|p| self.parameter_name(*p) == name),
                _ => false,
            };
            if kids(p).iter().any(declares) {
                return true;
            }
            at = p.parent();
        }
        false
    }
}

/// Whether a name stands anywhere in a tree.
fn mentions(n: Node, name: &str, source: &str) -> bool {
    (n.kind() == "identifier" && text(n, source) == name) || kids(n).into_iter().any(|k| mentions(k, name, source))
}
