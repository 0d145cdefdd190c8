//! Functions of the IR, each with the meaning of the JVM operation it is named after.

use std::sync::Arc;

/// A number format that text is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NumberText {
    /// `Integer.parseInt`.
    Int,
    /// `Long.parseLong`.
    Long,
    /// `Short.parseShort`.
    Short,
    /// `Byte.parseByte`.
    Byte,
    /// `Double.parseDouble`.
    Double,
    /// `Float.parseFloat`.
    Float,
}

/// A rounding mode of `java.math`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// Ties away from zero.
    HalfUp,
    /// Ties to even.
    HalfEven,
    /// Ties towards zero.
    HalfDown,
    /// Towards negative infinity.
    Floor,
    /// Towards positive infinity.
    Ceiling,
    /// Towards zero.
    Down,
    /// Away from zero.
    Up,
}

/// A library function. Arguments in the order of the JVM call, receiver first. Positions in text count characters from 0
/// and lie in range; patterns are `java.util.regex`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Func {
    /// `s.length`.
    Length,
    /// `s.toUpperCase`.
    Upper,
    /// `s.toLowerCase`.
    Lower,
    /// `s.trim`: both ends, all up to U+0020.
    Trim,
    /// `s.strip`: both ends, Unicode white space.
    Strip,
    /// `s.capitalize`.
    Capitalize,
    /// `s.reverse`.
    Reverse,
    /// Joins texts; none is null.
    Concat,
    /// `s.substring(b)`.
    SubstringFrom,
    /// `s.substring(b, e)`.
    Substring,
    /// `s.take(n)`: clips.
    Take,
    /// `s.drop(n)`: clips.
    Drop,
    /// `s.takeRight(n)`: clips.
    TakeRight,
    /// `s.dropRight(n)`: clips.
    DropRight,
    /// `s.charAt(i)`: a character.
    CharAt,
    /// `s.indexOf(t)`.
    IndexOf,
    /// `s.indexOf(t, from)`.
    IndexOfFrom,
    /// `s.lastIndexOf(t)`.
    LastIndexOf,
    /// `s.contains(t)`.
    Contains,
    /// `s.startsWith(t)`.
    StartsWith,
    /// `s.endsWith(t)`.
    EndsWith,
    /// `s.equalsIgnoreCase(t)`.
    EqualsIgnoreCase,
    /// `s.replace(t, u)`; `t` is a non-empty constant.
    Replace,
    /// `s.repeat(n)`, empty for a negative count.
    Repeat,
    /// `s.replaceAll(p, r)`; the replacement in Java's notation.
    ReplaceAll(Arc<str>, Arc<str>),
    /// `s.replaceFirst(p, r)`.
    ReplaceFirst(Arc<str>, Arc<str>),
    /// `s.matches(p)`: the whole text.
    Matches(Arc<str>),
    /// Whether the pattern is found anywhere.
    Finds(Arc<str>),
    /// The group of the first match, or of the match of the `whole` text; where it is reached there is a match. `sure`: the
    /// group takes part in every match, otherwise it is null where it did not.
    Extract {
        pattern: Arc<str>,
        group: u32,
        whole: bool,
        sure: bool,
        may_be_empty: bool,
    },
    /// `c.isDigit` and the like: a pattern for one character.
    CharIs(Arc<str>),
    /// `c.toUpper`.
    CharUpper,
    /// `c.toLower`.
    CharLower,
    /// The code of a character.
    CharCode,
    /// The character of a code.
    CharOf,
    /// `String.valueOf` of a number or boolean.
    ToText,
    /// `"%05d".format(x)` with one specifier.
    Format(Arc<str>),
    /// `Integer.toHexString`, `Long.toHexString`.
    ToHex,
    /// `Integer.toBinaryString`.
    ToBinary,
    /// Whether text is a number in this notation.
    IsNumber(NumberText),
    /// The number; null where it is none.
    ParseNumber(NumberText),
    /// `math.abs`.
    Abs,
    /// `math.sqrt`.
    Sqrt,
    /// A function of one double by its SQL name, the same bits as the JVM's on the CPU: `sin`, `exp`…
    Math1(&'static str),
    /// `math.log`, `log10`, `log1p`.
    Log(&'static str),
    /// `math.pow`.
    Pow,
    /// `math.atan2`.
    Atan2,
    /// `math.hypot`.
    Hypot,
    /// `math.floor`.
    Floor,
    /// `math.ceil`.
    Ceil,
    /// `math.rint`.
    Rint,
    /// `math.round`.
    Round,
    /// `math.signum`.
    Signum,
    /// `math.min`.
    Min,
    /// `math.max`.
    Max,
    /// `Math.floorMod`.
    FloorMod,
    /// `Math.floorDiv`.
    FloorDiv,
    /// `d.isNaN`.
    IsNan,
    /// `Integer.bitCount`.
    BitCount,
    /// `Double.compare`.
    DoubleCompare,
    /// `BigDecimal(d).setScale(n, mode).toDouble`.
    RoundPlaces(u8, Rounding),
    /// `BigDecimal(d)`, from the shortest decimal text.
    DecimalOfDouble,
    /// Decimal from an integer.
    DecimalOfInt,
    /// `a.add(b)`.
    DecimalAdd,
    /// `a.subtract(b)`.
    DecimalSub,
    /// `a.multiply(b)`.
    DecimalMul,
    /// `-a`.
    DecimalNeg,
    /// `a.abs`.
    DecimalAbs,
    /// `a.setScale(n, mode)`.
    SetScale(i8, Rounding),
    /// As a column stores it: 18 places, ties away from zero.
    StoreDecimal,
    /// `a.doubleValue`.
    DecimalToDouble,
    /// `a.intValue`.
    DecimalToInt,
    /// `a.longValue`.
    DecimalToLong,
    /// `a.signum`.
    DecimalSign,
    /// `d.getYear`.
    Year,
    /// `d.getMonthValue`.
    Month,
    /// `d.getDayOfMonth`.
    DayOfMonth,
    /// `d.getDayOfWeek.getValue`.
    DayOfWeek,
    /// `d.getDayOfYear`.
    DayOfYear,
    /// `d.plusDays(n)`.
    PlusDays,
    /// `d.plusMonths(n)`.
    PlusMonths,
    /// `d.toEpochDay`.
    EpochDay,
    /// `LocalDate.of(y, m, d)`, of a day that exists.
    DateOf,
    /// `ChronoUnit.DAYS.between(a, b)`.
    DaysBetween,
    /// `ChronoUnit.MONTHS.between(a, b)`.
    MonthsBetween,
    /// Whether text is an ISO date.
    IsDate,
    /// `LocalDate.parse`.
    ParseDate,
    /// Hour of the UTC wall clock.
    Hour,
    /// Minute of the UTC wall clock.
    Minute,
    /// Second of the UTC wall clock.
    Second,
    /// Local hour at a zone.
    HourAt,
    /// `xs.size`.
    Size,
    /// `xs(i)`, in range.
    Element,
    /// `xs.contains(x)`; null elements are ordinary.
    ListContains,
    /// `xs.mkString(sep)`.
    MkString(Arc<str>),
    /// `s.split(p)`; the constant pattern and limit.
    Split { pattern: Arc<str>, limit: i32 },
    /// `xs.map(f)`: the list, then the body over the variable.
    Map(u32),
    /// `xs.filter(f)`.
    Filter(u32),
    /// `xs.exists(f)`.
    Exists(u32),
    /// `xs.forall(f)`.
    Forall(u32),
    /// `xs.foldLeft(z)(f)`: list, start, body over accumulator and element.
    Fold(u32, u32),
    /// `m.contains(k)`.
    MapContains,
    /// `m(k)`; null if absent.
    MapValue,
}

impl Func {
    /// Whether the result may be null although no argument is.
    pub fn may_be_null(&self) -> bool {
        matches!(self, Func::Extract { sure: false, .. } | Func::Element | Func::MapValue)
    }
}
