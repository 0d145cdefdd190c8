//! A line of text that is being typed. In: keys and pasted text; out: the text and where its cursor stands.

use super::key::{Code, Key};

/// The longest line that is kept, in characters.
const MAX_CHARS: usize = 4096;

/// Text and cursor; the cursor counts characters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Line {
    chars: Vec<char>,
    cursor: usize,
}

impl Line {
    /// A line with the cursor at its end.
    pub fn new(text: &str) -> Line {
        let chars: Vec<char> = text.chars().collect();
        let cursor = chars.len();
        Line { chars, cursor }
    }

    /// The whole text.
    pub fn text(&self) -> String {
        self.chars.iter().collect()
    }

    /// The text before the cursor.
    pub fn before_cursor(&self) -> String {
        self.chars[..self.cursor].iter().collect()
    }

    /// Inserts text; line ends and control characters become blanks.
    pub fn insert(&mut self, text: &str) {
        for c in text.trim_end_matches(['\n', '\r']).chars() {
            if self.chars.len() < MAX_CHARS {
                self.chars.insert(self.cursor, if c.is_control() { ' ' } else { c });
                self.cursor += 1;
            }
        }
    }

    /// Applies a key; whether the text changed.
    pub fn key(&mut self, key: Key) -> bool {
        let before = self.chars.len();
        match (key.ctrl, key.code) {
            (false, Code::Char(c)) => self.insert(c.encode_utf8(&mut [0; 4])),
            (false, Code::Backspace) if self.cursor > 0 => {
                self.cursor -= 1;
                self.chars.remove(self.cursor);
            }
            (false, Code::Delete) if self.cursor < self.chars.len() => {
                self.chars.remove(self.cursor);
            }
            (false, Code::Left) => self.cursor = self.cursor.saturating_sub(1),
            (false, Code::Right) => self.cursor = (self.cursor + 1).min(self.chars.len()),
            (false, Code::Home) | (true, Code::Char('a')) => self.cursor = 0,
            (false, Code::End) | (true, Code::Char('e')) => self.cursor = self.chars.len(),
            (true, Code::Char('u')) => {
                self.chars.drain(..self.cursor);
                self.cursor = 0;
            }
            (true, Code::Char('w')) => self.delete_word(),
            _ => {}
        }
        before != self.chars.len()
    }

    fn delete_word(&mut self) {
        let mut from = self.cursor;
        while from > 0 && self.chars[from - 1] == ' ' {
            from -= 1;
        }
        while from > 0 && self.chars[from - 1] != ' ' {
            from -= 1;
        }
        self.chars.drain(from..self.cursor);
        self.cursor = from;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits() {
        let mut line = Line::new("ab ßc");
        line.key("Ctrl-w".parse().unwrap());
        assert_eq!(line.text(), "ab ");
        line.key("Left".parse().unwrap());
        line.insert("x\ny\n");
        assert_eq!(line.text(), "abx y ");
        assert_eq!(line.before_cursor(), "abx y");
        line.key("Ctrl-u".parse().unwrap());
        assert_eq!(line.text(), " ");
    }
}
