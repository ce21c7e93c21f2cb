package io.jverbs.soft.transport.rc;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
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
import io.jverbs.spi.WcLayout;
import java.lang.foreign.MemorySegment;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the requester of a reliable connection does with each response. The requests are named by their kind and their
 * number of packets: S a SEND, R a READ, whose number is that of its response packets, A an atomic. PSNs count from the
 * first one; the wr_id of a request is its index. The peer may be retried three times, and twice after RNR NAKs. A
 * scenario is a sequence of steps:
 *
 * <pre>
 * a2  an ACK with PSN 2        c2  the same, with a credit count
 * n2  an RNR NAK               s2  a NAK, PSN sequence error       i2  a NAK, invalid request
 * x2  a NAK, access error      o2  a NAK, operational error        u2  a NAK, invalid RD request
 * r2  the READ response packet with PSN 2
 * b2  the same, one byte short              l2  the same, falsely marked as last or not
 * t2  an atomic response
 * +2  the time of two ACK timeouts passes    ~   the time of the RNR NAK passes
 * </pre>
 */
final class RcResponseHandlerTest {
    private static final int QPN = 5;
    private static final int MTU = 256;
    /** The length of the last packet of each message. */
    private static final int LAST = 10;
    private static final int RNR_TIMER = 1;
    private static final int TIMEOUT = 4;
    private static final int INVALID_RD_REQUEST = 0x64;
    private static final long ORIGINAL = 77;

    private final IncomingPacket packet = new IncomingPacket(QPN);
    private BareDevice device;
    private BareQueuePair pair;
    private MemorySegment memory;
    private int firstPsn;
    private String[] requests;

    private void post(String list, int psn) {
        post(list, psn, Access.LOCAL_WRITE);
    }

    /** Posts requests to a new queue pair, whose memory has some access flags. */
    private void post(String list, int psn, int access) {
        firstPsn = psn;
        requests = list.split(" ");
        device = BareDevice.withWire();
        pair = device.create(QpType.RC, QPN);
        pair.qp.settings().pathMtu = MTU;
        pair.qp.settings().maxRdAtomic = 4;
        pair.qp.settings().retryCount = 3;
        pair.qp.settings().rnrRetry = 2;
        pair.qp.settings().timeout = TIMEOUT;
        pair.connect(BareDevice.PEER, 9, psn, 0);
        memory = BareDevice.memory(16 * MTU);
        SoftMr region = device.register(memory, access);
        for (int i = 0; i < requests.length; i++) {
            int bytes = (packets(i) - 1) * MTU + LAST;
            char kind = requests[i].charAt(0);
            SendWorkRequest request = SendWorkRequest.create(1).wrId(i)
                    .opcode(kind == 'S' ? WrOpcode.SEND : WrOpcode.RDMA_READ).remote(0, 1);
            if (kind == 'A') {
                request.fetchAndAdd(0, 1, 1);
                bytes = Long.BYTES;
            }
            pair.post(request.sge(0, memory.address(), bytes, region.lkey()));
        }
        device.wire.takeSent();
    }

    private int packets(int index) {
        return Integer.parseInt(requests[index].substring(1));
    }

    /** The number of the packet with a PSN in its message, and whether it is the last one. */
    private record Place(int index, boolean last) {}

    private Place place(int count) {
        int left = count;
        for (int i = 0; i < requests.length; i++) {
            if (left < packets(i)) {
                return new Place(left, left == packets(i) - 1);
            }
            left -= packets(i);
        }
        return new Place(left, true);
    }

