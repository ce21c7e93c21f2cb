package io.jverbs.soft.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.jverbs.CompletionQueue;
import io.jverbs.SendFlags;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Arm, poll, wait: a completion that the poll does not find raises an event. */
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The poll found it; it came before the queue was armed.")
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The poll found it, and there is an event.")
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The poll did not find it, but there is an event.")
@Outcome(id = "0, 0", expect = FORBIDDEN, desc = "The wake-up is lost.")
@Outcome(expect = FORBIDDEN, desc = "Cannot be.")
public final class Notification {
    private static final Duration WAIT = Duration.ofSeconds(2);

    private Notification() {}

    /** A receiver that arms and polls, and then looks for the event. */
    private abstract static class Receiver {
        private final Link link = Link.take();
        private final boolean solicitedOnly;

        Receiver(boolean solicitedOnly) {
            this.solicitedOnly = solicitedOnly;
            link.postReceive(Long.BYTES);
        }

        final void post() {
            link.left.postSend(link.send(Long.BYTES).flags(solicitedOnly ? SendFlags.SOLICITED : 0));
        }

        final void armAndPoll(II_Result result) {
            link.rightCq.requestNotification(solicitedOnly);
            result.r1 = link.rightCq.poll(link.seen);
        }

        final void look(II_Result result) {
            result.r2 = takeEvent(result.r1 == 0 ? WAIT : Duration.ZERO);
            if (result.r2 == 0) {
                disarm();
            }
            link.giveBack();
        }

        private int takeEvent(Duration wait) {
            try {
                CompletionQueue fired = link.channel.awaitEvent(wait);
                if (fired == null) {
                    return 0;
                }
                fired.acknowledgeEvents(1);
                return 1;
            } catch (InterruptedException e) {
                throw new IllegalStateException("nobody interrupts", e);
            }
        }

        /** Uses the arming up, or the next test would find the queue armed. */
        private void disarm() {
            link.drain();
            link.postReceive(Long.BYTES);
            post();
            takeEvent(WAIT);
        }
    }

    /** Any completion. */
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
            look(result);
        }
    }

    /** Only solicited completions count. */
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
            look(result);
        }
    }
}
