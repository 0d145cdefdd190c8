package ai.rapids.cudf;

/** The type of a column. */
public final class DType {
  public static final int DECIMAL32_MAX_PRECISION = 9;
  public static final int DECIMAL64_MAX_PRECISION = 18;

  /** Ids with their bytes. */
  public enum DTypeEnum {
    INT8(1), INT16(2), INT32(4), INT64(8), UINT8(1), FLOAT32(4), FLOAT64(8), BOOL8(1), TIMESTAMP_DAYS(4),
    TIMESTAMP_MICROSECONDS(8), STRING(0), LIST(0), STRUCT(0), DECIMAL32(4), DECIMAL64(8), DECIMAL128(16), UINT32(4);

    final int size;

    DTypeEnum(int size) {
      this.size = size;
    }
  }

  public static final DType INT8 = new DType(DTypeEnum.INT8, 0);
  public static final DType INT16 = new DType(DTypeEnum.INT16, 0);
  public static final DType INT32 = new DType(DTypeEnum.INT32, 0);
  public static final DType INT64 = new DType(DTypeEnum.INT64, 0);
  public static final DType UINT8 = new DType(DTypeEnum.UINT8, 0);
  public static final DType UINT32 = new DType(DTypeEnum.UINT32, 0);
  public static final DType FLOAT32 = new DType(DTypeEnum.FLOAT32, 0);
  public static final DType FLOAT64 = new DType(DTypeEnum.FLOAT64, 0);
  public static final DType BOOL8 = new DType(DTypeEnum.BOOL8, 0);
  public static final DType TIMESTAMP_DAYS = new DType(DTypeEnum.TIMESTAMP_DAYS, 0);
  public static final DType TIMESTAMP_MICROSECONDS = new DType(DTypeEnum.TIMESTAMP_MICROSECONDS, 0);
  public static final DType STRING = new DType(DTypeEnum.STRING, 0);
  public static final DType LIST = new DType(DTypeEnum.LIST, 0);
  public static final DType STRUCT = new DType(DTypeEnum.STRUCT, 0);

  private final DTypeEnum id;
  private final int scale;

  private DType(DTypeEnum id, int scale) {
    this.id = id;
    this.scale = scale;
  }

  public static DType create(DTypeEnum id, int scale) {
    return new DType(id, scale);
  }

  public DTypeEnum getTypeId() {
    return id;
  }

  public int getScale() {
    return scale;
  }

  public int getSizeInBytes() {
    return id.size;
  }

  public boolean isDecimalType() {
    return id.name().startsWith("DECIMAL");
  }

  public boolean isNestedType() {
    return id == DTypeEnum.LIST || id == DTypeEnum.STRUCT;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof DType && ((DType) o).id == id && ((DType) o).scale == scale;
  }

  @Override
  public int hashCode() {
    return id.hashCode() + scale;
  }

  @Override
  public String toString() {
    return isDecimalType() ? id + " scale:" + scale : id.toString();
  }
}
