package io.jverbs.bench.datapath;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.spi.WcLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** The baseline does all that it claims to do. */
class HandWrittenMessagesTest {
    private static final int BYTES = 64;
    private static final long SENT = 7;
    private static final long RECEIVED = 8;

    private final HandWrittenPath regions = new HandWrittenPath(HandWrittenPath.FEW_REGIONS);
    private final HandWrittenMessages messages = new HandWrittenMessages(regions);
    private final MemorySegment source = Arena.ofAuto().allocate(BYTES);
    private final MemorySegment target = Arena.ofAuto().allocate(BYTES);
    private final int sourceKey = regions.register(1, source);
    private final int targetKey = regions.register(2, target);
    private final MemorySegment completion = WorkCompletions.create(1).memory();

    private MemorySegment send(int bytes, int key) {
        return SendWorkRequest.create(1).wrId(SENT).opcode(WrOpcode.SEND).sge(0, source.address(), bytes, key).memory();
    }

    private void receive(int bytes, int key) {
        messages.receive(ReceiveWorkRequest.create(1).wrId(RECEIVED).sge(0, target.address(), bytes, key).memory());
    }

    @Test
    void messagesArriveAndCompleteOnBothSidesInOrder() {
        for (int i = 1; i <= 1000; i++) {
            receive(BYTES, targetKey);
            receive(BYTES, targetKey);
            for (int j = 0; j < 2; j++) {
                source.set(JAVA_LONG, BYTES - Long.BYTES, 2L * i + j);
                messages.send(send(BYTES, sourceKey));
                assertEquals(2L * i + j, target.get(JAVA_LONG, BYTES - Long.BYTES));
                assertEquals(1, messages.pollReceived(completion, 1));
                assertEquals(RECEIVED, completion.get(JAVA_LONG, WcLayout.WR_ID));
                assertEquals(BYTES, completion.get(JAVA_INT, WcLayout.BYTE_LEN));
                assertEquals(1, messages.pollSent(completion, 1));
                assertEquals(SENT, completion.get(JAVA_LONG, WcLayout.WR_ID));
            }
            assertEquals(0, messages.pollReceived(completion, 1));
            assertEquals(0, messages.pollSent(completion, 1));
        }
    }

    @Test
    void aMessageNeedsAReceive() {
        assertThrows(IllegalStateException.class, () -> messages.send(send(BYTES, sourceKey)));
    }

    @Test
    void aMessageMustFitItsReceive() {
        receive(BYTES / 2, targetKey);
        assertThrows(IllegalStateException.class, () -> messages.send(send(BYTES, sourceKey)));
    }

    @Test
    void theSendersKeyIsChecked() {
        receive(BYTES, targetKey);
        assertThrows(IllegalArgumentException.class, () -> messages.send(send(BYTES, sourceKey + 1)));
    }

    @Test
    void theReceiversKeyIsChecked() {
        receive(BYTES, targetKey + 1);
        assertThrows(IllegalArgumentException.class, () -> messages.send(send(BYTES, sourceKey)));
    }
}
