//! `java.util.Formatter` and `java.text.DecimalFormat` in the root locale. In: a format text and arguments; out: UTF-16
//! text, the exception the JDK throws, or that a conversion is not covered.

pub mod decimal_format;
mod float;
mod spec;

use num_bigint::BigInt;
use num_traits::Signed;

use self::spec::{Spec, flag};
use crate::jvm::decimal::JDecimal;
use crate::jvm::number_text::integer::unsigned_radix_string;
use crate::jvm::unicode::case_map;

/// An argument by its run-time class.
#[derive(Debug, Clone, PartialEq)]
pub enum Arg {
    /// `null`.
    Null,
    /// `Boolean`.
    Bool(bool),
    /// `Character`.
    Char(u16),
    /// `Byte`, `Short`, `Integer`, `Long`, with the number of bits.
    Int(i64, u32),
    /// `BigInteger`.
    BigInt(BigInt),
    /// `Float` (widened) or `Double`.
    Double(f64, Float),
    /// `java.math.BigDecimal`.
    Decimal(JDecimal),
    /// Anything else by its text and its class name.
    Text(Vec<u16>, &'static str),
}

/// Which class a floating argument has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Float {
    /// `Float`: its digits are those of the double it widens to.
    Single,
    /// `Double`.
    Double,
}

/// Why there is no text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FormatError {
    /// An exception: its class and message.
    Throws(&'static str, String),
    /// Not covered.
    Unsupported(String),
}

type Made<T> = Result<T, FormatError>;

fn throws<T>(class: &'static str, message: impl Into<String>) -> Made<T> {
    Err(FormatError::Throws(class, message.into()))
}

/// `String.format(format, args…)`.
pub fn format(format: &[u16], args: &[Arg]) -> Made<Vec<u16>> {
    let pieces = spec::parse(format)?;
    let mut out = Vec::new();
    let (mut ordinary, mut last) = (0, None);
    for piece in &pieces {
        let spec = match piece {
            spec::Piece::Text(text) => {
                out.extend_from_slice(text);
                continue;
            }
            spec::Piece::Spec(spec) => spec,
        };
        if matches!(spec.conversion, b'n' | b'%') {
            out.extend(convert(spec, &Arg::Null)?);
            continue;
        }
        let index = match spec.index {
            Some(i) => i,
            None if spec.has(flag::PREVIOUS) => match last {
                Some(i) => i,
                None => {
                    return throws(
                        "MissingFormatArgumentException",
                        format!("Format specifier '{}'", spec.text),
                    );
                }
            },
            None => {
                ordinary += 1;
                ordinary - 1
            }
        };
        last = Some(index);
        match args.get(index) {
            Some(arg) => out.extend(convert(spec, arg)?),
            None => {
                return throws(
                    "MissingFormatArgumentException",
                    format!("Format specifier '{}'", spec.text),
                );
            }
        }
    }
    Ok(out)
}

fn convert(spec: &Spec, arg: &Arg) -> Made<Vec<u16>> {
    let body = match spec.conversion {
        b'n' => return Ok(vec![10]),
        b'%' => vec![u16::from(b'%')],
        b'b' => truncated(
            spec,
            units(match arg {
                Arg::Null | Arg::Bool(false) => "false",
                _ => "true",
            }),
        ),
        b's' => truncated(spec, text_of(arg)?),
        b'c' => character(spec, arg)?,
        b'd' | b'o' | b'x' => integer(spec, arg)?,
        b'e' | b'f' | b'g' => floating(spec, arg)?,
        other => return Err(not_covered(spec, other)),
    };
    let body = if spec.upper && !matches!(spec.conversion, b'd' | b'f') {
        case_map::upper_string(&body)
    } else {
        body
    };
    Ok(justified(spec, body))
}

fn not_covered(spec: &Spec, conversion: u8) -> FormatError {
    let letter = char::from(conversion);
    FormatError::Unsupported(format!("the conversion {letter} of {} is not covered", spec.text))
}

fn units(s: &str) -> Vec<u16> {
    s.encode_utf16().collect()
}

fn truncated(spec: &Spec, mut text: Vec<u16>) -> Vec<u16> {
    text.truncate(spec.precision.unwrap_or(usize::MAX));
    text
}

fn justified(spec: &Spec, mut text: Vec<u16>) -> Vec<u16> {
    let missing = spec.width.unwrap_or(0).saturating_sub(text.len());
    let blanks = std::iter::repeat_n(0x20, missing);
    if spec.has(flag::LEFT) {
        text.extend(blanks);
        text
    } else {
        blanks.chain(text).collect()
    }
}

fn text_of(arg: &Arg) -> Made<Vec<u16>> {
    Ok(match arg {
        Arg::Null => units("null"),
        Arg::Bool(b) => units(if *b { "true" } else { "false" }),
        Arg::Char(c) => vec![*c],
        Arg::Int(v, _) => units(&v.to_string()),
        Arg::BigInt(v) => units(&v.to_string()),
        Arg::Double(v, Float::Double) => units(&crate::jvm::number_text::double_to_string(*v)),
        Arg::Double(v, Float::Single) => units(&crate::jvm::number_text::float_to_string(*v as f32)),
        Arg::Decimal(_) => {
            return Err(FormatError::Unsupported(
                "the text of a BigDecimal under %s is not covered".into(),
            ));
        }
        Arg::Text(text, _) => text.clone(),
    })
}

