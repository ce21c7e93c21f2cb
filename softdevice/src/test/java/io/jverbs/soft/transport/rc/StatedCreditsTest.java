package io.jverbs.soft.transport.rc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.soft.memory.SoftMr;
import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.transport.BareDevice;
import io.jverbs.soft.transport.BareQueuePair;
import io.jverbs.soft.transport.RecordedService;
import io.jverbs.soft.wire.Aeth;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** L34, L43: how long the credits that a responder has stated last, also when the MSN wraps around. */
final class StatedCreditsTest {
    private final BareDevice device = BareDevice.withWire();
    private final RecordedService service = new RecordedService(new ReliableConnection());
    private final BareQueuePair pair = device.create(service, 5, null);
    private final MemorySegment inbox = BareDevice.memory(8);
    private final SoftMr region = device.register(inbox, Access.LOCAL_WRITE);
    private final StatedCredits credits = new StatedCredits(pair.qp, service.receives());

    private void connect() {
        pair.qp.settings().pathMtu = 256;
        pair.connect(BareDevice.PEER, 9, 0, 0);
    }

    private void postReceive() {
        pair.postReceive(1, region, inbox.address(), 8);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, Psns.MASK - 2, Psns.MASK - 1, Psns.MASK})
    void eachMessageThatTakesAReceiveUsesUpOneCredit(int msn) {
        connect();
        postReceive();
        postReceive();
        pair.locked(() -> {
            assertFalse(credits.areUsedUp(msn), "none were stated");
            assertEquals(Aeth.ack(2), credits.syndrome(msn));
            assertFalse(credits.areUsedUp(msn));
            assertFalse(credits.areUsedUp(Psns.add(msn, 1)));
            assertTrue(credits.areUsedUp(Psns.add(msn, 2)));
            credits.messageWithoutReceive();
            assertFalse(credits.areUsedUp(Psns.add(msn, 2)));
            assertTrue(credits.areUsedUp(Psns.add(msn, 3)));
            credits.clear();
            assertFalse(credits.areUsedUp(Psns.add(msn, 3)));
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, Psns.MASK})
    void anAckIsAwaitedByAPeerThatHasSentItsProbeOrWaitsForReports(int msn) {
        connect();
        postReceive();
        pair.locked(() -> {
            assertFalse(credits.areAwaited(msn), "none were stated");
            credits.syndrome(msn);
            assertFalse(credits.areAwaited(Psns.add(msn, 1)), "it sends a probe");
            assertTrue(credits.areAwaited(Psns.add(msn, 2)), "it has sent the probe");
            credits.reported();
            assertFalse(credits.areAwaited(msn));
            assertTrue(credits.areAwaited(Psns.add(msn, 1)));
            credits.clear();
            credits.syndrome(msn);
            assertFalse(credits.areAwaited(Psns.add(msn, 1)));
        });
    }
}
