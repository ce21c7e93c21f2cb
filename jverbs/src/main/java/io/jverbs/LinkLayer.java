package io.jverbs;

/**
 * What a port is attached to; see ibv_query_port(3). On Ethernet the transport is RoCE, and a destination is always
 * given as a GID.
 */
public enum LinkLayer {
    /** The device does not say; programs take it for InfiniBand. */
    UNSPECIFIED(0),
    /** An InfiniBand subnet, with LIDs and a subnet manager. */
    INFINIBAND(1),
    /** Ethernet: RoCE. LIDs are 0. */
    ETHERNET(2),
    /** A number that is no link layer. */
    UNKNOWN(-1);

    private static final CodeTable<LinkLayer> BY_CODE = CodeTable.of(values(), LinkLayer::code, UNKNOWN);

    private final int code;

    LinkLayer(int code) {
        this.code = code;
    }

    /**
     * {@return the number that verbs use, {@code link_layer} of {@code struct ibv_port_attr}; -1 for {@link
     * #UNKNOWN}}
     */
    public int code() {
        return code;
    }

    /**
     * Finds a link layer by its number.
     *
     * @param code a value of {@code link_layer} of {@code struct ibv_port_attr}
     * @return its constant, {@link #UNKNOWN} if this class has none for it
     */
    public static LinkLayer of(int code) {
        return BY_CODE.find(code);
    }
}
