package io.jverbs.soft.injection;

import io.jverbs.AhAttributes;
import io.jverbs.CompletionQueue;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.WrOpcode;
import io.jverbs.fault.FaultInjection;
import io.jverbs.injection.ErrorInjector;
import io.jverbs.injection.ErrorInjector.InjectedError;
import io.jverbs.spi.DeviceLayer;
import io.jverbs.strict.StrictMode;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;

/**
 * A scenario that runs traffic between two queue pairs while an Error is thrown at one injection point. It checks that
 * each accepted request has exactly one completion and each rejected request has none, that both queue pairs can still
 * be used and closed, and that other queue pairs are not affected. The test loads this class with a class loader of its
 * own, together with the classes of the device.
 */
public final class InjectedTraffic implements IntFunction<String>, AutoCloseable {
    /** The layer of strict mode. */
    static final String STRICT = "strict";

    private static final int LONG_MESSAGE = 3000;
    private static final int QKEY = 0x11;
    private static final int WRONG_KEY = 0x00BAD000;
    private static final long STEP_NANOS = Duration.ofSeconds(5).toNanos();
    private static final long SETTLE_NANOS = Duration.ofSeconds(5).toNanos();
    private static final Duration EVENT = Duration.ofSeconds(5);

    private final QpType type;
    private final boolean shared;
    private final Watch watch;
    private final InjectedEnd left;
    private final InjectedEnd right;
    private final InjectedEnd bystanderLeft;
    private final InjectedEnd bystanderRight;
    private final List<String> errors = new ArrayList<>();
    private int patterns;

    /**
     * Opens two devices.
     *
     * @param layer what is before both devices, see {@link #layers}
     * @param watched what watches the devices, see {@link Watch}
     */
    public InjectedTraffic(String leftSelector, String rightSelector, String type, boolean shared, String layer,
            String watched) {
        this.type = QpType.valueOf(type);
        this.shared = shared;
        left = new InjectedEnd(Verbs.select(leftSelector).open(layers(layer)), this.type, errors);
        right = new InjectedEnd(Verbs.select(rightSelector).open(layers(layer)), this.type, errors);
        bystanderLeft = new InjectedEnd(left.context, this.type, errors);
        bystanderRight = new InjectedEnd(right.context, this.type, errors);
        bystanderLeft.create(false, false);
        bystanderRight.create(false, false);
        for (InjectedEnd end : List.of(left, bystanderLeft)) {
            end.path = end.pd.createAddressHandle(AhAttributes.to(right.context.preferredGid(1).gid(), 1,
                    left.context.preferredGid(1).index()));
        }
        connect(bystanderLeft, bystanderRight);
        watch = Watch.start(watched, List.of(left.context.device(), right.context.device()));
    }

    /**
     * Returns the layers before a device.
     *
     * @param layer {@link #STRICT}, or the rules of fault injection; null for no layer
     */
    static DeviceLayer[] layers(String layer) {
        if (layer == null) {
            return new DeviceLayer[0];
        }
        return new DeviceLayer[] {layer.equals(STRICT)
                ? StrictMode.reporting(violation -> {})
                : FaultInjection.parse(layer)};
    }

