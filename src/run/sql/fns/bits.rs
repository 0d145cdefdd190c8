//! Bits and radix: shifts, counts, `hex`, `bin`, `conv`.

use super::super::plan::{Call, Def, Node, Nulls, RowResult, Stop, exc};
use super::super::resolve::implicit;
use super::super::ty::Ty;
use super::super::val::Val;
use super::{own, strict};

/// The functions of this file.
pub const TABLE: &[Def] = &[
    own("~", Nulls::Strict, integral_sig, not),
    own("bit_count", Nulls::Strict, bit_count_sig, |_, a| {
        Ok(Val::I32(wide(&a[0]).count_ones() as i32))
    }),
    own("shiftleft", Nulls::Strict, shift_sig, |_, a| {
        Ok(shift(
            a,
            |x, n| x.wrapping_shl(n as u32),
            |x, n| x.wrapping_shl(n as u32),
        ))
    }),
    own("shiftright", Nulls::Strict, shift_sig, |_, a| {
        Ok(shift(
            a,
            |x, n| x.wrapping_shr(n as u32),
            |x, n| x.wrapping_shr(n as u32),
        ))
    }),
    own("shiftrightunsigned", Nulls::Strict, shift_sig, |_, a| {
        Ok(shift(
            a,
            |x, n| (x as u32).wrapping_shr(n as u32) as i32,
            |x, n| (x as u64).wrapping_shr(n as u32) as i64,
        ))
    }),
    strict("bin", "l -> s", |_, a| Ok(Val::text(format!("{:b}", a[0].long())))),
    own("hex", Nulls::Strict, hex_sig, hex),
    strict("unhex", "s -> x", unhex),
    strict("conv", "s i i -> s", conv),
    strict("getbit", "l i -> y", getbit),
    strict("bit_get", "l i -> y", getbit),
];

fn wide(v: &Val) -> i64 {
    match v {
        Val::Bool(b) => i64::from(*b),
        other => other.long(),
    }
}

fn getbit<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let at = a[1].int();
    if !(0..64).contains(&at) {
        return Err(Stop::Throw(exc::SPARK_ILLEGAL_ARGUMENT));
    }
    Ok(Val::I8((a[0].long() >> at & 1) as i8))
}

fn integral_sig(args: &mut Vec<Node>, _: bool) -> Result<Ty, String> {
    match args.as_slice() {
        [n] if n.ty.is_integral() => Ok(n.ty.clone()),
        [n] if n.ty == Ty::Null => Ok(Ty::Null),
        _ => Err("needs one integer".into()),
    }
}

fn bit_count_sig(args: &mut Vec<Node>, _: bool) -> Result<Ty, String> {
    match args.as_slice() {
        [n] if n.ty.is_integral() || matches!(n.ty, Ty::Bool | Ty::Null) => Ok(Ty::I32),
        _ => Err("needs one integer or boolean".into()),
    }
}

fn shift_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    if args.len() != 2 {
        return Err(format!("takes 2 arguments, found {}", args.len()));
    }
    let (n, x) = (args.pop(), args.pop());
    let (Some(n), Some(x)) = (n, x) else {
        return Err("takes 2 arguments".into());
    };
    let t = if x.ty == Ty::I64 { Ty::I64 } else { Ty::I32 };
    args.push(implicit(x, &t, ansi).ok_or("needs an integer")?);
    args.push(implicit(n, &Ty::I32, ansi).ok_or("needs an integer distance")?);
    Ok(t)
}

fn not<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    Ok(match a[0] {
        Val::I8(v) => Val::I8(!v),
        Val::I16(v) => Val::I16(!v),
        Val::I32(v) => Val::I32(!v),
        _ => Val::I64(!a[0].long()),
    })
}

fn shift<'a>(a: &[Val<'a>], int: fn(i32, i32) -> i32, long: fn(i64, i32) -> i64) -> Val<'a> {
    match a[0] {
        Val::I64(x) => Val::I64(long(x, a[1].int())),
        _ => Val::I32(int(a[0].int(), a[1].int())),
    }
}

fn hex_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    let [n] = args.as_slice() else {
        return Err(format!("takes 1 argument, found {}", args.len()));
    };
    if matches!(n.ty, Ty::I64 | Ty::Bin | Ty::Str) {
        return Ok(Ty::Str);
    }
    let n = args.remove(0);
    let to = if n.ty.is_numeric() || n.ty == Ty::Null {
        Ty::I64
    } else {
        Ty::Str
    };
    args.push(implicit(n, &to, ansi).ok_or("needs a number, a string or a binary")?);
    Ok(Ty::Str)
}

fn hex<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    Ok(Val::text(match &a[0] {
        Val::I64(v) => format!("{v:X}"),
        other => other.bytes().iter().map(|b| format!("{b:02X}")).collect(),
    }))
}

fn unhex<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let digits = a[0].bytes();
    let nibble = |b: u8| (b as char).to_digit(16).map(|d| d as u8);
    let mut out = Vec::with_capacity(digits.len() / 2 + 1);
    let mut at = 0;
    if digits.len() % 2 == 1 {
        match nibble(digits[0]) {
            Some(d) => out.push(d),
            None => return Ok(Val::Null),
        }
        at = 1;
    }
    for pair in digits[at..].chunks(2) {
        match (nibble(pair[0]), nibble(pair[1])) {
            (Some(h), Some(l)) => out.push(h << 4 | l),
            _ => return Ok(Val::Null),
        }
    }
    Ok(Val::Bin(out.into()))
}

/// `NumberConverter.convert`: digits up to the first bad one, in 64 unsigned bits; a negative target base shows the sign.
fn conv<'a>(c: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let (from, to) = (a[1].int(), a[2].int());
    if !(2..=36).contains(&from) || !(2..=36).contains(&to.unsigned_abs()) || to == i32::MIN {
        return Ok(Val::Null);
    }
    let text = a[0].str().trim_matches(' ');
    if text.is_empty() {
        return Ok(Val::Null);
    }
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let mut v: u64 = 0;
    let mut overflow = false;
    for d in digits.chars().map_while(|ch| ch.to_digit(from as u32)) {
        match v.checked_mul(from as u64).and_then(|x| x.checked_add(u64::from(d))) {
            Some(x) => v = x,
            None => overflow = true,
        }
    }
    if overflow {
        if c.rt.ansi {
            return Err(Stop::Throw(exc::ARITHMETIC));
        }
        v = u64::MAX;
    }
    let mut shows_sign = false;
    if negative && to > 0 {
        v = if overflow || (v as i64) < 0 {
            u64::MAX
        } else {
            (v as i64).wrapping_neg() as u64
        };
    }
    if to < 0 {
        if negative {
            shows_sign = true;
        } else if (v as i64) < 0 {
            v = (v as i64).wrapping_neg() as u64;
            shows_sign = true;
        }
    }
    let base = u64::from(to.unsigned_abs());
    let mut out = Vec::new();
    loop {
        let d = char::from_digit((v % base) as u32, base as u32).unwrap_or('0');
        out.push(d.to_ascii_uppercase());
        v /= base;
        if v == 0 {
            break;
        }
    }
    if shows_sign {
        out.push('-');
    }
    Ok(Val::text(out.into_iter().rev().collect::<String>()))
}
