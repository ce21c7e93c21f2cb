package io.jverbs.soft.transport.local;

import io.jverbs.Access;
import io.jverbs.WcFlags;
import io.jverbs.soft.memory.Copier;
import io.jverbs.soft.memory.KeyEntry;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.protocol.PacketAddresses;
import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.transport.ReceiveSide;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.transport.connection.UcResponderState;
import io.jverbs.soft.wire.PacketView;

/**
 * The responder of an unreliable connection for requesters in the same JVM: executes whole requests and drops those
 * that it cannot execute, without a response. Guarded by the responder's lock.
 */
public class LocalUcResponder extends UcResponderState {

    public LocalUcResponder(SoftQp qp, ReceiveSide receives) {
        super(qp, receives);
    }

    @Override
    public void clear() {}

    @Override
    public void receive(PacketView packet, PacketAddresses addresses) {
        throw new IllegalStateException("a responder without a wire receives no packets");
    }

    @Override
    public final void execute(Message message) {
        assert qp.responder().lock().isHeldByCurrentThread();
        // the request is a whole message, and a message may start with any PSN
        expectPsn(Psns.add(message.psn, message.packets));
        int mtu = qp.settings().pathMtu;
        if (message.packets > 1 ? message.mtu != mtu : message.length > mtu) {
            qp.count(Counter.INVALID_REQUEST);
            return;
        }
        qp.requestArrived();
        if (WrOpcodeCode.isWrite(message.opcode)) {
            write(message);
        } else {
            send(message);
        }
    }

    /** Counts the first packets of a message. All packets except the last of the message have the length of the MTU. */
    private void count(Message message, int packets) {
        received.packets(packets, Math.min(message.length, (long) packets * message.mtu));
    }

    private void send(Message message) {
        if (!storeSend(message, 0)) {
            return;
        }
        if (message.dataValid) {
            count(message, message.packets);
            boolean withImmediate = message.opcode == WrOpcodeCode.SEND_WITH_IMM;
            receives.complete(RECV, message.length, withImmediate ? message.immediate : 0, 0,
                    withImmediate ? WcFlags.WITH_IMM : 0, message.solicited);
        }
    }

    private void write(Message message) {
        if ((qp.settings().accessFlags & Access.REMOTE_WRITE) == 0 || message.length != 0 && !store(message)) {
            if (message.dataValid) {
                qp.count(Counter.REMOTE_ACCESS);
            }
            return;
        }
        if (message.opcode == WrOpcodeCode.RDMA_WRITE_WITH_IMM) {
            if (!receives.load()) {
                qp.count(Counter.NO_RECEIVE);
                count(message, message.packets - 1);
                return;
            }
            receives.complete(RECV_RDMA_WITH_IMM, message.length, message.immediate, 0, WcFlags.WITH_IMM,
                    message.solicited);
        }
        count(message, message.packets);
    }

    private boolean store(Message message) {
        KeyEntry entry = checkRkey(message.rkey, message.remoteAddress, message.length);
        if (entry == null) {
            return false;
        }
        try {
            Copier.gatherReleasing(message.data, 0, entry, message.remoteAddress, message.length);
            return true;
        } catch (IllegalStateException | InternalError e) {
            if (message.data.exists()) {
                qp.noteLostMemory(e);
            } else {
                message.loseData(e);
            }
            return false;
        }
    }
}
