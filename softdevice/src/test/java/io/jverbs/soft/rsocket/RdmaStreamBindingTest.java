package io.jverbs.soft.rsocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.rsocket.RdmaStream;
import io.jverbs.rsocket.RdmaStreamBinding;
import io.jverbs.rsocket.RdmaStreamListener;
import io.jverbs.rsocket.RdmaStreamOptions;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ports that are reserved for streams, as rbind does. */
@Timeout(60)
final class RdmaStreamBindingTest {
    private static final Duration ACCEPT = Duration.ofSeconds(30);

    private static void assertInUse(RdmaContext context, InetSocketAddress address) {
        VerbsException thrown = assertThrows(VerbsException.class, () -> RdmaStreamBinding.bind(context, address));
        assertEquals(Errno.EADDRINUSE, thrown.error());
    }

    @ParameterizedTest
    @ValueSource(strings = {"jvm", "wire"})
    void aStreamConnectsFromTheReservedAddress(String where) throws Exception {
        try (RdmaContext context = Verbs.open(StreamPair.selectors(where)[0]);
                RdmaStreamListener listener = RdmaStreamListener.bind(context, StreamPair.anyPort(context))) {
            RdmaStreamBinding binding = RdmaStreamBinding.bind(context, StreamPair.anyPort(context));
            InetSocketAddress reserved = binding.localAddress();
            assertTrue(reserved.getPort() > 0);
            try (RdmaStream client = binding.beginConnect(listener.localAddress(), RdmaStreamOptions.DEFAULT);
                    RdmaStream server = listener.accept(ACCEPT)) {
                assertNotNull(server);
                assertEquals(reserved, client.localAddress());
                assertEquals(reserved, server.peerAddress());
                binding.close();
                assertInUse(context, reserved);
            }
            RdmaStreamBinding.bind(context, reserved).close();
        }
    }

    @Test
    void aPortIsInUseUntilItsBindingIsClosed() {
        try (RdmaContext context = Verbs.open("soft")) {
            RdmaStreamBinding binding = RdmaStreamBinding.bind(context, StreamPair.anyPort(context));
            assertInUse(context, binding.localAddress());
            binding.close();
            binding.close();
            RdmaStreamBinding.bind(context, binding.localAddress()).close();
        }
    }

    @Test
    void onlyOneStreamConnectsFromABinding() {
        try (RdmaContext context = Verbs.open("soft");
                RdmaStreamListener listener = RdmaStreamListener.bind(context, StreamPair.anyPort(context));
                RdmaStreamBinding binding = RdmaStreamBinding.bind(context, StreamPair.anyPort(context));
                RdmaStream stream = binding.beginConnect(listener.localAddress(), RdmaStreamOptions.DEFAULT)) {
            assertThrows(IllegalStateException.class,
                    () -> binding.beginConnect(listener.localAddress(), RdmaStreamOptions.DEFAULT));
            assertTrue(stream.isOpen());
        }
    }

    @Test
    void aStreamDoesNotConnectFromAClosedBinding() {
        try (RdmaContext context = Verbs.open("soft")) {
            RdmaStreamBinding binding = RdmaStreamBinding.bind(context, StreamPair.anyPort(context));
            binding.close();
            assertThrows(IllegalStateException.class,
                    () -> binding.beginConnect(binding.localAddress(), RdmaStreamOptions.DEFAULT));
        }
    }

    @Test
    void aBindingCanBeClosedAfterItsContext() {
        RdmaContext context = Verbs.open("soft");
        RdmaStreamBinding binding = RdmaStreamBinding.bind(context, StreamPair.anyPort(context));
        context.close();
        binding.close();
        assertThrows(IllegalStateException.class, () -> RdmaStreamBinding.bind(context, binding.localAddress()));
    }
}
