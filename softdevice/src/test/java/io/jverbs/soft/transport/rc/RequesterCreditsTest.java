package io.jverbs.soft.transport.rc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.soft.memory.SoftMr;
import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.protocol.Timers;
import io.jverbs.soft.transport.BareDevice;
import io.jverbs.soft.transport.BareQueuePair;
import io.jverbs.soft.transport.IncomingPacket;
import io.jverbs.soft.wire.Aeth;
import io.jverbs.soft.wire.PacketEncoder;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.WireOpcode;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Which requests the requester of a reliable connection sends when its peer states credits. PSNs count from the first
 * one, MSNs from 0. A scenario is a sequence of steps:
 *
 * <pre>
 * S  a SEND of one packet is posted     L  of three packets        I  a WRITE with immediate data, of three packets
 * W  a WRITE of one packet              B  a request that is executed locally: the invalidation of a key
 * D  a READ of one packet               A  an atomic
 * a2/3/4  an ACK with PSN 2, MSN 3 and 4 credits; without the last number it states none
 * d2/3/4  as a, the response to a READ  f2/3/4  as a, the response to an atomic
 * n2      an RNR NAK with PSN 2         ~  the time of the RNR NAK passes
 * +64     64 us pass                    T  the ACK timeout passes
 * Q  the queue pair moves to SQD        R  it returns to RTS       Z  RESET, and the connection is made again
 * </pre>
 */
final class RequesterCreditsTest {
    private static final int QPN = 5;
    private static final int MTU = 256;
    private static final int RNR_TIMER = 1;
    private static final int TIMEOUT = 18;

    private final IncomingPacket packet = new IncomingPacket(QPN);
    private final List<String> sent = new ArrayList<>();
    private BareDevice device;
    private BareQueuePair pair;
    private MemorySegment memory;
    private SoftMr region;
    private int firstPsn;
    private int timeout = TIMEOUT;

    private void create(int psn) {
        firstPsn = psn;
        sent.clear();
        device = BareDevice.withWire();
        pair = device.create(QpType.RC, QPN);
        pair.qp.settings().pathMtu = MTU;
        pair.qp.settings().maxRdAtomic = 4;
        pair.qp.settings().retryCount = 3;
        pair.qp.settings().rnrRetry = 7;
        pair.qp.settings().timeout = timeout;
        pair.connect(BareDevice.PEER, 9, psn, 0);
        memory = BareDevice.memory(16 * MTU);
        region = device.register(memory, Access.LOCAL_WRITE);
    }

    private void post(WrOpcode opcode, int packets) {
        pair.post(SendWorkRequest.create(1).opcode(opcode).sge(0, memory.address(), packets * MTU, region.lkey())
                .remote(0, 1));
    }

    private void receive(int psn, int syndrome, int msn) {
        packet.begin(WireOpcode.ACKNOWLEDGE, 0, Psns.add(firstPsn, psn), 0).aeth(syndrome, msn & Psns.MASK);
        pair.receive(packet.decoded());
    }

    private void acknowledge(String numbers) {
        respond(WireOpcode.ACKNOWLEDGE, 0, numbers);
    }

    /** Lets a response arrive, whose PSN, MSN and credits are given. */
    private void respond(int opcode, int payload, String numbers) {
        String[] parts = numbers.split("/");
        int credits = parts.length == 2 ? Aeth.NO_CREDITS : Integer.parseInt(parts[2]);
        PacketEncoder response = packet.begin(opcode, 0, Psns.add(firstPsn, Integer.parseInt(parts[0])), payload)
                .aeth(Aeth.ack(credits), Integer.parseInt(parts[1]) & Psns.MASK);
        if (opcode == WireOpcode.ATOMIC_ACKNOWLEDGE) {
            response.atomicAckEth(0);
        }
        pair.receive(packet.decoded());
    }

