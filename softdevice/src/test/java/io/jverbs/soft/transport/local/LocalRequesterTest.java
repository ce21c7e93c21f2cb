package io.jverbs.soft.transport.local;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.soft.memory.SoftMr;
import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.transport.BareDevice;
import io.jverbs.soft.transport.BareQueuePair;
import io.jverbs.soft.transport.RecordedService;
import io.jverbs.spi.WcLayout;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a {@link LocalRcRequester}, and in one table a {@link LocalUcRequester}, does with each response of its peer.
 * The requests are named by their kind and their number of packets: S a SEND, W a WRITE, R a READ, A an atomic; the
 * wr_id of a request is its index. The responses and the attempts are those of a {@link ResponseScript}. There are two
 * retries of either kind.
 */
final class LocalRequesterTest {
    private static final int QPN = 5;
    private static final int PEER_QPN = 6;
    private static final int MTU = 256;

    private final MemorySegment memory = BareDevice.memory(BareDevice.MAX_MESSAGE + MTU);
    private BareDevice device;
    private BareQueuePair pair;
    private BareQueuePair peer;
    private SoftMr region;
    private ResponseScript script;
    private int firstPsn;

    private void connect(QpType type, int psn, String responses) {
        firstPsn = psn;
        device = BareDevice.withoutWire();
        pair = device.create(type, QPN);
        script = new ResponseScript(device.timers, psn, responses);
        peer = device.create(new RecordedService(device.service(type), script), PEER_QPN, null);
        region = device.register(memory, Access.LOCAL_WRITE);
        pair.qp.settings().pathMtu = MTU;
        pair.qp.settings().maxRdAtomic = 1;
        pair.qp.settings().retryCount = 2;
        pair.qp.settings().rnrRetry = 2;
        pair.qp.settings().timeout = ResponseScript.TIMEOUT;
        pair.connect(BareDevice.GID, PEER_QPN, psn, 0);
        peer.connect(BareDevice.GID, QPN, 0, psn);
    }

    private void post(String requests) {
        int id = 0;
        for (String request : requests.split(" ")) {
            int packets = Integer.parseInt(request.substring(1));
            post(request.charAt(0), id++, request.charAt(0) == 'A' ? Long.BYTES : packets * MTU, region.lkey());
        }
    }

    private void post(char kind, int id, int bytes, int lkey) {
        SendWorkRequest request = SendWorkRequest.create(1).wrId(id).opcode(switch (kind) {
            case 'S' -> WrOpcode.SEND;
            case 'W' -> WrOpcode.RDMA_WRITE;
            case 'R' -> WrOpcode.RDMA_READ;
            default -> WrOpcode.ATOMIC_FETCH_AND_ADD;
        }).sge(0, memory.address(), bytes, lkey);
        pair.post(kind == 'A' ? request.fetchAndAdd(0, 1, 1) : request.remote(0, 1));
    }

    private void pass(long nanos) {
        device.timers.advance(nanos);
    }

