//! The syntax tree comes in; a typed plan goes out, with Spark's implicit casts written out and constants folded.
//! An expression that Spark would reject is a compile error; one that only this engine lacks is "not proven".

use super::ast::{Ast, AstKind};
use super::cast;
use super::col::{Env, Rt};
use super::eval::eval;
use super::fns;
use super::lambda;
use super::plan::{Cmp, Kind, Mode, Node, Sig};
use super::resolve;
use super::ty::{self, Ty};
use super::val::{Reader, Val};
use crate::error::ErrorKind;
use crate::source::Span;

/// Why an expression has no plan.
#[derive(Debug)]
pub struct Unresolved {
    /// Compile or NotProven.
    pub kind: ErrorKind,
    /// Where in the text.
    pub span: Span,
    /// A lowercase fragment.
    pub message: String,
}

pub(super) type A<T> = Result<T, Unresolved>;

/// A compile error.
pub(super) fn wrong<T>(span: Span, message: impl Into<String>) -> A<T> {
    Err(Unresolved {
        kind: ErrorKind::Compile,
        span,
        message: message.into(),
    })
}

/// Something only this engine lacks.
pub(super) fn lacking<T>(span: Span, message: impl Into<String>) -> A<T> {
    Err(Unresolved {
        kind: ErrorKind::NotProven,
        span,
        message: message.into(),
    })
}

/// A name in scope.
struct Binding {
    name: String,
    slot: usize,
    ty: Ty,
}

/// Turns syntax into a plan.
pub struct Analyzer<'r> {
    pub(super) rt: &'r Rt,
    scope: Vec<Binding>,
    slots: usize,
}

