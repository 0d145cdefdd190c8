//! Runs a plan over the columns of an environment. In: a node and its columns; out: one column. Branches that could
//! raise or cost something are evaluated only on the rows that take them.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, BooleanBuilder, UInt32Array};
use arrow::buffer::NullBuffer;
use arrow::compute::kernels::zip::zip;
use arrow::compute::{and_kleene, interleave, is_not_null, is_null, not, or_kleene};

use super::arith;
use super::cast;
use super::col::{Col, Env, any_errs, arrow_failed, merge_errs, some_errs, strict_errs};
use super::decimal;
use super::hof;
use super::plan::{Call, Def, Kind, Mode, Node, Nulls, RowResult, Stop};
use super::ty::Ty;
use super::val::{Reader, Val, build, compare};
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

fn logic(a: &Node, b: &Node, or: bool, env: &Env) -> Result<Col> {
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

fn choose(mask: &BooleanArray, yes: &Col, no: &Col) -> Result<Col> {
    Ok(Col::new(zip(mask, &*datum(yes), &*datum(no)).map_err(arrow_failed)?))
}

fn case(node: &Node, whens: &[(Node, Node)], otherwise: &Node, env: &Env) -> Result<Col> {
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

fn coalesce(node: &Node, items: &[Node], env: &Env) -> Result<Col> {
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
