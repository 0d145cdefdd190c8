//! Which parts of original and rewrite a mismatch is about. In: the UDF on the bench; out: spans to light up.

use crate::compare::announced;
use crate::source::Span;

use super::state::Work;

/// Spans of the original and of the rewrite for the mismatch under the cursor: the branch that the row took where it is
/// known, else the place that announced this class of difference.
pub fn of_mismatch(work: &Work) -> (Vec<Span>, Vec<Span>) {
    let Some(mismatch) = work.mismatch() else {
        return (Vec::new(), Vec::new());
    };
    let slot = work.slot();
    let traced = work.trace.as_ref().filter(|(row, _)| *row == mismatch.row);
    let source: Vec<Span> = match (traced, &slot.proposal) {
        (Some((_, spans)), _) if !spans.is_empty() => spans.clone(),
        (_, Some(p)) => {
            let of_class = p.notes.iter().filter(|n| announced(&n.class, &mismatch.class));
            of_class.map(|n| n.span).collect()
        }
        (_, None) => Vec::new(),
    };
    let map = match (&slot.edited, &slot.proposal) {
        (None, Some(p)) => p.span_map.as_slice(),
        _ => &[],
    };
    let rewrite = source.iter().filter_map(|s| mapped(map, *s)).collect();
    (source, rewrite)
}

/// The part of the rewrite that computes a span: the largest one inside it, else the smallest one around it.
fn mapped(map: &[(Span, Span)], span: Span) -> Option<Span> {
    let len = |s: Span| s.end - s.start;
    let inside = map
        .iter()
        .filter(|(o, _)| span.contains(*o))
        .max_by_key(|(o, _)| len(*o));
    let around = || {
        map.iter()
            .filter(|(o, _)| o.contains(span))
            .min_by_key(|(o, _)| len(*o))
    };
    inside.or_else(around).map(|(_, r)| *r)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_part_is_chosen() {
        let map = [
            (Span::new(0, 100), Span::new(0, 50)),
            (Span::new(10, 20), Span::new(5, 9)),
            (Span::new(12, 14), Span::new(6, 7)),
        ];
        assert_eq!(mapped(&map, Span::new(10, 20)), Some(Span::new(5, 9)));
        assert_eq!(mapped(&map, Span::new(30, 40)), Some(Span::new(0, 50)));
        assert_eq!(mapped(&map, Span::new(100, 110)), None);
    }
}
