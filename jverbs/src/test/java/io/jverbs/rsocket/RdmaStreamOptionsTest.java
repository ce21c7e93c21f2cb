package io.jverbs.rsocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.DeviceAttributes;
import java.time.Duration;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The options of streams and their ranges. */
class RdmaStreamOptionsTest {
    private static final RdmaStreamOptions DEFAULT = RdmaStreamOptions.DEFAULT;

    private static void refused(String expected, Function<RdmaStreamOptions, RdmaStreamOptions> change) {
        String sentence = assertThrows(IllegalArgumentException.class, () -> change.apply(DEFAULT)).getMessage();
        assertTrue(sentence.contains(expected), sentence);
    }

    @Test
    void eachOptionIsSetByItself() {
        RdmaStreamOptions options = DEFAULT.withSendQueueSize(16).withReceiveQueueSize(17).withInlineSize(0)
                .withSendBufferSize(4096).withReceiveBufferSize(8192).withIomapSize(3).withBacklog(1)
                .withConnectTimeout(Duration.ofSeconds(1)).withCloseTimeout(Duration.ofSeconds(2))
                .withKeepAlive(Duration.ofSeconds(3)).withKeepAliveTimeout(Duration.ofSeconds(4))
                .withSpin(Duration.ZERO);
        assertEquals(new RdmaStreamOptions(16, 17, 0, 4096, 8192, 3, 1, Duration.ofSeconds(1), Duration.ofSeconds(2),
                Duration.ofSeconds(3), Duration.ofSeconds(4), Duration.ZERO), options);
    }

    @Test
    void sizesAreRoundedToWhatTheProtocolCanExpress() {
        assertEquals(4224, DEFAULT.withReceiveBufferSize(4097).receiveBufferSize());
        assertEquals(1 << 30, DEFAULT.withReceiveBufferSize(1 << 30).receiveBufferSize());
        assertEquals(256, DEFAULT.withIomapSize(300).iomapSize());
    }

    @Test
    void queuesAreLimitedToWhatTheDeviceHas() {
        DeviceAttributes.Builder device = DeviceAttributes.builder().maxQpWr(1000).maxCqe(100_000);
        RdmaStreamOptions large = DEFAULT.withSendQueueSize(65534).withReceiveQueueSize(65534);
        assertEquals(DEFAULT.withSendQueueSize(1000).withReceiveQueueSize(968), large.within(device.build()));
        assertEquals(DEFAULT, DEFAULT.within(device.build()));
        assertEquals(DEFAULT.withSendQueueSize(200).withReceiveQueueSize(200),
                DEFAULT.within(device.maxCqe(432).build()), "both queues and 32 more receives");
        assertEquals(DEFAULT.withSendQueueSize(100).withReceiveQueueSize(300),
                DEFAULT.withSendQueueSize(100).within(device.maxCqe(432).build()));
        assertEquals(DEFAULT.withSendQueueSize(16).withReceiveQueueSize(16),
                DEFAULT.within(device.maxQpWr(10).build()), "the least that the protocol needs");
    }

    @Test
    void aValueOutsideItsRangeIsRefusedWithTheValueAndTheRange() {
        refused("sendQueueSize 15 is outside 16..65534", options -> options.withSendQueueSize(15));
        refused("receiveQueueSize 65535 is outside 16..65534", options -> options.withReceiveQueueSize(65535));
        refused("inlineSize -1 is outside 0..1024", options -> options.withInlineSize(-1));
        refused("sendBufferSize 4095 is outside 4096..1073741824", options -> options.withSendBufferSize(4095));
        refused("receiveBufferSize 1073741825 is outside", options -> options.withReceiveBufferSize((1 << 30) + 1));
        refused("iomapSize 32513 is outside 0..32512", options -> options.withIomapSize(32513));
        refused("backlog 0 is outside 1..4096", options -> options.withBacklog(0));
        refused("connectTimeout PT0S is outside more than PT0S..PT24H",
                options -> options.withConnectTimeout(Duration.ZERO));
        refused("closeTimeout PT-1S is outside", options -> options.withCloseTimeout(Duration.ofSeconds(-1)));
        refused("keepAlive PT24H0.001S is outside PT0S..PT24H",
                options -> options.withKeepAlive(Duration.ofDays(1).plusMillis(1)));
        refused("keepAliveTimeout PT0S is outside", options -> options.withKeepAliveTimeout(Duration.ZERO));
        refused("spin PT-0.000000001S is outside", options -> options.withSpin(Duration.ofNanos(-1)));
    }
}
