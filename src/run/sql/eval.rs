//! Runs a plan over the columns of an environment. In: a node and its columns; out: one column. Branches that could
//! raise or cost something are evaluated only on the rows that take them.

use std::sync::Arc;

use arrow::array::{Array, AsArray, BooleanArray};
use arrow::buffer::NullBuffer;
use arrow::compute::{is_null, not};

use super::arith;
use super::branch::{case, coalesce, logic};
use super::build::build;
use super::cast;
use super::col::{Col, Env, any_errs, arrow_failed, merge_errs, some_errs, strict_errs};
use super::decimal;
use super::hof;
use super::plan::{Call, Def, Kind, Mode, Node, Nulls, RowResult, Stop};
use super::ty::Ty;
use super::val::{Reader, Val, compare};
use crate::error::{Error, Result};

/// Evaluates a node.
pub fn eval(node: &Node, env: &Env) -> Result<Col> {
    match &node.kind {
        Kind::Lit(v) => Col::constant(&node.ty, v),
        Kind::Slot(i) => env.slots[*i]
            .clone()
            .ok_or_else(|| Error::internal(format!("slot {i} is empty"))),
        Kind::Cast(a, mode) => cast_col(a, &node.ty, *mode, env),
        Kind::Arith(op, a, b, mode) => {
            let (x, y) = (eval(a, env)?, eval(b, env)?);
            if matches!(a.ty, Ty::Dec(..)) {
                return decimal::arith_col(*op, [&a.ty, &b.ty], &node.ty, [&x, &y], env.rows, *mode);
            }
            arith::arith(*op, &a.ty, &x, &y, env.rows, *mode)
        }
        Kind::Cmp(op, a, b) => arith::cmp(*op, &a.ty, &eval(a, env)?, &eval(b, env)?, env.rows),
        Kind::And(a, b) => logic(a, b, false, env),
        Kind::Or(a, b) => logic(a, b, true, env),
        Kind::Not(a) => {
            let c = eval(a, env)?;
            let arr = not(c.arr.as_boolean()).map_err(arrow_failed)?;
            Ok(Col {
                arr: Arc::new(arr),
                ..c
            })
        }
        Kind::IsNull(a) => is_null_col(&eval(a, env)?),
        Kind::Case(whens, otherwise) => case(node, whens, otherwise, env),
        Kind::Coalesce(items) => coalesce(node, items, env),
        Kind::In(a, list) => in_list(a, list, env),
        Kind::Field(a, i) => field(&eval(a, env)?, *i, &node.ty),
        Kind::Call(def, args) => {
            let cols = args.iter().map(|a| eval(a, env)).collect::<Result<Vec<_>>>()?;
            let types: Vec<Ty> = args.iter().map(|a| a.ty.clone()).collect();
            row_call(def, &types, &node.ty, &cols, env)
        }
        Kind::Hof(..) | Kind::Fold(..) | Kind::SortBy(..) => hof::eval(node, env),
    }
}

fn is_null_col(c: &Col) -> Result<Col> {
    let mut bits = if *c.arr.data_type() == arrow::datatypes::DataType::Null {
        BooleanArray::from(vec![true; c.arr.len()])
    } else {
        is_null(&c.arr).map_err(arrow_failed)?
    };
    if let Some(e) = &c.errs {
        let valid = NullBuffer::from_iter(e.iter().map(|x| *x == 0));
        bits = BooleanArray::new(bits.values().clone(), Some(valid));
    }
    Ok(Col {
        arr: Arc::new(bits),
        konst: c.konst,
        errs: c.errs.clone(),
    })
}

fn cast_col(a: &Node, to: &Ty, mode: Mode, env: &Env) -> Result<Col> {
    let c = eval(a, env)?;
    if a.ty == *to {
        return Ok(c);
    }
    if a.ty == Ty::Null {
        let n = if c.konst { 1 } else { env.rows };
        return Ok(Col {
            arr: arrow::array::new_null_array(&to.arrow(), n),
            ..c
        });
    }
    if let Some(fast) = arith::fast_cast(&c, &a.ty, to, mode) {
        return Ok(fast);
    }
    let n = if c.konst { 1 } else { env.rows };
    let r = Reader::new(&a.ty, c.arr.as_ref());
    let caster = cast::Caster { rt: env.rt, mode };
    let rows = (0..n).map(|i| match r.get(i) {
        Val::Null => Ok(Val::Null),
        v => caster.value(&a.ty, to, &v),
    });
    collect(to, rows, c.konst, c.errs.clone())
}

