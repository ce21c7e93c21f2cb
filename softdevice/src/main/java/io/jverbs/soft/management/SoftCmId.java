package io.jverbs.soft.management;

import io.jverbs.AhAttributes;
import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.VerbsException;
import io.jverbs.control.CmIdSnapshot;
import io.jverbs.soft.management.PortTable.Binding;
import io.jverbs.soft.management.communication.CmAgent;
import io.jverbs.soft.management.communication.CmConnection;
import io.jverbs.soft.management.communication.CmPath;
import io.jverbs.soft.management.message.ConnectRequest;
import io.jverbs.spi.CmEventData;
import io.jverbs.spi.CmIdOps;
import io.jverbs.spi.CmParameters;
import io.jverbs.spi.journal.CmJournal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A CM ID of a software device: checks the calls of the program by its {@link CmIdState}, and queues events. Guarded by
 * the lock of the device's {@link CmAgent}.
 */
final class SoftCmId {
    private final CmDevice device;
    private final CmServiceType type;
    private final CmService service;
    private final CmIdOps handle;
    private final CmOptions options = new CmOptions();
    private final CmMemberships memberships = new CmMemberships();
    /** The PSN of the first packet of the peer; of the first packet of the own queue pair if it is UD. */
    private final int startingPsn;
    /** The number of its events that the program has retrieved. */
    private final AtomicInteger retrieved = new AtomicInteger();
    /** The number of connect requests of this listener that the program has not retrieved. */
    private final AtomicInteger waiting = new AtomicInteger();
    private SoftCmChannel channel;
    private Object owner;
    private CmIdState state = CmIdState.IDLE;
    private Binding binding;
    private InetSocketAddress local;
    private InetSocketAddress remote;
    private Gid localGid;
    private Gid remoteGid;
    /** The number of connect requests that may wait in the channel. */
    private int backlog;

    SoftCmId(CmDevice device, SoftCmChannel channel, CmServiceType type, Object owner) {
        this.device = device;
        this.channel = channel;
        this.type = type;
        this.owner = owner;
        this.startingPsn = device.newPsn();
        this.service = switch (type) {
            case CONNECTION, IB_CONNECTION, UNRELIABLE -> new ConnectionService(this, device);
            case DATAGRAM -> new DatagramService(this, device);
        };
        this.handle = new LockedCmId(this, device.agent());
        device.add(this);
    }

    CmIdSnapshot snapshot() {
        Enum<?> present = service.state() == null ? state : service.state();
        return new CmIdSnapshot(type.spaceName(), present.toString(), text(local), text(remote));
    }

    /** Returns an address without the name of its host. */
    private static String text(InetSocketAddress address) {
        return address == null ? "" : address.toString().replaceFirst(".*/", "");
    }

    /** Throws EINVAL if this ID is in another state than those allowed. */
    void require(String operation, CmIdState... allowed) {
        if (!Arrays.asList(allowed).contains(state)) {
            throw new VerbsException(operation, Errno.EINVAL,
                    "the ID is in state " + state + ", allowed: " + Arrays.toString(allowed));
        }
    }

    /** Throws EINVAL if the ID is destroyed. */
    private void requireOpen(String operation) {
        if (state == CmIdState.DESTROYED) {
            throw new VerbsException(operation, Errno.EINVAL, "the ID is destroyed");
        }
    }

    /** Throws EINVAL if private data is too long. */
    void checkLength(String operation, byte[] data, int max) {
        if (data.length > max) {
            throw new VerbsException(operation, Errno.EINVAL, "the private data has " + data.length
                    + " bytes, allowed are 0 to " + max + " for " + operation + " in port space " + type.spaceName());
        }
    }

    CmIdOps handle() {
        return handle;
    }

    Object owner() {
        return owner;
    }

    void owner(Object changed) {
        owner = changed;
    }

    CmServiceType type() {
        return type;
    }

    CmService service() {
        return service;
    }

    CmOptions options() {
        return options;
    }

    CmIdState state() {
        return state;
    }

    void state(CmIdState changed) {
        state = changed;
    }

    Binding binding() {
        return binding;
    }

    InetSocketAddress local() {
        return local;
    }

    InetSocketAddress remote() {
        return remote;
    }

    int startingPsn() {
        return startingPsn;
    }

    /** The GIDs of both ends. The address is resolved. */
    CmPath path() {
        return new CmPath(localGid, remoteGid);
    }

    /** The own GID; throws EINVAL if the ID is not bound to a device. */
    Gid ownGid(String operation) {
        if (localGid == null && (local == null || local.getAddress().isAnyLocalAddress())) {
            throw new VerbsException(operation, Errno.EINVAL, "the ID is in state " + state
                    + " and not bound to a device: bind it to an address of the device, or resolve an address");
        }
        return localGid == null ? Gid.ofAddress(device.own(operation, local.getAddress())) : localGid;
    }

    /** Binds the ID, see rdma_bind_addr(3). */
    void bind(InetSocketAddress address) {
        require("bind_addr", CmIdState.IDLE);
        bind("bind_addr", address);
    }

