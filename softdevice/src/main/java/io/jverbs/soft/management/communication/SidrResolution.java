package io.jverbs.soft.management.communication;

import io.jverbs.soft.management.message.SidrReply;
import io.jverbs.soft.management.message.SidrRequest;
import java.util.function.Consumer;

/**
 * The resolution of a service ID to a queue pair (SIDR), seen from the side that asks: sends a SIDR_REQ until the
 * SIDR_REP arrives. See section 12.11 of the InfiniBand Architecture Specification. Guarded by the lock of its agent.
 */
public final class SidrResolution {
    private final CmAgent agent;
    private final int requestId;
    private final Consumer<Result> handler;
    private final CmRetransmission retransmission;
    private boolean ended;

    /** The outcome of a resolution. */
    public sealed interface Result {
        /** A SIDR_REP has arrived. */
        record Replied(SidrReply reply) implements Result {}

        /** No SIDR_REP has arrived in time. */
        record Unreachable() implements Result {}
    }

    SidrResolution(CmAgent agent, int requestId, Consumer<Result> handler) {
        this.agent = agent;
        this.requestId = requestId;
        this.handler = handler;
        this.retransmission = new CmRetransmission(agent, () -> end(new Result.Unreachable()));
    }

    public int requestId() {
        return requestId;
    }

    /** Sends the request. */
    public void send(SidrRequest request, CmPath path) {
        long interval = agent.durations().nanos(CmDurations.RESPONSE_TIMEOUT);
        retransmission.start(request.encode(agent.newTransaction()), path, interval, CmDurations.MAX_RETRIES);
    }

    /** A SIDR_REP has arrived. */
    void received(SidrReply reply) {
        end(new Result.Replied(reply));
    }

    private void end(Result result) {
        if (!ended) {
            cancel();
            agent.deliver(handler, result);
        }
    }

    /** Ends the resolution without a result. */
    public void cancel() {
        ended = true;
        retransmission.stop();
        agent.forget(this);
    }
}
