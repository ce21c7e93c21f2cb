package io.jverbs.soft.nio.contract.adaptor;

import io.jverbs.soft.nio.contract.ProviderUnderTest;
import org.junit.jupiter.api.Nested;

/** The streams and the sockets of the JDK's channels fulfill the contracts. */
final class JdkAdaptorTest {
    @Nested
    final class ChannelStreams extends ChannelStreamsContract {
        ChannelStreams() {
            super(ProviderUnderTest.JDK);
        }
    }

    @Nested
    final class SocketStreams extends SocketStreamsContract {
        SocketStreams() {
            super(ProviderUnderTest.JDK);
        }
    }

    @Nested
    final class SocketAdaptor extends SocketAdaptorContract {
        SocketAdaptor() {
            super(ProviderUnderTest.JDK);
        }
    }

    @Nested
    final class ServerSocketAdaptor extends ServerSocketAdaptorContract {
        ServerSocketAdaptor() {
            super(ProviderUnderTest.JDK);
        }
    }
}
