//! Whether a kernel's text has the form of one, where no compiler is at hand.

use super::HEADERS;
use crate::error::{Error, Location, Result};

/// Checks what can be told without a compiler: an entry, known headers, brackets that close. Passing says nothing about
/// what the kernel computes.
pub fn check_form(text: &str) -> Result<()> {
    let code = without_comments(text);
    let entries = code.matches("__global__").count();
    let at = |line: usize| Location {
        path: "candidate.cu".into(),
        line: line as u32 + 1,
        column: 1,
    };
    if entries == 0 || !code.contains("extern \"C\"") {
        return Err(Error::compile("the kernel has no entry")
            .at(at(0))
            .hint("declare it as: extern \"C\" __global__ void NAME(…)"));
    }
    for (n, line) in code.lines().enumerate() {
        let Some(include) = line.trim().strip_prefix("#include") else {
            continue;
        };
        let name = include.trim().trim_matches(['"', '<', '>']);
        if !HEADERS.iter().any(|(known, _)| *known == name) {
            let known: Vec<_> = HEADERS.iter().map(|(n, _)| *n).collect();
            return Err(
                Error::compile(format!("`{name}` is no header that kernels can include"))
                    .at(at(n))
                    .hint(format!("there are: {}", known.join(", "))),
            );
        }
    }
    brackets(&code).map_err(|(line, what)| Error::compile(what).at(at(line)))
}

/// The text with comments, texts and characters blanked out, line by line as before.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let skip = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |i| i + 2)
        } else if c == '\'' {
            // Digits may be grouped with quotes; a character is at most an escape.
            rest[1..].find('\'').filter(|i| *i <= 6).map_or(1, |i| i + 2)
        } else {
            0
        };
        if skip > 0 {
            out.extend(rest[..skip].chars().filter(|c| *c == '\n'));
            rest = &rest[skip..];
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

fn brackets(code: &str) -> std::result::Result<(), (usize, String)> {
    let mut open: Vec<(char, usize)> = Vec::new();
    for (n, line) in code.lines().enumerate() {
        let mut in_text = false;
        let mut escaped = false;
        for c in line.chars() {
            match c {
                '"' if !escaped => in_text = !in_text,
                '(' | '[' | '{' if !in_text => open.push((c, n)),
                ')' | ']' | '}' if !in_text => {
                    let wanted = match c {
                        ')' => '(',
                        ']' => '[',
                        _ => '{',
                    };
                    match open.pop() {
                        Some((found, _)) if found == wanted => {}
                        _ => return Err((n, format!("`{c}` closes nothing"))),
                    }
                }
                _ => {}
            }
            escaped = c == '\\' && !escaped;
        }
    }
    open.pop()
        .map_or(Ok(()), |(c, n)| Err((n, format!("`{c}` is never closed"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_without_entry_or_with_open_brackets_is_refused_with_its_line() {
        assert!(check_form("extern \"C\" __global__ void f(int* a) { a[0] = '{'; } // }").is_ok());
        assert!(check_form("void f() {}").is_err());
        let error = check_form("extern \"C\" __global__ void f() {\n  g(\n}").expect_err("open");
        assert_eq!(error.location.map(|l| l.line), Some(3));
        let error = check_form("\n#include <cuda.h>\nextern \"C\" __global__ void f() {}").expect_err("header");
        assert_eq!(error.location.map(|l| l.line), Some(2));
    }
}
