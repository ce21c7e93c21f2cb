package io.jverbs.soft.wire;

import java.lang.foreign.MemorySegment;

/**
 * Decodes received datagrams. A view is reused for each datagram. Not thread-safe. It trusts no byte: {@link #decode}
 * checks all lengths that the other methods rely on, and nothing is read beyond the received bytes. A header that the
 * packet does not have reads as 0.
 */
public final class PacketView {
    private static final int MIN_BYTES = Bth.BYTES + Icrc.BYTES;

    private PacketBuffer buffer;
    private MemorySegment packet = MemorySegment.NULL;
    private int start;
    private int length;
    private long leading;
    private int trailing;
    private int traits;
    private int payloadLength;
    private boolean congestionExperienced;

    /** Creates a view of nothing; {@link #decode} is called first. */
    public PacketView() {}

    /**
     * Decodes a datagram. The BTH can be read unless the datagram is too short or too long; the other headers and the
     * payload can be read if the result is {@link DropReason#NONE}. The ICRC is not verified, see {@link #check}.
     *
     * @param datagram the received datagram
     * @param bytes its length; any value is allowed
     * @return the reason to drop the datagram, or {@link DropReason#NONE}
     */
    public DropReason decode(PacketBuffer datagram, int bytes) {
        buffer = datagram;
        packet = datagram.segment();
        start = datagram.start();
        length = bytes;
        traits = 0;
        payloadLength = 0;
        congestionExperienced = false;
        if (bytes < MIN_BYTES || bytes > PacketBuffer.MAX_BYTES) {
            leading = 0;
            trailing = 0;
            return bytes < MIN_BYTES ? DropReason.TOO_SHORT : DropReason.TOO_LONG;
        }
        leading = Bth.leading(packet, start);
        trailing = Bth.trailing(packet, start);
        return validate();
    }

    private DropReason validate() {
        if (Bth.version(leading) != 0) {
            return DropReason.VERSION;
        }
        if (Bth.destinationQpn(leading) == 0) {
            return DropReason.QUEUE_PAIR_0;
        }
        int opcode = Bth.opcode(leading);
        int opcodeTraits = WireOpcode.traits(opcode);
        if (WireOpcode.kindOf(opcodeTraits) == WireOpcode.KIND_UNKNOWN) {
            return WireOpcode.isTransport(opcode) ? DropReason.OPCODE : DropReason.TRANSPORT;
        }
        int remaining = length - WireOpcode.headerLengthOf(opcodeTraits) - Bth.pad(leading) - Icrc.BYTES;
        int maxPayload = (opcodeTraits & WireOpcode.PAYLOAD) != 0 ? PacketBuffer.MAX_PAYLOAD : 0;
        if (remaining < 0 || remaining > maxPayload || (length & 3) != 0) {
            return DropReason.LENGTH;
        }
        traits = opcodeTraits;
        payloadLength = remaining;
        return DropReason.NONE;
    }

    /**
     * Verifies the ICRC of a datagram for which {@link #decode} returned {@link DropReason#NONE} or {@link
     * DropReason#OPCODE}.
     *
     * @param icrc the ICRC, with the addresses set by {@link Icrc#setAddresses}
     * @return {@link DropReason#NONE} or {@link DropReason#ICRC}
     */
    public DropReason check(Icrc icrc) {
        return icrc.verify(buffer, length) == Icrc.MISMATCH ? DropReason.ICRC : DropReason.NONE;
    }

    /**
     * {@return whether the length of the payload fits the packet's place in its message: the path MTU in a first or
     * middle packet, 1 to the path MTU in a last packet, 0 to the path MTU in an only packet}
     *
     * @param mtu the path MTU in bytes
     */
    public boolean fits(int mtu) {
        if ((traits & WireOpcode.PAYLOAD) == 0) {
            return true;
        }
        if ((traits & WireOpcode.LAST) == 0) {
            return payloadLength == mtu;
        }
        return payloadLength <= mtu && (payloadLength != 0 || (traits & WireOpcode.FIRST) != 0);
    }

    /**
     * Sets whether the IP header had the mark of congestion (CE of ECN), after {@link #decode}.
     *
     * @param mark whether it had
     */
    public void congestionExperienced(boolean mark) {
        congestionExperienced = mark;
    }

    /** {@return whether the IP header had the mark of congestion} */
    public boolean congestionExperienced() {
        return congestionExperienced;
    }

    /** {@return the memory that contains the packet} */
    public MemorySegment packet() {
        return packet;
    }

