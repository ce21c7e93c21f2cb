package io.jverbs.soft.fuzz;

import io.jverbs.Gid;
import io.jverbs.soft.fabric.udp.ScriptedWire;
import io.jverbs.soft.wire.DropReason;
import io.jverbs.soft.wire.Icrc;
import io.jverbs.soft.wire.PacketBuffer;
import io.jverbs.soft.wire.PacketView;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** Receives the packets that the device sends, and checks that they are valid and that their number is bounded. */
final class SentPacketChecker implements ScriptedWire.Sink {
    private static final int UDP_PORT = 4791;
    /**
     * The maximum number of packets that the device may send for one input: each step of the input may read the whole
     * open region.
     */
    private static final int MAX_PACKETS = 64 * (2048 / PacketGenerator.MTU + 64);

    private final PacketBuffer buffer = new PacketBuffer(Arena.ofAuto().allocate(PacketBuffer.MAX_BYTES, 64));
    private final PacketView view = new PacketView();
    private final Icrc icrc = new Icrc();
    private int sent;
    private long total;
    /** Describes the first invalid packet; null if there was none. */
    private String error;

    SentPacketChecker(Gid from) {
        icrc.setAddresses(from.high(), from.low(), UDP_PORT, FuzzedDevice.PEER.high(), FuzzedDevice.PEER.low(),
                UDP_PORT);
    }

    @Override
    public void sent(ByteBuffer packet, InetSocketAddress to) {
        int length = packet.remaining();
        buffer.bytes().clear().put(0, packet, packet.position(), length);
        DropReason drop = view.decode(buffer, length);
        sent++;
        total++;
        if (error != null) {
            return;
        }
        if (drop != DropReason.NONE || icrc.verify(buffer, length) != 0) {
            error = "the device sent an invalid packet: " + (drop == DropReason.NONE ? DropReason.ICRC : drop);
        } else if (!to.getAddress().equals(FuzzedDevice.PEER.toInetAddress())) {
            error = "the device sent a packet to " + to + ", which is not the peer";
        }
    }

    void checkBounded() {
        if (sent > MAX_PACKETS) {
            throw new AssertionError("the device sent " + sent + " packets for one input");
        }
    }

    void check() {
        checkBounded();
        if (error != null) {
            String message = error;
            error = null;
            throw new AssertionError(message);
        }
    }

    void clear() {
        sent = 0;
    }

    /** Returns the number of packets sent for all inputs. */
    long total() {
        return total;
    }
}