    private void run(String scenario) {
        for (String step : scenario.split(" ")) {
            int number = step.length() == 1 ? 0 : Integer.parseInt(step.substring(1));
            int psn = Psns.add(firstPsn, number);
            switch (step.charAt(0)) {
                case 'a' -> acknowledge(psn, Aeth.ACK);
                case 'c' -> acknowledge(psn, 5);
                case 'n' -> acknowledge(psn, Aeth.rnrNak(RNR_TIMER));
                case 's' -> acknowledge(psn, Aeth.NAK_PSN_SEQUENCE_ERROR);
                case 'i' -> acknowledge(psn, Aeth.NAK_INVALID_REQUEST);
                case 'x' -> acknowledge(psn, Aeth.NAK_REMOTE_ACCESS_ERROR);
                case 'o' -> acknowledge(psn, Aeth.NAK_REMOTE_OPERATIONAL_ERROR);
                case 'u' -> acknowledge(psn, INVALID_RD_REQUEST);
                case 'r' -> readResponse(psn, place(number), 0);
                case 'b' -> readResponse(psn, place(number), 1);
                case 'l' -> {
                    Place place = place(number);
                    readResponse(psn, new Place(place.index, !place.last), place.last ? MTU - LAST : LAST - MTU);
                }
                case 't' -> {
                    packet.begin(WireOpcode.ATOMIC_ACKNOWLEDGE, 0, psn, 0).aeth(Aeth.ACK, 0).atomicAckEth(ORIGINAL);
                    pair.receive(packet.decoded());
                }
                case '+' -> device.timers.advance(number * Timers.Codes.ackNanos(TIMEOUT));
                default -> device.timers.advance(Timers.Codes.rnrNanos(RNR_TIMER));
            }
        }
    }

    private void acknowledge(int psn, int syndrome) {
        packet.begin(WireOpcode.ACKNOWLEDGE, 0, psn, 0).aeth(syndrome, 0);
        pair.receive(packet.decoded());
    }

    /** Receives a READ response packet that is some bytes shorter than its place in the message requires. */
    private void readResponse(int psn, Place place, int shorter) {
        int opcode = WireOpcode.readResponsePart(place.index == 0, place.last);
        PacketEncoder encoder = packet.begin(opcode, 0, psn, (place.last ? LAST : MTU) - shorter);
        if (place.index == 0 || place.last) {
            encoder.aeth(Aeth.ACK, 0);
        }
        pair.receive(packet.fill(place.index + 1).decoded());
    }

    /** The PSNs of the packets that were sent. */
    private String sent() {
        return device.wire.takeSent().stream().map(PacketView::psn).map(psn -> Psns.difference(psn, firstPsn))
                .map(String::valueOf).collect(Collectors.joining(" "));
    }

    private void check(String list, String scenario, String sent, String completions) {
        for (int psn : new int[] {7, Psns.MASK - 1}) {
            post(list, psn);
            run(scenario);
            assertEquals(sent, sent());
            assertEquals(completions, pair.sendCompletions());
        }
    }

