package io.jverbs.soft.nio.contract.adaptor;

import io.jverbs.soft.nio.contract.ProviderUnderTest;
import org.junit.jupiter.api.Nested;

/** The streams and the sockets of RDMA over UDP's channels fulfill the contracts. */
final class UdpAdaptorTest {
    @Nested
    final class ChannelStreams extends ChannelStreamsContract {
        ChannelStreams() {
            super(ProviderUnderTest.RDMA_OVER_UDP);
        }
    }

    @Nested
    final class SocketStreams extends SocketStreamsContract {
        SocketStreams() {
            super(ProviderUnderTest.RDMA_OVER_UDP);
        }
    }

    @Nested
    final class SocketAdaptor extends SocketAdaptorContract {
        SocketAdaptor() {
            super(ProviderUnderTest.RDMA_OVER_UDP);
        }
    }

    @Nested
    final class ServerSocketAdaptor extends ServerSocketAdaptorContract {
        ServerSocketAdaptor() {
            super(ProviderUnderTest.RDMA_OVER_UDP);
        }
    }
}
