package ai.rapids.cudf;

import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Lists what holds memory, with where references were taken and given back. */
public final class MemoryCleaner {
  private static final AtomicLong ids = new AtomicLong();
  static final AtomicLong leakCount = new AtomicLong();
  private static final Map<Long, Reference> all = new ConcurrentHashMap<>();

  static final class Reference {
    private final Cleaner cleaner;

    Reference(Cleaner cleaner) {
      this.cleaner = cleaner;
    }
  }

  /** What frees the memory of one thing. */
  public abstract static class Cleaner {
    private final List<Item> refCountDebug =
        Boolean.getBoolean("ai.rapids.refcount.debug") ? new LinkedList<>() : null;
    public final long id = ids.incrementAndGet();

    public Cleaner() {
      all.put(id, new Reference(this));
    }

    final void addRef() {
      note("INC");
    }

    final void delRef() {
      note("DEC");
    }

    private void note(String op) {
      if (refCountDebug != null) {
        refCountDebug.add(new Item(op));
      }
    }

    public abstract boolean isClean();
  }

  private static final class Item {
    final StackTraceElement[] stackTrace = Thread.currentThread().getStackTrace();
    final String op;

    Item(String op) {
      this.op = op;
    }
  }
}
