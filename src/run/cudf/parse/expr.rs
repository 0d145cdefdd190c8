//! Expressions and statements of the candidate's Scala. Placeholders (`_ + 1`) become function literals here.

use std::sync::Arc;

use tree_sitter::Node;

use super::super::ast::*;
use super::Parser;
use crate::error::Result;

impl Parser<'_> {
    pub(super) fn expr(&self, n: Node<'_>) -> Result<Expr> {
        let kind = self.kind(n)?;
        let span = if n.kind() == "call_expression" || n.kind() == "field_expression" {
            // A chain over several lines is at the line of its last name.
            self.last_name(n).map_or(Self::span(n), |m| {
                crate::source::Span::new(m.start_byte(), n.end_byte())
            })
        } else {
            Self::span(n)
        };
        Ok(Expr { kind, span })
    }

    fn last_name<'t>(&self, n: Node<'t>) -> Option<Node<'t>> {
        match n.kind() {
            "field_expression" => n.child_by_field_name("field"),
            "call_expression" => {
                let f = n.child_by_field_name("function")?;
                match f.kind() {
                    "generic_function" => f.child_by_field_name("function").and_then(|g| self.last_name(g)),
                    _ => self.last_name(f),
                }
            }
            _ => None,
        }
    }

    fn boxed(&self, n: Node<'_>, field: &str) -> Result<Box<Expr>> {
        Ok(Box::new(self.expr(self.field(n, field)?)?))
    }

    fn kind(&self, n: Node<'_>) -> Result<Kind> {
        Ok(match n.kind() {
            "null_literal" => Kind::Null,
            "unit" => Kind::Unit,
            "boolean_literal" => Kind::Bool(self.text(n) == "true"),
            "integer_literal" | "floating_point_literal" => self.number(n)?,
            "character_literal" => self.character(n)?,
            "string" => Kind::Str(self.string(n)?),
            "interpolated_string_expression" => self.interpolated(n)?,
            "identifier" | "operator_identifier" => match self.text(n) {
                "this" => Kind::This,
                _ => Kind::Ident(self.name_of(n)),
            },
            "this" => Kind::This,
            "wildcard" => Kind::Wildcard,
            "stable_identifier" => {
                let text: String = self.text(n).chars().filter(|c| !c.is_whitespace()).collect();
                let mut names = text.split('.');
                let mut e = Kind::Ident(names.next().unwrap_or_default().to_string());
                for name in names {
                    let span = Self::span(n);
                    e = Kind::Select(Box::new(Expr { kind: e, span }), name.to_string());
                }
                e
            }
            "parenthesized_expression" => return self.parenthesized(n),
            "block" | "indented_block" => self.block(n)?,
            "tuple_expression" => Kind::Tuple(
                Self::named(n)
                    .into_iter()
                    .map(|c| self.argument(c))
                    .collect::<Result<_>>()?,
            ),
            "field_expression" => {
                let name = self.name_of(self.field(n, "field")?);
                Kind::Select(self.boxed(n, "value")?, name)
            }
            "call_expression" => {
                let args = self.args(self.field(n, "arguments")?)?;
                Kind::Apply(self.boxed(n, "function")?, args)
            }
            "generic_function" => {
                let types = Self::named(self.field(n, "type_arguments")?);
                Kind::TypeApply(
                    self.boxed(n, "function")?,
                    types.into_iter().map(|t| self.type_ref(t)).collect(),
                )
            }
            "instance_expression" => self.instance(n)?,
            "infix_expression" => {
                let op = self.name_of(self.field(n, "operator")?);
                Kind::Infix(self.boxed(n, "left")?, op, self.boxed(n, "right")?)
            }
            "prefix_expression" => {
                let op = self.text(n).chars().next().unwrap_or('?');
                let operand = Self::named(n).into_iter().find(|c| c.kind() != "operator_identifier");
                match operand {
                    Some(o) => Kind::Prefix(op, Box::new(self.expr(o)?)),
                    None => return self.refuse(n, "a prefix operator without operand"),
                }
            }
            "postfix_expression" => {
                let parts = Self::named(n);
                match parts[..] {
                    [recv, name] => Kind::Select(Box::new(self.expr(recv)?), self.text(name).to_string()),
                    _ => return self.refuse(n, "this postfix expression is not covered"),
                }
            }
            "assignment_expression" => Kind::Assign(self.boxed(n, "left")?, self.boxed(n, "right")?),
            "if_expression" => Kind::If(
                self.boxed(n, "condition")?,
                self.boxed(n, "consequence")?,
                match n.child_by_field_name("alternative") {
                    Some(a) => Some(Box::new(self.expr(a)?)),
                    None => None,
                },
            ),
            "while_expression" => Kind::While(self.boxed(n, "condition")?, self.boxed(n, "body")?),
            "do_while_expression" => Kind::DoWhile(self.boxed(n, "body")?, self.boxed(n, "condition")?),
            "for_expression" => self.for_loop(n)?,
            "match_expression" => Kind::Match(self.boxed(n, "value")?, Arc::new(self.cases(self.field(n, "body")?)?)),
            "case_block" => Kind::Cases(Arc::new(self.cases(n)?)),
            "try_expression" => self.try_block(n)?,
            "throw_expression" => match Self::named(n).first() {
                Some(e) => Kind::Throw(Box::new(self.expr(*e)?)),
                None => return self.refuse(n, "throw without a value"),
            },
            "return_expression" => Kind::Return(match Self::named(n).first() {
                Some(e) => Some(Box::new(self.expr(*e)?)),
                None => None,
            }),
            "lambda_expression" => self.lambda(n)?,
            "ascription_expression" => {
                let parts = Self::named(n);
                match parts[..] {
                    [e, t] => Kind::Typed(Box::new(self.expr(e)?), self.type_ref(t)),
                    _ => return self.refuse(n, "this ascription is not covered"),
                }
            }
            "method_value" => match Self::named(n).first() {
                Some(f) => return self.kind(*f),
                None => return self.refuse(n, "this method value is not covered"),
            },
            other => return self.refuse(n, format!("{} is not covered", other.replace('_', " "))),
        })
    }

    fn parenthesized(&self, n: Node<'_>) -> Result<Kind> {
        match Self::named(n)[..] {
            [] => Ok(Kind::Unit),
            [inner] => {
                let e = self.expr(inner)?;
                Ok(bind_placeholders(e).kind)
            }
            _ => self.refuse(n, "this parenthesized expression is not covered"),
        }
    }

    pub(super) fn block(&self, n: Node<'_>) -> Result<Kind> {
        let mut stmts = Vec::new();
        for c in Self::named(n) {
            stmts.push(self.stmt(c)?);
        }
        // In `{ x => a; b }` everything up to the brace is the body, however it is indented.
        if Self::named(n).first().is_some_and(|c| c.kind() == "lambda_expression")
            && stmts.len() > 1
            && let Stmt::Expr(Expr {
                kind: Kind::Lambda(l),
                span,
            }) = stmts.remove(0)
        {
            let mut body = match l.body.kind.clone() {
                Kind::Block(inner) => inner,
                _ => vec![Stmt::Expr(l.body.clone())],
            };
            body.append(&mut stmts);
            let body = Expr {
                kind: Kind::Block(body),
                span,
            };
            return Ok(Kind::Lambda(Arc::new(Lambda {
                params: l.params.clone(),
                body,
            })));
        }
        // `{ x => … }` is the function itself.
        if let [Stmt::Expr(e)] = &stmts[..]
            && matches!(e.kind, Kind::Lambda(_) | Kind::Cases(_))
        {
            return Ok(e.kind.clone());
        }
        Ok(Kind::Block(stmts))
    }

    fn stmt(&self, c: Node<'_>) -> Result<Stmt> {
        Ok(match c.kind() {
            "val_definition" | "var_definition" => {
                let mut v = self.val(c)?;
                v.value = bind_placeholders(v.value);
                Stmt::Val(Arc::new(v))
            }
            "function_definition" => Stmt::Def(Arc::new(self.def(c)?)),
            "import_declaration" => Stmt::Nothing,
            "class_definition" | "object_definition" | "trait_definition" => {
                return self.refuse(c, "a local class is not covered");
            }
            _ => Stmt::Expr(bind_placeholders(self.expr(c)?)),
        })
    }

    fn argument(&self, c: Node<'_>) -> Result<Expr> {
        let e = self.expr(c)?;
        Ok(if matches!(e.kind, Kind::Wildcard) {
            e
        } else {
            bind_placeholders(e)
        })
    }

    fn args(&self, n: Node<'_>) -> Result<Vec<Arg>> {
        if n.kind() != "arguments" {
            return Ok(vec![Arg {
                name: None,
                value: self.expr(n)?,
                splat: false,
            }]);
        }
        let mut out = Vec::new();
        for c in Self::named(n) {
            out.push(match c.kind() {
                "vararg" => Arg {
                    name: None,
                    value: self.expr(Self::named(c)[0])?,
                    splat: true,
                },
                "assignment_expression" => Arg {
                    name: Some(self.name_of(self.field(c, "left")?)),
                    value: self.argument(self.field(c, "right")?)?,
                    splat: false,
                },
                "ascription_expression" if self.text(c).trim_end().ends_with("_*") => Arg {
                    name: None,
                    value: self.expr(Self::named(c)[0])?,
                    splat: true,
                },
                _ => Arg {
                    name: None,
                    value: self.argument(c)?,
                    splat: false,
                },
            });
        }
        Ok(out)
    }

    fn instance(&self, n: Node<'_>) -> Result<Kind> {
        let children = Self::named(n);
        let ty = match children.first() {
            Some(t) if t.kind() != "template_body" => self.type_ref(*t),
            _ => return self.refuse(n, "an anonymous class is not covered"),
        };
        if children.iter().any(|c| c.kind() == "template_body") {
            return self.refuse(n, "an anonymous class is not covered");
        }
        let args = match n.child_by_field_name("arguments") {
            Some(a) => self.args(a)?,
            None => Vec::new(),
        };
        Ok(Kind::New(ty, args))
    }

    fn for_loop(&self, n: Node<'_>) -> Result<Kind> {
        let mut cursor = n.walk();
        let holder = n
            .children_by_field_name("enumerators", &mut cursor)
            .find(|c| c.kind() == "enumerators");
        let mut gens = Vec::new();
        if let Some(holder) = holder {
            for e in Self::named(holder) {
                gens.push(self.enumerator(e)?);
            }
        }
        let mut cursor = n.walk();
        let yields = n.children(&mut cursor).any(|c| !c.is_named() && c.kind() == "yield");
        Ok(Kind::For(gens, self.boxed(n, "body")?, yields))
    }

    fn enumerator(&self, e: Node<'_>) -> Result<Gen> {
        let parts = Self::named(e);
        let arrow = (0..e.child_count())
            .filter_map(|i| e.child(i as _))
            .any(|c| c.kind() == "<-");
        match parts[..] {
            [g] if g.kind() == "guard" => Ok(Gen::Guard(self.expr(self.field(g, "condition")?)?)),
            [p, v] if arrow => Ok(Gen::From(self.pattern(p)?, bind_placeholders(self.expr(v)?))),
            [p, v] => Ok(Gen::Let(self.pattern(p)?, bind_placeholders(self.expr(v)?))),
            _ => self.refuse(e, "this generator is not covered"),
        }
    }

    fn cases(&self, n: Node<'_>) -> Result<Vec<Case>> {
        let mut out = Vec::new();
        for c in Self::named(n).into_iter().filter(|c| c.kind() == "case_clause") {
            let guard = match Self::named(c).into_iter().find(|g| g.kind() == "guard") {
                Some(g) => Some(self.expr(self.field(g, "condition")?)?),
                None => None,
            };
            let mut cursor = c.walk();
            let mut stmts = Vec::new();
            for b in c.children_by_field_name("body", &mut cursor).filter(|b| b.is_named()) {
                stmts.push(self.stmt(b)?);
            }
            let span = Self::span(c);
            let body = match (stmts.len(), stmts.pop()) {
                (1, Some(Stmt::Expr(e))) => e,
                (_, last) => {
                    stmts.extend(last);
                    Expr {
                        kind: Kind::Block(stmts),
                        span,
                    }
                }
            };
            out.push(Case {
                pattern: self.pattern(self.field(c, "pattern")?)?,
                guard,
                body,
            });
        }
        Ok(out)
    }

    fn try_block(&self, n: Node<'_>) -> Result<Kind> {
        let mut catches = Vec::new();
        let mut finally = None;
        for c in Self::named(n) {
            match c.kind() {
                "catch_clause" => match Self::named(c).first() {
                    Some(b) if b.kind() == "case_block" => catches = self.cases(*b)?,
                    _ => return self.refuse(c, "a catch without cases is not covered"),
                },
                "finally_clause" => {
                    if let Some(b) = Self::named(c).first() {
                        finally = Some(Box::new(self.expr(*b)?));
                    }
                }
                _ => {}
            }
        }
        Ok(Kind::Try(self.boxed(n, "body")?, Arc::new(catches), finally))
    }

    fn lambda(&self, n: Node<'_>) -> Result<Kind> {
        let params = self.field(n, "parameters")?;
        let list = if params.kind() == "bindings" {
            self.params(params)?
        } else {
            vec![self.param(params)?]
        };
        let mut after = false;
        let mut stmts = Vec::new();
        for i in 0..n.child_count() {
            let Some(c) = n.child(i as _) else { continue };
            if !c.is_named() && c.kind() == "=>" {
                after = true;
            } else if after && c.is_named() && !c.kind().contains("comment") {
                stmts.push(self.stmt(c)?);
            }
        }
        let span = Self::span(n);
        let body = match (stmts.len(), stmts.pop()) {
            (1, Some(Stmt::Expr(e))) => e,
            (_, last) => {
                stmts.extend(last);
                Expr {
                    kind: Kind::Block(stmts),
                    span,
                }
            }
        };
        Ok(Kind::Lambda(Arc::new(Lambda { params: list, body })))
    }
}

