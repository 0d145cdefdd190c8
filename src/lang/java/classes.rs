//! Records, enums and simple immutable classes of the file. In: a declaration; out: a class of the program, its constructor as a
//! function, its accessors and methods. Fields that change after construction are refused.

use tree_sitter::Node;

use super::cst::{enclosing, field, field_all, has_modifier, kids, members, name_of, parameters, span, text};
use super::rows::Arg;
use super::scope::Outer;
use super::types::arrays;
use super::{Exit, Signature, This, Typer, mk};
use crate::lang::ast::{Class, ClassId, ClassKind, Expr, ExprKind, FnId, Function, Global, GlobalId, Lit, Param, Stmt};
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

    /// `new C(…)` of a class of the file.
    pub(super) fn new_user(&mut self, class: Node<'t>, args: Vec<Arg<'t>>, n: Node<'t>) -> Understood<Expr> {
        let id = self.class_id(class, n)?;
        let ty = Ty::Class(self.classes[id.0 as usize].name.clone());
        let (func, sig) = self.constructor(class, id, n)?;
        let args = self.method_arguments(&sig, args, n)?;
        Ok(mk(ExprKind::CallFn { func, args }, ty, span(n)))
    }

    /// The constructor of a class as a function that gives the instance.
    fn constructor(&mut self, class: Node<'t>, id: ClassId, n: Node<'t>) -> Understood<(FnId, Signature)> {
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

    fn typed_constructor(
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
                        init: super::exits::default_of(ty, at),
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
            Ok(super::block(stmts, made))
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
    fn field_initialisers(
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

    /// An enum's constant: made once.
    pub(super) fn enum_constant(&mut self, c: Node<'t>, n: Node<'t>) -> Understood<Expr> {
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
    pub(super) fn enum_static(
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
                Ok(Some(super::block(stmts, value)))
            }
            _ => Ok(None),
        }
    }

    /// The package and the classes around a class, with dots.
    fn canonical_name(&self, class: Node<'t>) -> String {
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
