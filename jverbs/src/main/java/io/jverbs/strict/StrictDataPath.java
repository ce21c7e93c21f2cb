package io.jverbs.strict;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcOpcode;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.spi.DataPath;
import io.jverbs.spi.Handle;
import io.jverbs.spi.RecvWrLayout;
import io.jverbs.spi.SendWrLayout;
import io.jverbs.spi.StackReserve;
import io.jverbs.spi.WcLayout;
import io.jverbs.strict.Violation.Kind;
import io.jverbs.strict.tracking.Payload;
import io.jverbs.strict.tracking.Windows;
import io.jverbs.strict.tracking.WritableRanges;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The data path of a context in strict mode. It checks requests before they are posted, tracks them, and checks their
 * payloads when they complete. An exception of a check goes to the program, because the verb has had no effect yet. An
 * exception while tracking disables the checks of the context ({@link TrackingState}), and the verb completes.
 */
final class StrictDataPath implements DataPath {
    private static final int RECEIVE_BIT = WcOpcode.RECV.code();
    private static final int LOC_LEN_ERR = WcStatus.LOC_LEN_ERR.code();

    private final StrictContext context;
    private final DataPath inner;
    private final StrictMode mode;
    private final TrackingState tracking;
    private final DeferredReports deferred;

    StrictDataPath(StrictContext context, DataPath inner, StrictMode mode, TrackingState tracking,
            DeferredReports deferred) {
        this.context = context;
        this.inner = inner;
        this.mode = mode;
        this.tracking = tracking;
        this.deferred = deferred;
    }

    @Override
    public long postSend(Handle.Qp handle, SendWorkRequest head) {
        if (tracking.isDisabled()) {
            return inner.postSend(handle, head);
        }
        StackReserve.check();
        StrictQp qp = context.tracked(handle);
        // requests beyond the capacity of the queue need no check: the device rejects them
        int limit = handle.capabilities().maxSendWr() + 1;
        List<Violation> found;
        long result;
        qp.lock().lock();
        try {
            PostChecks checks = new PostChecks(mode, qp);
            SendWorkRequest request = head;
            for (int i = 0; request != null && i < limit; i++, request = request.next()) {
                checks.check(request);
            }
            result = postTracked(qp, head, limit);
            found = checkAccepted(qp);
        } finally {
            qp.lock().unlock();
        }
        deferred.report(found);
        return result;
    }

    private long postTracked(StrictQp qp, SendWorkRequest head, int limit) {
        int tracked = track(qp, head, limit);
        int posted = 0;
        try {
            long result = inner.postSend(qp.handle(), head);
            posted = result == POSTED ? tracked : DataPath.index(result);
            return result;
        } catch (Error e) {
            // how many requests the device has accepted is unknown
            tracking.disable(e);
            throw e;
        } finally {
            untrack(qp, tracked - posted);
        }
    }

    private int track(StrictQp qp, SendWorkRequest head, int limit) {
        int tracked = 0;
        try {
            for (SendWorkRequest request = head; request != null && tracked < limit; request = request.next()) {
                qp.posted(toRequest(qp, request));
                tracked++;
            }
        } catch (RuntimeException | Error e) {
            tracking.disable(e);
        }
        return tracked;
    }

    private void untrack(StrictQp qp, int refused) {
        try {
            for (int i = 0; i < refused; i++) {
                qp.notPosted();
            }
        } catch (RuntimeException | Error e) {
            tracking.disable(e);
        }
    }

    /** The violations of requests that the device has accepted. */
    List<Violation> checkAccepted(StrictQp qp) {
        try {
            List<Violation> found = PostChecks.checkAccepted(qp);
            qp.forgetExcess();
            return found;
        } catch (RuntimeException | Error e) {
            tracking.disable(e);
            return List.of();
        }
    }

    private Request toRequest(StrictQp qp, SendWorkRequest request) {
        WrOpcode opcode = request.opcode();
        Payload payload = payload(request, opcode);
        return new Request(request.wrId(), qp.completes(request.flags()), payload,
                payload == null ? null : CallSites.caller(), sinks(request, opcode),
                PostChecks.takesReceive(opcode) ? context.receivesFor(qp) : null, windowChange(qp, request, opcode));
    }

