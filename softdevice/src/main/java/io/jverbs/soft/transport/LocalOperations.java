package io.jverbs.soft.transport;

import io.jverbs.soft.memory.KeyTable;
import io.jverbs.soft.memory.SoftMr;
import io.jverbs.soft.memory.SoftMw;
import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.queue.WcStatusCode;

/**
 * Executes the requests that send no packet: binding and invalidating memory windows. Guarded by the requester's lock.
 */
final class LocalOperations {
    private final SoftQp qp;

    LocalOperations(SoftQp qp) {
        this.qp = qp;
    }

    /** Executes the oldest request; returns a completion status. */
    int execute(SendRing ring, int at, int opcode) {
        assert qp.requester().isHeldByCurrentThread();
        KeyTable keyTable = qp.environment().keyTable();
        boolean done = opcode == WrOpcodeCode.LOCAL_INV
                ? keyTable.invalidate(ring.immediate(at), qp.parts().domain(), qp.number())
                : keyTable.bind((SoftMw) ring.firstNamed(), ring.bindKey(at), (SoftMr) ring.secondNamed(),
                        ring.bindAddress(at), ring.bindLength(at), ring.bindAccess(at), qp.parts().domain(),
                        qp.number());
        if (done && opcode == WrOpcodeCode.LOCAL_INV) {
            // only this queue pair's responder may use the window; its present access ends before the completion
            qp.responder().lock().awaitRelease();
        }
        return done ? WcStatusCode.SUCCESS : WcStatusCode.MW_BIND_ERR;
    }
}
