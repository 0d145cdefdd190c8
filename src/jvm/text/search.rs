//! Finding and replacing plain text, by UTF-16 index, with the edge cases of `java.lang.String`.

/// `indexOf(needle, from)`: a negative start is zero; an empty needle is found at the start, or at the end beyond it.
pub fn index_of(text: &[u16], needle: &[u16], from: i32) -> i32 {
    let from = (from.max(0) as usize).min(text.len());
    if needle.is_empty() {
        return from as i32;
    }
    if needle.len() > text.len() - from {
        return -1;
    }
    text[from..]
        .windows(needle.len())
        .position(|w| w == needle)
        .map_or(-1, |at| (from + at) as i32)
}

/// `lastIndexOf(needle, from)`: the last occurrence that starts at or before `from`.
pub fn last_index_of(text: &[u16], needle: &[u16], from: i32) -> i32 {
    if from < 0 || needle.len() > text.len() {
        return -1;
    }
    let last = (from as usize).min(text.len() - needle.len());
    (0..=last)
        .rev()
        .find(|at| text[*at..].starts_with(needle))
        .map_or(-1, |at| at as i32)
}

/// `indexOf(ch, from)`, where `ch` is a code point.
pub fn index_of_code_point(text: &[u16], cp: i32, from: i32) -> i32 {
    match code_point_units(cp) {
        Some(needle) => {
            let found = index_of(text, &needle, from);
            if from.max(0) as usize >= text.len() { -1 } else { found }
        }
        None => -1,
    }
}

/// `lastIndexOf(ch, from)`.
pub fn last_index_of_code_point(text: &[u16], cp: i32, from: i32) -> i32 {
    code_point_units(cp).map_or(-1, |needle| last_index_of(text, &needle, from))
}

/// A code point as units; `None` if it is not one.
pub fn code_point_units(cp: i32) -> Option<Vec<u16>> {
    let cp = u32::try_from(cp).ok().filter(|c| *c <= 0x10_ffff)?;
    let mut out = Vec::with_capacity(2);
    crate::jvm::unicode::push(&mut out, cp);
    Some(out)
}

/// `replace(target, replacement)`; an empty target stands between all units and at both ends.
pub fn replace(text: &[u16], target: &[u16], replacement: &[u16]) -> Vec<u16> {
    let mut out = Vec::with_capacity(text.len());
    if target.is_empty() {
        out.extend_from_slice(replacement);
        for u in text {
            out.push(*u);
            out.extend_from_slice(replacement);
        }
        return out;
    }
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with(target) {
            out.extend_from_slice(replacement);
            at += target.len();
        } else {
            out.push(text[at]);
            at += 1;
        }
    }
    out
}

/// `split(c)` of Scala 2.12 on one or several characters: trailing empty parts are dropped; a text without any separator is
/// itself.
pub fn split_chars(text: &[u16], separators: &[u16]) -> Vec<Vec<u16>> {
    let mut parts: Vec<Vec<u16>> = text.split(|u| separators.contains(u)).map(<[u16]>::to_vec).collect();
    if parts.len() == 1 {
        return parts;
    }
    while parts.last().is_some_and(Vec::is_empty) {
        parts.pop();
    }
    parts
}

/// `StringBuilder.reverse` keeps surrogate pairs in order.
pub fn reverse_keeping_pairs(text: &[u16]) -> Vec<u16> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = text.len();
    while let Some((cp, len)) = crate::jvm::unicode::code_point_before(text, at) {
        crate::jvm::unicode::push(&mut out, cp);
        at -= len;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_vectors::{Cell, escape, vectors};

    #[test]
    fn finding_is_as_in_the_jvm() {
        type Find = fn(&[u16], &[u16], i32) -> i32;
        let cases: [(&str, Find); 3] = [
            ("str_indexof", |a, b, _| index_of(a, b, 0)),
            ("str_indexof_from", index_of),
            ("str_lastindexof", |a, b, _| last_index_of(a, b, i32::MAX)),
        ];
        for (file, f) in cases {
            for row in vectors(file).rows() {
                let (Some(a), Some(b)) = (row.units("a"), row.units("b")) else {
                    continue;
                };
                let from = if file.ends_with("from") {
                    row.parse("c")
                } else {
                    Some(0)
                };
                let Some(from) = from else { continue };
                assert_eq!(Some(f(&a, &b, from)), row.parse("jvm_result"), "{row:?}");
            }
        }
    }

    #[test]
    fn replacing_and_reversing_are_as_in_the_jvm() {
        for row in vectors("str_replace").rows() {
            if let (Some(a), Some(b), Some(c)) = (row.units("a"), row.units("b"), row.units("c")) {
                assert_eq!(escape(&replace(&a, &b, &c)), row.raw("jvm_result"), "{row:?}");
            }
        }
        for row in vectors("str_reverse_builder").rows() {
            if let (Some(a), Cell::Text(want)) = (row.units("a"), row.cell("jvm_result")) {
                assert_eq!(escape(&reverse_keeping_pairs(&a)), escape(&want), "{row:?}");
            }
        }
    }

    #[test]
    fn splitting_on_a_character_is_as_in_scala() {
        for row in vectors("split_char_scala").rows() {
            let (Some(a), Cell::Text(_)) = (row.units("a"), row.cell("jvm_result")) else {
                continue;
            };
            let want: Vec<String> = serde_json::from_str(row.raw("jvm_result")).unwrap();
            let got: Vec<String> = split_chars(&a, &[u16::from(b'|')])
                .iter()
                .map(|p| String::from_utf16_lossy(p))
                .collect();
            assert_eq!(got, want, "{row:?}");
        }
    }
}
