//! Patterns with arguments: `Some(p)`, case classes, sequences, regular expressions.

use super::Typer;
use super::cst::{field, field_all, name_text, span, text};
use super::names::Target;
use super::outer::{self, Outer};
use crate::lang::ast::{Pattern, PatternKind, Wrapper};
use crate::lang::relate::is_throwable;
use crate::lang::ty::{SeqKind, Ty};
use crate::source::Understood;
use tree_sitter::Node;

impl<'t> Typer<'t> {
    /// `Name(…)`.
    pub(super) fn extractor(&mut self, n: Node<'t>, ty: &Ty) -> Understood<PatternKind> {
        let Some(head) = field(n, "type") else {
            return self.refuse(n, "pattern that cannot be read");
        };
        let items = field_all(n, "pattern");
        if items.iter().any(|i| i.kind() == "named_pattern") {
            return self.refuse(n, "named patterns are not Scala 2");
        }
        let path = text(head, self.text()).to_owned();
        let name = path.rsplit('.').next().unwrap_or(&path).to_owned();
        if let Some(found) = outer::lookup(head, &name, self.text()) {
            match found {
                Outer::Class(class) if outer::is_case(class) => return self.class_pattern(class, &items, ty, n),

                Outer::Object(object) if outer::member(object, "unapply", self.text()).is_some() => {
                    return self.refuse(n, format!("extractor object `{name}` is not covered"));
                }
                _ => {}
            }
        }
        if let Some(kind) = self.wrapper_pattern(&name, &items, ty, n)? {
            return Ok(kind);
        }
        if let Some(kind) = seq_kind(&name, ty) {
            return self.seq_pattern(kind, &items, ty, n);
        }
        self.regex_pattern(head, &name, &items, ty, n)
    }

