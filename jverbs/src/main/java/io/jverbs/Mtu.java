package io.jverbs;

/**
 * The MTU of a port or a path: the maximum payload of one packet. See ibv_query_port(3) and ibv_modify_qp(3).
 */
public enum Mtu {
    /** 256 bytes. */
    MTU_256(1),
    /** 512 bytes. */
    MTU_512(2),
    /** 1024 bytes: the largest RoCE MTU on an Ethernet interface with an MTU of 1500 bytes. */
    MTU_1024(3),
    /** 2048 bytes. */
    MTU_2048(4),
    /** 4096 bytes. */
    MTU_4096(5),
    /** Any other value. */
    UNKNOWN(-1);

    private static final CodeTable<Mtu> BY_CODE = CodeTable.of(values(), Mtu::code, UNKNOWN);

    private final int code;

    Mtu(int code) {
        this.code = code;
    }

    /** {@return the value in {@code enum ibv_mtu}; -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /** {@return the maximum payload of a packet in bytes; 0 for {@link #UNKNOWN}} */
    public int bytes() {
        return this == UNKNOWN ? 0 : 128 << code;
    }

    /**
     * Returns the constant for a numeric value.
     *
     * @param code a value of {@code enum ibv_mtu}
     * @return the constant, or {@link #UNKNOWN} if no other constant has this value
     */
    public static Mtu of(int code) {
        return BY_CODE.find(code);
    }

    /**
     * Returns the MTU of a given size.
     *
     * @param bytes the maximum payload of a packet in bytes
     * @return the MTU of exactly this size, or {@link #UNKNOWN} if there is none
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
