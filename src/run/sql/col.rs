//! Evaluated columns: an Arrow array, whether it stands for one constant, and the exception of each row that raised.
//! Errors are data here, so that an operator decides which of its operands' errors its row takes over.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, UInt32Array, new_null_array};
use arrow::buffer::NullBuffer;
use arrow::compute::take;

use super::build::build;
use super::plan::Node;
use super::ty::Ty;
use super::val::Val;
use crate::error::{Error, Result};
use crate::run::Cancel;

/// Exception code per row, 0 for none; see [`super::plan::CLASSES`].
pub type Errs = Arc<Vec<u8>>;

/// An evaluated column.
#[derive(Debug, Clone)]
pub struct Col {
    /// The values; of length 1 when `konst`.
    pub arr: ArrayRef,
    /// Whether the one value stands for every row.
    pub konst: bool,
    /// Exceptions; of length 1 when `konst`.
    pub errs: Option<Errs>,
}

/// Session settings and per-thread caches of one run.
pub struct Rt {
    /// ANSI mode.
    pub ansi: bool,
    /// Session time zone.
    pub zone: super::zone::Zone,
    /// Stops the run.
    pub cancel: Cancel,
    /// Compiled patterns and formats by kind and text.
    pub cache: RefCell<HashMap<(u8, String), Rc<dyn std::any::Any>>>,
}

impl Rt {
    /// The compiled form of a text, made on first use.
    pub fn cached<T: 'static>(&self, kind: u8, text: &str, make: impl FnOnce() -> T) -> Rc<T> {
        if let Some(found) = self.cache.borrow().get(&(kind, text.to_string()))
            && let Ok(t) = found.clone().downcast::<T>()
        {
            return t;
        }
        let made = Rc::new(make());
        let mut cache = self.cache.borrow_mut();
        if cache.len() > 4096 {
            cache.clear();
        }
        cache.insert((kind, text.to_string()), made.clone());
        made
    }
}

/// The columns that a plan reads, by slot, and how many rows they have.
#[derive(Clone)]
pub struct Env<'r> {
    /// Number of rows.
    pub rows: usize,
    /// Columns by slot; `None` where the part of the plan at hand does not read them.
    pub slots: Vec<Option<Col>>,
    /// Settings and caches.
    pub rt: &'r Rt,
}

pub(super) fn arrow_failed(e: arrow::error::ArrowError) -> Error {
    Error::internal("an Arrow kernel failed").because(e)
}

impl Col {
    /// A column without errors.
    pub fn new(arr: ArrayRef) -> Col {
        Col {
            arr,
            konst: false,
            errs: None,
        }
    }

    /// A constant.
    pub fn constant(ty: &Ty, v: &Val) -> Result<Col> {
        Ok(Col {
            arr: build(ty, std::slice::from_ref(v))?,
            konst: true,
            errs: None,
        })
    }

    /// A constant null.
    pub fn null(ty: &Ty) -> Col {
        Col {
            arr: new_null_array(&ty.arrow(), 1),
            konst: true,
            errs: None,
        }
    }

    /// The index into the array for a row.
    pub fn at(&self, row: usize) -> usize {
        if self.konst { 0 } else { row }
    }

    /// The exception code of a row.
    pub fn err(&self, row: usize) -> u8 {
        self.errs.as_ref().map_or(0, |e| e[self.at(row)])
    }

    /// Whether a row is null (an errored row is).
    pub fn is_null(&self, row: usize) -> bool {
        self.arr.is_null(self.at(row)) || *self.arr.data_type() == arrow::datatypes::DataType::Null
    }

    /// The column with one value per row.
    pub fn expand(&self, rows: usize) -> Result<Col> {
        if !self.konst {
            return Ok(self.clone());
        }
        let indices = UInt32Array::from(vec![0u32; rows]);
        Ok(Col {
            arr: take(&self.arr, &indices, None).map_err(arrow_failed)?,
            konst: false,
            errs: self.errs.as_ref().map(|e| Arc::new(vec![e[0]; rows])),
        })
    }

    /// The rows at these indices.
    pub fn select(&self, indices: &UInt32Array) -> Result<Col> {
        if self.konst {
            return Ok(self.clone());
        }
        Ok(Col {
            arr: take(&self.arr, indices, None).map_err(arrow_failed)?,
            konst: false,
            errs: self
                .errs
                .as_ref()
                .map(|e| Arc::new(indices.values().iter().map(|i| e[*i as usize]).collect())),
        })
    }

    /// The null buffer, constants apart.
    pub fn nulls(&self) -> Option<&NullBuffer> {
        self.arr.nulls()
    }
}

impl Env<'_> {
    /// The same columns at these rows, as far as `node` reads them.
    pub fn select(&self, node: &Node, indices: &UInt32Array) -> Result<Self> {
        let mut needed = Vec::new();
        node.slots(&mut needed);
        let mut slots = vec![None; self.slots.len()];
        for i in needed {
            slots[i] = match &self.slots[i] {
                Some(c) => Some(c.select(indices)?),
                None => None,
            };
        }
        Ok(Env {
            rows: indices.len(),
            slots,
            rt: self.rt,
        })
    }
}

/// Errors of a strict operator: from the first operand that raises, unless an earlier one is null.
pub fn strict_errs(cols: &[&Col], rows: usize) -> Option<Errs> {
    if cols.iter().all(|c| c.errs.is_none()) {
        return None;
    }
    let row = |i: usize| {
        for c in cols {
            let e = c.err(i);
            if e != 0 {
                return e;
            }
            if c.is_null(i) {
                return 0;
            }
        }
        0
    };
    some_errs((0..rows).map(row).collect())
}

/// Errors of an operator that evaluates all its operands.
pub fn any_errs(cols: &[&Col], rows: usize) -> Option<Errs> {
    if cols.iter().all(|c| c.errs.is_none()) {
        return None;
    }
    let row = |i: usize| cols.iter().map(|c| c.err(i)).find(|e| *e != 0).unwrap_or(0);
    some_errs((0..rows).map(row).collect())
}

/// `None` when no row raised.
pub fn some_errs(errs: Vec<u8>) -> Option<Errs> {
    errs.iter().any(|e| *e != 0).then(|| Arc::new(errs))
}

/// Two error columns, the first one winning.
pub fn merge_errs(a: Option<Errs>, b: Option<Errs>) -> Option<Errs> {
    match (a, b) {
        (Some(x), Some(y)) => Some(Arc::new(
            x.iter()
                .zip(y.iter())
                .map(|(p, q)| if *p != 0 { *p } else { *q })
                .collect(),
        )),
        (x, y) => x.or(y),
    }
}
