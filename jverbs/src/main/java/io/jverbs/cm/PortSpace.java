package io.jverbs.cm;

import io.jverbs.QpType;

/**
 * A port space, {@code enum rdma_port_space}: a name space of ports, which also says what type of queue pair an ID has.
 * See rdma_create_id(3).
 */
public enum PortSpace {
    /** Connections of RC queue pairs; the ports are not those of TCP sockets. */
    TCP(0x0106, QpType.RC),
    /** UD queue pairs, whose numbers are looked up with SIDR. */
    UDP(0x0111, QpType.UD),
    /** UD queue pairs that can exchange packets with IPoIB interfaces; InfiniBand only, refused by software devices. */
    IPOIB(0x0002, QpType.UD),
    /**
     * Connections of queue pairs of any type; the service ID is the one of InfiniBand. Software devices create IDs for
     * RC and UC queue pairs; the native device, with rdma_create_id(3), for RC only.
     */
    IB(0x013F, QpType.RC);

    private final int code;
    private final QpType qpType;

    PortSpace(int code, QpType qpType) {
        this.code = code;
        this.qpType = qpType;
    }

    /** {@return the value in {@code enum rdma_port_space}} */
    public int code() {
        return code;
    }

    /** {@return the type of the queue pairs of an ID that is created without a type} */
    public QpType qpType() {
        return qpType;
    }
}
