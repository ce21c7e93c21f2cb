package io.jverbs.soft.management.communication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.soft.management.communication.CmHalf.Situation;
import io.jverbs.soft.management.message.CmMessage;
import io.jverbs.soft.management.message.CmMessageType;
import io.jverbs.soft.management.message.ConnectReject;
import io.jverbs.soft.management.message.PrivateData;
import io.jverbs.soft.management.message.RejectReason;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What one half of a connection does in each state for each message, call and time: all of them are enumerated. */
final class CmStateTableTest {
    /**
     * The outcomes by K26, K48, K56, K59, K63, K94, K95, K110 to K114, K116, K119, K120: input, states, next state
     * ({@code =} for the same), what is sent, what is told. A combination that is not listed changes, sends and tells
     * nothing, and a call is refused with EINVAL. A REQ or a DREQ in a state that does not know the peer's ID belongs
     * to no connection, and there is no listener.
     */
    private static final String TABLE = """
            REQ       | IDLE REQ_SENT MRA_REQ_RCVD         | =           | REJ 8 of REQ    |
            REQ       | MRA_REQ_SENT                       | =           | MRA             |
            REQ       | TIMEWAIT                           | =           | REJ 10 of REQ   |
            REP       | REQ_SENT MRA_REQ_RCVD              | REP_RCVD    |                 | ReplyReceived
            REP       | MRA_REP_SENT                       | =           | MRA             |
            REP       | ACTIVE_ESTABLISHED                 | =           | RTU             |
            MRA_REQ   | REQ_SENT                           | MRA_REQ_RCVD|                 |
            MRA_REP   | REP_SENT                           | MRA_REP_RCVD|                 |
            RTU       | REP_SENT MRA_REP_RCVD              | ESTABLISHED |                 | Established
            REJ       | REQ_SENT MRA_REQ_RCVD              | IDLE        |                 | Rejected
            REJ       | REQ_RCVD MRA_REQ_SENT              | IDLE        |                 | Rejected
            REJ       | REP_SENT MRA_REP_RCVD              | IDLE        |                 | Rejected
            REJ       | REP_RCVD MRA_REP_SENT              | TIMEWAIT    |                 | Rejected
            REJ       | ACTIVE_ESTABLISHED                 | TIMEWAIT    |                 | Rejected
            REJ       | PASSIVE_ESTABLISHED                | TIMEWAIT    |                 | Rejected
            REJ       | DREQ_SENT                          | TIMEWAIT    |                 | Rejected
            REJ_STALE | REQ_SENT MRA_REQ_RCVD              | TIMEWAIT    |                 | Rejected
            REJ_STALE | REQ_RCVD MRA_REQ_SENT              | TIMEWAIT    |                 | Rejected
            REJ_STALE | REP_SENT MRA_REP_RCVD              | TIMEWAIT    |                 | Rejected
            REJ_STALE | REP_RCVD MRA_REP_SENT              | TIMEWAIT    |                 | Rejected
            REJ_STALE | ACTIVE_ESTABLISHED                 | TIMEWAIT    |                 | Rejected
            REJ_STALE | PASSIVE_ESTABLISHED                | TIMEWAIT    |                 | Rejected
            REJ_STALE | DREQ_SENT                          | TIMEWAIT    |                 | Rejected
            DREQ      | IDLE REQ_SENT MRA_REQ_RCVD         | =           | DREP            |
            DREQ      | REP_SENT MRA_REP_RCVD              | DREQ_RCVD   |                 | DisconnectRequested
            DREQ      | ACTIVE_ESTABLISHED                 | DREQ_RCVD   |                 | DisconnectRequested
            DREQ      | PASSIVE_ESTABLISHED                | DREQ_RCVD   |                 | DisconnectRequested
            DREQ      | DREQ_SENT                          | DREQ_RCVD   |                 | DisconnectRequested
            DREQ      | TIMEWAIT                           | =           | DREP            |
            DREP      | DREQ_SENT DREQ_RCVD                | TIMEWAIT    |                 | Disconnected
            accept    | REQ_RCVD MRA_REQ_SENT              | REP_SENT    | REP             |
            establish | REP_RCVD MRA_REP_SENT              | ESTABLISHED | RTU             |
            reject    | REQ_SENT MRA_REQ_RCVD              | IDLE        | REJ 28 of OTHER |
            reject    | REQ_RCVD MRA_REQ_SENT              | IDLE        | REJ 28 of REQ   |
            reject    | REP_SENT MRA_REP_RCVD              | TIMEWAIT    | REJ 28 of OTHER |
            reject    | REP_RCVD MRA_REP_SENT              | IDLE        | REJ 28 of REP   |
            disconnect| ACTIVE_ESTABLISHED                 | DREQ_SENT   | DREQ            |
            disconnect| PASSIVE_ESTABLISHED                | DREQ_SENT   | DREQ            |
            disconnect| DREQ_RCVD                          | TIMEWAIT    | DREP            |
            COMM_EST  | REP_SENT MRA_REP_RCVD              | ESTABLISHED |                 | Established
            more_time | REQ_RCVD                           | MRA_REQ_SENT|                 |
            more_time | REP_RCVD                           | MRA_REP_SENT|                 |
            destroy   | REQ_SENT MRA_REQ_RCVD              | IDLE        | REJ 4 of OTHER  |
            destroy   | REQ_RCVD MRA_REQ_SENT              | IDLE        | REJ 28 of REQ   |
            destroy   | REP_SENT MRA_REP_RCVD              | TIMEWAIT    | REJ 28 of OTHER |
            destroy   | REP_RCVD MRA_REP_SENT              | IDLE        | REJ 28 of REP   |
            destroy   | ACTIVE_ESTABLISHED                 | TIMEWAIT    | DREQ            |
            destroy   | PASSIVE_ESTABLISHED                | TIMEWAIT    | DREQ            |
            destroy   | DREQ_SENT                          | TIMEWAIT    |                 |
            destroy   | DREQ_RCVD                          | TIMEWAIT    | DREP            |
            time      | REQ_SENT MRA_REQ_RCVD              | IDLE        | 15 REQ          | Unreachable
            time      | REP_SENT MRA_REP_RCVD              | IDLE        | 15 REP          | Unreachable
            time      | DREQ_SENT                          | TIMEWAIT    | 15 DREQ         | Disconnected
            time      | TIMEWAIT                           | IDLE        |                 | TimewaitExited
            """;
    /** Longer than 16 times the longest interval, that after an MRA, 65536 + 2048 ms. */
    private static final int SECONDS = 1200;
    private static final Map<String, Consumer<CmHalf>> MESSAGES = Map.of(
            "REQ", CmHalf::receiveReq,
            "REP", CmHalf::receiveRep,
            "MRA_REQ", half -> half.receiveMra(CmMessageType.REQ),
            "MRA_REP", half -> half.receiveMra(CmMessageType.REP),
            "RTU", CmHalf::receiveRtu,
            "REJ", half -> half.receiveRej(false),
            "REJ_STALE", half -> half.receiveRej(true),
            "DREQ", CmHalf::receiveDreq,
            "DREP", CmHalf::receiveDrep,
            "time", half -> half.awaitNotice(SECONDS));
    /** The calls that are refused in some states. */
    private static final Map<String, Consumer<CmHalf>> CALLS = Map.of(
            "accept", CmHalf::accept,
            "establish", half -> half.agent.run(() -> half.connection.readyToUse(PrivateData.NONE)),
            "reject", half -> half.agent.run(() -> half.connection.reject(RejectReason.CONSUMER_DEFINED,
                    PrivateData.NONE, PrivateData.NONE)),
            "disconnect", CmHalf::disconnect);
    /** The calls that no state refuses. */
    private static final Map<String, Consumer<CmHalf>> CALLS_IN_EACH_STATE = Map.of(
            "COMM_EST", half -> half.agent.run(half.connection::communicationEstablished),
            "more_time", half -> half.agent.run(half.connection::prepareReceiptAck),
            "destroy", half -> half.agent.run(half.connection::destroy));

