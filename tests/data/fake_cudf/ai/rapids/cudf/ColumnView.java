package ai.rapids.cudf;

/** A column of a device. */
public class ColumnView implements AutoCloseable, BinaryOperable {
  protected final OffHeapState offHeap;

  ColumnView(Memory memory) {
    offHeap = new OffHeapState(memory);
  }

  /** Its memory, as long as it is there. */
  static final class OffHeapState extends MemoryCleaner.Cleaner {
    private Memory memory;
    final DType type;
    final long rows;

    OffHeapState(Memory memory) {
      this.memory = memory;
      this.type = memory.type;
      this.rows = memory.rows;
      Rmm.BYTES.addAndGet(memory.bytes());
    }

    Memory get() {
      if (memory == null) {
        throw new IllegalStateException("Column is already closed");
      }
      return memory;
    }

    void clean() {
      Rmm.BYTES.addAndGet(-memory.bytes());
      memory = null;
    }

    @Override
    public boolean isClean() {
      return memory == null;
    }
  }

  @Override
  public DType getType() {
    return offHeap.type;
  }

  public long getRowCount() {
    return offHeap.rows;
  }

  public HostColumnVector copyToHost() {
    return offHeap.get().toHost();
  }

  @Override
  public void close() {
    offHeap.clean();
  }
}
