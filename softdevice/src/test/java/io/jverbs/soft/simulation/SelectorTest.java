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

/** Selectors of simulated devices, and how long their networks live. */
final class SelectorTest {

    @Test
    void aDeviceIsNamedByItsSelector() {
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
        "loss=NaN | not a probability", "loss=much | not a number", "burst=0.1 | not BEGIN,END",
        "burst=0.1,0.2,0.3,0.4 | not BEGIN,END", "reorder=0.1 | not P,TIME", "reorder=0.1,5 | not a time",
        "delay=5 | not a time",
        "delay=2000000s | not 0 to 1 hour", "delay=999999999999999s | too much", "jitter=-5us | not a time",
        "bandwidth=10 | not a rate", "bandwidth=999bit | neither 0 nor", "bandwidth=2000Gbit | neither 0 nor",
        "mtu=347 | not 348 to 65535", "mtu=70000 | not 348 to 65535", "mtu=big | not a number",
        "time=fast | not auto, stepped, real",
        "seed=x | not a number", "network=a/b | not a name", "colour=red | unknown option"})
    void whatItDoesNotUnderstandIsRefusedWithThePartAndTheGrammar(String option, String why) {
        String selector = "soft:sim?seed=1&network=refused&" + option;
        String plain = option.startsWith("seed") || option.startsWith("network") ? "soft:sim?" + option : selector;
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> Verbs.select(plain));
        assertTrue(refused.getMessage().contains(option + ": "), refused::getMessage);
        assertTrue(refused.getMessage().contains(why), refused::getMessage);
        assertTrue(refused.getMessage().contains("burst=BEGIN,END"), refused::getMessage);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sim256", "sim01", "simx", "sim-1"})
    void thereAreDevices0To255(String target) {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                () -> Verbs.select("soft:" + target));
        assertTrue(refused.getMessage().contains(target), refused::getMessage);
        assertTrue(refused.getMessage().contains("soft:simN"), refused::getMessage);
    }

    @Test
    void aSecondSelectorSaysTheSameOrNothing() {
        try (RdmaContext first = Verbs.open("soft:sim?seed=8&loss=0.5&delay=3us");
                RdmaContext second = Verbs.open("soft:sim1?seed=8");
                RdmaContext third = Verbs.open("soft:sim2?delay=3us&seed=8&loss=0.5")) {
            assertEquals(network(first), network(second));
            assertEquals(network(first), network(third));
            VerbsException refused = assertThrows(VerbsException.class, () -> Verbs.open("soft:sim1?seed=8&loss=0.1"));
            assertEquals(Errno.EBUSY.code(), refused.errno());
            assertTrue(refused.getMessage().contains("loss=0.5"), refused::getMessage);
        }
    }

    @Test
    void aNetworkThatNobodyOpenedIsInNobodysWay() {
        RdmaDevice lossy = Verbs.select("soft:sim?seed=10&loss=0.5");
        RdmaDevice plain = Verbs.select("soft:sim1?seed=10");
        assertEquals(network(lossy), network(plain), "it says nothing else");
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
    void aNetworkLivesUntilItsLastContextIsClosed() {
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
    void theMtuOfLinksIsThatOfPorts() {
        try (RdmaContext context = Verbs.open("soft:sim?seed=1&network=mtu&mtu=1500")) {
            assertEquals(Mtu.MTU_1024, context.queryPort(1).activeMtu());
        }
        try (RdmaContext context = Verbs.open("soft:sim?seed=1&network=mtu&mtu=348")) {
            assertEquals(Mtu.MTU_256, context.queryPort(1).activeMtu());
        }
    }

    @Test
    void aPortIsAsItsSelectorSaysWhateverLinksAreMadeToDo() {
        String options = "?seed=1&network=mtu-later";
        try (RdmaContext first = Verbs.open("soft:sim0" + options)) {
            network(first).links().mtu(400);
            try (RdmaContext second = Verbs.open("soft:sim1" + options)) {
                assertEquals(Mtu.MTU_4096, second.queryPort(1).activeMtu());
            }
        }
    }

    @Test
    void methodsRefuseWhatCannotBe() {
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
