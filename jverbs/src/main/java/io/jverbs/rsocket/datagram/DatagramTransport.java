package io.jverbs.rsocket.datagram;

import io.jverbs.RdmaContext;
import io.jverbs.VerbsException;
import io.jverbs.rsocket.datagram.protocol.MessageHeader;
import io.jverbs.rsocket.datagram.protocol.UdpHeader;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends and receives the messages of a socket. Its lock guards the state; no thread waits for a peer or an event while
 * it holds it. A thread that creates a queue pair holds the lock of the setup too, which it takes first. Thread-safe.
 */
final class DatagramTransport implements UdpService.Receiver {
    private static final Logger LOG = LoggerFactory.getLogger(DatagramTransport.class);
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final DatagramDevice device;
    private final RdmaDatagramOptions options;
    private final ReentrantLock lock = new ReentrantLock();
    private final ReentrantLock setup = new ReentrantLock();
    private final DatagramWait wait = new DatagramWait(this, lock);
    private final DatagramWait.Goal readable = wait.goal(this::canReceive);
    private final DatagramWait.Goal writable = wait.goal(this::canSend);
    private final Counter.Values counters = new Counter.Values();
    private final MessageFilter filter = new MessageFilter();
    private final DestinationTable destinations;
    private final AddressResolver resolver;
    private final UdpService udp;
    private final InetSocketAddress bound;
    /** One for each local address; the array is replaced. */
    private volatile DatagramQueuePair[] queuePairs = {};
    private volatile Destination connected;
    private volatile boolean closed;
    /** The queue pair from which the next message is taken, so that none waits behind the others. */
    private int turn;

    /** Binds the UDP socket; {@link #start} begins to receive. */
    DatagramTransport(RdmaContext context, InetSocketAddress local, RdmaDatagramOptions wanted) throws IOException {
        options = wanted.within(context.queryDevice());
        destinations = new DestinationTable(options.maxPeers());
        device = new DatagramDevice(context);
        UdpService made = null;
        try {
            made = new UdpService(device.localAddress(local), this);
            bound = made.local();
        } finally {
            if (made == null) {
                device.close();
            }
        }
        udp = made;
        resolver = new AddressResolver(device, options.resolveTimeout(), lock, counters);
    }

    /** Begins to receive; creates the queue pair, if the local address is known. */
    void start() throws IOException {
        if (!bound.getAddress().isAnyLocalAddress()) {
            addQueuePair(bound.getAddress());
        }
        resolver.start();
        udp.start();
    }

    RdmaDatagramOptions options() {
        return options;
    }

    DatagramDevice device() {
        return device;
    }

    InetSocketAddress local() {
        return bound;
    }

    Destination connected() {
        return connected;
    }

    RdmaDatagramCounters counters() {
        return counters.snapshot();
    }

    DatagramWait waits() {
        return wait;
    }

    /** Returns the goal that a message has arrived. */
    DatagramWait.Goal readable() {
        return readable;
    }

    /** Returns the goal that there is room for a message to any peer. */
    DatagramWait.Goal writable() {
        return writable;
    }

    boolean isClosed() {
        return closed;
    }

    void requireOpen() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    void connect(InetSocketAddress peer) throws IOException {
        Destination destination = null;
        while (destination == null) {
            destination = connect(destination(peer));
        }
    }

    /** Connects to a peer, unless another one has taken its place meanwhile; then returns null. */
    private Destination connect(Destination peer) {
        lock.lock();
        try {
            requireOpen();
            if (peer.state() == Destination.State.REMOVED) {
                return null;
            }
            filter.only(peer.address());
            connected = peer;
            return peer;
        } finally {
            lock.unlock();
        }
    }

