package io.jverbs.nio;

import io.jverbs.VerbsException;
import io.jverbs.nio.RdmaTransport.Choice;
import io.jverbs.rsocket.RdmaStream;
import io.jverbs.rsocket.RdmaStreamException;
import io.jverbs.rsocket.RdmaStreamListener;
import io.jverbs.rsocket.RdmaStreamOptions;
import io.jverbs.rsocket.journal.StreamJournal;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * At what a channel listens: a listener for streams, a channel of the JDK, or both at the same port. The channel of the
 * JDK does not block if there are both. Thread-safe.
 */
final class ListenerPair {
    /** The options of a channel that listens by RDMA only. */
    static final Set<SocketOption<?>> RDMA_OPTIONS = Set.of(StandardSocketOptions.SO_RCVBUF,
            StandardSocketOptions.SO_REUSEADDR);

    private static final Logger LOG = LoggerFactory.getLogger(ListenerPair.class);
    private static final int DEFAULT_BACKLOG = 50;
    private static final int MAX_BACKLOG = 4096;
    /** How often any free port of TCP is tried until it is free for RDMA. */
    private static final int ATTEMPTS = 16;

    private final SocketAddress address;
    private final ServerSocketChannel tcp;
    private final boolean usesTcp;
    /** Null for TCP only. */
    private final RdmaStreamListener listener;
    /** What a thread waits with for both; made on demand, guarded by this object. */
    private Selector selector;
    private boolean closed;
    /** Whether the listener has failed: its device was removed or its context closed, for example. TCP goes on. */
    private volatile boolean streamsEnded;

    private ListenerPair(SocketAddress address, ServerSocketChannel tcp, boolean usesTcp,
            RdmaStreamListener listener) {
        this.address = address;
        this.tcp = tcp;
        this.usesTcp = usesTcp;
        this.listener = listener;
    }

    /** Binds a channel of the JDK only. */
    static ListenerPair ofTcp(ServerSocketChannel tcp, SocketAddress local, int backlog) throws IOException {
        tcp.bind(local, backlog);
        return new ListenerPair(tcp.getLocalAddress(), tcp, true, null);
    }

    /**
     * Binds a channel, and decides at what.
     *
     * @param replace takes a channel that is not bound, in place of the one before; also if the bind fails then
     */
    static ListenerPair bind(RdmaTransport transport, ServerSocketChannel tcp, Consumer<ServerSocketChannel> replace,
            StreamSocketOptions options, SocketAddress local, int backlog) throws IOException {
        InetSocketAddress wanted = check(local);
        Choice choice = transport.toListen(wanted.getAddress());
        RdmaStreamOptions streams = options.applyTo(transport.options())
                .withBacklog(backlog < 1 ? DEFAULT_BACKLOG : Math.min(backlog, MAX_BACKLOG));
        return switch (choice) {
            case TCP -> recorded(ofTcp(tcp, local, backlog), choice, transport, null);
            case RDMA -> {
                RdmaStreamListener listener = listen(transport, wanted, streams);
                yield recorded(ofStreams(listener.localAddress(), tcp, false, listener), choice, transport, null);
            }
            case BOTH -> bindBoth(transport, tcp, replace, streams, wanted, backlog);
        };
    }

    /** Returns the pair of a listener, which is closed if that fails. */
    private static ListenerPair ofStreams(SocketAddress address, ServerSocketChannel tcp, boolean usesTcp,
            RdmaStreamListener listener) throws IOException {
        boolean isMade = false;
        try {
            ListenerPair made = new ListenerPair(address, tcp, usesTcp, listener);
            if (usesTcp) {
                tcp.configureBlocking(false);
            } else {
                tcp.close();
            }
            isMade = true;
            return made;
        } finally {
            if (!isMade) {
                listener.close();
            }
        }
    }

