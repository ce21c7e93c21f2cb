package io.jverbs.ibverbs;

import io.jverbs.spi.DeviceSelector;
import io.jverbs.spi.ProviderDevice;
import io.jverbs.spi.VerbsProvider;
import java.util.List;

/** The provider {@code stub}: the native device on {@code stub_provider.c}, with no question asked of the kernel. */
public final class StubProvider implements VerbsProvider {

    /** For {@link java.util.ServiceLoader}. */
    public StubProvider() {
        // nothing is kept
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
        return new AutoChoice.Unusable("it is a stub", false);
    }
}
