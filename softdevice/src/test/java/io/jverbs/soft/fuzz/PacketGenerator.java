package io.jverbs.soft.fuzz;

import io.jverbs.Gid;
import io.jverbs.soft.wire.Bth;
import io.jverbs.soft.wire.Icrc;
import io.jverbs.soft.wire.PacketBuffer;
import io.jverbs.soft.wire.PacketEncoder;
import io.jverbs.soft.wire.WireOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.stream.IntStream;

/**
 * Generates packets from a script. Few bytes of the script are copied into the packet: most select among values that a
 * queue pair may accept, so that a small change of the script changes the packet little. The ICRC is valid unless the
 * script requests an invalid one.
 */
final class PacketGenerator {
    static final int MTU = 256;
    private static final int UDP_PORT = 4791;
    private static final int PKEY = 0xFFFF;
    private static final byte PAYLOAD = (byte) 0xC3;
    private static final int[] RC = opcodes(WireOpcode.RC);
    private static final int[] UC = opcodes(WireOpcode.UC);
    private static final int[] UD = opcodes(WireOpcode.UD);

    // bits of the mutation byte
    private static final int FROM_OTHER_HOST = 1;
    private static final int OTHER_PKEY = 1 << 1;
    private static final int OTHER_BYTE = 1 << 2;
    private static final int CORRUPTED = 1 << 3;
    private static final int OTHER_LENGTH = 1 << 4;
    private static final int TRUNCATED = 1 << 5;
    private static final int OTHER_OPCODE = 1 << 6;
    private static final int OTHER_SECOND_BYTE = 1 << 7;

    /** The remote keys and addresses that packets carry. */
    interface Keys {
        /** Returns the remote key that a choice selects. */
        int rkey(int choice);

        /** Returns the start address of the memory that the key of the same choice refers to. */
        long address(int choice);
    }

    private final PacketBuffer buffer = new PacketBuffer(Arena.ofAuto().allocate(PacketBuffer.MAX_BYTES + 8, 64));
    private final PacketEncoder encoder = new PacketEncoder();
    private final Icrc ofPeer = new Icrc();
    private final Icrc ofOtherHost = new Icrc();
    private final InetSocketAddress peer;
    private final InetSocketAddress otherHost;
    private final Keys keys;
    private InetSocketAddress source;

    PacketGenerator(Gid deviceGid, Gid peerGid, Gid otherGid, Keys keys) {
        this.keys = keys;
        peer = new InetSocketAddress(peerGid.toInetAddress(), UDP_PORT);
        otherHost = new InetSocketAddress(otherGid.toInetAddress(), UDP_PORT);
        ofPeer.setAddresses(peerGid.high(), peerGid.low(), UDP_PORT, deviceGid.high(), deviceGid.low(), UDP_PORT);
        ofOtherHost.setAddresses(otherGid.high(), otherGid.low(), UDP_PORT, deviceGid.high(), deviceGid.low(),
                UDP_PORT);
    }

    private static int[] opcodes(int transport) {
        return IntStream.range(transport, transport + 32).filter(WireOpcode::isKnown).toArray();
    }

    /** Returns the source address of the packet that was generated last. */
    InetSocketAddress source() {
        return source;
    }

    /** Generates a datagram of arbitrary bytes. */
    ByteBuffer raw(Script script) {
        int length = script.next();
        for (int i = 0; i < length; i++) {
            set(i, script.next());
        }
        source = peer;
        return buffer.bytes().position(0).limit(length);
    }

    /** Generates a packet to a queue pair number. The target is null if no single queue pair has the number. */
    ByteBuffer packet(Script script, Target target, int qpn) {
        int opcode = opcode(script.next(), target);
        int flags = script.next();
        int payload = WireOpcode.hasPayload(opcode) ? payload(script.next()) : 0;
        int base = target == null ? 0 : WireOpcode.isResponse(opcode) ? Target.SQ_PSN : target.expectedPsn();
        int psn = base + script.nextSigned();
        int mutations = (flags & 0x80) == 0 ? 0 : script.next();
        encoder.begin(buffer, opcode, (flags & 1) << 7 | (flags & 2) << 30,
                (mutations & OTHER_PKEY) == 0 ? PKEY : script.next() << 8 | 0xFF, qpn, psn, payload);
        headers(script, opcode, payload);
        MemorySegment memory = buffer.segment();
        memory.asSlice(encoder.payloadOffset(), payload).fill(PAYLOAD);
        Icrc icrc = (mutations & FROM_OTHER_HOST) == 0 ? ofPeer : ofOtherHost;
        source = icrc == ofPeer ? peer : otherHost;
        int length = encoder.finish(icrc);
        return mutations == 0 ? buffer.bytes().position(0).limit(length) : mutate(script, mutations, length, icrc);
    }

