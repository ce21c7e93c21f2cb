package io.jverbs.samples.rdmacm;

import io.jverbs.cm.CmEvent;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.samples.nodes.Endpoints;
import io.jverbs.samples.nodes.Node;
import io.jverbs.samples.nodes.NodesProgram;
import io.jverbs.samples.nodes.Transfer;
import java.io.PrintWriter;
import java.time.Duration;

/** Both sides of udaddy: the client asks for the server's queue pair and sends datagrams, and the server replies. */
final class Udaddy extends NodesProgram {
    private final Endpoints endpoints;
    private final int typeOfService;

    /** Creates the program; the type of service may be {@link TransferOptions#NOT_GIVEN}. */
    Udaddy(Endpoints endpoints, Transfer transfer, int typeOfService, PrintWriter out, PrintWriter err) {
        super("udaddy", transfer, out, err);
        this.endpoints = endpoints;
        this.typeOfService = typeOfService;
    }

    @Override
    protected void transfer() throws InterruptedException {
        if (endpoints.isClient()) {
            print("udaddy: starting client");
            createNodes();
            print("udaddy: connecting");
            resolve(endpoints);
        } else {
            print("udaddy: starting server");
            listen(endpoints);
        }
        connectAll();
        if (failed() || wanted().messages() == 0) {
            return;
        }
        if (endpoints.isClient()) {
            print("initiating data transfers");
            nodes().forEach(node -> node.postSends(false));
            print("receiving data transfers");
            awaitReceives();
        } else {
            print("receiving data transfers");
            awaitReceives();
            print("sending replies");
            nodes().forEach(node -> node.postSends(true));
            awaitSends();
        }
        print("data transfers complete");
    }

    @Override
    protected void checkTransfer(Duration waited) throws InterruptedException {
        checkPeer(waited, "datagram");
    }

    @Override
    protected void handle(CmEvent event) {
        switch (event.type()) {
            case ADDR_RESOLVED -> resolveRoute(event);
            case ROUTE_RESOLVED -> {
                prepare(Node.of(event.id()));
                event.id().connect(ConnectionParameters.DEFAULT);
            }
            case CONNECT_REQUEST -> accept(event);
            case ESTABLISHED -> {
                Node node = Node.of(event.id());
                node.destination(event.address(), event.qpNumber(), event.qkey());
                connected(node);
            }
            case ADDR_ERROR, ROUTE_ERROR, CONNECT_ERROR, UNREACHABLE, REJECTED -> fail(event);
            default -> {
                // a new address
            }
        }
    }

    private void resolveRoute(CmEvent event) {
        if (typeOfService != TransferOptions.NOT_GIVEN) {
            event.id().options().typeOfService(typeOfService);
        }
        event.id().resolveRoute(RESOLVE);
    }

    private void prepare(Node node) {
        node.checkSize(name());
        node.initialize();
        node.postReceives();
    }

    private void accept(CmEvent event) {
        Node node = request(event);
        if (node != null) {
            prepare(node);
            event.id().accept(ConnectionParameters.DEFAULT);
            connected(node);
        }
    }
}
