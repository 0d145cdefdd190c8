//! The words of a kernel's text. In: C++; out: identifiers, numbers and signs with their places. Comments, texts and lines of
//! the preprocessor are left out. Never judges.

/// One word or sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'t> {
    /// As written.
    pub text: &'t str,
    /// 1-based line.
    pub line: u32,
    /// 1-based column in characters.
    pub column: u32,
}

impl Token<'_> {
    /// Whether it is a name or a keyword.
    pub fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
    }
}

/// All words of a text, in order.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut out = Vec::new();
    let (mut at, mut line, mut start) = (0, 1, 0);
    while at < text.len() {
        let rest = &text[at..];
        let skipped = skip(rest, text[start..at].trim().is_empty());
        let taken = match skipped {
            0 => {
                let size = word(rest);
                out.push(Token {
                    text: &rest[..size],
                    line,
                    column: text[start..at].chars().count() as u32 + 1,
                });
                size
            }
            n => n,
        };
        for (i, _) in rest[..taken].match_indices('\n') {
            line += 1;
            start = at + i + 1;
        }
        at += taken;
    }
    out
}

/// Bytes of what is no word: blanks, comments, texts, characters, lines of the preprocessor.
fn skip(rest: &str, line_begins: bool) -> usize {
    let Some(first) = rest.chars().next() else { return 0 };
    if first.is_whitespace() {
        return first.len_utf8();
    }
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if let Some(comment) = rest.strip_prefix("/*") {
        return comment.find("*/").map_or(rest.len(), |i| i + 4);
    }
    match first {
        '#' if line_begins => directive(rest),
        '"' | '\'' => quoted(rest, first),
        _ => 0,
    }
}

/// A line of the preprocessor with those that continue it.
fn directive(rest: &str) -> usize {
    let mut size = 0;
    for line in rest.split_inclusive('\n') {
        size += line.len();
        if !line.trim_end().ends_with('\\') {
            break;
        }
    }
    size
}

fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (i, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return i,
            c if c == quote => return i + 1,
            _ => {}
        }
    }
    rest.len()
}

/// Bytes of the word or sign at the beginning.
fn word(rest: &str) -> usize {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let first = rest.chars().next().map_or(1, char::len_utf8);
    if rest.starts_with(|c: char| c.is_ascii_digit()) {
        // Digits may be grouped: 1'000'000.
        return rest
            .find(|c: char| !part(c) && c != '.' && c != '\'')
            .unwrap_or(rest.len());
    }
    if rest.starts_with(part) {
        return rest.find(|c: char| !part(c)).unwrap_or(rest.len());
    }
    if rest.starts_with("::") { 2 } else { first }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_their_places_and_texts_are_left_out() {
        let text =
            "#define X \\\n  __shared__\nint a = 1'000; // atomicAdd\nf(\"__shared__ \\\" x\", '\"', b/* \n */);";
        let found = tokens(text);
        let words: Vec<&str> = found.iter().map(|t| t.text).collect();
        assert_eq!(
            words,
            ["int", "a", "=", "1'000", ";", "f", "(", ",", ",", "b", ")", ";"]
        );
        assert_eq!((found[0].line, found[0].column), (3, 1));
        assert_eq!((found[5].line, found[9].line, found[10].line), (4, 4, 5));
        assert_eq!(found[10].column, 4);
    }
}