impl<'r> Analyzer<'r> {
    /// An analyzer that knows these columns, each under one or more names, by slot.
    pub fn new(rt: &'r Rt, columns: Vec<(String, usize, Ty)>, slots: usize) -> Analyzer<'r> {
        let scope = columns.into_iter().map(|(name, slot, ty)| Binding { name, slot, ty });
        Analyzer {
            rt,
            scope: scope.collect(),
            slots,
        }
    }

    /// Number of slots that the plan needs.
    pub fn slot_count(&self) -> usize {
        self.slots
    }

    pub(super) fn mode(&self) -> Mode {
        if self.rt.ansi { Mode::Ansi } else { Mode::Legacy }
    }

    /// The plan of an expression.
    pub fn node(&mut self, ast: &Ast) -> A<Node> {
        match &ast.kind {
            AstKind::Lit(v, t) => Ok(Node::lit(t.clone(), v.clone())),
            AstKind::Name(parts) => self.name(parts, ast.span),
            AstKind::Cast(e, to, try_) => {
                let e = self.node(e)?;
                let mode = if *try_ { Mode::Try } else { self.mode() };
                self.cast(e, to.clone(), mode, ast.span)
            }
            AstKind::Field(e, name) => {
                let e = self.node(e)?;
                self.field(e, name, ast.span)
            }
            AstKind::Alias(e, _) => self.node(e),
            AstKind::Lambda(..) => wrong(
                ast.span,
                "a lambda is only allowed as an argument of a function that takes one",
            ),
            AstKind::Call(name, args) => self.call(name, args, ast.span),
        }
    }

    fn name(&mut self, parts: &[String], span: Span) -> A<Node> {
        let Some(b) = self.scope.iter().rev().find(|b| b.name.eq_ignore_ascii_case(&parts[0])) else {
            let mut known: Vec<&str> = Vec::new();
            for b in &self.scope {
                if !known.contains(&b.name.as_str()) {
                    known.push(&b.name);
                }
            }
            return wrong(
                span,
                format!(
                    "there is no column `{}`; the columns are {}",
                    parts[0],
                    known.join(", ")
                ),
            );
        };
        let mut node = Node::new(b.ty.clone(), Kind::Slot(b.slot));
        for part in &parts[1..] {
            node = self.field(node, part, span)?;
        }
        Ok(node)
    }

    fn field(&mut self, node: Node, name: &str, span: Span) -> A<Node> {
        match &node.ty {
            Ty::Struct(fields) => match fields.iter().position(|(n, _)| n.eq_ignore_ascii_case(name)) {
                Some(i) => {
                    let t = fields[i].1.clone();
                    Ok(self.fold(Node::new(t, Kind::Field(Box::new(node), i))))
                }
                None => wrong(span, format!("{} has no field `{name}`", node.ty)),
            },
            Ty::Arr(t) if matches!(**t, Ty::Struct(_)) => lacking(
                span,
                format!(
                    "field `{name}` of every element of an array is not covered by the cpu engine; write transform(…)"
                ),
            ),
            Ty::Map(..) => {
                let key = Node::lit(Ty::Str, Val::text(name));
                resolve::index(self, node, key, span)
            }
            other => wrong(span, format!("{other} has no field `{name}`")),
        }
    }

    /// Evaluates a node without columns at once.
    pub(super) fn fold(&self, node: Node) -> Node {
        let constant = |n: &Node| n.constant().is_some();
        let pure = match &node.kind {
            Kind::Lit(_) | Kind::Slot(_) | Kind::Hof(..) | Kind::Fold(..) | Kind::SortBy(..) => false,
            Kind::Call(def, _) => !fns::NEVER_FOLDED.contains(&def.name),
            _ => true,
        };
        if !pure || !node.children().iter().all(|c| constant(c)) {
            return node;
        }
        let env = Env {
            rows: 1,
            slots: Vec::new(),
            rt: self.rt,
        };
        match eval(&node, &env) {
            Ok(c) if c.errs.is_none() && c.arr.len() == 1 => {
                let v = Reader::new(&node.ty, c.arr.as_ref()).get(0).owned();
                Node::lit(node.ty, v)
            }
            _ => node,
        }
    }

    /// A cast that was written or that Spark inserts.
    pub(super) fn cast(&self, e: Node, to: Ty, mode: Mode, span: Span) -> A<Node> {
        if e.ty == to {
            return Ok(e);
        }
        if !cast::allowed(&e.ty, &to, mode) {
            if e.ty.is_interval() || to.is_interval() {
                return lacking(
                    span,
                    format!("a cast from {} to {to} is not covered by the cpu engine", e.ty),
                );
            }
            return wrong(span, format!("cannot cast {} to {to}", e.ty));
        }
        Ok(self.fold(Node::new(to, Kind::Cast(Box::new(e), mode))))
    }

    /// A cast that coercion has found to be allowed.
    pub(super) fn coerce(&self, e: Node, to: &Ty, span: Span) -> A<Node> {
        self.cast(e, to.clone(), self.mode(), span)
    }

    /// Casts all nodes to the widest of their types.
    pub(super) fn widen(&self, nodes: Vec<Node>, name: &str, span: Span) -> A<(Vec<Node>, Ty)> {
        let t = self.widest(nodes.iter().map(|n| &n.ty), name, span)?;
        let out = nodes
            .into_iter()
            .map(|n| self.coerce(n, &t, span))
            .collect::<A<Vec<_>>>()?;
        Ok((out, t))
    }

    pub(super) fn widest<'t>(&self, types: impl Iterator<Item = &'t Ty>, name: &str, span: Span) -> A<Ty> {
        let mut types: Vec<&Ty> = types.collect();
        let list = type_list(types.iter().copied());
        types.sort_by_key(|t| **t != Ty::Str);
        let mut t = Ty::Null;
        for other in types {
            t = match ty::wider(&t, other, self.rt.ansi) {
                Some(t) => t,
                None => return wrong(span, format!("the types of `{name}` have nothing in common: {list}")),
            };
        }
        Ok(t)
    }

    pub(super) fn nodes(&mut self, args: &[Ast]) -> A<Vec<Node>> {
        args.iter().map(|a| self.node(a)).collect()
    }

    /// A condition.
    pub(super) fn boolean(&mut self, ast: &Ast, what: &str) -> A<Node> {
        let n = self.node(ast)?;
        self.as_boolean(n, what, ast.span)
    }

    pub(super) fn as_boolean(&self, n: Node, what: &str, span: Span) -> A<Node> {
        match n.ty {
            Ty::Bool => Ok(n),
            Ty::Null => self.coerce(n, &Ty::Bool, span),
            Ty::Str if self.rt.ansi => self.coerce(n, &Ty::Bool, span),
            ref t => wrong(span, format!("{what} needs BOOLEAN, found {t}")),
        }
    }

