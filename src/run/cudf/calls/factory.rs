//! Static methods that make scalars and columns.

use std::sync::Arc;

use num_traits::ToPrimitive;

use super::*;
use crate::run::cudf::column::{Data, mask};

/// Type of a `Scalar.from…` factory.
fn scalar_type(name: &str) -> Option<DType> {
    DType::named(match name {
        "fromBool" => "BOOL8",
        "fromByte" => "INT8",
        "fromShort" => "INT16",
        "fromInt" => "INT32",
        "fromLong" => "INT64",
        "fromFloat" => "FLOAT32",
        "fromDouble" => "FLOAT64",
        "fromString" => "STRING",
        "fromUnsignedByte" => "UINT8",
        "fromUnsignedShort" => "UINT16",
        "fromUnsignedInt" => "UINT32",
        "fromUnsignedLong" => "UINT64",
        "timestampDaysFromInt" => "TIMESTAMP_DAYS",
        "durationDaysFromInt" => "DURATION_DAYS",
        _ => return None,
    })
}

/// Element type of a `ColumnVector.from…` factory over primitives, boxes or strings.
fn column_type(name: &str) -> Option<DType> {
    let plain = name.replace("Boxed", "");
    DType::named(match plain.as_str() {
        "fromBooleans" | "boolFromBytes" => "BOOL8",
        "fromBytes" => "INT8",
        "fromShorts" => "INT16",
        "fromInts" => "INT32",
        "fromLongs" => "INT64",
        "fromFloats" => "FLOAT32",
        "fromDoubles" => "FLOAT64",
        "fromStrings" => "STRING",
        "fromUnsignedBytes" => "UINT8",
        "fromUnsignedShorts" => "UINT16",
        "fromUnsignedInts" => "UINT32",
        "fromUnsignedLongs" => "UINT64",
        "daysFromInts" | "timestampDaysFromInts" => "TIMESTAMP_DAYS",
        "timestampSecondsFromLongs" => "TIMESTAMP_SECONDS",
        "timestampMilliSecondsFromLongs" => "TIMESTAMP_MILLISECONDS",
        "timestampMicroSecondsFromLongs" => "TIMESTAMP_MICROSECONDS",
        "timestampNanoSecondsFromLongs" => "TIMESTAMP_NANOSECONDS",
        "durationDaysFromInts" => "DURATION_DAYS",
        "durationSecondsFromLongs" => "DURATION_SECONDS",
        "durationMilliSecondsFromLongs" => "DURATION_MILLISECONDS",
        "durationMicroSecondsFromLongs" => "DURATION_MICROSECONDS",
        "durationNanoSecondsFromLongs" => "DURATION_NANOSECONDS",
        _ => return None,
    })
}

/// A Java value as an element of a type.
fn element(v: &V, t: DType) -> Option<Elem> {
    Some(match (t.id, v) {
        (TypeId::String, V::Str(s)) => Elem::Str(s.as_bytes().into()),
        (TypeId::Float64, _) => Elem::F64(v.as_f64()?),
        (TypeId::Float32, V::Float(x)) => Elem::F32(*x),
        (TypeId::Float32, _) => Elem::F32(v.as_i64()? as f32),
        (TypeId::Bool8, V::Bool(b)) => Elem::Int(i64::from(*b)),
        (TypeId::Bool8, _) => Elem::Int(i64::from(v.as_i64()? != 0)),
        (TypeId::Int8, _) => Elem::Int(i64::from(v.as_i64()? as i8)),
        (TypeId::Int16, _) => Elem::Int(i64::from(v.as_i64()? as i16)),
        (TypeId::Uint8, _) => Elem::Int(i64::from(v.as_i64()? as u8)),
        (TypeId::Uint16, _) => Elem::Int(i64::from(v.as_i64()? as u16)),
        (TypeId::Uint32, _) => Elem::Int(i64::from(v.as_i64()? as u32)),
        _ => Elem::Int(v.as_i64()?),
    })
}

