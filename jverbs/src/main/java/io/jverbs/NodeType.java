package io.jverbs;

/** What a device is in its network; see ibv_get_device_list(3). */
public enum NodeType {
    /** A channel adapter: InfiniBand, RoCE, and software devices. */
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
    /** A device of no standard kind. */
    UNSPECIFIED(7),
    /** A number that is no type, or -1: the device does not say. */
    UNKNOWN(-1);

    private static final CodeTable<NodeType> BY_CODE = CodeTable.of(values(), NodeType::code, UNKNOWN);

    private final int code;

    NodeType(int code) {
        this.code = code;
    }

    /** {@return the number that verbs use, {@code enum ibv_node_type}; -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /**
     * Finds a type by its number.
     *
     * @param code a value of {@code enum ibv_node_type}
     * @return its constant, {@link #UNKNOWN} if this class has none for it
     */
    public static NodeType of(int code) {
        return BY_CODE.find(code);
    }
}
