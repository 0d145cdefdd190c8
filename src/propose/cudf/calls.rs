//! Library functions in cuDF calls.

use super::class::quoted;
use super::emit::{Emit, Val};
use super::regex;
use crate::ir::func::{Func, NumberText, Rounding};
use crate::ir::node::{ColTy, NodeId};
use crate::lang::ty::Prim;
use crate::propose::NoteScope::{Everywhere, Gpu};
use crate::source::Understood;

/// Characters that `String.strip` removes.
const STRIPPED: &str = "\\t\\n\\u000b\\f\\r\\u001c\\u001d\\u001e\\u001f \\u1680\\u2000\\u2001\\u2002\\u2003\\u2004\\u2005\\u2006\\u2008\\u2009\\u200a\\u2028\\u2029\\u205f\\u3000";
/// Text that `Double.parseDouble` reads, hexadecimal forms apart.
const NUMBER: &str = "[+\\\\-]?(?:NaN|Infinity|(?:[0-9]+\\\\.?[0-9]*|\\\\.[0-9]+)(?:[eE][+\\\\-]?[0-9]+)?[fFdD]?)\\\\Z";

impl Emit<'_> {
    /// A function call.
    pub(super) fn call(&mut self, n: NodeId, f: &Func, args: &[NodeId]) -> Understood<Val> {
        if let Some(v) = self.math(n, f, args)? {
            return Ok(v);
        }
        if let Some(v) = self.text(f, args)? {
            return Ok(v);
        }
        if let Some(v) = self.cut(f, args)? {
            return Ok(v);
        }
        if let Some(v) = self.pattern(f, args)? {
            return Ok(v);
        }
        if let Some(v) = self.conversion(f, args)? {
            return Ok(v);
        }
        if let Some(v) = self.decimal(f, args)? {
            return Ok(v);
        }
        if let Some(v) = self.list(f, args)? {
            return Ok(v);
        }
        if let Some(v) = self.clock(f, args)? {
            return Ok(v);
        }
        self.other(n, f, args)
    }

    fn units_note(&mut self) {
        self.note(
            "length-utf16-vs-codepoints",
            "the JVM counts UTF-16 units, cuDF characters: text beyond the basic plane differs",
            Everywhere,
        );
    }

    fn case_note(&mut self) {
        self.note(
            "case-map-special",
            "cuDF maps case per character and in the basic plane only",
            Everywhere,
        );
    }

    /// A constant text as a Scala literal.
    fn literal(&self, n: NodeId, what: &str) -> Understood<String> {
        match self.g.as_text(n) {
            Some(t) => Ok(quoted(&t)),
            None => self.refuse(format!("{what} that is not a constant has no cuDF form")),
        }
    }

    fn text(&mut self, f: &Func, args: &[NodeId]) -> Understood<Option<Val>> {
        let method = match f {
            Func::Length => {
                self.units_note();
                "getCharLengths()".to_string()
            }
            Func::Upper => {
                self.case_note();
                "upper()".into()
            }
            Func::Lower => {
                self.case_note();
                "lower()".into()
            }
            Func::CharUpper => {
                self.case_note();
                let x = self.col(args[0])?;
                return Ok(Some(Val::Col(self.single_upper(&x))));
            }
            Func::CharLower => {
                self.case_note();
                "lower()".into()
            }
            Func::Trim => "strip()".into(),
            Func::Strip => {
                let set = self.scalar(format!("Scalar.fromString(\"{STRIPPED}\")"));
                format!("strip({set})")
            }
            Func::Reverse => {
                self.note(
                    "lone-surrogate",
                    "Scala reverses UTF-16 units, cuDF characters",
                    Everywhere,
                );
                "reverseStringsOrLists()".into()
            }
            Func::Contains => match self.g.as_text(args[1]) {
                Some(_) => format!("stringContains({})", self.value(args[1])?.name()),
                None => format!("stringContainsPerRow({})", self.col(args[1])?),
            },
            Func::StartsWith | Func::EndsWith => {
                self.literal(args[1], "a prefix or suffix")?;
                let name = if matches!(f, Func::StartsWith) {
                    "startsWith"
                } else {
                    "endsWith"
                };
                format!("{name}({})", self.value(args[1])?.name())
            }
            Func::IndexOf => {
                self.literal(args[1], "a text looked for")?;
                self.units_note();
                format!("stringLocate({})", self.value(args[1])?.name())
            }
            Func::Replace => {
                self.literal(args[1], "a text replaced")?;
                self.literal(args[2], "a replacement")?;
                let (t, r) = (self.value(args[1])?, self.value(args[2])?);
                format!("stringReplace({}, {})", t.name(), r.name())
            }
            Func::Repeat => match self.g.as_int(args[1]) {
                Some(times) => format!("repeatStrings({})", times.max(0)),
                None => format!("repeatStrings({})", self.col(args[1])?),
            },
            Func::Concat => return self.concat(args).map(Some),
            Func::Capitalize => {
                self.case_note();
                let x = self.col(args[0])?;
                let first = self.let_(format!("{x}.substring(0, 1)"));
                let head = self.single_upper(&first);
                let tail = self.let_(format!("{x}.substring(1)"));
                return Ok(Some(self.make(join(&[head, tail]))));
            }
            _ => return Ok(None),
        };
        let x = self.col(args[0])?;
        Ok(Some(self.make(format!("{x}.{method}"))))
    }

    /// Upper case of single characters; those that have no single one stay.
    fn single_upper(&mut self, x: &str) -> String {
        let upper = self.let_(format!("{x}.upper()"));
        let length = self.let_(format!("{upper}.getCharLengths()"));
        let one = self.number(Prim::Int, 1);
        let single = self.let_(format!("{length}.equalTo({one})"));
        self.let_(format!("{single}.ifElse({upper}, {x})"))
    }

    fn concat(&mut self, args: &[NodeId]) -> Understood<Val> {
        let mut names = Vec::new();
        for arg in args {
            names.push(self.col(*arg)?);
        }
        match names.as_slice() {
            [one] => Ok(Val::Col(one.clone())),
            _ => Ok(self.make(join(&names))),
        }
    }

    fn position(&mut self, n: NodeId) -> Understood<String> {
        let name = self.col(n)?;
        if self.g.constant(n).is_some() {
            return Ok(name);
        }
        let zero = self.number(Prim::Int, 0);
        Ok(self.let_(format!("{name}.replaceNulls({zero})")))
    }

    fn at_least_zero(&mut self, name: &str) -> String {
        let zero = self.number(Prim::Int, 0);
        let low = self.let_(format!("{name}.lessThan({zero})"));
        self.let_(format!("{low}.ifElse({zero}, {name})"))
    }

    /// Cutting text at positions that lie in range (or are clipped where the JVM clips).
    fn cut(&mut self, f: &Func, args: &[NodeId]) -> Understood<Option<Val>> {
        if !matches!(
            f,
            Func::SubstringFrom
                | Func::Substring
                | Func::CharAt
                | Func::Take
                | Func::Drop
                | Func::TakeRight
                | Func::DropRight
        ) {
            return Ok(None);
        }
        self.units_note();
        let x = self.col(args[0])?;
        let known: Vec<Option<i64>> = args[1..].iter().map(|a| self.g.as_int(*a)).collect();
        let call = match (f, known.as_slice()) {
            (Func::SubstringFrom | Func::Drop, [Some(b)]) => format!("substring({})", b.max(&0)),
            (Func::Substring, [Some(b), Some(e)]) if *b >= 0 && e >= b => format!("substring({b}, {e})"),
            (Func::CharAt, [Some(i)]) if *i >= 0 => format!("substring({i}, {})", i + 1),
            (Func::Take, [Some(n)]) => format!("substring(0, {})", n.max(&0)),
            _ => return self.cut_computed(f, &x, args).map(Some),
        };
        Ok(Some(self.make(format!("{x}.{call}"))))
    }

    fn cut_computed(&mut self, f: &Func, x: &str, args: &[NodeId]) -> Understood<Val> {
        let int = "DType.INT32";
        let lengths = |e: &mut Self| {
            let raw = e.let_(format!("{x}.getCharLengths()"));
            let zero = e.number(Prim::Int, 0);
            e.let_(format!("{raw}.replaceNulls({zero})"))
        };
        let (start, end) = match f {
            Func::SubstringFrom | Func::Drop => {
                let b = self.position(args[1])?;
                (self.at_least_zero(&b), lengths(self))
            }
            Func::Substring => {
                let (b, e) = (self.position(args[1])?, self.position(args[2])?);
                (b, self.at_least_zero(&e))
            }
            Func::CharAt => {
                let b = self.position(args[1])?;
                let b = self.at_least_zero(&b);
                let one = self.number(Prim::Int, 1);
                let e = self.let_(format!("{b}.add({one}, {int})"));
                (b, e)
            }
            Func::Take => {
                let n = self.position(args[1])?;
                let zero = self.number(Prim::Int, 0);
                let b = self.as_col(Val::Scalar(zero));
                (b, self.at_least_zero(&n))
            }
            _ => {
                let n = self.position(args[1])?;
                let n = self.at_least_zero(&n);
                let len = lengths(self);
                let at = self.let_(format!("{len}.sub({n}, {int})"));
                let at = self.at_least_zero(&at);
                if matches!(f, Func::TakeRight) {
                    (at, len)
                } else {
                    let zero = self.number(Prim::Int, 0);
                    (self.as_col(Val::Scalar(zero)), at)
                }
            }
        };
        Ok(self.make(format!("{x}.substring({start}, {end})")))
    }

    /// A compiled pattern as a Scala expression.
    fn program(&mut self, pattern: &str, capture: bool) -> Understood<String> {
        let Some(p) = regex::translate(pattern) else {
            return self.refuse(format!("cuDF does not read the pattern `{pattern}` as Java does"));
        };
        self.regex = true;
        self.note("regex-dialect", "cuDF has its own regular expression engine", Gpu);
        let flags = regex::flags(&p);
        let capture = if capture { "" } else { ", CaptureGroups.NON_CAPTURE" };
        Ok(format!("new RegexProgram({}, {flags}{capture})", quoted(&p)))
    }

    /// The whole text must match: `\Z` is cuDF's very end.
    fn whole(&mut self, pattern: &str, capture: bool) -> Understood<String> {
        let Some(p) = regex::translate(pattern) else {
            return self.refuse(format!("cuDF does not read the pattern `{pattern}` as Java does"));
        };
        self.regex = true;
        self.note("regex-dialect", "cuDF has its own regular expression engine", Gpu);
        let flags = regex::flags(&p);
        let p = if p.contains('|') {
            format!("(?:{p})\\Z")
        } else {
            format!("{p}\\Z")
        };
        let p = if capture { format!("^{p}") } else { p };
        let capture = if capture { "" } else { ", CaptureGroups.NON_CAPTURE" };
        Ok(format!("new RegexProgram({}, {flags}{capture})", quoted(&p)))
    }

    fn pattern(&mut self, f: &Func, args: &[NodeId]) -> Understood<Option<Val>> {
        Ok(Some(match f {
            Func::Matches(p) | Func::CharIs(p) => {
                let program = self.whole(p, false)?;
                let x = self.col(args[0])?;
                self.make(format!("{x}.matchesRe({program})"))
            }
            Func::Finds(p) => {
                let program = self.program(p, false)?;
                let x = self.col(args[0])?;
                self.make(format!("{x}.containsRe({program})"))
            }
            Func::ReplaceAll(p, r) => {
                if !crate::ir::build::takes_characters(p) {
                    return self.refuse("replacing a pattern that may match nothing has no cuDF form");
                }
                let x = self.col(args[0])?;
                if r.contains('\\') {
                    return self.refuse("this replacement has no cuDF form");
                }
                if r.contains('$') {
                    return self.backrefs(&x, p, r).map(Some);
                }
                let program = self.program(p, false)?;
                let r = self.scalar(format!("Scalar.fromString({})", quoted(r)));
                self.make(format!("{x}.replaceRegex({program}, {r})"))
            }
            Func::Extract {
                pattern, group, whole, ..
            } => {
                let (pattern, column) = if *group == 0 {
                    (format!("({pattern})"), 0)
                } else {
                    (pattern.to_string(), group - 1)
                };
                let program = if *whole {
                    self.whole(&pattern, true)?
                } else {
                    self.program(&pattern, true)?
                };
                let x = self.col(args[0])?;
                let table = self.scalar(format!("{x}.extractRe({program})"));
                self.make(format!("{table}.getColumn({column}).incRefCount()"))
            }
            Func::Split { pattern, limit } => self.split(args[0], pattern, *limit)?,
            _ => return Ok(None),
        }))
    }

    fn backrefs(&mut self, x: &str, p: &str, r: &str) -> Understood<Val> {
        let groups = crate::ir::build::regex_groups(p).len();
        let mut out = String::new();
        let mut chars = r.chars().peekable();
        while let Some(c) = chars.next() {
            match (c, chars.peek().and_then(|d| d.to_digit(10))) {
                ('$', Some(d)) if (1..=groups as u32).contains(&d) => {
                    chars.next();
                    if groups > 9 && chars.peek().is_some_and(char::is_ascii_digit) {
                        return self.refuse("this replacement has no cuDF form");
                    }
                    out.push_str(&format!("${{{d}}}"));
                }
                ('$', _) => return self.refuse("this replacement has no cuDF form"),
                _ => out.push(c),
            }
        }
        let program = self.program(p, true)?;
        Ok(self.make(format!("{x}.stringReplaceWithBackrefs({program}, {})", quoted(&out))))
    }

    fn split(&mut self, s: NodeId, pattern: &str, limit: i32) -> Understood<Val> {
        let mut literal = pattern.chars().filter(|c| *c != '\\');
        let one = match (literal.next(), literal.next(), pattern.len()) {
            (Some(c), None, 1) if !".|*+?()[]{}^$".contains(c) => Some(c),
            (Some(c), None, 2) if pattern.starts_with('\\') && c.is_ascii_punctuation() => Some(c),
            _ => None,
        };
        let Some(c) = one else {
            return self.refuse("splitting by this pattern has no cuDF form here");
        };
        let x = self.col(s)?;
        let sep = quoted(&c.to_string());
        if limit < 0 {
            return Ok(self.make(format!("{x}.stringSplitRecord({sep})")));
        }
        if limit >= 2 {
            return Ok(self.make(format!("{x}.stringSplitRecord({sep}, {limit})")));
        }
        self.refuse("splitting that drops trailing empty parts has no cuDF form here")
    }

    fn conversion(&mut self, f: &Func, args: &[NodeId]) -> Understood<Option<Val>> {
        let arg_ty = self.g.ty(args[0]).clone();
        Ok(Some(match f {
            Func::IsNumber(kind) => self.is_number(*kind, args[0])?,
            Func::ParseNumber(kind) => {
                let x = self.col(args[0])?;
                match kind {
                    NumberText::Double | NumberText::Float => {
                        let trimmed = self.let_(format!("{x}.strip()"));
                        self.make(format!("{trimmed}.castTo({})", number_dtype(*kind)))
                    }
                    _ => self.make(format!("{x}.castTo({})", number_dtype(*kind))),
                }
            }
            Func::ToText => {
                let x = self.col(args[0])?;
                match arg_ty {
                    ColTy::Date => self.make(format!("{x}.asStrings(\"%Y-%m-%d\")")),
                    ColTy::Decimal(..) => {
                        self.note("decimal-to-string-exponent", "cuDF writes plain digits", Everywhere);
                        self.make(format!("{x}.castTo(DType.STRING)"))
                    }
                    ty => {
                        if ty.is_float() {
                            self.note(
                                "float-to-string-digits",
                                "cuDF writes at most ten significant digits",
                                Everywhere,
                            );
                        }
                        self.make(format!("{x}.castTo(DType.STRING)"))
                    }
                }
            }
            Func::Format(spec) => {
                let width = spec
                    .strip_prefix("%0")
                    .and_then(|s| s.strip_suffix('d'))
                    .and_then(|s| s.parse::<u32>().ok());
                let Some(width) = width else {
                    return self.refuse(format!("the format `{spec}` has no cuDF form"));
                };
                let x = self.col(args[0])?;
                let text = self.let_(format!("{x}.castTo(DType.STRING)"));
                self.make(format!("{text}.zfill({width})"))
            }
            Func::ToHex => {
                let x = self.col(args[0])?;
                let hex = self.let_(format!("{x}.toHex()"));
                let low = self.let_(format!("{hex}.lower()"));
                let zero = self.scalar("Scalar.fromString(\"0\")".into());
                let bare = self.let_(format!("{low}.lstrip({zero})"));
                let empty = self.scalar("Scalar.fromString(\"\")".into());
                let none = self.let_(format!("{bare}.equalTo({empty})"));
                self.make(format!("{none}.ifElse({zero}, {bare})"))
            }
            Func::CharCode => return self.refuse("the code of a character has no cuDF form"),
            _ => return Ok(None),
        }))
    }

    fn is_number(&mut self, kind: NumberText, s: NodeId) -> Understood<Val> {
        let x = self.col(s)?;
        if matches!(kind, NumberText::Double | NumberText::Float) {
            self.regex = true;
            self.note(
                "parse-double-forms",
                "hexadecimal forms are read by the JVM only; last digits may differ",
                Everywhere,
            );
            let trimmed = self.let_(format!("{x}.strip()"));
            return Ok(self.make(format!(
                "{trimmed}.matchesRe(new RegexProgram(\"{NUMBER}\", EnumSet.of(RegexFlag.DEFAULT), CaptureGroups.NON_CAPTURE))"
            )));
        }
        self.note(
            "parse-unicode-digits",
            "the JVM also reads digits of other scripts",
            Everywhere,
        );
        Ok(self.make(format!("{x}.isInteger({})", number_dtype(kind))))
    }

    fn decimal(&mut self, f: &Func, args: &[NodeId]) -> Understood<Option<Val>> {
        let wide = |e: &mut Self, n: NodeId| -> Understood<String> {
            let x = e.col(n)?;
            Ok(e.let_(format!("{x}.castTo(DType.create(DType.DTypeEnum.DECIMAL128, -18))")))
        };
        Ok(Some(match f {
            Func::DecimalMul => {
                self.note(
                    "decimal-overflow-null",
                    "128-bit decimals wrap beyond 38 digits",
                    Everywhere,
                );
                match (self.g.constant(args[0]).is_some(), self.g.constant(args[1]).is_some()) {
                    (false, true) => {
                        let (x, y) = (wide(self, args[0])?, self.value(args[1])?);
                        self.make(format!("{x}.mul({})", y.name()))
                    }
                    _ => return self.refuse("a product of two decimal columns has no cuDF form here"),
                }
            }
            Func::DecimalAdd | Func::DecimalSub => {
                self.note(
                    "decimal-overflow-null",
                    "128-bit decimals wrap beyond 38 digits",
                    Everywhere,
                );
                let (x, y) = (wide(self, args[0])?, wide(self, args[1])?);
                let name = if matches!(f, Func::DecimalAdd) { "add" } else { "sub" };
                self.make(format!("{x}.{name}({y})"))
            }
            Func::SetScale(places, Rounding::HalfUp) => {
                if matches!(self.g.op(args[0]), crate::ir::node::Op::Call(Func::DecimalOfDouble, _)) {
                    return self.refuse("a double as a decimal has no cuDF form");
                }
                self.note(
                    "decimal-overflow-null",
                    "a result of more than 38 digits is not made null",
                    Everywhere,
                );
                let x = match self.g.op(args[0]) {
                    crate::ir::node::Op::Column(_) => wide(self, args[0])?,
                    _ => self.col(args[0])?,
                };
                let cut = self.half_up(&x, i16::from(*places))?;
                self.make(format!("{cut}.castTo(DType.create(DType.DTypeEnum.DECIMAL128, -18))"))
            }
            Func::DecimalToDouble => {
                let x = self.col(args[0])?;
                self.make(format!("{x}.castTo(DType.FLOAT64)"))
            }
            Func::DecimalToInt => {
                let x = self.col(args[0])?;
                self.make(format!("{x}.castTo(DType.INT32)"))
            }
            Func::DecimalToLong => {
                let x = self.col(args[0])?;
                self.make(format!("{x}.castTo(DType.INT64)"))
            }
            Func::StoreDecimal => Val::Col(wide(self, args[0])?),
            _ => return Ok(None),
        }))
    }

    fn other(&mut self, n: NodeId, f: &Func, args: &[NodeId]) -> Understood<Val> {
        let part = match f {
            Func::Year => "year()",
            Func::Month => "month()",
            Func::DayOfMonth => "day()",
            Func::DayOfWeek => "weekDay()",
            Func::DayOfYear => "dayOfYear()",
            _ => "",
        };
        if !part.is_empty() {
            let x = self.col(args[0])?;
            let small = self.let_(format!("{x}.{part}"));
            return Ok(self.make(format!("{small}.castTo(DType.INT32)")));
        }
        Ok(match f {
            Func::PlusDays => {
                let (x, days) = (self.col(args[0])?, self.col(args[1])?);
                let days = self.let_(format!("{days}.castTo(DType.DURATION_DAYS)"));
                self.make(format!("{x}.add({days}, DType.TIMESTAMP_DAYS)"))
            }
            Func::PlusMonths => {
                let (x, months) = (self.col(args[0])?, self.value(args[1])?);
                self.make(format!("{x}.addCalendricalMonths({})", months.name()))
            }
            Func::EpochDay => {
                let x = self.col(args[0])?;
                let days = self.let_(format!("{x}.castTo(DType.INT32)"));
                self.make(format!("{days}.castTo(DType.INT64)"))
            }
            Func::DaysBetween => {
                let (from, to) = (self.col(args[0])?, self.col(args[1])?);
                let days = self.let_(format!("{to}.sub({from}, DType.DURATION_DAYS)"));
                let days = self.let_(format!("{days}.castTo(DType.INT32)"));
                self.make(format!("{days}.castTo(DType.INT64)"))
            }
            Func::DateOf => self.date_of(args)?,
            Func::Size => {
                let x = self.col(args[0])?;
                self.make(format!("{x}.countElements()"))
            }
            Func::Element => {
                let x = self.col(args[0])?;
                match self.g.as_int(args[1]) {
                    Some(i) if i >= 0 => self.make(format!("{x}.extractListElement({i})")),
                    _ => {
                        let i = self.col(args[1])?;
                        self.make(format!("{x}.extractListElement({i})"))
                    }
                }
            }
            Func::ListContains => {
                let (x, y) = (self.col(args[0])?, self.value(args[1])?);
                match y {
                    Val::Scalar(s) => self.make(format!("{x}.listContains({s})")),
                    Val::Col(c) => self.make(format!("{x}.listContainsColumn({c})")),
                }
            }
            Func::MapContains => {
                let (x, y) = (self.col(args[0])?, self.value(args[1])?);
                self.make(format!("{x}.getMapKeyExistence({})", y.name()))
            }
            Func::MapValue => {
                let (x, y) = (self.col(args[0])?, self.value(args[1])?);
                self.make(format!("{x}.getMapValue({})", y.name()))
            }
            _ => {
                let _ = n;
                return self.refuse(format!("`{}` has no cuDF form here", function_name(f)));
            }
        })
    }

    /// Days from the civil calendar, month and day being constants.
    fn date_of(&mut self, args: &[NodeId]) -> Understood<Val> {
        let (Some(month), Some(day)) = (self.g.as_int(args[1]), self.g.as_int(args[2])) else {
            return self.refuse("a date whose month and day are computed has no cuDF form");
        };
        let mut year = self.col(args[0])?;
        if month <= 2 {
            let one = self.number(Prim::Int, 1);
            year = self.let_(format!("{year}.sub({one}, DType.INT32)"));
        }
        let since_march = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
        let whole = self.number(Prim::Int, 365);
        let mut days = self.let_(format!("{year}.mul({whole}, DType.INT32)"));
        for (by, method) in [(4, "add"), (100, "sub"), (400, "add")] {
            let by = self.number(Prim::Int, by);
            let leap = self.let_(format!("{year}.floorDiv({by}, DType.INT32)"));
            days = self.let_(format!("{days}.{method}({leap}, DType.INT32)"));
        }
        let offset = self.number(Prim::Int, since_march - 719_468);
        let days = self.let_(format!("{days}.add({offset}, DType.INT32)"));
        Ok(self.make(format!("{days}.castTo(DType.TIMESTAMP_DAYS)")))
    }
}

fn join(names: &[String]) -> String {
    format!(
        "ColumnVector.stringConcatenate(Array[ColumnView]({}))",
        names.join(", ")
    )
}

fn number_dtype(kind: NumberText) -> &'static str {
    match kind {
        NumberText::Int => "DType.INT32",
        NumberText::Long => "DType.INT64",
        NumberText::Short => "DType.INT16",
        NumberText::Byte => "DType.INT8",
        NumberText::Double => "DType.FLOAT64",
        NumberText::Float => "DType.FLOAT32",
    }
}

fn function_name(f: &Func) -> String {
    let text = format!("{f:?}");
    let end = text.find(['(', ' ', '{']).unwrap_or(text.len());
    let mut name = text[..end].to_string();
    if let Some(first) = name.get_mut(0..1) {
        first.make_ascii_lowercase();
    }
    name
}
