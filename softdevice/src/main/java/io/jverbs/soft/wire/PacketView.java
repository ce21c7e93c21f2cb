package io.jverbs.soft.wire;

import java.lang.foreign.MemorySegment;

/**
 * What a received datagram says, if it is a packet. Used again for each; not thread-safe. It trusts no byte: {@link
 * #decode} bounds all that the rest relies on, and nothing is read beyond what was received. A header that the packet
 * does not have reads as 0.
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

    /** Makes one that views nothing yet: {@link #decode} comes first. */
    public PacketView() {}

    /**
     * Looks at a datagram. Its BTH can be read unless it is too short or too long; headers and payload if nothing is
     * wrong. The ICRC is not looked at: see {@link #check}.
     *
     * @param datagram what was received
     * @param bytes how much, any number
     * @return what is wrong with it, or {@link Drop#NONE}
     */
    public Drop decode(PacketBuffer datagram, int bytes) {
        buffer = datagram;
        packet = datagram.segment();
        start = datagram.start();
        length = bytes;
        traits = 0;
        payloadLength = 0;
        if (bytes < MIN_BYTES || bytes > PacketBuffer.MAX_BYTES) {
            leading = 0;
            trailing = 0;
            return bytes < MIN_BYTES ? Drop.TOO_SHORT : Drop.TOO_LONG;
        }
        leading = Bth.leading(packet, start);
        trailing = Bth.trailing(packet, start);
        return judge();
    }

    private Drop judge() {
        if (Bth.version(leading) != 0) {
            return Drop.VERSION;
        }
        if (Bth.destinationQpn(leading) == 0) {
            return Drop.QUEUE_PAIR_0;
        }
        int opcode = Bth.opcode(leading);
        int known = WireOpcode.traits(opcode);
        if (WireOpcode.kindOf(known) == WireOpcode.KIND_UNKNOWN) {
            return WireOpcode.isTransport(opcode) ? Drop.OPCODE : Drop.TRANSPORT;
        }
        int rest = length - WireOpcode.headerLengthOf(known) - Bth.pad(leading) - Icrc.BYTES;
        int most = (known & WireOpcode.PAYLOAD) != 0 ? PacketBuffer.MAX_PAYLOAD : 0;
        if (rest < 0 || rest > most || (length & 3) != 0) {
            return Drop.LENGTH;
        }
        traits = known;
        payloadLength = rest;
        return Drop.NONE;
    }

    /**
     * Checks the ICRC of a datagram that {@link #decode} found right, or of wrong opcode.
     *
     * @param icrc told by {@link Icrc#between} whose packet it is
     * @return {@link Drop#NONE} or {@link Drop#ICRC}
     */
    public Drop check(Icrc icrc) {
        return icrc.verify(buffer, length) == Icrc.MISMATCH ? Drop.ICRC : Drop.NONE;
    }

    /**
     * {@return whether the payload is as long as the packet's place in its message wants: the path MTU if more packets
     * follow, 1 to the path MTU in the last of several, 0 to the path MTU in the only one}
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

    /** {@return the memory that the packet is in} */
    public MemorySegment packet() {
        return packet;
    }

    /** {@return where in that memory the payload begins} */
    public int payloadOffset() {
        return start + WireOpcode.headerLengthOf(traits);
    }

    /** {@return how long the payload is, without pad} */
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

    /** {@return the queue pair that shall receive, 24 bits} */
    public int destinationQpn() {
        return Bth.destinationQpn(leading);
    }

    /** {@return whether the requester wants an acknowledgement} */
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

    /** {@return the sender's queue pair of a datagram, 24 bits} */
    public int sourceQpn() {
        return has(WireOpcode.HAS_DETH) ? Deth.sourceQpn(packet, start + WireOpcode.EXTENSION) : 0;
    }

    /** {@return the virtual address of a WRITE, READ or atomic} */
    public long remoteAddress() {
        // RETH and AtomicETH begin alike
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

    /** {@return the length of the whole message of a WRITE or READ, 0 to 2^32 - 1} */
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

    /** {@return the value that an atomic is to store or to add} */
    public long swapOrAdd() {
        return has(WireOpcode.HAS_ATOMIC_ETH) ? AtomicEth.swapOrAdd(packet, start + WireOpcode.EXTENSION) : 0;
    }

    /** {@return the value that a compare-and-swap expects} */
    public long compare() {
        return has(WireOpcode.HAS_ATOMIC_ETH) ? AtomicEth.compare(packet, start + WireOpcode.EXTENSION) : 0;
    }

    /** {@return the former value that an atomic found} */
    public long original() {
        return has(WireOpcode.HAS_ATOMIC_ACK_ETH)
                ? AtomicAckEth.original(packet, start + WireOpcode.ATOMIC_ACK_ETH)
                : 0;
    }

    /** {@return the value of the four bytes of immediate data, the first the most significant} */
    public int immediate() {
        return has(WireOpcode.HAS_IMM_DT) ? ImmDt.immediate(packet, payloadOffset() - ImmDt.BYTES) : 0;
    }

    /** {@return the remote key to invalidate} */
    public int invalidatedRkey() {
        return has(WireOpcode.HAS_IETH) ? Ieth.rkey(packet, start + WireOpcode.EXTENSION) : 0;
    }
}
