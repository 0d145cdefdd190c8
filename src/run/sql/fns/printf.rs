//! `format_string`, alias `printf`: Java's `Formatter`, which Spark calls with boxed arguments.

use super::super::plan::{CLASSES, Call, Def, Node, Nulls, RowResult, Stop};
use super::super::resolve::lacks;
use super::super::ty::Ty;
use super::super::val::Val;
use super::own;
use crate::jvm::decimal::JDecimal;
use crate::jvm::format::{Arg, Float, FormatError, format};

/// The functions of this file.
pub const TABLE: &[Def] = &[own("format_string", Nulls::Sees, sig, run)];

fn sig(args: &mut Vec<Node>, _ansi: bool) -> Result<Ty, String> {
    let Some(first) = args.first() else {
        return Err("takes at least 1 argument, found 0".into());
    };
    if !matches!(first.ty, Ty::Str | Ty::Null) {
        return Err("needs a text as its first argument".into());
    }
    let covered = |t: &Ty| t.is_numeric() || matches!(t, Ty::Str | Ty::Bool | Ty::Null);
    match args[1..].iter().find(|a| !covered(&a.ty)) {
        Some(_) => Err(lacks(
            "`format_string` of a value other than text, number or boolean is not covered by the cpu engine",
        )),
        None => Ok(Ty::Str),
    }
}

fn run<'a>(c: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let Val::Str(pattern) = &a[0] else { return Ok(Val::Null) };
    let args: Vec<Arg> = a[1..].iter().zip(&c.args[1..]).map(|(v, t)| argument(v, t)).collect();
    let pattern: Vec<u16> = pattern.encode_utf16().collect();
    match format(&pattern, &args) {
        Ok(text) => Ok(Val::text(
            char::decode_utf16(text).map(|c| c.unwrap_or('?')).collect::<String>(),
        )),
        Err(FormatError::Throws(class, message)) => Err(match CLASSES.iter().position(|known| *known == class) {
            Some(code) => Stop::Throw(code as u8),
            None => Stop::Refuse(format!("`format_string` raises {class} ({message})")),
        }),
        Err(FormatError::Unsupported(why)) => Err(Stop::Refuse(why)),
    }
}

/// A value as the object that Spark passes to `String.format`.
fn argument(v: &Val, t: &Ty) -> Arg {
    match v {
        Val::Bool(b) => Arg::Bool(*b),
        Val::I8(x) => Arg::Int((*x).into(), 8),
        Val::I16(x) => Arg::Int((*x).into(), 16),
        Val::I32(x) => Arg::Int((*x).into(), 32),
        Val::I64(x) => Arg::Int(*x, 64),
        Val::F32(x) => Arg::Double((*x).into(), Float::Single),
        Val::F64(x) => Arg::Double(*x, Float::Double),
        Val::Dec(x) => {
            let scale = if let Ty::Dec(_, s) = t { i32::from(*s) } else { 0 };
            Arg::Decimal(JDecimal {
                unscaled: (*x).into(),
                scale,
            })
        }
        Val::Str(s) => Arg::Text(s.encode_utf16().collect(), "String"),
        _ => Arg::Null,
    }
}
