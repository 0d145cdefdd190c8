// Regular expressions of java.util.regex: a program of numbers that was made when the kernel was written, and a machine that goes
// back step by step, with its stack in the row's scratch memory. A row that needs too many steps or too deep a stack is not
// covered, nor is one where the search would stop between the halves of a surrogate pair.
#pragma once

#include "rw_list.cuh"
#include "rw_sets.cuh"

namespace rw {

constexpr int32_t kRegexGroups = 10;
constexpr int32_t kRegexSlots = 16;
constexpr int32_t kRegexSteps = 100000;

// Operations and their operands. Targets and sets are offsets into the program.
enum RegexOp : int32_t {
  kRegexAccept,    //
  kRegexChar,      // code point
  kRegexSet,       // set
  kRegexLoop,      // set, least, most (-1: any), kind (0 greedy, 1 lazy, 2 possessive)
  kRegexSplit,     // tried first, tried then
  kRegexJump,      // target
  kRegexSave,      // slot of a group: the place is kept
  kRegexMark,      // slot: the place is kept
  kRegexMoved,     // slot, target: goes there if nothing was taken since
  kRegexEnter,     // slot: the height of the stack is kept
  kRegexCut,       // slot: back to that height, what was read stays read
  kRegexLookEnd,   // slot: back to that height and to the place in the slot behind
  kRegexNotEnd,    // slot: back to that height, and fails
  kRegexBack,      // characters: that many back
  kRegexPlace,     // 0 begin, 1 end, 2 line begin, 3 line begin \n, 4 last end, 5 last end \n, 6 line end, 7 line end \n
  kRegexRef,       // group
  kRegexBound,     // 0 word boundary, 1 none
};

struct Regex {
  const int32_t* program;
  int32_t groups;

  __device__ bool is_null() const { return program == nullptr; }
};

struct Matcher {
  Regex regex;
  Text text;
  // Bytes where group g begins and ends, -1 where it took no part.
  int32_t at[2 * (kRegexGroups + 1)];
  int32_t from;
  bool found;
  bool done;
  // How far appendReplacement has copied.
  int32_t copied;

