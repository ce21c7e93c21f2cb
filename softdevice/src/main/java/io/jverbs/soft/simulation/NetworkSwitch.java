package io.jverbs.soft.simulation;

import io.jverbs.control.SimulatedPacket.Fate;
import io.jverbs.control.SimulatedQueue;
import java.util.HashMap;
import java.util.Map;

/** The switch between the devices of a network, with a queue for the link to each. Guarded by the schedule's lock. */
final class NetworkSwitch {
    /** Seeds from 1 on are those of links, negative ones those of devices. */
    private static final long FIRST_SEED = Links.DEVICES * (Links.DEVICES + 1L);

    private final SimulationOptions options;
    private final Schedule schedule;
    private final PacketLog log;
    private final Map<Integer, SwitchPort> ports = new HashMap<>();

    NetworkSwitch(SimulationOptions options, Schedule schedule, PacketLog log) {
        this.options = options;
        this.schedule = schedule;
        this.log = log;
    }

    /** Returns whether a packet that has crossed its first link must be forwarded. */
    boolean isNext(PacketInTransit packet) {
        return options.switchSettings().isPresent() && !packet.isForwarded() && packet.from() != packet.to();
    }

    /** Adds a packet to its queue, or drops it; returns whether the event that is due first has changed. */
    boolean forward(PacketInTransit packet, int ipBytes) {
        assert schedule.lock().isHeldByCurrentThread();
        SwitchPort port = port(packet.to());
        long leaves = port.forward(packet.arrives(), ipBytes, options.congestionControl().isEcnCapable());
        if (leaves == SwitchPort.DROPPED) {
            packet.fate(Fate.QUEUE_FULL);
            log.arrived(packet);
            return false;
        }
        boolean first = schedule.add(leaves, packet);
        packet.forwarded(port.marks());
        return first;
    }

    /** Returns what has happened in the queue for the link to a device. */
    SimulatedQueue statistics(int device) {
        assert schedule.lock().isHeldByCurrentThread();
        return port(device).statistics();
    }

    private SwitchPort port(int device) {
        return ports.computeIfAbsent(device,
                number -> new SwitchPort(Links.mix(options.seed(), FIRST_SEED + number), options.switchSettings()));
    }
}
