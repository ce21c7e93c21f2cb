package io.jverbs.soft.transport.local;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.AsyncEventType;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.protocol.Psns;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How the responder of a reliable connection responds to each message within the JVM. Two receive requests are posted.
 * A scenario is a sequence of the messages of {@link TestedMessages}; u is a SEND from another queue pair than the one
 * that this one is connected to, and + posts a receive request. A response is its name and its PSN, which counts from
 * the first one; a dash means that there is none.
 */
final class LocalRcResponderTest {
    private static final int RECEIVES = 2;
    private static final int OTHER_QPN = 8;

    private TestedMessages tested;

    private void create(int firstPsn, int access, int regionAccess, int receiveAccess) {
        tested = new TestedMessages(QpType.RC, firstPsn, access, regionAccess, receiveAccess);
        for (int i = 0; i < RECEIVES; i++) {
            tested.postReceive();
        }
    }

    private void create(int firstPsn) {
        create(firstPsn, TestedMessages.ALL_REMOTE, TestedMessages.ALL_REMOTE, Access.LOCAL_WRITE);
    }

    /** Delivers messages; returns the responses. */
    private String run(String scenario, int firstPsn) {
        StringBuilder responses = new StringBuilder();
        for (String step : scenario.split(" ")) {
            if (step.equals("+")) {
                tested.postReceive();
                continue;
            }
            Message message = step.equals("u") ? tested.deliver("O", OTHER_QPN) : tested.deliver(step);
            responses.append(responses.isEmpty() ? "" : " ").append(response(message, firstPsn));
        }
        return responses.toString();
    }

    private static String response(Message message, int firstPsn) {
        String name = switch (message.reply) {
            case Message.NO_REPLY -> "-";
            case Message.ACK -> "ack";
            case Message.RNR_NAK -> "rnr";
            case Message.NAK_PSN_SEQUENCE_ERROR -> "seq";
            case Message.NAK_INVALID_REQUEST -> "inv";
            case Message.NAK_REMOTE_ACCESS_ERROR -> "acc";
            default -> "op";
        };
        return name.equals("-") ? name : name + Psns.difference(message.replyPsn, firstPsn);
    }

    private void check(String scenario, String responses, String completions) {
        for (int first : new int[] {7, Psns.MASK - 1}) {
            create(first);
            assertEquals(responses, run(scenario, first));
            assertEquals(completions, tested.pair.receiveCompletions());
        }
    }

    /** F1, F42, L30, L31, L32, B27: the columns are the messages, the responses, and the receive completions. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            O,         ack0,             1
            O O,       ack0 ack1,        1 2
            L,         ack2,             1
            L O,       ack2 ack3,        1 2
            I,         ack0,             1
            o l,       ack0 ack3,        ''
            i,         ack2,             1
            z,         ack0,             ''
            R,         ack2,             ''
            Z,         ack0,             ''
            A,         ack0,             ''
            O+1,       seq0,             ''
            O+1 O+1,   seq0 -,           ''
            O+1 O O+1, seq0 ack0 seq1,   1
            l+3 o,     seq0 ack0,        ''
            R+1,       seq0,             ''
            o o-1,     ack0 ack0,        ''
            O O-1,     ack0 ack0,        1
            L L-3,     ack2 ack2,        1
            o-1,       ack-1,            ''
            R R-3,     ack2 -,           ''
            A A-1,     ack0 -,           ''
            u,         -,                1
            u O,       - ack1,           1 2
            """)
    void messagesAreExecutedInTheOrderOfTheirPsns(String scenario, String responses, String completions) {
        check(scenario, responses, completions);
    }

    /** F23, F26, F27: the columns are the messages, the responses, the receive completions, and the bytes written. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            O O O,             ack0 ack1 rnr2,                1 2,     0
            O O O O,           ack0 ack1 rnr2 rnr2,           1 2,     0
            O O O + O,         ack0 ack1 rnr2 ack2,           1 2 3,   0
            O O V,             ack0 ack1 rnr2,                1 2,     0
            O O j,             ack0 ack1 rnr2,                1 2,     0
            O O j + j,         ack0 ack1 rnr2 ack2,           1 2 3,   20
            O O i,             ack0 ack1 rnr4,                1 2,     512
            O O i i/2,         ack0 ack1 rnr4 rnr4,           1 2,     512
            O O i + i/2,       ack0 ack1 rnr4 ack4,           1 2 3,   522
            O O i + i/2 O,     ack0 ack1 rnr4 ack4 rnr5,      1 2 3,   522
            O O l,             ack0 ack1 ack4,                1 2,     522
            """)
    void withoutAReceiveRequestThePeerWaitsAtTheLastPacket(String scenario, String responses, String completions,
            int written) {
        check(scenario, responses, completions);
        assertEquals(written, tested.written());
        assertEquals(QpState.RTS, tested.pair.state());
    }

    /**
     * F14, F35, F37, F45, J6: the columns are the messages, the responses, the receive completions, and the events. The
     * queue pair has failed then.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            G,           inv0,                     1:LOC_LEN_ERR 2:WR_FLUSH_ERR,    ''
            V,           -,                        1:MW_BIND_ERR 2:WR_FLUSH_ERR,    ''
            m,           inv0,                     1:WR_FLUSH_ERR 2:WR_FLUSH_ERR,   QP_REQ_ERR
            n,           inv0,                     1:WR_FLUSH_ERR 2:WR_FLUSH_ERR,   QP_REQ_ERR
            l/1,         inv0,                     1:WR_FLUSH_ERR 2:WR_FLUSH_ERR,   QP_REQ_ERR
            l-1,         inv0,                     1:WR_FLUSH_ERR 2:WR_FLUSH_ERR,   QP_REQ_ERR
            Q,           inv0,                     1:WR_FLUSH_ERR 2:WR_FLUSH_ERR,   QP_REQ_ERR
            O m,         ack0 inv1,                1 2:WR_FLUSH_ERR,                QP_REQ_ERR
            O O i O,     ack0 ack1 rnr4 inv4,      1 2,                             QP_REQ_ERR
            m O,         inv0 -,                   1:WR_FLUSH_ERR 2:WR_FLUSH_ERR,   QP_REQ_ERR
            """)
    void anInvalidMessageFailsTheQueuePair(String scenario, String responses, String completions, String events) {
        check(scenario, responses, completions);
        assertEquals(events, events());
        assertEquals(QpState.ERR, tested.pair.state());
    }

    private String events() {
        return tested.pair.events().stream().map(AsyncEventType::name).collect(Collectors.joining(" "));
    }

    /** B32, F35: receive memory without LOCAL_WRITE fails both ends. */
    @ParameterizedTest
    @CsvSource({"O, op0, 1:LOC_PROT_ERR 2:WR_FLUSH_ERR", "L, op0, 1:LOC_PROT_ERR 2:WR_FLUSH_ERR", "i, ack2, 1"})
    void receiveMemoryMustBeWritable(String message, String response, String completions) {
        create(7, TestedMessages.ALL_REMOTE, TestedMessages.ALL_REMOTE, 0);
        assertEquals(response, run(message, 7));
        assertEquals(completions, tested.pair.receiveCompletions());
        assertEquals("", events());
    }

