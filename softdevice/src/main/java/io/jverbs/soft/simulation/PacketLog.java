package io.jverbs.soft.simulation;

import io.jverbs.control.SimulatedPacket;
import io.jverbs.control.SimulatedPacket.Fate;
import io.jverbs.soft.wire.WireOpcode;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;

/**
 * The latest packets of a network, and a SHA-256 hash over all its packets and their fates. Guarded by the schedule's
 * lock.
 */
final class PacketLog {
    static final int CAPACITY = 1024;
    private static final int PSN = 9;
    private static final int DESTINATION_QPN = 5;

    private final MessageDigest digest;
    private final Deque<PacketInTransit> latest = new ArrayDeque<>();
    private final byte[] line = new byte[2 * Long.BYTES + 4];
    private long count;

    PacketLog() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is missing, which every Java platform must support", e);
        }
    }

    /** Adds a packet when it is sent, with its fate: lost, or in flight. */
    void add(PacketInTransit packet) {
        packet.number(count++);
        hash(packet.sent(), packet.isInFlight() ? packet.arrives() : -1, packet);
        digest.update(packet.bytes());
        for (int flip : packet.flips()) {
            digest.update((byte) (flip >>> 16));
            digest.update((byte) (flip >>> 8));
            digest.update((byte) flip);
        }
        latest.addLast(packet);
        if (latest.size() > CAPACITY) {
            latest.removeFirst();
        }
    }

    /** Adds the final fate of a packet that was in flight. */
    void arrived(PacketInTransit packet) {
        hash(packet.number(), packet.arrives(), packet);
    }

    private void hash(long first, long second, PacketInTransit packet) {
        for (int i = 0; i < Long.BYTES; i++) {
            line[i] = (byte) (first >>> 8 * i);
            line[Long.BYTES + i] = (byte) (second >>> 8 * i);
        }
        line[2 * Long.BYTES] = (byte) packet.from();
        line[2 * Long.BYTES + 1] = (byte) packet.to();
        line[2 * Long.BYTES + 2] = (byte) packet.fate().ordinal();
        line[2 * Long.BYTES + 3] = (byte) ((packet.isCopy() ? 1 : 0) | (packet.isHeldBack() ? 2 : 0));
        digest.update(line);
    }

    long count() {
        return count;
    }

    String hash() {
        try {
            return HexFormat.of().formatHex(((MessageDigest) digest.clone()).digest());
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the SHA-256 digest of this platform cannot be cloned", e);
        }
    }

    List<SimulatedPacket> latest() {
        return latest.stream().map(PacketLog::packet).toList();
    }

    private static SimulatedPacket packet(PacketInTransit packet) {
        byte[] bytes = packet.bytes();
        boolean travels = packet.fate() == Fate.IN_FLIGHT || packet.fate() == Fate.ARRIVED;
        return new SimulatedPacket(packet.number(), Duration.ofNanos(packet.sent()),
                Duration.ofNanos(travels ? packet.arrives() : packet.sent()), packet.from(), packet.to(),
                WireOpcode.name(bytes[0] & 0xFF), threeBytes(bytes, DESTINATION_QPN), threeBytes(bytes, PSN),
                bytes.length, packet.fate(), packet.isCopy(), packet.isHeldBack(), packet.flips().length);
    }

    private static int threeBytes(byte[] bytes, int at) {
        return (bytes[at] & 0xFF) << 16 | (bytes[at + 1] & 0xFF) << 8 | bytes[at + 2] & 0xFF;
    }
}
