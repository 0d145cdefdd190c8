//! Constants that are written out: maps, sets and sequences of the enclosing object or of the body, whose values the embedded oracle
//! knows. In: an expression that depends on no row; out: its value as C++, or tests of a key. Never a collection as an object.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

use super::emit::Emit;
use super::slots::unboxed;
use super::types::{Cpp, literal, text_literal};
use crate::jvm::object::Object;
use crate::jvm::value::Value;
use crate::lang::ast::*;
use crate::lang::ty::{Prim, Ty};
use crate::lang::visit::walk;
use crate::run::embedded;
use crate::source::{Refusal, Span, Understood};

/// Most entries that are written out at one place.
const ENTRIES: usize = 512;

/// The constants of a program, evaluated when first asked for.
pub(super) struct Constants<'p> {
    program: &'p Program,
    known: OnceCell<Option<embedded::Constants>>,
    globals: RefCell<HashMap<u32, Option<Value>>>,
}

impl<'p> Constants<'p> {
    pub fn new(program: &'p Program) -> Constants<'p> {
        Constants {
            program,
            known: OnceCell::new(),
            globals: RefCell::default(),
        }
    }

    fn global(&self, id: GlobalId) -> Option<Value> {
        let mut known = self.globals.borrow_mut();
        known
            .entry(id.0)
            .or_insert_with(|| {
                let constants = self.known.get_or_init(|| embedded::Constants::of(self.program));
                constants.as_ref()?.value(id)
            })
            .clone()
    }

    /// The value of an expression that depends on no row.
    pub fn value(&self, e: &Expr, locals: &[Local]) -> Option<Value> {
        if let ExprKind::Global(id) = &e.kind {
            return self.global(*id);
        }
        if !depends_on_nothing(e) {
            return None;
        }
        let mut program = self.program.clone();
        program.globals.push(Global {
            name: "$constant".into(),
            ty: e.ty.clone(),
            init: e.clone(),
            locals: locals.to_vec(),
            span: e.span,
        });
        let id = GlobalId(program.globals.len() as u32 - 1);
        embedded::Constants::of(&program)?.value(id)
    }

    /// Writes a sequence of the enclosing object out as the body of its function; `false` where it is no such constant.
    pub fn literal(&self, id: GlobalId, emit: &mut Emit<'_>) -> Understood<bool> {
        let global = &self.program.globals[id.0 as usize];
        if emit.ret.stays() {
            return Err(Refusal::new(
                global.span,
                format!("a {} that rows share is not covered by the cuda tier", global.ty),
            ));
        }
        if !matches!(emit.ret, Cpp::Seq(_) | Cpp::Decimal | Cpp::Date) {
            return Ok(false);
        }
        let Some(value) = self.global(id) else {
            return Ok(false);
        };
        let ty = emit.ret.clone();
        let text = emit.written(&value, &ty, global.span)?;
        emit.lines.push(Some(global.init.span), format!("return {text};"));
        Ok(true)
    }
}

/// Whether an expression uses only variables of its own.
fn depends_on_nothing(e: &Expr) -> bool {
    let mut own = Vec::new();
    let mut used = Vec::new();
    let mut other = false;
    walk(e, &mut |x| match &x.kind {
        ExprKind::Lambda { params, .. } => own.extend(params.iter().copied()),
        ExprKind::Match { cases, .. } => cases.iter().for_each(|c| binds(&c.pattern, &mut own)),
        ExprKind::Local(id) => used.push(*id),
        ExprKind::Return(_) | ExprKind::CallFn { .. } | ExprKind::FnRef(_) => other = true,
        _ => {}
    });
    !other && used.iter().all(|u| own.contains(u))
}

fn binds(p: &Pattern, out: &mut Vec<LocalId>) {
    match &p.kind {
        PatternKind::Bind(local, inner) => {
            out.push(*local);
            inner.iter().for_each(|i| binds(i, out));
        }
        PatternKind::Tuple(items) => items.iter().for_each(|i| binds(i, out)),
        _ => {}
    }
}

impl<'p> Emit<'p> {
    /// The value of an expression that depends on no row, also through a variable that is set once.
    pub(super) fn known(&self, e: &Expr) -> Option<Value> {
        let e = super::slots::bare(e);
        match &e.kind {
            ExprKind::Local(id) => {
                let init = self.inits.get(&(id.0 as usize))?;
                self.constants.value(init, self.locals())
            }
            ExprKind::Lit(Lit::Str(units)) => Some(Value::Str(crate::jvm::text::JStr::from_units(units))),
            ExprKind::Lit(Lit::Int(v)) => Some(Value::Int(*v)),
            _ => self.constants.value(e, self.locals()),
        }
    }

