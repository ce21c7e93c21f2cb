package io.jverbs;

/** With what else a device's atomic operations are atomic; see ibv_query_device(3). */
public enum AtomicCapability {
    /** The device has no atomic operations. */
    NONE(0),
    /** With those of every queue pair of the same device. */
    HCA(1),
    /** Also with those of other devices and of the CPU. */
    GLOB(2),
    /** A number that is no capability. */
    UNKNOWN(-1);

    private static final CodeTable<AtomicCapability> BY_CODE = CodeTable.of(values(), AtomicCapability::code, UNKNOWN);

    private final int code;

    AtomicCapability(int code) {
        this.code = code;
    }

    /** {@return the number that verbs use, {@code enum ibv_atomic_cap}; -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /**
     * Finds a capability by its number.
     *
     * @param code a value of {@code enum ibv_atomic_cap}
     * @return its constant, {@link #UNKNOWN} if this class has none for it
     */
    public static AtomicCapability of(int code) {
        return BY_CODE.find(code);
    }
}
