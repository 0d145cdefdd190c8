//! Functions over texts: case, trimming, parts.

use super::super::emit::{Emit, Val};
use super::STRIPPED;
use crate::ir::func::Func;
use crate::ir::node::NodeId;
use crate::lang::ty::Prim;
use crate::propose::NoteScope::Everywhere;
use crate::source::Understood;

impl Emit<'_> {
    pub(super) fn text(&mut self, f: &Func, args: &[NodeId]) -> Understood<Option<Val>> {
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
    pub(super) fn single_upper(&mut self, x: &str) -> String {
        let upper = self.let_(format!("{x}.upper()"));
        let length = self.let_(format!("{upper}.getCharLengths()"));
        let one = self.number(Prim::Int, 1);
        let single = self.let_(format!("{length}.equalTo({one})"));
        self.let_(format!("{single}.ifElse({upper}, {x})"))
    }

    pub(super) fn concat(&mut self, args: &[NodeId]) -> Understood<Val> {
        let mut names = Vec::new();
        for arg in args {
            names.push(self.col(*arg)?);
        }
        match names.as_slice() {
            [one] => Ok(Val::Col(one.clone())),
            _ => Ok(self.make(join(&names))),
        }
    }

    pub(super) fn position(&mut self, n: NodeId) -> Understood<String> {
        let name = self.col(n)?;
        if self.g.constant(n).is_some() {
            return Ok(name);
        }
        let zero = self.number(Prim::Int, 0);
        Ok(self.let_(format!("{name}.replaceNulls({zero})")))
    }

    pub(super) fn at_least_zero(&mut self, name: &str) -> String {
        let zero = self.number(Prim::Int, 0);
        let low = self.let_(format!("{name}.lessThan({zero})"));
        self.let_(format!("{low}.ifElse({zero}, {name})"))
    }

    /// Cutting text at positions that lie in range (or are clipped where the JVM clips).
    pub(super) fn cut(&mut self, f: &Func, args: &[NodeId]) -> Understood<Option<Val>> {
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

    pub(super) fn cut_computed(&mut self, f: &Func, x: &str, args: &[NodeId]) -> Understood<Val> {
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
}

pub(super) fn join(names: &[String]) -> String {
    format!(
        "ColumnVector.stringConcatenate(Array[ColumnView]({}))",
        names.join(", ")
    )
}
