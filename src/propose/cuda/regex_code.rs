//! The compiler behind `regex`. In: a syntax tree; out: numbers for the machine in `rw_regex.cuh`, or the words for what it does not
//! match as the JDK does. Never sees a text.

use crate::jvm::regex::ast::{Ast, Kind, Place};
use crate::jvm::regex::class::CharSet;

/// Most numbers of a program.
const LONGEST: usize = 8192;
/// Most slots, as in `rw_regex.cuh`.
const SLOTS: i32 = 16;

/// Compiles a tree.
pub(super) fn compile(ast: &Ast) -> Result<Vec<i32>, &'static str> {
    let mut c = Compiler::default();
    c.ast(ast, false)?;
    c.code.push(op("Accept"));
    Ok(c.finish())
}

/// The number of an operation, as in `rw_regex.cuh`.
pub(super) fn op(name: &str) -> i32 {
    const OPS: [&str; 17] = [
        "Accept", "Char", "Set", "Loop", "Split", "Jump", "Save", "Mark", "Moved", "Enter", "Cut", "LookEnd", "NotEnd",
        "Back", "Place", "Ref", "Bound",
    ];
    OPS.iter().position(|o| *o == name).map_or(-1, |i| i as i32)
}

#[derive(Default)]
struct Compiler {
    code: Vec<i32>,
    sets: Vec<Vec<i32>>,
    /// Places in the code that name a set by its number.
    uses: Vec<usize>,
    slots: i32,
}

type Compiled = Result<(), &'static str>;

impl Compiler {
    fn finish(mut self) -> Vec<i32> {
        let mut starts = Vec::new();
        for set in &self.sets {
            starts.push(self.code.len() as i32);
            self.code.extend(set);
        }
        for place in self.uses {
            self.code[place] = starts[self.code[place] as usize];
        }
        self.code
    }

    fn put(&mut self, name: &str, operands: &[i32]) -> usize {
        let at = self.code.len();
        self.code.push(op(name));
        self.code.extend(operands);
        at
    }

    fn here(&self) -> i32 {
        self.code.len() as i32
    }

