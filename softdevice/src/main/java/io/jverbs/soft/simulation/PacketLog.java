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

/** What was sent, and the hash over it. Guarded by the schedule's lock. */
final class PacketLog {
    static final int MOST = 1024;
    private static final int PSN = 9;
    private static final int DESTINATION_QPN = 5;

    private final MessageDigest digest;
    private final Deque<Parcel> latest = new ArrayDeque<>();
    private final byte[] line = new byte[2 * Long.BYTES + 4];
    private long count;

    PacketLog() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Notes a packet whose fate is decided, as far as it is when it is sent. */
    void add(Parcel parcel) {
        parcel.number(count++);
        hash(parcel.sent(), parcel.isUnderWay() ? parcel.arrives() : -1, parcel);
        digest.update(parcel.bytes());
        for (int flip : parcel.flips()) {
            digest.update((byte) (flip >>> 16));
            digest.update((byte) (flip >>> 8));
            digest.update((byte) flip);
        }
        latest.addLast(parcel);
        if (latest.size() > MOST) {
            latest.removeFirst();
        }
    }

    /** Notes what became of a packet that was under way. */
    void arrived(Parcel parcel) {
        hash(parcel.number(), parcel.arrives(), parcel);
    }

    private void hash(long first, long second, Parcel parcel) {
        for (int i = 0; i < Long.BYTES; i++) {
            line[i] = (byte) (first >>> 8 * i);
            line[Long.BYTES + i] = (byte) (second >>> 8 * i);
        }
        line[2 * Long.BYTES] = (byte) parcel.from();
        line[2 * Long.BYTES + 1] = (byte) parcel.to();
        line[2 * Long.BYTES + 2] = (byte) parcel.fate().ordinal();
        line[2 * Long.BYTES + 3] = (byte) ((parcel.isCopy() ? 1 : 0) | (parcel.isHeldBack() ? 2 : 0));
        digest.update(line);
    }

    long count() {
        return count;
    }

    String hash() {
        try {
            return HexFormat.of().formatHex(((MessageDigest) digest.clone()).digest());
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the platform's SHA-256 can be cloned", e);
        }
    }

    List<SimulatedPacket> latest() {
        return latest.stream().map(PacketLog::packet).toList();
    }

    private static SimulatedPacket packet(Parcel parcel) {
        byte[] bytes = parcel.bytes();
        boolean travels = parcel.fate() == Fate.UNDER_WAY || parcel.fate() == Fate.ARRIVED;
        return new SimulatedPacket(parcel.number(), Duration.ofNanos(parcel.sent()),
                Duration.ofNanos(travels ? parcel.arrives() : parcel.sent()), parcel.from(), parcel.to(),
                WireOpcode.name(bytes[0] & 0xFF), threeBytes(bytes, DESTINATION_QPN), threeBytes(bytes, PSN),
                bytes.length, parcel.fate(), parcel.isCopy(), parcel.isHeldBack(), parcel.flips().length);
    }

    private static int threeBytes(byte[] bytes, int at) {
        return (bytes[at] & 0xFF) << 16 | (bytes[at + 1] & 0xFF) << 8 | bytes[at + 2] & 0xFF;
    }
}
