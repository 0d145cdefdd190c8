//! Numbers: `Math`, methods of primitives and boxes, constants, parsing. In: a row of the library; out: a helper's call, or `None`
//! where it is no matter of numbers.

use super::calls::uncovered;
use super::emit::Emit;
use super::types::{Cpp, prim_name};
use super::values::convert_prim;
use crate::jvm::table::Method;
use crate::lang::ast::*;
use crate::lang::ty::{Prim, Ty};
use crate::source::{Span, Understood};

/// How an operation is written.
enum Form {
    /// `name<T>(row, args)`; it may fail.
    Failing(&'static str),
    /// `name(args)`.
    Plain(&'static str),
    /// `name<T>(args)`.
    Typed(&'static str),
    /// `name(args)` of CUDA's math library, whose last bits differ.
    Inexact(&'static str),
}

/// The helper for a static function or a method of a primitive.
fn math(recv: &str, name: &str, ty: &Ty) -> Option<Form> {
    let float = *ty == Ty::FLOAT;
    let recv = recv.strip_prefix("static ").unwrap_or(recv);
    if !matches!(
        recv,
        "Math" | "StrictMath" | "math" | "Int" | "Long" | "Float" | "Double" | "Integer" | "Short" | "Byte"
    ) {
        return None;
    }
    let small = matches!(ty, Ty::Prim(Prim::Byte | Prim::Short | Prim::Char));
    Some(match name {
        "max" if !small => Form::Plain("rw::max_of"),
        "min" if !small => Form::Plain("rw::min_of"),
        "abs" if !small => Form::Plain("rw::abs_of"),
        "round" if matches!(*ty, Ty::FLOAT | Ty::DOUBLE) => Form::Plain("rw::round_half_up"),
        "floor" => Form::Plain(if float { "floorf" } else { "floor" }),
        "ceil" => Form::Plain(if float { "ceilf" } else { "ceil" }),
        "rint" => Form::Plain("rint"),
        "sqrt" => Form::Plain("sqrt"),
        "signum" if *ty == Ty::DOUBLE && recv != "Double" => Form::Plain("rw::signum"),
        "signum" if matches!(*ty, Ty::INT | Ty::LONG) => Form::Plain("rw::sign_of"),
        "toRadians" if *ty == Ty::DOUBLE => Form::Plain("rw::to_radians"),
        "toDegrees" if *ty == Ty::DOUBLE => Form::Plain("rw::to_degrees"),
        "floorDiv" => Form::Failing("rw::floor_div"),
        "floorMod" => Form::Failing("rw::floor_mod"),
        "addExact" => Form::Failing("rw::add_exact"),
        "subtractExact" => Form::Failing("rw::sub_exact"),
        "multiplyExact" => Form::Failing("rw::mul_exact"),
        "negateExact" => Form::Failing("rw::neg_exact"),
        "incrementExact" => Form::Failing("rw::next_exact"),
        "decrementExact" => Form::Failing("rw::previous_exact"),
        "toIntExact" => Form::Failing("rw::int_exact"),
        "compare" if matches!(*ty, Ty::INT | Ty::LONG | Ty::DOUBLE | Ty::FLOAT) => Form::Plain("rw::order_of"),
        "compareTo" if matches!(*ty, Ty::INT | Ty::LONG | Ty::DOUBLE | Ty::FLOAT) => Form::Plain("rw::order_of"),
        "isNaN" => Form::Plain("isnan"),
        "isInfinite" | "isInfinity" => Form::Plain("isinf"),
        "isFinite" => Form::Plain("isfinite"),
        "bitCount" => Form::Plain("rw::bit_count"),
        "numberOfLeadingZeros" => Form::Plain("rw::leading_zeros"),
        "numberOfTrailingZeros" => Form::Plain("rw::trailing_zeros"),
        "sum" if matches!(recv, "Integer" | "Long" | "Double" | "Float") => Form::Plain("rw::add"),
        "sin" => Form::Inexact("sin"),
        "cos" => Form::Inexact("cos"),
        "tan" => Form::Inexact("tan"),
        "asin" => Form::Inexact("asin"),
        "acos" => Form::Inexact("acos"),
        "atan" => Form::Inexact("atan"),
        "atan2" => Form::Inexact("atan2"),
        "exp" => Form::Inexact("exp"),
        "log" => Form::Inexact("log"),
        "log10" => Form::Inexact("log10"),
        "pow" => Form::Inexact("rw::pow"),
        "cbrt" => Form::Inexact("cbrt"),
        "hypot" => Form::Inexact("hypot"),
        "sinh" => Form::Inexact("sinh"),
        "cosh" => Form::Inexact("cosh"),
        "tanh" => Form::Inexact("tanh"),
        "expm1" => Form::Inexact("expm1"),
        "log1p" => Form::Inexact("log1p"),
        "floatToIntBits" | "doubleToLongBits" => return None,
        "hashCode" if *ty == Ty::INT => Form::Typed("static_cast"),
        _ => return None,
    })
}

impl<'p> Emit<'p> {
    /// An operation on numbers.
    pub(super) fn number_call(
        &mut self,
        method: &'static Method,
        recv: Option<&'p Expr>,
        args: &'p [Expr],
        e: &'p Expr,
    ) -> Understood<Option<String>> {
        if let Some(first) = recv.or(args.first())
            && let Some(form) = math(method.recv, method.name, &first.ty)
        {
            let values = self.operands(recv.into_iter().chain(args))?;
            return Ok(Some(self.written_number(form, method.name, values, &e.ty, e.span)));
        }
        if let Some(recv) = recv {
            return self.converted(method, recv, args, e);
        }
        Ok(Some(match (method.id, args) {
            ("static Integer.parseInt", [_]) => self.helper("rw::parse_int", args, e.span)?,
            ("static Long.parseLong", [_]) => self.helper("rw::parse_long", args, e.span)?,
            ("static Short.parseShort", [_]) => self.helper("rw::parse_short", args, e.span)?,
            ("static Byte.parseByte", [_]) => self.helper("rw::parse_byte", args, e.span)?,
            ("static Integer.parseInt(radix)", [_, _]) => self.helper("rw::parse_int", args, e.span)?,
            ("static Long.parseLong(radix)", [_, _]) => self.helper("rw::parse_long", args, e.span)?,
            ("static Integer.valueOf(String)", [_]) => self.boxed_parse("rw::parse_int", Prim::Int, args, e.span)?,
            ("static Long.valueOf(String)", [_]) => self.boxed_parse("rw::parse_long", Prim::Long, args, e.span)?,
            ("static Double.parseDouble", [_]) => self.helper("rw::parse_double", args, e.span)?,
            ("static Double.valueOf(String)", [_]) => {
                self.boxed_parse("rw::parse_double", Prim::Double, args, e.span)?
            }
            ("static Boolean.parseBoolean", [_]) => self.helper("rw::parse_boolean", args, e.span)?,
            ("static Integer.toHexString", [_]) => self.in_base("uint32_t", 16, &args[0], e.span)?,
            ("static Integer.toBinaryString", [_]) => self.in_base("uint32_t", 2, &args[0], e.span)?,
            ("static Integer.toOctalString", [_]) => self.in_base("uint32_t", 8, &args[0], e.span)?,
            ("static Long.toHexString", [_]) => self.in_base("uint64_t", 16, &args[0], e.span)?,
            ("static Long.toBinaryString", [_]) => self.in_base("uint64_t", 2, &args[0], e.span)?,
            ("static Long.toOctalString", [_]) => self.in_base("uint64_t", 8, &args[0], e.span)?,
            _ if method.name == "valueOf" && args.len() == 1 && args[0].ty.prim_type().is_some() => {
                match Cpp::of(&e.ty, e.span)? {
                    ty @ Cpp::Maybe(_) if ty == Cpp::Maybe(Box::new(self.cpp(&args[0])?)) => {
                        let value = self.expr(&args[0])?;
                        format!("{}{{{value}, true}}", ty.name())
                    }
                    _ => return Ok(None),
                }
            }
            _ if args.is_empty() => return Ok(number_constant(method).map(str::to_owned)),
            _ => return Ok(None),
        }))
    }

    /// Conversions and methods of a primitive or of a box.
    fn converted(
        &mut self,
        method: &'static Method,
        recv: &'p Expr,
        args: &'p [Expr],
        e: &'p Expr,
    ) -> Understood<Option<String>> {
        let (Ok(Cpp::Prim(from)), []) = (self.cpp(recv), args) else {
            return Ok(None);
        };
        if matches!(&recv.ty, Ty::Class(_)) {
            return Ok(None);
        }
        let hex = match (method.name, from) {
            ("toHexString", Prim::Int) => Some(("uint32_t", 16)),
            ("toBinaryString", Prim::Int) => Some(("uint32_t", 2)),
            ("toOctalString", Prim::Int) => Some(("uint32_t", 8)),
            ("toHexString", Prim::Long) => Some(("uint64_t", 16)),
            ("toBinaryString", Prim::Long) => Some(("uint64_t", 2)),
            ("toOctalString", Prim::Long) => Some(("uint64_t", 8)),
            _ => None,
        };
        if let Some((ty, base)) = hex {
            return self.in_base(ty, base, recv, e.span).map(Some);
        }
        let converts = method.name.starts_with("to") || method.name.ends_with("Value");
        match e
            .ty
            .prim_type()
            .filter(|_| converts && method.name != "toUpper" && method.name != "toLower")
        {
            Some(to) if from != Prim::Boolean => {
                let value = self.expr(recv)?;
                Ok(Some(convert_prim(&value, from, to)))
            }
            _ => Ok(None),
        }
    }

    /// Methods of a box, which must not be null.
    pub(super) fn box_call(
        &mut self,
        method: &'static Method,
        recv: &'p Expr,
        args: &'p [Expr],
        e: &'p Expr,
    ) -> Understood<String> {
        let Some(p) = recv.ty.prim() else {
            return Err(uncovered(method, e.span));
        };
        let value = self.expr(recv)?;
        let value = self.checked(format!("rw::unbox(row, {value})"), e.span);
        match (method.name, args, e.ty.prim()) {
            (name, [], Some(to)) if name.ends_with("Value") => Ok(convert_prim(&value, p, to)),
            ("isNaN", [], _) => Ok(format!("isnan({value})")),
            ("isInfinite", [], _) => Ok(format!("isinf({value})")),
            ("hashCode", [], _) if p == Prim::Int => Ok(value),
            ("compareTo", [other], _) if matches!(p, Prim::Int | Prim::Long | Prim::Double | Prim::Float) => {
                let other_value = self.expr(other)?;
                let other_value = self.checked(format!("rw::unbox(row, {other_value})"), e.span);
                Ok(format!("rw::order_of({value}, {other_value})"))
            }
            _ => Err(uncovered(method, e.span)),
        }
    }

    fn boxed_parse(&mut self, helper: &str, p: Prim, args: &'p [Expr], span: Span) -> Understood<String> {
        let value = self.helper(helper, args, span)?;
        Ok(format!("rw::some<{}>({value})", prim_name(p)))
    }

    fn in_base(&mut self, ty: &str, base: u32, value: &'p Expr, span: Span) -> Understood<String> {
        self.partial = true;
        let text = self.expr(value)?;
        Ok(self.checked(format!("rw::in_base(row, static_cast<{ty}>({text}), {base})"), span))
    }

    fn written_number(&mut self, form: Form, name: &str, values: Vec<String>, ty: &Ty, span: Span) -> String {
        let list = values.join(", ");
        let result = ty.prim().map_or("int32_t", prim_name);
        match form {
            Form::Failing(f) => self.checked(format!("{f}<{result}>(row, {list})"), span),
            Form::Plain(f) => format!("{f}({list})"),
            Form::Typed(f) => format!("{f}<{result}>({list})"),
            Form::Inexact(f) => {
                self.inexact.push((span, name.to_owned()));
                format!("{f}({list})")
            }
        }
    }
}

/// `Double.NaN`, `Int.MaxValue`.
fn number_constant(method: &Method) -> Option<&'static str> {
    Some(match (method.recv.strip_prefix("static ").unwrap_or(""), method.name) {
        ("Double", "NaN") => "nan(\"\")",
        ("Float", "NaN") => "nanf(\"\")",
        ("Double", "PositiveInfinity" | "POSITIVE_INFINITY") => "rw::infinity()",
        ("Double", "NegativeInfinity" | "NEGATIVE_INFINITY") => "(-rw::infinity())",
        ("Float", "PositiveInfinity" | "POSITIVE_INFINITY") => "static_cast<float>(rw::infinity())",
        ("Float", "NegativeInfinity" | "NEGATIVE_INFINITY") => "(-static_cast<float>(rw::infinity()))",
        ("Double", "MaxValue" | "MAX_VALUE") => "1.7976931348623157e308",
        ("Double", "MinValue") => "(-1.7976931348623157e308)",
        ("Double", "MinPositiveValue" | "MIN_VALUE") => "4.9e-324",
        ("Int", "MaxValue") | ("Integer", "MAX_VALUE") => "2147483647",
        ("Int", "MinValue") | ("Integer", "MIN_VALUE") => "(-2147483647 - 1)",
        ("Long", "MaxValue" | "MAX_VALUE") => "int64_t(9223372036854775807LL)",
        ("Long", "MinValue" | "MIN_VALUE") => "(-9223372036854775807LL - 1)",
        ("Short", "MaxValue" | "MAX_VALUE") => "int16_t(32767)",
        ("Short", "MinValue" | "MIN_VALUE") => "int16_t(-32768)",
        ("Byte", "MaxValue" | "MAX_VALUE") => "int8_t(127)",
        ("Byte", "MinValue" | "MIN_VALUE") => "int8_t(-128)",
        ("Math" | "math" | "StrictMath", "PI" | "Pi") => "3.141592653589793",
        ("Math" | "math" | "StrictMath", "E") => "2.718281828459045",
        _ => return None,
    })
}