/// A column from elements.
fn from_elements(t: DType, items: &[Option<Elem>]) -> Col {
    let valid: Vec<bool> = items.iter().map(Option::is_some).collect();
    match t.id {
        TypeId::String => Col::strings(items.iter().map(|e| match e {
            Some(Elem::Str(s)) => Some(&s[..]),
            _ => None,
        })),
        TypeId::Float64 => {
            let v: Vec<f64> = items
                .iter()
                .map(|e| if let Some(Elem::F64(x)) = e { *x } else { 0.0 })
                .collect();
            Col::new(t, Data::F64(v.into()), mask(&valid))
        }
        TypeId::Float32 => {
            let v: Vec<f32> = items
                .iter()
                .map(|e| if let Some(Elem::F32(x)) = e { *x } else { 0.0 })
                .collect();
            Col::new(t, Data::F32(v.into()), mask(&valid))
        }
        _ => {
            let v = items.iter().map(|e| match e {
                Some(Elem::Int(x)) => i128::from(*x),
                Some(Elem::Big(x)) => *x,
                _ => 0,
            });
            Col::from_i128(t, v, mask(&valid))
        }
    }
}

impl Interp<'_> {
    pub(super) fn scalar_factory(&mut self, name: &str, args: Vec<V>, span: Span) -> R {
        if let Some(t) = scalar_type(name) {
            let value = element(&args[0], t);
            if value.is_none() && !matches!(args[0], V::Null) {
                return self.refuse(
                    span,
                    format!("Scalar.{name} of a {} is not covered", args[0].type_name()),
                );
            }
            return Ok(self.give_scalar(ScalarValue { dtype: t, value }, span, name));
        }
        let made = match (name, &args[..]) {
            ("fromNull", [V::DType(t)]) => ScalarValue { dtype: *t, value: None },
            ("timestampFromLong" | "durationFromLong", [V::DType(t), v]) => ScalarValue {
                dtype: *t,
                value: v.as_i64().map(Elem::Int),
            },
            ("fromUTF8String", [V::Seq(s)]) => {
                let bytes: Vec<u8> = s.items.borrow().iter().filter_map(V::as_i64).map(|b| b as u8).collect();
                ScalarValue {
                    dtype: DType::STRING,
                    value: Some(Elem::Str(bytes.into())),
                }
            }
            ("fromDecimal", [V::Int(scale), V::Int(v)]) => decimal(TypeId::Decimal32, *scale, i128::from(*v)),
            ("fromDecimal", [V::Int(scale), V::Long(v)]) => decimal(TypeId::Decimal64, *scale, i128::from(*v)),
            ("fromDecimal", [V::Int(scale), V::BigInt(v)]) => match v.to_i128() {
                Some(v) => decimal(TypeId::Decimal128, *scale, v),
                None => return self.throw(span, "IllegalArgumentException", "the value does not fit DECIMAL128"),
            },
            ("fromDecimal", [V::BigInt(v), V::DType(t)]) => match v.to_i128() {
                Some(v) => decimal(t.id, t.scale, v),
                None => return self.throw(span, "IllegalArgumentException", "the value does not fit DECIMAL128"),
            },
            ("fromDecimal", [V::Dec(d)]) => {
                let Some(v) = d.0.to_i128() else {
                    return self.throw(span, "IllegalArgumentException", "the value does not fit DECIMAL128");
                };
                let digits = v.unsigned_abs().to_string().len();
                let id = match digits {
                    ..=9 => TypeId::Decimal32,
                    10..=18 => TypeId::Decimal64,
                    _ => TypeId::Decimal128,
                };
                decimal(id, -d.1, v)
            }
            ("listFromColumnView", [v]) => {
                let c = self.col(v, span)?;
                let offsets = vec![0, c.len as i32];
                let list = Col::new(
                    DType::of(TypeId::List),
                    Data::List(offsets.into(), Arc::new((*c).clone())),
                    None,
                );
                ScalarValue {
                    dtype: list.dtype,
                    value: Some(Elem::Nested(Arc::new(list))),
                }
            }
            _ => return self.refuse(span, format!("`Scalar.{name}` is not emulated in this form")),
        };
        Ok(self.give_scalar(made, span, name))
    }

    pub(super) fn column_factory(&mut self, name: &str, args: Vec<V>, span: Span) -> R {
        if let Some(t) = column_type(name) {
            let mut items = Vec::new();
            for a in &args {
                let inner = match a {
                    V::Seq(s) => s.items.borrow().clone(),
                    v => vec![v.clone()],
                };
                for v in inner {
                    let e = element(&v, t);
                    if e.is_none() && !matches!(v, V::Null) {
                        return self.refuse(span, format!("`{name}` of a {} is not covered", v.type_name()));
                    }
                    items.push(e);
                }
            }
            return self.give(Ok(from_elements(t, &items)), span, name);
        }
        match (name, &args[..]) {
            ("fromScalar", [s, V::Int(rows)]) => {
                let s = self.scalar(s, span)?;
                let c = ops::numbers::repeat(&s, (*rows).max(0) as usize);
                self.give(c, span, name)
            }
            ("sequence", [a, V::Int(rows)]) => {
                let a = self.scalar(a, span)?;
                let c = ops::numbers::sequence(&a, None, (*rows).max(0) as usize);
                self.give(c, span, name)
            }
            ("sequence", [a, step, V::Int(rows)]) => {
                let (a, step) = (self.scalar(a, span)?, self.scalar(step, span)?);
                let c = ops::numbers::sequence(&a, Some(&step), (*rows).max(0) as usize);
                self.give(c, span, name)
            }
            ("sequence", [start, size, rest @ ..]) => {
                let (start, size) = (self.col(start, span)?, self.col(size, span)?);
                let step = match rest.first() {
                    Some(s) => Some(self.col(s, span)?),
                    None => None,
                };
                let c = ops::numbers::sequences(&start, &size, step.as_deref());
                self.give(c, span, name)
            }
            ("concatenate", _) => {
                let cols = self.cols(&args, span)?;
                if cols.len() < 2 {
                    return self.throw(
                        span,
                        "IllegalArgumentException",
                        "Concatenate requires 2 or more columns",
                    );
                }
                let refs: Vec<&Col> = cols.iter().map(|c| &**c).collect();
                match Col::concat(&refs) {
                    Some(c) => self.give(Ok(c), span, name),
                    None => self.throw(span, "CudfException", "Type mismatch in columns to concatenate."),
                }
            }
            ("makeStruct" | "makeStructView", _) => {
                let cols = self.cols(
                    args.iter()
                        .filter(|a| !matches!(a, V::Int(_) | V::Long(_)))
                        .cloned()
                        .collect::<Vec<_>>()
                        .as_slice(),
                    span,
                )?;
                if cols.windows(2).any(|w| w[0].len != w[1].len) {
                    return self.throw(
                        span,
                        "IllegalArgumentException",
                        "All columns must have the same number of rows",
                    );
                }
                let fields = cols.iter().map(|c| Arc::new((**c).clone())).collect();
                let c = Col::new(DType::of(TypeId::Struct), Data::Struct(fields), None);
                if name == "makeStructView" {
                    return Ok(self.alloc(Res::View(Rc::new(c)), span, name));
                }
                self.give(Ok(c), span, name)
            }
            ("makeList", [V::Ref(_) | V::Seq(_), ..]) => {
                let cols = self.cols(&args, span)?;
                let c = ops::lists::make_list(&cols);
                self.give(c, span, name)
            }
            ("md5Hash", [_]) | ("sha1Hash", [_]) => {
                let cols = self.cols(&args, span)?;
                let c = ops::strings::hash(name, &cols);
                self.give(c, span, name)
            }
            ("stringConcatenate", _) => self.string_concatenate(args, span),
            ("listConcatenateByRow", [V::Bool(ignore), rest @ ..]) => {
                let cols = self.cols(rest, span)?;
                let c = ops::lists::concatenate_by_row(&cols, *ignore);
                self.give(c, span, name)
            }
            ("listConcatenateByRow", _) => {
                let cols = self.cols(&args, span)?;
                let c = ops::lists::concatenate_by_row(&cols, false);
                self.give(c, span, name)
            }
            (
                "decimalFromInts" | "decimalFromLongs" | "decimalFromBoxedInts" | "decimalFromBoxedLongs",
                [V::Int(scale), rest @ ..],
            ) => {
                let id = if name.ends_with("Ints") {
                    TypeId::Decimal32
                } else {
                    TypeId::Decimal64
                };
                let t = DType { id, scale: *scale };
                let mut items = Vec::new();
                for a in rest {
                    match a {
                        V::Seq(s) => items.extend(s.items.borrow().iter().map(|v| element(v, t))),
                        v => items.push(element(v, t)),
                    }
                }
                self.give(Ok(from_elements(t, &items)), span, name)
            }
            _ => self.refuse(span, format!("`ColumnVector.{name}` is not emulated in this form")),
        }
    }
}

fn decimal(id: TypeId, scale: i32, v: i128) -> ScalarValue {
    ScalarValue {
        dtype: DType { id, scale },
        value: Some(Elem::Big(v)),
    }
}
