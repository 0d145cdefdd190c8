//! Which variables a function or lambda owns and which it takes from outside. In: a program; out, per unit: free variables and
//! how each variable must be kept (a slot, or a cell that closures share). Never changes the program.

use std::collections::{BTreeSet, HashSet};

use crate::lang::ast::*;

/// A variable by the function (or initialiser) that declares it and its slot there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var {
    /// Index of the function; initialisers of globals follow the functions.
    pub owner: u32,
    /// Slot; [`SERIAL`] stands for the serial number of the owner's invocation.
    pub local: u32,
}

/// Pseudo-slot of an invocation's serial number.
pub const SERIAL: u32 = u32::MAX;

/// Facts about all variables.
pub struct Units<'p> {
    program: &'p Program,
    /// Free variables per function.
    pub free: Vec<BTreeSet<Var>>,
    captured: HashSet<Var>,
    assigned: HashSet<Var>,
    lazies: HashSet<Var>,
}

impl<'p> Units<'p> {
    /// Analyses a program.
    pub fn new(program: &'p Program) -> Units<'p> {
        let count = program.functions.len();
        let mut units = Units {
            program,
            free: vec![BTreeSet::new(); count],
            captured: HashSet::new(),
            assigned: HashSet::new(),
            lazies: HashSet::new(),
        };
        // Calls hand on what the callee takes from outside; repeat until nothing is added.
        loop {
            let mut grew = false;
            for f in 0..count {
                let function = &program.functions[f];
                let params = (0..function.params.len() as u32).map(LocalId).collect::<Vec<_>>();
                let free = units.free_of(f as u32, &function.body, &params);
                if free.len() > units.free[f].len() {
                    units.free[f] = free;
                    grew = true;
                }
            }
            if !grew {
                break;
            }
        }
        for (g, global) in program.globals.iter().enumerate() {
            units.free_of((count + g) as u32, &global.init, &[]);
        }
        for free in units.free.clone() {
            units.captured.extend(free);
        }
        units
    }

    /// Slots of a function or initialiser.
    pub fn locals(&self, owner: u32) -> &'p [Local] {
        let count = self.program.functions.len();
        match self.program.functions.get(owner as usize) {
            Some(f) => &f.locals,
            None => &self.program.globals[owner as usize - count].locals,
        }
    }

    /// The variable a slot stands for: that of the enclosing function if it is captured from there.
    pub fn resolve(&self, owner: u32, local: LocalId) -> Var {
        let mut at = Var { owner, local: local.0 };
        while let (Some(captured), Some(parent)) = (
            self.locals(at.owner).get(at.local as usize).and_then(|l| l.captured),
            self.program.functions.get(at.owner as usize).and_then(|f| f.parent),
        ) {
            at = Var {
                owner: parent.0,
                local: captured.0,
            };
        }
        at
    }

    /// Whether a variable must live in a cell: assigned, and seen by a closure.
    pub fn is_cell(&self, var: Var) -> bool {
        self.captured.contains(&var) && self.assigned.contains(&var)
    }

    /// Whether a variable is assigned anywhere after its declaration.
    pub fn is_assigned(&self, var: Var) -> bool {
        self.assigned.contains(&var)
    }

    /// Whether it is a `lazy val`.
    pub fn is_lazy(&self, var: Var) -> bool {
        self.lazies.contains(&var)
    }

    /// Variables that a body takes from outside, given its parameters.
    pub fn free_of(&mut self, owner: u32, body: &Expr, params: &[LocalId]) -> BTreeSet<Var> {
        let mut scan = Scan {
            owner,
            seen: BTreeSet::new(),
            own: BTreeSet::new(),
            in_lambda: false,
        };
        for p in params {
            let var = self.resolve(owner, *p);
            scan.own.insert(var);
        }
        self.expr(&mut scan, body);
        scan.own.insert(Var { owner, local: SERIAL });
        &scan.seen - &scan.own
    }

    /// As [`Units::free_of`] for a lambda: a `return` inside leaves the enclosing function, so that its serial number is free.
    pub fn free_of_lambda(&mut self, owner: u32, body: &Expr, params: &[LocalId]) -> BTreeSet<Var> {
        let mut scan = Scan {
            owner,
            seen: BTreeSet::new(),
            own: BTreeSet::new(),
            in_lambda: true,
        };
        for p in params {
            let var = self.resolve(owner, *p);
            scan.own.insert(var);
        }
        self.expr(&mut scan, body);
        let free = &scan.seen - &scan.own;
        self.captured.extend(free.iter().copied());
        free
    }

    fn bind(&mut self, scan: &mut Scan, local: LocalId) {
        let var = self.resolve(scan.owner, local);
        scan.own.insert(var);
    }

    fn exprs(&mut self, scan: &mut Scan, list: &[Expr]) {
        for e in list {
            self.expr(scan, e);
        }
    }

