package io.jverbs;

import io.jverbs.spi.ContextOps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An open device, as {@code struct ibv_context}; see ibv_open_device(3). Everything else is made from it. It holds its
 * objects strongly until they are closed. All methods may be called by any thread.
 */
public final class RdmaContext implements AutoCloseable {
    private static final int MAX_NAMED_CHILDREN = 3;
    private static final Set<RdmaContext> OPEN = ConcurrentHashMap.newKeySet();

    private final RdmaDevice device;
    private final Layers layers;
    private final ContextOps ops;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition destroyedOne = lock.newCondition();
    private final Set<Resource> resources = new LinkedHashSet<>();
    private volatile boolean closed;

    RdmaContext(RdmaDevice device, Layers layers, ContextOps ops) {
        this.device = device;
        this.layers = layers;
        this.ops = ops;
        OPEN.add(this);
    }

    static List<RdmaContext> open() {
        return List.copyOf(OPEN);
    }

    /** {@return the device that this context is open on} */
    public RdmaDevice device() {
        return device;
    }

    /**
     * Looks up what can be done with this context beyond verbs: a layer that stands before its device, see
     * {@link RdmaDevice#open(io.jverbs.spi.DeviceLayer...)}, or a capability of the device.
     *
     * @param <T> the capability's type
     * @param type the capability's class or interface
     * @return the capability, or empty where there is none
     */
    public <T> Optional<T> capability(Class<T> type) {
        Optional<T> layer = layers.find(Objects.requireNonNull(type, "type"));
        return layer.isPresent() ? layer : device.capability(type);
    }

    /** {@return the device's attributes and limits; see ibv_query_device(3)} */
    public DeviceAttributes queryDevice() {
        return ops().queryDevice();
    }

    /**
     * Queries a port; see ibv_query_port(3).
     *
     * @param port the port's number, from 1
     * @return its attributes
     * @throws VerbsException with EINVAL if there is no such port
     */
    public PortAttributes queryPort(int port) {
        return ops().queryPort(port);
    }

    /**
     * Reads an entry of a port's GID table; see ibv_query_gid(3).
     *
     * @param port the port's number, from 1
     * @param index the place in the table
     * @return the GID, {@link Gid#ZERO} where the entry is empty
     * @throws VerbsException with EINVAL if there is no such port or place
     */
    public Gid queryGid(int port, int index) {
        return ops().queryGid(port, index);
    }

    /**
     * Reads an entry of a port's GID table with its type; see ibv_query_gid_ex(3).
     *
     * @param port the port's number, from 1
     * @param index the place in the table
     * @return the entry
     * @throws VerbsException with ENODATA if the entry is empty, EINVAL if there is no such port or place
     */
    public GidEntry queryGidEntry(int port, int index) {
        return ops().queryGidEntry(port, index);
    }

    /** {@return the entries of all ports that are not empty; see ibv_query_gid_table(3)} */
    public List<GidEntry> queryGidTable() {
        return ops().queryGidTable();
    }

    /**
     * Chooses the GID by which a program that does not care should be reached: of the RoCEv2 entries (otherwise of all) an
     * IPv4-mapped one first, then a global IPv6 one, then whatever there is.
     *
     * @param port the port's number, from 1
     * @return the entry
     * @throws VerbsException with ENODATA if the port's table is empty, EINVAL if there is no such port
     */
    public GidEntry preferredGid(int port) {
        queryPort(port);
        return queryGidTable().stream().filter(entry -> entry.port() == port)
                .max(Comparator.comparingInt(RdmaContext::preference).thenComparing(entry -> -entry.index()))
                .orElseThrow(() -> new VerbsException("query_gid", Errno.ENODATA,
                        "port " + port + " of " + device + " has no GID"));
    }

    private static int preference(GidEntry entry) {
        int type = entry.type() == GidType.ROCE_V2 ? 4 : 0;
        boolean linkLocal = entry.gid().high() >>> 54 == 0xFE80 >>> 6;
        return type + (entry.gid().isIpv4Mapped() ? 2 : linkLocal ? 0 : 1);
    }

