//! Prints typed programs compactly, for tests and bug reports. Not a stable format.

use std::fmt::Write;

use super::ast::{Case, Conv, Expr, ExprKind, Function, Lit, LocalId, Pattern, PatternKind, Program, Stmt, UnOp};

/// The whole program: classes, globals, functions.
pub fn pretty(program: &Program) -> String {
    let p = Printer { program };
    let mut out = String::new();
    for c in &program.classes {
        let fields: Vec<String> = c.fields.iter().map(|(n, t)| format!("{n}: {t}")).collect();
        let _ = writeln!(out, "class {}({})", c.name, fields.join(", "));
    }
    for g in &program.globals {
        let names = Names { locals: &g.locals };
        let _ = writeln!(out, "val {}: {} = {}", g.name, g.ty, p.expr(&g.init, &names));
    }
    for (i, f) in program.functions.iter().enumerate() {
        let entry = if program.entry.0 as usize == i { "entry " } else { "" };
        let _ = writeln!(out, "{entry}{}", p.function(f));
    }
    out
}

struct Printer<'a> {
    program: &'a Program,
}

struct Names<'a> {
    locals: &'a [super::ast::Local],
}

impl Names<'_> {
    fn local(&self, id: LocalId) -> String {
        match self.locals.get(id.0 as usize) {
            Some(l) => format!("{}{}", l.name, id.0),
            None => format!("?{}", id.0),
        }
    }
}

