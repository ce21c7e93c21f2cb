package io.jverbs.ibverbs;

import io.jverbs.spi.DeviceSelector;
import io.jverbs.spi.ProviderDevice;
import io.jverbs.spi.VerbsProvider;
import java.util.List;

/**
 * The provider {@code stub}: the native device with {@code stub_provider.c}, without the checks of the kernel that
 * {@link NativeProvider} makes.
 */
public final class StubProvider implements VerbsProvider {

    /** Required by {@link java.util.ServiceLoader}. */
    public StubProvider() {
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
        return NativeDevice.list();
    }

    @Override
    public ProviderDevice device(DeviceSelector selector) {
        return devices().getFirst();
    }

    @Override
    public AutoChoice auto() {
        return new AutoChoice.Unusable("the stub provider is for tests only", false);
    }
}