    /// A lambda over variables of these types: the slots of its variables and its body.
    pub(super) fn lambda(&mut self, ast: &Ast, types: &[Ty], least: usize) -> A<(Vec<usize>, Node)> {
        let AstKind::Lambda(names, body) = &ast.kind else {
            return wrong(ast.span, "expected a lambda such as `x -> x + 1`");
        };
        if names.len() > types.len() || names.len() < least {
            return wrong(
                ast.span,
                format!("the lambda takes {} arguments here, found {}", types.len(), names.len()),
            );
        }
        let depth = self.scope.len();
        let mut slots = Vec::new();
        for (name, ty) in names.iter().zip(types) {
            slots.push(self.slots);
            self.scope.push(Binding {
                name: name.clone(),
                slot: self.slots,
                ty: ty.clone(),
            });
            self.slots += 1;
        }
        let body = self.node(body);
        self.scope.truncate(depth);
        Ok((slots, body?))
    }

    fn call(&mut self, name: &str, args: &[Ast], span: Span) -> A<Node> {
        let arity = |n: usize| {
            if args.len() == n {
                Ok(())
            } else {
                wrong(span, format!("`{name}` takes {n} arguments, found {}", args.len()))
            }
        };
        if let Some(node) = resolve::core(self, name, args, span)? {
            return Ok(self.fold(node));
        }
        if let Some(node) = lambda::with_lambda(self, name, args, span)? {
            return Ok(node);
        }
        if let Some(target) = resolve::cast_function(name) {
            arity(1)?;
            let e = self.node(&args[0])?;
            return self.cast(e, target, self.mode(), span);
        }
        let Some(def) = fns::find(name) else {
            return lacking(span, format!("function `{name}` is not covered by the cpu engine"));
        };
        let nodes = self.nodes(args)?;
        self.table_call(def, nodes, span)
    }

    /// A call of a function of the table with typed arguments.
    pub(super) fn table_call(&mut self, def: &'static super::plan::Def, mut nodes: Vec<Node>, span: Span) -> A<Node> {
        let found = type_list(nodes.iter().map(|n| &n.ty));
        let typed = match &def.sig {
            Sig::Text(sig) => resolve::apply(sig, &mut nodes, self.rt.ansi),
            Sig::Own(f) => f(&mut nodes, self.rt.ansi),
        };
        match typed {
            Ok(t) => {
                let mut folded: Vec<Node> = nodes.into_iter().map(|n| self.fold(n)).collect();
                // Spark's optimizer drops a change of case under another one, which shows where case does not round-trip.
                if matches!(def.name, "upper" | "lower")
                    && let Some(Kind::Call(inner, _)) = folded.first().map(|n| &n.kind)
                    && matches!(inner.name, "upper" | "lower")
                    && let Kind::Call(_, args) = folded.remove(0).kind
                {
                    folded = args;
                }
                Ok(self.fold(Node::new(t, Kind::Call(def, folded))))
            }
            Err(why) => match why.strip_prefix("lacking: ") {
                Some(why) => lacking(span, why),
                None => wrong(span, format!("cannot resolve `{}({found})`: {why}", def.name)),
            },
        }
    }

    /// A comparison with Spark's implicit casts.
    pub(super) fn compare(&mut self, op: Cmp, a: Node, b: Node, span: Span) -> A<Node> {
        let (a, b) = match (&a.ty, &b.ty) {
            (Ty::Bool, t) if !self.rt.ansi && t.is_numeric() && matches!(op, Cmp::Eq | Cmp::NullSafe) => {
                let t = t.clone();
                (self.coerce(a, &t, span)?, b)
            }
            (t, Ty::Bool) if !self.rt.ansi && t.is_numeric() && matches!(op, Cmp::Eq | Cmp::NullSafe) => {
                let t = t.clone();
                (a, self.coerce(b, &t, span)?)
            }
            _ => (a, b),
        };
        let Some(t) = ty::comparison(&a.ty, &b.ty, self.rt.ansi) else {
            return wrong(span, format!("cannot compare {} with {}", a.ty, b.ty));
        };
        if t.has_map() || t == Ty::Cal {
            return wrong(span, format!("values of {t} have no order and no equality"));
        }
        let (a, b) = (self.coerce(a, &t, span)?, self.coerce(b, &t, span)?);
        Ok(self.fold(Node::new(Ty::Bool, Kind::Cmp(op, Box::new(a), Box::new(b)))))
    }
}

/// `INT, STRING`.
pub(super) fn type_list<'t>(types: impl Iterator<Item = &'t Ty>) -> String {
    types.map(Ty::to_string).collect::<Vec<_>>().join(", ")
}
