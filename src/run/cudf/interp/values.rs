//! Methods by the kind of their receiver.

use super::*;
use num_bigint::BigInt;

/// Whether a second argument list belongs to the method itself.
pub(super) fn is_curried(target: &V, name: &str) -> bool {
    match target {
        V::Module(m) => matches!(
            (&**m, name),
            ("Using", "resource" | "apply" | "resources")
                | ("Array", "fill" | "tabulate")
                | ("Seq" | "List", "fill" | "tabulate")
                | ("Arm", _)
        ),
        V::Seq(_) => matches!(name, "foldLeft" | "foldRight" | "fold" | "aggregate"),
        _ => false,
    }
}

impl Interp<'_> {
    /// A method call on a value.
    pub(super) fn method(&mut self, recv: V, name: &str, args: Vec<V>, span: Span) -> R {
        match (name, &args[..]) {
            ("==" | "equals", [x]) if !matches!(recv, V::Ref(_)) => return Ok(V::Bool(self.equal(&recv, x))),
            ("asInstanceOf", []) => return Ok(recv),
            ("toString", []) => return Ok(V::str(recv.show())),
            ("->", [x]) => return Ok(V::Tuple(Rc::new(vec![recv, x.clone()]))),
            _ => {}
        }
        match &recv {
            V::Ref(id) => self.library_method(*id, name, args, span),
            V::Module(m) => self.module_method(&m.clone(), name, args, span),
            V::Seq(s) => self.seq_method(&s.clone(), name, &args, span),
            V::Opt(o) => self.option_method(&o.clone(), name, &args, span),
            V::Try(t) => self.try_method(&t.clone(), name, &args, span),
            V::Str(s) => self.text_method(&s.clone(), name, &args, span),
            V::Tuple(t) => match name.strip_prefix('_').and_then(|n| n.parse::<usize>().ok()) {
                Some(n) if n >= 1 && n <= t.len() => Ok(t[n - 1].clone()),
                _ => self.refuse(span, format!("`{name}` of a tuple is not covered")),
            },
            V::Fn(_) => match name {
                "apply" => self.call_value(recv, args, span),
                _ => self.refuse(span, format!("`{name}` of a function is not covered")),
            },
            V::Manager(held) => match (name, &args[..]) {
                ("apply" | "acquire", [x]) => {
                    held.borrow_mut().push(x.clone());
                    Ok(x.clone())
                }
                _ => self.refuse(span, format!("`{name}` of Using.Manager is not covered")),
            },
            V::Exc(e) => match name {
                "getMessage" => Ok(V::str(&e.message)),
                "addSuppressed" | "printStackTrace" => Ok(V::Unit),
                _ => self.refuse(span, format!("`{name}` of an exception is not covered")),
            },
            V::DType(t) => self.dtype_method(*t, name, &args, span),
            V::Enum(c, n) => self.enum_method(&c.clone(), &n.clone(), name, span),
            V::Dec(d) => self.decimal_method(&d.clone(), name, &args, span),
            V::Null => self.throw(span, "NullPointerException", format!("`{name}` of null")),
            V::This => match self.member_this(name, span)? {
                Some(v) if args.is_empty() => Ok(v),
                Some(v) => self.call_value(v, args, span),
                None => self.compile_error(span, format!("`{name}` is not a member of the class"), vec![]),
            },
            _ => self.number_method(recv, name, &args, span),
        }
    }

    fn member_this(&mut self, name: &str, span: Span) -> R<Option<V>> {
        self.name(name, span, &Env::default()).map(Some)
    }

    fn dtype_method(&self, t: crate::run::cudf::dtype::DType, name: &str, args: &[V], span: Span) -> R {
        Ok(match (name, args) {
            ("getScale", []) => V::Int(t.scale),
            ("isDecimalType", []) => V::Bool(t.is_decimal()),
            ("isTimestampType", []) => V::Bool(t.is_timestamp()),
            ("isDurationType", []) => V::Bool(t.is_duration()),
            ("isIntegral", []) => V::Bool(t.is_integer()),
            ("getTypeId", []) => V::Enum("DType.DTypeEnum".into(), t.name().into()),
            ("getSizeInBytes", []) => V::Int(t.size() as i32),
            _ => return self.refuse(span, format!("`{name}` of a DType is not covered")),
        })
    }

    fn enum_method(&self, class: &str, constant: &str, name: &str, span: Span) -> R {
        match name {
            "name" | "toString" => Ok(V::str(constant)),
            _ => self.refuse(span, format!("`{name}` of {class}.{constant} is not covered")),
        }
    }

    fn decimal_method(&self, d: &(BigInt, i32), name: &str, args: &[V], span: Span) -> R {
        Ok(match (name, args) {
            ("unscaledValue", []) => V::BigInt(Rc::new(d.0.clone())),
            ("scale", []) => V::Int(d.1),
            ("bigDecimal" | "underlying", []) => V::Dec(Rc::new(d.clone())),
            ("setScale", [V::Int(s)]) if *s >= d.1 => {
                V::Dec(Rc::new((&d.0 * BigInt::from(10).pow((*s - d.1) as u32), *s)))
            }
            _ => return self.refuse(span, format!("`{name}` of a BigDecimal is not covered")),
        })
    }

    fn text_method(&mut self, s: &Rc<str>, name: &str, args: &[V], span: Span) -> R {
        let units = || -> Vec<u16> { s.encode_utf16().collect() };
        Ok(match (name, args) {
            ("length" | "size", []) => V::Int(units().len() as i32),
            ("isEmpty", []) => V::Bool(s.is_empty()),
            ("nonEmpty", []) => V::Bool(!s.is_empty()),
            ("charAt" | "apply", [V::Int(i)]) => match units().get(*i as usize) {
                Some(u) if *i >= 0 => V::Char(*u),
                _ => return self.throw(span, "StringIndexOutOfBoundsException", i.to_string()),
            },
            ("+", [x]) => V::str(format!("{s}{}", x.show())),
            ("*", [V::Int(n)]) => V::str(s.repeat((*n).max(0) as usize)),
            ("stripMargin", []) => {
                let strip = |l: &str| l.trim_start().strip_prefix('|').map_or(l.to_string(), str::to_string);
                V::str(s.lines().map(strip).collect::<Vec<_>>().join("\n"))
            }
            ("startsWith", [V::Str(p)]) => V::Bool(s.starts_with(&**p)),
            ("endsWith", [V::Str(p)]) => V::Bool(s.ends_with(&**p)),
            ("contains", [V::Str(p)]) => V::Bool(s.contains(&**p)),
            ("concat", [V::Str(p)]) => V::str(format!("{s}{p}")),
            ("trim", []) => V::str(s.trim_matches(|c: char| c <= ' ')),
            ("replace", [V::Str(a), V::Str(b)]) if !a.is_empty() => V::str(s.replace(&**a, b)),
            ("getBytes", _) => V::seq(SeqKind::Array, s.bytes().map(|b| V::Byte(b as i8)).collect()),
            ("toInt", []) => match s.parse() {
                Ok(v) => V::Int(v),
                Err(_) => return self.throw(span, "NumberFormatException", format!("For input string: \"{s}\"")),
            },
            ("split", [V::Str(sep)])
                if sep.len() == 1 && sep.chars().all(|c| c.is_ascii_alphanumeric() || c == ',') =>
            {
                let mut parts: Vec<&str> = s.split(&**sep).collect();
                while parts.len() > 1 && parts.last() == Some(&"") {
                    parts.pop();
                }
                V::seq(SeqKind::Array, parts.into_iter().map(V::str).collect())
            }
            ("toCharArray" | "toSeq" | "toArray", []) => {
                V::seq(SeqKind::Array, units().into_iter().map(V::Char).collect())
            }
            (_, [V::Fn(_)]) => {
                let seq = Rc::new(SeqV {
                    kind: SeqKind::Seq,
                    items: RefCell::new(units().into_iter().map(V::Char).collect()),
                });
                return self.seq_method(&seq, name, args, span);
            }
            _ => return self.refuse(span, format!("`{name}` of a String is not covered")),
        })
    }

    fn number_method(&mut self, v: V, name: &str, args: &[V], span: Span) -> R {
        let value = v.as_f64();
        match (name, args) {
            ("until" | "to", [end]) => {
                let (Some(a), Some(b)) = (v.as_i64(), end.as_i64()) else {
                    return self.refuse(span, format!("`{name}` of a {} is not covered", v.type_name()));
                };
                let end = if name == "to" { b + 1 } else { b };
                return Ok(V::seq(SeqKind::Seq, (a..end).map(|i| V::Int(i as i32)).collect()));
            }
            ("max" | "min", [y]) if value.is_some() => {
                let pick_right = match self.binary(if name == "max" { "<" } else { ">" }, v.clone(), y.clone(), span)? {
                    V::Bool(b) => b,
                    _ => false,
                };
                return Ok(if pick_right { y.clone() } else { v });
            }
            ("!" | "unary_!", []) => return self.prefix('!', v, span),
            (op, [y]) if value.is_some() && y.as_f64().is_some() && !op.chars().any(char::is_alphanumeric) => {
                return self.binary(op, v, y.clone(), span);
            }
            _ => {}
        }
        let int = v.as_i64();
        Ok(match (name, args, int, value) {
            ("toInt" | "intValue", [], Some(i), _) => V::Int(i as i32),
            ("toInt" | "intValue", [], None, Some(d)) => V::Int(d as i32),
            ("toLong" | "longValue", [], Some(i), _) => V::Long(i),
            ("toLong" | "longValue", [], None, Some(d)) => V::Long(d as i64),
            ("toDouble" | "doubleValue", [], _, Some(d)) => V::Double(d),
            ("toFloat" | "floatValue", [], Some(i), _) => V::Float(i as f32),
            ("toFloat" | "floatValue", [], None, Some(d)) => V::Float(d as f32),
            ("toByte", [], Some(i), _) => V::Byte(i as i8),
            ("toShort", [], Some(i), _) => V::Short(i as i16),
            ("toChar", [], Some(i), _) => V::Char(i as u16),
            ("isNaN", [], None, Some(d)) => V::Bool(d.is_nan()),
            ("abs", [], ..) => match v {
                V::Int(x) => V::Int(x.wrapping_abs()),
                V::Long(x) => V::Long(x.wrapping_abs()),
                V::Double(x) => V::Double(x.abs()),
                V::Float(x) => V::Float(x.abs()),
                other => return self.refuse(span, format!("`abs` of a {} is not covered", other.type_name())),
            },
            ("unary_-", [], ..) => return self.prefix('-', v, span),
            ("intern" | "self", [], ..) => v,
            _ => return self.refuse(span, format!("`{name}` of a {} is not covered", v.type_name())),
        })
    }
}
