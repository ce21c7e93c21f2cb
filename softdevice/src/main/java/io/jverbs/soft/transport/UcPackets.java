package io.jverbs.soft.transport;

import io.jverbs.Access;
import io.jverbs.WcFlags;
import io.jverbs.WcOpcode;
import io.jverbs.soft.memory.KeyEntry;
import io.jverbs.soft.queue.WcStatusCode;
import io.jverbs.soft.queue.Words;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.WireOpcode;

/**
 * The responder of an unreliable connection over the wire: a message of which a packet is missing or wrong is forgotten until the
 * next one starts. Guarded by the responder's lock.
 */
final class UcPackets {
    private static final int NO_MESSAGE = -1;
    private static final int RECV = WcOpcode.RECV.code();
    private static final int RECV_RDMA_WITH_IMM = WcOpcode.RECV_RDMA_WITH_IMM.code();

    private final SoftQp qp;
    private final UcResponder messages;
    private final ReceiveSide receives;
    private final Settings settings;
    private final Message message = new Message(1);
    private final IncomingWrite write = new IncomingWrite();
    private int kind = NO_MESSAGE;
    private long offset;

    UcPackets(SoftQp qp, UcResponder messages, ReceiveSide receives) {
        this.qp = qp;
        this.messages = messages;
        this.receives = receives;
        this.settings = qp.settings;
    }

    void clear() {
        kind = NO_MESSAGE;
        offset = 0;
    }

    void receive(PacketView packet) {
        int opcode = packet.opcode();
        int what = WireOpcode.kind(opcode);
        boolean first = WireOpcode.isFirst(opcode);
        boolean gap = packet.psn() != messages.expectedPsn();
        messages.expectPsn(Psns.add(packet.psn(), 1));
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
        qp.noteRequest();
        message.view(packet);
        boolean goesOn = what == WireOpcode.KIND_SEND ? send(packet) : write(packet);
        if (goesOn) {
            messages.received().packet(message.length);
        }
        if (goesOn && !WireOpcode.isLast(opcode)) {
            kind = what;
            offset += message.length;
        } else {
            clear();
        }
    }

    private boolean send(PacketView packet) {
        long total = offset + message.length;
        if (!receives.load()) {
            qp.count(Counter.NO_RECEIVE);
            return false;
        }
        if (total > receives.room()) {
            qp.count(Counter.NO_RECEIVE);
            if (receives.isShared()) {
                receives.completeInError(WcStatusCode.LOC_LEN_ERR);
            }
            return false;
        }
        if (!receives.resolve(total) || !receives.place(message, message.data, offset, message.length)) {
            qp.count(Counter.NO_RECEIVE);
            qp.fail(0);
            receives.completeInError(WcStatusCode.LOC_PROT_ERR);
            return false;
        }
        if (WireOpcode.isLast(packet.opcode())) {
            boolean immediate = WireOpcode.hasImmediate(packet.opcode());
            receives.complete(RECV, total, immediate ? Words.bigEndian(packet.immediate()) : 0, 0,
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
        KeyEntry entry = messages.find(write.rkey(), write.address(), write.length());
        return entry != null && write.store(message, entry, offset, last);
    }
}