    /**
     * B29, B30, F20, J5, J6: the columns are the message, the rights of the queue pair and of the region, w to write, r
     * to read, a for atomics, the response, and the event.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            o, ra,  wra, inv0, QP_REQ_ERR
            o, wra, ra,  acc0, QP_ACCESS_ERR
            o, ra,  ra,  inv0, QP_REQ_ERR
            o, w,   w,   ack0, ''
            i, wra, ra,  acc0, QP_ACCESS_ERR
            z, wra, ra,  ack0, ''
            z, ra,  wra, inv0, QP_REQ_ERR
            R, wa,  wra, inv0, QP_REQ_ERR
            R, wra, wa,  acc0, QP_ACCESS_ERR
            R, r,   r,   ack2, ''
            Z, wra, wa,  ack0, ''
            Z, wa,  wra, inv0, QP_REQ_ERR
            A, wr,  wra, inv0, QP_REQ_ERR
            A, wra, wr,  acc0, QP_ACCESS_ERR
            A, a,   a,   ack0, ''
            Q, wra, wr,  inv0, QP_REQ_ERR
            """)
    void anAccessNeedsTheRightOfTheQueuePairAndOfTheRegion(String message, String rights, String regionRights,
            String response, String event) {
        create(7, access(rights), access(regionRights), Access.LOCAL_WRITE);
        assertEquals(response, run(message, 7));
        assertEquals(event, events());
    }

    private static int access(String rights) {
        return (rights.contains("w") ? Access.REMOTE_WRITE : 0) | (rights.contains("r") ? Access.REMOTE_READ : 0)
                | (rights.contains("a") ? Access.REMOTE_ATOMIC : 0);
    }

    /** F15, F16, F22: the columns are the messages, the value returned by the last one, and the value of the word. */
    @ParameterizedTest
    @CsvSource({"A, 0, 1", "A A, 1, 2", "A A A, 2, 3", "A+1, 0, 0", "A A-1, 0, 1"})
    void anAtomicIsExecutedOnceAndReturnsTheOriginalValue(String scenario, long original, long value) {
        create(7);
        Message last = null;
        for (String step : scenario.split(" ")) {
            last = tested.deliver(step);
        }
        assertEquals(original, last.original);
        assertEquals(value, tested.target.get(JAVA_LONG, 0));
    }

    /** The columns are the messages and the counters. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            O l R A i,   ''
            O+1 O+1,     OUT_OF_SEQUENCE*2 SENT_NAK_SEQUENCE
            o o-1,       DUPLICATE_REQUEST
            O O O,       SENT_RNR
            m,           SENT_NAK_INVALID
            m O,         WRONG_STATE SENT_NAK_INVALID
            l-1,         DUPLICATE_REQUEST SENT_NAK_INVALID
            G,           SENT_NAK_INVALID
            V,           REMOTE_ACCESS
            """)
    void eachFaultIsCounted(String scenario, String counters) {
        create(7);
        run(scenario, 7);
        assertEquals(counters, tested.pair.counters());
    }

    /** F8: with max_dest_rd_atomic 0, READs and atomics are invalid. */
    @ParameterizedTest
    @CsvSource({"R, 0, inv0", "Z, 0, inv0", "A, 0, inv0", "R, 1, ack2", "A, 1, ack0", "o, 0, ack0"})
    void aResponderWithoutResourcesRefusesReadsAndAtomics(String message, int maxDestRdAtomic, String response) {
        create(7);
        tested.pair.qp.settings().maxDestRdAtomic = maxDestRdAtomic;
        assertEquals(response, run(message, 7));
    }

    /** D24: the first valid message raises COMM_EST in RTR. The columns are messages, state, and events. */
    @ParameterizedTest
    @CsvSource({"O, RTR, COMM_EST", "O O, RTR, COMM_EST", "O+1, RTR, ''", "O-1, RTR, ''", "O, RTS, ''",
        "m, RTR, COMM_EST QP_REQ_ERR"})
    void theFirstMessageInOrderEstablishesTheConnection(String scenario, QpState state, String events) {
        create(7);
        tested.pair.state(state);
        run(scenario, 7);
        assertEquals(events, events());
    }
}
