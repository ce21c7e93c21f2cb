package io.jverbs.soft.fabric.udp;

import io.jverbs.Gid;
import io.jverbs.soft.fabric.udp.socket.Datagrams;
import io.jverbs.soft.fabric.udp.socket.ReceivedPackets;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.wire.Roce;
import io.jverbs.soft.wire.SendBuffer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** A socket that receives nothing or, while {@code receiving} is set, one malformed packet after another. */
final class IdleSocket implements Datagrams {
    /** Where packets come from and go to. */
    static final Gid GID = Gid.parse("::ffff:192.0.2.1");

    volatile boolean receiving;
    /** Thrown in each call. */
    volatile Error error;
    /** Thrown in each call of a virtual thread. */
    volatile Error virtualError;
    /** Awaited in each call of a virtual thread, unless it is null. */
    volatile CountDownLatch beforeVirtualCall;
    /** The virtual thread that awaits it. */
    volatile Thread held;
    /** The virtual thread of the latest call of one. */
    volatile Thread virtualCaller;
    /** Run in each call of a virtual thread, unless it is null. */
    volatile Runnable inVirtualCall;
    /** A character for each call of a virtual thread since the latest packet. Tests append others. */
    final StringBuffer idleCalls = new StringBuffer();
    /** While it is set, each call of a virtual thread spins. */
    volatile boolean virtualSpins;
    volatile boolean spinning;
    volatile int calls;
    volatile int virtualCalls;
    /** The thread that has received the latest packet. */
    volatile Thread receiver;
    /** All threads that have received a packet. */
    final Set<Thread> receivers = ConcurrentHashMap.newKeySet();
    IOException failure;
    int closed;

    @Override
    public int maxBatch(int bytes) {
        return 1;
    }

    @Override
    public SendBuffer newOutgoing() {
        return new SendBuffer();
    }

    @Override
    public Object address(InetSocketAddress peer) {
        return peer;
    }

    @Override
    public void send(SendBuffer packet, Route route) {
        // the packet is discarded
    }

    @Override
    public void flush(SendBuffer packets) {
        // no packets are held back
    }

    @Override
    public boolean receive(ReceivedPackets arrival, int most) {
        // only with the engine's lock
        calls++;
        if (error != null) {
            throw error;
        }
        if (Thread.currentThread().isVirtual()) {
            virtualCalls++;
            virtualCaller = Thread.currentThread();
            await(beforeVirtualCall);
            Runnable step = inVirtualCall;
            if (step != null) {
                step.run();
            }
            while (virtualSpins) {
                spinning = true;
                Thread.onSpinWait();
            }
            if (virtualError != null) {
                throw virtualError;
            }
        }
        boolean received = receiving;
        if (received) {
            receiver = Thread.currentThread();
            receivers.add(receiver);
            idleCalls.setLength(0);
        } else if (Thread.currentThread().isVirtual()) {
            idleCalls.append('-');
        }
        arrival.ownBuffer();
        arrival.source(GID.high(), GID.low(), Roce.UDP_PORT);
        arrival.received(0, 0);
        return received;
    }

    private void await(CountDownLatch latch) {
        try {
            if (latch != null) {
                held = Thread.currentThread();
                latch.await();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        closed++;
        if (failure != null) {
            throw failure;
        }
    }
}
