//! Literals of the candidate's Scala: numbers, characters, strings and interpolated strings.

use tree_sitter::Node;

use super::super::ast::*;
use super::Parser;
use crate::error::{Error, Result};

impl Parser<'_> {
    pub(super) fn number(&self, n: Node<'_>) -> Result<Kind> {
        let text = self.text(n).replace('_', "");
        let bad = || Error::compile(format!("bad number `{text}`")).at(self.file.location(Self::span(n)));
        if n.kind() == "floating_point_literal" {
            return match text.as_bytes().last() {
                Some(b'f' | b'F') => text[..text.len() - 1].parse().map(Kind::Float).map_err(|_| bad()),
                Some(b'd' | b'D') => text[..text.len() - 1].parse().map(Kind::Double).map_err(|_| bad()),
                _ => text.parse().map(Kind::Double).map_err(|_| bad()),
            };
        }
        let (negative, body) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.as_str()),
        };
        let hex = body.strip_prefix("0x").or_else(|| body.strip_prefix("0X"));
        match (hex, body.as_bytes().last()) {
            (None, Some(b'f' | b'F')) => return text[..text.len() - 1].parse().map(Kind::Float).map_err(|_| bad()),
            (None, Some(b'd' | b'D')) => return text[..text.len() - 1].parse().map(Kind::Double).map_err(|_| bad()),
            _ => {}
        }
        let long = body.ends_with(['L', 'l']);
        let digits = hex.unwrap_or(body).trim_end_matches(['L', 'l']);
        let magnitude = u64::from_str_radix(digits, if hex.is_some() { 16 } else { 10 }).map_err(|_| bad())?;
        let value = if negative {
            -i128::from(magnitude)
        } else {
            i128::from(magnitude)
        };
        if long {
            let fits = if hex.is_some() {
                true
            } else {
                i64::try_from(value).is_ok()
            };
            return if fits { Ok(Kind::Long(value as i64)) } else { Err(bad()) };
        }
        let fits = if hex.is_some() {
            magnitude <= u64::from(u32::MAX)
        } else {
            i32::try_from(value).is_ok()
        };
        if fits { Ok(Kind::Int(value as i32)) } else { Err(bad()) }
    }

    pub(super) fn character(&self, n: Node<'_>) -> Result<Kind> {
        let text = self.text(n);
        let inner = &text[1..text.len().saturating_sub(1).max(1)];
        let value: Vec<u16> = self.unescape(n, inner)?.encode_utf16().collect();
        match value[..] {
            [unit] => Ok(Kind::Char(unit)),
            _ => Err(Error::compile("bad character literal").at(self.file.location(Self::span(n)))),
        }
    }

    pub(super) fn string(&self, n: Node<'_>) -> Result<String> {
        let text = self.text(n);
        if let Some(raw) = text.strip_prefix("\"\"\"") {
            return Ok(raw.strip_suffix("\"\"\"").unwrap_or(raw).to_string());
        }
        self.unescape(n, &text[1..text.len() - 1])
    }

    fn unescape(&self, n: Node<'_>, text: &str) -> Result<String> {
        let mut units: Vec<u16> = Vec::new();
        let mut chars = text.chars();
        let bad = || Error::compile("bad escape in a literal").at(self.file.location(Self::span(n)));
        while let Some(c) = chars.next() {
            if c != '\\' {
                units.extend(c.encode_utf16(&mut [0; 2]).iter());
                continue;
            }
            let unit = match chars.next().ok_or_else(bad)? {
                'n' => 10,
                't' => 9,
                'r' => 13,
                'b' => 8,
                'f' => 12,
                q @ ('"' | '\'' | '\\') => q as u16,
                'u' => {
                    let hex: String = chars.by_ref().skip_while(|c| *c == 'u').take(4).collect();
                    u16::from_str_radix(&hex, 16).map_err(|_| bad())?
                }
                d @ '0'..='7' => {
                    let mut value = d as u16 - 48;
                    while let Some(next @ '0'..='7') = chars.clone().next().filter(|_| value < 32) {
                        value = value * 8 + (next as u16 - 48);
                        chars.next();
                    }
                    value
                }
                _ => return Err(bad()),
            };
            units.push(unit);
        }
        String::from_utf16(&units).map_err(|_| {
            Error::not_proven("a literal with a lone surrogate is not covered").at(self.file.location(Self::span(n)))
        })
    }

    pub(super) fn interpolated(&self, n: Node<'_>) -> Result<Kind> {
        let name = self.text(self.field(n, "interpolator")?);
        if !matches!(name, "s" | "raw") {
            return self.refuse(n, format!("the interpolator `{name}` is not covered"));
        }
        let body = Self::named(n)
            .into_iter()
            .find(|c| c.kind() == "interpolated_string")
            .ok_or_else(|| Error::compile("incomplete interpolation").at(self.file.location(Self::span(n))))?;
        let whole = self.text(body);
        let quotes = if whole.starts_with("\"\"\"") { 3 } else { 1 };
        let mut parts = Vec::new();
        let mut at = body.start_byte() + quotes;
        let literal = |from: usize, to: usize, parts: &mut Vec<Expr>| -> Result<()> {
            if from < to {
                let text = self.file.text[from..to].replace("$$", "$");
                let text = if name == "raw" {
                    text
                } else {
                    self.unescape(body, &text)?
                };
                parts.push(Expr {
                    kind: Kind::Str(text),
                    span: Self::span(body),
                });
            }
            Ok(())
        };
        for hole in Self::named(body).into_iter().filter(|c| c.kind() == "interpolation") {
            literal(at, hole.start_byte(), &mut parts)?;
            let inner = Self::named(hole)
                .first()
                .copied()
                .ok_or_else(|| Error::compile("empty interpolation").at(self.file.location(Self::span(hole))))?;
            parts.push(self.expr(inner)?);
            at = hole.end_byte();
        }
        literal(at, body.end_byte() - quotes, &mut parts)?;
        Ok(Kind::Interp(parts))
    }
}
