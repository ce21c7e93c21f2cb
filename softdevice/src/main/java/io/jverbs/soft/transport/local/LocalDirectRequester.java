package io.jverbs.soft.transport.local;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.jverbs.MemoryRegion;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.soft.memory.KeyCache;
import io.jverbs.soft.memory.KeyEntry;
import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.protocol.QpStateCode;
import io.jverbs.soft.protocol.Traffic;
import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.queue.Words;
import io.jverbs.soft.transport.DirectResponder;
import io.jverbs.soft.transport.FastPath;
import io.jverbs.soft.transport.Requester;
import io.jverbs.soft.transport.SendRing;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.spi.SendWrLayout;
import io.jverbs.spi.SgeLayout;
import java.lang.foreign.MemorySegment;

/**
 * Executes a request of one element to a connected peer in the same JVM when it is posted, directly from the caller's
 * work request, which is not copied to the send queue: a WRITE or SEND here, a READ or atomic in {@link LocalReadPath}.
 * The request occupies a slot of the send queue until its completion is polled.
 *
 * <p>
 * {@link LocalRcRequester} implements the general case. A request that this class does not execute is left unchanged
 * for it, so this class contains no rule of its own. It is a superclass, not an object of its own, so that a request
 * touches fewer cache lines. Guarded by the requester's lock, which must be that of the peer's responder, except for
 * {@link #isReady}.
 */
abstract class LocalDirectRequester extends LocalRequester implements FastPath {
    private static final long FIRST_SGE = SendWrLayout.SIZE;
    private static final int WRITTEN = WrOpcodeCode.completion(WrOpcodeCode.RDMA_WRITE);
    private static final int SENT = WrOpcodeCode.completion(WrOpcodeCode.SEND);

    private final KeyCache sources;
    private final LocalReadPath reads;
    private final int maxInline;
    private long receivedPackets;
    private long receivedBytes;

    LocalDirectRequester(SoftQp qp, Requester requester) {
        super(qp, requester);
        this.reads = new LocalReadPath(this);
        this.sources = KeyCache.local(qp.requesterKeys(), 0);
        this.source = sources.cached();
        this.maxInline = qp.parts().capabilities().maxInlineData();
    }

    @Override
    public final FastPath fastPath() {
        return this;
    }

    @Override
    public final boolean isReady() {
        return directPeer() != null;
    }

    @Override
    public final boolean executeNow(SendWorkRequest request) {
        assert requester.isHeldByCurrentThread();
        DirectResponder peer = directPeer();
        if (peer == null || qp.state() != QpStateCode.RTS) {
            return false;
        }
        MemorySegment memory = request.memory();
        // a layout without alignment, so that each access has one check less
        long countOpcode = memory.get(JAVA_LONG_UNALIGNED, SendWrLayout.NUM_SGE);
        int opcode = Words.second(countOpcode);
        if (Words.first(countOpcode) != 1 || !takesElements) {
            return false;
        }
        if (opcode != WrOpcodeCode.RDMA_WRITE && opcode != WrOpcodeCode.SEND) {
            return WrOpcodeCode.isReadOrAtomic(opcode) && reads.execute(memory, opcode, peer);
        }
        // all words are read first: after a volatile access, the JIT would check the segment again for each word
        int flags = Words.first(memory.get(JAVA_LONG_UNALIGNED, SendWrLayout.SEND_FLAGS));
        long address = memory.get(JAVA_LONG_UNALIGNED, FIRST_SGE + SgeLayout.ADDR);
        long lengthKey = memory.get(JAVA_LONG_UNALIGNED, FIRST_SGE + SgeLayout.LENGTH);
        long remoteAddress = memory.get(JAVA_LONG_UNALIGNED, SendWrLayout.REMOTE_ADDR);
        int rkey = Words.first(memory.get(JAVA_LONG_UNALIGNED, SendWrLayout.RDMA_RKEY));
        long wrId = memory.get(JAVA_LONG_UNALIGNED, SendWrLayout.WR_ID);
        long length = Words.firstUnsigned(lengthKey);
        if (length == 0 || length > maxMessage) {
            return false;
        }
        MemorySegment from;
        long at;
        if ((flags & SendFlags.INLINE) == 0) {
            int lkey = Words.second(lengthKey);
            KeyEntry entry = source.servesLocal(lkey, address, length) ? source : findSource(lkey, address, length);
            if (entry == null) {
                return false;
            }
            from = entry.segment();
            at = entry.offsetOf(address);
        } else {
            // the key of inline data is not checked
            if (length > maxInline || !(request.named(0) instanceof MemoryRegion region)) {
                return false;
            }
            from = region.segment();
            at = address - region.address();
            if (at < 0 || at > from.byteSize() - length || from.isMapped()) {
                return false;
            }
        }
        int packets = Message.packets(length, mtu);
        int psn = nextPsn();
        boolean writes = opcode == WrOpcodeCode.RDMA_WRITE;
        boolean executed = writes
                ? peer.writeDirectly(psn, packets, from, at, length, remoteAddress, rkey)
                : peer.sendDirectly(psn, packets, from, at, length, (flags & SendFlags.SOLICITED) != 0);
        if (!executed) {
            return false;
        }
        sent(packets, length);
        requester.appendDone(signalAll || (flags & SendFlags.SIGNALED) != 0
                ? requester.sendCq().putSuccess(wrId, writes ? WRITTEN : SENT, 0, 0, qp.number(), 0, 0, false)
                : SendRing.NO_COMPLETION);
        return true;
    }

    private KeyEntry findSource(int lkey, long address, long length) {
        KeyEntry found = sources.findLocal(lkey, address, length);
        if (sources.cached() != source) {
            source = sources.cached();
        }
        return found;
    }

    /**
     * Counts a READ or atomic that was executed directly.
     *
     * @param count the number of packets of the response
     * @param bytes the number of bytes that it has in addition to headers; 0 for an atomic
     */
    final void executedDirectly(int count, long bytes) {
        sentRead(count);
        received(count, bytes);
    }

    /** Counts packets of responses. */
    final void received(int count, long bytes) {
        receivedPackets += count;
        receivedBytes += bytes;
    }

    @Override
    public final Traffic traffic() {
        return super.traffic().plus(Traffic.received(receivedPackets, receivedBytes));
    }
}
