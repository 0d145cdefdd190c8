package com.nvidia.spark;

import ai.rapids.cudf.ColumnVector;

/** The interface of an older release. */
public interface RapidsUDF {
  ColumnVector evaluateColumnar(ColumnVector... args);
}
