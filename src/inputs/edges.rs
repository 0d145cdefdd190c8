//! Typed edge values: extremes, ties, NaN, signs of zero, empty and odd text, leap days, clock changes.

use super::literals::Literals;

/// Integer edges that fit `bits`, with the UDF's literals and their neighbours.
pub(super) fn integers(bits: u32, literals: &Literals) -> Vec<i64> {
    let (min, max) = (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits));
    let fixed = [
        0,
        1,
        -1,
        2,
        -2,
        3,
        -3,
        5,
        7,
        -7,
        9,
        10,
        -10,
        31,
        32,
        33,
        63,
        64,
        99,
        100,
        -100,
        127,
        128,
        -128,
        -129,
        255,
        256,
        1000,
        32767,
        32768,
        -32768,
        -32769,
        65535,
        65536,
        2147483647,
        2147483648,
        -2147483648,
        -2147483649,
        4294967295,
        4294967296,
        1 << 53,
    ];
    let mut out: Vec<i64> = fixed
        .into_iter()
        .chain([min, min + 1, max - 1, max])
        .filter(|v| min <= *v && *v <= max)
        .collect();
    for n in &literals.numbers {
        let whole = n.trunc();
        if whole.abs() < 9e18 {
            let near = [whole as i64 - 1, whole as i64, whole as i64 + 1, -(whole as i64)];
            out.extend(near.into_iter().filter(|v| min <= *v && *v <= max));
        }
    }
    dedup(out)
}

/// Float edges, with the UDF's literals, their neighbours in the last place and their negatives.
pub(super) fn floats(literals: &Literals) -> Vec<f64> {
    let mut out = vec![
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -0.5,
        1.5,
        -1.5,
        2.5,
        -2.5,
        0.1,
        0.2,
        0.3,
        1.005,
        1.015,
        1.025,
        2.675,
        -1.005,
        8.345,
        0.49999999999999994,
        0.045,
        99.995,
        100.0,
        1e-3,
        1e7,
        1e-7,
        12345.675,
        1e10,
        1e15,
        4503599627370496.5,
        9007199254740991.0,
        9007199254740993.0,
        1e16,
        1e21,
        1e23,
        2147483647.0,
        2147483648.0,
        -2147483649.0,
        9.223372036854776e18,
        1e300,
        -1e300,
        f64::MAX,
        f64::MIN,
        f64::MIN_POSITIVE,
        5e-324,
        -5e-324,
        f64::EPSILON,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];
    for n in &literals.numbers {
        out.extend([*n, n.next_up(), n.next_down(), n + 1.0, n - 1.0, -n, n / 2.0, n + 0.5]);
    }
    let mut seen = std::collections::HashSet::new();
    out.retain(|v| seen.insert(v.to_bits()));
    out
}

/// Texts that trip parsers, trimmers, case maps, indexes and patterns, with variations of the UDF's literals.
pub(super) fn texts(literals: &Literals) -> Vec<String> {
    let fixed = [
        "",
        " ",
        "a",
        "A",
        "0",
        "1",
        "-1",
        "+1",
        " 12 ",
        "007",
        "abc",
        "ABC def",
        "Abc",
        "a b c",
        "  a  b  ",
        "\ta\n",
        "a\r\nb",
        "\u{a0}x\u{a0}",
        "\u{1}x\u{1f}",
        "\u{7f}",
        "\u{0}",
        "ß",
        "straße",
        "İ",
        "ı",
        "ΑΣ",
        "ﬁ",
        "é",
        "e\u{301}",
        "ÄÖÜ",
        "日本語",
        "😀",
        "a😀b",
        "😀😀",
        "١٢",
        "٣٤",
        "１２",
        "-٧",
        "𝟏𝟐",
        "ᾳx",
        "ǆx",
        "𐐨x",
        "²",
        "NaN",
        "Infinity",
        "-Infinity",
        "1.5",
        "-0.0",
        "1e3",
        "0x1F",
        "2147483647",
        "2147483648",
        "9223372036854775808",
        "12abc",
        "1,234.50",
        "null",
        "true",
        "TRUE",
        "yes",
        "a,b,,",
        ",",
        "a;b=c",
        "k=v;k=w",
        "a-b",
        "a_b",
        "a.b.c",
        "1.2.3.4",
        "a|b",
        "(x)",
        "[y]",
        "$1",
        "\\",
        "%",
        "5551234567",
        "(555) 123-4567",
        "user@example.com",
        "@",
        "2024-02-29",
        "2024-02-30",
        "1582-10-10",
        "2024-01-01 12:34:56",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    ];
    let mut out: Vec<String> = fixed.into_iter().map(str::to_owned).collect();
    for t in literals.texts.iter().filter(|t| t.len() <= 200) {
        let shorter: String = t.chars().take(t.chars().count().saturating_sub(1)).collect();
        out.extend([
            t.clone(),
            t.to_uppercase(),
            t.to_lowercase(),
            format!(" {t} "),
            format!("{t}x"),
            format!("x{t}"),
            shorter,
        ]);
        out.extend([format!("{t}{t}"), format!("a{t}b")]);
    }
    out.extend(literals.samples.iter().cloned());
    out.extend(literals.numbers.iter().map(|n| format!("{n}")));
    let mut seen = std::collections::HashSet::new();
    out.retain(|v| seen.insert(v.clone()));
    out
}

