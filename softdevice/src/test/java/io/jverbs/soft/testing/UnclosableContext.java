package io.jverbs.soft.testing;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.DeviceLayer;
import io.jverbs.spi.ForwardingContext;
import io.jverbs.spi.LayerSource;
import io.jverbs.spi.ProviderDevice;
import java.util.Optional;

/** Makes closing a context fail with EBUSY while the sample {@link Samples.InClosing} runs. */
public final class UnclosableContext implements LayerSource {

    /** Called by {@link java.util.ServiceLoader}. */
    public UnclosableContext() {
        // has no state
    }

    @Override
    public Optional<DeviceLayer> configured() {
        boolean active = Samples.InClosing.class.getSimpleName().equals(System.getProperty(SampleRun.FAIL_PROPERTY));
        return active ? Optional.of(new Layer()) : Optional.empty();
    }

    private static final class Layer implements DeviceLayer {
        @Override
        public int position() {
            return DEVICE;
        }

        @Override
        public ContextOps wrap(ProviderDevice device, ContextOps inner) {
            return new ForwardingContext(inner) {
                @Override
                public void close() {
                    inner().close();
                    throw new VerbsException("close_device", Errno.EBUSY, device.name() + " as it should");
                }
            };
        }
    }
}