    private record Outcome(CmState next, String sent, String told) {
        static Outcome nothing(Situation situation) {
            return new Outcome(situation.state(), "", "");
        }
    }

    /** Returns the outcomes that the table lists for an input. */
    private static Map<Situation, Outcome> outcomes(String input) {
        Map<Situation, Outcome> all = new EnumMap<>(Situation.class);
        TABLE.lines().map(line -> Arrays.stream(line.split("\\|", -1)).map(String::strip).toList())
                .filter(row -> row.getFirst().equals(input))
                .forEach(row -> Arrays.stream(row.get(1).split(" ")).map(Situation::valueOf).forEach(situation -> {
                    CmState next = row.get(2).equals("=") ? situation.state() : CmState.valueOf(row.get(2));
                    all.put(situation, new Outcome(next, row.get(3), row.size() > 4 ? row.get(4) : ""));
                }));
        return all;
    }

    private static Map<String, Consumer<CmHalf>> inputs() {
        Map<String, Consumer<CmHalf>> all = new HashMap<>(MESSAGES);
        all.putAll(CALLS);
        all.putAll(CALLS_IN_EACH_STATE);
        return all;
    }

    static Stream<Arguments> combinations() {
        return inputs().keySet().stream().sorted()
                .flatMap(input -> Arrays.stream(Situation.values()).map(each -> Arguments.of(input, each)));
    }

