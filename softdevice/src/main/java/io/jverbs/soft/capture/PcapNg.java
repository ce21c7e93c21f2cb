package io.jverbs.soft.capture;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Encodes the blocks of a pcapng file (draft-ietf-opsawg-pcapng) in little-endian byte order, at the position of a
 * buffer. A file has one section: a section header, then interface descriptions and packets, and interface statistics
 * at the end.
 */
final class PcapNg {
    /** The link type of packets that start with an IPv4 or IPv6 header. */
    static final int LINKTYPE_RAW = 101;
    /** The length of an enhanced packet block without the packet and its padding to four bytes. */
    static final int PACKET_OVERHEAD = 28 + 12 + 4;
    /** The maximum length of a block other than a packet block. */
    static final int MAX_BLOCK = 512;

    private static final int SECTION = 0x0A0D_0D0A;
    private static final int MAGIC = 0x1A2B_3C4D;
    private static final int INTERFACE = 1;
    private static final int STATISTICS = 5;
    private static final int PACKET = 6;
    private static final int USER_APPLICATION = 4;
    private static final int NAME = 2;
    private static final int DESCRIPTION = 3;
    private static final int TIME_RESOLUTION = 9;
    private static final int NANOSECONDS = 9;
    private static final int FLAGS = 2;
    private static final int INBOUND = 1;
    private static final int OUTBOUND = 2;
    private static final int START_TIME = 2;
    private static final int END_TIME = 3;
    private static final int RECEIVED = 4;
    private static final int DROPPED = 5;
    private static final int LONGEST_TEXT = 128;

    private PcapNg() {}

    /** Returns a new buffer of {@link #MAX_BLOCK} bytes. */
    static ByteBuffer buffer() {
        return ByteBuffer.allocate(MAX_BLOCK).order(ByteOrder.LITTLE_ENDIAN);
    }

    static void section(ByteBuffer out) {
        int start = begin(out, SECTION);
        out.putInt(MAGIC).putShort((short) 1).putShort((short) 0).putLong(-1);
        text(out, USER_APPLICATION, "jverbs");
        endOptions(out);
        end(out, start);
    }

    static void device(ByteBuffer out, String name, int snap) {
        int start = begin(out, INTERFACE);
        out.putShort((short) LINKTYPE_RAW).putShort((short) 0).putInt(snap);
        text(out, NAME, name);
        text(out, DESCRIPTION, "jverbs software device");
        option(out, TIME_RESOLUTION, 1);
        out.put((byte) NANOSECONDS);
        pad(out, 1);
        endOptions(out);
        end(out, start);
    }

    /** Returns the length of the block of a packet of which {@code captured} bytes are captured. */
    static int packetLength(int captured) {
        return PACKET_OVERHEAD + captured + padOf(captured);
    }

    /**
     * Writes an enhanced packet block.
     *
     * @param device the index of the interface
     * @param nanos the time in nanoseconds since 1970
     * @param leaving whether the device sends the packet; otherwise it receives it
     * @param packet the bytes of the packet, from 0
     * @param captured how many of them are captured
     * @param length the length of the packet
     */
    static void packet(ByteBuffer out, int device, long nanos, boolean leaving, ByteBuffer packet, int captured,
            int length) {
        int start = begin(out, PACKET);
        out.putInt(device);
        time(out, nanos);
        out.putInt(captured).putInt(length);
        out.put(out.position(), packet, 0, captured).position(out.position() + captured);
        pad(out, captured);
        option(out, FLAGS, Integer.BYTES);
        out.putInt(leaving ? OUTBOUND : INBOUND);
        endOptions(out);
        end(out, start);
    }

    static void statistics(ByteBuffer out, int device, long from, long to, long packets, long dropped) {
        int start = begin(out, STATISTICS);
        out.putInt(device);
        time(out, to);
        option(out, START_TIME, Long.BYTES);
        time(out, from);
        option(out, END_TIME, Long.BYTES);
        time(out, to);
        option(out, RECEIVED, Long.BYTES);
        out.putLong(packets + dropped);
        option(out, DROPPED, Long.BYTES);
        out.putLong(dropped);
        endOptions(out);
        end(out, start);
    }

    private static int begin(ByteBuffer out, int type) {
        int start = out.position();
        out.putInt(type).putInt(0);
        return start;
    }

    private static void end(ByteBuffer out, int start) {
        int length = out.position() - start + Integer.BYTES;
        out.putInt(length).putInt(start + Integer.BYTES, length);
    }

    private static void time(ByteBuffer out, long nanos) {
        out.putInt((int) (nanos >>> Integer.SIZE)).putInt((int) nanos);
    }

    private static void option(ByteBuffer out, int code, int length) {
        out.putShort((short) code).putShort((short) length);
    }

    private static void text(ByteBuffer out, int code, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, LONGEST_TEXT);
        option(out, code, length);
        out.put(bytes, 0, length);
        pad(out, length);
    }

    private static void endOptions(ByteBuffer out) {
        out.putInt(0);
    }

    private static int padOf(int length) {
        return -length & 3;
    }

    private static void pad(ByteBuffer out, int length) {
        for (int i = padOf(length); i > 0; i--) {
            out.put((byte) 0);
        }
    }
}
