package io.jverbs.soft.fabric;

import io.jverbs.soft.transport.Traffic;
import java.util.LinkedHashMap;
import java.util.Map;

/** What traffic is called where counters have names: those of Linux' {@code rdma_rxe} where it has one. */
public final class CounterNames {
    private CounterNames() {}

    /**
     * {@return traffic by name}
     *
     * @param traffic of a queue pair or a port
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
