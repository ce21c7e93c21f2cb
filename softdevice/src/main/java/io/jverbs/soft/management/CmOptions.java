package io.jverbs.soft.management;

import io.jverbs.Errno;
import io.jverbs.QpType;
import io.jverbs.VerbsException;
import io.jverbs.soft.management.communication.CmDurations;

/** The options of a CM ID, see rdma_set_option(3). Guarded by the lock of the agent. */
final class CmOptions {
    private static final int TOS = 0;
    private static final int REUSE_ADDRESS = 1;
    private static final int FAMILY_ONLY = 2;
    private static final int ACK_TIMEOUT = 3;
    private static final int NOT_SET = -1;

    private int typeOfService;
    private boolean reuseAddress;
    /** Null if the program has not set it. */
    private Boolean familyOnly;
    private int ackTimeout = NOT_SET;
    /** The type of service of the route: that of the ID when the route was resolved. */
    private int routeTypeOfService;
    /** The code for the life time of a packet on the route. */
    private int lifeTime = CmDurations.PACKET_LIFE_TIME;

    /** Takes over the options that a route has. Those that are set later do not change it, as on Linux. */
    void resolveRoute() {
        routeTypeOfService = typeOfService;
        lifeTime = ackTimeout > 0 ? ackTimeout - 1 : CmDurations.PACKET_LIFE_TIME;
    }

    /** The type of service of the route. */
    int typeOfService() {
        return routeTypeOfService;
    }

    boolean reuseAddress() {
        return reuseAddress;
    }

    /** Whether only requests for addresses of its family arrive at an ID. If not set, at IPv4 addresses only those. */
    boolean familyOnly(boolean ipv6) {
        return familyOnly == null ? !ipv6 : familyOnly;
    }

    /** The code for the life time of a packet on the route. */
    int lifeTime() {
        return lifeTime;
    }

    /** The code of the ACK timeout of the own queue pair, if the program has not set it the given one; 0 for none. */
    int ackTimeout(int negotiated) {
        return ackTimeout == NOT_SET ? negotiated : ackTimeout;
    }

    /** Copies the options that a new ID has from its listener. */
    void inherit(CmOptions listener) {
        typeOfService = listener.typeOfService;
        ackTimeout = listener.ackTimeout;
    }

    /** Sets an option of an ID. */
    void set(SoftCmId id, int option, int value) {
        switch (option) {
            case TOS -> typeOfService = value;
            case REUSE_ADDRESS -> {
                if (value == 0) {
                    id.require("set_option", CmIdState.IDLE);
                } else {
                    id.require("set_option", CmIdState.IDLE, CmIdState.ADDR_BOUND, CmIdState.ADDR_RESOLVED,
                            CmIdState.ROUTE_RESOLVED, CmIdState.CONNECT, CmIdState.DISCONNECT);
                }
                reuseAddress = value != 0;
                if (id.binding() != null) {
                    id.binding().reuseAddress = reuseAddress;
                }
            }
            case FAMILY_ONLY -> {
                id.require("set_option", CmIdState.IDLE, CmIdState.ADDR_BOUND);
                familyOnly = value != 0;
                if (id.binding() != null) {
                    id.binding().familyOnly = familyOnly;
                }
            }
            case ACK_TIMEOUT -> {
                if (id.type().qpType() != QpType.RC) {
                    throw new VerbsException("set_option", Errno.EINVAL,
                            "a " + id.type().qpType() + " ID has no ACK timeout");
                }
                ackTimeout = value;
            }
            default -> throw new VerbsException("set_option", Errno.ENOSYS, "option " + option
                    + ", known are 0 to " + ACK_TIMEOUT);
        }
    }
}
