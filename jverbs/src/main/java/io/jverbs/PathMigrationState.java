package io.jverbs;

/**
 * The state of automatic path migration of a connection; see ibv_modify_qp(3). Ethernet ports do not support alternate
 * paths.
 */
public enum PathMigrationState {
    /** The connection uses its only path, or migrated to its alternate path. */
    MIGRATED(0),
    /** The program requested migration to be armed, and the peer did not confirm yet. */
    REARM(1),
    /** Both sides are ready to migrate to the alternate path. */
    ARMED(2),
    /** Any other value. */
    UNKNOWN(-1);

    private static final CodeTable<PathMigrationState> BY_CODE = CodeTable.of(values(), PathMigrationState::code,
            UNKNOWN);

    private final int code;

    PathMigrationState(int code) {
        this.code = code;
    }

    /** {@return the value in {@code enum ibv_mig_state}; -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /**
     * Returns the constant for a numeric value.
     *
     * @param code a value of {@code enum ibv_mig_state}
     * @return the constant, or {@link #UNKNOWN} if no other constant has this value
     */
    public static PathMigrationState of(int code) {
        return BY_CODE.find(code);
    }
}
