//! Interpolated strings: `s`, `raw` become concatenations, `f` becomes the `String.format` row.

use tree_sitter::Node;

use super::calls::{Arg, Call};
use super::cst::{field, kids, span, text};
use super::literal::unescape;
use super::{Typer, mk};
use crate::jvm::lookup;
use crate::lang::ast::{Expr, ExprKind, Lit};
use crate::lang::ty::{Prim, Ty};
use crate::source::{Span, Understood};

/// Texts between the holes, and the holes.
struct Parts<'t> {
    texts: Vec<String>,
    holes: Vec<Node<'t>>,
}

impl<'t> Typer<'t> {
    /// `s"…"`, `f"…"`, `raw"…"`.
    pub(super) fn interpolation(&mut self, n: Node<'t>) -> Understood<Expr> {
        let (Some(head), Some(body)) = (
            field(n, "interpolator"),
            kids(n).into_iter().find(|k| k.kind() == "interpolated_string"),
        ) else {
            return self.refuse(n, "interpolated string that cannot be read");
        };
        let name = text(head, self.text()).to_owned();
        let parts = self.parts(body)?;
        match name.as_str() {
            "s" | "raw" => self.concatenated(parts, name == "s", n),
            "f" => self.formatted(parts, n),
            _ => self.refuse(head, format!("interpolator `{name}` is not covered")),
        }
    }

    fn parts(&mut self, body: Node<'t>) -> Understood<Parts<'t>> {
        let whole = text(body, self.text());
        let quote = if whole.starts_with("\"\"\"") { 3 } else { 1 };
        let mut at = body.start_byte() + quote;
        let end = body.end_byte().saturating_sub(quote);
        let mut parts = Parts {
            texts: Vec::new(),
            holes: Vec::new(),
        };
        for hole in kids(body).into_iter().filter(|k| k.kind() == "interpolation") {
            parts.texts.push(self.text()[at..hole.start_byte()].replace("$$", "$"));
            let inner = match kids(hole)[..] {
                [only] => only,
                _ => return self.refuse(hole, "interpolation that cannot be read"),
            };
            parts.holes.push(inner);
            at = hole.end_byte();
        }
        parts.texts.push(self.text()[at..end.max(at)].replace("$$", "$"));
        Ok(parts)
    }

    fn text_literal(&mut self, t: &str, escapes: bool, at: Node<'t>) -> Understood<Expr> {
        let units = if escapes {
            unescape(t)
        } else {
            Some(t.encode_utf16().collect())
        };
        match units {
            Some(u) => Ok(str_lit(u, span(at))),
            None => self.refuse(at, "interpolated string with an unknown escape"),
        }
    }

    fn concatenated(&mut self, parts: Parts<'t>, escapes: bool, n: Node<'t>) -> Understood<Expr> {
        let mut out = Vec::new();
        for (i, t) in parts.texts.iter().enumerate() {
            if !t.is_empty() {
                out.push(self.text_literal(t, escapes, n)?);
            }
            if let Some(hole) = parts.holes.get(i) {
                out.push(self.expr(*hole, None)?);
            }
        }
        match &out[..] {
            [] => Ok(str_lit(Vec::new(), span(n))),
            [only] if matches!(only.kind, ExprKind::Lit(Lit::Str(_))) => Ok(only.clone()),
            _ => Ok(mk(ExprKind::Concat(out), Ty::String, span(n))),
        }
    }

    fn formatted(&mut self, parts: Parts<'t>, n: Node<'t>) -> Understood<Expr> {
        let mut format = parts.texts[0].clone();
        let mut args = Vec::new();
        for (hole, after) in parts.holes.iter().zip(&parts.texts[1..]) {
            let (spec, rest) = split_spec(after);
            let e = self.expr(*hole, None)?;
            let e = self.unboxed_for(e, &spec, *hole)?;
            format.push_str(if spec.is_empty() { "%s" } else { &spec });
            format.push_str(rest);
            args.push(Arg::Typed(self.boxed(e)));
        }
        let mut list = vec![Arg::Typed(self.text_literal(&format, true, n)?)];
        list.extend(args);
        let rows = lookup::static_rows("String", "format");
        match self.call_rows(None, vec![rows], Call::new("format", vec![list], None, n))? {
            Some(e) => Ok(e),
            None => self.refuse(n, "the `f` interpolator is not covered"),
        }
    }

    /// The conversions the `f` interpolator applies by its specifiers.
    fn unboxed_for(&mut self, e: Expr, spec: &str, at: Node<'t>) -> Understood<Expr> {
        let letter = spec.chars().last().unwrap_or('s').to_ascii_lowercase();
        match (letter, &e.ty) {
            ('e' | 'f' | 'g' | 'a', Ty::Prim(p)) if p.is_integral() => self.coerce(e, &Ty::DOUBLE),
            ('e' | 'f' | 'g' | 'a', Ty::Prim(Prim::Float | Prim::Double) | Ty::Boxed(Prim::Float | Prim::Double))
            | ('e' | 'f' | 'g', Ty::ScalaBigDecimal | Ty::JavaBigDecimal)
            | ('s' | 'b' | 'h', _)
            | ('c', Ty::Prim(Prim::Char | Prim::Int | Prim::Byte | Prim::Short) | Ty::Boxed(Prim::Char)) => Ok(e),
            ('d' | 'o' | 'x', Ty::Prim(p) | Ty::Boxed(p)) if p.is_integral() && *p != Prim::Char => Ok(e),
            ('d' | 'o' | 'x', Ty::BigInt) => Ok(e),
            _ => self.refuse(at, format!("`{}` for `{spec}`", e.ty)),
        }
    }
}

/// The `%…` specifier at the beginning of a text, and the rest.
fn split_spec(t: &str) -> (String, &str) {
    let mut chars = t.char_indices();
    match chars.next() {
        Some((_, '%')) if !t.starts_with("%%") && !t.starts_with("%n") => {}
        _ => return (String::new(), t),
    }
    for (i, c) in chars {
        if c.is_ascii_alphabetic() {
            // `%tY` has two letters.
            let end = if c == 't' || c == 'T' { i + 2 } else { i + 1 };
            let end = end.min(t.len());
            return (t[..end].to_owned(), &t[end..]);
        }
        if !(c.is_ascii_digit() || "-#+ 0,(.<$".contains(c)) {
            break;
        }
    }
    (String::new(), t)
}

fn str_lit(units: Vec<u16>, at: Span) -> Expr {
    mk(ExprKind::Lit(Lit::Str(units.into())), Ty::String, at)
}
