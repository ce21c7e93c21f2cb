package io.jverbs.soft.simulation;

import io.jverbs.control.SimulatedPacket.Fate;
import io.jverbs.soft.transport.Route;

/** A packet in a network: its bytes, its way, its fate. Its fate is guarded by the schedule's lock. */
final class Parcel extends Happening {
    static final int NOBODY = -1;
    private static final int[] NO_FLIPS = {};

    private final Simulation simulation;
    private final byte[] bytes;
    private final Route route;
    private final long sent;
    private final Outlet from;
    private final Outlet to;
    private final boolean copy;
    private boolean heldBack;
    private int[] flips = NO_FLIPS;
    private long number;
    private Fate fate;

    /** @param to who has its address, null if nobody */
    Parcel(Simulation simulation, byte[] bytes, Route route, long sent, Outlet from, Outlet to, boolean copy) {
        this.simulation = simulation;
        this.bytes = bytes;
        this.route = route;
        this.sent = sent;
        this.from = from;
        this.to = to;
        this.copy = copy;
    }

    /** It does not arrive. */
    void fate(Fate why) {
        fate = why;
    }

    /** It travels as a link has decided. */
    void travels(Direction by) {
        fate = Fate.UNDER_WAY;
        heldBack = by.isHeldBack();
        flips = by.flips() == null ? NO_FLIPS : by.flips();
    }

    @Override
    void happen() {
        simulation.arrive(this);
    }

    void number(long its) {
        number = its;
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

    Outlet target() {
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

    boolean isUnderWay() {
        return fate == Fate.UNDER_WAY;
    }
}
