//! Operators on Scala values: arithmetic with the JVM's promotions, comparison, text, sequences.

use super::*;

impl Interp<'_> {
    pub(super) fn infix(&mut self, a: &Expr, op: &str, b: &Expr, span: Span, env: &Env) -> R {
        match op {
            "&&" => return Ok(V::Bool(self.condition(a, env)? && self.condition(b, env)?)),
            "||" => return Ok(V::Bool(self.condition(a, env)? || self.condition(b, env)?)),
            _ => {}
        }
        if let Some(base) = op
            .strip_suffix('=')
            .filter(|o| !matches!(*o, "" | "=" | "!" | "<" | ">"))
        {
            return self.compound(a, base, b, span, env);
        }
        let x = self.eval(a, env)?;
        let y = self.eval(b, env)?;
        self.binary(op, x, y, span)
    }

    /// `a += b`: the method of a buffer, else an assignment.
    fn compound(&mut self, a: &Expr, op: &str, b: &Expr, span: Span, env: &Env) -> R {
        let x = self.eval(a, env)?;
        let y = self.eval(b, env)?;
        if let V::Seq(s) = &x
            && s.kind == SeqKind::Buffer
        {
            return match op {
                "+" => {
                    s.items.borrow_mut().push(y);
                    Ok(x)
                }
                "++" => {
                    let more = self.elements(&y, span)?;
                    s.items.borrow_mut().extend(more);
                    Ok(x)
                }
                _ => self.refuse(span, format!("`{op}=` on a buffer is not covered")),
            };
        }
        let v = self.binary(op, x, y, span)?;
        self.store(a, v, env)
    }

    /// An operator applied to two values.
    pub(super) fn binary(&mut self, op: &str, x: V, y: V, span: Span) -> R {
        match (op, &x, &y) {
            ("==", ..) => return Ok(V::Bool(self.equal(&x, &y))),
            ("!=", ..) => return Ok(V::Bool(!self.equal(&x, &y))),
            ("eq", ..) => return Ok(V::Bool(self.equal(&x, &y))),
            ("ne", ..) => return Ok(V::Bool(!self.equal(&x, &y))),
            ("->", ..) => return Ok(V::Tuple(Rc::new(vec![x, y]))),
            ("+", V::Str(a), _) => return Ok(V::str(format!("{a}{}", y.show()))),
            ("+", _, V::Str(b)) => return Ok(V::str(format!("{}{b}", x.show()))),
            ("::" | "+:", _, V::Seq(s)) => {
                let mut items = vec![x];
                items.extend(s.items.borrow().iter().cloned());
                return Ok(V::seq(s.kind, items));
            }
            (":+", V::Seq(s), _) => {
                let mut items = s.items.borrow().clone();
                items.push(y);
                return Ok(V::seq(s.kind, items));
            }
            ("++" | ":::", V::Seq(s), _) => {
                let mut items = s.items.borrow().clone();
                items.extend(self.elements(&y, span)?);
                return Ok(V::seq(s.kind, items));
            }
            ("&" | "|" | "^", V::Bool(a), V::Bool(b)) => {
                return Ok(V::Bool(match op {
                    "&" => a & b,
                    "|" => a | b,
                    _ => a ^ b,
                }));
            }
            ("<" | ">" | "<=" | ">=", V::Str(a), V::Str(b)) => {
                let order = a.encode_utf16().cmp(b.encode_utf16());
                return Ok(V::Bool(ordered(op, order)));
            }
            _ => {}
        }
        let is_op = !op.is_empty() && !op.chars().any(char::is_alphanumeric);
        if is_op && x.as_f64().is_some() && y.as_f64().is_some() {
            return self.arithmetic(op, &x, &y, span);
        }
        self.method(x, op, vec![y], span)
    }

    fn arithmetic(&self, op: &str, x: &V, y: &V, span: Span) -> R {
        let double = matches!(x, V::Double(_)) || matches!(y, V::Double(_));
        let float = matches!(x, V::Float(_)) || matches!(y, V::Float(_));
        let (a, b) = (x.as_f64().unwrap_or(0.0), y.as_f64().unwrap_or(0.0));
        if double || float {
            let order = a.partial_cmp(&b);
            if let "<" | ">" | "<=" | ">=" = op {
                return Ok(V::Bool(order.is_some_and(|o| ordered(op, o))));
            }
            if double {
                return match float_op(op, a, b) {
                    Some(v) => Ok(V::Double(v)),
                    None => self.refuse(span, format!("`{op}` on Double is not covered")),
                };
            }
            let (a, b) = (single(x), single(y));
            return Ok(V::Float(match op {
                "+" => a + b,
                "-" => a - b,
                "*" => a * b,
                "/" => a / b,
                "%" => a % b,
                _ => return self.refuse(span, format!("`{op}` on Float is not covered")),
            }));
        }
        let (a, b) = (x.as_i64().unwrap_or(0), y.as_i64().unwrap_or(0));
        if let "<" | ">" | "<=" | ">=" = op {
            return Ok(V::Bool(ordered(op, a.cmp(&b))));
        }
        if matches!(op, "/" | "%") && b == 0 {
            return self.throw(span, "ArithmeticException", "/ by zero");
        }
        let shift = matches!(op, "<<" | ">>" | ">>>");
        let long = matches!(x, V::Long(_)) || (!shift && matches!(y, V::Long(_)));
        let value = if long {
            long_op(op, a, b)
        } else {
            int_op(op, a as i32, b as i32).map(i64::from)
        };
        match value {
            Some(v) if long => Ok(V::Long(v)),
            Some(v) => Ok(V::Int(v as i32)),
            None => self.refuse(span, format!("the operator `{op}` is not covered")),
        }
    }

    pub(super) fn prefix(&mut self, op: char, v: V, span: Span) -> R {
        Ok(match (op, &v) {
            ('!', V::Bool(b)) => V::Bool(!b),
            ('-', V::Int(x)) => V::Int(x.wrapping_neg()),
            ('-', V::Long(x)) => V::Long(x.wrapping_neg()),
            ('-', V::Float(x)) => V::Float(-x),
            ('-', V::Double(x)) => V::Double(-x),
            ('~', V::Int(x)) => V::Int(!x),
            ('~', V::Long(x)) => V::Long(!x),
            ('+', V::Int(_) | V::Long(_) | V::Float(_) | V::Double(_)) => v,
            _ => return self.compile_error(span, format!("no `{op}` on {}", v.type_name()), Vec::new()),
        })
    }

    /// `==` of Scala: by value on what is no handle.
    pub(super) fn equal(&self, x: &V, y: &V) -> bool {
        match (x, y) {
            (V::Null, V::Null) | (V::Unit, V::Unit) | (V::Opt(None), V::Opt(None)) => true,
            (V::Bool(a), V::Bool(b)) => a == b,
            (V::Str(a), V::Str(b)) => a == b,
            (V::Ref(a), V::Ref(b)) => a == b,
            (V::DType(a), V::DType(b)) => a == b,
            (V::Enum(c, a), V::Enum(d, b)) => c == d && a == b,
            (V::Dec(a), V::Dec(b)) => a == b,
            (V::BigInt(a), V::BigInt(b)) => a == b,
            (V::Opt(Some(a)), V::Opt(Some(b))) => self.equal(a, b),
            (V::Tuple(a), V::Tuple(b)) => a.len() == b.len() && a.iter().zip(b.iter()).all(|(x, y)| self.equal(x, y)),
            (V::Seq(a), V::Seq(b)) if a.kind != SeqKind::Array && b.kind != SeqKind::Array => {
                let (a, b) = (a.items.borrow(), b.items.borrow());
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(x, y)| self.equal(x, y))
            }
            (V::Seq(a), V::Seq(b)) => Rc::ptr_eq(a, b),
            _ => match (x.as_i64(), y.as_i64()) {
                (Some(a), Some(b)) => a == b,
                _ => matches!((x.as_f64(), y.as_f64()), (Some(a), Some(b)) if a == b),
            },
        }
    }
}

