package io.jverbs.soft.wire;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/**
 * Writes packets. The calls for a packet are {@link #begin}, one for each header that the opcode has, {@link #finish}.
 * The payload is written at {@link #payloadOffset} before {@link #finish}. An encoder is reused for each packet. Not
 * thread-safe.
 *
 * <p>
 * A packet that lacks a header cannot be finished: the buffer may contain bytes of an earlier packet to another peer.
 */
public final class PacketEncoder {
    private PacketBuffer buffer;
    private MemorySegment packet = MemorySegment.NULL;
    private int payloadOffset;
    private int payloadLength;
    /** The headers of the opcode that are not written yet, as bits of {@link WireOpcode}. */
    private int missingHeaders;

    /** Creates an encoder that has not begun a packet. */
    public PacketEncoder() {}

    /**
     * Begins a packet and writes its BTH.
     *
     * @param memory the memory for the packet
     * @param opcode an opcode that is {@linkplain WireOpcode#isKnown known}
     * @param flags any of {@link Bth#SOLICITED}, {@link Bth#MIG_REQ} and {@link Bth#ACK_REQUEST}
     * @param pkey the partition key, 16 bits
     * @param destinationQpn the number of the destination queue pair, 24 bits
     * @param psn the packet sequence number, 24 bits
     * @param payload the length that the payload will have, 0 to 4096 bytes
     * @return this
     * @throws IllegalArgumentException if the opcode is not known or cannot have a payload of that length
     */
    public PacketEncoder begin(PacketBuffer memory, int opcode, int flags, int pkey, int destinationQpn, int psn,
            int payload) {
        int traits = WireOpcode.traits(opcode);
        int maxPayload = (traits & WireOpcode.PAYLOAD) != 0 ? PacketBuffer.MAX_PAYLOAD : 0;
        if (WireOpcode.kindOf(traits) == WireOpcode.KIND_UNKNOWN || payload < 0 || payload > maxPayload) {
            throw new IllegalArgumentException(WireOpcode.name(opcode) + " with a payload of " + payload
                    + " bytes cannot be sent: the opcode must be known, the payload 0 to " + maxPayload + " bytes");
        }
        buffer = memory;
        packet = memory.segment();
        payloadOffset = WireOpcode.headerLengthOf(traits);
        payloadLength = payload;
        missingHeaders = traits & WireOpcode.EXTENSIONS;
        Bth.write(packet, 0, opcode, flags, -payload & 3, pkey, destinationQpn, psn);
        if (WireOpcode.kindOf(traits) == WireOpcode.KIND_CNP) {
            Bth.writeBecn(packet, 0);
            packet.set(BigEndian.LONG, WireOpcode.EXTENSION, 0);
            packet.set(BigEndian.LONG, WireOpcode.EXTENSION + Long.BYTES, 0);
        }
        return this;
    }

    private void write(int header) {
        if ((missingHeaders & header) == 0) {
            throw new IllegalStateException("the packet's opcode does not have this header, or it is already written");
        }
        missingHeaders ^= header;
    }

    /**
     * Writes the DETH of a datagram.
     *
     * @param qkey the queue key
     * @param sourceQpn the number of the sending queue pair, 24 bits
     * @return this
     * @throws IllegalStateException if the packet's opcode has no such header, or the header is already written; the
     *     other methods that write a header do the same
     */
    public PacketEncoder deth(int qkey, int sourceQpn) {
        write(WireOpcode.HAS_DETH);
        Deth.write(packet, WireOpcode.EXTENSION, qkey, sourceQpn);
        return this;
    }

    /**
     * Writes the RETH of a WRITE or READ.
     *
     * @param remoteAddress the virtual address
     * @param rkey the remote key
     * @param length the length of the whole message in bytes, 32 bits
     * @return this
     */
    public PacketEncoder reth(long remoteAddress, int rkey, long length) {
        write(WireOpcode.HAS_RETH);
        Reth.write(packet, WireOpcode.EXTENSION, remoteAddress, rkey, length);
        return this;
    }

    /**
     * Writes the AETH of a response.
     *
     * @param syndrome the syndrome, 8 bits, see {@link Aeth}
     * @param msn the message sequence number, 24 bits
     * @return this
     */
    public PacketEncoder aeth(int syndrome, int msn) {
        write(WireOpcode.HAS_AETH);
        Aeth.write(packet, WireOpcode.EXTENSION, syndrome, msn);
        return this;
    }

    /**
     * Writes the AtomicETH of an atomic.
     *
     * @param remoteAddress the virtual address
     * @param rkey the remote key
     * @param swapOrAdd the value to store, or to add
     * @param compare the expected value; ignored by a fetch-and-add
     * @return this
     */
    public PacketEncoder atomicEth(long remoteAddress, int rkey, long swapOrAdd, long compare) {
        write(WireOpcode.HAS_ATOMIC_ETH);
        AtomicEth.write(packet, WireOpcode.EXTENSION, remoteAddress, rkey, swapOrAdd, compare);
        return this;
    }

    /**
     * Writes the AtomicAckETH of the response to an atomic, which follows the AETH.
     *
     * @param original the value of the word before the operation
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
     * @param immediate the four bytes as a big-endian number
     * @return this
     */
    public PacketEncoder immediate(int immediate) {
        write(WireOpcode.HAS_IMM_DT);
        ImmDt.write(packet, payloadOffset - ImmDt.BYTES, immediate);
        return this;
    }

    /**
     * Writes the IETH of a SEND with invalidate.
     *
     * @param rkey the remote key that the receiver invalidates
     * @return this
     */
    public PacketEncoder ieth(int rkey) {
        write(WireOpcode.HAS_IETH);
        Ieth.write(packet, WireOpcode.EXTENSION, rkey);
        return this;
    }

    /** {@return the offset of the payload in the buffer} */
    public int payloadOffset() {
        return payloadOffset;
    }

    /** {@return the length of headers and payload, without pad and ICRC} */
    public int written() {
        return payloadOffset + payloadLength;
    }

    /** {@return the length that the packet will have, with pad and ICRC} */
    public int length() {
        return (payloadOffset + payloadLength + 3 & ~3) + Icrc.BYTES;
    }

    /**
     * Finishes the packet: writes its pad and its ICRC. Its buffer is then ready for a channel: position 0, limit the
     * length of the packet.
     *
     * @param icrc the ICRC, with the addresses set by {@link Icrc#setAddresses}
     * @return the length of the packet
     * @throws IllegalStateException if no packet was begun or a header is missing
     */
    public int finish(Icrc icrc) {
        if (missingHeaders != 0 || buffer == null) {
            throw new IllegalStateException("no packet was begun, or a header of its opcode is not written");
        }
        int end = payloadOffset + payloadLength;
        for (; (end & 3) != 0; end++) {
            packet.set(JAVA_BYTE, end, (byte) 0);
        }
        return icrc.append(buffer, end);
    }
}
