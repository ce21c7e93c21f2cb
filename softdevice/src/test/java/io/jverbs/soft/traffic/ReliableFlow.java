package io.jverbs.soft.traffic;

import static io.jverbs.soft.traffic.Violation.unless;

import io.jverbs.Access;
import io.jverbs.MemoryWindow;
import io.jverbs.MwBind;
import io.jverbs.MwType;
import io.jverbs.QueuePair;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.soft.traffic.Step.Kind;
import java.time.Duration;
import java.util.Arrays;

/**
 * A direction of a reliable connection: what is posted happens once, in order, or fails with the right status, and what follows is
 * flushed. The receiver's memory is what the requests make of it; of those that failed or were flushed nobody knows whether they
 * happened, but that none has from the first on which the receiver must refuse, or which cannot be sent.
 */
final class ReliableFlow extends Flow {
    private static final int WORDS = 4;
    private static final int UNLIMITED_RNR = 7;
    private static final int WINDOWS = 2;
    private static final int WINDOW_ACCESS = Access.REMOTE_WRITE | Access.REMOTE_READ;

    private final int areaBytes;
    private final int area;
    private final int words;
    private final int rnrRetries;
    /** Keys of windows over the area, and which of them are invalidated. */
    private final int[] windows = new int[WINDOWS];
    private final boolean[] gone = new boolean[WINDOWS];
    private ReliableFlow opposite;
    /** What the certain requests have made of the area and the words. */
    private final byte[] state;
    private final long[] values = new long[WORDS];
    /** All requests before this one are settled. */
    private int settled;
    private boolean failed;

    ReliableFlow(World world, int number, Side from, Side to, QueuePair sender, QueuePair receiver) {
        super(world, number, from, to, sender, receiver);
        areaBytes = 2 * world.script().terms().mostBytes();
        area = to.allocate(areaBytes);
        words = to.allocate(WORDS * Long.BYTES);
        state = new byte[areaBytes];
        rnrRetries = world.script().terms().rnrRetries();
        for (int i = 0; i < WINDOWS; i++) {
            MemoryWindow window = to.pd.allocateMemoryWindow(MwType.TYPE_2);
            windows[i] = MemoryWindow.incrementRkey(window.rkey());
            receiver.postSend(SendWorkRequest.create(1).opcode(WrOpcode.BIND_MW).bind(window, windows[i],
                    new MwBind(to.region, to.region.address() + area, areaBytes, WINDOW_ACCESS)));
        }
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
                : area + step.place() % (areaBytes - length);
    }

    @Override
    void useWindow(Operation operation, Step.Post step) {
        if (step.kind().isAtomic() || !operation.is(Step.WINDOW)) {
            return;
        }
        operation.window = step.place() % WINDOWS;
        operation.windowGone = gone[operation.window];
        gone[operation.window] |= operation.invalidates() && !operation.is(Step.WRONG_KEY);
    }

    @Override
    int rkey(Operation operation) {
        return operation.window < 0 ? super.rkey(operation) : windows[operation.window];
    }

    /** Whether the receiver must refuse it, once it comes there. */
    private boolean isRefused(Operation operation) {
        return !operation.staysHere()
                && (operation.lacksRight() || isTooLong(operation) || operation.invalidatesNothing());
    }

    /** Whether its answer may be due when its window is gone already, as nothing behind it waits for that: a READ without a fence. */
    private boolean mayComeTooLate(Operation operation) {
        if (operation.kind != Kind.READ || operation.window < 0) {
            return false;
        }
        for (Operation later : posted.subList(operation.index + 1, posted.size())) {
            if (later.is(Step.FENCE)) {
                return false;
            }
            if (later.invalidates() && later.window == operation.window) {
                return true;
            }
        }
        return false;
    }

    private boolean isTooLong(Operation operation) {
        return operation.kind == Kind.SEND && operation.turn < receives.size()
                && operation.length() > receives.get(operation.turn).capacity();
    }

    /** The first request of which nothing may happen, nor of any behind it. */
    private int barrier() {
        int first = 0;
        while (first < posted.size() && !isRefused(posted.get(first)) && !posted.get(first).staysHere()) {
            first++;
        }
        return first;
    }

    /** Whether the receiving queue pair can be in error by right. */
    boolean mayHaveBrokenReceiver() {
        return world.isConcluding() || hasRefused() || opposite.failed;
    }

    private boolean hasRefused() {
        return posted.stream().anyMatch(each -> isRefused(each) || mayComeTooLate(each));
    }

    boolean hasFailed() {
        return failed;
    }

    /** Whether nothing has failed in either direction, or will for what was posted. */
    boolean isSound() {
        return !failed && !mayHaveBrokenReceiver() && !opposite.hasRefused();
    }

