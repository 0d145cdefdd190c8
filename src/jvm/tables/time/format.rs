//! `DateTimeFormatter`, `SimpleDateFormat`, and parsing for the other classes.

use super::classes::*;
use super::sql::{default_zone, millis_of};
use crate::jvm::args;
use crate::jvm::object::Object;
use crate::jvm::rows::{methods, statics};
use crate::jvm::tables::format::Locale;
use crate::jvm::text::JStr;
use crate::jvm::time::formatter::{self, Formatter};
use crate::jvm::time::print::{self, Known};
use crate::jvm::time::{Time, Zone, parse, simple_format};
use crate::jvm::value::{Eval, Throw, Value};

/// UTF-8 of a `CharSequence`; null throws.
pub(super) fn text(value: &Value) -> Eval<String> {
    args::string(value).map(|s| s.to_utf8().into_owned())
}

pub(super) use text as text_of;

/// What an object knows of date, time, offset and zone.
pub(super) fn known_of(time: &Time) -> Known {
    let mut known = Known::default();
    match time {
        Time::LocalDate(days) => known.date = Some(*days),
        Time::LocalTime(nanos) => known.time = Some(*nanos),
        Time::LocalDateTime(days, nanos) => (known.date, known.time) = (Some(*days), Some(*nanos)),
        Time::OffsetDateTime(days, nanos, offset) => {
            (known.date, known.time, known.offset) = (Some(*days), Some(*nanos), Some(*offset));
            known.zone = Some(Zone::offset(*offset));
        }
        Time::ZonedDateTime(days, nanos, offset, zone) => {
            (known.date, known.time, known.offset) = (Some(*days), Some(*nanos), Some(*offset));
            known.zone = Some(zone.clone());
        }
        _ => {}
    }
    known
}

/// Parses by a formatter, or by the ISO constant of that name.
pub(super) fn parsed(value: &Value, formatter: Option<&Formatter>, iso: &str) -> Eval<Known> {
    let text = text(value)?;
    match formatter {
        Some(formatter) => parse::parse(formatter, &text),
        None => {
            let iso = formatter::iso(iso).ok_or_else(|| Throw::Unsupported(format!("{iso} is not covered")))?;
            parse::parse(&iso, &text)
        }
    }
}

/// `LocalDate.parse`.
pub(super) fn parsed_date(value: &Value, formatter: Option<&Formatter>) -> Eval<i64> {
    let known = parsed(value, formatter, "ISO_LOCAL_DATE")?;
    known
        .date
        .ok_or_else(|| parse::unparseable(&text(value).unwrap_or_default()))
}

/// `LocalTime.parse`.
pub(super) fn parsed_time(value: &Value, formatter: Option<&Formatter>) -> Eval<i64> {
    let known = parsed(value, formatter, "ISO_LOCAL_TIME")?;
    known
        .time
        .ok_or_else(|| parse::unparseable(&text(value).unwrap_or_default()))
}

/// `LocalDateTime.parse`.
pub(super) fn parsed_local(value: &Value, formatter: Option<&Formatter>) -> Eval<LocalDateTime> {
    let known = parsed(value, formatter, "ISO_LOCAL_DATE_TIME")?;
    match (known.date, known.time) {
        (Some(days), Some(nanos)) => Ok(LocalDateTime(days, nanos)),
        _ => Err(parse::unparseable(&text(value)?)),
    }
}

/// The value of a week field on a day.
pub(super) fn day_field(days: i64, field: &WeekField) -> i64 {
    super::names::week_field(days, field)
}

fn pattern(text: &JStr) -> Eval<DateTimeFormatter> {
    formatter::of_pattern(&text.to_utf8()).map(DateTimeFormatter)
}

fn iso(name: &str) -> Eval<DateTimeFormatter> {
    let found = formatter::iso(name).ok_or_else(|| Throw::Unsupported(format!("{name} is not covered")))?;
    Ok(DateTimeFormatter(found))
}

fn simple(text: &JStr) -> Eval<SimpleDateFormat> {
    simple_format::compile(&text.to_utf8()).map(SimpleDateFormat)
}

/// The language tag of a locale.
fn tag(locale: &Value) -> Eval<String> {
    match args::object(locale)? {
        Object::Other(other) => other.as_any().downcast_ref::<Locale>().map(|Locale(tag)| tag.clone()),
        _ => None,
    }
    .ok_or_else(|| args::mismatch("Locale", locale))
}

