package io.jverbs.soft.management;

import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.VerbsException;
import io.jverbs.control.CmIdSnapshot;
import io.jverbs.soft.management.PortTable.Binding;
import io.jverbs.soft.management.communication.CmAgent;
import io.jverbs.soft.management.communication.CmConnection;
import io.jverbs.soft.management.communication.CmDropReason;
import io.jverbs.soft.management.communication.CmListener;
import io.jverbs.soft.management.communication.CmNotice;
import io.jverbs.soft.management.communication.CmPath;
import io.jverbs.soft.management.communication.CmState;
import io.jverbs.soft.management.communication.SidrService;
import io.jverbs.soft.management.message.CmAttribute;
import io.jverbs.soft.management.message.ConnectRequest;
import io.jverbs.soft.management.message.Ece;
import io.jverbs.soft.management.message.IpCmHeader;
import io.jverbs.soft.management.message.PrivateData;
import io.jverbs.soft.management.message.RejectReason;
import io.jverbs.soft.management.message.SidrReply;
import io.jverbs.soft.management.message.SidrRequest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The CM IDs of one device: finds the ID that a REQ is for, as {@code cma_ib_req_handler()} of Linux does. Guarded by
 * the lock of the {@link CmAgent}.
 */
final class CmDevice {
    /** The maximum backlog, net.rdma_ucm.max_backlog of Linux. */
    static final int MAX_BACKLOG = 1024;
    private static final int PSN_MASK = 0xFFFFFF;
    private static final int MAX_PORT = 0xFFFF;

    private final CmAgent agent;
    private final CmPort port;
    private final PortTable ports;
    private final ConnectMessages messages;
    private final RandomGenerator random;
    /** The IDs that are not destroyed, in the order of their creation. */
    private final Set<SoftCmId> ids = new LinkedHashSet<>();
    private final Map<Binding, SoftCmId> listening = new HashMap<>();
    /** The listeners by service ID. */
    private final Map<Long, CmListener> services = new HashMap<>();

    private boolean removed;

    CmDevice(CmAgent agent, CmPort port, RandomGenerator random) {
        this.agent = agent;
        this.port = port;
        this.ports = new PortTable(random);
        this.messages = new ConnectMessages(port);
        this.random = random;
    }

    CmAgent agent() {
        return agent;
    }

    CmPort port() {
        return port;
    }

    PortTable ports() {
        return ports;
    }

    ConnectMessages messages() {
        return messages;
    }

    /** Adds a new ID; throws ENODEV if the device was removed. */
    void add(SoftCmId id) {
        if (removed) {
            throw new VerbsException("create_id", Errno.ENODEV, "device " + port.device() + " was removed");
        }
        ids.add(id);
    }

    void remove(SoftCmId id) {
        ids.remove(id);
    }

    /** Tells the programs of all IDs that the device was removed. Can be repeated after an Error. */
    void deviceRemoved() {
        removed = true;
        ids.forEach(SoftCmId::deviceRemoved);
    }

    /** Returns the IDs, in the order of their creation. */
    List<CmIdSnapshot> snapshots() {
        return ids.stream().map(SoftCmId::snapshot).toList();
    }

    int newPsn() {
        return random.nextInt() & PSN_MASK;
    }

    /**
     * Returns the address of the device that a local address stands for: itself, or for a loopback address of a device
     * that does not have it the device's address, as on Linux. Throws ENODEV for other addresses.
     */
    InetAddress own(String operation, InetAddress address) {
        InetAddress own = ownOrOther(address);
        if (port.gidIndex(Gid.ofAddress(own)) < 0) {
            throw new VerbsException(operation, Errno.ENODEV, address.getHostAddress()
                    + " is not an address of device " + port.device() + ", which has "
                    + port.preferredGid().toInetAddress().getHostAddress());
        }
        return own;
    }

    /**
     * Returns the address that an ID is bound to; null if it is bound to all addresses of the device. As on Linux, a
     * loopback address stands for all, unless it is the device's own. Throws ENODEV for addresses of other devices.
     */
    InetAddress bound(String operation, InetAddress address) {
        if (address.isAnyLocalAddress()) {
            return null;
        }
        InetAddress own = own(operation, address);
        return own.equals(address) ? own : null;
    }

    /** Returns the address of the device in place of a loopback address that it does not have. */
    InetAddress ownOrOther(InetAddress address) {
        boolean replaced = address.isLoopbackAddress() && port.gidIndex(Gid.ofAddress(address)) < 0
                && !port.preferredGid().toInetAddress().isLoopbackAddress();
        return replaced ? port.preferredGid().toInetAddress() : address;
    }

    /** Starts to pass requests to an ID. If an Error ends this, {@link #stopListening} ends what was done. */
    void startListening(SoftCmId id) {
        listening.put(id.binding(), id);
        CmServiceType type = id.type();
        agent.listen(services.computeIfAbsent(serviceId(id), wanted -> new CmListener(wanted,
                notice -> requested(type, notice), request -> requested(type, request))));
    }