    /**
     * Reads an entry of a port's P_Key table; see ibv_query_pkey(3).
     *
     * @param port the port's number, from 1
     * @param index the place in the table
     * @return 16 bits in host order, 0 where the entry is empty
     * @throws VerbsException with EINVAL if there is no such port or place
     */
    public int queryPkey(int port, int index) {
        return ops().queryPkey(port, index);
    }

    /**
     * Finds a P_Key; see ibv_get_pkey_index(3).
     *
     * @param port the port's number, from 1
     * @param pkey 16 bits in host order
     * @return its place in the table, or empty
     * @throws VerbsException with EINVAL if there is no such port
     */
    public OptionalInt pkeyIndex(int port, int pkey) {
        int length = queryPort(port).pkeyTableLength();
        for (int i = 0; i < length; i++) {
            if (queryPkey(port, i) == pkey) {
                return OptionalInt.of(i);
            }
        }
        return OptionalInt.empty();
    }

    /**
     * Allocates a protection domain; see ibv_alloc_pd(3).
     *
     * @return the domain
     * @throws VerbsException with ENOMEM if the device has no more
     */
    public ProtectionDomain allocatePd() {
        return new ProtectionDomain(this);
    }

    /**
     * Creates a completion channel; see ibv_create_comp_channel(3).
     *
     * @return the channel
     */
    public CompletionChannel createCompletionChannel() {
        return new CompletionChannel(this);
    }

    /**
     * Creates a completion queue without a channel; see ibv_create_cq(3).
     *
     * @param cqe the least number of completions it must hold, 1 to the device's maxCqe
     * @return the queue
     * @throws VerbsException with EINVAL if {@code cqe} is out of range
     */
    public CompletionQueue createCompletionQueue(int cqe) {
        return createCompletionQueue(CqInitAttributes.of(cqe));
    }

    /**
     * Creates a completion queue whose events go to a channel; see ibv_create_cq(3).
     *
     * @param cqe the least number of completions it must hold, 1 to the device's maxCqe
     * @param channel the channel
     * @return the queue
     * @throws VerbsException with EINVAL if {@code cqe} is out of range
     */
    public CompletionQueue createCompletionQueue(int cqe, CompletionChannel channel) {
        return createCompletionQueue(CqInitAttributes.of(cqe).withChannel(Objects.requireNonNull(channel, "channel")));
    }

    /**
     * Creates a completion queue; see ibv_create_cq(3).
     *
     * @param attributes its size, channel and completion vector
     * @return the queue
     * @throws VerbsException with EINVAL if the size or the vector is out of range
     */
    public CompletionQueue createCompletionQueue(CqInitAttributes attributes) {
        return new CompletionQueue(this, Objects.requireNonNull(attributes, "attributes"));
    }

    /**
     * Waits for an asynchronous event; see ibv_get_async_event(3). Each event must be acknowledged: closing the object that
     * it concerns waits for that.
     *
     * @param timeout how long to wait; {@link Duration#ZERO} looks without waiting
     * @return the event, or null when the time is over
     * @throws InterruptedException if the thread is interrupted
     * @throws IllegalStateException if the context is closed, also while waiting
     */
    public AsyncEvent awaitAsyncEvent(Duration timeout) throws InterruptedException {
        ContextOps.Async event = ops().awaitAsync(Waiting.nanos(timeout));
        if (event == null) {
            checkOpen();
            return null;
        }
        return AsyncEvent.retrieved(event);
    }

    /** {@return whether this context is closed} */
    public boolean isClosed() {
        return closed;
    }

