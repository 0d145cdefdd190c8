//! Interprets a candidate's `evaluateColumnar`. In: the parsed file and columns; out: the resulting column or the exception
//! that leaves it. Calls of the emulated library go through [`super::calls`]; nothing else of the JVM exists here.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::ast::*;
use super::heap::{Heap, JavaError, Res};
use super::value::*;
use crate::error::Error;
use crate::jvm::exceptions;
use crate::run::Cancel;
use crate::source::{SourceFile, Span};

mod apply;
mod builtins;
mod operators;
mod patterns;
mod sequences;
mod values;

/// Bound on evaluated expressions: a columnar body runs few, so that more is an endless loop.
const MAX_STEPS: u64 = 20_000_000;
/// Bound on nested calls.
const MAX_DEPTH: usize = 200;

/// One run of one candidate.
pub struct Interp<'a> {
    pub(super) file: &'a SourceFile,
    pub(super) unit: &'a Unit,
    pub(super) main: Arc<Template>,
    /// Columns, scalars and what was noticed about them.
    pub heap: Heap,
    /// Calls of the library, where they are recorded.
    pub trace: Option<Vec<super::chain::Traced>>,
    fields: RefCell<HashMap<(String, String), V>>,
    cancel: &'a Cancel,
    steps: u64,
    depth: usize,
}

impl<'a> Interp<'a> {
    /// A run of the class `main` of `unit`.
    pub fn new(file: &'a SourceFile, unit: &'a Unit, main: Arc<Template>, cancel: &'a Cancel) -> Interp<'a> {
        Interp {
            file,
            unit,
            main,
            heap: Heap::default(),
            trace: None,
            fields: RefCell::default(),
            cancel,
            steps: 0,
            depth: 0,
        }
    }

    /// The method that is run: the one with `numRows` if there are two.
    pub fn entry(&self) -> Arc<Def> {
        let all = || self.main.defs.iter().filter(|d| d.name == "evaluateColumnar");
        all()
            .find(|d| d.lists.first().is_some_and(|l| l.len() == 2))
            .or_else(|| all().next())
            .cloned()
            .expect("the main class was chosen for having it")
    }

    /// Runs it.
    pub fn call_entry(&mut self, def: &Arc<Def>, args: Vec<V>) -> R {
        self.call_def(def, None, vec![args], def.span)
    }

    /// 1-based line of a span.
    pub(super) fn line(&self, span: Span) -> u32 {
        self.file.line_of(span.start) as u32 + 1
    }

    pub(super) fn refuse<T>(&self, span: Span, what: impl Into<String>) -> R<T> {
        Err(Stop::Refuse(Box::new(
            Error::not_proven(what).at(self.file.location(span)),
        )))
    }

    pub(super) fn compile_error<T>(&self, span: Span, what: impl Into<String>, hints: Vec<String>) -> R<T> {
        let mut e = Error::compile(what).at(self.file.location(span));
        e.hints = hints;
        Err(Stop::Refuse(Box::new(e)))
    }

    pub(super) fn throw<T>(&self, span: Span, class: &str, message: impl Into<String>) -> R<T> {
        Err(Stop::Throw(Rc::new(Exc {
            class: class.to_string(),
            message: message.into(),
            span,
        })))
    }

    pub(super) fn java<T>(&self, span: Span, r: Result<T, JavaError>) -> R<T> {
        match r {
            Ok(v) => Ok(v),
            Err((class, message)) => self.throw(span, class, message),
        }
    }

    /// A new handle for a value of the library.
    pub(super) fn alloc(&mut self, res: Res, span: Span, made_by: &str) -> V {
        let line = self.line(span);
        V::Ref(self.heap.alloc(res, line, made_by))
    }

    /// Evaluates an expression.
    pub fn eval(&mut self, e: &Expr, env: &Env) -> R {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return self.refuse(e.span, "the candidate runs too long: a loop that does not end?");
        }
        if self.steps & 0xff == 0
            && let Err(stop) = self.cancel.check()
        {
            return Err(Stop::Refuse(Box::new(stop)));
        }
        match &e.kind {
            Kind::Unit => Ok(V::Unit),
            Kind::Null => Ok(V::Null),
            Kind::Bool(b) => Ok(V::Bool(*b)),
            Kind::Int(v) => Ok(V::Int(*v)),
            Kind::Long(v) => Ok(V::Long(*v)),
            Kind::Float(v) => Ok(V::Float(*v)),
            Kind::Double(v) => Ok(V::Double(*v)),
            Kind::Char(v) => Ok(V::Char(*v)),
            Kind::Str(s) => Ok(V::str(s)),
            Kind::Interp(parts) => {
                let mut out = String::new();
                for p in parts {
                    out.push_str(&self.eval(p, env)?.show());
                }
                Ok(V::str(out))
            }
            Kind::This => Ok(V::This),
            Kind::Ident(name) => self.name(name, e.span, env),
            Kind::Select(recv, name) => self.select(recv, name, e.span, env),
            Kind::Apply(f, args) => self.apply(f, args, e.span, env),
            Kind::TypeApply(f, types) => self.type_apply(f, types, e.span, env),
            Kind::New(ty, args) => {
                let args = self.args(args, env)?;
                self.construct(ty, args, e.span)
            }
            Kind::Infix(a, op, b) => self.infix(a, op, b, e.span, env),
            Kind::Prefix(op, a) => {
                let v = self.eval(a, env)?;
                self.prefix(*op, v, e.span)
            }
            Kind::Assign(target, value) => self.assign(target, value, env),
            Kind::Block(stmts) => self.block(stmts, env),
            Kind::If(c, a, b) => match (self.condition(c, env)?, b) {
                (true, _) => self.eval(a, env),
                (false, Some(b)) => self.eval(b, env),
                (false, None) => Ok(V::Unit),
            },
            Kind::While(c, body) => {
                while self.condition(c, env)? {
                    self.eval(body, env)?;
                }
                Ok(V::Unit)
            }
            Kind::DoWhile(body, c) => loop {
                self.eval(body, env)?;
                if !self.condition(c, env)? {
                    return Ok(V::Unit);
                }
            },
            Kind::For(gens, body, yields) => {
                let mut out = Vec::new();
                self.for_loop(gens, body, *yields, env, &mut out)?;
                Ok(if *yields { V::seq(SeqKind::Seq, out) } else { V::Unit })
            }
            Kind::Match(scrutinee, cases) => {
                let v = self.eval(scrutinee, env)?;
                match self.cases(cases, &v, env)? {
                    Some(out) => Ok(out),
                    None => self.throw(e.span, "MatchError", v.show()),
                }
            }
            Kind::Try(body, catches, finally) => self.try_block(body, catches, finally.as_deref(), env),
            Kind::Throw(x) => match self.eval(x, env)? {
                V::Exc(exc) => Err(Stop::Throw(exc)),
                V::Null => self.throw(e.span, "NullPointerException", ""),
                other => self.refuse(e.span, format!("throw of a {} is not covered", other.type_name())),
            },
            Kind::Return(v) => {
                let v = match v {
                    Some(v) => self.eval(v, env)?,
                    None => V::Unit,
                };
                Err(Stop::Return(v))
            }
            Kind::Lambda(l) => Ok(V::Fn(Rc::new(Func::Lambda(l.clone(), env.clone())))),
            Kind::Cases(c) => Ok(V::Fn(Rc::new(Func::Cases(c.clone(), env.clone())))),
            Kind::Tuple(items) => {
                let items: R<Vec<V>> = items.iter().map(|i| self.eval(i, env)).collect();
                Ok(V::Tuple(Rc::new(items?)))
            }
            Kind::Wildcard => self.compile_error(e.span, "`_` stands for no parameter here", Vec::new()),
            Kind::Typed(inner, ty) => {
                let v = self.eval(inner, env)?;
                Ok(self.adapt(v, Some(ty)))
            }
        }
    }

