package io.jverbs.soft.transport;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.soft.memory.SoftMr;
import io.jverbs.spi.DataPath;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What other threads change after a post has found, without the lock, that the {@link FastPath} is ready, and before it
 * takes the lock. The test makes the change in the post, between the two. Each request is a WRITE that follows one that
 * the fast path has executed.
 */
final class FastPathHintTest {
    private static final int ACCESS = Access.LOCAL_WRITE | Access.REMOTE_WRITE;
    private static final int QPN = 5;
    private static final int PEER_QPN = 6;
    private static final long WRITTEN = 0x5C5C5C5CL;
    /** Posts after which the keys are cached and the requests take the fast path. */
    private static final int WARM_UP = 4;

    private final MemorySegment source = BareDevice.memory(Long.BYTES);
    private final MemorySegment target = BareDevice.memory(Long.BYTES);
    private final BareDevice device = BareDevice.withoutWire();
    private final BareQueuePair pair = device.create(QpType.RC, QPN);
    private final BareQueuePair peer = device.create(QpType.RC, PEER_QPN);
    private final SoftMr from = device.register(source, ACCESS);
    private final SoftMr to = device.register(target, ACCESS);

    /** A fast path during whose hint other threads act. */
    private final class Changed implements FastPath {
        private final FastPath fastPath = pair.qp.requester().fastPath();
        private final Runnable change;
        private int executed;

        Changed(Runnable change) {
            this.change = change;
        }

        @Override
        public boolean isReady() {
            boolean ready = fastPath.isReady();
            change.run();
            return ready;
        }

        @Override
        public boolean executeNow(SendWorkRequest request) {
            boolean done = fastPath.executeNow(request);
            executed += done ? 1 : 0;
            return done;
        }
    }

    @BeforeEach
    void executeRequestsOnTheFastPath() {
        peer.qp.settings().accessFlags = ACCESS;
        for (BareQueuePair each : new BareQueuePair[] {pair, peer}) {
            each.qp.settings().pathMtu = 256;
            each.qp.settings().retryCount = 1;
            each.qp.settings().timeout = 4;
        }
        pair.connect(BareDevice.GID, PEER_QPN, 7, 0);
        peer.connect(BareDevice.GID, QPN, 0, 7);
        source.set(JAVA_LONG, 0, WRITTEN);
        for (int i = 0; i < WARM_UP; i++) {
            pair.post(write(i));
            assertEquals(String.valueOf(i), pair.sendCompletions());
        }
        assertEquals(1, post(10, () -> {}));
        assertEquals("10", pair.sendCompletions());
        target.set(JAVA_LONG, 0, 0);
    }

    private SendWorkRequest write(long id) {
        return SendWorkRequest.create(1).wrId(id).opcode(WrOpcode.RDMA_WRITE)
                .sge(0, source.address(), Long.BYTES, from.lkey()).remote(target.address(), to.rkey());
    }

    /** Posts a WRITE, and makes a change after the hint; returns how many requests the fast path has executed. */
    private int post(long id, Runnable change) {
        Changed fastPath = new Changed(change);
        assertEquals(DataPath.POSTED, pair.qp.requester().post(write(id), fastPath));
        device.deferred.run();
        return fastPath.executed;
    }

    /** F33: a peer that no longer receives executes nothing; the request is retried. */
    @ParameterizedTest
    @CsvSource({"ERR", "RESET", "INIT"})
    void aPeerThatLeavesRtsAfterTheHintExecutesNothing(QpState state) {
        assertEquals(0, post(1, () -> peer.state(state)));
        device.timers.advance(TimeUnit.SECONDS.toNanos(1));
        assertEquals(0, target.get(JAVA_LONG, 0));
        assertEquals("1:RETRY_EXC_ERR", pair.sendCompletions());
    }

    /** B29: the access flags that the peer has when it executes the request are checked. */
    @Test
    void accessThatThePeerNoLongerGrantsAfterTheHintIsRefused() {
        assertEquals(0, post(1, () -> peer.locked(() -> {
            peer.qp.responder().endDirectAccess();
            peer.qp.settings().accessFlags = 0;
        })));
        assertEquals(0, target.get(JAVA_LONG, 0));
        assertEquals("1:REM_INV_REQ_ERR", pair.sendCompletions());
    }

    /** J9: a peer that is no longer reached executes nothing. */
    @Test
    void aPeerWhoseLinkGoesDownAfterTheHintExecutesNothing() {
        assertEquals(0, post(1, () -> {
            device.port.sends(false);
            device.network.changed();
        }));
        device.timers.advance(TimeUnit.SECONDS.toNanos(1));
        assertEquals(0, target.get(JAVA_LONG, 0));
        assertEquals("1:RETRY_EXC_ERR", pair.sendCompletions());
    }

    /** D35: another thread has executed the requests that were queued, before this one has the lock. */
    @Test
    void aRequestAfterAQueueThatIsEmptiedDuringTheHintTakesTheFastPath() {
        pair.state(QpState.SQD);
        pair.post(write(1));
        pair.state(QpState.RTS);
        assertEquals(1, post(2, () -> {
            pair.qp.resumeSend();
            device.deferred.run();
        }));
        assertEquals("1 2", pair.sendCompletions());
    }

    /** D35: requests complete in the order in which they were posted. */
    @Test
    void aRequestThatIsQueuedAfterTheHintIsExecutedFirst() {
        assertEquals(0, post(2, () -> {
            pair.state(QpState.SQD);
            pair.post(write(1));
            // the thread that moves the queue pair to RTS has released its locks, and has not yet resumed the requester
            pair.state(QpState.RTS);
        }));
        assertEquals("1 2", pair.sendCompletions());
    }

    /** D29: a queue pair that is moved to ERR executes nothing. */
    @Test
    void aQueuePairThatFailsAfterTheHintFlushesTheRequest() {
        assertEquals(0, post(1, () -> {
            pair.locked(() -> pair.qp.fail(0));
            device.deferred.run();
        }));
        assertEquals(0, target.get(JAVA_LONG, 0));
        assertEquals("1:WR_FLUSH_ERR", pair.sendCompletions());
    }
}
