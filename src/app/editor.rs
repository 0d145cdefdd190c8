//! The user's own editor. In: a text and a line; out: the text as it was left. The terminal is the editor's meanwhile.

use std::path::Path;
use std::process::Command;

use crate::propose::Tier;
use crate::source::Language;

/// The largest text that is taken back, in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// Runs `$VISUAL`, else `$EDITOR`, else `vi`, and waits for it.
pub fn edit(tier: Tier, language: Language, name: &str, text: &str, line: usize) -> Result<String, String> {
    let editor = ["VISUAL", "EDITOR"]
        .into_iter()
        .find_map(|v| std::env::var(v).ok().filter(|e| !e.trim().is_empty()))
        .unwrap_or_else(|| "vi".into());
    let dir = tempfile::Builder::new()
        .prefix("rewright-edit-")
        .tempdir()
        .map_err(|e| format!("no edit: cannot make a temporary folder: {e}"))?;
    let path = dir.path().join(file_name(tier, language, name));
    std::fs::write(&path, text).map_err(|e| format!("no edit: cannot write {}: {e}", path.display()))?;
    // Editors are set with arguments ("code --wait"), which only a shell takes apart as their users expect.
    let status = Command::new("sh")
        .arg("-c")
        .arg(format!("{editor} \"$@\""))
        .arg("sh")
        .args(arguments(&editor, &path, line))
        .status()
        .map_err(|e| format!("no edit: cannot start {editor}: {e}"))?;
    if !status.success() {
        return Err(format!("no edit: {editor} ended with {status}"));
    }
    read_back(&path)
}

fn read_back(path: &Path) -> Result<String, String> {
    let failed = |e: std::io::Error| format!("no edit: cannot read {}: {e}", path.display());
    let len = std::fs::metadata(path).map_err(failed)?.len();
    if len > MAX_BYTES {
        return Err(format!("no edit: the text is {} MiB", len >> 20));
    }
    let bytes = std::fs::read(path).map_err(failed)?;
    String::from_utf8(bytes).map_err(|_| "no edit: the text is not UTF-8".to_owned())
}

fn file_name(tier: Tier, language: Language, name: &str) -> String {
    let safe: String = name
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '_')
        .take(60)
        .collect();
    let extension = match tier {
        Tier::Sql => "sql",
        Tier::Cudf => language.name(),
        Tier::Cuda => "cu",
    };
    match safe.is_empty() {
        true => format!("rewrite.{extension}"),
        false => format!("{safe}.{extension}"),
    }
}

/// The file, at a line where the editor is known to take one.
fn arguments(editor: &str, path: &Path, line: usize) -> Vec<String> {
    let program = editor.split_whitespace().next().unwrap_or_default();
    let program = program.rsplit('/').next().unwrap_or_default();
    let file = path.display().to_string();
    match program {
        "vi" | "vim" | "nvim" | "nano" | "emacs" | "emacsclient" | "kak" | "micro" | "joe" | "ne" | "mg" => {
            vec![format!("+{line}"), file]
        }
        "hx" | "helix" | "subl" | "zed" => vec![format!("{file}:{line}")],
        _ => vec![file],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_editors_get_a_line() {
        let path = Path::new("/t/a.sql");
        assert_eq!(arguments("/usr/bin/vim -n", path, 3), ["+3", "/t/a.sql"]);
        assert_eq!(arguments("hx", path, 3), ["/t/a.sql:3"]);
        assert_eq!(arguments("my-editor", path, 3), ["/t/a.sql"]);
        assert_eq!(file_name(Tier::Cudf, Language::Scala, "../a b"), "ab.scala");
        assert_eq!(file_name(Tier::Cudf, Language::Java, "Discount"), "Discount.java");
        assert_eq!(file_name(Tier::Sql, Language::Java, "Discount"), "Discount.sql");
    }
}
