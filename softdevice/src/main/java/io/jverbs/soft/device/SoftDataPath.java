package io.jverbs.soft.device;

import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import io.jverbs.WorkCompletions;
import io.jverbs.soft.fabric.PacketSource;
import io.jverbs.soft.queue.CompletionQueueCore;
import io.jverbs.soft.queue.DeferredWork;
import io.jverbs.soft.queue.ErrnoCode;
import io.jverbs.soft.queue.PostErrors;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.transport.SoftSrq;
import io.jverbs.spi.DataPath;
import io.jverbs.spi.Handle;

/** The data path of a context. It forwards each call to the object concerned. */
abstract class SoftDataPath implements DataPath {
    private final DeviceCore device;
    private final DeferredWork.DeferredQueue deferred;
    private final PacketSource packets;
    /** Whether a thread that finds a completion queue empty receives packets itself. */
    private final boolean polled;

    SoftDataPath(DeviceCore device) {
        this.device = device;
        this.deferred = device.network().deferredQueue();
        this.packets = device.fabric().packets();
        this.polled = packets.isPolled();
    }

    final DeviceCore device() {
        return device;
    }

    @Override
    public final long postSend(Handle.Qp qp, SendWorkRequest head) {
        return device.isRemoved() ? DataPath.failed(ErrnoCode.EIO, 0) : ((SoftQp) qp).post(head);
    }

    @Override
    public final long postReceive(Handle.Qp qp, ReceiveWorkRequest head) {
        return device.isRemoved() ? DataPath.failed(ErrnoCode.EIO, 0) : ((SoftQp) qp).responder().post(head);
    }

    @Override
    public final long postSharedReceive(Handle.Srq srq, ReceiveWorkRequest head) {
        if (device.isRemoved()) {
            return DataPath.failed(ErrnoCode.EIO, 0);
        }
        return ((SoftSrq) srq).post(head);
    }

    @Override
    public final String explainSend(Handle.Qp qp, SendWorkRequest head, int errno) {
        return errno == ErrnoCode.EIO ? removed() : PostRefusal.reason((SoftQp) qp, head.failed(), errno);
    }

    @Override
    public final String explainReceive(Handle.Qp qp, ReceiveWorkRequest head, int errno) {
        return explain(((SoftQp) qp).postErrors(), errno);
    }

    @Override
    public final String explainSharedReceive(Handle.Srq srq, ReceiveWorkRequest head, int errno) {
        return explain(((SoftSrq) srq).postErrors(), errno);
    }

    private String explain(PostErrors errors, int errno) {
        if (errno == ErrnoCode.EIO) {
            return removed();
        }
        return errno == ErrnoCode.ENOMEM ? errors.reason() : null;
    }

    private String removed() {
        return device.isRemoved() ? "device " + device.name() + " was removed" : null;
    }

    @Override
    public final int poll(Handle.Cq cq, WorkCompletions completions, int max) {
        int count = ((CompletionQueueCore) cq).poll(completions.memory(), max);
        if (polled) {
            if (count == 0) {
                count = receive((CompletionQueueCore) cq, completions, max);
            } else {
                ((CompletionQueueCore) cq).yieldPolicy().found();
            }
        }
        if (count == 0 && Thread.currentThread().isVirtual()) {
            ((CompletionQueueCore) cq).foundEmpty();
        }
        return count;
    }

    /** Receives packets; returns the number of completions that were polled after that. */
    private int receive(CompletionQueueCore cq, WorkCompletions completions, int max) {
        boolean progressed = packets.poll();
        int count = cq.poll(completions.memory(), max);
        if (count != 0) {
            cq.yieldPolicy().found();
        } else if (!Thread.currentThread().isVirtual()) {
            count = foundEmpty(cq, progressed, completions, max);
        }
        return count;
    }

    /** Yields the processor from time to time. Returns the number of completions that were polled after that. */
    private int foundEmpty(CompletionQueueCore cq, boolean progressed, WorkCompletions completions, int max) {
        if (progressed) {
            cq.yieldPolicy().progressed();
            return 0;
        }
        long now = System.nanoTime();
        if (!cq.yieldPolicy().mustYield(cq.polled(), now)) {
            return 0;
        }
        long start = System.nanoTime();
        Thread.yield();
        long end = System.nanoTime();
        packets.pollAfterYield();
        int count = cq.poll(completions.memory(), max);
        cq.yieldPolicy().yielded(end - start, end, count != 0);
        return count;
    }

    @Override
    public final int requestNotification(Handle.Cq cq, boolean solicitedOnly) {
        if (device.isRemoved()) {
            return ErrnoCode.EIO;
        }
        boolean armed = ((CompletionQueueCore) cq).arm(solicitedOnly);
        if (armed) {
            packets.listen();
        }
        return armed ? 0 : ErrnoCode.EINVAL;
    }

    /** Performs the work that was deferred while locks were held. */
    final void runDeferred() {
        deferred.run();
    }
}
