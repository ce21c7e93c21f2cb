package io.jverbs.soft.management;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.jverbs.Gid;
import io.jverbs.Mtu;
import io.jverbs.soft.fabric.EventWait;
import io.jverbs.soft.management.communication.CmNetwork;
import io.jverbs.spi.CmEventData;
import io.jverbs.spi.CmIdOps;
import io.jverbs.spi.CmParameters;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** A device with the addresses 192.0.2.N and 192.0.2.(N + 100), and a channel of a program on it. */
final class CmHost implements CmPort {
    static final int TCP = 0x0106;
    static final int UDP = 0x0111;
    static final int RC = 2;
    static final int UC = 3;
    static final int UD = 4;
    static final int PORT = 7471;
    private static final int SECOND = 100;
    private static final String NETWORK = "::ffff:192.0.2.";

    final Gid gid;
    final CmDevice device;
    final SoftCmChannel channel;
    private final CmNetwork network;
    private final int number;
    private final List<Gid> gids;

    CmHost(CmNetwork network, int number) {
        this.network = network;
        this.number = number;
        this.gid = Gid.parse(NETWORK + number);
        this.gids = List.of(gid, Gid.parse(NETWORK + (number + SECOND)));
        this.device = new CmDevice(network.agent(gid, number), this, new Random(number));
        this.channel = new SoftCmChannel(device, EventWait.PARKING);
    }

    final InetSocketAddress address(int port) {
        return new InetSocketAddress(gid.toInetAddress(), port);
    }

    final InetSocketAddress secondAddress(int port) {
        return new InetSocketAddress(gids.getLast().toInetAddress(), port);
    }

    final void run(Runnable task) {
        task.run();
    }

    final CmIdOps id() {
        return id(TCP, RC);
    }

    final CmIdOps datagramId() {
        return id(UDP, UD);
    }

    final CmIdOps id(int portSpace, int qpType) {
        return channel.createId(portSpace, qpType, "owner " + number);
    }

    final CmIdOps listen(InetSocketAddress address, int backlog) {
        return listen(id(), address, backlog);
    }

    final CmIdOps listen(CmIdOps id, InetSocketAddress address, int backlog) {
        run(() -> {
            id.bind(address);
            id.listen(backlog);
        });
        return id;
    }

    final CmEventData next(int type) {
        network.runUntil(network.nanoTime() + TimeUnit.SECONDS.toNanos(1));
        CmEventData event = poll();
        assertNotNull(event, "no event");
        assertEquals(type, event.type());
        return event;
    }

    final CmEventData poll() {
        try {
            return channel.await(0);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Resolves and connects. */
    final CmIdOps connect(CmHost to, CmParameters parameters) {
        CmIdOps id = resolve(to);
        run(() -> id.connect(parameters));
        return id;
    }

    final CmIdOps resolve(CmHost to) {
        return resolve(id(), to.address(PORT));
    }

    final CmIdOps resolve(CmIdOps id, CmHost to) {
        return resolve(id, to.address(PORT));
    }

    final CmIdOps resolve(CmIdOps id, InetSocketAddress destination) {
        run(() -> id.resolveAddress(null, destination, 0));
        next(CmEventType.ADDR_RESOLVED);
        run(() -> id.resolveRoute(0));
        next(CmEventType.ROUTE_RESOLVED);
        return id;
    }

    @Override
    public final String device() {
        return "host" + number;
    }

    @Override
    public final long caGuid() {
        return number;
    }

    @Override
    public final int number() {
        return 1;
    }

    @Override
    public final Gid preferredGid() {
        return gid;
    }

    @Override
    public final int gidIndex(Gid which) {
        int index = gids.indexOf(which);
        return index < 0 ? index : index + 1;
    }

    @Override
    public final boolean reaches(Gid source, Gid destination) {
        return destination.toString().startsWith(NETWORK);
    }

    @Override
    public final Mtu pathMtu() {
        return Mtu.MTU_1024;
    }
}
