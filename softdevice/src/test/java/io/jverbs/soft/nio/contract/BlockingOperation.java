package io.jverbs.soft.nio.contract;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** The operations of channels in blocking mode that block until something happens, which does not happen here. */
public enum BlockingOperation {
    READ("read") {
        @Override
        public Prepared prepare(ChannelContract contract) throws Exception {
            SocketChannel channel = contract.pair().client();
            return prepared(channel, () -> channel.read(ByteBuffer.allocate(1)));
        }
    },
    SCATTERING_READ("read") {
        @Override
        public Prepared prepare(ChannelContract contract) throws Exception {
            SocketChannel channel = contract.pair().client();
            ByteBuffer[] buffers = {ByteBuffer.allocate(1), ByteBuffer.allocateDirect(1)};
            return prepared(channel, () -> channel.read(buffers));
        }
    },
    WRITE("write") {
        @Override
        public Prepared prepare(ChannelContract contract) throws Exception {
            SocketChannel channel = fullChannel(contract);
            return prepared(channel, () -> {
                while (true) {
                    channel.write(ByteBuffer.allocate(1));
                }
            });
        }
    },
    GATHERING_WRITE("write") {
        @Override
        public Prepared prepare(ChannelContract contract) throws Exception {
            SocketChannel channel = fullChannel(contract);
            return prepared(channel, () -> {
                while (true) {
                    channel.write(new ByteBuffer[] {ByteBuffer.allocate(0), ByteBuffer.allocateDirect(1)});
                }
            });
        }
    },
    ACCEPT("accept") {
        @Override
        public Prepared prepare(ChannelContract contract) throws Exception {
            ServerSocketChannel listener = contract.listener();
            return prepared(listener, listener::accept);
        }
    },
    CONNECT("connect") {
        @Override
        public Prepared prepare(ChannelContract contract) throws Exception {
            InetSocketAddress silent = contract.silentListener();
            SocketChannel channel = contract.channel();
            return prepared(channel, () -> channel.connect(silent));
        }
    },
    FINISH_CONNECT("finishConnect") {
        @Override
        public Prepared prepare(ChannelContract contract) throws Exception {
            SocketChannel channel = contract.pendingChannel();
            channel.configureBlocking(true);
            return prepared(channel, channel::finishConnect);
        }
    };

    /** How many attempts in succession, a millisecond apart, a channel refuses that takes no more bytes. */
    private static final int REFUSALS = 50;

    private final String method;

    BlockingOperation(String method) {
        this.method = method;
    }

    /** An operation on a channel that will block in a method when a thread calls it. */
    public record Prepared(SelectableChannel channel, String method, Callable<Object> call) {

        /** Calls the operation on a thread of its own, and waits until the thread blocks. */
        public BlockingCall<Object> block(ThreadKind kind) throws Exception {
            return BlockingCall.start(kind, call).awaitBlockedIn(channel, method);
        }
    }

    /**
     * Returns a channel that has taken no more bytes for some time. Writes of one byte fill what room is left, and the
     * write that blocks has not written a part of its bytes, with which it could return.
     */
    private static SocketChannel fullChannel(ChannelContract contract) throws Exception {
        SocketChannel channel = contract.pair().client();
        channel.configureBlocking(false);
        long[] position = {0};
        int[] refused = {0};
        Until.holds("the channel takes no more bytes", () -> {
            long before = position[0];
            position[0] = TestBytes.fill(channel, before);
            refused[0] = position[0] == before ? refused[0] + 1 : 0;
            return refused[0] == REFUSALS;
        });
        channel.configureBlocking(true);
        return channel;
    }

    /** Opens the channels that the operation needs. */
    public abstract Prepared prepare(ChannelContract contract) throws Exception;

    Prepared prepared(SelectableChannel channel, Callable<Object> call) {
        return new Prepared(channel, method, call);
    }

    /** Returns each operation with each kind of thread. */
    public static Stream<Arguments> onEachKindOfThread() {
        return Arrays.stream(values()).flatMap(
                operation -> Arrays.stream(ThreadKind.values()).map(kind -> Arguments.of(operation, kind)));
    }
}
