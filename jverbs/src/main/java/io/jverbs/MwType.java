package io.jverbs;

/** The types of memory windows; see ibv_alloc_mw(3). */
public enum MwType {
    /**
     * Type 1: bound with {@link QueuePair#bindMemoryWindow}, which assigns a new key on each bind. Peers can use it
     * through every queue pair of the protection domain.
     */
    TYPE_1(1),
    /**
     * Type 2: bound with a {@link WrOpcode#BIND_MW} work request, with a key whose low 8 bits the program chooses.
     * Peers can use it only through the queue pair that bound it. It can be invalidated.
     */
    TYPE_2(2),
    /** Any other value. */
    UNKNOWN(-1);

    private static final CodeTable<MwType> BY_CODE = CodeTable.of(values(), MwType::code, UNKNOWN);

    private final int code;

    MwType(int code) {
        this.code = code;
    }

    /** {@return the value in {@code enum ibv_mw_type}; -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /**
     * Returns the constant for a numeric value.
     *
     * @param code a value of {@code enum ibv_mw_type}
     * @return the constant, or {@link #UNKNOWN} if no other constant has this value
     */
    public static MwType of(int code) {
        return BY_CODE.find(code);
    }
}
