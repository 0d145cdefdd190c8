//! Named properties of `\p{…}` and the predefined classes.

use super::class::{CharSet, Pred};
use crate::jvm::unicode::{self, Category, category};

/// What a name means, or that it means nothing, or that it is real but not covered.
pub enum Lookup {
    /// A set.
    Set(CharSet),
    /// No such property: `PatternSyntaxException`.
    Unknown,
    /// Known to Java, but not covered.
    NotCovered,
}

fn prop(f: fn(u32) -> bool) -> CharSet {
    CharSet::new(Pred::Prop(f))
}

fn units(f: fn(u32) -> bool) -> CharSet {
    CharSet::of_units(f)
}

/// `\d`, `\w`, `\s`, `\h`, `\v` by their lower-case letter.
pub fn predefined(letter: u8, unicode_classes: bool) -> CharSet {
    match (letter, unicode_classes) {
        (b'd', false) => CharSet::new(Pred::Range(0x30, 0x39)),
        (b'd', true) => prop(unicode::is_digit),
        (b'w', false) => units(|c| matches!(c, 0x30..=0x39 | 0x41..=0x5a | 0x5f | 0x61..=0x7a)),
        (b'w', true) => prop(is_word),
        (b's', false) => units(|c| matches!(c, 9..=13 | 32)),
        (b's', true) => prop(is_white_space),
        (b'h', _) => units(|c| {
            matches!(
                c,
                9 | 32 | 0xa0 | 0x1680 | 0x180e | 0x2000..=0x200a | 0x202f | 0x205f | 0x3000
            )
        }),
        _ => units(|c| matches!(c, 10..=13 | 0x85 | 0x2028 | 0x2029)),
    }
}

/// A word character of UNICODE_CHARACTER_CLASS.
pub fn is_word(cp: u32) -> bool {
    use Category::*;
    unicode::is_alphabetic(cp)
        || matches!(
            category(cp),
            NonspacingMark | EnclosingMark | SpacingMark | DecimalNumber | ConnectorPunctuation
        )
        || matches!(cp, 0x200c | 0x200d)
}

fn is_white_space(cp: u32) -> bool {
    unicode::is_space_char(cp) || matches!(cp, 9..=13 | 0x85)
}

fn is_punctuation(cp: u32) -> bool {
    use Category::*;
    matches!(
        category(cp),
        ConnectorPunctuation
            | DashPunctuation
            | OpenPunctuation
            | ClosePunctuation
            | OtherPunctuation
            | InitialPunctuation
            | FinalPunctuation
    )
}

fn is_control(cp: u32) -> bool {
    category(cp) == Category::Control
}

fn is_title_case(cp: u32) -> bool {
    category(cp) == Category::TitlecaseLetter
}

fn is_cased(cp: u32) -> bool {
    unicode::is_upper_case(cp) || unicode::is_lower_case(cp) || is_title_case(cp)
}

fn is_graph(cp: u32) -> bool {
    use Category::*;
    !matches!(
        category(cp),
        SpaceSeparator | LineSeparator | ParagraphSeparator | Control | Surrogate | Unassigned
    )
}

fn is_blank(cp: u32) -> bool {
    category(cp) == Category::SpaceSeparator || cp == 9
}

fn is_hex_digit(cp: u32) -> bool {
    unicode::is_digit(cp) || unicode::digit(cp, 16).is_some()
}

/// `\p{IsAlphabetic}` and its kin; the name in any case.
pub fn unicode_property(name: &str, ignore_case: bool) -> Option<CharSet> {
    let cased: fn(u32) -> bool = is_cased;
    Some(prop(match name.to_uppercase().as_str() {
        "ALPHABETIC" => unicode::is_alphabetic,
        "LETTER" => unicode::is_letter,
        "IDEOGRAPHIC" => unicode::is_ideographic,
        "LOWERCASE" | "UPPERCASE" | "TITLECASE" if ignore_case => cased,
        "LOWERCASE" => unicode::is_lower_case,
        "UPPERCASE" => unicode::is_upper_case,
        "TITLECASE" => is_title_case,
        "WHITE_SPACE" | "WHITESPACE" => is_white_space,
        "CONTROL" => is_control,
        "PUNCTUATION" => is_punctuation,
        "HEX_DIGIT" | "HEXDIGIT" => is_hex_digit,
        "ASSIGNED" => |c| category(c) != Category::Unassigned,
        "NONCHARACTER_CODE_POINT" | "NONCHARACTERCODEPOINT" => {
            |c| c & 0xfffe == 0xfffe || (0xfdd0..=0xfdef).contains(&c)
        }
        "DIGIT" => unicode::is_digit,
        "ALNUM" => |c| unicode::is_alphabetic(c) || unicode::is_digit(c),
        "BLANK" => is_blank,
        "GRAPH" => is_graph,
        "PRINT" => |c| (is_graph(c) || is_blank(c)) && !is_control(c),
        "WORD" => is_word,
        "JOIN_CONTROL" | "JOINCONTROL" => |c| matches!(c, 0x200c | 0x200d),
        _ => return None,
    }))
}

