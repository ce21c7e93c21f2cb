package io.jverbs.rsocket.datagram;

import io.jverbs.rsocket.closing.Destruction;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Destroys the objects of a socket that is closed, in the calling thread.
 *
 * @param lock the lock of the socket
 */
record DatagramClose(DatagramDevice device, AddressResolver resolver, DestinationTable destinations,
        ReentrantLock lock) {
    /** How long datagrams may take to be sent: on Ethernet, they need no response of the peer. */
    private static final long MAX_SEND_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long PAUSE_NANOS = 20_000;

    /**
     * Sends what is being sent, and destroys everything, also if a step fails. An interrupt does not end this; its
     * status is kept. The end of the context has destroyed all objects.
     */
    void close(DatagramQueuePair[] queuePairs) {
        try {
            if (!device.context().isClosed()) {
                closeAll(queuePairs);
            }
        } catch (IllegalStateException e) {
            if (!device.context().isClosed()) {
                throw e;
            }
        }
    }

    private void closeAll(DatagramQueuePair[] queuePairs) {
        Destruction.all(() -> awaitSent(queuePairs), () -> Destruction.uninterrupted(resolver::close),
                () -> end(queuePairs), () -> destroy(queuePairs), () -> Destruction.uninterrupted(device::close));
    }

    private void end(DatagramQueuePair[] queuePairs) {
        lock.lock();
        try {
            for (DatagramQueuePair each : queuePairs) {
                each.end();
            }
            destinations.clear();
        } finally {
            lock.unlock();
        }
    }

    private static void destroy(DatagramQueuePair[] queuePairs) {
        Destruction.all(Arrays.stream(queuePairs).<Runnable>map(each -> each::close).toArray(Runnable[]::new));
    }

    private void awaitSent(DatagramQueuePair[] queuePairs) {
        long deadline = System.nanoTime() + MAX_SEND_NANOS;
        while (!haveSentAll(queuePairs) && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
    }

    private boolean haveSentAll(DatagramQueuePair[] queuePairs) {
        boolean all = true;
        lock.lock();
        try {
            for (DatagramQueuePair each : queuePairs) {
                each.poll();
                all &= each.hasSentAll();
            }
        } finally {
            lock.unlock();
        }
        return all;
    }
}
