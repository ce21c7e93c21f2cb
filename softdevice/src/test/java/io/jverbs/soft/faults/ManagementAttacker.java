package io.jverbs.soft.faults;

import io.jverbs.Gid;
import io.jverbs.soft.management.message.ManagementDatagram;
import io.jverbs.soft.wire.Icrc;
import io.jverbs.soft.wire.PacketBuffer;
import io.jverbs.soft.wire.PacketEncoder;
import io.jverbs.soft.wire.Roce;
import io.jverbs.soft.wire.WireOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Random;

/** Generates packets to QP1 of a device from forged sources: {@link HostileMessages}, some of them in wrong packets. */
public final class ManagementAttacker {
    private static final int QP1 = 1;
    private static final int QKEY = 0x8001_0000;
    private static final int PKEY = 0xFFFF;
    /** Most packets come from few hosts, the others from any of this number. */
    private static final int HOSTS = 1 << 20;
    private static final int FEW_HOSTS = 4;
    private static final long FIRST_HOST = 0xFFFF_0A00_0000L;
    private static final int MTU = 1024;

    private final Random random;
    private final Gid victim;
    private final HostileMessages messages;
    private final PacketBuffer buffer = new PacketBuffer(Arena.ofAuto().allocate(PacketBuffer.MAX_BYTES, 64));
    private final PacketEncoder encoder = new PacketEncoder();
    private final Icrc icrc = new Icrc();
    private InetSocketAddress source;

    public ManagementAttacker(Random random, Gid victim, HostileMessages messages) {
        this.random = random;
        this.victim = victim;
        this.messages = messages;
    }

    /** Returns the forged source of the packet that was generated last. */
    public InetSocketAddress source() {
        return source;
    }

    /** Generates a packet. */
    public ByteBuffer next() {
        Gid host = Gid.of(0, FIRST_HOST + 1 + random.nextInt(random.nextInt(4) == 0 ? HOSTS : FEW_HOSTS));
        source = new InetSocketAddress(host.toInetAddress(), Roce.UDP_PORT);
        icrc.setAddresses(host.high(), host.low(), Roce.UDP_PORT, victim.high(), victim.low(), Roce.UDP_PORT);
        byte[] datagram = messages.next(host);
        int mistake = random.nextInt(64);
        int opcode = mistake == 6 ? WireOpcode.UD_SEND_ONLY_WITH_IMM : WireOpcode.UD_SEND_ONLY;
        int length = mistake == 1 ? random.nextInt(MTU) : datagram.length;
        encoder.begin(buffer, opcode, 0, mistake == 2 ? random.nextInt(0x1_0000) : PKEY, QP1, random.nextInt(),
                length);
        encoder.deth(mistake == 3 ? random.nextInt() : QKEY, QP1);
        if (WireOpcode.hasImmediate(opcode)) {
            encoder.immediate(random.nextInt());
        }
        MemorySegment.copy(datagram, 0, buffer.segment(), ValueLayout.JAVA_BYTE, encoder.payloadOffset(),
                Math.min(length, ManagementDatagram.BYTES));
        int whole = encoder.finish(icrc);
        if (mistake == 4) {
            buffer.segment().set(ValueLayout.JAVA_BYTE, random.nextInt(whole), (byte) random.nextInt());
        }
        return buffer.bytes().position(0).limit(mistake == 5 ? random.nextInt(whole) : whole);
    }
}
