//! Patterns of `java.util.regex` that mean the same to cuDF, with the flags that they need.

/// A pattern in cuDF's dialect, or nothing if it may be read differently.
pub fn translate(pattern: &str) -> Option<String> {
    let chars: Vec<char> = pattern.chars().collect();
    let mut out = String::new();
    let mut i = 0;
    while i < chars.len() {
        match chars[i] {
            '\\' => {
                let next = *chars.get(i + 1)?;
                match next {
                    'd' | 'w' | 's' => out.extend(['\\', next]),
                    'D' => out.push_str("[^0-9]"),
                    'W' => out.push_str("[^a-zA-Z0-9_]"),
                    'S' => out.push_str("[^\\s]"),
                    'n' | 't' | 'r' | 'f' => out.extend(['\\', next]),
                    'A' if out.is_empty() => out.push('^'),
                    'x' => {
                        let (c, len) = hex(&chars, i)?;
                        out.push_str(&escape(c)?);
                        i += len;
                        continue;
                    }
                    c if c.is_ascii_punctuation() => out.extend(['\\', c]),
                    _ => return None,
                }
                i += 2;
            }
            '[' => {
                let (text, end) = class(&chars, i)?;
                out.push_str(&text);
                i = end;
            }
            '(' => {
                if chars.get(i + 1) == Some(&'?') && chars.get(i + 2) != Some(&':') {
                    return None;
                }
                out.push('(');
                i += 1;
                if chars.get(i) == Some(&'?') {
                    out.push_str("?:");
                    i += 2;
                }
                if matches!(chars.get(i), Some('|' | ')')) {
                    return None;
                }
            }
            '*' | '+' | '?' | '}' => {
                out.push(chars[i]);
                i += 1;
                if chars.get(i) == Some(&'+') {
                    return None;
                }
            }
            '|' if out.is_empty() || i + 1 == chars.len() || matches!(chars.get(i + 1), Some('|' | ')')) => {
                return None;
            }
            '^' if i > 0 => return None,
            '$' if i + 1 < chars.len() => return None,
            c => {
                out.push(c);
                i += 1;
            }
        }
    }
    Some(out)
}

/// `\xHH` or `\x{…}` at a position: the character and the length.
fn hex(chars: &[char], at: usize) -> Option<(char, usize)> {
    let (text, len): (String, usize) = if chars.get(at + 2) == Some(&'{') {
        let end = (at..chars.len()).find(|i| chars[*i] == '}')?;
        (chars[at + 3..end].iter().collect(), end + 1 - at)
    } else {
        (chars.get(at + 2..at + 4)?.iter().collect(), 4)
    };
    Some((char::from_u32(u32::from_str_radix(&text, 16).ok()?)?, len))
}

fn escape(c: char) -> Option<String> {
    Some(match c {
        '\n' => "\\n".into(),
        '\t' => "\\t".into(),
        '\r' => "\\r".into(),
        c if c.is_ascii_punctuation() => format!("\\{c}"),
        c if (c as u32) < 0x20 => format!("\\x{:02X}", c as u32),
        c => c.to_string(),
    })
}

/// A character class without nesting, intersections or properties.
fn class(chars: &[char], start: usize) -> Option<(String, usize)> {
    let mut out = String::from("[");
    let mut i = start + 1;
    if chars.get(i) == Some(&'^') {
        out.push('^');
        i += 1;
    }
    let first = i;
    loop {
        match *chars.get(i)? {
            ']' if i > first => return Some((out + "]", i + 1)),
            '[' | ']' => return None,
            '&' if chars.get(i + 1) == Some(&'&') => return None,
            '\\' => match *chars.get(i + 1)? {
                c @ ('d' | 'w' | 's' | 'n' | 't' | 'r') => {
                    out.extend(['\\', c]);
                    i += 2;
                }
                'x' => {
                    let (c, len) = hex(chars, i)?;
                    out.push_str(&escape(c)?);
                    i += len;
                }
                c if c.is_ascii_punctuation() => {
                    out.extend(['\\', c]);
                    i += 2;
                }
                _ => return None,
            },
            c => {
                out.push(c);
                i += 1;
            }
        }
    }
}

/// The flags a translated pattern needs: ASCII classes, and all line terminators for a point.
pub fn flags(translated: &str) -> &'static str {
    let classes = translated.contains("\\d") || translated.contains("\\w") || translated.contains("\\s");
    let lines = translated.replace("\\.", "").contains('.') || translated.ends_with('$');
    match (classes, lines) {
        (true, true) => "EnumSet.of(RegexFlag.ASCII, RegexFlag.EXT_NEWLINE)",
        (true, false) => "EnumSet.of(RegexFlag.ASCII)",
        (false, true) => "EnumSet.of(RegexFlag.EXT_NEWLINE)",
        (false, false) => "EnumSet.of(RegexFlag.DEFAULT)",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_patterns_pass_and_misread_ones_do_not() {
        assert_eq!(translate(r"\s+").as_deref(), Some(r"\s+"));
        assert_eq!(translate("[ -]+").as_deref(), Some("[ -]+"));
        assert_eq!(translate(r"\S").as_deref(), Some(r"[^\s]"));
        for bad in [
            "(?i)a", "a(?=b)", r"\p{L}", "[a&&[b]]", r"(a)\1", "a*+", r"\bx", "[[a]b]",
        ] {
            assert_eq!(translate(bad), None, "{bad}");
        }
    }
}
