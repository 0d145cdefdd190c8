//! Pieces of compiled code while they are put together: constants and plain slots stay visible, so that what is built on top
//! of them can do without a call. In: pieces; out: closures. Never runs anything.

use crate::jvm::value::Value;
use crate::lang::ty::Prim;

use super::bits;
use super::machine::{BCode, Cx, PCode, Run, Stop, UCode, VCode, boxed};

/// Code that gives a primitive.
pub enum P {
    /// Always the same bits.
    Const(u64),
    /// The primitive slot of that number.
    Slot(usize),
    /// Anything else.
    Code(PCode),
}

/// Code that gives a value.
pub enum V {
    /// Always the same value.
    Const(Value),
    /// The value slot of that number.
    Slot(usize),
    /// Anything else.
    Code(VCode),
}

/// Code of an expression: by its static type it gives a primitive or a value.
pub enum Code {
    /// Of a primitive type.
    P(P, Prim),
    /// A boxed primitive, or null.
    B(B, Prim),
    /// Of any other type.
    V(V),
}

/// Code that gives a boxed primitive or null, made by [`Code::boxed`]; kept apart from [`P`] because its null is a [`Stop`].
pub struct B(BCode);

impl B {
    /// From a closure that says [`Stop::Null`] for null.
    pub fn new(f: impl for<'m> Fn(&mut Cx<'m>) -> Run<u64> + Send + Sync + 'static) -> B {
        B(Box::new(f))
    }

    /// As a closure that says [`Stop::Null`] for null.
    pub fn code(self) -> BCode {
        self.0
    }
}

impl P {
    /// From a closure.
    pub fn new(f: impl for<'m> Fn(&mut Cx<'m>) -> Run<u64> + Send + Sync + 'static) -> P {
        P::Code(Box::new(f))
    }

    /// As a closure.
    pub fn code(self) -> PCode {
        match self {
            P::Const(b) => Box::new(move |_| Ok(b)),
            P::Slot(i) => Box::new(move |cx| Ok(cx.prims[cx.pb + i])),
            P::Code(c) => c,
        }
    }
}

impl V {
    /// From a closure.
    pub fn new(f: impl for<'m> Fn(&mut Cx<'m>) -> Run<Value> + Send + Sync + 'static) -> V {
        V::Code(Box::new(f))
    }

    /// As a closure.
    pub fn code(self) -> VCode {
        match self {
            V::Const(v) => Box::new(move |_| Ok(v.clone())),
            V::Slot(i) => Box::new(move |cx| Ok(cx.vals[cx.vb + i].clone())),
            V::Code(c) => c,
        }
    }

    /// A primitive made from the value, without copying the value out of its slot.
    pub fn map_prim(self, f: impl Fn(&Value) -> Run<u64> + Send + Sync + 'static) -> P {
        match self {
            V::Slot(i) => P::new(move |cx| f(&cx.vals[cx.vb + i])),
            other => {
                let code = other.code();
                P::new(move |cx| {
                    let v = code(cx)?;
                    f(&v)
                })
            }
        }
    }
}

impl Code {
    /// As code that gives a value, primitives boxed.
    pub fn value(self) -> V {
        match self {
            Code::V(v) => v,
            Code::B(b, prim) => {
                let code = b.code();
                V::new(move |cx| boxed(code(cx), prim))
            }
            Code::P(P::Const(b), prim) => V::Const(bits::wrap(b, prim)),
            Code::P(p, prim) => {
                let code = p.code();
                match prim {
                    Prim::Double => V::new(move |cx| Ok(Value::Double(bits::to_double(code(cx)?)))),
                    _ => V::new(move |cx| Ok(bits::wrap(code(cx)?, prim))),
                }
            }
        }
    }

