package io.jverbs.ibverbs;

import io.jverbs.ffm.DataPathCalls.Critical;
import io.jverbs.ffm.DeviceCalls;
import io.jverbs.ffm.NativeMemory;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.DeviceSelector;
import io.jverbs.spi.ProviderDevice;
import io.jverbs.spi.VerbsProvider;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * The provider {@code stub}: the native device on the loaded libibverbs, without queries to the kernel.
 * {@code stub:critical} calls all eligible verbs as critical functions, {@code stub:plain} none.
 */
public final class CriticalCallsProvider implements VerbsProvider {

    /** For {@link java.util.ServiceLoader}. */
    public CriticalCallsProvider() {
        // no state
    }

    @Override
    public String name() {
        return "stub";
    }

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public int autoRank() {
        return Integer.MAX_VALUE;
    }

    @Override
    public List<? extends ProviderDevice> devices() {
        return List.of();
    }

    @Override
    public ProviderDevice device(DeviceSelector selector) {
        return new Device(selector.target(), switch (selector.target()) {
            case "critical" -> Critical.ALL;
            case "plain" -> Critical.NONE;
            default -> throw new IllegalArgumentException(
                    selector + " is not a device; allowed are stub:critical, stub:plain");
        });
    }

    @Override
    public AutoChoice auto() {
        return new AutoChoice.Unusable("it is a stub", false);
    }

    private record Device(String name, Critical critical) implements ProviderDevice {
        @Override
        public long nodeGuid() {
            return 2;
        }

        @Override
        public ContextOps open() {
            long list = DeviceCalls.getDeviceList(MemorySegment.NULL);
            long context = DeviceCalls.openDevice(NativeMemory.getLong(list));
            DeviceCalls.freeDeviceList(list);
            return new NativeContext(name, context, device -> critical);
        }

        @Override
        public <T> Optional<T> capability(Class<T> type) {
            return Optional.empty();
        }
    }
}
