//! Which headers a kernel includes. In: its lines; out: those headers that define something which it names. What they define is
//! read from their text, so that a new helper needs no entry anywhere.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::HEADERS;
use super::lines::Lines;

/// What stands there whatever is named: rows, arithmetic, texts.
const ALWAYS: &str = "rw_text.cuh";

/// The headers, in their order, without those that another one of them brings along.
pub(super) fn includes(body: &Lines) -> Vec<&'static str> {
    let names = body.texts().flat_map(named);
    let defined = names.filter_map(|name| definitions().get(name).copied());
    let used: Vec<&str> = std::iter::once(ALWAYS).chain(defined).collect();
    let brought = |header: &str| used.iter().any(|by| *by != header && brings(by, header));
    let kept = |header: &&str| *header == ALWAYS || (used.contains(header) && !brought(header));
    HEADERS.iter().map(|(name, _)| *name).filter(kept).collect()
}

/// Whether functions only compute: what they name takes no memory of the row.
pub(super) fn computes_only(functions: &Lines) -> bool {
    functions
        .texts()
        .flat_map(named)
        .all(|name| match definitions().get(name) {
            Some(&"rw_core.cuh" | &"rw_arith.cuh") => true,
            Some(&"rw_time.cuh") => !builds(name),
            Some(_) => false,
            // The codes of errors stand inside of their type.
            None => name.starts_with('k'),
        })
}

/// Whether a helper for dates has to do with texts.
fn builds(name: &str) -> bool {
    let (_, text) = HEADERS
        .iter()
        .find(|(header, _)| *header == "rw_time.cuh")
        .unwrap_or(&("", ""));
    let mut own = text.lines().filter(|l| defined(l) == Some(name));
    own.any(|l| l.contains("Text") || l.contains("Builder"))
}

/// Whether a header includes another one, or one that does.
fn brings(by: &str, header: &str) -> bool {
    let text = HEADERS
        .iter()
        .find(|(name, _)| *name == by)
        .map_or("", |(_, text)| *text);
    let included = |line: &'static str| line.strip_prefix("#include \"")?.strip_suffix('"');
    text.lines()
        .filter_map(included)
        .any(|next| next == header || brings(next, header))
}

/// What a line names of the headers.
fn named(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices("rw::")
        .map(|(at, mark)| word(&line[at + mark.len()..]))
}

/// The word that a text begins with.
fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    &text[..end.unwrap_or(text.len())]
}

/// The header of each name. What several define, for types of their own, is the first one's: who has such a type names its header
/// anyway.
fn definitions() -> &'static HashMap<&'static str, &'static str> {
    static ALL: OnceLock<HashMap<&'static str, &'static str>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all = HashMap::new();
        for (header, text) in HEADERS {
            for name in text.lines().filter_map(defined) {
                all.entry(name).or_insert(*header);
            }
        }
        all
    })
}

