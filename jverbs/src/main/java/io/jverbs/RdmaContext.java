package io.jverbs;

import io.jverbs.spi.ContextOps;
import io.jverbs.spi.ProviderDevice;
import io.jverbs.spi.StackReserve;
import io.jverbs.spi.Waits;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An open device, {@code struct ibv_context}; see ibv_open_device(3). All other objects are created from a context,
 * directly or indirectly.
 *
 * <p>
 * A context refers to its objects strongly until they are closed. Closing an object that others still use fails with
 * EBUSY; closing the context closes all of its objects. This class is thread-safe.
 *
 * {@snippet :
 * try (RdmaContext context = Verbs.open();
 *         ProtectionDomain pd = context.allocatePd();
 *         CompletionQueue cq = context.createCompletionQueue(64);
 *         MemoryRegion region = pd.allocate(4096, Access.LOCAL_WRITE);
 *         QueuePair qp = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).build())) {
 *     System.out.println(context.device() + ", port 1 is " + context.queryPort(1).state());
 * }
 * }
 */
public final class RdmaContext implements AutoCloseable {
    private static final Set<RdmaContext> OPEN = ConcurrentHashMap.newKeySet();

    private final RdmaDevice device;
    private final Layers layers;
    private final ContextObjects objects;
    private final DefaultDomain defaultDomain = new DefaultDomain(this);
    /** Null while the device is being opened. */
    private volatile ContextOps ops;

    private RdmaContext(RdmaDevice device, Layers layers) {
        this.device = device;
        this.layers = layers;
        this.objects = new ContextObjects(device);
    }

    /**
     * Opens a device.
     *
     * @param device the API object of the device
     * @param layers the layers between the device and the program
     * @param provided the device
     */
    static RdmaContext of(RdmaDevice device, Layers layers, ProviderDevice provided) {
        RdmaContext context = new RdmaContext(device, layers);
        try {
            // before the device is opened: afterwards there may be no memory left
            OPEN.add(context);
            context.ops = layers.open(provided);
            return context;
        } finally {
            if (context.ops == null) {
                OPEN.remove(context);
            }
        }
    }

    /** Returns the open contexts. */
    static List<RdmaContext> open() {
        return OPEN.stream().filter(context -> context.ops != null).toList();
    }

    /** {@return the device of this context} */
    public RdmaDevice device() {
        return device;
    }

    /**
     * Returns a capability beyond verbs: a layer of this context, see {@link
     * RdmaDevice#open(io.jverbs.spi.DeviceLayer...)}, or otherwise a capability of the device, see {@link
     * RdmaDevice#capability}.
     *
     * @param <T> the type of the capability
     * @param type the class or interface of the capability
     * @return the capability, or empty if there is none
     */
    public <T> Optional<T> capability(Class<T> type) {
        Optional<T> layer = layers.find(Objects.requireNonNull(type, "type"));
        return layer.isPresent() ? layer : device.capability(type);
    }

    /** {@return the attributes and limits of the device; see ibv_query_device(3)} */
    public DeviceAttributes queryDevice() {
        return ops().queryDevice();
    }

    /**
     * Queries a port; see ibv_query_port(3).
     *
     * @param port the number of the port, from 1
     * @return the attributes of the port
     * @throws VerbsException with EINVAL if there is no such port
     */
    public PortAttributes queryPort(int port) {
        return ops().queryPort(port);
    }

    /**
     * Returns the GID at an index of the GID table of a port; see ibv_query_gid(3).
     *
     * @param port the number of the port, from 1
     * @param index the index in the GID table, from 0
     * @return the GID; {@link Gid#ZERO} if the entry is empty
     * @throws VerbsException with EINVAL if the port or the index does not exist
     */
    public Gid queryGid(int port, int index) {
        return ops().queryGid(port, index);
    }

    /**
     * Returns the entry at an index of the GID table of a port; see ibv_query_gid_ex(3).
     *
     * @param port the number of the port, from 1
     * @param index the index in the GID table, from 0
     * @return the entry
     * @throws VerbsException with ENODATA if the entry is empty, EINVAL if the port or the index does not exist
     */
    public GidEntry queryGidEntry(int port, int index) {
        return ops().queryGidEntry(port, index);
    }

    /** {@return the GID table entries of all ports, without empty entries; see ibv_query_gid_table(3)} */
    public List<GidEntry> queryGidTable() {
        return ops().queryGidTable();
    }

    /**
     * Returns the GID table entry that a program should use if it has no preference. RoCEv2 entries come before all
     * others. Among them, IPv4-mapped GIDs come first, then IPv6 GIDs that are not link-local, then link-local GIDs. Of
     * equally preferred entries, the one with the lowest index is returned.
     *
     * @param port the number of the port, from 1
     * @return the entry
     * @throws VerbsException with ENODATA if the GID table of the port is empty, EINVAL if there is no such port
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
     * Returns the P_Key at an index of the P_Key table of a port; see ibv_query_pkey(3).
     *
     * @param port the number of the port, from 1
     * @param index the index in the P_Key table, from 0
     * @return the P_Key, 16 bits in host byte order; 0 if the entry is empty
     * @throws VerbsException with EINVAL if the port or the index does not exist
     */
    public int queryPkey(int port, int index) {
        return ops().queryPkey(port, index);
    }

