package io.jverbs.soft.fabric;

import io.jverbs.soft.memory.DirectTable;
import io.jverbs.soft.protocol.Traffic;
import io.jverbs.soft.transport.SoftQp;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The traffic of all queue pairs of a device, destroyed ones included. Takes the locks of the queue pairs, one at a
 * time, in no monitor: that would pin a virtual thread on a JDK before 24.
 */
final class DeviceTraffic {
    private final DirectTable<SoftQp> queuePairs;
    /** Guards the table of queue pairs together with the traffic of those that were removed from it. */
    private final ReentrantLock lock = new ReentrantLock();
    private Traffic retired = Traffic.NONE;

    /** @param queuePairs the queue pairs of the device */
    DeviceTraffic(DirectTable<SoftQp> queuePairs) {
        this.queuePairs = queuePairs;
    }

    /** Removes a queue pair from the device's table, and keeps its traffic counters. */
    void retire(SoftQp qp) {
        lock.lock();
        try {
            // may throw for lack of memory; then the destruction is repeated
            Traffic traffic = retired.plus(qp.traffic());
            if (queuePairs.remove(qp)) {
                retired = traffic;
            }
        } finally {
            lock.unlock();
        }
    }

    Traffic sum() {
        lock.lock();
        try {
            Traffic all = retired;
            for (SoftQp qp : queuePairs.all()) {
                all = all.plus(qp.traffic());
            }
            return all;
        } finally {
            lock.unlock();
        }
    }
}
