package io.jverbs.soft.wire;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;

/** Creates packet buffers, and packets of every opcode. */
final class Packets {
    static final Path IPV4 = Path.ipv4(0x7F000001, 4791, 0x7F000002, 4791);
    static final Path IPV6 = Path.ipv6(0xC000, 4791);
    /** The opcodes that the device supports. */
    static final List<Integer> OPCODES = IntStream.range(0, 256).filter(WireOpcode::isKnown).boxed().toList();

    private Packets() {}

    /** Creates a buffer that is filled with other bytes. */
    static PacketBuffer buffer() {
        MemorySegment memory = Arena.ofAuto().allocate(PacketBuffer.MAX_BYTES + 64);
        memory.fill((byte) 0xA5);
        return new PacketBuffer(memory);
    }

    static PacketBuffer buffer(byte[] bytes) {
        PacketBuffer buffer = buffer();
        MemorySegment.copy(bytes, 0, buffer.segment(), JAVA_BYTE, 0, bytes.length);
        return buffer;
    }

    static byte[] bytes(PacketBuffer buffer, int length) {
        return buffer.segment().asSlice(0, length).toArray(JAVA_BYTE);
    }

    /**
     * The fields of a packet: those of the BTH and of all extension headers. The opcode determines which are encoded.
     */
    record Fields(int opcode, int flags, int pkey, int destinationQpn, int psn, int qkey, int sourceQpn,
            long remoteAddress, int rkey, long length, int syndrome, int msn, long swapOrAdd, long compare,
            long original, int immediate, byte[] payload) {

        /**
         * Creates fields from random values, truncated to the width of each field. Without a payload if the opcode has
         * none.
         */
        static Fields of(int opcode, long[] values, byte[] payload) {
            int qpn = (int) values[2] & 0xFFFFFF;
            return new Fields(opcode, (int) values[0] & (Bth.SOLICITED | Bth.MIG_REQ | Bth.ACK_REQUEST),
                    (int) values[1] & 0xFFFF, qpn == 0 ? 1 : qpn, (int) values[3] & 0xFFFFFF, (int) values[4],
                    (int) values[5] & 0xFFFFFF, values[6], (int) values[7], values[8] & 0xFFFF_FFFFL,
                    (int) values[9] & 0xFF, (int) values[10] & 0xFFFFFF, values[11], values[12], values[13],
                    (int) values[14], WireOpcode.hasPayload(opcode) ? payload : new byte[0]);
        }

        static final int VALUES = 15;

        /** Encodes the packet with its ICRC; returns its length. */
        int encode(PacketBuffer buffer, Icrc icrc) {
            int traits = WireOpcode.traits(opcode);
            PacketEncoder encoder = new PacketEncoder().begin(buffer, opcode, flags, pkey, destinationQpn, psn,
                    payload.length);
            if ((traits & WireOpcode.HAS_DETH) != 0) {
                encoder.deth(qkey, sourceQpn);
            }
            if ((traits & WireOpcode.HAS_RETH) != 0) {
                encoder.reth(remoteAddress, rkey, length);
            }
            if ((traits & WireOpcode.HAS_AETH) != 0) {
                encoder.aeth(syndrome, msn);
            }
            if ((traits & WireOpcode.HAS_ATOMIC_ETH) != 0) {
                encoder.atomicEth(remoteAddress, rkey, swapOrAdd, compare);
            }
            if ((traits & WireOpcode.HAS_ATOMIC_ACK_ETH) != 0) {
                encoder.atomicAckEth(original);
            }
            if ((traits & WireOpcode.HAS_IMM_DT) != 0) {
                encoder.immediate(immediate);
            }
            if ((traits & WireOpcode.HAS_IETH) != 0) {
                encoder.ieth(rkey);
            }
            MemorySegment.copy(payload, 0, buffer.segment(), JAVA_BYTE, encoder.payloadOffset(), payload.length);
            return encoder.finish(icrc);
        }
    }
}
