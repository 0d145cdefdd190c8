//! Repetition: of one character, of parts that match in only one way, and of groups.

use super::{Back, MAX_STACK, MAX_TURNS, Machine, PartFrame, Run};
use crate::jvm::regex::RegexError;
use crate::jvm::regex::ast::Kind;
use crate::jvm::regex::program::{At, Node};

impl Machine<'_> {
    pub(super) fn set_loop(&mut self, node: At, at: usize) -> Option<(At, usize)> {
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

    pub(super) fn more(&mut self, node: At, at: usize, count: u32) -> Option<(At, usize)> {
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

    pub(super) fn part_loop(&mut self, node: At, mut at: usize) -> Run<Option<(At, usize)>> {
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

    pub(super) fn note(&mut self, group: Option<u32>, start: usize, end: usize) {
        if let Some(g) = group {
            self.set_group(g, start as i32, end as i32, false);
        }
    }

    /// Takes as many turns as possible; a change of width opens another frame on top.
    pub(super) fn greedy_part(&mut self, node: At, mut at: usize, mut count: u32) -> Run<Option<(At, usize)>> {
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

    pub(super) fn less_part(&mut self, mut frame: PartFrame) -> Option<(At, usize)> {
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

    pub(super) fn more_part(&mut self, node: At, at: usize, count: u32) -> Run<Option<(At, usize)>> {
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

    pub(super) fn begin_turn(&mut self, count: usize, value: i64) -> Run<()> {
        self.stack.push(Back::Turn(count, self.locals[count]));
        self.locals[count] = value;
        self.turns += 1;
        if self.turns > MAX_TURNS {
            Err(RegexError::Limit)
        } else {
            Ok(())
        }
    }

    pub(super) fn enter(&mut self, turn: At, at: usize) -> Run<Option<(At, usize)>> {
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

    pub(super) fn turn(&mut self, node: At, at: usize) -> Run<Option<(At, usize)>> {
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
}
