//! Compiles statements. In: statements of a block; out: code whose value is dropped. Never leaves a loop's jumps to callers.

use crate::jvm::object::Object;
use crate::jvm::value::{Throw, Value};
use crate::jvm::view::lock;
use crate::lang::ast::*;
use crate::lang::ty::Prim;
use crate::source::{Span, Understood};

use super::bits;
use super::compile::{Compiler, Frame};
use super::expr::{out_of_bounds, shared};
use super::machine::{Cx, LambdaValue, LazyThunk, PCode, Run, Slot, Stop, UCode, UnitRef, cell};
use super::node::{B, Code, P, V};

impl Compiler<'_> {
    /// Compiles a block.
    pub fn block(&mut self, frame: &mut Frame, stmts: &[Stmt], value: Option<&Expr>) -> Understood<Code> {
        if stmts.is_empty() {
            return match value {
                Some(v) => self.expr(frame, v),
                None => Ok(Code::V(V::Const(Value::Unit))),
            };
        }
        let first = self.stmts(frame, stmts)?;
        Ok(match value {
            None => Code::V(V::new(move |cx| {
                first(cx)?;
                Ok(Value::Unit)
            })),
            Some(v) => match self.expr(frame, v)? {
                Code::P(p, prim) => {
                    let last = p.code();
                    Code::P(
                        P::new(move |cx| {
                            first(cx)?;
                            last(cx)
                        }),
                        prim,
                    )
                }
                Code::B(b, prim) => {
                    let last = b.code();
                    Code::B(
                        B::new(move |cx| {
                            first(cx)?;
                            last(cx)
                        }),
                        prim,
                    )
                }
                Code::V(v) => {
                    let last = v.code();
                    Code::V(V::new(move |cx| {
                        first(cx)?;
                        last(cx)
                    }))
                }
            },
        })
    }

    /// Compiles statements to one piece of code.
    pub fn stmts(&mut self, frame: &mut Frame, stmts: &[Stmt]) -> Understood<UCode> {
        let mut codes = Vec::new();
        for stmt in stmts {
            codes.push(self.stmt(frame, stmt)?);
        }
        Ok(match codes.len() {
            0 => Box::new(|_| Ok(())),
            1 => codes.remove(0),
            2 => {
                let second = codes.remove(1);
                let first = codes.remove(0);
                Box::new(move |cx| {
                    first(cx)?;
                    second(cx)
                })
            }
            _ => Box::new(move |cx| {
                for code in &codes {
                    code(cx)?;
                }
                Ok(())
            }),
        })
    }

    fn stmt(&mut self, frame: &mut Frame, stmt: &Stmt) -> Understood<UCode> {
        match stmt {
            Stmt::Expr(e) => self.dropped(frame, e),
            Stmt::Let {
                local,
                init,
                lazy: true,
            } => {
                let (_, slot) = self.local(frame, *local);
                let (lambda, captured) = self.lambda(frame, &[], init)?;
                Ok(make_lazy(slot, lambda, captured))
            }
            Stmt::Let { local, init, .. } => {
                let (_, slot) = self.local(frame, *local);
                let code = self.expr(frame, init)?;
                Ok(store(slot, code, true))
            }
            Stmt::LetPattern { pattern, init } => {
                let value = self.value(frame, init)?.code();
                let test = self.pattern(frame, pattern, &init.ty)?;
                Ok(Box::new(move |cx| {
                    let v = value(cx)?;
                    if test(cx, &v)? {
                        Ok(())
                    } else {
                        Err(super::patterns::match_error(cx, &v).into())
                    }
                }))
            }
            Stmt::Assign { local, value } => {
                let (_, slot) = self.local(frame, *local);
                let code = self.expr(frame, value)?;
                Ok(store(slot, code, false))
            }
            Stmt::SetIndex { array, index, value } => self.set_index(frame, array, index, value),
            Stmt::Loop {
                cond,
                body,
                update,
                test_first,
                label,
                span,
            } => {
                let cond = self.truth(frame, cond)?.code();
                let body = self.dropped(frame, body)?;
                let update = match update.is_empty() {
                    true => None,
                    false => Some(self.stmts(frame, update)?),
                };
                let label = label.as_deref().map(|l| self.label(l));
                Ok(run_loop(cond, body, update, *test_first, label, *span))
            }
            Stmt::Break(label) => {
                let label = label.as_deref().map(|l| self.label(l));
                Ok(Box::new(move |cx| {
                    cx.label = label;
                    Err(Stop::Break)
                }))
            }
            Stmt::Continue(label) => {
                let label = label.as_deref().map(|l| self.label(l));
                Ok(Box::new(move |cx| {
                    cx.label = label;
                    Err(Stop::Continue)
                }))
            }
        }
    }

    /// Compiles an expression whose value is dropped; blocks and conditions do without making one.
    pub fn dropped(&mut self, frame: &mut Frame, e: &Expr) -> Understood<UCode> {
        match &e.kind {
            ExprKind::Block(stmts, value) => {
                let first = self.stmts(frame, stmts)?;
                match value {
                    None => Ok(first),
                    Some(v) => {
                        let last = self.dropped(frame, v)?;
                        Ok(Box::new(move |cx| {
                            first(cx)?;
                            last(cx)
                        }))
                    }
                }
            }
            ExprKind::If { cond, then, otherwise } => {
                let cond = self.truth(frame, cond)?.code();
                let then = self.dropped(frame, then)?;
                match otherwise {
                    None => Ok(Box::new(move |cx| if cond(cx)? != 0 { then(cx) } else { Ok(()) })),
                    Some(other) => {
                        let other = self.dropped(frame, other)?;
                        Ok(Box::new(move |cx| if cond(cx)? != 0 { then(cx) } else { other(cx) }))
                    }
                }
            }
            _ => Ok(self.expr(frame, e)?.unit()),
        }
    }

    fn set_index(&mut self, frame: &mut Frame, array: &Expr, index: &Expr, value: &Expr) -> Understood<UCode> {
        let array = self.value(frame, array)?.code();
        let index = self.prim(frame, index, Prim::Int)?.code();
        let value = self.value(frame, value)?.code();
        Ok(Box::new(move |cx| {
            let a = array(cx)?;
            let i = bits::to_int(index(cx)?);
            let v = value(cx)?;
            match a.as_obj() {
                Some(Object::Array(items)) => {
                    let mut items = lock(items);
                    let len = items.len();
                    match usize::try_from(i).ok().and_then(|i| items.get_mut(i)) {
                        Some(place) => {
                            *place = v;
                            Ok(())
                        }
                        None => Err(out_of_bounds(i, len).into()),
                    }
                }
                None if a.is_null() => Err(Throw::null_pointer().into()),
                _ => Err(bits::mistyped("an array").into()),
            }
        }))
    }
}

