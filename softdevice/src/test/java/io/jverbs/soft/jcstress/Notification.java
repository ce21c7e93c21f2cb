package io.jverbs.soft.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.jverbs.CompletionQueue;
import io.jverbs.SendFlags;
import io.jverbs.soft.fabric.udp.Receiver;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A receiver arms the completion queue, polls, and waits: a completion that the poll does not return raises an event.
 */
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The poll returned it; it was added before the arming.")
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The poll returned it, and an event was raised.")
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The poll did not return it, and an event was raised.")
@Outcome(id = "0, 0", expect = FORBIDDEN, desc = "The poll did not return it, and no event was raised.")
@Outcome(expect = FORBIDDEN, desc = "The numbers of completions or events are impossible.")
public final class Notification {
    private static final Duration WAIT = Duration.ofSeconds(2);

    private Notification() {}

    /** A receiver that arms and polls, and then awaits the event. */
    private abstract static class Receiver {
        private final ConnectedPair pair = ConnectedPair.take();
        private final boolean solicitedOnly;

        Receiver(boolean solicitedOnly) {
            this.solicitedOnly = solicitedOnly;
            pair.postReceive(Long.BYTES);
        }

        final void post() {
            pair.left.postSend(pair.send(Long.BYTES).flags(solicitedOnly ? SendFlags.SOLICITED : 0));
        }

        final void armAndPoll(II_Result result) {
            pair.rightCq.requestNotification(solicitedOnly);
            result.r1 = pair.rightCq.poll(pair.first);
        }

        final void awaitEvent(II_Result result) {
            result.r2 = takeEvent(result.r1 == 0 ? WAIT : Duration.ZERO);
            if (result.r2 == 0) {
                disarm();
            }
            pair.release();
        }

        private int takeEvent(Duration wait) {
            try {
                CompletionQueue notified = pair.channel.awaitEvent(wait);
                if (notified == null) {
                    return 0;
                }
                notified.acknowledgeEvents(1);
                return 1;
            } catch (InterruptedException e) {
                throw new IllegalStateException("the thread was interrupted unexpectedly", e);
            }
        }

        /** Consumes the arming; otherwise the queue would still be armed in the next test. */
        private void disarm() {
            pair.drain();
            pair.postReceive(Long.BYTES);
            post();
            takeEvent(WAIT);
        }
    }

    /** The queue is armed for any completion. */
    @JCStressTest
    @JCStressMeta(Notification.class)
    @State
    public static class OfAnyCompletion extends Receiver {

        public OfAnyCompletion() {
            super(false);
        }

        @Actor
        public void sender() {
            post();
        }

        @Actor
        public void receiver(II_Result result) {
            armAndPoll(result);
        }

        @Arbiter
        public void end(II_Result result) {
            awaitEvent(result);
        }
    }

    /** The queue is armed for solicited completions only. */
    @JCStressTest
    @JCStressMeta(Notification.class)
    @State
    public static class OfSolicitedCompletions extends Receiver {

        public OfSolicitedCompletions() {
            super(true);
        }

        @Actor
        public void sender() {
            post();
        }

        @Actor
        public void receiver(II_Result result) {
            armAndPoll(result);
        }

        @Arbiter
        public void end(II_Result result) {
            awaitEvent(result);
        }
    }
}
