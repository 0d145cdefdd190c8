//! Runs a program over UTF-16 text by backtracking, with an explicit stack and a bound on steps.
//!
//! It follows the JDK node by node, so that what groups hold afterwards agrees even where the JDK leaves them set by an
//! attempt that was given up: parts that are matched on their own (lookarounds, atomic groups, deterministic repeated
//! groups) keep the groups they set when what follows fails.

use super::RegexError;
use super::ast::{Kind, Place};
use super::class::{CharSet, fold, is_line_end};
use super::program::{At, Node, Program};
use super::property::is_word;
use crate::jvm::unicode::{self, Category, case_map, code_point_at, code_point_before};

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

    fn set_loop(&mut self, node: At, at: usize) -> Option<(At, usize)> {
        let program = self.program;
        let Node::SetLoop {
            set,
            min,
            max,
            kind,
            next,
        } = &program.nodes[node]
        else {
            return None;
        };
        let mut end = at;
        let mut count = 0;
        while count < *min {
            end = self.one(set, end)?;
            count += 1;
        }
        if *kind == Kind::Lazy {
            self.stack.push(Back::More(node, end, count));
            return Some((*next, end));
        }
        let lowest = end;
        while max.is_none_or(|m| count < m) {
            match self.one(set, end) {
                Some(e) => end = e,
                None => break,
            }
            count += 1;
        }
        self.steps += u64::from(count) / 8;
        if *kind == Kind::Greedy && end > lowest {
            self.stack.push(Back::Less(*next, end, lowest));
        }
        Some((*next, end))
    }

    fn more(&mut self, node: At, at: usize, count: u32) -> Option<(At, usize)> {
        let program = self.program;
        let Node::SetLoop { set, max, next, .. } = &program.nodes[node] else {
            return None;
        };
        if max.is_some_and(|m| count >= m) {
            return None;
        }
        let end = self.one(set, at)?;
        self.stack.push(Back::More(node, end, count + 1));
        Some((*next, end))
    }

    fn part_loop(&mut self, node: At, mut at: usize) -> Run<Option<(At, usize)>> {
        let program = self.program;
        let Node::PartLoop {
            part,
            min,
            max,
            kind,
            group,
            next,
        } = &program.nodes[node]
        else {
            return Ok(None);
        };
        if let Some(g) = group {
            let g = 2 * *g as usize;
            self.stack.push(Back::Group(g, self.groups[g], self.groups[g + 1]));
        }
        let mut count = 0;
        while count < *min {
            let Some(end) = self.run(*part, at, None)? else {
                return Ok(None);
            };
            self.note(*group, at, end);
            // Turns of nothing change nothing, however many are asked for.
            if end == at && count > 0 {
                break;
            }
            at = end;
            count += 1;
        }
        let count = count.max(*min);
        match kind {
            Kind::Greedy => self.greedy_part(node, at, count),
            Kind::Lazy => {
                self.stack.push(Back::MorePart(node, at, count));
                Ok(Some((*next, at)))
            }
            Kind::Possessive => {
                let mut count = count;
                while max.is_none_or(|m| count < m) {
                    let Some(end) = self.run(*part, at, None)? else { break };
                    self.note(*group, at, end);
                    if end == at {
                        break;
                    }
                    at = end;
                    count += 1;
                }
                Ok(Some((*next, at)))
            }
        }
    }

    fn note(&mut self, group: Option<u32>, start: usize, end: usize) {
        if let Some(g) = group {
            self.set_group(g, start as i32, end as i32, false);
        }
    }

    /// Takes as many turns as possible; a change of width opens another frame on top.
    fn greedy_part(&mut self, node: At, mut at: usize, mut count: u32) -> Run<Option<(At, usize)>> {
        let program = self.program;
        let Node::PartLoop {
            part, max, group, next, ..
        } = &program.nodes[node]
        else {
            return Ok(None);
        };
        let more = |count: u32| max.is_none_or(|m| count < m);
        loop {
            let min = count;
            let saved = group.map_or((0, 0), |g| {
                (self.groups[2 * g as usize], self.groups[2 * g as usize + 1])
            });
            if !more(count) {
                return Ok(Some((*next, at)));
            }
            let Some(end) = self.run(*part, at, None)? else {
                return Ok(Some((*next, at)));
            };
            // A turn of nothing does not even set the group.
            if end == at {
                return Ok(Some((*next, at)));
            }
            let width = end - at;
            let mut wider = false;
            self.note(*group, at, end);
            at = end;
            count += 1;
            while more(count) {
                let Some(end) = self.run(*part, at, None)? else { break };
                if end != at + width {
                    wider = true;
                    break;
                }
                self.note(*group, at, end);
                at = end;
                count += 1;
            }
            self.stack.push(Back::LessPart(PartFrame {
                node,
                at,
                width,
                count,
                min,
                saved,
                fresh: wider,
            }));
            if self.stack.len() > MAX_STACK {
                return Err(RegexError::Limit);
            }
            if !wider {
                return Ok(Some((*next, at)));
            }
        }
    }

    fn less_part(&mut self, mut frame: PartFrame) -> Option<(At, usize)> {
        let program = self.program;
        let Node::PartLoop { group, next, .. } = &program.nodes[frame.node] else {
            return None;
        };
        if frame.fresh {
            // What came on top has failed: this stretch is tried as it is.
            frame.fresh = false;
            let at = frame.at;
            self.stack.push(Back::LessPart(frame));
            return Some((*next, at));
        }
        frame.at -= frame.width;
        frame.count -= 1;
        if frame.count > frame.min {
            self.note(*group, frame.at - frame.width, frame.at);
            let at = frame.at;
            self.stack.push(Back::LessPart(frame));
            return Some((*next, at));
        }
        if let Some(g) = group {
            self.set_group(*g, frame.saved.0, frame.saved.1, false);
        }
        Some((*next, frame.at))
    }

    fn more_part(&mut self, node: At, at: usize, count: u32) -> Run<Option<(At, usize)>> {
        let program = self.program;
        let Node::PartLoop {
            part, max, group, next, ..
        } = &program.nodes[node]
        else {
            return Ok(None);
        };
        if max.is_some_and(|m| count >= m) {
            return Ok(None);
        }
        let Some(end) = self.run(*part, at, None)? else {
            return Ok(None);
        };
        if end == at {
            return Ok(None);
        }
        self.note(*group, at, end);
        self.stack.push(Back::MorePart(node, end, count + 1));
        Ok(Some((*next, end)))
    }

    fn begin_turn(&mut self, count: usize, value: i64) -> Run<()> {
        self.stack.push(Back::Turn(count, self.locals[count]));
        self.locals[count] = value;
        self.turns += 1;
        if self.turns > MAX_TURNS {
            Err(RegexError::Limit)
        } else {
            Ok(())
        }
    }

    fn enter(&mut self, turn: At, at: usize) -> Run<Option<(At, usize)>> {
        let program = self.program;
        let Node::Loop {
            body,
            count,
            min,
            max,
            lazy,
            next,
            ..
        } = &program.nodes[turn]
        else {
            return Ok(None);
        };
        if *min > 0 {
            self.begin_turn(*count, 1)?;
            return Ok(Some((*body, at)));
        }
        if max.is_some_and(|m| m == 0) {
            return Ok(Some((*next, at)));
        }
        if *lazy {
            self.stack.push(Back::LazyTurn(*body, at, *count, 1));
            return Ok(Some((*next, at)));
        }
        self.stack.push(Back::Goto(*next, at));
        self.begin_turn(*count, 1)?;
        Ok(Some((*body, at)))
    }

    fn turn(&mut self, node: At, at: usize) -> Run<Option<(At, usize)>> {
        let program = self.program;
        let Node::Loop {
            body,
            begin,
            count,
            min,
            max,
            lazy,
            next,
        } = &program.nodes[node]
        else {
            return Ok(None);
        };
        // A turn that took nothing ends the loop.
        if at as i64 <= self.locals[*begin] {
            return Ok(Some((*next, at)));
        }
        let done = self.locals[*count];
        if done < i64::from(*min) {
            self.begin_turn(*count, done + 1)?;
            return Ok(Some((*body, at)));
        }
        if max.is_some_and(|m| done >= i64::from(m)) {
            return Ok(Some((*next, at)));
        }
        if *lazy {
            self.stack.push(Back::LazyTurn(*body, at, *count, done + 1));
            return Ok(Some((*next, at)));
        }
        self.stack.push(Back::Goto(*next, at));
        self.begin_turn(*count, done + 1)?;
        Ok(Some((*body, at)))
    }

    fn behind(&mut self, cond: At, at: usize, min: u64, max: i32) -> Run<bool> {
        let (mut start, lowest) = if self.whole_characters {
            (self.back_characters(at, min), self.lowest_start(at, max))
        } else {
            let start = (at as u64).checked_sub(min).map(|s| s as usize);
            // The JDK's lengths wrap around, and so does this difference.
            (start, (at as i32).wrapping_sub(max).max(0) as usize)
        };
        while let Some(from) = start.filter(|s| *s >= lowest) {
            if self.run(cond, from, Some(at))?.is_some() {
                return Ok(true);
            }
            start = if self.whole_characters {
                self.back_characters(from, 1)
            } else {
                from.checked_sub(1)
            };
        }
        Ok(false)
    }

    /// The JDK counts a length that has wrapped around in the other direction.
    fn lowest_start(&self, at: usize, max: i32) -> usize {
        match max {
            i32::MIN => at,
            ..0 => at.saturating_sub(self.text.len() - at),
            _ => self.back_characters(at, max as u64).unwrap_or(0),
        }
    }

    fn back_characters(&self, mut at: usize, count: u64) -> Option<usize> {
        for _ in 0..count.min(self.text.len() as u64 + 1) {
            at -= code_point_before(self.text, at)?.1;
        }
        Some(at)
    }

    fn line_ending(&self, at: usize) -> Option<usize> {
        match (self.text.get(at)?, self.text.get(at + 1)) {
            (13, Some(10)) => Some(at + 2),
            (10..=13 | 0x85 | 0x2028 | 0x2029, _) => Some(at + 1),
            _ => None,
        }
    }

    fn back_reference(&self, group: u32, ignore_case: bool, unicode_case: bool, at: usize) -> Option<usize> {
        let g = 2 * group as usize;
        let (start, end) = (*self.groups.get(g)?, *self.groups.get(g + 1)?);
        if start < 0 || end < 0 {
            return None;
        }
        let wanted = &self.text[start as usize..end as usize];
        let got = self.text.get(at..at + wanted.len())?;
        let lower = |u: u16| {
            if u < 0x80 {
                case_map::to_lower(u32::from(u))
            } else {
                u32::from(u)
            }
        };
        let same = match (ignore_case, unicode_case) {
            (false, _) => wanted == got,
            (true, false) => wanted.iter().zip(got).all(|(a, b)| lower(*a) == lower(*b)),
            (true, true) => {
                let (mut a, mut b) = (unicode::code_points(wanted), unicode::code_points(got));
                loop {
                    match (a.next(), b.next()) {
                        (None, None) => break true,
                        (Some(x), Some(y)) if x == y || fold(x) == fold(y) => {}
                        _ => break false,
                    }
                }
            }
        };
        same.then_some(at + wanted.len())
    }

    fn holds(&self, place: Place, at: usize) -> bool {
        let len = self.text.len();
        match place {
            Place::Begin => at == 0,
            Place::End => at == len,
            Place::LastMatch => at as i64 == self.last_match,
            Place::Caret { unix } => at < len && self.line_starts(at, unix),
            Place::Dollar { multiline, unix } => self.line_ends(at, multiline, unix),
            Place::Bound { negated, unicode } => self.boundary(at, unicode) != negated,
        }
    }

    fn line_starts(&self, at: usize, unix: bool) -> bool {
        let Some(before) = at.checked_sub(1).map(|i| u32::from(self.text[i])) else {
            return true;
        };
        if unix {
            return before == 10;
        }
        is_line_end(before) && !(before == 13 && self.text[at] == 10)
    }

    fn line_ends(&self, at: usize, multiline: bool, unix: bool) -> bool {
        let rest = &self.text[at..];
        match rest {
            [] => true,
            [10, ..] if unix => multiline || rest.len() == 1,
            _ if unix => false,
            [10, ..] => (at == 0 || self.text[at - 1] != 13) && (multiline || rest.len() == 1),
            [13, 10] => true,
            [c, ..] => is_line_end(u32::from(*c)) && (multiline || rest.len() == 1),
        }
    }

    fn boundary(&self, at: usize, unicode: bool) -> bool {
        let wordy = |cp: u32, index: usize| {
            let plain = if unicode {
                is_word(cp)
            } else {
                cp == 0x5f || unicode::is_letter_or_digit(cp)
            };
            plain || (unicode::category(cp) == Category::NonspacingMark && self.has_base(index))
        };
        let left = code_point_before(self.text, at).is_some_and(|(cp, _)| wordy(cp, at - 1));
        let right = code_point_at(self.text, at).is_some_and(|(cp, _)| wordy(cp, at));
        left != right
    }

    /// Whether a combining mark stands on a letter or digit.
    fn has_base(&self, index: usize) -> bool {
        for i in (0..=index).rev() {
            let Some((cp, _)) = code_point_at(self.text, i) else {
                return false;
            };
            if unicode::is_letter_or_digit(cp) {
                return true;
            }
            if unicode::category(cp) != Category::NonspacingMark {
                return false;
            }
        }
        false
    }
}
