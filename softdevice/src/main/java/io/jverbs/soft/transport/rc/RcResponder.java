package io.jverbs.soft.transport.rc;

import io.jverbs.Access;
import io.jverbs.WcFlags;
import io.jverbs.soft.memory.KeyEntry;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.protocol.PacketAddresses;
import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.queue.WcStatusCode;
import io.jverbs.soft.queue.Words;
import io.jverbs.soft.transport.Outbox;
import io.jverbs.soft.transport.PacketNetwork;
import io.jverbs.soft.transport.ReceiveSide;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.transport.connection.IncomingWrite;
import io.jverbs.soft.transport.local.LocalRcResponder;
import io.jverbs.soft.wire.Aeth;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.SendBuffer;
import io.jverbs.soft.wire.WireOpcode;

/**
 * The responder of a reliable connection that may be over the wire: executes requests packet by packet, in the order of
 * their PSNs. {@link RcReplier} sends the responses. If the peer is in the same JVM, the superclass executes its
 * requests. Guarded by the responder's lock.
 */
public final class RcResponder extends LocalRcResponder {
    private static final int NO_MESSAGE = -1;

    private final RcReplier replier;
    private final PacketNetwork wire;
    private final Message message = new Message(1);
    private final IncomingWrite write;
    /** The kind of the message that has arrived in part, see {@link WireOpcode#kind}, or {@link #NO_MESSAGE}. */
    private int kind = NO_MESSAGE;
    /** The number of payload bytes of that message that have arrived. */
    private long offset;

    RcResponder(SoftQp qp, ReceiveSide receives) {
        super(qp, receives);
        this.write = new IncomingWrite(qp);
        this.wire = qp.environment().wire();
        this.replier = new RcReplier(qp, this, receives, wire);
    }

    @Override
    public void route(Route route) {
        replier.route(route);
    }

    @Override
    public boolean isAckOrNakDue() {
        return replier.isAckOrNakDue();
    }

    @Override
    public boolean isAckDue() {
        return replier.isAckDue();
    }

    @Override
    public void acknowledgeWith(SendBuffer out) {
        replier.acknowledgeWith(out);
    }

    @Override
    public boolean sendResponses(boolean polling, Outbox outbox) {
        return replier.sendResponses(polling, outbox);
    }

    @Override
    public void sendCredits() {
        replier.sendCredits();
    }

    @Override
    public void resume() {
        replier.resume();
    }

    @Override
    public void clear() {
        super.clear();
        replier.clear();
        kind = NO_MESSAGE;
        offset = 0;
    }

    @Override
    public void receive(PacketView packet, PacketAddresses addresses) {
        assert qp.responder().lock().isHeldByCurrentThread();
        int ahead = Psns.difference(packet.psn(), expectedPsn());
        if (ahead > 0) {
            if (psnSequenceError()) {
                replier.nak(Message.NAK_PSN_SEQUENCE_ERROR);
            }
        } else if (ahead < 0) {
            qp.count(Counter.DUPLICATE_REQUEST);
            replier.repeat(packet);
        } else {
            nakSent(false);
            // the packet that a pending NAK would request has arrived
            replier.discardNak();
            qp.requestArrived();
            int expected = expectedPsn();
            takeInOrder(packet);
            if (expectedPsn() != expected) {
                // a request that is not accepted can be repeated at will
                replier.requestArrived();
            }
        }
        if (replier.hasPending()) {
            wire.scheduleResponses(qp);
        }
    }

    @Override
    public void failed(PacketView packet) {
        assert qp.responder().lock().isHeldByCurrentThread();
        // a NAK with a later PSN would acknowledge packets that have not arrived
        int psn = Psns.difference(packet.psn(), expectedPsn()) < 0 ? packet.psn() : expectedPsn();
        replier.nakLater(Message.NAK_REMOTE_OPERATIONAL_ERROR, psn);
        if (replier.isAckOrNakDue()) {
            wire.scheduleResponses(qp);
        }
    }

    private void takeInOrder(PacketView packet) {
        int opcode = packet.opcode();
        int what = WireOpcode.kind(opcode);
        boolean first = WireOpcode.isFirst(opcode);
        if (!packet.fits(settings.pathMtu) || first == (kind != NO_MESSAGE) || !first && what != kind) {
            failWithNak(Message.NAK_INVALID_REQUEST);
            return;
        }
        if (first) {
            offset = 0;
        }
        switch (what) {
            case WireOpcode.KIND_SEND -> send(packet);
            case WireOpcode.KIND_WRITE -> write(packet);
            case WireOpcode.KIND_READ_REQUEST -> read(packet);
            case WireOpcode.KIND_ATOMIC -> atomic(packet);
            default -> failWithNak(Message.NAK_INVALID_REQUEST);
        }
    }

    /** Fills the message from the payload and from the header fields that every request has. */
    private void fill(PacketView packet) {
        message.reply = Message.NO_REPLY;
        message.solicited = packet.solicited();
        message.view(packet);
    }

    private void send(PacketView packet) {
        if (!receives.load()) {
            sendRnrNak();
            return;
        }
        fill(packet);
        long total = offset + message.length;
        if (total > receives.room()) {
            failReceiveWithNak(Message.NAK_INVALID_REQUEST, WcStatusCode.LOC_LEN_ERR);
        } else if (!receives.resolve(total) || !receives.place(message, message.data, offset, message.length)) {
            failReceiveWithNak(Message.NAK_REMOTE_OPERATIONAL_ERROR, WcStatusCode.LOC_PROT_ERR);
        } else if (!WireOpcode.isLast(packet.opcode())) {
            kind = WireOpcode.KIND_SEND;
            offset = total;
            packetAccepted(packet);
        } else {
            finishSend(packet, total);
        }
    }

