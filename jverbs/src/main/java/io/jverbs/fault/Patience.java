package io.jverbs.fault;

import io.jverbs.spi.ProviderDevice;

/** How long a wait still has to go that is made of several waits on the device, by the device's clock. For one thread. */
final class Patience {
    private final ProviderDevice device;
    private long left;
    private long most;
    private long began;
    private long reallyBegan;

    Patience(ProviderDevice device, long nanos) {
        this.device = device;
        this.left = nanos;
    }

    boolean isOver() {
        return left <= 0;
    }

    /** The device is about to be waited on; returns for how long, at most as long as told. */
    long begin(long atMost) {
        most = Math.clamp(atMost, 0, left);
        began = device.nanoTime();
        reallyBegan = System.nanoTime();
        return most;
    }

    /** That wait has ended, in vain or not. */
    void end(boolean inVain) {
        long passed = device.nanoTime() - began;
        // a clock that stands still unless told does not show that the time is over
        boolean whole = inVain && System.nanoTime() - reallyBegan >= most;
        left -= whole ? most : Math.clamp(passed, 0, most);
    }
}
