package io.jverbs;

/** The logical state of a port; see ibv_query_port(3). */
public enum PortState {
    /** The port has no state, or its state does not change. */
    NOP(0),
    /** The link is down: nothing is sent or received. */
    DOWN(1),
    /** The link is up, but the subnet manager did not configure the port yet. */
    INIT(2),
    /** The port is configured, but not active yet. */
    ARMED(3),
    /** The port carries traffic. */
    ACTIVE(4),
    /** The port is active while its link recovers from errors. */
    ACTIVE_DEFER(5),
    /** Any other value. */
    UNKNOWN(-1);

    private static final CodeTable<PortState> BY_CODE = CodeTable.of(values(), PortState::code, UNKNOWN);

    private final int code;

    PortState(int code) {
        this.code = code;
    }

    /** {@return the value in {@code enum ibv_port_state}; -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /**
     * Returns the constant for a numeric value.
     *
     * @param code a value of {@code enum ibv_port_state}
     * @return the constant, or {@link #UNKNOWN} if no other constant has this value
     */
    public static PortState of(int code) {
        return BY_CODE.find(code);
    }
}
