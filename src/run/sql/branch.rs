//! Conditionals: AND, OR, CASE, COALESCE. A branch that could raise or cost something runs only on the rows that take it;
//! cheap ones run on whole columns and are chosen between.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, BooleanBuilder, UInt32Array};
use arrow::compute::kernels::zip::zip;
use arrow::compute::{and_kleene, interleave, is_not_null, not, nullif, or_kleene};

use super::build::build;
use super::col::{Col, Env, arrow_failed, some_errs};
use super::eval::eval;
use super::plan::Node;
use super::ty::Ty;
use super::val::Val;
use crate::error::Result;

/// AND, or OR if `or`: the right side runs where the left one leaves it open.
pub fn logic(a: &Node, b: &Node, or: bool, env: &Env) -> Result<Col> {
    let left = eval(a, env)?;
    if left.konst && left.errs.is_none() && !left.is_null(0) && left.arr.as_boolean().value(0) == or {
        return Ok(left);
    }
    if b.is_total() && left.errs.is_none() {
        let (x, y) = (left.expand(env.rows)?, eval(b, env)?.expand(env.rows)?);
        let (p, q) = (x.arr.as_boolean(), y.arr.as_boolean());
        let arr = if or { or_kleene(p, q) } else { and_kleene(p, q) }.map_err(arrow_failed)?;
        return Ok(Col::new(Arc::new(arr)));
    }
    let left = left.expand(env.rows)?;
    let l = left.arr.as_boolean().clone();
    let open = |i: usize| left.err(i) == 0 && (l.is_null(i) || l.value(i) != or);
    let rows: Vec<u32> = (0..env.rows).filter(|i| open(*i)).map(|i| i as u32).collect();
    let right = eval(b, &env.select(b, &UInt32Array::from(rows.clone()))?)?;
    let r = right.arr.as_boolean();
    let mut out = BooleanBuilder::with_capacity(env.rows);
    let mut errs = vec![0u8; env.rows];
    let mut k = 0;
    for (i, err) in errs.iter_mut().enumerate() {
        if k >= rows.len() || rows[k] as usize != i {
            *err = left.err(i);
            out.append_option((*err == 0).then_some(or));
            continue;
        }
        *err = right.err(k);
        let right_null = right.is_null(k);
        let value = if *err != 0 {
            None
        } else if !right_null && r.value(right.at(k)) == or {
            Some(or)
        } else if right_null || l.is_null(i) {
            None
        } else {
            Some(!or)
        };
        out.append_option(value);
        k += 1;
    }
    Ok(Col {
        arr: Arc::new(out.finish()),
        konst: false,
        errs: some_errs(errs),
    })
}

/// Rows `rows` of the result come from `col`, in order.
struct Piece {
    rows: Vec<u32>,
    col: Col,
}

fn assemble(ty: &Ty, pieces: &[Piece], total: usize) -> Result<Col> {
    let mut order: Vec<(usize, usize)> = vec![(0, 0); total];
    let mut errs: Vec<u8> = Vec::new();
    for (p, piece) in pieces.iter().enumerate() {
        for (k, row) in piece.rows.iter().enumerate() {
            order[*row as usize] = (p, piece.col.at(k));
        }
        if piece.col.errs.is_some() {
            errs.resize(total, 0);
            for (k, row) in piece.rows.iter().enumerate() {
                errs[*row as usize] = piece.col.err(k);
            }
        }
    }
    if pieces.iter().all(|p| p.rows.is_empty()) {
        return Ok(Col::new(build(ty, &[])?));
    }
    // A piece without rows may hold an empty column, which `interleave` accepts because nothing points to it.
    let arrays: Vec<&dyn Array> = pieces.iter().map(|p| p.col.arr.as_ref()).collect();
    let arr: ArrayRef = if *ty == Ty::Null {
        build(ty, &vec![Val::Null; total])?
    } else {
        interleave(&arrays, &order).map_err(arrow_failed)?
    };
    Ok(Col {
        arr,
        konst: false,
        errs: some_errs(errs),
    })
}

fn datum(c: &Col) -> Box<dyn arrow::array::Datum> {
    if c.konst {
        Box::new(arrow::array::Scalar::new(c.arr.clone()))
    } else {
        Box::new(c.arr.clone())
    }
}

