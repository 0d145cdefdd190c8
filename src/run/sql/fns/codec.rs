//! Bytes and text: base64, character sets, URL encoding, and numbers with thousands separators.

use num_bigint::BigInt;

use super::super::decimal::{Round, plain, rescale};
use super::super::plan::{Call, Def, Node, Nulls, RowResult, Stop, exc};
use super::super::resolve::{apply, implicit, lacks};
use super::super::ty::Ty;
use super::super::val::Val;
use super::{own, strict};

/// The functions of this file.
pub const TABLE: &[Def] = &[
    strict("base64", "x -> s", |_, a| Ok(Val::text(mime_encode(a[0].bytes())))),
    strict("unbase64", "s -> x", |_, a| mime_decode(a[0].bytes())),
    strict("encode", "s s -> x", encode),
    strict("decode", "x s -> s", decode),
    strict("url_encode", "s -> s", |_, a| Ok(Val::text(url_encode(a[0].str())))),
    strict("url_decode", "s -> s", |_, a| url_decode(a[0].str())),
    own("format_number", Nulls::Strict, format_sig, format_number),
];

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// `Base64.getMimeEncoder`: lines of 76 characters ended by CR LF.
fn mime_encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() * 4 / 3 + 4);
    for (i, group) in bytes.chunks(3).enumerate() {
        if i > 0 && i % 19 == 0 {
            out.push_str("\r\n");
        }
        let n = group.iter().fold(0u32, |acc, b| acc << 8 | u32::from(*b)) << (8 * (3 - group.len()));
        for k in 0..4 {
            let six = (n >> (18 - 6 * k) & 63) as usize;
            out.push(if k <= group.len() {
                char::from(ALPHABET[six])
            } else {
                '='
            });
        }
    }
    out
}

/// `Base64.getMimeDecoder`: other characters are skipped, a broken end raises.
fn mime_decode<'a>(src: &[u8]) -> RowResult<Val<'a>> {
    let bad = || Err(Stop::Throw(exc::ILLEGAL_ARGUMENT));
    let (mut out, mut bits, mut shift) = (Vec::new(), 0u32, 18i32);
    let mut at = 0;
    while at < src.len() {
        let b = src[at];
        at += 1;
        if b == b'=' {
            let second_missing = shift == 6 && {
                let missing = src.get(at) != Some(&b'=');
                at += 1;
                missing
            };
            if second_missing || shift == 18 {
                return bad();
            }
            break;
        }
        let Some(six) = ALPHABET.iter().position(|c| *c == b) else {
            continue;
        };
        bits |= (six as u32) << shift;
        shift -= 6;
        if shift < 0 {
            out.extend_from_slice(&bits.to_be_bytes()[1..]);
            (bits, shift) = (0, 18);
        }
    }
    match shift {
        6 => out.push((bits >> 16) as u8),
        0 => out.extend_from_slice(&bits.to_be_bytes()[1..3]),
        12 => return bad(),
        _ => {}
    }
    if src
        .get(at..)
        .is_some_and(|rest| rest.iter().any(|b| ALPHABET.contains(b)))
    {
        return bad();
    }
    Ok(Val::Bin(out.into()))
}

fn encode<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let s = a[0].str();
    let wide = |f: fn(u16) -> [u8; 2]| s.encode_utf16().flat_map(f).collect::<Vec<u8>>();
    let single = |limit: u32| {
        s.chars()
            .map(|c| if (c as u32) < limit { c as u32 as u8 } else { b'?' })
            .collect::<Vec<u8>>()
    };
    let bytes = match a[1].str().to_ascii_uppercase().as_str() {
        "UTF-8" => s.as_bytes().to_vec(),
        "US-ASCII" => single(0x80),
        "ISO-8859-1" => single(0x100),
        "UTF-16BE" => wide(u16::to_be_bytes),
        "UTF-16LE" => wide(u16::to_le_bytes),
        "UTF-16" if s.is_empty() => Vec::new(),
        "UTF-16" => [vec![0xfe, 0xff], wide(u16::to_be_bytes)].concat(),
        other => {
            return Err(Stop::Refuse(format!(
                "the character set `{other}` is not covered by the cpu engine"
            )));
        }
    };
    Ok(Val::Bin(bytes.into()))
}