    /// As code that gives a primitive of a type.
    pub fn prim(self, want: Prim) -> P {
        match self {
            Code::P(p, prim) if prim == want => p,
            Code::P(p, prim) => {
                let code = p.code();
                P::new(move |cx| Ok(bits::convert(code(cx)?, prim, want)))
            }
            Code::V(v) => v.map_prim(move |v| Ok(bits::unwrap(v, want)?)),
            boxed => boxed.value().map_prim(move |v| Ok(bits::unwrap(v, want)?)),
        }
    }

    /// As code that gives a boxed primitive of a type, or null; a box of another class throws, as the JVM's cast would.
    pub fn boxed(self, want: Prim) -> B {
        match self {
            Code::B(b, prim) if prim == want => b,
            Code::P(p, prim) if prim == want => B(p.code()),
            Code::V(V::Const(Value::Null)) => B::new(|_| Err(Stop::Null)),
            Code::V(V::Slot(i)) => B::new(move |cx| unbox(&cx.vals[cx.vb + i], want)),
            other => {
                let code = other.value().code();
                B::new(move |cx| {
                    let v = code(cx)?;
                    unbox(&v, want)
                })
            }
        }
    }

    /// As code whose value is dropped.
    pub fn unit(self) -> UCode {
        match self {
            Code::P(P::Const(_) | P::Slot(_), _) | Code::V(V::Const(_) | V::Slot(_)) => Box::new(|_| Ok(())),
            Code::P(P::Code(c), _) => Box::new(move |cx| c(cx).map(drop)),
            Code::B(b, _) => {
                let code = b.code();
                Box::new(move |cx| match code(cx) {
                    Ok(_) | Err(Stop::Null) => Ok(()),
                    Err(stop) => Err(stop),
                })
            }
            Code::V(V::Code(c)) => Box::new(move |cx| c(cx).map(drop)),
        }
    }
}

/// Bits of a box, or [`Stop::Null`].
#[inline]
fn unbox(v: &Value, want: Prim) -> Run<u64> {
    match v {
        Value::Null => Err(Stop::Null),
        v => Ok(bits::unwrap(v, want)?),
    }
}

/// An operation on two primitives.
pub fn binary(lhs: P, rhs: P, f: impl Fn(u64, u64) -> u64 + Copy + Send + Sync + 'static) -> P {
    match (lhs, rhs) {
        (P::Const(a), P::Const(b)) => P::Const(f(a, b)),
        (P::Slot(a), P::Const(b)) => P::new(move |cx| Ok(f(cx.prims[cx.pb + a], b))),
        (P::Slot(a), P::Slot(b)) => P::new(move |cx| Ok(f(cx.prims[cx.pb + a], cx.prims[cx.pb + b]))),
        (P::Code(a), P::Const(b)) => P::new(move |cx| Ok(f(a(cx)?, b))),
        (P::Code(a), P::Slot(b)) => P::new(move |cx| {
            let a = a(cx)?;
            Ok(f(a, cx.prims[cx.pb + b]))
        }),
        (a, b) => {
            let (a, b) = (a.code(), b.code());
            P::new(move |cx| {
                let a = a(cx)?;
                let b = b(cx)?;
                Ok(f(a, b))
            })
        }
    }
}

/// An operation on two primitives that may throw.
pub fn binary_try(lhs: P, rhs: P, f: impl Fn(u64, u64) -> Result<u64, Stop> + Copy + Send + Sync + 'static) -> P {
    let a = lhs.code();
    match rhs {
        P::Const(b) => P::new(move |cx| f(a(cx)?, b)),
        rhs => {
            let b = rhs.code();
            P::new(move |cx| {
                let a = a(cx)?;
                let b = b(cx)?;
                f(a, b)
            })
        }
    }
}

/// An operation on one primitive.
pub fn unary(operand: P, f: impl Fn(u64) -> u64 + Copy + Send + Sync + 'static) -> P {
    match operand {
        P::Const(a) => P::Const(f(a)),
        P::Slot(a) => P::new(move |cx| Ok(f(cx.prims[cx.pb + a]))),
        P::Code(a) => P::new(move |cx| Ok(f(a(cx)?))),
    }
}
