package io.jverbs.soft.faults;

import io.jverbs.Gid;
import io.jverbs.soft.device.LocalDevice;
import io.jverbs.soft.fabric.LocalNetwork;
import io.jverbs.soft.fabric.ManagementReceiver;
import io.jverbs.soft.management.message.ConnectRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A thread that sends REQs to QP1 of a port until it is closed, each from another queue pair of a forged host. */
final class RequestFlood implements AutoCloseable {
    private static final int COMM_ID = 24;
    private static final int CA_GUID = 40;
    private static final int SENDER_GID_LOW = 88;
    private static final int HEADER_SOURCE = 180;
    private static final int REQUESTS = 64;
    private static final long FIRST_HOST = 0xFFFF_0A00_0001L;
    private static final int HOSTS = 1 << 16;
    /** The number of REQs that are sent at once: each wait takes as long as several REQs. */
    private static final int BURST = 50;

    private final Delivery delivery;
    private final ByteBuffer[] requests = new ByteBuffer[REQUESTS];
    private final long intervalNanos;
    private final Thread thread = Thread.ofPlatform().daemon().unstarted(this::run);
    private volatile boolean closed;
    private volatile Throwable failure;
    private volatile long sent;

    /** Delivers a datagram to QP1 of the device that is attacked. */
    interface Delivery {
        /** Returns the IPv4 address that sends a datagram. */
        Gid sender(int number);

        /**
         * Delivers the next datagram.
         *
         * @param datagram the 256 bytes
         * @param number the number of the datagram, which may choose its sender
         * @throws IOException if a socket fails
         */
        void deliver(byte[] datagram, int number) throws IOException;
    }

    /**
     * Starts the flood.
     *
     * @param victim the address of the device
     * @param delivery delivers the REQs
     * @param port the port that listens in port space TCP
     * @param perSecond the number of REQs in a second, at most
     * @param forged the private data of a program, which the REQs have as if they came from that program; null for REQs
     *     of any content
     */
    RequestFlood(Gid victim, Delivery delivery, int port, int perSecond, byte[] forged) {
        this.delivery = delivery;
        intervalNanos = TimeUnit.SECONDS.toNanos(1) * BURST / perSecond;
        HostileMessages messages = new HostileMessages(new Random(1), victim, port);
        for (int i = 0; i < REQUESTS; i++) {
            ConnectRequest request = forged == null
                    ? messages.request(i, 1 + i, victim)
                    : messages.validRequest(i, 1 + i, forged);
            requests[i] = ByteBuffer.wrap(request.encode(i).toBytes());
        }
        thread.start();
    }

    /** Returns the delivery within the JVM, from many forged hosts. */
    static Delivery within(LocalDevice attacked, LocalNetwork network) {
        ManagementReceiver victim = attacked.port().management();
        return new Delivery() {
            @Override
            public Gid sender(int number) {
                return Gid.of(0, FIRST_HOST + number % HOSTS);
            }

            @Override
            public void deliver(byte[] datagram, int number) {
                victim.receive(datagram, sender(number), attacked.gid());
                network.deferredQueue().run();
            }
        };
    }

    private void run() {
        try {
            long next = System.nanoTime();
            for (int i = 0; !closed; i++) {
                ByteBuffer request = requests[i % REQUESTS];
                Gid sender = delivery.sender(i);
                request.putInt(COMM_ID, i).putLong(CA_GUID, i).putLong(SENDER_GID_LOW, sender.low())
                        .putInt(HEADER_SOURCE, (int) sender.low());
                delivery.deliver(request.array(), i);
                sent = i + 1;
                if (i % BURST == 0) {
                    next += intervalNanos;
                    long wait = next - System.nanoTime();
                    if (wait > 0) {
                        LockSupport.parkNanos(wait);
                    }
                }
            }
        } catch (Throwable e) {
            failure = e;
        }
    }

    /** Returns the number of REQs that were sent. */
    long sent() {
        return sent;
    }

    /** Waits until a number of REQs were sent. */
    void awaitSent(long count) {
        while (sent < count && failure == null) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (failure != null) {
            throw new AssertionError("the flood has ended", failure);
        }
    }
}
