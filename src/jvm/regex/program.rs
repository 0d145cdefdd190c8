//! Syntax tree to a graph of nodes, each of which knows the one that follows, as in the JDK.

use super::ast::{Ast, Kind, Place};
use super::class::CharSet;

/// Index of a node.
pub type At = usize;

/// One step of matching.
#[derive(Debug, Clone)]
pub enum Node {
    /// The end of the pattern or of a part that is matched on its own.
    Accept,
    /// One character.
    Set(CharSet, At),
    /// Text without case variants, in the basic plane and without surrogates.
    Text(Box<[u16]>, At),
    /// A repeated character.
    SetLoop {
        set: CharSet,
        min: u32,
        max: Option<u32>,
        kind: Kind,
        next: At,
    },
    /// A repeated part that can match in only one way (or is matched on its own); `group` is set as it repeats.
    PartLoop {
        part: At,
        min: u32,
        max: Option<u32>,
        kind: Kind,
        group: Option<u32>,
        next: At,
    },
    /// Enters a loop over a group.
    Enter(At),
    /// One more turn of a loop over a group, or on.
    Loop {
        body: At,
        begin: usize,
        count: usize,
        min: u32,
        max: Option<u32>,
        lazy: bool,
        next: At,
    },
    /// Remembers where a group begins.
    Head { begin: usize, next: At },
    /// Sets a group; anonymous ones have none.
    Tail { begin: usize, group: Option<u32>, next: At },
    /// Alternatives.
    Branch(Vec<At>),
    /// A place.
    Place(Place, At),
    /// `\R`.
    LineEnding(At),
    /// A back reference.
    BackRef {
        group: u32,
        ignore_case: bool,
        unicode_case: bool,
        next: At,
    },
    /// A condition ahead.
    Ahead { negated: bool, cond: At, next: At },
    /// A condition behind, between so many characters.
    Behind {
        negated: bool,
        cond: At,
        min: u64,
        max: i32,
        next: At,
    },
    /// An independent part.
    Atomic { part: At, next: At },
}

/// A compiled pattern.
#[derive(Debug)]
pub struct Program {
    /// The nodes; 0 accepts.
    pub nodes: Vec<Node>,
    /// Where to start.
    pub start: At,
    /// Number of local variables (group starts and loop counters).
    pub locals: usize,
    /// ASCII characters that a match can start with, and whether others can; `None` if it may be empty.
    pub first: Option<(u128, bool)>,
}

/// Compiles a tree.
pub fn compile(ast: &Ast) -> Program {
    let mut c = Compiler {
        nodes: vec![Node::Accept],
        locals: 0,
    };
    let start = c.ast(ast, 0);
    let first = first_of(ast)
        .filter(|f| !f.empty && !leaves_groups(ast, false))
        .map(|f| (f.ascii, f.wide));
    Program {
        nodes: c.nodes,
        start,
        locals: c.locals,
        first,
    }
}

struct Compiler {
    nodes: Vec<Node>,
    locals: usize,
}

