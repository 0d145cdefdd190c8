//! Methods of columns that are not about text.

use super::*;
use crate::run::cudf::ops::{binary, cast, dates, lists, reduce, select, text_numbers, unary, whole};

/// The operator and output type behind a binary method; `None` if it is none.
pub(in crate::run::cudf) fn binary_op(name: &str, args: &[V]) -> Option<(String, Option<DType>)> {
    if name == "binaryOp" {
        return match args {
            [V::Enum(_, op), _, V::DType(t)] => Some((op.to_string(), Some(*t))),
            _ => None,
        };
    }
    let op = match name {
        "add" => "ADD",
        "sub" => "SUB",
        "mul" => "MUL",
        "div" => "DIV",
        "trueDiv" => "TRUE_DIV",
        "floorDiv" => "FLOOR_DIV",
        "mod" => "MOD",
        "pmod" => "PMOD",
        "pow" => "POW",
        "equalTo" => "EQUAL",
        "notEqualTo" => "NOT_EQUAL",
        "lessThan" => "LESS",
        "greaterThan" => "GREATER",
        "lessOrEqualTo" => "LESS_EQUAL",
        "greaterOrEqualTo" => "GREATER_EQUAL",
        "equalToNullAware" => "NULL_EQUALS",
        "notEqualToNullAware" => "NULL_NOT_EQUALS",
        "and" => "LOGICAL_AND",
        "or" => "LOGICAL_OR",
        "bitAnd" => "BITWISE_AND",
        "bitOr" => "BITWISE_OR",
        "bitXor" => "BITWISE_XOR",
        "shiftLeft" => "SHIFT_LEFT",
        "shiftRight" => "SHIFT_RIGHT",
        "shiftRightUnsigned" => "SHIFT_RIGHT_UNSIGNED",
        "log" if !args.is_empty() => "LOG_BASE",
        "arctan2" => "ATAN2",
        "maxNullAware" => "NULL_MAX",
        "minNullAware" => "NULL_MIN",
        _ => return None,
    };
    let out = match args {
        [_, V::DType(t)] => Some(*t),
        [_] if binary::is_comparison_name(op) => Some(DType::BOOL),
        [_] => None,
        _ => return None,
    };
    Some((op.to_string(), out))
}

/// Target of `asInts()` and its like.
pub(in crate::run::cudf) fn as_type(name: &str) -> Option<DType> {
    DType::named(match name {
        "asBytes" => "INT8",
        "asShorts" => "INT16",
        "asInts" => "INT32",
        "asLongs" => "INT64",
        "asFloats" => "FLOAT32",
        "asDoubles" => "FLOAT64",
        "asUnsignedBytes" => "UINT8",
        "asUnsignedShorts" => "UINT16",
        "asUnsignedInts" => "UINT32",
        "asUnsignedLongs" => "UINT64",
        "asStrings" => "STRING",
        "asTimestampDays" => "TIMESTAMP_DAYS",
        "asTimestampSeconds" => "TIMESTAMP_SECONDS",
        "asTimestampMilliseconds" => "TIMESTAMP_MILLISECONDS",
        "asTimestampMicroseconds" => "TIMESTAMP_MICROSECONDS",
        "asTimestampNanoseconds" => "TIMESTAMP_NANOSECONDS",
        _ => return None,
    })
}

