//! Checks names without running: statics, constants and constructors of the library against its table of signatures, and methods
//! where the receiver's class can be told. In: a parsed candidate; out: the first error with its place.

use super::api;
use super::ast::*;
use crate::error::{Error, Result};
use crate::source::{SourceFile, Span};

/// Checks all methods but the row functions.
pub fn check(file: &SourceFile, unit: &Unit, main: &Template) -> Result<()> {
    let c = Checker { file, unit };
    for t in &unit.templates {
        for d in &t.defs {
            let columnar = d.name == "evaluateColumnar" || t.name == main.name;
            if let Some(body) = d.body.as_ref().filter(|_| columnar) {
                let mut names = Vec::new();
                for p in d.lists.iter().flatten() {
                    names.push((
                        p.name.clone(),
                        p.ty.as_ref().and_then(|t| library(&t.name)).filter(|_| !p.repeated),
                    ));
                }
                if d.name == "evaluateColumnar"
                    && let Some(args) = d.lists.iter().flatten().find(|p| p.repeated)
                {
                    names.push((format!("{}()", args.name), Some("ColumnVector")));
                }
                c.expr(body, &mut names)?;
            }
        }
    }
    Ok(())
}

/// Classes whose methods are checked.
fn library(name: &str) -> Option<&'static str> {
    ["ColumnVector", "ColumnView", "Scalar", "Table"]
        .into_iter()
        .find(|c| *c == name)
}

type Names = Vec<(String, Option<&'static str>)>;

struct Checker<'a> {
    file: &'a SourceFile,
    unit: &'a Unit,
}

