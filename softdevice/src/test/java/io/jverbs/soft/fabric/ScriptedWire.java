package io.jverbs.soft.fabric;

import io.jverbs.Gid;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;

/** The way out of a device and the engine that receives for it, over a socket whose packets a test writes and reads. */
public final class ScriptedWire {
    private final ScriptedChannel channel;
    private final ScriptedSocket socket;
    private final UdpWire wire;

    /**
     * @param gid the device's address
     * @param network the network within the JVM
     * @param sink told of each packet that the device sends
     */
    public ScriptedWire(Gid gid, LocalNetwork network, Sink sink) {
        channel = new ScriptedChannel(sink);
        socket = new ScriptedSocket(channel);
        wire = new UdpWire(gid, socket, new NioSockets(), null, network);
    }

    /** Takes what the device sends. */
    public interface Sink {
        /** A packet from the buffer's position to its limit, which may be used during the call only. */
        void sent(ByteBuffer packet, InetSocketAddress to);
    }

    /** {@return the wire, whose engine has no thread} */
    public UdpWire wire() {
        return wire;
    }

    /** From now on a packet more leaves in the same call as those before it, if it is sent there. */
    public void takesAlong() {
        socket.takesAlong();
    }

    /** A packet comes to the socket, and nobody looks. */
    public void leave(ByteBuffer packet, InetSocketAddress from) {
        channel.next(packet, from);
    }

    /** Receives a packet, and does nothing else that may be due. */
    public void deliver(ByteBuffer packet, InetSocketAddress from) {
        leave(packet, from);
        wire.engine().help();
        if (!channel.isTaken()) {
            throw new AssertionError("the engine did not receive");
        }
    }

    /** Receives packets in one piece, all of them; as long as each is said to be is any number. */
    public void deliverPiece(ByteBuffer packets, InetSocketAddress from, int each) {
        int most = each <= 0 ? 1 : packets.remaining() / each + 1;
        socket.each(each);
        deliver(packets, from);
        for (int i = 0; i < most; i++) {
            wire.engine().help();
        }
        socket.each(0);
    }

    /** Receives pieces of packets with one call, and takes the first packet at least; each packet has so many bytes, 0 for single ones. */
    public void deliverTogether(List<ByteBuffer> pieces, InetSocketAddress from, int each) {
        pieces.subList(1, pieces.size()).forEach(piece -> socket.another(piece, each));
        socket.each(each);
        deliver(pieces.getFirst(), from);
        socket.each(0);
    }

    /** The socket's buffer has no room during so many calls to come. */
    public void full(int calls) {
        channel.full(calls);
    }

    /** What happens before packets leave with one call. */
    public void beforeFlush(Runnable happening) {
        socket.beforeFlush(happening);
    }

    /** How often packets have left with one call. */
    public int flushes() {
        return socket.flushes();
    }

    /** Does what the engine has left to do; false if nothing was sent. */
    public boolean pump() {
        long before = channel.sent();
        wire.engine().help();
        return channel.sent() != before;
    }
}
