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
 * Makes a packet of what a script says. Few of the script's bytes are the packet's: most choose among what a queue pair may
 * believe, so that a small change of the script is a small change of the packet, and the ICRC fits unless it shall not.
 */
final class Forge {
    static final int MTU = 256;
    private static final int UDP_PORT = 4791;
    private static final int PKEY = 0xFFFF;
    private static final byte PAYLOAD = (byte) 0xC3;
    private static final int[] RC = opcodes(WireOpcode.RC);
    private static final int[] UC = opcodes(WireOpcode.UC);
    private static final int[] UD = opcodes(WireOpcode.UD);

    // what is done to a packet, bits
    private static final int FROM_STRANGER = 1;
    private static final int OTHER_PKEY = 1 << 1;
    private static final int OTHER_BYTE = 1 << 2;
    private static final int DAMAGED = 1 << 3;
    private static final int OTHER_LENGTH = 1 << 4;
    private static final int CUT = 1 << 5;
    private static final int OTHER_OPCODE = 1 << 6;
    private static final int OTHER_SECOND_BYTE = 1 << 7;

    /** What a packet may name in its headers. */
    interface Names {
        /** A key, and where what it opens begins. */
        int rkey(int choice);

        long address(int choice);
    }

    private final PacketBuffer buffer = new PacketBuffer(Arena.ofAuto().allocate(PacketBuffer.MAX_BYTES + 8, 64));
    private final PacketEncoder encoder = new PacketEncoder();
    private final Icrc ofPeer = new Icrc();
    private final Icrc ofStranger = new Icrc();
    private final InetSocketAddress peer;
    private final InetSocketAddress stranger;
    private final Names names;
    private InetSocketAddress source;

    Forge(Gid victim, Gid peerGid, Gid strangerGid, Names names) {
        this.names = names;
        peer = new InetSocketAddress(peerGid.toInetAddress(), UDP_PORT);
        stranger = new InetSocketAddress(strangerGid.toInetAddress(), UDP_PORT);
        ofPeer.between(peerGid.high(), peerGid.low(), UDP_PORT, victim.high(), victim.low(), UDP_PORT);
        ofStranger.between(strangerGid.high(), strangerGid.low(), UDP_PORT, victim.high(), victim.low(), UDP_PORT);
    }

    private static int[] opcodes(int transport) {
        return IntStream.range(transport, transport + 32).filter(WireOpcode::isKnown).toArray();
    }

    /** Who sends the packet that was made. */
    InetSocketAddress source() {
        return source;
    }

    /** Any bytes at all. */
    ByteBuffer raw(Script script) {
        int length = script.next();
        for (int i = 0; i < length; i++) {
            set(i, script.next());
        }
        source = peer;
        return buffer.bytes().position(0).limit(length);
    }

    /** A packet to a queue pair, or to none. */
    ByteBuffer packet(Script script, Target target, int qpn) {
        int opcode = opcode(script.next(), target);
        int flags = script.next();
        int payload = WireOpcode.hasPayload(opcode) ? payload(script.next()) : 0;
        int base = target == null ? 0 : WireOpcode.isResponse(opcode) ? Target.SQ_PSN : target.expectedPsn();
        int psn = base + script.nextSigned();
        int mischief = (flags & 0x80) == 0 ? 0 : script.next();
        encoder.begin(buffer, opcode, (flags & 1) << 7 | (flags & 2) << 30,
                (mischief & OTHER_PKEY) == 0 ? PKEY : script.next() << 8 | 0xFF, qpn, psn, payload);
        headers(script, opcode, payload);
        MemorySegment memory = buffer.segment();
        memory.asSlice(encoder.payloadOffset(), payload).fill(PAYLOAD);
        Icrc icrc = (mischief & FROM_STRANGER) == 0 ? ofPeer : ofStranger;
        source = icrc == ofPeer ? peer : stranger;
        int length = encoder.finish(icrc);
        return mischief == 0 ? buffer.bytes().position(0).limit(length) : harm(script, mischief, length, icrc);
    }

    /** One that the queue pair's transport has. */
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
            encoder.reth(address(script, choice), names.rkey(choice), length(script, payload));
        }
        if (kind == WireOpcode.KIND_ATOMIC) {
            int choice = script.next();
            encoder.atomicEth(address(script, choice), names.rkey(choice), script.next(), script.next());
        }
        boolean answers = kind == WireOpcode.KIND_ACKNOWLEDGE || kind == WireOpcode.KIND_ATOMIC_ACKNOWLEDGE
                || kind == WireOpcode.KIND_READ_RESPONSE && opcode != WireOpcode.READ_RESPONSE_MIDDLE;
        if (answers) {
            encoder.aeth(script.next(), script.next());
        }
        if (kind == WireOpcode.KIND_ATOMIC_ACKNOWLEDGE) {
            encoder.atomicAckEth(script.nextInt());
        }
        if (WireOpcode.hasImmediate(opcode)) {
            encoder.immediate(script.next());
        }
        if (WireOpcode.hasInvalidate(opcode)) {
            encoder.ieth(names.rkey(script.next()));
        }
    }

    /** Where a key begins or near it, in steps of 8 bytes or of one, or anywhere. */
    private long address(Script script, int choice) {
        int how = script.next();
        long base = names.address(choice);
        return switch (how >>> 6) {
            case 0 -> base + (how & 0x3F) * 8L;
            case 1 -> base + (how & 0x3F) - 32;
            case 2 -> base + (how & 0x3F) * 64L - 2048;
            default -> (long) script.nextInt() << 32 | script.nextInt() & 0xFFFF_FFFFL;
        };
    }

    /** What follows, or so many packets more, or any length. */
    private static long length(Script script, int payload) {
        int how = script.next();
        return how < 16 ? payload + (long) how * MTU : how < 0xF0 ? how * 8L : script.nextInt() & 0xFFFF_FFFFL;
    }

    private ByteBuffer harm(Script script, int mischief, int whole, Icrc icrc) {
        int length = whole;
        if ((mischief & OTHER_OPCODE) != 0) {
            set(0, script.next());
        }
        if ((mischief & OTHER_SECOND_BYTE) != 0) {
            set(1, script.next());
        }
        if ((mischief & OTHER_BYTE) != 0) {
            set(script.next() % length, script.next());
        }
        if ((mischief & OTHER_LENGTH) != 0) {
            int longer = length + 4 * script.nextSigned();
            length = Math.clamp(longer, Bth.BYTES + Icrc.BYTES, PacketBuffer.MAX_BYTES);
        }
        icrc.append(buffer, length - Icrc.BYTES);
        if ((mischief & DAMAGED) != 0) {
            int at = script.next() % length;
            set(at, buffer.segment().get(ValueLayout.JAVA_BYTE, at) ^ 1 << (script.next() & 7));
        }
        if ((mischief & CUT) != 0) {
            length = Math.clamp((long) length + script.nextSigned(), 0, PacketBuffer.MAX_BYTES + 8);
        }
        return buffer.bytes().position(0).limit(length);
    }

    private void set(int at, int value) {
        buffer.segment().set(ValueLayout.JAVA_BYTE, at, (byte) value);
    }
}
