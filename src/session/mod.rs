//! Sessions: what happened, as an append-only list of steps on disk. In: [`Entry`] values as they happen; out: a folder
//! `NAME.rw/` with `events.jsonl` and `blobs/`, and the same entries again. Never runs anything that a session names
//! but for [`verify`], which leaves this process only for a session that the user trusts.

pub mod entry;
mod blob;
mod record;
mod store;
mod load;
mod list;
mod recorder;
mod replay;
mod verify;

pub use entry::{Choice, Entry};
pub use list::{Summary, list, standard_places, state_dir};
pub use load::{load, open};
pub use recorder::{Recorder, free_name};
pub use replay::{Replay, Step, describe};
pub use store::{FORMAT_VERSION, Store};
pub use verify::{Difference, Verification, verify};
