package io.jverbs.contract.dsl;

import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.cm.CmEventType;
import io.jverbs.contract.end.CmCommands.CmIdInfo;
import io.jverbs.contract.end.CmCommands.CmOption;
import io.jverbs.contract.end.CmCommands.CmParams;
import io.jverbs.contract.end.QpAttr;
import io.jverbs.contract.end.QpSpec;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** A CM ID of a side, and its channel. */
public final class SideCmId {
    private static final long RESOLVE_MILLIS = 2_000;

    private final CmChannel channel;
    private final int id;

    public SideCmId(CmChannel channel, int id) {
        this.channel = channel;
        this.id = id;
    }

    public int id() {
        return id;
    }

    public CmChannel channel() {
        return channel;
    }

    private Side side() {
        return channel.side();
    }

    public CmIdInfo info() {
        return side().end().cmInfo(id);
    }

    /** Returns the address that this ID is bound to. */
    public InetSocketAddress address() {
        return info().local();
    }

    public void bind(InetSocketAddress address) {
        side().end().cmBind(id, address);
    }

    public void listen(int backlog) {
        side().end().cmListen(id, backlog);
    }

    public void option(CmOption option, int value) {
        side().end().cmOption(id, option, value);
    }

    public void resolveAddress(InetSocketAddress destination) {
        side().end().cmResolveAddress(id, null, destination, RESOLVE_MILLIS);
    }

    public void resolveAddress(InetSocketAddress source, InetSocketAddress destination) {
        side().end().cmResolveAddress(id, source, destination, RESOLVE_MILLIS);
    }

    public void resolveRoute() {
        side().end().cmResolveRoute(id, RESOLVE_MILLIS);
    }

    /** Resolves the address and the route of a peer, and waits for both events. */
    public SideCmId resolve(InetSocketAddress destination) {
        resolveAddress(destination);
        channel.expect(CmEventType.ADDR_RESOLVED);
        resolveRoute();
        channel.expect(CmEventType.ROUTE_RESOLVED);
        return this;
    }

    /** Creates the queue pair of this ID with a completion queue of its own. */
    public Qp createQp(QpType type) {
        Cq cq = side().cq();
        QpSpec spec = QpSpec.of(type, side().pd(), cq.id());
        return new Qp(side(), side().end().cmCreateQp(id, spec), cq, cq, new QpOptions());
    }

    public void connect(CmParams parameters) {
        side().end().cmConnect(id, parameters);
    }

    public void accept(CmParams parameters) {
        side().end().cmAccept(id, parameters);
    }

    public void reject(byte[] privateData) {
        side().end().cmReject(id, privateData);
    }

    public void establish() {
        side().end().cmEstablish(id);
    }

    public void notifyEstablished() {
        side().end().cmNotify(id);
    }

    public void disconnect() {
        side().end().cmDisconnect(id);
    }

    public QpAttr attributes(QpState state) {
        return side().end().cmQpAttributes(id, state);
    }

    public void join(InetAddress group, boolean sendOnly) {
        side().end().cmJoin(id, group, sendOnly);
    }

    public void leave(InetAddress group) {
        side().end().cmLeave(id, group);
    }

    public void migrate(CmChannel target) {
        side().end().cmMigrate(id, target.id());
    }

    public void destroy() {
        side().end().destroy(id);
    }
}
