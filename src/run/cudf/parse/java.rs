//! Reads a candidate in Java. In: a Java file; out: the same small tree as for Scala. A `try` with resources becomes a list of what
//! is open that is closed at the end, in reverse.

use std::sync::Arc;

use tree_sitter::Node;

use super::super::ast::*;
use super::{Parser, body_of, tree};
use crate::error::{Error, Result};
use crate::source::{Language, SourceFile, Span};

/// What a `try` with resources stands for; the text is read as Scala, the resources and the body go inside.
const RESOURCES: &str = "object T { def t() = { val open$ = ArrayBuffer.empty[AutoCloseable]; \
    def use$[A <: AutoCloseable](resource: A): A = { open$ += resource; resource }; \
    try { () } finally open$.reverse.foreach(_.close()) } }";

/// Parses a whole file.
pub(super) fn parse(file: &SourceFile) -> Result<Unit> {
    let tree = tree(file, &tree_sitter_java::LANGUAGE.into())?;
    let p = Parser { file };
    let mut unit = Unit {
        templates: Vec::new(),
        imports: Vec::new(),
    };
    for n in Parser::named(tree.root_node()) {
        match n.kind() {
            "import_declaration" => {
                let text: String = p.text(n).chars().filter(|c| !c.is_whitespace()).collect();
                let path = text
                    .trim_start_matches("import")
                    .trim_start_matches("static")
                    .trim_end_matches(';');
                unit.imports.push(path.replace('*', "_"));
            }
            "class_declaration" => unit.templates.push(Arc::new(p.java_class(n)?)),
            _ => {}
        }
    }
    Ok(unit)
}

