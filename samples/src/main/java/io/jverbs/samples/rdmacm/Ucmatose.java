package io.jverbs.samples.rdmacm;

import io.jverbs.cm.CmEvent;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.samples.nodes.Endpoints;
import io.jverbs.samples.nodes.Node;
import io.jverbs.samples.nodes.NodesProgram;
import io.jverbs.samples.nodes.Transfer;
import java.io.PrintWriter;
import java.time.Duration;

/** Both sides of ucmatose: the server sends messages over each connection, and the client sends them back. */
final class Ucmatose extends NodesProgram {
    private static final ConnectionParameters PARAMETERS = ConnectionParameters.builder().responderResources(1)
            .initiatorDepth(1).flowControl(false).retryCount(5).rnrRetryCount(0).build();

    private final Endpoints endpoints;
    private final Options options;
    private int disconnectsLeft;

    /**
     * The options of IDs.
     *
     * @param typeOfService the type of service, or {@link TransferOptions#NOT_GIVEN}
     * @param ackTimeout the ACK timeout, or {@link TransferOptions#NOT_GIVEN}
     * @param migrate whether the IDs are moved to another channel after the transfer
     */
    record Options(int typeOfService, int ackTimeout, boolean migrate) {}

    Ucmatose(Endpoints endpoints, Transfer transfer, Options options, PrintWriter out, PrintWriter err) {
        super("cmatose", transfer, out, err);
        this.endpoints = endpoints;
        this.options = options;
    }

    @Override
    protected void transfer() throws InterruptedException {
        if (endpoints.isClient()) {
            client();
        } else {
            server();
        }
    }

    private void client() throws InterruptedException {
        print("cmatose: starting client");
        createNodes();
        print("cmatose: connecting");
        resolve(endpoints);
        connectAll();
        if (failed()) {
            return;
        }
        if (wanted().messages() > 0) {
            print("receiving data transfers");
            awaitReceives();
            print("sending replies");
            nodes().forEach(node -> node.postSends(true));
            print("data transfers complete");
        }
        if (options.migrate) {
            migrate();
        }
        awaitDisconnects();
    }

    private void server() throws InterruptedException {
        print("cmatose: starting server");
        listen(endpoints);
        connectAll();
        if (failed()) {
            return;
        }
        if (wanted().messages() > 0) {
            print("initiating data transfers");
            nodes().forEach(node -> node.postSends(true));
            print("completing sends");
            awaitSends();
            print("receiving data transfers");
            awaitReceives();
            print("data transfers complete");
        }
        if (options.migrate) {
            migrate();
        }
        print("cmatose: disconnecting");
        for (Node node : nodes()) {
            if (node.connected()) {
                node.connected(false);
                node.id().disconnect();
            }
        }
        awaitDisconnects();
        print("disconnected");
    }

    private void awaitDisconnects() throws InterruptedException {
        while (disconnectsLeft > 0 && !failed()) {
            next("disconnect");
        }
    }

    @Override
    protected void checkTransfer(Duration waited) throws InterruptedException {
        checkPeer(waited, "completion");
    }

    @Override
    protected void handle(CmEvent event) {
        switch (event.type()) {
            case ADDR_RESOLVED -> resolveRoute(event);
            case ROUTE_RESOLVED -> {
                prepare(Node.of(event.id()));
                event.id().connect(PARAMETERS);
            }
            case CONNECT_REQUEST -> accept(event);
            case ESTABLISHED -> {
                connected(Node.of(event.id()));
                disconnectsLeft++;
            }
            case ADDR_ERROR, ROUTE_ERROR, CONNECT_ERROR, UNREACHABLE, REJECTED -> fail(event);
            case DISCONNECTED -> {
                event.id().disconnect();
                disconnectsLeft--;
            }
            default -> {
                // the end of a connection's TIMEWAIT, or a new address
            }
        }
    }

    private void resolveRoute(CmEvent event) {
        if (options.typeOfService != TransferOptions.NOT_GIVEN) {
            event.id().options().typeOfService(options.typeOfService);
        }
        setAckTimeout(event);
        event.id().resolveRoute(RESOLVE);
    }

    private void setAckTimeout(CmEvent event) {
        if (options.ackTimeout != TransferOptions.NOT_GIVEN) {
            event.id().options().ackTimeout(options.ackTimeout);
        }
    }

    private static void prepare(Node node) {
        node.initialize();
        node.postReceives();
    }

    private void accept(CmEvent event) {
        Node node = request(event);
        if (node != null) {
            setAckTimeout(event);
            prepare(node);
            event.id().accept(ConnectionParameters.DEFAULT);
        }
    }
}
