//! Records, enums and simple immutable classes of the file. In: a declaration; out: a class of the program, its constructor as a
//! function, its accessors and methods. Fields that change after construction are refused.

mod enums;
mod making;

use tree_sitter::Node;

use super::cst::{field, field_all, has_modifier, members, name_of, parameters, span, text};
use super::rows::Arg;
use super::types::arrays;
use super::{This, Typer, mk};
use crate::lang::ast::{Class, ClassId, ClassKind, Expr, ExprKind, Lit};
use crate::lang::ty::Ty;
use crate::source::Understood;

/// The fields that every constant of an enum has in front of its own.
const ENUM_FIELDS: usize = 2;

impl<'t> Typer<'t> {
    /// The type of a class of the file.
    pub(super) fn user_type(&mut self, class: Node<'t>, at: Node<'t>) -> Understood<Ty> {
        let name = name_of(class, self.text()).unwrap_or_default().to_owned();
        if class.kind() == "interface_declaration" {
            return self.refuse(at, format!("interface `{name}` of this file is not covered"));
        }
        Ok(Ty::Class(
            self.class_id(class, at)
                .map(|id| self.classes[id.0 as usize].name.clone())?,
        ))
    }

    pub(super) fn class_of_ty(&self, ty: &Ty) -> Option<ClassId> {
        let Ty::Class(name) = ty else { return None };
        let found = self.classes.iter().position(|c| c.name == *name)?;
        Some(ClassId(found as u32))
    }

