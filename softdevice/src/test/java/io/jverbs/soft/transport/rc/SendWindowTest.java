package io.jverbs.soft.transport.rc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.WrOpcode;
import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.transport.PolledSendRing;
import io.jverbs.soft.transport.SendRing;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Which packet is sent next, and which are in flight. The requests are named by their kind and their number of packets:
 * S a SEND, R a READ, whose number is that of its response packets, A an atomic. Two response packets are requested by
 * one request packet. PSNs count from the first one. A scenario is a sequence of steps:
 *
 * <pre>
 * s     the next packet is sent            s3    three packets are sent
 * a5    the PSNs before 5 are acknowledged; requests that end before it are completed
 * p     another response packet of the oldest READ or atomic arrives; the request is completed by the last one
 * g5    goes back to PSN 5                 f     the oldest request fails
 * </pre>
 */
final class SendWindowTest {
    private static final int SLOTS = 8;
    private static final int PER_REQUEST = 2;

    private final PolledSendRing sends = new PolledSendRing(SLOTS);
    private final SendRing ring = sends.ring();
    private final SendWindow window = new SendWindow(ring);
    private int firstPsn;
    private String[] requests;
    /** The number of response packets of the oldest READ or atomic that have arrived. */
    private int arrived;

    private void post(String list, int psn) {
        firstPsn = psn;
        requests = list.split(" ");
        window.clear();
        window.packetsPerReadRequest(PER_REQUEST);
        window.nextPsn(psn);
        for (String request : requests) {
            WrOpcode opcode = switch (request.charAt(0)) {
                case 'S' -> WrOpcode.SEND;
                case 'R' -> WrOpcode.RDMA_READ;
                default -> WrOpcode.ATOMIC_FETCH_AND_ADD;
            };
            assertEquals(0, sends.append(opcode));
        }
    }

    private int psn(int count) {
        return Psns.add(firstPsn, count);
    }

    private int count(int psn) {
        return Psns.difference(psn, firstPsn);
    }

    private static int opcode(String request) {
        return switch (request.charAt(0)) {
            case 'S' -> WrOpcodeCode.SEND;
            case 'R' -> WrOpcodeCode.RDMA_READ;
            default -> WrOpcodeCode.FETCH_AND_ADD;
        };
    }

    private void send() {
        String request = requests[(int) window.next()];
        window.start(Integer.parseInt(request.substring(1)), opcode(request));
        switch (request.charAt(0)) {
            case 'S' -> window.packetSent();
            case 'R' -> window.readRequestSent();
            default -> window.atomicSent();
        }
    }

    private void complete() {
        window.completed(ring.first());
        sends.finish();
        arrived = 0;
    }

    private void respond() {
        long oldest = ring.first();
        window.responseArrived(oldest, ++arrived);
        int psn = Psns.add(window.firstPsn(oldest), arrived);
        if (arrived == window.packets(oldest)) {
            complete();
        }
        window.acknowledge(psn);
    }

    private void run(String scenario) {
        for (String step : scenario.isEmpty() ? new String[0] : scenario.split(" ")) {
            int number = step.length() == 1 ? 1 : Integer.parseInt(step.substring(1));
            switch (step.charAt(0)) {
                case 's' -> {
                    for (int i = 0; i < number; i++) {
                        send();
                    }
                }
                case 'a' -> {
                    while (window.isOldestBefore(psn(number))) {
                        complete();
                    }
                    window.acknowledge(psn(number));
                }
                case 'p' -> respond();
                case 'g' -> window.goBackTo(psn(number));
                default -> {
                    complete();
                    window.failed();
                }
            }
        }
    }

