//! Colours for source text. In: text; out: tokens in order, without overlap. Scala and Java go through their grammars, SQL and C++
//! through a small lexer. Never decides what code means.

use tree_sitter::{Language, Node, Parser, TreeCursor};

use crate::source::Span;

use super::document::{Syntax, Token, TokenKind};

/// The tokens of a text.
pub fn tokens(text: &str, syntax: Syntax) -> Vec<Token> {
    match syntax {
        Syntax::Scala => parsed(text, &tree_sitter_scala::LANGUAGE.into(), scala_kind),
        Syntax::Java => parsed(text, &tree_sitter_java::LANGUAGE.into(), java_kind),
        Syntax::Sql => lex(text, &SQL),
        Syntax::Cuda => lex(text, &CUDA),
        Syntax::Plain => Vec::new(),
    }
}

fn parsed(text: &str, language: &Language, kind_of: fn(Node) -> Option<TokenKind>) -> Vec<Token> {
    let mut parser = Parser::new();
    if parser.set_language(language).is_err() {
        return Vec::new();
    }
    let Some(tree) = parser.parse(text, None) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    let mut cursor = tree.walk();
    // A hand-written walk: recursion would overflow on deeply nested text.
    loop {
        let node = cursor.node();
        let kind = kind_of(node);
        if let Some(kind) = kind {
            push(&mut out, node.start_byte(), node.end_byte(), kind);
        }
        let inside = kind.is_none() && cursor.goto_first_child();
        if !inside && !next(&mut cursor) {
            return out;
        }
    }
}

fn next(cursor: &mut TreeCursor) -> bool {
    loop {
        if cursor.goto_next_sibling() {
            return true;
        }
        if !cursor.goto_parent() {
            return false;
        }
    }
}

fn scala_kind(node: Node) -> Option<TokenKind> {
    match node.kind() {
        "comment" | "block_comment" => Some(TokenKind::Comment),
        "string" | "character_literal" | "interpolated_string" | "symbol_literal" => Some(TokenKind::String),
        "integer_literal" | "floating_point_literal" => Some(TokenKind::Number),
        "type_identifier" => Some(TokenKind::Type),
        "null_literal" | "boolean_literal" | "wildcard" => Some(TokenKind::Keyword),
        "operator_identifier" => Some(TokenKind::Punctuation),
        _ => leaf_kind(node),
    }
}

fn java_kind(node: Node) -> Option<TokenKind> {
    match node.kind() {
        "line_comment" | "block_comment" => Some(TokenKind::Comment),
        "string_literal" | "character_literal" => Some(TokenKind::String),
        kind if kind.ends_with("_integer_literal") || kind.ends_with("_floating_point_literal") => {
            Some(TokenKind::Number)
        }
        "type_identifier" => Some(TokenKind::Type),
        "null_literal" | "true" | "false" | "this" | "super" | "boolean_type" | "void_type" => Some(TokenKind::Keyword),
        "integral_type" | "floating_point_type" => Some(TokenKind::Keyword),
        _ => leaf_kind(node),
    }
}

/// Keywords and signs are the leaves without a name.
fn leaf_kind(node: Node) -> Option<TokenKind> {
    let word = node.kind();
    if node.child_count() > 0 || node.is_named() {
        return None;
    }
    match word.bytes().all(|b| b.is_ascii_alphabetic()) && !word.is_empty() {
        true => Some(TokenKind::Keyword),
        false => Some(TokenKind::Punctuation),
    }
}

fn push(out: &mut Vec<Token>, start: usize, end: usize, kind: TokenKind) {
    if start < end {
        let span = Span::new(start, end);
        out.push(Token { span, kind });
    }
}

struct Lexicon {
    keywords: &'static [&'static str],
    types: &'static [&'static str],
    ignore_case: bool,
    line_comment: &'static [u8],
    /// Whether a quote inside a literal is doubled as well as escaped.
    sql_quotes: bool,
}

static SQL: Lexicon = Lexicon {
    keywords: &[
        "and", "as", "between", "both", "case", "cast", "distinct", "div", "else", "end", "escape", "exists", "false",
        "filter", "from", "in", "interval", "is", "leading", "like", "not", "null", "or", "over", "rlike", "select",
        "then", "trailing", "true", "try_cast", "when", "where", "with",
    ],
    types: &[
        "array",
        "bigint",
        "binary",
        "boolean",
        "byte",
        "date",
        "decimal",
        "double",
        "float",
        "int",
        "integer",
        "long",
        "map",
        "smallint",
        "string",
        "struct",
        "timestamp",
        "tinyint",
    ],
    ignore_case: true,
    line_comment: b"--",
    sql_quotes: true,
};

