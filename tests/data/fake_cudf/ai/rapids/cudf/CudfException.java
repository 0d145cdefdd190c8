package ai.rapids.cudf;

/** What the library says. */
public class CudfException extends RuntimeException {
  CudfException(String message) {
    super(message);
  }
}
