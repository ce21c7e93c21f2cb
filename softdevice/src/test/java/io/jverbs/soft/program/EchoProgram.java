package io.jverbs.soft.program;

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
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import java.lang.foreign.ValueLayout;

/** Sends a value from one queue pair to another and prints it. The program does not mention the software device. */
public final class EchoProgram {
    private static final long WORD = 0x1122334455667788L;

    private EchoProgram() {}

    /**
     * Runs the program.
     *
     * @param arguments ignored
     */
    public static void main(String[] arguments) {
        try (RdmaContext context = Verbs.open()) {
            ProtectionDomain pd = context.allocatePd();
            CompletionQueue cq = context.createCompletionQueue(8);
            QpInitAttributes init = QpInitAttributes.builder(QpType.RC).cq(cq).build();
            QueuePair sender = pd.createQueuePair(init);
            QueuePair receiver = pd.createQueuePair(init);
            sender.connect(receiver.localInfo());
            receiver.connect(sender.localInfo());
            MemoryRegion region = pd.allocate(2 * Long.BYTES, Access.LOCAL_WRITE);
            region.segment().set(ValueLayout.JAVA_LONG, 0, WORD);
            receiver.postReceive(ReceiveWorkRequest.create(1).sge(region, Long.BYTES, Long.BYTES));
            sender.postSend(SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED).sge(region, 0,
                    Long.BYTES));
            WorkCompletions completions = WorkCompletions.create(8);
            int seen = 0;
            while (seen < 2) {
                seen += cq.poll(completions);
            }
            System.out.println(context.device() + " " + Long.toHexString(region.segment().get(ValueLayout.JAVA_LONG,
                    Long.BYTES)));
        }
    }
}
