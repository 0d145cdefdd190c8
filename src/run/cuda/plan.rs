//! Which parameter of a kernel gets which buffer. In: the entry as declared, the columns' types and the result's; out: a
//! [`Plan`], or the parameter that does not fit, with its place. Parameters are matched by position, as the call is.

use arrow::datatypes::{DataType, Schema, TimeUnit};

use super::params::{CType, Kernel, Param, at};
use crate::error::{Error, Result};

/// How the arguments of a call are made, in order.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Plan {
    /// Element types of the buffers of the arguments, in the order of [`super::pack::pack`].
    pub inputs: Vec<CType>,
    /// What the kernel gives back.
    pub result: ResultPlan,
}

/// What a kernel gives back.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ResultPlan {
    /// One element per row: `out`, `out_valid`.
    Fixed(DataType, CType),
    /// Bytes, after a launch that gives their sizes: `out_sizes`, `out_offsets`, `out_bytes`, `out_valid`.
    Bytes(DataType),
}

impl ResultPlan {
    /// The column's type.
    pub fn data_type(&self) -> &DataType {
        match self {
            ResultPlan::Fixed(ty, _) | ResultPlan::Bytes(ty) => ty,
        }
    }
}

/// One buffer that has to be declared.
struct Want {
    what: String,
    types: &'static [CType],
}

const BITS: &[CType] = &[CType::U32];
const OFFSETS: &[CType] = &[CType::I32];
const BYTES: &[CType] = &[CType::U8, CType::I8];

impl Plan {
    /// Matches a kernel with columns. A result type that is not known is taken from the declaration of `out`.
    pub fn of(kernel: &Kernel, schema: &Schema, result: Option<&DataType>) -> Result<Plan> {
        let mut wants = Vec::new();
        for field in schema.fields() {
            buffers(field.data_type(), field.name(), &mut wants)?;
        }
        let inputs: Vec<CType> = wants
            .iter()
            .enumerate()
            .map(|(i, want)| fits(kernel, i, want))
            .collect::<Result<_>>()?;
        let result = result_plan(kernel, inputs.len(), result)?;
        Ok(Plan { inputs, result })
    }
}

/// A kernel's text with the scales of its table's decimal columns, if it asks for them (`RW_SCALE_n`, `RW_SCALE_OUT`,
/// `RW_PRECISION_OUT`). Lines keep their numbers.
pub(super) fn with_scales(text: &str, schema: &Schema, result: Option<&DataType>) -> String {
    if !text.contains("RW_SCALE_") {
        return text.to_owned();
    }
    let mut out = String::new();
    for (i, field) in schema.fields().iter().enumerate() {
        if let DataType::Decimal128(_, scale) = field.data_type() {
            out.push_str(&format!("#define RW_SCALE_{i} {scale}\n"));
        }
    }
    if let Some(DataType::Decimal128(precision, scale)) = result {
        out.push_str(&format!(
            "#define RW_PRECISION_OUT {precision}\n#define RW_SCALE_OUT {scale}\n"
        ));
    }
    format!("{out}#line 1\n{text}")
}

/// The element type of a parameter that has to be a buffer.
fn fits(kernel: &Kernel, index: usize, want: &Want) -> Result<CType> {
    let wanted = || {
        want.types
            .iter()
            .map(|t| format!("{}*", t.name()))
            .collect::<Vec<_>>()
            .join(" or ")
    };
    let Some(param) = kernel.params.get(index) else {
        return Err(at(
            kernel.place,
            format!(
                "`{}` has {} parameters; number {} has to be {} for {}",
                kernel.name,
                kernel.params.len(),
                index + 1,
                wanted(),
                want.what
            ),
        )
        .hint("the parameters of a kernel are described in rw_core.cuh"));
    };
    if param.pointer && want.types.contains(&param.ty) {
        return Ok(param.ty);
    }
    Err(misfit(param, index, &wanted(), &want.what))
}

fn misfit(param: &Param, index: usize, wanted: &str, what: &str) -> Error {
    at(
        param.place,
        format!(
            "parameter {} is `{}`; {what} comes as {wanted}",
            index + 1,
            param.words()
        ),
    )
    .hint("the parameters of a kernel are described in rw_core.cuh")
}

