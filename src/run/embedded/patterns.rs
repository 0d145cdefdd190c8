//! Compiles `match`, `try` and patterns. In: cases; out: code. A pattern's variables are bound as it matches.

use crate::jvm::equality::scala_eq;
use crate::jvm::exceptions::is_subclass;
use crate::jvm::object::{Object, SeqClass};
use crate::jvm::show;
use crate::jvm::value::{Control, Throw, Value};
use crate::jvm::view::{View, lock};
use crate::lang::ast::*;
use crate::lang::ty::Ty;
use crate::source::Understood;

use super::bits;
use super::compile::{Compiler, Frame};
use super::expr::literal;
use super::machine::{Cx, PCode, Run, Slot, Stop, cell};
use super::node::{Code, P, V};
use super::types::instance_of;

/// Whether a value matches; binds variables.
pub type Test = Box<dyn for<'m> Fn(&mut Cx<'m>, &Value) -> Run<bool> + Send + Sync>;

struct CaseCode<T> {
    test: Test,
    guard: Option<PCode>,
    body: T,
}

/// `MatchError` with Scala's message, as far as the value has a text.
pub fn match_error(cx: &mut Cx<'_>, v: &Value) -> Throw {
    let text = match v {
        Value::Null => Some("null".to_string()),
        _ => show::value_of(cx, v).ok().map(|t| t.to_utf8().into_owned()),
    };
    match text {
        Some(t) if !v.is_null() => match show::class_name(v) {
            Some(class) => Throw::exception("MatchError", format!("{t} (of class {class})")),
            None => Throw::exception("MatchError", t),
        },
        Some(t) => Throw::exception("MatchError", t),
        None => Throw::exception("MatchError", ""),
    }
}