fn decode<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let b = a[0].bytes();
    let wide = |b: &[u8], f: fn([u8; 2]) -> u16| {
        let units = b.chunks_exact(2).map(|p| f([p[0], p[1]]));
        let mut out: String = char::decode_utf16(units).map(|c| c.unwrap_or('\u{fffd}')).collect();
        if b.len() % 2 == 1 {
            out.push('\u{fffd}');
        }
        out
    };
    Ok(Val::text(match a[1].str().to_ascii_uppercase().as_str() {
        "UTF-8" => String::from_utf8_lossy(b).into_owned(),
        "US-ASCII" => b
            .iter()
            .map(|x| if x.is_ascii() { char::from(*x) } else { '\u{fffd}' })
            .collect(),
        "ISO-8859-1" => b.iter().map(|x| char::from(*x)).collect(),
        "UTF-16BE" => wide(b, u16::from_be_bytes),
        "UTF-16LE" => wide(b, u16::from_le_bytes),
        other => {
            return Err(Stop::Refuse(format!(
                "the character set `{other}` is not covered by the cpu engine"
            )));
        }
    }))
}

fn url_encode(s: &str) -> String {
    let mut out = String::with_capacity(s.len());
    for b in s.bytes() {
        match b {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'*' | b'_' | b'-' => out.push(char::from(b)),
            b' ' => out.push('+'),
            _ => out.push_str(&format!("%{b:02X}")),
        }
    }
    out
}

/// `URLDecoder.decode`: two characters after a percent sign go through `Integer.parseInt(…, 16)`, which takes a sign.
fn url_decode<'a>(s: &str) -> RowResult<Val<'a>> {
    let bad = || Err(Stop::Throw(exc::SPARK_ILLEGAL_ARGUMENT));
    let mut out = String::with_capacity(s.len());
    let mut run: Vec<u8> = Vec::new();
    let mut chars = s.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            out.push_str(&String::from_utf8_lossy(&run));
            run.clear();
            out.push(if c == '+' { ' ' } else { c });
            continue;
        }
        let (Some(h), Some(l)) = (chars.next(), chars.next()) else {
            return bad();
        };
        if !h.is_ascii() || !l.is_ascii() {
            let digits = [h, l]
                .iter()
                .all(|c| c.is_ascii() || super::super::text::digit_value(*c).is_some());
            if digits {
                return Err(Stop::Refuse(
                    "percent signs before digits of other scripts are not covered".into(),
                ));
            }
            return bad();
        }
        let value = match (h, l.to_digit(16)) {
            ('+', Some(v)) => v,
            ('-', Some(0)) => 0,
            (_, Some(v)) => match h.to_digit(16) {
                Some(u) => u * 16 + v,
                None => return bad(),
            },
            _ => return bad(),
        };
        run.push(value as u8);
    }
    out.push_str(&String::from_utf8_lossy(&run));
    Ok(Val::text(out))
}

fn format_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    if args.len() != 2 {
        return Err(format!("takes 2 arguments, found {}", args.len()));
    }
    if !args[0].ty.is_numeric() {
        let n = args.remove(0);
        args.insert(0, implicit(n, &Ty::F64, ansi).ok_or("needs a number")?);
    }
    if args[1].ty == Ty::Str {
        return match args[1].constant() {
            Some(Val::Str(p)) if Pattern::parse(p).is_some() => Ok(Ty::Str),
            _ => Err(lacks(
                "this pattern of `format_number` is not covered by the cpu engine",
            )),
        };
    }
    apply("n i -> s", args, ansi)
}

/// A plain pattern of `DecimalFormat`: grouping, least integer digits, least and most places.
struct Pattern {
    grouping: Option<usize>,
    least_whole: usize,
    least_places: usize,
    places: usize,
}

impl Pattern {
    fn parse(p: &str) -> Option<Pattern> {
        let (whole, part) = p.split_once('.').unwrap_or((p, ""));
        let plain = |s: &str, first: char, then: char| {
            let rest = s.trim_start_matches(first);
            rest.chars()
                .all(|c| c == then)
                .then(|| (s.len() - rest.len(), rest.len()))
        };
        let digits: String = whole.chars().filter(|c| *c != ',').collect();
        let (_, mut least_whole) = plain(&digits, '#', '0')?;
        let (least_places, more) = plain(part, '0', '#')?;
        if digits.is_empty() {
            return None;
        }
        // Without any zero, a pattern with a point still writes one digit before it.
        if least_whole == 0 && least_places == 0 && p.contains('.') {
            least_whole = 1;
        }
        let grouping = whole.rfind(',').map(|i| whole.len() - i - 1);
        if grouping == Some(0) {
            return None;
        }
        Some(Pattern {
            grouping,
            least_whole,
            least_places,
            places: least_places + more,
        })
    }
}