  __device__ bool is_null() const { return regex.program == nullptr; }
};

__device__ inline Matcher re_matcher(Row& row, Regex regex, Text text) {
  if (text.is_null()) row.fail(kNullPointerException);
  Matcher m{};
  m.regex = regex;
  m.text = text;
  return m;
}

__device__ inline bool re_line_end(Text t, int32_t at) {
  const uint32_t c = decode(t.bytes + at);
  return c == 10 || c == 13 || c == 0x85 || c == 0x2028 || c == 0x2029;
}

// Byte where the character before a byte begins.
__device__ inline int32_t re_before(Text t, int32_t at) {
  do {
    --at;
  } while (at > 0 && (t.bytes[at] & 0xC0) == 0x80);
  return at;
}

__device__ inline bool re_holds(Row& row, Text t, int32_t place, int32_t at) {
  const bool unix_lines = (place & 1) != 0;
  switch (place) {
    case 0:
      return at == 0;
    case 1:
      return at == t.size;
    case 2:
    case 3: {
      if (at == t.size) return false;
      if (at == 0) return true;
      if (unix_lines) return t.bytes[at - 1] == 10;
      return re_line_end(t, re_before(t, at)) && !(t.bytes[at - 1] == 13 && t.bytes[at] == 10);
    }
    default: {
      const bool every_line = place >= 6;
      if (at == t.size) return true;
      const bool is_last = at + width_of(t.bytes[at]) == t.size;
      if (unix_lines) return t.bytes[at] == 10 && (every_line || is_last);
      if (t.bytes[at] == 10) return (at == 0 || t.bytes[at - 1] != 13) && (every_line || is_last);
      if (t.bytes[at] == 13 && at + 2 == t.size && t.bytes[at + 1] == 10) return true;
      return re_line_end(t, at) && (every_line || is_last);
    }
  }
}

// Letters, digits and _ of ASCII; beside others the row is not covered.
__device__ inline bool re_boundary(Row& row, Text t, int32_t at) {
  bool word[2] = {false, false};
  for (int32_t side = 0; side < 2; ++side) {
    if (side == 0 ? at == 0 : at == t.size) continue;
    const uint8_t c = t.bytes[side == 0 ? at - 1 : at];
    if (c >= 0x80) row.fail(kNotCovered);
    word[side] = c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }
  return word[0] != word[1];
}

// A way back: where to go on (or -1 - slot to restore, first those of groups), the place or the old value, and for loops over one
// character the lowest place, or -2 - count of a lazy one.
struct RegexBack {
  int32_t pc;
  int32_t at;
  int32_t lowest;
};

// Tries to match at a byte; `whole` asks for a match up to the end.
__device__ inline bool re_try(Row& row, Matcher& m, int32_t start, bool whole) {
  const int32_t* const p = m.regex.program;
  const Text t = m.text;
  const int32_t skip = static_cast<int32_t>((4 - reinterpret_cast<uint64_t>(row.scratch) % 4) % 4);
  RegexBack* const stack = reinterpret_cast<RegexBack*>(row.scratch + skip);
  const int32_t room = (row.scratch_left - skip) / static_cast<int32_t>(sizeof(RegexBack));
  int32_t height = 0, pc = 0, at = start;
  int32_t slots[kRegexSlots] = {};
  for (int32_t i = 2; i < 2 * (m.regex.groups + 1); ++i) m.at[i] = -1;
  bool ok = true;
  for (int32_t steps = 0;; ++steps) {
    if (steps > kRegexSteps || height + 2 > room) {
      row.fail(kNotCovered);
      return false;
    }
    if (!ok) {
      if (height == 0) return false;
      RegexBack& back = stack[height - 1];
      if (back.pc < 0) {
        const int32_t slot = -1 - back.pc;
        (slot < 2 * (kRegexGroups + 1) ? m.at[slot] : slots[slot - 2 * (kRegexGroups + 1)]) = back.at;
        --height;
        continue;
      }
      ok = true;
      pc = back.pc;
      at = back.at;
      if (back.lowest == -1) {
        --height;
      } else if (back.lowest >= 0) {
        if (at <= back.lowest) {
          --height;
        } else {
          back.at = re_before(t, at);
        }
      } else {
        // A lazy loop takes one more; its own operands stand at pc.
        const int32_t count = -2 - back.lowest, most = p[pc + 3];
        if ((most >= 0 && count >= most) || at == t.size || !set_has(p + p[pc + 1], decode(t.bytes + at))) {
          --height;
          ok = false;
          continue;
        }
        at += width_of(t.bytes[at]);
        back.at = at;
        back.lowest = -2 - (count + 1);
        pc += 5;
      }
      continue;
    }
    switch (p[pc]) {
      case kRegexAccept:
        if (whole && at != t.size) {
          ok = false;
          break;
        }
        m.at[0] = start;
        m.at[1] = at;
        return true;
      case kRegexChar:
        if (at < t.size && decode(t.bytes + at) == static_cast<uint32_t>(p[pc + 1])) {
          at += width_of(t.bytes[at]);
          pc += 2;
        } else {
          ok = false;
        }
        break;
      case kRegexSet:
        if (at < t.size && set_has(p + p[pc + 1], decode(t.bytes + at))) {
          at += width_of(t.bytes[at]);
          pc += 2;
        } else {
          ok = false;
        }
        break;
      case kRegexLoop: {
        const int32_t* const set = p + p[pc + 1];
        const int32_t least = p[pc + 2], most = p[pc + 3], kind = p[pc + 4];
        int32_t count = 0, lowest = at;
        while ((kind == 1 ? count < least : most < 0 || count < most) && at < t.size && set_has(set, decode(t.bytes + at))) {
          at += width_of(t.bytes[at]);
          if (++count == least) lowest = at;
        }
        if (count < least) {
          ok = false;
        } else if (kind == 1) {
          stack[height++] = RegexBack{pc, at, -2 - count};
          pc += 5;
        } else {
          pc += 5;
          if (kind == 0 && at > lowest) stack[height++] = RegexBack{pc, re_before(t, at), lowest};
        }
        break;
      }
      case kRegexSplit:
        stack[height++] = RegexBack{p[pc + 2], at, -1};
        pc = p[pc + 1];
        break;
      case kRegexJump:
        pc = p[pc + 1];
        break;
      case kRegexSave:
        stack[height++] = RegexBack{-1 - p[pc + 1], m.at[p[pc + 1]], 0};
        m.at[p[pc + 1]] = at;
        pc += 2;
        break;
      case kRegexMark:
        stack[height++] = RegexBack{-1 - (2 * (kRegexGroups + 1) + p[pc + 1]), slots[p[pc + 1]], 0};
        slots[p[pc + 1]] = at;
        pc += 2;
        break;
      case kRegexMoved:
        pc = slots[p[pc + 1]] == at ? p[pc + 2] : pc + 3;
        break;
      case kRegexEnter:
        slots[p[pc + 1]] = height;
        pc += 2;
        break;
      case kRegexCut:
        height = slots[p[pc + 1]];
        pc += 2;
        break;
      case kRegexLookEnd:
        height = slots[p[pc + 1]];
        at = slots[p[pc + 1] + 1];
        pc += 2;
        break;
      case kRegexNotEnd:
        height = slots[p[pc + 1]];
        ok = false;
        break;
      case kRegexBack:
        for (int32_t i = 0; ok && i < p[pc + 1]; ++i) {
          if (at == 0) {
            ok = false;
          } else {
            at = re_before(t, at);
            if (t.bytes[at] >= 0xF0) row.fail(kNotCovered);
          }
        }
        pc += 2;
        break;
      case kRegexPlace:
        ok = re_holds(row, t, p[pc + 1], at);
        pc += 2;
        break;
      case kRegexBound:
        ok = re_boundary(row, t, at) != (p[pc + 1] != 0);
        pc += 2;
        break;
      case kRegexRef: {
        const int32_t from = m.at[2 * p[pc + 1]], size = m.at[2 * p[pc + 1] + 1] - from;
        if (from < 0 || size < 0 || at + size > t.size || !equal_bytes(t.bytes + at, t.bytes + from, size)) {
          ok = false;
        } else {
          at += size;
          pc += 2;
        }
        break;
      }
      default:
        row.fail(kNotCovered);
        return false;
    }
  }
}

}  // namespace rw
