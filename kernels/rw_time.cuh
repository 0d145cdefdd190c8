// Days of the calendar as java.time counts them (the Gregorian calendar for all years), and moments in microseconds.
#pragma once

#include "rw_text.cuh"

namespace rw {

// A java.time.LocalDate or a java.sql.Date, or null.
struct Date {
  int64_t day;
  bool valid;

  __device__ bool is_null() const { return !valid; }
};

struct DateParts {
  int64_t year;
  int32_t month;
  int32_t day;
};

__device__ inline int64_t date_floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
__device__ inline int64_t date_floor_mod(int64_t a, int64_t b) { return a - date_floor_div(a, b) * b; }

// Years begin in March, so that the leap day is the last one; eras of 400 years repeat.
__device__ inline DateParts date_parts(int64_t epoch_day) {
  const int64_t z = epoch_day + 719468;
  const int64_t era = date_floor_div(z, 146097);
  const int64_t doe = z - era * 146097;
  const int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
  const int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
  const int64_t mp = (5 * doy + 2) / 153;
  const int32_t month = static_cast<int32_t>(mp < 10 ? mp + 3 : mp - 9);
  return DateParts{yoe + era * 400 + (month <= 2 ? 1 : 0), month, static_cast<int32_t>(doy - (153 * mp + 2) / 5 + 1)};
}
__device__ inline int64_t date_days(int64_t year, int32_t month, int32_t day) {
  const int64_t y = year - (month <= 2 ? 1 : 0);
  const int64_t era = date_floor_div(y, 400);
  const int64_t yoe = y - era * 400;
  const int64_t doy = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}
__device__ inline bool date_leap(int64_t year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }
__device__ inline int32_t date_month_length(int64_t year, int32_t month) {
  return month == 2 ? (date_leap(year) ? 29 : 28) : (month == 4 || month == 6 || month == 9 || month == 11) ? 30 : 31;
}

__device__ inline DateParts date_fields(Row& row, Date d) {
  if (!d.valid) row.fail(kNullPointerException);
  return date_parts(d.day);
}
__device__ inline int32_t date_year(Row& row, Date d) { return static_cast<int32_t>(date_fields(row, d).year); }
__device__ inline int32_t date_month(Row& row, Date d) { return date_fields(row, d).month; }
__device__ inline int32_t date_day(Row& row, Date d) { return date_fields(row, d).day; }
__device__ inline int32_t date_day_of_year(Row& row, Date d) {
  return static_cast<int32_t>(d.day - date_days(date_fields(row, d).year, 1, 1)) + 1;
}
// Monday is 1.
__device__ inline int32_t date_weekday(Row& row, Date d) {
  if (!d.valid) row.fail(kNullPointerException);
  return static_cast<int32_t>(date_floor_mod(d.day + 3, 7)) + 1;
}
__device__ inline int32_t date_length_of_month(Row& row, Date d) {
  const DateParts p = date_fields(row, d);
  return date_month_length(p.year, p.month);
}
__device__ inline bool date_is_leap(Row& row, Date d) { return date_leap(date_fields(row, d).year); }
__device__ inline int32_t date_length_of_year(Row& row, Date d) { return date_is_leap(row, d) ? 366 : 365; }
__device__ inline int64_t date_epoch_day(Row& row, Date d) {
  if (!d.valid) row.fail(kNullPointerException);
  return d.day;
}

constexpr int64_t kLeastDay = -365243219162LL, kLastDay = 365241780471LL;

__device__ inline Date date_at(Row& row, int64_t day) {
  if (day < kLeastDay || day > kLastDay) row.fail(kDateTimeException);
  return Date{day, true};
}
__device__ inline Date date_of(Row& row, int32_t year, int32_t month, int32_t day) {
  if (year < -999999999 || year > 999999999 || month < 1 || month > 12 || day < 1 || day > 31 ||
      day > date_month_length(year, month)) {
    row.fail(kDateTimeException);
    return Date{0, true};
  }
  return Date{date_days(year, month, day), true};
}
// The day, or the last one of its month.
__device__ inline Date date_clamped(Row& row, int64_t year, int32_t month, int32_t day) {
  if (year < -999999999 || year > 999999999) {
    row.fail(kDateTimeException);
    return Date{0, true};
  }
  const int32_t last = date_month_length(year, month);
  return Date{date_days(year, month, day > last ? last : day), true};
}
// Distances that overflow long on the JVM are not covered.
__device__ inline bool date_too_far(Row& row, int64_t n) {
  if (n > 1000000000000LL || n < -1000000000000LL) row.fail(kNotCovered);
  return row.error != kNone;
}
__device__ inline Date date_plus_days(Row& row, Date d, int64_t n) {
  if (!d.valid) row.fail(kNullPointerException);
  return date_too_far(row, n) ? d : date_at(row, d.day + n);
}
__device__ inline Date date_plus_months(Row& row, Date d, int64_t n) {
  const DateParts p = date_fields(row, d);
  if (date_too_far(row, n)) return d;
  const int64_t months = p.year * 12 + (p.month - 1) + n;
  return date_clamped(row, date_floor_div(months, 12), static_cast<int32_t>(date_floor_mod(months, 12)) + 1, p.day);
}
__device__ inline Date date_plus_years(Row& row, Date d, int64_t n) {
  return date_too_far(row, n) ? d : date_plus_months(row, d, n * 12);
}
__device__ inline Date date_plus_weeks(Row& row, Date d, int64_t n) {
  return date_too_far(row, n) ? d : date_plus_days(row, d, n * 7);
}
// -MIN is MIN, which is too far anyway.
__device__ inline Date date_minus_days(Row& row, Date d, int64_t n) { return date_too_far(row, n) ? d : date_plus_days(row, d, -n); }
__device__ inline Date date_minus_weeks(Row& row, Date d, int64_t n) { return date_too_far(row, n) ? d : date_plus_weeks(row, d, -n); }
__device__ inline Date date_minus_months(Row& row, Date d, int64_t n) { return date_too_far(row, n) ? d : date_plus_months(row, d, -n); }
__device__ inline Date date_minus_years(Row& row, Date d, int64_t n) { return date_too_far(row, n) ? d : date_plus_years(row, d, -n); }
__device__ inline Date date_with_day(Row& row, Date d, int32_t day) {
  const DateParts p = date_fields(row, d);
  return date_of(row, static_cast<int32_t>(p.year), p.month, day);
}
__device__ inline Date date_with_month(Row& row, Date d, int32_t month) {
  const DateParts p = date_fields(row, d);
  if (month < 1 || month > 12) row.fail(kDateTimeException);
  return row.error == kNone ? date_clamped(row, p.year, month, p.day) : d;
}
__device__ inline Date date_with_year(Row& row, Date d, int32_t year) {
  const DateParts p = date_fields(row, d);
  return date_clamped(row, year, p.month, p.day);
}
__device__ inline Date date_with_day_of_year(Row& row, Date d, int32_t day) {
  const DateParts p = date_fields(row, d);
  if (day < 1 || day > (date_leap(p.year) ? 366 : 365)) row.fail(kDateTimeException);
  return row.error == kNone ? Date{date_days(p.year, 1, 1) + day - 1, true} : d;
}

__device__ inline int32_t date_compare(Row& row, Date a, Date b) {
  const DateParts p = date_fields(row, a), q = date_fields(row, b);
  return p.year != q.year ? static_cast<int32_t>(p.year - q.year) : p.month != q.month ? p.month - q.month : p.day - q.day;
}
__device__ inline bool date_before(Row& row, Date a, Date b) { return date_epoch_day(row, a) < date_epoch_day(row, b); }
__device__ inline bool date_after(Row& row, Date a, Date b) { return date_epoch_day(row, a) > date_epoch_day(row, b); }
__device__ inline bool date_equal(Row& row, Date a, Date b) { return date_epoch_day(row, a) == date_epoch_day(row, b); }
__device__ inline bool same(Date a, Date b) { return a.valid == b.valid && (!a.valid || a.day == b.day); }

// ChronoUnit.DAYS.between and its kin count whole units.
__device__ inline int64_t date_days_between(Row& row, Date a, Date b) { return date_epoch_day(row, b) - date_epoch_day(row, a); }
__device__ inline int64_t date_weeks_between(Row& row, Date a, Date b) { return date_days_between(row, a, b) / 7; }
__device__ inline int64_t date_months_between(Row& row, Date a, Date b) {
  const DateParts p = date_fields(row, a), q = date_fields(row, b);
  const int64_t from = (p.year * 12 + p.month - 1) * 32 + p.day, to = (q.year * 12 + q.month - 1) * 32 + q.day;
  return (to - from) / 32;
}
__device__ inline int64_t date_years_between(Row& row, Date a, Date b) { return date_months_between(row, a, b) / 12; }

// LocalDate.toString, java.sql.Date.toString.
__device__ inline Text date_text(Row& row, Date d) {
  const DateParts p = date_fields(row, d);
  if (p.year < 1 || p.year > 9999) row.fail(kNotCovered);
  Builder out;
  out.digits(row, static_cast<uint64_t>(p.year), 10, 4);
  out.append(row, static_cast<uint16_t>('-'));
  out.digits(row, static_cast<uint64_t>(p.month), 10, 2);
  out.append(row, static_cast<uint16_t>('-'));
  out.digits(row, static_cast<uint64_t>(p.day), 10, 2);
  return out.finish(row);
}

__device__ inline Text date_shown(Row& row, Date d) {
  return d.valid ? date_text(row, d) : Text{reinterpret_cast<const uint8_t*>("null"), 4, 4};
}

// A row of a date column. For java.sql.Date the days that its calendar leaves out in October 1582, and years before 1, are not covered.
__device__ inline Date load_date(Row& row, Maybe<int32_t> days, bool legacy) {
  if (!days.valid) return Date{0, false};
  if (legacy && (days.value < -719162 || (days.value >= -141437 && days.value <= -141428))) row.fail(kNotCovered);
  return Date{days.value, true};
}
// So many ASCII digits at a place; -1 where there are others.
__device__ inline int32_t date_digits(Text t, int32_t at, int32_t count) {
  if (at + count > t.size) return -1;
  int32_t value = 0;
  for (int32_t i = at; i < at + count; ++i) {
    if (t.bytes[i] < '0' || t.bytes[i] > '9') return -1;
    value = value * 10 + (t.bytes[i] - '0');
  }
  return value;
}
// LocalDate.parse(text): the ISO form. A year with a sign or of more than four digits is not covered.
__device__ inline Date date_parse_iso(Row& row, Text t) {
  if (t.is_null()) {
    row.fail(kNullPointerException);
    return Date{0, true};
  }
  if (t.size > 10 && (t.bytes[0] == '+' || t.bytes[0] == '-')) {
    row.fail(kNotCovered);
    return Date{0, true};
  }
  const int32_t year = date_digits(t, 0, 4), month = date_digits(t, 5, 2), day = date_digits(t, 8, 2);
  const bool form = t.size == 10 && year >= 0 && month >= 1 && month <= 12 && day >= 1 && t.bytes[4] == '-' && t.bytes[7] == '-';
  if (!form || day > date_month_length(year, month)) {
    row.fail(kDateTimeParseException);
    return Date{0, true};
  }
  return Date{date_days(year, month, day), true};
}
// LocalDate.parse(text, formatter) of a pattern with yyyy or uuuu, MM and dd once each: a day beyond the end of its month, up to
// 31, is its last. A year with a sign or of more digits is not covered.
__device__ inline Date date_parse(Row& row, Text t, Text pattern) {
  if (t.is_null()) row.fail(kNullPointerException);
  int32_t year = 0, month = 0, day = 0, at = 0;
  for (int32_t i = 0; i < pattern.size && row.error == kNone;) {
    const uint8_t c = pattern.bytes[i];
    const int32_t width = c == 'y' || c == 'u' ? 4 : c == 'M' || c == 'd' ? 2 : 0;
    if (width == 0) {
      if (at >= t.size || t.bytes[at] != c) row.fail(kDateTimeParseException);
      ++at;
      ++i;
      continue;
    }
    if (width == 4 && at < t.size && (t.bytes[at] == '+' || t.bytes[at] == '-')) row.fail(kNotCovered);
    const int32_t value = date_digits(t, at, width);
    if (value < 0) row.fail(kDateTimeParseException);
    if (width == 4 && row.error == kNone && date_digits(t, at + 4, 1) >= 0) row.fail(kDateTimeParseException);
    // A year of the era begins with 1.
    if ((c == 'y' && value == 0) || (c == 'M' && (value < 1 || value > 12)) || (c == 'd' && (value < 1 || value > 31)))
      row.fail(kDateTimeParseException);
    (c == 'M' ? month : c == 'd' ? day : year) = value;
    at += width;
    i += width;
  }
  if (row.error == kNone && at != t.size) row.fail(kDateTimeParseException);
  return row.error == kNone ? date_clamped(row, year, month, day) : Date{0, true};
}
// LocalDate.format of such a pattern.
__device__ inline Text date_format(Row& row, Date d, Text pattern) {
  const DateParts p = date_fields(row, d);
  if (p.year < 1 || p.year > 9999) row.fail(kNotCovered);
  Builder out;
  for (int32_t i = 0; i < pattern.size && row.error == kNone;) {
    const uint8_t c = pattern.bytes[i];
    if (c == 'y' || c == 'u') {
      out.digits(row, static_cast<uint64_t>(p.year), 10, 4);
      i += 4;
    } else if (c == 'M' || c == 'd') {
      out.digits(row, static_cast<uint64_t>(c == 'M' ? p.month : p.day), 10, 2);
      i += 2;
    } else {
      out.append(row, static_cast<uint16_t>(c));
      ++i;
    }
  }
  return out.finish(row);
}

// A java.sql.Date of a LocalDate.
__device__ inline int64_t date_for_sql(Row& row, Date d) {
  if (d.valid && (d.day < -719162 || d.day > 2932896 || (d.day >= -141437 && d.day <= -141428))) row.fail(kNotCovered);
  return date_epoch_day(row, d);
}
__device__ inline int32_t store_date(Row& row, Date d) {
  if (d.valid && (d.day < -719162 || d.day > 2932896)) row.fail(kNotCovered);
  return static_cast<int32_t>(d.day);
}

// A java.sql.Timestamp or a java.time.Instant in microseconds, or null.
struct DateTime {
  int64_t micros;
  bool valid;

  __device__ bool is_null() const { return !valid; }
};
__device__ inline int64_t date_micros(Row& row, DateTime t) {
  if (!t.valid) row.fail(kNullPointerException);
  return t.micros;
}
// Before the calendar changed in 1582 the two kinds of timestamps count differently.
__device__ inline DateTime load_date_time(Row& row, Maybe<int64_t> micros, bool legacy) {
  if (!micros.valid) return DateTime{0, false};
  if (legacy && micros.value < -2208988800000000LL) row.fail(kNotCovered);
  return DateTime{micros.value, true};
}
__device__ inline int64_t date_millis(Row& row, DateTime t) { return date_floor_div(date_micros(row, t), 1000); }
__device__ inline int64_t date_seconds(Row& row, DateTime t) { return date_floor_div(date_micros(row, t), 1000000); }
__device__ inline bool same(DateTime a, DateTime b) { return a.valid == b.valid && (!a.valid || a.micros == b.micros); }

}  // namespace rw
