//! `sequence` over integers, dates and timestamps.

use super::super::calendar::{DAY, add_months};
use super::super::plan::{Call, Node, RowResult, Stop, exc};
use super::super::resolve::{implicit, lacks};
use super::super::ty::{Ty, tightest};
use super::super::val::Val;
use super::MAX_ROW;

/// Start, stop and step.
pub fn signature(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    if !matches!(args.len(), 2 | 3) {
        return Err(format!("takes 2 or 3 arguments, found {}", args.len()));
    }
    let t = tightest(&args[0].ty, &args[1].ty, ansi).ok_or("start and stop have nothing in common")?;
    let given = std::mem::take(args);
    if t.is_integral() {
        let t = match given.get(2) {
            Some(s) => tightest(&t, &s.ty, ansi)
                .filter(Ty::is_integral)
                .ok_or("the step is no integer")?,
            None => t,
        };
        for n in given {
            args.push(implicit(n, &t, false).ok_or("needs integers")?);
        }
        return Ok(Ty::Arr(Box::new(t)));
    }
    if t != Ty::Date {
        return Err(lacks(&format!("a sequence of {t} is not covered by the cpu engine")));
    }
    for (i, n) in given.into_iter().enumerate() {
        if i == 2 {
            if !matches!(n.ty, Ty::Day | Ty::Ym) {
                return Err(lacks(
                    "a sequence of dates takes a step of days or months in the cpu engine",
                ));
            }
            args.push(n);
        } else {
            args.push(implicit(n, &t, false).ok_or("needs dates")?);
        }
    }
    Ok(Ty::Arr(Box::new(t)))
}

/// One row.
pub fn run<'a>(c: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let (start, stop) = (a[0].long(), a[1].long());
    let months = matches!(a.get(2), Some(Val::Ym(_)));
    let step = match a.get(2) {
        Some(Val::Dt(us)) => us / DAY,
        Some(v) => v.long(),
        None => {
            if start <= stop {
                1
            } else {
                -1
            }
        }
    };
    let bad = (step == 0 && start != stop) || (step > 0 && start > stop) || (step < 0 && start < stop);
    if bad {
        return Err(Stop::Throw(exc::ILLEGAL_ARGUMENT));
    }
    if start == stop {
        return Ok(Val::Arr(vec![a[0].clone()]));
    }
    let mut out = Vec::new();
    for k in 0.. {
        let n = if months {
            Some(add_months(start, step * k))
        } else {
            step.checked_mul(k).and_then(|d| start.checked_add(d))
        };
        let Some(n) = n.filter(|n| if step > 0 { *n <= stop } else { *n >= stop }) else {
            break;
        };
        if k > MAX_ROW / 8 {
            return Err(Stop::Refuse("a row makes a longer sequence than is run".into()));
        }
        out.push(match c.args[0] {
            Ty::Date => Val::Date(n as i32),
            ref t => super::super::cast::wrap(t, n),
        });
    }
    Ok(Val::Arr(out))
}
