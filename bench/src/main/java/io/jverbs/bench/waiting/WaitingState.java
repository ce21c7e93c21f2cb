package io.jverbs.bench.waiting;

import io.jverbs.bench.process.WorkloadState;

/** The JMH state of a workload whose threads wait. */
public abstract class WaitingState extends WorkloadState {
    /**
     * For subclasses.
     *
     * @param udp the sockets of the software device, a value of jverbs.soft.udp; null if no device is used
     */
    WaitingState(String udp) {
        super(udp);
    }

    @Override
    protected boolean blocks() {
        return true;
    }
}
