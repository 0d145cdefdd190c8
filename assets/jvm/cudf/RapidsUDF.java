package com.nvidia.spark;

import ai.rapids.cudf.ColumnVector;

/** The accelerator's interface of columnar UDFs, for libraries that come without it. */
public interface RapidsUDF {
  /** Without the number of rows; earlier candidates have this one. */
  default ColumnVector evaluateColumnar(ColumnVector... args) {
    throw new UnsupportedOperationException("evaluateColumnar(int, ColumnVector...) is not overridden");
  }

  /** The columns are the caller's; the result is handed over to it. */
  default ColumnVector evaluateColumnar(int numRows, ColumnVector... args) {
    return evaluateColumnar(args);
  }
}
