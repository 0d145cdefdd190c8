//! `new` of a class of the file: its constructor as a function.

use super::super::cst::{field, field_all, has_modifier, kids, members, name_of, parameters, span};
use super::super::rows::Arg;
use super::super::{Exit, Signature, This, Typer, mk};
use super::ENUM_FIELDS;
use crate::lang::ast::{ClassId, Expr, ExprKind, FnId, Function, Param, Stmt};
use crate::lang::ty::Ty;
use crate::source::Understood;
use tree_sitter::Node;

impl<'t> Typer<'t> {
    /// `new C(…)` of a class of the file.
    pub(in crate::lang::java) fn new_user(
        &mut self,
        class: Node<'t>,
        args: Vec<Arg<'t>>,
        n: Node<'t>,
    ) -> Understood<Expr> {
        let id = self.class_id(class, n)?;
        let ty = Ty::Class(self.classes[id.0 as usize].name.clone());
        let (func, sig) = self.constructor(class, id, n)?;
        let args = self.method_arguments(&sig, args, n)?;
        Ok(mk(ExprKind::CallFn { func, args }, ty, span(n)))
    }

    /// The constructor of a class as a function that gives the instance.
    pub(super) fn constructor(&mut self, class: Node<'t>, id: ClassId, n: Node<'t>) -> Understood<(FnId, Signature)> {
        let constructors: Vec<Node<'t>> = members(class)
            .into_iter()
            .filter(|m| matches!(m.kind(), "constructor_declaration" | "compact_constructor_declaration"))
            .collect();
        let own = match constructors[..] {
            [] => None,
            [only] => Some(only),
            _ => return self.refuse(n, "classes with several constructors are not covered"),
        };
        let compact = own.is_none_or(|c| c.kind() == "compact_constructor_declaration");
        let head = if class.kind() == "record_declaration" && compact {
            class
        } else {
            own.unwrap_or(class)
        };
        let mut params = Vec::new();
        for p in parameters(head) {
            params.push((self.parameter_name(p), self.parameter_type(p)?, span(p)));
        }
        let name = self.classes[id.0 as usize].name.clone();
        let sig = Signature {
            name: name.clone(),
            params,
            varargs: false,
            ret: Ty::Class(name),
        };
        let key = own.unwrap_or(class).id();
        if let Some(known) = self.fn_ids.get(&key) {
            return Ok((*known, sig));
        }
        let func = self.reserve();
        self.fn_ids.insert(key, func);
        self.typed_constructor(class, id, own, &sig, func)?;
        Ok((func, sig))
    }

    pub(super) fn typed_constructor(
        &mut self,
        class: Node<'t>,
        id: ClassId,
        own: Option<Node<'t>>,
        sig: &Signature,
        func: FnId,
    ) -> Understood<()> {
        let fields = self.classes[id.0 as usize].fields.clone();
        let skip = if class.kind() == "enum_declaration" {
            ENUM_FIELDS
        } else {
            0
        };
        let record = class.kind() == "record_declaration";
        let at = span(class);
        let (body, frame) = self.in_frame(class, |t| {
            let mut hidden = Vec::new();
            for (name, ty) in &fields[..skip] {
                hidden.push(t.declare(name, ty.clone()));
            }
            let params: Vec<_> = sig.params.iter().map(|(n, ty, _)| t.declare(n, ty.clone())).collect();
            let compact = own.is_none_or(|c| c.kind() == "compact_constructor_declaration");
            let mut stmts = Vec::new();
            let slots = if record && compact {
                params
            } else {
                let mut slots = hidden.clone();
                for (name, ty) in &fields[skip..] {
                    let local = t.slot(name, ty.clone());
                    stmts.push(Stmt::Let {
                        local,
                        init: super::super::exits::default_of(ty, at),
                        lazy: false,
                    });
                    slots.push(local);
                }
                slots
            };
            t.frame().this = Some(This::Fields(id, slots.clone()));
            t.frame().returns.push(Exit::Value);
            if !record {
                stmts.extend(t.field_initialisers(class, &slots, &fields)?);
            }
            if let Some(block) = own.and_then(|c| field(c, "body")) {
                if kids(block)
                    .iter()
                    .any(|k| k.kind() == "explicit_constructor_invocation")
                {
                    return t.refuse(block, "constructors that call others are not covered");
                }
                stmts.extend(t.scoped(|t| t.statements(&kids(block)))?);
            }
            let args = slots.iter().map(|s| t.read(*s, at)).collect();
            let made = mk(ExprKind::NewClass { class: id, args }, sig.ret.clone(), at);
            Ok(super::super::block(stmts, made))
        })?;
        let count = skip + sig.params.len();
        let params = frame.locals[..count]
            .iter()
            .map(|l| Param {
                name: l.name.clone(),
                ty: l.ty.clone(),
                by_name: false,
                span: at,
            })
            .collect();
        self.functions[func.0 as usize] = Some(Function {
            name: sig.name.clone(),
            params,
            ret: sig.ret.clone(),
            body,
            locals: frame.locals,
            parent: None,
            span: at,
        });
        Ok(())
    }

    /// Fields with a value at their declaration.
    pub(super) fn field_initialisers(
        &mut self,
        class: Node<'t>,
        slots: &[crate::lang::ast::LocalId],
        fields: &[(String, Ty)],
    ) -> Understood<Vec<Stmt>> {
        let mut out = Vec::new();
        for m in members(class) {
            if m.kind() != "field_declaration" || has_modifier(m, "static") {
                continue;
            }
            for d in field_all(m, "declarator") {
                let (Some(name), Some(value)) = (name_of(d, self.text()), field(d, "value")) else {
                    continue;
                };
                let Some(i) = fields.iter().position(|(f, _)| f == name) else {
                    continue;
                };
                let e = self.expr(value, Some(&fields[i].1))?;
                out.push(Stmt::Assign {
                    local: slots[i],
                    value: self.assigned(e, &fields[i].1, value)?,
                });
            }
        }
        Ok(out)
    }
}
