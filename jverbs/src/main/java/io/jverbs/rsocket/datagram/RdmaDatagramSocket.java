package io.jverbs.rsocket.datagram;

import io.jverbs.RdmaContext;
import io.jverbs.VerbsException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A socket for datagrams over RDMA: the datagram mode of rsocket(7), {@code SOCK_DGRAM}. The peers are other {@code
 * RdmaDatagramSocket}s, and programs in C with librdmacm. As with UDP, a datagram arrives once, or not at all; nobody
 * tells the sender. The network does not retransmit, and datagrams for which a receiver has no buffers are dropped.
 *
 * <p>
 * The first datagrams to a peer go over UDP, until both sides know each other's queue pairs. So the port must be free
 * for UDP as well as for RDMA, and the addresses must be those of IP interfaces: a software device without an address
 * of the host cannot be used.
 *
 * <p>
 * The methods whose names begin with {@code try} do not wait. A datagram is copied once on each side, and sending and
 * receiving allocates nothing, except over UDP and for new senders. This class is thread-safe.
 *
 * {@snippet :
 * try (RdmaContext context = Verbs.open("soft:127.0.0.1");
 *         RdmaDatagramSocket socket = RdmaDatagramSocket.open(context, new InetSocketAddress("127.0.0.1", 7174))) {
 *     ByteBuffer datagram = ByteBuffer.allocateDirect(2048);
 *     InetSocketAddress sender = socket.receive(datagram);
 *     socket.send(datagram.flip(), sender);
 * }
 * }
 */
public final class RdmaDatagramSocket implements AutoCloseable {
    private static final int MAX_PORT_ATTEMPTS = 16;

    private final DatagramTransport transport;

    private RdmaDatagramSocket(DatagramTransport transport) {
        this.transport = transport;
    }

    /**
     * Opens a socket at any free port, and at all addresses of the device, with {@link RdmaDatagramOptions#DEFAULT}.
     *
     * @param context the context of the device
     * @return the socket
     * @throws IOException as the other method of this name
     */
    public static RdmaDatagramSocket open(RdmaContext context) throws IOException {
        return open(context, new InetSocketAddress(0), RdmaDatagramOptions.DEFAULT);
    }

    /**
     * Opens a socket at an address, with {@link RdmaDatagramOptions#DEFAULT}.
     *
     * @param context the context of the device
     * @param local as in the other method of this name
     * @return the socket
     * @throws IOException as the other method of this name
     */
    public static RdmaDatagramSocket open(RdmaContext context, InetSocketAddress local) throws IOException {
        return open(context, local, RdmaDatagramOptions.DEFAULT);
    }

    /**
     * Opens a socket; see rsocket and rbind in rsocket(7).
     *
     * @param context the context of the device
     * @param local an address of the device, or a wildcard address, and a port; port 0 for any free port. If the device
     *        has only one address, a wildcard address means that one
     * @param options the options
     * @return the socket
     * @throws IOException if the port is in use for UDP, or the host does not have the address
     * @throws VerbsException with EADDRINUSE if the port is in use for RDMA; with ENODEV if the device does not have
     *         the address; with EOPNOTSUPP if the device has no connection manager, or is not an Ethernet device with
     *         UD queue pairs; if the resources of the device do not suffice
     * @throws IllegalArgumentException if the address is only the name of a host
     * @throws IllegalStateException if the context is closed
     */
    public static RdmaDatagramSocket open(RdmaContext context, InetSocketAddress local, RdmaDatagramOptions options)
            throws IOException {
        Objects.requireNonNull(context, "context");
        requireResolved("local", local);
        Objects.requireNonNull(options, "options");
        for (int attempt = 1;; attempt++) {
            DatagramTransport made = bind(context, local, options);
            boolean isStarted = false;
            try {
                RdmaDatagramSocket socket = new RdmaDatagramSocket(made);
                made.start();
                isStarted = true;
                return socket;
            } catch (VerbsException e) {
                // a port that is free for UDP may be in use for RDMA
                if (local.getPort() != 0 || attempt == MAX_PORT_ATTEMPTS) {
                    throw e;
                }
            } finally {
                if (!isStarted) {
                    made.close();
                }
            }
        }
    }

    private static DatagramTransport bind(RdmaContext context, InetSocketAddress local, RdmaDatagramOptions options)
            throws IOException {
        try {
            return new DatagramTransport(context, local, options);
        } catch (IOException e) {
            throw new IOException("no UDP socket can be bound to " + local + ", which datagrams need for their first"
                    + " messages: " + e.getMessage(), e);
        }
    }

    private static void requireResolved(String name, InetSocketAddress address) {
        if (Objects.requireNonNull(address, name).isUnresolved()) {
            throw new IllegalArgumentException(name + " " + address.getHostString()
                    + " is a host name without an address: check the spelling, or give an IP address");
        }
    }

