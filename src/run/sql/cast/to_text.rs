//! Casts to STRING.

use crate::run::sql::calendar::{date_text, timestamp_text};
use crate::run::sql::col::Rt;
use crate::run::sql::decimal;
use crate::run::sql::jvmlib;
use crate::run::sql::plan::{Mode, RowResult, Stop};
use crate::run::sql::ty::Ty;
use crate::run::sql::val::Val;

/// The text of a value that is not null.
pub fn text_of(rt: &Rt, mode: Mode, ty: &Ty, v: &Val) -> RowResult<String> {
    Ok(match (ty, v) {
        (_, Val::Str(s)) => s.to_string(),
        (_, Val::Bool(b)) => b.to_string(),
        (_, Val::F64(x)) => jvmlib::double_text(*x)?,
        (_, Val::F32(x)) => jvmlib::float_text(*x)?,
        (Ty::Dec(_, s), Val::Dec(d)) if mode == Mode::Legacy => decimal::java_text(*d, *s),
        (Ty::Dec(_, s), Val::Dec(d)) => decimal::plain(*d, *s),
        (_, Val::Date(d)) => date_text(i64::from(*d)),
        (_, Val::Ts(us)) => timestamp_text(rt.zone.to_local(*us)),
        (_, Val::Bin(b)) => match std::str::from_utf8(b) {
            Ok(s) => s.to_string(),
            Err(_) => return Err(Stop::Refuse("a binary that is not UTF-8 has no exact text here".into())),
        },
        (Ty::Arr(t), Val::Arr(items)) => list(rt, mode, items.iter().map(|x| (&**t, x)), '[', ']')?,
        (Ty::Struct(fs), Val::Struct(items)) => list(rt, mode, fs.iter().map(|(_, t)| t).zip(items), '{', '}')?,
        (Ty::Map(k, w), Val::Map(entries)) => {
            let mut out = String::from("{");
            for (i, (key, value)) in entries.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                out.push_str(&text_of(rt, mode, k, key)?);
                out.push_str(" -> ");
                out.push_str(&or_null(rt, mode, w, value)?);
            }
            out.push('}');
            out
        }
        (t, _) if t.is_interval() => {
            return Err(Stop::Refuse(
                "the text of an interval is not covered by the cpu engine".into(),
            ));
        }
        _ => v.long().to_string(),
    })
}

fn or_null(rt: &Rt, mode: Mode, ty: &Ty, v: &Val) -> RowResult<String> {
    if v.is_null() {
        Ok("null".into())
    } else {
        text_of(rt, mode, ty, v)
    }
}

fn list<'v, 'a: 'v>(
    rt: &Rt,
    mode: Mode,
    items: impl Iterator<Item = (&'v Ty, &'v Val<'a>)>,
    open: char,
    close: char,
) -> RowResult<String> {
    let mut out = String::from(open);
    for (i, (t, x)) in items.enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        out.push_str(&or_null(rt, mode, t, x)?);
    }
    out.push(close);
    Ok(out)
}