/// POSIX names under UNICODE_CHARACTER_CLASS.
pub fn posix_unicode(name: &str, ignore_case: bool) -> Option<CharSet> {
    let property = match name.to_uppercase().as_str() {
        "ALPHA" => "ALPHABETIC",
        "LOWER" => "LOWERCASE",
        "UPPER" => "UPPERCASE",
        "SPACE" => "WHITE_SPACE",
        "PUNCT" => "PUNCTUATION",
        "XDIGIT" => "HEX_DIGIT",
        "ALNUM" => "ALNUM",
        "CNTRL" => "CONTROL",
        "DIGIT" => "DIGIT",
        "BLANK" => "BLANK",
        "GRAPH" => "GRAPH",
        "PRINT" => "PRINT",
        _ => return None,
    };
    unicode_property(property, ignore_case)
}

/// General categories, POSIX classes over ASCII and the `java…` methods.
pub fn property(name: &str, ignore_case: bool) -> Lookup {
    if let Some(set) = by_category(name, ignore_case) {
        return Lookup::Set(set);
    }
    if let Some(posix) = posix_ascii(name, ignore_case) {
        return Lookup::Set(units(posix));
    }
    let cased: fn(u32) -> bool = is_cased;
    Lookup::Set(prop(match name {
        "javaLowerCase" | "javaUpperCase" | "javaTitleCase" if ignore_case => cased,
        "javaLowerCase" => unicode::is_lower_case,
        "javaUpperCase" => unicode::is_upper_case,
        "javaTitleCase" => is_title_case,
        "javaAlphabetic" => unicode::is_alphabetic,
        "javaIdeographic" => unicode::is_ideographic,
        "javaDigit" => unicode::is_digit,
        "javaDefined" => |c| category(c) != Category::Unassigned,
        "javaLetter" => unicode::is_letter,
        "javaLetterOrDigit" => unicode::is_letter_or_digit,
        "javaSpaceChar" => unicode::is_space_char,
        "javaWhitespace" => unicode::is_whitespace,
        "javaISOControl" => unicode::is_iso_control,
        _ if name.starts_with("java") => return Lookup::NotCovered,
        _ => return Lookup::Unknown,
    }))
}

fn posix_ascii(name: &str, ignore_case: bool) -> Option<fn(u32) -> bool> {
    let ascii_letter: fn(u32) -> bool = |c| matches!(c, 0x41..=0x5a | 0x61..=0x7a);
    Some(match name {
        "ASCII" => |c| c < 0x80,
        "Alnum" => |c| matches!(c, 0x30..=0x39 | 0x41..=0x5a | 0x61..=0x7a),
        "Alpha" => ascii_letter,
        "Lower" | "Upper" if ignore_case => ascii_letter,
        "Lower" => |c| (0x61..=0x7a).contains(&c),
        "Upper" => |c| (0x41..=0x5a).contains(&c),
        "Blank" => |c| matches!(c, 9 | 32),
        "Cntrl" => |c| matches!(c, 0..=0x1f | 0x7f),
        "Digit" => |c| (0x30..=0x39).contains(&c),
        "Graph" => |c| (0x21..=0x7e).contains(&c),
        "Print" => |c| (0x20..=0x7e).contains(&c),
        "Punct" => |c| matches!(c, 0x21..=0x2f | 0x3a..=0x40 | 0x5b..=0x60 | 0x7b..=0x7e),
        "Space" => |c| matches!(c, 9..=13 | 32),
        "XDigit" => |c| matches!(c, 0x30..=0x39 | 0x41..=0x46 | 0x61..=0x66),
        _ => return None,
    })
}

