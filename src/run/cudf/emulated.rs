//! Which calls of the library are emulated, asked of the dispatch itself: every signature of the table is called once with
//! small values over columns of several types, and counts unless the answer is that it is not emulated. Runs no candidate.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use arrow::array::*;
use arrow::buffer::OffsetBuffer;
use arrow::datatypes::{DataType, Field};

use super::api::{self, Signature};
use super::column::{Col, ScalarValue};
use super::dtype::DType;
use super::heap::Res;
use super::interp::Interp;
use super::value::{RegexSpec, SeqKind, Stop, V};
use super::{convert, parse};
use crate::run::Cancel;
use crate::source::{Language, SourceFile, Span};

/// A class to stand for the candidate whose calls are tried.
const CANDIDATE: &str = "class Probe extends RapidsUDF {\n  \
     override def evaluateColumnar(numRows: Int, args: ColumnVector*): ColumnVector = args.head\n}\n";
/// Classes whose calls candidates use.
const CLASSES: [&str; 8] = [
    "BinaryOperable",
    "ColumnView",
    "ColumnVector",
    "Scalar",
    "Table",
    "DType",
    "RegexProgram",
    "DecimalUtils",
];
/// What a call says that the dispatch has no arm for.
const ABSENT: &str = "is not emulated";

/// `Class.method` of every call that is emulated, in order; a call that a parent declares is named after the parent.
pub fn emulated() -> &'static [String] {
    static CALLS: OnceLock<Vec<String>> = OnceLock::new();
    CALLS.get_or_init(|| {
        let file = SourceFile::from_text("Probe.scala", Language::Scala, CANDIDATE);
        let Ok(unit) = parse::parse(&file) else {
            return Vec::new();
        };
        let Some(main) = unit.templates.first().cloned() else {
            return Vec::new();
        };
        let columns = sample_columns();
        let mut found = BTreeSet::new();
        for (class, signature) in CLASSES.iter().flat_map(|c| api::declared(c).map(move |s| (*c, s))) {
            let name = format!("{class}.{}", signature.name);
            if found.contains(&name) {
                continue;
            }
            let answers = columns.iter().any(|column| {
                let cancel = Cancel::default();
                let mut interp = Interp::new(&file, &unit, main.clone(), &cancel);
                Probe {
                    interp: &mut interp,
                    column,
                }
                .answers(class, signature)
            });
            if answers {
                found.insert(name);
            }
        }
        found.into_iter().collect()
    })
}

/// One row of each kind of column.
fn sample_columns() -> Vec<Rc<Col>> {
    let lists = |values: ArrayRef| -> ArrayRef {
        let field = Arc::new(Field::new("item", values.data_type().clone(), true));
        Arc::new(ListArray::new(
            field,
            OffsetBuffer::from_lengths([values.len()]),
            values,
            None,
        ))
    };
    let pair: ArrayRef = Arc::new(StructArray::from(vec![
        (
            Arc::new(Field::new("key", DataType::Utf8, false)),
            Arc::new(StringArray::from(vec!["k"])) as ArrayRef,
        ),
        (
            Arc::new(Field::new("value", DataType::Utf8, true)),
            Arc::new(StringArray::from(vec!["v"])) as ArrayRef,
        ),
    ]));
    let decimal = Decimal128Array::from(vec![150]).with_precision_and_scale(10, 2);
    let mut all: Vec<ArrayRef> = vec![
        Arc::new(Int32Array::from(vec![1])),
        Arc::new(StringArray::from(vec!["1"])),
        Arc::new(Float64Array::from(vec![1.0])),
        Arc::new(BooleanArray::from(vec![true])),
        Arc::new(Date32Array::from(vec![1])),
        Arc::new(TimestampMicrosecondArray::from(vec![1]).with_timezone("UTC")),
        lists(Arc::new(Int32Array::from(vec![1]))),
        lists(Arc::new(StringArray::from(vec!["a"]))),
        Arc::new(Int64Array::from(vec![1])),
        Arc::new(Int8Array::from(vec![1])),
        lists(pair.clone()),
        pair,
    ];
    all.extend(decimal.map(|d| Arc::new(d) as ArrayRef));
    all.iter()
        .filter_map(|a| convert::from_arrow(a).ok())
        .map(Rc::new)
        .collect()
}

/// Tries one call over one kind of column.
struct Probe<'p, 'i> {
    interp: &'p mut Interp<'i>,
    column: &'p Rc<Col>,
}