static CUDA: Lexicon = Lexicon {
    keywords: &[
        "__constant__",
        "__device__",
        "__forceinline__",
        "__global__",
        "__host__",
        "__restrict__",
        "__shared__",
        "alignas",
        "break",
        "case",
        "class",
        "const",
        "constexpr",
        "continue",
        "default",
        "do",
        "else",
        "enum",
        "extern",
        "false",
        "for",
        "if",
        "inline",
        "namespace",
        "nullptr",
        "public",
        "private",
        "return",
        "sizeof",
        "static",
        "struct",
        "switch",
        "template",
        "this",
        "true",
        "typename",
        "union",
        "using",
        "while",
    ],
    types: &[
        "auto", "bool", "char", "double", "float", "int", "int16_t", "int32_t", "int64_t", "int8_t", "long", "short",
        "signed", "size_t", "uint16_t", "uint32_t", "uint64_t", "uint8_t", "unsigned", "void",
    ],
    ignore_case: false,
    line_comment: b"//",
    sql_quotes: false,
};

fn lex(text: &str, lexicon: &Lexicon) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let rest = &bytes[at..];
        let kind = if rest.starts_with(lexicon.line_comment) || (!lexicon.sql_quotes && rest[0] == b'#') {
            at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            Some(TokenKind::Comment)
        } else if rest.starts_with(b"/*") {
            at += memchr::memmem::find(rest, b"*/").map_or(rest.len(), |i| i + 2);
            Some(TokenKind::Comment)
        } else if rest[0] == b'\'' || rest[0] == b'"' {
            at += quoted(rest, lexicon.sql_quotes);
            Some(TokenKind::String)
        } else if rest[0].is_ascii_digit() {
            at += number(rest);
            Some(TokenKind::Number)
        } else if rest[0].is_ascii_alphabetic() || rest[0] == b'_' {
            at += rest
                .iter()
                .take_while(|b| b.is_ascii_alphanumeric() || **b == b'_')
                .count();
            word_kind(&text[start..at], lexicon)
        } else {
            at += 1;
            rest[0].is_ascii_punctuation().then_some(TokenKind::Punctuation)
        };
        if let Some(kind) = kind {
            push(&mut out, start, at, kind);
        }
    }
    out
}

fn quoted(rest: &[u8], doubled: bool) -> usize {
    let quote = rest[0];
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            b'\\' => at += 1,
            b if b == quote && doubled && rest.get(at + 1) == Some(&quote) => at += 1,
            b if b == quote => return at + 1,
            b'\n' if !doubled => return at,
            _ => {}
        }
        at += 1;
    }
    rest.len()
}

fn number(rest: &[u8]) -> usize {
    let mut at = 0;
    while let Some(b) = rest.get(at) {
        let exponent_sign =
            (*b == b'+' || *b == b'-') && matches!(rest[at - 1], b'e' | b'E') && !rest.starts_with(b"0x");
        if !(b.is_ascii_alphanumeric() || *b == b'.' || *b == b'_' || exponent_sign) {
            break;
        }
        at += 1;
    }
    at
}

fn word_kind(word: &str, lexicon: &Lexicon) -> Option<TokenKind> {
    let folded = match lexicon.ignore_case {
        true => word.to_ascii_lowercase(),
        false => word.to_owned(),
    };
    if lexicon.keywords.contains(&folded.as_str()) {
        Some(TokenKind::Keyword)
    } else if lexicon.types.contains(&folded.as_str()) {
        Some(TokenKind::Type)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, syntax: Syntax) -> Vec<String> {
        let show = |t: Token| format!("{:?}:{}", t.kind, &text[t.span.range()]);
        tokens(text, syntax).into_iter().map(show).collect()
    }

    #[test]
    fn java_words_types_and_literals() {
        assert_eq!(
            shown("final int x = 0xFF; // one", Syntax::Java),
            [
                "Keyword:final",
                "Keyword:int",
                "Punctuation:=",
                "Number:0xFF",
                "Punctuation:;",
                "Comment:// one"
            ]
        );
    }

    #[test]
    fn scala_words_types_and_literals() {
        assert_eq!(
            shown("val x: Int = 1 // one", Syntax::Scala),
            [
                "Keyword:val",
                "Punctuation::",
                "Type:Int",
                "Punctuation:=",
                "Number:1",
                "Comment:// one"
            ]
        );
    }

    #[test]
    fn sql_and_cuda() {
        assert_eq!(
            shown("CASE 'it''s' 1e-3", Syntax::Sql),
            ["Keyword:CASE", "String:'it''s'", "Number:1e-3"]
        );
        assert_eq!(
            shown("double x; /* c */", Syntax::Cuda),
            ["Type:double", "Punctuation:;", "Comment:/* c */"]
        );
    }

    #[test]
    fn any_bytes_lex() {
        for text in ["'", "\"\\", "/*", "1e", "é'ß", "0x", "--", "#"] {
            for syntax in [Syntax::Scala, Syntax::Java, Syntax::Sql, Syntax::Cuda] {
                tokens(text, syntax);
            }
        }
    }
}
