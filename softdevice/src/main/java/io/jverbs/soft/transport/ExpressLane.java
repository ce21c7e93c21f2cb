package io.jverbs.soft.transport;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.Access;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.soft.memory.Domain;
import io.jverbs.soft.memory.KeyEntry;
import io.jverbs.soft.memory.Regions;
import io.jverbs.soft.queue.CompletionQueueCore;
import io.jverbs.soft.queue.Words;
import io.jverbs.spi.SendWrLayout;
import io.jverbs.spi.SgeLayout;
import java.lang.foreign.MemorySegment;

/**
 * The short way of an everyday request: a WRITE or SEND of one element to a connected peer inside the JVM, with nothing queued
 * before it. It is carried out as it is posted, straight from the caller's request, without a stay in the send queue. Where
 * anything is out of the ordinary, nothing is done and the request goes the whole way, which knows what to do about it: so no
 * rule is here that is not there as well. Guarded by the requester's lock, which must be that of the peer's responder.
 */
final class ExpressLane {
    private static final long FIRST_SGE = SendWrLayout.SIZE;

    private final SoftQp qp;
    private final Exchange exchange;
    private final Settings settings;
    private final Regions regions;
    private final Domain domain;
    private final CompletionQueueCore sendCq;
    private final boolean signalAll;
    private final long maxMessage;
    private final boolean takesElements;

    ExpressLane(SoftQp qp, Exchange exchange) {
        this.qp = qp;
        this.exchange = exchange;
        this.settings = qp.settings;
        this.regions = qp.around.regions();
        this.domain = qp.parts.domain();
        this.sendCq = qp.parts.sendCq();
        this.signalAll = qp.parts.signalAll();
        this.maxMessage = qp.around.maxMessage();
        this.takesElements = qp.parts.capabilities().maxSendSge() > 0;
    }

    /** Carries a request out and completes it; false, with nothing done, if it has to go the whole way. */
    boolean take(SendWorkRequest request) {
        if (qp.state() != State.RTS) {
            return false;
        }
        RcResponder peer = exchange.neighbour();
        if (peer == null) {
            return false;
        }
        MemorySegment memory = request.memory();
        long countOpcode = memory.get(JAVA_LONG, SendWrLayout.NUM_SGE);
        int flags = Words.first(memory.get(JAVA_LONG, SendWrLayout.SEND_FLAGS));
        if (Words.first(countOpcode) != 1 || !takesElements || (flags & SendFlags.INLINE) != 0) {
            return false;
        }
        long address = memory.get(JAVA_LONG, FIRST_SGE + SgeLayout.ADDR);
        long lengthKey = memory.get(JAVA_LONG, FIRST_SGE + SgeLayout.LENGTH);
        long length = Words.firstUnsigned(lengthKey);
        KeyEntry entry = regions.find(Words.second(lengthKey));
        if (length == 0 || length > maxMessage || entry == null || !entry.allowsLocal(domain, 0)
                || !entry.contains(address, length)) {
            return false;
        }
        int opcode = Words.second(countOpcode);
        int packets = Message.packets(length, settings.pathMtu);
        int psn = exchange.nextPsn();
        boolean done = switch (opcode) {
            case Opcode.RDMA_WRITE -> peer.writeAtOnce(psn, packets, entry.segment(), entry.offsetOf(address), length,
                    memory.get(JAVA_LONG, SendWrLayout.REMOTE_ADDR),
                    Words.first(memory.get(JAVA_LONG, SendWrLayout.RDMA_RKEY)));
            case Opcode.SEND -> peer.sendAtOnce(psn, packets, entry.segment(), entry.offsetOf(address), length,
                    (flags & SendFlags.SOLICITED) != 0);
            default -> false;
        };
        if (!done) {
            return false;
        }
        exchange.sent(packets, length);
        if (signalAll || (flags & SendFlags.SIGNALED) != 0) {
            sendCq.putSuccess(memory.get(JAVA_LONG, SendWrLayout.WR_ID), Opcode.completion(opcode), 0, 0, qp.number(),
                    0, 0,
                    false);
        }
        return true;
    }
}
