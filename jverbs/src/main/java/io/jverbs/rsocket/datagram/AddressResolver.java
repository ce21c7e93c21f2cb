package io.jverbs.rsocket.datagram;

import io.jverbs.AddressHandle;
import io.jverbs.AhAttributes;
import io.jverbs.VerbsException;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.CmId;
import io.jverbs.cm.PortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Resolves the addresses of peers with the connection manager, and creates their address handles. A limited number of
 * addresses is resolved at a time: those that nobody has, which strangers may give, take the whole timeout. A virtual
 * thread waits for the events. Thread-safe.
 */
final class AddressResolver {
    private static final Logger LOG = LoggerFactory.getLogger(AddressResolver.class);
    /** The maximum number of addresses that are resolved at a time. */
    private static final int MAX_RESOLUTIONS = 16;

    private final DatagramDevice device;
    private final Duration timeout;
    /** The lock of the socket. */
    private final ReentrantLock lock;
    private final Counter.Values counters;
    private final Set<CmId> ids = ConcurrentHashMap.newKeySet();
    private final Thread thread;

    AddressResolver(DatagramDevice device, Duration timeout, ReentrantLock lock, Counter.Values counters) {
        this.device = device;
        this.timeout = timeout;
        this.lock = lock;
        this.counters = counters;
        thread = Thread.ofVirtual().name("jverbs-rsocket-addresses").inheritInheritableThreadLocals(false)
                .unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Notes the queue pair that a peer has named, and begins to resolve its address if that is due. */
    void named(Destination peer, int queuePair) {
        lock.lock();
        try {
            if (!peer.named(queuePair)) {
                return;
            }
        } finally {
            lock.unlock();
        }
        boolean isStarted = false;
        try {
            isStarted = ids.size() < MAX_RESOLUTIONS && begin(peer);
        } finally {
            if (!isStarted) {
                failed(peer);
            }
        }
    }

    private boolean begin(Destination peer) {
        CmId id = device.events().createId(PortSpace.UDP);
        ids.add(id);
        boolean isBegun = false;
        try {
            id.userContext(peer);
            id.resolveAddress(new InetSocketAddress(peer.queuePair().local().getAddress(), 0), peer.address(), timeout);
            isBegun = true;
        } catch (VerbsException e) {
            LOG.debug("the address {} cannot be resolved", peer.address(), e);
        } finally {
            if (!isBegun) {
                end(id);
            }
        }
        return isBegun;
    }

    private void failed(Destination peer) {
        counters.add(Counter.FAILED_RESOLUTIONS);
        lock.lock();
        try {
            peer.notResolved();
        } finally {
            lock.unlock();
        }
    }

    private void end(CmId id) {
        id.close();
        ids.remove(id);
    }

    private void run() {
        while (!device.context().isClosed() && !device.events().isClosed()) {
            try {
                next();
            } catch (InterruptedException e) {
                // nobody interrupts this thread
            } catch (RuntimeException | Error e) {
                if (!device.context().isClosed() && !device.events().isClosed()) {
                    LOG.warn("resolving an address has failed", e);
                }
            }
        }
    }

    private void next() throws InterruptedException {
        CmId ended = null;
        try (CmEvent event = device.events().awaitEvent()) {
            CmId id = event.id();
            boolean goesOn = false;
            try {
                goesOn = step(event, id, (Destination) id.userContext());
            } finally {
                ended = goesOn ? null : id;
            }
        } finally {
            // after the acknowledgement of the event, for which the close waits
            if (ended != null) {
                end(ended);
            }
        }
    }

    /** Takes the next step; returns whether there is another one. */
    private boolean step(CmEvent event, CmId id, Destination peer) {
        boolean isDone = false;
        try {
            if (event.type() == CmEventType.ADDR_RESOLVED) {
                id.resolveRoute(timeout);
                isDone = true;
                return true;
            }
            if (event.type() == CmEventType.ROUTE_RESOLVED) {
                resolved(id, peer);
                isDone = true;
            } else {
                LOG.debug("the address {} was not resolved: {}", peer.address(), event);
            }
            return false;
        } finally {
            if (!isDone) {
                failed(peer);
            }
        }
    }

    private void resolved(CmId id, Destination peer) {
        AddressHandle handle = device.pd().createAddressHandle(
                AhAttributes.to(id.peerGid(), id.port(), device.gidIndex(id.port(), id.localGid())));
        lock.lock();
        try {
            if (peer.state() == Destination.State.RESOLVING) {
                peer.resolved(handle);
                return;
            }
        } finally {
            lock.unlock();
        }
        handle.close();
    }

    /** Ends the resolutions. The channel is closed afterwards, which ends the thread. */
    void close() {
        new ArrayList<>(ids).forEach(this::end);
    }
}