    /** Whether a request that needs a receive request has none, for good unless there are new ones. */
    boolean isStarving() {
        return rnrRetries != UNLIMITED_RNR && consuming.size() > receives.size();
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
                yield !operation.staysHere();
            }
            case RNR_RETRY_EXC_ERR -> {
                checkPatience(operation);
                yield rnrRetries != UNLIMITED_RNR && operation.kind.consumesReceive() && !operation.receiveWasThere;
            }
            case REM_ACCESS_ERR -> operation.lacksRight() && isRefused(operation) || mayComeTooLate(operation);
            case REM_INV_REQ_ERR -> isTooLong(operation) && isRefused(operation);
            case LOC_PROT_ERR -> operation.lacksMemory() && !isRefused(operation);
            case WR_FLUSH_ERR -> world.isConcluding() || opposite.hasRefused();
            default -> false;
        };
        unless(right, "%s: %s failed with %s", this, operation, status);
    }

    /** The receiver was asked as often as was agreed, and given its time. */
    private void checkPatience(Operation operation) {
        Trail trail = world.trail();
        if (trail.isComplete()) {
            int times = trail.sendings(receiver, operation.consumingPsn()).size();
            boolean alone = !world.isFaulty() && consuming.subList(0, operation.turn).stream()
                    .allMatch(before -> before.receiveWasThere);
            // behind another that waited for the receiver it was sent in vain
            unless(alone ? times == rnrRetries + 1 : times > rnrRetries || world.mayDuplicate(),
                    "%s: %s gave up on the receiver when it was sent %d times", this, operation, times);
        }
        Duration time = world.now().minus(operation.postedAt);
        unless(time.compareTo(world.script().terms().rnrWait().multipliedBy(rnrRetries)) >= 0,
                "%s: %s gave up on the receiver after %s", this, operation, time);
    }

    private void succeed(Operation operation) {
        operation.status = WcStatus.SUCCESS;
        unless(!isRefused(operation) && !operation.lacksMemory(), "%s: %s succeeded, which it must not", this,
                operation);
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
        int first = read.remote - area;
        byte[] model = Arrays.copyOfRange(state, first, first + read.length());
        for (int i = from.differs(read.local, model, 0); i >= 0; i = from.differs(read.local, model, i + 1)) {
            byte found = from.at(read.local + i);
            unless(isWrittenBetween(read.index + 1, posted.size(), read.remote + i, found, true),
                    "%s: %s found %d in byte %d, where there was %d", this, read, found, i, model[i]);
        }
        from.accept(read.local, read.length());
    }

    private boolean isWrittenBetween(int first, int end, int at, byte value, boolean untilFence) {
        for (int i = first; i < end; i++) {
            Operation later = posted.get(i);
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
            acceptPart(into, 0, operation -> operation.turn == turn && !operation.staysHere());
            return;
        }
        unless(turn < consuming.size(), "%s: receive request %d completed with %s, but so much was not sent", this,
                turn,
                status);
        Operation operation = consuming.get(turn);
        if (status == WcStatus.LOC_LEN_ERR) {
            unless(isTooLong(operation) && !operation.staysHere(), "%s: %s should fit", this, operation);
            acceptPart(into, 0, each -> each == operation);
            return;
        }
        if (status == WcStatus.MW_BIND_ERR) {
            unless(operation.invalidatesNothing() && !operation.staysHere(), "%s: %s has a window to invalidate", this,
                    operation);
            acceptPart(into, 0, each -> each == operation);
            return;
        }
        unless(status == WcStatus.SUCCESS, "%s: %s arrived with %s", this, operation, status);
        checkMessage(operation, into, completions, which);
        if (operation.kind == Kind.WRITE_IMM) {
            byte[] content = operation.content;
            for (int i = to.differs(operation.remote, content, 0); i >= 0; i = to.differs(operation.remote, content,
                    i + 1)) {
                int at = operation.remote + i;
                unless(isWrittenBetween(operation.index + 1, posted.size(), at, to.at(at), false),
                        "%s: %s arrived before its data", this, operation);
            }
        }
    }

    @Override
    boolean isOwed() {
        return settled < posted.size();
    }

    @Override
    void conclude() {
        unless(!isOwed(), "%s: of %d requests only %d are settled", this, posted.size(), settled);
        int barrier = barrier();
        for (Operation operation : posted) {
            unless(!operation.succeeded() || !operation.kind.consumesReceive() || operation.deliveries == 1,
                    "%s: %s succeeded, but arrived %d times", this, operation, operation.deliveries);
            unless(operation.deliveries == 0 || operation.index < barrier,
                    "%s: %s arrived, where %s ends all", this, operation,
                    posted.get(Math.min(barrier, operation.index)));
            if (!operation.succeeded() && operation.gets() && !operation.lacksMemory()) {
                from.accept(operation.local, operation.length());
            }
        }
        int uncertain = 0;
        while (uncertain < posted.size() && posted.get(uncertain).succeeded()) {
            uncertain++;
        }
        for (int i = to.differs(area, state, 0); i >= 0; i = to.differs(area, state, i + 1)) {
            byte found = to.at(area + i);
            unless(isWrittenBetween(uncertain, barrier, area + i, found, false),
                    "%s: byte %d of the area is %d, where the model has %d", this, i, found, state[i]);
        }
        for (int word = 0; word < WORDS; word++) {
            checkWord(word, uncertain, barrier);
        }
        to.accept(area, areaBytes);
        to.accept(words, WORDS * Long.BYTES);
    }

    private void checkWord(int word, int uncertain, int barrier) {
        long found = to.word(words + word * Long.BYTES);
        long value = values[word];
        boolean known = found == value;
        for (int i = uncertain; i < barrier; i++) {
            Operation operation = posted.get(i);
            if (operation.kind.isAtomic() && operation.remote == words + word * Long.BYTES) {
                value = after(operation, value);
                known |= found == value;
            }
        }
        unless(known, "%s: word %d is %d, where the model has %d", this, word, found, values[word]);
    }
}
