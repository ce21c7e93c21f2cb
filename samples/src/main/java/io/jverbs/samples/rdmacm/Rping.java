package io.jverbs.samples.rdmacm;

import io.jverbs.RdmaContext;
import io.jverbs.cm.CmException;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import io.jverbs.cm.SynchronousCmId;
import io.jverbs.samples.console.SampleFailure;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * Both sides of rping: the client offers a buffer, which the server reads; then another one, to which the server writes
 * what it has read.
 *
 * @param size the length of the data in bytes
 * @param count the number of pings, 0 for any number
 * @param verbose whether to print the data
 * @param validate whether the client compares the data
 * @param debug whether to print the steps of the connection manager
 * @param out standard output
 */
record Rping(int size, int count, boolean verbose, boolean validate, boolean debug, PrintWriter out) {
    private static final Duration RESOLVE = Duration.ofSeconds(2);
    private static final int BACKLOG = 3;
    private static final ConnectionParameters PARAMETERS = ConnectionParameters.builder().responderResources(1)
            .initiatorDepth(1).retryCount(7).rnrRetryCount(7).build();

    /** Connects to a server, and pings. */
    void client(RdmaContext context, InetSocketAddress server) throws InterruptedException {
        SynchronousCmId id = SynchronousCmId.create(context, PortSpace.TCP);
        try {
            id.resolve(server, RESOLVE);
            step("rdma_resolve_addr - rdma_resolve_route successful");
            try (RpingConnection connection = new RpingConnection(id, size)) {
                id.connect(PARAMETERS);
                step("rdma_connect successful");
                for (int ping = 0; count == 0 || ping < count; ping++) {
                    ping(connection, ping);
                }
                id.id().disconnect();
            }
        } catch (CmException e) {
            throw new SampleFailure(e.getMessage());
        } finally {
            id.close();
        }
    }

    /** Prints a step, in the words of rping. */
    private void step(String text) {
        if (debug) {
            out.println(text);
        }
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
        if (verbose) {
            out.println("ping data: " + PingData.text(connection.sink()));
        }
    }

    private static void requireMessage(RpingConnection connection) throws InterruptedException {
        if (connection.receive() == null) {
            throw new SampleFailure("the server disconnected before the last ping");
        }
    }

    /** Listens, and serves one client, or with {@code persistent} any number at the same time. */
    void server(RdmaContext context, InetSocketAddress address, boolean persistent) throws InterruptedException {
        try (SynchronousCmId listener = SynchronousCmId.create(context, PortSpace.TCP)) {
            listener.bind(address);
            step("rdma_bind_addr successful");
            listener.listen(BACKLOG);
            step("rdma_listen");
            do {
                SynchronousCmId client = listener.getRequest();
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
            out.println("rping: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(SynchronousCmId client) throws InterruptedException {
        try (RpingConnection connection = new RpingConnection(client, size)) {
            client.accept(PARAMETERS);
            while (servePing(connection)) {
                // until the client disconnects
            }
            client.id().disconnect();
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
        connection.read(source);
        String text = PingData.text(connection.sink());
        if (verbose) {
            out.println("server ping data: " + text);
        }
        connection.send(connection.sourceForPeer());
        RemoteBuffer sink = connection.receive();
        if (sink == null) {
            return false;
        }
        connection.write(sink, Math.min(text.length() + 1, size));
        connection.send(connection.sourceForPeer());
        return true;
    }
}
