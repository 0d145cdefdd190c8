//! The one key table. Lookup, footer, help screen, command palette and the README all read it; nothing else names a key.

use super::action::Action;
use super::key::Key;

/// Where a key applies: a set of contexts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Where(u16);

impl Where {
    /// The start screen.
    pub const CHOOSER: Where = Where(1);
    /// The panel of the original.
    pub const SOURCE: Where = Where(1 << 1);
    /// The panel of the rewrite.
    pub const REWRITE: Where = Where(1 << 2);
    /// The table of mismatches.
    pub const ROWS: Where = Where(1 << 3);
    /// The record view of one row.
    pub const RECORD: Where = Where(1 << 4);
    /// A page of text: diff, notes, help.
    pub const PAGE: Where = Where(1 << 5);
    /// The list of accepted classes.
    pub const POLICY: Where = Where(1 << 6);
    /// A list to choose from.
    pub const PICKER: Where = Where(1 << 7);
    /// The command palette.
    pub const PALETTE: Where = Where(1 << 8);
    /// A line of text to type.
    pub const PROMPT: Where = Where(1 << 9);
    /// The question about unsaved work.
    pub const CONFIRM: Where = Where(1 << 10);
    /// The three panels.
    pub const PANELS: Where = Where::SOURCE.or(Where::REWRITE).or(Where::ROWS);
    /// Panels and the record view.
    pub const WORK: Where = Where::PANELS.or(Where::RECORD);
    /// Whatever moves with letters.
    pub const MOVES: Where = Where::CHOOSER
        .or(Where::WORK)
        .or(Where::PAGE)
        .or(Where::POLICY)
        .or(Where::PICKER);
    /// Where text is typed.
    pub const TYPING: Where = Where::PALETTE.or(Where::PROMPT);
    /// Everywhere.
    pub const ALL: Where = Where::MOVES.or(Where::TYPING).or(Where::CONFIRM);

    /// Each single context with its name on the help screen.
    pub const EACH: [(Where, &'static str); 11] = [
        (Where::CHOOSER, "start screen"),
        (Where::SOURCE, "original"),
        (Where::REWRITE, "rewrite"),
        (Where::ROWS, "rows"),
        (Where::RECORD, "record"),
        (Where::PAGE, "page"),
        (Where::POLICY, "policy"),
        (Where::PICKER, "list"),
        (Where::PALETTE, "palette"),
        (Where::PROMPT, "prompt"),
        (Where::CONFIRM, "question"),
    ];

    /// The union.
    pub const fn or(self, other: Where) -> Where {
        Where(self.0 | other.0)
    }

    /// Whether the sets have a context in common.
    pub const fn meets(self, other: Where) -> bool {
        self.0 & other.0 != 0
    }

    /// The contexts in words, for the help screen and the README.
    pub fn words(self) -> String {
        match self {
            Where::ALL => return "everywhere".into(),
            Where::MOVES => return "all but text".into(),
            _ => {}
        }
        let panels = self.0 & Where::PANELS.0 == Where::PANELS.0;
        let named = |(w, name): &(Where, &'static str)| {
            let covered = panels && w.meets(Where::PANELS);
            (self.meets(*w) && !covered).then_some(*name)
        };
        let rest = Where::EACH.iter().filter_map(named);
        let names: Vec<&str> = panels.then_some("panels").into_iter().chain(rest).collect();
        names.join(", ")
    }
}

/// One line of the key table.
#[derive(Debug)]
pub struct Binding {
    /// Names of the keys, the one for the footer first.
    pub keys: &'static [&'static str],
    /// Where they apply.
    pub at: Where,
    /// What they do.
    pub action: Action,
    /// The word in the footer; empty where the footer does not show it.
    pub label: &'static str,
}

impl Binding {
    /// Whether a key is one of these.
    pub fn has(&self, key: Key) -> bool {
        self.keys.iter().any(|k| k.parse() == Ok(key))
    }
}

const fn bind(keys: &'static [&'static str], at: Where, action: Action, label: &'static str) -> Binding {
    Binding {
        keys,
        at,
        action,
        label,
    }
}

const LISTS: Where = Where::CHOOSER
    .or(Where::PICKER)
    .or(Where::TYPING)
    .or(Where::POLICY)
    .or(Where::ROWS);