    private void bind(String operation, InetSocketAddress address) {
        InetAddress host = address.getAddress();
        boolean ipv6 = host.getAddress().length > Integer.BYTES;
        binding = device.ports().bind(type.portSpace(), device.bound(operation, host), ipv6, address.getPort(),
                options.reuseAddress(), options.familyOnly(ipv6));
        local = new InetSocketAddress(host, binding.port());
        state = CmIdState.ADDR_BOUND;
    }

    /** Listens, see rdma_listen(3). An ID that is not bound is bound to the IPv4 wildcard address and any port. */
    void listen(int requested) {
        require("listen", CmIdState.IDLE, CmIdState.ADDR_BOUND);
        if (state == CmIdState.IDLE) {
            bind("listen", new InetSocketAddress(0));
        }
        device.ports().listen(binding);
        backlog = requested <= 0 ? CmDevice.MAX_BACKLOG : Math.min(requested, CmDevice.MAX_BACKLOG);
        device.startListening(this);
        state = CmIdState.LISTEN;
    }

    /** Resolves an address, see rdma_resolve_addr(3). */
    void resolveAddress(InetSocketAddress source, InetSocketAddress destination) {
        require("resolve_addr", CmIdState.IDLE, CmIdState.ADDR_BOUND);
        InetAddress to = destination.getAddress();
        if (source != null && source.getAddress().getAddress().length != to.getAddress().length) {
            throw new VerbsException("resolve_addr", Errno.EINVAL, "source " + source + " and destination "
                    + destination + " are of different address families");
        }
        if (state == CmIdState.IDLE) {
            bind("resolve_addr", source != null
                    ? source
                    : new InetSocketAddress(device.port().preferredGid().toInetAddress(), 0));
        }
        Gid from = local.getAddress().isAnyLocalAddress()
                ? device.port().preferredGid()
                : Gid.ofAddress(device.own("resolve_addr", local.getAddress()));
        Gid target = Gid.ofAddress(to.isAnyLocalAddress() ? from.toInetAddress() : device.ownOrOther(to));
        remote = destination;
        if (device.port().reaches(from, target)) {
            localGid = from;
            remoteGid = target;
            if (local.getAddress().isAnyLocalAddress()) {
                local = new InetSocketAddress(from.toInetAddress(), local.getPort());
            }
            state = CmIdState.ADDR_RESOLVED;
            raise(CmEventType.ADDR_RESOLVED, 0, null);
        } else {
            raise(CmEventType.ADDR_ERROR, -Errno.EHOSTUNREACH.code(), null);
        }
    }

    /** Resolves the route, see rdma_resolve_route(3). On RoCE this needs no message. */
    void resolveRoute() {
        require("resolve_route", CmIdState.ADDR_RESOLVED);
        options.resolveRoute();
        state = CmIdState.ROUTE_RESOLVED;
        raise(CmEventType.ROUTE_RESOLVED, 0, null);
    }

    void connect(CmParameters parameters) {
        require("connect", CmIdState.ROUTE_RESOLVED);
        service.connect(parameters);
        state = CmIdState.CONNECT;
    }

    void accept(CmParameters parameters) {
        checkAccept(parameters);
        service.accept(parameters);
    }

    void checkAccept(CmParameters parameters) {
        require("accept", CmIdState.CONNECT);
        service.checkAccept(parameters);
    }

    void reject(int reason, byte[] privateData) {
        require("reject", CmIdState.CONNECT);
        service.reject(reason, privateData);
    }

    void establish() {
        require("establish", CmIdState.CONNECT);
        service.establish();
    }

    void notify(int event) {
        require("notify", CmIdState.CONNECT);
        service.notify(event);
    }

    void disconnect() {
        checkDisconnect();
        service.disconnect();
    }

    void checkDisconnect() {
        require("disconnect", CmIdState.CONNECT, CmIdState.DISCONNECT);
        service.checkDisconnect();
    }

    /** Returns attributes of the queue pair, see rdma_init_qp_attr(3). */
    QpAttributes qpAttributes(QpState target) {
        switch (target) {
            case INIT -> {
                require("init_qp_attr", CmIdState.ADDR_BOUND, CmIdState.ADDR_RESOLVED, CmIdState.ROUTE_RESOLVED,
                        CmIdState.LISTEN, CmIdState.CONNECT);
                ownGid("init_qp_attr");
            }
            case RTR, RTS -> service.checkNegotiated();
            default -> throw new VerbsException("init_qp_attr", Errno.EINVAL,
                    "state " + target + ", allowed are INIT, RTR and RTS");
        }
        return service.qpAttributes(target);
    }

    /** Joins a multicast group, see rdma_join_multicast(3). The queue pair, not the ID, receives its packets. */
    void join(InetSocketAddress group, Object context) {
        if (type != CmServiceType.DATAGRAM) {
            throw new VerbsException("join_multicast", Errno.EINVAL, "only IDs of port space UDP can join a group");
        }
        require("join_multicast", CmIdState.ADDR_BOUND, CmIdState.ADDR_RESOLVED);
        AhAttributes path = CmMemberships.path(group, device.port(), ownGid("join_multicast"));
        memberships.join(group, context);
        queue(this,
                new CmEventData(CmEventType.MULTICAST_JOIN, handle, null, 0, CmMemberships.PARAMETERS, path, context));
    }

