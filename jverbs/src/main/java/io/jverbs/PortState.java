package io.jverbs;

/** The logical state of a port; see ibv_query_port(3). */
public enum PortState {
    /** No state, or one that does not change. */
    NOP(0),
    /** The link is down: nothing is sent or received. */
    DOWN(1),
    /** The link is up; the subnet manager has not configured the port. */
    INIT(2),
    /** Configured, not yet activated. */
    ARMED(3),
    /** The port carries traffic. */
    ACTIVE(4),
    /** Active, while the link recovers from errors. */
    ACTIVE_DEFER(5),
    /** A number that is no state. */
    UNKNOWN(-1);

    private static final CodeTable<PortState> BY_CODE = CodeTable.of(values(), PortState::code, UNKNOWN);

    private final int code;

    PortState(int code) {
        this.code = code;
    }

    /** {@return the number that verbs use, {@code enum ibv_port_state}; -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /**
     * Finds a state by its number.
     *
     * @param code a value of {@code enum ibv_port_state}
     * @return its constant, {@link #UNKNOWN} if this class has none for it
     */
    public static PortState of(int code) {
        return BY_CODE.find(code);
    }
}
