//! What the tests of kernels share: kernels of one body.

/// The parameters of a kernel from a column of doubles to one of doubles.
pub const DOUBLE: &str = "const double* a, const uint32_t* av, double* out, uint32_t* out_valid";

/// A kernel of these parameters whose thread does this with its row.
pub fn kernel(params: &str, body: &str) -> String {
    format!(
        "#include \"rw_text.cuh\"\nextern \"C\" __global__ void k(\n{params}, int32_t* error, int64_t rows) {{\n  \
         const int64_t row = rw::row_index();\n  bool valid = false;\n  if (row < rows) {{\n{body}\n  }}\n  \
         rw::store_valid(out_valid, row, rows, valid);\n}}\n"
    )
}
