//! Keys as the state machine knows them. In: text such as `Ctrl-p`; out: [`Key`] values and their names. Never reads a
//! terminal.

use std::fmt;
use std::str::FromStr;

/// What a key stands for, without modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    /// A printable character, with shift already applied.
    Char(char),
    /// Return.
    Enter,
    /// Escape.
    Esc,
    /// Tabulator.
    Tab,
    /// Shift and tabulator.
    BackTab,
    /// Arrow up.
    Up,
    /// Arrow down.
    Down,
    /// Arrow left.
    Left,
    /// Arrow right.
    Right,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
    /// Home.
    Home,
    /// End.
    End,
    /// Backspace.
    Backspace,
    /// Delete.
    Delete,
    /// A function key.
    F(u8),
}

/// One key stroke.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    /// Which key.
    pub code: Code,
    /// Whether control was held.
    pub ctrl: bool,
}

impl Key {
    /// A character without control.
    pub const fn char(c: char) -> Key {
        Key {
            code: Code::Char(c),
            ctrl: false,
        }
    }

    /// A named key without control.
    pub const fn plain(code: Code) -> Key {
        Key { code, ctrl: false }
    }

    /// The character that this key types into a text field.
    pub fn typed(self) -> Option<char> {
        match self.code {
            Code::Char(c) if !self.ctrl => Some(c),
            _ => None,
        }
    }
}

const NAMED: [(&str, Code); 14] = [
    ("Enter", Code::Enter),
    ("Esc", Code::Esc),
    ("Tab", Code::Tab),
    ("Shift-Tab", Code::BackTab),
    ("Up", Code::Up),
    ("Down", Code::Down),
    ("Left", Code::Left),
    ("Right", Code::Right),
    ("PgUp", Code::PageUp),
    ("PgDn", Code::PageDown),
    ("Home", Code::Home),
    ("End", Code::End),
    ("Backspace", Code::Backspace),
    ("Delete", Code::Delete),
];

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ctrl {
            f.write_str("Ctrl-")?;
        }
        match self.code {
            Code::Char(' ') => f.write_str("Space"),
            Code::Char(c) => write!(f, "{c}"),
            Code::F(n) => write!(f, "F{n}"),
            code => {
                let name = NAMED.iter().find(|(_, c)| *c == code).map_or("?", |(n, _)| n);
                f.write_str(name)
            }
        }
    }
}

impl FromStr for Key {
    type Err = String;

    fn from_str(text: &str) -> Result<Key, String> {
        let (ctrl, name) = match text.strip_prefix("Ctrl-") {
            Some(rest) if !rest.is_empty() => (true, rest),
            _ => (false, text),
        };
        let mut chars = name.chars();
        let code = match (chars.next(), chars.next()) {
            (Some(c), None) => Code::Char(c),
            _ => named(name).ok_or_else(|| format!("no key is called {text:?}"))?,
        };
        Ok(Key { code, ctrl })
    }
}

fn named(name: &str) -> Option<Code> {
    if name == "Space" {
        return Some(Code::Char(' '));
    }
    if let Some(n) = name.strip_prefix('F').and_then(|n| n.parse().ok()) {
        return Some(Code::F(n));
    }
    NAMED.iter().find(|(n, _)| *n == name).map(|(_, c)| *c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for name in ["t", "?", "Ctrl-p", "F1", "Enter", "Shift-Tab", "Space", "PgDn", "/"] {
            assert_eq!(name.parse::<Key>().unwrap().to_string(), name);
        }
        assert!("Hyper-x".parse::<Key>().is_err());
    }
}
