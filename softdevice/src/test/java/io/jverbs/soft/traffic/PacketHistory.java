package io.jverbs.soft.traffic;

import io.jverbs.QueuePair;
import io.jverbs.control.SimulatedNetwork;
import io.jverbs.control.SimulatedPacket;
import io.jverbs.control.SimulatedPacket.Fate;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A snapshot of the network's packet log. */
final class PacketHistory {
    private final List<SimulatedPacket> packets;
    private final boolean complete;

    PacketHistory(SimulatedNetwork network) {
        packets = network.packetLog();
        complete = network.packetCount() == packets.size();
    }

    /** Whether the log contains all packets that were sent. */
    boolean isComplete() {
        return complete;
    }

    boolean isIdle() {
        return packets.stream().noneMatch(packet -> packet.fate() == Fate.IN_FLIGHT);
    }

    private static boolean isResponse(SimulatedPacket packet) {
        String opcode = packet.opcode();
        return opcode.contains("ACKNOWLEDGE") || opcode.contains("RESPONSE");
    }

    /** Returns the request packets with a PSN that were sent to a queue pair, without duplicates of the network. */
    List<SimulatedPacket> transmissions(QueuePair to, int psn) {
        return packets.stream().filter(packet -> packet.destinationQpn() == to.number() && packet.psn() == psn
                && !packet.copy() && !isResponse(packet)).toList();
    }

    /** Returns the packets that arrived at a queue pair, damaged or not, in order of arrival. */
    List<SimulatedPacket> arrivals(QueuePair to) {
        return packets.stream()
                .filter(packet -> packet.destinationQpn() == to.number() && packet.fate() == Fate.ARRIVED)
                .sorted(Comparator.comparing(SimulatedPacket::arrives).thenComparing(SimulatedPacket::number)).toList();
    }

    /**
     * Counts the packets of reliable connections in flight since a time that were lost, damaged, duplicated, delayed or
     * overtaken. Each of them can use up a retry.
     *
     * @param since the time
     * @param late a packet that is in flight longer than this counts as delayed
     */
    long disturbed(Duration since, Duration late) {
        if (!complete && packets.getFirst().sent().compareTo(since) >= 0) {
            return Integer.MAX_VALUE;
        }
        Map<Integer, Duration> firstArrivalAfter = new HashMap<>();
        long count = 0;
        for (SimulatedPacket packet : packets.reversed()) {
            boolean arrives = packet.fate() == Fate.ARRIVED || packet.fate() == Fate.IN_FLIGHT;
            boolean undisturbed = arrives && !packet.copy() && !packet.heldBack() && packet.flippedBits() == 0
                    && packet.arrives().minus(packet.sent()).compareTo(late) <= 0
                    && packet.arrives().compareTo(firstArrivalAfter.getOrDefault(packet.from(), packet.arrives())) <= 0;
            if (packet.opcode().startsWith("RC") && packet.arrives().compareTo(since) >= 0 && !undisturbed) {
                count++;
            }
            if (arrives) {
                firstArrivalAfter.merge(packet.from(), packet.arrives(), (a, b) -> a.compareTo(b) < 0 ? a : b);
            }
        }
        return count;
    }
}
