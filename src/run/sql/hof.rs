//! Functions with a lambda. The elements of all rows become one flat environment in which the body runs as columns;
//! the others are in [`super::fold`].

use std::sync::Arc;

use arrow::array::{Array, AsArray, ListArray, UInt32Array};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::compute::take;
use arrow::datatypes::Field;

use super::build::{build, map_array};
use super::col::{Col, Env, any_errs, arrow_failed, some_errs};
use super::eval::eval as eval_node;
use super::fold::{fold, sort_by};
use super::plan::{Hof, Kind, Node};
use super::ty::Ty;
use super::val::{Reader, Val};
use crate::error::{Error, Result};

/// Evaluates a node of one of the kinds with a lambda.
pub fn eval(node: &Node, env: &Env) -> Result<Col> {
    env.rt.cancel.check()?;
    match &node.kind {
        Kind::Hof(hof, args, slots, body) => {
            let cols = args
                .iter()
                .map(|a| eval_node(a, env)?.expand(env.rows))
                .collect::<Result<Vec<_>>>()?;
            match hof {
                Hof::ZipWith => zip_with(node, args, &cols, slots, body, env),
                Hof::MapFilter | Hof::TransformValues | Hof::TransformKeys => {
                    over_map(*hof, node, args, &cols[0], slots, body, env)
                }
                _ => over_array(*hof, node, args, &cols[0], slots, body, env),
            }
        }
        Kind::Fold(a, zero, slots, merge, finish) => fold(node, a, zero, *slots, merge, finish.as_ref(), env),
        Kind::SortBy(a, slots, body) => sort_by(node, a, *slots, body, env),
        _ => Err(Error::internal("not a function with a lambda")),
    }
}

/// Row of each element, index of each element in the child column, and where each row begins.
struct Flat {
    parents: Vec<u32>,
    children: Vec<u32>,
    positions: Vec<i32>,
    starts: Vec<usize>,
}

fn flatten(offsets: &[i32], col: &Col) -> Flat {
    let rows = offsets.len() - 1;
    let mut flat = Flat {
        parents: Vec::new(),
        children: Vec::new(),
        positions: Vec::new(),
        starts: vec![0],
    };
    for i in 0..rows {
        if !col.is_null(i) && col.err(i) == 0 {
            for (k, j) in (offsets[i]..offsets[i + 1]).enumerate() {
                flat.parents.push(i as u32);
                flat.children.push(j as u32);
                flat.positions.push(k as i32);
            }
        }
        flat.starts.push(flat.parents.len());
    }
    flat
}

/// The environment of a lambda's body: the outer columns repeated per element, and the lambda's variables.
pub fn inner_env<'r>(env: &Env<'r>, body: &Node, parents: &UInt32Array, vars: Vec<(usize, Col)>) -> Result<Env<'r>> {
    let mut outer = env.clone();
    for (slot, _) in &vars {
        outer.slots[*slot] = None;
    }
    let mut inner = outer.select(body, parents)?;
    for (slot, col) in vars {
        inner.slots[slot] = Some(col);
    }
    Ok(inner)
}

fn over_array(hof: Hof, node: &Node, args: &[Node], col: &Col, slots: &[usize], body: &Node, env: &Env) -> Result<Col> {
    let Ty::Arr(_) = &args[0].ty else {
        return Err(Error::internal("the argument is not an array"));
    };
    let list = col.arr.as_list::<i32>();
    let flat = flatten(list.value_offsets(), col);
    let elements = take(list.values(), &UInt32Array::from(flat.children.clone()), None).map_err(arrow_failed)?;
    let mut vars = vec![(slots[0], Col::new(elements))];
    if let Some(index) = slots.get(1) {
        let positions = arrow::array::Int32Array::from(flat.positions.clone());
        vars.push((*index, Col::new(Arc::new(positions))));
    }
    let parents = UInt32Array::from(flat.parents.clone());
    let inner = inner_env(env, body, &parents, vars)?;
    let out = eval_node(body, &inner)?.expand(flat.parents.len())?;
    match hof {
        Hof::Transform => list_of(node, col, &flat, out),
        Hof::Filter => {
            let keep = out.arr.as_boolean();
            let kept: Vec<bool> = (0..keep.len()).map(|i| keep.is_valid(i) && keep.value(i)).collect();
            let errs = first_errs(&flat, &out, col);
            let mut indices = Vec::new();
            let mut lens = Vec::new();
            for w in flat.starts.windows(2) {
                let before = indices.len();
                indices.extend((w[0]..w[1]).filter(|i| kept[*i]).map(|i| flat.children[i]));
                lens.push(indices.len() - before);
            }
            let values = take(list.values(), &UInt32Array::from(indices), None).map_err(arrow_failed)?;
            finish_list(node, lens, values, col, errs)
        }
        Hof::Exists | Hof::Forall => Ok(quantifier(hof == Hof::Exists, col, &flat, &out)),
        _ => Err(Error::internal("not a function over an array")),
    }
}

