package ai.rapids.cudf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** One number of a device. */
public final class Scalar implements AutoCloseable, BinaryOperable {
  private final OffHeapState offHeap;
  private int refCount = 1;

  private static final class OffHeapState extends MemoryCleaner.Cleaner {
    private Integer value;

    OffHeapState(int value) {
      this.value = value;
      Rmm.BYTES.addAndGet(4);
    }

    @Override
    public boolean isClean() {
      return value == null;
    }
  }

  private Scalar(int value) {
    offHeap = new OffHeapState(value);
    offHeap.addRef();
  }

  public static Scalar fromInt(int value) {
    return new Scalar(value);
  }

  @Override
  public DType getType() {
    return DType.INT32;
  }

  Memory rows(int rows) {
    ByteBuffer out = ByteBuffer.allocate(4 * rows).order(ByteOrder.nativeOrder());
    for (int i = 0; i < rows; i++) {
      out.putInt(offHeap.value);
    }
    return new Memory(DType.INT32, rows, 0, out.array(), null, null);
  }

  @Override
  public synchronized void close() {
    refCount--;
    offHeap.delRef();
    if (refCount == 0) {
      Rmm.BYTES.addAndGet(-4);
      offHeap.value = null;
    } else if (refCount < 0) {
      throw new IllegalStateException("Close called too many times " + this);
    }
  }
}
