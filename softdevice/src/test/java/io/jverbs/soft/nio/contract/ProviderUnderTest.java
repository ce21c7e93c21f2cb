package io.jverbs.soft.nio.contract;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.nio.RdmaSelectorProvider;
import io.jverbs.rsocket.RdmaStreamOptions;
import io.jverbs.soft.LoopbackAddress;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.spi.SelectorProvider;

/** A provider whose channels the contracts test, and the address to which its listeners are bound. */
public enum ProviderUnderTest {
    /** The JDK's provider. It shows that the contracts require what the JDK does. */
    JDK {
        @Override
        public SelectorProvider provider() {
            return SelectorProvider.provider();
        }

        @Override
        public InetAddress address() {
            return InetAddress.getLoopbackAddress();
        }

        @Override
        public SilentListener silentListener() throws Exception {
            return FullListener.open(provider(), address());
        }

        @Override
        public boolean readsAndWritesAtOnceByChannelsClass() {
            return true;
        }
    },
    /** RDMA only, on a device within the JVM. */
    RDMA_WITHIN_JVM {
        @Override
        public SelectorProvider provider() {
            return WithinJvm.DEVICE.provider;
        }

        @Override
        public InetAddress address() {
            return WithinJvm.DEVICE.address;
        }

        @Override
        public SilentListener silentListener() {
            return RdmaSilentListener.open(WithinJvm.DEVICE.context, address());
        }
    },
    /** RDMA only, on a device with sockets. */
    RDMA_OVER_UDP {
        @Override
        public SelectorProvider provider() {
            return OverUdp.DEVICE.provider;
        }

        @Override
        public InetAddress address() {
            return OverUdp.DEVICE.address;
        }

        @Override
        public SilentListener silentListener() {
            return RdmaSilentListener.open(OverUdp.DEVICE.context, address());
        }
    };

    /** A listener at which connections stay pending, and its address. */
    public interface SilentListener extends Closeable {
        InetSocketAddress address() throws IOException;
    }

    private static final class WithinJvm {
        static final Device DEVICE = Device.open("soft");
    }

    private static final class OverUdp {
        static final Device DEVICE = Device.open(LoopbackAddress.wired());
    }

    /** A device, which stays open until the JVM ends. */
    private record Device(RdmaContext context, SelectorProvider provider, InetAddress address) {
        static Device open(String selector) {
            RdmaContext context = Verbs.open(selector);
            return new Device(context, new RdmaSelectorProvider(context, "always", RdmaStreamOptions.DEFAULT),
                    context.preferredGid(1).gid().toInetAddress());
        }
    }

    /** Returns the provider, always the same one. */
    public abstract SelectorProvider provider();

    /** Returns an address of this host that channels of the provider can be bound and connected to. */
    public abstract InetAddress address();

    /**
     * Opens a listener at which connections stay pending. With TCP, these are the ones that find the queue of the
     * listener full. The connection manager refuses those, and keeps the ones to which the program does not respond.
     */
    public abstract SilentListener silentListener() throws Exception;

    /**
     * Returns whether a thread can write to a stream of {@link java.nio.channels.Channels} while another one reads from
     * one of the same channel. The class locks {@link java.nio.channels.SelectableChannel#blockingLock} for both,
     * unless the channel is of the JDK's own class.
     */
    public boolean readsAndWritesAtOnceByChannelsClass() {
        return false;
    }
}
