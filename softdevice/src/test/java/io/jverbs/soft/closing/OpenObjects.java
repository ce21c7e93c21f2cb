package io.jverbs.soft.closing;

import io.jverbs.Access;
import io.jverbs.AhAttributes;
import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.MwType;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.SharedReceiveQueue;
import io.jverbs.SrqInitAttributes;
import java.util.ArrayList;
import java.util.List;

/** Objects that stay open while others are created and closed. */
final class OpenObjects {
    /** The kinds of objects. */
    enum Kind {
        /** Queue pairs in ERR, each with an asynchronous event that the program has not retrieved. */
        QUEUE_PAIRS,
        /** Memory regions, and as many memory windows. */
        REGIONS_AND_WINDOWS,
        /** Completion queues with a channel, channels, shared receive queues, address handles, protection domains. */
        ALL_ELSE
    }

    private final RdmaContext context;
    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final List<AutoCloseable> objects = new ArrayList<>();

    OpenObjects(RdmaContext context, ProtectionDomain pd, CompletionQueue cq) {
        this.context = context;
        this.pd = pd;
        this.cq = cq;
    }

    void add(Kind kind, int count) {
        switch (kind) {
            case QUEUE_PAIRS -> queuePairs(count);
            case REGIONS_AND_WINDOWS -> regionsAndWindows(count);
            case ALL_ELSE -> allElse(count);
        }
    }

    private <T extends AutoCloseable> T keep(T object) {
        objects.add(object);
        return object;
    }

    private void queuePairs(int count) {
        SharedReceiveQueue srq = keep(pd.createSharedReceiveQueue(SrqInitAttributes.of(1, 1)));
        QpInitAttributes init = QpInitAttributes.builder(QpType.RC).cq(cq).srq(srq).maxSendWr(1).build();
        QpAttributes toInit = QpAttributes.builder().state(QpState.INIT).port(1).pkeyIndex(0).accessFlags(0).build();
        QpAttributes toErr = QpAttributes.builder().state(QpState.ERR).build();
        for (int i = 0; i < count; i++) {
            QueuePair qp = keep(pd.createQueuePair(init));
            qp.modify(toInit);
            qp.modify(toErr);
        }
    }

    private void regionsAndWindows(int count) {
        MemoryRegion whole = keep(pd.allocate(Long.BYTES, Access.LOCAL_WRITE));
        for (int i = 0; i < count; i++) {
            keep(pd.registerMemory(whole.segment(), Access.LOCAL_WRITE | Access.REMOTE_WRITE));
            keep(pd.allocateMemoryWindow(MwType.TYPE_2));
        }
    }

    private void allElse(int count) {
        CompletionChannel shared = keep(context.createCompletionChannel());
        AhAttributes destination = AhAttributes.builder().destination(context.queryGid(1, 0)).port(1).build();
        for (int i = 0; i < count; i++) {
            keep(context.createCompletionQueue(1, shared));
            keep(context.createCompletionChannel());
            keep(pd.createSharedReceiveQueue(SrqInitAttributes.of(1, 1)));
            keep(pd.createAddressHandle(destination));
            keep(context.allocatePd());
        }
    }

    void close() throws Exception {
        for (AutoCloseable object : objects.reversed()) {
            object.close();
        }
        objects.clear();
    }
}