    private Payload payload(SendWorkRequest request, WrOpcode opcode) {
        return switch (opcode) {
            case SEND, SEND_WITH_IMM, SEND_WITH_INV, RDMA_WRITE, RDMA_WRITE_WITH_IMM ->
                (request.flags() & SendFlags.INLINE) != 0
                        ? null
                        : Payload.of(request, context.keys(), context.memory());
            default -> null;
        };
    }

    private WritableRanges sinks(SendWorkRequest request, WrOpcode opcode) {
        return switch (opcode) {
            case RDMA_READ, ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD ->
                WritableRanges.of(request.memory(), SendWrLayout.SIZE, request.sgeCount(), context.keys(),
                        context.memory());
            default -> null;
        };
    }

    private WritableRanges sinks(ReceiveWorkRequest request) {
        return WritableRanges.of(request.memory(), RecvWrLayout.SIZE, request.sgeCount(), context.keys(),
                context.memory());
    }

    private Windows.Change windowChange(StrictQp qp, SendWorkRequest request, WrOpcode opcode) {
        MemorySegment memory = request.memory();
        return switch (opcode) {
            case BIND_MW -> request.memoryWindow() == null
                    ? null
                    : context.windows().bound(request.memoryWindow().handle(),
                            memory.get(JAVA_INT, SendWrLayout.BIND_RKEY), howBound());
            case LOCAL_INV ->
                context.windows().invalidated(memory.get(JAVA_INT, SendWrLayout.IMM_DATA), howInvalidated());
            case SEND_WITH_INV -> qp.peer() == null
                    ? null
                    : qp.peer().context().windows().invalidated(memory.get(JAVA_INT, SendWrLayout.IMM_DATA),
                            howInvalidated());
            default -> null;
        };
    }

    /** Why the previous rkey of a window is no longer valid after the bind that is being posted. */
    static String howBound() {
        return "its memory window was bound again at " + CallSites.caller();
    }

    private static String howInvalidated() {
        return "its memory window was invalidated at " + CallSites.caller();
    }

    @Override
    public long postReceive(Handle.Qp handle, ReceiveWorkRequest head) {
        if (tracking.isDisabled()) {
            return inner.postReceive(handle, head);
        }
        StackReserve.check();
        StrictQp qp = context.tracked(handle);
        int limit = handle.capabilities().maxRecvWr() + 1;
        qp.lock().lock();
        try {
            int count = 0;
            for (ReceiveWorkRequest each = head; each != null && count < limit; each = each.next()) {
                count++;
                // a request that exceeds the queue is rejected, so it does not complete
                if (!qp.hasSrq() && qp.outstandingReceives() + count < limit) {
                    PostChecks.checkCompletionRoom(mode, qp.recvCq(), count);
                    GrhSpaceCheck.check(mode, qp, each);
                }
            }
            return postTracked(qp, head, count);
        } finally {
            qp.lock().unlock();
        }
    }

    private long postTracked(StrictQp qp, ReceiveWorkRequest head, int count) {
        track(qp, head, count);
        int posted = 0;
        try {
            long result = inner.postReceive(qp.handle(), head);
            posted = result == POSTED ? count : DataPath.index(result);
            qp.receiveCount().posted(posted);
            return result;
        } catch (Error e) {
            tracking.disable(e);
            throw e;
        } finally {
            untrackReceives(qp, count - posted);
        }
    }

    private void track(StrictQp qp, ReceiveWorkRequest head, int count) {
        try {
            ReceiveWorkRequest each = head;
            for (int i = 0; i < count; i++, each = each.next()) {
                qp.receivePosted(each.wrId(), sinks(each));
            }
        } catch (RuntimeException | Error e) {
            tracking.disable(e);
        }
    }

    private void untrackReceives(StrictQp qp, int refused) {
        try {
            for (int i = 0; i < refused; i++) {
                qp.receiveNotPosted();
            }
        } catch (RuntimeException | Error e) {
            tracking.disable(e);
        }
    }

