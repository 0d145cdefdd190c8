//! The workbench: a state machine without I/O, and the shell that connects it to a terminal, threads and files. In: keys,
//! job reports; out: a screen and a recorded session. Never computes a verdict itself.

pub mod action;
pub mod key;
pub mod keys;
pub mod event;
pub mod job;
pub mod layout;
pub mod document;
mod syntax;
pub mod line;
pub mod cells;
pub mod state;
pub mod spans;
pub mod update;
pub mod act;
pub mod choose;
mod find;
mod fold;
pub mod moves;
pub mod reports;
pub mod work;
mod runner;
pub mod runners;
mod timing;
mod input;
mod clipboard;
mod editor;
mod watch;
pub mod headless;
mod terminal;
mod shell;

pub use shell::{Options, chooser, run};
