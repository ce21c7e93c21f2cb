package io.jverbs.soft.management;

/** The numbers of the events, {@code enum rdma_cm_event_type}. */
final class CmEventType {
    static final int ADDR_RESOLVED = 0;
    static final int ADDR_ERROR = 1;
    static final int ROUTE_RESOLVED = 2;
    static final int ROUTE_ERROR = 3;
    static final int CONNECT_REQUEST = 4;
    static final int CONNECT_RESPONSE = 5;
    static final int CONNECT_ERROR = 6;
    static final int UNREACHABLE = 7;
    static final int REJECTED = 8;
    static final int ESTABLISHED = 9;
    static final int DISCONNECTED = 10;
    static final int DEVICE_REMOVAL = 11;
    static final int MULTICAST_JOIN = 12;
    static final int MULTICAST_ERROR = 13;
    static final int ADDR_CHANGE = 14;
    static final int TIMEWAIT_EXIT = 15;
    static final int USER = 18;

    private CmEventType() {}
}
