package io.jverbs.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import io.jverbs.contract.fixture.CapturedLog;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the properties that every thread of a device has, whatever its loop does. */
final class ServiceLoopTest {
    private static final InheritableThreadLocal<String> INHERITED = new InheritableThreadLocal<>();

    @RegisterExtension
    final CapturedLog log = CapturedLog.of(ServiceLoopTest.class);
    private final ServiceLoop loop = new ServiceLoop(ServiceLoopTest.class, "loop");

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    private List<String> warnings() {
        return log.events().stream().filter(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                .map(event -> event.getFormattedMessage() + ": " + event.getThrowableProxy().getClassName()).toList();
    }

    @Test
    void itInheritsNothingFromTheThreadThatStartsIt() throws Exception {
        try (URLClassLoader loader = new URLClassLoader(new URL[0])) {
            String[] seen = new String[1];
            Thread[] made = new Thread[1];
            ThreadGroup group = new ThreadGroup("program");
            Thread starter = new Thread(group, () -> {
                INHERITED.set("program");
                made[0] = ServiceLoop.unstarted("own", ServiceLoopTest.class, () -> seen[0] = INHERITED.get());
                made[0].start();
            });
            starter.setContextClassLoader(loader);
            starter.setPriority(Thread.MIN_PRIORITY);
            starter.start();
            starter.join();
            Thread own = made[0];
            ThreadGroup itsGroup = own.getThreadGroup();
            own.join();

            assertNull(seen[0]);
            assertEquals("own", own.getName());
            assertTrue(own.isDaemon());
            assertEquals(Thread.NORM_PRIORITY, own.getPriority());
            assertSame(ClassLoader.getSystemClassLoader(), own.getContextClassLoader());
            assertFalse(itsGroup != null && group.parentOf(itsGroup));
        }
    }

    @Test
    void anInterruptOfTheCreatingThreadGroupDoesNotReachIt() throws Exception {
        boolean[] interrupted = new boolean[1];
        ThreadGroup group = new ThreadGroup("program");
        Thread[] made = new Thread[1];
        Thread starter = new Thread(group, () -> made[0] = ServiceLoop.unstarted("own", ServiceLoopTest.class, () -> {
            while (!interrupted[0] && !Thread.currentThread().isInterrupted() && group.activeCount() != 0) {
                Thread.onSpinWait();
            }
            interrupted[0] = Thread.currentThread().isInterrupted();
        }));
        starter.start();
        starter.join();
        Thread member = new Thread(group, () -> {
            try {
                Thread.sleep(TimeUnit.SECONDS.toMillis(30));
            } catch (InterruptedException e) {
                // expected: the group is interrupted
            }
        });
        member.start();
        made[0].start();
        group.interrupt();
        made[0].join();
        member.join();

        assertFalse(interrupted[0]);
    }

    @Test
    void anIterationStartsWithTheInterruptCleared() {
        Thread.currentThread().interrupt();
        loop.begin();
        assertFalse(Thread.currentThread().isInterrupted());
    }

    @Test
    void aRecurringFailureIsLoggedOnceAndBacksOff() {
        long began = System.nanoTime();
        for (int i = 1; i <= 6; i++) {
            loop.begin();
            assertEquals(i, loop.failed(new OutOfMemoryError("again")));
        }
        long took = System.nanoTime() - began;
        assertTrue(took > TimeUnit.MILLISECONDS.toNanos(60), () -> "6 failures were delayed by " + took + " ns");
        loop.passed();
        assertEquals(1, loop.failed(new IllegalStateException("later")), "the count starts again after a success");

        assertEquals(List.of("loop continues after an unexpected failure; later ones are logged at level DEBUG: "
                + "java.lang.OutOfMemoryError"), warnings());
    }

    @Test
    void aFailureIsLoggedIfLoggingAnEarlierOneFailed() {
        log.failWith(new OutOfMemoryError("no memory for a line"));
        loop.logFailure(new IllegalStateException("first"));
        log.failWith(null);
        assertEquals(List.of(), warnings());
        loop.logFailure(new IllegalStateException("second"));
        assertEquals(1, warnings().size());
    }

    /** HotSpot throws the same OutOfMemoryError again where there is no memory for another one. */
    @Test
    void aFailureThatLoggingThrowsAgainIsNotThrown() {
        OutOfMemoryError failure = new OutOfMemoryError("the only one");
        log.failWith(failure);
        loop.logFailure(failure);
        assertEquals(1, loop.failed(failure));
    }

    @Test
    void anUncaughtExceptionIsLogged() throws InterruptedException {
        Thread own = ServiceLoop.unstarted("own", ServiceLoopTest.class, () -> {
            throw new IllegalStateException("uncaught");
        });
        own.start();
        own.join();
        assertEquals(List.of("own ended with an uncaught exception: java.lang.IllegalStateException"), warnings());
    }
}