    fn expr(&mut self, scan: &mut Scan, e: &Expr) {
        use ExprKind::*;
        match &e.kind {
            Lit(_) | Global(_) => {}
            Local(l) => {
                scan.seen.insert(self.resolve(scan.owner, *l));
            }
            Unary(_, a) | Convert(_, a) | TupleField(a, _) | InstanceOf(a, _) | Cast(a, _) | Throw(a) => {
                self.expr(scan, a)
            }
            Field { recv, .. } => self.expr(scan, recv),
            Binary { lhs, rhs, .. } | RefEq { lhs, rhs, .. } | Identity { lhs, rhs, .. } => {
                self.expr(scan, lhs);
                self.expr(scan, rhs);
            }
            And(a, b) | Or(a, b) => {
                self.expr(scan, a);
                self.expr(scan, b);
            }
            Index { array, index } => {
                self.expr(scan, array);
                self.expr(scan, index);
            }
            Concat(items) | Tuple(items) | SeqLit(items) => self.exprs(scan, items),
            NewClass { args, .. } => self.exprs(scan, args),
            Block(stmts, value) => {
                self.stmts(scan, stmts);
                if let Some(v) = value {
                    self.expr(scan, v);
                }
            }
            If { cond, then, otherwise } => {
                self.expr(scan, cond);
                self.expr(scan, then);
                if let Some(o) = otherwise {
                    self.expr(scan, o);
                }
            }
            Match { scrutinee, cases } => {
                self.expr(scan, scrutinee);
                self.cases(scan, cases);
            }
            Try { body, catches, finally } => {
                self.expr(scan, body);
                self.cases(scan, catches);
                if let Some(f) = finally {
                    self.expr(scan, f);
                }
            }
            Return(value) => {
                if scan.in_lambda {
                    scan.seen.insert(Var {
                        owner: scan.owner,
                        local: SERIAL,
                    });
                }
                if let Some(v) = value {
                    self.expr(scan, v);
                }
            }
            Call { recv, args, .. } => {
                if let Some(r) = recv {
                    self.expr(scan, r);
                }
                self.exprs(scan, args);
            }
            CallFn { func, args } => {
                scan.seen.extend(self.free[func.0 as usize].iter().copied());
                let by_name: Vec<bool> = self.program.functions[func.0 as usize]
                    .params
                    .iter()
                    .map(|p| p.by_name)
                    .collect();
                for (i, a) in args.iter().enumerate() {
                    if by_name.get(i) == Some(&true) && !is_thunk(a) {
                        let free = self.free_of_lambda(scan.owner, a, &[]);
                        scan.seen.extend(free);
                    } else {
                        self.expr(scan, a);
                    }
                }
            }
            FnRef(func) => scan.seen.extend(self.free[func.0 as usize].iter().copied()),
            Apply { func, args } => {
                self.expr(scan, func);
                self.exprs(scan, args);
            }
            Lambda { params, body } => {
                let free = self.free_of_lambda(scan.owner, body, params);
                scan.seen.extend(free);
            }
        }
    }

    fn cases(&mut self, scan: &mut Scan, cases: &[Case]) {
        for case in cases {
            self.pattern(scan, &case.pattern);
            if let Some(g) = &case.guard {
                self.expr(scan, g);
            }
            self.expr(scan, &case.body);
        }
    }

    fn stmts(&mut self, scan: &mut Scan, stmts: &[Stmt]) {
        for stmt in stmts {
            match stmt {
                Stmt::Expr(e) => self.expr(scan, e),
                Stmt::Let { local, init, lazy } => {
                    self.bind(scan, *local);
                    if *lazy {
                        let var = self.resolve(scan.owner, *local);
                        self.lazies.insert(var);
                        let free = self.free_of_lambda(scan.owner, init, &[]);
                        scan.seen.extend(free);
                    } else {
                        self.expr(scan, init);
                    }
                }
                Stmt::LetPattern { pattern, init } => {
                    self.expr(scan, init);
                    self.pattern(scan, pattern);
                }
                Stmt::Assign { local, value } => {
                    let var = self.resolve(scan.owner, *local);
                    self.assigned.insert(var);
                    scan.seen.insert(var);
                    self.expr(scan, value);
                }
                Stmt::SetIndex { array, index, value } => {
                    self.expr(scan, array);
                    self.expr(scan, index);
                    self.expr(scan, value);
                }
                Stmt::Loop { cond, body, update, .. } => {
                    self.expr(scan, cond);
                    self.expr(scan, body);
                    self.stmts(scan, update);
                }
                Stmt::Break(_) | Stmt::Continue(_) => {}
            }
        }
    }

    fn pattern(&mut self, scan: &mut Scan, p: &Pattern) {
        use PatternKind::*;
        match &p.kind {
            Wildcard | Lit(_) | Typed(_) | None | Nil => {}
            Bind(local, inner) => {
                self.bind(scan, *local);
                if let Option::Some(inner) = inner {
                    self.pattern(scan, inner);
                }
            }
            Value(e) => self.expr(scan, e),
            Alternative(items) | Tuple(items) => items.iter().for_each(|i| self.pattern(scan, i)),
            Class { fields, .. } => fields.iter().for_each(|i| self.pattern(scan, i)),
            Some(inner) | Wrapper(_, inner) | NonFatal(inner) => self.pattern(scan, inner),
            Regex { regex, groups, .. } => {
                self.expr(scan, regex);
                groups.iter().for_each(|i| self.pattern(scan, i));
            }
            Seq { items, rest, .. } => {
                items.iter().for_each(|i| self.pattern(scan, i));
                if let Option::Some(rest) = rest {
                    self.pattern(scan, rest);
                }
            }
            Extract { func, result, .. } => {
                scan.seen.extend(self.free[func.0 as usize].iter().copied());
                self.pattern(scan, result);
            }
            Cons(head, tail) | Snoc(head, tail) | Prepended(head, tail) => {
                self.pattern(scan, head);
                self.pattern(scan, tail);
            }
        }
    }
}

struct Scan {
    owner: u32,
    seen: BTreeSet<Var>,
    own: BTreeSet<Var>,
    in_lambda: bool,
}

/// Whether an argument of a by-name parameter already is a function without parameters.
pub fn is_thunk(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Lambda { params, .. } if params.is_empty())
}