/// Turns `_ + 1` into `x => x + 1`; leaves expressions without placeholders alone.
pub(super) fn bind_placeholders(mut e: Expr) -> Expr {
    let mut count = 0;
    replace(&mut e, &mut count);
    if count == 0 {
        return e;
    }
    let span = e.span;
    let params = (0..count)
        .map(|i| Param {
            name: format!("_${i}"),
            ty: None,
            repeated: false,
            by_name: false,
            default: None,
        })
        .collect();
    Expr {
        kind: Kind::Lambda(Arc::new(Lambda { params, body: e })),
        span,
    }
}

fn replace(e: &mut Expr, count: &mut usize) {
    match &mut e.kind {
        Kind::Wildcard => {
            e.kind = Kind::Ident(format!("_${count}"));
            *count += 1;
        }
        Kind::Select(r, _) | Kind::TypeApply(r, _) | Kind::Typed(r, _) | Kind::Prefix(_, r) | Kind::Match(r, _) => {
            replace(r, count);
        }
        Kind::Infix(a, _, b) => {
            replace(a, count);
            replace(b, count);
        }
        Kind::If(a, b, c) => {
            replace(a, count);
            replace(b, count);
            if let Some(c) = c {
                replace(c, count);
            }
        }
        Kind::Apply(f, args) => {
            replace(f, count);
            // A bare `_` argument belongs to this call; anything larger was bound when it was read.
            for a in args {
                if matches!(a.value.kind, Kind::Wildcard) {
                    replace(&mut a.value, count);
                }
            }
        }
        Kind::New(_, args) => {
            for a in args {
                if matches!(a.value.kind, Kind::Wildcard) {
                    replace(&mut a.value, count);
                }
            }
        }
        Kind::Tuple(items) => {
            for i in items {
                if matches!(i.kind, Kind::Wildcard) {
                    replace(i, count);
                }
            }
        }
        Kind::Interp(parts) => parts.iter_mut().for_each(|p| replace(p, count)),
        _ => {}
    }
}
