//! Expressions. In: a node and the type that is expected, if one is; out: a typed expression. Names, fields, `?:`, casts,
//! `instanceof`; operators, calls and the rest have files of their own.

use tree_sitter::Node;

use super::cst::{field, field_all, is_type_declaration, kids, span, text};
use super::scope::Outer;
use super::{This, Typer, mk};
use crate::jvm::lookup;
use crate::lang::ast::{Expr, ExprKind, Stmt};
use crate::lang::ty::{SeqKind, Ty};
use crate::source::Understood;

impl<'t> Typer<'t> {
    /// Types an expression.
    pub(super) fn expr(&mut self, n: Node<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        self.depth += 1;
        let result = if self.depth > super::MAX_DEPTH {
            self.refuse(n, "nested too deeply")
        } else {
            self.expr_kind(n, hint)
        };
        self.depth -= 1;
        result
    }

    fn expr_kind(&mut self, n: Node<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        if let Some(literal) = self.literal(n, false) {
            return literal;
        }
        match n.kind() {
            "parenthesized_expression" => match kids(n).first() {
                Some(inner) => self.expr(*inner, hint),
                None => self.refuse(n, "expression that cannot be read"),
            },
            "identifier" => self.name(n),
            "this" => self.this(n),
            "field_access" => self.field_access(n),
            "array_access" => self.element(n),
            "unary_expression" => self.unary(n),
            "binary_expression" => self.binary(n),
            "assignment_expression" => self.assignment(n, true),
            "update_expression" => self.update(n, true),
            "ternary_expression" => self.ternary(n, hint),
            "cast_expression" => self.cast(n),
            "instanceof_expression" => self.instance_of(n),
            "method_invocation" => self.invocation(n, hint),
            "object_creation_expression" => self.creation(n, hint),
            "array_creation_expression" => self.array_creation(n),
            "array_initializer" => match hint {
                Some(Ty::Array(elem)) => self.array_initializer(n, &elem.clone()),
                _ => self.refuse(n, "array initializer without a type"),
            },
            "lambda_expression" | "method_reference" => match hint {
                Some(Ty::Fn(params, ret)) => {
                    let (params, ret) = (params.clone(), (**ret).clone());
                    self.function_literal(n, &params, Some(&ret))
                }
                _ => self.refuse(n, "a lambda where its type is not known"),
            },
            "switch_expression" => self.switch_value(n, hint),
            "template_expression" => self.refuse(n, "string templates are not covered"),
            "class_literal" => self.refuse(n, "class literals are not covered"),
            other => self.refuse(n, format!("{} is not covered", other.replace('_', " "))),
        }
    }

    /// A simple name.
    fn name(&mut self, n: Node<'t>) -> Understood<Expr> {
        let name = text(n, self.text());
        match self.variable(n, name)? {
            Some(e) => Ok(e),
            None => self.refuse(n, format!("`{name}` is not known here")),
        }
    }

    /// A local variable, a field in scope, or a member that a static import brings in.
    pub(super) fn variable(&mut self, n: Node<'t>, name: &str) -> Understood<Option<Expr>> {
        if let Some(id) = self.local_named(name) {
            return Ok(Some(self.read(id, span(n))));
        }
        if let Some(e) = self.own_field(n, name)? {
            return Ok(Some(e));
        }
        if let Some(outer) = self.outer_field(n, name) {
            return self.outer_value(outer, n).map(Some);
        }
        if self.is_outside_local(n, name) {
            return self.refuse(
                n,
                format!("`{name}` is a variable of the enclosing method; its value is not known"),
            );
        }
        if let Some(class) = self.static_import(name) {
            return self.static_member(&class, name, n).map(Some);
        }
        Ok(None)
    }

