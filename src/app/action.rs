//! What a user can do, by stable name. The same word is the entry of the key table, the command palette, the log line
//! and the session record.

use std::fmt;
use std::str::FromStr;

macro_rules! actions {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal,)+) => {
        /// Everything that a user can do on the screen.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Action { $($(#[doc = $doc])+ $variant,)+ }

        impl Action {
            /// All of them, in the order of the help screen.
            pub const ALL: &'static [Action] = &[$(Action::$variant),+];

            /// The stable kebab-case name.
            pub fn name(self) -> &'static str {
                match self { $(Action::$variant => $name,)+ }
            }

            /// What it does, in one line.
            pub fn doc(self) -> &'static str {
                match self { $(Action::$variant => concat!($($doc),+).trim_ascii(),)+ }
            }
        }
    };
}

actions! {
    /// Test the rewrite against the original.
    Test = "test",
    /// Time the rewrite on a GPU and the original on the CPU.
    Bench = "bench",
    /// Time other shapes of the kernel, and keep the fastest that gives the same.
    Tune = "tune",
    /// Take one of the shapes that were tried.
    Tries = "tries",
    /// Test, and see that the kernel keeps to its memory on the GPU.
    Memcheck = "memcheck",
    /// Show the Spark SQL rewrite.
    TierSql = "tier-sql",
    /// Show the cuDF rewrite.
    TierCudf = "tier-cudf",
    /// Show the CUDA rewrite.
    TierCuda = "tier-cuda",
    /// Edit the rewrite in $VISUAL or $EDITOR.
    Edit = "edit",
    /// Drop the edit and go back to the proposal.
    Revert = "revert",
    /// Show the edit against the proposal.
    Diff = "diff",
    /// Go to the next mismatch.
    NextMismatch = "next-mismatch",
    /// Go to the previous mismatch.
    PreviousMismatch = "previous-mismatch",
    /// Open the row under the cursor as a record, or choose the entry.
    Open = "open",
    /// Show only mismatches of one class.
    Filter = "filter",
    /// Accept a class of mismatch, or take that back.
    Policy = "policy",
    /// Find text in the panel.
    Find = "find",
    /// Undo the last edit or policy change.
    Undo = "undo",
    /// Read where the rewrite may differ, and why.
    Notes = "notes",
    /// Read the whole benchmark.
    Timings = "timings",
    /// Choose another UDF of this file.
    Udfs = "udfs",
    /// Take the next oracle: embedded, jvm, spark.
    Oracle = "oracle",
    /// Take the next engine: for SQL cpu or spark, for cuDF cpu or cudf, for CUDA cuda-host or cuda.
    Engine = "engine",
    /// Read what the JVM worker wrote.
    Log = "worker-log",
    /// Save the session under a name.
    Save = "save",
    /// Watch the file and test again when it changes.
    Watch = "watch",
    /// Copy the rewrite, the row or the text of the panel.
    Copy = "copy",
    /// Remove the policy entry under the cursor.
    Remove = "remove",
    /// Go to the chooser of samples and sessions.
    Chooser = "chooser",
    /// Go to the next panel.
    NextPanel = "next-panel",
    /// Go to the previous panel.
    PreviousPanel = "previous-panel",
    /// Move up.
    Up = "up",
    /// Move down.
    Down = "down",
    /// Move left.
    Left = "left",
    /// Move right.
    Right = "right",
    /// Go to the first line.
    Top = "top",
    /// Go to the last line.
    Bottom = "bottom",
    /// Move up by a page.
    PageUp = "page-up",
    /// Move down by a page.
    PageDown = "page-down",
    /// Move up by half a page.
    HalfUp = "half-up",
    /// Move down by half a page.
    HalfDown = "half-down",
    /// Show the keys.
    Help = "help",
    /// Choose a command by name.
    Palette = "palette",
    /// Step back.
    Back = "back",
    /// Close what is open, or quit.
    Quit = "quit",
    /// Cancel the run; without a run, quit.
    Interrupt = "interrupt",
    /// Stop and go back to the shell; `fg` continues.
    Suspend = "suspend",
    /// Draw the screen again.
    Redraw = "redraw",
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Action {
    type Err = String;

    fn from_str(name: &str) -> Result<Action, String> {
        let found = Action::ALL.iter().find(|a| a.name() == name);
        found.copied().ok_or_else(|| format!("no action is called {name:?}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_round_trip() {
        for action in Action::ALL {
            assert_eq!(action.name().parse::<Action>(), Ok(*action));
            assert!(action.doc().ends_with('.'), "{action}: {}", action.doc());
        }
    }
}
