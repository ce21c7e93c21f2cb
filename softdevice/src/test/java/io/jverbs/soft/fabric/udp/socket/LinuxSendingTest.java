package io.jverbs.soft.fabric.udp.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.soft.linux.Descriptors;
import io.jverbs.soft.linux.ForbiddenCalls;
import io.jverbs.soft.linux.Libc;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.wire.Aeth;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a Linux socket sends packets: in runs of one size, several runs with one call. */
final class LinuxSendingTest extends LinuxDatagramsPair {
    @Test
    void packetsOfOneSizeAreSentTogetherWithConsecutiveIds() throws IOException {
        for (int i = 0; i < 3; i++) {
            send(route, 256);
        }
        assertEquals(List.of(), all(0));
        datagrams.flush(out);

        assertEquals(List.of(new Arrived(256 + OVERHEAD, 0, 0), new Arrived(256 + OVERHEAD, 1, 1),
                new Arrived(256 + OVERHEAD, 2, 2)), all(3));
    }

    @Test
    void aShorterPacketEndsTheRun() throws IOException {
        send(route, 2000);
        send(route, 100);
        send(route, 100);
        assertEquals(List.of(), all(0));
        datagrams.flush(out);

        assertEquals(List.of(new Arrived(2000 + OVERHEAD, 0, 0), new Arrived(100 + OVERHEAD, 1, 1),
                new Arrived(100 + OVERHEAD, 0, 2)), all(3));
    }

    /** For instance, a short message and an acknowledgement. */
    @Test
    void twoShortPacketsOfDifferentSizesFormNoRun() throws IOException {
        send(route, 256);
        send(route, 8);
        assertEquals(List.of(), all(0));
        datagrams.flush(out);

        assertEquals(List.of(new Arrived(256 + OVERHEAD, 0, 0), new Arrived(8 + OVERHEAD, 0, 1)), all(2));
    }

    @Test
    void aLongerPacketStartsAnotherRun() throws IOException {
        send(route, 100);
        send(route, 256);
        send(route, 256);
        assertEquals(List.of(), all(0));
        datagrams.flush(out);

        assertEquals(List.of(new Arrived(100 + OVERHEAD, 0, 0), new Arrived(256 + OVERHEAD, 0, 1),
                new Arrived(256 + OVERHEAD, 1, 2)), all(3));
    }

    @Test
    void aPacketToAnotherPeerStartsAnotherRun() throws IOException {
        Route other = new Route(OWN, PEER, datagrams.address(address(PEER)), null);
        send(route, 100);
        send(other, 100);
        send(other, 100);
        send(route, 100);
        assertEquals(List.of(), all(0));
        datagrams.flush(out);

        assertEquals(List.of(new Arrived(100 + OVERHEAD, 0, 0), new Arrived(100 + OVERHEAD, 0, 1),
                new Arrived(100 + OVERHEAD, 1, 2), new Arrived(100 + OVERHEAD, 0, 3)), all(4));
    }

    /** The system refuses one of several runs in one call: the first, the middle or the last one. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aRefusedRunDoesNotAffectTheOthers(int refused) throws IOException {
        Route nowhere = new Route(OWN, PEER, datagrams.address(new InetSocketAddress(PEER.toInetAddress(), 0)), null);
        List<Arrived> expected = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            send(i == refused ? nowhere : route, 3000 - 4 * i);
            if (i != refused) {
                int id = i == 2 && refused == 0 || i == 1 && refused == 2 ? 1 : 0;
                expected.add(new Arrived(3000 - 4 * i + OVERHEAD, id, i));
            }
        }

        assertThrows(SocketException.class, () -> datagrams.flush(out));
        assertEquals(expected, all(2));
        send(route, 256);
        datagrams.flush(out);
        assertEquals(List.of(new Arrived(256 + OVERHEAD, 0, 3)), all(1));
    }

    /** A thread of its own sends, because the call stays forbidden for the thread that forbids it. */
    @Test
    void withoutSendmmsgEachRunIsSentWithItsOwnCall() throws Exception {
        int[] payloads = {100, 256, 256, 300};
        FutureTask<Void> sending = new FutureTask<>(() -> {
            ForbiddenCalls.forbid("sendmmsg");
            assertEquals(-Errno.EPERM.code(), Libc.sendmmsg(Libc.state(), -1, MemorySegment.NULL, 0));
            for (int payload : payloads) {
                send(route, payload);
            }
            datagrams.flush(out);
            return null;
        });
        Thread.ofPlatform().start(sending);
        sending.get(SECONDS, TimeUnit.SECONDS);

        assertEquals(List.of(new Arrived(100 + OVERHEAD, 0, 0), new Arrived(256 + OVERHEAD, 0, 1),
                new Arrived(256 + OVERHEAD, 1, 2), new Arrived(300 + OVERHEAD, 0, 3)), all(payloads.length));
    }