    /** Records by what a channel listens; returns the same pair. */
    private static ListenerPair recorded(ListenerPair made, Choice choice, RdmaTransport transport,
            SocketException failure) {
        StreamJournal.listens((InetSocketAddress) made.address, choice, transport, failure);
        return made;
    }

    private static InetSocketAddress check(SocketAddress local) {
        if (local == null) {
            return new InetSocketAddress(0);
        }
        if (!(local instanceof InetSocketAddress address)) {
            throw new UnsupportedAddressTypeException();
        }
        if (address.isUnresolved()) {
            throw new UnresolvedAddressException();
        }
        return address;
    }

    private static RdmaStreamListener listen(RdmaTransport transport, InetSocketAddress local,
            RdmaStreamOptions options) throws SocketException {
        try {
            return RdmaStreamListener.bind(transport.context(), forAnyFamily(local), options);
        } catch (VerbsException | IllegalStateException e) {
            throw SocketExceptions.bind(e);
        }
    }

    /** Returns the wildcard address of IPv6, which accepts IPv4, in place of that of IPv4. */
    private static InetSocketAddress forAnyFamily(InetSocketAddress local) {
        return local.getAddress().isAnyLocalAddress()
                ? new InetSocketAddress(InetAddress.ofLiteral("::"), local.getPort())
                : local;
    }

    /** Binds both to the same port; if the device does not have the address, only TCP. */
    private static ListenerPair bindBoth(RdmaTransport transport, ServerSocketChannel first,
            Consumer<ServerSocketChannel> replace, RdmaStreamOptions options, InetSocketAddress wanted, int backlog)
            throws IOException {
        ServerSocketChannel tcp = first;
        for (int attempt = 1;; attempt++) {
            tcp.bind(wanted, backlog);
            ListenerPair made = null;
            try {
                made = listenAtPortOf(tcp, transport, options, wanted);
                return made;
            } catch (BindException e) {
                if (wanted.getPort() != 0 || attempt == ATTEMPTS) {
                    throw e;
                }
            } finally {
                if (made == null) {
                    tcp = unbind(tcp, replace);
                }
            }
        }
    }

    /** Listens at the port of a channel that is bound; throws BindException if it is in use at the device. */
    private static ListenerPair listenAtPortOf(ServerSocketChannel tcp, RdmaTransport transport,
            RdmaStreamOptions options, InetSocketAddress wanted) throws IOException {
        InetSocketAddress bound = (InetSocketAddress) tcp.getLocalAddress();
        RdmaStreamListener listener;
        try {
            listener = listen(transport, new InetSocketAddress(wanted.getAddress(), bound.getPort()), options);
        } catch (SocketException e) {
            if (e.getCause() instanceof VerbsException cause && SocketExceptions.isInUse(cause)) {
                throw e;
            }
            LOG.debug("{} accepts TCP only: {}", bound, e.getMessage());
            return recorded(new ListenerPair(bound, tcp, true, null), Choice.TCP, transport, e);
        }
        return recorded(ofStreams(bound, tcp, true, listener), Choice.BOTH, transport, null);
    }

    /** Closes a channel; one that is not bound takes its place, and is returned. */
    private static ServerSocketChannel unbind(ServerSocketChannel bound, Consumer<ServerSocketChannel> replace)
            throws IOException {
        try (bound) {
            ServerSocketChannel next = reopen(bound);
            replace.accept(next);
            return next;
        }
    }

    /** Returns a channel that is not bound, with the options of another one. */
    private static ServerSocketChannel reopen(ServerSocketChannel bound) throws IOException {
        ServerSocketChannel made = bound.provider().openServerSocketChannel();
        boolean isDone = false;
        try {
            for (SocketOption<?> each : bound.supportedOptions()) {
                copy(each, bound, made);
            }
            made.configureBlocking(bound.isBlocking());
            isDone = true;
            return made;
        } finally {
            if (!isDone) {
                made.close();
            }
        }
    }

