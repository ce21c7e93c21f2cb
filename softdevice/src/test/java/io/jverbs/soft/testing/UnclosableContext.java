package io.jverbs.soft.testing;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.DeviceLayer;
import io.jverbs.spi.ForwardingContext;
import io.jverbs.spi.LayerSource;
import io.jverbs.spi.ProviderDevice;
import java.util.Optional;

/** Has contexts of the sample {@link Samples.InClosing} say that they cannot be closed. */
public final class UnclosableContext implements LayerSource {

    /** For {@link java.util.ServiceLoader}. */
    public UnclosableContext() {
        // nothing is kept
    }

    @Override
    public Optional<DeviceLayer> configured() {
        boolean asked = Samples.InClosing.class.getSimpleName().equals(System.getProperty(SampleRun.ASKED));
        return asked ? Optional.of(new Layer()) : Optional.empty();
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
