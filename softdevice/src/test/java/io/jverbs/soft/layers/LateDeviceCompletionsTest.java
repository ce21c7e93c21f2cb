package io.jverbs.soft.layers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.SendFlags;
import io.jverbs.WcOpcode;
import io.jverbs.WcStatus;
import io.jverbs.fault.FaultInjection;
import io.jverbs.fault.FaultRule;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Catalogue C17, D27, D34 on a device whose completions are late: after fault injection has failed a queue pair, its
 * completions from the device are discarded. The device is the software device behind a second fault injection that
 * holds completions.
 */
final class LateDeviceCompletionsTest {
    private static final int SIGNALED = SendFlags.SIGNALED;

    private final FaultInjection device = FaultInjection.of(FaultRule.hold().nth(2));

    private LayeredPair flushedPair() {
        LayeredPair pair = new LayeredPair(device,
                FaultInjection.of(FaultRule.failCompletion(WcStatus.RETRY_EXC_ERR).nth(1)));
        pair.sender.postSend(pair.write(1, SIGNALED).next(pair.write(2, SIGNALED).next(pair.write(3, SIGNALED))));
        assertEquals(List.of("1 RETRY_EXC_ERR", "2 WR_FLUSH_ERR", "3 WR_FLUSH_ERR"), pair.polled(pair.sendCq));
        return pair;
    }

    @Test
    void aLateCompletionOfAFlushedRequestIsDiscarded() {
        try (LayeredPair pair = flushedPair()) {
            device.release();
            assertEquals(List.of(), pair.polled(pair.sendCq));
        }
    }

    @Test
    void aLateCompletionIsDiscardedAfterTheQueuePairWasDestroyed() {
        try (LayeredPair pair = flushedPair()) {
            device.release();
            pair.sender.close();
            assertEquals(List.of(), pair.polled(pair.sendCq));
        }
    }

    @Test
    void aLateCompletionIsNotAttributedToARequestPostedAfterReset() {
        try (LayeredPair pair = flushedPair()) {
            device.release();
            pair.reconnectSender(14, 7, 7);
            pair.sender.postSend(pair.write(4, SIGNALED));
            assertEquals(List.of("4 SUCCESS"), pair.polled(pair.sendCq));
        }
    }

    @Test
    void aLateCompletionOfAFlushedReceiveIsDiscarded() {
        FaultInjection late = FaultInjection.of(FaultRule.hold().opcode(WcOpcode.RECV).nth(1));
        try (LayeredPair pair = new LayeredPair(late,
                FaultInjection.of(FaultRule.failCompletion(WcStatus.RETRY_EXC_ERR).queuePairCreated(2).nth(1)))) {
            pair.receiver.postReceive(pair.receive(1).next(pair.receive(2)));
            pair.sender.postSend(pair.send(9));
            pair.receiver.postSend(pair.write(5, SIGNALED));
            assertEquals(List.of("9 SUCCESS", "5 RETRY_EXC_ERR"), pair.await(pair.sendCq, 2));
            assertEquals(List.of("1 WR_FLUSH_ERR", "2 WR_FLUSH_ERR"), pair.polled(pair.recvCq));
            late.release();
            assertEquals(List.of(), pair.polled(pair.recvCq));
        }
    }
}