/// Stores into a variable. A declaration makes a new cell, so that closures of an earlier turn keep theirs.
fn store(slot: Slot, code: Code, declares: bool) -> UCode {
    match slot {
        Slot::Prim(i, prim) => {
            let code = code.prim(prim).code();
            Box::new(move |cx| {
                let v = code(cx)?;
                let at = cx.pb + i;
                cx.prims[at] = v;
                Ok(())
            })
        }
        Slot::Val(i) => {
            let code = code.value().code();
            Box::new(move |cx| {
                let v = code(cx)?;
                let at = cx.vb + i;
                cx.vals[at] = v;
                Ok(())
            })
        }
        Slot::Cell(i, prim) | Slot::Lazy(i, prim) => {
            let code = match prim {
                Some(p) => Code::P(code.prim(p), p).value().code(),
                None => code.value().code(),
            };
            Box::new(move |cx| {
                let v = code(cx)?;
                if declares {
                    let at = cx.vb + i;
                    cx.vals[at] = cell(v);
                } else if let Some(Object::Cell(content)) = shared(cx, i, prim).as_obj() {
                    *lock(content) = v;
                }
                Ok(())
            })
        }
    }
}

fn make_lazy(slot: Slot, lambda: usize, captured: Vec<Slot>) -> UCode {
    Box::new(move |cx| {
        let Slot::Lazy(i, _) = slot else {
            return Err(bits::mistyped("a lazy val").into());
        };
        // The cell comes first: the initialiser may refer to the `lazy val` itself.
        let own = cell(Value::Null);
        let at = cx.vb + i;
        cx.vals[at] = own.clone();
        let (mut prims, mut vals) = (Vec::new(), Vec::new());
        for slot in &captured {
            match slot {
                Slot::Prim(i, _) => prims.push(cx.prims[cx.pb + i]),
                Slot::Val(i) => vals.push(cx.vals[cx.vb + i].clone()),
                Slot::Cell(i, prim) | Slot::Lazy(i, prim) => vals.push(shared(cx, *i, *prim)),
            }
        }
        let closure = Value::obj(Object::Closure(std::sync::Arc::new(LambdaValue {
            unit: UnitRef::Lambda(lambda),
            prims,
            vals,
        })));
        if let Some(Object::Cell(content)) = own.as_obj() {
            *lock(content) = Value::obj(Object::Other(Box::new(LazyThunk(closure))));
        }
        Ok(())
    })
}

/// Whether a jump that arrived at a loop is meant for it.
fn mine(cx: &mut Cx<'_>, label: Option<u32>) -> bool {
    cx.label.is_none() || cx.label == label
}

fn run_loop(
    cond: PCode,
    body: UCode,
    update: Option<UCode>,
    test_first: bool,
    label: Option<u32>,
    span: Span,
) -> UCode {
    Box::new(move |cx| {
        let mut test = test_first;
        loop {
            if test && cond(cx)? == 0 {
                return Ok(());
            }
            test = true;
            count(cx, span)?;
            match body(cx) {
                Ok(()) => {}
                Err(Stop::Break) if mine(cx, label) => return Ok(()),
                Err(Stop::Continue) if mine(cx, label) => {}
                Err(other) => return Err(other),
            }
            if let Some(update) = &update {
                update(cx)?;
            }
        }
    })
}

#[inline]
fn count(cx: &mut Cx<'_>, span: Span) -> Run<()> {
    cx.tick().inspect_err(|_| cx.at = Some(span))
}
