package io.jverbs.samples.sockets;

import io.jverbs.nio.RdmaSelectorProvider;
import io.jverbs.samples.console.SampleFailure;
import java.nio.channels.spi.SelectorProvider;

/** Puts the channels of this JVM on RDMA. */
final class RdmaProvider {
    /** The property of the JDK that names the provider. */
    private static final String PROPERTY = "java.nio.channels.spi.SelectorProvider";

    private RdmaProvider() {}

    /** Makes the provider the one of the system. It must be called before the first channel is opened. */
    static void install() {
        System.setProperty(PROPERTY, RdmaSelectorProvider.class.getName());
        SelectorProvider provider = SelectorProvider.provider();
        if (!(provider instanceof RdmaSelectorProvider)) {
            throw new SampleFailure("this JVM already has the selector provider " + provider.getClass().getName()
                    + ": start the sample in a JVM of its own, or with -D" + PROPERTY + "="
                    + RdmaSelectorProvider.class.getName());
        }
    }
}
