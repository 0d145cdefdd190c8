//! The text of a Spark SQL expression comes in; tokens with spans go out. Follows the lexical rules of Spark 3.5
//! (literal suffixes, backslash escapes, raw strings, adjacent strings); never looks at grammar.

use crate::source::Span;

/// What a token is.
#[derive(Debug, Clone, PartialEq)]
pub enum Tok {
    /// An identifier or keyword as written.
    Word(String),
    /// A back-quoted identifier, unquoted.
    Quoted(String),
    /// A number: the digits as written and the suffix in upper case (`""`, `L`, `D`, `BD`, `S`, `Y`, `F`).
    Number(String, &'static str),
    /// A string literal after its escapes are processed; adjacent literals are joined.
    Str(String),
    /// A binary literal `X'…'`.
    Bin(Vec<u8>),
    /// An operator or a piece of punctuation.
    Op(&'static str),
    /// The end of the text.
    End,
}

/// A token and where it stands.
#[derive(Debug, Clone)]
pub struct Token {
    /// What it is.
    pub tok: Tok,
    /// Where.
    pub span: Span,
}

/// Why a text has no tokens: where, and what is wrong.
#[derive(Debug, Clone)]
pub struct SyntaxError {
    /// Byte offsets of the offending piece.
    pub span: Span,
    /// A lowercase fragment.
    pub message: String,
}

/// A syntax error at `start..end`.
pub fn syntax<T>(start: usize, end: usize, message: impl Into<String>) -> Result<T, SyntaxError> {
    Err(SyntaxError {
        span: Span::new(start, end),
        message: message.into(),
    })
}

const OPERATORS: [&str; 32] = [
    "<=>", "<=", ">=", "<>", "!=", "==", "||", "->", "=>", "<", ">", "=", "+", "-", "*", "/", "%", "~", "&", "|", "^",
    "(", ")", "[", "]", ",", ".", ":", "!", "?", ";", "@",
];
const SUFFIXES: [&str; 6] = ["BD", "L", "D", "S", "Y", "F"];

/// Splits a text into tokens, the last of which is [`Tok::End`].
pub fn lex(text: &str) -> Result<Vec<Token>, SyntaxError> {
    let mut out: Vec<Token> = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let start = at;
        let rest = &text[at..];
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        if rest.starts_with("--") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        if rest.starts_with("/*") {
            match rest.find("*/") {
                Some(end) => at += end + 2,
                None => return syntax(start, text.len(), "comment is not closed"),
            }
            continue;
        }
        let tok = one_token(text, &mut at, c)?;
        if let (
            Tok::Str(more),
            Some(Token {
                tok: Tok::Str(before),
                span,
            }),
        ) = (&tok, out.last_mut())
        {
            before.push_str(more);
            span.end = at as u32;
            continue;
        }
        out.push(Token {
            tok,
            span: Span::new(start, at),
        });
    }
    out.push(Token {
        tok: Tok::End,
        span: Span::new(text.len(), text.len()),
    });
    Ok(out)
}

fn one_token(text: &str, at: &mut usize, c: char) -> Result<Tok, SyntaxError> {
    let start = *at;
    let bytes = text.as_bytes();
    let next = bytes.get(start + 1).copied();
    match c {
        '\'' | '"' => string(text, at, false).map(Tok::Str),
        'r' | 'R' if matches!(next, Some(b'\'' | b'"')) => {
            *at += 1;
            string(text, at, true).map(Tok::Str)
        }
        'x' | 'X' if matches!(next, Some(b'\'' | b'"')) => {
            *at += 1;
            let digits = string(text, at, true)?;
            hex_bytes(&digits).map(Tok::Bin).ok_or(SyntaxError {
                span: Span::new(start, *at),
                message: "a binary literal holds hexadecimal digits only".into(),
            })
        }
        '`' => quoted_identifier(text, at),
        '0'..='9' => number(text, at),
        '.' if next.is_some_and(|b| b.is_ascii_digit()) && !follows_name(text, start) => number(text, at),
        _ if c.is_alphabetic() || c == '_' => {
            let end = text[start..]
                .find(|ch: char| !(ch.is_alphanumeric() || ch == '_'))
                .map_or(text.len(), |n| start + n);
            *at = end;
            Ok(Tok::Word(text[start..end].to_string()))
        }
        _ => match OPERATORS.iter().find(|op| text[start..].starts_with(**op)) {
            Some(op) => {
                *at += op.len();
                Ok(Tok::Op(op))
            }
            None => syntax(
                start,
                start + c.len_utf8(),
                format!("`{c}` does not belong in an expression"),
            ),
        },
    }
}

fn follows_name(text: &str, at: usize) -> bool {
    text[..at]
        .chars()
        .next_back()
        .is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '`' | ')' | ']'))
}

fn quoted_identifier(text: &str, at: &mut usize) -> Result<Tok, SyntaxError> {
    let start = *at;
    let mut name = String::new();
    let mut chars = text[start + 1..].char_indices().peekable();
    while let Some((i, c)) = chars.next() {
        if c == '`' {
            if chars.peek().is_some_and(|(_, n)| *n == '`') {
                chars.next();
            } else {
                *at = start + 1 + i + 1;
                return Ok(Tok::Quoted(name));
            }
        }
        name.push(c);
    }
    syntax(start, text.len(), "identifier is not closed with a backtick")
}

