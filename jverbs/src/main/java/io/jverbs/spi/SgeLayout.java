package io.jverbs.spi;

/** The offsets of the fields of {@code struct ibv_sge}, in bytes. */
public final class SgeLayout {
    /** {@code uint64_t addr}. */
    public static final long ADDR = 0;
    /** {@code uint32_t length}. */
    public static final long LENGTH = 8;
    /** {@code uint32_t lkey}. */
    public static final long LKEY = 12;
    /** The size of the structure in bytes. */
    public static final long SIZE = 16;

    private SgeLayout() {}
}
