package ai.rapids.cudf;

import java.util.List;
import java.util.Optional;

/** A column in host memory. */
public final class HostColumnVector extends HostColumnVectorCore {
  public HostColumnVector(DType type, long rows, Optional<Long> nulls, HostMemoryBuffer data,
      HostMemoryBuffer validity, HostMemoryBuffer offsets, List<HostColumnVectorCore> children) {
    super(type, rows, nulls, data, validity, offsets, children);
  }

  public ColumnVector copyToDevice() {
    return new ColumnVector(Memory.of(this));
  }
}