    /// A value as C++.
    pub(super) fn written(&mut self, value: &Value, ty: &Cpp, span: Span) -> Understood<String> {
        let refuse = || {
            Refusal::new(
                span,
                format!("a constant of type {} is not covered by the cuda tier", ty.name()),
            )
        };
        let lit = match (value, ty) {
            (Value::Null, _) => return ty.null().ok_or_else(refuse),
            (_, Cpp::Maybe(inner)) => {
                let content = match value {
                    Value::Obj(o) => match &**o {
                        Object::Some(v) => v.clone(),
                        Object::None => return Ok(format!("{}{{}}", ty.name())),
                        _ => value.clone(),
                    },
                    other => other.clone(),
                };
                let content = self.written(&content, inner, span)?;
                return Ok(format!("{}{{{content}, true}}", ty.name()));
            }
            (Value::Bool(v), Cpp::Prim(Prim::Boolean)) => Lit::Bool(*v),
            (Value::Byte(v), Cpp::Prim(Prim::Byte)) => Lit::Byte(*v),
            (Value::Short(v), Cpp::Prim(Prim::Short)) => Lit::Short(*v),
            (Value::Char(v), Cpp::Prim(Prim::Char)) => Lit::Char(*v),
            (Value::Int(v), Cpp::Prim(Prim::Int)) => Lit::Int(*v),
            (Value::Long(v), Cpp::Prim(Prim::Long)) => Lit::Long(*v),
            (Value::Float(v), Cpp::Prim(Prim::Float)) => Lit::Float(*v),
            (Value::Double(v), Cpp::Prim(Prim::Double)) => Lit::Double(*v),
            (Value::Str(s), Cpp::Text) => return text_literal(&s.units(), span),
            (Value::Obj(o), _) => return self.written_object(o, ty, span)?.ok_or_else(refuse),
            _ => return Err(refuse()),
        };
        literal(&lit, span)
    }

    fn written_object(&mut self, o: &Object, ty: &Cpp, span: Span) -> Understood<Option<String>> {
        let items: Vec<Value> = match (o, ty) {
            (Object::Tuple(items), Cpp::Tuple(types)) if items.len() == types.len() => {
                let mut parts = Vec::new();
                for (item, of) in items.iter().zip(types) {
                    parts.push(self.written(item, of, span)?);
                }
                return Ok(Some(format!("{}{{{}}}", ty.name(), parts.join(", "))));
            }
            (Object::Decimal { value, .. }, Cpp::Decimal) => return Ok(super::decimals::written(value)),
            (Object::Seq(_, items), Cpp::Seq(_)) => items.clone(),
            (Object::Array(items), Cpp::Seq(_)) => match items.lock() {
                Ok(items) => items.clone(),
                Err(_) => return Ok(None),
            },
            (Object::Range(range), Cpp::Seq(_)) if range.len <= ENTRIES => {
                (0..range.len).map(|i| range.get(i)).collect()
            }
            _ => return Ok(None),
        };
        let Cpp::Seq(item) = ty else { return Ok(None) };
        if items.len() > ENTRIES {
            return Err(Refusal::new(
                span,
                format!("more than {ENTRIES} constants are not covered by the cuda tier"),
            ));
        }
        let mut texts = Vec::new();
        for value in &items {
            texts.push(self.written(value, item, span)?);
        }
        if matches!(**item, Cpp::Prim(_)) && !texts.is_empty() {
            let name = self.temp();
            self.line(format!(
                "static const {} {name}[] = {{{}}};",
                item.name(),
                texts.join(", ")
            ));
            return Ok(Some(format!(
                "{}{{const_cast<{}*>({name}), {}}}",
                ty.name(),
                item.name(),
                texts.len()
            )));
        }
        self.partial = true;
        self.roomy = true;
        let made = self.checked(format!("rw::seq_new<{}>(row, {})", item.name(), texts.len()), span);
        for (i, text) in texts.iter().enumerate() {
            self.line(format!("{made}.items[{i}] = {text};"));
        }
        Ok(Some(made))
    }

