package io.jverbs.soft.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.contract.fixture.CapturedLog;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A failure that cannot be logged has the same effects as one that is logged. */
final class FailureReportTest {
    private static final int BYTES = 64;

    @RegisterExtension
    final CapturedLog log = CapturedLog.of(FailureReport.class);

    @BeforeEach
    void failToLog() {
        log.failWith(new StackOverflowError("in the log"));
    }

    /** B17, D24: the receive request into memory that is gone fails, and those behind it are flushed. */
    @ParameterizedTest
    @ValueSource(strings = {"soft", "soft:sim0"})
    void theOtherRequestsAreFlushedIfTheLossOfMemoryCannotBeLogged(String device) {
        try (RdmaContext context = Verbs.open(device)) {
            ProtectionDomain pd = context.allocatePd();
            CompletionQueue cq = context.createCompletionQueue(8);
            CompletionQueue received = context.createCompletionQueue(8);
            QpInitAttributes init = QpInitAttributes.builder(QpType.RC).sendCq(cq).recvCq(received).build();
            QueuePair sender = pd.createQueuePair(init);
            QueuePair receiver = pd.createQueuePair(init);
            sender.connect(receiver.localInfo());
            receiver.connect(sender.localInfo());
            MemoryRegion valid = pd.allocate(BYTES, Access.LOCAL_WRITE);
            MemoryRegion closed;
            try (Arena arena = Arena.ofShared()) {
                closed = pd.registerMemory(arena.allocate(BYTES, Long.BYTES), Access.LOCAL_WRITE);
            }
            receiver.postReceive(ReceiveWorkRequest.create(1).wrId(1).sge(closed, 0, BYTES));
            receiver.postReceive(ReceiveWorkRequest.create(1).wrId(2).sge(valid, 0, BYTES));

            sender.postSend(SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED)
                    .sge(valid, 0, BYTES));

            assertEquals(List.of(WcStatus.REM_OP_ERR), statuses(cq, 1));
            assertEquals(List.of(WcStatus.LOC_PROT_ERR, WcStatus.WR_FLUSH_ERR), statuses(received, 2));
        }
    }

    private static List<WcStatus> statuses(CompletionQueue cq, int count) {
        WorkCompletions completions = WorkCompletions.create(8);
        List<WcStatus> statuses = new ArrayList<>();
        long deadline = System.nanoTime() + 30_000_000_000L;
        while (statuses.size() < count && System.nanoTime() < deadline) {
            int polled = cq.poll(completions);
            for (int i = 0; i < polled; i++) {
                statuses.add(completions.status(i));
            }
        }
        return statuses;
    }
}
