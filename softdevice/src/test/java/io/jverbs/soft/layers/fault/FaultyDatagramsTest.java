package io.jverbs.soft.layers.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.AddressHandle;
import io.jverbs.QpState;
import io.jverbs.QueuePair;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcOpcode;
import io.jverbs.WcStatus;
import io.jverbs.fault.FaultRule;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks faults of UD queue pairs that share one completion queue for sends and receives. */
final class FaultyDatagramsTest extends FaultyPair {
    private static final int QKEY = 0x11;

    private QueuePair from;
    private QueuePair to;
    private AddressHandle handle;

    private void connect(FaultRule... rules) {
        open(rules);
        from = pair.datagramQueuePair(QKEY, 0);
        to = pair.datagramQueuePair(QKEY, 0);
        handle = pair.loopbackAddress();
    }

    private SendWorkRequest datagram(long wrId, int flags) {
        return pair.send(wrId).flags(flags).destination(handle, to.number(), QKEY);
    }

    private List<String> polled() {
        return pair.polled(pair.sendCq);
    }

    /** Catalogue D27 to D29. */
    @Test
    void aFailedSendFlushesBothQueuesIntoTheSharedCompletionQueueAfterItsDatagramArrived() {
        connect(FaultRule.failCompletion(WcStatus.GENERAL_ERR).opcode(WcOpcode.SEND).nth(1));
        from.postReceive(pair.receive(11).next(pair.receive(12)));
        to.postReceive(pair.receive(21));
        from.postSend(datagram(1, SendFlags.SIGNALED).next(datagram(2, 0)));

        List<String> all = polled();

        assertEquals(List.of("21 SUCCESS"), all.stream().filter(each -> each.startsWith("21")).toList());
        assertEquals(List.of("1 GENERAL_ERR", "2 WR_FLUSH_ERR"),
                all.stream().filter(each -> each.startsWith("1 ") || each.startsWith("2 ")).toList());
        assertEquals(List.of("11 WR_FLUSH_ERR", "12 WR_FLUSH_ERR"),
                all.stream().filter(each -> each.startsWith("11") || each.startsWith("12")).toList());
        assertEquals(5, all.size(), all::toString);
        assertEquals(QpState.ERR, from.state());
        assertEquals(QpState.RTS, to.state());
    }

    @Test
    void aFailedReceiveDoesNotAffectTheSender() {
        connect(FaultRule.failCompletion(WcStatus.LOC_PROT_ERR).opcode(WcOpcode.RECV).nth(1));
        to.postReceive(pair.receive(21).next(pair.receive(22)));
        from.postSend(datagram(1, SendFlags.SIGNALED));

        assertEquals(List.of("1 SUCCESS", "21 LOC_PROT_ERR", "22 WR_FLUSH_ERR"), polled().stream().sorted().toList());
        assertEquals(QpState.ERR, to.state());
        assertEquals(QpState.RTS, from.state());
    }

    /** A completion queue keeps the order of send and receive completions. */
    @Test
    void aHeldReceiveHoldsLaterSendsOfTheSameCompletionQueue() {
        connect(FaultRule.hold().opcode(WcOpcode.RECV).nth(1));
        to.postReceive(pair.receive(21).next(pair.receive(22)));
        from.postSend(datagram(1, SendFlags.SIGNALED));
        from.postSend(datagram(2, SendFlags.SIGNALED));
        assertEquals(List.of(), polled());

        faults.release();

        assertEquals(List.of("21 SUCCESS", "1 SUCCESS", "22 SUCCESS", "2 SUCCESS"), polled());
    }

    /** Catalogue H7: a lost datagram is not reported, and the next one arrives. */
    @Test
    void aLostDatagramUsesNoReceiveAndItsSendSucceeds() {
        connect(FaultRule.losePacket().nth(1));
        to.postReceive(pair.receive(21));
        from.postSend(datagram(1, SendFlags.SIGNALED));
        assertEquals(List.of("1 SUCCESS"), polled());
        from.postSend(datagram(2, SendFlags.SIGNALED));
        assertEquals(List.of("2 SUCCESS", "21 SUCCESS"), polled().stream().sorted().toList());
    }
}
