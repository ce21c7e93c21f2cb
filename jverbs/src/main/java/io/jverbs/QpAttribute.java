package io.jverbs;

import java.util.EnumSet;

/**
 * The attributes of a queue pair, and the bits by which a modify names those it changes: {@code enum ibv_qp_attr_mask},
 * see ibv_modify_qp(3). {@link QpAttributes} holds the values.
 */
public enum QpAttribute {
    /** The state to move to. */
    STATE(1 << 0),
    /** The state that the program takes the queue pair to be in. */
    CUR_STATE(1 << 1),
    /** Whether to raise {@link AsyncEventType#SQ_DRAINED}. */
    EN_SQD_ASYNC_NOTIFY(1 << 2),
    /** Which remote operations are served. */
    ACCESS_FLAGS(1 << 3),
    /** The place of the partition key in the port's table. */
    PKEY_INDEX(1 << 4),
    /** The number of the port. */
    PORT(1 << 5),
    /** The key that datagrams must carry (UD). */
    QKEY(1 << 6),
    /** The address vector: the path to the peer (RC, UC). */
    AV(1 << 7),
    /** The payload of a full packet (RC, UC). */
    PATH_MTU(1 << 8),
    /** How long to wait for an acknowledgement (RC). */
    TIMEOUT(1 << 9),
    /** How often to retry without an acknowledgement (RC). */
    RETRY_CNT(1 << 10),
    /** How often to retry when the peer has no receive (RC). */
    RNR_RETRY(1 << 11),
    /** The first packet sequence number expected (RC, UC). */
    RQ_PSN(1 << 12),
    /** How many READ and atomic operations may be outstanding as initiator (RC). */
    MAX_QP_RD_ATOMIC(1 << 13),
    /** The path to migrate to (RC, UC on InfiniBand). */
    ALT_PATH(1 << 14),
    /** How long a peer shall wait when no receive is posted (RC). */
    MIN_RNR_TIMER(1 << 15),
    /** The first packet sequence number sent. */
    SQ_PSN(1 << 16),
    /** How many READ and atomic operations of the peer may be outstanding (RC). */
    MAX_DEST_RD_ATOMIC(1 << 17),
    /** The state of path migration (RC, UC). */
    PATH_MIG_STATE(1 << 18),
    /** The sizes of the queues. No transition takes it: queue pairs keep the size they were created with. */
    CAP(1 << 19),
    /** The number of the peer's queue pair (RC, UC). */
    DEST_QPN(1 << 20);

    private final int bit;

    QpAttribute(int bit) {
        this.bit = bit;
    }

    /** {@return the attribute's bit in a mask} */
    public int bit() {
        return bit;
    }

    /**
     * Reads a mask.
     *
     * @param mask bits of attributes; those that belong to none of these constants are ignored
     * @return the attributes, in the order of their bits; the set is the caller's
     */
    public static EnumSet<QpAttribute> ofMask(int mask) {
        EnumSet<QpAttribute> attributes = EnumSet.noneOf(QpAttribute.class);
        for (QpAttribute attribute : values()) {
            if ((mask & attribute.bit) != 0) {
                attributes.add(attribute);
            }
        }
        return attributes;
    }
}
