package io.jverbs.ibverbs.rdmacm;

import static io.jverbs.ibverbs.rdmacm.CmIdState.*;

import io.jverbs.Errno;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.VerbsException;
import io.jverbs.ffm.ConnectionCalls;
import io.jverbs.ffm.ibverbs.IbvConstants;
import io.jverbs.ffm.ibverbs.ibv_ece;
import io.jverbs.ffm.ibverbs.ibv_qp_attr;
import io.jverbs.ibverbs.shared.EceStruct;
import io.jverbs.ibverbs.shared.Failure;
import io.jverbs.ibverbs.shared.QpStruct;
import io.jverbs.spi.CmChannelOps;
import io.jverbs.spi.CmIdOps;
import io.jverbs.spi.CmParameters;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.function.ToIntFunction;

/**
 * An ID of librdmacm, {@code struct rdma_cm_id}, without a queue pair. Each call holds the lock of the ID, because
 * librdmacm does not lock its struct. A call asks the kernel first; {@link CmIdState} explains a refusal. Calls that
 * librdmacm would crash in are refused before.
 */
final class NativeCmId implements CmIdOps {
    private final NativeCm manager;
    private final Long address;
    private final int portSpace;
    private final IdStruct struct;
    private final ReentrantLock lock = new ReentrantLock();
    private final Memberships memberships = new Memberships();
    /** The number of its events that the program has retrieved. */
    private final AtomicInteger retrieved = new AtomicInteger();
    /** Destroys the ID. It exists before, because that must succeed without memory. */
    private final IntSupplier destruction = this::destroyStruct;
    private volatile NativeCmChannel channel;
    private volatile Object owner;
    private volatile CmIdState state;
    /** Whether this is the ID of a connect request without a response. Guarded by the lock. */
    private boolean hasRequest;
    private volatile Route route = IdStruct.NO_ROUTE;

    NativeCmId(NativeCm manager, NativeCmChannel channel, Long address, int portSpace, CmIdState state) {
        this.manager = manager;
        this.channel = channel;
        this.address = address;
        this.portSpace = portSpace;
        this.state = state;
        this.hasRequest = state == CONNECT;
        this.struct = new IdStruct(address, manager.device());
    }

    Long address() {
        return address;
    }

    int portSpace() {
        return portSpace;
    }

    NativeCmChannel channel() {
        return channel;
    }

    Memberships memberships() {
        return memberships;
    }

    boolean isDatagram() {
        return ParameterStruct.isDatagram(portSpace);
    }

    /** Returns whether the ID is bound to the device of the context. */
    boolean hasDevice() {
        return route.device() != null;
    }

    /** Copies the addresses and the path; called while the struct exists. */
    synchronized void readRoute() {
        route = struct.route(state.hasPath());
    }

    /** Notes an event that is not acknowledged yet. */
    void occurred(int event) {
        state = state.after(event);
        readRoute();
    }

    /** Counts an event that the program has retrieved. */
    void countRetrieved() {
        retrieved.incrementAndGet();
    }

    @Override
    public Object owner() {
        return owner;
    }

    @Override
    public void owner(Object changed) {
        owner = changed;
    }

    /** Makes a call with memory for its arguments, under the lock; throws the exception of its errno. */
    private void call(String operation, ToIntFunction<Arena> call, CmIdState... allowed) {
        lock.lock();
        try (Arena arena = Arena.ofConfined()) {
            requireOpen(operation);
            Refusals.check(operation, call.applyAsInt(arena), state, allowed);
        } finally {
            lock.unlock();
        }
    }

    /** Makes a call after which the ID is in another state. Its event may come before it returns. */
    private void move(String operation, CmIdState to, ToIntFunction<Arena> call, CmIdState... allowed) {
        call(operation, arena -> {
            CmIdState before = state;
            state = to;
            int errno = 1;
            try {
                errno = call.applyAsInt(arena);
            } finally {
                if (errno != 0) {
                    state = before;
                }
            }
            if (errno == 0) {
                readRoute();
            }
            return errno;
        }, allowed);
    }

    /** As {@link #move}, for a call that reads the device of the ID. */
    private void moveWithDevice(String operation, CmIdState to, ToIntFunction<Arena> call, CmIdState... allowed) {
        lock.lock();
        try {
            requireOpen(operation);
            requireDevice(operation, allowed);
            move(operation, to, call, allowed);
        } finally {
            lock.unlock();
        }
    }

    private void requireOpen(String operation) {
        if (state == DESTROYED) {
            throw new VerbsException(operation, Errno.EINVAL, "the ID is destroyed");
        }
    }

    /** Refuses a call that reads the device of an ID without one: librdmacm would read address 0. */
    private void requireDevice(String operation, CmIdState... allowed) {
        if (!hasDevice()) {
            Refusals.withoutDevice(operation, state, allowed);
        }
    }

    private void checkLength(PrivateDataLimit limit, byte[] data) {
        limit.check(data, portSpace, struct.isIwarp());
    }