    fn slot(&mut self, count: i32) -> Result<i32, &'static str> {
        self.slots += count;
        if self.slots > SLOTS {
            return Err("such deep nesting");
        }
        Ok(self.slots - count)
    }

    fn set(&mut self, set: &CharSet, operation: &str, operands: &[i32]) {
        let bits = set.ascii();
        let mut numbers: Vec<i32> = (0..4).map(|i| (bits >> (32 * i)) as u32 as i32).collect();
        let ranges = set.ranges();
        numbers.push(ranges.len() as i32);
        numbers.extend(ranges.iter().flat_map(|(a, b)| [*a as i32, *b as i32]));
        let index = self.sets.iter().position(|s| *s == numbers).unwrap_or_else(|| {
            self.sets.push(numbers);
            self.sets.len() - 1
        });
        self.code.push(op(operation));
        self.uses.push(self.code.len());
        self.code.push(index as i32);
        self.code.extend(operands);
    }

    fn one(&mut self, set: &CharSet) {
        match set.only_unit() {
            Some(unit) => {
                self.put("Char", &[i32::from(unit)]);
            }
            None => self.set(set, "Set", &[]),
        }
    }

    /// `alone`: the part is matched on its own, so that the JDK keeps the groups it sets when what follows fails.
    fn ast(&mut self, ast: &Ast, alone: bool) -> Compiled {
        if self.code.len() + self.sets.iter().map(Vec::len).sum::<usize>() > LONGEST {
            return Err("so long a pattern");
        }
        match ast {
            Ast::Empty => {}
            Ast::Set(set) => self.one(set),
            Ast::Literal(sets) => sets.iter().for_each(|s| self.one(s)),
            Ast::Seq(parts) => parts.iter().try_for_each(|p| self.ast(p, alone))?,
            Ast::Alt(parts) => self.alternatives(parts, alone)?,
            Ast::Group { index: None, body } => self.ast(body, alone)?,
            Ast::Group { index: Some(g), body } => {
                if alone {
                    return Err("a group in a part that is matched on its own");
                }
                if refers(body, *g) {
                    return Err("a group that refers to itself");
                }
                self.put("Save", &[2 * *g as i32]);
                self.ast(body, alone)?;
                self.put("Save", &[2 * *g as i32 + 1]);
            }
            Ast::Repeat { atom, min, max, kind } => self.repeat(atom, *min, *max, *kind, alone)?,
            Ast::BackRef {
                group,
                ignore_case: false,
                ..
            } => {
                self.put("Ref", &[*group as i32]);
            }
            Ast::BackRef { .. } => return Err("a reference that ignores case"),
            Ast::At(place) => self.place(*place)?,
            Ast::Look { behind, negated, body } => self.look(*behind, *negated, body)?,
            Ast::Atomic(body) => self.atomic(body)?,
            Ast::LineEnding => return Err("`\\R`"),
        }
        Ok(())
    }

    fn alternatives(&mut self, parts: &[Ast], alone: bool) -> Compiled {
        let mut ends = Vec::new();
        for (i, part) in parts.iter().enumerate() {
            if i + 1 == parts.len() {
                self.ast(part, alone)?;
                break;
            }
            let split = self.put("Split", &[0, 0]);
            self.code[split + 1] = self.here();
            self.ast(part, alone)?;
            ends.push(self.put("Jump", &[0]));
            self.code[split + 2] = self.here();
        }
        for end in ends {
            self.code[end + 1] = self.here();
        }
        Ok(())
    }

    fn repeat(&mut self, atom: &Ast, min: u32, max: Option<u32>, kind: Kind, alone: bool) -> Compiled {
        if let Ast::Set(set) = atom {
            let kind = match kind {
                Kind::Greedy => 0,
                Kind::Lazy => 1,
                Kind::Possessive => 2,
            };
            let bound = |n: u32| i32::try_from(n).unwrap_or(i32::MAX);
            self.set(set, "Loop", &[bound(min), max.map_or(-1, bound), kind]);
            return Ok(());
        }
        if kind == Kind::Possessive {
            let greedy = Ast::Repeat {
                atom: Box::new(atom.clone()),
                min,
                max,
                kind: Kind::Greedy,
            };
            return self.atomic(&greedy);
        }
        let (body, optional) = match atom {
            Ast::Group { body, .. } => (body.as_ref(), (min, max) == (0, Some(1))),
            other => (other, false),
        };
        // The JDK takes the turns of a part with only one way to match one by one, on their own; so the groups inside, not the
        // repeated one itself.
        let turns_alone = !optional && (!matches!(atom, Ast::Group { .. }) || body.shape().deterministic);
        if turns_alone && has_groups(body) {
            return Err("a group in a repeated part that has only one way to match");
        }
        if body.shape().min == 0 && !optional && (max.is_some() || has_groups(atom)) {
            return Err("a repeated part that can be empty");
        }
        if min > 32 || max.is_some_and(|m| m > 64) {
            return Err("a group repeated so often");
        }
        for _ in 0..min {
            self.ast(atom, alone)?;
        }
        match max {
            None => self.unbounded(atom, kind, alone),
            Some(max) => {
                let mut splits = Vec::new();
                for _ in min..max {
                    splits.push(self.split(kind));
                    self.ast(atom, alone)?;
                }
                let end = self.here();
                for split in splits {
                    self.leave(split, kind, end);
                }
                Ok(())
            }
        }
    }

    /// A choice between going in and going on; going on is filled in later.
    fn split(&mut self, kind: Kind) -> usize {
        let at = self.put("Split", &[0, 0]);
        let inside = self.here();
        self.code[at + if kind == Kind::Greedy { 1 } else { 2 }] = inside;
        at
    }

    fn leave(&mut self, split: usize, kind: Kind, to: i32) {
        self.code[split + if kind == Kind::Greedy { 2 } else { 1 }] = to;
    }

    fn unbounded(&mut self, atom: &Ast, kind: Kind, alone: bool) -> Compiled {
        let start = self.here();
        let split = self.split(kind);
        let can_be_empty = atom.shape().min == 0;
        let slot = if can_be_empty { self.slot(1)? } else { 0 };
        if can_be_empty {
            self.put("Mark", &[slot]);
        }
        self.ast(atom, alone)?;
        let moved = can_be_empty.then(|| self.put("Moved", &[slot, 0]));
        self.put("Jump", &[start]);
        let end = self.here();
        self.leave(split, kind, end);
        // A turn that took nothing ends the loop.
        if let Some(moved) = moved {
            self.code[moved + 2] = end;
        }
        Ok(())
    }

    fn place(&mut self, place: Place) -> Compiled {
        let number = match place {
            Place::Begin => 0,
            Place::End => 1,
            Place::Caret { unix } => 2 + i32::from(unix),
            Place::Dollar { multiline, unix } => 4 + 2 * i32::from(multiline) + i32::from(unix),
            Place::Bound {
                negated,
                unicode: false,
            } => {
                self.put("Bound", &[i32::from(negated)]);
                return Ok(());
            }
            Place::Bound { .. } => return Err("a Unicode word boundary"),
            Place::LastMatch => return Err("`\\G`"),
        };
        self.put("Place", &[number]);
        Ok(())
    }

    fn look(&mut self, behind: bool, negated: bool, body: &Ast) -> Compiled {
        let shape = body.shape();
        let back = match (behind, shape.max) {
            (false, _) => 0,
            (true, Some(max)) if max as u64 == shape.min => max,
            _ => return Err("a lookbehind of several lengths"),
        };
        let slot = self.slot(2)?;
        self.put("Enter", &[slot]);
        let split = match negated {
            true => {
                let at = self.put("Split", &[0, 0]);
                self.code[at + 1] = self.here();
                Some(at)
            }
            false => {
                self.put("Mark", &[slot + 1]);
                None
            }
        };
        if behind {
            self.put("Back", &[back]);
        }
        self.ast(body, true)?;
        match split {
            Some(at) => {
                self.put("NotEnd", &[slot]);
                self.code[at + 2] = self.here();
            }
            None => {
                self.put("LookEnd", &[slot]);
            }
        }
        Ok(())
    }

    fn atomic(&mut self, body: &Ast) -> Compiled {
        let slot = self.slot(1)?;
        self.put("Enter", &[slot]);
        self.ast(body, true)?;
        self.put("Cut", &[slot]);
        Ok(())
    }
}

fn has_groups(ast: &Ast) -> bool {
    match ast {
        Ast::Group { index: Some(_), .. } => true,
        Ast::Group { body, .. } | Ast::Atomic(body) | Ast::Look { body, .. } => has_groups(body),
        Ast::Repeat { atom, .. } => has_groups(atom),
        Ast::Seq(parts) | Ast::Alt(parts) => parts.iter().any(has_groups),
        _ => false,
    }
}

fn refers(ast: &Ast, group: u32) -> bool {
    match ast {
        Ast::BackRef { group: g, .. } => *g == group,
        Ast::Group { body, .. } | Ast::Atomic(body) | Ast::Look { body, .. } => refers(body, group),
        Ast::Repeat { atom, .. } => refers(atom, group),
        Ast::Seq(parts) | Ast::Alt(parts) => parts.iter().any(|p| refers(p, group)),
        _ => false,
    }
}
