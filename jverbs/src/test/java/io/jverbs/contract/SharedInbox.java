package io.jverbs.contract;

import io.jverbs.QpType;
import io.jverbs.contract.dsl.Expect;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.Side;
import io.jverbs.contract.dsl.Srq;
import io.jverbs.contract.end.RecvSpec;

/**
 * A shared receive queue with a place for each message, of whatever type of queue pair. The ids of its receive requests count
 * from 0.
 */
final class SharedInbox {

    private static final int GRH = 40;
    private static final int PLACE = 128;
    private static final int PLACES = 64;

    private final Srq srq;
    private final Region places;
    private int posted;

    SharedInbox(Side side, int maxWr) {
        srq = side.srq(maxWr, 1);
        places = side.region((long) PLACES * PLACE);
    }

    Srq srq() {
        return srq;
    }

    /** The next receive request. */
    RecvSpec next() {
        int place = posted++;
        return RecvSpec.recv(places.sge(at(place), QpStates.MESSAGE + GRH)).id(place);
    }

    private static long at(int place) {
        return (long) (place % PLACES) * PLACE;
    }

    /** Posts so many receive requests. */
    SharedInbox post(int count) {
        for (int i = 0; i < count; i++) {
            srq.post(next());
        }
        return this;
    }

    /** The next receive completion of the pair is of this receive request, which holds the message with this id. */
    void assertReceives(Qp qp, int place, int message) {
        int grh = qp.type() == QpType.UD ? GRH : 0;
        Expect.expect(qp.awaitRecv()).success().id(place).qp(qp).bytes(QpStates.MESSAGE + grh);
        places.assertHolds(at(place) + grh, QpStates.MESSAGE, message);
    }

    /** Nothing was written to this receive request's place. */
    void assertUntouched(int place) {
        places.assertZero(at(place), PLACE);
    }
}
