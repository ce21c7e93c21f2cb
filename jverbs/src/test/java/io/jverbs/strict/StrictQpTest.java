package io.jverbs.strict;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.QpCapabilities;
import io.jverbs.QpType;
import io.jverbs.spi.Handle;
import org.junit.jupiter.api.Test;

/** What is kept of the requests of a queue pair whose device takes more than it has places for. */
final class StrictQpTest {
    private static final int PLACES = 16;
    private static final int CQE = 8;

    private record Queue(int cqe) implements Handle.Cq {}

    private record Pair(int number, QpCapabilities capabilities) implements Handle.Qp {}

    private final StrictCq cq = new StrictCq(new Queue(CQE));
    private final StrictQp qp = new StrictQp(null, new Pair(1, new QpCapabilities(PLACES, PLACES, 1, 1, 0)), QpType.RC,
            false, cq, cq, null);

    private void post(long wrId, boolean completes) {
        qp.posted(new Request(wrId, completes, null, null, null, null));
        qp.forgetWhatIsOver();
    }

    @Test
    void unsignaledRequestsBehindOneThatNobodyPollsAreForgottenOnceTheyMustBeOver() {
        post(0, true);
        for (int i = 1; i < 100_000; i++) {
            post(i, false);
        }
        assertEquals(1 + PLACES, qp.outstanding());
        qp.sendCompleted(true, 0, request -> {});
        assertEquals(PLACES, qp.outstanding());
    }

    @Test
    void signaledRequestsAreForgottenOnceTheirQueueMustHaveOverflowed() {
        for (int i = 0; i < 100_000; i++) {
            post(i, true);
        }
        assertEquals(PLACES + CQE, qp.outstanding());
        assertEquals(PLACES + CQE, cq.expectedWith(0));
    }
}
