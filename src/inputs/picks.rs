//! Which cells are null, edges or random. In: how many edge values each column has, a number of rows and a stream; out: a pick per
//! cell, column by column. Knows nothing of values.

use super::columns::Pick;
use super::rng::Rng;

/// Most rows of edge values that are combined across parameters before random rows begin.
const MOST_COMBINATIONS: usize = 4096;
/// Up to this many parameters every combination of null and not null is tried.
const WIDEST_NULL_MATRIX: usize = 6;

/// The rows that a batch begins with: the null matrix, edges, then rows of all kinds.
pub(super) fn first(counts: &[usize], rows: usize, rng: &mut Rng) -> Vec<Vec<Pick>> {
    let mut begin = null_matrix(counts.len());
    begin.extend(edge_rows(counts, rng));
    begin.truncate(rows);
    let mut columns: Vec<Vec<Pick>> = (0..counts.len())
        .map(|i| begin.iter().map(|row| row[i]).collect())
        .collect();
    mixed(counts, rows - begin.len(), rng, &mut columns);
    columns
}

/// Adds rows of all kinds: one cell in twenty is null, four are edges.
pub(super) fn mixed(counts: &[usize], rows: usize, rng: &mut Rng, columns: &mut [Vec<Pick>]) {
    columns.iter_mut().for_each(|c| c.reserve_exact(rows));
    for _ in 0..rows {
        for (n, column) in counts.iter().zip(columns.iter_mut()) {
            column.push(match rng.below(20) {
                0 => Pick::Null,
                1..=4 if *n > 0 => Pick::Edge(rng.below(*n as u64) as usize),
                _ => Pick::Random,
            });
        }
    }
}

/// Every combination of null and not null over the arguments.
fn null_matrix(width: usize) -> Vec<Vec<Pick>> {
    if width > WIDEST_NULL_MATRIX {
        let one_null = (0..width).map(|at| {
            (0..width)
                .map(|i| if i == at { Pick::Null } else { Pick::Random })
                .collect()
        });
        return one_null.chain([vec![Pick::Null; width]]).collect();
    }
    (0..1usize << width)
        .map(|bits| {
            (0..width)
                .map(|i| if bits >> i & 1 == 1 { Pick::Null } else { Pick::Random })
                .collect()
        })
        .collect()
}

/// All combinations of edge values while there are few, else each edge of each parameter beside random edges of the others.
fn edge_rows(counts: &[usize], rng: &mut Rng) -> Vec<Vec<Pick>> {
    let all = counts
        .iter()
        .try_fold(1usize, |n, c| n.checked_mul((*c).max(1)))
        .unwrap_or(usize::MAX);
    if all <= MOST_COMBINATIONS {
        let row = |mut n: usize| {
            let pick = |c: &usize| {
                let at = n % (*c).max(1);
                n /= (*c).max(1);
                if *c == 0 { Pick::Random } else { Pick::Edge(at) }
            };
            counts.iter().map(pick).collect()
        };
        return (0..all).map(row).collect();
    }
    let mut rows = Vec::with_capacity(MOST_COMBINATIONS);
    for (at, count) in counts.iter().enumerate() {
        for edge in 0..*count {
            rows.push(mixed_row(counts, rng, Some((at, edge))));
        }
    }
    while rows.len() < MOST_COMBINATIONS {
        rows.push(mixed_row(counts, rng, None));
    }
    rows
}

fn mixed_row(counts: &[usize], rng: &mut Rng, fixed: Option<(usize, usize)>) -> Vec<Pick> {
    let pick = |(i, n): (usize, &usize)| match fixed {
        Some((at, edge)) if at == i => Pick::Edge(edge),
        _ if *n > 0 && rng.below(3) > 0 => Pick::Edge(rng.below(*n as u64) as usize),
        _ => Pick::Random,
    };
    counts.iter().enumerate().map(pick).collect()
}