    @Test
    void packetsOfRunsThatCannotBeSegmentedAreSentOneByOne() throws IOException {
        Descriptors.withoutChecksums(socket);
        int[] payloads = {100, 256, 256, 300};
        List<Arrived> expected = new ArrayList<>();
        for (int i = 0; i < payloads.length; i++) {
            send(route, payloads[i]);
            expected.add(new Arrived(payloads[i] + OVERHEAD, 0, i));
        }
        datagrams.flush(out);

        assertEquals(expected, all(payloads.length));
    }

    @Test
    void eachPacketOfARefusedRunIsTriedAndItsFailureIsReported() throws IOException {
        Route nowhere = new Route(OWN, PEER, datagrams.address(new InetSocketAddress(PEER.toInetAddress(), 0)), null);
        for (int i = 0; i < 3; i++) {
            send(nowhere, 256);
        }

        assertEquals(2, assertThrows(SocketException.class, () -> datagrams.flush(out)).getSuppressed().length);
        datagrams.flush(out);
    }

    /** 64 packets for as many peers, and one more. */
    @Test
    void aCallSendsAtMostAsManyRunsAsABatchHolds() throws IOException {
        int max = datagrams.maxBatch(OVERHEAD);
        for (int i = 0; i < max + 1; i++) {
            send(new Route(OWN, PEER, datagrams.address(address(PEER)), null), 4);
        }
        assertEquals(max, all(max).size());
        datagrams.flush(out);

        assertEquals(List.of(new Arrived(4 + OVERHEAD, 0, max)), all(1));
    }

    /** A run has at most 64 packets and 65,507 bytes. */
    @ParameterizedTest
    @ValueSource(ints = {64, 1024, 4096})
    void aPacketThatDoesNotFitTheRunStartsAnotherRun(int payload) throws IOException {
        int max = datagrams.maxBatch(payload + OVERHEAD);
        for (int i = 0; i < max + 1; i++) {
            send(route, payload);
        }
        datagrams.flush(out);

        List<Arrived> arrived = all(max + 1);
        for (int i = 0; i <= max; i++) {
            assertEquals(new Arrived(payload + OVERHEAD, i % max, i), arrived.get(i));
        }
    }

    @Test
    void withoutSegmentationAllPacketsAreSentOneByOne() throws IOException {
        Descriptors.withoutChecksums(socket);
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 3; i++) {
                send(route, 256);
            }
            datagrams.flush(out);

            List<Arrived> arrived = all(3);
            for (int i = 0; i < 3; i++) {
                assertEquals(new Arrived(256 + OVERHEAD, 0, 3 * round + i), arrived.get(i));
            }
        }
    }

    @Test
    void anAcknowledgementIsSentWithPacketsThatAreSentAnyway() throws IOException {
        int acknowledgement = OVERHEAD + Aeth.BYTES;
        assertFalse(out.hasRoomInBatch(acknowledgement));
        send(route, 2000);
        assertTrue(out.isBegun());
        send(route, 0);
        // a shorter packet has ended the run, and an acknowledgement is longer than that packet
        assertFalse(out.isBegun());
        assertTrue(out.hasRoomInBatch(acknowledgement));
        send(route, 4);
        datagrams.flush(out);
        assertFalse(out.hasRoomInBatch(acknowledgement));
        assertEquals(List.of(new Arrived(2000 + OVERHEAD, 0, 0), new Arrived(OVERHEAD, 1, 1),
                new Arrived(4 + OVERHEAD, 0, 2)), all(3));
    }

    /**
     * Another packet like the latest would fit in the batch, but the next packet is longer. The batch is sent first,
     * whether or not the system refuses one of its runs.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPacketThatDoesNotFitTheBatchIsSentAfterIt(boolean refused) throws IOException {
        Route nowhere = new Route(OWN, PEER, datagrams.address(new InetSocketAddress(PEER.toInetAddress(), 0)), null);
        List<Integer> payloads = new ArrayList<>(Collections.nCopies(14, 4096));
        payloads.addAll(List.of(3000, 1000));
        for (int payload : payloads) {
            send(refused && payload == 1000 ? nowhere : route, payload);
        }
        assertEquals(List.of(), all(0));
        if (refused) {
            assertThrows(SocketException.class, () -> send(route, 4096));
            payloads.removeLast();
        } else {
            send(route, 4096);
        }
        List<Arrived> before = all(payloads.size());
        datagrams.flush(out);

        assertEquals(payloads, before.stream().map(each -> each.length() - OVERHEAD).toList());
        assertEquals(List.of(new Arrived(4096 + OVERHEAD, 0, 16)), all(1));
    }
}
