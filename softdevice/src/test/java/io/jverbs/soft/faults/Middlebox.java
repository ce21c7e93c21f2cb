package io.jverbs.soft.faults;

import io.jverbs.Gid;
import io.jverbs.soft.wire.Aeth;
import io.jverbs.soft.wire.Bth;
import io.jverbs.soft.wire.Icrc;
import io.jverbs.soft.wire.PacketBuffer;
import io.jverbs.soft.wire.WireOpcode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import jdk.net.ExtendedSocketOptions;

/**
 * A router between two devices that loses, duplicates, delays and damages packets, as networks do. Each device takes
 * the router's address for that of its peer. A packet from one device is forwarded to the other one with the router's
 * address as its source and a recomputed ICRC. A thread of its own forwards the packets.
 */
final class Middlebox implements AutoCloseable {
    private static final int PORT = 4791;
    private static final int NAK_PSN_SEQUENCE_ERROR = 0x60;
    private static final int SYNDROME = Bth.BYTES;
    private static final long MAX_HOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /**
     * How many percent of the packets have each fault.
     *
     * @param lost packets that never arrive
     * @param doubled packets that arrive twice
     * @param late packets that a few others overtake
     * @param damaged packets with one bit flipped
     */
    record Faults(int lost, int doubled, int late, int damaged) {
        static final Faults NONE = new Faults(0, 0, 0, 0);
    }

    private record Held(byte[] bytes, InetSocketAddress to, long since) {}

    private final InetSocketAddress own;
    private final InetSocketAddress left;
    private final InetSocketAddress right;
    private final Gid gid;
    private final Faults faults;
    private final Random random;
    private final DatagramChannel channel;
    private final Selector selector;
    private final PacketBuffer buffer = new PacketBuffer(Arena.ofAuto().allocate(PacketBuffer.MAX_BYTES + 1, 64));
    private final Icrc icrc = new Icrc();
    private final Deque<Held> held = new ArrayDeque<>();
    private final AtomicLong passed = new AtomicLong();
    private final AtomicLong harmed = new AtomicLong();
    private final Thread thread;
    private volatile boolean closed;
    private volatile boolean sendsSequenceNaks;

    Middlebox(String address, String leftAddress, String rightAddress, Faults faults, long seed) {
        try {
            own = new InetSocketAddress(InetAddress.getByName(address), PORT);
            left = new InetSocketAddress(InetAddress.getByName(leftAddress), PORT);
            right = new InetSocketAddress(InetAddress.getByName(rightAddress), PORT);
            gid = Gid.ofAddress(own.getAddress());
            this.faults = faults;
            random = new Random(seed);
            channel = DatagramChannel.open();
            channel.setOption(ExtendedSocketOptions.IP_DONTFRAGMENT, true);
            channel.bind(own).configureBlocking(false);
            selector = Selector.open();
            channel.register(selector, SelectionKey.OP_READ);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        thread = Thread.ofPlatform().daemon().name("middlebox").start(this::run);
    }

    /** From now on, sends after each RNR NAK a sequence NAK for the same packet, as Linux rxe does. */
    void sendSequenceNaksAfterRnrNaks() {
        sendsSequenceNaks = true;
    }

    Gid gid() {
        return gid;
    }

    long passed() {
        return passed.get();
    }

    long harmed() {
        return harmed.get();
    }

    private void run() {
        try {
            while (!closed) {
                InetSocketAddress from = (InetSocketAddress) channel.receive(buffer.bytes().clear());
                if (from != null) {
                    take(buffer.bytes().position(), from.getAddress().equals(left.getAddress()) ? right : left);
                } else {
                    // not Thread.yield(): with it, Linux 6.18 on a busy machine delays other threads by half a second
                    // and more
                    selector.select(held.isEmpty() ? 0 : 1);
                    selector.selectedKeys().clear();
                }
                releaseHeld(from != null);
            }
        } catch (IOException e) {
            if (!closed) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private boolean happens(int percent) {
        boolean does = random.nextInt(100) < percent;
        if (does) {
            harmed.incrementAndGet();
        }
        return does;
    }

    private void take(int length, InetSocketAddress to) throws IOException {
        passed.incrementAndGet();
        if (happens(faults.lost())) {
            return;
        }
        Gid receiver = Gid.ofAddress(to.getAddress());
        icrc.setAddresses(gid.high(), gid.low(), PORT, receiver.high(), receiver.low(), PORT);
        icrc.append(buffer, length - Icrc.BYTES);
        if (happens(faults.damaged())) {
            int at = random.nextInt(length);
            // not the byte that routers may change, which the ICRC does not cover
            at = at == 4 ? 5 : at;
            MemorySegment packet = buffer.segment();
            packet.set(ValueLayout.JAVA_BYTE, at,
                    (byte) (packet.get(ValueLayout.JAVA_BYTE, at) ^ 1 << random.nextInt(8)));
        }
        if (happens(faults.late())) {
            byte[] bytes = new byte[length];
            buffer.bytes().position(0).limit(length).get(bytes);
            held.add(new Held(bytes, to, System.nanoTime()));
            return;
        }
        int copies = happens(faults.doubled()) ? 2 : 1;
        for (int i = 0; i < copies; i++) {
            channel.send(buffer.bytes().position(0).limit(length), to);
        }
        if (sendsSequenceNaks && isRnrNak(buffer.segment())) {
            buffer.segment().set(ValueLayout.JAVA_BYTE, SYNDROME, (byte) NAK_PSN_SEQUENCE_ERROR);
            icrc.append(buffer, length - Icrc.BYTES);
            channel.send(buffer.bytes().position(0).limit(length), to);
        }
    }

    private static boolean isRnrNak(MemorySegment packet) {
        return Byte.toUnsignedInt(packet.get(ValueLayout.JAVA_BYTE, 0)) == WireOpcode.ACKNOWLEDGE
                && Aeth.isRnrNak(Byte.toUnsignedInt(packet.get(ValueLayout.JAVA_BYTE, SYNDROME)));
    }

    /** Forwards the oldest packet that is held, after a few others or after a short time. */
    private void releaseHeld(boolean another) throws IOException {
        Held oldest = held.peek();
        if (oldest != null
                && (another && random.nextInt(3) == 0 || System.nanoTime() - oldest.since() > MAX_HOLD_NANOS)) {
            held.remove();
            buffer.bytes().clear().put(oldest.bytes()).flip();
            channel.send(buffer.bytes(), oldest.to());
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        selector.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        selector.close();
        channel.close();
    }
}