fn format_number<'a>(c: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let p = match &a[1] {
        Val::Str(s) if s.is_empty() => Pattern {
            grouping: Some(3),
            least_whole: 1,
            least_places: 0,
            places: 0,
        },
        Val::Str(s) => match Pattern::parse(s) {
            Some(p) => p,
            None => return Err(Stop::Refuse("this pattern of `format_number` is not covered".into())),
        },
        d if d.int() < 0 => return Ok(Val::Null),
        d => Pattern {
            grouping: Some(3),
            least_whole: 1,
            least_places: d.int() as usize,
            places: d.int() as usize,
        },
    };
    if p.places > 300 {
        return Err(Stop::Refuse(
            "more than 300 places are not covered by the cpu engine".into(),
        ));
    }
    let (negative, digits) = match (&c.args[0], &a[0]) {
        (Ty::Dec(_, s), Val::Dec(v)) => {
            let places = p.places.min(usize::from(*s)) as i32;
            let cut = rescale(&BigInt::from(*v), i32::from(*s), places, Round::HalfEven);
            let text = plain(i128::try_from(&cut).unwrap_or(0), places as u8);
            (
                text.starts_with('-') || (*v < 0),
                text.trim_start_matches('-').to_string(),
            )
        }
        (t, v) if t.is_float() => {
            let x = v.double();
            if x.is_nan() {
                return Ok(Val::text("NaN"));
            }
            if x.is_infinite() {
                return Ok(Val::text(if x < 0.0 { "-∞" } else { "∞" }));
            }
            (x.is_sign_negative(), rounded_digits(x.abs(), p.places)?)
        }
        (_, v) => (v.long() < 0, v.long().unsigned_abs().to_string()),
    };
    Ok(Val::text(grouped(&p, negative, &digits)))
}

/// `DecimalFormat` starts from the digits of `Double.toString`; a tie among them is decided by the exact binary value, which
/// Rust writes and rounds to even.
fn rounded_digits(x: f64, places: usize) -> RowResult<String> {
    let text = super::super::jvmlib::double_text(x)?;
    let Some((v, scale)) = super::super::decimal::parse(&text) else {
        return Err(Stop::Refuse(format!("`{text}` is no decimal")));
    };
    if places as i64 <= scale {
        return Ok(format!("{x:.places$}"));
    }
    let digits = v.to_string();
    let Ok(scale) = usize::try_from(scale) else {
        return Ok(format!("{digits}{}", "0".repeat(scale.unsigned_abs() as usize)));
    };
    let digits = format!("{digits:0>width$}", width = scale + 1);
    let (whole, part) = digits.split_at(digits.len() - scale);
    Ok(format!("{whole}.{part}"))
}

fn grouped(p: &Pattern, negative: bool, digits: &str) -> String {
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let whole = whole.trim_start_matches('0');
    let whole = format!("{whole:0>width$}", width = p.least_whole);
    let mut part = part.trim_end_matches('0').to_string();
    while part.len() < p.least_places {
        part.push('0');
    }
    let mut out = String::new();
    if negative {
        out.push('-');
    }
    for (i, c) in whole.chars().enumerate() {
        let left = whole.len() - i;
        if i > 0 && p.grouping.is_some_and(|g| left % g == 0) {
            out.push(',');
        }
        out.push(c);
    }
    if whole.is_empty() && part.is_empty() {
        out.push('0');
    }
    if !part.is_empty() {
        out.push('.');
        out.push_str(&part);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_breaks_lines_and_reads_them_again() {
        let bytes: Vec<u8> = (0..100).collect();
        let text = mime_encode(&bytes);
        assert_eq!(text.find("\r\n"), Some(76));
        assert_eq!(mime_decode(text.as_bytes()).unwrap().bytes(), bytes);
        assert!(mime_decode(b"YQ=").is_err());
        assert_eq!(mime_decode(b"YQ==").unwrap().bytes(), b"a");
    }
}