    private static void requirePeer(String name, InetSocketAddress address) {
        requireResolved(name, address);
        if (address.getPort() == 0 || address.getAddress().isAnyLocalAddress()
                || address.getAddress().isMulticastAddress()) {
            throw new IllegalArgumentException(name + " " + address
                    + " is no address of a peer: give the address of a host and a port of 1..65535");
        }
    }

    /**
     * Connects to a peer; see rconnect in rsocket(7). From now on, {@link #send(ByteBuffer)} sends to it, and datagrams
     * of others are dropped; those that have arrived before can still be received. Nothing is sent: this method does
     * not notice that there is no such peer. A second call connects to another peer.
     *
     * @param peer the address and port of the peer
     * @throws IOException if there is no route to it
     * @throws VerbsException with ENODEV if the device does not have the address from which it is reached; if the
     *         resources of the device do not suffice
     * @throws IllegalArgumentException if the address is only the name of a host, is not the address of one host, has
     *         port 0, or is of another family than the local address
     * @throws IllegalStateException if this socket is closed
     */
    public void connect(InetSocketAddress peer) throws IOException {
        requirePeer("peer", peer);
        transport.connect(peer);
    }

    /**
     * Ends the connection to a peer: datagrams of all senders are received. Has no effect if there is none.
     *
     * @throws IllegalStateException if this socket is closed
     */
    public void disconnect() {
        transport.disconnect();
    }

    /**
     * Sends a datagram to the connected peer. Does not wait.
     *
     * @param from the bytes, from its position to its limit, at most {@link #maxPayload}; none is a datagram, too
     * @return whether it was sent; false if the device is still sending as many as the options allow. If it was, the
     *         position is the limit; if not, it does not change
     * @throws IOException if the device has failed, or there is no route to the peer
     * @throws IllegalArgumentException if it has more bytes
     * @throws IllegalStateException if this socket is closed or not connected
     */
    public boolean trySend(ByteBuffer from) throws IOException {
        Objects.requireNonNull(from, "from");
        return trySend(from, requireConnected());
    }

    /**
     * Sends a datagram. Does not wait.
     *
     * @param from the bytes, as in the other method of this name
     * @param to the address and port of the peer; also for a socket that is connected to another one
     * @return whether it was sent, as in the other method of this name
     * @throws IOException if the device has failed, there is no route to the peer, or all places for peers are in use
     * @throws VerbsException as {@link #connect}
     * @throws IllegalArgumentException as {@link #connect}, or if the datagram has too many bytes
     * @throws IllegalStateException if this socket is closed
     */
    public boolean trySend(ByteBuffer from, InetSocketAddress to) throws IOException {
        Objects.requireNonNull(from, "from");
        requirePeer("to", to);
        int most = transport.maxPayload(to.getAddress());
        if (from.remaining() > most) {
            throw new IllegalArgumentException("a datagram of " + from.remaining() + " bytes is too long: to " + to
                    + ", it can have " + most);
        }
        return transport.send(to, from);
    }

    /**
     * Sends a datagram to the connected peer. Waits until there is room for it.
     *
     * @param from the bytes, as for {@link #trySend(ByteBuffer)}
     * @throws IOException as {@link #trySend(ByteBuffer)}
     * @throws InterruptedException if the thread is interrupted; it was not sent
     * @throws IllegalArgumentException if it has too many bytes
     * @throws IllegalStateException if this socket is not connected, or closed, before or during the wait
     */
    public void send(ByteBuffer from) throws IOException, InterruptedException {
        Objects.requireNonNull(from, "from");
        send(from, requireConnected());
    }

    /**
     * Sends a datagram. Waits until there is room for it.
     *
     * @param from the bytes, as for {@link #trySend(ByteBuffer)}
     * @param to the address and port of the peer
     * @throws IOException as {@link #trySend(ByteBuffer, InetSocketAddress)}
     * @throws InterruptedException if the thread is interrupted; it was not sent
     * @throws VerbsException as {@link #connect}
     * @throws IllegalArgumentException as {@link #trySend(ByteBuffer, InetSocketAddress)}
     * @throws IllegalStateException if this socket is closed, before or during the wait
     */
    public void send(ByteBuffer from, InetSocketAddress to) throws IOException, InterruptedException {
        while (!trySend(from, to)) {
            transport.waits().await(transport.destination(to).queuePair().writable(), DatagramWait.NO_LIMIT);
        }
    }

