package ai.rapids.cudf;

/** Memory of a device. */
public class CudaMemInfo {
  public final long free = 1L << 30;
  public final long total = 1L << 30;
}
