package io.jverbs.soft.nio.contract.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.nio.contract.ChannelContract;
import io.jverbs.soft.nio.contract.ProviderUnderTest;
import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NetworkChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** NetworkChannel.setOption, getOption and supportedOptions. */
abstract class OptionsContract extends ChannelContract {
    /** An option that no channel supports. */
    private static final SocketOption<Integer> UNKNOWN = new SocketOption<>() {
        @Override
        public String name() {
            return "UNKNOWN";
        }

        @Override
        public Class<Integer> type() {
            return Integer.class;
        }
    };

    OptionsContract(ProviderUnderTest tested) {
        super(tested);
    }

    static Stream<SocketOption<Boolean>> switches() {
        return Stream.of(StandardSocketOptions.SO_KEEPALIVE, StandardSocketOptions.SO_REUSEADDR,
                StandardSocketOptions.TCP_NODELAY);
    }

    static Stream<SocketOption<Integer>> bufferSizes() {
        return Stream.of(StandardSocketOptions.SO_SNDBUF, StandardSocketOptions.SO_RCVBUF);
    }

    private List<NetworkChannel> bothKinds() throws IOException {
        return List.of(channel(), listener());
    }

    /** Calls setOption with a value that the compiler would not let pass. */
    @SuppressWarnings("unchecked")
    private static void setUnchecked(NetworkChannel channel, SocketOption<?> option, Object value)
            throws IOException {
        channel.setOption((SocketOption<Object>) option, value);
    }

    // SocketChannel: a table of the options that it supports
    @Test
    void aChannelSupportsTheOptionsOfItsJavadoc() throws IOException {
        assertTrue(channel().supportedOptions().containsAll(Set.of(StandardSocketOptions.SO_SNDBUF,
                StandardSocketOptions.SO_RCVBUF, StandardSocketOptions.SO_KEEPALIVE,
                StandardSocketOptions.SO_REUSEADDR, StandardSocketOptions.SO_LINGER,
                StandardSocketOptions.TCP_NODELAY)));
    }

    // ServerSocketChannel: a table of the options that it supports
    @Test
    void aListenerSupportsTheOptionsOfItsJavadoc() throws IOException {
        Set<SocketOption<?>> supported = listener().supportedOptions();
        assertTrue(supported.contains(StandardSocketOptions.SO_RCVBUF));
        assertTrue(supported.contains(StandardSocketOptions.SO_REUSEADDR));
        assertFalse(supported.contains(StandardSocketOptions.TCP_NODELAY));
    }

    // NetworkChannel.supportedOptions: also after the channel has been closed
    @Test
    void aClosedChannelTellsItsOptions() throws IOException {
        for (NetworkChannel channel : bothKinds()) {
            Set<SocketOption<?>> supported = channel.supportedOptions();
            channel.close();
            assertEquals(supported, channel.supportedOptions());
        }
    }

    @Test
    void theSetOfOptionsCannotBeChanged() throws IOException {
        for (NetworkChannel channel : bothKinds()) {
            assertThrows(UnsupportedOperationException.class, () -> channel.supportedOptions().clear());
        }
    }

    @Test
    void everySupportedOptionHasAValueOfItsType() throws Exception {
        for (NetworkChannel channel : List.of(channel(), listener(), pair().client())) {
            for (SocketOption<?> option : channel.supportedOptions()) {
                Object value = channel.getOption(option);
                assertTrue(option.type().isInstance(value), () -> option + " is " + value);
            }
        }
    }

    // SocketChannel.setOption
    @ParameterizedTest
    @MethodSource("switches")
    void aSwitchIsSetToTrueAndFalse(SocketOption<Boolean> option) throws Exception {
        for (SocketChannel channel : List.of(channel(), pair().client(), pair().server())) {
            for (boolean value : new boolean[] {true, false, true}) {
                assertSame(channel, channel.setOption(option, value));
                assertEquals(value, channel.getOption(option));
            }
        }
    }

    @Test
    void anOptionThatIsSetBeforeConnectRemains() throws Exception {
        ServerSocketChannel listener = listener();
        SocketChannel client = nonBlockingChannel();
        client.setOption(StandardSocketOptions.TCP_NODELAY, true);
        client.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        client.connect(addressOf(listener));
        closeLater(listener.accept());
        assertEquals(true, client.getOption(StandardSocketOptions.TCP_NODELAY));
        assertEquals(true, client.getOption(StandardSocketOptions.SO_KEEPALIVE));
    }

    @Test
    void anOptionOfOneChannelIsNotOneOfItsPeer() throws Exception {
        Pair pair = pair();
        pair.server().setOption(StandardSocketOptions.TCP_NODELAY, false);
        pair.client().setOption(StandardSocketOptions.TCP_NODELAY, true);
        assertEquals(false, pair.server().getOption(StandardSocketOptions.TCP_NODELAY));
    }

    // StandardSocketOptions.SO_REUSEADDR
    @Test
    void aListenerSetsReuseOfAddresses() throws IOException {
        ServerSocketChannel listener = unboundListener();
        for (boolean value : new boolean[] {true, false}) {
            assertSame(listener, listener.setOption(StandardSocketOptions.SO_REUSEADDR, value));
            assertEquals(value, listener.getOption(StandardSocketOptions.SO_REUSEADDR));
        }
    }