impl Compiler<'_> {
    /// Compiles a `match`.
    pub fn match_cases(&mut self, frame: &mut Frame, e: &Expr, scrutinee: &Expr, cases: &[Case]) -> Understood<Code> {
        // Only the match that makes up a function literal answers `call_partial`.
        let partial = frame.partial.take();
        let value = self.value(frame, scrutinee)?;
        let none = move |cx: &mut Cx<'_>, v: &Value| -> Stop {
            match partial {
                Some(slot) if cx.prims[cx.pb + slot] != 0 => Throw::Control(Control::Undefined).into(),
                _ => match_error(cx, v).into(),
            }
        };
        match e.ty.prim_type() {
            Some(prim) => {
                let cases = self.cases(frame, cases, &scrutinee.ty, |code| code.prim(prim).code())?;
                let value = value.code();
                Ok(Code::P(
                    P::new(move |cx| {
                        let v = value(cx)?;
                        match choose(cx, &cases, &v)? {
                            Some(case) => (case.body)(cx),
                            None => Err(none(cx, &v)),
                        }
                    }),
                    prim,
                ))
            }
            None => {
                let cases = self.cases(frame, cases, &scrutinee.ty, |code| code.value().code())?;
                let value = value.code();
                Ok(Code::V(V::new(move |cx| {
                    let v = value(cx)?;
                    match choose(cx, &cases, &v)? {
                        Some(case) => (case.body)(cx),
                        None => Err(none(cx, &v)),
                    }
                })))
            }
        }
    }

    fn cases<T>(
        &mut self,
        frame: &mut Frame,
        cases: &[Case],
        ty: &Ty,
        body: impl Fn(Code) -> T,
    ) -> Understood<Vec<CaseCode<T>>> {
        let mut out = Vec::new();
        for case in cases {
            let test = self.pattern(frame, &case.pattern, ty)?;
            let guard = match &case.guard {
                Some(g) => Some(self.truth(frame, g)?.code()),
                None => None,
            };
            let code = self.expr(frame, &case.body)?;
            out.push(CaseCode {
                test,
                guard,
                body: body(code),
            });
        }
        Ok(out)
    }

    /// Compiles `try`.
    pub fn try_catch(
        &mut self,
        frame: &mut Frame,
        e: &Expr,
        body: &Expr,
        catches: &[Case],
        finally: Option<&Expr>,
    ) -> Understood<Code> {
        let prim = e.ty.prim_type();
        let as_value = |code: Code| match prim {
            Some(p) => Code::P(code.prim(p), p).value().code(),
            None => code.value().code(),
        };
        let body = as_value(self.expr(frame, body)?);
        let throwable = Ty::Class("Throwable".into());
        let catches_all = catches.iter().any(|c| c.guard.is_none() && catches_control(&c.pattern));
        let cases = self.cases(frame, catches, &throwable, as_value)?;
        let finally = match finally {
            Some(f) => Some(self.dropped(frame, f)?),
            None => None,
        };
        let code = V::new(move |cx| {
            let (depth, pb, vb) = (cx.prims.len(), cx.pb, cx.vb);
            let _ = depth;
            let mut ran = body(cx);
            debug_assert!(cx.pb == pb && cx.vb == vb);
            if let Err(Stop::Throw(throw)) = &ran {
                match &**throw {
                    Throw::Exception(exception) => {
                        let v = Value::obj(Object::Exception(exception.clone()));
                        if let Some(case) = choose(cx, &cases, &v)? {
                            ran = (case.body)(cx);
                        }
                    }
                    Throw::Control(Control::Return(..)) if catches_all => {
                        return Err(Throw::Unsupported(
                            "a return out of a function literal through a catch of everything".into(),
                        )
                        .into());
                    }
                    _ => {}
                }
            }
            if let Some(finally) = &finally {
                if let Err(Stop::Throw(throw)) = &ran
                    && matches!(**throw, Throw::Limit(_) | Throw::Unsupported(_))
                {
                    return ran;
                }
                let (result, label) = (cx.result.clone(), cx.label);
                finally(cx)?;
                cx.result = result;
                cx.label = label;
            }
            ran
        });
        Ok(super::expr::typed(code, &e.ty))
    }

    /// Compiles a pattern against values of a static type.
    pub fn pattern(&mut self, frame: &mut Frame, p: &Pattern, ty: &Ty) -> Understood<Test> {
        use PatternKind as K;
        Ok(match &p.kind {
            K::Wildcard => Box::new(|_, _| Ok(true)),
            K::Bind(local, inner) => {
                let inner = match inner {
                    Some(inner) => Some(self.pattern(frame, inner, ty)?),
                    None => None,
                };
                let (_, slot) = self.local(frame, *local);
                Box::new(move |cx, v| {
                    if let Some(inner) = &inner
                        && !inner(cx, v)?
                    {
                        return Ok(false);
                    }
                    bind(cx, slot, v)?;
                    Ok(true)
                })
            }
            K::Lit(lit) => {
                let want = literal(lit);
                Box::new(move |_, v| Ok(scala_eq(v, &want)?))
            }
            K::Value(e) => {
                let want = self.value(frame, e)?.code();
                Box::new(move |cx, v| {
                    let want = want(cx)?;
                    Ok(scala_eq(&want, v)?)
                })
            }
            // A type test on a primitive is decided by the static type.
            K::Typed(want) if ty.prim_type().is_some() && ty == want => Box::new(|_, _| Ok(true)),
            K::Typed(want) => {
                let want = match want {
                    Ty::Prim(prim) => Ty::Boxed(*prim),
                    other => other.clone(),
                };
                let classes = self.class_names();
                Box::new(move |_, v| Ok(instance_of(v, &want, &classes)?))
            }
            K::Alternative(items) => {
                let items = self.patterns(frame, items, ty)?;
                Box::new(move |cx, v| {
                    for item in &items {
                        if item(cx, v)? {
                            return Ok(true);
                        }
                    }
                    Ok(false)
                })
            }
            K::Tuple(items) => {
                let items = self.patterns(frame, items, &Ty::Any)?;
                Box::new(move |cx, v| match v.as_obj() {
                    Some(Object::Tuple(values)) => all(cx, &items, values),
                    _ => Ok(false),
                })
            }
            K::Class { class, fields } => {
                let fields = self.patterns(frame, fields, &Ty::Any)?;
                let class = *class;
                Box::new(move |cx, v| match v.as_obj() {
                    Some(Object::Class(c, values)) if *c == class => all(cx, &fields, values),
                    _ => Ok(false),
                })
            }
            K::Some(inner) => {
                let inner = self.pattern(frame, inner, &Ty::Any)?;
                Box::new(move |cx, v| match v.as_obj() {
                    Some(Object::Some(x)) => inner(cx, x),
                    _ => Ok(false),
                })
            }
            K::None => Box::new(|_, v| Ok(matches!(v.as_obj(), Some(Object::None)))),
            K::Wrapper(wrapper, inner) => {
                let inner = self.pattern(frame, inner, &Ty::Any)?;
                let wrapper = *wrapper;
                Box::new(move |cx, v| match v.as_obj() {
                    Some(Object::Wrapper(w, x)) if *w == wrapper => inner(cx, x),
                    _ => Ok(false),
                })
            }
            K::Regex { regex, groups, rest } => self.regex_pattern(frame, regex, groups, *rest)?,
            K::Seq { items, rest, .. } => self.seq_pattern(frame, items, rest.as_deref())?,
            K::Cons(head, tail) => {
                let head = self.pattern(frame, head, &Ty::Any)?;
                let tail = self.pattern(frame, tail, &Ty::Any)?;
                Box::new(move |cx, v| match v.as_obj() {
                    Some(Object::Seq(SeqClass::List, items)) if !items.is_empty() => {
                        Ok(head(cx, &items[0])? && tail(cx, &Value::list(items[1..].to_vec()))?)
                    }
                    _ => Ok(false),
                })
            }
            K::Prepended(head, tail) => {
                let head = self.pattern(frame, head, &Ty::Any)?;
                let tail = self.pattern(frame, tail, &Ty::Any)?;
                Box::new(move |cx, v| match taken_apart(v, true) {
                    Some((first, rest)) => Ok(head(cx, &first)? && tail(cx, &rest)?),
                    None => Ok(false),
                })
            }
            K::Snoc(init, last) => {
                let init = self.pattern(frame, init, &Ty::Any)?;
                let last = self.pattern(frame, last, &Ty::Any)?;
                Box::new(move |cx, v| match taken_apart(v, false) {
                    Some((end, rest)) => Ok(init(cx, &rest)? && last(cx, &end)?),
                    None => Ok(false),
                })
            }
            K::Extract {
                func, gives, result, ..
            } => {
                let result = self.pattern(frame, result, gives)?;
                let index = func.0 as usize;
                Box::new(move |cx, v| {
                    let machine = cx.machine;
                    let given = cx.call_unit(&machine.functions[index], std::slice::from_ref(v), &[], &[])?;
                    result(cx, &given)
                })
            }
            K::Nil => Box::new(|_, v| Ok(is_nil(v))),
            K::NonFatal(inner) => {
                let inner = self.pattern(frame, inner, ty)?;
                Box::new(move |cx, v| match v.as_obj() {
                    Some(Object::Exception(e)) if non_fatal(&e.class) => inner(cx, v),
                    _ => Ok(false),
                })
            }
        })
    }

    fn patterns(&mut self, frame: &mut Frame, items: &[Pattern], ty: &Ty) -> Understood<Vec<Test>> {
        items.iter().map(|p| self.pattern(frame, p, ty)).collect()
    }

    /// `Regex(a, b)`: the whole text must match, with as many groups as there are patterns.
    fn regex_pattern(&mut self, frame: &mut Frame, regex: &Expr, groups: &[Pattern], rest: bool) -> Understood<Test> {
        let regex = self.value(frame, regex)?.code();
        let groups = self.patterns(frame, groups, &Ty::String)?;
        Ok(Box::new(move |cx, v| {
            let text = match v {
                Value::Str(text) => text,
                Value::Obj(_) | Value::Char(_) => {
                    return Err(bits::mistyped("a regular expression as a pattern").into());
                }
                _ => return Ok(false),
            };
            let regex = regex(cx)?;
            let Some(Object::Regex(regex)) = regex.as_obj() else {
                return Err(match regex.is_null() {
                    true => Throw::null_pointer(),
                    false => bits::mistyped("a regular expression as a pattern"),
                }
                .into());
            };
            crate::jvm::table::Context::step(cx, 1 + text.len() as u64 / 16)?;
            let found = regex.matches(&text.units());
            let Some(found) = found.map_err(|e| crate::jvm::tables::regex::thrown(e, regex.units()))? else {
                return Ok(false);
            };
            let group = |i: usize| {
                found
                    .range(i)
                    .map_or(Value::Null, |(from, to)| Value::Str(text.slice(from, to)))
            };
            let values: Vec<Value> = (1..=regex.group_count() as usize).map(group).collect();
            let fits = if rest {
                values.len() >= groups.len()
            } else {
                values.len() == groups.len()
            };
            Ok(fits && all(cx, &groups, &values[..groups.len()])?)
        }))
    }

    fn seq_pattern(&mut self, frame: &mut Frame, items: &[Pattern], rest: Option<&Pattern>) -> Understood<Test> {
        let items = self.patterns(frame, items, &Ty::Any)?;
        let rest = match rest {
            Some(r) => Some(self.pattern(frame, r, &Ty::Any)?),
            None => None,
        };
        Ok(Box::new(move |cx, v| {
            let Value::Obj(o) = v else {
                return Ok(false);
            };
            let Some(view) = View::of_object(o).filter(|_| !is_map_values(o)) else {
                return Ok(false);
            };
            let len = view.len();
            if len < items.len() || (rest.is_none() && len != items.len()) {
                return Ok(false);
            }
            if !all(cx, &items, &view.slice(0, items.len()))? {
                return Ok(false);
            }
            match &rest {
                None => Ok(true),
                Some(rest) => {
                    let left = view.slice(items.len(), len);
                    let class = match &**o {
                        Object::Seq(class, _) => *class,
                        Object::Array(_) => SeqClass::ArrayBuffer,
                        _ => SeqClass::Vector,
                    };
                    rest(cx, &Value::seq(class, left))
                }
            }
        }))
    }
}

