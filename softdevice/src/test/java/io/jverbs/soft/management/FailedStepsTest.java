package io.jverbs.soft.management;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jverbs.CompletionQueue;
import io.jverbs.Errno;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventChannel;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.CmId;
import io.jverbs.cm.PortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a program is told if a step that the library does for it, with its queue pair, fails. */
@Timeout(60)
final class FailedStepsTest {
    private static final InetSocketAddress GROUP = new InetSocketAddress("239.1.2.5", 0);

    /** K131: the queue pair was destroyed; the ID is a member all the same, until it leaves. */
    @Test
    void aQueuePairThatCannotBeAttachedIsAMulticastErrorWithStatusMinus1() throws Exception {
        try (RdmaContext context = Verbs.open("soft:soft78");
                ProtectionDomain pd = context.allocatePd();
                CompletionQueue cq = context.createCompletionQueue(16);
                CmEventChannel channel = CmEventChannel.create(context);
                CmId id = channel.createId(PortSpace.UDP)) {
            id.bind(new InetSocketAddress(context.preferredGid(1).gid().toInetAddress(), 0));
            id.createQueuePair(pd, QpInitAttributes.builder(QpType.UD).cq(cq).build()).close();
            id.joinMulticast(GROUP, false, "context");
            try (CmEvent event = next(channel)) {
                assertEquals(CmEventType.MULTICAST_ERROR, event.type());
                assertEquals(-1, event.status());
                assertEquals("context", event.multicastContext());
            }
            id.leaveMulticast(GROUP);
            VerbsException refusal = assertThrows(VerbsException.class, () -> id.leaveMulticast(GROUP));
            assertEquals(Errno.EADDRNOTAVAIL, refusal.error());
        }
    }

    /** K131: without a queue pair the ID joins, and the program attaches its own. */
    @Test
    void anIdWithoutAQueuePairJoins() throws Exception {
        try (RdmaContext context = Verbs.open("soft:soft79");
                CmEventChannel channel = CmEventChannel.create(context);
                CmId id = channel.createId(PortSpace.UDP)) {
            id.bind(new InetSocketAddress(context.preferredGid(1).gid().toInetAddress(), 0));
            id.joinMulticast(GROUP, false, null);
            try (CmEvent event = next(channel)) {
                assertEquals(CmEventType.MULTICAST_JOIN, event.type());
            }
            assertNull(channel.awaitEvent(Duration.ZERO));
        }
    }

    private static CmEvent next(CmEventChannel channel) throws InterruptedException {
        CmEvent event = channel.awaitEvent(Duration.ofSeconds(30));
        assertNotNull(event, "no event");
        return event;
    }
}
