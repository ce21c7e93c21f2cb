package io.jverbs.soft.transport.local;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.jverbs.Access;
import io.jverbs.SendFlags;
import io.jverbs.soft.memory.KeyCache;
import io.jverbs.soft.memory.KeyEntry;
import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.queue.Words;
import io.jverbs.soft.transport.DirectResponder;
import io.jverbs.soft.transport.QpSettings;
import io.jverbs.soft.transport.Requester;
import io.jverbs.soft.transport.SendRing;
import io.jverbs.spi.SendWrLayout;
import io.jverbs.spi.SgeLayout;
import java.lang.foreign.MemorySegment;

/**
 * The part of {@link LocalDirectRequester} that executes READs and atomics: the peer's responder copies its memory to
 * the element, or changes its word and returns the original value, in the posting thread. Guarded by the requester's
 * lock.
 */
final class LocalReadPath {
    private static final long FIRST_SGE = SendWrLayout.SIZE;

    private final LocalDirectRequester protocol;
    private final Requester requester;
    private final QpSettings settings;
    private final KeyCache destinations;

    LocalReadPath(LocalDirectRequester protocol) {
        this.protocol = protocol;
        this.requester = protocol.requester;
        this.settings = protocol.settings;
        this.destinations = KeyCache.local(protocol.qp.requesterKeys(), Access.LOCAL_WRITE);
    }

    /**
     * Executes and completes a request.
     *
     * @param memory the request, of one element
     * @param opcode its opcode, of a READ or an atomic
     * @param peer the peer's responder
     * @return false if the request must be queued; no memory but that of the element has changed then
     */
    boolean execute(MemorySegment memory, int opcode, DirectResponder peer) {
        // all words are read first: after a volatile access, the JIT would check the segment again for each word
        int flags = Words.first(memory.get(JAVA_LONG, SendWrLayout.SEND_FLAGS));
        long address = memory.get(JAVA_LONG, FIRST_SGE + SgeLayout.ADDR);
        long lengthKey = memory.get(JAVA_LONG, FIRST_SGE + SgeLayout.LENGTH);
        long remoteAddress = memory.get(JAVA_LONG, SendWrLayout.REMOTE_ADDR);
        long second = memory.get(JAVA_LONG, SendWrLayout.RDMA_RKEY);
        long swap = memory.get(JAVA_LONG, SendWrLayout.ATOMIC_SWAP);
        int atomicRkey = Words.first(memory.get(JAVA_LONG, SendWrLayout.ATOMIC_RKEY));
        long wrId = memory.get(JAVA_LONG, SendWrLayout.WR_ID);
        long length = Words.firstUnsigned(lengthKey);
        boolean reads = opcode == WrOpcodeCode.RDMA_READ;
        if ((flags & SendFlags.INLINE) != 0 || settings.maxRdAtomic <= 0
                || (reads ? length == 0 || length > protocol.maxMessage : length != Long.BYTES)) {
            return false;
        }
        KeyEntry entry = destinations.findLocal(Words.second(lengthKey), address, length);
        if (entry == null) {
            return false;
        }
        MemorySegment to = entry.segment();
        long at = entry.offsetOf(address);
        int psn = protocol.nextPsn();
        if (reads) {
            int packets = Message.packets(length, protocol.mtu);
            if (!peer.readDirectly(psn, packets, to, at, length, remoteAddress, Words.first(second))) {
                return false;
            }
            protocol.executedDirectly(packets, length);
        } else {
            // the word must be changed once, so it is checked before whether the original value can be stored
            if (!to.scope().isAlive() || !peer.atomicDirectly(psn, opcode == WrOpcodeCode.CMP_AND_SWP, second, swap,
                    remoteAddress, atomicRkey)) {
                return false;
            }
            protocol.executedDirectly(1, 0);
            to.set(JAVA_LONG_UNALIGNED, at, peer.original());
        }
        requester.appendDone(protocol.signalAll || (flags & SendFlags.SIGNALED) != 0
                ? requester.sendCq().putSuccess(wrId, WrOpcodeCode.completion(opcode), (int) length, 0,
                        protocol.qp.number(), 0, 0, false)
                : SendRing.NO_COMPLETION);
        return true;
    }
}
