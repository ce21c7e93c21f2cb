package io.jverbs.soft.transport.local;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.protocol.Psns;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Which messages of an unreliable connection within the JVM are received and which are dropped. Two receive requests
 * are posted. A scenario is a sequence of the messages of {@link TestedMessages}; + posts a receive request.
 */
final class LocalUcResponderTest {
    private static final int RECEIVES = 2;

    private TestedMessages tested;

    private void run(String scenario, int firstPsn, int access, int regionAccess, int receiveAccess, boolean shared) {
        tested = new TestedMessages(QpType.UC, firstPsn, access, regionAccess, receiveAccess, shared);
        for (int i = 0; i < RECEIVES; i++) {
            tested.postReceive();
        }
        for (String step : scenario.split(" ")) {
            if (step.equals("+")) {
                tested.postReceive();
            } else {
                assertEquals(Message.NO_REPLY, tested.deliver(step).reply);
            }
        }
    }

    private void run(String scenario, int firstPsn) {
        run(scenario, firstPsn, Access.REMOTE_WRITE, Access.REMOTE_WRITE, Access.LOCAL_WRITE, false);
    }

    /** G3, G4, G6, G8, G11: the columns are the messages, the receive completions, the drops, and the bytes written. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            O,        1,      '',                0
            L,        1,      '',                0
            I,        1,      '',                0
            O L,      1 2,    '',                0
            O O O,    1 2,    NO_RECEIVE,        0
            O O O O,  1 2,    NO_RECEIVE*2,      0
            O O O + O, 1 2 3, NO_RECEIVE,        0
            O+5,      1,      '',                0
            O O-1,    1 2,    '',                0
            L-2,      1,      '',                0
            G,        '',     NO_RECEIVE,        0
            G O,      1,      NO_RECEIVE,        0
            m,        '',     INVALID_REQUEST,   0
            n,        '',     INVALID_REQUEST,   0
            m O,      1,      INVALID_REQUEST,   0
            o,        '',     '',                20
            l,        '',     '',                522
            z,        '',     '',                0
            i,        1,      '',                522
            j,        1,      '',                20
            O O i,    1 2,    NO_RECEIVE,        522
            O O i + O, 1 2 3, NO_RECEIVE,        522
            """)
    void aMessageIsReceivedIfThereIsAReceiveRequestThatHoldsIt(String scenario, String completions, String drops,
            int written) {
        for (int first : new int[] {7, Psns.MASK - 1}) {
            run(scenario, first);
            assertEquals(completions, tested.pair.receiveCompletions());
            assertEquals(drops, tested.pair.counters());
            assertEquals(written, tested.written());
            assertEquals(QpState.RTS, tested.pair.state());
        }
    }

    /** G6: the PSN after the latest message is expected next. The columns are the messages and that PSN. */
    @ParameterizedTest
    @CsvSource({"O, 1", "L, 3", "O L, 4", "O+5, 6", "O O-1, 1", "L L-3 O, 4", "m, 2", "G, 5"})
    void theExpectedPsnFollowsEachMessage(String scenario, int expected) {
        for (int first : new int[] {7, Psns.MASK - 1}) {
            run(scenario, first);
            assertEquals(expected, Psns.difference(tested.expectedPsn(), first));
        }
    }

    /** G8: a receive request of a shared receive queue that is too short completes in error. */
    @ParameterizedTest
    @CsvSource({"G, 1:LOC_LEN_ERR, NO_RECEIVE", "G O, 1:LOC_LEN_ERR 2, NO_RECEIVE", "O G, 1 2:LOC_LEN_ERR, NO_RECEIVE",
        "G G O, 1:LOC_LEN_ERR 2:LOC_LEN_ERR, NO_RECEIVE*3"})
    void aRequestOfASharedReceiveQueueThatIsTooShortIsConsumed(String scenario, String completions, String drops) {
        run(scenario, 7, Access.REMOTE_WRITE, Access.REMOTE_WRITE, Access.LOCAL_WRITE, true);
        assertEquals(completions, tested.pair.receiveCompletions());
        assertEquals(drops, tested.pair.counters());
        assertEquals(QpState.RTS, tested.pair.state());
    }

    /** G7: the columns are the messages, the access flags of the queue pair and of the region, and the effects. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            o, 0, 2, '', REMOTE_ACCESS, 0
            o, 2, 0, '', REMOTE_ACCESS, 0
            i, 2, 0, '', REMOTE_ACCESS, 0
            z, 2, 0, '', '',            0
            z, 0, 2, '', REMOTE_ACCESS, 0
            O, 0, 0, 1,  '',            0
            """)
    void aWriteWithoutTheRightIsDropped(String message, int access, int regionAccess, String completions, String drops,
            int written) {
        run(message, 7, access, regionAccess, Access.LOCAL_WRITE, false);
        assertEquals(completions, tested.pair.receiveCompletions());
        assertEquals(drops, tested.pair.counters());
        assertEquals(written, tested.written());
        assertEquals(QpState.RTS, tested.pair.state());
    }

    /** G9: receive memory that may not be written fails the receiver. */
    @ParameterizedTest
    @CsvSource({"O, 1:LOC_PROT_ERR 2:WR_FLUSH_ERR, ERR", "i, 1, RTS", "o, '', RTS"})
    void receiveMemoryMustBeWritable(String message, String completions, QpState state) {
        run(message, 7, Access.REMOTE_WRITE, Access.REMOTE_WRITE, 0, false);
        assertEquals(completions, tested.pair.receiveCompletions());
        assertEquals(state, tested.pair.state());
    }
}
