package io.jverbs.soft.faults;

import io.jverbs.Gid;
import io.jverbs.soft.wire.Bth;
import io.jverbs.soft.wire.Icrc;
import io.jverbs.soft.wire.PacketBuffer;
import io.jverbs.soft.wire.PacketEncoder;
import io.jverbs.soft.wire.WireOpcode;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.Random;
import jdk.net.ExtendedSocketOptions;

/** Sends packets that no peer should send: random bytes, damaged packets, well-formed packets with wrong contents. */
final class Attacker implements AutoCloseable {
    private static final int PORT = 4791;
    private static final int PKEY = 0xFFFF;
    private static final int MAX_PAYLOAD = 1_100;

    private final DatagramChannel channel;
    private final InetSocketAddress victim;
    private final Random random;
    private final PacketBuffer buffer = new PacketBuffer(Arena.ofAuto().allocate(PacketBuffer.MAX_BYTES + 1, 64));
    private final PacketEncoder encoder = new PacketEncoder();
    private final Icrc icrc = new Icrc();

    Attacker(String address, String victimAddress, long seed) throws IOException {
        victim = new InetSocketAddress(InetAddress.getByName(victimAddress), PORT);
        random = new Random(seed);
        channel = DatagramChannel.open();
        channel.setOption(ExtendedSocketOptions.IP_DONTFRAGMENT, true);
        channel.bind(new InetSocketAddress(address, PORT)).configureBlocking(false);
        Gid own = Gid.ofAddress(InetAddress.getByName(address));
        Gid other = Gid.ofAddress(victim.getAddress());
        icrc.setAddresses(own.high(), own.low(), PORT, other.high(), other.low(), PORT);
    }

    /**
     * Sends one packet.
     *
     * @param qpn the queue pair to attack
     * @param psn the PSN that the queue pair expects
     * @param address an address that the attacker may know
     * @param rkey a key that the attacker may know
     */
    void attack(int qpn, int psn, long address, int rkey) throws IOException {
        int length = switch (random.nextInt(4)) {
            case 0 -> randomBytes();
            case 1 -> damaged(wellFormed(qpn, psn, address, rkey));
            default -> wellFormed(qpn, psn, address, rkey);
        };
        while (channel.send(buffer.bytes().position(0).limit(length), victim) == 0 && length != 0) {
            Thread.onSpinWait();
        }
    }

    private int randomBytes() {
        int length = random.nextInt(200);
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        MemorySegment.copy(bytes, 0, buffer.segment(), ValueLayout.JAVA_BYTE, 0, length);
        return length;
    }

    /** Changes bytes; sometimes truncates the packet, and sometimes makes its ICRC correct again. */
    private int damaged(int length) {
        int changes = 1 + random.nextInt(3);
        for (int i = 0; i < changes; i++) {
            buffer.segment().set(ValueLayout.JAVA_BYTE, random.nextInt(length), (byte) random.nextInt());
        }
        int left = random.nextInt(4) == 0 ? random.nextInt(length + 1) : length;
        boolean possible = left >= Bth.BYTES + Icrc.BYTES && (left & 3) == 0;
        return possible && random.nextInt(4) != 0 ? icrc.append(buffer, left - Icrc.BYTES) : left;
    }

    private int wellFormed(int qpn, int psn, long address, int rkey) {
        int opcode;
        do {
            opcode = random.nextInt(0x90);
        } while (!WireOpcode.isKnown(opcode));
        int payload = WireOpcode.hasPayload(opcode) ? random.nextInt(3) == 0 ? 1024 : random.nextInt(MAX_PAYLOAD) : 0;
        int flags = (random.nextBoolean() ? Bth.ACK_REQUEST : 0) | (random.nextBoolean() ? Bth.SOLICITED : 0);
        encoder.begin(buffer, opcode, flags, random.nextInt(16) == 0 ? random.nextInt() : PKEY,
                random.nextInt(16) == 0 ? random.nextInt() : qpn, psn + near(), payload);
        header(WireOpcode.hasReth(opcode), () -> encoder.reth(address + near() * 8L, key(rkey),
                random.nextInt(8) == 0 ? random.nextInt() & 0xFFFF_FFFFL : payload));
        int kind = WireOpcode.kind(opcode);
        header(kind == WireOpcode.KIND_ATOMIC, () -> encoder.atomicEth(address + near() * 8L, key(rkey),
                random.nextLong(), random.nextLong()));
        header(WireOpcode.transport(opcode) == WireOpcode.UD, () -> encoder.deth(random.nextInt(), random.nextInt()));
        boolean hasAeth = kind == WireOpcode.KIND_ACKNOWLEDGE || kind == WireOpcode.KIND_ATOMIC_ACKNOWLEDGE
                || kind == WireOpcode.KIND_READ_RESPONSE && opcode != WireOpcode.READ_RESPONSE_MIDDLE;
        header(hasAeth, () -> encoder.aeth(random.nextInt(256), random.nextInt()));
        header(kind == WireOpcode.KIND_ATOMIC_ACKNOWLEDGE, () -> encoder.atomicAckEth(random.nextLong()));
        header(WireOpcode.hasImmediate(opcode), () -> encoder.immediate(random.nextInt()));
        header(WireOpcode.hasInvalidate(opcode), () -> encoder.ieth(key(rkey)));
        return encoder.finish(icrc);
    }

    private static void header(boolean wanted, Runnable write) {
        if (wanted) {
            write.run();
        }
    }

    private int near() {
        return random.nextInt(3) == 0 ? random.nextInt(-3, 4) : 0;
    }

    private int key(int rkey) {
        return random.nextInt(3) == 0 ? random.nextInt() : rkey;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
