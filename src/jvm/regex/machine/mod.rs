//! Runs a program over UTF-16 text by backtracking, with an explicit stack and a bound on steps.
//!
//! It follows the JDK node by node, so that what groups hold afterwards agrees even where the JDK leaves them set by an
//! attempt that was given up: parts that are matched on their own (lookarounds, atomic groups, deterministic repeated
//! groups) keep the groups they set when what follows fails.

mod loops;
mod places;

use super::RegexError;
use super::class::CharSet;
use super::program::{At, Node, Program};
use crate::jvm::unicode::{code_point_at, code_point_before};

/// Steps of one search; beyond lies catastrophic backtracking.
const MAX_STEPS: u64 = 20_000_000;
/// Turns of loops over groups that may be open at once. The JDK recurses for each and overflows its stack at some point
/// that depends on the machine, so results beyond are unknown.
const MAX_TURNS: usize = 2_000;
/// Entries of the backtracking stack.
const MAX_STACK: usize = 2_000_000;

/// A way back.
enum Back {
    /// Go on at a node.
    Goto(At, usize),
    /// A greedy character loop gives one back: node after it, end now, lowest end.
    Less(At, usize, usize),
    /// A lazy character loop takes one more: the loop, end now, count.
    More(At, usize, u32),
    /// A greedy part loop gives one back.
    LessPart(PartFrame),
    /// A lazy part loop takes one more.
    MorePart(At, usize, u32),
    /// A group had this start and end.
    Group(usize, i32, i32),
    /// A local variable had this value.
    Local(usize, i64),
    /// A turn of a group loop: its counter had this value.
    Turn(usize, i64),
    /// A lazy group loop takes another turn: its body, where, the counter and its value in that turn.
    LazyTurn(At, usize, usize, i64),
}

/// One stretch of equally long turns of a greedy part loop.
#[derive(Clone, Copy)]
struct PartFrame {
    node: At,
    at: usize,
    width: usize,
    count: u32,
    min: u32,
    saved: (i32, i32),
    /// Tried for the first time at this position, or already given back from it.
    fresh: bool,
}

/// The state of one search.
pub struct Machine<'a> {
    program: &'a Program,
    text: &'a [u16],
    /// Starts and ends; -1 where a group took no part.
    pub groups: Vec<i32>,
    locals: Vec<i64>,
    stack: Vec<Back>,
    turns: usize,
    steps: u64,
    last_match: i64,
    must_end: bool,
    /// Whether lookbehinds count characters rather than units.
    whole_characters: bool,
}

type Run<T> = Result<T, RegexError>;

