//! Hive functions. In: their `evaluate`, writable values, deferred arguments and object inspectors; out: the same over the values
//! that they hold. A result object that is kept in a field is a variable of the call: it has to be set before it is read.

use std::collections::HashMap;

use tree_sitter::Node;

use super::convert::{boxed, prim_to, unboxed};
use super::cst::{enclosing, field, field_all, has_modifier, kids, members, name_of, parameters, span, text, unparen};
use super::exits::{default_of, tailed};
use super::rows::Arg;
use super::types::writable;
use super::{Exit, Typer, mk};
use crate::lang::ast::{Expr, ExprKind, FnId, Function, Lit, LocalId, Param, Stmt};
use crate::lang::ty::{Prim, Ty};
use crate::source::{Refusal, Understood};

/// What the source of a `GenericUDF` says about its signature.
#[derive(Debug, Clone, Default)]
pub struct GenericShape {
    /// The name of the parameter of `evaluate`.
    pub arguments: String,
    /// Name and type of each argument, from how it is used.
    pub params: Vec<(String, Ty)>,
    /// What the inspector that `initialize` returns stands for.
    pub ret: Option<Ty>,
    /// Variables that hold the raw value of an argument.
    raw: HashMap<String, usize>,
}

/// The type of an inspector's name: `writableDoubleObjectInspector`, `StringObjectInspector`.
fn inspected(name: &str) -> Option<(Ty, Option<&'static str>)> {
    let short = name.strip_suffix("ObjectInspector")?;
    let short = short
        .strip_prefix("writable")
        .or_else(|| short.strip_prefix("java"))
        .or_else(|| short.strip_prefix("Writable"))
        .or_else(|| short.strip_prefix("Java"))
        .unwrap_or(short);
    let short = short.strip_prefix("Settable").unwrap_or(short);
    Some(match short {
        "String" => (Ty::String, Some("Text")),
        "Int" => (Ty::Boxed(Prim::Int), Some("IntWritable")),
        "Long" => (Ty::Boxed(Prim::Long), Some("LongWritable")),
        "Double" => (Ty::Boxed(Prim::Double), Some("DoubleWritable")),
        "Float" => (Ty::Boxed(Prim::Float), Some("FloatWritable")),
        "Boolean" => (Ty::Boxed(Prim::Boolean), Some("BooleanWritable")),
        "Short" => (Ty::Boxed(Prim::Short), Some("ShortWritable")),
        "Byte" => (Ty::Boxed(Prim::Byte), Some("ByteWritable")),
        _ => return None,
    })
}

/// The type that a getter of `PrimitiveObjectInspectorUtils` reads.
fn getter(name: &str) -> Option<Ty> {
    Some(match name {
        "getDouble" => Ty::Boxed(Prim::Double),
        "getFloat" => Ty::Boxed(Prim::Float),
        "getInt" => Ty::Boxed(Prim::Int),
        "getLong" => Ty::Boxed(Prim::Long),
        "getShort" => Ty::Boxed(Prim::Short),
        "getByte" => Ty::Boxed(Prim::Byte),
        "getBoolean" => Ty::Boxed(Prim::Boolean),
        "getString" => Ty::String,
        _ => return None,
    })
}

fn each<'t>(n: Node<'t>, on: &mut dyn FnMut(Node<'t>)) {
    on(n);
    for k in kids(n) {
        each(k, on);
    }
}

/// `arguments[i].get()` as `i`.
fn raw_argument(n: Node, arguments: &str, source: &str) -> Option<usize> {
    let n = unparen(n);
    if n.kind() != "method_invocation" || name_of(n, source) != Some("get") {
        return None;
    }
    let access = field(n, "object").filter(|o| o.kind() == "array_access")?;
    if text(field(access, "array")?, source) != arguments {
        return None;
    }
    text(field(access, "index")?, source).parse().ok()
}

