package io.jverbs.rsocket.datagram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The ranges of the options of datagram sockets. */
class RdmaDatagramOptionsTest {
    private static final RdmaDatagramOptions DEFAULT = RdmaDatagramOptions.DEFAULT;

    private static void assertRefused(String sentence, Runnable call) {
        assertEquals(sentence, assertThrows(IllegalArgumentException.class, call::run).getMessage());
    }

    @Test
    void aValueOutsideItsRangeIsRefusedWithTheRange() {
        assertRefused("sendQueueSize 15 is outside 16..65534", () -> DEFAULT.withSendQueueSize(15));
        assertRefused("receiveQueueSize 65535 is outside 16..65534", () -> DEFAULT.withReceiveQueueSize(65_535));
        assertRefused("inlineSize 1025 is outside 0..1024", () -> DEFAULT.withInlineSize(1025));
        assertRefused("inlineSize -1 is outside 0..1024", () -> DEFAULT.withInlineSize(-1));
        assertRefused("maxPeers 1 is outside 2..1048576", () -> DEFAULT.withMaxPeers(1));
        assertRefused("resolveTimeout PT0S is outside more than PT0S..PT24H",
                () -> DEFAULT.withResolveTimeout(Duration.ZERO));
        assertRefused("spin PT-1S is outside PT0S..PT24H", () -> DEFAULT.withSpin(Duration.ofSeconds(-1)));
        assertRefused("spin PT25H is outside PT0S..PT24H", () -> DEFAULT.withSpin(Duration.ofHours(25)));
    }

    @Test
    void eachMethodChangesItsOption() {
        RdmaDatagramOptions changed = DEFAULT.withSendQueueSize(16).withReceiveQueueSize(17).withInlineSize(18)
                .withMaxPeers(19).withResolveTimeout(Duration.ofSeconds(20)).withSpin(Duration.ofSeconds(21));
        assertEquals(new RdmaDatagramOptions(16, 17, 18, 19, Duration.ofSeconds(20), Duration.ofSeconds(21)), changed);
    }
}
