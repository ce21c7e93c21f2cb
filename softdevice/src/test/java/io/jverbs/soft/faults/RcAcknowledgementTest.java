package io.jverbs.soft.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.QueuePair;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.soft.LoopbackAddress;
import io.jverbs.soft.faults.RawPeer.ConnectedDevice;
import io.jverbs.soft.faults.RawPeer.Packet;
import io.jverbs.soft.wire.Aeth;
import io.jverbs.soft.wire.WireOpcode;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the two sides of a reliable connection acknowledge packets that are duplicates or arrive too early. */
final class RcAcknowledgementTest {
    private static final String DEVICE = LoopbackAddress.next();
    private static final int PSN = 0xFF_FFFF;
    /** The maximum retry count. */
    private static final int RETRIES = 7;
    /** The code of an RNR timer of 0.64 ms. */
    private static final int RNR_TIMER = 12;
    /**
     * The code of an ACK timeout of 1.07 s. The peer is a thread of this test, which may wait for a processor; this
     * must not use up retries.
     */
    private static final int TIMEOUT = 18;

    private final WorkCompletions completions = WorkCompletions.create(2);
    private final ConnectedDevice device = new ConnectedDevice(DEVICE, PSN, TIMEOUT);
    private final CompletionQueue cq = device.cq;
    private final QueuePair qp = device.qp;
    private final MemoryRegion memory = device.memory;
    private final RawPeer peer = device.peer;

    RcAcknowledgementTest() throws IOException {}

    @AfterEach
    void close() throws IOException {
        device.close();
    }

    private void write(int psn) throws IOException {
        peer.write(psn, memory.address(), memory.rkey());
    }

    /** Sends a request that has a response other than an acknowledgement. */
    private void sendRequest(boolean atomic, int psn) throws IOException {
        if (atomic) {
            peer.add(psn, memory.address(), memory.rkey());
        } else {
            peer.read(psn, memory.address(), memory.rkey());
        }
    }

    private static int responseTo(boolean atomic) {
        return atomic ? WireOpcode.ATOMIC_ACKNOWLEDGE : WireOpcode.READ_RESPONSE_ONLY;
    }

    /**
     * Catalogue L32, L33. Linux rxe takes such an acknowledgement for the response, and completes the request without
     * the data.
     */
    @ParameterizedTest(name = "atomic: {0}")
    @ValueSource(booleans = {true, false})
    void aDuplicateWriteIsAcknowledgedWithoutTheReadOrAtomicAfterIt(boolean atomic) throws Exception {
        write(PSN);
        assertEquals(new Packet(WireOpcode.ACKNOWLEDGE, PSN), peer.next());
        sendRequest(atomic, 0);
        assertEquals(new Packet(responseTo(atomic), 0), peer.next());
        write(PSN);
        assertEquals(new Packet(WireOpcode.ACKNOWLEDGE, PSN), peer.next());
        write(1);
        assertEquals(new Packet(WireOpcode.ACKNOWLEDGE, 1), peer.next());
        write(PSN);
        assertEquals(new Packet(WireOpcode.ACKNOWLEDGE, 1), peer.next());
    }

    /** Catalogue L33. */
    @Test
    void noAcknowledgementHasThePsnOfAnAtomicThatArrivedWithAWrite() throws Exception {
        for (int psn = 0; psn < 300; psn += 3) {
            write(psn - 1 & PSN);
            sendRequest(true, psn);
            write(psn + 1);
            Packet response;
            do {
                response = peer.next();
                assertNotEquals(new Packet(WireOpcode.ACKNOWLEDGE, psn), response);
            } while (!response.equals(new Packet(WireOpcode.ACKNOWLEDGE, psn + 1)));
        }
    }

    private void awaitPacket(Packet packet) throws IOException {
        Packet next;
        do {
            next = peer.next();
        } while (!next.equals(packet));
    }

    /** Catalogue M21. */
    @Test
    void aSequenceNakAfterAnRnrNakUsesNoRetry() throws Exception {
        SendWorkRequest request = SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED).sge(memory,
                0, 8);
        qp.postSend(request);
        qp.postSend(request);
        for (int i = 0; i < 3 * RETRIES; i++) {
            awaitPacket(new Packet(WireOpcode.SEND_ONLY, 1));
            peer.acknowledge(0, Aeth.rnrNak(RNR_TIMER));
            peer.acknowledge(0, Aeth.NAK_PSN_SEQUENCE_ERROR);
        }
        peer.acknowledge(1, Aeth.ACK);
        awaitSuccess(2);
    }

    /** Catalogue L33: when an atomic is acknowledged and its response is missing, the requester repeats the atomic. */
    @Test
    void anAcknowledgementIsNotTheResponseToAnAtomic() throws Exception {
        SendWorkRequest request = SendWorkRequest.create(1).flags(SendFlags.SIGNALED).sge(memory, 0, Long.BYTES)
                .fetchAndAdd(0, 0, 1);
        qp.postSend(request);
        awaitPacket(new Packet(WireOpcode.FETCH_ADD, 0));
        peer.acknowledge(0, Aeth.ACK);
        awaitPacket(new Packet(WireOpcode.FETCH_ADD, 0));
        assertEquals(0, cq.poll(completions));
        peer.atomicResponse(0, 4711);
        awaitSuccess(1);
        assertEquals(4711, memory.segment().get(ValueLayout.JAVA_LONG, 0));
    }

    private void awaitSuccess(int count) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        for (int seen = 0; seen < count;) {
            int some = cq.poll(completions);
            for (int i = 0; i < some; i++) {
                assertEquals(WcStatus.SUCCESS, completions.status(i));
            }
            seen += some;
            assertTrue(System.nanoTime() < end, "completions are missing");
        }
    }
}
