package io.jverbs.samples.rdmacm;

import io.jverbs.CompletionQueue;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.RdmaContext;
import io.jverbs.VerbsException;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventChannel;
import io.jverbs.cm.CmId;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import io.jverbs.samples.nodes.Endpoints;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;

/** Both sides of cmtime: the client measures each step of many connections, which the server accepts. */
final class Cmtime {
    private final Endpoints endpoints;
    private final int connections;
    private final int retries;
    private final Duration timeout;
    private final PrintWriter out;
    private final List<CmtimeStep> steps = new ArrayList<>();
    private CmEventChannel channel;
    private QpInitAttributes attributes;
    private ProtectionDomain pd;
    private CmId[] ids;
    private int[] retriesLeft;
    private boolean[] failed;
    /** Whether the step of the connection ends with an event that has not come. */
    private boolean[] pending;
    /** Whether the peer has disconnected; then no event ends the step that disconnects. */
    private boolean[] disconnected;
    private CmtimeStep current;
    private int unfinished;

    Cmtime(Endpoints endpoints, int connections, int retries, Duration timeout, PrintWriter out) {
        this.endpoints = endpoints;
        this.connections = connections;
        this.retries = retries;
        this.timeout = timeout;
        this.out = out;
    }

    /** Runs a side; the server runs until its thread is interrupted. */
    void run(RdmaContext context) throws InterruptedException {
        channel = CmEventChannel.create(context);
        try (ProtectionDomain domain = context.allocatePd();
                CompletionQueue cq = context.createCompletionQueue(2 * Math.max(1, connections))) {
            pd = domain;
            attributes = QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(1).maxRecvWr(1).build();
            if (endpoints.isClient()) {
                client();
            } else {
                server();
            }
        } finally {
            channel.close();
        }
    }

    private void client() throws InterruptedException {
        ids = new CmId[connections];
        retriesLeft = new int[connections];
        failed = new boolean[connections];
        pending = new boolean[connections];
        disconnected = new boolean[connections];
        try {
            step("creating id", "create id", false, i -> {
                ids[i] = channel.createId(PortSpace.TCP);
                ids[i].userContext(i);
            });
            if (endpoints.local() != null) {
                step("binding source address", "bind addr", false, i -> ids[i].bind(endpoints.local()));
            }
            step("resolving address", "resolve addr", true, this::resolveAddress);
            step("resolving route", "resolve route", true, i -> ids[i].resolveRoute(timeout));
            step("creating qp", "create qp", false, i -> ids[i].createQueuePair(pd, attributes));
            ConnectionParameters parameters = ConnectionParameters.builder().responderResources(1).initiatorDepth(1)
                    .flowControl(false).retryCount(retries).rnrRetryCount(0).build();
            step("connecting", "connect", true, i -> ids[i].connect(parameters));
            step("disconnecting", "disconnect", true, i -> {
                ids[i].disconnect();
                ids[i].destroyQueuePair();
            });
        } finally {
            destroy();
        }
        out.println("step              total ms     max ms     min us  us / conn");
        steps.forEach(each -> out.println(each.row()));
    }

    private void resolveAddress(int i) {
        ids[i].resolveAddress(endpoints.local(), endpoints.server(), timeout);
    }

    /** Executes a step for each connection that has not failed; with events, waits for that of each. */
    private void step(String announcement, String name, boolean hasEvents, IntConsumer action)
            throws InterruptedException {
        out.println(announcement);
        current = new CmtimeStep(name, connections);
        steps.add(current);
        current.begin();
        for (int i = 0; i < connections; i++) {
            if (failed[i]) {
                continue;
            }
            retriesLeft[i] = retries;
            current.begin(i);
            if (hasEvents) {
                pending[i] = true;
                unfinished++;
            }
            action.accept(i);
            if (!hasEvents) {
                current.end(i);
            } else if (disconnected[i]) {
                finish(i);
            } else {
                handleEvents(Duration.ZERO);
            }
        }
        while (unfinished > 0) {
            handleEvents(timeout);
        }
        current.end();
    }

    private void handleEvents(Duration maximum) throws InterruptedException {
        CmEvent event = channel.awaitEvent(maximum);
        while (event != null) {
            event.acknowledge();
            handle(event);
            event = channel.awaitEvent(Duration.ZERO);
        }
    }

    private void handle(CmEvent event) {
        int i = (int) event.id().userContext();
        switch (event.type()) {
            case ADDR_RESOLVED, ROUTE_RESOLVED, ESTABLISHED -> finish(i);
            case DISCONNECTED -> {
                disconnected[i] = true;
                if (pending[i]) {
                    finish(i);
                } else {
                    out.println("event: RDMA_CM_EVENT_DISCONNECTED: the peer has ended connection " + i);
                }
            }
            case ADDR_ERROR -> retryOrFail(i, event, () -> resolveAddress(i));
            case ROUTE_ERROR -> retryOrFail(i, event, () -> ids[i].resolveRoute(timeout));
            case CONNECT_ERROR, UNREACHABLE, REJECTED -> fail(i, event);
            default -> {
                // the end of a connection's TIMEWAIT
            }
        }
    }

    private void retryOrFail(int i, CmEvent event, Runnable again) {
        if (retriesLeft[i] > 0) {
            retriesLeft[i]--;
            again.run();
        } else {
            fail(i, event);
        }
    }

    private void fail(int i, CmEvent event) {
        out.println("event: RDMA_CM_EVENT_" + event.type() + ", error: " + event.status());
        failed[i] = true;
        finish(i);
    }

    private void finish(int i) {
        if (pending[i]) {
            pending[i] = false;
            current.end(i);
            unfinished--;
        }
    }

    private void destroy() {
        out.println("destroying id");
        CmtimeStep destroying = new CmtimeStep("destroy", connections);
        steps.add(destroying);
        destroying.begin();
        for (int i = 0; i < connections; i++) {
            destroying.begin(i);
            if (ids[i] != null) {
                ids[i].close();
            }
            destroying.end(i);
        }
        destroying.end();
    }

    private void server() throws InterruptedException {
        Set<CmId> clients = new HashSet<>();
        try (CmId listener = channel.createId(PortSpace.TCP)) {
            listener.bind(endpoints.local());
            listener.listen(0);
            while (true) {
                serve(channel.awaitEvent(), clients);
            }
        } finally {
            clients.forEach(CmId::close);
        }
    }

    private void serve(CmEvent event, Set<CmId> clients) {
        event.acknowledge();
        CmId id = event.id();
        switch (event.type()) {
            case CONNECT_REQUEST -> {
                clients.add(id);
                accept(id, clients);
            }
            case DISCONNECTED -> {
                disconnect(id);
                close(id, clients);
            }
            case CONNECT_ERROR, UNREACHABLE, REJECTED -> {
                out.println("event: RDMA_CM_EVENT_" + event.type() + ", error: " + event.status());
                close(id, clients);
            }
            default -> {
                // the connection is established
            }
        }
    }

    /** Accepts a request, whose client may have ended meanwhile: the server goes on with the others. */
    private void accept(CmId id, Set<CmId> clients) {
        try {
            id.createQueuePair(pd, attributes);
            id.accept(ConnectionParameters.DEFAULT);
        } catch (VerbsException e) {
            out.println("failure accepting: " + e.getMessage());
            close(id, clients);
        }
    }

    private void disconnect(CmId id) {
        try {
            id.disconnect();
        } catch (VerbsException e) {
            out.println("failure disconnecting: " + e.getMessage());
        }
    }

    private static void close(CmId id, Set<CmId> clients) {
        clients.remove(id);
        id.close();
    }
}
