package io.jverbs;

/** The node type of a device; see ibv_get_device_list(3). */
public enum NodeType {
    /** A channel adapter: InfiniBand, RoCE or a software device. */
    CA(1),
    /** An InfiniBand switch. */
    SWITCH(2),
    /** An InfiniBand router. */
    ROUTER(3),
    /** An iWARP adapter. */
    RNIC(4),
    /** A usNIC adapter, over Ethernet. */
    USNIC(5),
    /** A usNIC adapter, over UDP. */
    USNIC_UDP(6),
    /** A device of no standard type. */
    UNSPECIFIED(7),
    /** Any other value; -1 if the device does not report its type. */
    UNKNOWN(-1);

    private static final CodeTable<NodeType> BY_CODE = CodeTable.of(values(), NodeType::code, UNKNOWN);

    private final int code;

    NodeType(int code) {
        this.code = code;
    }

    /** {@return the value in {@code enum ibv_node_type}; -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /**
     * Returns the constant for a numeric value.
     *
     * @param code a value of {@code enum ibv_node_type}
     * @return the constant, or {@link #UNKNOWN} if no other constant has this value
     */
    public static NodeType of(int code) {
        return BY_CODE.find(code);
    }
}
