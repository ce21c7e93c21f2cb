package io.jverbs.soft.layers.strict;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.MemoryRegion;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.SharedReceiveQueue;
import io.jverbs.SrqInitAttributes;
import io.jverbs.WrOpcode;
import io.jverbs.soft.layers.LayeredPair;
import io.jverbs.strict.Violation.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Checks in which memory strict mode attributes a change to the program, because neither the device nor peers may
 * write.
 */
final class StrictPayloadsTest extends StrictReports {
    private static final int SIGNALED = SendFlags.SIGNALED;

    private LayeredPair pair;

    @BeforeEach
    void connect() {
        pair = new LayeredPair(strict);
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private void change(MemoryRegion region) {
        MemorySegment memory = region.segment();
        memory.set(ValueLayout.JAVA_BYTE, 0, (byte) (memory.get(ValueLayout.JAVA_BYTE, 0) + 1));
    }

    private void assertChangeIsReported(MemoryRegion region) {
        assertNothingFound();
        pair.sender.postSend(pair.write(7, SIGNALED).sge(region, 0, 8));
        change(region);
        assertEquals(List.of("7 SUCCESS"), pair.await(pair.sendCq, 1));
        assertFound(Kind.PAYLOAD_CHANGED, "wrId 7");
    }

    /** Catalogue B13: a peer may write its next request to the memory from which the previous reply was sent. */
    @Test
    void changesInMemoryAlsoRegisteredForRemoteWriteAreNotReported() {
        try (MemoryRegion forPeers = pair.pd.registerMemory(pair.source.segment(),
                Access.LOCAL_WRITE | Access.REMOTE_WRITE)) {
            pair.source.segment().set(ValueLayout.JAVA_LONG, 0, 5);
            pair.sender.postSend(pair.write(1, SIGNALED));
            MemoryRegion other = pair.pd.allocate(64, 0);
            pair.receiver.postSend(
                    pair.write(2, SIGNALED).sge(other, 0, 8).remote(forPeers.address(), forPeers.rkey()));
            assertEquals(0, pair.source.segment().get(ValueLayout.JAVA_LONG, 0), "the peer wrote to the payload");
            pair.await(pair.sendCq, 2);
            assertNothingFound();
        }
        assertChangeIsReported(pair.source);
    }

    @Test
    void remotelyWritableMemoryInOneElementHidesNoChangeInAnother() {
        QpInitAttributes init = QpInitAttributes.builder(QpType.RC).cq(pair.sendCq).maxSendSge(2).build();
        QueuePair sender = pair.pd.createQueuePair(init);
        QueuePair receiver = pair.pd.createQueuePair(init);
        sender.connect(receiver.localInfo());
        receiver.connect(sender.localInfo());
        sender.postSend(SendWorkRequest.create(2).opcode(WrOpcode.RDMA_WRITE).flags(SIGNALED).wrId(3)
                .sge(0, pair.target, 32, 8).sge(1, pair.source, 0, 8)
                .remote(pair.target.address(), pair.target.rkey()));
        change(pair.source);
        pair.await(pair.sendCq, 1);
        assertFound(Kind.PAYLOAD_CHANGED, "wrId 3", "16 bytes");
    }

    @Test
    void aReceiveBufferBelongsToTheProgramAfterItsCompletion() {
        MemoryRegion buffer = pair.pd.allocate(64, Access.LOCAL_WRITE);
        pair.receiver.postReceive(ReceiveWorkRequest.create(1).sge(buffer, 0, 64));
        pair.sender.postSend(pair.send(1));
        pair.await(pair.sendCq, 1);
        pair.await(pair.recvCq, 1);
        assertChangeIsReported(buffer);
    }

    @Test
    void aReadBufferBelongsToTheProgramAfterItsCompletion() {
        pair.sender.postSend(pair.write(1, SIGNALED).opcode(WrOpcode.RDMA_READ));
        pair.await(pair.sendCq, 1);
        assertChangeIsReported(pair.source);
    }

    @Test
    void aSharedReceiveBufferBelongsToTheProgramAfterItsCompletion() {
        SharedReceiveQueue srq = pair.pd.createSharedReceiveQueue(SrqInitAttributes.of(8, 1));
        QueuePair sender = pair.pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(pair.sendCq).build());
        QueuePair shared = pair.pd
                .createQueuePair(QpInitAttributes.builder(QpType.RC).cq(pair.recvCq).srq(srq).build());
        shared.connect(sender.localInfo());
        sender.connect(shared.localInfo());
        MemoryRegion first = pair.pd.allocate(64, Access.LOCAL_WRITE);
        MemoryRegion second = pair.pd.allocate(64, Access.LOCAL_WRITE);
        srq.postReceive(ReceiveWorkRequest.create(1).wrId(1).sge(first, 0, 64)
                .next(ReceiveWorkRequest.create(1).wrId(2).sge(second, 0, 64)));
        sender.postSend(pair.send(1));
        pair.await(pair.sendCq, 1);
        pair.await(pair.recvCq, 1);
        pair.sender.postSend(pair.write(2, SIGNALED).sge(second, 0, 8));
        change(second);
        pair.await(pair.sendCq, 1);
        assertChangeIsReported(first);
    }

    @Test
    void aReceiveIntoAPayloadThatCompletesBeforeTheSendIsNotReported() {
        pair.source.segment().set(ValueLayout.JAVA_LONG, 0, 5);
        pair.sender.postSend(pair.write(1, SIGNALED));
        pair.sender.postReceive(ReceiveWorkRequest.create(1).sge(pair.source, 0, 8));
        MemoryRegion reply = pair.pd.allocate(64, 0);
        pair.receiver.postSend(pair.send(2).sge(reply, 0, 8));
        pair.await(pair.recvCq, 1);
        assertEquals(0, pair.source.segment().get(ValueLayout.JAVA_LONG, 0), "the reply was received into the payload");
        pair.await(pair.sendCq, 2);
        assertNothingFound();
        assertChangeIsReported(pair.source);
    }

    /** Catalogue B17: the memory may have been freed, so strict mode does not read it. */
    @Test
    void deregisteredMemoryIsNotChecked() {
        try (Arena arena = Arena.ofShared()) {
            MemoryRegion region = pair.pd.registerMemory(arena.allocate(64), Access.LOCAL_WRITE);
            pair.sender.postSend(pair.write(1, SIGNALED).sge(region, 0, 8));
            region.close();
            change(region);
            pair.await(pair.sendCq, 1);
        }
        assertNothingFound();
    }
}