    private static String text(CmMessage message) {
        String name = message.attribute().name();
        return message instanceof ConnectReject reject
                ? name + " " + reject.reason() + " of " + reject.rejected()
                : name;
    }

    /** Names the messages; several equal ones by their number and name. */
    private static String text(List<CmMessage> messages) {
        Map<String, Long> counts = messages.stream()
                .collect(Collectors.groupingBy(CmStateTableTest::text, Collectors.counting()));
        return counts.entrySet().stream().map(each -> (each.getValue() == 1 ? "" : each.getValue() + " ")
                + each.getKey()).sorted().collect(Collectors.joining(", "));
    }

    @ParameterizedTest
    @MethodSource("combinations")
    void eachInputHasItsOutcomeInEachState(String input, Situation situation) {
        CmHalf half = CmHalf.in(situation);
        Consumer<CmHalf> action = inputs().get(input);
        Outcome expected = outcomes(input).getOrDefault(situation, Outcome.nothing(situation));
        if (CALLS.containsKey(input) && !outcomes(input).containsKey(situation)) {
            VerbsException refusal = assertThrows(VerbsException.class, () -> action.accept(half));
            assertEquals(Errno.EINVAL, refusal.error());
            assertTrue(refusal.getMessage().contains("state " + situation.state()), refusal.getMessage());
        } else {
            action.accept(half);
        }
        String told = half.notices.stream().map(each -> each.getClass().getSimpleName())
                .collect(Collectors.joining(", "));
        assertEquals(expected, new Outcome(half.connection.state(), text(half.sent), told));
    }

    @Test
    void theTableNamesOnlyInputsThatAreTested() {
        Set<String> named = TABLE.lines().map(line -> line.split("\\|")[0].strip()).collect(Collectors.toSet());
        assertEquals(inputs().keySet(), named);
    }

    /** K59, K121: nothing is told, TIMEWAIT ends as it does for others, and then nothing is left. */
    @ParameterizedTest
    @EnumSource(value = Situation.class, names = "IDLE", mode = EnumSource.Mode.EXCLUDE)
    void aDestroyedConnectionIsToldNothingAndIsForgottenAfterTimewait(Situation situation) {
        CmHalf half = CmHalf.in(situation);
        half.agent.run(half.connection::destroy);
        half.sent.clear();
        boolean isInTimewait = half.connection.state() == CmState.TIMEWAIT;
        half.receiveReq();
        assertEquals(isInTimewait ? "REJ 10 of REQ" : "REJ 8 of REQ", text(half.sent));
        half.sent.clear();
        half.clock.runAll();
        assertEquals("", text(half.sent));
        assertEquals(List.of(), half.notices);
        assertEquals(0, half.agent.call(half.agent::size));
    }

    /** K59: the peer, which may not know this side's ID yet, finds the connection by the GUID. */
    @Test
    void theRejOfADestroyedConnectorHasTheGuidOfItsDevice() {
        CmHalf half = CmHalf.in(Situation.REQ_SENT);
        half.agent.run(half.connection::destroy);
        ConnectReject reject = (ConnectReject) half.sent.getLast();
        assertEquals(half.connection.localCommId(), reject.localCommId());
        assertEquals(PrivateData.of(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}), reject.additionalInfo());
    }

    /** K30, K120. */
    @Test
    void aDreqWithoutResponseIsToldAsATimeoutAndOneWithResponseIsNot() {
        CmHalf half = CmHalf.in(Situation.DREQ_SENT);
        half.awaitNotice(SECONDS);
        assertTrue(((CmNotice.Disconnected) half.notices.getLast()).timedOut());
        CmHalf other = CmHalf.in(Situation.DREQ_SENT);
        other.receiveDrep();
        assertEquals(new CmNotice.Disconnected(other.connection, false), other.notices.getLast());
    }
}