    void disconnect() {
        lock.lock();
        try {
            requireOpen();
            filter.only(null);
            connected = null;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether messages to a peer go over RDMA. */
    boolean isResolved(InetSocketAddress peer) {
        lock.lock();
        try {
            Destination destination = destinations.find(peer);
            return destination != null && destination.state() == Destination.State.RESOLVED;
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many bytes a message to an address can have: over RDMA, and over UDP to librdmacm. */
    int maxPayload(InetAddress address) {
        return Math.min(device.mtu() - MessageHeader.bytes(address), DatagramMemory.MESSAGE - UdpHeader.bytes(address));
    }

    /** Returns a peer, which may be new. */
    Destination destination(InetSocketAddress address) throws IOException {
        Destination found = destinations.find(address);
        return found != null ? found : create(address);
    }

    private Destination create(InetSocketAddress address) throws IOException {
        setup.lock();
        try {
            requireOpen();
            Destination found = destinations.find(address);
            if (found != null) {
                return found;
            }
            Destination made = new Destination(address, queuePair(localAddress(address)));
            lock.lock();
            try {
                requireOpen();
                if (!destinations.add(made, connected)) {
                    throw new IOException("all " + options.maxPeers() + " places for peers are in use: give "
                            + this + " a larger maxPeers");
                }
            } finally {
                lock.unlock();
            }
            return made;
        } finally {
            setup.unlock();
        }
    }

    /** Returns the local address from which a peer is reached. */
    private InetAddress localAddress(InetSocketAddress peer) throws IOException {
        if (!bound.getAddress().isAnyLocalAddress()) {
            boolean isIpv4 = bound.getAddress() instanceof Inet4Address;
            if (peer.getAddress() instanceof Inet4Address != isIpv4) {
                throw new IllegalArgumentException(peer + " is no " + (isIpv4 ? "IPv4" : "IPv6") + " address, as "
                        + bound + " is, to which this socket is bound");
            }
            return bound.getAddress();
        }
        try (DatagramChannel probe = DatagramChannel.open()) {
            probe.connect(peer);
            return ((InetSocketAddress) probe.getLocalAddress()).getAddress();
        }
    }

    private DatagramQueuePair queuePair(InetAddress local) {
        for (DatagramQueuePair each : queuePairs) {
            if (each.local().getAddress().equals(local)) {
                return each;
            }
        }
        return addQueuePair(local);
    }

    private DatagramQueuePair addQueuePair(InetAddress local) {
        DatagramQueuePair made = new DatagramQueuePair(device, new InetSocketAddress(local, bound.getPort()), options,
                filter, counters, wait);
        lock.lock();
        try {
            if (!closed) {
                DatagramQueuePair[] more = Arrays.copyOf(queuePairs, queuePairs.length + 1);
                more[queuePairs.length] = made;
                queuePairs = more;
                return made;
            }
        } finally {
            lock.unlock();
        }
        made.close();
        throw new IllegalStateException(this + " is closed");
    }

    /** Sends a message, whose length is allowed; returns false if there is no room for it. */
    boolean send(InetSocketAddress to, ByteBuffer from) throws IOException {
        while (true) {
            Destination destination = destination(to);
            lock.lock();
            try {
                requireOpen();
                if (destination.state() == Destination.State.RESOLVED) {
                    return send(destination, from);
                }
                destinations.use(destination);
                if (destination.state() == Destination.State.REMOVED) {
                    continue;
                }
            } finally {
                lock.unlock();
            }
            counters.add(udp.send(UdpHeader.DATA, destination, from)
                    ? Counter.SENT_OVER_UDP
                    : Counter.DROPPED_NO_ROOM);
            from.position(from.limit());
            return true;
        }
    }

    private boolean send(Destination to, ByteBuffer from) throws IOException {
        DatagramQueuePair own = to.queuePair();
        if (!own.canSend()) {
            poll();
            if (!own.canSend()) {
                return false;
            }
        }
        destinations.use(to);
        own.send(to, from);
        from.position(from.limit());
        counters.add(Counter.SENT);
        return true;
    }

    /** Receives a message that has arrived; returns its sender, or null. */
    InetSocketAddress receive(ByteBuffer into) throws IOException {
        lock.lock();
        try {
            requireOpen();
            DatagramQueuePair next = nextWithMessage();
            if (next == null && poll() > 0) {
                next = nextWithMessage();
            }
            return next == null ? null : next.receive(into);
        } finally {
            lock.unlock();
        }
    }

    private DatagramQueuePair nextWithMessage() throws IOException {
        DatagramQueuePair[] all = queuePairs;
        for (int i = 0; i < all.length; i++) {
            turn = (turn + 1) % all.length;
            if (all[turn].hasMessage()) {
                return all[turn];
            }
        }
        return null;
    }

    /** Processes what has completed; returns the number of completions. The lock is held. */
    int poll() {
        assert lock.isHeldByCurrentThread();
        int total = 0;
        for (DatagramQueuePair each : queuePairs) {
            total += each.poll();
        }
        if (total > 0) {
            wait.changed();
        }
        return total;
    }

    /** Makes the next completion of each queue pair raise an event; the lock is held. */
    void arm() {
        assert lock.isHeldByCurrentThread();
        for (DatagramQueuePair each : queuePairs) {
            each.arm();
        }
    }

    private boolean canReceive() {
        for (DatagramQueuePair each : queuePairs) {
            if (each.canReceive()) {
                return true;
            }
        }
        return false;
    }

    private boolean canSend() {
        for (DatagramQueuePair each : queuePairs) {
            if (!each.canSend()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void received(InetSocketAddress from, ByteBuffer datagram) throws IOException {
        if (datagram.remaining() > DatagramMemory.MESSAGE || from.getPort() == 0
                || !UdpHeader.isValid(datagram, from.getAddress())) {
            counters.add(Counter.DROPPED_HEADERS);
            return;
        }
        if (!UdpHeader.isFrom(datagram, from.getAddress())) {
            counters.add(Counter.DROPPED_ADDRESSES);
            return;
        }
        Destination only = connected;
        if (only != null && !only.address().equals(from)) {
            counters.add(Counter.DROPPED_STRANGERS);
            return;
        }
        Destination peer;
        try {
            peer = destination(from);
        } catch (IOException | VerbsException | IllegalArgumentException e) {
            counters.add(Counter.DROPPED_NO_ROUTE);
            LOG.debug("a datagram of {} was dropped", from, e);
            return;
        }
        boolean hasMessage = UdpHeader.operation(datagram) == UdpHeader.DATA;
        if (hasMessage) {
            udp.send(UdpHeader.CONTROL, peer, NOTHING);
        }
        resolver.named(peer, UdpHeader.queuePair(datagram));
        if (hasMessage) {
            datagram.position(datagram.position() + UdpHeader.bytes(from.getAddress()));
            forward(peer.queuePair(), from, datagram);
        }
    }

    /** Sends a message that has come over UDP to this side itself, so that all messages arrive in one way. */
    private void forward(DatagramQueuePair own, InetSocketAddress from, ByteBuffer payload) throws IOException {
        byte[] header = MessageHeader.encode(from);
        lock.lock();
        try {
            requireOpen();
            if (!own.canSend()) {
                poll();
            }
            if (!own.canSend() || header.length + payload.remaining() > device.mtu()) {
                counters.add(Counter.DROPPED_NO_ROOM);
                return;
            }
            own.forward(header, payload);
            counters.add(Counter.RECEIVED_OVER_UDP);
        } finally {
            lock.unlock();
        }
    }

    /** Closes the socket, once. */
    void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            wait.changed();
        } finally {
            lock.unlock();
        }
        try {
            udp.close();
        } finally {
            new DatagramClose(device, resolver, destinations, lock).close(takeQueuePairs());
        }
    }

    private DatagramQueuePair[] takeQueuePairs() {
        // a thread that creates one ends that first
        setup.lock();
        lock.lock();
        try {
            DatagramQueuePair[] taken = queuePairs;
            queuePairs = new DatagramQueuePair[0];
            return taken;
        } finally {
            lock.unlock();
            setup.unlock();
        }
    }

    @Override
    public String toString() {
        Destination to = connected;
        return "datagram socket at " + bound + (to == null ? "" : " to " + to.address());
    }
}
