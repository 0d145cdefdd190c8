//! Against the golden vectors and against a dump of the JDK's calendar and zone results.

use super::{Unit, Zone, arithmetic, civil, formatter, legacy, parse, print, simple_format, text};
use crate::jvm::value::{Eval, Throw};
use crate::test_vectors::{Row, golden, vectors};

/// A number, or the class that was thrown.
fn outcome(result: Eval<i64>) -> String {
    match result {
        Ok(value) => value.to_string(),
        Err(Throw::Exception(e)) => format!("ERROR:{}", e.class),
        Err(other) => format!("{other:?}"),
    }
}

/// What the vectors expect: the integer beside the text, or the simple class name.
fn expected(row: &Row<'_>, suffix: &str) -> String {
    match row.raw("jvm_result").strip_prefix("ERROR:") {
        Some(class) => format!("ERROR:{}", class.rsplit('.').next().unwrap_or(class)),
        None => row.raw(&format!("jvm_result{suffix}")).to_string(),
    }
}

/// Compares every row whose arguments are not null.
fn rows(file: &str, args: &[&str], suffix: &str, f: impl Fn(&Row<'_>) -> Eval<i64>) {
    let mut compared = 0;
    for row in vectors(file).rows() {
        if args.iter().any(|a| row.is_null(a)) {
            continue;
        }
        assert_eq!(outcome(f(&row)), expected(&row, suffix), "{row:?}");
        compared += 1;
    }
    assert!(compared > 10, "{file}");
}

fn days(row: &Row<'_>, column: &str) -> i64 {
    row.parse(&format!("{column}_days")).expect("a date")
}

fn micros(row: &Row<'_>, column: &str) -> i64 {
    row.parse(&format!("{column}_micros")).expect("a timestamp")
}

fn string(row: &Row<'_>, column: &str) -> String {
    String::from_utf16_lossy(&row.units(column).expect("a text"))
}

#[test]
fn dates_follow_the_vectors() {
    rows("date_plus_days", &["a", "b"], "_days", |r| {
        arithmetic::plus_days(days(r, "a"), r.parse("b").expect("b"))
    });
    rows("date_plus_months", &["a", "b"], "_days", |r| {
        arithmetic::plus_months(days(r, "a"), r.parse("b").expect("b"))
    });
    rows("date_day_of_week", &["a"], "", |r| Ok(civil::day_of_week(days(r, "a"))));
    rows("date_week_of_year_iso", &["a"], "", |r| {
        Ok(civil::week_of_year(days(r, "a"), 1, 4).1)
    });
    rows("date_days_between", &["a", "b"], "", |r| {
        arithmetic::between_dates(days(r, "b"), days(r, "a"), Unit::Days)
    });
    rows("date_months_between", &["a", "b"], "", |r| {
        arithmetic::between_dates(days(r, "b"), days(r, "a"), Unit::Months)
    });
    let iso = formatter::iso("ISO_LOCAL_DATE").expect("known");
    rows("date_parse_localdate", &["a"], "_days", |r| {
        parse::parse(&iso, &string(r, "a")).map(|known| known.date.expect("a date"))
    });
}

#[test]
fn week_years_follow_the_vectors() {
    let formatter = formatter::of_pattern("YYYY-MM-dd").expect("covered");
    for row in vectors("date_format_week_year").rows() {
        if row.is_null("a") {
            continue;
        }
        let known = print::Known {
            date: Some(days(&row, "a")),
            ..print::Known::default()
        };
        assert_eq!(
            print::format(&formatter, &known).expect("a date"),
            row.raw("jvm_result"),
            "{row:?}"
        );
    }
}

#[test]
fn sql_dates_follow_the_vectors() {
    let utc = Zone::utc();
    let la = Zone::of("America/Los_Angeles").expect("known");
    rows("date_sqldate_epoch_days", &["a"], "", |r| {
        Ok(legacy::date_millis(days(r, "a"), &utc).div_euclid(86_400_000))
    });
    rows("date_sqldate_epoch_days_la", &["a"], "", |r| {
        Ok(legacy::date_millis(days(r, "a"), &la) / 86_400_000)
    });
    let format = simple_format::compile("yyyy-MM-dd").expect("covered");
    rows("date_parse_simpledateformat", &["a"], "_days", |r| {
        let millis = simple_format::parse(&format, &string(r, "a"), &utc)?;
        Ok(legacy::stored_days(&legacy::date_from_millis(millis, &utc), &utc).expect("a date"))
    });
}

#[test]
fn timestamps_follow_the_vectors() {
    let utc = Zone::utc();
    let new_york = Zone::of("America/New_York").expect("known");
    let sao_paulo = Zone::of("America/Sao_Paulo").expect("known");
    rows("ts_epoch_seconds", &["a"], "", |r| {
        Ok(legacy::timestamp_millis(micros(r, "a").into(), &utc) / 1000)
    });
    rows("ts_epoch_millis", &["a"], "", |r| {
        Ok(legacy::timestamp_millis(micros(r, "a").into(), &utc))
    });
    rows("ts_hour_new_york", &["a"], "", |r| {
        Ok(legacy::timestamp_local(micros(r, "a").into(), &new_york).1 / 3_600_000_000_000)
    });
    rows("ts_parse", &["a"], "_micros", |r| {
        let (days, nanos) = simple_format::sql_timestamp(&string(r, "a"))?;
        Ok(legacy::timestamp_of_local(days, nanos, &utc).0 as i64)
    });
    for row in vectors("ts_to_string").rows() {
        if !row.is_null("a") {
            let (days, nanos) = legacy::timestamp_local(micros(&row, "a").into(), &utc);
            assert_eq!(text::timestamp(days, nanos), row.raw("jvm_result"), "{row:?}");
        }
    }
    let shifted = |r: &Row<'_>| {
        (
            micros(r, "a").div_euclid(1_000_000),
            (micros(r, "a").rem_euclid(1_000_000) * 1000) as u32,
        )
    };
    let micros_of = |(seconds, nanos): (i64, u32)| seconds * 1_000_000 + i64::from(nanos) / 1000;
    rows("ts_plus_24h_new_york", &["a"], "_micros", |r| {
        arithmetic::plus_instant(shifted(r), 86_400, Unit::Seconds).map(micros_of)
    });
    let instant = |(days, nanos, offset): (i64, i64, i32)| {
        (arithmetic::local_seconds(days, nanos) - i64::from(offset)) * 1_000_000 + nanos % 1_000_000_000 / 1000
    };
    rows("local_to_utc_new_york", &["a"], "_micros", |r| {
        let (days, nanos) = arithmetic::local_of(shifted(r).0, shifted(r).1, 0);
        Ok(instant(arithmetic::zoned(days, nanos, &new_york, None)))
    });
    rows("utc_to_local_new_york", &["a"], "_micros", |r| {
        let (days, nanos, _) = arithmetic::zoned_instant(shifted(r).0, shifted(r).1, &new_york);
        Ok(instant((days, nanos, 0)))
    });
    rows("ts_trunc_day_sao_paulo", &["a"], "_micros", |r| {
        let (days, _, offset) = arithmetic::zoned_instant(shifted(r).0, shifted(r).1, &sao_paulo);
        Ok(instant(arithmetic::zoned(days, 0, &sao_paulo, Some(offset))))
    });
    rows("epoch_int_to_ts", &["a"], "_micros", |r| {
        let millis = i64::from(r.parse::<i32>("a").expect("a").wrapping_mul(1000));
        Ok(legacy::timestamp_from_seconds(
            millis.div_euclid(1000),
            (millis.rem_euclid(1000) * 1_000_000) as u32,
            &utc,
        )
        .0 as i64)
    });
}