/// Reads the signature of a `GenericUDF` from its `initialize` and `evaluate`.
pub fn generic_shape(class: Node, evaluate: Node, source: &str) -> Understood<GenericShape> {
    let refuse = |n: Node, why: &str| Err(Refusal::new(span(n), why));
    let mut shape = GenericShape::default();
    let Some(p) = parameters(evaluate).first().copied() else {
        return refuse(evaluate, "`evaluate` without a parameter");
    };
    shape.arguments = name_of(p, source).unwrap_or("arguments").to_owned();
    let initialize = members(class)
        .into_iter()
        .find(|m| m.kind() == "method_declaration" && name_of(*m, source) == Some("initialize"));
    let Some(initialize) = initialize else {
        return refuse(class, "`initialize` is not declared in this class");
    };
    shape.ret = returned_inspector(initialize, source);
    if shape.ret.is_none() {
        return refuse(
            initialize,
            "the object inspector that `initialize` returns is not understood",
        );
    }
    let count = declared_count(initialize, source).or_else(|| highest_index(evaluate, &shape.arguments, source));
    let Some(count) = count else {
        return refuse(initialize, "the number of arguments cannot be told");
    };
    let mut names: Vec<String> = (0..count).map(|i| format!("arg{i}")).collect();
    each(evaluate, &mut |n| {
        if n.kind() == "variable_declarator"
            && let (Some(name), Some(value)) = (name_of(n, source), field(n, "value"))
            && let Some(i) = raw_argument(value, &shape.arguments, source).filter(|i| *i < count)
        {
            shape.raw.insert(name.to_owned(), i);
            name.clone_into(&mut names[i]);
        }
    });
    let inspectors = inspector_fields(class, source);
    let mut types: Vec<Option<Ty>> = vec![None; count];
    let mut clash = None;
    each(evaluate, &mut |n| {
        if let Some((i, ty)) = use_of(n, &shape, &inspectors, source)
            && i < count
        {
            match &types[i] {
                Some(known) if *known != ty => clash = Some(n),
                _ => types[i] = Some(ty),
            }
        }
    });
    if let Some(n) = clash {
        return refuse(n, "an argument that is read as two types is not covered");
    }
    for (name, ty) in names.into_iter().zip(types) {
        match ty {
            Some(ty) => shape.params.push((name, ty)),
            None => return refuse(evaluate, "the type of an argument cannot be told from how it is used"),
        }
    }
    Ok(shape)
}

/// The result type: a writable class, or the Java type.
fn returned_inspector(initialize: Node, source: &str) -> Option<Ty> {
    let mut found: Vec<Ty> = Vec::new();
    let mut unknown = false;
    each(initialize, &mut |n| {
        if n.kind() != "return_statement" {
            return;
        }
        let last = kids(n)
            .first()
            .map(|v| text(*v, source).rsplit('.').next().unwrap_or_default());
        match last.and_then(|name| inspected(name).map(|(ty, w)| (name, ty, w))) {
            Some((name, ty, Some(w))) => found.push(if name.starts_with("writable") {
                Ty::Class(w.into())
            } else {
                ty
            }),
            _ => unknown = true,
        }
    });
    let first = found.first().cloned()?;
    (!unknown && found.iter().all(|t| *t == first)).then_some(first)
}

/// The number that `arguments.length` is compared with.
fn declared_count(initialize: Node, source: &str) -> Option<usize> {
    let mut found = None;
    each(initialize, &mut |n| {
        if n.kind() == "binary_expression"
            && field(n, "left").is_some_and(|l| text(l, source).ends_with(".length"))
            && n.child_by_field_name("operator")
                .is_some_and(|o| text(o, source) == "!=")
            && let Some(count) = field(n, "right").and_then(|r| text(r, source).parse().ok())
        {
            found = Some(count);
        }
    });
    found
}

fn highest_index(evaluate: Node, arguments: &str, source: &str) -> Option<usize> {
    let mut most = None;
    each(evaluate, &mut |n| {
        if let Some(i) = raw_argument(n, arguments, source) {
            most = most.max(Some(i + 1));
        }
    });
    most
}

/// Fields that hold inspectors of a written type.
fn inspector_fields(class: Node, source: &str) -> HashMap<String, Ty> {
    let mut out = HashMap::new();
    for m in members(class) {
        if m.kind() != "field_declaration" {
            continue;
        }
        let Some((ty, _)) = field(m, "type").and_then(|t| inspected(text(t, source))) else {
            continue;
        };
        for d in field_all(m, "declarator") {
            if let Some(name) = name_of(d, source) {
                out.insert(name.to_owned(), ty.clone());
            }
        }
    }
    out
}

/// Which argument a call reads, and as what.
fn use_of(n: Node, shape: &GenericShape, inspectors: &HashMap<String, Ty>, source: &str) -> Option<(usize, Ty)> {
    if n.kind() != "method_invocation" {
        return None;
    }
    let (name, object) = (name_of(n, source)?, unparen(field(n, "object")?));
    let index = |a: Node| {
        let a = unparen(a);
        raw_argument(a, &shape.arguments, source).or_else(|| shape.raw.get(text(a, source)).copied())
    };
    if name == "toString" {
        return index(object).map(|i| (i, Ty::String));
    }
    let first = kids(field(n, "arguments")?).first().copied()?;
    let i = index(first)?;
    if text(object, source).ends_with("PrimitiveObjectInspectorUtils") {
        return getter(name).map(|ty| (i, ty));
    }
    if matches!(name, "getPrimitiveJavaObject" | "get") {
        let ty = match object.kind() {
            "cast_expression" => inspected(text(field(object, "type")?, source))?.0,
            _ => inspectors
                .get(text(object, source).trim_start_matches("this."))
                .cloned()?,
        };
        return Some((i, ty));
    }
    None
}