fn first_errs(flat: &Flat, out: &Col, col: &Col) -> Option<super::col::Errs> {
    if out.errs.is_none() && col.errs.is_none() {
        return None;
    }
    let rows = flat.starts.windows(2).enumerate().map(|(i, w)| {
        let own = col.err(i);
        if own != 0 {
            own
        } else {
            (w[0]..w[1]).map(|k| out.err(k)).find(|e| *e != 0).unwrap_or(0)
        }
    });
    some_errs(rows.collect())
}

fn row_nulls(col: &Col, errs: &Option<super::col::Errs>, rows: usize) -> Option<NullBuffer> {
    let valid: Vec<bool> = (0..rows)
        .map(|i| !col.is_null(i) && errs.as_ref().is_none_or(|e| e[i] == 0))
        .collect();
    Some(NullBuffer::from(valid)).filter(|n| n.null_count() > 0)
}

fn finish_list(
    node: &Node,
    lens: Vec<usize>,
    values: arrow::array::ArrayRef,
    col: &Col,
    errs: Option<super::col::Errs>,
) -> Result<Col> {
    let Ty::Arr(t) = &node.ty else {
        return Err(Error::internal("the result is not an array"));
    };
    let nulls = row_nulls(col, &errs, lens.len());
    let field = Arc::new(Field::new("item", t.arrow(), true));
    let arr = ListArray::try_new(field, OffsetBuffer::from_lengths(lens), values, nulls).map_err(arrow_failed)?;
    Ok(Col {
        arr: Arc::new(arr),
        konst: false,
        errs,
    })
}

fn list_of(node: &Node, col: &Col, flat: &Flat, out: Col) -> Result<Col> {
    let errs = first_errs(flat, &out, col);
    let lens = flat.starts.windows(2).map(|w| w[1] - w[0]).collect();
    finish_list(node, lens, out.arr, col, errs)
}

/// `exists` and `forall`: elements in order, stopping at the first that decides.
fn quantifier(exists: bool, col: &Col, flat: &Flat, out: &Col) -> Col {
    let bits = out.arr.as_boolean();
    let mut errs = vec![0u8; flat.starts.len() - 1];
    let mut rows: Vec<Option<bool>> = Vec::with_capacity(errs.len());
    for (i, w) in flat.starts.windows(2).enumerate() {
        if col.is_null(i) {
            errs[i] = col.err(i);
            rows.push(None);
            continue;
        }
        let mut result = Some(!exists);
        for k in w[0]..w[1] {
            if out.err(k) != 0 {
                errs[i] = out.err(k);
                result = None;
                break;
            }
            if bits.is_null(k) {
                result = None;
            } else if bits.value(k) == exists {
                result = Some(exists);
                break;
            }
        }
        rows.push(result);
    }
    Col {
        arr: Arc::new(arrow::array::BooleanArray::from(rows)),
        konst: false,
        errs: some_errs(errs),
    }
}

fn zip_with(node: &Node, args: &[Node], cols: &[Col], slots: &[usize], body: &Node, env: &Env) -> Result<Col> {
    let (a, b) = (cols[0].arr.as_list::<i32>(), cols[1].arr.as_list::<i32>());
    let (mut parents, mut left, mut right, mut lens) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut starts = vec![0usize];
    for i in 0..env.rows {
        let skip = cols.iter().any(|c| c.is_null(i) || c.err(i) != 0);
        let range = |l: &ListArray| (l.value_offsets()[i], l.value_offsets()[i + 1]);
        let ((s, e), (t, f)) = (range(a), range(b));
        let n = if skip { 0 } else { (e - s).max(f - t) };
        for k in 0..n {
            parents.push(i as u32);
            left.push((s + k < e).then_some((s + k) as u32));
            right.push((t + k < f).then_some((t + k) as u32));
        }
        lens.push(n as usize);
        starts.push(parents.len());
    }
    let x = take(a.values(), &UInt32Array::from(left), None).map_err(arrow_failed)?;
    let y = take(b.values(), &UInt32Array::from(right), None).map_err(arrow_failed)?;
    let total = parents.len();
    let inner = inner_env(
        env,
        body,
        &UInt32Array::from(parents.clone()),
        vec![(slots[0], Col::new(x)), (slots[1], Col::new(y))],
    )?;
    let out = eval_node(body, &inner)?.expand(total)?;
    let merged = any_errs(&[&cols[0], &cols[1]], env.rows);
    let valid: Vec<bool> = (0..env.rows).map(|i| !cols.iter().any(|c| c.is_null(i))).collect();
    let base = Col {
        arr: Arc::new(arrow::array::BooleanArray::new(
            arrow::buffer::BooleanBuffer::new_set(env.rows),
            Some(NullBuffer::from(valid)),
        )),
        konst: false,
        errs: merged,
    };
    let flat = Flat {
        parents,
        children: Vec::new(),
        positions: Vec::new(),
        starts,
    };
    let _ = args;
    list_of(node, &base, &flat, out)
}

