package io.jverbs;

/** The scope in which a device's atomic operations are atomic; see ibv_query_device(3). */
public enum AtomicCapability {
    /** The device does not support atomic operations. */
    NONE(0),
    /** Among all queue pairs of the same device. */
    HCA(1),
    /** Also with respect to other devices and to the CPU. */
    GLOB(2),
    /** Any other value. */
    UNKNOWN(-1);

    private static final CodeTable<AtomicCapability> BY_CODE = CodeTable.of(values(), AtomicCapability::code, UNKNOWN);

    private final int code;

    AtomicCapability(int code) {
        this.code = code;
    }

    /** {@return the value in {@code enum ibv_atomic_cap}; -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /**
     * Returns the constant for a numeric value.
     *
     * @param code a value of {@code enum ibv_atomic_cap}
     * @return the constant, or {@link #UNKNOWN} if no other constant has this value
     */
    public static AtomicCapability of(int code) {
        return BY_CODE.find(code);
    }
}
