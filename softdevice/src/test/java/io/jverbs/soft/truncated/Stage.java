package io.jverbs.soft.truncated;

import io.jverbs.Access;
import io.jverbs.AddressHandle;
import io.jverbs.AhAttributes;
import io.jverbs.AsyncEvent;
import io.jverbs.AsyncEventType;
import io.jverbs.Gid;
import io.jverbs.MemoryRegion;
import io.jverbs.MemoryWindow;
import io.jverbs.MwBind;
import io.jverbs.MwType;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.soft.PairOfQueuePairs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** Two connected queue pairs, with a mapped file registered at each end and memory windows on that of the responder. */
final class Stage implements AutoCloseable {
    static final int SENT = 7;
    static final int RECEIVED = 77;
    static final int QKEY = 0x11;
    private static final int LOCAL = 5;
    private static final int ACCESS = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ
            | Access.REMOTE_ATOMIC;
    private static final int WINDOW_ACCESS = Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    final QpType type;
    final PairOfQueuePairs pair;
    private final MappedFile[] files = new MappedFile[End.values().length];
    private final MemoryRegion[] regions = new MemoryRegion[files.length];
    /** Bound to all of the responder's mapped memory; null for UD. */
    private final MemoryWindow window;
    /** Bound by the responder before each SEND_WITH_INV; null if the queue pairs are not RC. */
    private final MemoryWindow invalidated;
    private final WorkCompletions completions = WorkCompletions.create(4);
    private AddressHandle path;

    Stage(NetworkPath network, QpType type, boolean shared, Path folder, int fileBytes) throws IOException {
        this.type = type;
        pair = network.pair(type, shared);
        network.capture(pair, folder);
        for (End end : End.values()) {
            MappedFile file = new MappedFile(folder, fileBytes);
            files[end.ordinal()] = file;
            regions[end.ordinal()] = side(end).pd.registerMemory(file.segment, ACCESS | Access.MW_BIND);
        }
        window = type == QpType.UD ? null : pair.right.pd.allocateMemoryWindow(MwType.TYPE_1);
        invalidated = type == QpType.RC ? pair.right.pd.allocateMemoryWindow(MwType.TYPE_2) : null;
        if (window != null) {
            pair.right.qp.bindMemoryWindow(window, LOCAL, SendFlags.SIGNALED, all());
            expect(WcStatus.SUCCESS, next(End.RESPONDER, LOCAL));
        }
    }

    private MwBind all() {
        MemoryRegion region = mapped(End.RESPONDER);
        return new MwBind(region, region.address(), region.length(), WINDOW_ACCESS);
    }

    PairOfQueuePairs.Side side(End end) {
        return end == End.REQUESTER ? pair.left : pair.right;
    }

    MappedFile file(End end) {
        return files[end.ordinal()];
    }

    MemoryRegion mapped(End end) {
        return regions[end.ordinal()];
    }

    /** Posts the request of a case, at an offset in mapped memory of the end whose memory is truncated. */
    void post(Case each, long offset) {
        post(each, mapped(End.REQUESTER), mapped(End.RESPONDER), offset);
    }

    /** Posts the request of a case. Its memory is not mapped. */
    void postOrdinary(Case each) {
        post(each, pair.left.memory, pair.right.memory, 0);
    }

    /**
     * Posts the request of a case.
     *
     * @param local the requester's memory, if this is the end whose memory is truncated
     * @param remote the responder's memory, if this is the end whose memory is truncated
     * @param offset the offset in this memory
     */
    private void post(Case each, MemoryRegion local, MemoryRegion remote, long offset) {
        if (each.opcode() == WrOpcode.SEND_WITH_INV) {
            bindInvalidated();
        }
        if (each.receives()) {
            pair.right.post(receive(each, remote, offset));
        }
        SendWorkRequest request = SendWorkRequest.create(PairOfQueuePairs.ELEMENTS).wrId(SENT).opcode(each.opcode())
                .flags(SendFlags.SIGNALED);
        for (int i = 0, at = 0; i < each.pieces(); i++) {
            boolean truncated = each.gone() == End.REQUESTER && i == each.truncatedElement();
            int length = each.length(each.bytes(), i);
            request.sge(i, truncated ? local : pair.left.memory, truncated ? offset : at, length);
            at += length;
        }
        destine(request, each, remote, offset);
        pair.left.qp.postSend(request);
    }

    private ReceiveWorkRequest receive(Case each, MemoryRegion remote, long offset) {
        ReceiveWorkRequest receive = ReceiveWorkRequest.create(PairOfQueuePairs.ELEMENTS).wrId(RECEIVED);
        if (!each.inReceive()) {
            return receive.sge(pair.right.memory, 0, each.room());
        }
        for (int i = 0, at = 0; i < each.pieces(); i++) {
            boolean truncated = i == each.truncatedElement();
            int length = each.length(each.room(), i);
            receive.sge(i, truncated ? remote : pair.right.memory, truncated ? offset : at, length);
            at += length;
        }
        return receive;
    }

    private void destine(SendWorkRequest request, Case each, MemoryRegion remote, long offset) {
        boolean gone = each.gone() == End.RESPONDER && !each.inReceive();
        MemoryRegion region = gone ? remote : pair.right.memory;
        long address = region.address() + (gone ? offset : 0);
        // the window is bound to mapped memory
        int rkey = each.windowed() && region == mapped(End.RESPONDER) ? window.rkey() : region.rkey();
        switch (each.opcode()) {
            case ATOMIC_FETCH_AND_ADD -> request.fetchAndAdd(address, rkey, 1);
            case ATOMIC_CMP_AND_SWP -> request.compareAndSwap(address, rkey, 0, 1);
            case SEND_WITH_INV -> request.invalidateRkey(invalidated.rkey());
            default -> {
                if (type == QpType.UD) {
                    request.destination(path(), pair.right.qp.number(), QKEY);
                } else {
                    request.remote(address, rkey);
                }
            }
        }
    }

