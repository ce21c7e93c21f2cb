package io.jverbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.strict.StrictMode;
import java.lang.foreign.Arena;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Closing a context and its objects after an Error, and while other threads create objects. */
@Timeout(60)
final class ContextClosingTest {
    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final Gid GROUP = Gid.parse("::ffff:239.1.2.3");
    private static final List<String> ALL = List.of("Ah", "Channel", "Cq", "Mr", "Mw", "Pd", "Qp", "Srq");

    private final CountingDevice device = new CountingDevice();
    private final RdmaContext context = new RdmaDevice("counting", device).open();
    private ProtectionDomain pd;
    private CompletionQueue cq;
    private SharedReceiveQueue srq;
    private QueuePair qp;

    /** Creates an object of each kind. */
    @BeforeEach
    void createAll() {
        pd = context.allocatePd();
        cq = context.createCompletionQueue(16, context.createCompletionChannel());
        srq = pd.createSharedReceiveQueue(SrqInitAttributes.of(1, 1));
        qp = queuePair();
        create("registerMemory");
        create("allocateMw");
        create("createAh");
    }

    private QueuePair queuePair() {
        return pd.createQueuePair(QpInitAttributes.builder(QpType.UD).cq(cq).srq(srq).build());
    }

    /** Creates an object with a verb, named as the device names it. */
    private Resource create(String verb) {
        return switch (verb) {
            case "allocatePd" -> context.allocatePd();
            case "createChannel" -> context.createCompletionChannel();
            case "createCq" -> context.createCompletionQueue(16);
            case "createSrq" -> pd.createSharedReceiveQueue(SrqInitAttributes.of(1, 1));
            case "createQp" -> queuePair();
            case "registerMemory" -> pd.registerMemory(Arena.global().allocate(8), Access.LOCAL_WRITE);
            case "allocateMw" -> pd.allocateMemoryWindow(MwType.TYPE_2);
            case "createAh" -> pd.createAddressHandle(AhAttributes.to(GROUP, 1, 0));
            default -> throw new IllegalArgumentException(verb);
        };
    }

    /** Makes a verb throw the Error that is returned, once, before it has any effect. */
    private OutOfMemoryError throwing(String verb) {
        OutOfMemoryError error = new OutOfMemoryError("injected");
        device.before(verb, () -> {
            throw error;
        });
        return error;
    }

    private long closes() {
        return device.calls().stream().filter("close"::equals).count();
    }

    @Test
    void everyObjectIsDestroyedBeforeTheDeviceIsClosed() {
        assertEquals(ALL, device.objects());
        context.close();
        context.close();
        assertEquals(List.of(), device.objects());
        assertEquals("close", device.calls().getLast());
        assertEquals(1, closes());
    }

    /** The other objects are destroyed by the first call, except those that the remaining object uses. */
    @ParameterizedTest
    @CsvSource({"deallocateMw, Mw Pd", "destroyQp, Channel Cq Pd Qp Srq", "destroyAh, Ah Pd", "deregisterMemory, Mr Pd",
        "destroySrq, Pd Srq", "destroyCq, Channel Cq", "destroyChannel, Channel", "deallocatePd, Pd"})
    void anObjectThatAnErrorKeepsFromBeingDestroyedIsDestroyedByTheNextCloseOfTheContext(String verb, String left) {
        OutOfMemoryError error = throwing(verb);

        assertSame(error, assertThrows(OutOfMemoryError.class, context::close));

        assertEquals(List.of(left.split(" ")), device.objects());
        assertEquals(0, closes());
        assertTrue(context.isClosed());
        assertThrows(IllegalStateException.class, context::allocatePd);
        context.close();
        assertEquals(List.of(), device.objects());
        assertEquals(1, closes());
    }

    @Test
    void everyObjectIsTriedAfterSeveralErrors() {
        OutOfMemoryError first = throwing("deallocateMw");
        OutOfMemoryError second = throwing("destroyAh");

        assertSame(first, assertThrows(OutOfMemoryError.class, context::close));

        assertEquals(List.of(second), List.of(first.getSuppressed()));
        assertEquals(List.of("Ah", "Mw", "Pd"), device.objects());
        context.close();
        assertEquals(List.of(), device.objects());
    }

    @Test
    void anObjectThatTheDeviceRefusesToDestroyIsGivenUpAndTheDeviceIsClosed() {
        device.before("destroyQp", () -> {
            throw new VerbsException("destroy_qp", Errno.EIO, "refused");
        });

        assertEquals(Errno.EIO, assertThrows(VerbsException.class, context::close).error());

        assertEquals(List.of("Qp"), device.objects());
        assertEquals(1, closes());
        context.close();
        qp.close();
        assertEquals(1, closes());
    }

    @Test
    void theDeviceIsClosedByTheNextCallIfItsCloseThrows() {
        OutOfMemoryError error = throwing("close");

        assertSame(error, assertThrows(OutOfMemoryError.class, context::close));

        assertEquals(0, closes());
        context.close();
        assertEquals(1, closes());
    }

    @Test
    void anObjectCannotBeUsedAfterAnErrorInItsCloseAndTheNextCallDestroysIt() {
        throwing("destroyQp");

        assertThrows(OutOfMemoryError.class, qp::close);

        assertTrue(qp.isClosed());
        assertThrows(IllegalStateException.class, qp::query);
        assertEquals(Errno.EBUSY, assertThrows(VerbsException.class, cq::close).error());
        qp.close();
        qp.close();
        cq.close();
        assertFalse(device.objects().contains("Qp"));
        assertFalse(device.objects().contains("Cq"));
    }

