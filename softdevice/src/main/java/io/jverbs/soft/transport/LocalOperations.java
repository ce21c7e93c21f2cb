package io.jverbs.soft.transport;

import io.jverbs.soft.memory.Region;
import io.jverbs.soft.memory.Regions;
import io.jverbs.soft.memory.Window;
import io.jverbs.soft.queue.WcStatusCode;

/** The requests that never leave the device: binding and invalidating memory windows. */
final class LocalOperations {
    private final SoftQp qp;

    LocalOperations(SoftQp qp) {
        this.qp = qp;
    }

    /** Executes the oldest request; returns a completion status. */
    int execute(SendRing ring, int at, int opcode) {
        Regions regions = qp.around.regions();
        boolean done = opcode == Opcode.LOCAL_INV
                ? regions.invalidate(ring.immediate(at), qp.parts.domain(), qp.number())
                : regions.bind((Window) ring.firstNamed(), ring.bindKey(at), (Region) ring.secondNamed(),
                        ring.bindAddress(at),
                        ring.bindLength(at), ring.bindAccess(at), qp.parts.domain(), qp.number());
        if (done && opcode == Opcode.LOCAL_INV) {
            // only this queue pair's responder could use the window; an access it is at ends before we complete
            qp.responder.lock().awaitRelease();
        }
        return done ? WcStatusCode.SUCCESS : WcStatusCode.MW_BIND_ERR;
    }
}
