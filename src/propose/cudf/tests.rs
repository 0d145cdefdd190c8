//! Texts of hand-built programs.