    @Override
    public void bind(InetSocketAddress to) {
        if (!to.getAddress().isAnyLocalAddress()) {
            checkDevice(new InetSocketAddress(to.getAddress(), 0));
        }
        bindStruct(to);
    }

    private void bindStruct(InetSocketAddress to) {
        move("bind_addr", ADDR_BOUND, arena -> ConnectionCalls.bindAddr(address, SocketAddresses.write(to, arena)),
                IDLE);
    }

    /**
     * Checks that an address belongs to the device of the context. An ID cannot be unbound, so another one, which
     * exists only meanwhile, is bound to any port of the address.
     */
    private void checkDevice(InetSocketAddress host) {
        requireOpen("bind_addr");
        NativeCmId probe = channel.create(portSpace);
        try {
            probe.bindStruct(host);
            if (!probe.hasDevice()) {
                throw new VerbsException("bind_addr", Errno.ENODEV, host.getAddress().getHostAddress()
                        + " is an address of another device than " + manager.device());
            }
        } finally {
            probe.destroy();
        }
    }

    @Override
    public void resolveAddress(InetSocketAddress source, InetSocketAddress destination, long nanos) {
        move("resolve_addr", ADDR_QUERY, arena -> ConnectionCalls.resolveAddr(address,
                source == null ? MemorySegment.NULL : SocketAddresses.write(source, arena),
                SocketAddresses.write(destination, arena), ParameterStruct.millis(nanos)), IDLE, ADDR_BOUND);
    }

    @Override
    public void resolveRoute(long nanos) {
        moveWithDevice("resolve_route", ROUTE_QUERY,
                arena -> ConnectionCalls.resolveRoute(address, ParameterStruct.millis(nanos)), ADDR_RESOLVED);
    }

    @Override
    public void listen(int backlog) {
        move("listen", LISTEN, arena -> ConnectionCalls.listen(address, backlog), IDLE, ADDR_BOUND);
    }

    @Override
    public void connect(CmParameters parameters) {
        if (state == ROUTE_RESOLVED && !isDatagram()) {
            parameters.requireQueuePair("connect");
        }
        moveWithDevice("connect", CONNECT, arena -> {
            checkLength(PrivateDataLimit.CONNECT, parameters.privateData());
            return ConnectionCalls.connect(address, ParameterStruct.write(parameters, arena));
        }, ROUTE_RESOLVED);
    }

    @Override
    public void accept(CmParameters parameters) {
        call("accept", arena -> {
            requireRequest(parameters);
            return responded(ConnectionCalls.accept(address, ParameterStruct.write(parameters, arena)));
        }, CONNECT);
    }

    @Override
    public void checkAccept(CmParameters parameters) {
        call("accept", arena -> requireRequest(parameters));
    }

    /** Refuses an accept without a connect request: the kernel would reject the connection of the ID. Returns 0. */
    private int requireRequest(CmParameters parameters) {
        requireDevice("accept", CONNECT);
        if (!hasRequest) {
            throw new VerbsException("accept", Errno.EINVAL, "the ID is in state " + state
                    + ", allowed: [CONNECT] with a connect request that was neither accepted nor rejected");
        }
        parameters.requireQueuePair("accept");
        checkLength(PrivateDataLimit.ACCEPT, parameters.privateData());
        return 0;
    }

    /** Notes that a connect request has its response, if the call was successful; returns its errno. */
    private int responded(int errno) {
        hasRequest &= errno != 0;
        return errno;
    }

    @Override
    public void reject(int reason, byte[] privateData) {
        call("reject", arena -> {
            checkLength(PrivateDataLimit.REJECT, privateData);
            MemorySegment data = ParameterStruct.data(privateData, arena);
            return responded(reason == ParameterStruct.REJECT_ECE
                    ? ConnectionCalls.rejectEce(address, data, privateData.length)
                    : ConnectionCalls.reject(address, data, privateData.length));
        }, CONNECT);
    }

    @Override
    public void establish() {
        call("establish", arena -> ConnectionCalls.establish(address), CONNECT);
    }

    @Override
    public void notify(int event) {
        call("notify", arena -> ConnectionCalls.notify(address, event), CONNECT);
    }

    @Override
    public void checkDisconnect() {
        call("disconnect", arena -> hasDevice() && (state == CONNECT || state == DISCONNECT)
                ? 0
                : Errno.EINVAL.code(), CONNECT, DISCONNECT);
    }

    @Override
    public void disconnect() {
        moveWithDevice("disconnect", DISCONNECT, arena -> ConnectionCalls.disconnect(address), CONNECT, DISCONNECT);
    }

