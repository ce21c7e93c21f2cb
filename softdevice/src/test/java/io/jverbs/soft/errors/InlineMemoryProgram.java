package io.jverbs.soft.errors;

import io.jverbs.CompletionQueue;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.WrOpcode;
import java.lang.foreign.Arena;

/**
 * A program in whose JVM there is not enough direct memory for the inline data of a send queue. It prints why posts
 * fail: a chain with an inline request, the inline request alone, and a post to the full queue.
 */
final class InlineMemoryProgram {
    /** The start of each line that the program prints. */
    static final String MARK = "> ";

    private static final int DEPTH = 1 << 14;
    private static final int INLINE = 1024;

    private InlineMemoryProgram() {}

    public static void main(String... arguments) {
        try (RdmaContext context = Verbs.open("soft")) {
            CompletionQueue cq = context.createCompletionQueue(16);
            QueuePair qp = context.allocatePd().createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq)
                    .maxSendWr(DEPTH).maxSendSge(1).maxInlineData(INLINE).build());
            qp.connect(qp.localInfo());
            SendWorkRequest inline = SendWorkRequest.create(1).wrId(2).opcode(WrOpcode.RDMA_WRITE)
                    .sge(0, Arena.ofAuto().allocate(8)).flags(SendFlags.INLINE);
            SendWorkRequest empty = SendWorkRequest.create(0).wrId(1).opcode(WrOpcode.RDMA_WRITE).flags(0);
            post(qp, empty.next(inline));
            print(empty.failed() == inline);
            post(qp, inline);
            empty.next(null);
            for (int i = 1; i < DEPTH; i++) {
                qp.postSend(empty);
            }
            post(qp, empty);
        }
    }

    private static void post(QueuePair qp, SendWorkRequest head) {
        try {
            qp.postSend(head);
            print("posted");
        } catch (VerbsException | OutOfMemoryError e) {
            print(e);
        }
    }

    /** Marks each line, because logging may write to the same stream. */
    private static void print(Object what) {
        System.out.println(MARK + what);
    }
}
