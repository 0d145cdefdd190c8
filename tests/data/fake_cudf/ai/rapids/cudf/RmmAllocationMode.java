package ai.rapids.cudf;

/** Where memory comes from. */
public class RmmAllocationMode {
  public static final int CUDA_DEFAULT = 0;
  public static final int POOL = 1;
}