    pub(super) fn wrapper_pattern(
        &mut self,
        name: &str,
        items: &[Node<'t>],
        ty: &Ty,
        n: Node<'t>,
    ) -> Understood<Option<PatternKind>> {
        if let (true, Ty::Tuple(_)) = (name.starts_with("Tuple"), ty) {
            return self.tuple_pattern(n, items, ty).map(Some);
        }
        if name == "::" {
            return match items {
                [_, _] => self.cons(items, ty, n).map(Some),
                _ => self.refuse(n, "`::` with another number of patterns"),
            };
        }
        let [item] = items else { return Ok(None) };
        let throwable = Ty::Class("Throwable".into());
        let (inner, wrapper) = match (name, ty) {
            ("Some", Ty::Option(a)) => ((**a).clone(), None),
            ("NonFatal", Ty::Class(c)) if is_throwable(c) => {
                let p = self.pattern(*item, ty)?;
                return Ok(Some(PatternKind::NonFatal(Box::new(p))));
            }
            ("Success", Ty::Try(a)) => ((**a).clone(), Some(Wrapper::Success)),
            ("Failure", Ty::Try(_)) => (throwable, Some(Wrapper::Failure)),
            ("Left", Ty::Either(a, _)) => ((**a).clone(), Some(Wrapper::Left)),
            ("Right", Ty::Either(_, b)) => ((**b).clone(), Some(Wrapper::Right)),
            _ => return Ok(None),
        };
        let p = Box::new(self.pattern(*item, &inner)?);
        Ok(Some(match wrapper {
            Some(w) => PatternKind::Wrapper(w, p),
            None => PatternKind::Some(p),
        }))
    }

    pub(super) fn class_pattern(
        &mut self,
        class: Node<'t>,
        items: &[Node<'t>],
        ty: &Ty,
        n: Node<'t>,
    ) -> Understood<PatternKind> {
        let id = self.class_id(class, n)?;
        let fields = self.classes[id.0 as usize].fields.clone();
        let own = Ty::Class(self.classes[id.0 as usize].name.clone());
        if (*ty != own && *ty != Ty::Any) || fields.len() != items.len() {
            return self.refuse(n, format!("pattern of `{own}` against `{ty}`"));
        }
        let fields = items
            .iter()
            .zip(&fields)
            .map(|(i, (_, t))| self.pattern(*i, t))
            .collect::<Understood<Vec<Pattern>>>()?;
        Ok(PatternKind::Class { class: id, fields })
    }

    pub(super) fn seq_pattern(
        &mut self,
        kind: Ty,
        items: &[Node<'t>],
        ty: &Ty,
        n: Node<'t>,
    ) -> Understood<PatternKind> {
        let elem = match ty {
            Ty::Seq(_, a) | Ty::Array(a) => (**a).clone(),
            _ => return self.refuse(n, format!("sequence pattern against `{ty}`")),
        };
        let mut out = Vec::new();
        let mut rest = None;
        for (i, item) in items.iter().enumerate() {
            match self.rest_of(*item)? {
                Some(name) if i + 1 == items.len() => rest = Some(self.rest_pattern(name, &elem, *item)),
                Some(_) => return self.refuse(*item, "`_*` before the end of a pattern"),
                None => out.push(self.pattern(*item, &elem)?),
            }
        }
        Ok(PatternKind::Seq {
            kind,
            items: out,
            rest: rest.map(Box::new),
        })
    }

    /// The name bound by `_*` or `x @ _*`; an empty one for the former.
    pub(super) fn rest_of(&mut self, item: Node<'t>) -> Understood<Option<String>> {
        match item.kind() {
            "repeat_pattern" => {
                let inner = field(item, "pattern");
                match inner.map(|p| p.kind()) {
                    Some("wildcard") => Ok(Some(String::new())),
                    Some("capture_pattern") => {
                        let name = inner.and_then(|p| field(p, "name"));
                        Ok(name.map(|n| name_text(n, self.text()).to_owned()))
                    }
                    _ => self.refuse(item, "repeated pattern that is not covered"),
                }
            }
            "capture_pattern" => {
                let repeats = field(item, "pattern").is_some_and(|p| p.kind() == "repeat_pattern");
                let name = field(item, "name").filter(|_| repeats);
                Ok(name.map(|n| name_text(n, self.text()).to_owned()))
            }
            _ => Ok(None),
        }
    }

    pub(super) fn rest_pattern(&mut self, name: String, elem: &Ty, item: Node<'t>) -> Pattern {
        let kind = if name.is_empty() {
            PatternKind::Wildcard
        } else {
            let ty = Ty::Seq(SeqKind::Seq, Box::new(elem.clone()));
            PatternKind::Bind(self.declare(&name, ty, false), None)
        };
        Pattern { kind, span: span(item) }
    }

    pub(super) fn regex_pattern(
        &mut self,
        head: Node<'t>,
        name: &str,
        items: &[Node<'t>],
        ty: &Ty,
        n: Node<'t>,
    ) -> Understood<PatternKind> {
        let value = if head.kind() == "stable_type_identifier" {
            self.stable(head)?
        } else {
            match self.target_named(head, name)? {
                Some(Target::Value(e)) => e,
                _ => return self.refuse(n, format!("extractor `{name}` is not covered")),
            }
        };
        if value.ty != Ty::Class("Regex".into()) {
            return self.refuse(n, format!("extractor `{name}` is not covered"));
        }
        if *ty != Ty::String {
            return self.refuse(n, format!("regular expression against `{ty}`"));
        }
        let mut groups = Vec::new();
        let mut rest = false;
        for item in items {
            match self.rest_of(*item)? {
                Some(name) if name.is_empty() => rest = true,
                Some(_) => return self.refuse(*item, "binding the remaining groups is not covered"),
                None => groups.push(self.pattern(*item, &Ty::String)?),
            }
        }
        Ok(PatternKind::Regex {
            regex: Box::new(value),
            groups,
            rest,
        })
    }

    pub(super) fn target_named(&mut self, head: Node<'t>, name: &str) -> Understood<Option<Target<'t>>> {
        self.simple_name(head, name)
    }
}

pub(super) fn seq_kind(name: &str, ty: &Ty) -> Option<Ty> {
    let elem = match ty {
        Ty::Seq(_, a) | Ty::Array(a) => a.clone(),
        _ => return None,
    };
    Some(match name {
        "Seq" | "IndexedSeq" => Ty::Seq(SeqKind::Seq, elem),
        "List" => Ty::Seq(SeqKind::List, elem),
        "Vector" => Ty::Seq(SeqKind::Vector, elem),
        "Array" => Ty::Array(elem),
        _ => return None,
    })
}
