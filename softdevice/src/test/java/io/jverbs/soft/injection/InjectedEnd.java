package io.jverbs.soft.injection;

import io.jverbs.Access;
import io.jverbs.AddressHandle;
import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.Errno;
import io.jverbs.MemoryRegion;
import io.jverbs.MemoryWindow;
import io.jverbs.MwBind;
import io.jverbs.MwType;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.SharedReceiveQueue;
import io.jverbs.SrqInitAttributes;
import io.jverbs.VerbsException;
import io.jverbs.WorkCompletions;
import io.jverbs.injection.ErrorInjector.InjectedError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One side of {@link InjectedTraffic}: the objects of all rounds, and the queue pair of the present round. Counts the
 * completions of each request that was accepted, and checks why a post was refused.
 */
final class InjectedEnd {
    private static final int ALL = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ
            | Access.REMOTE_ATOMIC;
    private static final int BYTES = 8192;
    private static final int WINDOW_ACCESS = Access.REMOTE_WRITE | Access.REMOTE_READ;

    final RdmaContext context;
    final ProtectionDomain pd;
    final MemoryRegion memory;
    final WorkCompletions completions = WorkCompletions.create(8);
    /** The number of completions of each accepted request, by wr_id. */
    final Map<Long, Integer> completionCounts = new HashMap<>();
    /** The wr_ids of the accepted send requests. */
    private final List<Long> sent = new ArrayList<>();
    CompletionChannel channel;
    CompletionQueue cq;
    SharedReceiveQueue srq;
    QueuePair qp;
    /** A region that windows are bound to, and a window of each type; null for UD. */
    MemoryRegion bound;
    MemoryWindow[] windows;
    int number;
    AddressHandle path;
    boolean armed;
    int count;
    /** The {@code wr_id} of the next request. */
    long nextId;
    private final QpType type;
    private final List<String> errors;

    /**
     * Allocates the objects of all rounds.
     *
     * @param errors where violated conditions are added
     */
    InjectedEnd(RdmaContext context, QpType type, List<String> errors) {
        this.context = context;
        this.type = type;
        this.errors = errors;
        pd = context.allocatePd();
        memory = pd.allocate(BYTES, ALL);
    }

    void create(boolean withChannel, boolean withSrq) {
        completionCounts.clear();
        sent.clear();
        armed = false;
        count = 0;
        channel = withChannel ? context.createCompletionChannel() : null;
        cq = withChannel ? context.createCompletionQueue(64, channel) : context.createCompletionQueue(64);
        srq = withSrq ? pd.createSharedReceiveQueue(SrqInitAttributes.of(32, 2)) : null;
        QpInitAttributes.Builder init = QpInitAttributes.builder(type).cq(cq).maxSendWr(16).maxRecvWr(16)
                .maxSendSge(2).maxInlineData(64);
        qp = pd.createQueuePair(withSrq ? init.srq(srq).build() : init.maxRecvSge(2).build());
        number = qp.number();
        if (type != QpType.UD) {
            bound = pd.allocate(BYTES, ALL | Access.MW_BIND);
            windows = new MemoryWindow[] {pd.allocateMemoryWindow(MwType.TYPE_1),
                pd.allocateMemoryWindow(MwType.TYPE_2)};
        }
    }

    /** Posts a chain of requests, and records which ones were accepted. */
    void post(SendWorkRequest head) {
        for (SendWorkRequest each = head; each != null; each = each.next()) {
            each.flags(each.flags() | SendFlags.SIGNALED);
        }
        SendWorkRequest stop = head;
        try {
            qp.postSend(head);
            stop = null;
        } catch (InjectedError e) {
            // rejected
        } catch (VerbsException e) {
            stop = head.failed();
            checkReason(e);
        }
        for (SendWorkRequest each = head; each != stop; each = each.next()) {
            accepted(each.wrId());
        }
    }

    private void accepted(long sendId) {
        completionCounts.put(sendId, 0);
        sent.add(sendId);
    }

    /** Posts the bind of the type 1 window to all of its region. */
    void bindTypeOne() {
        long id = nextId++;
        int former = windows[0].rkey();
        try {
            qp.bindMemoryWindow(windows[0], id, SendFlags.SIGNALED, all());
            accepted(id);
        } catch (InjectedError e) {
            // rejected
            if (windows[0].rkey() != former) {
                errors.add("a window shows the key of a bind that was rejected");
            }
        }
    }