    /** F23 to F31, F35, L36: the columns are the request, the responses, the attempts, and the completion. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            S1, k,              0/1,                          0
            S3, k,              0/3,                          0
            R3, k,              0/3,                          0
            A1, k,              0/1,                          0
            S1, i,              0/1,                          0:REM_INV_REQ_ERR
            S1, x,              0/1,                          0:REM_ACCESS_ERR
            S1, o,              0/1,                          0:REM_OP_ERR
            R3, x,              0/3,                          0:REM_ACCESS_ERR
            S1, r0 k,           0/1 R0/1,                     0
            S1, r0 r0 k,        0/1 R0/1 R0/1,                0
            S1, r0 r0 r0,       0/1 R0/1 R0/1,                0:RNR_RETRY_EXC_ERR
            S1, r0 i,           0/1 R0/1,                     0:REM_INV_REQ_ERR
            W3, r2 k,           0/3 R2/1,                     0
            W3, r1 k,           0/3 R1/2,                     0
            W3, r1 r2 k,        0/3 R1/2 R2/1,                0
            W3, r0 r0 r2 r2 r2, 0/3 R0/3 R0/3 R2/1 R2/1,      0:RNR_RETRY_EXC_ERR
            W3, r2 r2 r2,       0/3 R2/1 R2/1,                0:RNR_RETRY_EXC_ERR
            S1, - k,            0/1 T0/1,                     0
            S1, - - k,          0/1 T0/1 T0/1,                0
            S1, - - -,          0/1 T0/1 T0/1,                0:RETRY_EXC_ERR
            S1, - x,            0/1 T0/1,                     0:REM_ACCESS_ERR
            S1, s k,            0/1 T0/1,                     0
            S1, s s s,          0/1 T0/1 T0/1,                0:RETRY_EXC_ERR
            S3, w k,            0/3 T0/3,                     0
            S1, r0 - r0 - k,    0/1 R0/1 T0/1 R0/1 T0/1,      0
            S1, r0 - r0 - r0,   0/1 R0/1 T0/1 R0/1 T0/1,      0:RNR_RETRY_EXC_ERR
            S1, - r0 - r0 -,    0/1 T0/1 R0/1 T0/1 R0/1,      0:RETRY_EXC_ERR
            W3, - r1 - - k,     0/3 T0/3 R1/2 T1/2 T1/2,      0
            """)
    void eachResponseCompletesTheRequestOrIsFollowedByARetry(String request, String responses, String expected,
            String completion) {
        for (int psn : new int[] {7, Psns.MASK - 1}) {
            connect(QpType.RC, psn, responses);
            post(request);
            pass(TimeUnit.SECONDS.toNanos(1));
            assertEquals(expected, script.attempts());
            assertEquals(completion, pair.sendCompletions());
            assertEquals(0, device.timers.pending());
        }
    }

    /** F2, F25, D27: the columns are the requests, the responses, the attempts, and the completions. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            S1 S2 S1, k k k,              0/1 1/2 3/1,                  0 1 2
            S1 S1,    - k k,              0/1 T0/1 1/1,                 0 1
            S1 S1,    r0 r0 k r1 r1 k,    0/1 R0/1 R0/1 1/1 R1/1 R1/1,  0 1
            S1 S1,    - - k - - k,        0/1 T0/1 T0/1 1/1 T1/1 T1/1,  0 1
            S1 S1 S1, k x,                0/1 1/1,                      0 1:REM_ACCESS_ERR 2:WR_FLUSH_ERR
            S1 S1,    r0 r0 r0,           0/1 R0/1 R0/1,                0:RNR_RETRY_EXC_ERR 1:WR_FLUSH_ERR
            R2 S1,    k k,                0/2 2/1,                      0 1
            """)
    void requestsAreExecutedOneAfterTheOther(String requests, String responses, String expected, String completions) {
        connect(QpType.RC, Psns.MASK - 1, responses);
        post(requests);
        pass(TimeUnit.SECONDS.toNanos(1));
        assertEquals(expected, script.attempts());
        assertEquals(completions, pair.sendCompletions());
    }

    /** G1, G13: a request of an unreliable connection is complete when it was sent. */
    @ParameterizedTest
    @CsvSource({"S1, k", "S3, -", "W1, x", "S1, r0", "W3, s"})
    void anUnreliableConnectionIgnoresResponses(String request, String reply) {
        connect(QpType.UC, 7, reply);
        post(request);
        assertEquals("0/" + request.charAt(1), script.attempts());
        assertEquals("0", pair.sendCompletions());
        assertEquals(0, device.timers.pending());
    }

    /** F24, F29: the columns are rnr_retry, the timeout code, the response to each attempt, and the attempts in 1 s. */
    @ParameterizedTest
    @CsvSource({"7, 4, r0, 8334", "0, 4, r0, 1", "2, 0, -, 1", "2, 4, -, 3", "2, 17, -, 2", "2, 18, -, 1"})
    void sevenRnrRetriesAreUnlimitedAndTimeoutZeroIsInfinite(int rnrRetry, int timeout, String reply, int count) {
        connect(QpType.RC, 7, (reply + " ").repeat(10_000));
        pair.qp.settings().rnrRetry = rnrRetry;
        pair.qp.settings().timeout = timeout;
        post("S1");
        // the clock limits how many timers expire in one step
        for (int i = 0; i < 1000; i++) {
            pass(TimeUnit.MILLISECONDS.toNanos(1));
        }
        assertEquals(count, script.attempts().split(" ").length);
    }