/// The buffers of a column, in the order in which they are handed over.
fn buffers(ty: &DataType, name: &str, out: &mut Vec<Want>) -> Result<()> {
    let mut want = |what: String, types: &'static [CType]| out.push(Want { what, types });
    match ty {
        DataType::Utf8 | DataType::Binary => {
            want(format!("the offsets of `{name}`"), OFFSETS);
            want(format!("the bytes of `{name}`"), BYTES);
        }
        DataType::List(item) => {
            want(format!("the offsets of `{name}`"), OFFSETS);
            buffers(item.data_type(), &format!("{name}'s items"), out)?;
        }
        DataType::Map(entries, _) => {
            want(format!("the offsets of `{name}`"), OFFSETS);
            let DataType::Struct(fields) = entries.data_type() else {
                return Err(Error::internal("a map without entries"));
            };
            for (field, part) in fields.iter().zip(["keys", "values"]) {
                buffers(field.data_type(), &format!("{name}'s {part}"), out)?;
            }
        }
        DataType::Struct(fields) => {
            for field in fields {
                buffers(field.data_type(), &format!("{name}.{}", field.name()), out)?;
            }
        }
        fixed => match elements(fixed) {
            Some(types) => want(format!("`{name}` ({fixed})"), types),
            None => {
                return Err(Error::not_proven(format!(
                    "`{name}` is of type {fixed}, which kernels get no columns of"
                )));
            }
        },
    }
    out.push(Want {
        what: format!("the validity bits of `{name}`"),
        types: BITS,
    });
    Ok(())
}

/// The C types that hold a column's elements; `None` for what is no column of elements.
fn elements(ty: &DataType) -> Option<&'static [CType]> {
    Some(match ty {
        DataType::Boolean => &[CType::U8],
        DataType::Int8 => &[CType::I8],
        DataType::Int16 => &[CType::I16],
        DataType::Int32 | DataType::Date32 => &[CType::I32],
        DataType::Int64 | DataType::Timestamp(TimeUnit::Microsecond, _) => &[CType::I64],
        DataType::Float32 => &[CType::F32],
        DataType::Float64 => &[CType::F64],
        DataType::Decimal128(1..=9, _) => &[CType::I32, CType::I64, CType::I128],
        DataType::Decimal128(1..=18, _) => &[CType::I64, CType::I128],
        DataType::Decimal128(..) => &[CType::I128],
        _ => return None,
    })
}

/// The type of a column of elements, where only the kernel says it.
fn declared(ty: CType) -> Option<DataType> {
    Some(match ty {
        CType::U8 => DataType::Boolean,
        CType::I8 => DataType::Int8,
        CType::I16 => DataType::Int16,
        CType::I32 => DataType::Int32,
        CType::I64 => DataType::Int64,
        CType::F32 => DataType::Float32,
        CType::F64 => DataType::Float64,
        CType::U16 | CType::U32 | CType::U64 | CType::I128 => return None,
    })
}

/// The result's buffers, the error codes and the number of rows, which stand behind the arguments.
fn result_plan(kernel: &Kernel, first: usize, wanted: Option<&DataType>) -> Result<ResultPlan> {
    let ty = match wanted {
        Some(ty) => ty.clone(),
        None => written(kernel, first)?,
    };
    let want = |what: &str, types| Want {
        what: what.to_owned(),
        types,
    };
    let bytes = matches!(ty, DataType::Utf8 | DataType::Binary);
    let mut wants = if bytes {
        vec![
            want("the sizes of the result", OFFSETS),
            want("the offsets of the result", OFFSETS),
            want("the bytes of the result", BYTES),
        ]
    } else {
        let types = elements(&ty)
            .ok_or_else(|| Error::not_proven(format!("a result of type {ty} has no column that a kernel can write")))?;
        vec![want(&format!("the result ({ty})"), types)]
    };
    wants.push(want("the validity bits of the result", BITS));
    wants.push(want("the error codes", &[CType::I32]));
    let mut found = Vec::new();
    for (i, want) in wants.iter().enumerate() {
        found.push(fits(kernel, first + i, want)?);
    }
    rows(kernel, first + wants.len())?;
    Ok(if bytes {
        ResultPlan::Bytes(ty)
    } else {
        ResultPlan::Fixed(ty, found[0])
    })
}

