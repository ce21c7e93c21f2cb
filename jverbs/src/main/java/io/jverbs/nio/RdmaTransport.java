package io.jverbs.nio;

import io.jverbs.GidEntry;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.rsocket.RdmaStreamOptions;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The device of a provider, which is opened when a channel needs it first, and which addresses the provider reaches
 * with it. Thread-safe.
 */
final class RdmaTransport {
    private static final Logger LOG = LoggerFactory.getLogger(RdmaSelectorProvider.class);
    /** Where TCP can take over, RDMA gets this time to connect, or half of the limit of the program. */
    private static final long ATTEMPT_NANOS = Duration.ofSeconds(1).toNanos();
    /** When the networks of the device were not found, they are looked for again after this time. */
    private static final long RETRY_NANOS = Duration.ofSeconds(1).toNanos();
    /** A peer whose process was killed may not disconnect, unlike one with TCP. */
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(30);

    static final RdmaStreamOptions DEFAULT_OPTIONS = RdmaStreamOptions.DEFAULT.withKeepAlive(KEEP_ALIVE);

    /** By what an address is reached, or at what a channel listens. */
    enum Choice {
        RDMA,
        /** By RDMA, and by TCP if the peer has no RDMA; a listener listens at both. */
        BOTH,
        TCP
    }

    private final TransportRule rule;
    private final RdmaStreamOptions options;
    /** The context of the program, null if this object opens one. */
    private final RdmaContext given;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile RdmaContext opened;
    /** What the rule {@code auto} reaches: null before the first attempt to find it, empty if the last one failed. */
    private volatile Set<AddressPrefix> networks;
    /** If the last attempt failed, the time of {@link System#nanoTime} of the next one. */
    private volatile long nextAttempt;

    RdmaTransport(TransportRule rule, RdmaStreamOptions options, RdmaContext given) {
        this.rule = rule;
        this.options = options;
        this.given = given;
    }

    RdmaStreamOptions options() {
        return options;
    }

    /**
     * Returns the options of a stream for which TCP takes over if it is not established soon.
     *
     * @param limit the time of the program to connect by RDMA or TCP, 0 for no limit
     */
    static RdmaStreamOptions attempt(RdmaStreamOptions wanted, long limit) {
        Duration most = Duration.ofNanos(limit == 0 ? ATTEMPT_NANOS : Math.clamp(limit / 2, 1, ATTEMPT_NANOS));
        return wanted.connectTimeout().compareTo(most) > 0 ? wanted.withConnectTimeout(most) : wanted;
    }

    /** Returns by what to connect to an address. */
    Choice toConnect(InetAddress remote) {
        return choose(remote, false);
    }

    /** Returns at what to listen. */
    Choice toListen(InetAddress local) {
        return choose(local, local.isAnyLocalAddress());
    }

    private Choice choose(InetAddress address, boolean isAny) {
        Choice choice = switch (rule.kind()) {
            case ALWAYS -> Choice.RDMA;
            case PREFIXES -> isAny ? Choice.BOTH : rule.contains(address) ? Choice.RDMA : Choice.TCP;
            case AUTO -> {
                Set<AddressPrefix> reached = networks();
                boolean isReached = isAny && !reached.isEmpty()
                        || reached.stream().anyMatch(network -> network.contains(address));
                yield isReached ? Choice.BOTH : Choice.TCP;
            }
        };
        LOG.debug("{}: {} by rule {}", address.getHostAddress(), choice, rule);
        return choice;
    }

    /**
     * Returns the context.
     *
     * @throws SocketException if there is no device
     */
    RdmaContext context() throws SocketException {
        if (given != null) {
            return given;
        }
        RdmaContext present = opened;
        if (present != null && !present.isClosed()) {
            return present;
        }
        lock.lock();
        try {
            if (opened == null || opened.isClosed()) {
                opened = Verbs.open();
                LOG.info("sockets use {}, rule {}", opened.device(), rule);
            }
            return opened;
        } catch (VerbsException e) {
            throw SocketExceptions.of("no RDMA device: " + e.getMessage(), e);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the networks of the device; none if there is no device, or it cannot be opened now. */
    private Set<AddressPrefix> networks() {
        Set<AddressPrefix> present = networks;
        if (present != null && !isAttemptDue(present)) {
            return present;
        }
        lock.lock();
        try {
            if (networks == null || isAttemptDue(networks)) {
                Set<AddressPrefix> found = find();
                nextAttempt = System.nanoTime() + RETRY_NANOS;
                networks = found;
            }
            return networks;
        } finally {
            lock.unlock();
        }
    }

    private boolean isAttemptDue(Set<AddressPrefix> found) {
        return found.isEmpty() && System.nanoTime() - nextAttempt >= 0;
    }

    private Set<AddressPrefix> find() {
        try {
            RdmaContext context = context();
            Set<AddressPrefix> found = new LinkedHashSet<>();
            // the connection manager takes loopback addresses for those of the device
            found.add(AddressPrefix.parse("127.0.0.0/8"));
            found.add(AddressPrefix.parse("::1"));
            for (GidEntry entry : context.queryGidTable()) {
                found.add(network(entry.gid().toInetAddress()));
            }
            LOG.info("rule auto: {} reaches {} by RDMA; other addresses are reached by TCP", context.device(), found);
            return found;
        } catch (SocketException | RuntimeException e) {
            if (networks == null) {
                LOG.info("rule auto: all addresses are reached by TCP: {}", e.getMessage());
            }
            return Set.of();
        }
    }

    /** Returns the network of an address of the device. */
    private static AddressPrefix network(InetAddress own) throws SocketException {
        NetworkInterface device = NetworkInterface.getByInetAddress(own);
        if (device != null) {
            for (InterfaceAddress each : device.getInterfaceAddresses()) {
                if (each.getAddress().equals(own)) {
                    return new AddressPrefix(own, each.getNetworkPrefixLength());
                }
            }
        }
        // an address of a software device, which is on no interface
        return new AddressPrefix(own, Byte.SIZE * own.getAddress().length);
    }

    @Override
    public String toString() {
        return rule.toString();
    }
}
