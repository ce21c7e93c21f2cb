package io.jverbs.samples.nodes;

import io.jverbs.RdmaContext;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventChannel;
import io.jverbs.cm.CmId;
import io.jverbs.cm.PortSpace;
import io.jverbs.samples.console.SampleFailure;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What the programs with several IDs share: one channel, and a loop that handles the events of all IDs. */
public abstract class NodesProgram {
    /** The time to resolve an address or a route. */
    protected static final Duration RESOLVE = Duration.ofSeconds(2);
    private static final int STATUS_MASK = 0xFF;

    private final String name;
    private final Transfer transfer;
    private final PrintWriter out;
    private final PrintWriter err;
    private final List<Node> nodes = new ArrayList<>();
    private CmEventChannel channel;
    private Completions completions;
    private CmId listener;
    private PortSpace portSpace;
    private int connectsLeft;
    private int status;

    /**
     * Creates a program.
     *
     * @param name its name, which begins its messages
     * @param transfer what is transferred
     * @param out standard output
     * @param err standard error
     */
    protected NodesProgram(String name, Transfer transfer, PrintWriter out, PrintWriter err) {
        this.name = name;
        this.transfer = transfer;
        this.out = out;
        this.err = err;
    }

    /**
     * Runs the program.
     *
     * @param context the open device
     * @param space the port space of its IDs
     * @return the exit status: 0, or the status of the event that ended the program, as the C programs
     * @throws InterruptedException if the thread is interrupted
     */
    public final int run(RdmaContext context, PortSpace space) throws InterruptedException {
        portSpace = space;
        connectsLeft = transfer.connections();
        channel = CmEventChannel.create(context);
        try (Completions shared = new Completions(context, this::checkTransfer)) {
            completions = shared;
            try {
                transfer();
                out.println("test complete");
            } finally {
                nodes.forEach(Node::close);
                if (listener != null) {
                    listener.close();
                }
            }
        } finally {
            channel.close();
        }
        out.println("return status " + status);
        return status & STATUS_MASK;
    }

    /**
     * Connects, and transfers the messages.
     *
     * @throws InterruptedException if the thread is interrupted
     */
    protected abstract void transfer() throws InterruptedException;

    /**
     * Handles an event.
     *
     * @param event the event, which is acknowledged
     */
    protected abstract void handle(CmEvent event);

    /**
     * Called while a transfer waits for completions; this implementation does nothing.
     *
     * @param waited how long the wait has lasted
     * @throws SampleFailure if the transfer does not go on
     * @throws InterruptedException if the thread is interrupted
     */
    protected void checkTransfer(Duration waited) throws InterruptedException {
        // a transfer may wait for a peer that starts later
    }

    /**
     * Handles the events that have come, since one of them may say that there will be no completion, and refuses a wait
     * for the peer that is longer than {@link PeerLimit}.
     *
     * @param waited how long the wait has lasted
     * @param missing what has not arrived
     * @throws SampleFailure if it is longer
     * @throws InterruptedException if the thread is interrupted
     */
    protected final void checkPeer(Duration waited, String missing) throws InterruptedException {
        CmEvent event = channel.awaitEvent(Duration.ZERO);
        while (event != null) {
            event.acknowledge();
            handle(event);
            event = channel.awaitEvent(Duration.ZERO);
        }
        PeerLimit.check(waited, noSuch(missing));
    }

    private String noSuch(String missing) {
        return name + ": no " + missing;
    }

    /** {@return the name of the program} */
    protected final String name() {
        return name;
    }

    /** {@return what is transferred} */
    protected final Transfer wanted() {
        return transfer;
    }

    /** {@return the nodes} */
    protected final List<Node> nodes() {
        return nodes;
    }

    /** {@return the channel of all IDs} */
    protected final CmEventChannel channel() {
        return channel;
    }

    /** {@return whether an event has ended the program} */
    protected final boolean failed() {
        return status != 0;
    }

