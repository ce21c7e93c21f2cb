package io.jverbs.soft.wire;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/**
 * The Base Transport Header (BTH), with which each packet begins. It is written with two stores. A reader that needs
 * several fields loads both words once, with {@link #leading} and {@link #trailing}, and passes them to the accessors.
 */
public final class Bth {
    /** The length of the header in bytes. */
    public static final int BYTES = 12;
    /** Flag: the receiver's completion is a solicited event (SE). */
    public static final int SOLICITED = 0x80;
    /** Flag: the path's migration state is "migrated" (MigReq). */
    public static final int MIG_REQ = 0x40;
    /** Bit of byte 4: the packet notifies its receiver of congestion in the other direction (BECN). */
    static final int BECN = 0x40;
    /** Flag: the requester requests an acknowledgement (AckReq). */
    public static final int ACK_REQUEST = 1 << 31;
    /** The destination queue pair number of multicast packets: all queue pairs that are attached to the group. */
    public static final int MULTICAST_QPN = 0xFFFFFF;

    /** The bits of bytes 0 to 7 that routers may change: FECN, BECN and the reserved bits beside them. */
    static final long VARIANT_BITS = 0xFF00_0000L;

    private static final int LEADING_FLAGS = SOLICITED | MIG_REQ;
    private static final int TRAILING = Long.BYTES;
    private static final int OPCODE_SHIFT = 56;
    private static final int FLAGS_SHIFT = 48;
    private static final int PAD_SHIFT = FLAGS_SHIFT + 4;
    private static final int PKEY_SHIFT = 32;
    private static final int CONGESTION_OFFSET = 4;
    private static final int CONGESTION_SHIFT = 24;

    private Bth() {}

    /**
     * Writes the header. Reserved bits, FECN and BECN are written as 0.
     *
     * @param packet the memory of the packet
     * @param at the offset of the header
     * @param opcode the opcode, 8 bits
     * @param flags any of {@link #SOLICITED}, {@link #MIG_REQ} and {@link #ACK_REQUEST}
     * @param pad the number of pad bytes after the payload, 2 bits
     * @param pkey the partition key, 16 bits
     * @param destinationQpn the number of the destination queue pair, 24 bits
     * @param psn the packet sequence number, 24 bits
     */
    public static void write(MemorySegment packet, long at, int opcode, int flags, int pad, int pkey,
            int destinationQpn, int psn) {
        int first = opcode << 24 | (flags & LEADING_FLAGS) << 16 | (pad & 3) << 20 | pkey & 0xFFFF;
        packet.set(BigEndian.LONG, at, (long) first << 32 | destinationQpn & BigEndian.MASK_24);
        packet.set(BigEndian.INT, at + TRAILING, flags & ACK_REQUEST | psn & BigEndian.MASK_24);
    }

    /** Sets BECN in a header that was written. */
    static void writeBecn(MemorySegment packet, long at) {
        packet.set(JAVA_BYTE, at + CONGESTION_OFFSET, (byte) BECN);
    }

    /** {@return whether BECN is set} */
    static boolean becn(long leading) {
        return (leading >>> CONGESTION_SHIFT & BECN) != 0;
    }

    /**
     * {@return bytes 0 to 7: all fields except those of {@link #trailing}}
     *
     * @param packet the memory of the packet
     * @param at the offset of the header
     */
    public static long leading(MemorySegment packet, long at) {
        return packet.get(BigEndian.LONG, at);
    }

    /**
     * {@return bytes 8 to 11: the acknowledgement request and the PSN}
     *
     * @param packet the memory of the packet
     * @param at the offset of the header
     */
    public static int trailing(MemorySegment packet, long at) {
        return packet.get(BigEndian.INT, at + TRAILING);
    }

    /**
     * {@return the opcode, see {@link WireOpcode}}
     *
     * @param leading bytes 0 to 7
     */
    public static int opcode(long leading) {
        return (int) (leading >>> OPCODE_SHIFT);
    }

    /**
     * {@return whether the receiver's completion is a solicited event}
     *
     * @param leading bytes 0 to 7
     */
    public static boolean solicited(long leading) {
        return (leading >>> FLAGS_SHIFT & SOLICITED) != 0;
    }

    /**
     * {@return whether the path's migration state is "migrated"}
     *
     * @param leading bytes 0 to 7
     */
    public static boolean migReq(long leading) {
        return (leading >>> FLAGS_SHIFT & MIG_REQ) != 0;
    }

    /**
     * {@return the number of pad bytes after the payload, 0 to 3}
     *
     * @param leading bytes 0 to 7
     */
    public static int pad(long leading) {
        return (int) (leading >>> PAD_SHIFT) & 3;
    }

    /**
     * {@return the version of the transport header, 0 to 15}
     *
     * @param leading bytes 0 to 7
     */
    public static int version(long leading) {
        return (int) (leading >>> FLAGS_SHIFT) & 0xF;
    }

    /**
     * {@return the partition key, 16 bits}
     *
     * @param leading bytes 0 to 7
     */
    public static int pkey(long leading) {
        return (int) (leading >>> PKEY_SHIFT) & 0xFFFF;
    }

    /**
     * {@return the number of the destination queue pair, 24 bits}
     *
     * @param leading bytes 0 to 7
     */
    public static int destinationQpn(long leading) {
        return (int) leading & BigEndian.MASK_24;
    }

    /**
     * {@return whether the requester requests an acknowledgement}
     *
     * @param trailing bytes 8 to 11
     */
    public static boolean ackRequest(int trailing) {
        return (trailing & ACK_REQUEST) != 0;
    }

    /**
     * {@return the packet sequence number, 24 bits}
     *
     * @param trailing bytes 8 to 11
     */
    public static int psn(int trailing) {
        return trailing & BigEndian.MASK_24;
    }
}
