package io.jverbs.soft.transport.uc;

import io.jverbs.Access;
import io.jverbs.WcFlags;
import io.jverbs.soft.memory.KeyEntry;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.protocol.PacketAddresses;
import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.queue.Words;
import io.jverbs.soft.transport.QpSettings;
import io.jverbs.soft.transport.ReceiveSide;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.transport.connection.IncomingWrite;
import io.jverbs.soft.transport.local.LocalUcResponder;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.WireOpcode;

/**
 * The responder of an unreliable connection that may be over the wire: executes messages packet by packet. If a packet
 * is missing or invalid, the rest of its message is dropped. If the peer is in the same JVM, the superclass executes
 * its requests. Guarded by the responder's lock.
 */
public final class UcResponder extends LocalUcResponder {
    private static final int NO_MESSAGE = -1;

    private final QpSettings settings;
    private final Message message = new Message(1);
    private final IncomingWrite write;
    /** The kind of the message that has arrived in part, see {@link WireOpcode#kind}, or {@link #NO_MESSAGE}. */
    private int kind = NO_MESSAGE;
    /** The number of payload bytes of that message that have arrived. */
    private long offset;

    UcResponder(SoftQp qp, ReceiveSide receives) {
        super(qp, receives);
        this.write = new IncomingWrite(qp);
        this.settings = qp.settings();
    }

    @Override
    public void clear() {
        assert qp.responder().lock().isHeldByCurrentThread();
        kind = NO_MESSAGE;
        offset = 0;
    }

    @Override
    public void receive(PacketView packet, PacketAddresses addresses) {
        assert qp.responder().lock().isHeldByCurrentThread();
        int opcode = packet.opcode();
        int what = WireOpcode.kind(opcode);
        boolean first = WireOpcode.isFirst(opcode);
        boolean gap = packet.psn() != expectedPsn();
        expectPsn(Psns.add(packet.psn(), 1));
        if (first) {
            clear();
        } else if (gap || what != kind) {
            qp.count(Counter.OUT_OF_SEQUENCE);
            clear();
            return;
        }
        if (!packet.fits(settings.pathMtu)) {
            qp.count(Counter.INVALID_REQUEST);
            clear();
            return;
        }
        qp.requestArrived();
        message.view(packet);
        boolean goesOn = what == WireOpcode.KIND_SEND ? send(packet) : write(packet);
        if (goesOn) {
            received.packet(message.length);
        }
        if (goesOn && !WireOpcode.isLast(opcode)) {
            kind = what;
            offset += message.length;
        } else {
            clear();
        }
    }

    private boolean send(PacketView packet) {
        if (!storeSend(message, offset)) {
            return false;
        }
        if (WireOpcode.isLast(packet.opcode())) {
            boolean immediate = WireOpcode.hasImmediate(packet.opcode());
            receives.complete(RECV, offset + message.length, immediate ? Words.bigEndian(packet.immediate()) : 0, 0,
                    immediate ? WcFlags.WITH_IMM : 0, packet.solicited());
        }
        return true;
    }

    private boolean write(PacketView packet) {
        write.take(packet);
        boolean last = WireOpcode.isLast(packet.opcode());
        long total = offset + message.length;
        if (!write.allows(total, last)) {
            qp.count(Counter.INVALID_REQUEST);
            return false;
        }
        if ((settings.accessFlags & Access.REMOTE_WRITE) == 0 || message.length != 0 && !store(last)) {
            qp.count(Counter.REMOTE_ACCESS);
            return false;
        }
        if (last && WireOpcode.hasImmediate(packet.opcode())) {
            if (receives.load()) {
                receives.complete(RECV_RDMA_WITH_IMM, write.length(), Words.bigEndian(packet.immediate()), 0,
                        WcFlags.WITH_IMM, packet.solicited());
            } else {
                qp.count(Counter.NO_RECEIVE);
                return false;
            }
        }
        return true;
    }

    private boolean store(boolean last) {
        KeyEntry entry = checkRkey(write.rkey(), write.address(), write.length());
        return entry != null && write.store(message, entry, offset, last);
    }
}
