package io.jverbs.fault;

import io.jverbs.spi.ProviderDevice;

/**
 * The remaining time of a wait that consists of several waits on the device, by the clock of the device. Not
 * thread-safe.
 */
final class RemainingTime {
    private final ProviderDevice device;
    private long left;
    private long most;
    private long began;
    private long beganReal;

    RemainingTime(ProviderDevice device, long nanos) {
        this.device = device;
        this.left = nanos;
    }

    boolean isOver() {
        return left <= 0;
    }

    /** Starts a wait on the device; returns its timeout, at most {@code atMost}. */
    long begin(long atMost) {
        most = Math.clamp(atMost, 0, left);
        began = device.nanoTime();
        beganReal = System.nanoTime();
        return most;
    }

    /** Ends the wait on the device. */
    void end(boolean timedOut) {
        long passed = device.nanoTime() - began;
        // a virtual clock may not advance during a wait that times out, so real time counts too
        boolean whole = timedOut && System.nanoTime() - beganReal >= most;
        left -= whole ? most : Math.clamp(passed, 0, most);
    }
}