impl<'t> Typer<'t> {
    /// The `evaluate` of a `GenericUDF` over its arguments' values.
    pub(super) fn generic_entry(&mut self, method: Node<'t>, shape: GenericShape) -> Understood<FnId> {
        let (Some(ret), Some(body)) = (shape.ret.clone(), field(method, "body")) else {
            return self.refuse(method, "`evaluate` that cannot be read");
        };
        if let Some(e) = super::cst::first_error(method) {
            return self.refuse(e, "syntax error");
        }
        let params = shape.params.clone();
        let id = self.reserve();
        self.generic = Some(shape);
        let (typed, frame) = self.in_frame(method, |t| {
            for (i, (_, ty)) in params.iter().enumerate() {
                t.slot(&format!("$argument{i}"), ty.clone());
            }
            t.frame().returns.push(Exit::Function(ret.clone()));
            t.declare_results(method)?;
            let stmts = t.scoped(|t| t.statements(&kids(body)))?;
            Ok(mk(ExprKind::Block(stmts, None), Ty::Unit, span(body)))
        })?;
        let params = params
            .into_iter()
            .map(|(name, ty)| Param {
                name,
                ty,
                by_name: false,
                span: span(method),
            })
            .collect();
        self.functions[id.0 as usize] = Some(Function {
            name: "evaluate".into(),
            params,
            ret,
            body: tailed(typed),
            locals: frame.locals,
            parent: None,
            span: span(method),
        });
        Ok(id)
    }

    /// Slots for the fields in which a Hive function keeps its result object.
    pub(super) fn declare_results(&mut self, method: Node<'t>) -> Understood<()> {
        let Some(class) = enclosing(method) else { return Ok(()) };
        for m in members(class) {
            if m.kind() != "field_declaration" || has_modifier(m, "static") {
                continue;
            }
            let Some(ty) = field(m, "type").and_then(|t| self.ty(t).ok()) else {
                continue;
            };
            if !matches!(&ty, Ty::Class(c) if writable(c).is_some()) {
                continue;
            }
            for d in field_all(m, "declarator") {
                let name = name_of(d, self.text()).unwrap_or_default().to_owned();
                let slot = self.slot(&name, ty.clone());
                self.frame().writables.insert(name, slot);
                self.needs.insert(span(m));
            }
        }
        Ok(())
    }

    fn result_slot(&self, name: &str) -> Option<LocalId> {
        self.frames.last()?.writables.get(name).copied()
    }

    /// The slot of a result field that is assigned.
    pub(super) fn result_field(&mut self, _n: Node<'t>, name: &str) -> Understood<Option<LocalId>> {
        Ok(self.result_slot(name))
    }

    /// Reads a result field, which has to be set by then.
    pub(super) fn read_result_field(&mut self, n: Node<'t>, name: &str) -> Understood<Option<Expr>> {
        let Some(slot) = self.result_slot(name) else {
            return Ok(None);
        };
        if !self.frame().written.contains(&slot.0) {
            return self.refuse(n, format!("`{name}` may still hold the result of an earlier row here"));
        }
        Ok(Some(self.read(slot, span(n))))
    }

    /// `out.set(x)` as a statement.
    pub(super) fn writable_set(&mut self, n: Node<'t>) -> Understood<Option<Vec<Stmt>>> {
        if name_of(n, self.text()) != Some("set") {
            return Ok(None);
        }
        let Some(object) = field(n, "object") else {
            return Ok(None);
        };
        let name = match object.kind() {
            "identifier" => text(object, self.text()),
            "field_access" if field(object, "object").is_some_and(|o| o.kind() == "this") => {
                field(object, "field").map_or("", |f| text(f, self.text()))
            }
            _ => return Ok(None),
        };
        let local = self.local_named(name);
        let Some(slot) = local.or_else(|| self.result_slot(name)) else {
            return Ok(None);
        };
        let ty = self.local_ty(slot);
        let Ty::Class(class) = &ty else { return Ok(None) };
        let Some(inner) = writable(class) else { return Ok(None) };
        if local.is_some() && !self.made_here(n, name) {
            return self.refuse(n, "changing a writable that was not made here is not covered");
        }
        let args = self.arguments(n)?;
        let [Arg::Typed(e)] = &args[..] else {
            return self.refuse(n, "this form of `set` is not covered");
        };
        let value = match (&inner, &e.ty) {
            (Ty::String, Ty::String) => self.not_null(e.clone(), n)?,
            (_, t) if *t == ty => self.not_null(e.clone(), n)?,
            (Ty::Boxed(p), _) => boxed(self.assigned(e.clone(), &Ty::Prim(*p), n)?),
            _ => return self.refuse(n, "this form of `set` is not covered"),
        };
        self.frame().written.insert(slot.0);
        Ok(Some(vec![Stmt::Assign {
            local: slot,
            value: Expr { ty, ..value },
        }]))
    }

