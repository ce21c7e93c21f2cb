package io.jverbs.samples.rsocket;

import io.jverbs.rsocket.RdmaStream;
import io.jverbs.rsocket.RdmaStreamListener;
import io.jverbs.samples.nodes.Endpoints;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Both sides of riostream: transfers from the client into the buffer that the server has mapped, then from the server
 * into that of the client, over one connection for the latency tests and another one for the bandwidth tests.
 *
 * @param endpoints the addresses
 * @param type the type of the streams
 * @param settings the settings of the streams
 * @param modes the test options
 * @param out standard output
 */
record Riostream(Endpoints endpoints, StreamType.Rdma type, StreamSettings settings, TransferModes modes,
        PrintWriter out) {
    private static final int SYNCHRONIZATION_BYTES = 16;
    /** The value of the bytes of the synchronization, which the C program receives into its buffer: no marker. */
    private static final byte NO_MARKER = -1;
    private static final int MAPPINGS = 1;

    /** Runs groups of tests. */
    void run(List<StreamTestGroup> groups) throws IOException, InterruptedException {
        // a device may still write to it after the end of a connection
        MemorySegment memory = Arena.ofAuto().allocate(StreamTestGroup.largestSize(groups));
        ByteSequence sequence = new ByteSequence();
        if (endpoints.isClient()) {
            heading();
            for (StreamTestGroup group : groups) {
                try (RdmaStream stream = RdmaStream.connect(type.context(), endpoints.local(), endpoints.server(),
                        StreamType.Rdma.options(settings.withInlineSize(group.inlineSize()))
                                .withIomapSize(MAPPINGS))) {
                    run(stream, memory, sequence, group);
                }
            }
            return;
        }
        // the streams of a listener have the same options
        try (RdmaStreamListener listener = RdmaStreamListener.bind(type.context(), endpoints.local(),
                StreamType.Rdma.options(settings).withIomapSize(MAPPINGS))) {
            heading();
            for (StreamTestGroup group : groups) {
                try (RdmaStream stream = listener.accept()) {
                    run(stream, memory, sequence, group);
                }
            }
        }
    }

    private void heading() {
        out.println(RstreamCase.HEADING);
        out.flush();
    }

    private void run(RdmaStream stream, MemorySegment memory, ByteSequence sequence, StreamTestGroup group)
            throws IOException, InterruptedException {
        for (RstreamCase test : group.tests()) {
            IomapTransfer transfer = new IomapTransfer(stream, modes, memory.asSlice(0, test.size()), sequence);
            transfer.map();
            synchronize(stream);
            long start = System.nanoTime();
            exchange(transfer, test);
            out.println(test.row(System.nanoTime() - start));
            out.flush();
            transfer.unmap();
        }
        new RdmaByteStream(stream).shutdown();
    }

    /** Exchanges bytes of the stream: afterwards, both sides know of the buffer that the other one has mapped. */
    private void synchronize(RdmaStream stream) throws IOException, InterruptedException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(SYNCHRONIZATION_BYTES);
        StreamTransfer transfer = new StreamTransfer(new RdmaByteStream(stream), modes.withoutVerify(), bytes, null);
        if (!endpoints.isClient()) {
            transfer.receive(SYNCHRONIZATION_BYTES);
        }
        for (int i = 0; i < SYNCHRONIZATION_BYTES; i++) {
            bytes.put(i, NO_MARKER);
        }
        transfer.send(SYNCHRONIZATION_BYTES);
        if (endpoints.isClient()) {
            transfer.receive(SYNCHRONIZATION_BYTES);
        }
    }

    private void exchange(IomapTransfer transfer, RstreamCase test) throws IOException, InterruptedException {
        byte marker = 0;
        for (int i = 0; i < test.iterations(); i++) {
            if (endpoints.isClient()) {
                transfer.send(test.transfers(), marker++);
                transfer.receive(marker++);
            } else {
                transfer.receive(marker++);
                transfer.send(test.transfers(), marker++);
            }
        }
    }
}
