package io.jverbs.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.AsyncEventType;
import io.jverbs.Errno;
import io.jverbs.WcOpcode;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests fault rules and their text form, and the log of posted requests. */
final class FaultRuleTest {

    private static List<FaultRule> rules(String text) {
        return FaultInjection.parse(text).hits().stream().map(FaultInjection.Hits::rule).toList();
    }

    @Test
    void textIsParsedIntoRules() {
        assertEquals(List.of(
                FaultRule.failSend(Errno.ENOMEM).queuePairCreated(2).opcode(WrOpcode.SEND).nth(3),
                FaultRule.failCompletion(WcStatus.RETRY_EXC_ERR).queuePair(0x1234).opcode(WcOpcode.RDMA_READ).every(10)
                        .times(2),
                FaultRule.delay(Duration.ofMillis(5)).probability(0.25, 7),
                FaultRule.hold(),
                FaultRule.flush(),
                FaultRule.raiseEvent(AsyncEventType.PORT_ERR),
                FaultRule.losePacket().nth(4),
                FaultRule.failReceive(Errno.EINVAL),
                FaultRule.failRegistration(Errno.EACCES)),
                rules("post=ENOMEM,qp=#2,opcode=SEND,nth=3; complete=RETRY_EXC_ERR, qp=0x1234, opcode=RDMA_READ, "
                        + "every=10, times=2; delay=5ms,p=0.25,seed=7; hold; flush; event=PORT_ERR; lose,nth=4; "
                        + "recv=EINVAL; register=EACCES"));
        assertEquals(List.of(), rules("none"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"post=ENOMEM,qp=#2,opcode=SEND,nth=3,every=3,times=9,p=0.5,seed=12",
        "complete=LOC_LEN_ERR,qp=17,opcode=RECV", "delay=1500ns;hold,opcode=RDMA_WRITE",
        "delay=5ms;delay=2s;delay=7us;delay=1000000000000001ns;delay=4611686018427387903ns", "post=EIO,p=1.0,seed=7",
        "flush;event=CQ_ERR;lose",
        "none"})
    void printedRulesAreParsedBack(String text) {
        assertEquals(text, FaultInjection.parse(text).toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            post=ENOMEN                  | "post=ENOMEN" | the value must be one of EPERM
            post                         | "post" | the value must be one of EPERM
            explode                      | "explode" | unknown fault
            ''                           | "" | unknown fault
            hold;                        | "" | unknown fault
            hold=5                       | "hold=5" | takes no value
            complete=SUCCESS             | "complete=SUCCESS" | status SUCCESS is not a completion error
            complete=UNKNOWN             | "complete=UNKNOWN" | status UNKNOWN is not a completion error
            complete=SUCCES              | "complete=SUCCES" | the value must be one of LOC_LEN_ERR, LOC_QP_OP_ERR
            post=UNKNOWN                 | "post=UNKNOWN" | errno UNKNOWN has no number
            delay=5                      | "delay=5" | a whole number of ns, us, ms or s
            delay=0ms                    | "delay=0ms" | delay must be greater than 0 and at most 146 years, but is PT0S
            event=WQ_FATAL               | "event=WQ_FATAL" | cannot be raised
            hold,opcode=SENT             | "opcode=SENT" | the opcode must be one of SEND, RDMA_WRITE
            recv=EINVAL,opcode=SEND      | "opcode=SEND" | this fault cannot be limited to an opcode
            post=EIO,nth=0               | "nth=0" | nth must be 1 or more, but is 0
            post=EIO,nth=x               | "nth=x" | the value must be a number from 0
            post=EIO,every=0             | "every=0" | every must be 1 or more, but is 0
            post=EIO,times=-1            | "times=-1" | the value must be a number from 0
            post=EIO,p=0                 | "p=0" | must be greater than 0
            post=EIO,p=1.5               | "p=1.5" | at most 1
            post=EIO,p=half              | "p=half" | greater than 0 and at most 1
            post=EIO,qp=16777216         | "qp=16777216" | from 0 to 16777215
            post=EIO,qp=#0               | "qp=#0" | the first one is #1
            post=EIO,nth=1,nth=2         | "nth=2" | given twice
            post=EIO,when=now            | "when=now" | unknown condition
            register=ENOMEM,qp=5         | "qp=5" | a rule that fails registrations cannot be limited to a queue pair
            complete=RETRY_EXC_ERR,opcode=RECV | "opcode=RECV" | RECV cannot complete with RETRY_EXC_ERR
            complete=LOC_ACCESS_ERR,opcode=SEND | "opcode=SEND" | SEND cannot complete with LOC_ACCESS_ERR
            post=EIO,nth=3,every=2       | "every=2" | nth 3 is not a multiple of every 2
            post=EIO,every=2,nth=3       | "nth=3" | nth 3 is not a multiple of every 2
            post=EIO,seed=7              | "seed=7" | seed has no effect without p
            delay=9999999999999s         | "delay=9999999999999s" | at most 146 years
            delay=9999999999999999999ns  | "delay=9999999999999999999ns" | the value must be a number from 0 to
            """)
    void malformedTextIsRefusedNamingThePartAndTheGrammar(String text, String part, String reason) {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                () -> FaultInjection.parse(text));
        assertTrue(refused.getMessage().startsWith(part + " in fault rule")
                && refused.getMessage().contains(reason)
                && refused.getMessage().endsWith(FaultInjection.GRAMMAR + "; see docs/fault-injection.md"),
                refused::getMessage);
    }

    @ParameterizedTest
    @CsvSource({"complete=X, SUCCESS", "complete=X, UNKNOWN", "event=X, WQ_FATAL", "event=X, UNKNOWN",
        "post=X, UNKNOWN"})
    void valuesThatAFaultCannotHaveAreNotSuggested(String text, String impossible) {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                () -> FaultInjection.parse(text));
        assertFalse(refused.getMessage().contains(impossible), refused::getMessage);
    }

    @Test
    void anOpcodeOfTheWrongTypeIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> FaultRule.hold().opcode(WrOpcode.SEND));
        assertThrows(IllegalArgumentException.class, () -> FaultRule.failSend(Errno.EIO).opcode(WcOpcode.RECV));
        assertThrows(IllegalArgumentException.class, () -> FaultRule.losePacket().opcode(WrOpcode.SEND));
        assertThrows(IllegalArgumentException.class, () -> FaultRule.failSend(Errno.EIO).opcode(WrOpcode.UNKNOWN));
        assertThrows(IllegalArgumentException.class, () -> FaultRule.failSend(Errno.UNKNOWN));
    }

    @Test
    void requestLogKeepsItsOrderAndDropsTheOldestUnsignaledRequestsWhenFull() {
        RequestLog log = new RequestLog();
        for (int i = 0; i < 10; i++) {
            add(log, i, true, 1000);
        }
        for (int i = 0; i < 6; i++) {
            log.completed();
        }
        for (int i = 10; i < 40; i++) {
            add(log, i, true, 1000);
        }
        for (int i = 6; i < 40; i++) {
            assertEquals(i, log.takeOldest());
        }
        for (int i = 0; i < 100; i++) {
            add(log, i, false, 16);
        }
        assertEquals(16, log.size());
        assertEquals(84, log.takeOldest());
    }

    private static void add(RequestLog log, long wrId, boolean completes, int capacity) {
        log.prepare(0, wrId, completes);
        log.add(1, capacity);
    }
}