    private void takeSent() {
        for (PacketView view : device.wire.takeSent()) {
            boolean requestsAck = view.ackRequest();
            sent.add(Psns.difference(view.psn(), firstPsn) + (requestsAck ? "" : "-"));
        }
    }

    private void run(String scenario) {
        for (String step : scenario.split(" ")) {
            String rest = step.substring(1);
            switch (step.charAt(0)) {
                case 'S' -> post(WrOpcode.SEND, 1);
                case 'L' -> post(WrOpcode.SEND, 3);
                case 'I' -> post(WrOpcode.RDMA_WRITE_WITH_IMM, 3);
                case 'W' -> post(WrOpcode.RDMA_WRITE, 1);
                case 'D' -> post(WrOpcode.RDMA_READ, 1);
                case 'A' -> pair.post(SendWorkRequest.create(1).opcode(WrOpcode.ATOMIC_FETCH_AND_ADD)
                        .sge(0, memory.address(), Long.BYTES, region.lkey()).remote(0, 1));
                case 'B' -> pair.post(SendWorkRequest.create(1).opcode(WrOpcode.LOCAL_INV).invalidateRkey(0));
                case 'a' -> acknowledge(rest);
                case 'd' -> respond(WireOpcode.READ_RESPONSE_ONLY, MTU, rest);
                case 'f' -> respond(WireOpcode.ATOMIC_ACKNOWLEDGE, 0, rest);
                case 'n' -> receive(Integer.parseInt(rest), Aeth.rnrNak(RNR_TIMER), 0);
                case '~' -> device.timers.advance(Timers.Codes.rnrNanos(RNR_TIMER));
                case '+' -> device.timers.advance(Long.parseLong(rest) * 1000);
                case 'T' -> device.timers.advance(Timers.Codes.ackNanos(TIMEOUT));
                case 'Q' -> pair.state(QpState.SQD);
                case 'R' -> {
                    pair.state(QpState.RTS);
                    pair.qp.requester().resume();
                }
                default -> {
                    pair.reset();
                    pair.connect(BareDevice.PEER, 9, firstPsn, 0);
                }
            }
            device.deferred.run();
            takeSent();
            sent.add(";");
        }
    }

    /** Returns the PSNs that each step has sent; a minus marks a packet that requests no acknowledgement. */
    private String sent() {
        return sent.stream().collect(Collectors.joining(" ")).replace(" ;", ";").replaceAll(";$", "").strip();
    }

    private void check(String scenario, String packets, String counters) {
        for (int psn : new int[] {7, Psns.MASK - 1}) {
            create(psn);
            run(scenario);
            assertEquals(packets, sent());
            assertEquals(counters == null ? "" : counters, pair.counters());
        }
    }