    /** L30, L33, L37, L39, F47: the columns are the requests, the responses, and the completions. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            S1,       a0,       0
            S1,       c0,       0
            S3,       a0,       ''
            S3,       a1,       ''
            S3,       a2,       0
            S3,       a0 a2,    0
            S3 S1,    a2,       0
            S3 S1,    a2 a3,    0 1
            S1 S1 S1, a1,       0 1
            S1 S1 S1, a2,       0 1 2
            S1 S1 S1, a1 a0,    0 1
            S1 S1,    a1 a1,    0 1
            S1 S1,    a0 a0,    0
            S1,       a1,       ''
            S2,       a2,       ''
            """)
    void anAckCompletesAllRequestsUpToItsPsn(String list, String scenario, String completions) {
        check(list, scenario, "", completions);
    }

    /**
     * F23, F24, F25, F27, F28, L36, M21: the columns are the requests, the responses, the PSNs that are sent again, and
     * the completions.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            S1,    n0,                             '',          ''
            S1,    n0 ~,                           0,           ''
            S3,    n0 ~,                           0 1 2,       ''
            S1 S1, n0 ~,                           0 1,         ''
            S1 S1, n1,                             '',          0
            S1 S1, n1 ~,                           1,           0
            S1,    n0 n0 ~,                        0,           ''
            S1,    n0 n0 ~ n0 ~ a0,                0 0,         0
            S1,    n0 ~ n0 ~,                      0 0,         ''
            S1,    n0 ~ n0 ~ a0,                   0 0,         0
            S1,    n0 ~ n0 ~ n0,                   0 0,         0:RNR_RETRY_EXC_ERR
            S1 S1, n0 ~ n0 ~ n0,                   0 1 0 1,     0:RNR_RETRY_EXC_ERR 1:WR_FLUSH_ERR
            S1 S1, n0 ~ n0 ~ n1 ~ n1 ~ a1,         0 1 0 1 1 1, 0 1
            S1 S1, n0 ~ n0 ~ n1 ~ n1 ~ n1,         0 1 0 1 1 1, 0 1:RNR_RETRY_EXC_ERR
            S1,    n0 a0 ~,                        '',          0
            S1 S1, n1 a1,                          '',          0 1
            S1 S1, n0 s0,                          '',          ''
            S1 S1, n0 s0 ~,                        0 1,         ''
            S1 S1, n0 ~ s0 a1,                     0 1 0 1,     0 1
            S1,    n0 s0 s0 s0 s0 s0 ~,            0,           ''
            S1 S1, n0 ~ s1,                        0 1 1,       0
            S1,    n0 ~ n0 ~ +1 +2 +4 +4,          0 0 0 0 0,   0:RETRY_EXC_ERR
            S1,    n1,                             '',          ''
            """)
    void afterAnRnrNakTheRequestIsSentAgainWhenTheTimeHasPassed(String list, String scenario, String sent,
            String completions) {
        check(list, scenario, sent, completions);
    }

    /**
     * F29, F30, F31, F32, L36, L38: the columns are the requests, the responses, the PSNs that are sent again, and the
     * completions. After a timeout one packet is sent, and more with each ACK.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            S1,    s0,             0,           ''
            S3,    s0,             0 1 2,       ''
            S3,    s1,             1 2,         ''
            S3,    s2 a2,          2,           0
            S1 S1, s1,             1,           0
            S1,    s0 s0 s0,       0 0 0,       ''
            S1,    s0 s0 s0 s0,    0 0 0,       0:RETRY_EXC_ERR
            S1 S1, s0 s0 s0 s0,    0 1 0 1 0 1, 0:RETRY_EXC_ERR 1:WR_FLUSH_ERR
            S1 S1, s0 s1 s1 s1,    0 1 1 1 1,   0
            S1 S1, s0 s1 s1 s1 s1, 0 1 1 1 1,   0 1:RETRY_EXC_ERR
            S1,    s1,             '',          ''
            S1,    +1,             0,           ''
            S1,    +1 a0,          0,           0
            S2,    +1,             0,           ''
            S2,    +1 a0,          0 1,         ''
            S2,    +1 a1,          0,           0
            S3,    a0 +1,          1,           ''
            S3,    a0 +1 a1,       1 2,         ''
            S1,    +1 +2 +4,       0 0 0,       ''
            S1,    +1 +2 +4 +4,    0 0 0,       0:RETRY_EXC_ERR
            S1,    +1 +2 +4 s0,    0 0 0,       0:RETRY_EXC_ERR
            S1,    s0 s0 +1 +2,    0 0 0,       0:RETRY_EXC_ERR
            S2,    +1 +2 +4 a0 +1, 0 0 0 1 1,   ''
            S1 S1, +1 +2 +4 a0 +1, 0 0 0 1 1,   0
            S1,    +1 n0 ~ a0,     0 0,         0
            """)
    void aMissingPacketOrResponseUsesUpARetry(String list, String scenario, String sent, String completions) {
        check(list, scenario, sent, completions);
    }

    /** F35, L36, L40: the columns are the requests, the responses, and the completions. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            S1,       i0,    0:REM_INV_REQ_ERR
            S1,       x0,    0:REM_ACCESS_ERR
            S1,       o0,    0:REM_OP_ERR
            S1,       u0,    0:REM_OP_ERR
            S3,       x1,    0:REM_ACCESS_ERR
            S1 S1 S1, i1,    0 1:REM_INV_REQ_ERR 2:WR_FLUSH_ERR
            S1 S1 S1, x0,    0:REM_ACCESS_ERR 1:WR_FLUSH_ERR 2:WR_FLUSH_ERR
            S1 S1 S1, o2,    0 1 2:REM_OP_ERR
            S1 S1,    i0 a1, 0:REM_INV_REQ_ERR 1:WR_FLUSH_ERR
            S1,       x1,    ''
            S1 S1,    a0 x0, 0
            R3,       x0,    0:REM_ACCESS_ERR
            R3,       x2,    0:REM_ACCESS_ERR
            R3,       r0 x1, 0:REM_ACCESS_ERR
            S1 R3,    x1,    0 1:REM_ACCESS_ERR
            A1 S1,    i0,    0:REM_INV_REQ_ERR 1:WR_FLUSH_ERR
            """)
    void aFatalNakFailsTheRequestWithItsPsn(String list, String scenario, String completions) {
        check(list, scenario, "", completions);
    }

    /**
     * F13, L32, L33, L37: the columns are the requests, the responses, the PSNs that are requested or sent again, and
     * the completions.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            R1,    r0,               '',      0
            R3,    r0 r1,            '',      ''
            R3,    r0 r1 r2,         '',      0
            R3 S1, r0 r1 r2 a3,      '',      0 1
            S1 R2, r1 r2,            '',      0 1
            S2 R2, r2 r3,            '',      0 1
            S1 R2, a0 r1 r2,         '',      0 1
            R2 R2, r0 r1 r2 r3,      '',      0 1
            R2 A1, r0 r1 t2,         '',      0 1
            R3,    r1,               0,       ''
            R3,    r0 r2,            1,       ''
            R3,    r0 r2 r2,         1,       ''
            R3,    r0 r2 r1 r2,      1,       0
            R3,    r0 r2 +1 r2,      1 1 1,   ''
            R3,    r0 r0 r1 r2,      '',      0
            R3,    r0 r1 r2 r2,      '',      0
            R3,    r0 +1,            1,       ''
            R3,    +1,               0,       ''
            R3,    +1 r0 r1 r2,      0,       0
            R2 R2, r2,               0 2,     ''
            R3,    a2,               0,       ''
            R3 S1, a3,               0 3,     ''
            R3 S1, a3 r0 r1 r2,      0 3,     0
            R3 S1, a3 r0 r1 r2 a3,   0 3,     0 1
            R3 S1, r0 a3,            1 3,     ''
            R2 S1, r0 r1 x2,         '',      0 1:REM_ACCESS_ERR
            R2 S1, x2,               0 2,     ''
            R2 S1, n2,               0 2,     ''
            R2 S1, s2,               0 2,     ''
            R2,    s1,               0,       ''
            R2,    n1,               0,       ''
            R2,    n0 ~ r0 r1,       0,       0
            R3,    r3,               '',      ''
            A1,    t0,               '',      0
            A1 A1, t0 t1,            '',      0 1
            A1 A1, t1,               0 1,     ''
            A1 A1, t0 a1,            1,       0
            S1 A1, t1,               '',      0 1
            A1,    a0,               0,       ''
            A1,    r0,               '',      ''
            R1,    t0,               '',      ''
            S1,    r0,               '',      ''
            S1,    t0,               '',      ''
            A1,    t0 t0,            '',      0
            R3,    b0,               '',      0:BAD_RESP_ERR
            R3,    r0 r1 b2,         '',      0:BAD_RESP_ERR
            R3,    l0,               '',      0:BAD_RESP_ERR
            R3,    r0 r1 l2,         '',      0:BAD_RESP_ERR
            R3 S1, b0,               '',      0:BAD_RESP_ERR 1:WR_FLUSH_ERR
            """)
    void aResponseCompletesItsRequestAndAllBeforeIt(String list, String scenario, String sent, String completions) {
        check(list, scenario, sent, completions);
    }

    /** The columns are the requests, the responses, and the counters. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            S1,    a0,             ''
            S1,    a1,             UNEXPECTED_RESPONSE
            S1,    a0 a0,          UNEXPECTED_RESPONSE
            S1 S1, a1 a0,          UNEXPECTED_RESPONSE
            S1,    n0 n0 ~,        RECEIVED_RNR*2
            S1,    n0 ~ n0 ~ n0,   RECEIVED_RNR*3 RNR_RETRY_EXCEEDED
            S1,    s0,             RECEIVED_SEQUENCE_NAK RETRANSMISSION
            S1,    n0 s0 ~,        RECEIVED_RNR RECEIVED_SEQUENCE_NAK
            S1,    +1,             ACK_TIMEOUT RETRANSMISSION
            S1,    +1 +2 +4 +4,    ACK_TIMEOUT*3 RETRANSMISSION*3 RETRY_EXCEEDED
            S1,    s0 s0 s0 s0,    RECEIVED_SEQUENCE_NAK*4 RETRANSMISSION*3 RETRY_EXCEEDED
            S1,    i0,             RECEIVED_NAK_INVALID
            S1,    x0,             RECEIVED_NAK_ACCESS
            S1,    o0,             RECEIVED_NAK_OPERATION
            S1 S1, x0 a1,          UNEXPECTED_RESPONSE RECEIVED_NAK_ACCESS
            R3,    r0 r2,          UNEXPECTED_RESPONSE RETRANSMISSION
            R3,    r0 r0,          UNEXPECTED_RESPONSE
            R2 S1, n2,             RETRANSMISSION
            R3,    b0,             UNEXPECTED_RESPONSE
            """)
    void eachResponseIsCounted(String list, String scenario, String counters) {
        post(list, 7);
        run(scenario);
        assertEquals(counters, pair.counters());
    }

    /** B31, B33, F19: a sink that cannot be written fails the request when its response has arrived. */
    @ParameterizedTest
    @CsvSource({"R1, r0, 0:LOC_PROT_ERR", "R3, r0, 0:LOC_PROT_ERR", "A1, t0, 0:LOC_PROT_ERR",
        "R1, x0, 0:REM_ACCESS_ERR", "A1, i0, 0:REM_INV_REQ_ERR"})
    void theFaultOfThePeerPrecedesThatOfTheSink(String list, String scenario, String completions) {
        post(list, 7, 0);
        run(scenario);
        assertEquals(completions, pair.sendCompletions());
    }

    /** E20, F12, F15: the columns are the request, the responses, the byte_len, and some bytes of the memory. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            R3, r0 r1 r2,       522, 1 2 3 0
            R2, r0 r1,          266, 1 2 0 0
            R3, r0 r2 r1 r2,    522, 1 2 3 0
            R1, r0,             10,  1 0 0 0
            A1, t0,             8,   77 0 0 0
            """)
    void theDataOfAResponseIsStored(String list, String scenario, int bytes, String values) {
        post(list, 7);
        run(scenario);
        assertEquals(bytes, pair.sendCompletion().get(JAVA_INT, WcLayout.BYTE_LEN));
        StringBuilder stored = new StringBuilder();
        for (int at : new int[] {0, MTU, 2 * MTU + LAST - 1, 2 * MTU + LAST}) {
            stored.append(stored.isEmpty() ? "" : " ").append(list.equals("A1")
                    ? memory.get(JAVA_LONG, at & -Long.BYTES)
                    : memory.get(JAVA_BYTE, at));
        }
        assertEquals(values, stored.toString());
    }
}
