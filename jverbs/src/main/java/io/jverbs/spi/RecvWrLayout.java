package io.jverbs.spi;

/** The offsets of the fields of {@code struct ibv_recv_wr}, in bytes, on 64-bit systems; see ibv_post_recv(3). */
public final class RecvWrLayout {
    /** {@code uint64_t wr_id}. */
    public static final long WR_ID = 0;
    /** {@code struct ibv_recv_wr *next}. */
    public static final long NEXT = 8;
    /** {@code struct ibv_sge *sg_list}. */
    public static final long SG_LIST = 16;
    /** {@code int num_sge}. */
    public static final long NUM_SGE = 24;
    /** The size of the structure in bytes. */
    public static final long SIZE = 32;

    private RecvWrLayout() {}
}
