package io.jverbs.soft.rsocket;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.QpInitAttributes;
import io.jverbs.spi.CmChannelOps;
import io.jverbs.spi.CmIdOps;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.DataPath;
import io.jverbs.spi.DeviceLayer;
import io.jverbs.spi.ForwardingCmChannel;
import io.jverbs.spi.ForwardingContext;
import io.jverbs.spi.Handle;
import io.jverbs.spi.ProviderDevice;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/** A layer that stops a thread in a verb until the test lets it continue, and lets a verb fail. */
final class VerbHook implements DeviceLayer {
    private static final long SECONDS = 30;
    private static final String AFTER_RECEIVE = "after postReceive";

    /** A thread that is to be stopped, in a verb, which throws the failure afterwards. */
    private record Pause(String verb, Predicate<Thread> of, AtomicInteger calls, CountDownLatch reached,
            CountDownLatch end, AtomicReference<RuntimeException> failure) {}

    private final AtomicReference<Pause> armed = new AtomicReference<>();
    private final List<Handle.Cq> queues = new CopyOnWriteArrayList<>();
    private final AtomicReference<Handle.Cq> failing = new AtomicReference<>();
    private final AtomicReference<Throwable> requestFailure = new AtomicReference<>();
    private volatile Pause latest;

    /**
     * Stops the next thread that calls a verb, if a condition holds for it, before the verb: createQp, postSend, or
     * route, a query of the addresses of a connect request.
     */
    void pauseIn(String verb, Predicate<Thread> of) {
        pauseIn(verb, 1, of);
    }

    /** Stops a thread after its call of postReceive with a number, from 1 on. */
    void pauseAfterReceive(int number, Predicate<Thread> of) {
        pauseIn(AFTER_RECEIVE, number, of);
    }

    private void pauseIn(String verb, int number, Predicate<Thread> of) {
        latest = new Pause(verb, of, new AtomicInteger(number), new CountDownLatch(1), new CountDownLatch(1),
                new AtomicReference<>());
        armed.set(latest);
    }

    void awaitPaused() throws InterruptedException {
        assertTrue(latest.reached.await(SECONDS, TimeUnit.SECONDS), "no thread has called the verb");
    }

    void proceed() {
        latest.end.countDown();
    }

    /** Lets the thread continue with a failure of the verb. */
    void proceedWith(RuntimeException failure) {
        latest.failure.set(failure);
        proceed();
    }

    /** Makes the next poll of a completion queue throw an Error; the queues are numbered in the order of creation. */
    void failPollOf(int number) {
        failing.set(queues.get(number));
    }

    boolean hasFailed() {
        return failing.get() == null;
    }

    /** Makes the next query of the addresses of a connect request throw. */
    void failRequest(Throwable failure) {
        requestFailure.set(failure);
    }

    private void in(String verb) {
        Pause present = armed.get();
        if (present != null && present.verb.equals(verb) && present.of.test(Thread.currentThread())
                && present.calls.decrementAndGet() == 0 && armed.compareAndSet(present, null)) {
            present.reached.countDown();
            try {
                assertTrue(present.end.await(SECONDS, TimeUnit.SECONDS), "the test has ended");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (present.failure.get() != null) {
                throw present.failure.get();
            }
        }
    }

    @Override
    public int position() {
        return DEVICE;
    }

    @Override
    public ContextOps wrap(ProviderDevice device, ContextOps inner) {
        DataPath path = dataPath(inner.dataPath());
        return new ForwardingContext(inner) {
            @Override
            public DataPath dataPath() {
                return path;
            }

            @Override
            public Handle.Cq createCq(int cqe, Handle.Channel channel, int completionVector, Object owner) {
                Handle.Cq made = super.createCq(cqe, channel, completionVector, owner);
                queues.add(made);
                return made;
            }

            @Override
            public Handle.Qp createQp(Handle.Pd pd, QpInitAttributes attributes, Object owner) {
                in("createQp");
                return super.createQp(pd, attributes, owner);
            }

            @Override
            public CmChannelOps createCmChannel() {
                return new HookedChannel(super.createCmChannel());
            }
        };
    }

    private DataPath dataPath(DataPath inner) {
        return (DataPath) Proxy.newProxyInstance(DataPath.class.getClassLoader(), new Class<?>[] {DataPath.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("poll") && failing.compareAndSet((Handle.Cq) arguments[0], null)) {
                        throw new OutOfMemoryError("none for a test");
                    }
                    in(method.getName());
                    try {
                        Object result = method.invoke(inner, arguments);
                        if (method.getName().equals("postReceive")) {
                            in(AFTER_RECEIVE);
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private final class HookedChannel extends ForwardingCmChannel {
        HookedChannel(CmChannelOps inner) {
            super(inner);
        }

        @Override
        protected Id wrap(CmIdOps id, boolean isRequested) {
            return new Id(id) {
                @Override
                public Route route() {
                    if (isRequested) {
                        in("route");
                    }
                    Throwable failure = isRequested ? requestFailure.getAndSet(null) : null;
                    if (failure instanceof Error error) {
                        throw error;
                    }
                    if (failure != null) {
                        throw (RuntimeException) failure;
                    }
                    return super.route();
                }
            };
        }
    }
}
