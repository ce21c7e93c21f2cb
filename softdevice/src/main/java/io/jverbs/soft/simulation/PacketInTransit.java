package io.jverbs.soft.simulation;

import io.jverbs.control.SimulatedPacket.Fate;
import io.jverbs.soft.transport.Route;

/**
 * A packet of a simulated network: its bytes, its route and its fate. It is also the scheduled event of its arrival.
 * The fate is guarded by the schedule's lock.
 */
final class PacketInTransit extends ScheduledEvent {
    static final int NOBODY = -1;
    private static final int[] NO_FLIPS = {};

    private final Simulation simulation;
    private final byte[] bytes;
    private final Route route;
    private final long sent;
    private final SimulatedFabric from;
    private final SimulatedFabric to;
    private final boolean copy;
    private boolean heldBack;
    /** Whether it has left the queue of the switch, or there is no switch on its path. */
    private boolean forwarded;
    /** Whether it has the mark of congestion. */
    private boolean marked;
    private int[] flips = NO_FLIPS;
    private long number;
    private Fate fate;

    /** @param to the fabric of the device that has the destination address; null if none has */
    PacketInTransit(Simulation simulation, byte[] bytes, Route route, long sent, SimulatedFabric from,
            SimulatedFabric to, boolean copy) {
        this.simulation = simulation;
        this.bytes = bytes;
        this.route = route;
        this.sent = sent;
        this.from = from;
        this.to = to;
        this.copy = copy;
    }

    /** Sets the fate of the packet. */
    void fate(Fate value) {
        fate = value;
    }

    /** Puts the packet in flight, with the decisions that the link has made for it. */
    void sentOver(LinkDirection direction) {
        fate = Fate.IN_FLIGHT;
        heldBack = direction.isHeldBack();
        flips = direction.flips() == null ? NO_FLIPS : direction.flips();
    }

    boolean isForwarded() {
        return forwarded;
    }

    /** Records that the switch sends the packet on its last link. */
    void forwarded(boolean withMark) {
        forwarded = true;
        marked = withMark;
    }

    boolean isMarked() {
        return marked;
    }

    @Override
    void run() {
        simulation.arrive(this);
    }

    void number(long value) {
        number = value;
    }

    long number() {
        return number;
    }

    byte[] bytes() {
        return bytes;
    }

    Route route() {
        return route;
    }

    long sent() {
        return sent;
    }

    long arrives() {
        return at();
    }

    int from() {
        return from.number();
    }

    int to() {
        return to == null ? NOBODY : to.number();
    }

    SimulatedFabric target() {
        return to;
    }

    boolean isCopy() {
        return copy;
    }

    boolean isHeldBack() {
        return heldBack;
    }

    int[] flips() {
        return flips;
    }

    Fate fate() {
        return fate;
    }

    boolean isInFlight() {
        return fate == Fate.IN_FLIGHT;
    }
}
