//! Colours by role. In: a preset's name or a theme's text; out: a style per role. Code names roles, never colours.

use ratatui::style::{Color, Modifier, Style};

use crate::error::{Error, Result};

macro_rules! roles {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal,)+) => {
        /// What a piece of the screen is, as far as its colour goes.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Role { $($(#[doc = $doc])+ $variant,)+ }

        impl Role {
            /// All of them.
            pub const ALL: &'static [Role] = &[$(Role::$variant),+];

            /// The name in theme files.
            pub fn name(self) -> &'static str {
                match self { $(Role::$variant => $name,)+ }
            }
        }
    };
}

roles! {
    /// Plain text.
    Text = "text",
    /// What matters less.
    Dim = "dim",
    /// What the eye should find: names, titles with the keys.
    Accent = "accent",
    /// Frames.
    Border = "border",
    /// The frame of the panel with the keys.
    Focus = "focus",
    /// The same on both sides.
    Match = "match",
    /// Different, and accepted.
    WithinPolicy = "within-policy",
    /// Different.
    Mismatch = "mismatch",
    /// Nothing was shown, or nothing could be proven: never a pass.
    Vacuous = "vacuous",
    /// Not understood, with its reason.
    Refused = "refused",
    /// The characters in which two cells differ.
    Mark = "mark",
    /// The part of a text that the mismatch under the cursor is about.
    Branch = "branch",
    /// The line under the cursor.
    Cursor = "cursor",
    /// A word of a language.
    Keyword = "keyword",
    /// A literal text.
    String = "string",
    /// A literal number.
    Number = "number",
    /// A comment.
    Comment = "comment",
    /// A type.
    Type = "type",
    /// Brackets and operators.
    Punctuation = "punctuation",
    /// A line that only the edit has.
    Added = "added",
    /// A line that only the proposal has.
    Removed = "removed",
    /// A key in the footer and in help.
    Key = "key",
    /// A message.
    Notice = "notice",
    /// A message about a failure.
    Trouble = "trouble",
}

/// A style per role.
#[derive(Debug, Clone)]
pub struct Theme {
    /// The name that chose it.
    pub name: String,
    styles: Vec<Style>,
}

/// The presets: name and text.
const PRESETS: [(&str, &str); 4] = [
    ("default", include_str!("../../assets/themes/default.toml")),
    ("light", include_str!("../../assets/themes/light.toml")),
    ("blue-orange", include_str!("../../assets/themes/blue-orange.toml")),
    ("mono", include_str!("../../assets/themes/mono.toml")),
];

impl Theme {
    /// The names of the presets.
    pub fn presets() -> impl Iterator<Item = &'static str> {
        PRESETS.iter().map(|(name, _)| *name)
    }

    /// A preset by name.
    pub fn preset(name: &str) -> Result<Theme> {
        let found = PRESETS.iter().find(|(n, _)| *n == name);
        let (_, text) = found.ok_or_else(|| {
            let names: Vec<&str> = Theme::presets().collect();
            Error::input(format!("there is no theme called {name:?}")).hint(format!("one of: {}", names.join(", ")))
        })?;
        Theme::parse(name, text)
    }

    /// The preset for this environment: `mono` where colour is not wanted or not possible.
    pub fn for_environment(wanted: Option<&str>, no_color: bool, term: Option<&str>) -> Result<Theme> {
        match wanted {
            Some(name) => Theme::preset(name),
            None if no_color || term == Some("dumb") => Theme::preset("mono"),
            None => Theme::preset("default"),
        }
    }

    /// Reads a theme: `role = "colour on colour bold underline"`, a line each.
    pub fn parse(name: &str, text: &str) -> Result<Theme> {
        let bad = |why: String| Error::input(format!("the theme {name} is not readable")).because(why);
        let table: toml::Table = text.parse().map_err(|e: toml::de::Error| bad(e.message().to_owned()))?;
        let mut styles = Vec::with_capacity(Role::ALL.len());
        for role in Role::ALL {
            let words = match table.get(role.name()) {
                Some(toml::Value::String(words)) => words.as_str(),
                Some(_) => return Err(bad(format!("{} is not a text", role.name()))),
                None => return Err(bad(format!("it has no {}", role.name()))),
            };
            styles.push(style(words).map_err(bad)?);
        }
        Ok(Theme {
            name: name.to_owned(),
            styles,
        })
    }

    /// A theme in which every role has a colour of its own, so that tests can tell roles from a buffer.
    pub fn probe() -> Theme {
        let of = |role: &Role| match role {
            Role::Cursor | Role::Branch => Style::new().bg(Color::Indexed(*role as u8)),
            _ => Style::new().fg(Color::Indexed(*role as u8)),
        };
        Theme {
            name: "probe".into(),
            styles: Role::ALL.iter().map(of).collect(),
        }
    }

    /// The style of a role.
    pub fn style(&self, role: Role) -> Style {
        self.styles[role as usize]
    }
}

fn style(words: &str) -> std::result::Result<Style, String> {
    let mut style = Style::new();
    let mut on = false;
    for word in words.split_whitespace() {
        match word {
            "plain" => {}
            "on" => on = true,
            "bold" => style = style.add_modifier(Modifier::BOLD),
            "dim" => style = style.add_modifier(Modifier::DIM),
            "italic" => style = style.add_modifier(Modifier::ITALIC),
            "underline" => style = style.add_modifier(Modifier::UNDERLINED),
            "reversed" => style = style.add_modifier(Modifier::REVERSED),
            colour => {
                let colour = colour_of(colour).ok_or_else(|| format!("{colour:?} is no colour"))?;
                style = if std::mem::take(&mut on) {
                    style.bg(colour)
                } else {
                    style.fg(colour)
                };
            }
        }
    }
    Ok(style)
}

fn colour_of(name: &str) -> Option<Color> {
    Some(match name {
        "black" => Color::Black,
        "red" => Color::Red,
        "green" => Color::Green,
        "yellow" => Color::Yellow,
        "blue" => Color::Blue,
        "magenta" => Color::Magenta,
        "cyan" => Color::Cyan,
        "white" => Color::Gray,
        "bright-black" => Color::DarkGray,
        "bright-red" => Color::LightRed,
        "bright-green" => Color::LightGreen,
        "bright-yellow" => Color::LightYellow,
        "bright-blue" => Color::LightBlue,
        "bright-magenta" => Color::LightMagenta,
        "bright-cyan" => Color::LightCyan,
        "bright-white" => Color::White,
        "default" => Color::Reset,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_has_every_role() {
        for name in Theme::presets() {
            Theme::preset(name).unwrap();
        }
        assert!(Theme::preset("plaid").is_err());
    }

    #[test]
    fn a_pass_never_looks_like_a_vacuous_or_refused_one() {
        for name in Theme::presets() {
            let theme = Theme::preset(name).unwrap();
            for other in [Role::Vacuous, Role::Refused, Role::Mismatch, Role::WithinPolicy] {
                assert_ne!(theme.style(Role::Match), theme.style(other), "{name}: {other:?}");
            }
        }
    }

    #[test]
    fn mono_has_no_colour() {
        let theme = Theme::for_environment(None, true, None).unwrap();
        for role in Role::ALL {
            let style = theme.style(*role);
            assert_eq!((style.fg, style.bg), (None, None), "{role:?}");
        }
    }
}
