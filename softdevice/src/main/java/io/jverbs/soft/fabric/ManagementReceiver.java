package io.jverbs.soft.fabric;

import io.jverbs.Gid;
import io.jverbs.control.CmIdSnapshot;
import io.jverbs.soft.protocol.PacketAddresses;
import io.jverbs.soft.protocol.Traffic;
import io.jverbs.soft.wire.PacketView;
import java.util.List;
import java.util.Map;

/**
 * Receives what is sent to QP1 of a port: management datagrams. Thread-safe. Work that becomes due is deferred; callers
 * run the deferred work once they hold no lock.
 */
public interface ManagementReceiver {
    /** The number of QP1, the general services interface. */
    int QPN = 1;

    /**
     * Receives a packet to QP1.
     *
     * @param packet the packet
     * @param addresses its source and destination
     */
    void receive(PacketView packet, PacketAddresses addresses);

    /**
     * Receives a datagram from a port in the same JVM.
     *
     * @param datagram the 256 bytes
     * @param source the GID of the sender
     * @param destination the GID that it was sent to
     */
    void receive(byte[] datagram, Gid source, Gid destination);

    /** {@return the traffic of QP1} */
    Traffic traffic();

    /** {@return the counters of what is managed, by name} */
    Map<String, Long> counters();

    /** {@return the CM IDs, in the order of their creation} */
    List<CmIdSnapshot> cmIds();
}
