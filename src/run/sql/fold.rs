//! `aggregate` and `array_sort` with a comparator: lambdas whose calls depend on one another.

use std::cmp::Ordering;

use arrow::array::{Array, AsArray, UInt32Array};
use arrow::compute::take;
use arrow::datatypes::Int32Type;

use super::build::build;
use super::col::{Col, Env, arrow_failed, some_errs};
use super::eval::eval as eval_node;
use super::hof::inner_env;
use super::plan::Node;
use super::ty::Ty;
use super::val::{Reader, Val};
use crate::error::{Error, Result};

/// `aggregate`: the merge runs once per position, over all rows that have an element there.
pub fn fold(
    node: &Node,
    a: &Node,
    zero: &Node,
    slots: [usize; 2],
    merge: &Node,
    finish: Option<&(usize, Box<Node>)>,
    env: &Env,
) -> Result<Col> {
    let col = eval_node(a, env)?.expand(env.rows)?;
    let list = col.arr.as_list::<i32>();
    let offsets = list.value_offsets();
    let mut acc = eval_node(zero, env)?.expand(env.rows)?;
    let live = |i: usize| !col.is_null(i) && col.err(i) == 0;
    let len = |i: usize| {
        if live(i) {
            (offsets[i + 1] - offsets[i]) as usize
        } else {
            0
        }
    };
    let longest = (0..env.rows).map(len).max().unwrap_or(0);
    for k in 0..longest {
        env.rt.cancel.check()?;
        let rows: Vec<u32> = (0..env.rows)
            .filter(|i| len(*i) > k && acc.err(*i) == 0)
            .map(|i| i as u32)
            .collect();
        if rows.is_empty() {
            break;
        }
        let children: Vec<u32> = rows.iter().map(|i| offsets[*i as usize] as u32 + k as u32).collect();
        let indices = UInt32Array::from(rows.clone());
        let element = take(list.values(), &UInt32Array::from(children), None).map_err(arrow_failed)?;
        let vars = vec![(slots[0], acc.select(&indices)?), (slots[1], Col::new(element))];
        let out = eval_node(merge, &inner_env(env, merge, &indices, vars)?)?.expand(rows.len())?;
        acc = if rows.len() == env.rows {
            out
        } else {
            overlay(&acc, &rows, &out)?
        };
    }
    if let Some((slot, body)) = finish {
        let all = UInt32Array::from_iter_values(0..env.rows as u32);
        let before = acc.errs.clone();
        let done = eval_node(body, &inner_env(env, body, &all, vec![(*slot, acc)])?)?.expand(env.rows)?;
        acc = Col {
            errs: super::col::merge_errs(before, done.errs.clone()),
            ..done
        };
    }
    let mut errs: Vec<u8> = (0..env.rows)
        .map(|i| if col.err(i) != 0 { col.err(i) } else { acc.err(i) })
        .collect();
    for (i, e) in errs.iter_mut().enumerate() {
        if col.err(i) == 0 && col.is_null(i) {
            *e = 0;
        }
    }
    let r = Reader::new(&node.ty, acc.arr.as_ref());
    if col.arr.null_count() == 0 && errs.iter().all(|e| *e == 0) {
        return Ok(Col { errs: None, ..acc });
    }
    let vals: Vec<Val> = (0..env.rows)
        .map(|i| if live(i) && errs[i] == 0 { r.get(i) } else { Val::Null })
        .collect();
    Ok(Col {
        arr: build(&node.ty, &vals)?,
        konst: false,
        errs: some_errs(errs),
    })
}

/// `base` with `rows` replaced by `new`.
fn overlay(base: &Col, rows: &[u32], new: &Col) -> Result<Col> {
    let n = base.arr.len();
    let mut order: Vec<(usize, usize)> = (0..n).map(|i| (0, i)).collect();
    let mut errs: Vec<u8> = (0..n).map(|i| base.err(i)).collect();
    for (k, row) in rows.iter().enumerate() {
        order[*row as usize] = (1, k);
        errs[*row as usize] = new.err(k);
    }
    let arr = arrow::compute::interleave(&[base.arr.as_ref(), new.arr.as_ref()], &order).map_err(arrow_failed)?;
    Ok(Col {
        arr,
        konst: false,
        errs: some_errs(errs),
    })
}

/// `array_sort` with a comparator: every row asks for single comparisons, so the body runs on one pair at a time.
pub fn sort_by(node: &Node, a: &Node, slots: [usize; 2], body: &Node, env: &Env) -> Result<Col> {
    let Ty::Arr(t) = &a.ty else {
        return Err(Error::internal("the argument is not an array"));
    };
    let col = eval_node(a, env)?.expand(env.rows)?;
    let r = Reader::new(&a.ty, col.arr.as_ref());
    let mut errs = vec![0u8; env.rows];
    let mut rows = Vec::with_capacity(env.rows);
    for (i, err) in errs.iter_mut().enumerate() {
        env.rt.cancel.check()?;
        *err = col.err(i);
        let Val::Arr(mut items) = r.get(i) else {
            rows.push(Val::Null);
            continue;
        };
        let row = UInt32Array::from(vec![i as u32]);
        let mut failed: Option<Error> = None;
        let mut raised = 0u8;
        items.sort_by(|x, y| {
            if raised != 0 || failed.is_some() {
                return Ordering::Equal;
            }
            match one_comparison(env, body, t, slots, &row, x, y) {
                Ok((o, 0)) => o,
                Ok((_, e)) => {
                    raised = e;
                    Ordering::Equal
                }
                Err(e) => {
                    failed = Some(e);
                    Ordering::Equal
                }
            }
        });
        if let Some(e) = failed {
            return Err(e);
        }
        *err = raised;
        rows.push(if raised == 0 { Val::Arr(items) } else { Val::Null });
    }
    Ok(Col {
        arr: build(&node.ty, &rows)?,
        konst: false,
        errs: some_errs(errs),
    })
}

fn one_comparison(
    env: &Env,
    body: &Node,
    t: &Ty,
    slots: [usize; 2],
    row: &UInt32Array,
    x: &Val,
    y: &Val,
) -> Result<(Ordering, u8)> {
    let vars = vec![
        (slots[0], Col::constant(t, x)?.expand(1)?),
        (slots[1], Col::constant(t, y)?.expand(1)?),
    ];
    let out = eval_node(body, &inner_env(env, body, row, vars)?)?;
    if out.err(0) != 0 {
        return Ok((Ordering::Equal, out.err(0)));
    }
    if out.is_null(0) {
        return Ok((Ordering::Equal, super::plan::exc::NULL_POINTER));
    }
    Ok((out.arr.as_primitive::<Int32Type>().value(0).cmp(&0), 0))
}