#[test]
fn zones_are_those_of_the_jdk() {
    let mut compared = 0;
    for row in golden("jvm/zones.csv").rows() {
        let zone = Zone::of(row.raw("zone")).expect("a zone");
        let local: i64 = row.parse("local").expect("local");
        let is = |column: &str, got: i64| assert_eq!(got.to_string(), row.raw(column), "{column} of {row:?}");
        is("offset", zone.offset_at(local).into());
        is("zoned", local - i64::from(zone.offset_of_local(local)));
        is("legacy", legacy::offset_at(&zone, local));
        is("calendar", legacy::calendar_millis(local * 1000, &zone) / 1000);
        compared += 1;
    }
    assert!(compared > 200);
}

/// Collects differences, so that one run shows all of them.
#[derive(Default)]
struct Differences(Vec<String>);

impl Differences {
    fn is(&mut self, what: &str, got: &str, expected: &str, row: &Row<'_>) {
        if got != expected {
            self.0.push(format!("{what}: {got}, not {expected}: {row:?}"));
        }
    }
}

impl Drop for Differences {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert!(self.0.is_empty(), "{} differences\n{}", self.0.len(), self.0.join("\n"));
        }
    }
}

fn shown(result: Eval<Option<String>>, missing: &str) -> String {
    match result {
        Ok(Some(text)) => text,
        Ok(None) => missing.into(),
        Err(Throw::Exception(e)) => format!("ERROR:{}", e.class),
        Err(other) => format!("{other:?}"),
    }
}

