//! Compiles calls: rows of the library, functions of the program, function values. In: callee and arguments; out: code.

use crate::jvm::table::Method;
use crate::jvm::value::{Throw, Value};
use crate::lang::ast::*;
use crate::lang::ty::{Prim, Ty};
use crate::source::{Span, Understood};

use super::bits;
use super::compile::{Compiler, Frame};
use super::expr::{closure, shared, typed};
use super::machine::{Cx, PCode, Run, Slot, UnitRef, VCode, cell};
use super::node::{Code, P, V};
use super::units::{Var, is_thunk};

/// Remembers the call that ends a row without a value or an exception; the innermost counts.
#[cold]
fn undecided(cx: &mut Cx<'_>, throw: Throw, span: Span) -> Throw {
    if matches!(throw, Throw::Limit(_) | Throw::Unsupported(_)) {
        cx.at.get_or_insert(span);
    }
    throw
}

/// How an argument is handed over.
enum Arg {
    Prim(PCode),
    Val(VCode),
    Cell(VCode),
}

impl Compiler<'_> {
    /// A row of the library.
    pub fn call_row(
        &mut self,
        frame: &mut Frame,
        e: &Expr,
        method: &'static Method,
        recv: Option<&Expr>,
        args: &[Expr],
    ) -> Understood<Code> {
        if let Some(code) = self.intrinsic(frame, method, recv, args)? {
            return Ok(code);
        }
        let checks = recv.is_some() && !method.null_recv;
        let mut codes = Vec::new();
        for part in recv.into_iter().chain(args) {
            codes.push(self.value(frame, part)?.code());
        }
        let ty = e.ty.clone();
        let (eval, span) = (method.eval, e.span);
        let call = move |cx: &mut Cx<'_>, values: &[Value]| -> Run<Value> {
            if checks && values[0].is_null() {
                return Err(Throw::null_pointer().into());
            }
            eval(cx, values, &ty).map_err(|throw| undecided(cx, throw, span).into())
        };
        let code = match codes.len() {
            0 => V::new(move |cx| call(cx, &[])),
            1 => {
                let a = codes.remove(0);
                V::new(move |cx| {
                    let values = [a(cx)?];
                    call(cx, &values)
                })
            }
            2 => {
                let b = codes.remove(1);
                let a = codes.remove(0);
                V::new(move |cx| {
                    let values = [a(cx)?, b(cx)?];
                    call(cx, &values)
                })
            }
            3 => {
                let c = codes.remove(2);
                let b = codes.remove(1);
                let a = codes.remove(0);
                V::new(move |cx| {
                    let values = [a(cx)?, b(cx)?, c(cx)?];
                    call(cx, &values)
                })
            }
            _ => V::new(move |cx| {
                let mut values = Vec::with_capacity(codes.len());
                for code in &codes {
                    values.push(code(cx)?);
                }
                call(cx, &values)
            }),
        };
        Ok(typed(code, &e.ty))
    }

    /// Rows so frequent that the interpreter does them itself, reading strings where they lie.
    fn intrinsic(
        &mut self,
        frame: &mut Frame,
        method: &'static Method,
        recv: Option<&Expr>,
        args: &[Expr],
    ) -> Understood<Option<Code>> {
        let Some(recv) = recv.filter(|r| r.ty == Ty::String) else {
            return Ok(None);
        };
        if method.recv != "String" {
            return Ok(None);
        }
        match (method.name, args) {
            ("length", []) => {
                let code = self.value(frame, recv)?.map_prim(|v| match v {
                    Value::Str(s) => Ok(bits::int(s.len() as i32)),
                    Value::Null => Err(Throw::null_pointer().into()),
                    _ => Err(bits::mistyped("length").into()),
                });
                Ok(Some(Code::P(code, Prim::Int)))
            }
            ("isEmpty", []) => {
                let code = self.value(frame, recv)?.map_prim(|v| match v {
                    Value::Str(s) => Ok(u64::from(s.is_empty())),
                    Value::Null => Err(Throw::null_pointer().into()),
                    _ => Err(bits::mistyped("isEmpty").into()),
                });
                Ok(Some(Code::P(code, Prim::Boolean)))
            }
            ("charAt", [index]) => {
                let V::Slot(slot) = self.value(frame, recv)? else {
                    return Ok(None);
                };
                let index = self.prim(frame, index, Prim::Int)?.code();
                let eval = method.eval;
                Ok(Some(Code::P(
                    P::new(move |cx| {
                        let i = bits::to_int(index(cx)?);
                        match &cx.vals[cx.vb + slot] {
                            Value::Null => Err(Throw::null_pointer().into()),
                            Value::Str(s) => match usize::try_from(i).ok().and_then(|i| s.unit(i)) {
                                Some(unit) => Ok(u64::from(unit)),
                                None => {
                                    let args = [Value::Str(s.clone()), Value::Int(i)];
                                    let v = eval(cx, &args, &Ty::CHAR)?;
                                    Ok(bits::unwrap(&v, Prim::Char)?)
                                }
                            },
                            _ => Err(bits::mistyped("charAt").into()),
                        }
                    }),
                    Prim::Char,
                )))
            }
            _ => Ok(None),
        }
    }

    /// How the callee keeps a parameter; it numbers its slots by the same rule.
    fn argument(&mut self, frame: &mut Frame, func: FnId, index: usize, arg: &Expr) -> Understood<Arg> {
        let var = Var {
            owner: func.0,
            local: index as u32,
        };
        if self.by_name(var) {
            let code = match is_thunk(arg) || is_by_name_itself(arg) {
                true => self.value(frame, arg)?,
                false => {
                    let (lambda, captured) = self.lambda(frame, &[], arg)?;
                    closure(UnitRef::Lambda(lambda), captured).value()
                }
            };
            return Ok(match self.units.is_cell(var) {
                true => Arg::Cell(code.code()),
                false => Arg::Val(code.code()),
            });
        }
        let ty = &self.units.locals(func.0)[index].ty;
        let prim = ty.prim_type();
        let code = self.expr(frame, arg)?;
        Ok(match (self.units.is_cell(var), prim) {
            (true, Some(p)) => Arg::Cell(Code::P(code.prim(p), p).value().code()),
            (true, None) => Arg::Cell(code.value().code()),
            (false, Some(p)) => Arg::Prim(code.prim(p).code()),
            (false, None) => Arg::Val(code.value().code()),
        })
    }

    /// A function of the program.
    pub fn call_fn(&mut self, frame: &mut Frame, e: &Expr, func: FnId, args: &[Expr]) -> Understood<Code> {
        let mut codes = Vec::new();
        for (i, arg) in args.iter().enumerate() {
            codes.push(self.argument(frame, func, i, arg)?);
        }
        let captured = self.captures_of(frame, func);
        let index = func.0 as usize;
        let span = e.span;
        let enter = move |cx: &mut Cx<'_>| -> Run<(usize, usize)> {
            let (pb, vb) = (cx.prims.len(), cx.vals.len());
            let pushed = push_all(cx, &codes, &captured);
            if let Err(stop) = pushed {
                cx.prims.truncate(pb);
                cx.vals.truncate(vb);
                return Err(stop);
            }
            cx.tick().inspect_err(|_| cx.at = Some(span))?;
            Ok((pb, vb))
        };
        match self.program.functions[index].ret.prim_type() {
            Some(prim) => Ok(Code::P(
                P::new(move |cx| {
                    let (pb, vb) = enter(cx)?;
                    let machine = cx.machine;
                    let unit = &machine.functions[index];
                    let frame = cx.enter(unit, pb, vb).inspect_err(|_| cx.at = Some(span))?;
                    let ran = cx.run_prim(unit);
                    cx.leave(frame);
                    ran
                }),
                prim,
            )),
            None => Ok(Code::V(V::new(move |cx| {
                let (pb, vb) = enter(cx)?;
                let machine = cx.machine;
                let unit = &machine.functions[index];
                let frame = cx.enter(unit, pb, vb).inspect_err(|_| cx.at = Some(span))?;
                let ran = cx.run(unit);
                cx.leave(frame);
                ran
            }))),
        }
    }

    /// A function value applied.
    pub fn apply(&mut self, frame: &mut Frame, e: &Expr, func: &Expr, args: &[Expr]) -> Understood<Code> {
        let func = self.value(frame, func)?.code();
        let mut codes = Vec::new();
        for arg in args {
            codes.push(self.value(frame, arg)?.code());
        }
        let code = V::new(move |cx| {
            let f = func(cx)?;
            let mut values = Vec::with_capacity(codes.len());
            for code in &codes {
                values.push(code(cx)?);
            }
            cx.call_value(&f, &values)
        });
        Ok(typed(code, &e.ty))
    }
}

fn push_all(cx: &mut Cx<'_>, args: &[Arg], captured: &[Slot]) -> Run<()> {
    for arg in args {
        match arg {
            Arg::Prim(code) => {
                let v = code(cx)?;
                cx.prims.push(v);
            }
            Arg::Val(code) => {
                let v = code(cx)?;
                cx.vals.push(v);
            }
            Arg::Cell(code) => {
                let v = code(cx)?;
                cx.vals.push(cell(v));
            }
        }
    }
    for slot in captured {
        match slot {
            Slot::Prim(i, _) => {
                let v = cx.prims[cx.pb + i];
                cx.prims.push(v);
            }
            Slot::Val(i) => {
                let v = cx.vals[cx.vb + i].clone();
                cx.vals.push(v);
            }
            Slot::Cell(i, prim) | Slot::Lazy(i, prim) => {
                let v = shared(cx, *i, *prim);
                cx.vals.push(v);
            }
        }
    }
    Ok(())
}

/// A by-name parameter handed on as it is, not forced.
fn is_by_name_itself(arg: &Expr) -> bool {
    matches!((&arg.kind, &arg.ty), (ExprKind::Local(_), Ty::Fn(params, _)) if params.is_empty())
}