fn number(text: &str, at: &mut usize) -> Result<Tok, SyntaxError> {
    let start = *at;
    let b = text.as_bytes();
    let digits = |mut i: usize| {
        while i < b.len() && b[i].is_ascii_digit() {
            i += 1;
        }
        i
    };
    let mut end = digits(start);
    if b.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    if matches!(b.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(b.get(end + 1), Some(b'+' | b'-')));
        let exp = digits(end + 1 + sign);
        if exp > end + 1 + sign {
            end = exp;
        }
    }
    let digits = text[start..end].to_string();
    let tail_end = text[end..]
        .find(|ch: char| !(ch.is_alphanumeric() || ch == '_'))
        .map_or(text.len(), |n| end + n);
    let tail = text[end..tail_end].to_ascii_uppercase();
    *at = tail_end;
    if tail.is_empty() {
        return Ok(Tok::Number(digits, ""));
    }
    match SUFFIXES.iter().find(|s| **s == tail) {
        Some(s) => Ok(Tok::Number(digits, s)),
        None => syntax(start, tail_end, format!("`{}` is not a number", &text[start..tail_end])),
    }
}

fn string(text: &str, at: &mut usize, raw: bool) -> Result<String, SyntaxError> {
    let start = *at;
    let quote = text.as_bytes()[start] as char;
    let mut chars = text[start + 1..].char_indices();
    let mut end = None;
    while let Some((i, c)) = chars.next() {
        if c == quote {
            end = Some(start + 1 + i);
            break;
        }
        if c == '\\' && !raw {
            chars.next();
        }
    }
    let Some(end) = end else {
        return syntax(start, text.len(), "string is not closed");
    };
    *at = end + 1;
    let inner = &text[start + 1..end];
    if raw {
        Ok(inner.to_string())
    } else {
        Ok(unescape(inner))
    }
}

/// The escapes of Spark's string literals.
pub fn unescape(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut units: Vec<u16> = Vec::with_capacity(chars.len());
    let mut buf = [0u16; 2];
    let mut i = 0;
    let number = |from: usize, len: usize, radix: u32| -> Option<u32> {
        let piece: String = chars.get(from..from + len)?.iter().collect();
        let plain = piece.chars().all(|c| c.is_digit(radix));
        plain.then(|| u32::from_str_radix(&piece, radix).ok()).flatten()
    };
    while i < chars.len() {
        let c = chars[i];
        if c != '\\' || i + 1 >= chars.len() {
            units.extend_from_slice(c.encode_utf16(&mut buf));
            i += 1;
            continue;
        }
        let e = chars[i + 1];
        if e == 'u'
            && let Some(n) = number(i + 2, 4, 16)
        {
            units.push(n as u16);
            i += 6;
            continue;
        }
        if e == 'U'
            && let Some(n) = number(i + 2, 8, 16)
        {
            let ch = char::from_u32(n).unwrap_or('?');
            units.extend_from_slice(ch.encode_utf16(&mut buf));
            i += 10;
            continue;
        }
        if matches!(e, '0' | '1')
            && let Some(n) = number(i + 1, 3, 8)
        {
            units.push(n as u16);
            i += 4;
            continue;
        }
        i += 2;
        let plain = match e {
            '0' => '\0',
            'b' => '\u{8}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'Z' => '\u{1a}',
            '%' | '_' => {
                units.push(u16::from(b'\\'));
                e
            }
            other => other,
        };
        units.extend_from_slice(plain.encode_utf16(&mut buf));
    }
    char::decode_utf16(units).map(|c| c.unwrap_or('?')).collect()
}

fn hex_bytes(digits: &str) -> Option<Vec<u8>> {
    let padded = if digits.len() % 2 == 1 {
        format!("0{digits}")
    } else {
        digits.to_string()
    };
    if !padded.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    (0..padded.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&padded[i..i + 2], 16).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn toks(text: &str) -> Vec<Tok> {
        lex(text).unwrap().into_iter().map(|t| t.tok).collect()
    }

    #[test]
    fn numbers_keep_their_suffix() {
        assert_eq!(toks("1L")[0], Tok::Number("1".into(), "L"));
        assert_eq!(toks("1.5BD")[0], Tok::Number("1.5".into(), "BD"));
        assert_eq!(toks("2e3D")[0], Tok::Number("2e3".into(), "D"));
        assert_eq!(toks(".5")[0], Tok::Number(".5".into(), ""));
        assert!(lex("1abc").is_err());
    }

    #[test]
    fn strings_follow_spark() {
        assert_eq!(toks(r"'a\'b' 'c'")[0], Tok::Str("a'bc".into()));
        assert_eq!(toks(r"'\\d\%\q\u0041'")[0], Tok::Str(r"\d\%qA".into()));
        assert_eq!(toks(r"r'\d'")[0], Tok::Str(r"\d".into()));
        assert_eq!(toks("'a''b'")[0], Tok::Str("ab".into()));
        assert!(lex("'open").is_err());
    }
}
