//! `CAST` of single values with the rules of Spark 3.5, ANSI off, on, and `try_cast`. In: a value and two types; out: the
//! value of the other type, null, or an exception. Whole numeric columns take the fast path in [`super::arith`].

mod datetime;
mod numeric;
mod to_text;

use super::col::Rt;
use super::plan::{Mode, RowResult, Stop, exc};
use super::ty::Ty;
use super::val::Val;

pub use datetime::{string_to_date, string_to_micros};
pub use numeric::{decimal_of_text, double_of_text, wrap};
pub use to_text::text_of;

/// Casts values under one mode.
pub struct Caster<'r> {
    /// Session settings.
    pub rt: &'r Rt,
    /// What to do with values that do not fit.
    pub mode: Mode,
}

/// Null where the mode is lenient, an exception where it is strict.
fn bad<'a>(mode: Mode, code: u8) -> RowResult<Val<'a>> {
    match mode {
        Mode::Ansi => Err(Stop::Throw(code)),
        Mode::Legacy | Mode::Try => Ok(Val::Null),
    }
}

impl Caster<'_> {
    /// Casts one value that is not null.
    pub fn value<'a>(&self, from: &Ty, to: &Ty, v: &Val<'a>) -> RowResult<Val<'a>> {
        if v.is_null() {
            return Ok(Val::Null);
        }
        if from == to {
            return Ok(v.clone());
        }
        match (from, to) {
            (_, Ty::Str) => text_of(self.rt, self.mode, from, v).map(Val::text),
            (_, Ty::Bool) => self.to_bool(from, v),
            (_, Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64) => numeric::to_integer(self, from, to, v),
            (_, Ty::F32 | Ty::F64) => numeric::to_float(self, from, to, v),
            (_, Ty::Dec(p, s)) => numeric::to_decimal(self, from, *p, *s, v),
            (_, Ty::Date) => datetime::to_date(self, from, v),
            (_, Ty::Ts) => datetime::to_timestamp(self, from, v),
            (Ty::Str, Ty::Bin) => Ok(Val::Bin(v.bytes().to_vec().into())),
            (_, Ty::Bin) => Ok(Val::Bin(
                match v {
                    Val::I8(n) => n.to_be_bytes().to_vec(),
                    Val::I16(n) => n.to_be_bytes().to_vec(),
                    Val::I32(n) => n.to_be_bytes().to_vec(),
                    _ => v.long().to_be_bytes().to_vec(),
                }
                .into(),
            )),
            (Ty::Arr(a), Ty::Arr(b)) => {
                let items = v
                    .items()
                    .iter()
                    .map(|x| self.value(a, b, x))
                    .collect::<RowResult<_>>()?;
                Ok(Val::Arr(items))
            }
            (Ty::Map(k, w), Ty::Map(l, x)) => {
                let each = |(p, q): &(Val<'a>, Val<'a>)| Ok((self.value(k, l, p)?, self.value(w, x, q)?));
                Ok(Val::Map(v.entries().iter().map(each).collect::<RowResult<_>>()?))
            }
            (Ty::Struct(f), Ty::Struct(g)) => {
                let items = v.items().iter().zip(f.iter().zip(g));
                let cast = items.map(|(x, ((_, a), (_, b)))| self.value(a, b, x));
                Ok(Val::Struct(cast.collect::<RowResult<_>>()?))
            }
            _ => Err(Stop::Refuse(format!(
                "a cast from {from} to {to} is not covered by the cpu engine"
            ))),
        }
    }

    fn to_bool<'a>(&self, from: &Ty, v: &Val<'a>) -> RowResult<Val<'a>> {
        if *from == Ty::Str {
            let t = super::text::trim_all(v.str()).to_ascii_lowercase();
            return match t.as_str() {
                "t" | "true" | "y" | "yes" | "1" => Ok(Val::Bool(true)),
                "f" | "false" | "n" | "no" | "0" => Ok(Val::Bool(false)),
                _ => bad(self.mode, exc::SPARK_RUNTIME),
            };
        }
        Ok(match v {
            Val::F32(_) | Val::F64(_) => Val::Bool(v.double() != 0.0),
            Val::Dec(d) => Val::Bool(*d != 0),
            Val::Date(_) => Val::Null,
            _ => Val::Bool(v.long() != 0),
        })
    }
}

/// Whether Spark allows the cast at all.
pub fn allowed(from: &Ty, to: &Ty, mode: Mode) -> bool {
    if from == to || *from == Ty::Null {
        return true;
    }
    let strict = mode != Mode::Legacy;
    match (from, to) {
        (a, b) if a.is_interval() || b.is_interval() => false,
        (Ty::Arr(a), Ty::Arr(b)) => allowed(a, b, mode),
        (Ty::Map(a, b), Ty::Map(c, d)) => allowed(a, c, mode) && allowed(b, d, mode),
        (Ty::Struct(a), Ty::Struct(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((_, x), (_, y))| allowed(x, y, mode))
        }
        (_, Ty::Str) => true,
        (Ty::Arr(_) | Ty::Map(..) | Ty::Struct(_), _) | (_, Ty::Arr(_) | Ty::Map(..) | Ty::Struct(_) | Ty::Null) => {
            false
        }
        (Ty::Str, _) => true,
        (Ty::Bin, _) => false,
        (a, Ty::Bin) => a.is_integral() && !strict,
        (Ty::Date, Ty::Ts) | (Ty::Ts, Ty::Date) => true,
        (Ty::Date, _) => !strict,
        (_, Ty::Date) => false,
        (Ty::Bool, Ty::Ts) | (Ty::Ts, Ty::Bool) => !strict,
        _ => true,
    }
}
