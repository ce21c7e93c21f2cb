package io.jverbs;

/**
 * The sizes that a path MTU can have: how many bytes of payload fit into one packet. Verbs count them 1 to 5; see
 * ibv_query_port(3), ibv_modify_qp(3).
 */
public enum Mtu {
    /** 256 bytes. */
    MTU_256(1),
    /** 512 bytes. */
    MTU_512(2),
    /** 1024 bytes: the largest that fits Ethernet frames of 1500 bytes. */
    MTU_1024(3),
    /** 2048 bytes. */
    MTU_2048(4),
    /** 4096 bytes: the largest there is. */
    MTU_4096(5),
    /** A number that is no MTU. */
    UNKNOWN(-1);

    private static final CodeTable<Mtu> BY_CODE = CodeTable.of(values(), Mtu::code, UNKNOWN);

    private final int code;

    Mtu(int code) {
        this.code = code;
    }

    /** {@return the number that verbs use, {@code enum ibv_mtu}; -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /** {@return the largest payload of a packet in bytes; 0 for {@link #UNKNOWN}} */
    public int bytes() {
        return this == UNKNOWN ? 0 : 128 << code;
    }

    /**
     * Finds an MTU by its number.
     *
     * @param code a value of {@code enum ibv_mtu}
     * @return its constant, {@link #UNKNOWN} if this class has none for it
     */
    public static Mtu of(int code) {
        return BY_CODE.find(code);
    }

    /**
     * Finds an MTU by its size.
     *
     * @param bytes the payload of a packet in bytes
     * @return the MTU of exactly this size, {@link #UNKNOWN} if there is none
     */
    public static Mtu ofBytes(int bytes) {
        for (Mtu mtu : values()) {
            if (mtu != UNKNOWN && mtu.bytes() == bytes) {
                return mtu;
            }
        }
        return UNKNOWN;
    }
}