fn over_map(hof: Hof, node: &Node, args: &[Node], col: &Col, slots: &[usize], body: &Node, env: &Env) -> Result<Col> {
    let Ty::Map(kt, vt) = &args[0].ty else {
        return Err(Error::internal("the argument is not a map"));
    };
    let map = col.arr.as_map();
    let flat = flatten(map.value_offsets(), col);
    let children = UInt32Array::from(flat.children.clone());
    let keys = take(map.keys(), &children, None).map_err(arrow_failed)?;
    let values = take(map.values(), &children, None).map_err(arrow_failed)?;
    let vars = vec![(slots[0], Col::new(keys.clone())), (slots[1], Col::new(values.clone()))];
    let inner = inner_env(env, body, &UInt32Array::from(flat.parents.clone()), vars)?;
    let out = eval_node(body, &inner)?.expand(flat.parents.len())?;
    let errs = first_errs(&flat, &out, col);
    let nulls = row_nulls(col, &errs, env.rows);
    let lens: Vec<usize> = flat.starts.windows(2).map(|w| w[1] - w[0]).collect();
    let arr = match hof {
        Hof::TransformValues => map_array(kt, &body.ty, OffsetBuffer::from_lengths(lens), keys, out.arr, nulls)?,
        Hof::MapFilter => {
            let keep = out.arr.as_boolean();
            let mut indices = Vec::new();
            let mut kept = Vec::new();
            for w in flat.starts.windows(2) {
                let before = indices.len();
                indices.extend(
                    (w[0]..w[1])
                        .filter(|i| keep.is_valid(*i) && keep.value(*i))
                        .map(|i| i as u32),
                );
                kept.push(indices.len() - before);
            }
            let indices = UInt32Array::from(indices);
            let k = take(&keys, &indices, None).map_err(arrow_failed)?;
            let v = take(&values, &indices, None).map_err(arrow_failed)?;
            map_array(kt, vt, OffsetBuffer::from_lengths(kept), k, v, nulls)?
        }
        _ => return transformed_keys(node, col, &flat, &out, &values, vt, env),
    };
    Ok(Col {
        arr,
        konst: false,
        errs,
    })
}

/// `transform_keys` may make keys null or equal, which raises per row.
fn transformed_keys(
    node: &Node,
    col: &Col,
    flat: &Flat,
    out: &Col,
    values: &arrow::array::ArrayRef,
    vt: &Ty,
    env: &Env,
) -> Result<Col> {
    let Ty::Map(kt, _) = &node.ty else {
        return Err(Error::internal("the result is not a map"));
    };
    let (k, v) = (Reader::new(kt, out.arr.as_ref()), Reader::new(vt, values.as_ref()));
    let mut errs = vec![0u8; env.rows];
    let mut rows = Vec::with_capacity(env.rows);
    for (i, w) in flat.starts.windows(2).enumerate() {
        let raised = if col.err(i) != 0 {
            Some(col.err(i))
        } else {
            (w[0]..w[1]).map(|j| out.err(j)).find(|e| *e != 0)
        };
        errs[i] = raised.unwrap_or(0);
        if col.is_null(i) || errs[i] != 0 {
            rows.push(Val::Null);
            continue;
        }
        let entries = (w[0]..w[1]).map(|j| (k.get(j), v.get(j))).collect();
        match super::fns::maps::checked_map(entries) {
            Ok(m) => rows.push(m),
            Err(super::plan::Stop::Throw(e)) => {
                errs[i] = e;
                rows.push(Val::Null);
            }
            Err(super::plan::Stop::Refuse(why)) => return Err(Error::not_proven(why)),
        }
    }
    Ok(Col {
        arr: build(&node.ty, &rows)?,
        konst: false,
        errs: some_errs(errs),
    })
}