    /**
     * Closes the context and everything made from it, children first; see ibv_close_device(3). Threads that wait on it get
     * {@link IllegalStateException}. A second call does nothing.
     *
     * @throws VerbsException if the device refuses to destroy something; the rest is closed all the same
     */
    @Override
    public void close() {
        List<Resource> left;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            OPEN.remove(this);
            left = new ArrayList<>(resources);
            resources.clear();
        } finally {
            lock.unlock();
        }
        left.sort(Comparator.comparing(Resource::rank));
        RuntimeException failure = null;
        for (Resource resource : left) {
            failure = attempt(resource::destroyWithContext, failure);
        }
        failure = attempt(ops::close, failure);
        if (failure != null) {
            throw failure;
        }
    }

    private static RuntimeException attempt(Runnable step, RuntimeException before) {
        try {
            step.run();
            return before;
        } catch (RuntimeException e) {
            if (before == null) {
                return e;
            }
            before.addSuppressed(e);
            return before;
        }
    }

    /** The device, if this context is open. */
    ContextOps ops() {
        checkOpen();
        return ops;
    }

    /** The device, also while this context closes. */
    ContextOps closingOps() {
        return ops;
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the context of " + device + " is closed");
        }
    }

    /** Enters a new object and counts it with its parents. */
    void adopt(String operation, Resource resource) {
        lock.lock();
        try {
            checkOpen();
            for (Resource parent : resource.parents()) {
                checkParent(operation, parent);
            }
            for (Resource parent : resource.parents()) {
                if (parent != null) {
                    parent.addChildren(1);
                }
            }
            resources.add(resource);
        } finally {
            lock.unlock();
        }
    }

    private void checkParent(String operation, Resource parent) {
        if (parent == null) {
            return;
        }
        if (parent.context() != this) {
            throw new VerbsException(operation, Errno.EINVAL, parent + " belongs to another context");
        }
        parent.checkOpen();
    }

    /** Moves an object from one parent to another. */
    void exchangeParent(String operation, Resource resource, Resource before, Resource after) {
        lock.lock();
        try {
            checkParent(operation, after);
            before.addChildren(-1);
            after.addChildren(1);
            resource.exchangeParent(before, after);
        } finally {
            lock.unlock();
        }
    }

    /** Marks an object closed, or refuses; false if it is closed already, and then destroyed too. */
    boolean beginClose(Resource resource) {
        lock.lock();
        try {
            awaitOtherCloser(resource);
            if (!resource.isClosed() && resource.children() > 0) {
                throw new VerbsException("close", Errno.EBUSY,
                        resource + " is needed by " + describeChildren(resource));
            }
            return claim(resource);
        } finally {
            lock.unlock();
        }
    }

    /** Marks an object closed whatever its children; false if it is closed already, and then destroyed too. */
    boolean claimForClosing(Resource resource) {
        lock.lock();
        try {
            return claim(resource);
        } finally {
            lock.unlock();
        }
    }

    private void awaitOtherCloser(Resource resource) {
        while (resource.isClosing()) {
            destroyedOne.awaitUninterruptibly();
        }
    }

    private boolean claim(Resource resource) {
        awaitOtherCloser(resource);
        if (resource.isClosed()) {
            return false;
        }
        resource.markClosing();
        return true;
    }

    /** Notes that an object was destroyed, or that the device refused and it is open again. */
    void endClose(Resource resource, boolean done) {
        lock.lock();
        try {
            resource.markDestroyed(done);
            destroyedOne.signalAll();
            if (done) {
                release(resource);
            }
        } finally {
            lock.unlock();
        }
    }

    private String describeChildren(Resource parent) {
        List<String> named = new ArrayList<>();
        for (Resource resource : resources) {
            if (List.of(nonNull(resource.parents())).contains(parent)) {
                if (named.size() == MAX_NAMED_CHILDREN) {
                    named.add("...");
                    break;
                }
                named.add(resource.toString());
            }
        }
        return String.join(", ", named) + ": close what needs it first";
    }

    private static Resource[] nonNull(Resource[] parents) {
        return Arrays.stream(parents).filter(Objects::nonNull).toArray(Resource[]::new);
    }

    /** Takes an object out and uncounts it with its parents. */
    void release(Resource resource) {
        lock.lock();
        try {
            if (resources.remove(resource)) {
                for (Resource parent : resource.parents()) {
                    if (parent != null) {
                        parent.addChildren(-1);
                    }
                }
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return "context of " + device + (closed ? " (closed)" : "");
    }
}
