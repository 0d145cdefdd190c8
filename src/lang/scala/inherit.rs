//! Members that an instance decides: overridden ones, abstract ones, constructor parameters. In: a definition and the instance
//! whose method is the UDF, if one is known; out: the definition or the value that is meant for it.

use tree_sitter::Node;

use super::cst::{any, field, has_modifier, has_token, kids, name_text, span, text};
use super::globals::keeps_state;
use super::outer::{Outer, member, pattern_binds, top_down};
use super::{Typer, mk};
use crate::lang::ast::{Expr, ExprKind, Global, GlobalId};
use crate::lang::ty::Ty;
use crate::source::Understood;

/// The instance whose method is the entry.
#[derive(Debug, Clone, Default)]
pub struct Instance<'t> {
    /// Its class or object.
    pub template: Option<Node<'t>>,
    /// Constructor parameters with the expressions that are given for them.
    pub args: Vec<(Node<'t>, Node<'t>)>,
}

impl<'t> Typer<'t> {
    /// Types for one instance.
    pub fn of_instance(mut self, instance: Instance<'t>) -> Typer<'t> {
        self.instance = instance;
        self
    }

    /// The definition that is meant for the instance: its own, where the one that was found is inherited.
    pub(super) fn seen_from_instance(&self, found: Outer<'t>, name: &str) -> Outer<'t> {
        let Some(template) = self.instance.template else {
            return found;
        };
        let (Outer::Val { def, .. } | Outer::Def(def) | Outer::Abstract(def)) = found else {
            return found;
        };
        let owner = def.parent().and_then(|body| body.parent());
        let inherited = owner.filter(|o| o.id() != template.id() && is_open_template(*o));
        match inherited.and_then(|o| field(o, "name")) {
            Some(base) if extends(template, name_text(base, self.text()), self.text(), 0) => {
                member(template, name, self.text()).unwrap_or(found)
            }
            _ => found,
        }
    }

    /// Whether only an instance that is not known here decides what a member is.
    pub(super) fn is_overridden(&self, def: Node<'t>, name: &str) -> bool {
        let owner = def.parent().and_then(|body| body.parent());
        let own = owner.zip(self.instance.template).is_some_and(|(o, t)| o.id() == t.id());
        !own && overridden(def, name, self.root, self.text())
    }

    /// The value given for a constructor parameter, as a global.
    pub(super) fn constructor_argument(
        &mut self,
        param: Node<'t>,
        name: &str,
        n: Node<'t>,
    ) -> Understood<Option<Expr>> {
        let given = self.instance.args.iter().find(|(p, _)| p.id() == param.id());
        let Some((_, value)) = given.copied().filter(|_| !has_token(param, "var")) else {
            return Ok(None);
        };
        let key = (param.id(), name.to_owned());
        let id = match self.global_ids.get(&key) {
            Some(Some(id)) => *id,
            Some(None) => return self.refuse(n, format!("`{name}` is defined by itself")),
            None => {
                self.global_ids.insert(key.clone(), None);
                let made = self.argument_global(param, value, name);
                if made.is_err() {
                    self.global_ids.remove(&key);
                }
                let id = GlobalId(self.globals.len() as u32);
                self.globals.push(Some(made?));
                self.global_ids.insert(key, Some(id));
                id
            }
        };
        let ty = self.globals[id.0 as usize].as_ref().map_or(Ty::Any, |g| g.ty.clone());
        Ok(Some(mk(ExprKind::Global(id), ty, span(n))))
    }

    fn argument_global(&mut self, param: Node<'t>, value: Node<'t>, name: &str) -> Understood<Global> {
        let Some(written) = field(param, "type") else {
            return self.refuse(param, "constructor parameter without a type");
        };
        let ty = self.ty(written)?;
        let (init, frame) = self.in_frame(value, |t| t.checked(value, &ty))?;
        if keeps_state(&init) {
            return self.refuse(value, format!("`{name}` keeps state between rows"));
        }
        Ok(Global {
            name: name.to_owned(),
            ty,
            init,
            locals: frame.locals,
            span: span(value),
        })
    }
}

fn is_open_template(n: Node) -> bool {
    matches!(n.kind(), "class_definition" | "trait_definition")
}

/// Whether a template of the file that extends the one around a definition overrides it, so that an instance decides.
pub fn overridden(def: Node, name: &str, root: Node, source: &str) -> bool {
    let Some(template) = def.parent().and_then(|body| body.parent()) else {
        return false;
    };
    if !is_open_template(template) {
        return false;
    }
    let Some(base) = field(template, "name") else {
        return false;
    };
    let base = name_text(base, source);
    any(root, |n, _| {
        matches!(n.kind(), "function_definition" | "val_definition" | "var_definition")
            && n.id() != def.id()
            && has_modifier(n, "override", source)
            && (field(n, "name").is_some_and(|x| name_text(x, source) == name) || pattern_binds(n, name, source))
            && n.parent()
                .and_then(|body| body.parent())
                .is_some_and(|t| extends(t, base, source, 0))
    })
}

/// Whether a template, or an instance with a body, extends a class or trait of this name, if only by way of others.
fn extends(template: Node, base: &str, source: &str, depth: usize) -> bool {
    let parents = match template.kind() {
        "instance_expression" => kids(template),
        _ => field(template, "extend").map(kids).unwrap_or_default(),
    };
    parents.into_iter().any(|ty| {
        let words = || {
            text(ty, source)
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .filter(|w| !w.is_empty())
        };
        let inherits = |name: &str| match top_down(template, name, source) {
            Some(Outer::Class(parent)) if depth < 16 => extends(parent, base, source, depth + 1),
            _ => false,
        };
        ty.kind() != "template_body" && (words().any(|w| w == base) || words().any(inherits))
    })
}
