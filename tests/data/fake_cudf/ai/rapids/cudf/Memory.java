package ai.rapids.cudf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a device column holds: as many bytes of each buffer as the real library copies. */
final class Memory {
  final DType type;
  final int rows;
  final int nulls;
  final byte[] data;
  final byte[] validity;
  final byte[] offsets;
  final List<Memory> children = new ArrayList<>();

  Memory(DType type, int rows, int nulls, byte[] data, byte[] validity, byte[] offsets) {
    this.type = type;
    this.rows = rows;
    this.nulls = nulls;
    this.data = data;
    this.validity = validity;
    this.offsets = offsets;
  }

  static Memory of(HostColumnVectorCore c) {
    int rows = (int) c.getRowCount();
    byte[] offsets = c.getOffsets() == null ? null : c.getOffsets().first(4L * (rows + 1));
    byte[] validity = c.getValidity() == null ? null : c.getValidity().first(((rows + 7L) / 8 + 63) / 64 * 64);
    long length = (long) rows * c.getType().getSizeInBytes();
    if (c.getType().equals(DType.STRING) && rows > 0) {
      length = Math.max(1, at(offsets, rows));
    }
    byte[] data = c.getData() == null ? null : c.getData().first(length);
    Memory made = new Memory(c.getType(), rows, (int) c.getNullCount(), data, validity, offsets);
    for (int i = 0; i < c.getNumChildren(); i++) {
      made.children.add(of(c.getChildColumnView(i)));
    }
    return made;
  }

  static int at(byte[] numbers, int index) {
    return ByteBuffer.wrap(numbers).order(ByteOrder.nativeOrder()).getInt(4 * index);
  }

  HostColumnVector toHost() {
    return (HostColumnVector) host(true);
  }

  private HostColumnVectorCore host(boolean top) {
    List<HostColumnVectorCore> below = new ArrayList<>();
    children.forEach(c -> below.add(c.host(false)));
    Optional<Long> count = Optional.of((long) nulls);
    HostMemoryBuffer[] b = new HostMemoryBuffer[3];
    byte[][] from = {data, validity, offsets};
    for (int i = 0; i < 3; i++) {
      b[i] = from[i] == null ? null : HostMemoryBuffer.of(from[i]);
    }
    return top
        ? new HostColumnVector(type, rows, count, b[0], b[1], b[2], below)
        : new HostColumnVectorCore(type, rows, count, b[0], b[1], b[2], below);
  }

  long bytes() {
    long sum = 0;
    for (byte[] b : new byte[][] {data, validity, offsets}) {
      sum += b == null ? 0 : b.length;
    }
    for (Memory child : children) {
      sum += child.bytes();
    }
    return sum;
  }
}
