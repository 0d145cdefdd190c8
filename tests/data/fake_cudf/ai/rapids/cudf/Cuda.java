package ai.rapids.cudf;

/** One device in host memory. */
public class Cuda {
  public static final Stream DEFAULT_STREAM = new Stream();

  /** A queue of work, always done. */
  public static final class Stream {
    public void sync() {
      if (Mode.NAME.equals("lost")) {
        throw new CudaException("an illegal memory access was encountered");
      }
    }
  }

  public static int getDeviceCount() {
    if (Mode.NAME.equals("other-cuda")) {
      throw new CudaException("CUDA driver version is insufficient for CUDA runtime version");
    }
    return 1;
  }

  public static void setDevice(int device) {}

  public static CudaMemInfo memGetInfo() {
    return new CudaMemInfo();
  }

  public static int getRuntimeVersion() {
    return 13010;
  }

  public static int getDriverVersion() {
    return 13020;
  }

  public static int getComputeCapabilityMajor() {
    return 9;
  }

  public static int getComputeCapabilityMinor() {
    return 0;
  }
}
