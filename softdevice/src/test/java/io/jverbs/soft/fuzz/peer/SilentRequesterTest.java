package io.jverbs.soft.fuzz.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.MemoryRegion;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.soft.fuzz.FuzzedDevice;
import io.jverbs.soft.protocol.Timers;
import io.jverbs.soft.wire.WireOpcode;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Checks how many bytes of READ responses are sent, and how fast, to a peer from which no packets arrive: a requester
 * does not acknowledge READ responses.
 */
final class SilentRequesterTest {
    private static final int FIRST = ScriptedPeer.PSN;
    private static final int BYTES = 16 << 20;
    private static final int PACKETS = BYTES / ScriptedPeer.MTU;
    /** The initial and minimum limit of bytes that are sent immediately, including headers. */
    private static final long IMMEDIATE_BYTES = 5 << 18;
    /** The maximum limit of bytes that are sent immediately. */
    private static final long MAX_IMMEDIATE_BYTES = 5 << 20;
    /** The rate after that, 1 Gbit/s. */
    private static final long BYTES_PER_MILLI = 125_000;
    /** The permitted error: one portion of 64 KiB, and one millisecond of the clock. */
    private static final long SLACK = (64 << 10) + BYTES_PER_MILLI;
    private static final long MILLI = 1_000_000;
    private static final int RETRIES = 7;

    private ScriptedPeer peer;
    private MemoryRegion memory;

    @BeforeEach
    void connect() {
        peer = new ScriptedPeer(QpType.RC, 16);
        memory = peer.memory(BYTES, Access.LOCAL_WRITE | Access.REMOTE_READ);
    }

    @AfterEach
    void close() {
        peer.close();
    }

    private void read(QueuePair to, int psn, int bytes) {
        peer.packetWithAck(to, WireOpcode.READ_REQUEST, psn, 0).reth(memory.address(), memory.rkey(), bytes);
        peer.deliver(FuzzedDevice.PEER);
    }

    /** Returns the number of bytes that are sent without advancing the clock. */
    private long sentUntilIdle() {
        long before = peer.sentBytes();
        peer.pollUntilIdle();
        peer.sent();
        return peer.sentBytes() - before;
    }

    /** Advances the clock; returns the number of bytes that are sent meanwhile. */
    private long sentWithin(int millis) {
        long before = peer.sentBytes();
        // small steps, because each portion sets a timer for the next one
        for (int i = 0; i < 10 * millis; i++) {
            peer.advance(MILLI / 10);
            sentUntilIdle();
        }
        return peer.sentBytes() - before;
    }

    private static void assertAbout(long expected, long bytes) {
        assertTrue(bytes <= expected + SLACK, () -> bytes + " bytes were sent, expected about " + expected);
        // the limit includes Ethernet, IP and UDP headers, a large part of packets of this MTU
        assertTrue(bytes >= expected * 8 / 10 - SLACK, () -> bytes + " bytes were sent, expected about " + expected);
    }

    @Test
    void aResponseIsSentImmediatelyUpToALimitAndThenAtOneGigabitPerSecond() {
        read(peer.qp, FIRST, BYTES);
        assertAbout(IMMEDIATE_BYTES, sentUntilIdle());
        assertEquals(0, sentUntilIdle(), "bytes sent before the clock advances");
        for (int i = 0; i < 3; i++) {
            assertAbout(10 * BYTES_PER_MILLI, sentWithin(10));
        }
    }

    @Test
    void aSilentPeerGetsTheWholeResponse() {
        read(peer.qp, FIRST, BYTES);
        sentUntilIdle();
        sentWithin((int) (BYTES * 15L / 10 / BYTES_PER_MILLI));
        assertTrue(peer.sentBytes() > BYTES);
        assertEquals(0, sentWithin(10));
    }

    @Test
    void aNewRequestPermitsAsManyBytesAsTheLimitImmediately() {
        read(peer.qp, FIRST, BYTES);
        sentUntilIdle();
        read(peer.qp, FIRST + PACKETS, BYTES);
        assertTrue(sentUntilIdle() >= IMMEDIATE_BYTES);
    }