    /** Leaves a multicast group, see rdma_leave_multicast(3). Returns the context of the join. */
    Object leave(InetSocketAddress group) {
        return memberships.leave(group);
    }

    void option(int option, int value) {
        requireOpen("set_option");
        options.set(this, option, value);
    }

    void localEce(CmIdOps.Ece ece) {
        service.localEce(ece);
    }

    CmIdOps.Ece remoteEce() {
        return service.remoteEce();
    }

    CmIdOps.Route route() {
        return new CmIdOps.Route(local, remote, hasDevice() ? device.port().device() : null,
                hasDevice() ? device.port().number() : 0, localGid, remoteGid);
    }

    /** Returns whether the ID is bound to the device: to an address of it, rather than to the wildcard address. */
    private boolean hasDevice() {
        return localGid != null || local != null && !local.getAddress().isAnyLocalAddress();
    }

    /** Makes this the ID of the passive side, which a request has created. */
    void requested(SoftCmId listener, InetSocketAddress ownAddress, InetSocketAddress peer, CmPath ends) {
        options.inherit(listener.options);
        local = ownAddress;
        remote = peer;
        localGid = ends.local();
        remoteGid = ends.remote();
        state = CmIdState.CONNECT;
    }

    /** Makes this ID, the passive side of a connection, the owner of what the peer's REQ has created. */
    void connection(CmConnection made, ConnectRequest request) {
        ((ConnectionService) service).requested(made, request);
    }

    /** Returns whether as many connect requests wait as the program allows. */
    boolean isBacklogFull() {
        return waiting.get() >= backlog;
    }

    /** Queues a connect request for the new ID that it has created. */
    void addRequest(SoftCmId child, CmParameters parameters) {
        waiting.incrementAndGet();
        channel.add(child);
        queue(child, new CmEventData(CmEventType.CONNECT_REQUEST, child.handle, handle, 0, parameters, null, null));
    }

    SoftCmChannel channel() {
        return channel;
    }

    /** Counts an event that the program has retrieved. Any thread may call this. */
    void countRetrieved(boolean isRequest) {
        retrieved.incrementAndGet();
        if (isRequest) {
            waiting.decrementAndGet();
        }
    }

    /** Queues an event of the program, see rdma_write_cm_event(3). */
    void postUserEvent(int status, long argument) {
        requireOpen("write_cm_event");
        queue(this, new CmEventData(CmEventType.USER, handle, null, status, null, null, argument));
    }

    /** Moves the ID and its events to another channel, see rdma_migrate_id(3). */
    int migrate(SoftCmChannel target) {
        requireOpen("migrate_id");
        channel.moveEvents(this, target);
        moveTo(target);
        return retrieved.get();
    }

    void moveTo(SoftCmChannel target) {
        target.add(this);
        if (target != channel) {
            channel.remove(this);
        }
        channel = target;
    }

    /** Destroys the ID, see rdma_destroy_id(3). Its events are discarded, and requests that wait are rejected. */
    int destroy() {
        if (state == CmIdState.DESTROYED) {
            return retrieved.get();
        }
        if (binding != null) {
            // also if an Error has ended the attempt to listen
            device.stopListening(this);
            device.ports().unbind(binding);
        }
        service.destroy();
        state = CmIdState.DESTROYED;
        device.remove(this);
        channel.remove(this);
        for (CmEventData event : channel.removeEvents(this)) {
            if (event.listener() != null) {
                ((LockedCmId) event.id()).id().destroy();
            }
        }
        return retrieved.get();
    }

    /**
     * Ends the use of the ID, because its device was removed. The program destroys it. As on Linux, whose
     * {@code cma_process_remove()} tells the IDs of the device only, an ID at the wildcard address gets no event,
     * because it is bound to no device; one that listens continues to listen. Can be repeated.
     */
    void deviceRemoved() {
        if (state == CmIdState.DESTROYED || state == CmIdState.DEVICE_REMOVAL) {
            return;
        }
        boolean isBound = hasDevice();
        if (state == CmIdState.LISTEN) {
            device.stopListening(this);
            if (!isBound) {
                return;
            }
        }
        state = CmIdState.DEVICE_REMOVAL;
        if (isBound) {
            raise(CmEventType.DEVICE_REMOVAL, 0, null);
        }
    }

    /** Queues an event, unless the program does not have the ID yet or has destroyed it. */
    void raise(int event, int status, CmParameters parameters) {
        raise(event, status, parameters, null);
    }

    void raise(int event, int status, CmParameters parameters, AhAttributes address) {
        if (owner != null && state != CmIdState.DESTROYED) {
            queue(this, new CmEventData(event, handle, null, status, parameters, address, null));
        }
    }

    /** Queues an event that concerns this ID, or the ID of a connect request. */
    private void queue(SoftCmId subject, CmEventData event) {
        CmJournal.event(device.port().device(), subject.local, subject.remote, event.type(), event.status());
        channel.add(this, event);
    }
}
