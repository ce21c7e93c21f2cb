package io.jverbs.soft.fuzz.peer;

import io.jverbs.Access;
import io.jverbs.AhAttributes;
import io.jverbs.CompletionQueue;
import io.jverbs.Gid;
import io.jverbs.MemoryRegion;
import io.jverbs.Mtu;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.soft.fabric.udp.ScriptedDevice;
import io.jverbs.soft.fuzz.FuzzedDevice;
import io.jverbs.soft.fuzz.VirtualTimers;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.wire.Aeth;
import io.jverbs.soft.wire.Bth;
import io.jverbs.soft.wire.Icrc;
import io.jverbs.soft.wire.PacketBuffer;
import io.jverbs.soft.wire.PacketEncoder;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.WireOpcode;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A device with a connected queue pair whose peer is the test: the test builds each packet that the device receives and
 * inspects each packet that the device sends. Used by one thread at a time, except where a test states otherwise.
 */
final class ScriptedPeer implements AutoCloseable {
    static final int MTU = 256;
    /** The initial PSN of both sides. */
    static final int PSN = 100;
    static final int PKEY = 0xFFFF;
    /** The retry_cnt of RC queue pairs. */
    static final int RETRIES = 7;
    /** The local ACK timeout of RC queue pairs. */
    static final long TIMEOUT_NANOS = 4096L << ScriptedPeer.TIMEOUT;
    private static final int TIMEOUT = 20;
    private static final int UDP_PORT = 4791;
    private static final int QPN = 9;

    private final List<Sent> sent = new ArrayList<>();
    private final List<Read> reads = new ArrayList<>();
    private final Map<Integer, Integer> lastPsns = new HashMap<>();
    private long sentBytes;
    private final PacketView view = new PacketView();
    private final VirtualTimers timers = new VirtualTimers();
    private final ScriptedDevice device = new ScriptedDevice(FuzzedDevice.GID, timers, new Random(1), this::record);
    private final PacketBuffer buffer = new PacketBuffer(Arena.ofAuto().allocate(PacketBuffer.MAX_BYTES + 1, 64));
    private final PacketEncoder encoder = new PacketEncoder();
    private final Icrc icrc = new Icrc();
    private final RdmaContext context = device.open();
    private final ProtectionDomain pd = context.allocatePd();
    final CompletionQueue cq = context.createCompletionQueue(16);
    final QueuePair qp;

    /** A packet that the device sent. */
    record Sent(int opcode, int psn, int syndrome) {}

    /** A READ request that the device sent. */
    record Read(int destinationQpn, int psn, long address, long length) {}

    /**
     * @param type the type of queue pair
     * @param reads the number of READs and atomics that each side may have outstanding
     */
    ScriptedPeer(QpType type, int reads) {
        qp = connect(type, reads, PSN);
    }

    /** Creates another queue pair, connected to the same queue pair of the peer, with an initial PSN of both sides. */
    QueuePair connect(QpType type, int reads, int psn) {
        return connect(type, reads, psn, QPN);
    }