    fn condition(&mut self, e: &Expr, env: &Env) -> R<bool> {
        match self.eval(e, env)? {
            V::Bool(b) => Ok(b),
            other => self.compile_error(e.span, format!("a condition is a {}", other.type_name()), Vec::new()),
        }
    }

    fn block(&mut self, stmts: &[Stmt], env: &Env) -> R {
        let scope = Scope::inside(env);
        for s in stmts {
            if let Stmt::Def(d) = s {
                scope.bind(&d.name, Slot::Def(d.clone()));
            }
        }
        let mut last = V::Unit;
        for s in stmts {
            last = V::Unit;
            match s {
                Stmt::Expr(e) => last = self.eval(e, &scope)?,
                Stmt::Val(v) => self.val(v, &scope)?,
                Stmt::Def(_) | Stmt::Nothing => {}
            }
        }
        Ok(last)
    }

    fn val(&mut self, v: &Arc<ValDef>, scope: &Env) -> R<()> {
        if v.lazy
            && let PatKind::Bind(name, None) = &v.pattern.kind
        {
            scope.bind(name, Slot::Lazy(v.clone()));
            return Ok(());
        }
        let value = self.eval(&v.value, scope)?;
        let value = self.adapt(value, v.ty.as_ref());
        let mut bound = Vec::new();
        if !self.matches(&v.pattern, &value, scope, &mut bound)? {
            return self.throw(v.pattern.span, "MatchError", value.show());
        }
        for (name, value) in bound {
            scope.bind(&name, Slot::Value(value));
        }
        Ok(())
    }

    /// Numeric literals widen to a declared type, as Scala's do.
    pub(super) fn adapt(&self, v: V, ty: Option<&TypeRef>) -> V {
        let Some(ty) = ty else { return v };
        match (ty.name.as_str(), &v) {
            ("Long" | "long", V::Int(x)) => V::Long(i64::from(*x)),
            ("Double" | "double", V::Int(x)) => V::Double(f64::from(*x)),
            ("Double" | "double", V::Float(x)) => V::Double(f64::from(*x)),
            ("Double" | "double", V::Long(x)) => V::Double(*x as f64),
            ("Float" | "float", V::Int(x)) => V::Float(*x as f32),
            ("Byte" | "byte", V::Int(x)) => V::Byte(*x as i8),
            ("Short" | "short", V::Int(x)) => V::Short(*x as i16),
            _ => v,
        }
    }

