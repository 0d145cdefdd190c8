//! What the terminal sends, as events. In: crossterm's events; out: ours.

use crossterm::event::{
    Event as Raw, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

use super::event::{Event, MouseKind, Size};
use super::key::{Code, Key};

/// The event, if it is one that the screen knows.
pub fn translate(raw: Raw) -> Option<Event> {
    match raw {
        Raw::Key(key) if key.kind != KeyEventKind::Release => translate_key(key).map(Event::Key),
        Raw::Mouse(mouse) => translate_mouse(mouse),
        Raw::Paste(text) => Some(Event::Paste(text)),
        Raw::Resize(width, height) => Some(Event::Resize(Size { width, height })),
        _ => None,
    }
}

fn translate_key(key: KeyEvent) -> Option<Key> {
    let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
    if key.modifiers.contains(KeyModifiers::ALT) {
        return None;
    }
    let code = match key.code {
        KeyCode::Char(c) if ctrl => Code::Char(c.to_ascii_lowercase()),
        KeyCode::Char(c) => Code::Char(c),
        KeyCode::Enter => Code::Enter,
        KeyCode::Esc => Code::Esc,
        KeyCode::Tab => Code::Tab,
        KeyCode::BackTab => Code::BackTab,
        KeyCode::Up => Code::Up,
        KeyCode::Down => Code::Down,
        KeyCode::Left => Code::Left,
        KeyCode::Right => Code::Right,
        KeyCode::PageUp => Code::PageUp,
        KeyCode::PageDown => Code::PageDown,
        KeyCode::Home => Code::Home,
        KeyCode::End => Code::End,
        KeyCode::Backspace => Code::Backspace,
        KeyCode::Delete => Code::Delete,
        KeyCode::F(n) => Code::F(n),
        _ => return None,
    };
    Some(Key { code, ctrl })
}

fn translate_mouse(mouse: MouseEvent) -> Option<Event> {
    let kind = match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => MouseKind::Click,
        MouseEventKind::ScrollUp => MouseKind::WheelUp,
        MouseEventKind::ScrollDown => MouseKind::WheelDown,
        _ => return None,
    };
    Some(Event::Mouse(kind, mouse.column, mouse.row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_and_release() {
        let key = KeyEvent::new(KeyCode::Char('P'), KeyModifiers::CONTROL);
        assert_eq!(translate_key(key).unwrap().to_string(), "Ctrl-p");
        let mut up = KeyEvent::new(KeyCode::Char('t'), KeyModifiers::NONE);
        up.kind = KeyEventKind::Release;
        assert!(translate(Raw::Key(up)).is_none());
    }
}