    private void finishSend(PacketView packet, long total) {
        boolean invalidates = WireOpcode.hasInvalidate(packet.opcode());
        if (invalidates && !remoteAccess.invalidate(packet.invalidatedRkey())) {
            // the receive request completes in error, and no response is sent (fault class J of the specification)
            failReceiveWithNak(Message.NO_REPLY, WcStatusCode.MW_BIND_ERR);
            return;
        }
        boolean immediate = WireOpcode.hasImmediate(packet.opcode());
        int word = invalidates
                ? packet.invalidatedRkey()
                : immediate ? Words.bigEndian(packet.immediate()) : 0;
        int flags = immediate ? WcFlags.WITH_IMM : invalidates ? WcFlags.WITH_INV : 0;
        receives.complete(RECV, total, word, 0, flags, message.solicited);
        messageEnds(packet);
    }

    private void write(PacketView packet) {
        if ((settings.accessFlags & Access.REMOTE_WRITE) == 0) {
            failWithNak(Message.NAK_INVALID_REQUEST);
            return;
        }
        write.take(packet);
        fill(packet);
        boolean last = WireOpcode.isLast(packet.opcode());
        long total = offset + message.length;
        if (!write.allows(total, last)) {
            failWithNak(Message.NAK_INVALID_REQUEST);
            return;
        }
        KeyEntry entry = write.length() == 0
                ? null
                : remoteAccess.checkRkey(write.rkey(), write.address(), write.length(), Access.REMOTE_WRITE);
        if (write.length() != 0 && entry == null) {
            failWithNak(Message.NAK_REMOTE_ACCESS_ERROR);
            return;
        }
        boolean immediate = last && WireOpcode.hasImmediate(packet.opcode());
        if (immediate && !receives.load()) {
            sendRnrNak();
            return;
        }
        if (message.length != 0 && !write.store(message, entry, offset, last)) {
            failWithNak(Message.NAK_REMOTE_ACCESS_ERROR);
            return;
        }
        if (immediate) {
            receives.complete(RECV_RDMA_WITH_IMM, write.length(), Words.bigEndian(packet.immediate()), 0,
                    WcFlags.WITH_IMM, message.solicited);
        }
        if (last) {
            messageEnds(packet);
        } else {
            kind = WireOpcode.KIND_WRITE;
            offset = total;
            packetAccepted(packet);
        }
    }

    private void read(PacketView packet) {
        long wanted = packet.dmaLength();
        if (!remoteAccess.mayRespond(Access.REMOTE_READ) || wanted > qp.environment().maxMessage()) {
            failWithNak(Message.NAK_INVALID_REQUEST);
        } else if (replier.isFull()) {
            nakTooManyReadsAndAtomics();
        } else if (wanted != 0
                && remoteAccess.checkRkey(packet.rkey(), packet.remoteAddress(), wanted, Access.REMOTE_READ) == null) {
            failWithNak(Message.NAK_REMOTE_ACCESS_ERROR);
        } else {
            int packets = Message.packets(wanted, settings.pathMtu);
            replier.read(packet, packets);
            acceptRead(packets);
        }
    }

    private void atomic(PacketView packet) {
        boolean swaps = packet.opcode() == WireOpcode.COMPARE_SWAP;
        fill(packet);
        message.opcode = swaps ? WrOpcodeCode.CMP_AND_SWP : WrOpcodeCode.FETCH_AND_ADD;
        message.psn = packet.psn();
        message.packets = 1;
        message.length = Long.BYTES;
        message.remoteAddress = packet.remoteAddress();
        message.rkey = packet.rkey();
        message.compareAdd = swaps ? packet.compare() : packet.swapOrAdd();
        message.swap = packet.swapOrAdd();
        if (replier.isFull()) {
            nakTooManyReadsAndAtomics();
            return;
        }
        int reply = remoteAccess.atomic(message);
        if (reply == Message.ACK) {
            acceptRead(1);
            replier.atomic(packet, message.original);
        } else {
            failWithNak(reply);
        }
    }

    /**
     * Drops a READ or atomic that exceeds max_dest_rd_atomic and sends a PSN sequence error NAK after the responses
     * before it, so that the peer retransmits the request. Linux's rxe may exceed the limit, because it rounds
     * max_rd_atomic up.
     */
    private void nakTooManyReadsAndAtomics() {
        qp.count(Counter.TOO_MANY_RD_ATOMIC);
        qp.count(Counter.SENT_NAK_SEQUENCE);
        nakSent(true);
        replier.nak(Message.NAK_PSN_SEQUENCE_ERROR);
    }

    private void packetAccepted(PacketView packet) {
        accept(1, packet.payloadLength());
        replier.packetAccepted(packet);
    }

    private void messageEnds(PacketView packet) {
        kind = NO_MESSAGE;
        offset = 0;
        replier.messageEnds(WireOpcode.kind(packet.opcode()) == WireOpcode.KIND_SEND
                || WireOpcode.hasImmediate(packet.opcode()));
        packetAccepted(packet);
    }

    private void sendRnrNak() {
        qp.count(Counter.SENT_RNR);
        replier.nak(Aeth.rnrNak(settings.minRnrTimer));
        // the peer retransmits the packets that follow, so they need no NAK
        nakSent(true);
    }

    private void failWithNak(int nak) {
        failWithNak(message, nak);
        replier.nak(nak);
    }

    private void failReceiveWithNak(int nak, int status) {
        failReceiveWithNak(message, nak, status);
        if (nak != Message.NO_REPLY) {
            replier.nak(nak);
        }
    }
}
