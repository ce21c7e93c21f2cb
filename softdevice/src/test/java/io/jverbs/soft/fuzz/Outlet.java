package io.jverbs.soft.fuzz;

import io.jverbs.Gid;
import io.jverbs.soft.fabric.ScriptedWire;
import io.jverbs.soft.wire.Drop;
import io.jverbs.soft.wire.Icrc;
import io.jverbs.soft.wire.PacketBuffer;
import io.jverbs.soft.wire.PacketView;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** Takes what the device sends and looks whether it is well-formed, and bounded. */
final class Outlet implements ScriptedWire.Sink {
    private static final int UDP_PORT = 4791;
    /** Packets that the device may send for one input: each of its steps may ask for the whole of the open region. */
    private static final int MOST = 64 * (2048 / Forge.MTU + 64);

    private final PacketBuffer buffer = new PacketBuffer(Arena.ofAuto().allocate(PacketBuffer.MAX_BYTES, 64));
    private final PacketView view = new PacketView();
    private final Icrc icrc = new Icrc();
    private int sent;
    private long total;
    /** What was wrong with the first packet that was. */
    private String wrong;

    Outlet(Gid from) {
        icrc.between(from.high(), from.low(), UDP_PORT, Victim.PEER.high(), Victim.PEER.low(), UDP_PORT);
    }

    @Override
    public void sent(ByteBuffer packet, InetSocketAddress to) {
        int length = packet.remaining();
        buffer.bytes().clear().put(0, packet, packet.position(), length);
        Drop drop = view.decode(buffer, length);
        sent++;
        total++;
        if (wrong != null) {
            return;
        }
        if (drop != Drop.NONE || icrc.verify(buffer, length) != 0) {
            wrong = "the device sent a packet that is " + (drop == Drop.NONE ? Drop.ICRC : drop);
        } else if (!to.getAddress().equals(Victim.PEER.toInetAddress())) {
            wrong = "the device sent a packet to " + to;
        }
    }

    void checkBounded() {
        if (sent > MOST) {
            throw new AssertionError("the device sent " + sent + " packets for one input");
        }
    }

    void check() {
        checkBounded();
        if (wrong != null) {
            String told = wrong;
            wrong = null;
            throw new AssertionError(told);
        }
    }

    void clear() {
        sent = 0;
    }

    /** Packets sent altogether. */
    long total() {
        return total;
    }
}