    /** Selects an opcode of the transport of the queue pair; an RC opcode if the target is null. */
    private static int opcode(int choice, Target target) {
        int[] all = target == null ? RC : switch (target.qp().type()) {
            case UC -> UC;
            case UD -> UD;
            default -> RC;
        };
        return all[choice % all.length];
    }

    private static int payload(int choice) {
        return switch (choice) {
            case 254 -> MTU + 4;
            case 255 -> PacketBuffer.MAX_PAYLOAD;
            default -> choice >= 128 ? MTU : choice;
        };
    }

    private void headers(Script script, int opcode, int payload) {
        int kind = WireOpcode.kind(opcode);
        if (WireOpcode.transport(opcode) == WireOpcode.UD) {
            int key = script.next();
            encoder.deth(key == 0 ? Target.QKEY : key, script.next());
        }
        if (WireOpcode.hasReth(opcode)) {
            int choice = script.next();
            encoder.reth(address(script, choice), keys.rkey(choice), length(script, payload));
        }
        if (kind == WireOpcode.KIND_ATOMIC) {
            int choice = script.next();
            encoder.atomicEth(address(script, choice), keys.rkey(choice), script.next(), script.next());
        }
        boolean hasAeth = kind == WireOpcode.KIND_ACKNOWLEDGE || kind == WireOpcode.KIND_ATOMIC_ACKNOWLEDGE
                || kind == WireOpcode.KIND_READ_RESPONSE && opcode != WireOpcode.READ_RESPONSE_MIDDLE;
        if (hasAeth) {
            encoder.aeth(script.next(), script.next());
        }
        if (kind == WireOpcode.KIND_ATOMIC_ACKNOWLEDGE) {
            encoder.atomicAckEth(script.nextInt());
        }
        if (WireOpcode.hasImmediate(opcode)) {
            encoder.immediate(script.next());
        }
        if (WireOpcode.hasInvalidate(opcode)) {
            encoder.ieth(keys.rkey(script.next()));
        }
    }

    /** Selects an address: near the start of the memory of a key, in steps of 8, 1 or 64 bytes, or any address. */
    private long address(Script script, int choice) {
        int how = script.next();
        long base = keys.address(choice);
        return switch (how >>> 6) {
            case 0 -> base + (how & 0x3F) * 8L;
            case 1 -> base + (how & 0x3F) - 32;
            case 2 -> base + (how & 0x3F) * 64L - 2048;
            default -> (long) script.nextInt() << 32 | script.nextInt() & 0xFFFF_FFFFL;
        };
    }

    /** Selects a DMA length: the payload plus a number of packets, a multiple of 8 bytes, or any length. */
    private static long length(Script script, int payload) {
        int how = script.next();
        return how < 16 ? payload + (long) how * MTU : how < 0xF0 ? how * 8L : script.nextInt() & 0xFFFF_FFFFL;
    }

    private ByteBuffer mutate(Script script, int mutations, int whole, Icrc icrc) {
        int length = whole;
        if ((mutations & OTHER_OPCODE) != 0) {
            set(0, script.next());
        }
        if ((mutations & OTHER_SECOND_BYTE) != 0) {
            set(1, script.next());
        }
        if ((mutations & OTHER_BYTE) != 0) {
            set(script.next() % length, script.next());
        }
        if ((mutations & OTHER_LENGTH) != 0) {
            int longer = length + 4 * script.nextSigned();
            length = Math.clamp(longer, Bth.BYTES + Icrc.BYTES, PacketBuffer.MAX_BYTES);
        }
        icrc.append(buffer, length - Icrc.BYTES);
        if ((mutations & CORRUPTED) != 0) {
            int at = script.next() % length;
            set(at, buffer.segment().get(ValueLayout.JAVA_BYTE, at) ^ 1 << (script.next() & 7));
        }
        if ((mutations & TRUNCATED) != 0) {
            length = Math.clamp((long) length + script.nextSigned(), 0, PacketBuffer.MAX_BYTES + 8);
        }
        return buffer.bytes().position(0).limit(length);
    }

    private void set(int at, int value) {
        buffer.segment().set(ValueLayout.JAVA_BYTE, at, (byte) value);
    }
}
