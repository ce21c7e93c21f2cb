package io.jverbs.ibverbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.Errno;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.ffm.Fields;
import io.jverbs.ffm.FileCalls;
import io.jverbs.ffm.NativeLibrary;
import io.jverbs.ffm.NativeMemory;
import io.jverbs.ffm.ibverbs.ibv_cq;
import io.jverbs.ffm.ibverbs.ibv_pd;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests events that cannot be delivered, and objects that are closed while other threads use them, with a stub of
 * libibverbs. {@link NativeDataPathTest} runs it.
 */
class OnStubLibraryWithThreads {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int ROUNDS = 300;

    private RdmaContext context;
    private ProtectionDomain pd;

    @BeforeEach
    void open() {
        context = Verbs.select("stub").open();
        pd = context.allocatePd();
    }

    @AfterEach
    void close() {
        context.close();
    }

    @SuppressWarnings("restricted")
    private static MemorySegment variable(String name, long bytes) {
        return ((NativeLibrary.Usable) NativeLibrary.ibverbs()).symbols().find(name).orElseThrow().reinterpret(bytes);
    }

    private static long counter(String name) {
        return variable(name, Long.BYTES).get(JAVA_LONG, 0);
    }

    private QueuePair queuePair(CompletionQueue cq) {
        return pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).build());
    }

    @Test
    void anAsynchronousEventThatCannotBeDeliveredIsAcknowledged() {
        long before = counter("stub_async_acks");
        long device = NativeMemory.getLong(pd.handle().nativeAddress() + ibv_pd.context$offset());
        FileCalls.signal(Fields.asyncFd(device));

        assertThrows(NullPointerException.class, () -> context.awaitAsyncEvent(LONG));

        assertEquals(before + 1, counter("stub_async_acks"));
    }

    @Test
    void aCompletionEventThatCannotBeDeliveredIsAcknowledged() {
        CompletionChannel channel = context.createCompletionChannel();
        CompletionQueue cq = context.createCompletionQueue(16, channel);
        QueuePair qp = queuePair(cq);
        long before = counter("stub_cq_acks");
        cq.requestNotification(false);
        NativeMemory.putLong(cq.handle().nativeAddress() + ibv_cq.cq_context$offset(), 0);
        qp.postSend(SendWorkRequest.create(0).flags(SendFlags.SIGNALED));

        assertThrows(NullPointerException.class, () -> channel.awaitEvent(LONG));

        assertEquals(before + 1, counter("stub_cq_acks"));
        assertEquals(0, cq.unacknowledgedEvents());
        qp.close();
        cq.close();
    }

    /** Calls a control path operation until the object is closed, in a thread that has begun when this returns. */
    private static FutureTask<Integer> untilClosed(Runnable operation) {
        operation.run();
        FutureTask<Integer> calls = new FutureTask<>(() -> {
            int count = 0;
            try {
                while (true) {
                    operation.run();
                    count++;
                }
            } catch (IllegalStateException e) {
                return count;
            }
        });
        Thread.ofPlatform().start(calls);
        return calls;
    }

    @Test
    void anObjectIsClosedWhileOtherThreadsUseIt() throws Exception {
        CompletionQueue cq = context.createCompletionQueue(16);
        for (int i = 0; i < ROUNDS; i++) {
            QueuePair qp = queuePair(cq);
            FutureTask<Integer> calls = untilClosed(qp::query);
            qp.close();
            assertTrue(calls.get(20, TimeUnit.SECONDS) >= 0);
        }
    }

    @Test
    void aContextIsClosedWhileOtherThreadsUseIt() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            RdmaContext other = Verbs.select("stub").open();
            FutureTask<Integer> calls = untilClosed(() -> other.queryPort(1));
            other.close();
            assertTrue(calls.get(20, TimeUnit.SECONDS) >= 0);
        }
    }

    @Test
    void aContextThatTheDriverRefusesToCloseIsClosedByTheNextCall() throws InterruptedException {
        long before = counter("stub_objects");
        RdmaContext other = Verbs.select("stub").open();
        // starts the thread that waits for events
        assertNull(other.awaitAsyncEvent(Duration.ofMillis(1)));
        variable("stub_close_refusal", Integer.BYTES).set(JAVA_INT, 0, Errno.EBUSY.code());

        assertEquals(Errno.EBUSY, assertThrows(VerbsException.class, other::close).error());

        assertEquals(before + 1, counter("stub_objects"));
        other.close();
        other.close();
        assertEquals(before, counter("stub_objects"));
    }

    @Test
    void aClosedRegionStillHasItsKeysAndAClosedQueueItsSize() {
        MemoryRegion region = pd.allocate(64, Access.LOCAL_WRITE);
        CompletionQueue cq = context.createCompletionQueue(16);
        int lkey = region.lkey();
        int rkey = region.rkey();
        int cqe = cq.cqe();

        region.close();
        cq.close();

        assertEquals(lkey, region.lkey());
        assertEquals(rkey, region.rkey());
        assertEquals(cqe, cq.cqe());
    }
}
