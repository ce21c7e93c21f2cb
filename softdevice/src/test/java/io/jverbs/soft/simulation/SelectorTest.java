package io.jverbs.soft.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.Mtu;
import io.jverbs.RdmaContext;
import io.jverbs.RdmaDevice;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.control.SimulatedNetwork;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Selectors of simulated devices, and the lifetime of their networks. */
final class SelectorTest {

    @Test
    void deviceIsIdentifiedByItsSelector() {
        try (RdmaContext first = Verbs.open("soft:sim?seed=7&network=named");
                RdmaContext second = Verbs.open("soft:sim1?seed=7&network=named")) {
            assertEquals("soft:sim0?seed=7&network=named", first.device().selector());
            assertEquals(first.device(), Verbs.select(first.device().selector()));
            assertNotEquals(first.device(), second.device());
            SimulatedNetwork network = network(first);
            assertEquals(network, network(second));
            assertEquals(second.device(), Verbs.select(network.selector(1)));
            assertEquals(7, network.seed());
            assertTrue(Verbs.devices().contains(second.device()));
        }
    }

    private static SimulatedNetwork network(RdmaContext context) {
        return network(context.device());
    }

    private static SimulatedNetwork network(RdmaDevice device) {
        return device.capability(SimulatedNetwork.class).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"loss=2 | not a probability", "loss=-0.1 | not a probability",
        "loss=NaN | not a probability", "loss=much | not a number from 0 to 1",
        "burst=0.1 | not BEGIN,END",
        "burst=0.1,0.2,0.3,0.4 | not BEGIN,END", "reorder=0.1 | not P,TIME", "reorder=0.1,5 | not a time",
        "delay=5 | not a time",
        "delay=2000000s | not from 0 to 1 hour", "delay=999999999999999s | too large", "jitter=-5us | not a time",
        "bandwidth=10 | not a rate", "bandwidth=999bit | allowed are 0", "bandwidth=2000Gbit | allowed are 0",
        "mtu=347 | not from 348 to 65535", "mtu=70000 | not from 348 to 65535",
        "mtu=big | not a number from 348 to 65535 bytes",
        "time=fast | not one of auto, stepped, real",
        "seed=x | not a number", "network=a/b | not a name", "colour=red | unknown option"})
    void invalidOptionIsRejectedWithOptionReasonAndGrammar(String option, String why) {
        String selector = "soft:sim?seed=1&network=refused&" + option;
        String plain = option.startsWith("seed") || option.startsWith("network") ? "soft:sim?" + option : selector;
        IllegalArgumentException rejected = assertThrows(IllegalArgumentException.class, () -> Verbs.select(plain));
        assertTrue(rejected.getMessage().contains(option + ": "), rejected::getMessage);
        assertTrue(rejected.getMessage().contains(why), rejected::getMessage);
        assertTrue(rejected.getMessage().contains("burst=BEGIN,END"), rejected::getMessage);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sim01", "simx", "sim-1"})
    void deviceNumberOutsideOf0To255IsRejected(String target) {
        IllegalArgumentException rejected = assertThrows(IllegalArgumentException.class,
                () -> Verbs.select("soft:" + target));
        assertTrue(rejected.getMessage().contains(target), rejected::getMessage);
        assertTrue(rejected.getMessage().contains("soft:simN"), rejected::getMessage);
    }

    @Test
    void laterSelectorWithDifferentOptionsFailsWithEbusy() {
        try (RdmaContext first = Verbs.open("soft:sim?seed=8&loss=0.5&delay=3us");
                RdmaContext second = Verbs.open("soft:sim1?seed=8");
                RdmaContext third = Verbs.open("soft:sim2?delay=3us&seed=8&loss=0.5")) {
            assertEquals(network(first), network(second));
            assertEquals(network(first), network(third));
            VerbsException rejected = assertThrows(VerbsException.class, () -> Verbs.open("soft:sim1?seed=8&loss=0.1"));
            assertEquals(Errno.EBUSY.code(), rejected.errno());
            assertTrue(rejected.getMessage().contains("loss=0.5"), rejected::getMessage);
        }
    }

    @Test
    void networkWithoutContextsIsReplacedByOneWithOtherOptions() {
        RdmaDevice lossy = Verbs.select("soft:sim?seed=10&loss=0.5");
        RdmaDevice plain = Verbs.select("soft:sim1?seed=10");
        assertEquals(network(lossy), network(plain), "a selector without options selects the same network");
        try (RdmaContext other = Verbs.open("soft:sim?seed=10&delay=5us")) {
            assertNotEquals(network(lossy), network(other));
            VerbsException ended = assertThrows(VerbsException.class, lossy::open);
            assertEquals(Errno.ENODEV.code(), ended.errno());
            assertTrue(ended.getMessage().contains("select the device again"), ended::getMessage);
            assertFalse(Verbs.devices().contains(plain));
            assertThrows(VerbsException.class, () -> Verbs.select("soft:sim?seed=10&loss=0.5"));
        }
        Verbs.open("soft:sim?seed=10&loss=0.5").close();
    }

    @Test
    void networkEndsWhenItsLastContextIsClosed() {
        RdmaDevice device = Verbs.select("soft:sim?seed=9&network=ends");
        SimulatedNetwork before;
        try (RdmaContext second = Verbs.open("soft:sim1?seed=9&network=ends")) {
            before = network(second);
            before.advance(Duration.ofMillis(5));
            device.open().close();
            assertEquals(before, network(Verbs.select("soft:sim2?seed=9&network=ends")));
        }
        VerbsException ended = assertThrows(VerbsException.class, device::open);
        assertTrue(ended.getMessage().contains("select the device again"), ended::getMessage);
        try (RdmaContext again = Verbs.open("soft:sim?seed=9&network=ends")) {
            assertNotEquals(before, network(again));
            assertEquals(Duration.ZERO, network(again).now());
        }
    }

    @Test
    void mtuOptionLimitsActiveMtuOfPort() {
        try (RdmaContext context = Verbs.open("soft:sim?seed=1&network=mtu&mtu=1500")) {
            assertEquals(Mtu.MTU_1024, context.queryPort(1).activeMtu());
        }
        try (RdmaContext context = Verbs.open("soft:sim?seed=1&network=mtu&mtu=348")) {
            assertEquals(Mtu.MTU_256, context.queryPort(1).activeMtu());
        }
    }

    @Test
    void laterChangeOfLinkMtuDoesNotChangeActiveMtuOfPort() {
        String options = "?seed=1&network=mtu-later";
        try (RdmaContext first = Verbs.open("soft:sim0" + options)) {
            network(first).links().mtu(400);
            try (RdmaContext second = Verbs.open("soft:sim1" + options)) {
                assertEquals(Mtu.MTU_4096, second.queryPort(1).activeMtu());
            }
        }
    }

    @Test
    void methodsRejectInvalidArguments() {
        try (RdmaContext context = Verbs.open("soft:sim?seed=1&network=methods")) {
            SimulatedNetwork network = network(context);
            assertThrows(IllegalArgumentException.class, () -> network.link(0, 256));
            assertThrows(IllegalArgumentException.class, () -> network.path(-1, 0));
            assertThrows(IllegalArgumentException.class, () -> network.partition(0, 300));
            assertThrows(IllegalArgumentException.class, () -> network.selector(256));
            assertThrows(IllegalArgumentException.class, () -> network.advance(Duration.ofNanos(-1)));
            assertThrows(IllegalArgumentException.class, () -> network.advance(Duration.ofDays(366)));
            assertThrows(IllegalArgumentException.class, () -> network.links().loss(1.01));
            assertThrows(IllegalArgumentException.class, () -> network.links().burstLoss(0.5, 0.5, Double.NaN));
            assertThrows(IllegalArgumentException.class, () -> network.links().delay(Duration.ofHours(2)));
            assertThrows(IllegalArgumentException.class, () -> network.links().bandwidth(-1));
            assertThrows(IllegalArgumentException.class, () -> network.links().mtu(0));
        }
    }
}