    private AddressHandle path() {
        if (path == null) {
            path = pathTo(pair.right.context.preferredGid(1).gid());
        }
        return path;
    }

    /** Creates an address handle of the requester. */
    AddressHandle pathTo(Gid destination) {
        return pair.left.pd.createAddressHandle(
                AhAttributes.to(destination, 1, pair.left.context.preferredGid(1).index()));
    }

    private void bindInvalidated() {
        local(SendWorkRequest.create(1).bind(invalidated, MemoryWindow.incrementRkey(invalidated.rkey()), all()));
    }

    /** Invalidates the window that a SEND_WITH_INV has not invalidated, which shows that it is still bound. */
    void invalidate() {
        local(SendWorkRequest.create(1).opcode(WrOpcode.LOCAL_INV).invalidateRkey(invalidated.rkey()));
    }

    /** Runs a local operation of the responder's queue pair. */
    private void local(SendWorkRequest operation) {
        pair.right.qp.postSend(operation.wrId(LOCAL).flags(SendFlags.SIGNALED));
        expect(WcStatus.SUCCESS, next(End.RESPONDER, LOCAL));
    }

    /** Posts a receive request for valid memory. */
    void postReceive() {
        pair.right.post(ReceiveWorkRequest.create(1).wrId(RECEIVED).sge(pair.right.memory, 0, PairOfQueuePairs.BYTES));
    }

    /** Sends a message from valid memory, which consumes the receive request that is posted. */
    void sendValid() {
        SendWorkRequest send = SendWorkRequest.create(1).wrId(SENT).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED)
                .sge(pair.left.memory, 0, Long.BYTES);
        if (type == QpType.UD) {
            send.destination(path(), pair.right.qp.number(), QKEY);
        }
        pair.left.qp.postSend(send);
        expect(WcStatus.SUCCESS, next(End.REQUESTER, SENT));
        expect(WcStatus.SUCCESS, next(End.RESPONDER, RECEIVED));
    }

    /** Polls the next completion of an end, which must be that of the given request, and returns its status. */
    WcStatus next(End end, long wrId) {
        long deadline = System.nanoTime() + DEADLINE.toNanos();
        while (side(end).cq.poll(completions) == 0) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("no completion of request " + wrId + " at the " + end);
            }
            Thread.onSpinWait();
        }
        if (completions.count() != 1 || completions.wrId(0) != wrId) {
            throw new IllegalStateException("expected one completion of request " + wrId + ": " + completions);
        }
        return completions.status(0);
    }

    void expectNothing(End end) {
        if (side(end).cq.poll(completions) != 0) {
            throw new IllegalStateException("unexpected completion at the " + end + ": " + completions);
        }
    }

    /** Waits for a state of the requester. A simulated network runs while the completion queue is polled. */
    void awaitRequester(QpState state) {
        awaitState(End.REQUESTER, state);
    }

    /** Waits for ERR of the responder, or checks that it is still in RTS. */
    void awaitResponder(QpState state) {
        if (state == QpState.ERR) {
            awaitState(End.RESPONDER, state);
        } else if (pair.right.qp.state() != state) {
            throw new IllegalStateException("the RESPONDER is in " + pair.right.qp.state() + ", expected " + state);
        }
    }

    private void awaitState(End end, QpState state) {
        long deadline = System.nanoTime() + DEADLINE.toNanos();
        while (side(end).qp.state() != state) {
            expectNothing(end);
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(end + " is in " + side(end).qp.state() + ", expected " + state);
            }
        }
    }

    /** Moves the responder to ERR, if it is not there, and returns the number of receive requests that were flushed. */
    int flushShared(QpState state) {
        if (state != QpState.ERR) {
            pair.right.qp.modify(QpAttributes.builder().state(QpState.ERR).build());
        }
        awaitLastWqe();
        int flushed = 0;
        while (pair.right.cq.poll(completions) != 0) {
            for (int i = 0; i < completions.count(); i++) {
                expect(WcStatus.WR_FLUSH_ERR, completions.status(i));
            }
            flushed += completions.count();
        }
        return flushed;
    }

    private void awaitLastWqe() {
        AsyncEventType type = null;
        while (type != AsyncEventType.QP_LAST_WQE_REACHED) {
            try (AsyncEvent event = pair.right.context.awaitAsyncEvent(DEADLINE)) {
                if (event == null) {
                    throw new IllegalStateException("no event QP_LAST_WQE_REACHED");
                }
                type = event.queuePair() == pair.right.qp ? event.type() : type;
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Connects the queue pairs again, and discards completions. */
    void reconnect() {
        pair.reconnect();
        while (pair.left.cq.poll(completions) + pair.right.cq.poll(completions) != 0) {
            Thread.onSpinWait();
        }
    }

    static void expect(WcStatus wanted, WcStatus found) {
        if (wanted != found) {
            throw new IllegalStateException(found + " instead of " + wanted);
        }
    }

    @Override
    public void close() throws IOException {
        pair.close();
        for (MappedFile file : files) {
            file.close();
        }
    }
}
