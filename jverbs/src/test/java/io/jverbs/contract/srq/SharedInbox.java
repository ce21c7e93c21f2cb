package io.jverbs.contract.srq;

import io.jverbs.QpType;
import io.jverbs.contract.QpStates;
import io.jverbs.contract.dsl.Expect;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.Side;
import io.jverbs.contract.dsl.Srq;
import io.jverbs.contract.end.RecvSpec;

/**
 * A shared receive queue with a slot for each message, for queue pairs of all types. The ids of its receive requests
 * start at 0.
 */
final class SharedInbox {

    private static final int GRH = 40;
    private static final int SLOT_BYTES = 128;
    private static final int SLOTS = 64;

    private final Srq srq;
    private final Region slots;
    private int posted;

    SharedInbox(Side side, int maxWr) {
        srq = side.srq(maxWr, 1);
        slots = side.region((long) SLOTS * SLOT_BYTES);
    }

    Srq srq() {
        return srq;
    }

    /** Returns the next receive request. */
    RecvSpec next() {
        int slot = posted++;
        return RecvSpec.recv(slots.sge(at(slot), QpStates.MESSAGE + GRH)).id(slot);
    }

    private static long at(int slot) {
        return (long) (slot % SLOTS) * SLOT_BYTES;
    }

    /** Posts a number of receive requests. */
    SharedInbox post(int count) {
        for (int i = 0; i < count; i++) {
            srq.post(next());
        }
        return this;
    }

    /**
     * Asserts that the next receive completion of the queue pair is of this receive request, and that it contains the
     * message with this id.
     */
    void assertReceives(Qp qp, int slot, int message) {
        int grh = qp.type() == QpType.UD ? GRH : 0;
        Expect.expect(qp.awaitRecv()).success().id(slot).qp(qp).bytes(QpStates.MESSAGE + grh);
        slots.assertHolds(at(slot) + grh, QpStates.MESSAGE, message);
    }

    /** Asserts that the slot of this receive request was not written. */
    void assertUntouched(int slot) {
        slots.assertZero(at(slot), SLOT_BYTES);
    }
}
