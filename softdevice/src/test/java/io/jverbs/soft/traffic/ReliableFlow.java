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
 * One direction of a reliable connection. Each request is executed once, in order, or fails with the right status, and
 * later requests are flushed. The receiver's memory is the result of the executed requests. It is unknown whether a
 * request that failed or was flushed was executed, but none is from the first on that the receiver must reject or that
 * cannot be sent.
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
    /** The rkeys of memory windows over the area, and which of them are invalidated. */
    private final int[] windows = new int[WINDOWS];
    private final boolean[] invalidated = new boolean[WINDOWS];
    private ReliableFlow opposite;
    /** The model of the area and the words after all requests that are known to be executed. */
    private final byte[] areaModel;
    private final long[] wordModel = new long[WORDS];
    /** The index of the first request that is not complete. */
    private int nextIncomplete;
    private boolean failed;

    ReliableFlow(ScriptRunner runner, int number, Side from, Side to, QueuePair sender, QueuePair receiver) {
        super(runner, number, from, to, sender, receiver);
        areaBytes = 2 * runner.script().terms().maxBytes();
        area = to.allocate(areaBytes);
        words = to.allocate(WORDS * Long.BYTES);
        areaModel = new byte[areaBytes];
        rnrRetries = runner.script().terms().rnrRetries();
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
        if (step.kind().isAtomic() || !operation.has(Step.WINDOW)) {
            return;
        }
        operation.window = step.place() % WINDOWS;
        operation.windowInvalidated = invalidated[operation.window];
        invalidated[operation.window] |= operation.invalidates() && !operation.has(Step.WRONG_KEY);
    }

    @Override
    int rkey(Operation operation) {
        return operation.window < 0 ? super.rkey(operation) : windows[operation.window];
    }

    /** Whether the receiver must reject the request when it arrives. */
    private boolean mustBeRejected(Operation operation) {
        return !operation.isNeverSent()
                && (operation.lacksAccess() || isTooLong(operation) || operation.invalidatesNoWindow());
    }

    /**
     * Whether the window of a READ may be invalidated before its response is generated, because no later request up to
     * the invalidation has a fence.
     */
    private boolean mayUseInvalidatedWindow(Operation operation) {
        if (operation.kind != Kind.READ || operation.window < 0) {
            return false;
        }
        for (Operation later : posted.subList(operation.index + 1, posted.size())) {
            if (later.has(Step.FENCE)) {
                return false;
            }
            if (later.invalidates() && later.window == operation.window) {
                return true;
            }
        }
        return false;
    }

    private boolean isTooLong(Operation operation) {
        return operation.kind == Kind.SEND && operation.receiveIndex < receives.size()
                && operation.length() > receives.get(operation.receiveIndex).capacity();
    }

    /** Returns the index of the first request that must have no effect; no later one may have an effect either. */
    private int firstWithoutEffect() {
        int first = 0;
        while (first < posted.size() && !mustBeRejected(posted.get(first)) && !posted.get(first).isNeverSent()) {
            first++;
        }
        return first;
    }

    /** Whether the receiving queue pair may be in the error state. */
    boolean receiverMayBeInError() {
        return runner.isTearingDown() || hasRejected() || opposite.failed;
    }

    private boolean hasRejected() {
        return posted.stream().anyMatch(each -> mustBeRejected(each) || mayUseInvalidatedWindow(each));
    }

    boolean hasFailed() {
        return failed;
    }

    /** Whether no posted request of either direction has failed or must fail. */
    boolean isHealthy() {
        return !failed && !receiverMayBeInError() && !opposite.hasRejected();
    }

    /** Whether a request must fail with RNR_RETRY_EXC_ERR unless more receive requests are posted. */
    boolean lacksReceives() {
        return rnrRetries != UNLIMITED_RNR && consuming.size() > receives.size();
    }

    @Override
    void sent(Operation operation, WcStatus status) {
        unless(operation.index >= nextIncomplete, "%s: %s completed twice or out of order, with %s", this, operation,
                status);
        for (; nextIncomplete < operation.index; nextIncomplete++) {
            Operation unsignaled = posted.get(nextIncomplete);
            unless(!unsignaled.has(Step.SIGNALED) && !failed, "%s: %s has no completion, but the later %s has: %s",
                    this, unsignaled, operation, status);
            succeed(unsignaled);
        }
        nextIncomplete++;
        if (status == WcStatus.SUCCESS) {
            unless(!failed, "%s: %s succeeded after a failure", this, operation);
            unless(operation.has(Step.SIGNALED), "%s: %s completed although it is unsignaled", this, operation);
            succeed(operation);
            return;
        }
        operation.status = status;
        if (failed) {
            unless(status == WcStatus.WR_FLUSH_ERR, "%s: %s completed after a failure with %s", this, operation,
                    status);
        } else {
            failed = true;
            fail(operation, status);
        }
    }

    private void fail(Operation operation, WcStatus status) {
        boolean right = switch (status) {
            case RETRY_EXC_ERR -> {
                long disturbed = runner.disturbed(operation.postedAt);
                // checked later because the receiver's failure may be polled after this; one loss may use two retries,
                // one for a NAK and one for the timeout
                runner.checkLater(() -> unless(
                        receiverMayBeInError() || 2 * disturbed > runner.script().terms().retries(),
                        "%s: %s failed with %s, but only %d packets were disturbed", this, operation, status,
                        disturbed));
                yield !operation.isNeverSent();
            }
            case RNR_RETRY_EXC_ERR -> {
                checkRnrRetries(operation);
                yield rnrRetries != UNLIMITED_RNR && operation.kind.consumesReceive() && !operation.receivePosted;
            }
            case REM_ACCESS_ERR ->
                operation.lacksAccess() && mustBeRejected(operation) || mayUseInvalidatedWindow(operation);
            case REM_INV_REQ_ERR -> isTooLong(operation) && mustBeRejected(operation);
            case LOC_PROT_ERR -> operation.lacksMemory() && !mustBeRejected(operation);
            case WR_FLUSH_ERR -> runner.isTearingDown() || opposite.hasRejected();
            default -> false;
        };
        unless(right, "%s: %s failed with %s", this, operation, status);
    }

    /** Checks the number of RNR retries and the time that the receiver was given. */
    private void checkRnrRetries(Operation operation) {
        PacketHistory history = runner.history();
        if (history.isComplete()) {
            int times = history.transmissions(receiver, operation.consumingPsn()).size();
            boolean alone = !runner.isFaulty() && consuming.subList(0, operation.receiveIndex).stream()
                    .allMatch(before -> before.receivePosted);
            // after another request that waited for the receiver it was also sent while that one was not accepted
            unless(alone ? times == rnrRetries + 1 : times > rnrRetries || runner.mayDuplicate(),
                    "%s: %s failed with RNR_RETRY_EXC_ERR after it was sent %d times", this, operation, times);
        }
        Duration time = runner.now().minus(operation.postedAt);
        unless(time.compareTo(runner.script().terms().rnrWait().multipliedBy(rnrRetries)) >= 0,
                "%s: %s failed with RNR_RETRY_EXC_ERR after %s", this, operation, time);
    }

    private void succeed(Operation operation) {
        operation.status = WcStatus.SUCCESS;
        unless(!mustBeRejected(operation) && !operation.lacksMemory(), "%s: %s succeeded but must fail", this,
                operation);
        switch (operation.kind) {
            case WRITE, WRITE_IMM -> System.arraycopy(operation.content, 0, areaModel, operation.remote - area,
                    operation.length());
            case READ -> checkRead(operation);
            case FETCH_ADD, COMPARE_SWAP -> {
                int word = (operation.remote - words) / Long.BYTES;
                unless(from.word(operation.local) == wordModel[word], "%s: %s returned %d, expected %d", this,
                        operation,
                        from.word(operation.local), wordModel[word]);
                wordModel[word] = after(operation, wordModel[word]);
                from.accept(operation.local, Long.BYTES);
            }
            case SEND -> {
                // the receive completion is checked in arrived()
            }
        }
    }

    private static long after(Operation atomic, long before) {
        if (atomic.kind == Kind.FETCH_ADD) {
            return before + atomic.compareAdd;
        }
        return before == atomic.compareAdd ? atomic.swap : before;
    }

    /** Checks the data of a READ. A repeated response may contain data of later WRITEs, up to a fence. */
    private void checkRead(Operation read) {
        int first = read.remote - area;
        byte[] model = Arrays.copyOfRange(areaModel, first, first + read.length());
        for (int i = from.differs(read.local, model, 0); i >= 0; i = from.differs(read.local, model, i + 1)) {
            byte found = from.at(read.local + i);
            unless(isWrittenBetween(read.index + 1, posted.size(), read.remote + i, found, true),
                    "%s: %s returned %d in byte %d, expected %d", this, read, found, i, model[i]);
        }
        from.accept(read.local, read.length());
    }

    private boolean isWrittenBetween(int first, int end, int at, byte value, boolean untilFence) {
        for (int i = first; i < end; i++) {
            Operation later = posted.get(i);
            if (untilFence && later.has(Step.FENCE)) {
                return false;
            }
            if (later.valueWrittenAt(at) == (value & 0xFF)) {
                return true;
            }
        }
        return false;
    }

    @Override
    void arrived(PostedReceive into, WcStatus status, WorkCompletions completions, int which) {
        int receiveIndex = received - 1;
        if (status == WcStatus.WR_FLUSH_ERR) {
            unless(receiverMayBeInError(), "%s: receive request %d was flushed", this, receiveIndex);
            acceptPart(into, 0, operation -> operation.receiveIndex == receiveIndex && !operation.isNeverSent());
            return;
        }
        unless(receiveIndex < consuming.size(),
                "%s: receive request %d completed with %s, but no message was sent to it", this, receiveIndex, status);
        Operation operation = consuming.get(receiveIndex);
        if (status == WcStatus.LOC_LEN_ERR) {
            unless(isTooLong(operation) && !operation.isNeverSent(), "%s: LOC_LEN_ERR, but %s fits", this, operation);
            acceptPart(into, 0, each -> each == operation);
            return;
        }
        if (status == WcStatus.MW_BIND_ERR) {
            unless(operation.invalidatesNoWindow() && !operation.isNeverSent(),
                    "%s: MW_BIND_ERR, but %s has a window to invalidate", this, operation);
            acceptPart(into, 0, each -> each == operation);
            return;
        }
        unless(status == WcStatus.SUCCESS, "%s: %s arrived with status %s", this, operation, status);
        checkMessage(operation, into, completions, which);
        if (operation.kind == Kind.WRITE_IMM) {
            byte[] content = operation.content;
            for (int i = to.differs(operation.remote, content, 0); i >= 0; i = to.differs(operation.remote, content,
                    i + 1)) {
                int at = operation.remote + i;
                unless(isWrittenBetween(operation.index + 1, posted.size(), at, to.at(at), false),
                        "%s: %s completed before its data was written", this, operation);
            }
        }
    }

    @Override
    boolean hasOutstanding() {
        return nextIncomplete < posted.size();
    }

    @Override
    void checkFinalState() {
        unless(!hasOutstanding(), "%s: of %d requests only %d are complete", this, posted.size(), nextIncomplete);
        int firstWithoutEffect = firstWithoutEffect();
        for (Operation operation : posted) {
            unless(!operation.succeeded() || !operation.kind.consumesReceive() || operation.deliveries == 1,
                    "%s: %s succeeded but arrived %d times", this, operation, operation.deliveries);
            unless(operation.deliveries == 0 || operation.index < firstWithoutEffect,
                    "%s: %s arrived after %s, which stops the queue pair", this, operation,
                    posted.get(Math.min(firstWithoutEffect, operation.index)));
            if (!operation.succeeded() && operation.returnsData() && !operation.lacksMemory()) {
                from.accept(operation.local, operation.length());
            }
        }
        int uncertain = 0;
        while (uncertain < posted.size() && posted.get(uncertain).succeeded()) {
            uncertain++;
        }
        for (int i = to.differs(area, areaModel, 0); i >= 0; i = to.differs(area, areaModel, i + 1)) {
            byte found = to.at(area + i);
            unless(isWrittenBetween(uncertain, firstWithoutEffect, area + i, found, false),
                    "%s: byte %d of the area is %d, expected %d", this, i, found, areaModel[i]);
        }
        for (int word = 0; word < WORDS; word++) {
            checkWord(word, uncertain, firstWithoutEffect);
        }
        to.accept(area, areaBytes);
        to.accept(words, WORDS * Long.BYTES);
    }

    private void checkWord(int word, int uncertain, int firstWithoutEffect) {
        long found = to.word(words + word * Long.BYTES);
        long value = wordModel[word];
        boolean known = found == value;
        for (int i = uncertain; i < firstWithoutEffect; i++) {
            Operation operation = posted.get(i);
            if (operation.kind.isAtomic() && operation.remote == words + word * Long.BYTES) {
                value = after(operation, value);
                known |= found == value;
            }
        }
        unless(known, "%s: word %d is %d, expected %d", this, word, found, wordModel[word]);
    }
}