impl Printer<'_> {
    fn function(&self, f: &Function) -> String {
        let params: Vec<String> = f
            .params
            .iter()
            .map(|p| format!("{}: {}{}", p.name, if p.by_name { "=> " } else { "" }, p.ty))
            .collect();
        let names = Names { locals: &f.locals };
        format!(
            "def {}({}): {} = {}",
            f.name,
            params.join(", "),
            f.ret,
            self.expr(&f.body, &names)
        )
    }

    fn list(&self, items: &[Expr], n: &Names) -> String {
        items.iter().map(|e| self.expr(e, n)).collect::<Vec<_>>().join(", ")
    }

    fn expr(&self, e: &Expr, n: &Names) -> String {
        let x = |e: &Expr| self.expr(e, n);
        match &e.kind {
            ExprKind::Lit(l) => lit(l),
            ExprKind::Local(id) => n.local(*id),
            ExprKind::Global(g) => self
                .program
                .globals
                .get(g.0 as usize)
                .map_or("?".into(), |g| g.name.clone()),
            ExprKind::Unary(op, a) => {
                let op = match op {
                    UnOp::Neg => "-",
                    UnOp::Not => "!",
                    UnOp::BitNot => "~",
                };
                format!("{op}{}", x(a))
            }
            ExprKind::Binary { op, prim, lhs, rhs } => format!("{op:?}.{}({}, {})", prim.name(), x(lhs), x(rhs)),
            ExprKind::And(a, b) => format!("({} && {})", x(a), x(b)),
            ExprKind::Or(a, b) => format!("({} || {})", x(a), x(b)),
            ExprKind::RefEq { lhs, rhs, negated } => format!("({} {} {})", x(lhs), eq(*negated, "==", "!="), x(rhs)),
            ExprKind::Identity { lhs, rhs, negated } => format!("({} {} {})", x(lhs), eq(*negated, "eq", "ne"), x(rhs)),
            ExprKind::Convert(c, a) => format!("{}({})", conv(c), x(a)),
            ExprKind::Concat(parts) => format!("concat({})", self.list(parts, n)),
            ExprKind::Block(stmts, value) => {
                let mut parts: Vec<String> = stmts.iter().map(|s| self.stmt(s, n)).collect();
                parts.extend(value.as_ref().map(|v| x(v)));
                format!("{{{}}}", parts.join("; "))
            }
            ExprKind::If { cond, then, otherwise } => match otherwise {
                Some(o) => format!("if ({}) {} else {}", x(cond), x(then), x(o)),
                None => format!("if ({}) {}", x(cond), x(then)),
            },
            ExprKind::Match { scrutinee, cases } => format!("{} match {{{}}}", x(scrutinee), self.cases(cases, n)),
            ExprKind::Try { body, catches, finally } => {
                let mut out = format!("try {}", x(body));
                if !catches.is_empty() {
                    let _ = write!(out, " catch {{{}}}", self.cases(catches, n));
                }
                if let Some(f) = finally {
                    let _ = write!(out, " finally {}", x(f));
                }
                out
            }
            ExprKind::Throw(a) => format!("throw {}", x(a)),
            ExprKind::Return(a) => format!("return {}", a.as_ref().map_or(String::new(), |a| x(a))),
            ExprKind::Call { method, recv, args } => match recv {
                Some(r) => format!("{}.[{}]({})", x(r), method.id, self.list(args, n)),
                None => format!("[{}]({})", method.id, self.list(args, n)),
            },
            ExprKind::CallFn { func, args } => format!("{}({})", self.name_of(func.0), self.list(args, n)),
            ExprKind::Apply { func, args } => format!("{}.apply({})", x(func), self.list(args, n)),
            ExprKind::Lambda { params, body } => {
                let params: Vec<String> = params.iter().map(|p| n.local(*p)).collect();
                format!("(({}) => {})", params.join(", "), x(body))
            }
            ExprKind::FnRef(f) => format!("{} _", self.name_of(f.0)),
            ExprKind::Tuple(items) => format!("({})", self.list(items, n)),
            ExprKind::TupleField(a, i) => format!("{}._{}", x(a), i + 1),
            ExprKind::NewClass { class, args } => {
                let name = self.program.classes.get(class.0 as usize).map_or("?", |c| &c.name);
                format!("{name}({})", self.list(args, n))
            }
            ExprKind::Field { recv, class, index } => {
                let class = self.program.classes.get(class.0 as usize);
                let field = class.and_then(|c| c.fields.get(*index)).map_or("?", |f| &f.0);
                format!("{}.{field}", x(recv))
            }
            ExprKind::SeqLit(items) => format!("{}({})", e.ty, self.list(items, n)),
            ExprKind::Index { array, index } => format!("{}[{}]", x(array), x(index)),
            ExprKind::InstanceOf(a, t) => format!("{}.is[{t}]", x(a)),
            ExprKind::Cast(a, t) => format!("{}.as[{t}]", x(a)),
        }
    }

    fn name_of(&self, id: u32) -> String {
        self.program
            .functions
            .get(id as usize)
            .map_or("?".into(), |f| f.name.clone())
    }

    fn cases(&self, cases: &[Case], n: &Names) -> String {
        let case = |c: &Case| {
            let guard = c
                .guard
                .as_ref()
                .map(|g| format!(" if {}", self.expr(g, n)))
                .unwrap_or_default();
            format!(
                "case {}{guard} => {}",
                self.pattern(&c.pattern, n),
                self.expr(&c.body, n)
            )
        };
        cases.iter().map(case).collect::<Vec<_>>().join(" ")
    }

    fn stmt(&self, s: &Stmt, n: &Names) -> String {
        let x = |e: &Expr| self.expr(e, n);
        match s {
            Stmt::Expr(e) => x(e),
            Stmt::Let { local, init, lazy } => {
                format!(
                    "{}let {} = {}",
                    if *lazy { "lazy " } else { "" },
                    n.local(*local),
                    x(init)
                )
            }
            Stmt::LetPattern { pattern, init } => format!("let {} = {}", self.pattern(pattern, n), x(init)),
            Stmt::Assign { local, value } => format!("{} = {}", n.local(*local), x(value)),
            Stmt::SetIndex { array, index, value } => format!("{}[{}] = {}", x(array), x(index), x(value)),
            Stmt::Loop {
                cond, body, test_first, ..
            } => {
                if *test_first {
                    format!("while ({}) {}", x(cond), x(body))
                } else {
                    format!("do {} while ({})", x(body), x(cond))
                }
            }
            Stmt::Break(_) => "break".into(),
            Stmt::Continue(_) => "continue".into(),
        }
    }

    fn pattern(&self, p: &Pattern, n: &Names) -> String {
        let all = |ps: &[Pattern]| ps.iter().map(|p| self.pattern(p, n)).collect::<Vec<_>>();
        match &p.kind {
            PatternKind::Wildcard => "_".into(),
            PatternKind::Bind(id, None) => n.local(*id),
            PatternKind::Bind(id, Some(p)) => format!("{} @ {}", n.local(*id), self.pattern(p, n)),
            PatternKind::Lit(l) => lit(l),
            PatternKind::Value(e) => format!("`{}`", self.expr(e, n)),
            PatternKind::Typed(t) => format!("_: {t}"),
            PatternKind::Alternative(ps) => all(ps).join(" | "),
            PatternKind::Tuple(ps) => format!("({})", all(ps).join(", ")),
            PatternKind::Some(p) => format!("Some({})", self.pattern(p, n)),
            PatternKind::None => "None".into(),
            PatternKind::Wrapper(w, p) => format!("{w:?}({})", self.pattern(p, n)),
            PatternKind::Regex { regex, groups, rest } => {
                let mut groups = all(groups);
                groups.extend(rest.then(|| "_*".to_owned()));
                format!("{}({})", self.expr(regex, n), groups.join(", "))
            }
            PatternKind::Class { class, fields } => {
                let name = self.program.classes.get(class.0 as usize).map_or("?", |c| &c.name);
                format!("{name}({})", all(fields).join(", "))
            }
            PatternKind::Seq { kind, items, rest } => {
                let mut items = all(items);
                items.extend(rest.as_ref().map(|r| format!("{} @ _*", self.pattern(r, n))));
                format!("{kind}({})", items.join(", "))
            }
            PatternKind::Cons(h, t) => format!("{} :: {}", self.pattern(h, n), self.pattern(t, n)),
            PatternKind::Snoc(i, l) => format!("{} :+ {}", self.pattern(i, n), self.pattern(l, n)),
            PatternKind::Prepended(h, t) => format!("{} +: {}", self.pattern(h, n), self.pattern(t, n)),
            PatternKind::Extract { func, result, .. } => {
                let name = self.program.functions.get(func.0 as usize).map_or("?", |f| &f.name);
                format!("{name} -> {}", self.pattern(result, n))
            }
            PatternKind::Nil => "Nil".into(),
            PatternKind::NonFatal(p) => format!("NonFatal({})", self.pattern(p, n)),
        }
    }
}

fn eq(negated: bool, yes: &'static str, no: &'static str) -> &'static str {
    if negated { no } else { yes }
}

fn conv(c: &Conv) -> String {
    match c {
        Conv::Prim { from, to } => format!("{}2{}", from.name(), to.name()),
        Conv::Box(p) => format!("box{}", p.name()),
        Conv::Unbox(p) => format!("unbox{}", p.name()),
        other => format!("{other:?}"),
    }
}

fn lit(l: &Lit) -> String {
    match l {
        Lit::Unit => "()".into(),
        Lit::Null => "null".into(),
        Lit::Bool(b) => b.to_string(),
        Lit::Byte(v) => format!("{v}b"),
        Lit::Short(v) => format!("{v}s"),
        Lit::Char(c) => format!("'{}'", String::from_utf16_lossy(&[*c])),
        Lit::Int(v) => v.to_string(),
        Lit::Long(v) => format!("{v}L"),
        Lit::Float(v) => format!("{v:?}f"),
        Lit::Double(v) => format!("{v:?}"),
        Lit::Str(u) => format!("{:?}", String::from_utf16_lossy(u)),
    }
}
