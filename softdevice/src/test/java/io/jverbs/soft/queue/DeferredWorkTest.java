package io.jverbs.soft.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** In which order deferred work is performed, how often, and what happens if it fails. */
final class DeferredWorkTest {
    private static final long SECONDS = 60;
    private static final int THREADS = 4;
    private static final int OBJECTS = 64;
    private static final int ROUNDS = 100_000;

    private final DeferredWork.DeferredQueue queue = new DeferredWork.DeferredQueue();
    private final List<String> performed = Collections.synchronizedList(new ArrayList<>());
    /** The number of times that the work of an object still fails. */
    private final Map<String, Integer> failures = new HashMap<>();
    /** Work that an object defers while it performs its own: pairs of a name and bits. */
    private final Map<String, String> deferredMeanwhile = new HashMap<>();
    /** What an object does while it performs its work. */
    private final Map<String, Runnable> meanwhile = new HashMap<>();
    private final Map<String, Item> items = new HashMap<>();

    /** An object whose work is recorded. */
    private final class Item extends DeferredWork {
        private final String name;

        Item(String name) {
            super(queue);
            this.name = name;
        }

        @Override
        protected void perform(int bits) {
            performed.add(name + bits);
            meanwhile.getOrDefault(name, () -> {}).run();
            String more = deferredMeanwhile.remove(name);
            if (more != null) {
                deferAll(more);
            }
            if (failures.merge(name, -1, Integer::sum) >= 0) {
                throw new IllegalStateException("the work fails on purpose");
            }
        }

        @Override
        public String toString() {
            return name;
        }
    }

    @BeforeEach
    void makeItems() {
        for (String name : List.of("a", "b", "c")) {
            items.put(name, new Item(name));
            failures.put(name, 0);
        }
    }

    /** Defers a list of pairs such as {@code a1 b2}: the name of the object and the bits. */
    private void deferAll(String pairs) {
        for (String pair : pairs.split(" ")) {
            items.get(pair.substring(0, 1)).defer(Integer.parseInt(pair.substring(1)));
        }
    }

    private String run() {
        performed.clear();
        queue.run();
        return String.join(" ", performed);
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            a1,             a1
            a1 b2 c4,       a1 b2 c4
            c4 a1 b2,       c4 a1 b2
            a1 a2,          a3
            a1 a1,          a1
            a1 b2 a4,       a5 b2
            a1 b2 a4 b1 c1, a5 b3 c1
            a0,             a0
            a1073741823,    a1073741823
            """)
    void workIsPerformedOncePerObjectInTheOrderInWhichTheObjectsWereListed(String deferred, String expected) {
        deferAll(deferred);
        assertEquals(expected, run());
        assertEquals("", run());
    }

    @Test
    void noWorkIsPerformedIfNoneWasDeferred() {
        assertEquals("", run());
    }

    /** The columns are what is deferred, what {@code a} defers while it performs its work, and what is performed. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            a1,       b2,       a1 b2
            a1,       a2,       a1 a2
            a1 b1,    b2,       a1 b3
            a1 b1,    c2,       a1 b1 c2
            b1 a1,    b2,       b1 a1 b2
            a1 b1,    c2 a2 c4, a1 b1 c6 a2
            """)
    void workThatIsDeferredMeanwhileIsPerformedInTheSameRun(String deferred, String meanwhile, String expected) {
        deferredMeanwhile.put("a", meanwhile);
        deferAll(deferred);
        assertEquals(expected, run());
        assertEquals("", run());
    }

    /** The columns are what is deferred, how often the work of {@code a} fails, and what is performed. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            a1,       1, a1 a1
            a1,       2, a1 a1
            a1 b2,    1, a1 b2 a1
            a1 b2,    2, a1 b2 a1
            b2 a1,    1, b2 a1 a1
            b2 a1 c3, 2, b2 a1 c3 a1
            """)
    void workThatFailsIsTriedOnceMoreAfterTheOthers(String deferred, int failing, String expected) {
        failures.put("a", failing);
        deferAll(deferred);
        assertEquals(expected, run());
        assertEquals("", run());
    }

    @Test
    void workThatIsDeferredAfterItFailedTwiceIsTriedTwiceAgain() {
        failures.put("a", 4);
        deferAll("a1");
        assertEquals("a1 a1", run());
        deferAll("a2");
        assertEquals("a2 a2", run());
        deferAll("a4");
        assertEquals("a4", run());
    }

    /** The bits of a failed attempt and those that were deferred during it are performed together. */
    @Test
    void workThatWasDeferredDuringAFailedAttemptIsPerformedWithTheRetry() {
        failures.put("a", 1);
        deferredMeanwhile.put("a", "a2");
        deferAll("a1");
        assertEquals("a1 a3", run());
    }