impl Compiler {
    fn add(&mut self, node: Node) -> At {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn local(&mut self) -> usize {
        self.locals += 1;
        self.locals - 1
    }

    fn ast(&mut self, ast: &Ast, next: At) -> At {
        match ast {
            Ast::Empty => next,
            Ast::Set(set) => self.add(Node::Set(set.clone(), next)),
            Ast::Literal(sets) => self.literal(sets, next),
            Ast::Seq(parts) => parts.iter().rev().fold(next, |next, part| self.ast(part, next)),
            Ast::Alt(parts) => {
                let starts = parts.iter().map(|p| self.ast(p, next)).collect();
                self.add(Node::Branch(starts))
            }
            Ast::Group { index, body } => self.group(*index, body, next).0,
            Ast::Repeat { atom, min, max, kind } => self.repeat(atom, *min, *max, *kind, next),
            Ast::BackRef {
                group,
                ignore_case,
                unicode_case,
            } => self.add(Node::BackRef {
                group: *group,
                ignore_case: *ignore_case,
                unicode_case: *unicode_case,
                next,
            }),
            Ast::At(place) => self.add(Node::Place(*place, next)),
            Ast::Look { behind, negated, body } => {
                let cond = self.ast(body, 0);
                let negated = *negated;
                if *behind {
                    let shape = body.shape();
                    let (min, max) = (shape.min, shape.max.unwrap_or(i32::MAX));
                    self.add(Node::Behind {
                        negated,
                        cond,
                        min,
                        max,
                        next,
                    })
                } else {
                    self.add(Node::Ahead { negated, cond, next })
                }
            }
            Ast::Atomic(body) => {
                let part = self.ast(body, 0);
                self.add(Node::Atomic { part, next })
            }
            Ast::LineEnding => self.add(Node::LineEnding(next)),
        }
    }

    fn literal(&mut self, sets: &[CharSet], next: At) -> At {
        let plain: Option<Vec<u16>> = sets.iter().map(CharSet::only_unit).collect();
        match plain {
            Some(units) => self.add(Node::Text(units.into(), next)),
            None => sets
                .iter()
                .rev()
                .fold(next, |next, set| self.add(Node::Set(set.clone(), next))),
        }
    }

    /// A group: its entry and the local variable of its start.
    fn group(&mut self, index: Option<u32>, body: &Ast, next: At) -> (At, usize) {
        let begin = self.local();
        let tail = self.add(Node::Tail {
            begin,
            group: index,
            next,
        });
        let inside = self.ast(body, tail);
        (self.add(Node::Head { begin, next: inside }), begin)
    }

    fn repeat(&mut self, atom: &Ast, min: u32, max: Option<u32>, kind: Kind, next: At) -> At {
        match atom {
            Ast::Set(set) => {
                let set = set.clone();
                self.add(Node::SetLoop {
                    set,
                    min,
                    max,
                    kind,
                    next,
                })
            }
            Ast::Group { index, body } if kind != Kind::Possessive => {
                if (min, max) == (0, Some(1)) {
                    let (taken, _) = self.group(*index, body, next);
                    let order = if kind == Kind::Greedy {
                        vec![taken, next]
                    } else {
                        vec![next, taken]
                    };
                    return self.add(Node::Branch(order));
                }
                if body.shape().deterministic {
                    let part = self.ast(body, 0);
                    let group = *index;
                    return self.add(Node::PartLoop {
                        part,
                        min,
                        max,
                        kind,
                        group,
                        next,
                    });
                }
                self.group_loop(*index, body, min, max, kind, next)
            }
            other => {
                let part = self.ast(other, 0);
                self.add(Node::PartLoop {
                    part,
                    min,
                    max,
                    kind,
                    group: None,
                    next,
                })
            }
        }
    }

    fn group_loop(&mut self, index: Option<u32>, body: &Ast, min: u32, max: Option<u32>, kind: Kind, next: At) -> At {
        let count = self.local();
        let turn = self.add(Node::Accept);
        let (body, begin) = self.group(index, body, turn);
        self.nodes[turn] = Node::Loop {
            body,
            begin,
            count,
            min,
            max,
            lazy: kind == Kind::Lazy,
            next,
        };
        self.add(Node::Enter(turn))
    }
}

/// Whether a failed attempt can leave a group set; then no attempt may be skipped.
fn leaves_groups(ast: &Ast, alone: bool) -> bool {
    match ast {
        Ast::Group { index, body } => (alone && index.is_some()) || leaves_groups(body, alone),
        Ast::Seq(parts) | Ast::Alt(parts) => parts.iter().any(|p| leaves_groups(p, alone)),
        Ast::Look { body, .. } | Ast::Atomic(body) => leaves_groups(body, true),
        Ast::Repeat { atom, kind, .. } => leaves_groups(atom, alone || *kind == Kind::Possessive || inner_groups(atom)),
        _ => false,
    }
}

/// Whether a repeated group holds groups and may be matched turn by turn on its own.
fn inner_groups(atom: &Ast) -> bool {
    matches!(atom, Ast::Group { body, .. } if leaves_groups(body, true))
}

/// What a match can begin with.
#[derive(Clone, Copy)]
struct First {
    ascii: u128,
    wide: bool,
    empty: bool,
}

/// `None` where it is not worth knowing.
fn first_of(ast: &Ast) -> Option<First> {
    let of_set = |set: &CharSet| First {
        ascii: set.ascii(),
        wide: set.only_unit().is_none_or(|u| u >= 0x80),
        empty: false,
    };
    let nothing = First {
        ascii: 0,
        wide: false,
        empty: true,
    };
    match ast {
        Ast::Empty | Ast::At(_) => Some(nothing),
        Ast::Set(set) => Some(of_set(set)),
        Ast::Literal(sets) => sets.first().map(of_set),
        Ast::Seq(parts) => {
            let mut all = nothing;
            for part in parts {
                let f = first_of(part)?;
                all.ascii |= f.ascii;
                all.wide |= f.wide;
                if !f.empty {
                    all.empty = false;
                    break;
                }
            }
            Some(all)
        }
        Ast::Alt(parts) => parts.iter().map(first_of).try_fold(
            First {
                empty: false,
                ..nothing
            },
            |a, b| {
                let b = b?;
                Some(First {
                    ascii: a.ascii | b.ascii,
                    wide: a.wide | b.wide,
                    empty: a.empty | b.empty,
                })
            },
        ),
        Ast::Group { body, .. } | Ast::Atomic(body) => first_of(body),
        Ast::Repeat { atom, min, .. } => first_of(atom).map(|f| First {
            empty: f.empty || *min == 0,
            ..f
        }),
        Ast::BackRef { .. } | Ast::Look { .. } | Ast::LineEnding => None,
    }
}
