package io.jverbs.samples.rsocket;

import io.jverbs.samples.console.SampleFailure;
import io.jverbs.samples.nodes.Endpoints;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Both sides of rstream: transfers from the client to the server, then from the server to the client, over one
 * connection for the latency tests and another one for the bandwidth tests.
 *
 * @param endpoints the addresses
 * @param type the type of the streams
 * @param settings the settings of the streams
 * @param modes the test options
 * @param out standard output
 */
record Rstream(Endpoints endpoints, StreamType type, StreamSettings settings, TransferModes modes, PrintWriter out) {
    private static final int SYNCHRONIZATION_BYTES = 16;

    /** Runs groups of tests. */
    void run(List<StreamTestGroup> groups) throws IOException, InterruptedException {
        ByteBuffer buffer = ByteBuffer
                .allocateDirect(Math.max(StreamTestGroup.largestSize(groups), SYNCHRONIZATION_BYTES));
        ByteSequence sequence = new ByteSequence();
        if (endpoints.isClient()) {
            heading();
            for (StreamTestGroup group : groups) {
                try (ByteStream stream = type.connect(endpoints, settings.withInlineSize(group.inlineSize()))) {
                    run(new StreamTransfer(stream, modes, buffer, sequence), group);
                }
            }
            return;
        }
        // the streams of a listener have the same options
        try (StreamListener listener = type.listen(endpoints, settings)) {
            heading();
            for (StreamTestGroup group : groups) {
                try (ByteStream stream = listener.accept()) {
                    serve(new StreamTransfer(stream, modes, buffer, sequence), group);
                }
            }
        }
    }

    private void heading() {
        if (settings.keepAliveSeconds() > 0) {
            out.println("Keepalive: ON");
            out.println("  time: " + settings.keepAliveSeconds());
        }
        out.println(RstreamCase.HEADING);
        out.flush();
    }

    private void serve(StreamTransfer transfer, StreamTestGroup group) throws IOException, InterruptedException {
        if (!modes.fork()) {
            run(transfer, group);
            return;
        }
        FutureTask<Void> task = new FutureTask<>(() -> {
            run(transfer, group);
            return null;
        });
        Thread.ofPlatform().name("rstream").daemon().start(task);
        try {
            task.get();
        } catch (ExecutionException e) {
            throw new SampleFailure(String.valueOf(e.getCause().getMessage()));
        }
    }

    private void run(StreamTransfer transfer, StreamTestGroup group) throws IOException, InterruptedException {
        for (RstreamCase test : group.tests()) {
            exchange(transfer, SYNCHRONIZATION_BYTES, 1);
            long start = System.nanoTime();
            for (int i = 0; i < test.iterations(); i++) {
                exchange(transfer, test.size(), test.transfers());
            }
            out.println(test.row(System.nanoTime() - start));
            out.flush();
        }
        shutdown(transfer.stream(), transfer.buffer());
    }

    /**
     * Ends a connection. The server, which sends last, waits for the client's end first: with -T async, the C program
     * takes the end of both directions for an error, also if there are bytes that it has not received.
     */
    private void shutdown(ByteStream stream, ByteBuffer unused) throws IOException, InterruptedException {
        if (!endpoints.isClient()) {
            stream.shutdownOutput();
            while (stream.read(unused.clear()) >= 0) {
                // the client sends nothing more
            }
        }
        stream.shutdown();
    }

    /** Sends transfers from the client to the server, then from the server to the client. */
    private void exchange(StreamTransfer transfer, int size, int transfers) throws IOException, InterruptedException {
        transfer(transfer, endpoints.isClient(), size, transfers);
        transfer(transfer, !endpoints.isClient(), size, transfers);
    }

    private static void transfer(StreamTransfer transfer, boolean sends, int size, int transfers)
            throws IOException, InterruptedException {
        for (int i = 0; i < transfers; i++) {
            if (sends) {
                transfer.send(size);
            } else {
                transfer.receive(size);
            }
        }
    }
}
