package io.jverbs.fault;

import io.jverbs.Errno;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WorkCompletions;
import io.jverbs.spi.DataPath;
import io.jverbs.spi.Handle;
import io.jverbs.spi.StackReserve;

/**
 * The data path of a context with fault injection. It splits a chain where a rule fires, and records posted requests.
 * Posts and polls of a context are executed one at a time, with the lock of the context held.
 */
final class FaultDataPath implements DataPath {
    private static final int EIO = Errno.EIO.code();

    private final FaultContext context;
    private final DataPath inner;
    private final Rules rules;
    private final CompletionFilter filter;
    private final FailureActions failures;
    private final InjectedFailures injected = new InjectedFailures();
    /** How many requests of the chain that is being posted were posted. Guarded by the lock of the context. */
    private int accepted;

    FaultDataPath(FaultContext context, DataPath inner, Rules rules, CompletionFilter filter,
            FailureActions failures) {
        this.context = context;
        this.inner = inner;
        this.rules = rules;
        this.filter = filter;
        this.failures = failures;
    }

    @Override
    public long postSend(Handle.Qp handle, SendWorkRequest head) {
        StackReserve.check();
        context.lock().lock();
        accepted = 0;
        try {
            injected.begin();
            if (context.hasDeviceFailed()) {
                return DataPath.failed(EIO, 0);
            }
            TrackedQp qp = context.tracked(handle);
            SendWorkRequest from = head;
            int posted = 0;
            SendWorkRequest before = null;
            SendWorkRequest request = head;
            int limit = limit(handle.capabilities().maxSendWr());
            for (int index = 0; request != null && index < limit; index++) {
                Fault fault = rules.at(FaultTarget.SEND, qp, request.rawOpcode());
                if (fault != null) {
                    if (index > posted) {
                        long result = post(qp, from, before, posted);
                        if (result != POSTED) {
                            return result;
                        }
                        accepted = index;
                    }
                    if (fault instanceof Fault.FailSend failing) {
                        return DataPath.failed(injected.fail(failing, failing.errno()), index);
                    }
                    failures.perform(fault, qp);
                    from = request;
                    posted = index;
                }
                before = request;
                request = request.next();
            }
            return context.hasDeviceFailed() ? DataPath.failed(EIO, posted) : post(qp, from, null, posted);
        } catch (RuntimeException | Error e) {
            if (accepted == 0) {
                throw e;
            }
            // the program must know which requests of the chain were posted
            return DataPath.failed(injected.interrupted(e), accepted);
        } finally {
            context.lock().unlock();
        }
    }

    /** How many requests of a chain to process at most. A chain may be a cycle, and more requests do not fit. */
    private static int limit(int places) {
        return places + 1;
    }

    /**
     * Posts a part of a chain, as far as there is room for it.
     *
     * @param last the last request of the part, null for the end of the chain
     * @param before how many requests of the chain precede the part; the index of a failure counts them too
     */
    private long post(TrackedQp qp, SendWorkRequest from, SendWorkRequest last, int before) {
        int room = qp.sendRoom();
        if (room == Integer.MAX_VALUE) {
            return postAll(qp, from, last, before);
        }
        SendWorkRequest fits = null;
        SendWorkRequest each = from;
        int count = 0;
        while (each != null && count < room && (fits == null || fits != last)) {
            fits = each;
            each = each.next();
            count++;
        }
        if (each == null || fits != null && fits == last) {
            return postAll(qp, from, last, before);
        }
        long result = fits == null ? POSTED : postAll(qp, from, fits, before);
        return result == POSTED ? DataPath.failed(injected.full(), before + count) : result;
    }

    private long postAll(TrackedQp qp, SendWorkRequest from, SendWorkRequest last, int before) {
        SendWorkRequest cut = last == null ? null : last.next();
        if (cut != null) {
            last.next(null);
        }
        try {
            int capacity = qp.handle().capabilities().maxSendWr();
            int limit = limit(capacity);
            int count = 0;
            for (SendWorkRequest each = from; each != null && count < limit; each = each.next()) {
                if (qp.failed()) {
                    qp.flushed(each.wrId(), false);
                    accepted = before + count + 1;
                } else {
                    qp.sends().prepare(count, each.wrId(), completes(qp, each.flags()));
                }
                count++;
            }
            if (qp.failed()) {
                return POSTED;
            }
            long result = inner.postSend(qp.handle(), from);
            int posted = result == POSTED ? count : DataPath.index(result);
            qp.sends().add(posted, capacity);
            accepted = before + posted;
            return result == POSTED ? POSTED : DataPath.failed(DataPath.errno(result), before + posted);
        } finally {
            if (cut != null) {
                last.next(cut);
            }
        }
    }

    /** Whether a send request with these flags generates a completion if it succeeds. */
    static boolean completes(TrackedQp qp, int flags) {
        return qp.signalAll() || (flags & SendFlags.SIGNALED) != 0;
    }

    @Override
    public long postReceive(Handle.Qp handle, ReceiveWorkRequest head) {
        StackReserve.check();
        context.lock().lock();
        try {
            TrackedQp qp = context.tracked(handle);
            int limit = limit(handle.capabilities().maxRecvWr());
            return post(cut(qp, head, limit, qp.srq() == null ? qp.receiveRoom() : Integer.MAX_VALUE),
                    () -> receive(qp, head, limit));
        } finally {
            context.lock().unlock();
        }
    }