impl Checker<'_> {
    fn fail<T>(&self, span: Span, (what, hints): (String, Vec<String>)) -> Result<T> {
        let mut e = Error::compile(what).at(self.file.location(span));
        e.hints = hints;
        Err(e)
    }

    /// Checks an expression; its class if it is one of the library's.
    fn expr(&self, e: &Expr, names: &mut Names) -> Result<Option<&'static str>> {
        match &e.kind {
            Kind::Ident(n) => return Ok(names.iter().rev().find(|(k, _)| k == n).and_then(|(_, t)| *t)),
            Kind::Interp(parts) => {
                for p in parts {
                    self.expr(p, names)?;
                }
            }
            Kind::Select(recv, name) => return self.member(recv, name, None, e.span, names),
            Kind::Apply(f, args) => return self.call(f, args, e.span, names),
            Kind::TypeApply(f, types) => {
                let t = self.expr(f, names)?;
                if let Kind::Select(_, n) = &f.kind
                    && n == "asInstanceOf"
                {
                    return Ok(types.first().and_then(|t| library(&t.name)));
                }
                return Ok(t);
            }
            Kind::New(_, args) => {
                for a in args {
                    self.expr(&a.value, names)?;
                }
            }
            Kind::Infix(a, _, b) | Kind::Assign(a, b) | Kind::While(a, b) | Kind::DoWhile(a, b) => {
                self.expr(a, names)?;
                self.expr(b, names)?;
            }
            Kind::Prefix(_, a) | Kind::Throw(a) => {
                self.expr(a, names)?;
            }
            Kind::Return(Some(a)) => return self.expr(a, names),
            Kind::Typed(a, t) => {
                self.expr(a, names)?;
                return Ok(library(&t.name));
            }
            Kind::Block(stmts) => return self.block(stmts, names),
            Kind::If(c, a, b) => {
                self.expr(c, names)?;
                let x = self.expr(a, names)?;
                let y = match b {
                    Some(b) => self.expr(b, names)?,
                    None => None,
                };
                return Ok(x.filter(|_| x == y));
            }
            Kind::For(gens, body, _) => {
                let depth = names.len();
                for g in gens {
                    match g {
                        Gen::From(p, s) | Gen::Let(p, s) => {
                            self.expr(s, names)?;
                            bind(p, None, names);
                        }
                        Gen::Guard(g) => {
                            self.expr(g, names)?;
                        }
                    }
                }
                self.expr(body, names)?;
                names.truncate(depth);
            }
            Kind::Match(s, cases) => {
                self.expr(s, names)?;
                self.cases(cases, names)?;
            }
            Kind::Cases(cases) => self.cases(cases, names)?,
            Kind::Try(body, cases, finally) => {
                let t = self.expr(body, names)?;
                self.cases(cases, names)?;
                if let Some(f) = finally {
                    self.expr(f, names)?;
                }
                return Ok(t);
            }
            Kind::Lambda(l) => {
                let depth = names.len();
                for p in &l.params {
                    names.push((p.name.clone(), p.ty.as_ref().and_then(|t| library(&t.name))));
                }
                self.expr(&l.body, names)?;
                names.truncate(depth);
            }
            Kind::Tuple(items) => {
                for i in items {
                    self.expr(i, names)?;
                }
            }
            _ => {}
        }
        Ok(None)
    }

    fn block(&self, stmts: &[Stmt], names: &mut Names) -> Result<Option<&'static str>> {
        let depth = names.len();
        let mut last = None;
        for s in stmts {
            last = None;
            match s {
                Stmt::Expr(e) => last = self.expr(e, names)?,
                Stmt::Val(v) => {
                    let t = self.expr(&v.value, names)?;
                    let declared = v.ty.as_ref().and_then(|t| library(&t.name));
                    bind(&v.pattern, declared.or(t), names);
                }
                Stmt::Def(d) => {
                    if let Some(body) = &d.body {
                        let inner = names.len();
                        for p in d.lists.iter().flatten() {
                            names.push((
                                p.name.clone(),
                                p.ty.as_ref().and_then(|t| library(&t.name)).filter(|_| !p.repeated),
                            ));
                        }
                        self.expr(body, names)?;
                        names.truncate(inner);
                    }
                    names.push((d.name.clone(), None));
                }
                Stmt::Nothing => {}
            }
        }
        names.truncate(depth);
        Ok(last)
    }

    fn cases(&self, cases: &[Case], names: &mut Names) -> Result<()> {
        for c in cases {
            let depth = names.len();
            bind(&c.pattern, None, names);
            if let Some(g) = &c.guard {
                self.expr(g, names)?;
            }
            self.expr(&c.body, names)?;
            names.truncate(depth);
        }
        Ok(())
    }

    fn call(&self, f: &Expr, args: &[Arg], span: Span, names: &mut Names) -> Result<Option<&'static str>> {
        let mut types = Vec::new();
        for a in args {
            types.push(self.expr(&a.value, names)?);
        }
        let count = if args.iter().any(|a| a.splat || a.name.is_some()) {
            None
        } else {
            Some(args.len())
        };
        match &f.kind {
            Kind::Select(recv, name) => {
                if name == "head" || name == "last" {
                    return self.expr(f, names);
                }
                self.member(recv, name, Some(count), span, names)
            }
            Kind::Ident(n) => {
                let of_args = format!("{n}()");
                if let Some((_, t)) = names.iter().rev().find(|(k, _)| *k == of_args) {
                    return Ok(*t);
                }
                // `use(x)` of Using.Manager hands its argument back.
                let def = self.unit.templates.iter().flat_map(|t| &t.defs).find(|d| d.name == *n);
                match def {
                    Some(d) => Ok(d.ret.as_ref().and_then(|t| library(&t.name))),
                    None if n == "use" && types.len() == 1 => Ok(types[0]),
                    None => Ok(None),
                }
            }
            _ => {
                self.expr(f, names)?;
                Ok(None)
            }
        }
    }

    /// `recv.name`, called with so many arguments: `None` is no call, `Some(None)` an unknown number.
    fn member(
        &self,
        recv: &Expr,
        name: &str,
        count: Option<Option<usize>>,
        span: Span,
        names: &mut Names,
    ) -> Result<Option<&'static str>> {
        if let Kind::Ident(n) = &recv.kind
            && names.iter().all(|(k, _)| k != n)
            && !self.unit.templates.iter().any(|t| t.name == *n)
            && let Some(class) = api::class_name(n)
        {
            return self.static_member(class, name, count, span);
        }
        if let Kind::Ident(n) = &recv.kind
            && matches!(name, "head" | "last")
            && let Some((_, t)) = names.iter().rev().find(|(k, _)| *k == format!("{n}()"))
        {
            return Ok(*t);
        }
        let Some(class) = self.expr(recv, names)? else {
            return Ok(None);
        };
        if matches!(
            name,
            "asInstanceOf" | "isInstanceOf" | "eq" | "ne" | "==" | "equals" | "toString" | "->"
        ) {
            return Ok(None);
        }
        self.signature(class, "method", name, count.unwrap_or(Some(0)), span)
    }

    fn static_member(
        &self,
        class: &'static str,
        name: &str,
        count: Option<Option<usize>>,
        span: Span,
    ) -> Result<Option<&'static str>> {
        if api::constant(class, name).is_some()
            || api::class_name(&format!("{class}.{name}")).is_some()
            || name == "FindOptions"
        {
            return Ok(None);
        }
        if count.is_none() && api::signatures(class, "static", name).is_empty() {
            let constants = api::constants(class);
            let hint = if constants.is_empty() {
                Vec::new()
            } else {
                vec![format!("it has {}", constants.join(", "))]
            };
            return self.fail(
                span,
                (format!("{class} has no constant or static method `{name}`"), hint),
            );
        }
        match count {
            Some(n) => self.signature(class, "static", name, n, span),
            None => Ok(None),
        }
    }

    fn signature(
        &self,
        class: &'static str,
        kind: &str,
        name: &str,
        count: Option<usize>,
        span: Span,
    ) -> Result<Option<&'static str>> {
        let all = api::signatures(class, kind, name);
        let fits = |s: &&&api::Signature| match (count, s.params.last()) {
            (None, _) => true,
            (Some(n), Some(p)) if p.ends_with("...") => n + 1 >= s.params.len(),
            (Some(n), _) => n == s.params.len(),
        };
        match all.iter().find(fits) {
            Some(s) => Ok(library(s.returns)),
            None if all.is_empty() => self.fail(span, api::explain(class, kind, name, &[])),
            None => {
                let (_, hints) = api::explain(class, kind, name, &[]);
                let given = count.unwrap_or(0);
                self.fail(span, (format!("no `{name}` of {class} takes {given} arguments"), hints))
            }
        }
    }
}

fn bind(p: &Pattern, t: Option<&'static str>, names: &mut Names) {
    match &p.kind {
        PatKind::Bind(n, inner) => {
            names.push((n.clone(), t));
            if let Some(i) = inner {
                bind(i, t, names);
            }
        }
        PatKind::Typed(i, ty) => bind(i, library(&ty.name), names),
        PatKind::Tuple(items) | PatKind::Extract(_, items) => items.iter().for_each(|i| bind(i, None, names)),
        PatKind::Cons(a, b) => {
            bind(a, None, names);
            bind(b, None, names);
        }
        _ => {}
    }
}
