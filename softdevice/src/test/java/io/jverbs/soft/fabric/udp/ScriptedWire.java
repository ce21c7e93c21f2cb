package io.jverbs.soft.fabric.udp;

import io.jverbs.Gid;
import io.jverbs.Mtu;
import io.jverbs.soft.congestion.CongestionControlType;
import io.jverbs.soft.fabric.LocalNetwork;
import io.jverbs.soft.fabric.udp.socket.NioSockets;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.random.RandomGenerator;

/** The UDP fabric of a device and its receive engine, over a socket whose packets a test writes and reads. */
public final class ScriptedWire {
    private final ScriptedChannel channel;
    private final ScriptedSocket socket;
    private final UdpFabric wire;

    /**
     * @param gid the device's address
     * @param network the network within the JVM
     * @param random generates keys and the first queue pair number
     * @param sink called with each packet that the device sends
     */
    public ScriptedWire(Gid gid, LocalNetwork network, RandomGenerator random, Sink sink) {
        channel = new ScriptedChannel(sink);
        socket = new ScriptedSocket(channel);
        wire = new UdpFabric(gid, socket, new NioSockets(false), null, Mtu.MTU_4096, network, random,
                CongestionControlType.WINDOW);
    }

    /** Gets the packets that the device sends. */
    public interface Sink {
        /** Gets a packet, from the buffer's position to its limit. The buffer is valid during the call only. */
        void sent(ByteBuffer packet, InetSocketAddress to);
    }

    /** {@return the fabric, whose engine has no thread} */
    public UdpFabric wire() {
        return wire;
    }

    /** Makes the socket report from now on that another packet would be sent with the same call as those before it. */
    public void hasRoomInBatch() {
        socket.hasRoomInBatch();
    }

    /** Makes a packet available at the socket, without receiving it. */
    public void leave(ByteBuffer packet, InetSocketAddress from) {
        channel.next(packet, from);
    }

    /** Receives a packet with one poll, which does no other work that may be due. */
    public void deliver(ByteBuffer packet, InetSocketAddress from) {
        leave(packet, from);
        wire.engine().poll();
        if (!channel.isTaken()) {
            throw new AssertionError("the engine did not receive");
        }
    }

    /** Receives all packets of a coalesced message. The reported packet size may be any number. */
    public void deliverPiece(ByteBuffer packets, InetSocketAddress from, int each) {
        int most = each <= 0 ? 1 : packets.remaining() / each + 1;
        socket.packetSize(each);
        deliver(packets, from);
        for (int i = 0; i < most; i++) {
            wire.engine().poll();
        }
        socket.packetSize(0);
    }

    /**
     * Receives several messages with one call, and handles at least the first packet.
     *
     * @param each the reported packet size of all messages, 0 if each is a single packet
     */
    public void deliverTogether(List<ByteBuffer> messages, InetSocketAddress from, int each) {
        messages.subList(1, messages.size()).forEach(message -> socket.another(message, each));
        socket.packetSize(each);
        deliver(messages.getFirst(), from);
        socket.packetSize(0);
    }

    /** Makes the socket buffer full for a number of send calls. */
    public void full(int calls) {
        channel.full(calls);
    }

    /** Sets an action that runs before packets are sent with one call. */
    public void beforeFlush(Runnable action) {
        socket.beforeFlush(action);
    }

    /** Returns how often packets were sent with one call. */
    public int flushes() {
        return socket.flushes();
    }

    /** Polls the engine once, to do the work that is left; returns false if nothing was sent. */
    public boolean sendResponses() {
        long before = channel.sent();
        wire.engine().poll();
        return channel.sent() != before;
    }
}