    /**
     * The states of the oldest request: after an attempt without a result it waits for a timer. The columns are the
     * responses, what happens while it waits, the attempts, and the completions.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            - k k,  nothing, 0/1 T0/1 1/1, 0 1
            r0 k k, nothing, 0/1 R0/1 1/1, 0 1
            - k k,  post,    0/1 T0/1 1/1 2/1, 0 1 2
            - k k,  error,   0/1,          0:WR_FLUSH_ERR 1:WR_FLUSH_ERR
            r0 k k, error,   0/1,          0:WR_FLUSH_ERR 1:WR_FLUSH_ERR
            - k k,  reset,   0/1,          ''
            r0 k k, reset,   0/1,          ''
            - k k,  drain,   0/1 T0/1,     0
            r0 k k, drain,   0/1 R0/1,     0
            k k k,  drain,   0/1 1/1,      0 1
            - k k,  resume,  0/1 T0/1 1/1, 0 1
            """)
    void aRequestThatWaitsIsAttemptedAgainUnlessTheStateChanges(String responses, String change, String expected,
            String completions) {
        connect(QpType.RC, 7, responses);
        post("S1 S1");
        switch (change) {
            case "post" -> post('S', 2, 1, region.lkey());
            case "error" -> {
                pair.locked(() -> pair.qp.fail(0));
                device.deferred.run();
            }
            case "reset" -> pair.reset();
            case "drain" -> pair.state(QpState.SQD);
            case "resume" -> {
                pair.state(QpState.SQD);
                pair.state(QpState.RTS);
                pair.qp.requester().resume();
            }
            default -> {
                // the timer expires
            }
        }
        boolean ends = change.equals("error") || change.equals("reset");
        assertEquals(ends || responses.startsWith("k") ? 0 : 1, device.timers.pending());
        pass(TimeUnit.SECONDS.toNanos(1));
        assertEquals(expected, script.attempts());
        assertEquals(completions, pair.sendCompletions());
    }

    /** D35: the requests that were not started in SQD are executed when the queue pair returns to RTS. */
    @ParameterizedTest
    @CsvSource({"k, 0/1 1/1", "-, 0/1 1/1 T1/1"})
    void requestsPostedInSqdAreExecutedInRts(String reply, String expected) {
        connect(QpType.RC, 7, "k " + reply);
        post("S1");
        pair.state(QpState.SQD);
        post("S1");
        assertEquals("0/1", script.attempts());
        pair.state(QpState.RTS);
        pair.qp.requester().resume();
        pass(TimeUnit.SECONDS.toNanos(1));
        assertEquals(expected, script.attempts());
    }

    /**
     * B31, B33, E16, F18, F19: the columns are the kind of the request, its length, whether its lkey is valid, the
     * response, the attempts, and the completion.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            S, 1048576, true,  k, 0/4096, 0
            S, 1048577, true,  k, '',     0:LOC_LEN_ERR
            R, 1048577, true,  k, '',     0:LOC_LEN_ERR
            A, 7,       true,  k, '',     0:LOC_LEN_ERR
            A, 9,       true,  k, '',     0:LOC_LEN_ERR
            A, 8,       true,  k, 0/1,    0
            S, 8,       false, k, '',     0:LOC_PROT_ERR
            W, 8,       false, x, '',     0:LOC_PROT_ERR
            S, 0,       false, k, 0/1,    0
            R, 8,       false, k, 0/1,    0:LOC_PROT_ERR
            R, 8,       false, x, 0/1,    0:REM_ACCESS_ERR
            R, 8,       false, i, 0/1,    0:REM_INV_REQ_ERR
            A, 8,       false, k, 0/1,    0:LOC_PROT_ERR
            A, 8,       false, x, 0/1,    0:REM_ACCESS_ERR
            """)
    void aLocalFaultFailsTheRequest(char kind, int bytes, boolean validKey, String reply, String expected,
            String completion) {
        connect(QpType.RC, 7, reply);
        post(kind, 0, bytes, validKey ? region.lkey() : ~region.lkey());
        assertEquals(expected, script.attempts());
        assertEquals(completion, pair.sendCompletions());
    }

    /** F7, L30: the columns are the requests and the PSN that follows them. */
    @ParameterizedTest
    @CsvSource({"S1, 1", "S3, 3", "R3, 3", "A1, 1", "S2 R3 A1 W1, 7"})
    void eachPacketHasAPsn(String requests, int next) {
        connect(QpType.RC, Psns.MASK - 2, "k");
        post(requests);
        pair.locked(() -> assertEquals(next, Psns.difference(pair.qp.requester().nextPsn(), firstPsn)));
    }