/// A column from what each row came to; `before` holds exceptions that the operands had already.
fn collect<'a>(
    ty: &Ty,
    rows: impl Iterator<Item = RowResult<Val<'a>>>,
    konst: bool,
    before: Option<super::col::Errs>,
) -> Result<Col> {
    let mut vals = Vec::with_capacity(rows.size_hint().0);
    let mut errs: Vec<u8> = Vec::new();
    for (i, row) in rows.enumerate() {
        match row {
            Ok(v) => vals.push(v),
            Err(Stop::Throw(e)) => {
                errs.resize(i, 0);
                errs.push(e);
                vals.push(Val::Null);
            }
            Err(Stop::Refuse(why)) => return Err(Error::not_proven(why)),
        }
    }
    if !errs.is_empty() {
        errs.resize(vals.len(), 0);
    }
    Ok(Col {
        arr: build(ty, &vals)?,
        konst,
        errs: merge_errs(before, some_errs(errs)),
    })
}

/// Applies a row function to evaluated arguments.
pub fn row_call(def: &Def, types: &[Ty], ret: &Ty, cols: &[Col], env: &Env) -> Result<Col> {
    env.rt.cancel.check()?;
    let konst = cols.iter().all(|c| c.konst);
    let n = if konst { 1 } else { env.rows };
    let refs: Vec<&Col> = cols.iter().collect();
    let before = match def.nulls {
        Nulls::Strict => strict_errs(&refs, n),
        _ => any_errs(&refs, n),
    };
    let readers: Vec<Reader> = types
        .iter()
        .zip(cols)
        .map(|(t, c)| Reader::new(t, c.arr.as_ref()))
        .collect();
    let call = Call {
        args: types,
        ret,
        rt: env.rt,
    };
    let mut args: Vec<Val> = Vec::with_capacity(cols.len());
    let sees = def.nulls == Nulls::Sees;
    let rows = (0..n).map(|i| {
        if before.as_ref().is_some_and(|e| e[i] != 0) {
            return Ok(Val::Null);
        }
        args.clear();
        for (r, c) in readers.iter().zip(cols) {
            let v = r.get(c.at(i));
            if v.is_null() && !sees {
                return Ok(Val::Null);
            }
            args.push(v);
        }
        (def.run)(&call, &args)
    });
    collect(ret, rows, konst, before.clone())
}

fn in_list(a: &Node, list: &[Node], env: &Env) -> Result<Col> {
    let value = eval(a, env)?;
    let cols = list.iter().map(|n| eval(n, env)).collect::<Result<Vec<_>>>()?;
    let readers: Vec<Reader> = list
        .iter()
        .zip(&cols)
        .map(|(n, c)| Reader::new(&n.ty, c.arr.as_ref()))
        .collect();
    let v = Reader::new(&a.ty, value.arr.as_ref());
    let konst = value.konst && cols.iter().all(|c| c.konst);
    let n = if konst { 1 } else { env.rows };
    let fixed: Option<Vec<Val>> = cols
        .iter()
        .zip(&readers)
        .map(|(c, r)| (c.konst && c.errs.is_none()).then(|| r.get(0)))
        .collect();
    let row = |i: usize| -> RowResult<Val<'_>> {
        if value.err(i) != 0 {
            return Err(Stop::Throw(value.err(i)));
        }
        let x = v.get(value.at(i));
        if x.is_null() {
            return Ok(Val::Null);
        }
        let mut saw_null = false;
        for (k, c) in cols.iter().enumerate() {
            if c.err(i) != 0 {
                return Err(Stop::Throw(c.err(i)));
            }
            let same = match &fixed {
                Some(f) if f[k].is_null() => None,
                Some(f) => Some(compare(&x, &f[k]).is_eq()),
                None => match readers[k].get(c.at(i)) {
                    Val::Null => None,
                    y => Some(compare(&x, &y).is_eq()),
                },
            };
            match same {
                Some(true) => return Ok(Val::Bool(true)),
                None => saw_null = true,
                _ => {}
            }
        }
        Ok(if saw_null { Val::Null } else { Val::Bool(false) })
    };
    collect(&Ty::Bool, (0..n).map(row), konst, None)
}

fn field(c: &Col, i: usize, ty: &Ty) -> Result<Col> {
    let s = c.arr.as_struct();
    let inner = s.column(i).clone();
    let arr = match s.nulls() {
        Some(outer) if *ty != Ty::Null => {
            let nulls = NullBuffer::union(Some(outer), inner.nulls());
            let data = inner.to_data().into_builder().nulls(nulls);
            arrow::array::make_array(data.build().map_err(arrow_failed)?)
        }
        _ => inner,
    };
    Ok(Col {
        arr,
        konst: c.konst,
        errs: c.errs.clone(),
    })
}
