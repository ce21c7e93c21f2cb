package io.jverbs;

/**
 * The state of automatic path migration of a connection; see ibv_modify_qp(3). Ethernet ports have no alternate
 * paths.
 */
public enum PathMigrationState {
    /** The connection is on its only path, or has moved to its alternate path. */
    MIGRATED(0),
    /** The program asks to arm migration; the peer has not confirmed yet. */
    REARM(1),
    /** Both sides are ready to move to the alternate path. */
    ARMED(2),
    /** A number that is no state. */
    UNKNOWN(-1);

    private static final CodeTable<PathMigrationState> BY_CODE = CodeTable.of(values(), PathMigrationState::code,
            UNKNOWN);

    private final int code;

    PathMigrationState(int code) {
        this.code = code;
    }

    /** {@return the number that verbs use, {@code enum ibv_mig_state}; -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /**
     * Finds a state by its number.
     *
     * @param code a value of {@code enum ibv_mig_state}
     * @return its constant, {@link #UNKNOWN} if this class has none for it
     */
    public static PathMigrationState of(int code) {
        return BY_CODE.find(code);
    }
}
