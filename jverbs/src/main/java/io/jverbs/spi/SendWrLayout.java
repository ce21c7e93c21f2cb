package io.jverbs.spi;

/** The offsets of the fields of {@code struct ibv_send_wr}, in bytes, on 64-bit systems; see ibv_post_send(3). */
public final class SendWrLayout {
    /** {@code uint64_t wr_id}. */
    public static final long WR_ID = 0;
    /** {@code struct ibv_send_wr *next}. */
    public static final long NEXT = 8;
    /** {@code struct ibv_sge *sg_list}. */
    public static final long SG_LIST = 16;
    /** {@code int num_sge}. */
    public static final long NUM_SGE = 24;
    /** {@code enum ibv_wr_opcode opcode}. */
    public static final long OPCODE = 28;
    /** {@code unsigned int send_flags}. */
    public static final long SEND_FLAGS = 32;
    /** {@code __be32 imm_data}, in a union with {@code uint32_t invalidate_rkey}. */
    public static final long IMM_DATA = 36;
    /** {@code uint64_t wr.rdma.remote_addr}; {@code wr.atomic.remote_addr} has the same offset. */
    public static final long REMOTE_ADDR = 40;
    /** {@code uint32_t wr.rdma.rkey}. */
    public static final long RDMA_RKEY = 48;
    /** {@code uint64_t wr.atomic.compare_add}. */
    public static final long ATOMIC_COMPARE_ADD = 48;
    /** {@code uint64_t wr.atomic.swap}. */
    public static final long ATOMIC_SWAP = 56;
    /** {@code uint32_t wr.atomic.rkey}. */
    public static final long ATOMIC_RKEY = 64;
    /** {@code struct ibv_ah *wr.ud.ah}. */
    public static final long UD_AH = 40;
    /** {@code uint32_t wr.ud.remote_qpn}. */
    public static final long UD_REMOTE_QPN = 48;
    /** {@code uint32_t wr.ud.remote_qkey}. */
    public static final long UD_REMOTE_QKEY = 52;
    /** {@code struct ibv_mw *bind_mw.mw}. */
    public static final long BIND_MW = 80;
    /** {@code uint32_t bind_mw.rkey}. */
    public static final long BIND_RKEY = 88;
    /** {@code struct ibv_mr *bind_mw.bind_info.mr}. */
    public static final long BIND_MR = 96;
    /** {@code uint64_t bind_mw.bind_info.addr}. */
    public static final long BIND_ADDR = 104;
    /** {@code uint64_t bind_mw.bind_info.length}. */
    public static final long BIND_LENGTH = 112;
    /** {@code unsigned int bind_mw.bind_info.mw_access_flags}. */
    public static final long BIND_ACCESS = 120;
    /** The size of the structure in bytes. */
    public static final long SIZE = 128;

    private SendWrLayout() {}
}
