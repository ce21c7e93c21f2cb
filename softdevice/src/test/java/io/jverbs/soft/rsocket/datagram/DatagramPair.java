package io.jverbs.soft.rsocket.datagram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.fault.FaultInjection;
import io.jverbs.rsocket.datagram.RdmaDatagramOptions;
import io.jverbs.rsocket.datagram.RdmaDatagramSocket;
import io.jverbs.soft.LoopbackAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Two contexts, each with a socket at its own address. */
final class DatagramPair implements AutoCloseable {
    static final Duration LONG = Duration.ofSeconds(30);
    /** All pairs use these devices, since each device keeps a socket and a thread until the JVM ends. */
    private static final String[] JVM = {selector("jvm"), selector("jvm")};
    private static final String[] WIRED = {selector("wire"), selector("wire")};

    private final RdmaContext leftContext;
    private final RdmaContext rightContext;
    private final RdmaDatagramSocket left;
    private final RdmaDatagramSocket right;

    private DatagramPair(RdmaContext leftContext, RdmaContext rightContext, RdmaDatagramOptions options)
            throws IOException {
        this.leftContext = leftContext;
        this.rightContext = rightContext;
        left = RdmaDatagramSocket.open(leftContext, anyPort(leftContext), options);
        right = RdmaDatagramSocket.open(rightContext, anyPort(rightContext), options);
    }

    /** Returns a selector of a device with an address of its own: in the JVM, or over UDP. */
    static String selector(String where) {
        return switch (where) {
            case "jvm" -> "soft:" + LoopbackAddress.next();
            case "wire" -> LoopbackAddress.wired();
            default -> throw new IllegalArgumentException(where);
        };
    }

    /** Returns the address of the device with any port. */
    static InetSocketAddress anyPort(RdmaContext context) {
        return new InetSocketAddress(context.preferredGid(1).gid().toInetAddress(), 0);
    }

    static DatagramPair open(String where) throws IOException {
        return open(where, RdmaDatagramOptions.DEFAULT);
    }

    static DatagramPair open(String where, RdmaDatagramOptions options) throws IOException {
        String[] selectors = where.equals("jvm") ? JVM : WIRED;
        return new DatagramPair(Verbs.open(selectors[0]), Verbs.open(selectors[1]), options);
    }

    /** Opens within the JVM; the context of the left socket has a layer of faults. */
    static DatagramPair open(FaultInjection left) throws IOException {
        return new DatagramPair(Verbs.select(JVM[0]).open(left), Verbs.open(JVM[1]),
                RdmaDatagramOptions.DEFAULT.withSendQueueSize(16).withReceiveQueueSize(16));
    }

    RdmaDatagramSocket left() {
        return left;
    }

    RdmaDatagramSocket right() {
        return right;
    }

    RdmaContext leftContext() {
        return leftContext;
    }

    RdmaContext rightContext() {
        return rightContext;
    }

    /** Sends datagrams in both directions until both sides send over RDMA, and receives all of them. */
    void resolve() throws IOException, InterruptedException {
        exchange(left, right, 1);
        await("the resolution of the receiver", () -> left.isResolved(right.localAddress()));
        await("the resolution of the sender", () -> right.isResolved(left.localAddress()));
    }

    /** Sends one datagram with a number, and receives it. */
    static void exchange(RdmaDatagramSocket from, RdmaDatagramSocket to, int number)
            throws IOException, InterruptedException {
        from.send(ByteBuffer.allocate(Integer.BYTES).putInt(number).flip(), to.localAddress());
        assertEquals(number, receive(to, from.localAddress()));
    }

    /** Receives a datagram with a number; it must come from a sender. */
    static int receive(RdmaDatagramSocket at, InetSocketAddress from) throws IOException, InterruptedException {
        ByteBuffer into = ByteBuffer.allocate(64);
        assertTrue(at.awaitReadable(LONG), "nothing has arrived");
        assertEquals(from, at.tryReceive(into));
        return into.flip().getInt();
    }

    /** Waits until a condition holds. */
    static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + LONG.toNanos();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - deadline < 0, what + " not within " + LONG);
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    @Override
    public void close() {
        left.close();
        right.close();
        leftContext.close();
        rightContext.close();
    }
}
