package io.jverbs.rsocket.datagram;

import io.jverbs.rsocket.datagram.protocol.UdpHeader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The UDP socket over which the peers tell each other their queue pairs, and send the datagrams until then. A thread
 * receives. The socket is non-blocking, so that no interrupt of a thread of the program closes it. Thread-safe.
 */
final class UdpService {
    /** Receives the datagrams. */
    interface Receiver {
        /**
         * Processes a datagram.
         *
         * @param from its source
         * @param datagram its bytes, only until this method returns
         */
        void received(InetSocketAddress from, ByteBuffer datagram) throws IOException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(UdpService.class);
    private static final long PAUSE_NANOS = 10_000_000;

    private final DatagramChannel channel;
    private final Selector selector;
    private final Thread thread;
    private final Receiver receiver;
    private final ByteBuffer datagram = ByteBuffer.allocateDirect(DatagramMemory.MESSAGE + 1);
    private volatile boolean closed;

    /** Binds the socket; {@link #start} begins to receive. */
    UdpService(InetSocketAddress local, Receiver receiver) throws IOException {
        this.receiver = receiver;
        DatagramChannel made = DatagramChannel.open();
        Selector madeSelector = null;
        try {
            made.bind(local);
            made.configureBlocking(false);
            madeSelector = made.provider().openSelector();
            made.register(madeSelector, SelectionKey.OP_READ);
        } catch (IOException e) {
            if (madeSelector != null) {
                madeSelector.close();
            }
            made.close();
            throw e;
        }
        channel = made;
        selector = madeSelector;
        thread = Thread.ofPlatform().daemon().name("jverbs-rsocket-datagrams").inheritInheritableThreadLocals(false)
                .unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    InetSocketAddress local() throws IOException {
        return (InetSocketAddress) channel.getLocalAddress();
    }

    /** Sends a datagram; returns false if the socket has no room for it. */
    boolean send(int operation, Destination to, ByteBuffer payload) throws IOException {
        DatagramQueuePair from = to.queuePair();
        byte[] header = UdpHeader.encode(operation, from.number(), from.local().getAddress());
        ByteBuffer whole = ByteBuffer.allocate(header.length + payload.remaining());
        whole.put(header).put(payload.duplicate()).flip();
        return channel.send(whole, to.address()) > 0;
    }

    private void run() {
        while (!closed) {
            try {
                selector.select();
                selector.selectedKeys().clear();
                receive();
            } catch (IOException | RuntimeException | Error e) {
                failed(e);
            }
        }
    }

    private void receive() throws IOException {
        while (!closed) {
            datagram.clear();
            InetSocketAddress from = (InetSocketAddress) channel.receive(datagram);
            if (from == null) {
                return;
            }
            receiver.received(from, datagram.flip());
        }
    }

    /** Continues after a failure; does not throw. */
    private void failed(Throwable failure) {
        try {
            if (!closed) {
                LOG.debug("{} continues after a failure", thread.getName(), failure);
                LockSupport.parkNanos(this, PAUSE_NANOS);
            }
        } catch (RuntimeException | Error again) {
            // the loop continues
        }
    }

    /** Closes the socket, and waits for the end of the thread; the interrupt status is kept. */
    void close() {
        closed = true;
        selector.wakeup();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        try {
            selector.close();
            channel.close();
        } catch (IOException e) {
            LOG.debug("the UDP socket was not closed", e);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
