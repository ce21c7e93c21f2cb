package io.jverbs.soft.traffic;

import static io.jverbs.soft.traffic.Violation.unless;

import io.jverbs.QueuePair;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.soft.traffic.Step.Kind;

/**
 * A direction of a reliable connection: what is posted happens once, in order, or fails with the right status, and what follows is
 * flushed. The receiver's memory is what the requests make of it; of those that failed or were flushed nobody knows whether they
 * happened.
 */
final class ReliableFlow extends Flow {
    private static final int AREA = 8192;
    private static final int WORDS = 4;

    private final int area;
    private final int words;
    private final int rnrRetries;
    private ReliableFlow opposite;
    /** What the certain requests have made of the area and the words. */
    private final byte[] state = new byte[AREA];
    private final long[] values = new long[WORDS];
    /** All requests before this one are settled. */
    private int settled;
    private boolean failed;

    ReliableFlow(World world, int number, Side from, Side to, QueuePair sender, QueuePair receiver) {
        super(world, number, from, to, sender, receiver);
        area = to.allocate(AREA);
        words = to.allocate(WORDS * Long.BYTES);
        rnrRetries = world.script().terms().rnrRetries();
    }

    void opposite(ReliableFlow other) {
        opposite = other;
    }

    @Override
    boolean takes(Kind kind) {
        return true;
    }

    @Override
    int remote(Step.Post step, int length) {
        return step.kind().isAtomic()
                ? words + step.place() % WORDS * Long.BYTES
                : area + step.place() % (AREA - length);
    }

    /** Whether it can be refused by right. */
    private boolean isWrong(Operation operation) {
        return operation.is(Step.WRONG_KEY) && operation.kind != Kind.SEND && operation.length() != 0
                || isTooLong(operation);
    }

    private boolean isTooLong(Operation operation) {
        return operation.kind == Kind.SEND && operation.turn < receives.size()
                && operation.length() > receives.get(operation.turn).capacity();
    }

    /** Whether the receiving queue pair can be in error by right. */
    boolean mayHaveBrokenReceiver() {
        return world.isConcluding() || hasWrong() || opposite.failed;
    }

    private boolean hasWrong() {
        return posted.stream().anyMatch(this::isWrong);
    }

    boolean hasFailed() {
        return failed;
    }

    @Override
    void sent(Operation operation, WcStatus status) {
        unless(operation.index >= settled, "%s: %s completed twice or too late, with %s", this, operation, status);
        for (; settled < operation.index; settled++) {
            Operation silent = posted.get(settled);
            unless(!silent.is(Step.SIGNALED) && !failed, "%s: %s has no completion, but %s has: %s", this, silent,
                    operation, status);
            succeed(silent);
        }
        settled++;
        if (status == WcStatus.SUCCESS) {
            unless(!failed, "%s: %s succeeded behind a failure", this, operation);
            unless(operation.is(Step.SIGNALED), "%s: %s completed, though it is not signaled", this, operation);
            succeed(operation);
            return;
        }
        operation.status = status;
        if (failed) {
            unless(status == WcStatus.WR_FLUSH_ERR, "%s: %s behind a failure: %s", this, operation, status);
        } else {
            failed = true;
            fail(operation, status);
        }
    }

    private void fail(Operation operation, WcStatus status) {
        boolean right = switch (status) {
            case RETRY_EXC_ERR -> {
                long disturbed = world.disturbed(operation.postedAt);
                // that the receiver failed may be polled after this; one loss may be noticed twice, by a NAK and by the time
                world.later(() -> unless(
                        mayHaveBrokenReceiver() || 2 * disturbed > world.script().terms().retries(),
                        "%s: %s failed with %s, though only %d packets were disturbed", this, operation, status,
                        disturbed));
                yield true;
            }
            case RNR_RETRY_EXC_ERR -> rnrRetries != 7 && operation.kind.consumesReceive() && !operation.receiveWasThere;
            case REM_ACCESS_ERR -> operation.is(Step.WRONG_KEY);
            case REM_INV_REQ_ERR -> isTooLong(operation);
            case WR_FLUSH_ERR -> world.isConcluding() || opposite.hasWrong();
            default -> false;
        };
        unless(right, "%s: %s failed with %s", this, operation, status);
    }