    /**
     * Receives a datagram that has arrived. Does not wait.
     *
     * @param into where the bytes go, from its position on; its position is advanced. Those for which there is no room
     *        are lost
     * @return the sender; null if none has arrived
     * @throws IOException if the device has failed, and all that had arrived are received
     * @throws ReadOnlyBufferException if the buffer is read-only; nothing is received
     * @throws IllegalStateException if this socket is closed
     */
    public InetSocketAddress tryReceive(ByteBuffer into) throws IOException {
        if (Objects.requireNonNull(into, "into").isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
        return transport.receive(into);
    }

    /**
     * Receives a datagram. Waits until one has arrived.
     *
     * @param into as for {@link #tryReceive}
     * @return the sender
     * @throws IOException as {@link #tryReceive}
     * @throws InterruptedException if the thread is interrupted; nothing is received
     * @throws ReadOnlyBufferException if the buffer is read-only; nothing is received
     * @throws IllegalStateException if this socket is closed, before or during the wait
     */
    public InetSocketAddress receive(ByteBuffer into) throws IOException, InterruptedException {
        InetSocketAddress sender = tryReceive(into);
        while (sender == null) {
            transport.waits().await(transport.readable(), DatagramWait.NO_LIMIT);
            sender = tryReceive(into);
        }
        return sender;
    }

    /**
     * Waits until {@link #tryReceive} receives a datagram, or throws.
     *
     * @param timeout the maximum time; {@link Duration#ZERO} does not wait
     * @return false if the time has passed
     * @throws InterruptedException if the thread is interrupted
     * @throws IllegalArgumentException if the timeout is negative
     * @throws IllegalStateException if this socket is closed, before or during the wait
     */
    public boolean awaitReadable(Duration timeout) throws InterruptedException {
        return await(transport.readable(), nanos(timeout));
    }

    /**
     * Waits until {@link #trySend(ByteBuffer)} sends a datagram to any peer, or throws.
     *
     * @param timeout the maximum time; {@link Duration#ZERO} does not wait
     * @return false if the time has passed
     * @throws InterruptedException if the thread is interrupted
     * @throws IllegalArgumentException if the timeout is negative
     * @throws IllegalStateException if this socket is closed, before or during the wait
     */
    public boolean awaitWritable(Duration timeout) throws InterruptedException {
        return await(transport.writable(), nanos(timeout));
    }

    private boolean await(DatagramWait.Goal goal, long nanos) throws InterruptedException {
        transport.requireOpen();
        boolean isReached = transport.waits().await(goal, nanos);
        transport.requireOpen();
        return isReached;
    }

    private static long nanos(Duration timeout) {
        if (Objects.requireNonNull(timeout, "timeout").isNegative()) {
            throw new IllegalArgumentException("timeout " + timeout + " is negative");
        }
        return TimeUnit.NANOSECONDS.convert(timeout);
    }

    private InetSocketAddress requireConnected() {
        transport.requireOpen();
        Destination peer = transport.connected();
        if (peer == null) {
            throw new IllegalStateException(transport + " is not connected: connect it, or name the peer");
        }
        return peer.address();
    }

    /**
     * {@return the maximum number of bytes of a datagram to an address: what fits in a packet of the device with the
     * header, and at most 2032 to IPv4 and 2020 to IPv6 addresses, as librdmacm receives}
     *
     * @param to the address of the peer
     * @throws IllegalArgumentException if the address is only the name of a host
     */
    public int maxPayload(InetSocketAddress to) {
        requireResolved("to", to);
        return transport.maxPayload(to.getAddress());
    }

    /**
     * {@return whether datagrams to a peer go over RDMA now; before the peer has named its queue pair, they go over
     * UDP}
     *
     * @param peer the address and port of the peer
     * @throws IllegalStateException if this socket is closed
     */
    public boolean isResolved(InetSocketAddress peer) {
        Objects.requireNonNull(peer, "peer");
        transport.requireOpen();
        return transport.isResolved(peer);
    }

    /** {@return the address, which may be a wildcard address, and port of this socket} */
    public InetSocketAddress localAddress() {
        return transport.local();
    }

    /** {@return the address and port of the connected peer; null if there is none} */
    public InetSocketAddress peerAddress() {
        Destination peer = transport.connected();
        return peer == null ? null : peer.address();
    }

    /** {@return the options; the queues may be smaller than the program has asked for} */
    public RdmaDatagramOptions options() {
        return transport.options();
    }

    /** {@return what this socket has sent, received and dropped until now} */
    public RdmaDatagramCounters counters() {
        return transport.counters();
    }

    /** {@return whether this socket is not closed} */
    public boolean isOpen() {
        return !transport.isClosed();
    }

    /**
     * Closes the socket. What is being sent leaves first; what has arrived is lost. Threads that wait in a method of
     * this socket throw {@link IllegalStateException}. A second call has no effect.
     */
    @Override
    public void close() {
        transport.close();
    }

    @Override
    public String toString() {
        return transport.toString();
    }
}