    /** Posts a BIND_MW of the type 2 window to all of its region. */
    void bindTypeTwo() {
        post(SendWorkRequest.create(1).wrId(nextId++).bind(windows[1],
                MemoryWindow.incrementRkey(windows[1].rkey()), all()));
    }

    private MwBind all() {
        return new MwBind(bound, bound.address(), BYTES, WINDOW_ACCESS);
    }

    void postReceive(int bytes) {
        try {
            tryPostReceive(bytes);
        } catch (InjectedError e) {
            // rejected: tries again, because the sender would wait for a receive request
            tryPostReceive(bytes);
        }
    }

    private void tryPostReceive(int bytes) {
        postReceives(ReceiveWorkRequest.create(1).wrId(nextId++).sge(memory, 0, bytes));
    }

    /** Posts a chain of receive requests, and records which ones were accepted. */
    private void postReceives(ReceiveWorkRequest head) {
        ReceiveWorkRequest stop = null;
        try {
            if (srq == null) {
                qp.postReceive(head);
            } else {
                srq.postReceive(head);
            }
        } catch (VerbsException e) {
            stop = head.failed();
            checkReason(e);
        }
        for (ReceiveWorkRequest each = head; each != stop; each = each.next()) {
            completionCounts.put(each.wrId(), 0);
        }
    }

    /** Posts two receive requests. The second one is the first of the round that has two elements. */
    void postReceivePair(int bytes) {
        int before = completionCounts.size();
        ReceiveWorkRequest second = ReceiveWorkRequest.create(2).wrId(nextId++).sge(0, memory, 0, bytes)
                .sge(1, memory, bytes, 8);
        try {
            postReceives(ReceiveWorkRequest.create(1).wrId(nextId++).sge(memory, 0, bytes).next(second));
        } catch (InjectedError e) {
            // rejected
        }
        while (completionCounts.size() < before + 2) {
            postReceive(bytes);
        }
    }

    /** Checks the message of a post that was not successful although no queue was full. */
    private void checkReason(VerbsException e) {
        if (e.error() != Errno.ENOMEM || !e.getMessage().contains(InjectedError.class.getName())) {
            errors.add("the message does not name the Error: " + e);
        }
    }

    /** Posts until the send queue is full, and checks the message. */
    void fill(SendWorkRequest request) {
        try {
            for (int i = 0; i <= qp.capabilities().maxSendWr(); i++) {
                qp.postSend(request.wrId(nextId++));
                completionCounts.put(request.wrId(), 0);
            }
            errors.add("the send queue does not become full");
        } catch (VerbsException e) {
            if (e.error() != Errno.ENOMEM || !e.getMessage().endsWith("has been polled")) {
                errors.add("the message does not name the full queue: " + e);
            }
        }
    }

    /** Polls completions; returns false if there was none. */
    boolean poll() {
        int found;
        try {
            found = cq.poll(completions);
        } catch (InjectedError e) {
            return true;
        }
        for (int i = 0; i < found; i++) {
            long id = completions.wrId(i);
            if (!completionCounts.containsKey(id)) {
                errors.add("completion of a rejected request: " + completions);
            }
            completionCounts.merge(id, 1, Integer::sum);
            count++;
        }
        return found != 0;
    }

    /** Returns whether all send requests have completed. */
    boolean isSent() {
        return sent.stream().noneMatch(id -> completionCounts.get(id) == 0);
    }

    /** Returns whether all requests have completed. */
    boolean isComplete() {
        return completionCounts.values().stream().noneMatch(number -> number == 0);
    }

    void check(String name) {
        completionCounts.forEach((id, number) -> {
            if (number != 1) {
                errors.add(name + ": request " + id + " has " + number + " completions");
            }
        });
    }

    void close() {
        if (windows != null) {
            for (MemoryWindow window : windows) {
                close(window);
            }
            // fails if a window is still bound to it
            close(bound);
        }
        close(qp);
        close(cq);
        close(srq);
        close(channel);
    }

    private void close(AutoCloseable object) {
        if (object != null) {
            try {
                object.close();
            } catch (Exception e) {
                errors.add("closing " + object + ": " + e);
            }
        }
    }
}
