package io.jverbs.spi;

/** The offsets of the fields of {@code struct ibv_wc}, in bytes; see ibv_poll_cq(3). */
public final class WcLayout {
    /** {@code uint64_t wr_id}. */
    public static final long WR_ID = 0;
    /** {@code enum ibv_wc_status status}. */
    public static final long STATUS = 8;
    /** {@code enum ibv_wc_opcode opcode}. */
    public static final long OPCODE = 12;
    /** {@code uint32_t vendor_err}. */
    public static final long VENDOR_ERR = 16;
    /** {@code uint32_t byte_len}. */
    public static final long BYTE_LEN = 20;
    /** {@code __be32 imm_data}, in a union with {@code uint32_t invalidated_rkey}. */
    public static final long IMM_DATA = 24;
    /** {@code uint32_t qp_num}. */
    public static final long QP_NUM = 28;
    /** {@code uint32_t src_qp}. */
    public static final long SRC_QP = 32;
    /** {@code unsigned int wc_flags}. */
    public static final long WC_FLAGS = 36;
    /** {@code uint16_t pkey_index}. */
    public static final long PKEY_INDEX = 40;
    /** {@code uint16_t slid}. */
    public static final long SLID = 42;
    /** {@code uint8_t sl}. */
    public static final long SL = 44;
    /** {@code uint8_t dlid_path_bits}. */
    public static final long DLID_PATH_BITS = 45;
    /** The size of the structure in bytes. */
    public static final long SIZE = 48;

    private WcLayout() {}
}
