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
    /// `s.getBytes("UTF-8")`.
    Bytes,
    /// `MessageDigest.getInstance(name).digest(bytes)`.
    Digest(Arc<str>),
    /// `bytes.map("%02x".format(_))`; only ever joined.
    HexParts,
    /// Two lower-case hexadecimal digits for each byte.
    HexOfBytes,
    /// `Base64.getEncoder.encodeToString(bytes)`.
    Base64,
    /// `bytes.length`.
    ByteLength,
    /// `c.asDigit`: the value in base 36, else -1.
    DigitOf,
    /// `s.padTo(n, c)`.
    PadRight,
    /// Texts that are there, joined: the separator, then texts of which some may be null.
    JoinPresent(Arc<str>),
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
    /// A timestamp that shows in a UTC session what the clock of a zone shows.
    LocalAt(Arc<str>),
    /// The day of a timestamp in the session's zone.
    DateOfTimestamp,
    /// The instant that a `java.sql.Timestamp` holds.
    SqlInstant,
    /// `toEpochMilli`.
    EpochMillis,
    /// `getEpochSecond`.
    EpochSeconds,
    /// Microseconds since the epoch.
    EpochMicros,
    /// `Instant.ofEpochMilli`.
    OfMillis,
    /// `Instant.ofEpochSecond`.
    OfSeconds,
    /// `new Timestamp(millis)`.
    SqlOfMillis,
    /// `d.format(pattern)`; `old` by `SimpleDateFormat`.
    DateText { pattern: Arc<str>, old: bool },
    /// Whether text is a date by a pattern of `yyyy`, `MM`, `dd` and separators.
    IsDateBy(Arc<str>),
    /// `LocalDate.parse(s, pattern)`; days past the end of a month are its last day.
    DateBy(Arc<str>),
    /// `d.withDayOfMonth(1)`.
    MonthStart,
    /// Last day of the month.
    MonthEnd,
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
    /// `xs.reverse`.
    ListReverse,
    /// `xs.distinct`; null is an ordinary element.
    ListDistinct,
    /// `xs.max`, of a list that is not empty.
    ListMax,
    /// `xs.min`.
    ListMin,
    /// `xs.sorted`, by the natural order.
    ListSort,
    /// A stable sort by a comparison over two elements: the list, then -1, 0 or 1.
    SortWith(u32, u32),
    /// `xs.take(n)`: clips.
    ListTake,
    /// `xs.drop(n)`: clips.
    ListDrop,
    /// `xs.takeRight(n)`: clips.
    ListTakeRight,
    /// `xs.dropRight(n)`: clips.
    ListDropRight,
    /// `xs.indexOf(x)`; neither is null.
    ListIndexOf,
    /// `xs ++ ys`.
    ListConcat,
    /// `xs.flatten`; no inner list is null.
    Flatten,
    /// `xs.zipWithIndex`: structs `_1`, `_2`.
    WithIndex,
    /// `xs.zip(ys)`: structs `_1`, `_2`, as many as the shorter has.
    Zip,
    /// A field of a struct.
    Field(Arc<str>),
    /// The characters of a text as a list.
    Chars,
    /// `m.keys` in the column's order.
    MapKeys,
    /// `m.values` in the column's order.
    MapValues,
    /// `m.toSeq` in the column's order: structs `key`, `value`.
    MapEntries,
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
        matches!(
            self,
            Func::Extract { sure: false, .. }
                | Func::Element
                | Func::MapValue
                | Func::Field(_)
                | Func::ListMax
                | Func::ListMin
        )
    }
}