impl<'a> Machine<'a> {
    /// A machine for a text; `last_match` is where `\G` holds, `must_end` asks for a match of everything.
    pub fn new(regex: &'a super::Regex, text: &'a [u16], last_match: usize, must_end: bool) -> Machine<'a> {
        let (program, groups) = (&regex.program, regex.group_count());
        Machine {
            program,
            text,
            groups: vec![-1; 2 * (groups as usize + 1)],
            locals: vec![-1; program.locals],
            stack: Vec::new(),
            turns: 0,
            steps: 0,
            last_match: last_match as i64,
            must_end,
            whole_characters: regex.has_supplementary,
        }
    }

    /// Tries to match at a position.
    pub fn try_at(&mut self, at: usize) -> Run<Option<usize>> {
        self.stack.clear();
        self.turns = 0;
        let end = self.must_end.then_some(self.text.len());
        let end = self.run(self.program.start, at, end)?;
        if let Some(end) = end {
            self.groups[0] = at as i32;
            self.groups[1] = end as i32;
        }
        Ok(end)
    }

    /// Runs from a node until it accepts, at `end` if that is given. On success the ways back are dropped: locals get their
    /// old values, groups stay.
    fn run(&mut self, node: At, at: usize, end: Option<usize>) -> Run<Option<usize>> {
        let base = self.stack.len();
        let mut state = Some((node, at));
        loop {
            state = match state {
                Some((0, at)) if end.is_none_or(|e| e == at) => {
                    self.forget(base);
                    return Ok(Some(at));
                }
                Some((0, _)) => None,
                Some((node, at)) => {
                    self.steps += 1;
                    if self.steps > MAX_STEPS || self.stack.len() > MAX_STACK {
                        return Err(RegexError::Limit);
                    }
                    self.step(node, at)?
                }
                None if self.stack.len() == base => return Ok(None),
                None => self.back()?,
            }
        }
    }

    fn forget(&mut self, base: usize) {
        while self.stack.len() > base {
            match self.stack.pop() {
                Some(Back::Local(i, old)) => self.locals[i] = old,
                Some(Back::Turn(i, old)) => {
                    self.locals[i] = old;
                    self.turns -= 1;
                }
                _ => {}
            }
        }
    }

    fn back(&mut self) -> Run<Option<(At, usize)>> {
        Ok(match self.stack.pop() {
            None => None,
            Some(Back::Goto(node, at)) => Some((node, at)),
            Some(Back::Less(next, at, lowest)) => {
                if at <= lowest {
                    return Ok(None);
                }
                let width = code_point_before(self.text, at).map_or(1, |(_, n)| n);
                let at = at.saturating_sub(width).max(lowest);
                if at > lowest {
                    self.stack.push(Back::Less(next, at, lowest));
                }
                Some((next, at))
            }
            Some(Back::More(node, at, count)) => self.more(node, at, count),
            Some(Back::LessPart(frame)) => self.less_part(frame),
            Some(Back::MorePart(node, at, count)) => self.more_part(node, at, count)?,
            Some(Back::Group(g, start, end)) => {
                self.groups[g] = start;
                self.groups[g + 1] = end;
                None
            }
            Some(Back::Local(i, old)) => {
                self.locals[i] = old;
                None
            }
            Some(Back::Turn(i, old)) => {
                self.locals[i] = old;
                self.turns -= 1;
                None
            }
            Some(Back::LazyTurn(body, at, count, value)) => {
                self.begin_turn(count, value)?;
                Some((body, at))
            }
        })
    }

    fn set_local(&mut self, i: usize, value: i64) {
        self.stack.push(Back::Local(i, self.locals[i]));
        self.locals[i] = value;
    }

    /// One node: where to go on, or `None` if it does not match.
    fn step(&mut self, node: At, at: usize) -> Run<Option<(At, usize)>> {
        let program = self.program;
        Ok(match &program.nodes[node] {
            Node::Accept => None,
            Node::Set(set, next) => self.one(set, at).map(|end| (*next, end)),
            Node::Text(units, next) => self.text[at..].starts_with(units).then(|| (*next, at + units.len())),
            Node::SetLoop { .. } => self.set_loop(node, at),
            Node::PartLoop { .. } => self.part_loop(node, at)?,
            Node::Enter(turn) => self.enter(*turn, at)?,
            Node::Loop { .. } => self.turn(node, at)?,
            Node::Head { begin, next } => {
                self.set_local(*begin, at as i64);
                Some((*next, at))
            }
            Node::Tail { begin, group, next } => {
                if let Some(g) = group {
                    let start = self.locals[*begin] as i32;
                    self.set_group(*g, start, at as i32, true);
                }
                Some((*next, at))
            }
            Node::Branch(starts) => {
                for start in starts[1..].iter().rev() {
                    self.stack.push(Back::Goto(*start, at));
                }
                Some((starts[0], at))
            }
            Node::Place(place, next) => self.holds(*place, at).then_some((*next, at)),
            Node::LineEnding(next) => self.line_ending(at).map(|end| {
                if end == at + 2 {
                    self.stack.push(Back::Goto(*next, at + 1));
                }
                (*next, end)
            }),
            Node::BackRef {
                group,
                ignore_case,
                unicode_case,
                next,
            } => self
                .back_reference(*group, *ignore_case, *unicode_case, at)
                .map(|end| (*next, end)),
            Node::Ahead { negated, cond, next } => {
                let holds = self.run(*cond, at, None)?.is_some();
                (holds != *negated).then_some((*next, at))
            }
            Node::Behind {
                negated,
                cond,
                min,
                max,
                next,
            } => {
                let holds = self.behind(*cond, at, *min, *max)?;
                (holds != *negated).then_some((*next, at))
            }
            Node::Atomic { part, next } => self.run(*part, at, None)?.map(|end| (*next, end)),
        })
    }

    fn set_group(&mut self, group: u32, start: i32, end: i32, undo: bool) {
        let g = 2 * group as usize;
        if undo {
            self.stack.push(Back::Group(g, self.groups[g], self.groups[g + 1]));
        }
        self.groups[g] = start;
        self.groups[g + 1] = end;
    }

    fn one(&self, set: &CharSet, at: usize) -> Option<usize> {
        let (cp, width) = code_point_at(self.text, at)?;
        set.has(cp).then_some(at + width)
    }
}