    /// The enum that a class name of the program stands for.
    pub(super) fn enum_of(&self, name: &str) -> Option<Node<'t>> {
        let id = self.class_of_ty(&Ty::Class(name.to_owned()))?;
        let node = self.class_nodes[id.0 as usize];
        (node.kind() == "enum_declaration").then_some(node)
    }

    fn class_id(&mut self, class: Node<'t>, at: Node<'t>) -> Understood<ClassId> {
        if let Some(i) = self.class_nodes.iter().position(|c| c.id() == class.id()) {
            return Ok(ClassId(i as u32));
        }
        let name = name_of(class, self.text()).unwrap_or_default().to_owned();
        if self.classes.iter().any(|c| c.name == name) {
            return self.refuse(at, format!("two classes named `{name}` are not covered"));
        }
        let inherits = ["superclass", "interfaces"].iter().any(|f| {
            field(class, f).is_some_and(|i| {
                !text(i, self.text()).contains("Serializable") && !text(i, self.text()).contains("Comparable")
            })
        });
        if inherits && class.kind() == "class_declaration" {
            return self.refuse(at, format!("class `{name}`, which extends another one, is not covered"));
        }
        if !self.type_parameters(class).is_empty() {
            return self.refuse(at, format!("generic class `{name}` is not covered"));
        }
        let id = ClassId(self.classes.len() as u32);
        self.classes.push(Class {
            kind: ClassKind::Case,
            name,
            fields: Vec::new(),
            shown_by: None,
            span: span(class),
        });
        self.class_nodes.push(class);
        self.needs.insert(span(class));
        let mut fields = Vec::new();
        if class.kind() == "enum_declaration" {
            fields.push(("$name".to_owned(), Ty::String));
            fields.push(("$ordinal".to_owned(), Ty::INT));
        }
        if class.kind() == "record_declaration" {
            for p in parameters(class) {
                fields.push((self.parameter_name(p), self.parameter_type(p)?));
            }
        }
        for m in members(class) {
            if m.kind() != "field_declaration" || has_modifier(m, "static") {
                continue;
            }
            let Some(t) = field(m, "type") else { continue };
            for d in field_all(m, "declarator") {
                let base = self.ty(t)?;
                let ty = arrays(base, super::cst::dimensions(d, self.text()));
                fields.push((name_of(d, self.text()).unwrap_or_default().to_owned(), ty));
            }
        }
        self.classes[id.0 as usize].fields = fields;
        Ok(id)
    }

    /// A field of the instance that is being typed.
    pub(super) fn own_field(&mut self, n: Node<'t>, name: &str) -> Understood<Option<Expr>> {
        match self.frames.last().and_then(|f| f.this.clone()) {
            Some(This::Value(slot, _)) => {
                let this = self.read(slot, span(n));
                self.field_of_value(&this, name, n)
            }
            Some(This::Fields(class, slots)) => {
                let found = self.classes[class.0 as usize]
                    .fields
                    .iter()
                    .position(|(f, _)| f == name);
                Ok(found.map(|i| self.read(slots[i], span(n))))
            }
            None => self.read_result_field(n, name),
        }
    }

    /// `value.name` of a class of the file.
    pub(super) fn field_of_value(&mut self, recv: &Expr, name: &str, n: Node<'t>) -> Understood<Option<Expr>> {
        let Some(class) = self.class_of_ty(&recv.ty) else {
            return Ok(None);
        };
        let found = self.classes[class.0 as usize]
            .fields
            .iter()
            .position(|(f, _)| f == name);
        Ok(found.map(|index| {
            let ty = self.classes[class.0 as usize].fields[index].1.clone();
            let kind = ExprKind::Field {
                recv: Box::new(recv.clone()),
                class,
                index,
            };
            mk(kind, ty, span(n))
        }))
    }

    /// A record's accessor, or what every enum has.
    pub(super) fn accessor(&mut self, recv: &Expr, name: &str, n: Node<'t>) -> Understood<Option<Expr>> {
        let Some(class) = self.class_of_ty(&recv.ty) else {
            return Ok(None);
        };
        let node = self.class_nodes[class.0 as usize];
        let field = match (node.kind(), name) {
            ("record_declaration", name) => name,
            ("enum_declaration", "name" | "toString") => "$name",
            ("enum_declaration", "ordinal") => "$ordinal",
            _ => return Ok(None),
        };
        self.field_of_value(recv, field, n)
    }

    /// A method call on an instance of a class of the file.
    pub(super) fn user_member(
        &mut self,
        recv: &Expr,
        class: &str,
        name: &str,
        args: &[Arg<'t>],
        n: Node<'t>,
    ) -> Understood<Option<Expr>> {
        let Some(id) = self.class_of_ty(&recv.ty) else {
            return Ok(None);
        };
        let node = self.class_nodes[id.0 as usize];
        let methods: Vec<Node<'t>> = self
            .methods_of(node, name)
            .into_iter()
            .filter(|m| !has_modifier(*m, "static"))
            .collect();
        if !methods.is_empty() {
            if members(node)
                .iter()
                .any(|m| m.kind() == "enum_constant" && field(*m, "body").is_some())
            {
                return self.refuse(n, "enum constants with methods of their own are not covered");
            }
            let method = self.chosen_method(&methods, args, n)?;
            let recv = self.not_null(recv.clone(), n)?;
            return self.call_method(method, Some(recv), args.to_vec(), n).map(Some);
        }
        if args.is_empty()
            && let Some(e) = self.accessor(recv, name, n)?
        {
            return Ok(Some(e));
        }
        match (node.kind(), name, args) {
            ("record_declaration", "toString", []) => self.text_of(recv.clone(), n).map(Some),
            ("enum_declaration", "equals", [Arg::Typed(other)]) => {
                let recv = self.not_null(recv.clone(), n)?;
                let kind = ExprKind::RefEq {
                    lhs: Box::new(recv),
                    rhs: Box::new(other.clone()),
                    negated: false,
                };
                Ok(Some(mk(kind, Ty::BOOLEAN, span(n))))
            }
            ("record_declaration", "equals", [Arg::Typed(_)]) if self.plain_fields(id) => Ok(None),
            _ => self.refuse(n, format!("`{name}` on `{class}` is not covered")),
        }
    }

    fn chosen_method(&mut self, methods: &[Node<'t>], args: &[Arg<'t>], n: Node<'t>) -> Understood<Node<'t>> {
        let fitting: Vec<Node<'t>> = methods
            .iter()
            .copied()
            .filter(|m| self.arity(*m) == args.len())
            .collect();
        match fitting[..] {
            [only] => Ok(only),
            _ => self.refuse(n, "overloaded methods of an instance are not covered"),
        }
    }

    /// Whether fields compare the same by `equals` of boxes and by value.
    fn plain_fields(&self, id: ClassId) -> bool {
        use crate::lang::ty::Prim;
        self.classes[id.0 as usize].fields.iter().all(|(_, t)| match t {
            Ty::Prim(p) | Ty::Boxed(p) => !matches!(p, Prim::Double | Prim::Float),
            Ty::String => true,
            _ => false,
        })
    }

    /// `String.valueOf` of an instance: the text a record or an enum has by itself, or its own `toString`.
    pub(super) fn text_of(&mut self, e: Expr, n: Node<'t>) -> Understood<Expr> {
        let Some(id) = self.class_of_ty(&e.ty) else {
            return match &e.ty {
                Ty::Class(c) if super::types::writable(c).is_some() => self.refuse(n, "the text of a writable"),
                _ => Ok(e),
            };
        };
        let node = self.class_nodes[id.0 as usize];
        if !self.methods_of(node, "toString").is_empty() {
            return self.refuse(n, "an instance as a text is not covered; call its `toString`");
        }
        let at = e.span;
        let mut stmts = Vec::new();
        let slot = self.hold("$shown", e, &mut stmts);
        let read = self.read(slot, at);
        let word = |t: &str| {
            mk(
                ExprKind::Lit(Lit::Str(t.encode_utf16().collect::<Vec<u16>>().into())),
                Ty::String,
                at,
            )
        };
        let text = match node.kind() {
            "enum_declaration" => self.field_of_value(&read, "$name", n)?,
            "record_declaration" => {
                let class = self.classes[id.0 as usize].clone();
                let mut parts = vec![word(&format!("{}[", class.name))];
                for (i, (name, ty)) in class.fields.iter().enumerate() {
                    parts.push(word(&format!("{}{name}=", if i > 0 { ", " } else { "" })));
                    if matches!(ty, Ty::Array(_) | Ty::Class(_)) {
                        return self.refuse(n, "the text of this record is not covered");
                    }
                    let f = self.field_of_value(&read, name, n)?;
                    parts.extend(f);
                }
                parts.push(word("]"));
                Some(mk(ExprKind::Concat(parts), Ty::String, at))
            }
            _ => return self.refuse(n, "the text of this object shows its address"),
        };
        let Some(text) = text else {
            return self.refuse(n, "the text of this object is not covered");
        };
        let null = mk(ExprKind::Lit(Lit::Null), Ty::Null, at);
        let kind = ExprKind::If {
            cond: Box::new(mk(
                ExprKind::RefEq {
                    lhs: Box::new(read),
                    rhs: Box::new(null),
                    negated: false,
                },
                Ty::BOOLEAN,
                at,
            )),
            then: Box::new(word("null")),
            otherwise: Some(Box::new(text)),
        };
        Ok(super::block(stmts, mk(kind, Ty::String, at)))
    }
}