    /** E20, F15: the columns are the request, the byte_len of its completion, and the first word of the memory. */
    @ParameterizedTest
    @CsvSource({"S1, 0, 0", "W3, 0, 0", "R3, 768, 0", "A1, 8, 77"})
    void theCompletionHasTheLengthOfTheResponse(String request, int bytes, long word) {
        memory.set(JAVA_LONG, 0, 0);
        connect(QpType.RC, 7, "k");
        post(request);
        assertEquals(bytes, pair.sendCompletion().get(JAVA_INT, WcLayout.BYTE_LEN));
        assertEquals(word, memory.get(JAVA_LONG, 0));
    }

    /**
     * D7, F33, J9: a peer that is not reached does not respond. The columns are why, and the attempts if the peer is
     * reached again after a timeout.
     */
    @ParameterizedTest
    @CsvSource({"no such QPN, T0/1", "link down, T0/1", "source GID removed, T0/1", "peer in ERR, T0/1",
        "other partner, T0/1"})
    void aPeerThatIsNotReachedDoesNotRespond(String reason, String expected) {
        connect(QpType.RC, 7, "k");
        reach(reason, false);
        post("S1");
        assertEquals("", script.attempts());
        reach(reason, true);
        pass(TimeUnit.SECONDS.toNanos(1));
        assertEquals(expected, script.attempts());
        assertEquals("0", pair.sendCompletions());
    }

    private void reach(String reason, boolean again) {
        switch (reason) {
            case "no such QPN" -> {
                if (again) {
                    device.network.add(peer.qp);
                } else {
                    device.network.remove(peer.qp);
                }
            }
            case "link down" -> {
                device.port.up(again);
                device.network.changed();
            }
            case "source GID removed" -> {
                device.port.sends(again);
                device.network.changed();
            }
            case "peer in ERR" -> peer.state(again ? QpState.RTS : QpState.ERR);
            default -> peer.connect(again ? BareDevice.GID : BareDevice.PEER, QPN, 0, firstPsn);
        }
    }

    /** The columns are the request, the responses, and the counters. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            S1, k,        ''
            S1, r0 k,     RECEIVED_RNR
            S1, r0 r0 r0, RECEIVED_RNR*3 RNR_RETRY_EXCEEDED
            S1, - k,      ACK_TIMEOUT RETRANSMISSION
            S1, - - -,    ACK_TIMEOUT*2 RETRANSMISSION*2 RETRY_EXCEEDED
            S1, s k,      UNEXPECTED_RESPONSE ACK_TIMEOUT RETRANSMISSION
            S3, w k,      UNEXPECTED_RESPONSE ACK_TIMEOUT RETRANSMISSION
            S1, i,        RECEIVED_NAK_INVALID
            S1, x,        RECEIVED_NAK_ACCESS
            S1, o,        RECEIVED_NAK_OPERATION
            """)
    void eachResponseIsCounted(String request, String responses, String counters) {
        connect(QpType.RC, 7, responses);
        post(request);
        pass(TimeUnit.SECONDS.toNanos(1));
        assertEquals(counters, pair.counters());
    }
}
