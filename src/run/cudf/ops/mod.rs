//! Kernels of the emulated library: columns in, columns out, with the values the real one was measured to give. What was not
//! measured or is not covered is refused. Never touches ownership.

pub mod binary;
pub mod cast;
pub mod classes;
pub mod dates;
pub mod decimal;
pub mod lists;
pub mod numbers;
pub mod reduce;
pub mod regex;
pub mod select;
pub mod strings;
pub mod text_numbers;
pub mod unary;

use std::rc::Rc;

use super::column::{Col, ScalarValue, TooLong};
use super::dtype::DType;

/// Why a kernel gave nothing.
#[derive(Debug)]
pub enum Fail {
    /// The call raises: Java class and message.
    Throw(&'static str, String),
    /// Not covered: the reason.
    Refuse(String),
}

impl From<TooLong> for Fail {
    fn from(_: TooLong) -> Fail {
        Fail::Refuse("texts of more than 2 GiB in one column are not covered; try fewer rows".into())
    }
}

/// What a kernel gives.
pub type K<T = Col> = Result<T, Fail>;

/// `CudfException`.
pub fn cudf<T>(message: impl Into<String>) -> K<T> {
    Err(Fail::Throw("CudfException", message.into()))
}

/// `IllegalArgumentException`.
pub fn illegal<T>(message: impl Into<String>) -> K<T> {
    Err(Fail::Throw("IllegalArgumentException", message.into()))
}

/// Not covered.
pub fn refuse<T>(why: impl Into<String>) -> K<T> {
    Err(Fail::Refuse(why.into()))
}

/// The values of a column that must hold integers: positions, counts, sizes. Those under nulls are unspecified.
pub fn whole(c: &Col) -> K<Vec<i64>> {
    match c.dtype.is_integer() {
        true => Ok(c.to_i64().into_owned()),
        false => refuse(format!("a column of {} where integers are due is not covered", c.dtype)),
    }
}

/// A column or a scalar.
#[derive(Debug, Clone)]
pub enum Operand {
    /// One value per row.
    Col(Rc<Col>),
    /// The same value for every row.
    Scalar(Rc<ScalarValue>),
}

impl Operand {
    /// Its type.
    pub fn dtype(&self) -> DType {
        match self {
            Operand::Col(c) => c.dtype,
            Operand::Scalar(s) => s.dtype,
        }
    }

    /// Whether a row is valid.
    pub fn is_valid(&self, row: usize) -> bool {
        match self {
            Operand::Col(c) => c.is_valid(row),
            Operand::Scalar(s) => s.value.is_some(),
        }
    }
}