    /** Creates another queue pair, connected to a queue pair of the peer, with an initial PSN of both sides. */
    QueuePair connect(QpType type, int reads, int psn, int peerQpn) {
        QueuePair made = pd.createQueuePair(QpInitAttributes.builder(type).cq(cq).build());
        boolean reliable = type == QpType.RC;
        made.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(1)
                .accessFlags(reliable ? Access.REMOTE_WRITE | Access.REMOTE_READ : Access.REMOTE_WRITE).build());
        QpAttributes.Builder ready = QpAttributes.builder().state(QpState.RTR)
                .addressVector(AhAttributes.to(FuzzedDevice.PEER, 1, 1)).pathMtu(Mtu.MTU_256).destinationQpn(peerQpn)
                .rqPsn(psn);
        made.modify((reliable ? ready.maxDestRdAtomic(reads).minRnrTimer(1) : ready).build());
        QpAttributes.Builder send = QpAttributes.builder().state(QpState.RTS).sqPsn(psn);
        made.modify(
                (reliable ? send.timeout(TIMEOUT).retryCount(RETRIES).rnrRetry(7).maxRdAtomic(reads) : send).build());
        return made;
    }

    /** Allocates a memory region of the device. */
    MemoryRegion memory(long bytes, int access) {
        return pd.allocate(bytes, access);
    }

    /** Begins a packet to the queue pair. */
    PacketEncoder packet(int opcode, int psn, int pkey, int payload) {
        return encoder.begin(buffer, opcode, 0, pkey, qp.number(), psn, payload);
    }

    /** Begins a packet to the queue pair that asks for an acknowledgement. */
    PacketEncoder packetWithAck(int opcode, int psn, int payload) {
        return packetWithAck(qp, opcode, psn, payload);
    }

    /** Begins a packet to one of several queue pairs that asks for an acknowledgement. */
    PacketEncoder packetWithAck(QueuePair to, int opcode, int psn, int payload) {
        return encoder.begin(buffer, opcode, Bth.ACK_REQUEST, PKEY, to.number(), psn, payload);
    }

    /** Delivers a READ response packet from the peer, whose payload repeats one byte. */
    void respond(QueuePair to, int opcode, int psn, int payload, byte value) {
        PacketEncoder packet = encoder.begin(buffer, opcode, 0, PKEY, to.number(), psn, payload);
        if (opcode != WireOpcode.READ_RESPONSE_MIDDLE) {
            packet.aeth(Aeth.ACK, 0);
        }
        fill(payload, value);
        deliver(FuzzedDevice.PEER);
    }

    /** Begins an ACK or a NAK to a queue pair. */
    void beginAck(QueuePair to, int psn, int syndrome) {
        encoder.begin(buffer, WireOpcode.ACKNOWLEDGE, 0, PKEY, to.number(), psn, 0).aeth(syndrome, 0);
    }

    /** Delivers an ACK or a NAK from the peer to a queue pair. */
    void acknowledge(QueuePair to, int psn, int syndrome) {
        beginAck(to, psn, syndrome);
        deliver(FuzzedDevice.PEER);
    }

    /** Lets packets that are sent to the same peer one after the other share a system call from now on. */
    void batchSends() {
        device.wire().hasRoomInBatch();
    }

    /** Fills the payload of the packet that was begun. */
    void fill(int bytes, byte value) {
        buffer.segment().asSlice(encoder.payloadOffset(), bytes).fill(value);
    }

    /**
     * Completes the packet that was begun, with a valid ICRC for its source, and lets the engine poll and receive it.
     */
    void deliver(Gid source) {
        finish(source);
        device.wire().deliver(buffer.bytes(), new InetSocketAddress(source.toInetAddress(), UDP_PORT));
    }

    /** Completes the packet that was begun, and queues it at the device's socket without polling the engine. */
    void queueAtSocket() {
        finish(FuzzedDevice.PEER);
        device.wire().leave(buffer.bytes(), new InetSocketAddress(FuzzedDevice.PEER.toInetAddress(), UDP_PORT));
    }

    private void finish(Gid source) {
        icrc.setAddresses(source.high(), source.low(), UDP_PORT, FuzzedDevice.GID.high(), FuzzedDevice.GID.low(),
                UDP_PORT);
        encoder.finish(icrc);
    }

    /** Advances the clock and runs the timers that expire. */
    void advance(long nanos) {
        timers.advance(nanos);
    }

    /**
     * Completes the packet that was begun, as one with an IP ID, and appends it to a buffer of packets from the peer.
     */
    void appendTo(ByteBuffer packets, int id) {
        icrc.setIpId(id);
        finish(FuzzedDevice.PEER);
        icrc.setIpId(0);
        packets.put(buffer.bytes());
    }

    /** Lets the device receive several packets in one buffer with a reported segment size (UDP_GRO). */
    void receiveGro(ByteBuffer packets, int each) {
        device.wire().deliverPiece(packets, new InetSocketAddress(FuzzedDevice.PEER.toInetAddress(), UDP_PORT), each);
    }

    /** Completes the packet that was begun, and returns a copy. */
    ByteBuffer finishPacket() {
        ByteBuffer packet = ByteBuffer.allocateDirect(PacketBuffer.MAX_BYTES);
        appendTo(packet, 0);
        return packet.flip();
    }

    /** Lets the device receive packets with one call; returns the number of turns until all are accepted. */
    int receiveBatch(List<ByteBuffer> packets) {
        return receiveBatch(packets, 0, packets.size());
    }

    /**
     * Lets the device receive buffers with one call, each of which holds packets of a reported segment size; returns
     * the number of turns until all packets are accepted.
     */
    int receiveBatch(List<ByteBuffer> buffers, int each, int packets) {
        long wanted = received() + packets;
        device.wire().deliverTogether(buffers, new InetSocketAddress(FuzzedDevice.PEER.toInetAddress(), UDP_PORT),
                each);
        int turns = 1;
        for (; received() < wanted; turns++) {
            if (turns > packets) {
                throw new AssertionError("the device accepted only " + received() + " packets");
            }
            pollOnce();
        }
        return turns;
    }

    /** Sets an action that runs before each call that sends packets of the device. */
    void beforeFlush(Runnable action) {
        device.wire().beforeFlush(action);
    }

    /** Returns the device's route to an address. */
    Route route(Gid address) {
        return device.wire().wire().route(FuzzedDevice.GID, address);
    }

    /** Returns the number of calls with which the device has sent packets. */
    int flushes() {
        return device.wire().flushes();
    }

    /** Polls the engine once: the device sends what is pending in one turn. */
    void pollOnce() {
        device.wire().sendResponses();
    }

    /** Polls the engine until it sends nothing more. */
    void pollUntilIdle() {
        while (device.wire().sendResponses()) {
            // polls again
        }
    }

    /** Returns the packets that the device has sent since the previous call. */
    List<Sent> sent() {
        List<Sent> all = List.copyOf(sent);
        sent.clear();
        return all;
    }

    /** Returns the READ requests that the device has sent since the previous call. */
    List<Read> reads() {
        List<Read> all = List.copyOf(reads);
        reads.clear();
        return all;
    }

    /** Returns the PSN of the latest packet to each queue pair of the peer, in a map that may be cleared. */
    Map<Integer, Integer> lastPsns() {
        return lastPsns;
    }

    /** Returns the number of bytes of all packets that the device has sent. */
    long sentBytes() {
        return sentBytes;
    }

    long counted(Counter counter) {
        return device.port().counted(counter);
    }

    /** Returns the number of packets that the device has accepted. */
    long received() {
        return device.port().traffic().receivedPackets();
    }

    private void record(ByteBuffer packet, InetSocketAddress to) {
        int length = packet.remaining();
        PacketBuffer copy = new PacketBuffer(Arena.ofAuto().allocate(PacketBuffer.MAX_BYTES, 64));
        copy.bytes().put(0, packet, packet.position(), length);
        view.decode(copy, length);
        sent.add(new Sent(view.opcode(), view.psn(), view.syndrome()));
        sentBytes += length;
        lastPsns.put(view.destinationQpn(), view.psn());
        if (view.opcode() == WireOpcode.READ_REQUEST) {
            reads.add(new Read(view.destinationQpn(), view.psn(), view.remoteAddress(), view.dmaLength()));
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
