//! Copying. In: text; out: an OSC 52 sequence for the terminal, else a file. Says which.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::session::state_dir;

/// Terminals drop longer sequences.
const MAX_OSC52_BYTES: usize = 74_000;

/// Copies, and says where to; the sequence goes to `out`, which is the terminal.
pub fn copy(text: &str, out: &mut impl Write) -> Result<String, String> {
    let dumb = std::env::var("TERM").is_ok_and(|t| t == "dumb" || t == "linux");
    if text.len() <= MAX_OSC52_BYTES && !dumb {
        let in_tmux = std::env::var_os("TMUX").is_some();
        let sent = out
            .write_all(sequence(text, in_tmux).as_bytes())
            .and_then(|()| out.flush());
        return match sent {
            Ok(()) => Ok(format!("copied {} characters", text.chars().count())),
            Err(e) => Err(format!("not copied: {e}")),
        };
    }
    to_file(text)
}

fn sequence(text: &str, in_tmux: bool) -> String {
    let osc = format!("\x1b]52;c;{}\x07", STANDARD.encode(text));
    match in_tmux {
        // tmux takes the plain one where it may set the clipboard, and hands the wrapped one through where it may not.
        true => format!("{osc}\x1bPtmux;\x1b{osc}\x1b\\"),
        false => osc,
    }
}

fn to_file(text: &str) -> Result<String, String> {
    let home = state_dir().and_then(|d| d.parent().map(ToOwned::to_owned));
    let dir = home.ok_or("not copied: neither XDG_STATE_HOME nor HOME is set")?;
    let path = dir.join("copied.txt");
    let written = std::fs::create_dir_all(&dir).and_then(|()| std::fs::write(&path, text));
    match written {
        Ok(()) => Ok(format!("written to {}", path.display())),
        Err(e) => Err(format!("not copied: cannot write {}: {e}", path.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_wrapped_for_tmux() {
        assert_eq!(sequence("a", false), "\x1b]52;c;YQ==\x07");
        assert!(sequence("a", true).ends_with("\x1bPtmux;\x1b\x1b]52;c;YQ==\x07\x1b\\"));
    }
}