/// A locale that writes English (US) names, or any of those with ISO digits where no names are asked for.
fn english(locale: &Value, names: bool) -> Eval<()> {
    match tag(locale)?.as_str() {
        "en" | "en-US" => Ok(()),
        "" | "en-GB" | "de" | "de-DE" | "fr" | "fr-FR" if !names => Ok(()),
        other => Err(Throw::Unsupported(format!(
            "the locale {other} is not covered for dates"
        ))),
    }
}

fn has_names(items: &[formatter::Item]) -> bool {
    items.iter().any(|item| match item {
        formatter::Item::Text { .. } => true,
        formatter::Item::Number { field, .. } | formatter::Item::Reduced { field, .. } => {
            *field == formatter::Field::WeekYear
        }
        formatter::Item::Optional(inner) => has_names(inner),
        _ => false,
    })
}

/// A formatter in a locale.
fn localized(formatter: DateTimeFormatter, locale: &Value) -> Eval<DateTimeFormatter> {
    english(locale, has_names(&formatter.0.items))?;
    Ok(formatter)
}

fn simple_localized(text: &JStr, locale: &Value) -> Eval<SimpleDateFormat> {
    let format = simple(text)?;
    english(locale, format.0.has_names())?;
    Ok(format)
}

/// `WeekFields.of(Locale)`.
pub(super) fn week_fields(locale: &Value) -> Eval<WeekFields> {
    match tag(locale)?.as_str() {
        "en-US" => Ok(WeekFields((7, 1))),
        other => Err(Throw::Unsupported(format!(
            "the weeks of the locale {other} are not covered"
        ))),
    }
}

statics!(
    /// `DateTimeFormatter`.
    FORMATTER, "static DateTimeFormatter", "DateTimeFormatter", cx;
    over "ofPattern"(p: String) -> DateTimeFormatter throws "IllegalArgumentException" = pattern(p)?;
    over "ofPattern"(p: String, locale: ("Locale")) -> DateTimeFormatter throws "IllegalArgumentException" = localized(pattern(p)?, locale)?;
    one "ISO_LOCAL_DATE"() -> DateTimeFormatter = iso("ISO_LOCAL_DATE")?;
    one "ISO_LOCAL_TIME"() -> DateTimeFormatter = iso("ISO_LOCAL_TIME")?;
    one "ISO_LOCAL_DATE_TIME"() -> DateTimeFormatter = iso("ISO_LOCAL_DATE_TIME")?;
    one "ISO_DATE"() -> DateTimeFormatter = iso("ISO_DATE")?;
    one "ISO_TIME"() -> DateTimeFormatter = iso("ISO_TIME")?;
    one "ISO_DATE_TIME"() -> DateTimeFormatter = iso("ISO_DATE_TIME")?;
    one "ISO_OFFSET_DATE_TIME"() -> DateTimeFormatter = iso("ISO_OFFSET_DATE_TIME")?;
    one "ISO_ZONED_DATE_TIME"() -> DateTimeFormatter = iso("ISO_ZONED_DATE_TIME")?;
    one "BASIC_ISO_DATE"() -> DateTimeFormatter = iso("BASIC_ISO_DATE")?;
);

methods!(
    /// Methods of `DateTimeFormatter`.
    FORMATTER_METHODS, "DateTimeFormatter", x: DateTimeFormatter, cx;
    one "format"(t: Any) -> String throws "DateTimeException" = JStr::new(&print::format(&x.0, &known_of(time(t, "TemporalAccessor")?))?);
    one "withLocale"(locale: ("Locale")) -> DateTimeFormatter = localized(x, locale)?;
);

statics!(
    /// Constructors of `SimpleDateFormat`.
    SIMPLE, "new SimpleDateFormat", "SimpleDateFormat", cx;
    over "SimpleDateFormat"(p: String) -> SimpleDateFormat throws "IllegalArgumentException" = simple(p)?;
    over "SimpleDateFormat"(p: String, locale: ("Locale")) -> SimpleDateFormat throws "IllegalArgumentException" = simple_localized(p, locale)?;
);

methods!(
    /// Methods of `SimpleDateFormat`.
    SIMPLE_METHODS, "SimpleDateFormat", x: SimpleDateFormat, cx;
    one "parse"(s: String) -> UtilDate throws "ParseException" = UtilDate(simple_format::parse(&x.0, &s.to_utf8(), &default_zone(cx)?)?);
    one "format"(d: Any) -> String = {
        let zone = default_zone(cx)?;
        JStr::new(&simple_format::format(&x.0, millis_of(d, &zone)?, &zone)?)
    };
    one "toPattern"() -> String = JStr::new(&x.0.pattern);
);
