package io.jverbs.soft.fuzz;

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
import io.jverbs.soft.ScriptedDevice;
import io.jverbs.soft.transport.Counter;
import io.jverbs.soft.transport.Route;
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
import java.util.List;
import java.util.Random;

/** A connected queue pair of a device, whose peer is a test that writes its packets one by one and reads what comes back. */
final class ScriptedPeer implements AutoCloseable {
    static final int MTU = 256;
    /** The PSN of the first packet of either side. */
    static final int PSN = 100;
    static final int PKEY = 0xFFFF;
    /** How often a request is sent again for which no answer comes. */
    static final int RETRIES = 7;
    /** How long that takes for the first time. */
    static final long TIMEOUT_NANOS = 4096L << ScriptedPeer.TIMEOUT;
    private static final int TIMEOUT = 20;
    private static final int UDP_PORT = 4791;
    private static final int QPN = 9;

    private final List<Sent> sent = new ArrayList<>();
    private final PacketView view = new PacketView();
    private final VirtualTimers timers = new VirtualTimers();
    private final ScriptedDevice device = new ScriptedDevice(Victim.GID, timers, new Random(1), this::note);
    private final PacketBuffer buffer = new PacketBuffer(Arena.ofAuto().allocate(PacketBuffer.MAX_BYTES + 1, 64));
    private final PacketEncoder encoder = new PacketEncoder();
    private final Icrc icrc = new Icrc();
    private final RdmaContext context = device.open();
    private final ProtectionDomain pd = context.allocatePd();
    final CompletionQueue cq = context.createCompletionQueue(16);
    final QueuePair qp;

    /** A packet of the device. */
    record Sent(int opcode, int psn, int syndrome) {}

    /**
     * @param type the type of queue pair
     * @param reads how many READs and atomics either side may have under way
     */
    ScriptedPeer(QpType type, int reads) {
        qp = connect(type, reads, PSN);
    }