/// The table, in the order of footer and help.
pub static KEYS: &[Binding] = &[
    bind(&["t"], Where::WORK, Action::Test, "test"),
    bind(&["b"], Where::WORK, Action::Bench, "bench"),
    bind(&["B"], Where::WORK, Action::Tune, ""),
    bind(&["v"], Where::WORK, Action::Tries, ""),
    bind(&["M"], Where::WORK, Action::Memcheck, ""),
    bind(&["1"], Where::WORK, Action::TierSql, ""),
    bind(&["2"], Where::WORK, Action::TierCudf, "tier"),
    bind(&["3"], Where::WORK, Action::TierCuda, ""),
    bind(&["Enter"], LISTS, Action::Open, "open"),
    bind(&["n"], Where::WORK, Action::NextMismatch, "mismatch"),
    bind(&["N"], Where::WORK, Action::PreviousMismatch, ""),
    bind(&["e"], Where::PANELS, Action::Edit, "edit"),
    bind(&["d"], Where::PANELS, Action::Diff, "diff"),
    bind(&["r"], Where::PANELS, Action::Revert, "revert"),
    bind(&["u"], Where::WORK.or(Where::POLICY), Action::Undo, "undo"),
    bind(&["f"], Where::WORK, Action::Filter, "class"),
    bind(&["p"], Where::WORK, Action::Policy, "policy"),
    bind(&["D", "Delete"], Where::POLICY, Action::Remove, "remove"),
    bind(&["s"], Where::WORK.or(Where::CONFIRM), Action::Save, "save"),
    bind(&["/"], Where::PANELS, Action::Find, "find"),
    bind(&["c"], Where::WORK, Action::Notes, "notes"),
    bind(&["i"], Where::WORK, Action::Timings, "times"),
    bind(&["x"], Where::PANELS, Action::Udfs, "udfs"),
    bind(&["w"], Where::PANELS, Action::Watch, "watch"),
    bind(&["y"], Where::WORK.or(Where::PAGE), Action::Copy, "copy"),
    bind(&["Tab"], Where::PANELS, Action::NextPanel, "panel"),
    bind(&["Shift-Tab"], Where::PANELS, Action::PreviousPanel, ""),
    bind(&["o"], Where::WORK, Action::Oracle, "oracle"),
    bind(&["E"], Where::WORK, Action::Engine, "engine"),
    bind(&["L"], Where::WORK, Action::Log, ""),
    bind(&["j", "Down"], Where::MOVES, Action::Down, ""),
    bind(&["k", "Up"], Where::MOVES, Action::Up, ""),
    bind(&["Down", "Ctrl-n"], Where::TYPING, Action::Down, ""),
    bind(&["Up"], Where::TYPING, Action::Up, ""),
    bind(&["h", "Left"], Where::MOVES, Action::Left, ""),
    bind(&["l", "Right"], Where::MOVES, Action::Right, ""),
    bind(&["g", "Home"], Where::MOVES, Action::Top, ""),
    bind(&["G", "End"], Where::MOVES, Action::Bottom, ""),
    bind(&["PgUp"], Where::MOVES, Action::PageUp, ""),
    bind(&["PgDn"], Where::MOVES, Action::PageDown, ""),
    bind(&["Ctrl-u"], Where::MOVES, Action::HalfUp, ""),
    bind(&["Ctrl-d"], Where::MOVES, Action::HalfDown, ""),
    bind(&["Ctrl-o"], Where::WORK, Action::Chooser, ""),
    bind(&[":", "Ctrl-p"], Where::MOVES, Action::Palette, "commands"),
    bind(&["?"], Where::MOVES, Action::Help, "help"),
    bind(&["F1"], Where::ALL, Action::Help, ""),
    bind(&["Esc"], Where::ALL, Action::Back, "back"),
    bind(&["q"], Where::MOVES.or(Where::CONFIRM), Action::Quit, "quit"),
    bind(&["Ctrl-c"], Where::ALL, Action::Interrupt, ""),
    bind(&["Ctrl-z"], Where::ALL, Action::Suspend, ""),
    bind(&["Ctrl-l"], Where::ALL, Action::Redraw, ""),
];

/// What a key does in a context.
pub fn lookup(at: Where, key: Key) -> Option<Action> {
    KEYS.iter().find(|b| b.at.meets(at) && b.has(key)).map(|b| b.action)
}

/// The keys of an action in a context, for the palette.
pub fn keys_of(action: Action) -> Option<&'static Binding> {
    KEYS.iter().find(|b| b.action == action)
}

/// The table as Markdown, for the README.
pub fn markdown() -> String {
    let mut out = String::from("| keys | where | does | name |\n|---|---|---|---|\n");
    for b in KEYS {
        let keys: Vec<String> = b.keys.iter().map(|k| format!("`{k}`")).collect();
        let line = format!(
            "| {} | {} | {} | `{}` |\n",
            keys.join(" "),
            b.at.words(),
            b.action.doc().trim_end_matches('.'),
            b.action
        );
        out.push_str(&line);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_name_parses_and_is_bound_once_per_context() {
        for (context, name) in Where::EACH {
            let mut seen = std::collections::HashSet::new();
            for b in KEYS.iter().filter(|b| b.at.meets(context)) {
                for key in b.keys {
                    let key: Key = key.parse().unwrap();
                    assert!(seen.insert(key), "{key} is bound twice in {name}");
                }
            }
        }
    }

    #[test]
    fn every_action_is_reachable() {
        for action in Action::ALL {
            assert!(KEYS.iter().any(|b| b.action == *action), "{action} has no key");
        }
    }

    #[test]
    fn there_is_a_way_out_everywhere() {
        for (context, name) in Where::EACH {
            let out = ["Esc", "Ctrl-c"].map(|k| lookup(context, k.parse().unwrap()));
            assert_eq!(out, [Some(Action::Back), Some(Action::Interrupt)], "in {name}");
        }
    }

    #[test]
    fn text_fields_bind_no_character() {
        for b in KEYS.iter().filter(|b| b.at.meets(Where::TYPING)) {
            for key in b.keys {
                assert_eq!(key.parse::<Key>().unwrap().typed(), None, "{key} cannot be typed");
            }
        }
    }
}
