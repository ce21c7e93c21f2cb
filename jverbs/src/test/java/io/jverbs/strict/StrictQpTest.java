package io.jverbs.strict;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.QpCapabilities;
import io.jverbs.QpType;
import io.jverbs.spi.Handle;
import org.junit.jupiter.api.Test;

/** Tests which requests strict mode still tracks when a device accepts more than the queue capacities allow. */
final class StrictQpTest {
    private static final int CAPACITY = 16;
    private static final int CQE = 8;

    private record Queue(int cqe) implements Handle.Cq {}

    private record Pair(int number, QpCapabilities capabilities) implements Handle.Qp {}

    private final StrictCq cq = new StrictCq(new Queue(CQE));
    private final StrictQp qp = new StrictQp(null, new Pair(1, new QpCapabilities(CAPACITY, CAPACITY, 1, 1, 0)),
            QpType.RC, false, cq, cq, null);

    private void post(long wrId, boolean completes) {
        qp.posted(new Request(wrId, completes, null, null, null, null, null));
        qp.forgetExcess();
    }

    @Test
    void unsignaledRequestsBeyondTheQueueCapacityAreForgotten() {
        post(0, true);
        for (int i = 1; i < 100_000; i++) {
            post(i, false);
        }
        assertEquals(1 + CAPACITY, qp.outstanding());
        qp.sendCompleted(true, 0, request -> {});
        assertEquals(CAPACITY, qp.outstanding());
    }

    @Test
    void signaledRequestsAreForgottenOnceTheirCompletionQueueMustHaveOverrun() {
        for (int i = 0; i < 100_000; i++) {
            post(i, true);
        }
        assertEquals(CAPACITY + CQE, qp.outstanding());
        assertEquals(CAPACITY + CQE, cq.expectedWith(0));
    }
}