    /// A variable of a method around the one that is being typed.
    fn is_outside_local(&self, n: Node<'t>, name: &str) -> bool {
        let mut at = n.parent();
        while let Some(p) = at {
            let declares = |k: &Node<'t>| match k.kind() {
                "local_variable_declaration" => field_all(*k, "declarator")
                    .iter()
                    .any(|d| super::cst::name_of(*d, self.text()) == Some(name)),
                "formal_parameters" => kids(*k).iter().any(|p| self.parameter_name(*p) == name),
                _ => false,
            };
            if matches!(
                p.kind(),
                "block" | "constructor_body" | "method_declaration" | "lambda_expression"
            ) && kids(p).iter().any(declares)
            {
                return true;
            }
            at = p.parent();
        }
        false
    }

    fn this(&mut self, n: Node<'t>) -> Understood<Expr> {
        match self.frames.last().and_then(|f| f.this.clone()) {
            Some(This::Value(slot, _)) => Ok(self.read(slot, span(n))),
            _ => self.refuse(n, "`this` as a value is not covered"),
        }
    }

    /// `a.b`: a field of a value, of a class, or a constant of the library.
    fn field_access(&mut self, n: Node<'t>) -> Understood<Expr> {
        let (Some(object), Some(member)) = (field(n, "object"), field(n, "field")) else {
            return self.refuse(n, "field access that cannot be read");
        };
        let name = text(member, self.text());
        if object.kind() == "this" {
            if let Some(e) = self.own_field(n, name)? {
                return Ok(e);
            }
            return match self.outer_field(n, name) {
                Some(outer) => self.outer_value(outer, n),
                None => self.refuse(n, format!("`this.{name}` is not covered")),
            };
        }
        if let Some(path) = self.class_name(object) {
            if let Some(class) = self.class_path(object, &path) {
                return match self.field_of(class, name) {
                    Some(outer) => self.outer_value(outer, n),
                    None => self.refuse(n, format!("`{path}.{name}` is not known here")),
                };
            }
            let module = self.module(&path);
            return self.static_member(&module, name, n);
        }
        let recv = self.expr(object, None)?;
        if let (Ty::Array(_), "length") = (&recv.ty, name) {
            return self.length(recv, n);
        }
        if let Some(e) = self.field_of_value(&recv, name, n)? {
            return Ok(e);
        }
        self.refuse(n, format!("field `{name}` of `{}` is not covered", recv.ty))
    }

    /// `array.length`.
    pub(super) fn length(&mut self, array: Expr, n: Node<'t>) -> Understood<Expr> {
        let Ty::Array(elem) = array.ty.clone() else {
            return self.refuse(n, "`length` of something that is not an array");
        };
        let rows = lookup::instance_rows(&Ty::Seq(SeqKind::Seq, elem), "length");
        match rows.first().and_then(|t| t.first()) {
            Some(fit) => Ok(mk(
                ExprKind::Call {
                    method: fit.row.method,
                    recv: Some(Box::new(array)),
                    args: Vec::new(),
                },
                Ty::INT,
                span(n),
            )),
            None => self.refuse(n, "`length` is not covered"),
        }
    }

    /// A dotted or simple name as the path of a class, if it is one and no variable hides it.
    pub(super) fn class_name(&mut self, n: Node<'t>) -> Option<String> {
        let path = match n.kind() {
            "identifier" | "type_identifier" | "scoped_type_identifier" => text(n, self.text()).to_owned(),
            "field_access" => {
                let object = self.class_name_or_package(field(n, "object")?)?;
                let member = text(field(n, "field")?, self.text());
                let of_class = object
                    .rsplit('.')
                    .next()
                    .is_some_and(|o| o.starts_with(|c: char| c.is_uppercase()));
                // `ChronoUnit.DAYS` and `Color.Red` are values, not classes.
                let of_file = self.class_path(n, &object);
                if of_file.is_some_and(|c| self.field_of(c, member).is_some())
                    || (of_class && of_file.is_none() && !member.contains(|c: char| c.is_lowercase()))
                {
                    return None;
                }
                format!("{object}.{member}")
            }
            "generic_type" => return self.class_name(*kids(n).first()?),
            _ => return None,
        };
        let first = path.split('.').next().unwrap_or(&path).to_owned();
        if self.local_named(&first).is_some() || self.outer_field(n, &first).is_some() {
            return None;
        }
        let last = path.rsplit('.').next().unwrap_or(&path);
        last.starts_with(|c: char| c.is_uppercase()).then_some(path)
    }

    fn class_name_or_package(&mut self, n: Node<'t>) -> Option<String> {
        match n.kind() {
            "identifier" => {
                let name = text(n, self.text());
                let hidden = self.local_named(name).is_some() || self.outer_field(n, name).is_some();
                (!hidden).then(|| name.to_owned())
            }
            "field_access" => {
                let object = self.class_name_or_package(field(n, "object")?)?;
                Some(format!("{object}.{}", text(field(n, "field")?, self.text())))
            }
            _ => None,
        }
    }

    /// The library's name of a class that is written so in the source.
    pub(super) fn module(&mut self, path: &str) -> String {
        let simple = path.rsplit('.').next().unwrap_or(path);
        let full = match path.contains('.') {
            true => Some(path.to_owned()),
            false => self.imported(simple),
        };
        match (simple, full.as_deref()) {
            ("BigDecimal", _) => "JBigDecimal".into(),
            ("Date", Some(f)) if f.starts_with("java.util") => "UtilDate".into(),
            ("StringBuffer", _) => "StringBuilder".into(),
            _ => simple.to_owned(),
        }
    }

    /// A constant of the library: `Integer.MAX_VALUE`, `RoundingMode.HALF_UP`.
    pub(super) fn static_member(&mut self, module: &str, name: &str, n: Node<'t>) -> Understood<Expr> {
        let rows = lookup::static_rows(module, name);
        let Some(fit) = rows.iter().find(|f| f.row.params.is_empty()) else {
            return self.refuse(n, format!("`{module}.{name}` is not covered"));
        };
        let kind = ExprKind::Call {
            method: fit.row.method,
            recv: None,
            args: Vec::new(),
        };
        Ok(mk(kind, fit.row.ret.clone(), span(n)))
    }

    fn ternary(&mut self, n: Node<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        let (Some(c), Some(a), Some(b)) = (field(n, "condition"), field(n, "consequence"), field(n, "alternative"))
        else {
            return self.refuse(n, "conditional that cannot be read");
        };
        let cond = self.truth(c)?;
        let before = self.frame().written.clone();
        let then = self.scoped(|t| {
            t.bind_patterns(c, true);
            t.expr(a, hint)
        })?;
        let other = self.scoped(|t| {
            t.bind_patterns(c, false);
            t.expr(b, hint)
        })?;
        self.frame().written = before;
        let (then, other, ty) = self.branches(then, other, hint, n)?;
        Ok(mk(
            ExprKind::If {
                cond: Box::new(cond),
                then: Box::new(then),
                otherwise: Some(Box::new(other)),
            },
            ty,
            span(n),
        ))
    }

    fn cast(&mut self, n: Node<'t>) -> Understood<Expr> {
        let (types, Some(value)) = (field_all(n, "type"), field(n, "value")) else {
            return self.refuse(n, "cast that cannot be read");
        };
        let Some(first) = types.first() else {
            return self.refuse(n, "cast without a type");
        };
        let want = self.ty(*first)?;
        let e = self.expr(value, Some(&want))?;
        self.cast_to(e, &want, n)
    }

    /// `x instanceof T`, `x instanceof T t`.
    fn instance_of(&mut self, n: Node<'t>) -> Understood<Expr> {
        let (Some(left), Some(right)) = (field(n, "left"), field(n, "right")) else {
            return self.refuse(n, "this form of `instanceof` is not covered");
        };
        if is_type_declaration(right) || right.kind().contains("pattern") {
            return self.refuse(n, "record patterns are not covered");
        }
        let value = self.expr(left, None)?;
        let ty = self.ty(right)?;
        let at = span(n);
        let Some(name) = field(n, "name") else {
            return Ok(mk(ExprKind::InstanceOf(Box::new(value), ty), Ty::BOOLEAN, at));
        };
        // The variable is set on the way to the answer; where the answer is yes, it is what it says.
        let own = value.ty.clone();
        let held = self.slot("$value", own.clone());
        let bound = self.slot(text(name, self.text()), ty.clone());
        let scope = self.frame().scopes.first_mut();
        if let Some(scope) = scope {
            scope.insert(format!("$pattern{}", name.start_byte()), bound);
        }
        let read = |kind_ty: &Ty| mk(ExprKind::Local(held), kind_ty.clone(), at);
        let test = mk(ExprKind::InstanceOf(Box::new(read(&own)), ty.clone()), Ty::BOOLEAN, at);
        let store = Stmt::Assign {
            local: bound,
            value: mk(ExprKind::Cast(Box::new(read(&own)), ty.clone()), ty, at),
        };
        let yes = mk(ExprKind::Lit(crate::lang::ast::Lit::Bool(true)), Ty::BOOLEAN, at);
        let test = mk(
            ExprKind::And(Box::new(test), Box::new(super::block(vec![store], yes))),
            Ty::BOOLEAN,
            at,
        );
        let hold = Stmt::Let {
            local: held,
            init: value,
            lazy: false,
        };
        Ok(super::block(vec![hold], test))
    }

    /// Brings the variables of `instanceof` patterns into scope where a condition is known to hold (or not to).
    pub(super) fn bind_patterns(&mut self, cond: Node<'t>, holds: bool) {
        let cond = super::cst::unparen(cond);
        match cond.kind() {
            "instanceof_expression" if holds => {
                if let Some(name) = field(cond, "name") {
                    let key = format!("$pattern{}", name.start_byte());
                    let found = self.frame().scopes.first().and_then(|s| s.get(&key).copied());
                    if let Some(id) = found {
                        let name = text(name, self.text()).to_owned();
                        if let Some(scope) = self.frame().scopes.last_mut() {
                            scope.insert(name, id);
                        }
                    }
                }
            }
            "unary_expression" => {
                if let Some(inner) = field(cond, "operand").filter(|_| super::cst::has_token(cond, "!")) {
                    self.bind_patterns(inner, !holds);
                }
            }
            "binary_expression" => {
                let joins = if holds { "&&" } else { "||" };
                if super::cst::has_token(cond, joins) {
                    for side in ["left", "right"] {
                        if let Some(part) = field(cond, side) {
                            self.bind_patterns(part, holds);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// The value of a field or an enum's constant of the file.
    pub(super) fn outer_value(&mut self, outer: Outer<'t>, n: Node<'t>) -> Understood<Expr> {
        match outer {
            Outer::Field(d) => self.field_value(d, n),
            Outer::Constant(c) => self.enum_constant(c, n),
            Outer::Class(_) => self.refuse(n, "a class as a value"),
        }
    }
}