    /** Otherwise the object would be performed while it is listed, and could be listed twice. */
    @Test
    void workThatIsDeferredDuringTheReportOfAFailureIsPerformedOnceThoughTheReportFails() {
        meanwhile.put("a", () -> {
            meanwhile.put("a", () -> {
                meanwhile.remove("a");
                throw new UnprintableException(() -> deferAll("a4 b2"));
            });
            throw new IllegalStateException("the work fails on purpose");
        });
        deferAll("a1 c1");
        assertEquals("a1 c1 a1 a4 b2", run());
        assertEquals("", run());
    }

    /** An exception that cannot be logged. */
    private static final class UnprintableException extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final transient Runnable before;

        UnprintableException(Runnable before) {
            this.before = before;
        }

        @Override
        public String toString() {
            before.run();
            throw new OutOfMemoryError("on purpose");
        }
    }

    /** The first call of an access links it, which can fail, and must not while objects are in no list. */
    @Test
    void theConstructorOfTheQueueLinksAllAccesses() throws IOException {
        ClassNode node = new ClassNode();
        new ClassReader(DeferredWork.DeferredQueue.class.getName()).accept(node, 0);
        Set<String> linked = new TreeSet<>();
        Set<String> others = new TreeSet<>();
        for (MethodNode method : node.methods) {
            Set<String> accesses = method.name.equals("<init>") ? linked : others;
            for (AbstractInsnNode step : method.instructions) {
                if (step instanceof MethodInsnNode call && call.owner.equals("java/lang/invoke/VarHandle")) {
                    accesses.add(call.name + call.desc);
                }
            }
        }
        assertFalse(others.isEmpty());
        assertEquals(others, linked);
    }

    /** A thread that performs work may wait for a lock, or be a virtual thread without a carrier. */
    @Test
    void otherThreadsPerformTheRestWhileAThreadIsHeldUpInItsWork() throws Exception {
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        meanwhile.put("a", () -> {
            began.countDown();
            await(released);
        });
        deferAll("a1 b2 c4");
        Thread other = Thread.ofPlatform().start(queue::run);
        try {
            await(began);
            deferAll("b1");
            assertEquals("b3 c4", run());
        } finally {
            released.countDown();
            other.join();
        }
        assertEquals("b3 c4", String.join(" ", performed));
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(SECONDS, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** An object whose work is to see that it was deferred. */
    private static final class Counted extends DeferredWork {
        private final AtomicLong deferred = new AtomicLong();
        private final AtomicLong seen = new AtomicLong();

        Counted(DeferredQueue queue) {
            super(queue);
        }

        void deferOnce() {
            deferred.incrementAndGet();
            defer(1);
        }

        @Override
        protected void perform(int bits) {
            long now = deferred.get();
            seen.accumulateAndGet(now, Math::max);
        }

        boolean isDone() {
            return seen.get() == deferred.get();
        }
    }

    @Test
    void noWorkIsLostWhileSeveralThreadsDeferAndPerformIt() throws Exception {
        List<Counted> counted = Stream.generate(() -> new Counted(queue)).limit(OBJECTS).toList();
        List<FutureTask<Void>> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int seed = i;
            FutureTask<Void> task = new FutureTask<>(() -> {
                SplittableRandom random = new SplittableRandom(seed);
                for (int round = 0; round < ROUNDS; round++) {
                    for (int count = random.nextInt(OBJECTS); count >= 0; count--) {
                        counted.get(random.nextInt(OBJECTS)).deferOnce();
                    }
                    queue.run();
                }
            }, null);
            threads.add(task);
            Thread.ofPlatform().daemon().start(task);
        }
        for (FutureTask<Void> each : threads) {
            each.get(SECONDS, TimeUnit.SECONDS);
        }
        assertTrue(counted.stream().allMatch(Counted::isDone));
    }
}
