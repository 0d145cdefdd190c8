//! Literals. In: a literal node; out: a constant with its type. Text blocks lose their indentation as the language says.

use tree_sitter::Node;

use super::cst::{span, text};
use super::{Typer, mk};
use crate::lang::ast::{Expr, ExprKind, Lit};
use crate::lang::ty::Ty;
use crate::source::Understood;

impl<'t> Typer<'t> {
    /// A literal, `None` if the node is none.
    pub(super) fn literal(&mut self, n: Node<'t>, negated: bool) -> Option<Understood<Expr>> {
        let t = text(n, self.text());
        let at = span(n);
        let lit = |l: Lit, ty: Ty| Some(Ok(mk(ExprKind::Lit(l), ty, at)));
        match n.kind() {
            "true" | "false" => lit(Lit::Bool(t == "true"), Ty::BOOLEAN),
            "null_literal" => lit(Lit::Null, Ty::Null),
            "decimal_integer_literal" | "hex_integer_literal" | "octal_integer_literal" | "binary_integer_literal" => {
                Some(match integer(t, negated) {
                    Some((l, ty)) => Ok(mk(ExprKind::Lit(l), ty, at)),
                    None => self.refuse(n, "integer literal out of range"),
                })
            }
            "decimal_floating_point_literal" => Some(match floating(t) {
                Some((l, ty)) => Ok(mk(ExprKind::Lit(l), ty, at)),
                None => self.refuse(n, "floating literal that cannot be read"),
            }),
            "hex_floating_point_literal" => Some(self.refuse(n, "hexadecimal floating literals are not covered")),
            "character_literal" => {
                let inner = t.trim_start_matches('\'').strip_suffix('\'').unwrap_or_default();
                let inner = if t == "'\\''" { "\\'" } else { inner };
                Some(match unescape(inner).as_deref() {
                    Some([unit]) => Ok(mk(ExprKind::Lit(Lit::Char(*unit)), Ty::CHAR, at)),
                    _ => self.refuse(n, "character literal that cannot be read"),
                })
            }
            "string_literal" => {
                let units = match t.strip_prefix("\"\"\"").and_then(|r| r.strip_suffix("\"\"\"")) {
                    Some(block) => text_block(block),
                    None => t.strip_prefix('"').and_then(|r| r.strip_suffix('"')).and_then(unescape),
                };
                Some(match units {
                    Some(units) => Ok(mk(ExprKind::Lit(Lit::Str(units.into())), Ty::String, at)),
                    None => self.refuse(n, "string literal that cannot be read"),
                })
            }
            _ => None,
        }
    }
}

fn integer(t: &str, negated: bool) -> Option<(Lit, Ty)> {
    let t = t.replace('_', "").to_ascii_lowercase();
    let (digits, long) = match t.strip_suffix('l') {
        Some(d) => (d.to_owned(), true),
        None => (t, false),
    };
    let (digits, radix) = if let Some(h) = digits.strip_prefix("0x") {
        (h.to_owned(), 16)
    } else if let Some(b) = digits.strip_prefix("0b") {
        (b.to_owned(), 2)
    } else if digits.len() > 1 && digits.starts_with('0') {
        (digits[1..].to_owned(), 8)
    } else {
        (digits, 10)
    };
    let value = u64::from_str_radix(&digits, radix).ok()?;
    let least = u64::from(negated);
    if long {
        let fits = radix != 10 || value <= i64::MAX as u64 + least;
        return fits.then_some((Lit::Long(value as i64), Ty::LONG));
    }
    let fits = match radix {
        10 => value <= i32::MAX as u64 + least,
        _ => value <= u64::from(u32::MAX),
    };
    fits.then_some((Lit::Int(value as u32 as i32), Ty::INT))
}

fn floating(t: &str) -> Option<(Lit, Ty)> {
    let t = t.replace('_', "").to_ascii_lowercase();
    if let Some(d) = t.strip_suffix('f') {
        return Some((Lit::Float(d.parse().ok()?), Ty::FLOAT));
    }
    let d = t.strip_suffix('d').unwrap_or(&t);
    Some((Lit::Double(d.parse().ok()?), Ty::DOUBLE))
}

/// Resolves escapes; the text may hold any character.
fn unescape(t: &str) -> Option<Vec<u16>> {
    let mut out = Vec::new();
    let mut chars = t.chars().peekable();
    let mut buffer = [0u16; 2];
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.extend_from_slice(c.encode_utf16(&mut buffer));
            continue;
        }
        match chars.next()? {
            'n' => out.push(10),
            't' => out.push(9),
            'r' => out.push(13),
            'b' => out.push(8),
            'f' => out.push(12),
            's' => out.push(32),
            '\n' => {}
            'u' => {
                while chars.peek() == Some(&'u') {
                    chars.next();
                }
                let mut value = 0u32;
                for _ in 0..4 {
                    value = value * 16 + chars.next()?.to_digit(16)?;
                }
                out.push(value as u16);
            }
            d @ '0'..='7' => {
                let mut value = d.to_digit(8)?;
                let most = if d <= '3' { 2 } else { 1 };
                for _ in 0..most {
                    match chars.peek().and_then(|c| c.to_digit(8)) {
                        Some(digit) => {
                            value = value * 8 + digit;
                            chars.next();
                        }
                        None => break,
                    }
                }
                out.push(value as u16);
            }
            c @ ('"' | '\'' | '\\') => out.push(c as u16),
            _ => return None,
        }
    }
    Some(out)
}

/// A text block between its delimiters: common indentation and trailing blanks go, then escapes are resolved.
fn text_block(t: &str) -> Option<Vec<u16>> {
    let t = t.replace("\r\n", "\n").replace('\r', "\n");
    let (first, rest) = t.split_once('\n')?;
    if !first.trim().is_empty() {
        return None;
    }
    let lines: Vec<&str> = rest.split('\n').collect();
    let last = lines.len() - 1;
    let blank = |l: &str| l.trim_matches([' ', '\t', '\u{c}']).is_empty();
    let indent = lines
        .iter()
        .enumerate()
        .filter(|(i, l)| *i == last || !blank(l))
        .map(|(_, l)| l.len() - l.trim_start_matches([' ', '\t', '\u{c}']).len())
        .min()
        .unwrap_or(0);
    let stripped: Vec<&str> = lines
        .iter()
        .map(|l| {
            let l = if blank(l) { "" } else { &l[indent..] };
            l.trim_end_matches([' ', '\t', '\u{c}'])
        })
        .collect();
    unescape(&stripped.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_read_as_javac_reads_them() {
        assert_eq!(integer("0xFFFF_FFFF", false), Some((Lit::Int(-1), Ty::INT)));
        assert_eq!(integer("2147483648", true), Some((Lit::Int(i32::MIN), Ty::INT)));
        assert_eq!(integer("2147483648", false), None);
        assert_eq!(integer("017", false), Some((Lit::Int(15), Ty::INT)));
        assert_eq!(floating("1_0.5e1f"), Some((Lit::Float(105.0), Ty::FLOAT)));
        let units = |s: &str| Some(s.encode_utf16().collect::<Vec<u16>>());
        assert_eq!(unescape(r#"a\tb\"\101\u0041"#), units("a\tb\"AA"));
        assert_eq!(text_block("\n    hello  \n      x\\n\n    "), units("hello\n  x\n\n"));
        assert_eq!(text_block("\n    a \\\n    b"), units("a b"));
    }
}