#[test]
fn texts_parse_as_in_the_jdk() {
    let mut differences = Differences::default();
    for row in golden("jvm/date_time_parse.csv").rows() {
        let text = string(&row, "text");
        let pattern = string(&row, "pattern");
        let by = |iso: &str| {
            let formatter = match pattern.as_str() {
                "ISO" => formatter::iso(iso).expect("known"),
                other => formatter::of_pattern(other)?,
            };
            parse::parse(&formatter, &text)
        };
        let missing = "ERROR:DateTimeParseException";
        let date = shown(by("ISO_LOCAL_DATE").map(|k| k.date.map(text::date)), missing);
        let time = shown(by("ISO_LOCAL_TIME").map(|k| k.time.map(text::time)), missing);
        let local = by("ISO_LOCAL_DATE_TIME").map(|k| k.date.zip(k.time).map(|(d, n)| text::local(d, n)));
        let covered = !date.starts_with("Unsupported");
        if covered {
            differences.is("date", &date, row.raw("date"), &row);
            differences.is("time", &time, row.raw("time"), &row);
            differences.is("local", &shown(local, missing), row.raw("local"), &row);
        }
    }
}

#[test]
fn objects_print_as_in_the_jdk() {
    let zone = Zone::of("America/New_York").expect("known");
    let mut differences = Differences::default();
    for row in golden("jvm/date_time_format.csv").rows() {
        let (seconds, nanos): (i64, u32) = (row.parse("seconds").expect("n"), row.parse("nanos").expect("n"));
        let (pattern, expected) = (string(&row, "pattern"), string(&row, "result"));
        let (days, of_day, offset) = arithmetic::zoned_instant(seconds, nanos, &zone);
        let (micros, below) = legacy::timestamp_from_seconds(seconds, nanos, &zone);
        let local = legacy::timestamp_local(micros, &zone);
        let local = (local.0, local.1 + i64::from(below));
        let millis = seconds * 1000 + i64::from(nanos) / 1_000_000;
        let got = match (row.raw("kind"), pattern.as_str()) {
            ("zoned", _) => {
                let known = print::Known {
                    date: Some(days),
                    time: Some(of_day),
                    offset: Some(offset),
                    zone: Some(zone.clone()),
                };
                shown(
                    formatter::of_pattern(&pattern)
                        .and_then(|f| print::format(&f, &known))
                        .map(Some),
                    "",
                )
            }
            ("simple", _) => {
                let format = simple_format::compile(&pattern);
                shown(
                    format.and_then(|f| simple_format::format(&f, millis, &zone)).map(Some),
                    "",
                )
            }
            ("text", "instant") => text::instant(seconds, nanos),
            ("text", "duration") => text::duration(seconds, nanos),
            ("text", _) => {
                text::of(&super::Time::ZonedDateTime(days, of_day, offset, zone.clone())).expect("needs no zone")
            }
            ("sql", "timestamp") => text::timestamp(local.0, local.1),
            ("sql", "local") => text::local(local.0, local.1),
            ("sql", "date") => {
                let date = legacy::date_from_millis(seconds * 1000, &zone);
                text::sql_date(legacy::stored_days(&date, &zone).expect("a date"))
            }
            ("sql", "roundtrip") => {
                let (micros, _) = legacy::timestamp_of_local(local.0, local.1, &zone);
                legacy::timestamp_millis(micros, &zone).to_string()
            }
            ("sql", _) => legacy::date_millis(seconds.div_euclid(86_400), &zone).to_string(),
            ("valueof", kind) => value_of(kind, &expected, &zone),
            other => panic!("{other:?}"),
        };
        differences.is("text", &got, &expected, &row);
    }
}

/// The line of the dump for a text of `java.sql`: the text, what it became, its milliseconds.
fn value_of(kind: &str, line: &str, zone: &Zone) -> String {
    let text = line.split('|').next().expect("a text");
    let (shown_text, millis) = if kind == "date" {
        let day = simple_format::sql_date(text);
        (
            shown(day.clone().map(|d| Some(text::sql_date(d))), ""),
            shown(day.map(|d| Some(legacy::date_millis(d, zone).to_string())), ""),
        )
    } else {
        let local =
            simple_format::sql_timestamp(text).map(|(days, nanos)| legacy::timestamp_of_local(days, nanos, zone));
        let print = |(micros, below): (i128, u16)| {
            let (days, nanos) = legacy::timestamp_local(micros, zone);
            Some(text::timestamp(days, nanos + i64::from(below)))
        };
        (
            shown(local.clone().map(print), ""),
            shown(
                local.map(|(micros, _)| Some(legacy::timestamp_millis(micros, zone).to_string())),
                "",
            ),
        )
    };
    format!("{text}|{shown_text}|{millis}")
}

#[test]
fn instants_parse_as_in_the_jdk() {
    for line in include_str!("../../../tests/data/jvm/instant_parse.tsv").lines() {
        let (text, want) = line.split_once('\t').expect("two columns");
        let got = match parse::instant(text) {
            Ok((seconds, nanos)) => format!("{seconds},{nanos}"),
            Err(Throw::Exception(e)) => format!("E{}", e.class),
            Err(other) => format!("{other:?}"),
        };
        assert_eq!(got, want, "{text}");
    }
}
