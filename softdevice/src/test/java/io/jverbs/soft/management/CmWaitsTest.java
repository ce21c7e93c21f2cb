package io.jverbs.soft.management;

import static io.jverbs.soft.management.CmPair.LONG;
import static io.jverbs.soft.management.CmPair.resultOf;
import static io.jverbs.soft.management.CmPair.start;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventChannel;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.CmException;
import io.jverbs.cm.CmId;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import io.jverbs.cm.SynchronousCmId;
import io.jverbs.control.DeviceRemoval;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads that wait for events: they are interrupted, woken by a close, and hold no carrier of virtual threads. */
@Timeout(60)
final class CmWaitsTest {

    /** A thread that waits in a call. */
    private static final class Waiter {
        final FutureTask<Object> task;
        final Thread thread;

        Waiter(Callable<Object> call) {
            task = new FutureTask<>(call);
            thread = Thread.ofVirtual().start(task);
            long deadline = System.nanoTime() + LONG.toNanos();
            while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING) {
                assertFalse(task.isDone(), "the call has not waited");
                assertTrue(System.nanoTime() - deadline < 0, "the call does not wait");
                Thread.onSpinWait();
            }
        }

        Throwable failure() {
            return assertThrows(ExecutionException.class, () -> task.get(LONG.toSeconds(), TimeUnit.SECONDS))
                    .getCause();
        }
    }

    private static Callable<Object> call(InterruptibleCall call) {
        return () -> {
            call.run();
            return null;
        };
    }

    private interface InterruptibleCall {
        void run() throws InterruptedException;
    }

    private static InetSocketAddress own(RdmaContext context) {
        return new InetSocketAddress(context.preferredGid(1).gid().toInetAddress(), 0);
    }

    @Test
    void anInterruptEndsTheWaitForAnEventAndTheNextWaitGetsTheEvent() throws Exception {
        try (RdmaContext context = Verbs.open("soft:soft78")) {
            CmEventChannel channel = CmEventChannel.create(context);
            CmId id = channel.createId(PortSpace.TCP);
            Waiter waiter = new Waiter(channel::awaitEvent);
            waiter.thread.interrupt();
            assertInstanceOf(InterruptedException.class, waiter.failure());
            id.postUserEvent(0, 1);
            try (CmEvent event = channel.awaitEvent(LONG)) {
                assertSame(id, event.id());
            }
        }
    }

    /** The step goes on, and the ID can be closed. */
    @ParameterizedTest
    @ValueSource(strings = {"getRequest", "connect", "accept", "disconnect"})
    void anInterruptEndsTheWaitOfAStep(String step) throws Exception {
        try (CmPair pair = CmPair.withQueuePair(PortSpace.TCP)) {
            SynchronousCmId server = null;
            Waiter waiter;
            switch (step) {
                case "getRequest" -> waiter = new Waiter(pair.listener::getRequest);
                case "connect" -> waiter = new Waiter(call(() -> pair.client.connect(ConnectionParameters.DEFAULT)));
                case "accept" -> {
                    pair.client.id().connect(ConnectionParameters.DEFAULT);
                    SynchronousCmId accepting = pair.listener.getRequest();
                    pair.serverSide.createQueuePair(accepting);
                    waiter = new Waiter(call(() -> accepting.accept(ConnectionParameters.DEFAULT)));
                    server = accepting;
                }
                default -> {
                    server = pair.connect();
                    waiter = new Waiter(call(pair.client::disconnect));
                }
            }
            waiter.thread.interrupt();
            assertInstanceOf(InterruptedException.class, waiter.failure());
            if (server != null) {
                server.close();
            }
        }
    }

    /** K134: the ID is moved before the wait for the events that were retrieved. */
    @Test
    void aMoveWaitsForAcknowledgementsAndCanBeInterrupted() throws Exception {
        try (RdmaContext context = Verbs.open("soft:soft78")) {
            CmEventChannel from = CmEventChannel.create(context);
            CmEventChannel to = CmEventChannel.create(context);
            CmId id = from.createId(PortSpace.TCP);
            id.postUserEvent(0, 1);
            CmEvent event = from.awaitEvent();
            Waiter interrupted = new Waiter(call(() -> id.migrate(to)));
            interrupted.thread.interrupt();
            VerbsException failure = assertInstanceOf(VerbsException.class, interrupted.failure());
            assertEquals(Errno.EINTR, failure.error());
            assertTrue(failure.getMessage().endsWith("it was moved; acknowledge before it is closed"),
                    failure::getMessage);
            assertSame(to, id.channel());
            from.close();

            CmEventChannel third = CmEventChannel.create(context);
            Waiter waiting = new Waiter(call(() -> id.migrate(third)));
            event.acknowledge();
            resultOf(waiting.task);
            assertSame(third, id.channel());
        }
    }

    @Test
    void theCloseOfAChannelWakesItsWaiter() {
        try (RdmaContext context = Verbs.open("soft:soft78")) {
            CmEventChannel channel = CmEventChannel.create(context);
            Waiter waiter = new Waiter(channel::awaitEvent);
            channel.close();
            assertInstanceOf(IllegalStateException.class, waiter.failure());
        }
    }

    @Test
    void theCloseOfASynchronousIdWakesItsWaiter() throws Exception {
        try (CmPair pair = new CmPair(PortSpace.TCP)) {
            Waiter waiter = new Waiter(pair.listener::getRequest);
            pair.listener.close();
            assertInstanceOf(IllegalStateException.class, waiter.failure());
        }
    }

    /** There are more waiters than carriers: the last threads could not run if a wait kept its carrier. */
    @Test
    void waitsReleaseTheCarriersOfVirtualThreads() throws Exception {
        int count = 2 * Runtime.getRuntime().availableProcessors();
        try (RdmaContext context = Verbs.open("soft:soft78")) {
            List<CmId> ids = new ArrayList<>();
            List<FutureTask<Long>> events = new ArrayList<>();
            List<SynchronousCmId> listeners = new ArrayList<>();
            List<FutureTask<SynchronousCmId>> requests = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                CmEventChannel channel = CmEventChannel.create(context);
                ids.add(channel.createId(PortSpace.TCP));
                events.add(start(() -> {
                    try (CmEvent event = channel.awaitEvent()) {
                        return event.userArgument();
                    }
                }));
                SynchronousCmId listener = SynchronousCmId.create(context, PortSpace.TCP);
                listener.bind(own(context));
                listener.listen(1);
                listeners.add(listener);
                requests.add(start(listener::getRequest));
            }
            resultOf(start(() -> {
                ids.forEach(id -> id.postUserEvent(0, 5));
                return null;
            }));
            for (FutureTask<Long> each : events) {
                assertEquals(5, resultOf(each));
            }
            for (int i = 0; i < count; i++) {
                listeners.get(i).close();
                FutureTask<SynchronousCmId> request = requests.get(i);
                ExecutionException closed = assertThrows(ExecutionException.class, () -> resultOf(request));
                assertInstanceOf(IllegalStateException.class, closed.getCause());
            }
        }
    }

    /** K135, K138. */
    @Test
    void theRemovalOfTheDeviceEndsTheWaitOfAStepAndSaysWhatToDo() throws Exception {
        RdmaContext context = Verbs.open("soft:soft80");
        DeviceRemoval removal = context.device().capability(DeviceRemoval.class).orElseThrow();
        try (SynchronousCmId listener = SynchronousCmId.create(context, PortSpace.TCP)) {
            listener.bind(own(context));
            listener.listen(1);
            Waiter waiter = new Waiter(listener::getRequest);
            removal.remove();
            CmException failure = assertInstanceOf(CmException.class, waiter.failure());
            assertEquals(CmEventType.DEVICE_REMOVAL, failure.type());
            assertEquals("get_request: DEVICE_REMOVAL, the device was removed: close the ID", failure.getMessage());
        } finally {
            context.close();
        }
    }
}
