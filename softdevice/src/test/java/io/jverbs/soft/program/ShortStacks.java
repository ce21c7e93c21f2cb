package io.jverbs.soft.program;

import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.soft.PairOfQueuePairs;
import java.time.Duration;

/**
 * Calls verbs near the end of a thread's stack, at each depth from the stack overflow back to where the verbs succeed.
 * Checks that each post either fails or completes, and that another thread can use the queue pairs afterwards.
 * Arguments: the number of rounds, and the paths: jvm, udp, simulated. Prints the deviations, then a line with the
 * numbers of calls.
 */
public final class ShortStacks {
    private static final long DEADLINE_NANOS = Duration.ofSeconds(20).toNanos();

    private final PairOfQueuePairs pair;
    private final StackDescent descent = new StackDescent(1);
    private final WorkCompletions completions = WorkCompletions.create(4);
    private final SendWorkRequest[] requests;
    private final ReceiveWorkRequest receive;
    private int posted;
    private int received;
    private int receivesPosted;
    private int completed;
    private String wrong = "";

    private ShortStacks(String left, String right) {
        pair = new PairOfQueuePairs(left, right, QpType.RC);
        receive = ReceiveWorkRequest.create(1).sge(pair.right.memory, 0, 64);
        requests = new SendWorkRequest[] {pair.request(8).opcode(WrOpcode.RDMA_WRITE),
            pair.request(64).opcode(WrOpcode.SEND), pair.request(64).opcode(WrOpcode.RDMA_READ),
            SendWorkRequest.create(1).sge(pair.left.memory, 0, 8).fetchAndAdd(pair.right.memory.address(),
                    pair.right.memory.rkey(), 1)};
        for (SendWorkRequest request : requests) {
            request.flags(SendFlags.SIGNALED);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        StringBuilder wrong = new StringBuilder();
        int calls = 0;
        int refusals = 0;
        for (int i = 1; i < arguments.length; i++) {
            ShortStacks stacks = switch (arguments[i]) {
                case "jvm" -> new ShortStacks("soft:soft0", "soft:soft1");
                case "udp" -> new ShortStacks("soft:127.0.7.1?fabric=wire", "soft:127.0.7.2?fabric=wire");
                case "simulated" -> new ShortStacks("soft:sim0?seed=5", "soft:sim1?seed=5");
                default -> throw new IllegalArgumentException(arguments[i]);
            };
            for (int round = 0; round < Integer.parseInt(arguments[0]); round++) {
                for (SendWorkRequest request : stacks.requests) {
                    stacks.run(request);
                }
            }
            wrong.append(stacks.wrong.isEmpty() ? "" : arguments[i] + ": " + stacks.wrong + System.lineSeparator());
            calls += stacks.posted + stacks.descent.refused();
            refusals += stacks.descent.refused();
            stacks.pair.close();
        }
        System.out.print(wrong);
        System.out.println(calls + " calls, " + refusals + " refused, " + (wrong.isEmpty() ? "0" : "some") + " wrong");
        System.exit(wrong.isEmpty() && refusals > 0 ? 0 : 1);
    }

    private void run(SendWorkRequest request) throws InterruptedException {
        if (!descent.run(() -> call(request))) {
            throw new IllegalStateException("the thread that posts does not end: a lock may be held");
        }
        // this thread has enough stack: no lock is held, and no completion is lost
        long deadline = System.nanoTime() + DEADLINE_NANOS;
        while (completed < posted && System.nanoTime() < deadline) {
            completed += pair.left.cq.poll(completions);
            received += pair.right.cq.poll(completions);
        }
        if (completed != posted || received > receivesPosted) {
            wrong += posted + " requests posted, " + completed + " completed, " + receivesPosted
                    + " receives posted, " + received + " completed; ";
        }
        if (pair.left.qp.state() != QpState.RTS || pair.right.qp.state() != QpState.RTS) {
            wrong += request + " left the queue pairs in " + pair.left.qp.state() + " and " + pair.right.qp.state()
                    + "; ";
            pair.reconnect();
            while (pair.left.cq.poll(completions) + pair.right.cq.poll(completions) != 0) {
                Thread.onSpinWait();
            }
            completed = posted;
        }
        if (pair.left.run(pair.request(8).opcode(WrOpcode.RDMA_WRITE)) != WcStatus.SUCCESS) {
            wrong += "a WRITE with enough stack failed; ";
        }
    }

    private void call(SendWorkRequest request) {
        completed += pair.left.cq.poll(completions);
        received += pair.right.cq.poll(completions);
        if (receivesPosted - received < 8 && pair.right.qp.tryPostReceive(receive) == 0) {
            receivesPosted++;
        }
        if (pair.left.qp.tryPostSend(request) == 0) {
            posted++;
        }
    }
}
