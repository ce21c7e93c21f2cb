package io.jverbs.soft.injection;

import io.jverbs.AsyncEvent;
import io.jverbs.AsyncEventType;
import io.jverbs.CompletionQueue;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.RdmaDevice;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.control.DeviceRemoval;
import io.jverbs.injection.ErrorInjector;
import io.jverbs.injection.ErrorInjector.InjectedError;
import io.jverbs.soft.TemporaryProperties;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/**
 * A scenario that creates a device and a queue pair, and removes the device, while an Error is thrown at one injection
 * point. It checks that the removal can be completed, that the queue pair is flushed and the context is told then, and
 * that the same device can be created and removed again. Afterwards its sockets are closed and its thread has ended.
 * The test loads this class with a class loader of its own, together with the classes of the device.
 */
public final class InjectedOpening implements IntFunction<String>, AutoCloseable {
    private static final int HOSTS = 250;
    private static final long DEADLINE_NANOS = Duration.ofSeconds(5).toNanos();
    private static final String THREAD = "jverbs-soft-";

    private final IntFunction<String> selectors;
    private final String sockets;
    private final OpenFiles files = new OpenFiles();
    private final List<String> errors = new ArrayList<>();
    private final WorkCompletions completions = WorkCompletions.create(2);
    private Set<Thread> before;
    private int rounds;

    /**
     * Makes the scenario.
     *
     * @param selector the selector of the device of a round: %d is the number of the round, %s stands for the last two
     *        numbers of an address
     * @param sockets the value of the system property {@code jverbs.soft.udp}
     */
    public InjectedOpening(String selector, String sockets) {
        this.selectors = round -> selector.contains("%s")
                ? selector.formatted(round / HOSTS + "." + (1 + round % HOSTS))
                : selector.formatted(round);
        this.sockets = sockets;
    }

    @Override
    public String apply(int point) {
        errors.clear();
        String selector = selectors.apply(rounds++);
        files.before();
        before = threads();
        try {
            TemporaryProperties.with(Map.of("jverbs.soft.udp", sockets), () -> {
                openTwice(selector, point);
                return null;
            });
        } catch (RuntimeException | Error e) {
            errors.add("opening and removing " + selector + " again: " + e);
        }
        awaitEnd();
        files.check(errors);
        return String.join("; ", errors);
    }

    private void openTwice(String selector, int point) {
        Opened first = new Opened();
        ErrorInjector.begin(point);
        try {
            first.openAndRemove(selector);
        } catch (InjectedError | VerbsException e) {
            // the device may exist or not
        } finally {
            ErrorInjector.end();
        }
        first.end();
        Opened again = new Opened();
        again.openAndRemove(selector);
        again.end();
    }

    /** A device with a context and a queue pair, as far as they could be created. */
    private final class Opened {
        private RdmaDevice device;
        private RdmaContext context;
        private CompletionQueue cq;
        /** Whether the queue pair has a receive request. */
        private boolean isPosted;

        void openAndRemove(String selector) {
            device = Verbs.select(selector);
            context = device.open();
            cq = context.createCompletionQueue(1);
            QueuePair qp = context.allocatePd()
                    .createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).build());
            qp.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(0).build());
            qp.postReceive(ReceiveWorkRequest.create(0));
            isPosted = true;
            remove();
        }

        private void remove() {
            device.capability(DeviceRemoval.class).orElseThrow().remove();
        }

        /** Removes the device again, which completes a removal that an Error has interrupted. */
        void end() {
            if (device != null) {
                remove();
            }
            if (isPosted && (cq.poll(completions) != 1 || completions.status(0) != WcStatus.WR_FLUSH_ERR)) {
                errors.add("the receive request of the removed device was not flushed: " + completions);
            }
            if (context != null) {
                checkEvents();
                context.close();
            }
        }

        private void checkEvents() {
            int fatal = 0;
            try {
                AsyncEvent event = context.awaitAsyncEvent(Duration.ZERO);
                while (event != null) {
                    fatal += event.type() == AsyncEventType.DEVICE_FATAL ? 1 : 0;
                    event.acknowledge();
                    event = context.awaitAsyncEvent(Duration.ZERO);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            if (fatal != 1) {
                errors.add("the context of the removed device had " + fatal + " events DEVICE_FATAL");
            }
        }
    }

    /** Waits until the thread of the removed device has ended. */
    private void awaitEnd() {
        long deadline = System.nanoTime() + DEADLINE_NANOS;
        while (!before.containsAll(threads())) {
            if (System.nanoTime() > deadline) {
                errors.add("threads " + threads() + " have not all ended");
                return;
            }
            Thread.onSpinWait();
        }
    }

    /** Returns the threads of devices. */
    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream().filter(thread -> thread.getName().startsWith(THREAD))
                .collect(Collectors.toSet());
    }

    @Override
    public void close() {
        // each round removes its device
    }
}
