package io.jverbs.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jverbs.control.PacketLoss;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.ProviderDevice;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

/** Opening a device with fault injection, if that fails. */
final class FaultLayerOpeningTest {
    private final List<IntPredicate> filters = new ArrayList<>();
    private final PacketLoss loss = new PacketLoss() {
        @Override
        public void add(IntPredicate filter) {
            filters.add(filter);
        }

        @Override
        public void remove(IntPredicate filter) {
            filters.remove(filter);
        }
    };

    /** A device whose name cannot be logged. */
    private final ProviderDevice device = new ProviderDevice() {
        @Override
        public String name() {
            throw new OutOfMemoryError("injected");
        }

        @Override
        public long nodeGuid() {
            return 0;
        }

        @Override
        public ContextOps open() {
            return (ContextOps) Proxy.newProxyInstance(FaultLayerOpeningTest.class.getClassLoader(),
                    new Class<?>[] {ContextOps.class}, (proxy, method, arguments) -> null);
        }

        @Override
        public <T> Optional<T> capability(Class<T> type) {
            return type == PacketLoss.class ? Optional.of(type.cast(loss)) : Optional.empty();
        }
    };

    @Test
    void aDeviceLosesNoPacketsByTheRulesOfAContextThatCouldNotBeOpened() {
        FaultInjection faults = FaultInjection.of(FaultRule.losePacket());

        assertThrows(OutOfMemoryError.class, () -> faults.wrap(device, device.open()));

        assertEquals(List.of(), filters);
        faults.add(FaultRule.losePacket());
        assertEquals(List.of(), filters);
    }
}