    /**
     * L30, L33. The columns are the requests, the scenario, the current request and how many of its packets were sent,
     * the PSN of the next packet, the packets in flight, the READ and atomic request packets and the response packets
     * that are outstanding, and the oldest PSN that is not acknowledged.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            S1,       '',             0.0, 0, 0, 0, 0, 0
            S1,       s,              1.0, 1, 1, 0, 0, 0
            S3,       s,              0.1, 1, 1, 0, 0, 0
            S3,       s2,             0.2, 2, 2, 0, 0, 0
            S3,       s3,             1.0, 3, 3, 0, 0, 0
            S3 S1,    s4,             2.0, 4, 4, 0, 0, 0
            S3 S1,    s4 a2,          2.0, 4, 2, 0, 0, 2
            S3 S1,    s4 a3,          2.0, 4, 1, 0, 0, 3
            S3 S1,    s4 a4,          2.0, 4, 0, 0, 0, 4
            S3 S1,    s4 a3 a2,       2.0, 4, 1, 0, 0, 3
            S3,       s2 a1,          0.2, 2, 1, 0, 0, 1
            S3 S2,    s5 g0,          0.0, 0, 0, 0, 0, 0
            S3 S2,    s5 g1,          0.1, 1, 1, 0, 0, 0
            S3 S2,    s5 a1 g1,       0.1, 1, 0, 0, 0, 1
            S3 S2,    s5 g3,          1.0, 3, 3, 0, 0, 0
            S3 S2,    s5 g4,          1.1, 4, 4, 0, 0, 0
            S3 S2,    s5 a4 g4,       1.1, 4, 0, 0, 0, 4
            S3 S2,    s5 g1 s2,       1.0, 3, 3, 0, 0, 0
            S3 S2,    s5 g1 a3,       1.0, 3, 0, 0, 0, 3
            S3 S2,    s5 g1 a4,       1.1, 4, 0, 0, 0, 4
            S3 S2,    s5 g1 a5,       2.0, 5, 0, 0, 0, 5
            S3 S2,    s5 g1 a2,       0.2, 2, 0, 0, 0, 2
            S3 S2,    s4 g0 a4,       1.1, 4, 0, 0, 0, 4
            A1,       s,              1.0, 1, 1, 1, 1, 0
            A1,       s p,            1.0, 1, 0, 0, 0, 1
            A1 A1,    s2,             2.0, 2, 2, 2, 2, 0
            A1 A1,    s2 p,           2.0, 2, 1, 1, 1, 1
            A1 A1,    s2 p g1,        1.0, 1, 0, 0, 0, 1
            A1 A1,    s2 p g1 s,      2.0, 2, 1, 1, 1, 1
            R1,       s,              1.0, 1, 1, 1, 1, 0
            R2,       s,              1.0, 2, 2, 1, 2, 0
            R3,       s,              0.2, 2, 2, 1, 2, 0
            R3,       s2,             1.0, 3, 3, 2, 3, 0
            R5,       s2,             0.4, 4, 4, 2, 4, 0
            R5,       s3,             1.0, 5, 5, 3, 5, 0
            R5,       s3 p,           1.0, 5, 4, 3, 4, 1
            R5,       s3 p p,         1.0, 5, 3, 2, 3, 2
            R5,       s3 p p p p,     1.0, 5, 1, 1, 1, 4
            R5,       s3 p p p p p,   1.0, 5, 0, 0, 0, 5
            R5,       s3 p g1,        0.1, 1, 0, 0, 0, 1
            R5,       s3 p g1 s,      0.2, 2, 1, 1, 1, 1
            R5,       s3 p g1 s2,     0.4, 4, 3, 2, 3, 1
            R5,       s3 p g1 s p,    0.2, 2, 0, 0, 0, 2
            R5,       s3 p p p g3 p,  0.4, 4, 0, 0, 0, 4
            R5 S1,    s4,             2.0, 6, 6, 3, 5, 0
            R5 S1,    s4 p p,         2.0, 6, 4, 2, 3, 2
            S1 R2 S1, s3,             3.0, 4, 4, 1, 2, 0
            S1 R2 S1, s3 a1,          3.0, 4, 3, 1, 2, 1
            S1 R2 S1, s3 a1 p p,      3.0, 4, 1, 0, 0, 3
            S1 R2 S1, s3 a1 p p a4,   3.0, 4, 0, 0, 0, 4
            S1 R2 S1, s3 a1 g1,       1.0, 1, 0, 0, 0, 1
            S1 R2 S1, s3 a1 g1 s,     2.0, 3, 2, 1, 2, 1
            S3 S2,    s4 f,           1.1, 4, 0, 0, 0, 4
            """)
    void eachStepMovesTheWindow(String list, String scenario, String current, int nextPsn, int inFlight, int reads,
            int responses, int unacknowledged) {
        for (int psn : new int[] {0, 1, Psns.MASK - 1, Psns.MASK}) {
            SendWindowTest fresh = new SendWindowTest();
            fresh.post(list, psn);
            fresh.run(scenario);
            SendWindow after = fresh.window;
            assertEquals(current, after.next() + "." + after.sent());
            assertEquals(nextPsn, fresh.count(after.psn()), "PSN of the next packet");
            assertEquals(inFlight, after.inFlight(), "packets in flight");
            assertEquals(reads, after.outstandingReads(), "request packets outstanding");
            assertEquals(responses, after.outstandingResponses(), "response packets outstanding");
            assertEquals(unacknowledged, fresh.count(after.unacknowledged()), "oldest PSN not acknowledged");
        }
    }

    /** The columns are the requests, the scenario, and the first PSN that was not sent or requested. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            S3,    '',          0
            S3,    s,           1
            S3 S2, s4,          4
            S3 S2, s4 g0,       4
            S3 S2, s4 g0 s2,    4
            S3 S2, s4 g0 s5,    5
            S3 S2, s4 g1 a3 s2, 5
            R5,    s,           2
            R5,    s3,          5
            R5,    s2 g0 s,     4
            A1 A1, s,           1
            """)
    void theEndOfWhatWasSentIsKeptWhenItIsSentAgain(String list, String scenario, int end) {
        for (int psn : new int[] {0, Psns.MASK - 1}) {
            SendWindowTest fresh = new SendWindowTest();
            fresh.post(list, psn);
            fresh.run(scenario);
            assertEquals(end, fresh.count(fresh.window.sentEnd()));
        }
    }

    /** L37: the columns are the scenario, a PSN, and whether it may be that of a packet in flight and of the oldest. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            '',       0,  false, false
            s3,       -1, false, false
            s3,       0,  true,  true
            s3,       2,  true,  true
            s3,       3,  false, false
            s4,       3,  true,  false
            s5 a1,    0,  false, true
            s5 a1,    1,  true,  true
            s5 a3,    2,  false, false
            s5 a3,    3,  true,  true
            s5 a3 g3, 4,  true,  true
            s5 g0,    4,  true,  false
            s5 a5,    4,  false, false
            """)
    void aPsnIsInFlightIfItWasSentAndIsNotAcknowledged(String scenario, int psn, boolean inFlight, boolean ofOldest) {
        for (int first : new int[] {0, Psns.MASK - 2}) {
            SendWindowTest fresh = new SendWindowTest();
            fresh.post("S3 S2", first);
            fresh.run(scenario);
            assertEquals(inFlight, fresh.window.isInFlight(fresh.psn(psn)));
            assertEquals(ofOldest, fresh.window.isOfOldest(fresh.psn(psn)));
        }
    }

    /** The columns are the requests, the scenario, and the position of the READ or atomic whose response is next. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            S1,       s,        -1
            R2,       '',       -1
            R2,       s,        0
            A1,       s,        0
            S1 R2,    s,        -1
            S1 R2,    s2,       1
            S1 R2,    s2 a1,    1
            S1 R2,    s2 a1 p,  1
            S1 R2 A1, s3,       1
            R2 A1,    s2 p p,   1
            R2 A1,    s2 p p p, -1
            """)
    void theOldestReadIsTheOneWhoseResponseIsExpected(String list, String scenario, long position) {
        post(list, 7);
        run(scenario);
        assertEquals(position, window.oldestRead());
        assertEquals(position >= 0 && position == ring.first(), window.isOldestRead());
    }

    /** The columns are the number of response packets that have arrived of 5, and whether they end a request packet. */
    @ParameterizedTest
    @CsvSource({"1, false", "2, true", "3, false", "4, true", "5, true"})
    void aRequestPacketOfAReadEndsAfterTwoResponsesOrWithTheRead(int count, boolean ends) {
        post("R5", 0);
        run("s3");
        assertEquals(ends, window.endsReadRequest(0, count));
    }

