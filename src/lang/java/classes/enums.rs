//! Enumerations.

use super::super::cst::{enclosing, kids, members, name_of, span, text};
use super::super::rows::Arg;
use super::super::scope::Outer;
use super::super::{Typer, mk};
use crate::lang::ast::{Expr, ExprKind, Global, GlobalId, Lit};
use crate::lang::ty::Ty;
use crate::source::Understood;
use tree_sitter::Node;

impl<'t> Typer<'t> {
    /// An enum's constant: made once.
    pub(in crate::lang::java) fn enum_constant(&mut self, c: Node<'t>, n: Node<'t>) -> Understood<Expr> {
        let (Some(class), Some(name)) = (enclosing(c), name_of(c, self.text())) else {
            return self.refuse(n, "enum constant that cannot be read");
        };
        let id = self.class_id(class, n)?;
        let ty = Ty::Class(self.classes[id.0 as usize].name.clone());
        let key = format!("{}#{}", class.id(), name);
        let at = span(c);
        if let Some(global) = self.global_ids.get(&key) {
            return Ok(mk(ExprKind::Global(*global), ty, span(n)));
        }
        let global = GlobalId(self.globals.len() as u32);
        self.globals.push(None);
        self.global_ids.insert(key, global);
        let ordinal = members(class)
            .into_iter()
            .filter(|m| m.kind() == "enum_constant")
            .position(|m| m.id() == c.id())
            .unwrap_or(0);
        let (func, sig) = self.constructor(class, id, n)?;
        let (init, frame) = self.in_frame(c, |t| {
            let given = t.arguments(c)?;
            let mut args = vec![
                mk(
                    ExprKind::Lit(Lit::Str(name.encode_utf16().collect::<Vec<u16>>().into())),
                    Ty::String,
                    at,
                ),
                mk(ExprKind::Lit(Lit::Int(ordinal as i32)), Ty::INT, at),
            ];
            args.extend(t.method_arguments(&sig, given, c)?);
            Ok(mk(ExprKind::CallFn { func, args }, ty.clone(), at))
        })?;
        self.globals[global.0 as usize] = Some(Global {
            name: name.to_owned(),
            ty: ty.clone(),
            init,
            locals: frame.locals,
            span: at,
        });
        Ok(mk(ExprKind::Global(global), ty, span(n)))
    }

    /// `E.values()`, `E.valueOf(name)`.
    pub(in crate::lang::java) fn enum_static(
        &mut self,
        class: Node<'t>,
        name: &str,
        args: &[Arg<'t>],
        n: Node<'t>,
    ) -> Understood<Option<Expr>> {
        let constants: Vec<Node<'t>> = members(class)
            .into_iter()
            .filter(|m| m.kind() == "enum_constant")
            .collect();
        let id = self.class_id(class, n)?;
        let ty = Ty::Class(self.classes[id.0 as usize].name.clone());
        let at = span(n);
        match (name, args) {
            ("values", []) => {
                let mut items = Vec::new();
                for c in constants {
                    items.push(self.enum_constant(c, n)?);
                }
                Ok(Some(mk(ExprKind::SeqLit(items), Ty::Array(Box::new(ty)), at)))
            }
            ("valueOf", [Arg::Typed(e)]) if e.ty == Ty::String => {
                let mut stmts = Vec::new();
                let checked = self.not_null(e.clone(), n)?;
                let slot = self.hold("$name", checked, &mut stmts);
                let prefix = format!("No enum constant {}.", self.canonical_name(class));
                let prefix = mk(
                    ExprKind::Lit(Lit::Str(prefix.encode_utf16().collect::<Vec<u16>>().into())),
                    Ty::String,
                    at,
                );
                let message = mk(ExprKind::Concat(vec![prefix, self.read(slot, at)]), Ty::String, at);
                let made = self.new_library("IllegalArgumentException", vec![message], n)?;
                let mut value = mk(ExprKind::Throw(Box::new(made)), Ty::Nothing, at);
                for c in constants.into_iter().rev() {
                    let Some(Outer::Constant(c)) = self.field_of(class, name_of(c, self.text()).unwrap_or_default())
                    else {
                        continue;
                    };
                    let text = name_of(c, self.text()).unwrap_or_default();
                    let word = mk(
                        ExprKind::Lit(Lit::Str(text.encode_utf16().collect::<Vec<u16>>().into())),
                        Ty::String,
                        at,
                    );
                    let test = self.library_member(word, "equals", vec![self.read(slot, at)], n)?;
                    let constant = self.enum_constant(c, n)?;
                    let kind = ExprKind::If {
                        cond: Box::new(test),
                        then: Box::new(constant),
                        otherwise: Some(Box::new(value)),
                    };
                    value = mk(kind, ty.clone(), at);
                }
                Ok(Some(super::super::block(stmts, value)))
            }
            _ => Ok(None),
        }
    }

    /// The package and the classes around a class, with dots.
    pub(super) fn canonical_name(&self, class: Node<'t>) -> String {
        let mut names = vec![name_of(class, self.text()).unwrap_or_default()];
        let mut at = class;
        while let Some(outer) = enclosing(at) {
            names.insert(0, name_of(outer, self.text()).unwrap_or_default());
            at = outer;
        }
        let package = kids(self.root).into_iter().find(|k| k.kind() == "package_declaration");
        if let Some(path) = package.and_then(|p| kids(p).last().copied()) {
            names.insert(0, text(path, self.text()));
        }
        names.join(".")
    }
}
