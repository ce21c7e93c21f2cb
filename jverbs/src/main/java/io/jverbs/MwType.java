package io.jverbs;

/** The types of memory window; see ibv_alloc_mw(3). */
public enum MwType {
    /** Bound by {@code bind_mw}, which gives a new key each time; usable through every queue pair of the domain. */
    TYPE_1(1),
    /**
     * Bound by a work request with a key whose low byte the program chooses; belongs to the queue pair that bound
     * it and can be invalidated.
     */
    TYPE_2(2),
    /** A number that is no type. */
    UNKNOWN(-1);

    private static final CodeTable<MwType> BY_CODE = CodeTable.of(values(), MwType::code, UNKNOWN);

    private final int code;

    MwType(int code) {
        this.code = code;
    }

    /** {@return the number that verbs use, {@code enum ibv_mw_type}; -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /**
     * Finds a type by its number.
     *
     * @param code a value of {@code enum ibv_mw_type}
     * @return its constant, {@link #UNKNOWN} if this class has none for it
     */
    public static MwType of(int code) {
        return BY_CODE.find(code);
    }
}
