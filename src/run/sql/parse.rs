//! Tokens come in; the syntax tree of one Spark SQL expression goes out. Precedence is that of Spark's own grammar:
//! unary, `* / % DIV`, `+ - ||`, `&`, `^`, `|`, comparison, predicates, NOT, AND, OR. Never looks at types.

use super::ast::{Ast, AstKind};
use super::lex::{SyntaxError, Tok, Token, lex, syntax};
use super::literal;
use super::special;
use super::ty::Ty;
use super::val::Val;
use crate::source::Span;

/// Nesting that is parsed before a text is refused, which keeps the stack bounded.
const MAX_DEPTH: usize = 120;

pub(super) type P<T> = Result<T, SyntaxError>;

/// The state of parsing one text.
pub(super) struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

/// Parses a whole text as one expression; a trailing `AS name` is accepted and ignored.
pub fn parse(text: &str) -> P<Ast> {
    let mut p = Parser {
        tokens: lex(text)?,
        at: 0,
        depth: 0,
    };
    let e = p.expression()?;
    if p.word("AS") {
        p.identifier()?;
    }
    p.op(";");
    match p.peek() {
        Tok::End => Ok(e),
        _ => {
            let span = p.span();
            let (start, end) = (span.start as usize, span.end as usize);
            syntax(start, end, format!("`{}` was not expected here", &text[start..end]))
        }
    }
}

impl Parser {
    pub(super) fn peek(&self) -> &Tok {
        &self.tokens[self.at].tok
    }

