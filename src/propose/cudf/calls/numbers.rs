//! Conversions and decimals.

use super::super::emit::{Emit, Val};
use crate::ir::func::{Func, NumberText, Rounding};
use crate::ir::node::{ColTy, NodeId};
use crate::propose::NoteScope::Everywhere;
use crate::source::Understood;

impl Emit<'_> {
    pub(super) fn conversion(&mut self, f: &Func, args: &[NodeId]) -> Understood<Option<Val>> {
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

    pub(super) fn is_number(&mut self, kind: NumberText, s: NodeId) -> Understood<Val> {
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

    pub(super) fn decimal(&mut self, f: &Func, args: &[NodeId]) -> Understood<Option<Val>> {
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
}

/// Text that `Double.parseDouble` reads, hexadecimal forms apart.
pub(super) const NUMBER: &str =
    "[+\\\\-]?(?:NaN|Infinity|(?:[0-9]+\\\\.?[0-9]*|\\\\.[0-9]+)(?:[eE][+\\\\-]?[0-9]+)?[fFdD]?)\\\\Z";

pub(super) fn number_dtype(kind: NumberText) -> &'static str {
    match kind {
        NumberText::Int => "DType.INT32",
        NumberText::Long => "DType.INT64",
        NumberText::Short => "DType.INT16",
        NumberText::Byte => "DType.INT8",
        NumberText::Double => "DType.FLOAT64",
        NumberText::Float => "DType.FLOAT32",
    }
}
