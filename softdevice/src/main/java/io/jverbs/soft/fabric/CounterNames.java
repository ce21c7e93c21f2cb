package io.jverbs.soft.fabric;

import io.jverbs.soft.protocol.Traffic;
import java.util.LinkedHashMap;
import java.util.Map;

/** The names of the traffic counters: those of Linux's {@code rdma_rxe} where it has such a counter. */
public final class CounterNames {
    private CounterNames() {}

    /**
     * {@return the traffic counters by name}
     *
     * @param traffic the traffic of a queue pair or a port
     */
    public static Map<String, Long> of(Traffic traffic) {
        Map<String, Long> names = new LinkedHashMap<>();
        names.put("sent_msgs", traffic.sentMessages());
        names.put("sent_pkts", traffic.sentPackets());
        names.put("sent_bytes", traffic.sentBytes());
        names.put("rcvd_pkts", traffic.receivedPackets());
        names.put("rcvd_bytes", traffic.receivedBytes());
        return names;
    }
}
