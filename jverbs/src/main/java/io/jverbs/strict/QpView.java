package io.jverbs.strict;

import io.jverbs.AhAttributes;
import io.jverbs.Mtu;
import io.jverbs.QpAttribute;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.spi.ContextOps;

/**
 * The attributes of a queue pair that checks compare with those of its peer. Attributes that were never set are -1 or
 * null. Immutable.
 *
 * @param state the state that the last modify requested
 * @param pkey the P_Key itself, 16 bits, not its index
 */
record QpView(QpState state, AhAttributes path, int destinationQpn, Mtu mtu, int port, int pkey, int qkey,
        boolean hasQkey, int rnrRetry, int maxRdAtomic, int maxDestRdAtomic) {
    static final QpView RESET = new QpView(QpState.RESET, null, -1, null, 1, -1, 0, false, -1, -1, -1);

    /** The attributes after a modify. */
    QpView with(QpAttributes given, ContextOps device) {
        QpState to = given.present(QpAttribute.STATE) ? given.state() : state;
        if (to == QpState.RESET) {
            return RESET;
        }
        int newPort = given.present(QpAttribute.PORT) ? given.port() : port;
        return new QpView(to, given.present(QpAttribute.AV) ? given.addressVector() : path,
                given.present(QpAttribute.DEST_QPN) ? given.destinationQpn() : destinationQpn,
                given.present(QpAttribute.PATH_MTU) ? given.pathMtu() : mtu, newPort,
                given.present(QpAttribute.PKEY_INDEX) ? pkey(device, newPort, given.pkeyIndex()) : pkey,
                given.present(QpAttribute.QKEY) ? given.qkey() : qkey, hasQkey || given.present(QpAttribute.QKEY),
                given.present(QpAttribute.RNR_RETRY) ? given.rnrRetry() : rnrRetry,
                given.present(QpAttribute.MAX_QP_RD_ATOMIC) ? given.maxRdAtomic() : maxRdAtomic,
                given.present(QpAttribute.MAX_DEST_RD_ATOMIC) ? given.maxDestRdAtomic() : maxDestRdAtomic);
    }

    /** The P_Key at an index; -1 if the query fails, in which case the device also rejects the modify. */
    private static int pkey(ContextOps device, int port, int index) {
        try {
            return device.queryPkey(port, index);
        } catch (RuntimeException e) {
            return -1;
        }
    }

    /**
     * Whether both P_Keys are known and packets between them are dropped: the partitions differ, or both are limited
     * members.
     */
    static boolean pkeysDiffer(int one, int other) {
        boolean known = one > 0 && other > 0;
        boolean isSame = (one & 0x7FFF) == (other & 0x7FFF);
        boolean hasFullMember = ((one | other) & 0x8000) != 0;
        return known && !(isSame && hasFullMember);
    }
}
