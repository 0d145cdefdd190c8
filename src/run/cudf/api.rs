//! The calls that exist: signatures of the Java API, read from `assets/cudf_api.tsv`. In: class, name and argument kinds;
//! out: whether there is such a call, or the nearest ones. Never runs anything.

use std::collections::HashMap;
use std::sync::OnceLock;

/// One signature.
#[derive(Debug)]
pub struct Signature {
    /// `new`, `static` or `method`.
    pub kind: &'static str,
    /// Name.
    pub name: &'static str,
    /// Parameter types; a last one ending in `...` is repeated.
    pub params: Vec<&'static str>,
    /// As written in the table, for messages.
    pub text: &'static str,
    /// Result type.
    pub returns: &'static str,
}

#[derive(Debug, Default)]
struct Class {
    parents: Vec<&'static str>,
    signatures: Vec<Signature>,
    constants: Vec<(&'static str, &'static str)>,
}

fn table() -> &'static HashMap<&'static str, Class> {
    static TABLE: OnceLock<HashMap<&'static str, Class>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut classes: HashMap<&'static str, Class> = HashMap::new();
        for line in include_str!("../../../assets/cudf_api.tsv")
            .lines()
            .filter(|l| !l.starts_with('#'))
        {
            let cells: Vec<&'static str> = line.split('\t').collect();
            let [class, kind, name, params, returns] = cells[..] else {
                continue;
            };
            let entry = classes.entry(class).or_default();
            match kind {
                "type" => {
                    let list = params.trim_start_matches("implements ");
                    entry.parents.extend(list.split([',', ' ']).filter(|p| !p.is_empty()));
                }
                "constant" | "field" => entry.constants.push((name, returns)),
                _ => entry.signatures.push(Signature {
                    kind,
                    name,
                    params: split_params(params),
                    text: params,
                    returns,
                }),
            }
        }
        classes
    })
}

fn split_params(text: &'static str) -> Vec<&'static str> {
    let (mut depth, mut start) = (0, 0);
    let mut out = Vec::new();
    for (i, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            ',' if depth == 0 => {
                out.push(&text[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    out.push(&text[start..]);
    out.into_iter()
        .map(|p| p.split_once(": ").map_or(p, |(_, ty)| ty).trim())
        .filter(|p| !p.is_empty())
        .collect()
}

/// Full name of a class as the table writes it: `DTypeEnum` is `DType.DTypeEnum`.
pub fn class_name(name: &str) -> Option<&'static str> {
    let t = table();
    if let Some((k, _)) = t.get_key_value(name) {
        return Some(k);
    }
    let suffix = format!(".{name}");
    t.keys().find(|k| k.ends_with(&suffix)).copied()
}

/// A constant or static field: its type.
pub fn constant(class: &str, name: &str) -> Option<&'static str> {
    table()
        .get(class)?
        .constants
        .iter()
        .find(|(n, _)| *n == name)
        .map(|(_, ty)| *ty)
}

/// All constants of a class, for hints.
pub fn constants(class: &str) -> Vec<&'static str> {
    table()
        .get(class)
        .map_or(Vec::new(), |c| c.constants.iter().map(|(n, _)| *n).collect())
}

/// A class, its superclasses and interfaces.
pub fn ancestry(class: &'static str) -> Vec<&'static str> {
    let mut out = vec![class];
    let mut at = 0;
    while at < out.len() {
        if let Some(c) = table().get(out[at]) {
            out.extend(c.parents.iter().filter(|p| table().contains_key(**p)));
        }
        at += 1;
    }
    out
}

/// The signatures that a class itself declares.
pub fn declared(class: &str) -> impl Iterator<Item = &'static Signature> + use<> {
    table().get(class).into_iter().flat_map(|c| c.signatures.iter())
}

/// All signatures of a name.
pub fn signatures(class: &'static str, kind: &str, name: &str) -> Vec<&'static Signature> {
    ancestry(class)
        .into_iter()
        .filter_map(|c| table().get(c))
        .flat_map(|c| c.signatures.iter())
        .filter(|s| s.kind == kind && s.name == name)
        .collect()
}

/// Whether a signature takes these arguments; `fits` says whether one argument can be passed for a parameter type.
pub fn takes<A>(s: &Signature, args: &[A], fits: impl Fn(&A, &str) -> bool) -> bool {
    let fixed = match s.params.last() {
        Some(p) if p.ends_with("...") => s.params.len() - 1,
        _ => {
            return s.params.len() == args.len() && args.iter().zip(&s.params).all(|(a, p)| fits(a, p));
        }
    };
    let element = s.params[fixed].trim_end_matches("...");
    args.len() >= fixed
        && args[..fixed].iter().zip(&s.params).all(|(a, p)| fits(a, p))
        && args[fixed..].iter().all(|a| fits(a, element))
}

/// Why there is no such call, naming the nearest ones.
pub fn explain(class: &'static str, kind: &str, name: &str, given: &[String]) -> (String, Vec<String>) {
    let same = signatures(class, kind, name);
    let what = if kind == "new" {
        "constructor".to_string()
    } else {
        format!("method `{name}`")
    };
    if !same.is_empty() {
        let hints = same
            .iter()
            .map(|s| format!("{}({}): {}", s.name, s.text, s.returns))
            .collect();
        let given = given.join(", ");
        return (format!("no {what} of {class} takes ({given})"), hints);
    }
    let mut near: Vec<(usize, &str)> = ancestry(class)
        .into_iter()
        .filter_map(|c| table().get(c))
        .flat_map(|c| c.signatures.iter())
        .filter(|s| s.kind == kind)
        .map(|s| (closeness(name, s.name), s.name))
        .collect();
    near.sort_unstable();
    near.dedup();
    let message = match near.first() {
        Some((d, best)) if *d <= name.len().max(3) => format!("{class} has no {what}; did you mean `{best}`?"),
        _ => format!("{class} has no {what}"),
    };
    let hints = near
        .first()
        .map(|(_, best)| signatures(class, kind, best))
        .unwrap_or_default()
        .iter()
        .map(|s| format!("{}({}): {}", s.name, s.text, s.returns))
        .collect();
    (message, hints)
}

/// Smaller is closer: a shared prefix counts more than single edits.
fn closeness(a: &str, b: &str) -> usize {
    let (a, b) = (a.to_ascii_lowercase(), b.to_ascii_lowercase());
    let common = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
    if common == b.len() || common == a.len() {
        return 1 + a.len().abs_diff(b.len()) / 4;
    }
    edit_distance(a.as_bytes(), b.as_bytes()) + 2 - common.min(2)
}

fn edit_distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let next = (diagonal + usize::from(x != y)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = row[j + 1];
            row[j + 1] = next;
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inherited_methods_are_found() {
        assert!(!signatures("ColumnVector", "method", "add").is_empty());
        assert!(!signatures("Scalar", "method", "sub").is_empty());
        assert_eq!(class_name("DTypeEnum"), Some("DType.DTypeEnum"));
    }

    #[test]
    fn a_wrong_name_is_explained() {
        let (message, hints) = explain("ColumnVector", "method", "multiply", &[]);
        assert_eq!(message, "ColumnVector has no method `multiply`; did you mean `mul`?");
        assert!(hints[0].starts_with("mul("), "{hints:?}");
    }
}