    /**
     * Prints a line.
     *
     * @param line the line
     */
    protected final void print(String line) {
        out.println(line);
    }

    private Node add(CmId id) {
        Node node = new Node(id, transfer, completions);
        nodes.add(node);
        return node;
    }

    /** Creates the IDs of a client. */
    protected final void createNodes() {
        for (int i = 0; i < transfer.connections(); i++) {
            add(channel.createId(portSpace));
        }
    }

    /**
     * Creates the listener of a server, which stays open until the end.
     *
     * @param endpoints the addresses
     */
    protected final void listen(Endpoints endpoints) {
        listener = channel.createId(portSpace);
        listener.bind(endpoints.local());
        listener.listen(0);
    }

    /**
     * Resolves the address of the server for each node.
     *
     * @param endpoints the addresses
     */
    protected final void resolve(Endpoints endpoints) {
        for (Node node : nodes) {
            node.id().resolveAddress(endpoints.local(), endpoints.server(), RESOLVE);
        }
    }

    /**
     * Notes that a node has its connection.
     *
     * @param node the node
     */
    protected final void connected(Node node) {
        node.connected(true);
        connectsLeft--;
    }

    /**
     * Handles events until each node has its connection or one has failed.
     *
     * @throws InterruptedException if the thread is interrupted
     */
    protected final void connectAll() throws InterruptedException {
        while (connectsLeft > 0 && status == 0) {
            next();
        }
    }

    /**
     * Waits for the messages of all nodes.
     *
     * @throws InterruptedException if the thread is interrupted
     */
    protected final void awaitReceives() throws InterruptedException {
        for (Node node : nodes) {
            node.awaitReceives();
        }
    }

    /**
     * Waits until all nodes have sent their messages.
     *
     * @throws InterruptedException if the thread is interrupted
     */
    protected final void awaitSends() throws InterruptedException {
        for (Node node : nodes) {
            node.awaitSends();
        }
    }

    /**
     * Handles the next event. It is acknowledged before that, since handling it may close its ID.
     *
     * @throws InterruptedException if the thread is interrupted
     */
    protected final void next() throws InterruptedException {
        CmEvent event = channel.awaitEvent();
        event.acknowledge();
        handle(event);
    }

    /**
     * Handles the next event of the peer, as {@link #next}.
     *
     * @param expected what the program waits for
     * @throws SampleFailure if there is no event within {@link PeerLimit}
     * @throws InterruptedException if the thread is interrupted
     */
    protected final void next(String expected) throws InterruptedException {
        CmEvent event = channel.awaitEvent(PeerLimit.LIMIT);
        if (event == null) {
            throw PeerLimit.failure(noSuch(expected));
        }
        event.acknowledge();
        handle(event);
    }

    /**
     * Prints an event that says that a node will have no connection, and makes its status that of the program.
     *
     * @param event the event
     */
    protected final void fail(CmEvent event) {
        out.println(name + ": event: RDMA_CM_EVENT_" + event.type() + ", error: " + event.status());
        err.println(name + ": " + event);
        connectsLeft--;
        status = event.status();
    }

    /**
     * Creates the node of a request, or rejects it if there are as many nodes as wanted.
     *
     * @param event the request
     * @return the node; null if the request is rejected
     */
    protected final Node request(CmEvent event) {
        if (nodes.size() < transfer.connections()) {
            return add(event.id());
        }
        out.println(name + ": failing connection request");
        event.id().close();
        return null;
    }

    /** Moves all IDs to a new channel. */
    protected final void migrate() {
        out.println("migrating to new event channel");
        CmEventChannel former = channel;
        CmEventChannel target = CmEventChannel.create(former.context());
        boolean isMoved = false;
        try {
            if (listener != null) {
                listener.migrate(target);
            }
            nodes.forEach(node -> node.id().migrate(target));
            isMoved = true;
        } finally {
            if (isMoved) {
                channel = target;
                former.close();
            }
        }
    }
}