    /// Methods of a constant map or set.
    pub(super) fn constant_call(
        &mut self,
        name: &str,
        recv: &'p Expr,
        args: &'p [Expr],
        e: &'p Expr,
    ) -> Understood<String> {
        let unknown = || {
            Refusal::new(
                recv.span,
                format!("a {} that is no constant is not covered by the cuda tier", recv.ty),
            )
        };
        let value = self.known(recv).ok_or_else(unknown)?;
        let entries = entries(&value).ok_or_else(unknown)?;
        if entries.len() > ENTRIES {
            return Err(Refusal::new(
                recv.span,
                format!("more than {ENTRIES} constants are not covered by the cuda tier"),
            ));
        }
        let java = self.program.dialect == Dialect::Java;
        match (name, args) {
            ("size", []) => Ok(entries.len().to_string()),
            ("isEmpty", []) => Ok(entries.is_empty().to_string()),
            ("nonEmpty", []) => Ok((!entries.is_empty()).to_string()),
            ("contains" | "containsKey" | "isDefinedAt", [key]) => self.found(&entries, key, java, e.span),
            ("apply", [key]) if matches!(recv.ty, Ty::Set(_)) => self.found(&entries, key, java, e.span),
            ("get", [key]) => {
                let ty = Cpp::of(&e.ty, e.span)?;
                self.looked_up(&entries, key, &ty, java, e.span).map(|(value, _)| value)
            }
            ("apply", [key]) => {
                let ty = Cpp::of(&e.ty, e.span)?;
                let (value, found) = self.looked_up(&entries, key, &ty, java, e.span)?;
                self.line(format!("if (!{found}) row.fail(rw::kNoSuchElementException);"));
                self.leave_on_error();
                Ok(value)
            }
            ("getOrElse" | "getOrDefault", [key, other]) => {
                let ty = Cpp::of(&e.ty, e.span)?;
                let (value, found) = self.looked_up(&entries, key, &ty, java, e.span)?;
                self.block(Some(other.span), &format!("if (!{found})"), |s| {
                    let text = s.thunk(other, &ty)?;
                    if !text.is_empty() {
                        s.line(format!("{value} = {text};"));
                    }
                    Ok(())
                })?;
                Ok(value)
            }
            _ => Err(Refusal::new(
                e.span,
                format!("`{name}` of a {} is not covered by the cuda tier", recv.ty),
            )),
        }
    }

    /// Whether a key is among the entries.
    fn found(&mut self, entries: &[(Value, Value)], key: &'p Expr, java: bool, span: Span) -> Understood<String> {
        let tests = self.keys(entries, key, java)?;
        let found = self.variable(&Cpp::Prim(Prim::Boolean));
        if !tests.is_empty() {
            self.lines
                .push(Some(span), format!("{found} = {};", tests.join(" || ")));
        }
        Ok(found)
    }

    /// A test of the key for each entry.
    fn keys(&mut self, entries: &[(Value, Value)], key: &'p Expr, java: bool) -> Understood<Vec<String>> {
        let key = unboxed(key);
        let ty = self.cpp(key)?;
        if !ty.plain_equality() {
            return Err(Refusal::new(
                key.span,
                format!("a key of type {} is not covered by the cuda tier", key.ty),
            ));
        }
        let text = self.expr(key)?;
        let text = self.spill(text, key.span);
        // Some of Java's collections throw for null.
        if java && ty.prim().is_none() {
            self.line(format!("if ({text}.is_null()) row.fail(rw::kNotCovered);"));
            self.leave_on_error();
        }
        let mut tests = Vec::new();
        for (k, _) in entries {
            let k = self.written(k, &ty, key.span)?;
            tests.push(match ty {
                Cpp::Prim(_) => format!("{text} == {k}"),
                _ => format!("rw::same({text}, {k})"),
            });
        }
        Ok(tests)
    }

    /// The variables of the value of a key, and of whether there is one.
    fn looked_up(
        &mut self,
        entries: &[(Value, Value)],
        key: &'p Expr,
        ty: &Cpp,
        java: bool,
        span: Span,
    ) -> Understood<(String, String)> {
        let tests = self.keys(entries, key, java)?;
        let (value, found) = (self.variable(ty), self.variable(&Cpp::Prim(Prim::Boolean)));
        let mut head = "if";
        for (test, (_, v)) in tests.iter().zip(entries) {
            let (lines, text) = self.apart(|s| s.written(v, ty, span))?;
            self.lines.push(Some(span), format!("{head} ({test}) {{"));
            self.lines.nest(lines);
            let mut set = super::lines::Lines::default();
            set.push(None, format!("{value} = {text};"));
            set.push(None, format!("{found} = true;"));
            self.lines.nest(set);
            head = "} else if";
        }
        if !tests.is_empty() {
            self.line("}");
        }
        Ok((value, found))
    }
}

/// Keys and values of a map, or the elements of a set.
fn entries(value: &Value) -> Option<Vec<(Value, Value)>> {
    let Value::Obj(o) = value else { return None };
    Some(match &**o {
        Object::Map(map) if map.default.is_none() => map.entries().to_vec(),
        Object::Set(set) => set.items().iter().map(|i| (i.clone(), Value::Unit)).collect(),
        Object::MutMap(map) => map.lock().ok()?.unordered(),
        Object::MutSet(map) => map.lock().ok()?.unordered(),
        _ => return None,
    })
}