    /** Ends to pass requests to an ID, if it listens. Can be repeated after an Error. */
    void stopListening(SoftCmId id) {
        listening.remove(id.binding(), id);
        long serviceId = serviceId(id);
        CmListener listener = services.get(serviceId);
        if (listener != null && listening.values().stream().noneMatch(other -> serviceId(other) == serviceId)) {
            agent.unlisten(listener);
            services.remove(serviceId);
        }
    }

    private static long serviceId(SoftCmId id) {
        return ConnectMessages.serviceId(id.type().portSpace(), id.binding().port());
    }

    /** Passes a REQ to the ID that listens for it. Called without the lock. */
    private void requested(CmServiceType type, CmNotice notice) {
        if (notice instanceof CmNotice.RequestReceived received) {
            agent.run(() -> requested(type, received.connection(), received.request()));
        }
    }

    private void requested(CmServiceType type, CmConnection connection, ConnectRequest request) {
        if (connection.state() != CmState.REQ_RCVD) {
            // the peer has given up meanwhile
            return;
        }
        Target target = type.isConnected()
                ? target(type, request.serviceId(), request.privateData(), connection.path())
                        .forTransport(request.transport())
                : Target.refused(CmDropReason.WRONG_TYPE);
        if (target.refusal != null) {
            agent.counters().drop(target.refusal, CmAttribute.REQ);
            connection.reject(RejectReason.CONSUMER_DEFINED, PrivateData.NONE, PrivateData.NONE);
        } else if (target.listener.isBacklogFull()) {
            agent.counters().drop(CmDropReason.BACKLOG_FULL, CmAttribute.REQ);
            connection.drop();
        } else {
            SoftCmId child = target.child(this, connection.path());
            child.connection(connection, request);
            target.listener.addRequest(child, CmEventParameters.of(request));
            connection.prepareReceiptAck();
        }
    }

    /** Passes a SIDR_REQ to the ID that listens for it. Called without the lock. */
    private void requested(CmServiceType type, SidrService service) {
        agent.run(() -> {
            SidrRequest request = service.request();
            Target target = type == CmServiceType.DATAGRAM
                    ? target(type, request.serviceId(), request.privateData(), service.path())
                    : Target.refused(CmDropReason.WRONG_TYPE);
            if (target.refusal != null) {
                agent.counters().drop(target.refusal, CmAttribute.SIDR_REQ);
                service.reply(
                        new SidrReply(request.requestId(), SidrReply.REJECTED, 0, request.serviceId(), 0, Ece.NONE,
                                PrivateData.NONE, PrivateData.NONE));
            } else if (target.listener.isBacklogFull()) {
                agent.counters().drop(CmDropReason.BACKLOG_FULL, CmAttribute.SIDR_REQ);
                service.drop();
            } else {
                SoftCmId child = target.child(this, service.path());
                ((DatagramService) child.service()).requested(service);
                target.listener.addRequest(child, CmEventParameters.of(request));
            }
        });
    }

    /** The ID that a request is for, and the addresses of both ends; or why there is none. */
    private record Target(SoftCmId listener, InetSocketAddress local, InetSocketAddress remote,
            CmDropReason refusal) {

        static Target refused(CmDropReason reason) {
            return new Target(null, null, null, reason);
        }

        /** Returns this target if its queue pairs are of the type of a REQ; IDs of one port space may differ. */
        Target forTransport(int transport) {
            return refusal != null || listener.type().transport() == transport
                    ? this
                    : refused(CmDropReason.WRONG_TYPE);
        }

        SoftCmId child(CmDevice device, CmPath ends) {
            SoftCmId child = new SoftCmId(device, listener.channel(), listener.type(), null);
            child.requested(listener, local, remote, ends);
            return child;
        }
    }

    /**
     * Finds the ID that a request is for. The addresses in its header must be those of its packet. That excludes the
     * addresses that Linux refuses: multicast, broadcast and zero networks send no packets. Linux accepts any other
     * source that it reaches through the same interface, but then the program would be told a forged address.
     */
    private Target target(CmServiceType type, long serviceId, PrivateData data, CmPath path) {
        IpCmHeader header;
        try {
            header = IpCmHeader.decode(data);
        } catch (IllegalArgumentException e) {
            return Target.refused(CmDropReason.BAD_HEADER);
        }
        if (!Gid.ofAddress(header.destination()).equals(path.local())
                || !Gid.ofAddress(header.source()).equals(path.remote())) {
            return Target.refused(CmDropReason.FOREIGN_ADDRESS);
        }
        int servicePort = (int) serviceId & MAX_PORT;
        Binding binding = ports.find(type.portSpace(), servicePort, header.destination());
        return binding == null || removed
                ? Target.refused(CmDropReason.NO_LISTENER)
                : new Target(listening.get(binding), new InetSocketAddress(header.destination(), servicePort),
                        new InetSocketAddress(header.source(), header.sourcePort()), null);
    }
}