    pub(super) fn peek_at(&self, ahead: usize) -> &Tok {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)].tok
    }

    pub(super) fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    pub(super) fn next(&mut self) -> Tok {
        let t = self.tokens[self.at].tok.clone();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        t
    }

    pub(super) fn since(&self, start: Span) -> Span {
        let end = self.tokens[self.at.saturating_sub(1)].span.end;
        Span {
            start: start.start,
            end: end.max(start.end),
        }
    }

    pub(super) fn fail<T>(&self, message: impl Into<String>) -> P<T> {
        let s = self.span();
        syntax(s.start as usize, s.end as usize, message)
    }

    pub(super) fn is_word(&self, w: &str) -> bool {
        matches!(self.peek(), Tok::Word(x) if x.eq_ignore_ascii_case(w))
    }

    pub(super) fn is_word_at(&self, ahead: usize, w: &str) -> bool {
        matches!(self.peek_at(ahead), Tok::Word(x) if x.eq_ignore_ascii_case(w))
    }

    pub(super) fn word(&mut self, w: &str) -> bool {
        let yes = self.is_word(w);
        if yes {
            self.next();
        }
        yes
    }

    pub(super) fn is_op(&self, o: &str) -> bool {
        matches!(self.peek(), Tok::Op(x) if *x == o)
    }

    pub(super) fn op(&mut self, o: &str) -> bool {
        let yes = self.is_op(o);
        if yes {
            self.next();
        }
        yes
    }

    pub(super) fn want_op(&mut self, o: &str) -> P<()> {
        if self.op(o) {
            Ok(())
        } else {
            self.fail(format!("expected `{o}`"))
        }
    }

    pub(super) fn want_word(&mut self, w: &str) -> P<()> {
        if self.word(w) {
            Ok(())
        } else {
            self.fail(format!("expected {w}"))
        }
    }

    pub(super) fn identifier(&mut self) -> P<String> {
        match self.peek().clone() {
            Tok::Word(w) | Tok::Quoted(w) => {
                self.next();
                Ok(w)
            }
            _ => self.fail("expected a name"),
        }
    }

    pub(super) fn expression(&mut self) -> P<Ast> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.fail(format!("expression is nested more than {MAX_DEPTH} deep"));
        }
        let e = self.or_expression();
        self.depth -= 1;
        e
    }

    fn or_expression(&mut self) -> P<Ast> {
        let start = self.span();
        let mut left = self.and_expression()?;
        while self.word("OR") {
            let right = self.and_expression()?;
            left = Ast::call("or", vec![left, right], self.since(start));
        }
        Ok(left)
    }

    fn and_expression(&mut self) -> P<Ast> {
        let start = self.span();
        let mut left = self.not_expression()?;
        while self.word("AND") {
            let right = self.not_expression()?;
            left = Ast::call("and", vec![left, right], self.since(start));
        }
        Ok(left)
    }

    fn not_expression(&mut self) -> P<Ast> {
        let start = self.span();
        if self.word("NOT") || self.op("!") {
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return self.fail(format!("expression is nested more than {MAX_DEPTH} deep"));
            }
            let e = self.not_expression()?;
            self.depth -= 1;
            return Ok(Ast::call("not", vec![e], self.since(start)));
        }
        self.predicate()
    }

    fn predicate(&mut self) -> P<Ast> {
        let start = self.span();
        let mut e = self.value(0)?;
        loop {
            let negated = self.is_word("NOT");
            let ahead = usize::from(negated);
            let known = ["BETWEEN", "IN", "LIKE", "ILIKE", "RLIKE", "REGEXP"];
            if known.iter().any(|w| self.is_word_at(ahead, w)) {
                if negated {
                    self.next();
                }
                let name = self.identifier()?.to_ascii_uppercase();
                e = self.predicate_tail(e, &name, start)?;
                if negated {
                    e = Ast::call("not", vec![e], self.since(start));
                }
            } else if self.word("IS") {
                e = self.is_tail(e, start)?;
            } else {
                return Ok(e);
            }
        }
    }

    fn predicate_tail(&mut self, e: Ast, name: &str, start: Span) -> P<Ast> {
        match name {
            "BETWEEN" => {
                let low = self.value(0)?;
                self.want_word("AND")?;
                let high = self.value(0)?;
                let span = self.since(start);
                let ge = Ast::call(">=", vec![e.clone(), low], span);
                let le = Ast::call("<=", vec![e, high], span);
                Ok(Ast::call("and", vec![ge, le], span))
            }
            "IN" => {
                self.want_op("(")?;
                let mut args = vec![e];
                args.extend(self.list(")")?);
                Ok(Ast::call("in", args, self.since(start)))
            }
            "LIKE" | "ILIKE" => {
                let pattern = self.value(0)?;
                let mut args = vec![e, pattern];
                if self.word("ESCAPE") {
                    args.push(self.value(0)?);
                }
                Ok(Ast::call(&name.to_ascii_lowercase(), args, self.since(start)))
            }
            _ => {
                let pattern = self.value(0)?;
                Ok(Ast::call("rlike", vec![e, pattern], self.since(start)))
            }
        }
    }

    fn is_tail(&mut self, e: Ast, start: Span) -> P<Ast> {
        let negated = self.word("NOT");
        let lit = |b: bool| Ast::new(AstKind::Lit(Val::Bool(b), Ty::Bool), start);
        let positive = if self.word("NULL") || self.word("UNKNOWN") {
            Ast::call("isnull", vec![e], self.since(start))
        } else if self.word("TRUE") {
            Ast::call("<=>", vec![e, lit(true)], self.since(start))
        } else if self.word("FALSE") {
            Ast::call("<=>", vec![e, lit(false)], self.since(start))
        } else if self.word("DISTINCT") {
            self.want_word("FROM")?;
            let right = self.value(0)?;
            let same = Ast::call("<=>", vec![e, right], self.since(start));
            Ast::call("not", vec![same], self.since(start))
        } else {
            return self.fail("expected NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM after IS");
        };
        Ok(if negated {
            Ast::call("not", vec![positive], self.since(start))
        } else {
            positive
        })
    }

    fn binary_op(&self) -> Option<(&'static str, u8)> {
        Some(match self.peek() {
            Tok::Op("*") => ("*", 7),
            Tok::Op("/") => ("/", 7),
            Tok::Op("%") => ("%", 7),
            Tok::Word(w) if w.eq_ignore_ascii_case("div") => ("div", 7),
            Tok::Op("+") => ("+", 6),
            Tok::Op("-") => ("-", 6),
            Tok::Op("||") => ("||", 6),
            Tok::Op("&") => ("&", 5),
            Tok::Op("^") => ("^", 4),
            Tok::Op("|") => ("|", 3),
            Tok::Op("=" | "==") => ("=", 2),
            Tok::Op("<=>") => ("<=>", 2),
            Tok::Op("<>" | "!=") => ("<>", 2),
            Tok::Op("<") => ("<", 2),
            Tok::Op("<=") => ("<=", 2),
            Tok::Op(">") => (">", 2),
            Tok::Op(">=") => (">=", 2),
            _ => return None,
        })
    }

    /// An operand of a predicate: everything from comparison up.
    pub(super) fn value(&mut self, min: u8) -> P<Ast> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.fail(format!("expression is nested more than {MAX_DEPTH} deep"));
        }
        let start = self.span();
        let mut left = self.unary()?;
        while let Some((op, level)) = self.binary_op() {
            if level < min.max(1) {
                break;
            }
            self.next();
            let right = self.value(level + 1)?;
            left = match op {
                "<>" => {
                    let eq = Ast::call("=", vec![left, right], self.since(start));
                    Ast::call("not", vec![eq], self.since(start))
                }
                "||" => Ast::call("concat", vec![left, right], self.since(start)),
                _ => Ast::call(op, vec![left, right], self.since(start)),
            };
        }
        self.depth -= 1;
        Ok(left)
    }

    fn unary(&mut self) -> P<Ast> {
        let start = self.span();
        if self.op("-") {
            if let Tok::Number(digits, suffix) = self.peek().clone() {
                self.next();
                let lit = literal::number(&digits, suffix, true, self.since(start))?;
                return self.postfix(lit, start);
            }
            let e = self.nested_unary()?;
            return Ok(Ast::call("negative", vec![e], self.since(start)));
        }
        if self.op("+") {
            let e = self.nested_unary()?;
            return Ok(Ast::call("positive", vec![e], self.since(start)));
        }
        if self.op("~") {
            let e = self.nested_unary()?;
            return Ok(Ast::call("~", vec![e], self.since(start)));
        }
        let e = self.primary()?;
        self.postfix(e, start)
    }

    fn nested_unary(&mut self) -> P<Ast> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.fail(format!("expression is nested more than {MAX_DEPTH} deep"));
        }
        let e = self.unary();
        self.depth -= 1;
        e
    }

    fn postfix(&mut self, mut e: Ast, start: Span) -> P<Ast> {
        loop {
            if self.op("[") {
                let index = self.value(0)?;
                self.want_op("]")?;
                e = Ast::call("[]", vec![e, index], self.since(start));
            } else if self.is_op(".") {
                self.next();
                let name = self.identifier()?;
                let span = self.since(start);
                e = match e.kind {
                    AstKind::Name(mut parts) => {
                        parts.push(name);
                        Ast::new(AstKind::Name(parts), span)
                    }
                    kind => Ast::new(AstKind::Field(Box::new(Ast::new(kind, e.span)), name), span),
                };
            } else {
                return Ok(e);
            }
        }
    }

    fn primary(&mut self) -> P<Ast> {
        let start = self.span();
        match self.peek().clone() {
            Tok::Number(digits, suffix) => {
                self.next();
                literal::number(&digits, suffix, false, start)
            }
            Tok::Str(s) => {
                self.next();
                Ok(Ast::new(AstKind::Lit(Val::Str(s.into()), Ty::Str), start))
            }
            Tok::Bin(b) => {
                self.next();
                Ok(Ast::new(AstKind::Lit(Val::Bin(b.into()), Ty::Bin), start))
            }
            Tok::Op("(") => self.parenthesis(start),
            Tok::Quoted(name) => {
                self.next();
                self.after_name(name, start)
            }
            Tok::Word(w) => {
                if let Some(e) = special::special_form(self, &w, start)? {
                    return Ok(e);
                }
                self.next();
                self.after_name(w, start)
            }
            Tok::Op(op) => self.fail(format!("expected a value before `{op}`")),
            Tok::End => self.fail("expected a value, found the end of the text"),
        }
    }

    fn after_name(&mut self, name: String, start: Span) -> P<Ast> {
        if self.op("->") {
            let body = self.expression()?;
            return Ok(Ast::new(AstKind::Lambda(vec![name], Box::new(body)), self.since(start)));
        }
        if self.op("(") {
            if self.is_word("DISTINCT") {
                return self.fail("DISTINCT belongs to aggregates, which the cpu engine does not run");
            }
            let args = self.list(")")?;
            return Ok(Ast::call(&name.to_ascii_lowercase(), args, self.since(start)));
        }
        Ok(Ast::new(AstKind::Name(vec![name]), self.since(start)))
    }

    fn parenthesis(&mut self, start: Span) -> P<Ast> {
        if let Some(names) = self.lambda_parameters() {
            let body = self.expression()?;
            return Ok(Ast::new(AstKind::Lambda(names, Box::new(body)), self.since(start)));
        }
        self.next();
        let mut items = self.list(")")?;
        let span = self.since(start);
        match items.len() {
            0 => self.fail("expected a value inside the parentheses"),
            1 => {
                let mut e = items.remove(0);
                e.span = span;
                // A parenthesised name takes fields like any other value.
                Ok(e)
            }
            _ => Ok(Ast::call("struct", items, span)),
        }
    }

    /// `(x, y) ->`, consumed whole or not at all.
    fn lambda_parameters(&mut self) -> Option<Vec<String>> {
        let mut names = Vec::new();
        let mut ahead = 1;
        loop {
            match self.peek_at(ahead) {
                Tok::Word(w) | Tok::Quoted(w) => names.push(w.clone()),
                _ => return None,
            }
            match self.peek_at(ahead + 1) {
                Tok::Op(",") => ahead += 2,
                Tok::Op(")") if matches!(self.peek_at(ahead + 2), Tok::Op("->")) => {
                    self.at += ahead + 3;
                    return Some(names);
                }
                _ => return None,
            }
        }
    }

    /// Expressions up to the closing token, each with an optional alias.
    pub(super) fn list(&mut self, close: &str) -> P<Vec<Ast>> {
        let mut out = Vec::new();
        if self.op(close) {
            return Ok(out);
        }
        loop {
            let start = self.span();
            let mut e = self.expression()?;
            if self.word("AS") {
                let name = self.identifier()?;
                e = Ast::new(AstKind::Alias(Box::new(e), name), self.since(start));
            }
            out.push(e);
            if self.op(",") {
                continue;
            }
            if self.op(close) {
                return Ok(out);
            }
            return self.fail(format!("expected `,` or `{close}`"));
        }
    }
}