impl Probe<'_, '_> {
    /// Whether the dispatch does anything but say that the call is absent, in one of the ways to fill its parameters.
    fn answers(&mut self, class: &'static str, s: &Signature) -> bool {
        (0..2).any(|way| {
            let span = Span::default();
            let args: Option<Vec<V>> = s.params.iter().map(|p| self.value(p, way)).collect();
            let Some(args) = args else { return false };
            let result = match s.kind {
                "static" => self.interp.library_static(class, s.name, args, span),
                "new" => self.interp.library_new(class, args, span),
                _ => match self.receiver(class) {
                    Some(id) => self.interp.library_method(id, s.name, args, span),
                    None => return false,
                },
            };
            match result {
                Err(Stop::Refuse(e)) => e.kind != crate::error::ErrorKind::Compile && !e.to_string().contains(ABSENT),
                _ => true,
            }
        })
    }

    fn handle(&mut self, res: Res) -> V {
        self.interp.alloc(res, Span::default(), "probe")
    }

    fn receiver(&mut self, class: &str) -> Option<usize> {
        let v = match class {
            "Scalar" => self.scalar(),
            "Table" => {
                let V::Ref(id) = self.handle(Res::Column(self.column.clone())) else {
                    return None;
                };
                self.handle(Res::Table(Rc::new(vec![id])))
            }
            "ColumnVector" | "ColumnView" | "BinaryOperable" => self.handle(Res::Column(self.column.clone())),
            _ => return None,
        };
        match v {
            V::Ref(id) => Some(id),
            _ => None,
        }
    }

    fn scalar(&mut self) -> V {
        let value = ScalarValue {
            dtype: self.column.dtype,
            value: self.column.elem(0),
        };
        self.handle(Res::Scalar(Rc::new(value)))
    }

    /// A value for a parameter, in one of two ways: scalars beside columns, texts beside numbers.
    fn value(&mut self, ty: &str, way: u8) -> Option<V> {
        let first = way == 0;
        Some(match ty.trim() {
            "int" => V::Int(i32::from(way)),
            "long" => V::Long(i64::from(way)),
            "byte" => V::Byte(1),
            "short" => V::Short(1),
            "float" => V::Float(1.0),
            "double" => V::Double(1.0),
            "boolean" => V::Bool(first),
            "String" => V::str(if first { "a" } else { "%Y" }),
            "Integer" => V::Int(1),
            "Long" => V::Long(1),
            "Double" => V::Double(1.0),
            "Float" => V::Float(1.0),
            "Boolean" => V::Bool(true),
            "Byte" => V::Byte(1),
            "Short" => V::Short(1),
            "DType" => V::DType(if first {
                self.column.dtype
            } else {
                DType::named("INT64")?
            }),
            "Scalar" => self.scalar(),
            "BinaryOperable" if !first => self.scalar(),
            "ColumnVector" | "ColumnView" | "BinaryOperable" => self.handle(Res::Column(self.column.clone())),
            "RegexProgram" => V::Regex(Rc::new(RegexSpec {
                pattern: "(a)".into(),
                flags: Vec::new(),
                capture: true,
            })),
            "java.math.BigDecimal" => V::Dec(Rc::new((1.into(), 0))),
            "java.math.BigInteger" => V::BigInt(Rc::new(1.into())),
            other => return self.compound(other, way),
        })
    }

    fn compound(&mut self, ty: &str, way: u8) -> Option<V> {
        if let Some(element) = ty.strip_suffix("...") {
            return self.value(element, way);
        }
        if let Some(element) = ty.strip_suffix("[]") {
            let item = self.value(element, way)?;
            return Some(V::seq(SeqKind::Array, vec![item]));
        }
        if ty.starts_with("EnumSet") {
            return Some(V::seq(SeqKind::Set, Vec::new()));
        }
        let class = api::class_name(ty)?;
        if ty.ends_with("ReductionAggregation") {
            return Some(V::Agg(class.into(), "sum".into()));
        }
        let constants = api::constants(class);
        let constant = match class {
            "BinaryOp" => "ADD",
            "UnaryOp" => "ABS",
            _ => *constants.get(usize::from(way).min(constants.len().checked_sub(1)?))?,
        };
        Some(V::Enum(class.into(), constant.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dispatch_answers_for_itself() {
        let calls = emulated();
        let has = |name: &str| calls.iter().any(|c| c == name);
        for call in [
            "BinaryOperable.add",
            "ColumnView.strip",
            "ColumnView.replaceRegex",
            "ColumnView.listContains",
            "ColumnView.castTo",
            "ColumnVector.fromInts",
            "ColumnVector.stringConcatenate",
            "Scalar.fromString",
            "Table.getColumn",
            "DType.create",
            "RegexProgram.RegexProgram",
        ] {
            assert!(has(call), "{call} is emulated");
        }
        for call in ["ColumnView.getJSONObject", "ColumnView.like", "Table.groupBy"] {
            assert!(!has(call), "{call} is not");
        }
        assert!(calls.len() > 200, "{}", calls.len());
    }
}