/// The result's type as the kernel declares it, where nothing else says it.
fn written(kernel: &Kernel, first: usize) -> Result<DataType> {
    let rest = kernel.params.get(first..).unwrap_or_default();
    // Sizes, offsets, bytes, validity, errors, rows.
    if rest.len() == 6 {
        return Ok(DataType::Utf8);
    }
    let Some(out) = rest.first().filter(|p| p.pointer) else {
        return Err(at(kernel.place, "the kernel has no parameter for its result"));
    };
    declared(out.ty).ok_or_else(|| {
        at(
            out.place,
            format!("`{}` does not say what column it writes", out.words()),
        )
    })
}

/// The last parameter.
fn rows(kernel: &Kernel, index: usize) -> Result<()> {
    match kernel.params.get(index) {
        Some(p) if !p.pointer && p.ty == CType::I64 => {}
        Some(p) => return Err(misfit(p, index, "int64_t", "the number of rows")),
        None => {
            let what = "the last parameter has to be the number of rows: int64_t rows";
            return Err(at(kernel.place, what));
        }
    }
    match kernel.params.get(index + 1) {
        Some(p) => Err(at(p.place, format!("`{}` is one parameter too many", p.words()))
            .hint("the parameters of a kernel are described in rw_core.cuh")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::datatypes::Field;

    fn plan(params: &str, columns: &[DataType], result: Option<DataType>) -> Result<Plan> {
        let kernel = Kernel::parse(&format!("extern \"C\" __global__ void k(\n{params}) {{}}"))?;
        let fields: Vec<Field> = columns
            .iter()
            .enumerate()
            .map(|(i, ty)| Field::new(format!("a{i}"), ty.clone(), true))
            .collect();
        Plan::of(&kernel, &Schema::new(fields), result.as_ref())
    }

    const TAIL: &str = "uint32_t* out_valid,\nint32_t* error, int64_t rows";

    #[test]
    fn columns_are_matched_by_position() {
        let found = plan(
            &format!("const double* x, const uint32_t* xv,\nconst int* s, const uint8_t* b, const uint32_t* sv,\nint64_t* out, {TAIL}"),
            &[DataType::Float64, DataType::Utf8],
            Some(DataType::Int64),
        )
        .unwrap();
        use CType::{F64, I32, I64, U8, U32};
        assert_eq!(found.inputs, [F64, U32, I32, U8, U32]);
        assert_eq!(found.result, ResultPlan::Fixed(DataType::Int64, I64));
    }

    #[test]
    fn lists_and_structs_are_their_parts() {
        let item = DataType::List(Field::new("item", DataType::Int32, true).into());
        let both = DataType::Struct(vec![Field::new("p", DataType::Date32, true), Field::new("q", item, true)].into());
        let found = plan(
            &format!(
                "const int* p, const uint32_t* pv, const int* qo, const int* q, const uint32_t* qiv, const uint32_t* qv,\
                 const uint32_t* sv, __int128* out, {TAIL}"
            ),
            &[both],
            Some(DataType::Decimal128(38, 18)),
        );
        assert_eq!(found.unwrap().inputs.len(), 7);
    }

    #[test]
    fn what_does_not_fit_is_named_with_its_place() {
        let wrong = |params: &str, ty| plan(params, &[DataType::Float64], ty).unwrap_err();
        let error = wrong("const float* x, const uint32_t* xv", None);
        assert_eq!(error.location.as_ref().map(|l| l.line), Some(2));
        assert!(error.to_string().contains("comes as double*"), "{error}");
        let head = "const double* x, const uint32_t* xv,\n";
        let error = wrong(
            &format!("{head}double* out, uint32_t* v, int32_t* error, int64_t rows, int n"),
            None,
        );
        assert!(error.to_string().contains("one parameter too many"), "{error}");
        let error = wrong(
            &format!("{head}double* out, uint32_t* v, int32_t* error, int rows"),
            None,
        );
        assert!(error.to_string().contains("the number of rows"), "{error}");
        let error = wrong(&format!("{head}int* out, {TAIL}"), Some(DataType::Float64));
        assert_eq!(error.location.as_ref().map(|l| l.line), Some(3));
        let error = wrong(head.trim_end_matches(",\n"), Some(DataType::Utf8));
        assert!(error.to_string().contains("number 3"), "{error}");
    }
}
