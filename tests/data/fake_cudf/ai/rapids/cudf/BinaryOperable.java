package ai.rapids.cudf;

/** A column or a scalar. */
public interface BinaryOperable {
  DType getType();
}
