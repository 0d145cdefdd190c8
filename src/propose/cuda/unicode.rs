//! Makes `kernels/rw_unicode.cuh`, the tables of letters, digits and case beyond ASCII, from those of the `jvm` module, which are
//! tested against a JDK. In: nothing; out: the header's text. Only run by a test: the header is part of the repository.

use crate::jvm::unicode::{self, case_map};

/// Digits and case end in plane 1, letters in plane 3.
const CASED: u32 = 0x1_ffff;
const LETTERS: u32 = 0x3_ffff;

fn beyond_ascii(last: u32) -> impl Iterator<Item = u32> {
    (0x80..=last).filter(|c| !(0xd800..0xe000).contains(c))
}

/// Ranges of what has a property.
fn ranges(has: fn(u32) -> bool, last: u32) -> Vec<Vec<i64>> {
    let mut out: Vec<Vec<i64>> = Vec::new();
    for c in beyond_ascii(last).filter(|c| has(*c)).map(i64::from) {
        match out.last_mut() {
            Some(range) if range[1] + 1 == c => range[1] = c,
            _ => out.push(vec![c, c]),
        }
    }
    out
}

/// Ranges of digits with the value of the first one.
fn digits() -> Vec<Vec<i64>> {
    let mut out: Vec<Vec<i64>> = Vec::new();
    for c in beyond_ascii(CASED).filter(|c| unicode::is_digit(*c)) {
        let value = i64::from(unicode::digit(c, 10).expect("a digit has a value"));
        match out.last_mut() {
            Some(last) if last[1] + 1 == i64::from(c) && last[2] + (last[1] - last[0]) + 1 == value => last[1] += 1,
            _ => out.push(vec![i64::from(c), i64::from(c), value]),
        }
    }
    out
}

/// Ranges that move by the same distance: first, last, step, distance.
fn mapping(map: fn(u32) -> u32) -> Vec<Vec<i64>> {
    let mut out: Vec<Vec<i64>> = Vec::new();
    for c in beyond_ascii(CASED).filter(|c| map(*c) != *c) {
        let (c, distance) = (i64::from(c), i64::from(map(c)) - i64::from(c));
        if let Some(last) = out.last_mut()
            && last[3] == distance
        {
            let step = c - last[1];
            if step == last[2] || (last[0] == last[1] && step <= 2) {
                (last[1], last[2]) = (c, step);
                continue;
            }
        }
        out.push(vec![c, c, 1, distance]);
    }
    out
}

/// Characters whose upper case in a text is another one than by themselves: up to three code points.
fn upper_texts() -> Vec<Vec<i64>> {
    let mut out = Vec::new();
    for c in beyond_ascii(CASED) {
        let mut units = Vec::new();
        unicode::push(&mut units, c);
        let upper: Vec<i64> = unicode::code_points(&case_map::upper_string(&units))
            .map(i64::from)
            .collect();
        if upper != [i64::from(case_map::to_upper(c))] {
            let mut row = vec![i64::from(c), i64::from(c)];
            row.extend(upper.iter().copied());
            row.resize(5, 0);
            out.push(row);
        }
    }
    out
}

fn table(name: &str, what: &str, rows: &[Vec<i64>]) -> String {
    let mut text = format!("// {what}\n__device__ const int32_t {name}[] = {{\n");
    let numbers: Vec<String> = rows.iter().flatten().map(i64::to_string).collect();
    for line in numbers.chunks(20) {
        text.push_str(&format!("    {},\n", line.join(", ")));
    }
    text.push_str(&format!("}};\nconstexpr int32_t {name}Count = {};\n\n", rows.len()));
    text
}

fn header() -> String {
    let mut out = String::from(
        "// Letters, digits and case beyond ASCII, as JDK 17 has them. Made by the test in src/propose/cuda/unicode.rs.\n#pragma once\n\n\
         #include \"rw_core.cuh\"\n\nnamespace rw {\n\n",
    );
    out += &table("kDigits", "Decimal digits: first, last, value of the first.", &digits());
    out += &table(
        "kLetters",
        "Character.isLetter: first, last.",
        &ranges(unicode::is_letter, LETTERS),
    );
    out += &table(
        "kUpper",
        "Character.isUpperCase: first, last.",
        &ranges(unicode::is_upper_case, CASED),
    );
    out += &table(
        "kLower",
        "Character.isLowerCase: first, last.",
        &ranges(unicode::is_lower_case, CASED),
    );
    out += &table(
        "kToUpper",
        "Character.toUpperCase: first, last, step, distance.",
        &mapping(case_map::to_upper),
    );
    out += &table(
        "kToLower",
        "Character.toLowerCase: first, last, step, distance.",
        &mapping(case_map::to_lower),
    );
    out += &table(
        "kUpperText",
        "String.toUpperCase where it differs: character, again, up to three characters.",
        &upper_texts(),
    );
    out + "}  // namespace rw\n"
}

#[test]
fn the_tables_for_kernels_are_those_of_the_jvm() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/kernels/rw_unicode.cuh");
    let made = header();
    if std::env::var_os("REWRIGHT_MAKE_TABLES").is_some() {
        std::fs::write(path, &made).expect("the header can be written");
    }
    let kept = std::fs::read_to_string(path).expect("the header");
    assert!(
        kept == made,
        "kernels/rw_unicode.cuh is old: run this test with REWRIGHT_MAKE_TABLES=1"
    );
}
