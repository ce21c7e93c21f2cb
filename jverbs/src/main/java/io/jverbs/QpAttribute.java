package io.jverbs;

import java.util.EnumSet;

/**
 * The attributes of a queue pair and their mask bits, {@code enum ibv_qp_attr_mask}; see ibv_modify_qp(3). {@link
 * QpAttributes} holds the values.
 */
public enum QpAttribute {
    /** The next state. */
    STATE(1 << 0),
    /** The state that the program assumes the queue pair is in. */
    CUR_STATE(1 << 1),
    /** Whether to raise {@link AsyncEventType#SQ_DRAINED} when the send queue is drained. */
    EN_SQD_ASYNC_NOTIFY(1 << 2),
    /** The remote operations that are permitted, bits of {@link Access}. */
    ACCESS_FLAGS(1 << 3),
    /** The index of the partition key in the P_Key table of the port. */
    PKEY_INDEX(1 << 4),
    /** The number of the port. */
    PORT(1 << 5),
    /** The Q_Key that received datagrams must carry (UD). */
    QKEY(1 << 6),
    /** The address vector: the path to the peer (RC, UC). */
    AV(1 << 7),
    /** The path MTU: the payload of a full packet (RC, UC). */
    PATH_MTU(1 << 8),
    /** The acknowledgement timeout (RC). */
    TIMEOUT(1 << 9),
    /** The number of retries if no acknowledgement arrives (RC). */
    RETRY_CNT(1 << 10),
    /** The number of retries after an RNR NAK: the peer had no receive request posted (RC). */
    RNR_RETRY(1 << 11),
    /** The first packet sequence number expected (RC, UC). */
    RQ_PSN(1 << 12),
    /** The maximum number of outstanding READ and atomic operations as initiator (RC). */
    MAX_QP_RD_ATOMIC(1 << 13),
    /** The alternate path, for migration (RC, UC on InfiniBand). */
    ALT_PATH(1 << 14),
    /** The minimum RNR NAK timer: how long a peer must wait if no receive request is posted (RC). */
    MIN_RNR_TIMER(1 << 15),
    /** The first packet sequence number sent. */
    SQ_PSN(1 << 16),
    /** The maximum number of outstanding READ and atomic operations as responder (RC). */
    MAX_DEST_RD_ATOMIC(1 << 17),
    /** The path migration state (RC, UC). */
    PATH_MIG_STATE(1 << 18),
    /** The sizes of the queues. No transition accepts it: the sizes of a queue pair do not change. */
    CAP(1 << 19),
    /** The number of the peer's queue pair (RC, UC). */
    DEST_QPN(1 << 20);

    /** All attributes: {@link #values} would copy them in each modify. */
    private static final QpAttribute[] ALL = values();

    private final int bit;

    QpAttribute(int bit) {
        this.bit = bit;
    }

    /** {@return the bit of this attribute in a mask} */
    public int bit() {
        return bit;
    }

    /**
     * Returns the attributes of a mask.
     *
     * @param mask a mask of attribute bits; other bits are ignored
     * @return a new set of the attributes, in the order of their bits
     */
    public static EnumSet<QpAttribute> ofMask(int mask) {
        EnumSet<QpAttribute> attributes = EnumSet.noneOf(QpAttribute.class);
        for (QpAttribute attribute : ALL) {
            if ((mask & attribute.bit) != 0) {
                attributes.add(attribute);
            }
        }
        return attributes;
    }
}
