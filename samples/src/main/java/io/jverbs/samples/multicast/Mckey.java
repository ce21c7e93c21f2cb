package io.jverbs.samples.multicast;

import io.jverbs.VerbsException;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventChannel;
import io.jverbs.samples.nodes.Endpoints;
import io.jverbs.samples.nodes.Node;
import io.jverbs.samples.nodes.NodesProgram;
import io.jverbs.samples.nodes.Transfer;
import java.io.PrintWriter;
import java.time.Duration;

/** Both sides of mckey: each node joins the group, and then sends datagrams to it or receives them. */
final class Mckey extends NodesProgram {
    /** The time between the joins and the messages, in which switches learn of the members and receivers can join. */
    static final Duration PAUSE = Duration.ofSeconds(3);

    private final Endpoints group;
    private final Options options;
    private final Duration pause;

    /**
     * What the options of mckey say besides the addresses and the transfer.
     *
     * @param isSender whether this side sends
     * @param sendOnly whether the nodes join as members that only send
     * @param blockLoopback whether a queue pair does not receive the datagrams that it sends itself
     */
    record Options(boolean isSender, boolean sendOnly, boolean blockLoopback) {}

    /**
     * @param group the address of the group, as that of the server, and the local address or null
     * @param pause the time between the joins and the messages
     */
    Mckey(Endpoints group, Transfer transfer, Options options, Duration pause, PrintWriter out, PrintWriter err) {
        super("mckey", transfer, out, err);
        this.group = group;
        this.options = options;
        this.pause = pause;
    }

    @Override
    protected void transfer() throws InterruptedException {
        print("mckey: starting " + (options.isSender ? "client" : "server"));
        createNodes();
        print("mckey: joining");
        if (group.local() != null) {
            for (Node node : nodes()) {
                node.id().bind(group.local());
            }
        }
        resolve(group);
        connectAll();
        if (!failed()) {
            Thread events = Thread.ofVirtual().name("mckey events").start(this::reportEvents);
            try {
                Thread.sleep(pause);
                exchange();
            } finally {
                events.interrupt();
                events.join();
            }
        }
        leave();
    }

    private void exchange() throws InterruptedException {
        if (wanted().messages() == 0) {
            return;
        }
        if (options.isSender) {
            print("initiating data transfers");
            // with completions, so that the queue pairs exist until all messages are sent
            nodes().forEach(node -> node.postSends(true));
            awaitSends();
        } else {
            print("receiving data transfers");
            awaitReceives();
        }
        print("data transfers complete");
    }

    /** Leaves the group with those nodes that have joined it. */
    private void leave() {
        for (Node node : nodes()) {
            if (node.connected()) {
                node.id().leaveMulticast(group.server());
            }
        }
    }

    @Override
    protected void handle(CmEvent event) {
        Node node = Node.of(event.id());
        switch (event.type()) {
            case ADDR_RESOLVED -> {
                node.checkSize(name());
                node.initialize(options.blockLoopback);
                if (!options.isSender) {
                    node.postReceives();
                }
                event.id().joinMulticast(group.server(), options.sendOnly, null);
            }
            case MULTICAST_JOIN -> {
                print(String.format("mckey: joined dgid: %s mlid 0x%x sl %d", event.address().destination(),
                        event.address().dlid(), event.address().serviceLevel()));
                node.destination(event.address(), event.qpNumber(), event.qkey());
                connected(node);
            }
            case ADDR_ERROR, ROUTE_ERROR, MULTICAST_ERROR -> fail(event);
            default -> {
                // the end of the device is noticed by the transfer
            }
        }
    }

    /** Prints the events that say that a membership or an address is lost, until the thread is interrupted. */
    private void reportEvents() {
        CmEventChannel channel = channel();
        try {
            while (true) {
                CmEvent event = channel.awaitEvent();
                event.acknowledge();
                switch (event.type()) {
                    case MULTICAST_ERROR, ADDR_CHANGE -> print("mckey: event: RDMA_CM_EVENT_" + event.type()
                            + ", status: " + event.status());
                    default -> {
                        // the others do not concern a group
                    }
                }
            }
        } catch (InterruptedException e) {
            // the transfer has ended
        } catch (VerbsException e) {
            print("mckey: events are no longer reported: " + e.getMessage());
        }
    }
}
