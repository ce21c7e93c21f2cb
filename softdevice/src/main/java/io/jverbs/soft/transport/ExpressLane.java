package io.jverbs.soft.transport;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.MemoryRegion;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.soft.memory.KeyEntry;
import io.jverbs.soft.memory.KnownKey;
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
    private static final int WRITTEN = Opcode.completion(Opcode.RDMA_WRITE);
    private static final int SENT = Opcode.completion(Opcode.SEND);

    private final SoftQp qp;
    private final Exchange exchange;
    private final Settings settings;
    private final KnownKey sources;
    private final CompletionQueueCore sendCq;
    private final boolean signalAll;
    private final long maxMessage;
    private final boolean takesElements;
    private final int maxInline;

    ExpressLane(SoftQp qp, Exchange exchange) {
        this.qp = qp;
        this.exchange = exchange;
        this.settings = qp.settings;
        this.sources = KnownKey.local(qp.around.regions(), qp.parts.domain(), 0);
        this.sendCq = qp.parts.sendCq();
        this.signalAll = qp.parts.signalAll();
        this.maxMessage = qp.around.maxMessage();
        this.takesElements = qp.parts.capabilities().maxSendSge() > 0;
        this.maxInline = qp.parts.capabilities().maxInlineData();
    }

    /** Carries a request out and completes it; false, with nothing done, if it has to go the whole way. */
    boolean take(SendWorkRequest request) {
        RcResponder peer = exchange.neighbour();
        if (peer == null || qp.state() != State.RTS) {
            return false;
        }
        MemorySegment memory = request.memory();
        long countOpcode = memory.get(JAVA_LONG, SendWrLayout.NUM_SGE);
        if (Words.first(countOpcode) != 1 || !takesElements) {
            return false;
        }
        // all of it before anything else is looked at: what is volatile would have the memory judged anew for each word
        int flags = Words.first(memory.get(JAVA_LONG, SendWrLayout.SEND_FLAGS));
        long address = memory.get(JAVA_LONG, FIRST_SGE + SgeLayout.ADDR);
        long lengthKey = memory.get(JAVA_LONG, FIRST_SGE + SgeLayout.LENGTH);
        long remoteAddress = memory.get(JAVA_LONG, SendWrLayout.REMOTE_ADDR);
        int rkey = Words.first(memory.get(JAVA_LONG, SendWrLayout.RDMA_RKEY));
        long wrId = memory.get(JAVA_LONG, SendWrLayout.WR_ID);
        long length = Words.firstUnsigned(lengthKey);
        if (length == 0 || length > maxMessage) {
            return false;
        }
        MemorySegment from;
        long at;
        if ((flags & SendFlags.INLINE) == 0) {
            KeyEntry entry = sources.find(Words.second(lengthKey));
            if (entry == null || !entry.contains(address, length)) {
                return false;
            }
            from = entry.segment();
            at = entry.offsetOf(address);
        } else {
            // whose key is of no account
            if (length > maxInline || !(request.named(0) instanceof MemoryRegion region)) {
                return false;
            }
            from = region.segment();
            at = address - region.address();
            if (at < 0 || at > from.byteSize() - length) {
                return false;
            }
        }
        int packets = Message.packets(length, settings.pathMtu);
        int psn = exchange.nextPsn();
        int completion;
        switch (Words.second(countOpcode)) {
            case Opcode.RDMA_WRITE -> {
                if (!peer.writeAtOnce(psn, packets, from, at, length, remoteAddress, rkey)) {
                    return false;
                }
                completion = WRITTEN;
            }
            case Opcode.SEND -> {
                if (!peer.sendAtOnce(psn, packets, from, at, length, (flags & SendFlags.SOLICITED) != 0)) {
                    return false;
                }
                completion = SENT;
            }
            default -> {
                return false;
            }
        }
        exchange.sent(packets, length);
        if (signalAll || (flags & SendFlags.SIGNALED) != 0) {
            sendCq.putSuccess(wrId, completion, 0, 0, qp.number(), 0, 0, false);
        }
        return true;
    }
}
