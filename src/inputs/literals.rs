//! The literals of a UDF: numbers, texts and characters in its definition and in what it needs, found by a small lexer
//! that knows comments and quotes. Inputs near them reach the branches that random values miss.

use crate::find::Udf;
use crate::inputs::rng::Rng;
use crate::source::SourceFile;

/// What was found, without duplicates, in the order of the source.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Literals {
    /// Numbers.
    pub numbers: Vec<f64>,
    /// Texts, escapes resolved, and characters as texts of one.
    pub texts: Vec<String>,
    /// Texts that match those literals that look like regular expressions.
    pub samples: Vec<String>,
}

impl Literals {
    /// The literals of a UDF and of its helpers.
    pub fn of_udf(udf: &Udf, file: &SourceFile) -> Literals {
        let mut found = Literals::default();
        for span in std::iter::once(&udf.span).chain(&udf.needs) {
            found.scan(file.slice(*span));
        }
        found
            .samples
            .extend(found.texts.iter().flat_map(|t| date_samples(t)).collect::<Vec<_>>());
        let mut rng = Rng::new(7);
        let patterns: Vec<String> = found.texts.iter().filter(|t| looks_like_regex(t)).cloned().collect();
        for pattern in patterns {
            found.samples.extend(regex_samples(&pattern, 6, &mut rng));
        }
        found
    }

    /// Adds the literals of one piece of source.
    fn scan(&mut self, text: &str) {
        let mut rest = text;
        let mut before = ' ';
        while let Some(c) = rest.chars().next() {
            let used = match c {
                '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
                '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |i| i + 2),
                '"' => self.text(rest),
                '\'' => self.character(rest),
                '0'..='9' if !before.is_alphanumeric() && before != '_' => self.number(rest),
                _ => c.len_utf8(),
            };
            before = rest[..used].chars().next_back().unwrap_or(' ');
            rest = &rest[used..];
        }
    }

    fn text(&mut self, rest: &str) -> usize {
        if let Some(inner) = rest.strip_prefix("\"\"\"") {
            let end = inner.find("\"\"\"").unwrap_or(inner.len());
            self.add_text(inner[..end].to_owned());
            return (end + 6).min(rest.len());
        }
        let mut escaped = false;
        for (i, c) in rest.char_indices().skip(1) {
            match c {
                '"' if !escaped => {
                    self.add_text(unescape(&rest[1..i]));
                    return i + 1;
                }
                '\n' => return i,
                _ => escaped = c == '\\' && !escaped,
            }
        }
        rest.len()
    }

    fn character(&mut self, rest: &str) -> usize {
        let Some(close) = rest.char_indices().skip(2).take(7).find(|(_, c)| *c == '\'') else {
            return 1;
        };
        let inner = unescape(&rest[1..close.0]);
        if inner.chars().count() != 1 {
            return 1;
        }
        self.add_text(inner);
        close.0 + 1
    }

    fn number(&mut self, rest: &str) -> usize {
        let hex = rest.starts_with("0x") || rest.starts_with("0X");
        let mut end = 0;
        let bytes = rest.as_bytes();
        while end < bytes.len() {
            let exponent =
                !hex && end > 0 && matches!(bytes[end - 1], b'e' | b'E') && matches!(bytes[end], b'-' | b'+');
            let decimal_point = bytes[end] == b'.' && bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
            if !(bytes[end].is_ascii_alphanumeric() || bytes[end] == b'_' || exponent || decimal_point) {
                break;
            }
            end += 1;
        }
        let plain: String = rest[..end].chars().filter(|c| *c != '_').collect();
        let value = if hex {
            let digits = plain[2..].trim_end_matches(['l', 'L']);
            u64::from_str_radix(digits, 16).ok().map(|v| v as f64)
        } else {
            plain.trim_end_matches(['l', 'L', 'd', 'D', 'f', 'F']).parse().ok()
        };
        if let Some(v) = value
            && !self.numbers.contains(&v)
        {
            self.numbers.push(v);
        }
        end.max(1)
    }

    fn add_text(&mut self, text: String) {
        if !self.texts.contains(&text) {
            self.texts.push(text);
        }
    }
}

fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{c}'),
            Some('u') => {
                let code: String = chars.by_ref().skip_while(|c| *c == 'u').take(4).collect();
                out.extend(u32::from_str_radix(&code, 16).ok().and_then(char::from_u32));
            }
            Some(other) => out.push(other),
            None => {}
        }
    }
    out
}

