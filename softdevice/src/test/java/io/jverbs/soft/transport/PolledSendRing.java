package io.jverbs.soft.transport;

import io.jverbs.QpCapabilities;
import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.soft.queue.CompletionQueueCore;
import io.jverbs.soft.queue.DeferredWork;
import io.jverbs.soft.transport.rc.ReliableConnection;
import io.jverbs.spi.WcLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A send ring whose completions are polled at once, for tests of the state machines that refer to one. */
public final class PolledSendRing {
    private final MemorySegment polled = Arena.ofAuto().allocate(WcLayout.SIZE, Long.BYTES);
    private final CompletionQueueCore cq;
    private final SendRing ring;

    /** Makes the empty ring of a reliable connection. */
    public PolledSendRing(int slots) {
        cq = new CompletionQueueCore(new DeferredWork.DeferredQueue(), slots, false, null);
        ring = new SendRing(new ReliableConnection(), new QpCapabilities(slots, 0, 1, 0, 0), cq);
        ring.allocate();
    }

    /** {@return the ring} */
    public SendRing ring() {
        return ring;
    }

    /** Adds a request without elements; returns 0 or an errno. */
    public int append(WrOpcode opcode) {
        return ring.append(SendWorkRequest.create(0).opcode(opcode), true);
    }

    /** Completes the oldest request. */
    public void finish() {
        ring.finish(cq.putSuccess(0, 0, 0, 0, 1, 0, 0, false));
        cq.poll(polled, 1);
    }
}
