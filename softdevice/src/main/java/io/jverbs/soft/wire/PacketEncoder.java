package io.jverbs.soft.wire;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/**
 * Writes packets: {@link #begin}, then each header that the opcode has, the payload at {@link #payloadOffset}, {@link
 * #finish}. Used again for each packet; not thread-safe.
 *
 * <p>The buffer's former packet was perhaps for somebody else: a packet that lacks a header is not finished.
 */
public final class PacketEncoder {
    private PacketBuffer buffer;
    private MemorySegment packet = MemorySegment.NULL;
    private int payloadOffset;
    private int payloadLength;
    /** The headers to come. */
    private int missing;

    /** Makes one that has begun no packet. */
    public PacketEncoder() {}

    /**
     * Begins a packet: writes its BTH.
     *
     * @param memory where it shall be
     * @param opcode one that is {@linkplain WireOpcode#isKnown known}
     * @param flags any of {@link Bth#SOLICITED}, {@link Bth#MIG_REQ} and {@link Bth#ACK_REQUEST}
     * @param pkey 16 bits
     * @param destinationQpn 24 bits
     * @param psn 24 bits
     * @param payload how long its payload will be, 0 to 4096
     * @return this
     * @throws IllegalArgumentException if the opcode is not known or cannot have so long a payload
     */
    public PacketEncoder begin(PacketBuffer memory, int opcode, int flags, int pkey, int destinationQpn, int psn,
            int payload) {
        int traits = WireOpcode.traits(opcode);
        int most = (traits & WireOpcode.PAYLOAD) != 0 ? PacketBuffer.MAX_PAYLOAD : 0;
        if (WireOpcode.kindOf(traits) == WireOpcode.KIND_UNKNOWN || payload < 0 || payload > most) {
            throw new IllegalArgumentException(WireOpcode.name(opcode) + " with a payload of " + payload + " bytes");
        }
        buffer = memory;
        packet = memory.segment();
        payloadOffset = WireOpcode.headerLengthOf(traits);
        payloadLength = payload;
        missing = traits & WireOpcode.EXTENSIONS;
        Bth.write(packet, 0, opcode, flags, -payload & 3, pkey, destinationQpn, psn);
        if (WireOpcode.kindOf(traits) == WireOpcode.KIND_CNP) {
            packet.set(BigEndian.LONG, WireOpcode.EXTENSION, 0);
            packet.set(BigEndian.LONG, WireOpcode.EXTENSION + Long.BYTES, 0);
        }
        return this;
    }

    private void write(int header) {
        if ((missing & header) == 0) {
            throw new IllegalStateException("a header that the packet does not have, or has already");
        }
        missing ^= header;
    }

    /**
     * Writes the header of a datagram; like its fellows throws an IllegalStateException if the packet is not to have
     * one, or has it.
     *
     * @param qkey the queue key
     * @param sourceQpn the sender's queue pair, 24 bits
     * @return this
     */
    public PacketEncoder deth(int qkey, int sourceQpn) {
        write(WireOpcode.HAS_DETH);
        Deth.write(packet, WireOpcode.EXTENSION, qkey, sourceQpn);
        return this;
    }

    /**
     * Writes the header of a WRITE or READ.
     *
     * @param remoteAddress the virtual address
     * @param rkey the remote key
     * @param length of the whole message in bytes, 32 bits
     * @return this
     */
    public PacketEncoder reth(long remoteAddress, int rkey, long length) {
        write(WireOpcode.HAS_RETH);
        Reth.write(packet, WireOpcode.EXTENSION, remoteAddress, rkey, length);
        return this;
    }

    /**
     * Writes the header of an answer.
     *
     * @param syndrome 8 bits, see {@link Aeth}
     * @param msn the message sequence number, 24 bits
     * @return this
     */
    public PacketEncoder aeth(int syndrome, int msn) {
        write(WireOpcode.HAS_AETH);
        Aeth.write(packet, WireOpcode.EXTENSION, syndrome, msn);
        return this;
    }

    /**
     * Writes the header of an atomic.
     *
     * @param remoteAddress the virtual address
     * @param rkey the remote key
     * @param swapOrAdd the value to store, or to add
     * @param compare the value expected; means nothing to a fetch-and-add
     * @return this
     */
    public PacketEncoder atomicEth(long remoteAddress, int rkey, long swapOrAdd, long compare) {
        write(WireOpcode.HAS_ATOMIC_ETH);
        AtomicEth.write(packet, WireOpcode.EXTENSION, remoteAddress, rkey, swapOrAdd, compare);
        return this;
    }

    /**
     * Writes the second header of the answer to an atomic.
     *
     * @param original the former value of the word
     * @return this
     */
    public PacketEncoder atomicAckEth(long original) {
        write(WireOpcode.HAS_ATOMIC_ACK_ETH);
        AtomicAckEth.write(packet, WireOpcode.ATOMIC_ACK_ETH, original);
        return this;
    }

    /**
     * Writes the immediate data.
     *
     * @param immediate the value of the four bytes, the first the most significant
     * @return this
     */
    public PacketEncoder immediate(int immediate) {
        write(WireOpcode.HAS_IMM_DT);
        ImmDt.write(packet, payloadOffset - ImmDt.BYTES, immediate);
        return this;
    }

    /**
     * Writes the header of a SEND with invalidate.
     *
     * @param rkey the remote key that the receiver shall invalidate
     * @return this
     */
    public PacketEncoder ieth(int rkey) {
        write(WireOpcode.HAS_IETH);
        Ieth.write(packet, WireOpcode.EXTENSION, rkey);
        return this;
    }

    /** {@return where in the buffer the payload belongs} */
    public int payloadOffset() {
        return payloadOffset;
    }

    /** {@return how long the packet is without its pad and ICRC, once its payload is there} */
    public int written() {
        return payloadOffset + payloadLength;
    }

    /** {@return how long the packet will be, with pad and ICRC} */
    public int length() {
        return (payloadOffset + payloadLength + 3 & ~3) + Icrc.BYTES;
    }

    /**
     * Finishes the packet: writes its pad and its ICRC. Its buffer is then ready for a channel: position 0, limit the
     * packet's length.
     *
     * @param icrc told by {@link Icrc#between} who sends it to whom
     * @return the packet's length
     * @throws IllegalStateException if a header is missing
     */
    public int finish(Icrc icrc) {
        if (missing != 0 || buffer == null) {
            throw new IllegalStateException("a packet without all its headers");
        }
        int end = payloadOffset + payloadLength;
        for (; (end & 3) != 0; end++) {
            packet.set(JAVA_BYTE, end, (byte) 0);
        }
        return icrc.append(buffer, end);
    }
}
