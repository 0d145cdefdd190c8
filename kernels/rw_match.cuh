// What Pattern, Matcher and the methods of String do with a regular expression: matches, find, groups, replaceAll, split.
#pragma once

#include "rw_regex.cuh"

namespace rw {

__device__ inline bool re_matches(Row& row, Matcher& m) {
  if (row.error != kNone) return false;
  m.found = re_try(row, m, 0, true);
  m.from = m.found ? m.at[1] : m.from;
  return m.found;
}
__device__ inline bool re_looking_at(Row& row, Matcher& m) {
  if (row.error != kNone) return false;
  m.found = re_try(row, m, 0, false);
  m.from = m.found ? m.at[1] : m.from;
  return m.found;
}

// The next match; behind an empty one the search goes on one unit further.
__device__ inline bool re_find(Row& row, Matcher& m) {
  if (m.done || row.error != kNone) return false;
  int32_t at = m.from;
  if (m.found && m.at[0] == m.at[1] && m.at[1] == at) {
    if (at == m.text.size) {
      m.done = true;
      return m.found = false;
    }
    if (m.text.bytes[at] >= 0xF0) row.fail(kNotCovered);
    at += width_of(m.text.bytes[at]);
  }
  for (; row.error == kNone; at += width_of(m.text.bytes[at])) {
    if (re_try(row, m, at, false)) {
      m.from = m.at[1];
      return m.found = true;
    }
    if (at >= m.text.size) break;
  }
  m.done = true;
  return m.found = false;
}
__device__ inline void re_reset(Matcher& m) {
  m.found = m.done = false;
  m.from = m.copied = 0;
}

__device__ inline bool re_has(Row& row, const Matcher& m, int32_t group) {
  if (!m.found) {
    row.fail(kIllegalStateException);
  } else if (group < 0 || group > m.regex.groups) {
    row.fail(kIndexOutOfBoundsException);
  } else {
    return m.at[2 * group] >= 0 && m.at[2 * group + 1] >= 0;
  }
  return false;
}
__device__ inline Text re_group(Row& row, const Matcher& m, int32_t group = 0) {
  if (!re_has(row, m, group)) return null_text();
  return text_of(m.text.bytes + m.at[2 * group], m.at[2 * group + 1] - m.at[2 * group]);
}
__device__ inline int32_t re_start(Row& row, const Matcher& m, int32_t group = 0) {
  return re_has(row, m, group) ? count_units(m.text.bytes, m.at[2 * group]) : -1;
}
__device__ inline int32_t re_end(Row& row, const Matcher& m, int32_t group = 0) {
  return re_has(row, m, group) ? count_units(m.text.bytes, m.at[2 * group + 1]) : -1;
}
__device__ inline int32_t re_group_count(const Matcher& m) { return m.regex.groups; }

__device__ inline bool re_whole(Row& row, Regex regex, Text text) {
  Matcher m = re_matcher(row, regex, text);
  return re_matches(row, m);
}
__device__ inline Maybe<Text> re_first(Row& row, Regex regex, Text text) {
  Matcher m = re_matcher(row, regex, text);
  return re_find(row, m) ? Maybe<Text>{re_group(row, m), true} : none<Text>();
}
__device__ inline Maybe<Text> re_prefix_text(Row& row, Regex regex, Text text) {
  Matcher m = re_matcher(row, regex, text);
  return re_looking_at(row, m) ? Maybe<Text>{re_group(row, m), true} : none<Text>();
}
__device__ inline Maybe<Matcher> re_first_match(Row& row, Regex regex, Text text) {
  Matcher m = re_matcher(row, regex, text);
  const bool found = re_find(row, m);
  return Maybe<Matcher>{m, found};
}

// A regular expression as a pattern of a match.
__device__ inline bool re_extract(Row& row, Matcher& m, Regex regex, Text text) {
  m = re_matcher(row, regex, text);
  return re_matches(row, m);
}
__device__ inline Text re_group_or_null(const Matcher& m, int32_t group) {
  if (!m.found || group > m.regex.groups || m.at[2 * group] < 0) return null_text();
  return text_of(m.text.bytes + m.at[2 * group], m.at[2 * group + 1] - m.at[2 * group]);
}

// Appends a replacement with its $1 and \x resolved. Named groups are not covered.
__device__ inline void re_expand(Row& row, Builder& out, const Matcher& m, Text with) {
  for (int32_t i = 0; i < with.size && row.error == kNone;) {
    const uint8_t c = with.bytes[i];
    if (c == '\\' || c == '$') {
      if (++i == with.size) {
        row.fail(kIllegalArgumentException);
        return;
      }
    }
    if (c == '\\' || c != '$') {
      const int32_t w = width_of(with.bytes[i]);
      out.append(row, Text{with.bytes + i, w, w == 4 ? 2 : 1});
      i += w;
      continue;
    }
    if (with.bytes[i] == '{') row.fail(kNotCovered);
    int32_t group = with.bytes[i] - '0';
    if (group < 0 || group > 9) row.fail(kIllegalArgumentException);
    for (++i; i < with.size && with.bytes[i] >= '0' && with.bytes[i] <= '9'; ++i) {
      const int32_t more = group * 10 + (with.bytes[i] - '0');
      if (more > m.regex.groups) break;
      group = more;
    }
    if (group > m.regex.groups) row.fail(kIndexOutOfBoundsException);
    if (row.error == kNone && re_has(row, m, group)) out.append(row, re_group(row, m, group));
  }
}
__device__ inline Text re_between(const Matcher& m, int32_t from, int32_t to) { return text_of(m.text.bytes + from, to - from); }

// The machine uses the memory behind what is built, so a builder keeps what it has while the machine runs.
__device__ inline Text re_replace(Row& row, Regex regex, Text text, Text with, bool all) {
  Matcher m = re_matcher(row, regex, text);
  if (with.is_null()) row.fail(kNullPointerException);
  Builder out;
  int32_t copied = 0;
  while (re_find(row, m)) {
    out.append(row, re_between(m, copied, m.at[0]));
    re_expand(row, out, m, with);
    copied = m.at[1];
    if (!all) break;
  }
  if (row.error != kNone) return text;
  out.append(row, re_between(m, copied, text.size));
  return out.finish(row);
}
__device__ inline Text re_replace_all(Row& row, Regex regex, Text text, Text with) { return re_replace(row, regex, text, with, true); }
__device__ inline Text re_replace_first(Row& row, Regex regex, Text text, Text with) {
  return re_replace(row, regex, text, with, false);
}
__device__ inline Text re_replace_all(Row& row, Matcher& m, Text with) { return re_replace(row, m.regex, m.text, with, true); }
__device__ inline Text re_replace_first(Row& row, Matcher& m, Text with) { return re_replace(row, m.regex, m.text, with, false); }

__device__ inline void re_append_replacement(Row& row, Matcher& m, Builder& out, Text with) {
  if (!m.found) row.fail(kIllegalStateException);
  if (row.error != kNone) return;
  out.append(row, re_between(m, m.copied, m.at[0]));
  re_expand(row, out, m, with);
  m.copied = m.at[1];
}
__device__ inline void re_append_tail(Row& row, Matcher& m, Builder& out) {
  out.append(row, re_between(m, m.copied, m.text.size));
}

// An empty match at the very start gives no empty first part.
__device__ inline Seq<Text> re_split(Row& row, Regex regex, Text text, int32_t limit = 0) {
  Matcher m = re_matcher(row, regex, text);
  Buffer<Text> made;
  int32_t from = 0;
  while (!(limit > 0 && made.size >= limit - 1) && re_find(row, m)) {
    if (from == 0 && m.at[0] == 0 && m.at[1] == 0) continue;
    made.add(row, re_between(m, from, m.at[0]));
    from = m.at[1];
  }
  if (row.error != kNone) return Seq<Text>{nullptr, 0};
  if (from == 0 && made.size == 0) {
    made.add(row, text);
    return made.seq(row);
  }
  made.add(row, re_between(m, from, text.size));
  const Seq<Text> all = made.seq(row);
  return limit == 0 ? seq_without_empty_end(all) : all;
}

}  // namespace rw