    /** Sets an option as another channel has it. The system tunes a buffer whose size is not set. */
    private static <T> void copy(SocketOption<T> option, ServerSocketChannel from, ServerSocketChannel to) {
        try {
            T value = from.getOption(option);
            if (!value.equals(to.getOption(option))) {
                to.setOption(option, value);
            }
        } catch (IOException | RuntimeException e) {
            // an option that can only be read
        }
    }

    SocketAddress address() {
        return address;
    }

    ServerSocketChannel tcp() {
        return tcp;
    }

    boolean hasRdma() {
        return listener != null;
    }

    boolean isRdmaOnly() {
        return !usesTcp;
    }

    /** Returns a stream or a channel of the JDK; null if there is none. For TCP only, waits for one if that blocks. */
    Object tryAccept() throws IOException {
        RdmaStream stream = tryAcceptStream();
        return stream != null || !usesTcp ? stream : tcp.accept();
    }

    private RdmaStream tryAcceptStream() throws IOException {
        if (listener == null || streamsEnded) {
            return null;
        }
        try {
            return listener.tryAccept();
        } catch (RdmaStreamException e) {
            if (!usesTcp) {
                throw SocketExceptions.transfer(e);
            }
            endStreams(e);
        } catch (IllegalStateException e) {
            if (isClosed()) {
                throw new ClosedChannelException();
            }
            // the context is closed
            if (!usesTcp) {
                throw SocketExceptions.of(e.getMessage(), e);
            }
            endStreams(e);
        }
        return null;
    }

    private void endStreams(Exception failure) {
        LOG.warn("{} accepts TCP only from now on: {}", this, failure.getMessage());
        streamsEnded = true;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** Returns whether a stream can be accepted, or never will be again. */
    boolean isStreamReady() {
        return listener != null && !streamsEnded && listener.isReady();
    }

    void requestNotification(Runnable whenReady) {
        if (listener != null && !streamsEnded) {
            listener.requestNotification(whenReady);
        }
    }

    /**
     * Waits until something can be accepted, the thread is interrupted or this pair is closed. There is a listener for
     * streams.
     *
     * @param hasLimit whether there is a deadline
     * @param deadline the time of {@link System#nanoTime}
     * @return false after the deadline
     */
    boolean await(boolean hasLimit, long deadline) throws IOException {
        if (!usesTcp) {
            NotifiedThread self = new NotifiedThread();
            return listener.requestNotification(self) || self.await(this, hasLimit, deadline);
        }
        long left = deadline - System.nanoTime();
        if (hasLimit && left <= 0) {
            return false;
        }
        select(hasLimit ? Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)) : 0);
        return true;
    }

    private void select(long millis) throws IOException {
        Selector used = selector();
        try {
            if (streamsEnded || !listener.requestNotification(used::wakeup)) {
                used.select(millis);
                used.selectedKeys().clear();
            }
        } catch (ClosedSelectorException e) {
            throw new ClosedChannelException();
        }
    }

    private synchronized Selector selector() throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        if (selector == null) {
            Selector made = tcp.provider().openSelector();
            tcp.register(made, SelectionKey.OP_ACCEPT);
            selector = made;
        }
        return selector;
    }

    /** Closes the listener and the streams that were not accepted; the owner of the channel closes that. */
    void close() throws IOException {
        Selector used;
        synchronized (this) {
            closed = true;
            used = selector;
        }
        if (listener != null) {
            closeUnaccepted();
            listener.close();
        }
        tcp.close();
        if (used != null) {
            used.close();
        }
    }

    /** The close of a stream waits for the peer. */
    private void closeUnaccepted() {
        try {
            for (RdmaStream each = listener.tryAccept(); each != null; each = listener.tryAccept()) {
                BackgroundCloses.close(each);
            }
        } catch (IOException | IllegalStateException e) {
            LOG.debug("{} has no more streams", listener, e);
        }
    }

    @Override
    public String toString() {
        return (listener == null ? "tcp " : usesTcp ? "rdma and tcp " : "rdma ") + address;
    }
}
