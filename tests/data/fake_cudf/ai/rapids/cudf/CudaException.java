package ai.rapids.cudf;

/** What the device says. */
public class CudaException extends RuntimeException {
  CudaException(String message) {
    super(message);
  }
}
