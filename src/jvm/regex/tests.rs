use super::*;
use crate::test_vectors::{escape, golden};

/// What a pattern does to a text, as the generator of the golden file writes it.
fn trace(pattern: &[u16], text: &[u16]) -> Option<String> {
    let regex = match Regex::new(pattern, 0) {
        Ok(r) => r,
        Err(RegexError::Syntax { .. }) => return Some("ERROR".to_string()),
        Err(_) => return None,
    };
    let mut out = String::new();
    let mut search = Search::default();
    for _ in 0..8 {
        let Ok(found) = search.next(&regex, text) else {
            return None;
        };
        let Some(found) = found else { break };
        let groups: Vec<String> = found
            .groups
            .iter()
            .map(|g| g.map_or("-".to_string(), |(a, b)| format!("{a}.{b}")))
            .collect();
        out.push_str(&format!("({})", groups.join(" ")));
    }
    let Ok(whole) = regex.matches(text) else { return None };
    Some(format!("{out}{}", if whole.is_some() { "=" } else { "" }))
}

#[test]
fn patterns_find_what_the_jvm_finds() {
    let (mut seen, mut refused, mut wrong) = (0, 0, Vec::new());
    for row in golden("jvm/regex.csv").rows() {
        let (pattern, text) = (row.units("pattern").unwrap(), row.units("text").unwrap());
        seen += 1;
        match trace(&pattern, &text) {
            None => refused += 1,
            Some(got) if got == row.raw("jvm_result") => {}
            Some(got) => wrong.push(format!(
                "{} on {}: {got} but {}",
                escape(&pattern),
                escape(&text),
                row.raw("jvm_result")
            )),
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {seen} wrong:\n{}",
        wrong.len(),
        wrong.iter().take(40).cloned().collect::<Vec<_>>().join("\n")
    );
    assert!(refused * 25 <= seen, "{refused} of {seen} refused");
}

#[test]
fn catastrophic_patterns_end_at_the_limit() {
    let u = |s: &str| s.encode_utf16().collect::<Vec<u16>>();
    let regex = Regex::new(&u("(a|aa)+$"), 0).unwrap();
    assert_eq!(regex.matches(&u(&("a".repeat(60) + "b"))), Err(RegexError::Limit));
    let regex = Regex::new(&u("(a|b)*"), 0).unwrap();
    assert_eq!(regex.matches(&u(&"ab".repeat(50_000))), Err(RegexError::Limit));
    let regex = Regex::new(&u("[ab]*"), 0).unwrap();
    assert!(regex.matches(&u(&"ab".repeat(50_000))).unwrap().is_some());
}
