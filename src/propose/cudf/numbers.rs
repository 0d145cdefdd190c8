//! Arithmetic, conversions and mathematics in cuDF calls.

use super::emit::{Emit, Val, comparison, dtype_of};
use crate::ir::func::{Func, Rounding};
use crate::ir::node::{ColTy, NodeId};
use crate::lang::ast::BinOp;
use crate::lang::ty::Prim;
use crate::propose::NoteScope::{Everywhere, Gpu};
use crate::source::Understood;

/// With five more digits, a number below 2^53 still fits a decimal of 128 bits.
const MOST_PLACES: u8 = 17;

impl Emit<'_> {
    /// Arithmetic, bits and comparisons of primitives: the output type decides the width.
    pub(super) fn binary(&mut self, op: BinOp, prim: Prim, a: NodeId, b: NodeId) -> Understood<Val> {
        let method = match op {
            BinOp::Add => "add",
            BinOp::Sub => "sub",
            BinOp::Mul => "mul",
            BinOp::Div => "div",
            BinOp::Rem => "mod",
            BinOp::BitAnd => "bitAnd",
            BinOp::BitOr => "bitOr",
            BinOp::BitXor if prim == Prim::Boolean => "notEqualTo",
            BinOp::BitXor => "bitXor",
            BinOp::Shl | BinOp::Shr | BinOp::UShr => return self.shift(op, prim, a, b),
            _ => comparison(op),
        };
        let (x, y) = (self.value(a)?, self.value(b)?);
        let (x, y) = match (x, y) {
            (Val::Scalar(s), Val::Scalar(t)) => (Val::Col(self.as_col(Val::Scalar(s))), Val::Scalar(t)),
            both => both,
        };
        let ty = match op {
            BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => "",
            BinOp::BitXor if prim == Prim::Boolean => "",
            _ => dtype_of(prim),
        };
        let out = if ty.is_empty() {
            String::new()
        } else {
            format!(", {ty}")
        };
        Ok(self.make(format!("{}.{method}({}{out})", x.name(), y.name())))
    }

    /// The distance is taken modulo the width first.
    fn shift(&mut self, op: BinOp, prim: Prim, a: NodeId, b: NodeId) -> Understood<Val> {
        let method = match op {
            BinOp::Shl => "shiftLeft",
            BinOp::Shr => "shiftRight",
            _ => "shiftRightUnsigned",
        };
        let bits = if prim == Prim::Long { 63 } else { 31 };
        let distance = match self.g.as_int(b) {
            Some(v) => self.number(Prim::Int, v & bits),
            None => {
                let wide = *self.g.ty(b) == ColTy::LONG;
                let col = self.col(b)?;
                let mask = self.number(if wide { Prim::Long } else { Prim::Int }, bits);
                self.let_(format!("{col}.bitAnd({mask})"))
            }
        };
        let a = self.col(a)?;
        Ok(self.make(format!("{a}.{method}({distance}, {})", dtype_of(prim))))
    }

    /// Primitive conversions; NaN is zero in an integer.
    pub(super) fn convert(&mut self, from: Prim, to: Prim, a: NodeId) -> Understood<Val> {
        let mut x = self.col(a)?;
        let float = matches!(from, Prim::Float | Prim::Double);
        if float && to.is_integral() && crate::propose::sql::maybe_nan(self.g, a) {
            let nan = self.let_(format!("{x}.isNan()"));
            let zero = self.number(from, 0);
            x = self.let_(format!("{nan}.ifElse({zero}, {x})"));
        }
        Ok(self.make(format!("{x}.castTo({})", dtype_of(to))))
    }

    /// Mathematical functions; `None` for others.
    pub(super) fn math(&mut self, n: NodeId, f: &Func, args: &[NodeId]) -> Understood<Option<Val>> {
        let ty = self.g.ty(n).clone();
        let prim = ty.prim().unwrap_or(Prim::Double);
        let simple = match f {
            Func::Abs => "abs()",
            Func::Sqrt => "sqrt()",
            Func::Rint => "rint()",
            Func::Floor => "floor()",
            Func::Ceil => "ceil()",
            Func::IsNan => "isNan()",
            Func::BitCount => "bitCount()",
            Func::Math1("sin") => "sin()",
            Func::Math1("cos") => "cos()",
            Func::Math1("tan") => "tan()",
            Func::Math1("asin") => "arcsin()",
            Func::Math1("acos") => "arccos()",
            Func::Math1("atan") => "arctan()",
            Func::Math1("sinh") => "sinh()",
            Func::Math1("cosh") => "cosh()",
            Func::Math1("tanh") => "tanh()",
            Func::Math1("exp") => "exp()",
            Func::Math1("cbrt") => "cbrt()",
            Func::Log("ln") => "log()",
            Func::Log("log10") => "log10()",
            _ => "",
        };
        if matches!(f, Func::Math1(_) | Func::Log(_) | Func::Pow | Func::Atan2) {
            self.note("math-ulp", "the GPU's own function may differ in the last places", Gpu);
        }
        if !simple.is_empty() {
            let x = self.col(args[0])?;
            return Ok(Some(self.make(format!("{x}.{simple}"))));
        }
        Ok(Some(match f {
            Func::Math1(name @ ("radians" | "degrees")) => {
                let x = self.col(args[0])?;
                let factor = if *name == "radians" {
                    "0.017453292519943295"
                } else {
                    "57.29577951308232"
                };
                let factor = self.scalar(format!("Scalar.fromDouble({factor})"));
                self.make(format!("{x}.mul({factor}, DType.FLOAT64)"))
            }
            Func::Pow => {
                let (x, y) = (self.col(args[0])?, self.value(args[1])?);
                self.make(format!("{x}.pow({}, DType.FLOAT64)", y.name()))
            }
            Func::Atan2 => {
                let (x, y) = (self.col(args[0])?, self.col(args[1])?);
                self.make(format!("{x}.arctan2({y}, DType.FLOAT64)"))
            }
            Func::Round => self.round(args[0])?,
            Func::Signum => self.signum(args[0], prim)?,
            Func::Min | Func::Max => self.extreme(matches!(f, Func::Max), prim, args)?,
            Func::FloorMod | Func::FloorDiv => {
                let (x, y) = (self.col(args[0])?, self.value(args[1])?);
                if matches!(f, Func::FloorDiv) {
                    self.make(format!("{x}.floorDiv({}, {})", y.name(), dtype_of(prim)))
                } else if prim == Prim::Long {
                    return self.refuse("`floorMod` of two longs can overflow inside cuDF");
                } else {
                    let wide = self.let_(format!("{x}.castTo(DType.INT64)"));
                    let m = self.let_(format!("{wide}.binaryOp(BinaryOp.PYMOD, {}, DType.INT64)", y.name()));
                    self.make(format!("{m}.castTo({})", dtype_of(prim)))
                }
            }
            Func::RoundPlaces(places, Rounding::HalfUp) => self.round_places(args[0], *places)?,
            _ => return Ok(None),
        }))
    }

    /// `floor(x + 1/2)` without the addition that rounds.
    fn round(&mut self, a: NodeId) -> Understood<Val> {
        let single = *self.g.ty(a) == ColTy::Prim(Prim::Float);
        let prim = if single { Prim::Float } else { Prim::Double };
        let out = if single { "DType.INT32" } else { "DType.INT64" };
        let mut x = self.col(a)?;
        let nan = self.let_(format!("{x}.isNan()"));
        let zero = self.number(prim, 0);
        x = self.let_(format!("{nan}.ifElse({zero}, {x})"));
        let low = self.let_(format!("{x}.floor()"));
        let rest = self.let_(format!("{x}.sub({low})"));
        let half = self.scalar(if single {
            "Scalar.fromFloat(0.5f)".into()
        } else {
            "Scalar.fromDouble(0.5)".into()
        });
        let up = self.let_(format!("{rest}.greaterOrEqualTo({half})"));
        let whole = self.let_(format!("{low}.castTo({out})"));
        let step = self.let_(format!("{up}.castTo({out})"));
        Ok(self.make(format!("{whole}.add({step}, {out})")))
    }

    fn signum(&mut self, a: NodeId, prim: Prim) -> Understood<Val> {
        let x = self.col(a)?;
        let (zero, one, minus) = (self.number(prim, 0), self.number(prim, 1), self.number(prim, -1));
        let less = self.let_(format!("{x}.lessThan({zero})"));
        let more = self.let_(format!("{x}.greaterThan({zero})"));
        let negative = self.let_(format!("{less}.ifElse({minus}, {x})"));
        Ok(self.make(format!("{more}.ifElse({one}, {negative})")))
    }

    fn extreme(&mut self, max: bool, prim: Prim, args: &[NodeId]) -> Understood<Val> {
        let (a, b) = (self.col(args[0])?, self.col(args[1])?);
        let order = if max { "greaterThan" } else { "lessThan" };
        let first = self.let_(format!("{a}.{order}({b})"));
        let plain = self.let_(format!("{first}.ifElse({a}, {b})"));
        let plain = self.let_(format!("{plain}.mergeAndSetValidity(BinaryOp.BITWISE_AND, {a}, {b})"));
        if !matches!(prim, Prim::Float | Prim::Double) {
            return Ok(Val::Col(plain));
        }
        let zero = self.number(prim, 0);
        let ty = dtype_of(prim);
        let (za, zb) = (
            self.let_(format!("{a}.equalTo({zero})")),
            self.let_(format!("{b}.equalTo({zero})")),
        );
        let zeros = self.let_(format!("{za}.and({zb})"));
        let tie = if max {
            self.let_(format!("{a}.add({b}, {ty})"))
        } else {
            let minus = self.number(prim, -1);
            let na = self.let_(format!("{a}.mul({minus}, {ty})"));
            let sum = self.let_(format!("{na}.sub({b}, {ty})"));
            self.let_(format!("{sum}.mul({minus}, {ty})"))
        };
        let chosen = self.let_(format!("{zeros}.ifElse({tie}, {plain})"));
        let sum = self.let_(format!("{a}.add({b}, {ty})"));
        let (na, nb) = (self.let_(format!("{a}.isNan()")), self.let_(format!("{b}.isNan()")));
        let nan = self.let_(format!("{na}.or({nb})"));
        Ok(self.make(format!("{nan}.ifElse({sum}, {chosen})")))
    }

    /// HALF_UP through a decimal with five more places, then half a unit added and cut.
    fn round_places(&mut self, a: NodeId, places: u8) -> Understood<Val> {
        if places > MOST_PLACES {
            return self.refuse(format!(
                "rounding to {places} places: cuDF's widest decimal does not hold them"
            ));
        }
        self.note(
            "round-half-up-double",
            "cuDF takes the decimal digits from the binary value; beyond about 15 digits they differ from the JVM's text",
            Everywhere,
        );
        let x = self.col(a)?;
        // From 2^53 on a double has no fraction, and a decimal would run over: such a value stays as it is.
        let size = self.let_(format!("{x}.abs()"));
        let bound = self.scalar("Scalar.fromDouble(9007199254740992.0)".into());
        let fraction = self.let_(format!("{size}.lessThan({bound})"));
        let zero = self.number(Prim::Double, 0);
        let tame = self.let_(format!("{fraction}.ifElse({x}, {zero})"));
        let wide = self.let_(format!(
            "{tame}.castTo(DType.create(DType.DTypeEnum.DECIMAL128, -{}))",
            places + 5
        ));
        let cut = self.half_up(&wide, i16::from(places))?;
        let rounded = self.let_(format!("{cut}.castTo(DType.FLOAT64)"));
        Ok(self.make(format!("{fraction}.ifElse({rounded}, {x})")))
    }

    /// A decimal column rounded HALF_UP: half a unit away from zero, then cut.
    pub(super) fn half_up(&mut self, x: &str, places: i16) -> Understood<String> {
        let half = self.scalar(format!(
            "Scalar.fromDecimal(-{}, new java.math.BigInteger(\"5\"))",
            places + 1
        ));
        let minus = self.scalar(format!(
            "Scalar.fromDecimal(-{}, new java.math.BigInteger(\"-5\"))",
            places + 1
        ));
        let zero = self.scalar("Scalar.fromDecimal(0, new java.math.BigInteger(\"0\"))".into());
        let negative = self.let_(format!("{x}.lessThan({zero})"));
        let step = self.let_(format!("{negative}.ifElse({minus}, {half})"));
        let moved = self.let_(format!("{x}.add({step})"));
        Ok(self.let_(format!(
            "{moved}.castTo(DType.create(DType.DTypeEnum.DECIMAL128, -{places}))"
        )))
    }
}
