package io.jverbs.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.jverbs.endpoint.KeepAlive.Action;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When a peer is checked, and when it is given up. */
class KeepAliveTest {
    private static final long START = Long.MAX_VALUE - 50;

    private static KeepAlive started() {
        KeepAlive keepAlive = new KeepAlive(EndpointOptions.builder().keepAlive(Duration.ofNanos(100))
                .keepAliveTimeout(Duration.ofMillis(1)).build());
        keepAlive.start(START);
        return keepAlive;
    }

    @Test
    void aSilentPeerIsCheckedAfterAnIntervalWithoutTrafficAndGivenUpAfterTheTimeout() {
        KeepAlive keepAlive = started();
        assertEquals(Action.NOTHING, keepAlive.at(START + 99));
        assertEquals(Action.NOTHING, keepAlive.at(START + 100), "the interval in which it was established");
        assertEquals(Action.PROBE, keepAlive.at(START + 200));
        assertEquals(Action.NOTHING, keepAlive.at(START + 200 + 999_999));
        assertEquals(Action.GIVE_UP, keepAlive.at(START + 200 + 1_000_000));
    }

    @Test
    void trafficAndAcknowledgedChecksKeepThePeer() {
        KeepAlive keepAlive = started();
        for (long time = START + 100; time < START + 2000; time += 100) {
            keepAlive.heard();
            assertEquals(Action.NOTHING, keepAlive.at(time));
        }
        long now = keepAlive.deadline();
        assertEquals(Action.PROBE, keepAlive.at(now));
        keepAlive.acknowledged();
        assertEquals(Action.NOTHING, keepAlive.at(keepAlive.deadline()));
        assertEquals(Action.PROBE, keepAlive.at(keepAlive.deadline()));
    }

    @Test
    void anIntervalOfZeroMeansNoChecks() {
        assertFalse(new KeepAlive(EndpointOptions.builder().keepAlive(Duration.ZERO).build()).isUsed());
    }
}
