package io.jverbs.soft.layers.strict;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.CompletionQueue;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.soft.layers.LayeredPair;
import io.jverbs.strict.Violation.Kind;
import org.junit.jupiter.api.Test;

/**
 * Checks that strict mode distinguishes simulated networks with the same seed, whose queue pair numbers and GIDs are
 * equal.
 */
final class StrictNetworksTest extends StrictReports {

    /** Two connected queue pairs in a separate network; the sender has rnr_retry 0. */
    private static final class Network implements AutoCloseable {
        final RdmaContext context;
        final QueuePair sender;
        final QueuePair receiver;

        Network(String name, StrictNetworksTest test) {
            context = Verbs.select("soft:sim0?seed=11&network=" + name).open(test.strict);
            ProtectionDomain pd = context.allocatePd();
            CompletionQueue cq = context.createCompletionQueue(64);
            QpInitAttributes init = QpInitAttributes.builder(QpType.RC).cq(cq).build();
            sender = pd.createQueuePair(init);
            receiver = pd.createQueuePair(init);
            receiver.connect(sender.localInfo());
            LayeredPair.connectWithoutRnrRetry(context, sender, receiver);
        }

        @Override
        public void close() {
            context.close();
        }
    }

    @Test
    void receivesOfOneNetworkDoNotCountInAnother() {
        try (Network one = new Network("one", this); Network other = new Network("other", this)) {
            assertEquals(one.receiver.number(), other.receiver.number());
            assertEquals(one.receiver.localInfo().gid(), other.receiver.localInfo().gid());
            for (Network each : new Network[] {one, other}) {
                each.receiver.postReceive(ReceiveWorkRequest.create(0));
                each.sender.postSend(SendWorkRequest.create(0));
            }
            assertNothingFound();
            other.sender.postSend(SendWorkRequest.create(0));
            assertFound(Kind.NO_RECEIVE_POSTED);
        }
    }
}