fn single(v: &V) -> f32 {
    match v {
        V::Float(f) => *f,
        other => other.as_i64().unwrap_or(0) as f32,
    }
}

fn ordered(op: &str, o: std::cmp::Ordering) -> bool {
    match op {
        "<" => o.is_lt(),
        ">" => o.is_gt(),
        "<=" => o.is_le(),
        _ => o.is_ge(),
    }
}

fn float_op(op: &str, a: f64, b: f64) -> Option<f64> {
    Some(match op {
        "+" => a + b,
        "-" => a - b,
        "*" => a * b,
        "/" => a / b,
        "%" => a % b,
        _ => return None,
    })
}

fn int_op(op: &str, a: i32, b: i32) -> Option<i32> {
    Some(match op {
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "/" => a.wrapping_div(b),
        "%" => a.wrapping_rem(b),
        "&" => a & b,
        "|" => a | b,
        "^" => a ^ b,
        "<<" => a.wrapping_shl(b as u32),
        ">>" => a.wrapping_shr(b as u32),
        ">>>" => (a as u32).wrapping_shr(b as u32) as i32,
        _ => return None,
    })
}

fn long_op(op: &str, a: i64, b: i64) -> Option<i64> {
    Some(match op {
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "/" => a.wrapping_div(b),
        "%" => a.wrapping_rem(b),
        "&" => a & b,
        "|" => a | b,
        "^" => a ^ b,
        "<<" => a.wrapping_shl(b as u32),
        ">>" => a.wrapping_shr(b as u32),
        ">>>" => (a as u64).wrapping_shr(b as u32) as i64,
        _ => return None,
    })
}
