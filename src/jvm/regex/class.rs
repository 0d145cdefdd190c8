//! Sets of code points: what one character of a pattern can match.

use std::sync::Arc;

use crate::jvm::unicode::case_map::{to_lower, to_upper};

/// A set of code points with a fast answer for ASCII.
#[derive(Debug, Clone)]
pub struct CharSet {
    ascii: u128,
    /// Whether the JDK knows that it holds single units only; it then looks for matches inside surrogate pairs, too.
    units_only: bool,
    rest: Arc<Pred>,
}

/// How a set is described.
#[derive(Debug, Clone)]
pub enum Pred {
    /// Everything.
    All,
    /// Everything but line terminators: the dot.
    NoLineEnd,
    /// Everything but `\n`: the dot in UNIX_LINES mode.
    NoNewline,
    /// One code point.
    One(u32),
    /// One ASCII letter in both cases.
    Either(u32, u32),
    /// What folds to this code point.
    Folded(u32),
    /// An inclusive range.
    Range(u32, u32),
    /// A range that ASCII letters also match in their other case.
    RangeAsciiCase(u32, u32),
    /// A range that letters also match in their other case.
    RangeUnicodeCase(u32, u32),
    /// A property.
    Prop(fn(u32) -> bool),
    /// Sorted inclusive ranges.
    Ranges(Arc<[(u32, u32)]>),
    /// Complement.
    Not(CharSet),
    /// Union.
    Or(CharSet, CharSet),
    /// Intersection.
    And(CharSet, CharSet),
}

/// All characters beyond ASCII.
const BEYOND: &[(u32, u32)] = &[(0x80, 0xd7ff), (0xe000, 0x10_ffff)];

/// What two lists of sorted ranges share.
fn common(a: &[(u32, u32)], b: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let each = a
        .iter()
        .flat_map(|x| b.iter().map(move |y| (x.0.max(y.0), x.1.min(y.1))));
    each.filter(|(first, last)| first <= last).collect()
}

/// The characters beyond ASCII that sorted ranges leave out.
fn complement(ranges: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let (mut out, mut from) = (Vec::new(), 0x80);
    for (first, last) in ranges {
        if *first > from {
            out.push((from, first - 1));
        }
        from = last + 1;
    }
    if from <= 0x10_ffff {
        out.push((from, 0x10_ffff));
    }
    common(BEYOND, &out)
}

/// The code point that case variants share.
pub fn fold(cp: u32) -> u32 {
    to_lower(to_upper(cp))
}

/// `\n`, `\r`, NEL and the two separators.
pub fn is_line_end(cp: u32) -> bool {
    matches!(cp, 10 | 13 | 0x85 | 0x2028 | 0x2029)
}

impl Pred {
    /// The dot counts as units, for no better reason than that the JDK makes no note of it.
    fn units_only(&self) -> bool {
        let unit = |c: u32| c < 0xd800 || (0xe000..0x1_0000).contains(&c);
        match self {
            Pred::All | Pred::NoLineEnd | Pred::NoNewline | Pred::Either(..) => true,
            Pred::One(c) => unit(*c),
            Pred::Range(a, b) => *b < 0xd800 || (*a >= 0xe000 && *b < 0x1_0000),
            Pred::Or(a, b) | Pred::And(a, b) => a.units_only && b.units_only,
            _ => false,
        }
    }

    fn has(&self, cp: u32) -> bool {
        let within = |a: &u32, b: &u32, c: u32| *a <= c && c <= *b;
        match self {
            Pred::All => true,
            Pred::NoLineEnd => !is_line_end(cp),
            Pred::NoNewline => cp != 10,
            Pred::One(c) => cp == *c,
            Pred::Either(a, b) => cp == *a || cp == *b,
            Pred::Folded(c) => cp == *c || fold(cp) == *c,
            Pred::Range(a, b) => within(a, b, cp),
            Pred::RangeAsciiCase(a, b) => {
                within(a, b, cp) || (cp < 0x80 && (within(a, b, to_upper(cp)) || within(a, b, to_lower(cp))))
            }
            Pred::RangeUnicodeCase(a, b) => {
                let upper = to_upper(cp);
                within(a, b, cp) || within(a, b, upper) || within(a, b, to_lower(upper))
            }
            Pred::Prop(f) => f(cp),
            Pred::Ranges(ranges) => {
                let at = ranges.partition_point(|(_, last)| *last < cp);
                ranges.get(at).is_some_and(|(first, _)| *first <= cp)
            }
            Pred::Not(s) => !s.has(cp),
            Pred::Or(a, b) => a.has(cp) || b.has(cp),
            Pred::And(a, b) => a.has(cp) && b.has(cp),
        }
    }
}

