package io.jverbs.soft.management;

import io.jverbs.Errno;
import io.jverbs.QpType;
import io.jverbs.VerbsException;

/** What the IDs of a port space are for: connections, or datagrams. */
enum CmServiceType {
    /** RC queue pairs that are connected with REQ, REP and RTU. */
    CONNECTION("TCP", 0x0106, 2),
    /** UD queue pairs that are looked up with SIDR. */
    DATAGRAM("UDP", 0x0111, 4),
    /** As {@link #CONNECTION}, with ports of its own. */
    IB_CONNECTION("IB", 0x013F, 2),
    /** UC queue pairs that are connected in the same way, with the ports of {@link #IB_CONNECTION}. */
    UNRELIABLE("IB", 0x013F, 3);

    private final String spaceName;
    private final int portSpace;
    private final int qpType;

    CmServiceType(String spaceName, int portSpace, int qpType) {
        this.spaceName = spaceName;
        this.portSpace = portSpace;
        this.qpType = qpType;
    }

    /** Returns whether the IDs connect, with REQ, REP and RTU. */
    boolean isConnected() {
        return this != DATAGRAM;
    }

    /** The type of the queue pairs. */
    QpType qpType() {
        return QpType.of(qpType);
    }

    /** The number of the transport in a REQ, 0 for RC and 1 for UC. */
    int transport() {
        return this == UNRELIABLE ? 1 : 0;
    }

    /** The name of the port space. */
    String spaceName() {
        return spaceName;
    }

    /** The number of the port space, {@code enum rdma_port_space}. */
    int portSpace() {
        return portSpace;
    }

    /** Returns the constant for a port space and the type of its queue pairs. */
    static CmServiceType of(int portSpace, int qpType) {
        for (CmServiceType each : values()) {
            if (each.portSpace == portSpace && each.qpType == qpType) {
                return each;
            }
        }
        throw new VerbsException("create_id", Errno.EINVAL, "port space 0x" + Integer.toHexString(portSpace)
                + " with queue pairs of type " + qpType + ": allowed are TCP (0x106) and IB (0x13f) with RC (2), IB"
                + " with UC (3), and UDP (0x111) with UD (4)");
    }
}
