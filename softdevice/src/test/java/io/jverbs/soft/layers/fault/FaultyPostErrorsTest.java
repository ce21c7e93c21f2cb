package io.jverbs.soft.layers.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.AsyncEventType;
import io.jverbs.Errno;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.VerbsException;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.fault.FaultInjection;
import io.jverbs.fault.FaultRule;
import io.jverbs.soft.layers.LayeredPair;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.DataPath;
import io.jverbs.spi.DeviceLayer;
import io.jverbs.spi.ForwardingContext;
import io.jverbs.spi.Handle;
import io.jverbs.spi.ProviderDevice;
import org.junit.jupiter.api.Test;

/** Catalogue E1, E2: the message for ENOMEM names the cause behind fault injection, too. */
final class FaultyPostErrorsTest extends FaultyPair {
    private static final int SIGNALED = SendFlags.SIGNALED;
    private static final String SEND_FULL = "the send queue of 16 requests is full: a slot becomes free when the"
            + " completion of its request, or of a later SIGNALED request, has been polled";
    private static final String RECEIVE_FULL = "the receive queue of 16 requests is full: a slot becomes free when the"
            + " completion of its request has been polled";

    /** A device layer below fault injection. It fails with an Error instead of executing the post with a number. */
    private static final class FailingPosts implements DeviceLayer {
        private int remaining = Integer.MAX_VALUE;

        @Override
        public int position() {
            return DEVICE;
        }

        @Override
        public ContextOps wrap(ProviderDevice device, ContextOps inner) {
            DataPath path = new Path(inner.dataPath());
            return new ForwardingContext(inner) {
                @Override
                public DataPath dataPath() {
                    return path;
                }
            };
        }

        private final class Path implements DataPath {
            private final DataPath inner;

            Path(DataPath inner) {
                this.inner = inner;
            }

            @Override
            public long postSend(Handle.Qp qp, SendWorkRequest head) {
                if (--remaining == 0) {
                    throw new OutOfMemoryError("none for a test");
                }
                return inner.postSend(qp, head);
            }

            @Override
            public long postReceive(Handle.Qp qp, ReceiveWorkRequest head) {
                return inner.postReceive(qp, head);
            }

            @Override
            public long postSharedReceive(Handle.Srq srq, ReceiveWorkRequest head) {
                return inner.postSharedReceive(srq, head);
            }

            @Override
            public String explainSend(Handle.Qp qp, SendWorkRequest head, int errno) {
                return "the device has refused an earlier post";
            }

            @Override
            public String explainReceive(Handle.Qp qp, ReceiveWorkRequest head, int errno) {
                return "the device has refused an earlier post";
            }

            @Override
            public int poll(Handle.Cq cq, WorkCompletions completions, int max) {
                return inner.poll(cq, completions, max);
            }

            @Override
            public int requestNotification(Handle.Cq cq, boolean solicitedOnly) {
                return inner.requestNotification(cq, solicitedOnly);
            }
        }
    }

    private final FailingPosts device = new FailingPosts();

    private void openFailing(FaultRule... rules) {
        faults = FaultInjection.of(rules);
        pair = new LayeredPair(device, faults);
    }

    private void assertRefused(SendWorkRequest head, String reason) {
        assertReason(reason, assertThrows(VerbsException.class, () -> pair.sender.postSend(head)));
    }

    private void assertRefused(ReceiveWorkRequest head, String reason) {
        assertReason(reason, assertThrows(VerbsException.class, () -> pair.sender.postReceive(head)));
    }

    private static void assertReason(String reason, VerbsException refused) {
        assertEquals(Errno.ENOMEM, refused.error());
        assertTrue(refused.getMessage().endsWith(": " + reason), refused::getMessage);
    }

    @Test
    void anErrorAfterAPartOfTheChainWasPostedIsNamed() {
        openFailing(FaultRule.raiseEvent(AsyncEventType.SQ_DRAINED).nth(2));
        device.remaining = 2;
        SendWorkRequest second = pair.write(2, SIGNALED);
        SendWorkRequest head = pair.write(1, SIGNALED).next(second);
        assertRefused(head, "fault injection ended the post after the requests before it, because of"
                + " java.lang.OutOfMemoryError: none for a test");
        assertSame(second, head.failed());
        pair.sender.postSend(second);
        assertEquals(2, pair.await(pair.sendCq, 2).size());
    }

    @Test
    void aQueueThatIsFullBecauseOfHeldCompletionsIsNamedEvenIfAnEarlierPostFailedOtherwise() {
        openFailing(FaultRule.raiseEvent(AsyncEventType.SQ_DRAINED).nth(2), FaultRule.hold());
        device.remaining = 2;
        pair.sender.tryPostSend(pair.write(1, SIGNALED).next(pair.write(2, SIGNALED)));
        for (int i = 1; i < LayeredPair.DEPTH; i++) {
            pair.sender.postSend(pair.write(i, SIGNALED));
        }
        assertEquals(0, pair.polled(pair.sendCq).size());
        assertRefused(pair.write(3, SIGNALED), SEND_FULL);
    }

    @Test
    void aQueueThatIsFullInErrAfterAnInjectedFailureIsNamed() {
        openFailing(FaultRule.failCompletion(WcStatus.GENERAL_ERR).nth(1));
        pair.sender.postSend(pair.write(1, SIGNALED));
        assertEquals(1, pair.polled(pair.sendCq).size());
        for (int i = 0; i < LayeredPair.DEPTH; i++) {
            pair.sender.postSend(pair.write(i, SIGNALED));
            pair.sender.postReceive(pair.receive(i));
        }
        assertRefused(pair.write(3, SIGNALED), SEND_FULL);
        assertRefused(pair.receive(3), RECEIVE_FULL);
    }
}
