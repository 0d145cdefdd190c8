//! `String.format` and Scala's `f"…"`. In: a format that is known when the kernel is written; out: lines that append its parts.
//! Covered are `%s`, `%d`, `%c`, `%%`, `%n`, `%x` with a width, zeros and `-`, and `%.2f`; other conversions are refused.

use super::emit::Emit;
use super::slots::unboxed;
use super::types::Cpp;
use crate::jvm::value::Value;
use crate::lang::ast::*;
use crate::lang::ty::Prim;
use crate::source::{Refusal, Understood};

/// A part of a format.
enum Part {
    Text(Vec<u16>),
    /// Conversion, width, zeros in front, to the left.
    Value(char, usize, bool, bool),
    /// `%.nf`: places, width.
    Places(usize, usize),
}

/// The parts of a format; `None` where something is not covered.
fn parts(format: &[u16]) -> Option<Vec<Part>> {
    let (mut out, mut text, mut i) = (Vec::new(), Vec::new(), 0);
    while i < format.len() {
        if format[i] != u16::from(b'%') {
            text.push(format[i]);
            i += 1;
            continue;
        }
        i += 1;
        let (mut zeros, mut left) = (false, false);
        while let Some(c) = format
            .get(i)
            .and_then(|u| u8::try_from(*u).ok())
            .filter(|c| matches!(c, b'0' | b'-'))
        {
            zeros |= c == b'0';
            left |= c == b'-';
            i += 1;
        }
        let mut width = 0;
        while let Some(digit) = format
            .get(i)
            .and_then(|u| char::from_u32(u32::from(*u)))
            .and_then(|c| c.to_digit(10))
        {
            width = width * 10 + digit as usize;
            i += 1;
        }
        let mut places = None;
        if format.get(i) == Some(&u16::from(b'.')) {
            i += 1;
            places = format
                .get(i)
                .and_then(|u| char::from_u32(u32::from(*u)))
                .and_then(|c| c.to_digit(10));
            places?;
            i += 1;
        }
        let conversion = char::from_u32(u32::from(*format.get(i)?))?;
        i += 1;
        if conversion == 'f' && !zeros && !left && width <= 60 {
            out.push(Part::Text(std::mem::take(&mut text)));
            out.push(Part::Places(places.unwrap_or(6) as usize, width));
            continue;
        }
        if places.is_some() {
            return None;
        }
        let plain = !zeros && !left && width == 0;
        match conversion {
            '%' | 'n' if plain => text.push(if conversion == '%' { 37 } else { 10 }),
            's' | 'c' if !zeros && (width > 0 || !left) && width <= 60 => {
                out.push(Part::Text(std::mem::take(&mut text)));
                out.push(Part::Value(conversion, width, false, left));
            }
            'd' | 'x' if !(zeros && left) && (width > 0 || plain) && width <= 60 => {
                out.push(Part::Text(std::mem::take(&mut text)));
                out.push(Part::Value(conversion, width, zeros, left));
            }
            _ => return None,
        }
    }
    out.push(Part::Text(text));
    Some(out)
}

impl<'p> Emit<'p> {
    pub(super) fn format(&mut self, args: &'p [Expr], e: &'p Expr) -> Understood<String> {
        let refuse = |why: &str| Refusal::new(e.span, format!("{why} is not covered by the cuda tier"));
        let args = match args {
            [locale, rest @ ..] if rest.len() == 2 && plain_numbers(locale) => rest,
            other => other,
        };
        let [format, rest] = args else {
            return Err(refuse("a format with this locale"));
        };
        self.format_with(format, rest, e)
    }