/// `yes` where the mask is true, else `no`. The mask has no nulls.
fn choose(mask: &BooleanArray, yes: &Col, no: &Col) -> Result<Col> {
    // Most guards choose between null and a value: only the validity changes, the values need no copy.
    if yes.konst && yes.is_null(0) && !no.konst {
        return Ok(Col::new(nullif(&no.arr, mask).map_err(arrow_failed)?));
    }
    if no.konst && no.is_null(0) && !yes.konst {
        let hidden = not(mask).map_err(arrow_failed)?;
        return Ok(Col::new(nullif(&yes.arr, &hidden).map_err(arrow_failed)?));
    }
    Ok(Col::new(zip(mask, &*datum(yes), &*datum(no)).map_err(arrow_failed)?))
}

/// CASE and IF.
pub fn case(node: &Node, whens: &[(Node, Node)], otherwise: &Node, env: &Env) -> Result<Col> {
    let flat = node.ty != Ty::Null && whens.iter().all(|(c, v)| c.is_total() && v.is_total()) && otherwise.is_total();
    if flat && env.rows > 0 {
        let mut result = eval(otherwise, env)?;
        for (c, v) in whens.iter().rev() {
            let cond = eval(c, env)?.expand(env.rows)?;
            let mask = cond.arr.as_boolean();
            let truth = match mask.nulls() {
                Some(n) => BooleanArray::new(mask.values() & n.inner(), None),
                None => mask.clone(),
            };
            result = choose(&truth, &eval(v, env)?, &result)?;
        }
        return Ok(result);
    }
    let mut open: Vec<u32> = (0..env.rows as u32).collect();
    let mut pieces: Vec<Piece> = Vec::new();
    for (c, v) in whens {
        if open.is_empty() {
            break;
        }
        let cond = eval(c, &env.select(c, &UInt32Array::from(open.clone()))?)?;
        let bits = cond.arr.as_boolean();
        let (mut taken, mut rest, mut failed, mut codes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (k, row) in open.iter().enumerate() {
            if cond.err(k) != 0 {
                failed.push(*row);
                codes.push(cond.err(k));
            } else if !cond.is_null(k) && bits.value(cond.at(k)) {
                taken.push(*row);
            } else {
                rest.push(*row);
            }
        }
        pieces.push(failure(&node.ty, failed, codes)?);
        pieces.push(branch(v, taken, env)?);
        open = rest;
    }
    pieces.push(branch(otherwise, open, env)?);
    assemble(&node.ty, &pieces, env.rows)
}

fn branch(node: &Node, rows: Vec<u32>, env: &Env) -> Result<Piece> {
    let col = if rows.is_empty() {
        Col::new(build(&node.ty, &[])?)
    } else {
        eval(node, &env.select(node, &UInt32Array::from(rows.clone()))?)?
    };
    Ok(Piece { rows, col })
}

fn failure(ty: &Ty, rows: Vec<u32>, codes: Vec<u8>) -> Result<Piece> {
    let mut col = Col::null(ty).expand(rows.len())?;
    col.errs = some_errs(codes);
    Ok(Piece { rows, col })
}

/// The first value that is not null.
pub fn coalesce(node: &Node, items: &[Node], env: &Env) -> Result<Col> {
    let [head, tail @ ..] = items else {
        return Ok(Col::null(&node.ty));
    };
    if items.iter().all(Node::is_total) && node.ty != Ty::Null && env.rows > 0 {
        let mut result = eval(&items[items.len() - 1], env)?;
        for item in items[..items.len() - 1].iter().rev() {
            let c = eval(item, env)?.expand(env.rows)?;
            let mask = is_not_null(&c.arr).map_err(arrow_failed)?;
            result = choose(&mask, &c, &result)?;
        }
        return Ok(result);
    }
    let mut open: Vec<u32> = (0..env.rows as u32).collect();
    let mut pieces = Vec::new();
    for (i, item) in std::iter::once(head).chain(tail).enumerate() {
        if open.is_empty() {
            break;
        }
        let last = i + 1 == items.len();
        let col = eval(item, &env.select(item, &UInt32Array::from(open.clone()))?)?;
        let (mut kept, mut at, mut rest) = (Vec::new(), Vec::new(), Vec::new());
        for (k, row) in open.iter().enumerate() {
            if last || col.err(k) != 0 || !col.is_null(k) {
                kept.push(*row);
                at.push(k as u32);
            } else {
                rest.push(*row);
            }
        }
        let col = col.select(&UInt32Array::from(at))?;
        pieces.push(Piece { rows: kept, col });
        open = rest;
    }
    assemble(&node.ty, &pieces, env.rows)
}