    @Test
    void anObjectThatTheDeviceRefusesToDestroyCanStillBeUsed() {
        qp.attachMulticast(GROUP, 0);

        assertEquals(Errno.EBUSY, assertThrows(VerbsException.class, qp::close).error());

        assertFalse(qp.isClosed());
        qp.detachMulticast(GROUP, 0);
        qp.close();
    }

    @Test
    void theObjectOfTheDeviceIsDestroyedIfItsCreationCannotBeCompleted() {
        OutOfMemoryError error = throwing("querySrq");

        assertSame(error, assertThrows(OutOfMemoryError.class, () -> create("createSrq")));

        assertEquals(ALL, device.objects());
    }

    @Test
    void theCloseOfTheContextDestroysTheObjectOfACreationThatCouldNotBeUndone() {
        throwing("querySrq");
        throwing("destroySrq");

        assertThrows(OutOfMemoryError.class, () -> create("createSrq"));

        assertEquals(2, Collections.frequency(device.objects(), "Srq"));
        context.close();
        assertEquals(List.of(), device.objects());
        assertEquals(1, closes());
    }

    @Test
    void aQueuePairThatIsAttachedInSpiteOfAnErrorIsDetachedByTheCloseOfTheContext() {
        device.after("attachMulticast", () -> {
            throw new OutOfMemoryError("injected");
        });
        assertThrows(OutOfMemoryError.class, () -> qp.attachMulticast(GROUP, 0));

        context.close();

        assertEquals(List.of(), device.objects());
    }

    @Test
    void theDeviceIsClosedOnceIfTheListenerOfStrictModeThrows() {
        StrictMode strict = StrictMode.reporting(violation -> {
            throw new UnsupportedOperationException(violation.toString());
        });
        RdmaContext watched = new RdmaDevice("counting", device).open(strict);
        watched.allocatePd();

        assertThrows(UnsupportedOperationException.class, watched::close);

        watched.close();
        assertEquals(ALL, device.objects());
        assertEquals(1, closes());
        assertEquals(1, strict.violations().size());
    }

    private static void awaitState(Thread thread, Thread.State state) {
        long start = System.nanoTime();
        while (thread.getState() != state) {
            assertTrue(System.nanoTime() - start < DEADLINE_NANOS, () -> thread + " is " + thread.getState());
            Thread.onSpinWait();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(DEADLINE_NANOS, TimeUnit.NANOSECONDS), "no signal of the other thread");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Makes a verb wait, once; it counts the first latch down and waits for the second. */
    private void suspend(String verb, CountDownLatch begun, CountDownLatch resumed) {
        device.before(verb, () -> {
            begun.countDown();
            await(resumed);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"allocatePd", "createChannel", "createCq", "createSrq", "createQp", "registerMemory",
        "allocateMw", "createAh"})
    void aThreadThatIsCreatingAnObjectWhenTheContextIsClosedIsToldSoAndTheObjectIsDestroyed(String verb)
            throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch resumed = new CountDownLatch(1);
        suspend(verb, begun, resumed);
        FutureTask<Throwable> creation = new FutureTask<>(
                () -> assertThrows(IllegalStateException.class, () -> create(verb)));
        Thread.ofPlatform().start(creation);
        await(begun);
        FutureTask<Void> close = new FutureTask<>(context::close, null);
        Thread closer = Thread.ofPlatform().start(close);
        awaitState(closer, Thread.State.WAITING);

        resumed.countDown();

        assertEquals("the context of counting:fake is closed", creation.get(20, TimeUnit.SECONDS).getMessage());
        close.get(20, TimeUnit.SECONDS);
        assertEquals(List.of(), device.objects());
        assertEquals("close", device.calls().getLast());
        assertEquals(1, closes());
    }

    @Test
    void aQueuePairThatIsBeingAttachedWhenTheContextIsClosedIsDetached() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch resumed = new CountDownLatch(1);
        suspend("attachMulticast", begun, resumed);
        FutureTask<Void> attachment = new FutureTask<>(() -> qp.attachMulticast(GROUP, 0), null);
        Thread.ofPlatform().start(attachment);
        await(begun);
        FutureTask<Void> close = new FutureTask<>(context::close, null);
        Thread closer = Thread.ofPlatform().start(close);
        awaitState(closer, Thread.State.BLOCKED);

        resumed.countDown();

        attachment.get(20, TimeUnit.SECONDS);
        close.get(20, TimeUnit.SECONDS);
        assertEquals(List.of(), device.objects());
        assertThrows(IllegalStateException.class, () -> qp.attachMulticast(GROUP, 0));
    }

    @Test
    void aCloseWaitsForTheCloseInAnotherThread() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch resumed = new CountDownLatch(1);
        suspend("close", begun, resumed);
        FutureTask<Void> first = new FutureTask<>(context::close, null);
        Thread.ofPlatform().start(first);
        await(begun);
        FutureTask<Void> second = new FutureTask<>(context::close, null);
        Thread waiting = Thread.ofPlatform().start(second);
        awaitState(waiting, Thread.State.WAITING);

        resumed.countDown();

        first.get(20, TimeUnit.SECONDS);
        second.get(20, TimeUnit.SECONDS);
        assertEquals(1, closes());
    }
}