    @Override
    public long postSharedReceive(Handle.Srq srq, ReceiveWorkRequest head) {
        if (tracking.isDisabled()) {
            return inner.postSharedReceive(srq, head);
        }
        StackReserve.check();
        SharedReceives shared = context.tracked(srq);
        GrhSpaceCheck.check(mode, shared, head);
        // a thread that polls a completion of these requests waits until they are tracked
        synchronized (shared) {
            long result;
            try {
                result = inner.postSharedReceive(srq, head);
            } catch (Error e) {
                tracking.disable(e);
                throw e;
            }
            track(shared, head, result);
            return result;
        }
    }

    private void track(SharedReceives shared, ReceiveWorkRequest head, long result) {
        try {
            int count = 0;
            // a chain that was posted is not a cycle
            for (ReceiveWorkRequest each = head; each != null
                    && (result == POSTED || count < DataPath.index(result)); each = each.next()) {
                shared.posted(each.wrId(), sinks(each), GrhSpaceCheck.tooShort(each));
                count++;
            }
            shared.count().posted(count);
        } catch (RuntimeException | Error e) {
            tracking.disable(e);
        }
    }

    @Override
    public String explainSend(Handle.Qp qp, SendWorkRequest head, int errno) {
        return inner.explainSend(qp, head, errno);
    }

    @Override
    public String explainReceive(Handle.Qp qp, ReceiveWorkRequest head, int errno) {
        return inner.explainReceive(qp, head, errno);
    }

    @Override
    public String explainSharedReceive(Handle.Srq srq, ReceiveWorkRequest head, int errno) {
        return inner.explainSharedReceive(srq, head, errno);
    }

    @Override
    public int poll(Handle.Cq handle, WorkCompletions completions, int max) {
        deferred.rethrow();
        if (tracking.isDisabled()) {
            return inner.poll(handle, completions, max);
        }
        StackReserve.check();
        StrictCq cq = context.tracked(handle);
        List<Violation> found = List.of();
        int count;
        cq.polling().lock();
        try {
            count = inner.poll(handle, completions, max);
            if (count > 0) {
                found = track(cq, completions.memory(), count);
            }
        } finally {
            cq.polling().unlock();
        }
        deferred.report(found);
        return count;
    }

    private List<Violation> track(StrictCq cq, MemorySegment memory, int count) {
        try {
            List<Violation> found = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                track(cq, memory, i * WcLayout.SIZE, found);
            }
            return found;
        } catch (RuntimeException | Error e) {
            tracking.disable(e);
            return List.of();
        }
    }

    private void track(StrictCq cq, MemorySegment memory, long at, List<Violation> found) {
        StrictQp qp = context.numbered(memory.get(JAVA_INT, at + WcLayout.QP_NUM));
        if (qp == null) {
            return;
        }
        long wrId = memory.get(JAVA_LONG, at + WcLayout.WR_ID);
        int status = memory.get(JAVA_INT, at + WcLayout.STATUS);
        boolean success = status == 0;
        boolean opcodeSaysReceive = (memory.get(JAVA_INT, at + WcLayout.OPCODE) & RECEIVE_BIT) != 0;
        qp.lock().lock();
        try {
            if (success ? opcodeSaysReceive : qp.isReceive(cq, opcodeSaysReceive, wrId)) {
                GrhSpaceCheck.ShortReceive tooShort = qp.receiveCompleted(wrId);
                if (tooShort != null && status == LOC_LEN_ERR) {
                    GrhSpaceCheck.failed(qp, wrId, tooShort, found);
                }
            } else {
                qp.sendCompleted(success, wrId, request -> checkPayload(qp, request, found));
            }
        } finally {
            qp.lock().unlock();
        }
    }

    private static void checkPayload(StrictQp qp, Request request, List<Violation> found) {
        Payload payload = request.payload();
        if (payload != null && payload.isChanged()) {
            found.add(new Violation(Kind.PAYLOAD_CHANGED, "the " + payload.bytes()
                    + " bytes that the request with wrId " + request.wrId() + " of " + ConnectionChecks.name(qp)
                    + " sends were changed between its post here and its completion. The peer may receive the old data,"
                    + " the new data or a mixture",
                    request.place(),
                    "Do not change the memory until the completion of this request, or of a later one, is polled; or"
                            + " post the request with SendFlags.INLINE"));
        }
    }

    @Override
    public int requestNotification(Handle.Cq cq, boolean solicitedOnly) {
        return inner.requestNotification(cq, solicitedOnly);
    }
}
