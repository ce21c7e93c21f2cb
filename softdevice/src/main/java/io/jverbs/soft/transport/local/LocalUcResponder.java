package io.jverbs.soft.transport.local;

import io.jverbs.Access;
import io.jverbs.WcFlags;
import io.jverbs.WcOpcode;
import io.jverbs.soft.memory.Copier;
import io.jverbs.soft.memory.KeyEntry;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.protocol.PacketAddresses;
import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.protocol.Traffic;
import io.jverbs.soft.protocol.TrafficCounter;
import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.queue.WcStatusCode;
import io.jverbs.soft.transport.ReceiveSide;
import io.jverbs.soft.transport.ResponderProtocol;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.wire.PacketView;

/**
 * The responder of an unreliable connection: executes whole requests and drops those that it cannot execute, without a
 * response. It serves requesters in the same JVM; {@code UcResponder} uses it for packets from the wire. Guarded by the
 * responder's lock.
 */
public final class LocalUcResponder extends ResponderProtocol {
    private static final int RECV = WcOpcode.RECV.code();
    private static final int RECV_RDMA_WITH_IMM = WcOpcode.RECV_RDMA_WITH_IMM.code();

    private final SoftQp qp;
    private final ReceiveSide receives;
    private int expectedPsn;
    private final TrafficCounter received = new TrafficCounter();

    public LocalUcResponder(SoftQp qp, ReceiveSide receives) {
        this.qp = qp;
        this.receives = receives;
    }

    @Override
    public boolean isConnected() {
        return true;
    }

    @Override
    public void expectPsn(int psn) {
        expectedPsn = psn & Psns.MASK;
    }

    @Override
    public int expectedPsn() {
        return expectedPsn;
    }

    /** The counter of received packets, including those from the wire. */
    public TrafficCounter received() {
        return received;
    }

    @Override
    public Traffic traffic() {
        return received.received();
    }

    @Override
    public void clear() {}

    @Override
    public void receive(PacketView packet, PacketAddresses addresses) {
        throw new IllegalStateException("a responder without a wire receives no packets");
    }

    @Override
    public void execute(Message message) {
        assert qp.responder.lock().isHeldByCurrentThread();
        // the request is a whole message, and a message may start with any PSN
        expectedPsn = Psns.add(message.psn, message.packets);
        int mtu = qp.settings.pathMtu;
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
        if (!receives.load()) {
            qp.count(Counter.NO_RECEIVE);
            return;
        }
        long length = message.length;
        if (length > receives.room()) {
            qp.count(Counter.NO_RECEIVE);
            if (receives.isShared()) {
                receives.completeInError(WcStatusCode.LOC_LEN_ERR);
            }
            return;
        }
        if (!receives.resolve(length) || !receives.place(message, message.data, 0, length)) {
            qp.count(Counter.NO_RECEIVE);
            qp.fail(0);
            receives.completeInError(WcStatusCode.LOC_PROT_ERR);
            return;
        }
        if (message.dataValid) {
            count(message, message.packets);
            boolean withImmediate = message.opcode == WrOpcodeCode.SEND_WITH_IMM;
            receives.complete(RECV, length, withImmediate ? message.immediate : 0, 0,
                    withImmediate ? WcFlags.WITH_IMM : 0,
                    message.solicited);
        }
    }

    private void write(Message message) {
        if ((qp.settings.accessFlags & Access.REMOTE_WRITE) == 0 || message.length != 0 && !store(message)) {
            qp.count(Counter.REMOTE_ACCESS);
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

    /** Looks up the remote key of a WRITE. Returns null if it does not permit the access to the whole range. */
    public KeyEntry find(int rkey, long address, long length) {
        return qp.responderKeys.remote(rkey, address, length, Access.REMOTE_WRITE);
    }

    private boolean store(Message message) {
        KeyEntry entry = find(message.rkey, message.remoteAddress, message.length);
        if (entry == null) {
            return false;
        }
        try {
            Copier.gatherReleasing(message.data, 0, entry, message.remoteAddress, message.length);
            return true;
        } catch (IllegalStateException | InternalError e) {
            qp.noteLostMemory(e);
            message.dataValid = message.data.exists();
            return false;
        }
    }
}