impl CharSet {
    /// From a description.
    pub fn new(pred: Pred) -> CharSet {
        let ascii = (0..128).fold(0u128, |acc, cp| acc | u128::from(pred.has(cp)) << cp);
        CharSet {
            ascii,
            units_only: pred.units_only(),
            rest: Arc::new(pred),
        }
    }

    /// From a property that the JDK knows to hold single units only.
    pub fn of_units(holds: fn(u32) -> bool) -> CharSet {
        CharSet {
            units_only: true,
            ..CharSet::new(Pred::Prop(holds))
        }
    }

    /// Whether the JDK knows that it holds single units only.
    pub fn units_only(&self) -> bool {
        self.units_only
    }

    /// Whether a code point is in it.
    pub fn has(&self, cp: u32) -> bool {
        if cp < 128 {
            self.ascii >> cp & 1 == 1
        } else {
            self.rest.has(cp)
        }
    }

    /// The ASCII part as bits.
    pub fn ascii(&self) -> u128 {
        self.ascii
    }

    /// Its code points beyond ASCII but for surrogates, as sorted inclusive ranges.
    pub fn ranges(&self) -> Vec<(u32, u32)> {
        match &*self.rest {
            Pred::Not(s) => complement(&s.ranges()),
            Pred::Or(a, b) => complement(&common(&complement(&a.ranges()), &complement(&b.ranges()))),
            Pred::And(a, b) => common(&a.ranges(), &b.ranges()),
            Pred::One(c) => common(BEYOND, &[(*c, *c)]),
            Pred::Range(a, b) => common(BEYOND, &[(*a, *b)]),
            Pred::All => BEYOND.to_vec(),
            _ => self.scanned(),
        }
    }

    /// The same by asking for each.
    fn scanned(&self) -> Vec<(u32, u32)> {
        let mut out: Vec<(u32, u32)> = Vec::new();
        for cp in BEYOND.iter().flat_map(|(a, b)| *a..=*b).filter(|cp| self.rest.has(*cp)) {
            match out.last_mut() {
                Some((_, last)) if *last + 1 == cp => *last = cp,
                _ => out.push((cp, cp)),
            }
        }
        out
    }

    /// The unit, if it holds exactly one code point of the basic plane that is no surrogate.
    pub fn only_unit(&self) -> Option<u16> {
        match *self.rest {
            Pred::One(c) if c < 0xd800 || (0xe000..0x1_0000).contains(&c) => Some(c as u16),
            _ => None,
        }
    }

    /// Everything else.
    pub fn negated(self) -> CharSet {
        CharSet::new(Pred::Not(self))
    }

    /// Either.
    pub fn or(self, other: CharSet) -> CharSet {
        CharSet::new(Pred::Or(self, other))
    }

    /// Both.
    pub fn and(self, other: CharSet) -> CharSet {
        CharSet::new(Pred::And(self, other))
    }

    /// A single code point under the flags.
    pub fn single(cp: u32, ignore_case: bool, unicode_case: bool) -> CharSet {
        CharSet::new(match (ignore_case, unicode_case) {
            (true, true) => {
                let lower = to_lower(cp);
                if to_upper(lower) == lower {
                    Pred::One(cp)
                } else {
                    Pred::Folded(lower)
                }
            }
            (true, false) if cp < 0x80 && to_lower(cp) != to_upper(cp) => Pred::Either(to_lower(cp), to_upper(cp)),
            _ => Pred::One(cp),
        })
    }

    /// A single code point of a class under the flags: for Latin-1 the JDK looks no further than Latin-1, but for the
    /// letters that have variants beyond.
    pub fn single_in_class(cp: u32, ignore_case: bool, unicode_case: bool) -> CharSet {
        let beyond = matches!(cp, 0xff | 0xb5 | 0x49 | 0x69 | 0x53 | 0x73 | 0x4b | 0x6b | 0xc5 | 0xe5);
        let set = CharSet::single(cp, ignore_case, unicode_case);
        if cp >= 0x100 || !(ignore_case && unicode_case) || beyond {
            return set;
        }
        CharSet {
            units_only: true,
            ..set.and(CharSet::new(Pred::Range(0, 0xff)))
        }
    }

    /// A range under the flags.
    pub fn range(first: u32, last: u32, ignore_case: bool, unicode_case: bool) -> CharSet {
        CharSet::new(match (ignore_case, unicode_case) {
            (true, true) => Pred::RangeUnicodeCase(first, last),
            (true, false) => Pred::RangeAsciiCase(first, last),
            _ => Pred::Range(first, last),
        })
    }
}
