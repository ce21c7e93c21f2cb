package io.jverbs.soft.layers.strict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jverbs.Access;
import io.jverbs.MemoryRegion;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SharedReceiveQueue;
import io.jverbs.SrqInitAttributes;
import io.jverbs.soft.layers.LayeredPair;
import io.jverbs.strict.StrictMode;
import io.jverbs.strict.StrictViolationException;
import io.jverbs.strict.Violation.Kind;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Catalogue H3, H6: strict mode reports receives without room for the 40 bytes before the payload of a datagram. */
final class StrictDatagramsTest extends StrictReports {
    private static final int GRH = 40;
    private static final int QKEY = 5;

    private LayeredPair pair;
    private MemoryRegion buffer;
    private QueuePair sender;
    private QueuePair receiver;

    @BeforeEach
    void connect() {
        pair = new LayeredPair(strict);
        open(pair);
    }

    private void open(LayeredPair with) {
        buffer = with.pd.allocate(2 * LayeredPair.BYTES, Access.LOCAL_WRITE);
        sender = with.datagramQueuePair(QKEY, 0);
        receiver = with.datagramQueuePair(QKEY, 0);
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private ReceiveWorkRequest receive(long wrId, int bytes) {
        return ReceiveWorkRequest.create(1).wrId(wrId).sge(buffer, 0, bytes);
    }

    private void send(long wrId, QueuePair to) {
        sender.postSend(pair.send(wrId).destination(pair.loopbackAddress(), to.number(), QKEY));
    }

    @Test
    void aReceiveWithoutRoomForTheGrhIsReportedWhenPostedAndBlocksItsQueuePair() {
        receiver.postReceive(receive(7, GRH - 1));
        assertFound(Kind.NO_ROOM_FOR_GRH, "wrId 7", "UD queue pair", "39 bytes", "40");
        receiver.postReceive(receive(8, 2 * LayeredPair.BYTES));
        send(1, receiver);
        send(2, receiver);
        assertEquals(List.of("1 SUCCESS", "2 SUCCESS"), pair.await(pair.sendCq, 2), "nothing is received");
    }

    @Test
    void aThrowingStrictModeDoesNotPostTheReceive() {
        StrictMode throwing = StrictMode.throwing();
        try (LayeredPair other = new LayeredPair(throwing)) {
            open(other);
            StrictViolationException refused = assertThrows(StrictViolationException.class, () -> receiver
                    .postReceive(receive(1, 2 * LayeredPair.BYTES).next(ReceiveWorkRequest.create(0).wrId(2))));
            assertEquals(Kind.NO_ROOM_FOR_GRH, refused.violation().kind());
            receiver.modify(QpAttributes.builder().state(QpState.ERR).build());
            assertEquals(List.of(), other.polled(other.sendCq), "no request of the chain was posted");
        }
    }

    @Test
    void roomForTheGrhInSeveralElementsAndNoRoomForPayloadAreLegal() {
        QueuePair several = pair.pd
                .createQueuePair(QpInitAttributes.builder(QpType.UD).cq(pair.recvCq).maxRecvSge(2).build());
        several.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(1).qkey(QKEY).build());
        several.postReceive(ReceiveWorkRequest.create(2).sge(0, buffer, 0, 30).sge(1, buffer, 30, 10));
        receiver.postReceive(receive(1, GRH));
        assertNothingFound();
    }

    /** Programs post a receive in ERR to learn from its completion that all earlier ones are flushed. */
    @Test
    void anEmptyReceivePostedInErrIsLegal() {
        receiver.postReceive(receive(1, GRH));
        receiver.modify(QpAttributes.builder().state(QpState.ERR).build());
        receiver.postReceive(ReceiveWorkRequest.create(0).wrId(2));
        assertEquals(List.of("1 WR_FLUSH_ERR", "2 WR_FLUSH_ERR"), pair.await(pair.sendCq, 2));
        assertNothingFound();
    }

    @Test
    void receivesOfConnectedQueuePairsNeedNoRoomForTheGrh() {
        pair.receiver.postReceive(receive(1, 8));
        pair.sender.postSend(pair.send(1));
        assertEquals(List.of("1 SUCCESS"), pair.await(pair.recvCq, 1));
        assertNothingFound();
    }

    @Test
    void aReceiveOfASharedQueueOfUdQueuePairsIsReportedWhenPosted() {
        SharedReceiveQueue srq = pair.pd.createSharedReceiveQueue(SrqInitAttributes.of(8, 1));
        datagramQueuePair(srq);
        srq.postReceive(receive(1, GRH));
        assertNothingFound();
        srq.postReceive(receive(2, 8));
        assertFound(Kind.NO_ROOM_FOR_GRH, "wrId 2", "shared receive queue", "8 bytes");
    }

    private QueuePair datagramQueuePair(SharedReceiveQueue srq) {
        QueuePair shared = pair.pd
                .createQueuePair(QpInitAttributes.builder(QpType.UD).cq(pair.recvCq).srq(srq).build());
        shared.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(1).qkey(QKEY).build());
        shared.modify(QpAttributes.builder().state(QpState.RTR).build());
        return shared;
    }

    @Test
    void aReceiveOfASharedQueueOfRcAndUdQueuePairsIsReportedWhenADatagramUsesIt() {
        SharedReceiveQueue srq = pair.pd.createSharedReceiveQueue(SrqInitAttributes.of(8, 1));
        QueuePair connected = pair.pd
                .createQueuePair(QpInitAttributes.builder(QpType.RC).cq(pair.recvCq).srq(srq).build());
        QueuePair from = pair.pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(pair.sendCq).build());
        connected.connect(from.localInfo());
        from.connect(connected.localInfo());
        QueuePair shared = datagramQueuePair(srq);
        srq.postReceive(receive(1, 8));
        srq.postReceive(receive(2, 8));
        from.postSend(pair.send(1));
        assertEquals(List.of("1 SUCCESS"), pair.await(pair.recvCq, 1));
        assertNothingFound();
        send(2, shared);
        assertEquals(List.of("2 LOC_LEN_ERR"), pair.await(pair.recvCq, 1));
        assertFound(Kind.NO_ROOM_FOR_GRH, "wrId 2", "8 bytes", "UD queue pair");
    }
}