    /**
     * Returns the index of a P_Key in the P_Key table of a port; see ibv_get_pkey_index(3).
     *
     * @param port the number of the port, from 1
     * @param pkey the P_Key, 16 bits in host byte order
     * @return the index of its first entry, or empty if the table does not have it
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
     * @return the protection domain
     * @throws VerbsException with ENOMEM if a limit of the device is reached
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
     * Creates the device's part of an event channel; {@link io.jverbs.cm.CmEventChannel#create} calls this.
     *
     * @return the channel
     * @throws VerbsException with EOPNOTSUPP if the device has no connection manager; with ENODEV if it has one that
     *         cannot be used here
     */
    public ManagementChannel createManagementChannel() {
        return new ManagementChannel(this);
    }

    /**
     * Creates a completion queue without a channel; see ibv_create_cq(3).
     *
     * @param cqe the minimum number of completions that it must hold, 1 to {@link DeviceAttributes#maxCqe()}
     * @return the completion queue
     * @throws VerbsException with EINVAL if {@code cqe} is out of range
     */
    public CompletionQueue createCompletionQueue(int cqe) {
        return createCompletionQueue(CqInitAttributes.of(cqe));
    }

    /**
     * Creates a completion queue with a completion channel; see ibv_create_cq(3).
     *
     * @param cqe the minimum number of completions that it must hold, 1 to {@link DeviceAttributes#maxCqe()}
     * @param channel the channel for its events
     * @return the completion queue
     * @throws VerbsException with EINVAL if {@code cqe} is out of range
     */
    public CompletionQueue createCompletionQueue(int cqe, CompletionChannel channel) {
        return createCompletionQueue(CqInitAttributes.of(cqe).withChannel(Objects.requireNonNull(channel, "channel")));
    }

    /**
     * Creates a completion queue; see ibv_create_cq(3).
     *
     * @param attributes the size, the channel and the completion vector of the queue
     * @return the completion queue
     * @throws VerbsException with EINVAL if the size or the completion vector is out of range, or if the channel
     *         belongs to another context
     */
    public CompletionQueue createCompletionQueue(CqInitAttributes attributes) {
        Objects.requireNonNull(attributes, "attributes");
        ForeignObject.refuse("create_cq", this, "channel", attributes.channel());
        return new CompletionQueue(this, attributes);
    }

    /**
     * Waits for an asynchronous event; see ibv_get_async_event(3). Every event must be acknowledged, because closing
     * the object that it concerns waits for the acknowledgement.
     *
     * @param timeout the maximum time to wait; {@link Duration#ZERO} returns immediately
     * @return the event, or null if the timeout expired
     * @throws InterruptedException if the thread is interrupted
     * @throws IllegalArgumentException if the timeout is negative
     * @throws IllegalStateException if the context is closed, before or during the wait
     */
    public AsyncEvent awaitAsyncEvent(Duration timeout) throws InterruptedException {
        StackReserve.check();
        ContextOps.Async event = ops().awaitAsync(Waits.nanos(timeout));
        if (event == null) {
            objects.checkOpen();
            return null;
        }
        return AsyncEvent.retrieved(event);
    }

    /** {@return whether this context is closed} */
    public boolean isClosed() {
        return objects.isClosed();
    }

    /**
     * Closes the context and all objects that were created from it, children before parents; see ibv_close_device(3).
     * Threads that wait on the context or its completion channels throw {@link IllegalStateException}, and so do
     * threads that are creating an object. A call on a closed context has no effect; it returns when the device is
     * closed. If an Error is thrown, for instance an OutOfMemoryError, the context can no longer be used, and the next
     * call closes what is left.
     *
     * @throws VerbsException if the device cannot destroy an object; all other objects are closed nevertheless
     */
    @Override
    public void close() {
        StackReserve.check();
        RemainingObjects remaining = objects.beginCloseOfAll();
        if (remaining == null) {
            return;
        }
        boolean done = false;
        try {
            OPEN.remove(this);
            done = remaining.destroyAll(ops);
        } finally {
            objects.endCloseOfAll(done);
        }
        remaining.rethrow();
    }

    /** Returns the operations of the device; throws if this context is closed. */
    ContextOps ops() {
        objects.checkOpen();
        return ops;
    }

    /** Returns the operations of the device, also while this context is closed or closing. */
    ContextOps closingOps() {
        return ops;
    }

    /** Returns the protection domain of CM IDs without another one. */
    DefaultDomain defaultDomain() {
        return defaultDomain;
    }

    /** Returns the open objects of this context. */
    ContextObjects objects() {
        return objects;
    }

    @Override
    public String toString() {
        return "context of " + device + (isClosed() ? " (closed)" : "");
    }
}