    /** L42, L43: the columns are the scenario, the PSNs that each step sends, and the counters. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            S S S                            | 0; 1; 2                 | -
            S a0/1 S S                       | 0;; 1; 2                | -
            S a0/1/2 S S                     | 0;; 1; 2                | -
            S a0/1/2 S S S S                 | 0;; 1; 2; 3;            | CREDIT_WAIT
            S a0/1/2 S S S S a1/2/1          | 0;; 1; 2; 3;;           | CREDIT_WAIT
            S a0/1/2 S S S S a1/2/3          | 0;; 1; 2; 3;; 4         | CREDIT_WAIT
            S a0/1/2 S S S S a3/4/0          | 0;; 1; 2; 3;; 4         | CREDIT_WAIT
            S a0/1/2 S S S S a1/2            | 0;; 1; 2; 3;; 4         | CREDIT_WAIT
            S S S a0/1/0 S                   | 0; 1; 2;;               | CREDIT_WAIT
            S S S a0/1/0 S a2/3/1            | 0; 1; 2;;; 3            | CREDIT_WAIT
            S a0/1/0 W W W                   | 0;; 1; 2; 3             | -
            S a0/1/0 W W S S                 | 0;; 1; 2; 3;            | CREDIT_WAIT
            S a0/1/0 S W                     | 0;; 1;                  | CREDIT_WAIT
            S a0/1/1 W S S                   | 0;; 1; 2; 3             | -
            S a0/1/1 S W W S a1/2/2 S        | 0;; 1; 2; 3; 4;; 5      | -
            W W a0/1/0 W                     | 0; 1;; 2                | -
            S a0/1/0 W B S S                 | 0;; 1;;;                | -
            S a0/1/1 Z S S S                 | 0;;; 0; 1; 2            | -
            """)
    void aRequestThatTakesAReceiveIsSentWithinTheCreditsAndOneBeyondThem(String scenario, String packets,
            String counters) {
        check(scenario, packets, counters);
    }

    /**
     * F23, L43: the columns are as above. After an RNR NAK a probe waits for 64 us, less an eighth for each that is
     * accepted; after the peer has reported a receive request, for 20 ms.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            S a0/1/0 L n1 ~ a1/1/0                       | 0;; 1;; 1; 2- 3         | RECEIVED_RNR CREDIT_WAIT
            S a0/1/0 I a1/1/0 n3 ~ a3/2/0                | 0;; 1; 2- 3;; 3;        | RECEIVED_RNR CREDIT_WAIT
            S a0/1/0 S n1 ~ a1/2/0 S Z +99 S             | 0;; 1;; 1;;;;; 0        | RECEIVED_RNR CREDIT_WAIT
            S a0/1/0 S n1 a1/9/0 ~ S +63 +2 | 0;; 1;;;;;; 2 | RECEIVED_RNR CREDIT_WAIT INVALID_MSN
            S a0/1/0 S n1 ~ a1/2/0 S +55 +2              | 0;; 1;; 1;;;; 2         | RECEIVED_RNR CREDIT_WAIT
            S a0/1/0 S n1 a0/1/1 ~ a1/2/0 S +9999 a1/2/1 | 0;; 1;;; 1;;;; 2        | RECEIVED_RNR CREDIT_WAIT
            S a0/1/0 S n1 a0/1/1 ~ a1/2/0 S +19999 +2    | 0;; 1;;; 1;;;; 2        | RECEIVED_RNR CREDIT_WAIT
            S a0/1/0 S n1 ~ a1/2/0 S +99 n2 ~ n2 ~       | 0;; 1;; 1;;; 2;; 2;; 2  | RECEIVED_RNR*3 CREDIT_WAIT
            S a0/1/0 S n1 a0/1/1 ~ a1/2/0 D S d2/3/1 n3 a1/3/1 ~ | 0;; 1;;; 1;; 2;; 3;;; 3 | RECEIVED_RNR*2 CREDIT_WAIT
            S a0/1/0 L a1/1/1                            | 0;; 1; 2- 3             | CREDIT_WAIT
            S a0/1/0 L a1/1/0                            | 0;; 1; 2- 3             | CREDIT_WAIT
            S a0/1/0 I a1/1/0                            | 0;; 1; 2- 3             | CREDIT_WAIT
            S a0/1/1 L L                                 | 0;; 1- 2- 3; 4          | CREDIT_WAIT
            S a0/1/0 S T                                 | 0;; 1; 1 1 1 1 1 1 1 1  | \
            ACK_TIMEOUT ADAPTIVE_RETRANSMISSION*7 RETRANSMISSION*8
            S a0/1/0 S n1 ~ a1/2/0 S Q +99 R             | 0;; 1;; 1;;;;; 2        | RECEIVED_RNR CREDIT_WAIT
            S a0/1/2 S S W n1 a0/1/1 ~                   | 0;; 1; 2; 3;;; 1        | RECEIVED_RNR CREDIT_WAIT
            S a0/1/0 S n1 a0/1/1 ~ a1/2/0 S +20001 n2 ~ +39999 +2 | 0;; 1;;; 1;;; 2;;;; 2 \
            | RECEIVED_RNR*2 CREDIT_WAIT
            S a0/1/0 S n1 ~ a1/2/0 I +57 a2/2/0 a3/2/0 +55 +2 | 0;; 1;; 1;;; 2; 3;;; 4 | RECEIVED_RNR CREDIT_WAIT
            S a0/1/0 S n1 ~ a1/2/0 L +57 a2/2/0 a4/3/0 S +48 +2 | 0;; 1;; 1;;; 2; 3- 4;;;; 5 \
            | RECEIVED_RNR CREDIT_WAIT*2
            """)
    void aRequestBeyondTheCreditsIsSentAfterATime(String scenario, String packets, String counters) {
        check(scenario, packets, counters);
    }

    /**
     * L43: the columns are as above. If the peer reports receive requests, a probe waits for twice as long as each of
     * the latest two requests has waited for a report, at least for 20 ms. A request that was refused waits for twice
     * as long each time, at most for 655.36 ms.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            +19000 a1/2/1 a2/3/0 S +19999 +2                  | ; 2;;;; 3
            +19000 a1/2/1 a2/3/0 S +15000 a2/3/1 a3/4/0 S +29999 +2 | ; 2;;;; 3;;;; 4
            +15000 a1/2/1 a2/3/0 S +19000 a2/3/1 a3/4/0 S +29999 +2 | ; 2;;;; 3;;;; 4
            +19000 a1/2/1 a2/3/0 S +19000 a2/3/1 a3/4/0 S +1 a3/4/1 a4/5/0 S +19999 +2 | ; 2;;;; 3;;;; 4;;;; 5
            +20001 n2 ~ +25000 a1/2/1 a2/3/0 S +19000 a2/3/1 a3/4/0 S +37999 +2 | 2;;;; 2;;;; 3;;;; 4
            +20001 n2 ~ +39999 +2 a2/3/0 S +17499 +2          | 2;;;; 2;;;; 3
            S +20001 n2 ~ +39999 +2 n2 ~ +79999 +2            | ; 2;;;; 2;;;; 2
            +20001 n2 ~ +40001 n2 ~ +80001 n2 ~ +160001 n2 ~ +320001 n2 ~ +640001 n2 ~ +655359 +2 n2 ~ +655359 +2 \
            | 2;;; 2;;; 2;;; 2;;; 2;;; 2;;;; 2;;;; 2
            """)
    void theWaitIsLongerThanTheTimeBetweenReports(String scenario, String packets) {
        create(7);
        run("S a0/1/0 S n1 a0/1/1 ~ a1/2/0 S");
        assertEquals("0;; 1;;; 1;;", sent());
        sent.clear();
        run(scenario);
        assertEquals(packets, sent());
    }

    /**
     * L43: the columns are as above. A request that takes no receive request cannot be refused for want of one: its
     * acknowledgement does not shorten the wait of 64 us. The peer's MSN was wrong, so that the credits end before it.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            S a0/1/0 S n1 a1/9/0 ~ W +65 a2/3/0 S +63 +2 | 0;; 1;;;;; 2;;;; 3
            S a0/1/0 S n1 a1/9/0 ~ D +65 d2/3/0 S +63 +2 | 0;; 1;;;;; 2;;;; 3
            S a0/1/0 S n1 a1/9/0 ~ A +65 f2/3/0 S +63 +2 | 0;; 1;;;;; 2;;;; 3
            S a0/1/0 S n1 a1/9/0 ~ S +65 a2/3/0 S +55 +2 | 0;; 1;;;;; 2;;;; 3
            """)
    void onlyARequestThatTakesAReceiveShortensTheWait(String scenario, String packets) {
        check(scenario, packets, "RECEIVED_RNR CREDIT_WAIT*2 INVALID_MSN");
    }

    /**
     * L43: the columns are as above, for a connection without an ACK timeout: a request waits for 20 ms behind one that
     * may be lost.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            S a0/1/0 S S +19999 +2                       | 0;; 1;;; 2              | CREDIT_WAIT
            S a0/1/0 S S +19999 a1/2/0 +2                | 0;; 1;;; 2;             | CREDIT_WAIT
            S a0/1/0 S n1 ~ S a1/2/0 +55 +2              | 0;; 1;; 1;;;; 2         | RECEIVED_RNR CREDIT_WAIT
            S a0/1/0 S +99999 T                          | 0;; 1;;                 | -
            S a0/1/0 S S S +19999 a0/1/2 +2 +19997 +2    | 0;; 1;;;; 2;;; 3        | CREDIT_WAIT*2
            S a0/1/0 S n1 a0/1/1 ~ a1/2/0 S +20001 n2 ~ +40001 S +19999 +2 \
            | 0;; 1;;; 1;;; 2;;; 2;;; 3 | RECEIVED_RNR*2 CREDIT_WAIT*2
            """)
    void withoutAnAckTimeoutARequestWaitsNoLonger(String scenario, String packets, String counters) {
        timeout = 0;
        check(scenario, packets, counters);
    }

    /**
     * The columns are as above, for a peer that states more credits than it has, and for ACKs that it has not sent:
     * they stop no request, and do not delay it further.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            S a0/1/32768 S S n1 ~ a1/2/0 +57 | 0;; 1; 2;; 1;; 2 | RECEIVED_RNR CREDIT_WAIT
            S S a0/9/5 S                     | 0; 1;; 2         | INVALID_MSN
            S a0/1/4 S S a1/0/0 S            | 0;; 1; 2;; 3     | INVALID_MSN
            S a0/8388608/0 S                 | 0;; 1            | INVALID_MSN
            S a0/1/4 S S a1/2/0 S S          | 0;; 1; 2;; 3; 4  | -
            S a0/1/0 S n1 a0/1/1 ~ a1/2/0 S +15000 a1/2/0 a0/1/0 +5001 | 0;; 1;;; 1;;;;;; 2 \
            | UNEXPECTED_RESPONSE*2 RECEIVED_RNR CREDIT_WAIT
            S a0/1 a0/1/0 S S                | 0;;; 1; 2        | UNEXPECTED_RESPONSE
            S S a1/2/0 a1/2/2 S S S          | 0; 1;;; 2; 3; 4  | -
            """)
    void creditsThatAreWrongNeitherStopNorFloodAConnection(String scenario, String packets, String counters) {
        check(scenario, packets, counters);
    }

    /** L42: the thread that posts may wait at the other end, and poll nothing here. */
    @Test
    void aPostThatAwaitsCreditsReceivesThoseThatHaveArrived() {
        create(7);
        run("S a0/1/0");
        sent.clear();
        device.wire.onReceivePending(() -> {
            acknowledge("0/1/1");
            return true;
        });
        run("L");
        assertEquals("1 2- 3", sent());
        run("a3/2/0 L");
        assertEquals("1 2- 3;; 4", sent());
    }

    @Test
    void aPostWithinTheCreditsReceivesNothing() {
        AtomicInteger calls = new AtomicInteger();
        create(7);
        run("S a0/1/2");
        device.wire.onReceivePending(() -> calls.incrementAndGet() == 0);
        run("S L");
        assertEquals("0;; 1; 2- 3- 4", sent());
        assertEquals(0, calls.get());
        run("L");
        assertEquals(1, calls.get());
    }

    @Test
    void aPostThatAwaitsCreditsSucceedsIfReceivingFails() {
        create(7);
        run("S a0/1/0");
        device.wire.onReceivePending(() -> {
            throw new OutOfMemoryError("injected");
        });
        run("L a1/2/1 S");
        assertEquals("0;; 1; 2- 3; 4", sent());
    }
}
