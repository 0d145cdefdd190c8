//! The terminal as a resource: entered, left, and given back in every case. In: whether the mouse is wanted; out: a
//! ratatui terminal.

use std::io::{self, IsTerminal, Stdout, stdout};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossterm::event::{DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture};
use crossterm::execute;
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;

use crate::error::{Error, Result};

/// Whether the terminal is ours at the moment; asked by the panic hook, which may run at any time.
static ENTERED: AtomicBool = AtomicBool::new(false);

/// The terminal while it is ours. Dropping it gives it back.
pub struct Screen {
    /// What is drawn to.
    pub terminal: Terminal<CrosstermBackend<Stdout>>,
    mouse: bool,
}

impl Screen {
    /// Takes the terminal; refuses where there is none.
    pub fn enter(mouse: bool) -> Result<Screen> {
        if !io::stdin().is_terminal() || !stdout().is_terminal() {
            return Err(Error::input("the workbench needs a terminal for input and output")
                .hint("without one: rewright check FILE, rewright propose FILE, rewright find PATH"));
        }
        let failed = |e: io::Error| Error::input("cannot use this terminal").because(e);
        hook_panics();
        take(mouse).map_err(failed)?;
        let made = Terminal::new(CrosstermBackend::new(stdout()));
        match made {
            Ok(terminal) => Ok(Screen { terminal, mouse }),
            Err(e) => {
                give_back();
                Err(failed(e))
            }
        }
    }

    /// Gives the terminal back for a while.
    pub fn leave(&mut self) {
        give_back();
    }

    /// Takes it again; the next drawing draws everything.
    pub fn again(&mut self) -> io::Result<()> {
        take(self.mouse)?;
        self.forget()
    }

    /// Forgets what is on the terminal, so that the next drawing draws everything. Asks the terminal nothing: not every
    /// terminal answers.
    pub fn forget(&mut self) -> io::Result<()> {
        execute!(stdout(), Clear(ClearType::All))?;
        self.terminal = Terminal::new(CrosstermBackend::new(stdout()))?;
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

fn take(mouse: bool) -> io::Result<()> {
    enable_raw_mode()?;
    ENTERED.store(true, Ordering::SeqCst);
    execute!(
        stdout(),
        EnterAlternateScreen,
        EnableBracketedPaste,
        crossterm::cursor::Hide
    )?;
    if mouse {
        execute!(stdout(), EnableMouseCapture)?;
    }
    Ok(())
}

fn give_back() {
    if !ENTERED.swap(false, Ordering::SeqCst) {
        return;
    }
    // A terminal that is gone cannot be given back: nothing is left to do about errors here.
    let _ = execute!(
        stdout(),
        DisableMouseCapture,
        DisableBracketedPaste,
        LeaveAlternateScreen,
        crossterm::cursor::Show
    );
    let _ = disable_raw_mode();
}

/// A panic of this thread gives the terminal back before its message is printed. Panics of job threads become reports
/// and must not print over the screen.
fn hook_panics() {
    let main = thread::current().id();
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if thread::current().id() == main {
            give_back();
            before(info);
        } else if !ENTERED.load(Ordering::SeqCst) {
            before(info);
        }
    }));
}