    // StandardSocketOptions.SO_SNDBUF, SO_RCVBUF: a hint; before connect or at any time
    @ParameterizedTest
    @MethodSource("bufferSizes")
    void aBufferSizeIsAHint(SocketOption<Integer> option) throws Exception {
        for (SocketChannel channel : List.of(channel(), pair().client())) {
            assertTrue(channel.getOption(option) > 0);
            for (int size : new int[] {1 << 16, 1, 0, Integer.MAX_VALUE}) {
                assertSame(channel, channel.setOption(option, size));
                assertTrue(channel.getOption(option) > 0);
            }
        }
    }

    @Test
    void theBufferSizeOfAListenerIsAHint() throws IOException {
        ServerSocketChannel listener = unboundListener();
        assertSame(listener, listener.setOption(StandardSocketOptions.SO_RCVBUF, 1 << 16));
        assertTrue(listener.getOption(StandardSocketOptions.SO_RCVBUF) > 0);
    }

    // NetworkChannel.setOption: IllegalArgumentException
    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE})
    void aNegativeBufferSizeIsRefused(int size) throws IOException {
        SocketChannel channel = channel();
        for (SocketOption<Integer> option : bufferSizes().toList()) {
            int before = channel.getOption(option);
            assertThrows(IllegalArgumentException.class, () -> channel.setOption(option, size));
            assertEquals(before, channel.getOption(option));
        }
        assertThrows(IllegalArgumentException.class,
                () -> listener().setOption(StandardSocketOptions.SO_RCVBUF, size));
    }

    // StandardSocketOptions.SO_LINGER: a negative value disables it, which is the default
    @Test
    void lingeringIsDisabledUntilItIsSet() throws Exception {
        for (SocketChannel channel : List.of(channel(), pair().client())) {
            assertEquals(-1, channel.getOption(StandardSocketOptions.SO_LINGER));
            for (int seconds : new int[] {5, 0, 65535}) {
                channel.setOption(StandardSocketOptions.SO_LINGER, seconds);
                assertEquals(seconds, channel.getOption(StandardSocketOptions.SO_LINGER));
            }
            channel.setOption(StandardSocketOptions.SO_LINGER, -7);
            assertEquals(-1, channel.getOption(StandardSocketOptions.SO_LINGER));
        }
    }

    // StandardSocketOptions.SO_LINGER: a value above the maximum stands for the maximum
    @Test
    void aLingerTimeAboveTheMaximumIsTheMaximum() throws IOException {
        SocketChannel channel = channel();
        channel.setOption(StandardSocketOptions.SO_LINGER, 65536);
        assertEquals(65535, channel.getOption(StandardSocketOptions.SO_LINGER));
    }

    // NetworkChannel.setOption, getOption: UnsupportedOperationException
    @Test
    void anUnknownOptionIsUnsupported() throws IOException {
        for (NetworkChannel channel : bothKinds()) {
            assertThrows(UnsupportedOperationException.class, () -> channel.setOption(UNKNOWN, 1));
            assertThrows(UnsupportedOperationException.class, () -> channel.getOption(UNKNOWN));
            assertTrue(channel.isOpen());
        }
    }

    @Test
    void anOptionOfAnotherKindOfChannelIsUnsupported() throws IOException {
        assertThrows(UnsupportedOperationException.class,
                () -> channel().setOption(StandardSocketOptions.IP_MULTICAST_TTL, 1));
        assertThrows(UnsupportedOperationException.class,
                () -> listener().getOption(StandardSocketOptions.TCP_NODELAY));
        assertThrows(UnsupportedOperationException.class,
                () -> listener().setOption(StandardSocketOptions.SO_LINGER, 1));
    }

    @Test
    void theOptionMustNotBeNull() throws IOException {
        for (NetworkChannel channel : bothKinds()) {
            assertThrows(NullPointerException.class, () -> channel.setOption(null, 1));
            assertThrows(NullPointerException.class, () -> channel.getOption(null));
        }
    }

    // NetworkChannel.setOption: IllegalArgumentException if the value is not valid
    @Test
    void theValueMustNotBeNullOrOfAnotherType() throws IOException {
        for (NetworkChannel channel : bothKinds()) {
            assertThrows(IllegalArgumentException.class,
                    () -> channel.setOption(StandardSocketOptions.SO_RCVBUF, null));
            assertThrows(IllegalArgumentException.class,
                    () -> setUnchecked(channel, StandardSocketOptions.SO_RCVBUF, "1"));
            assertThrows(IllegalArgumentException.class,
                    () -> setUnchecked(channel, StandardSocketOptions.SO_REUSEADDR, 1));
        }
    }

    // NetworkChannel.setOption, getOption: ClosedChannelException
    @Test
    void theOptionsOfAClosedChannelCanBeNeitherSetNorRead() throws IOException {
        for (NetworkChannel channel : bothKinds()) {
            channel.close();
            assertThrows(ClosedChannelException.class,
                    () -> channel.setOption(StandardSocketOptions.SO_REUSEADDR, true));
            assertThrows(ClosedChannelException.class,
                    () -> channel.getOption(StandardSocketOptions.SO_REUSEADDR));
        }
    }
}