fn by_category(name: &str, ignore_case: bool) -> Option<CharSet> {
    use Category::*;
    let one = |wanted: &'static [Category]| {
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for cp in (0..0x11_0000).filter(|cp| wanted.contains(&category(*cp))) {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == cp => *last = cp,
                _ => ranges.push((cp, cp)),
            }
        }
        CharSet::new(Pred::Ranges(ranges.into()))
    };
    Some(match name {
        "Lu" | "Ll" | "Lt" if ignore_case => {
            prop(|c| matches!(category(c), UppercaseLetter | LowercaseLetter | TitlecaseLetter))
        }
        "Lu" => prop(|c| category(c) == UppercaseLetter),
        "Ll" => prop(|c| category(c) == LowercaseLetter),
        "Lt" => one(&[TitlecaseLetter]),
        "Lm" => one(&[ModifierLetter]),
        "Lo" => prop(|c| category(c) == OtherLetter),
        "LC" => prop(|c| matches!(category(c), UppercaseLetter | LowercaseLetter | TitlecaseLetter)),
        "L" => prop(unicode::is_letter),
        "LD" => prop(unicode::is_letter_or_digit),
        "L1" => CharSet::new(Pred::Range(0, 0xff)),
        "all" => prop(|_| true),
        "Mn" => prop(|c| category(c) == NonspacingMark),
        "Me" => one(&[EnclosingMark]),
        "Mc" => one(&[SpacingMark]),
        "M" => prop(|c| matches!(category(c), NonspacingMark | EnclosingMark | SpacingMark)),
        "Nd" => prop(unicode::is_digit),
        "Nl" => one(&[LetterNumber]),
        "No" => one(&[OtherNumber]),
        "N" => prop(|c| matches!(category(c), DecimalNumber | LetterNumber | OtherNumber)),
        "Zs" => one(&[SpaceSeparator]),
        "Zl" => one(&[LineSeparator]),
        "Zp" => one(&[ParagraphSeparator]),
        "Z" => prop(unicode::is_space_char),
        "Cc" => prop(is_control),
        "Cf" => one(&[Format]),
        "Co" => one(&[PrivateUse]),
        "Cs" => one(&[Surrogate]),
        "Cn" => prop(|c| category(c) == Unassigned),
        "C" => prop(|c| matches!(category(c), Control | Format | PrivateUse | Surrogate | Unassigned)),
        "Pd" => one(&[DashPunctuation]),
        "Ps" => one(&[OpenPunctuation]),
        "Pe" => one(&[ClosePunctuation]),
        "Pc" => one(&[ConnectorPunctuation]),
        "Po" => one(&[OtherPunctuation]),
        "Pi" => one(&[InitialPunctuation]),
        "Pf" => one(&[FinalPunctuation]),
        "P" => prop(is_punctuation),
        "Sm" => one(&[MathSymbol]),
        "Sc" => one(&[CurrencySymbol]),
        "Sk" => one(&[ModifierSymbol]),
        "So" => one(&[OtherSymbol]),
        "S" => prop(|c| matches!(category(c), MathSymbol | CurrencySymbol | ModifierSymbol | OtherSymbol)),
        _ => return None,
    })
}

/// `\p{InGreek}`, `\p{block=…}`.
pub fn block(name: &str) -> Option<CharSet> {
    let plain: String = name
        .to_uppercase()
        .chars()
        .filter(|c| !matches!(c, ' ' | '_' | '-'))
        .collect();
    let plain = match plain.as_str() {
        "GREEKANDCOPTIC" => "GREEK",
        "COMBININGDIACRITICALMARKSFORSYMBOLS" => "COMBININGMARKSFORSYMBOLS",
        "CYRILLICSUPPLEMENT" => "CYRILLICSUPPLEMENTARY",
        other => other,
    };
    let found = super::blocks::BLOCKS.iter().filter(|(_, _, n)| *n == plain);
    let ranges: Vec<(u32, u32)> = found.map(|(first, last, _)| (*first, *last)).collect();
    (!ranges.is_empty()).then(|| CharSet::new(Pred::Ranges(ranges.into())))
}

/// `\p{IsLatin}`, `\p{script=…}`: the script's ranges, without what Unicode 13 does not assign.
pub fn script(name: &str) -> Option<CharSet> {
    let simple = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphabetic() || matches!(c, '_' | ' '));
    if !simple || name.eq_ignore_ascii_case("unknown") || name.eq_ignore_ascii_case("zzzz") {
        return None;
    }
    let hir = regex_syntax::Parser::new().parse(&format!(r"\p{{sc={name}}}")).ok()?;
    let regex_syntax::hir::HirKind::Class(regex_syntax::hir::Class::Unicode(class)) = hir.kind() else {
        return None;
    };
    let ranges: Vec<(u32, u32)> = class
        .iter()
        .map(|r| (u32::from(r.start()), u32::from(r.end())))
        .collect();
    let all = CharSet::new(Pred::Ranges(ranges.into()));
    Some(all.and(prop(|c| category(c) != Category::Unassigned)))
}