    /// A format and its values.
    pub(super) fn format_with(&mut self, format: &'p Expr, rest: &'p Expr, e: &'p Expr) -> Understood<String> {
        let refuse = |why: &str| Refusal::new(e.span, format!("{why} is not covered by the cuda tier"));
        let (ExprKind::SeqLit(values), Some(Value::Str(text))) = (&rest.kind, self.known(format)) else {
            return Err(refuse("a format that is no constant"));
        };
        let parts = parts(&text.units()).ok_or_else(|| refuse("this format"))?;
        let wanted = parts.iter().filter(|p| !matches!(p, Part::Text(_))).count();
        if wanted > values.len() {
            return Err(refuse("a format that asks for more values than there are"));
        }
        self.partial = true;
        let texts = self.operands(values.iter().map(unboxed))?;
        let texts: Vec<String> = texts.into_iter().map(|t| self.spill(t, e.span)).collect();
        let builder = self.variable(&Cpp::Builder);
        let mut next = texts.iter().zip(values.iter().map(unboxed));
        for part in parts {
            match part {
                Part::Text(units) if units.is_empty() => {}
                Part::Text(units) => {
                    let text = super::types::text_literal(&units, format.span)?;
                    self.line(format!("{builder}.append(row, {text});"));
                }
                Part::Places(places, width) => {
                    let Some((value, of)) = next.next() else { break };
                    let number = match self.cpp(of)? {
                        Cpp::Prim(Prim::Double) => value.clone(),
                        _ => {
                            return Err(Refusal::new(
                                of.span,
                                format!("`%f` of a {} is not covered by the cuda tier", of.ty),
                            ));
                        }
                    };
                    let text = self.checked(format!("rw::double_fixed(row, {number}, {places})"), of.span);
                    self.line(format!("rw::append_padded(row, {builder}, {text}, {width}, false);"));
                }
                Part::Value(conversion, width, zeros, left) => {
                    let Some((value, of)) = next.next() else { break };
                    let ty = self.cpp(of)?;
                    let line = self.formatted(&builder, conversion, (width, zeros, left), value, &ty, of)?;
                    self.line(line);
                }
            }
        }
        Ok(self.checked(format!("{builder}.finish(row)"), e.span))
    }

    fn formatted(
        &mut self,
        builder: &str,
        conversion: char,
        (width, zeros, left): (usize, bool, bool),
        value: &str,
        ty: &Cpp,
        of: &'p Expr,
    ) -> Understood<String> {
        let refuse = || {
            Refusal::new(
                of.span,
                format!("`%{conversion}` of a {} is not covered by the cuda tier", of.ty),
            )
        };
        match (conversion, ty) {
            ('d', Cpp::Prim(Prim::Byte | Prim::Short | Prim::Int | Prim::Long)) => Ok(format!(
                "rw::append_padded(row, {builder}, static_cast<int64_t>({value}), {width}, {zeros}, {left});"
            )),
            ('d', Cpp::Maybe(inner))
                if matches!(**inner, Cpp::Prim(Prim::Byte | Prim::Short | Prim::Int | Prim::Long)) =>
            {
                Ok(format!(
                    "{value}.valid ? rw::append_padded(row, {builder}, static_cast<int64_t>({value}.value), {width}, {zeros}, {left}) \
                     : rw::append_padded(row, {builder}, rw::null_text(), {width}, {left});"
                ))
            }
            ('x', Cpp::Prim(p @ (Prim::Int | Prim::Long))) => {
                let bits = if *p == Prim::Int { "uint32_t" } else { "uint64_t" };
                let text = self.checked(format!("rw::in_base(row, static_cast<{bits}>({value}), 16)"), of.span);
                Ok(match zeros {
                    true => format!("{builder}.digits(row, static_cast<{bits}>({value}), 16, {width});"),
                    false => format!("rw::append_padded(row, {builder}, {text}, {width}, {left});"),
                })
            }
            ('c', Cpp::Prim(Prim::Char)) if width == 0 => Ok(format!("{builder}.append(row, {value});")),
            ('s', _) if width == 0 => self.appending(builder, ty, value, of),
            ('s', _) => {
                let part = self.variable(&Cpp::Builder);
                let line = self.appending(&part, ty, value, of)?;
                self.line(line);
                let text = self.checked(format!("{part}.finish(row)"), of.span);
                Ok(format!("rw::append_padded(row, {builder}, {text}, {width}, {left});"))
            }
            _ => Err(refuse()),
        }
    }
}

/// Whether a locale writes numbers with digits of ASCII and a point.
pub(super) fn plain_numbers(locale: &Expr) -> bool {
    matches!(&locale.kind, ExprKind::Call { method, .. } if matches!(method.name, "ROOT" | "ENGLISH" | "US" | "UK"))
}