    /** {@return the offset of the payload in that memory} */
    public int payloadOffset() {
        return start + WireOpcode.headerLengthOf(traits);
    }

    /** {@return the length of the payload in bytes, without pad} */
    public int payloadLength() {
        return payloadLength;
    }

    /** {@return the opcode, see {@link WireOpcode}} */
    public int opcode() {
        return Bth.opcode(leading);
    }

    /** {@return whether the receiver's completion is a solicited event} */
    public boolean solicited() {
        return Bth.solicited(leading);
    }

    /** {@return whether the path's migration state is "migrated"} */
    public boolean migReq() {
        return Bth.migReq(leading);
    }

    /** {@return the partition key, 16 bits} */
    public int pkey() {
        return Bth.pkey(leading);
    }

    /** {@return the number of the destination queue pair, 24 bits} */
    public int destinationQpn() {
        return Bth.destinationQpn(leading);
    }

    /** {@return whether the packet notifies its receiver of congestion (BECN)} */
    public boolean becn() {
        return Bth.becn(leading);
    }

    /** {@return whether the requester requests an acknowledgement} */
    public boolean ackRequest() {
        return Bth.ackRequest(trailing);
    }

    /** {@return the packet sequence number, 24 bits} */
    public int psn() {
        return Bth.psn(trailing);
    }

    private boolean has(int header) {
        return (traits & header) != 0;
    }

    /** {@return the queue key of a datagram} */
    public int qkey() {
        return has(WireOpcode.HAS_DETH) ? Deth.qkey(packet, start + WireOpcode.EXTENSION) : 0;
    }

    /** {@return the number of the queue pair that sent a datagram, 24 bits} */
    public int sourceQpn() {
        return has(WireOpcode.HAS_DETH) ? Deth.sourceQpn(packet, start + WireOpcode.EXTENSION) : 0;
    }

    /** {@return the virtual address of a WRITE, READ or atomic} */
    public long remoteAddress() {
        // RETH and AtomicETH have both fields at the same offsets
        return has(WireOpcode.HAS_RETH | WireOpcode.HAS_ATOMIC_ETH)
                ? Reth.remoteAddress(packet, start + WireOpcode.EXTENSION)
                : 0;
    }

    /** {@return the remote key of a WRITE, READ or atomic} */
    public int rkey() {
        return has(WireOpcode.HAS_RETH | WireOpcode.HAS_ATOMIC_ETH)
                ? Reth.rkey(packet, start + WireOpcode.EXTENSION)
                : 0;
    }

    /** {@return the length of the whole message of a WRITE or READ in bytes, 0 to 2^32 - 1} */
    public long dmaLength() {
        return has(WireOpcode.HAS_RETH) ? Reth.length(packet, start + WireOpcode.EXTENSION) : 0;
    }

    /** {@return the syndrome, see {@link Aeth}} */
    public int syndrome() {
        return has(WireOpcode.HAS_AETH) ? Aeth.syndrome(packet, start + WireOpcode.EXTENSION) : 0;
    }

    /** {@return the message sequence number, 24 bits} */
    public int msn() {
        return has(WireOpcode.HAS_AETH) ? Aeth.msn(packet, start + WireOpcode.EXTENSION) : 0;
    }

    /** {@return the value that an atomic stores or adds} */
    public long swapOrAdd() {
        return has(WireOpcode.HAS_ATOMIC_ETH) ? AtomicEth.swapOrAdd(packet, start + WireOpcode.EXTENSION) : 0;
    }

    /** {@return the value that a compare-and-swap expects} */
    public long compare() {
        return has(WireOpcode.HAS_ATOMIC_ETH) ? AtomicEth.compare(packet, start + WireOpcode.EXTENSION) : 0;
    }

    /** {@return the value of the word before an atomic} */
    public long original() {
        return has(WireOpcode.HAS_ATOMIC_ACK_ETH)
                ? AtomicAckEth.original(packet, start + WireOpcode.ATOMIC_ACK_ETH)
                : 0;
    }

    /** {@return the four bytes of immediate data as a big-endian number} */
    public int immediate() {
        return has(WireOpcode.HAS_IMM_DT) ? ImmDt.immediate(packet, payloadOffset() - ImmDt.BYTES) : 0;
    }

    /** {@return the remote key to invalidate} */
    public int invalidatedRkey() {
        return has(WireOpcode.HAS_IETH) ? Ieth.rkey(packet, start + WireOpcode.EXTENSION) : 0;
    }
}