impl Parser<'_> {
    fn java_class(&self, n: Node<'_>) -> Result<Template> {
        let mut t = Template {
            name: self.text(self.field(n, "name")?).to_string(),
            is_object: false,
            parents: Vec::new(),
            params: Vec::new(),
            defs: Vec::new(),
            vals: Vec::new(),
            span: Self::span(n),
        };
        for part in Self::named(n) {
            if matches!(part.kind(), "superclass" | "super_interfaces") {
                self.java_parents(part, &mut t.parents);
            }
        }
        for m in Self::named(self.field(n, "body")?) {
            if m.kind() == "method_declaration" {
                t.defs.push(Arc::new(self.java_method(m)?));
            }
        }
        Ok(t)
    }

    fn java_parents(&self, n: Node<'_>, out: &mut Vec<String>) {
        for k in Self::named(n) {
            if k.kind() == "type_list" {
                self.java_parents(k, out);
            } else {
                out.push(self.java_type(k).name);
            }
        }
    }

    fn java_type(&self, n: Node<'_>) -> TypeRef {
        let text: String = self.text(n).chars().filter(|c| !c.is_whitespace()).collect();
        let (head, args) = match text.split_once('<') {
            Some((head, _)) => (head.to_string(), Self::named(n)),
            None => (text.clone(), Vec::new()),
        };
        let args = args
            .into_iter()
            .filter(|k| k.kind() == "type_arguments")
            .flat_map(Self::named)
            .map(|a| self.java_type(a))
            .collect();
        let name = head.rsplit('.').next().unwrap_or(&head);
        let name = match name {
            "int" => "Int",
            "long" => "Long",
            "boolean" => "Boolean",
            "double" => "Double",
            "float" => "Float",
            other => other,
        };
        TypeRef {
            name: name.to_string(),
            args,
        }
    }

    fn java_method(&self, n: Node<'_>) -> Result<Def> {
        let name = self.text(self.field(n, "name")?).to_string();
        let mut params = Vec::new();
        for p in Self::named(self.field(n, "parameters")?) {
            let repeated = p.kind() == "spread_parameter";
            let parts = Self::named(p);
            let ty = parts
                .iter()
                .find(|k| !matches!(k.kind(), "modifiers" | "identifier" | "variable_declarator"));
            let declarator = parts.iter().find(|k| k.kind() == "variable_declarator");
            let own = match declarator {
                Some(d) => self.field(*d, "name")?,
                None => self.field(p, "name")?,
            };
            params.push(Param {
                name: self.text(own).to_string(),
                ty: ty.map(|t| self.java_type(*t)),
                repeated,
                by_name: false,
                default: None,
            });
        }
        let (body, unread) = body_of(&name, n.child_by_field_name("body").map(|b| self.java_block(b)))?;
        Ok(Def {
            name,
            lists: vec![params],
            ret: n.child_by_field_name("type").map(|t| self.java_type(t)),
            body,
            unread,
            span: Self::span(n),
        })
    }

    fn java_block(&self, n: Node<'_>) -> Result<Expr> {
        let mut stmts = Vec::new();
        for s in Self::named(n) {
            self.java_stmt(s, &mut stmts)?;
        }
        Ok(Expr {
            kind: Kind::Block(stmts),
            span: Self::span(n),
        })
    }

    fn java_body(&self, n: Node<'_>) -> Result<Expr> {
        if n.kind() == "block" {
            return self.java_block(n);
        }
        let mut stmts = Vec::new();
        self.java_stmt(n, &mut stmts)?;
        Ok(Expr {
            kind: Kind::Block(stmts),
            span: Self::span(n),
        })
    }

    fn java_stmt(&self, n: Node<'_>, out: &mut Vec<Stmt>) -> Result<()> {
        let span = Self::span(n);
        let expr = |kind| Stmt::Expr(Expr { kind, span });
        let first = || Self::named(n).first().copied();
        match n.kind() {
            "local_variable_declaration" => {
                let ty = self.java_type(self.field(n, "type")?);
                let mut cursor = n.walk();
                for d in n.children_by_field_name("declarator", &mut cursor) {
                    out.push(self.java_val(d, &ty, d.child_by_field_name("value"), false)?);
                }
            }
            "expression_statement" => match first() {
                Some(e) => out.push(Stmt::Expr(self.java_expr(e)?)),
                None => return self.refuse(n, "an empty statement"),
            },
            "return_statement" => out.push(expr(Kind::Return(match first() {
                Some(e) => Some(Box::new(self.java_expr(e)?)),
                None => None,
            }))),
            "throw_statement" => match first() {
                Some(e) => out.push(expr(Kind::Throw(Box::new(self.java_expr(e)?)))),
                None => return self.refuse(n, "throw without a value"),
            },
            "if_statement" => {
                let cond = self.java_expr(self.field(n, "condition")?)?;
                let then = self.java_body(self.field(n, "consequence")?)?;
                let other = match n.child_by_field_name("alternative") {
                    Some(a) => Some(Box::new(self.java_body(a)?)),
                    None => None,
                };
                out.push(expr(Kind::If(Box::new(cond), Box::new(then), other)));
            }
            "while_statement" => {
                let cond = self.java_expr(self.field(n, "condition")?)?;
                let body = self.java_body(self.field(n, "body")?)?;
                out.push(expr(Kind::While(Box::new(cond), Box::new(body))));
            }
            "block" => out.push(Stmt::Expr(self.java_block(n)?)),
            "try_statement" => {
                let finally = self.java_finally(n)?;
                let body = self.java_block(self.field(n, "body")?)?;
                out.push(expr(Kind::Try(Box::new(body), Arc::new(Vec::new()), finally)));
            }
            "try_with_resources_statement" => out.push(expr(self.java_resources(n)?)),
            "line_comment" | "block_comment" => {}
            other => return self.refuse(n, format!("{} is not covered", other.replace('_', " "))),
        }
        Ok(())
    }

    fn java_finally(&self, n: Node<'_>) -> Result<Option<Box<Expr>>> {
        let mut finally = None;
        for k in Self::named(n) {
            match k.kind() {
                "catch_clause" => return self.refuse(k, "catch is not covered"),
                "finally_clause" => {
                    if let Some(block) = Self::named(k).first() {
                        finally = Some(Box::new(self.java_block(*block)?));
                    }
                }
                _ => {}
            }
        }
        Ok(finally)
    }

    fn java_val(&self, d: Node<'_>, ty: &TypeRef, value: Option<Node<'_>>, used: bool) -> Result<Stmt> {
        let span = Self::span(d);
        let name = self.text(self.field(d, "name")?).to_string();
        let mut value = match value {
            Some(v) => self.java_expr(v)?,
            None => Expr { kind: Kind::Null, span },
        };
        if used {
            let function = Expr {
                kind: Kind::Ident("use$".into()),
                span: value.span,
            };
            let at = value.span;
            value = Expr {
                kind: Kind::Apply(Box::new(function), vec![plain(value)]),
                span: at,
            };
        }
        Ok(Stmt::Val(Arc::new(ValDef {
            pattern: Pattern {
                kind: PatKind::Bind(name, None),
                span,
            },
            ty: (ty.name != "var" && !used).then(|| ty.clone()),
            value,
            lazy: false,
        })))
    }

    /// The resources of a `try`, then its body, inside of what closes them.
    fn java_resources(&self, n: Node<'_>) -> Result<Kind> {
        let template = SourceFile::from_text("resources.scala", Language::Scala, RESOURCES);
        let unit = super::parse(&template)?;
        let shape = || Error::internal("the form of a try with resources");
        let def = unit
            .templates
            .first()
            .and_then(|t| t.defs.first())
            .cloned()
            .ok_or_else(shape)?;
        let Some(Kind::Block(mut stmts)) = def.body.as_ref().map(|b| b.kind.clone()) else {
            return Err(shape());
        };
        let Some(Stmt::Expr(Expr {
            kind: Kind::Try(_, cases, finally),
            ..
        })) = stmts.pop()
        else {
            return Err(shape());
        };
        let span = Self::span(n);
        let mut inside = Vec::new();
        for r in Self::named(self.field(n, "resources")?) {
            match r.child_by_field_name("type") {
                Some(ty) => inside.push(self.java_val(r, &self.java_type(ty), r.child_by_field_name("value"), true)?),
                None => return self.refuse(r, "a resource that is not declared here is not covered"),
            }
        }
        inside.push(Stmt::Expr(self.java_block(self.field(n, "body")?)?));
        let body = Expr {
            kind: Kind::Block(inside),
            span,
        };
        stmts.push(Stmt::Expr(Expr {
            kind: Kind::Try(Box::new(body), cases, finally),
            span,
        }));
        let block = Expr {
            kind: Kind::Block(relocated(stmts, span)),
            span,
        };
        match self.java_finally(n)? {
            Some(outer) => Ok(Kind::Try(Box::new(block), Arc::new(Vec::new()), Some(outer))),
            None => Ok(block.kind),
        }
    }

    fn java_expr(&self, n: Node<'_>) -> Result<Expr> {
        let span = match (n.kind(), n.child_by_field_name("name")) {
            // A chain over several lines is at the line of its last name.
            ("method_invocation", Some(name)) => Span::new(name.start_byte(), n.end_byte()),
            _ => Self::span(n),
        };
        Ok(Expr {
            kind: self.java_kind(n)?,
            span,
        })
    }

    fn java_kind(&self, n: Node<'_>) -> Result<Kind> {
        let sub = |name: &str| -> Result<Box<Expr>> { Ok(Box::new(self.java_expr(self.field(n, name)?)?)) };
        Ok(match n.kind() {
            "null_literal" => Kind::Null,
            "true" => Kind::Bool(true),
            "false" => Kind::Bool(false),
            "decimal_integer_literal" | "hex_integer_literal" => self.number(n)?,
            "decimal_floating_point_literal" => self.java_floating(n)?,
            "character_literal" => self.character(n)?,
            "string_literal" => Kind::Str(self.string(n)?),
            "identifier" | "type_identifier" => Kind::Ident(self.text(n).to_string()),
            "this" => Kind::This,
            "parenthesized_expression" => match Self::named(n).first() {
                Some(inner) => self.java_kind(*inner)?,
                None => return self.refuse(n, "empty parentheses"),
            },
            "field_access" => {
                let name = self.text(self.field(n, "field")?).to_string();
                Kind::Select(sub("object")?, name)
            }
            "array_access" => {
                let index = self.java_expr(self.field(n, "index")?)?;
                Kind::Apply(sub("array")?, vec![plain(index)])
            }
            "method_invocation" => {
                let name = self.field(n, "name")?;
                let args = self.java_args(self.field(n, "arguments")?)?;
                let at = Self::span(name);
                let name = self.text(name).to_string();
                let function = match n.child_by_field_name("object") {
                    Some(o) if o.kind() != "this" => Kind::Select(Box::new(self.java_expr(o)?), name),
                    _ => Kind::Ident(name),
                };
                Kind::Apply(
                    Box::new(Expr {
                        kind: function,
                        span: Span::new(at.start as usize, n.end_byte()),
                    }),
                    args,
                )
            }
            "object_creation_expression" => {
                let args = self.java_args(self.field(n, "arguments")?)?;
                Kind::New(self.java_type(self.field(n, "type")?), args)
            }
            "array_creation_expression" => {
                let ty = self.java_type(self.field(n, "type")?);
                let mut items = Vec::new();
                for i in Self::named(self.field(n, "value")?) {
                    items.push(plain(self.java_expr(i)?));
                }
                let array = Expr {
                    kind: Kind::Ident("Array".into()),
                    span: Self::span(n),
                };
                let typed = Expr {
                    kind: Kind::TypeApply(Box::new(array), vec![ty]),
                    span: Self::span(n),
                };
                Kind::Apply(Box::new(typed), items)
            }
            "binary_expression" => {
                let op = self.text(self.field(n, "operator")?).to_string();
                Kind::Infix(sub("left")?, op, sub("right")?)
            }
            "unary_expression" => self.java_unary(n)?,
            "assignment_expression" => Kind::Assign(sub("left")?, sub("right")?),
            "ternary_expression" => Kind::If(sub("condition")?, sub("consequence")?, Some(sub("alternative")?)),
            "cast_expression" => self.java_cast(n)?,
            other => return self.refuse(n, format!("{} is not covered", other.replace('_', " "))),
        })
    }

    fn java_floating(&self, n: Node<'_>) -> Result<Kind> {
        let text = self.text(n).replace('_', "").to_ascii_lowercase();
        let bad = |_| Error::compile(format!("bad number `{text}`")).at(self.file.location(Self::span(n)));
        match text.strip_suffix('f') {
            Some(d) => d.parse().map(Kind::Float).map_err(bad),
            None => text.trim_end_matches('d').parse().map(Kind::Double).map_err(bad),
        }
    }

    fn java_unary(&self, n: Node<'_>) -> Result<Kind> {
        let operand = self.java_expr(self.field(n, "operand")?)?;
        let op = self.text(self.field(n, "operator")?);
        // A sign in front of a number belongs to it.
        Ok(match (op, operand.kind) {
            ("-", Kind::Int(v)) => Kind::Int(v.wrapping_neg()),
            ("-", Kind::Long(v)) => Kind::Long(v.wrapping_neg()),
            ("-", Kind::Double(v)) => Kind::Double(-v),
            ("-", Kind::Float(v)) => Kind::Float(-v),
            (op, kind) => Kind::Prefix(
                op.chars().next().unwrap_or('?'),
                Box::new(Expr {
                    kind,
                    span: operand.span,
                }),
            ),
        })
    }

    fn java_cast(&self, n: Node<'_>) -> Result<Kind> {
        let ty = self.java_type(self.field(n, "type")?);
        let value = Box::new(self.java_expr(self.field(n, "value")?)?);
        let convert = match ty.name.as_str() {
            "Int" => "toInt",
            "Long" => "toLong",
            "Double" => "toDouble",
            "Float" => "toFloat",
            "short" => "toShort",
            "byte" => "toByte",
            _ => {
                let span = value.span;
                let select = Expr {
                    kind: Kind::Select(value, "asInstanceOf".into()),
                    span,
                };
                return Ok(Kind::TypeApply(Box::new(select), vec![ty]));
            }
        };
        Ok(Kind::Select(value, convert.into()))
    }

    fn java_args(&self, n: Node<'_>) -> Result<Vec<Arg>> {
        Self::named(n)
            .into_iter()
            .map(|a| Ok(plain(self.java_expr(a)?)))
            .collect()
    }
}

fn plain(value: Expr) -> Arg {
    Arg {
        name: None,
        value,
        splat: false,
    }
}

/// Statements of the template at the place of the `try`: their own offsets are those of another text.
fn relocated(stmts: Vec<Stmt>, span: Span) -> Vec<Stmt> {
    stmts
        .into_iter()
        .map(|s| match s {
            Stmt::Val(v) => Stmt::Val(Arc::new(ValDef {
                value: Expr {
                    span,
                    ..v.value.clone()
                },
                ..(*v).clone()
            })),
            other => other,
        })
        .collect()
}