    private void connect(InjectedEnd one, InjectedEnd other) {
        if (type == QpType.UD) {
            for (InjectedEnd end : List.of(one, other)) {
                end.qp.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(1).qkey(QKEY).build());
                end.qp.modify(QpAttributes.builder().state(QpState.RTR).build());
                end.qp.modify(QpAttributes.builder().state(QpState.RTS).sqPsn(1).build());
            }
            return;
        }
        one.qp.connect(other.qp.localInfo());
        other.qp.connect(one.qp.localInfo());
    }

    /**
     * Shortens the timeouts of a round with an Error, so that a request that cannot succeed fails within milliseconds.
     * A thread that does not run for so long fails such a request too. Therefore the queue pairs whose requests must
     * succeed keep the default timeouts.
     */
    private void shortenTimeouts() {
        for (InjectedEnd end : List.of(left, right)) {
            end.qp.modify(QpAttributes.builder().state(QpState.SQD).build());
            end.qp.modify(QpAttributes.builder().state(QpState.SQD).timeout(9).retryCount(2).rnrRetry(7).minRnrTimer(1)
                    .build());
            end.qp.modify(QpAttributes.builder().state(QpState.RTS).build());
        }
    }

    /**
     * Runs one round with an Error at an injection point, or without one if the number is negative. Returns a
     * description of the violated conditions, or an empty string.
     */
    @Override
    public String apply(int point) {
        errors.clear();
        left.create(true, false);
        right.create(true, shared);
        connect(left, right);
        if (type == QpType.RC && point >= 0) {
            shortenTimeouts();
        }
        for (InjectedEnd end : List.of(left, right)) {
            end.cq.requestNotification(false);
            end.armed = true;
        }
        ErrorInjector.begin(point);
        try {
            traffic();
            if (point < 0) {
                checkAllSucceeded();
            }
            fail();
            watch.flush();
        } finally {
            ErrorInjector.end();
        }
        settle();
        watch.check(errors);
        checkBystander();
        checkEvents();
        if (shared) {
            // unused receive requests of a shared receive queue do not complete
            right.completionCounts.values().removeIf(number -> number == 0);
        }
        left.check("left");
        right.check("right");
        left.close();
        right.close();
        return String.join("; ", errors);
    }

    private SendWorkRequest request(WrOpcode opcode, int bytes) {
        SendWorkRequest request = SendWorkRequest.create(2).wrId(left.nextId++).opcode(opcode).sge(left.memory, 0,
                bytes);
        return type == QpType.UD
                ? request.destination(left.path, right.number, QKEY)
                : request.remote(right.memory.address(), right.memory.rkey());
    }

    private void run(SendWorkRequest request) {
        left.post(request);
        await();
    }

    /** Polls both completion queues until all send requests have completed, or until a deadline. */
    private void await() {
        pollUntil(() -> left.isSent() && right.isSent(), STEP_NANOS);
        right.poll();
        for (InjectedEnd end : List.of(left, right)) {
            if (!end.isSent()) {
                errors.add("requests without completion on the " + (end == left ? "left" : "right") + " side: "
                        + end.completionCounts);
            }
        }
    }

    private void pollUntil(BooleanSupplier condition, long nanos) {
        long deadline = System.nanoTime() + nanos;
        while (!condition.getAsBoolean() && System.nanoTime() < deadline) {
            left.poll();
            right.poll();
        }
    }

    private void traffic() {
        int most = type == QpType.UD ? 200 : LONG_MESSAGE;
        for (int i = 0; i < 2; i++) {
            right.postReceive(most + 40);
            run(request(WrOpcode.SEND, 64));
        }
        right.postReceivePair(most + 40);
        SendWorkRequest second = request(WrOpcode.SEND_WITH_IMM, most);
        run(request(WrOpcode.SEND, 64).next(second));
        right.postReceive(most + 40);
        right.postReceive(most + 40);
        // the software device allocates memory for inline data when it queues the second request
        run(request(WrOpcode.SEND, 16).next(request(WrOpcode.SEND, 16).flags(SendFlags.INLINE)
                .sge(0, left.memory.segment().asSlice(0, 16))));
        right.postReceive(most + 40);
        postInSqd(request(WrOpcode.SEND, 64));
        if (type == QpType.UD) {
            return;
        }
        run(request(WrOpcode.RDMA_WRITE, 8));
        run(request(WrOpcode.RDMA_WRITE, 8));
        run(request(WrOpcode.RDMA_WRITE, LONG_MESSAGE).next(request(WrOpcode.RDMA_WRITE, 16)));
        run(SendWorkRequest.create(2).wrId(left.nextId++).opcode(WrOpcode.RDMA_WRITE).sge(0, left.memory, 0, 100)
                .sge(1, left.memory, 500, 100).remote(right.memory.address(), right.memory.rkey()));
        right.postReceive(8);
        run(request(WrOpcode.RDMA_WRITE_WITH_IMM, 64));
        if (type == QpType.RC) {
            run(request(WrOpcode.RDMA_READ, LONG_MESSAGE));
            run(SendWorkRequest.create(1).wrId(left.nextId++).sge(left.memory, 0, 8).fetchAndAdd(right.memory.address(),
                    right.memory.rkey(), 1));
            run(SendWorkRequest.create(1).wrId(left.nextId++).sge(left.memory, 0, 8).compareAndSwap(
                    right.memory.address(),
                    right.memory.rkey(), 0, 1));
            // the receiver is not ready at first
            left.post(request(WrOpcode.SEND, 64));
            left.poll();
            right.postReceive(LONG_MESSAGE);
            await();
        }
        useWindows();
    }

    /** Posts a request in SQD, where it waits, and returns to RTS, where it is executed. */
    private void postInSqd(SendWorkRequest request) {
        move(QpState.SQD);
        left.post(request);
        move(QpState.RTS);
        await();
    }

    /** Moves the left queue pair to a state, unless it has failed. */
    private void move(QpState state) {
        QpAttributes change = QpAttributes.builder().state(state).build();
        try {
            left.qp.modify(change);
        } catch (VerbsException e) {
            // not in RTS or SQD
        } catch (InjectedError e) {
            if (left.qp.state() == QpState.RTS || left.qp.state() == QpState.SQD) {
                left.qp.modify(change);
            }
        }
    }

    /** Binds windows at the right side, uses their keys, and invalidates them. */
    private void useWindows() {
        right.bindTypeOne();
        await();
        run(request(WrOpcode.RDMA_WRITE, 64).remote(right.bound.address(), right.windows[0].rkey()));
        right.bindTypeTwo();
        await();
        run(request(WrOpcode.RDMA_WRITE, 64).remote(right.bound.address(), right.windows[1].rkey()));
        if (type == QpType.RC) {
            right.postReceive(LONG_MESSAGE);
            run(request(WrOpcode.SEND_WITH_INV, 64).invalidateRkey(right.windows[1].rkey()));
            right.bindTypeTwo();
            await();
        }
        right.post(SendWorkRequest.create(1).wrId(right.nextId++).opcode(WrOpcode.LOCAL_INV)
                .invalidateRkey(right.windows[1].rkey()));
        await();
    }

    /** Posts a request that fails: at the responder if the connection is reliable, otherwise at the requester. */
    private void fail() {
        run(type == QpType.RC
                ? request(WrOpcode.RDMA_WRITE, 8).remote(right.memory.address(), WRONG_KEY)
                : request(WrOpcode.SEND, 8).sge(0, left.memory.address(), 8, WRONG_KEY));
    }

    /** Moves both queue pairs to ERR, which flushes the outstanding requests. */
    private void settle() {
        for (InjectedEnd end : List.of(left, right)) {
            end.qp.modify(QpAttributes.builder().state(QpState.ERR).build());
        }
        pollUntil(() -> left.isComplete() && (shared || right.isComplete()), SETTLE_NANOS);
        // a queue pair in ERR accepts requests and flushes them
        left.post(request(type == QpType.UD ? WrOpcode.SEND : WrOpcode.SEND_WITH_IMM, 8));
        left.fill(request(WrOpcode.SEND, 8));
        pollUntil(left::isComplete, SETTLE_NANOS);
        for (int i = 0; i < 3; i++) {
            left.poll();
            right.poll();
        }
    }

    private void checkAllSucceeded() {
        for (InjectedEnd end : List.of(left, right)) {
            if (!end.isSent() || end.qp.state() != QpState.RTS) {
                errors.add("requests without success though no Error was thrown: " + end.completionCounts + " in "
                        + end.qp.state());
            }
        }
    }

    private void checkBystander() {
        bystanderLeft.completionCounts.clear();
        bystanderRight.completionCounts.clear();
        long pattern = ++patterns;
        bystanderLeft.memory.segment().set(ValueLayout.JAVA_LONG, 0, pattern);
        bystanderRight.postReceive(64);
        SendWorkRequest send = SendWorkRequest.create(1).wrId(bystanderLeft.nextId++).opcode(WrOpcode.SEND)
                .sge(bystanderLeft.memory, 0, 8);
        if (type == QpType.UD) {
            send.destination(bystanderLeft.path, bystanderRight.qp.number(), QKEY);
        }
        bystanderLeft.post(send);
        long deadline = System.nanoTime() + SETTLE_NANOS;
        while (!(bystanderLeft.isComplete() && bystanderRight.isComplete()) && System.nanoTime() < deadline) {
            bystanderLeft.poll();
            bystanderRight.poll();
        }
        int at = type == QpType.UD ? 40 : 0;
        if (bystanderRight.memory.segment().get(ValueLayout.JAVA_LONG, at) != pattern
                || bystanderLeft.qp.state() != QpState.RTS) {
            errors.add("a message of another queue pair was not delivered; its state is " + bystanderLeft.qp.state());
        }
    }

    /** Checks that an armed completion queue to which a completion was added has raised its event. */
    private void checkEvents() {
        for (InjectedEnd end : List.of(left, right)) {
            try {
                if (end.armed && end.count > 0) {
                    CompletionQueue notified = end.channel.awaitEvent(EVENT);
                    if (notified != end.cq) {
                        errors.add("no event of an armed completion queue with " + end.count + " completions");
                    } else {
                        end.cq.acknowledgeEvents(1);
                    }
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public void close() {
        watch.close();
        left.context.close();
        right.context.close();
    }
}