    fn assign(&mut self, target: &Expr, value: &Expr, env: &Env) -> R {
        let v = self.eval(value, env)?;
        self.store(target, v, env)
    }

    /// `target = v`.
    pub(super) fn store(&mut self, target: &Expr, v: V, env: &Env) -> R {
        match &target.kind {
            Kind::Ident(name) => match env.find(name) {
                Some((Slot::Value(old), scope)) => {
                    let v = match (&old, &v) {
                        (V::Long(_), V::Int(x)) => V::Long(i64::from(*x)),
                        (V::Double(_), V::Int(x)) => V::Double(f64::from(*x)),
                        _ => v,
                    };
                    scope.set(name, v);
                    Ok(V::Unit)
                }
                _ => self.refuse(target.span, format!("assignment to `{name}` is not covered")),
            },
            Kind::Apply(f, args) => {
                let recv = self.eval(f, env)?;
                let index = self.args(args, env)?;
                match (&recv, &index[..]) {
                    (V::Seq(s), [V::Int(i)]) if matches!(s.kind, SeqKind::Array | SeqKind::Buffer) => {
                        let len = s.items.borrow().len();
                        if *i < 0 || *i as usize >= len {
                            let message = format!("Index {i} out of bounds for length {len}");
                            return self.throw(target.span, "ArrayIndexOutOfBoundsException", message);
                        }
                        s.items.borrow_mut()[*i as usize] = v;
                        Ok(V::Unit)
                    }
                    _ => self.refuse(
                        target.span,
                        format!("assignment into a {} is not covered", recv.type_name()),
                    ),
                }
            }
            _ => self.refuse(target.span, "this assignment is not covered"),
        }
    }

    fn for_loop(&mut self, gens: &[Gen], body: &Expr, yields: bool, env: &Env, out: &mut Vec<V>) -> R<()> {
        match gens {
            [] => {
                let v = self.eval(body, env)?;
                if yields {
                    out.push(v);
                }
                Ok(())
            }
            [Gen::From(p, e), rest @ ..] => {
                let source = self.eval(e, env)?;
                for item in self.elements(&source, e.span)? {
                    let mut bound = Vec::new();
                    if self.matches(p, &item, env, &mut bound)? {
                        let scope = Scope::inside(env);
                        bound.into_iter().for_each(|(n, v)| scope.bind(&n, Slot::Value(v)));
                        self.for_loop(rest, body, yields, &scope, out)?;
                    }
                }
                Ok(())
            }
            [Gen::Let(p, e), rest @ ..] => {
                let item = self.eval(e, env)?;
                let mut bound = Vec::new();
                if !self.matches(p, &item, env, &mut bound)? {
                    return self.throw(p.span, "MatchError", item.show());
                }
                let scope = Scope::inside(env);
                bound.into_iter().for_each(|(n, v)| scope.bind(&n, Slot::Value(v)));
                self.for_loop(rest, body, yields, &scope, out)
            }
            [Gen::Guard(g), rest @ ..] => {
                if self.condition(g, env)? {
                    self.for_loop(rest, body, yields, env, out)?;
                }
                Ok(())
            }
        }
    }

    fn try_block(&mut self, body: &Expr, catches: &Arc<Vec<Case>>, finally: Option<&Expr>, env: &Env) -> R {
        let mut result = self.eval(body, env);
        if let Err(Stop::Throw(exc)) = &result {
            let exc = exc.clone();
            match self.cases(catches, &V::Exc(exc), env) {
                Ok(None) => {}
                Ok(Some(v)) => result = Ok(v),
                Err(stop) => result = Err(stop),
            }
        }
        if let Some(f) = finally
            && !matches!(result, Err(Stop::Refuse(_)))
        {
            self.eval(f, env)?;
        }
        result
    }

    fn cases(&mut self, cases: &Arc<Vec<Case>>, v: &V, env: &Env) -> R<Option<V>> {
        for c in cases.iter() {
            let mut bound = Vec::new();
            if !self.matches(&c.pattern, v, env, &mut bound)? {
                continue;
            }
            let scope = Scope::inside(env);
            bound.into_iter().for_each(|(n, v)| scope.bind(&n, Slot::Value(v)));
            let holds = match &c.guard {
                Some(g) => self.condition(g, &scope)?,
                None => true,
            };
            if holds {
                return self.eval(&c.body, &scope).map(Some);
            }
        }
        Ok(None)
    }

    /// Whether an exception is of a class or one of its subclasses.
    pub(super) fn exception_is(&self, exc: &Exc, class: &str) -> bool {
        let parent = if exc.class.starts_with("Cudf") {
            "RuntimeException"
        } else {
            exc.class.as_str()
        };
        exc.class == class || exceptions::is_subclass(parent, class)
    }
}