    private void succeed(Operation operation) {
        operation.status = WcStatus.SUCCESS;
        unless(!isWrong(operation), "%s: %s succeeded, which it must not", this, operation);
        switch (operation.kind) {
            case WRITE, WRITE_IMM -> System.arraycopy(operation.content, 0, state, operation.remote - area,
                    operation.length());
            case READ -> checkRead(operation);
            case FETCH_ADD, COMPARE_SWAP -> {
                int word = (operation.remote - words) / Long.BYTES;
                unless(from.word(operation.local) == values[word], "%s: %s found %d, where there was %d", this,
                        operation,
                        from.word(operation.local), values[word]);
                values[word] = after(operation, values[word]);
                from.accept(operation.local, Long.BYTES);
            }
            case SEND -> {
                // what has arrived is judged there
            }
        }
    }

    private static long after(Operation atomic, long before) {
        if (atomic.kind == Kind.FETCH_ADD) {
            return before + atomic.compareAdd;
        }
        return before == atomic.compareAdd ? atomic.swap : before;
    }

    /** A READ that was answered a second time may show what writes behind it have written, up to a fence. */
    private void checkRead(Operation read) {
        for (int i = 0; i < read.length(); i++) {
            int at = read.remote + i;
            byte found = from.at(read.local + i);
            unless(found == state[at - area] || isWrittenFrom(read.index + 1, at, found, true),
                    "%s: %s found %d in byte %d, where there was %d", this, read, found, i, state[at - area]);
        }
        from.accept(read.local, read.length());
    }

    private boolean isWrittenFrom(int first, int at, byte value, boolean untilFence) {
        for (Operation later : posted.subList(first, posted.size())) {
            if (untilFence && later.is(Step.FENCE)) {
                return false;
            }
            if (later.writes(at) == (value & 0xFF)) {
                return true;
            }
        }
        return false;
    }

    @Override
    void arrived(Posted into, WcStatus status, WorkCompletions completions, int which) {
        int turn = received - 1;
        if (status == WcStatus.WR_FLUSH_ERR) {
            unless(mayHaveBrokenReceiver(), "%s: receive request %d was flushed", this, turn);
            acceptUnfilled(into);
            return;
        }
        unless(turn < consuming.size(), "%s: receive request %d completed with %s, but so much was not sent", this,
                turn,
                status);
        Operation operation = consuming.get(turn);
        if (status == WcStatus.LOC_LEN_ERR) {
            unless(isTooLong(operation), "%s: %s should fit", this, operation);
            acceptUnfilled(into);
            return;
        }
        unless(status == WcStatus.SUCCESS, "%s: %s arrived with %s", this, operation, status);
        unless(!isWrong(operation), "%s: %s arrived, which it must not", this, operation);
        checkMessage(operation, into, completions, which);
        for (int at = operation.remote; operation.kind == Kind.WRITE_IMM
                && at < operation.remote + operation.length(); at++) {
            byte found = to.at(at);
            unless(operation.writes(at) == (found & 0xFF) || isWrittenFrom(operation.index + 1, at, found, false),
                    "%s: %s arrived before its data", this, operation);
        }
    }

    @Override
    boolean isOwed() {
        return settled < posted.size();
    }

    @Override
    void conclude() {
        unless(!isOwed(), "%s: of %d requests only %d are settled", this, posted.size(), settled);
        for (Operation operation : posted) {
            unless(!operation.succeeded() || !operation.kind.consumesReceive() || operation.deliveries == 1,
                    "%s: %s succeeded, but arrived %d times", this, operation, operation.deliveries);
            if (!operation.succeeded() && (operation.kind == Kind.READ || operation.kind.isAtomic())) {
                from.accept(operation.local, operation.length());
            }
        }
        int uncertain = 0;
        while (uncertain < posted.size() && posted.get(uncertain).succeeded()) {
            uncertain++;
        }
        for (int at = area; at < area + AREA; at++) {
            byte found = to.at(at);
            unless(found == state[at - area] || isWrittenFrom(uncertain, at, found, false),
                    "%s: byte %d of the area is %d, where the model has %d", this, at - area, found, state[at - area]);
        }
        for (int word = 0; word < WORDS; word++) {
            checkWord(word, uncertain);
        }
        to.accept(area, AREA);
        to.accept(words, WORDS * Long.BYTES);
    }

    private void checkWord(int word, int uncertain) {
        long found = to.word(words + word * Long.BYTES);
        long value = values[word];
        boolean known = found == value;
        for (Operation operation : posted.subList(uncertain, posted.size())) {
            if (operation.kind.isAtomic() && operation.remote == words + word * Long.BYTES
                    && !operation.is(Step.WRONG_KEY)) {
                value = after(operation, value);
                known |= found == value;
            }
        }
        unless(known, "%s: word %d is %d, where the model has %d", this, word, found, values[word]);
    }
}
