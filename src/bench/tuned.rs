//! The search for the fastest shape of a kernel. In: what can be varied and whoever proves and times a text; out: every try, and
//! which of them is the fastest that gives what the original gives. A try that is not proven is never the best one.

use serde::{Deserialize, Serialize};

use super::claim::Claimed;
use super::report::{Missing, measured};
use super::stats::Times;
use crate::compare::Verdict;
use crate::error::Result;

/// One text that was tried.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Try {
    /// What was changed against the fastest one until then, in words.
    pub what: String,
    /// The whole text.
    pub text: String,
    /// What its outcomes are against the original's; none if it could not be run.
    pub verdict: Option<Verdict>,
    /// What it took, or why it was not timed: it is not timed unless it is proven.
    #[serde(with = "measured")]
    pub times: Result<Times, Missing>,
    /// Its share of the copy bandwidth that was measured with it.
    pub share_of_copy: Option<f64>,
}

impl Try {
    /// The median, if it may be the best one.
    fn seconds(&self) -> Option<f64> {
        let proven = self.verdict.is_some_and(Verdict::holds);
        self.times.as_ref().ok().filter(|_| proven).map(|t| t.seconds.median)
    }
}

/// What came of a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tuned {
    /// All texts in the order in which they were tried; the first is the candidate as it was.
    pub tries: Vec<Try>,
    /// The fastest.
    pub best: usize,
    /// What may be said of it against the candidate, from turns that both took afterwards; none where nothing is faster.
    pub claimed: Option<Claimed>,
}

impl Tuned {
    /// Tries that were proven and timed.
    pub fn timed(&self) -> usize {
        self.tries.iter().filter(|t| t.seconds().is_some()).count()
    }
}

/// Goes through the axes, each on the fastest text until then. `options` gives what and text of the variants of a text.
pub fn search<A: Copy>(
    first: Try,
    axes: &[A],
    options: impl Fn(&str, A) -> Vec<(String, String)>,
    mut attempt: impl FnMut(String, String) -> Result<Try>,
) -> Result<Tuned> {
    let mut tries = vec![first];
    let mut best = 0;
    for axis in axes {
        for (what, text) in options(&tries[best].text.clone(), *axis) {
            if tries.iter().any(|t| t.text == text) {
                continue;
            }
            tries.push(attempt(what, text)?);
        }
        let fastest = |a: &usize, b: &usize| {
            let seconds = |n: &usize| tries[*n].seconds().unwrap_or(f64::INFINITY);
            seconds(a).total_cmp(&seconds(b))
        };
        best = (0..tries.len()).min_by(fastest).unwrap_or(0);
    }
    Ok(Tuned {
        tries,
        best,
        claimed: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn took(what: &str, text: &str, verdict: Verdict, seconds: f64) -> Try {
        Try {
            what: what.into(),
            text: text.into(),
            verdict: Some(verdict),
            times: Times::of(vec![seconds; 10]).ok_or(Missing::because("")),
            share_of_copy: None,
        }
    }

    /// Texts are letters of the settings; each axis offers its own.
    fn options(text: &str, axis: usize) -> Vec<(String, String)> {
        let of = |c: char| (c.to_string(), format!("{text}{c}"));
        [vec!['a', 'b'], vec!['c'], vec!['d']][axis]
            .iter()
            .map(|c| of(*c))
            .collect()
    }

    #[test]
    fn each_axis_goes_on_from_the_fastest_that_is_proven() {
        let attempt = |what: String, text: String| {
            Ok(match text.as_str() {
                "xa" => took(&what, &text, Verdict::Equal, 0.9),
                // The fastest of all is wrong.
                "xb" => took(&what, &text, Verdict::Different, 0.1),
                "xac" => took(&what, &text, Verdict::EqualWithinPolicy, 0.8),
                "xacd" => took(&what, &text, Verdict::Equal, 0.85),
                other => panic!("{other} is not tried"),
            })
        };
        let tuned = search(took("as it is", "x", Verdict::Equal, 1.0), &[0, 1, 2], options, attempt).unwrap();
        let texts: Vec<&str> = tuned.tries.iter().map(|t| t.text.as_str()).collect();
        assert_eq!(texts, ["x", "xa", "xb", "xac", "xacd"]);
        assert_eq!((tuned.best, tuned.timed()), (3, 4));
    }

    #[test]
    fn nothing_replaces_the_candidate_where_nothing_is_faster() {
        let slower = |what: String, text: String| Ok(took(&what, &text, Verdict::Equal, 2.0));
        let tuned = search(took("as it is", "x", Verdict::Equal, 1.0), &[0, 1, 2], options, slower).unwrap();
        assert_eq!((tuned.best, tuned.tries.len()), (0, 5));
        let fails = |what: String, text: String| {
            Ok(Try {
                verdict: None,
                times: Err(Missing::because("it does not compile")),
                ..took(&what, &text, Verdict::Equal, 0.1)
            })
        };
        let tuned = search(took("as it is", "x", Verdict::Equal, 1.0), &[0], options, fails).unwrap();
        assert_eq!((tuned.best, tuned.timed()), (0, 1));
    }
}