/// The first case that matches; its variables are bound.
fn choose<'c, T>(cx: &mut Cx<'_>, cases: &'c [CaseCode<T>], v: &Value) -> Run<Option<&'c CaseCode<T>>> {
    for case in cases {
        if !(case.test)(cx, v)? {
            continue;
        }
        match &case.guard {
            Some(guard) if guard(cx)? == 0 => {}
            _ => return Ok(Some(case)),
        }
    }
    Ok(None)
}

fn all(cx: &mut Cx<'_>, tests: &[Test], values: &[Value]) -> Run<bool> {
    if tests.len() != values.len() {
        return Ok(false);
    }
    for (test, v) in tests.iter().zip(values) {
        if !test(cx, v)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Binds a variable of a pattern.
fn bind(cx: &mut Cx<'_>, slot: Slot, v: &Value) -> Run<()> {
    match slot {
        Slot::Prim(i, prim) => {
            let at = cx.pb + i;
            cx.prims[at] = bits::unwrap(v, prim)?;
        }
        Slot::Val(i) => {
            let at = cx.vb + i;
            cx.vals[at] = v.clone();
        }
        Slot::Cell(i, _) | Slot::Lazy(i, _) => {
            let at = cx.vb + i;
            cx.vals[at] = cell(v.clone());
        }
    }
    Ok(())
}

/// The first element and the rest (`front`), or the last and what stands before it; `None` for empty sequences and
/// other values. The rest is of the class that `tail` and `init` give.
fn taken_apart(v: &Value, front: bool) -> Option<(Value, Value)> {
    let Value::Obj(o) = v else { return None };
    if !matches!(&**o, Object::Seq(..) | Object::Range(_) | Object::Buffer(..)) || is_map_values(o) {
        return None;
    }
    let view = View::of_object(o)?;
    let last = view.len().checked_sub(1)?;
    let (at, from, to) = if front { (0, 1, last + 1) } else { (last, 0, last) };
    let rest = match &**o {
        Object::Seq(class, _) => Value::seq(*class, view.slice(from, to)),
        Object::Range(r) => Value::obj(Object::Range(crate::jvm::object::Range {
            start: r.start + if front { r.step } else { 0 },
            len: last,
            ..*r
        })),
        Object::Buffer(class, _) => Value::obj(Object::Buffer(*class, std::sync::Mutex::new(view.slice(from, to)))),
        _ => return None,
    };
    Some((view.get(at)?, rest))
}

/// What is written as a sequence here and is none for a pattern.
fn is_map_values(o: &Object) -> bool {
    matches!(o, Object::Seq(SeqClass::MapValues, _))
}

fn is_nil(v: &Value) -> bool {
    // `Nil` equals every empty immutable sequence.
    match v {
        Value::Obj(o) => match &**o {
            Object::Seq(SeqClass::JavaList | SeqClass::JavaFixed | SeqClass::MapValues, _) => false,
            Object::Seq(_, items) => items.is_empty(),
            Object::Range(r) => r.len == 0,
            Object::Buffer(class, items) => {
                *class != crate::jvm::object::BufferClass::ArrayList && lock(items).is_empty()
            }
            _ => false,
        },
        _ => false,
    }
}

/// What `scala.util.control.NonFatal` lets through.
pub fn non_fatal(class: &str) -> bool {
    !(is_subclass(class, "VirtualMachineError")
        || is_subclass(class, "ControlThrowable")
        || matches!(class, "ThreadDeath" | "InterruptedException" | "LinkageError"))
}

/// Whether a catch would also catch what the Scala compiler throws for a non-local `return`.
fn catches_control(p: &Pattern) -> bool {
    match &p.kind {
        PatternKind::Wildcard | PatternKind::Bind(_, None) => true,
        PatternKind::Bind(_, Some(inner)) => catches_control(inner),
        PatternKind::Typed(Ty::Class(name)) => name == "Throwable" || name == "Object",
        PatternKind::Typed(Ty::Any) => true,
        PatternKind::Alternative(items) => items.iter().any(catches_control),
        _ => false,
    }
}
