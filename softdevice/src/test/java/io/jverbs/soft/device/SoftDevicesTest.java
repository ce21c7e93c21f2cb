package io.jverbs.soft.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.fabric.Fabric;
import io.jverbs.soft.fabric.FabricType;
import io.jverbs.soft.fabric.LocalNetwork;
import io.jverbs.soft.fabric.NetworkLifetime;
import io.jverbs.soft.fabric.PacketSource;
import io.jverbs.soft.fabric.RealTimers;
import io.jverbs.soft.fabric.SoftPort;
import io.jverbs.spi.DeviceSelector;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How devices are created when they are selected, and how long they exist. */
final class SoftDevicesTest {
    private final LocalNetwork network = new LocalNetwork(new RealTimers());
    private final SoftDevices devices = new SoftDevices(new TestType());
    /** What the next fabric throws when it starts, or null. */
    private Error failure;
    private TestSource latest;

    /** A type whose selectors are numbers. */
    private final class TestType implements FabricType {
        @Override
        public String grammar() {
            return "a number";
        }

        @Override
        public boolean accepts(String target) {
            return true;
        }

        @Override
        public ResolvedDevice resolve(DeviceSelector selector) {
            int number = Integer.parseInt(selector.target());
            return new ResolvedDevice() {
                @Override
                public Key key() {
                    return new Key("test", number);
                }

                @Override
                public Fabric open() {
                    latest = new TestSource();
                    return new TestFabric(network, number, latest, latest);
                }
            };
        }
    }

    /** The source and the lifetime of a fabric that carries nothing. */
    private final class TestSource implements PacketSource, NetworkLifetime {
        private Runnable atEnd = () -> {};
        private boolean ended;
        private boolean closed;

        @Override
        public void serve(SoftPort port) {
            assertFalse(closed);
        }

        @Override
        public void start() {
            if (failure != null) {
                throw failure;
            }
        }

        @Override
        public boolean poll() {
            throw new AssertionError("no thread polls");
        }

        @Override
        public void close() {
            closed = true;
        }

        @Override
        public void contextOpened() {
            assertFalse(ended);
        }

        @Override
        public void contextClosed() {
            ended = true;
            atEnd.run();
        }

        @Override
        public void atEnd(Runnable action) {
            atEnd = action;
        }

        @Override
        public boolean hasEnded() {
            return ended;
        }
    }

    private SoftDevice select(int number) {
        return devices.device(DeviceSelector.parse("soft:" + number));
    }

    private List<String> listed() {
        return devices.devices().stream().map(SoftDevice::name).toList();
    }

    @Test
    void devicesAreListedByTheirNumbers() {
        select(10);
        select(9);
        select(100);
        assertEquals(List.of("test9", "test10", "test100"), listed());
    }

    @Test
    void aSelectorSelectsTheSameDeviceUntilItIsRemoved() {
        SoftDevice device = select(1);
        assertSame(device, select(1));
        device.remove();
        assertEquals(List.of(), listed());
        assertNotSame(device, select(1));
    }

    @Test
    void aDeviceWhoseFabricDoesNotStartIsRemovedSoThatItsAddressIsFree() {
        failure = new OutOfMemoryError("of the test");
        assertSame(failure, assertThrows(OutOfMemoryError.class, () -> select(1)));
        assertTrue(latest.closed);
        assertEquals(List.of(), listed());
        failure = null;
        assertEquals("test1", select(1).name());
    }

    @Test
    void aDeviceExistsAsLongAsItsNetwork() {
        SoftDevice device = select(1);
        TestSource source = latest;
        device.open().close();
        assertTrue(source.ended);
        assertEquals(List.of(), listed());
        // its addresses are those of the network that has ended
        device.remove();
        assertNotSame(device, select(1));
    }

    @Test
    void aDeviceWhoseNetworkEndsUnnoticedIsNotSelectedAgain() {
        SoftDevice device = select(1);
        latest.ended = true;
        device.remove();
        assertNotSame(device, select(1));
        latest.ended = true;
        assertEquals(List.of(), listed());
    }
}