/// What a line of a header defines: a function, a type, a constant; lines inside of these are indented.
fn defined(line: &'static str) -> Option<&'static str> {
    if let Some(rest) = ["struct ", "union ", "enum "].iter().find_map(|s| line.strip_prefix(s)) {
        return Some(word(rest));
    }
    if !["__device__ ", "constexpr "].iter().any(|s| line.starts_with(s)) {
        return None;
    }
    let head = &line[..line.find(['(', '=', '['])?];
    let head = head.trim_end();
    let start = head.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
    Some(&head[start + 1..])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::find::find;
    use crate::propose::cuda::propose;
    use crate::source::{Language, SourceFile};

    /// Every proposal for the corpus and for a sample of the vectors' bodies.
    fn proposals() -> Vec<(String, String)> {
        let data = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data"));
        let manifest = std::fs::read_to_string(data.join("corpus/manifest.jsonl")).unwrap();
        let entries = manifest.lines().map(|l| serde_json::from_str(l).unwrap());
        let files: BTreeSet<PathBuf> = entries
            .filter(|e: &serde_json::Value| e["language"] != "python")
            .map(|e| data.join("corpus").join(e["file"].as_str().unwrap()))
            .collect();
        let mut sources: Vec<SourceFile> = files.iter().map(|f| SourceFile::read(f).unwrap()).collect();
        let index = std::fs::read_to_string(data.join("vectors/index.json")).unwrap();
        let index: Vec<serde_json::Value> = serde_json::from_str(&index).unwrap();
        for (i, entry) in index.iter().enumerate().filter(|(i, _)| i % 2 == 0) {
            let (types, body) = (entry["arg_types"].as_array().unwrap(), entry["scala"].as_str().unwrap());
            let ty = |t: &serde_json::Value| match t.as_str().unwrap() {
                "int" => "Int",
                "bigint" => "Long",
                "double" => "Double",
                "string" => "String",
                "date" => "java.time.LocalDate",
                "sqldate" => "java.sql.Date",
                "array<int>" => "Seq[Int]",
                "array<string>" => "Seq[String]",
                _ => "java.math.BigDecimal",
            };
            let params: Vec<String> = types
                .iter()
                .zip(["a", "b", "c"])
                .map(|(t, n)| format!("{n}: {}", ty(t)))
                .collect();
            let body = format!("({}) => {{ {body} }}", params.join(", "));
            let text = format!("import org.apache.spark.sql.functions.udf\nobject S {{\n  val f = udf({body})\n}}\n");
            sources.push(SourceFile::from_text(format!("v{i}.scala"), Language::Scala, text));
        }
        let of = |source: &SourceFile| {
            let udfs = find(source).udfs;
            let made = udfs
                .iter()
                .filter_map(|u| Some((u.name.clone(), propose(source, u).ok()?.text)));
            made.collect::<Vec<_>>()
        };
        sources.iter().flat_map(of).collect()
    }

    fn text_of(header: &str) -> &'static str {
        HEADERS.iter().find(|(name, _)| *name == header).unwrap().1
    }

    fn included(text: &str) -> Vec<&str> {
        let name = |l: &'_ str| {
            l.strip_prefix("#include \"")
                .and_then(|r| r.strip_suffix('"'))
                .map(str::len)
        };
        text.lines().filter_map(|l| Some(&l[10..10 + name(l)?])).collect()
    }

    /// Whether a header's own text, without those that it includes, has the name where something is defined.
    fn has(header: &str, name: &str) -> bool {
        let ends = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        text_of(header).lines().filter(|l| !l.starts_with(' ')).any(|l| {
            let heads = l.match_indices(name).filter(|(at, _)| l[..*at].ends_with([' ', '*']));
            heads.map(|(at, _)| &l[at + name.len()..]).any(ends) && !l.starts_with("//")
        })
    }

    /// The header and all that it includes.
    fn reached<'t>(header: &'t str, all: &mut BTreeSet<&'t str>) {
        if all.insert(header) {
            included(text_of(header)).into_iter().for_each(|h| reached(h, all));
        }
    }

    #[test]
    fn a_header_is_included_exactly_where_something_of_it_is_named() {
        let all = proposals();
        assert!(all.len() > 100, "{}", all.len());
        let mut seen = BTreeSet::new();
        for (udf, text) in &all {
            let headers = included(text);
            let mut reachable = BTreeSet::new();
            headers.iter().for_each(|h| reached(h, &mut reachable));
            let names: BTreeSet<&str> = text.lines().flat_map(named).collect();
            for name in &names {
                let constant = name.starts_with('k') && text_of("rw_core.cuh").contains(&format!("  {name} = "));
                let found = constant || reachable.iter().any(|h| has(h, name));
                assert!(found, "{udf}: nothing that is included has {name}\n{text}");
            }
            for header in headers.iter().filter(|h| **h != ALWAYS) {
                assert!(
                    names.iter().any(|n| has(header, n)),
                    "{udf}: nothing of {header} is named\n{text}"
                );
            }
            seen.extend(headers.into_iter().map(str::to_owned));
        }
        // What is left out is always brought along.
        let always = |h: &str| brings(ALWAYS, h) || ["rw_regex.cuh", "rw_sets.cuh"].contains(&h);
        for (header, _) in HEADERS.iter().filter(|(h, _)| !always(h)) {
            assert!(
                seen.contains(*header),
                "no proposal includes {header}: the sample is too small"
            );
        }
    }

    #[test]
    fn what_is_loaded_tells_its_header() {
        let of = |line: &str| {
            let mut body = Lines::default();
            body.push(None, line);
            includes(&body)[1..].to_vec()
        };
        let none: [&str; 0] = [];
        assert_eq!(of("rw::load_text(a_offsets, a_bytes, a_valid, row)"), none);
        assert_eq!(of("rw::load_side<4>(a, a_valid, row, rows, a_rows + rw_k);"), none);
        assert_eq!(of("rw::load_date(cx, a_row, true)"), ["rw_time.cuh"]);
        assert_eq!(of("rw::load_seq<bool>(cx, a_offsets, a, v, w, row)"), ["rw_list.cuh"]);
        assert_eq!(of("const rw::Seq<rw::Date> t1 = x;"), ["rw_seq.cuh", "rw_time.cuh"]);
        assert_eq!(of("rw::RegexOp"), ["rw_regex.cuh"]);
        assert_eq!(of("rw::re_split(row, rw::Regex{r, 1}, a, 0)"), ["rw_match.cuh"]);
    }

    #[test]
    fn what_builds_texts_takes_memory() {
        let only = |line: &str| {
            let mut body = Lines::default();
            body.push(None, line);
            computes_only(&body)
        };
        assert!(only("__device__ inline int32_t f_0(rw::Row& row, rw::Date d_0) {"));
        assert!(only(
            "const auto t1 = rw::date_year(row, rw::date_plus_days(row, d_0, 1)); row.fail(rw::kMatchError);"
        ));
        for line in [
            "rw::date_text(row, d)",
            "rw::date_format(row, d, t)",
            "rw::Builder t1(row);",
            "rw::seq_new<bool>(row, 3)",
        ] {
            assert!(!only(line), "{line}");
        }
    }
}