    private String covered() {
        StringBuilder letters = new StringBuilder();
        while (window.next() < requests.length) {
            long position = window.next();
            String request = requests[(int) position];
            letters.append(window.isBeyondCredits(opcode(request)) ? '.' : request.charAt(0));
            while (window.next() == position) {
                send();
            }
        }
        return letters.toString();
    }

    /**
     * L43: the columns are the requests, the scenario, the MSN and the credits of an ACK, and the requests that the
     * credits cover, from the oldest one that is not acknowledged; a dot is one that they do not. A READ of 5 packets
     * is 3 messages.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            S1 S1 S1,       '',     0, 2, SS.
            S1 S1 S1,       s,      1, 1, SS.
            S1 S1 S1,       s3,     1, 1, SS.
            S1 S1 S1,       s3 a1,  1, 0, ..
            S1 S1 S1,       s3 a1,  2, 0, S.
            S1 A1 S1 S1,    s2,     2, 0, SA..
            S1 S1 A1,       s,      1, 0, S..
            S1 R5 S1 S1,    s,      1, 1, SRS.
            S1 R5 S1 S1,    s4,     1, 1, SRS.
            S1 R5 S1 S1,    s4,     3, 1, SRS.
            S1 R5 S1 S1,    s4,     4, 1, SRS.
            S1 R5 S1 S1,    s5,     5, 1, SRSS
            R5 S1 R5 S1,    s4,     4, 0, RSR.
            """)
    void creditsCountFromTheMessageOfTheMsn(String list, String scenario, int msn, int credits, String covered) {
        post(list, Psns.MASK - 1);
        run(scenario);
        assertTrue(window.isPlausible(msn));
        assertFalse(window.addCredits(msn, credits));
        window.goBackTo(window.unacknowledged());
        assertEquals(covered, covered());
    }

    /** L43: the columns are the requests, the scenario, an MSN, and whether it can be that of an ACK. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            S1 S1,    s2,    0,        true
            S1 S1,    s2,    2,        true
            S1 S1,    s2,    3,        false
            S1 S1,    s2,    16777215, false
            S1 S1,    s2 a1, 0,        false
            S1 R5 S1, s4,    4,        true
            S1 R5 S1, s4,    5,        false
            S1 R5 S1, s5,    5,        true
            """)
    void anMsnCountsTheMessagesThatWereStarted(String list, String scenario, int msn, boolean isPlausible) {
        post(list, 7);
        run(scenario);
        assertEquals(isPlausible, window.isPlausible(msn));
    }

    /** L34, L43: an MSN has 24 bits. The requests before those in flight are 2^24 - 1 messages. */
    @Test
    void theMsnWrapsAround() {
        post("S1", 7);
        window.start(1, WrOpcodeCode.SEND);
        complete();
        for (int i = 1; i <= 8; i++) {
            assertEquals(0, sends.append(WrOpcode.RDMA_READ));
            window.start(PER_REQUEST * (1 << 21) - (i == 8 ? 2 * PER_REQUEST : 0), WrOpcodeCode.RDMA_READ);
            complete();
        }
        for (int i = 0; i < 3; i++) {
            assertEquals(0, sends.append(WrOpcode.SEND));
        }
        assertTrue(window.isPlausible(Psns.MASK));
        assertFalse(window.isPlausible(0));
        for (int i = 0; i < 2; i++) {
            window.start(1, WrOpcodeCode.SEND);
            window.packetSent();
        }
        assertTrue(window.isPlausible(0) && window.isPlausible(1));
        assertFalse(window.isPlausible(2) || window.isPlausible(Psns.MASK - 1));
        assertFalse(window.addCredits(0, 1));
        assertTrue(window.isBeyondCredits(WrOpcodeCode.SEND));
        assertTrue(window.addCredits(1, 1));
        assertFalse(window.isBeyondCredits(WrOpcodeCode.SEND));
    }

    /** The window goes on through the slots of the ring, however often it wraps around. */
    @Test
    void theWindowFollowsTheRing() {
        post("S2", Psns.MASK - 20);
        for (int request = 1; request < 5 * SLOTS; request++) {
            assertEquals(0, sends.append(WrOpcode.SEND));
            assertTrue(window.hasNext() && !window.isStarted() && window.isOldest());
            window.start(2, WrOpcodeCode.SEND);
            assertTrue(window.isStarted() && window.isBusy());
            window.packetSent();
            window.packetSent();
            assertEquals(2, window.inFlight());
            assertEquals(2, window.acknowledge(psn(2 * request)));
            assertTrue(window.isOldestBefore(psn(2 * request)));
            complete();
            assertEquals(psn(2 * request), window.nextPsn());
            assertEquals(request, window.next());
        }
    }
}
