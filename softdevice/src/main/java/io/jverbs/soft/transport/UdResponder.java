package io.jverbs.soft.transport;

import io.jverbs.WcFlags;
import io.jverbs.WcOpcode;
import io.jverbs.soft.memory.SgeList;
import io.jverbs.soft.queue.WcStatusCode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The responder of datagrams: puts the 40 bytes of GRH area and the payload into a receive request, or drops the datagram.
 * Guarded by the responder's lock.
 */
final class UdResponder {
    private static final int RECV = WcOpcode.RECV.code();

    private final SoftQp qp;
    private final ReceiveSide receives;
    private final MemorySegment header = Arena.ofAuto().allocate(Grh.BYTES, Long.BYTES);
    private final Tally received = new Tally();
    private final SgeList headerList = new SgeList(1);

    UdResponder(SoftQp qp, ReceiveSide receives) {
        this.qp = qp;
        this.receives = receives;
        headerList.set(header, 0, Grh.BYTES);
    }

    Traffic traffic() {
        return received.received();
    }

    void execute(Message message) {
        if (message.qkey != qp.settings.qkey) {
            qp.count(Counter.BAD_QKEY);
            return;
        }
        long length = message.length + Grh.BYTES;
        if (!receives.load()) {
            qp.count(Counter.NO_RECEIVE);
            return;
        }
        if (length > receives.room()) {
            qp.count(Counter.NO_RECEIVE);
            if (receives.isShared()) {
                receives.completeInError(WcStatusCode.LOC_LEN_ERR);
            }
            return;
        }
        Grh.write(header, message);
        if (!receives.resolve(length) || !receives.place(message, headerList, 0, Grh.BYTES)
                || !receives.place(message, message.data, Grh.BYTES, message.length)) {
            qp.count(Counter.NO_RECEIVE);
            qp.fail(0);
            receives.completeInError(WcStatusCode.LOC_PROT_ERR);
            return;
        }
        if (message.dataValid) {
            received.packet(message.length);
            boolean withImmediate = message.opcode == Opcode.SEND_WITH_IMM;
            receives.complete(RECV, length, withImmediate ? message.immediate : 0, message.sourceQpn,
                    WcFlags.GRH | (withImmediate ? WcFlags.WITH_IMM : 0), message.solicited);
        }
    }
}