    /** One more queue pair, connected to the same peer; the PSN is that of the first packet of either side. */
    QueuePair connect(QpType type, int reads, int psn) {
        QueuePair made = pd.createQueuePair(QpInitAttributes.builder(type).cq(cq).build());
        boolean reliable = type == QpType.RC;
        made.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(1)
                .accessFlags(reliable ? Access.REMOTE_WRITE | Access.REMOTE_READ : Access.REMOTE_WRITE).build());
        QpAttributes.Builder ready = QpAttributes.builder().state(QpState.RTR)
                .addressVector(AhAttributes.to(Victim.PEER, 1, 1)).pathMtu(Mtu.MTU_256).destinationQpn(QPN).rqPsn(psn);
        made.modify((reliable ? ready.maxDestRdAtomic(reads).minRnrTimer(1) : ready).build());
        QpAttributes.Builder send = QpAttributes.builder().state(QpState.RTS).sqPsn(psn);
        made.modify(
                (reliable ? send.timeout(TIMEOUT).retryCount(RETRIES).rnrRetry(7).maxRdAtomic(reads) : send).build());
        return made;
    }

    /** Memory of the device. */
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

    /** The same to one of several queue pairs. */
    PacketEncoder packetWithAck(QueuePair to, int opcode, int psn, int payload) {
        return encoder.begin(buffer, opcode, Bth.ACK_REQUEST, PKEY, to.number(), psn, payload);
    }

    /** Begins an ACK or a NAK to a queue pair. */
    void beginAnswer(QueuePair to, int psn, int syndrome) {
        encoder.begin(buffer, WireOpcode.ACKNOWLEDGE, 0, PKEY, to.number(), psn, 0).aeth(syndrome, 0);
    }

    /** The peer answers a queue pair with an ACK or a NAK. */
    void answer(QueuePair to, int psn, int syndrome) {
        beginAnswer(to, psn, syndrome);
        from(Victim.PEER);
    }

    /** From now on a packet more leaves in the same call as those before it, if it is sent there. */
    void takesAlong() {
        device.wire().takesAlong();
    }

    /** Fills the payload of what was begun. */
    void fill(int bytes, byte value) {
        buffer.segment().asSlice(encoder.payloadOffset(), bytes).fill(value);
    }

    /** The device does a turn of what it has left, and receives what was begun, with an ICRC that is right for its source. */
    void from(Gid source) {
        finish(source);
        device.wire().deliver(buffer.bytes(), new InetSocketAddress(source.toInetAddress(), UDP_PORT));
    }

    /** What was begun comes from the peer to the device's socket, where nobody looks. */
    void leave() {
        finish(Victim.PEER);
        device.wire().leave(buffer.bytes(), new InetSocketAddress(Victim.PEER.toInetAddress(), UDP_PORT));
    }

    private void finish(Gid source) {
        icrc.between(source.high(), source.low(), UDP_PORT, Victim.GID.high(), Victim.GID.low(), UDP_PORT);
        encoder.finish(icrc);
    }

    /** Lets time pass, and does what is due. */
    void letTimePass(long nanos) {
        timers.advance(nanos);
    }

    /** Ends what was begun as a part of a piece from the peer, for which the system gives it an ID. */
    void addTo(ByteBuffer piece, int id) {
        icrc.id(id);
        finish(Victim.PEER);
        icrc.id(0);
        piece.put(buffer.bytes());
    }

    /** The device receives packets in one piece, of which each but the last is said to have so many bytes. */
    void inOnePiece(ByteBuffer piece, int each) {
        device.wire().deliverPiece(piece, new InetSocketAddress(Victim.PEER.toInetAddress(), UDP_PORT), each);
    }

    /** Ends what was begun as a packet of its own from the peer. */
    ByteBuffer packet() {
        ByteBuffer packet = ByteBuffer.allocateDirect(PacketBuffer.MAX_BYTES);
        addTo(packet, 0);
        return packet.flip();
    }

    /** The device receives packets with one call; so many turns it takes until all are taken. */
    int together(List<ByteBuffer> packets) {
        return together(packets, 0, packets.size());
    }

    /** The same of pieces, in which each packet but the last has so many bytes. */
    int together(List<ByteBuffer> pieces, int each, int packets) {
        long wanted = received() + packets;
        device.wire().deliverTogether(pieces, new InetSocketAddress(Victim.PEER.toInetAddress(), UDP_PORT), each);
        int turns = 1;
        for (; received() < wanted; turns++) {
            if (turns > packets) {
                throw new AssertionError("the device leaves what has come");
            }
            turn();
        }
        return turns;
    }

    /** What happens before packets of the device leave with one call. */
    void beforeCall(Runnable happening) {
        device.wire().beforeFlush(happening);
    }

    /** The device's way to an address. */
    Route route(Gid address) {
        return device.wire().wire().route(Victim.GID, address);
    }

    /** How often packets of the device have left with one call. */
    int calls() {
        return device.wire().flushes();
    }

    /** The device does a turn of what it has left. */
    void turn() {
        device.wire().pump();
    }

    /** The device does all that it has left. */
    void settle() {
        while (device.wire().pump()) {
            // until nothing is sent
        }
    }

    /** What the device has sent since this was asked last. */
    List<Sent> sent() {
        List<Sent> all = List.copyOf(sent);
        sent.clear();
        return all;
    }

    long counted(Counter counter) {
        return device.port().counted(counter);
    }

    /** How many packets the device has taken. */
    long received() {
        return device.port().traffic().receivedPackets();
    }

    private void note(ByteBuffer packet, InetSocketAddress to) {
        int length = packet.remaining();
        PacketBuffer copy = new PacketBuffer(Arena.ofAuto().allocate(PacketBuffer.MAX_BYTES, 64));
        copy.bytes().put(0, packet, packet.position(), length);
        view.decode(copy, length);
        sent.add(new Sent(view.opcode(), view.psn(), view.syndrome()));
    }

    @Override
    public void close() {
        context.close();
    }
}