    private long receive(TrackedQp qp, ReceiveWorkRequest head, int limit) {
        if (qp.failed() && qp.srq() == null) {
            return flush(qp, head, limit);
        }
        int count = 0;
        for (ReceiveWorkRequest each = head; each != null && count < limit; each = each.next()) {
            qp.receives().prepare(count, each.wrId(), true);
            count++;
        }
        long result = inner.postReceive(qp.handle(), head);
        qp.receives().add(result == POSTED ? count : DataPath.index(result), limit);
        return result;
    }

    private long flush(TrackedQp qp, ReceiveWorkRequest head, int limit) {
        int count = 0;
        try {
            for (ReceiveWorkRequest each = head; each != null && count < limit; each = each.next()) {
                qp.flushed(each.wrId(), true);
                count++;
            }
        } catch (RuntimeException | Error e) {
            if (count == 0) {
                throw e;
            }
            return DataPath.failed(injected.interrupted(e), count);
        }
        return POSTED;
    }

    @Override
    public long postSharedReceive(Handle.Srq srq, ReceiveWorkRequest head) {
        StackReserve.check();
        context.lock().lock();
        try {
            int limit = rules.has(FaultTarget.RECEIVE) ? limit(context.capacity(srq)) : 0;
            return post(cut(null, head, limit, Integer.MAX_VALUE), () -> inner.postSharedReceive(srq, head));
        } finally {
            context.lock().unlock();
        }
    }

    /**
     * Where a chain of receive requests is cut.
     *
     * @param last the last request to post, null for none
     * @param index how many requests are posted
     * @param errno the error of the request after that
     */
    private record Cut(ReceiveWorkRequest last, int index, int errno) {}

    private interface Post {
        long run();
    }

    /** Posts a chain up to the cut; the whole chain if {@code cut} is null. */
    private long post(Cut cut, Post post) {
        if (cut == null) {
            return post.run();
        }
        long failure = DataPath.failed(cut.errno(), cut.index());
        if (cut.last() == null) {
            return failure;
        }
        ReceiveWorkRequest refused = cut.last().next();
        cut.last().next(null);
        try {
            long result = post.run();
            if (result == POSTED) {
                return failure;
            }
            // the device rejected an earlier request, so the fault is not the reason
            injected.begin();
            return result;
        } finally {
            cut.last().next(refused);
        }
    }

    /** Where to cut a chain; null if all of it may be posted. */
    private Cut cut(TrackedQp qp, ReceiveWorkRequest head, int limit, int room) {
        injected.begin();
        if (context.hasDeviceFailed()) {
            return new Cut(null, 0, EIO);
        }
        ReceiveWorkRequest last = null;
        ReceiveWorkRequest request = head;
        for (int index = 0; request != null && index < limit; index++) {
            if (rules.at(FaultTarget.RECEIVE, qp, Rules.NO_OPCODE) instanceof Fault.FailReceive failing) {
                return new Cut(last, index, injected.fail(failing, failing.errno()));
            }
            if (index >= room) {
                return new Cut(last, index, injected.full());
            }
            last = request;
            request = request.next();
        }
        return null;
    }

    @Override
    public String explainSend(Handle.Qp qp, SendWorkRequest head, int errno) {
        return isFailedHere(errno) ? reason() : inner.explainSend(qp, head, errno);
    }

    @Override
    public String explainReceive(Handle.Qp qp, ReceiveWorkRequest head, int errno) {
        return isFailedHere(errno) ? reason() : inner.explainReceive(qp, head, errno);
    }

    @Override
    public String explainSharedReceive(Handle.Srq srq, ReceiveWorkRequest head, int errno) {
        return isFailedHere(errno) ? reason() : inner.explainSharedReceive(srq, head, errno);
    }

    /** Whether this layer, not the device, made the latest post of this thread fail. */
    private boolean isFailedHere(int errno) {
        return injected.isFailed() || errno == EIO && context.hasDeviceFailed();
    }

    /** Why it did; null if the queue is full, which the caller explains. */
    private String reason() {
        return injected.isFailed() ? injected.reason() : DeviceFailureContext.DEVICE_FAILED;
    }

    @Override
    public int poll(Handle.Cq cq, WorkCompletions completions, int max) {
        StackReserve.check();
        context.lock().lock();
        try {
            return filter.poll(context.tracked(cq), completions, max);
        } finally {
            context.lock().unlock();
        }
    }

    @Override
    public int requestNotification(Handle.Cq cq, boolean solicitedOnly) {
        context.lock().lock();
        try {
            TrackedCq tracked = context.tracked(cq);
            int errno = context.hasDeviceFailed() ? EIO : inner.requestNotification(cq, solicitedOnly);
            if (errno == 0) {
                if (filter.manages(tracked) && tracked.isArmed()) {
                    // completions that arrived before this call raise the event of the previous arm
                    filter.drain(tracked);
                }
                tracked.arm(solicitedOnly, context.now());
            }
            return errno;
        } finally {
            context.lock().unlock();
        }
    }
}