/// Texts that a pattern of dates reads, and some that it just does not: the end of February, a month too many.
fn date_samples(pattern: &str) -> Vec<String> {
    let letters = ["yyyy", "MM", "dd"];
    if !letters.iter().all(|l| pattern.contains(l)) || pattern.len() > 40 {
        return Vec::new();
    }
    let dates = [
        ("2024", "02", "29"),
        ("2023", "02", "30"),
        ("1999", "12", "31"),
        ("2024", "13", "01"),
        ("0001", "01", "01"),
        ("2024", "04", "31"),
        ("2024", "06", "32"),
    ];
    let with = |(y, m, d): (&str, &str, &str)| {
        let date = pattern.replace("yyyy", y).replace("MM", m).replace("dd", d);
        let time = date.replace("HH", "23").replace("mm", "59").replace("ss", "07");
        time.replace('\'', "")
    };
    dates.into_iter().map(with).collect()
}

fn looks_like_regex(text: &str) -> bool {
    text.len() > 1 && text.contains(['\\', '[', '(', '*', '+', '^', '$', '|', '{'])
}

/// Texts that match a pattern, as far as its syntax is understood here; none otherwise.
fn regex_samples(pattern: &str, count: usize, rng: &mut Rng) -> Vec<String> {
    let parsed = regex_syntax::ParserBuilder::new().unicode(true).build().parse(pattern);
    let Ok(hir) = parsed else { return Vec::new() };
    (0..count)
        .map(|_| {
            let mut out = String::new();
            sample(&hir, rng, &mut out);
            out
        })
        .collect()
}

/// Longest sample, in bytes; counted repetitions of thousands are cut there.
const LONGEST_SAMPLE: usize = 200;

fn sample(hir: &regex_syntax::hir::Hir, rng: &mut Rng, out: &mut String) {
    use regex_syntax::hir::{Class, HirKind};
    if out.len() > LONGEST_SAMPLE {
        return;
    }
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(l) => out.push_str(&String::from_utf8_lossy(&l.0)),
        HirKind::Class(Class::Unicode(c)) => {
            let ranges = c.ranges();
            // ASCII first: a class such as \d has hundreds of scripts, of which users mean one.
            let ascii: Vec<_> = ranges
                .iter()
                .filter(|r| r.start() < '\u{7f}' && r.end() >= ' ')
                .collect();
            let all: Vec<_> = if ascii.is_empty() || rng.below(8) == 0 {
                ranges.iter().collect()
            } else {
                ascii
            };
            if all.is_empty() {
                return;
            }
            let range = rng.choose(&all);
            let (low, high) = (u32::from(range.start()).max(32), u32::from(range.end()));
            let high = if range.start() < '\u{7f}' { high.min(0x7e) } else { high };
            let code = low + rng.below(u64::from(high.saturating_sub(low)) + 1) as u32;
            out.extend(char::from_u32(code));
        }
        HirKind::Class(Class::Bytes(_)) => {}
        HirKind::Repetition(r) => {
            let most = r.max.unwrap_or(r.min + 3).min(r.min + 3);
            let times = r.min + rng.below(u64::from(most.saturating_sub(r.min)) + 1) as u32;
            (0..times).for_each(|_| sample(&r.sub, rng, out));
        }
        HirKind::Capture(c) => sample(&c.sub, rng, out),
        HirKind::Concat(parts) => parts.iter().for_each(|p| sample(p, rng, out)),
        HirKind::Alternation(parts) => sample(rng.choose(parts), rng, out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(text: &str) -> Literals {
        let mut l = Literals::default();
        l.scan(text);
        l
    }

    #[test]
    fn numbers_and_texts_are_found_outside_of_comments() {
        let l = scan("x1 + 1_000L * 0x1F - 2.5e-3 // 7 \"no\"\n /* 8 */ 'c' \"a\\n\" \"\"\"(\\d+)h\"\"\" 3.toString");
        assert_eq!(l.numbers, [1000.0, 31.0, 0.0025, 3.0]);
        assert_eq!(l.texts, ["c", "a\n", "(\\d+)h"]);
    }

    #[test]
    fn samples_match_their_pattern() {
        let mut rng = Rng::new(1);
        for s in regex_samples("(?:([0-9]{1,2})h)?x[ab]+", 20, &mut rng) {
            assert!(s.contains('x') && s.ends_with(['a', 'b']), "{s:?}");
        }
        assert!(regex_samples("(?<=a)b", 3, &mut rng).is_empty());
    }
}
