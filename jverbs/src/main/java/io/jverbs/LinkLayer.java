package io.jverbs;

/**
 * The link layer of a port; see ibv_query_port(3). On Ethernet the transport is RoCE, and destinations are always GIDs.
 */
public enum LinkLayer {
    /** The device does not report a link layer; programs treat it as InfiniBand. */
    UNSPECIFIED(0),
    /** InfiniBand: a subnet with LIDs and a subnet manager. */
    INFINIBAND(1),
    /** Ethernet, that is RoCE. LIDs are 0. */
    ETHERNET(2),
    /** Any other value. */
    UNKNOWN(-1);

    private static final CodeTable<LinkLayer> BY_CODE = CodeTable.of(values(), LinkLayer::code, UNKNOWN);

    private final int code;

    LinkLayer(int code) {
        this.code = code;
    }

    /**
     * {@return the value of {@code link_layer} in {@code struct ibv_port_attr}; -1 for {@link #UNKNOWN}}
     */
    public int code() {
        return code;
    }

    /**
     * Returns the constant for a numeric value.
     *
     * @param code a value of {@code link_layer} of {@code struct ibv_port_attr}
     * @return the constant, or {@link #UNKNOWN} if no other constant has this value
     */
    public static LinkLayer of(int code) {
        return BY_CODE.find(code);
    }
}
