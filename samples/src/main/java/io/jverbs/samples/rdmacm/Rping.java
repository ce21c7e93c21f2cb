package io.jverbs.samples.rdmacm;

import io.jverbs.RdmaContext;
import io.jverbs.cm.CmException;
import io.jverbs.cm.PortSpace;
import io.jverbs.cm.SynchronousCmId;
import io.jverbs.samples.console.SampleFailure;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * Both sides of rping: the client offers a buffer, which the server reads; then another one, to which the server writes
 * what it has read.
 *
 * @param size the length of the data in bytes
 * @param count the number of pings, 0 for any number
 * @param validate whether the client compares the data
 * @param ownQueuePair whether the program creates and moves the queue pairs itself
 * @param output standard output
 */
record Rping(int size, int count, boolean validate, boolean ownQueuePair, RpingOutput output) {
    private static final Duration RESOLVE = Duration.ofSeconds(2);
    private static final int BACKLOG = 3;

    /** Connects to a server, from a local address or null, and pings. */
    void client(RdmaContext context, InetSocketAddress source, InetSocketAddress server) throws InterruptedException {
        SynchronousCmId id = SynchronousCmId.create(context, PortSpace.TCP);
        try {
            output.step("created cm_id %s", id.id());
            if (source != null) {
                id.bind(source);
            }
            id.resolveAddress(server, RESOLVE);
            output.event(id.event(), RpingConnection.PARENT);
            id.resolveRoute(RESOLVE);
            output.event(id.event(), RpingConnection.PARENT);
            output.step("rdma_resolve_addr - rdma_resolve_route successful");
            try (RpingConnection connection = connection(id, RpingConnection.PARENT)) {
                connection.connect();
                output.step("rdma_connect successful");
                for (int ping = 0; count == 0 || ping < count; ping++) {
                    ping(connection, ping);
                }
                connection.disconnect();
            }
        } catch (CmException e) {
            throw new SampleFailure(e.getMessage());
        } finally {
            output.step("destroy cm_id %s", id.id());
            id.close();
        }
    }

    private RpingConnection connection(SynchronousCmId id, String role) {
        return new RpingConnection(id, role, size, ownQueuePair, output);
    }

    private void ping(RpingConnection connection, int ping) throws InterruptedException {
        PingData.fill(connection.source(), ping);
        connection.send(connection.sourceForPeer());
        requireMessage(connection);
        connection.send(connection.sinkForPeer());
        requireMessage(connection);
        if (validate && connection.source().mismatch(connection.sink()) >= 0) {
            throw new SampleFailure("ping " + ping + ": the data differ at byte "
                    + connection.source().mismatch(connection.sink()));
        }
        output.data("ping data: " + PingData.text(connection.sink()));
    }

    private static void requireMessage(RpingConnection connection) throws InterruptedException {
        if (connection.receive() == null) {
            throw new SampleFailure("the server disconnected before the last ping");
        }
    }

    /** Listens, and serves one client, or with {@code persistent} any number at the same time. */
    void server(RdmaContext context, InetSocketAddress address, boolean persistent) throws InterruptedException {
        try (SynchronousCmId listener = SynchronousCmId.create(context, PortSpace.TCP)) {
            output.step("created cm_id %s", listener.id());
            listener.bind(address);
            output.step("rdma_bind_addr successful");
            listener.listen(BACKLOG);
            output.step("rdma_listen");
            do {
                SynchronousCmId client = listener.getRequest();
                output.event(client.event(), RpingConnection.CHILD);
                output.step("child cma %s", client.id());
                if (persistent) {
                    Thread.ofVirtual().name("rping").start(() -> serveQuietly(client));
                } else {
                    serve(client);
                }
            } while (persistent);
        }
    }

    private void serveQuietly(SynchronousCmId client) {
        try {
            serve(client);
        } catch (SampleFailure e) {
            output.print("rping: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(SynchronousCmId client) throws InterruptedException {
        try (RpingConnection connection = connection(client, RpingConnection.CHILD)) {
            connection.accept();
            while (servePing(connection)) {
                // until the client disconnects
            }
            connection.disconnect();
        } catch (CmException e) {
            throw new SampleFailure(e.getMessage());
        }
    }

    /** Serves one ping; returns false if the client disconnected. */
    private boolean servePing(RpingConnection connection) throws InterruptedException {
        RemoteBuffer source = connection.receive();
        if (source == null) {
            return false;
        }
        if (source.length() < 1 || source.length() > size) {
            throw new SampleFailure("the client offers " + source.length() + " bytes, allowed are 1 to " + size
                    + ": start both sides with the same -S");
        }
        output.step("server received sink adv");
        connection.read(source);
        output.step("server received read complete");
        String text = PingData.text(connection.sink());
        output.data("server ping data: " + text);
        connection.send(connection.sourceForPeer());
        output.step("server posted go ahead");
        RemoteBuffer sink = connection.receive();
        if (sink == null) {
            return false;
        }
        output.step("server received sink adv");
        connection.write(sink, Math.min(text.length() + 1, size));
        output.step("server rdma write complete");
        connection.send(connection.sourceForPeer());
        output.step("server posted go ahead");
        return true;
    }
}