impl Interp<'_> {
    pub(super) fn column_method(&mut self, id: usize, c: Rc<Col>, name: &str, args: Vec<V>, span: Span) -> R {
        if let Some((op, out)) = binary_op(name, &args) {
            let right = self.operand(&args[usize::from(name == "binaryOp")], span)?;
            return self.binary_call(&op, Operand::Col(c), right, out, span, name);
        }
        if args.is_empty()
            && let Some(op) = unary::op_of(name)
        {
            let r = unary::run(op, &c);
            return self.give(r, span, name);
        }
        if let Some(t) = as_type(name) {
            let r = match &args[..] {
                [] => cast::cast(&c, t),
                [V::Str(format)] if t == DType::STRING => dates::format(&c, format),
                [V::Str(format)] => dates::parse(&c, t, format),
                _ => return self.refuse(span, format!("`{name}` in this form is not emulated")),
            };
            return self.give(r, span, name);
        }
        if let Some(r) = dates::field(name, &c) {
            return self.give(r, span, name);
        }
        if c.dtype == DType::STRING
            && let Some(r) = self.string_method(&c, name, &args, span)?
        {
            return Ok(r);
        }
        self.plain_method(id, c, name, args, span)
    }

    fn plain_method(&mut self, id: usize, c: Rc<Col>, name: &str, args: Vec<V>, span: Span) -> R {
        let r = match (name, &args[..]) {
            ("getType", []) => return Ok(V::DType(c.dtype)),
            ("getRowCount", []) => return Ok(V::Long(c.len as i64)),
            ("getNullCount", []) => return Ok(V::Long(c.null_count() as i64)),
            ("hasNulls", []) => return Ok(V::Bool(c.null_count() > 0)),
            ("hasValidityVector", []) => return Ok(V::Bool(c.nulls.is_some())),
            ("getNumChildren", []) => return Ok(V::Int(children(&c).len() as i32)),
            ("copyToColumnVector", []) => Ok((*c).clone()),
            ("castTo", [V::DType(t)]) => {
                // A cast to its own type hands out the same column once more.
                if *t == c.dtype && self.heap.class(id) == "ColumnVector" {
                    let line = self.line(span);
                    let r = self.heap.retain(id, line);
                    return self.java(span, r).map(|()| V::Ref(id));
                }
                cast::cast(&c, *t)
            }
            ("bitCastTo" | "logicalCastTo", [V::DType(t)]) => {
                let r = cast::bit_cast(&c, *t);
                let v = self.lift(r, span)?;
                return Ok(self.alloc(Res::View(Rc::new(v)), span, name));
            }
            ("unaryOp", [V::Enum(_, op)]) => unary::run(op, &c),
            ("isNull" | "isNotNull" | "isNan" | "isNotNan", []) => unary::test(name, &c),
            ("nansToNulls", []) => unary::nans_to_nulls(&c),
            ("normalizeNANsAndZeros", []) => unary::normalize(&c),
            ("log2" | "log10", []) if unary::is_double(c.dtype) => {
                let base = ScalarValue {
                    dtype: DType::FLOAT64,
                    value: Some(Elem::F64(if name == "log2" { 2.0 } else { 10.0 })),
                };
                binary::run(
                    "LOG_BASE",
                    &Operand::Col(c),
                    &Operand::Scalar(Rc::new(base)),
                    DType::FLOAT64,
                )
            }
            ("ifElse", [a, b]) => {
                let (a, b) = (self.operand(a, span)?, self.operand(b, span)?);
                select::if_else(&c, &a, &b)
            }
            ("replaceNulls", [V::Ref(_)]) => {
                let with = self.operand(&args[0], span)?;
                select::replace_nulls(&c, &with)
            }
            ("mergeAndSetValidity", [V::Enum(_, op), rest @ ..]) => {
                let cols = self.cols(rest, span)?;
                select::merge_validity(&c, op, &cols)
            }
            ("contains", [x]) => match self.operand(x, span)? {
                Operand::Col(space) => select::contains(&c, &space),
                Operand::Scalar(s) => {
                    let needle = self.lift(ops::numbers::repeat(&s, 1), span)?;
                    let hits = self.lift(select::contains(&needle, &c), span)?;
                    return Ok(V::Bool(hits.to_bools().first() == Some(&true)));
                }
            },
            ("findAndReplaceAll", [a, b]) => {
                let (a, b) = (self.col(a, span)?, self.col(b, span)?);
                select::find_and_replace(&c, &a, &b)
            }
            ("clamp", [lo, hi]) => {
                let (lo, hi) = (self.scalar(lo, span)?, self.scalar(hi, span)?);
                select::clamp(&c, &lo, &lo, &hi, &hi)
            }
            ("clamp", [lo, lo_to, hi, hi_to]) => {
                let (lo, lo_to) = (self.scalar(lo, span)?, self.scalar(lo_to, span)?);
                let (hi, hi_to) = (self.scalar(hi, span)?, self.scalar(hi_to, span)?);
                select::clamp(&c, &lo, &lo_to, &hi, &hi_to)
            }
            ("addCalendricalMonths", [m]) => {
                let m = self.operand(m, span)?;
                dates::add_months(&c, &m)
            }
            ("dateTimeFloor" | "dateTimeCeil", [V::Enum(_, unit)]) => dates::round(&c, unit, name == "dateTimeCeil"),
            ("toHex", []) => text_numbers::to_hex(&c),
            ("subVector", [V::Int(a), rest @ ..]) => {
                let end = match rest.first() {
                    Some(V::Int(e)) => *e,
                    _ => c.len as i32,
                };
                if *a < 0 || end < *a || end as usize > c.len {
                    return self.throw(span, "CudfException", "subVector indices out of bounds");
                }
                Ok(c.slice(*a as usize, (end - a) as usize))
            }
            ("getScalarElement", [V::Int(i)]) => {
                if *i < 0 || *i as usize >= c.len {
                    return self.throw(span, "CudfException", "index out of bounds");
                }
                let s = ScalarValue {
                    dtype: c.dtype,
                    value: c.elem(*i as usize),
                };
                return Ok(self.give_scalar(s, span, name));
            }
            ("getChildColumnView", [V::Int(i)]) => {
                return match children(&c).get(*i as usize) {
                    Some(child) => Ok(self.alloc(Res::View(Rc::new(child.clone())), span, name)),
                    None => self.throw(span, "IllegalArgumentException", "Invalid child index"),
                };
            }
            ("replaceListChild", [child]) => {
                let child = self.col(child, span)?;
                let r = lists::replace_child(&c, &child);
                let v = self.lift(r, span)?;
                return Ok(self.alloc(Res::View(Rc::new(v)), span, name));
            }
            ("sum" | "min" | "max" | "product" | "mean", rest) => {
                let out = match rest.first() {
                    Some(V::DType(t)) => Some(*t),
                    _ => None,
                };
                let s = self.lift(reduce::column(name, &c, out), span)?;
                return Ok(self.give_scalar(s, span, name));
            }
            ("reduce", [V::Agg(_, agg), rest @ ..]) => {
                let out = match rest.first() {
                    Some(V::DType(t)) => Some(*t),
                    _ => None,
                };
                let s = self.lift(reduce::column(agg, &c, out), span)?;
                return Ok(self.give_scalar(s, span, name));
            }
            _ => return self.list_method(c, name, args, span),
        };
        self.give(r, span, name)
    }

    fn list_method(&mut self, c: Rc<Col>, name: &str, args: Vec<V>, span: Span) -> R {
        let r = match (name, &args[..]) {
            ("countElements", []) => lists::count(&c),
            ("extractListElement", [V::Int(i)]) => lists::extract(&c, &|_| Some(i64::from(*i))),
            ("extractListElement", [x]) => {
                let index = self.col(x, span)?;
                whole(&index).and_then(|v| lists::extract(&c, &|row| index.is_valid(row).then(|| v[row])))
            }
            ("listContains", [k]) => {
                let k = self.operand(k, span)?;
                lists::contains(&c, &k)
            }
            ("listContainsColumn", [k]) => {
                let k = self.operand(k, span)?;
                lists::contains(&c, &k)
            }
            ("listContainsNulls", []) => lists::contains_nulls(&c),
            ("listIndexOf", [k, V::Enum(_, which)]) => {
                let k = self.operand(k, span)?;
                lists::index_of(&c, &k, &**which == "FIND_LAST")
            }
            ("listReduce", [V::Agg(_, agg), rest @ ..]) => {
                let out = rest
                    .iter()
                    .find_map(|a| if let V::DType(t) = a { Some(*t) } else { None });
                let include = rest.iter().any(|a| matches!(a, V::Enum(_, p) if &**p == "INCLUDE"));
                reduce::lists(&c, agg, include, out)
            }
            ("listSortRows", [V::Bool(desc), V::Bool(small)]) => lists::sort(&c, *desc, *small),
            ("dropListDuplicates", rest) => match rest.first() {
                Some(V::Enum(_, keep)) => lists::distinct(&c, keep),
                _ => lists::distinct(&c, "KEEP_ANY"),
            },
            ("segmentedGather", [map, rest @ ..]) => {
                let map = self.col(map, span)?;
                let nullify = !matches!(rest.first(), Some(V::Enum(_, p)) if &**p == "DONT_CHECK");
                lists::gather(&c, &map, nullify)
            }
            ("flattenLists", _) => lists::flatten(&c, matches!(args.first(), Some(V::Bool(true)))),
            ("reverseStringsOrLists", []) => lists::reverse(&c),
            ("getMapValue", [k]) => {
                let k = self.operand(k, span)?;
                lists::map_value(&c, &k)
            }
            ("getMapKeyExistence", [k]) => {
                let k = self.operand(k, span)?;
                lists::map_has_key(&c, &k)
            }
            ("stringConcatenateListElements", [sep, narep, V::Bool(separate), V::Bool(empty)]) => {
                let (sep, narep) = (self.scalar(sep, span)?, self.scalar(narep, span)?);
                lists::join_strings(&c, &sep, &narep, *separate, *empty)
            }
            _ => return self.refuse(span, format!("`{name}` is not emulated for {}", c.dtype)),
        };
        self.give(r, span, name)
    }
}

fn children(c: &Col) -> Vec<Col> {
    use crate::run::cudf::column::Data;
    match &c.data {
        Data::List(_, child) => vec![(**child).clone()],
        Data::Struct(fields) => fields.iter().map(|f| (**f).clone()).collect(),
        _ => Vec::new(),
    }
}