    /// Whether a variable is declared with `new` around a place.
    fn made_here(&self, n: Node<'t>, name: &str) -> bool {
        let mut at = n.parent();
        while let Some(p) = at {
            for k in kids(p) {
                if k.kind() != "local_variable_declaration" {
                    continue;
                }
                for d in field_all(k, "declarator") {
                    if name_of(d, self.text()) == Some(name) {
                        return field(d, "value").is_some_and(|v| v.kind() == "object_creation_expression");
                    }
                }
            }
            at = p.parent();
        }
        false
    }

    /// Methods of writable values.
    pub(super) fn writable_member(
        &mut self,
        recv: &Expr,
        name: &str,
        args: &[Arg<'t>],
        n: Node<'t>,
    ) -> Understood<Option<Expr>> {
        let Ty::Class(class) = &recv.ty else { return Ok(None) };
        let Some(inner) = writable(class) else { return Ok(None) };
        let held = Expr {
            ty: inner.clone(),
            ..recv.clone()
        };
        match (name, args) {
            ("get", []) if inner != Ty::String => Ok(Some(unboxed(held))),
            ("toString", []) => self.library_member(held, "toString", Vec::new(), n).map(Some),
            _ => self.refuse(n, format!("`{name}` on `{class}` is not covered")),
        }
    }

    /// Calls on deferred arguments and inspectors of a `GenericUDF`.
    pub(super) fn hive_call(&mut self, n: Node<'t>, object: Node<'t>, name: &str) -> Understood<Option<Expr>> {
        let Some(shape) = self.generic.clone() else {
            return Ok(None);
        };
        if let Some(i) = raw_argument(n, &shape.arguments, self.text()) {
            let slot = LocalId(i as u32);
            return Ok(Some(self.read(slot, span(n))));
        }
        let Some(first) = field(n, "arguments").and_then(|a| kids(a).first().copied()) else {
            return self.text_of_raw(n, object, name, &shape);
        };
        let Some(i) = self.raw_index(first, &shape) else {
            return Ok(None);
        };
        let ty = shape.params[i].1.clone();
        let value = self.expr(first, None)?;
        let value = Expr {
            ty: ty.clone(),
            ..value
        };
        let inspector = text(object, self.text());
        if inspector.ends_with("PrimitiveObjectInspectorUtils") && getter(name).is_some() {
            return self.or_zero(value, n).map(Some);
        }
        match (name, &ty) {
            ("getPrimitiveJavaObject", _) => Ok(Some(value)),
            ("get", Ty::Boxed(_)) => Ok(Some(unboxed(value))),
            _ => Ok(None),
        }
    }

    fn raw_index(&self, n: Node<'t>, shape: &GenericShape) -> Option<usize> {
        let n = unparen(n);
        raw_argument(n, &shape.arguments, self.text()).or_else(|| shape.raw.get(text(n, self.text())).copied())
    }

    /// `raw.toString()`.
    fn text_of_raw(
        &mut self,
        n: Node<'t>,
        object: Node<'t>,
        name: &str,
        shape: &GenericShape,
    ) -> Understood<Option<Expr>> {
        let Some(i) = self.raw_index(object, shape).filter(|_| name == "toString") else {
            return Ok(None);
        };
        let value = self.expr(object, None)?;
        let value = Expr {
            ty: shape.params[i].1.clone(),
            ..value
        };
        self.library_member(value, "toString", Vec::new(), n).map(Some)
    }

    /// What `PrimitiveObjectInspectorUtils` gives: the primitive, zero for null; null for a null text.
    fn or_zero(&mut self, value: Expr, n: Node<'t>) -> Understood<Expr> {
        let Ty::Boxed(p) = value.ty else { return Ok(value) };
        let at = span(n);
        let mut stmts = Vec::new();
        let slot = match value.kind {
            ExprKind::Local(id) => id,
            _ => self.hold("$raw", value.clone(), &mut stmts),
        };
        let read = mk(ExprKind::Local(slot), value.ty.clone(), at);
        let null = mk(ExprKind::Lit(Lit::Null), Ty::Null, at);
        let missing = mk(
            ExprKind::RefEq {
                lhs: Box::new(read.clone()),
                rhs: Box::new(null),
                negated: false,
            },
            Ty::BOOLEAN,
            at,
        );
        let kind = ExprKind::If {
            cond: Box::new(missing),
            then: Box::new(default_of(&Ty::Prim(p), at)),
            otherwise: Some(Box::new(prim_to(unboxed(read), p))),
        };
        Ok(super::block(stmts, mk(kind, Ty::Prim(p), at)))
    }
}