    @Override
    public QpAttributes qpAttributes(QpState target) {
        QpAttributes[] attributes = new QpAttributes[1];
        CmIdState[] allowed = target == QpState.INIT
                ? new CmIdState[] {ADDR_BOUND, ADDR_RESOLVED, ROUTE_RESOLVED, CONNECT}
                : new CmIdState[] {CONNECT};
        call("init_qp_attr", arena -> {
            MemorySegment attr = ibv_qp_attr.allocate(arena);
            MemorySegment mask = arena.allocate(ValueLayout.JAVA_INT);
            ibv_qp_attr.qp_state(attr, target.code());
            int errno = ConnectionCalls.initQpAttr(address, attr, mask);
            if (errno == 0) {
                attributes[0] = QpStruct.read(attr, mask.get(ValueLayout.JAVA_INT, 0));
            }
            return errno;
        }, allowed);
        return attributes[0];
    }

    @Override
    public void join(InetSocketAddress group, boolean sendOnly, Object context) {
        if (!group.getAddress().isMulticastAddress()) {
            throw new VerbsException("join_multicast", Errno.EINVAL, group.getAddress().getHostAddress()
                    + " is not a multicast address; allowed are 224.0.0.0/4 and ff00::/8");
        }
        if (!isDatagram()) {
            throw new VerbsException("join_multicast", Errno.EINVAL, "only IDs of port space UDP can join a group");
        }
        call("join_multicast", arena -> {
            MemorySegment attr = ParameterStruct.join(group, sendOnly, arena);
            Memberships.Membership membership = memberships.add(group, context);
            int errno = 1;
            try {
                errno = ConnectionCalls.joinMulticastEx(address, attr, membership.key());
            } finally {
                if (errno != 0) {
                    memberships.remove(membership);
                }
            }
            return errno;
        }, ADDR_BOUND, ADDR_RESOLVED);
    }

    @Override
    public Object leave(InetSocketAddress group) {
        Object[] context = new Object[1];
        call("leave_multicast", arena -> {
            MemorySegment sockaddr = SocketAddresses.write(group, arena);
            NativeCmChannel own = channel;
            int errno = own.callExclusively(() -> {
                own.acknowledge();
                return ConnectionCalls.leaveMulticast(address, sockaddr);
            });
            if (errno == 0) {
                context[0] = memberships.left(group);
            }
            return errno;
        }, ADDR_BOUND, ADDR_RESOLVED);
        return context[0];
    }

    @Override
    public void option(int option, int value) {
        call("set_option", arena -> ConnectionCalls.setOption(address, IbvConstants.RDMA_OPTION_ID(), option,
                ParameterStruct.option(option, value, arena)), CmIdState.values());
    }

    @Override
    public void localEce(Ece ece) {
        call("set_local_ece", arena -> ConnectionCalls.setLocalEce(address,
                EceStruct.write(ece.vendorId(), ece.options(), arena)), CmIdState.values());
    }

    @Override
    public Ece remoteEce() {
        Ece[] ece = {Ece.NONE};
        call("get_remote_ece", arena -> {
            MemorySegment struct = ibv_ece.allocate(arena);
            int errno = ConnectionCalls.getRemoteEce(address, struct);
            ece[0] = new Ece(ibv_ece.vendor_id(struct), ibv_ece.options(struct));
            return errno;
        }, CmIdState.values());
        return ece[0];
    }

    @Override
    public void postUserEvent(int status, long argument) {
        call("write_cm_event", arena -> manager.userEvents().add(this, status, argument), CmIdState.values());
    }

    @Override
    public int migrate(CmChannelOps target) {
        NativeCmChannel to = (NativeCmChannel) target;
        int[] before = new int[1];
        to.take(this, () -> call("migrate_id", arena -> {
            NativeCmChannel from = channel;
            int errno = from.callExclusively(to, () -> migrateStruct(to, before));
            if (errno == 0 && from != to) {
                from.forget(this);
            }
            return errno;
        }, CmIdState.values()));
        return before[0];
    }

    /** The caller holds the locks of both sources. */
    private int migrateStruct(NativeCmChannel to, int[] before) {
        assert channel.isSourceLocked() && to.isSourceLocked();
        before[0] = retrieved.get();
        channel.acknowledge();
        int errno = ConnectionCalls.migrateId(address, to.address());
        if (errno == 0) {
            channel = to;
        }
        return errno;
    }

    /** Returns the addresses that were copied last, also of an ID that is destroyed. */
    Route lastRoute() {
        return route;
    }

    @Override
    public Route route() {
        requireOpen("get_local_addr");
        return route;
    }

    @Override
    public int destroy() {
        lock.lock();
        try {
            Failure.check("destroy_id", channel.callExclusively(destruction));
            channel.remove(this);
        } finally {
            lock.unlock();
        }
        return retrieved.get();
    }

    /** Destroys the ID, unless that is done. The caller holds the lock of the channel's source. */
    int destroyStruct() {
        assert channel.isSourceLocked();
        if (state == DESTROYED) {
            return 0;
        }
        channel.acknowledge();
        int errno = ConnectionCalls.destroyId(address);
        if (errno == 0) {
            state = DESTROYED;
        }
        return errno;
    }
}
