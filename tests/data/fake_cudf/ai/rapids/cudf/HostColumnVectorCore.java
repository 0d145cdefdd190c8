package ai.rapids.cudf;

import java.util.List;
import java.util.Optional;

/** A column in host memory, or one below another. */
public class HostColumnVectorCore implements AutoCloseable {
  protected final DType type;
  protected final long rows;
  private final long nulls;
  private final HostMemoryBuffer data;
  private final HostMemoryBuffer validity;
  private final HostMemoryBuffer offsets;
  private final List<HostColumnVectorCore> children;

  public HostColumnVectorCore(DType type, long rows, Optional<Long> nulls, HostMemoryBuffer data,
      HostMemoryBuffer validity, HostMemoryBuffer offsets, List<HostColumnVectorCore> children) {
    this.type = type;
    this.rows = rows;
    this.nulls = nulls.get();
    this.data = data;
    this.validity = validity;
    this.offsets = offsets;
    this.children = children;
    if (this.nulls > 0 && validity == null) {
      throw new IllegalStateException("nulls without their bits");
    }
  }

  public DType getType() {
    return type;
  }

  public long getRowCount() {
    return rows;
  }

  public long getNullCount() {
    return nulls;
  }

  public HostMemoryBuffer getData() {
    return data;
  }

  public HostMemoryBuffer getValidity() {
    return validity;
  }

  public HostMemoryBuffer getOffsets() {
    return offsets;
  }

  public int getNumChildren() {
    return children.size();
  }

  public HostColumnVectorCore getChildColumnView(int at) {
    return children.get(at);
  }

  @Override
  public void close() {
    for (HostMemoryBuffer b : new HostMemoryBuffer[] {data, validity, offsets}) {
      if (b != null) {
        b.close();
      }
    }
    children.forEach(HostColumnVectorCore::close);
  }
}