    @Test
    void theLimitDoublesUpToAMaximumWithNewReadsAndHalvesWithRepeatedReads() {
        int psn = FIRST;
        long immediate = 0;
        for (int i = 0; i < 8; i++) {
            read(peer.qp, psn, BYTES);
            immediate = sentUntilIdle();
            psn += PACKETS;
        }
        assertAbout(MAX_IMMEDIATE_BYTES, immediate);
        read(peer.qp, psn - PACKETS, BYTES);
        assertAbout(MAX_IMMEDIATE_BYTES / 2, sentUntilIdle());
        for (int i = 0; i < 8; i++) {
            peer.advance(MAX_IMMEDIATE_BYTES / 2 / BYTES_PER_MILLI * MILLI + MILLI);
            read(peer.qp, psn - PACKETS, BYTES);
            immediate = sentUntilIdle();
        }
        assertAbout(IMMEDIATE_BYTES, immediate);
    }

    /** Repeats the first READ; returns the number of bytes that are sent without advancing the clock. */
    private long sentToRepeatedRead() {
        long before = peer.sentBytes();
        read(peer.qp, FIRST, BYTES);
        sentUntilIdle();
        return peer.sentBytes() - before;
    }

    /** Catalogue L32. */
    @Test
    void aRepeatedReadIsRespondedToImmediatelyOnceAfterEachNewRequest() {
        read(peer.qp, FIRST, BYTES);
        sentUntilIdle();
        assertAbout(IMMEDIATE_BYTES, sentToRepeatedRead());
        assertEquals(0, sentToRepeatedRead());
        assertEquals(0, sentToRepeatedRead());
        read(peer.qp, FIRST + PACKETS, BYTES);
        sentUntilIdle();
        assertAbout(IMMEDIATE_BYTES, sentToRepeatedRead());
        assertEquals(0, sentToRepeatedRead());
    }

    /** Catalogue L32: a captured packet that is sent again and again does not make the device send at full speed. */
    @Test
    void aReplayedReadIsRespondedToAtTwiceTheRateAtMost() {
        read(peer.qp, FIRST, BYTES);
        sentUntilIdle();
        sentToRepeatedRead();
        int millis = 50;
        long most = 2 * millis * BYTES_PER_MILLI + SLACK;
        long bytes = 0;
        for (int i = 0; i < 10 * millis; i++) {
            peer.advance(MILLI / 10);
            bytes += sentToRepeatedRead();
        }
        long total = bytes;
        assertTrue(total <= most, () -> total + " bytes were sent, and " + most + " are allowed");
    }

    /** Catalogue F29, L32. */
    @Test
    void aReadRepeatedAfterAnAckTimeoutOf17MillisecondsIsRespondedToImmediatelyEachTime() {
        read(peer.qp, FIRST, BYTES);
        sentUntilIdle();
        for (int i = 0; i < RETRIES; i++) {
            peer.advance(Timers.Codes.ackNanos(12));
            assertAbout(IMMEDIATE_BYTES, sentToRepeatedRead());
        }
    }

    @Test
    void queuePairsWithTheSamePeerAddressShareTheRateEqually() {
        int count = 4;
        QueuePair[] all = new QueuePair[count];
        for (int i = 0; i < count; i++) {
            all[i] = peer.connect(QpType.RC, 1, FIRST, 1000 + i);
            read(all[i], FIRST, BYTES);
        }
        assertAbout(count * IMMEDIATE_BYTES, sentUntilIdle());
        peer.lastPsns().clear();
        assertAbout(40 * BYTES_PER_MILLI, sentWithin(40));
        List<Integer> psns = List.copyOf(peer.lastPsns().values());
        assertEquals(count, psns.size());
        int least = psns.stream().min(Integer::compare).orElseThrow();
        int most = psns.stream().max(Integer::compare).orElseThrow();
        assertTrue(most - least <= SLACK / ScriptedPeer.MTU, () -> "the last PSNs are " + psns);
    }
}