/// Days since 1970-01-01: leap days, ends of months and years, the calendar change, the ends of Spark's range.
pub(super) fn days() -> Vec<i32> {
    let dates = [
        "1970-01-01",
        "1969-12-31",
        "1970-01-02",
        "2000-02-29",
        "1900-02-28",
        "1900-03-01",
        "2024-02-29",
        "2024-02-28",
        "2023-02-28",
        "2024-01-31",
        "2024-03-31",
        "2024-04-30",
        "2024-12-29",
        "2024-12-30",
        "2024-12-31",
        "2025-01-01",
        "2023-01-01",
        "2024-03-10",
        "2024-11-03",
        "2020-10-25",
        "1582-10-04",
        "1582-10-15",
        "0001-01-01",
        "9999-12-31",
        "2038-01-19",
    ];
    dates
        .iter()
        .filter_map(|d| d.parse::<chrono::NaiveDate>().ok())
        .map(days_of)
        .collect()
}

fn days_of(date: chrono::NaiveDate) -> i32 {
    use chrono::Datelike;
    // 719163 is the day number of 1970-01-01 counted from 0001-01-01.
    date.num_days_from_ce() - 719_163
}

/// Microseconds since the epoch: around the epoch, around clock changes, at the ends of days and of the range.
pub(super) fn micros() -> Vec<i64> {
    let times = [
        "1970-01-01T00:00:00Z",
        "1969-12-31T23:59:59.999999Z",
        "1969-12-31T23:59:59Z",
        "1970-01-01T00:00:00.000001Z",
        "2024-03-10T06:59:59.999999Z",
        "2024-03-10T07:00:00Z",
        "2024-03-10T07:30:00Z",
        "2024-11-03T05:30:00Z",
        "2024-11-03T06:30:00Z",
        "2024-03-31T01:00:00Z",
        "2024-10-27T00:30:00Z",
        "2024-10-27T01:00:00Z",
        "2024-02-29T12:34:56.789Z",
        "2024-12-31T23:59:59.999999Z",
        "2000-01-01T00:00:00Z",
        "1900-01-01T00:00:00Z",
        "1582-10-15T00:00:00Z",
        "0001-01-01T00:00:00Z",
        "9999-12-31T23:59:59.999999Z",
        "2024-07-01T00:02:03.123456Z",
    ];
    times
        .iter()
        .filter_map(|t| t.parse::<chrono::DateTime<chrono::Utc>>().ok())
        .map(|t| t.timestamp_micros())
        .collect()
}

/// Unscaled decimals of a precision and scale: units, ties of coarser scales, wholes and the extremes.
pub(super) fn decimals(precision: u8, scale: i8, literals: &Literals) -> Vec<i128> {
    let top = 10i128.pow(u32::from(precision)) - 1;
    let one = 10i128.pow(scale.max(0) as u32);
    let mut out = vec![
        0,
        1,
        -1,
        5,
        -5,
        15,
        25,
        -25,
        one,
        -one,
        one / 2,
        -one / 2,
        one * 3 / 2,
        one * 10,
        one * 100,
        top,
        -top,
        top - 1,
    ];
    // Ties when rounded to two places, where the scale has a third.
    if scale >= 3 {
        let milli = 10i128.pow(scale as u32 - 3);
        out.extend([1005, 1015, 1025, 2675, -1005, -2675, 5, 15].map(|v| v * milli));
    }
    out.extend(literals.numbers.iter().map(|n| (n * one as f64) as i128));
    out.retain(|v| v.abs() <= top);
    dedup(out)
}

/// Byte strings.
pub(super) fn bytes() -> Vec<Vec<u8>> {
    let fixed: [&[u8]; 8] = [
        b"",
        b"\0",
        b"\xff",
        b"\x7f\x80",
        b"abc",
        "ß😀".as_bytes(),
        b"\xc3\x28",
        &[0xAB; 40],
    ];
    fixed.iter().map(|b| b.to_vec()).collect()
}

fn dedup<T: Ord + Copy>(mut values: Vec<T>) -> Vec<T> {
    let mut seen = std::collections::BTreeSet::new();
    values.retain(|v| seen.insert(*v));
    values
}
