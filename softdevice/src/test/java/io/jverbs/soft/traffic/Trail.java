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

/** What the network's log says at a moment about packets and what became of them. */
final class Trail {
    private final List<SimulatedPacket> packets;
    private final boolean complete;

    Trail(SimulatedNetwork network) {
        packets = network.packetLog();
        complete = network.packetCount() == packets.size();
    }

    /** Whether all packets that were ever sent are in it. */
    boolean isComplete() {
        return complete;
    }

    boolean isQuiet() {
        return packets.stream().noneMatch(packet -> packet.fate() == Fate.UNDER_WAY);
    }

    private static boolean isAnswer(SimulatedPacket packet) {
        String opcode = packet.opcode();
        return opcode.contains("ACKNOWLEDGE") || opcode.contains("RESPONSE");
    }

    /** The packets of requests to a queue pair with some PSN, copies that the network made left out. */
    List<SimulatedPacket> sendings(QueuePair to, int psn) {
        return packets.stream().filter(packet -> packet.destinationQpn() == to.number() && packet.psn() == psn
                && !packet.copy() && !isAnswer(packet)).toList();
    }

    /** What has come to a queue pair, damaged or not, in the order in which it did. */
    List<SimulatedPacket> arrivals(QueuePair to) {
        return packets.stream()
                .filter(packet -> packet.destinationQpn() == to.number() && packet.fate() == Fate.ARRIVED)
                .sorted(Comparator.comparing(SimulatedPacket::arrives).thenComparing(SimulatedPacket::number)).toList();
    }

    /**
     * How many packets of reliable connections that something happened to were under way since some time, be it that later ones
     * overtook them: each can use up a retry.
     *
     * @param since the time
     * @param late how long a packet must be under way to be late, which is something too
     */
    long disturbed(Duration since, Duration late) {
        if (!complete && packets.getFirst().sent().compareTo(since) >= 0) {
            return Integer.MAX_VALUE;
        }
        Map<Integer, Duration> firstBehind = new HashMap<>();
        long count = 0;
        for (SimulatedPacket packet : packets.reversed()) {
            boolean arrives = packet.fate() == Fate.ARRIVED || packet.fate() == Fate.UNDER_WAY;
            boolean whole = arrives && !packet.copy() && !packet.heldBack() && packet.flippedBits() == 0
                    && packet.arrives().minus(packet.sent()).compareTo(late) <= 0
                    && packet.arrives().compareTo(firstBehind.getOrDefault(packet.from(), packet.arrives())) <= 0;
            if (packet.opcode().startsWith("RC") && packet.arrives().compareTo(since) >= 0 && !whole) {
                count++;
            }
            if (arrives) {
                firstBehind.merge(packet.from(), packet.arrives(), (a, b) -> a.compareTo(b) < 0 ? a : b);
            }
        }
        return count;
    }
}