fn class_name(arg: &Arg) -> &'static str {
    match arg {
        Arg::Null => "null",
        Arg::Bool(_) => "java.lang.Boolean",
        Arg::Char(_) => "java.lang.Character",
        Arg::Int(_, 8) => "java.lang.Byte",
        Arg::Int(_, 16) => "java.lang.Short",
        Arg::Int(_, 32) => "java.lang.Integer",
        Arg::Int(..) => "java.lang.Long",
        Arg::BigInt(_) => "java.math.BigInteger",
        Arg::Double(_, Float::Single) => "java.lang.Float",
        Arg::Double(..) => "java.lang.Double",
        Arg::Decimal(_) => "java.math.BigDecimal",
        Arg::Text(_, class) => class,
    }
}

fn wrong_class<T>(spec: &Spec, arg: &Arg) -> Made<T> {
    let letter = char::from(if spec.upper {
        spec.conversion.to_ascii_uppercase()
    } else {
        spec.conversion
    });
    throws(
        "IllegalFormatConversionException",
        format!("{letter} != {}", class_name(arg)),
    )
}

fn character(spec: &Spec, arg: &Arg) -> Made<Vec<u16>> {
    match arg {
        Arg::Null => Ok(units("null")),
        Arg::Char(c) => Ok(vec![*c]),
        Arg::Int(v, bits) if *bits <= 32 => crate::jvm::text::search::code_point_units(*v as i32).map_or_else(
            || {
                throws(
                    "IllegalFormatCodePointException",
                    format!("Code point = 0x{:x}", *v as i32),
                )
            },
            Ok,
        ),
        other => wrong_class(spec, other),
    }
}

/// Sign, digits with zeros and groups, closing parenthesis.
fn signed(spec: &Spec, negative: bool, digits: &str, tail: &str) -> String {
    let mut out = String::new();
    match (negative, spec.has(flag::PARENTHESES)) {
        (true, true) => out.push('('),
        (true, false) => out.push('-'),
        _ if spec.has(flag::PLUS) => out.push('+'),
        _ if spec.has(flag::SPACE) => out.push(' '),
        _ => {}
    }
    let digits = if spec.has(flag::GROUP) {
        grouped(digits)
    } else {
        digits.to_string()
    };
    let closing = negative && spec.has(flag::PARENTHESES);
    if spec.has(flag::ZERO) {
        let taken = out.len() + digits.len() + tail.len() + usize::from(closing);
        let zeros = spec.width.unwrap_or(0).saturating_sub(taken);
        out.extend(std::iter::repeat_n('0', zeros));
    }
    out.push_str(&digits);
    out.push_str(tail);
    if closing {
        out.push(')');
    }
    out
}

/// Commas between groups of three digits of the whole part.
fn grouped(digits: &str) -> String {
    let whole = digits.find('.').unwrap_or(digits.len());
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && i < whole && (whole - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

fn integer(spec: &Spec, arg: &Arg) -> Made<Vec<u16>> {
    match (arg, spec.conversion) {
        (Arg::Null, _) => Ok(units("null")),
        (Arg::Int(v, _), b'd') => Ok(units(&signed(spec, *v < 0, &v.unsigned_abs().to_string(), ""))),
        (Arg::BigInt(v), b'd') => Ok(units(&signed(spec, v.is_negative(), &v.abs().to_string(), ""))),
        (Arg::Int(v, bits), radix) => {
            if spec.has(flag::PLUS | flag::SPACE | flag::PARENTHESES) {
                return throws(
                    "FormatFlagsConversionMismatchException",
                    format!("Conversion = {}", char::from(radix)),
                );
            }
            let mask = if *bits == 64 { u64::MAX } else { (1 << bits) - 1 };
            let digits = unsigned_radix_string(*v as u64 & mask, if radix == b'x' { 16 } else { 8 });
            let prefix = match (spec.has(flag::ALTERNATE), radix) {
                (true, b'x') => "0x",
                (true, _) => "0",
                _ => "",
            };
            let taken = prefix.len() + digits.len();
            let zeros = if spec.has(flag::ZERO) {
                spec.width.unwrap_or(0).saturating_sub(taken)
            } else {
                0
            };
            Ok(units(&format!("{prefix}{}{digits}", "0".repeat(zeros))))
        }
        (Arg::BigInt(_), other) => Err(not_covered(spec, other)),
        (other, _) => wrong_class(spec, other),
    }
}

fn floating(spec: &Spec, arg: &Arg) -> Made<Vec<u16>> {
    match arg {
        Arg::Null => Ok(truncated(spec, units("null"))),
        Arg::Double(v, _) => Ok(units(&float::double(spec, *v))),
        Arg::Decimal(d) if spec.conversion == b'f' => Ok(units(&float::decimal(spec, d))),
        Arg::Decimal(_) => Err(not_covered(spec, spec.conversion)),
        other => wrong_class(spec, other),
    }
}

#[cfg(test)]
mod tests;
